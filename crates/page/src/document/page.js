"use strict";
// The cursor of a report: one number of steps for each counterexample, shown in all of its views.
(() => {
  const show = (value, smv) => {
    if (value === undefined) return "";
    if (Array.isArray(value)) return value.length ? value.map((message) => "[" + message.map((field) => show(field, smv)).join(",") + "]").join("") : "empty";
    if (smv && typeof value === "boolean") return value ? "TRUE" : "FALSE";
    return String(value);
  };
  const base = (name) => name.slice(name.lastIndexOf(":") + 1).split(/[[.(]/)[0];
  const key = (name) => name.replace(/\.\d+$/, "");
  const CHECKPOINT = 200;

  class Trace {
    constructor(section) {
      this.section = section;
      this.run = JSON.parse(section.querySelector("script.run").textContent);
      this.steps = [...this.run.stem, ...this.run.loop];
      this.smv = this.run.language === "smv";
      this.mentioned = new Set(this.run.mentioned);
      this.at = 0;
      this.last = this.steps.length;
      this.rows = new Map([...section.querySelectorAll("tr[data-step]")].map((row) => [Number(row.dataset.step), row]));
      this.rowCursor = section.querySelector(".rows .cursor");
      this.columnCursor = section.querySelector(".columns .cursor");
      this.range = section.querySelector("input[type=range]");
      this.output = section.querySelector("output");
      this.values = section.querySelector("table.values tbody");
      this.when = section.querySelector(".values-view .when");
      this.nodes = [...section.querySelectorAll(".automaton-view [data-node]")];
      this.model = section.closest(".model") || document;
      this.checkpoints = [new Map(this.run.initial.values.map((one) => [one.name, one.value]))];
      this.lit = [];
      this.range.max = String(this.last);
      this.range.addEventListener("input", () => this.go(Number(this.range.value)));
      section.addEventListener("click", (event) => this.click(event));
      section.addEventListener("focusin", () => { active = this; });
      section.addEventListener("pointerenter", () => { active = this; });
    }

    click(event) {
      active = this;
      const button = event.target.closest("[data-go]");
      if (button) return this.move(button.dataset.go);
      const jump = event.target.closest("[data-jump]");
      if (jump) { event.preventDefault(); return this.go(Number(jump.dataset.jump)); }
      const row = event.target.closest("tr[data-step]");
      if (row) return this.go(Number(row.dataset.step));
      const rows = event.target.closest(".rows");
      if (rows) return this.go(Math.floor((event.clientY - rows.getBoundingClientRect().top) / Number(rows.dataset.rowHeight)) + 1);
      const columns = event.target.closest(".columns");
      if (columns) return this.go(Math.floor((event.clientX - columns.getBoundingClientRect().left) / Number(columns.dataset.columnWidth)));
    }

    move(how) {
      const page = 20;
      this.go({ first: 0, back: this.at - 1, on: this.at + 1, last: this.last, up: this.at - page, down: this.at + page }[how]);
    }

    // The values after this many steps, from the last checkpoint before.
    state(at) {
      if (this.smv) {
        const state = at === 0 ? this.run.initial : this.steps[at - 1].state;
        const relevant = state.relevant && new Set(state.relevant.map(key));
        return state.values.map((one) => [one.name, one.value, !relevant || relevant.has(one.name)]);
      }
      let from = Math.min(Math.floor(at / CHECKPOINT), this.checkpoints.length - 1);
      let values = new Map(this.checkpoints[from]);
      for (let step = from * CHECKPOINT; step < at; step++) {
        for (const change of this.steps[step].changes || []) {
          if (change.after === undefined) values.delete(change.name); else values.set(change.name, change.after);
        }
        if ((step + 1) % CHECKPOINT === 0 && (step + 1) / CHECKPOINT === this.checkpoints.length) this.checkpoints.push(new Map(values));
      }
      return [...values].map(([name, value]) => [name, value, this.mentioned.has(base(name))]);
    }

    go(to) {
      if (!Number.isFinite(to)) return;
      const at = Math.max(0, Math.min(this.last, to));
      const before = this.rows.get(this.at);
      if (before) before.classList.remove("current");
      this.at = at;
      this.range.value = String(at);
      this.tell();
      const row = this.rows.get(at);
      if (row) { row.classList.add("current"); reveal(row.closest(".scroll"), row.offsetTop, row.offsetHeight, 34); }
      if (this.rowCursor) {
        const height = Number(this.rowCursor.parentNode.dataset.rowHeight);
        this.rowCursor.style.transform = `translateY(${(at - 1) * height}px)`;
        this.rowCursor.style.visibility = at > 0 ? "visible" : "hidden";
        reveal(this.rowCursor.closest(".scroll"), Math.max(0, at - 1) * height, height, 40);
      }
      if (this.columnCursor) {
        const width = Number(this.columnCursor.parentNode.dataset.columnWidth);
        const box = this.columnCursor.closest(".scroll");
        this.columnCursor.style.transform = `translateX(${at * width}px)`;
        this.columnCursor.style.visibility = "visible";
        const names = box.querySelector(".signals").offsetWidth;
        if (at * width < box.scrollLeft || (at + 1) * width > box.scrollLeft + box.clientWidth - names) box.scrollLeft = at * width - (box.clientWidth - names) / 2;
      }
      this.fill();
      this.light();
      const here = new Set((this.run.states_after || [])[at] || []);
      for (const node of this.nodes) node.classList.toggle("here", here.has(Number(node.dataset.node)));
      remember(this.section.id, at);
    }

    tell() {
      const step = this.steps[this.at - 1];
      let words = "";
      if (step && !this.smv) {
        const who = step.process === undefined ? "" : `${step.process}(${step.pid}) `;
        words = `: ${who}${step.line ? "line " + step.line + " " : ""}${step.statement || step.does}`;
      } else if (!step) words = ": the start";
      const loop = this.at > this.run.stem.length ? ", in the loop" : "";
      this.output.textContent = `step ${this.at} of ${this.last}${loop}${words}`;
    }

    fill() {
      const changed = new Set(((this.steps[this.at - 1] || {}).changes || []).map((change) => change.name));
      const state = this.state(this.at);
      state.sort((one, two) => Number(two[2]) - Number(one[2]));
      this.when.textContent = `after step ${this.at}`;
      while (this.values.rows.length > state.length) this.values.deleteRow(-1);
      state.forEach(([name, value, matters], index) => {
        let row = this.values.rows[index];
        if (!row) { row = this.values.insertRow(); row.insertCell(); row.insertCell(); }
        row.cells[0].textContent = name;
        row.cells[1].textContent = show(value, this.smv);
        row.className = (changed.has(name) ? "changed" : "") + (matters ? "" : " irrelevant");
      });
    }

    // The lines of the model that the step executes, or where processes wait.
    light() {
      this.lit.forEach((line) => line.classList.remove("current"));
      const places = this.at > 0 ? [this.run.places[this.at - 1], this.run.receivers[this.at - 1]] : [];
      if (this.at === this.last) places.push(...this.run.waiting);
      this.lit = places.filter(Boolean).map(([file, line]) => this.model.querySelector(`.code[data-file="${file}"] li[data-line="${line}"]`)).filter(Boolean);
      this.lit.forEach((line) => line.classList.add("current"));
      const first = this.lit[0];
      if (first) reveal(first.parentNode, first.offsetTop, first.offsetHeight, 10);
    }
  }

  // Scrolls inside a box so that a place is visible, and never the page.
  function reveal(box, top, height, margin) {
    if (!box) return;
    if (top - margin < box.scrollTop) box.scrollTop = top - margin;
    else if (top + height + margin > box.scrollTop + box.clientHeight) box.scrollTop = top + height + margin - box.clientHeight / 2;
  }

  // The address names the counterexample and the step, so that it can be passed on.
  let timer = 0;
  function remember(id, at) {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!ready) return;
      if (inside) document.dispatchEvent(new CustomEvent("cursor", { detail: `${id}=${at}` }));
      else history.replaceState(null, "", `#${id}=${at}`);
    }, 150);
  }

  // In the page of `lariat serve` the address belongs to its views.
  const inside = Boolean(document.getElementById("app"));
  let active = null;
  let ready = false;
  const begin = (root, place) => {
    const traces = [...root.querySelectorAll("section.trace")].map((section) => new Trace(section));
    if (!traces.length) return traces;
    active = traces[0];
    const [id, step] = (inside ? place || "" : decodeURIComponent(location.hash.slice(1))).split("=");
    traces.forEach((trace) => trace.go(trace.section.id === id ? Number(step) || 0 : 0));
    const wanted = traces.find((trace) => trace.section.id === id);
    if (wanted) { active = wanted; wanted.section.scrollIntoView(); }
    clearTimeout(timer);
    ready = true;
    return traces;
  };
  document.addEventListener("keydown", (event) => {
    if (!active || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "range") return;
    const how = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", PageUp: "up", PageDown: "down" }[event.key];
    // A trace in a view that is not shown has no place on the page.
    if (!how || !active.section.getClientRects().length) return;
    event.preventDefault();
    active.move(how);
  });
  window.lariat = { begin, show };
  begin(document);
})();
