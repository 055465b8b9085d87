"use strict";
// The page of `lariat serve`. The address after `#` is the whole state of a view, so that it survives a reload.
(() => {
  const token = new URLSearchParams(location.search).get("token") || "";
  const $ = (id) => document.getElementById(id);
  const headers = { "x-lariat-token": token, "content-type": "application/json" };
  const text = (tag, words, parent, className) => {
    const element = document.createElement(tag);
    element.textContent = words;
    if (className) element.className = className;
    if (parent) parent.append(element);
    return element;
  };

  async function get(path) {
    const response = await fetch(path, { headers });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  }

  // Sends a request whose answer is lines of JSON, and calls `each` for every line. Aborting ends the computation.
  async function stream(path, body, each, signal) {
    const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal });
    if (!response.ok) throw new Error(await response.text());
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line) each(JSON.parse(line));
    }
  }
  const last = async (path, body, signal) => {
    let answer = {};
    await stream(path, body, (line) => { if (line.number === undefined) answer = line; }, signal);
    return answer;
  };
  const isAbort = (error) => error.name === "AbortError";
  const later = (wait, action) => { let timer; return (...given) => { clearTimeout(timer); timer = setTimeout(() => action(...given), wait); }; };

  const state = { models: [], name: "", text: "", saved: "", view: "", pending: {} };
  const model = () => ({ name: state.name, text: state.text });
  // One request of a kind at a time: a new one ends the old one.
  const fresh = (kind) => { if (state.pending[kind]) state.pending[kind].abort(); return (state.pending[kind] = new AbortController()).signal; };

  function route() {
    const [path, query] = location.hash.slice(2).split("?");
    const [view, name] = path.split("/").map(decodeURIComponent);
    return { view: view || "edit", name, query: new URLSearchParams(query || "") };
  }
  function go(view, query, replace) {
    const named = ["edit", "simulate", "graph"].includes(view) ? `/${encodeURIComponent(state.name)}` : "";
    const words = new URLSearchParams(Object.entries(query || {}).filter(([, value]) => value !== undefined && value !== "")).toString();
    const hash = `#/${view}${named}${words ? "?" + words : ""}`;
    if (replace) { history.replaceState(null, "", location.pathname + location.search + hash); } else if (location.hash !== hash) location.hash = hash; else show();
  }

  async function open(name) {
    if (!name || name === state.name) return;
    const file = await get(`/api/file?name=${encodeURIComponent(name)}`);
    Object.assign(state, { name, text: file.text, saved: file.text });
    $("text").value = file.text;
    $("models").value = name;
    $("report").replaceChildren();
    diagnose();
  }

  async function show() {
    const { view, name, query } = route();
    const needsModel = ["edit", "simulate", "graph"].includes(view);
    if (needsModel && !state.models.length) return reveal("none");
    try { if (needsModel) await open(name || state.name || state.first || state.models[0]); } catch (error) { return fail(error); }
    reveal(view);
    if (view === "simulate") simulate((query.get("path") || "").split(",").filter(Boolean).map(Number));
    if (view === "graph") showGraph(query);
    if (view === "formula") showFormula(query);
    if (view === "bench") showBench(query);
    if (view === "edit" && query.has("run") && state.ran !== location.hash) { state.ran = location.hash; restoreCheck(query); }
  }
  function reveal(view) {
    state.view = view;
    document.querySelectorAll(".app-view").forEach((one) => { one.hidden = one.id !== `view-${view}`; });
    document.querySelectorAll("nav a").forEach((link) => {
      const named = ["edit", "simulate", "graph"].includes(link.dataset.view) && state.name;
      link.href = `#/${link.dataset.view}${named ? "/" + encodeURIComponent(state.name) : ""}`;
      if (link.dataset.view === view) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
    });
    document.title = `${state.name || "Lariat"} – ${view}`;
  }
  function fail(error) { if (!isAbort(error)) $("state").textContent = error.message; }

  // Editing.
  function gutter(marks) {
    const lines = $("text").value.split("\n").length;
    $("gutter").replaceChildren();
    for (let line = 1; line <= lines; line++) { text("span", String(line), $("gutter"), marks.get(line) || ""); $("gutter").append("\n"); }
    $("gutter").scrollTop = $("text").scrollTop;
  }
  let marks = new Map();
  async function diagnose() {
    try {
      const answer = await last("/api/diagnose", model(), fresh("diagnose"));
      const notes = answer.diagnostics || [];
      marks = new Map(notes.map((note) => [note.line, note.severity === "error" ? "wrong" : "doubtful"]));
      gutter(marks);
      $("diagnostics").replaceChildren();
      for (const note of notes) {
        const item = text("li", `${note.severity}: ${note.message} (line ${note.line}, column ${note.column})`, $("diagnostics"), note.severity);
        [...note.notes, ...note.hints].forEach((hint) => text("span", hint, item, "hint"));
        item.tabIndex = 0;
        const jump = () => place(note.line, note.column);
        item.addEventListener("click", jump);
        item.addEventListener("keydown", (event) => { if (event.key === "Enter") jump(); });
      }
      if (answer.error && !notes.length) text("li", answer.error, $("diagnostics"), "error");
      $("run").disabled = Boolean(answer.error);
      if (answer.properties) {
        for (const id of ["property", "graph-property"]) {
          // The address may name a property before the list of properties is known.
          const named = id === "graph-property" && state.view === "graph" ? route().query.get("property") || "" : "";
          const chosen = $(id).value || named;
          while ($(id).options.length > 1) $(id).remove(1);
          answer.properties.forEach((one) => { const option = text("option", one.formula && one.formula !== one.name ? `${one.name}: ${one.formula}`.slice(0, 80) : one.name, $(id)); option.value = one.name; });
          $(id).value = chosen;
          if ($(id).selectedIndex < 0) $(id).value = "";
        }
      }
    } catch (error) { fail(error); }
  }
  function place(line, column) {
    const lines = $("text").value.split("\n");
    const at = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
    $("text").focus();
    $("text").setSelectionRange(at, at);
    $("text").scrollTop = Math.max(0, (line - 5) * 19.5);
  }
  const diagnoseLater = later(250, diagnose);
  $("text").addEventListener("input", () => { state.text = $("text").value; gutter(marks); diagnoseLater(); unsaved(); });
  $("text").addEventListener("scroll", () => { $("gutter").scrollTop = $("text").scrollTop; });
  $("text").addEventListener("keydown", (event) => { if (event.key === "s" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); save(); } });
  const unsaved = () => { $("save").textContent = state.text === state.saved ? "Save" : "Save *"; };
  async function save() {
    try {
      const response = await fetch("/api/file", { method: "PUT", headers, body: JSON.stringify(model()) });
      if (!response.ok) throw new Error(await response.text());
      state.saved = state.text;
      unsaved();
      $("state").textContent = `saved ${state.name}`;
    } catch (error) { fail(error); }
  }
  $("save").addEventListener("click", save);
  window.addEventListener("beforeunload", (event) => { if (state.text !== state.saved) event.preventDefault(); });

  // Checking.
  let running = 0;
  async function check() {
    const wish = { ...model(), property: $("property").value || undefined, ltl: $("ltl").value || undefined, explain: $("explain").checked };
    if (wish.ltl) wish.property = undefined;
    go("edit", { run: "1", property: wish.property, ltl: wish.ltl, explain: wish.explain ? "1" : undefined, at: state.cursor }, true);
    state.ran = location.hash;
    const signal = fresh("check");
    $("stop").disabled = false;
    $("report").replaceChildren();
    $("state").textContent = "starting";
    const decided = [];
    let progress = "";
    const tell = (words) => { $("state").textContent = [words, progress, decided.join(", ")].filter(Boolean).join("; "); };
    let stage = "";
    try {
      await stream("/api/check", wish, (line) => {
        if (line.number !== undefined) running = line.number;
        if (line.stage) { stage = line.stage; tell(stage); }
        if (line.progress) {
          const { states, seconds, depth, waiting, left, bytes } = line.progress;
          const number = (value) => Math.round(value).toLocaleString("en");
          const rate = states / Math.max(seconds, 1e-9);
          progress = `${number(states)} states, ${number(rate)} a second, ${waiting === null ? "" : number(waiting) + " waiting, "}depth ${number(depth || 0)}, ${number((bytes || 0) / 1048576)} MB${left === null ? "" : `, about ${number(left / rate + 1)} s left`}`;
          tell(stage);
        }
        if (line.property) { decided.push(`${line.property.name} ${line.property.verdict}`); tell(stage); }
        if (line.error) $("state").textContent = line.error;
        if (line.html) {
          // Made by the server from escaped text; the policy of the page allows no script in it.
          $("report").innerHTML = line.html;
          window.lariat.begin($("report"), state.cursor);
          $("state").textContent = line.verdicts.map((one) => `${one.name}: ${one.verdict}`).join("; ");
        }
      }, signal);
    } catch (error) { fail(error); }
    $("stop").disabled = true;
    running = 0;
  }
  // The cursor of the report is a part of the address.
  document.addEventListener("cursor", (event) => {
    if (state.view !== "edit" || !$("report").firstChild) return;
    const query = Object.fromEntries(route().query);
    go("edit", { ...query, at: event.detail }, true);
    state.ran = location.hash;
  });
  async function restoreCheck(query) {
    state.cursor = query.get("at") || "";
    await diagnose();
    $("property").value = query.get("property") || "";
    $("ltl").value = query.get("ltl") || "";
    $("explain").checked = query.has("explain");
    check();
  }
  const checkAnew = () => { state.cursor = ""; check(); };
  $("run").addEventListener("click", checkAnew);
  $("ltl").addEventListener("keydown", (event) => { if (event.key === "Enter") checkAnew(); });
  $("stop").addEventListener("click", async () => {
    if (running) await fetch("/api/stop", { method: "POST", headers, body: JSON.stringify({ number: running }) });
  });

  // Simulating: the address holds the choices. Those that were undone are kept until another one is made, so that one can jump back to them.
  let path = [];
  let made = [];
  async function simulate(wanted, random) {
    try {
      const seed = Math.floor(Math.random() * 2 ** 31);
      const answer = await last("/api/simulate", { ...model(), path: wanted, random: random || 0, seed }, fresh("simulate"));
      if (answer.error) { $("where").textContent = answer.error; return; }
      path = answer.path;
      if (!path.every((choice, index) => made[index] === choice)) made = path;
      $("jump").value = path.length;
      $("jump").max = made.length;
      go("simulate", { path: path.join(",") }, true);
      $("where").textContent = `after step ${path.length}${answer.end ? ": " + answer.end : ""}`;
      $("undo").disabled = $("restart").disabled = path.length === 0;
      $("offered").replaceChildren();
      answer.offered.forEach((one, index) => {
        const button = text("button", one.text, text("li", "", $("offered")), one.fault ? "fault" : "");
        button.type = "button";
        button.addEventListener("click", () => simulate([...path, index]));
      });
      if (answer.more) text("li", "and more", $("offered"));
      $("sim-values").replaceChildren();
      const changed = new Set(((answer.steps.at(-1) || {}).changes || []).map((change) => change.name));
      for (const { name, value } of answer.values) {
        const row = text("tr", "", $("sim-values"), changed.has(name) ? "changed" : "");
        text("td", name, row);
        text("td", window.lariat.show(value, state.name.endsWith(".smv")), row);
      }
      $("sim-head").innerHTML = answer.chart ? answer.chart.head : "";
      $("sim-chart").innerHTML = answer.chart ? answer.chart.rows : "";
      $("sim-steps").replaceChildren();
      if (!answer.chart) $("sim-list").open = true;
      $("sim-head").parentNode.hidden = !answer.chart;
      [{ text: "the start" }, ...answer.steps].forEach((one, index) => {
        const button = text("button", one.text, text("li", "", $("sim-steps")));
        button.type = "button";
        button.addEventListener("click", () => simulate(path.slice(0, index)));
      });
      const box = $("sim-head").parentNode;
      box.scrollTop = box.scrollHeight;
    } catch (error) { if (!isAbort(error)) $("where").textContent = error.message; }
  }
  $("undo").addEventListener("click", () => simulate(path.slice(0, -1)));
  $("restart").addEventListener("click", () => simulate([]));
  $("jump").addEventListener("change", () => simulate(made.slice(0, Math.max(0, Number($("jump").value) || 0))));
  document.addEventListener("keydown", (event) => {
    if (state.view !== "simulate" || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    const chosen = /^[1-9]$/.test(event.key) ? $("offered").querySelectorAll("button")[Number(event.key) - 1] : event.key === "Backspace" ? $("undo") : null;
    if (chosen) { event.preventDefault(); chosen.click(); }
  });
  $("walk").addEventListener("click", () => simulate(path, Number($("walk-length").value) || 10));
  // A click on a row of the chart goes back to it.
  $("sim-chart").addEventListener("click", (event) => { const row = event.target.closest("[data-row]"); if (row) simulate(path.slice(0, Number(row.dataset.row))); });

  // The state graph.
  let zoom = 1;
  let first = [];
  let chosen = -1;
  function showGraph(query) {
    $("graph-property").value = query.get("property") || "";
    $("graph-from").value = query.get("from") || "";
    $("graph-to").value = query.get("to") || "";
    draw(query.getAll("fold").flatMap((one) => one.split("|")).filter(Boolean), query.get("property") || undefined);
  }
  async function draw(fold, property) {
    const [from, to] = [$("graph-from").value, $("graph-to").value];
    const between = from !== "" && to !== "" ? [Number(from), Number(to)] : undefined;
    $("graph-state").textContent = "drawing";
    try {
      const answer = await last("/api/graph", { ...model(), fold, property, between }, fresh("graph"));
      if (answer.error) { $("graph-state").textContent = answer.error; $("graph").replaceChildren(); return; }
      $("graph-state").textContent = `${answer.states} states${answer.complete ? "" : " and more"}, ${answer.nodes} nodes, ${answer.edges} edges`;
      $("graph").innerHTML = answer.svg;
      first = answer.first;
      choose(-1);
      scale();
      $("fold").replaceChildren();
      for (const name of answer.names) {
        const label = text("label", "", $("fold"));
        const box = document.createElement("input");
        box.type = "checkbox";
        box.value = name;
        box.checked = fold.includes(name);
        label.append(box, " " + name);
      }
    } catch (error) { if (!isAbort(error)) $("graph-state").textContent = error.message; }
  }
  $("draw").addEventListener("click", () => {
    const fold = [...$("fold").querySelectorAll("input:checked")].map((box) => box.value);
    const [from, to] = [$("graph-from").value, $("graph-to").value];
    go("graph", { fold: fold.join("|"), property: $("graph-property").value, from, to });
  });
  const scale = () => { const svg = $("graph").querySelector("svg"); if (svg) { const box = svg.viewBox.baseVal; svg.setAttribute("width", box.width * zoom); svg.setAttribute("height", box.height * zoom); } };
  $("zoom-in").addEventListener("click", () => { zoom = Math.min(4, zoom * 1.25); scale(); });
  $("zoom-out").addEventListener("click", () => { zoom = Math.max(0.05, zoom / 1.25); scale(); });
  function choose(index) {
    const node = $("graph").querySelector(`[data-node="${index}"]`);
    $("graph").querySelectorAll(".node.here").forEach((other) => other.classList.remove("here"));
    $("graph-chosen").hidden = !node;
    chosen = node ? index : -1;
    if (!node) { $("graph-detail").textContent = ""; return; }
    node.classList.add("here");
    $("graph-detail").textContent = `state ${first[index]}\n${node.querySelector("title").textContent}`;
  }
  $("graph").addEventListener("click", (event) => { const node = event.target.closest("[data-node]"); if (node) choose(Number(node.dataset.node)); });
  $("graph").addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    choose(Math.max(0, Math.min(first.length - 1, chosen + by)));
    const node = $("graph").querySelector(".node.here");
    if (node) node.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  for (const end of ["from", "to"]) $(`${end}-here`).addEventListener("click", () => { $(`graph-${end}`).value = first[chosen]; if ($("graph-from").value !== "" && $("graph-to").value !== "") $("draw").click(); });

  // Formulas.
  function showFormula(query) {
    for (const key of ["formula", "other", "constraint"]) if (document.activeElement !== $(`f-${key}`)) $(`f-${key}`).value = query.get(key) || $(`f-${key}`).value;
    askFormula();
  }
  async function askFormula() {
    const wish = { formula: $("f-formula").value, other: $("f-other").value, constraint: $("f-constraint").value };
    if (state.view === "formula") go("formula", wish, true);
    if (!wish.formula.trim()) { $("f-state").textContent = "type a formula"; return; }
    try {
      const answer = await last("/api/formula", wish, fresh("formula"));
      $("f-state").textContent = answer.error || "";
      if (answer.error) return;
      const facts = [["simplified", answer.simplified], ["class", answer.class && `${answer.class}${answer.stutter_invariant ? ", stutter-invariant" : ", not stutter-invariant"}`]];
      const made = answer.automaton;
      facts.push(["automaton", made.error || `${made.states} states, ${made.edges} edges, ${made.sets} acceptance set${made.sets === 1 ? "" : "s"}${made.deterministic ? ", deterministic" : ""}`]);
      if (answer.comparison) facts.push(["comparison", answer.comparison.error || (answer.comparison.equivalent ? "equivalent" : `not equivalent: on ${answer.comparison.word} ${answer.comparison.difference}`)]);
      if (answer.refined) facts.push(["refined", answer.refined.error || `${answer.refined.states} states, ${answer.refined.edges} edges (${answer.refined.way})`]);
      $("f-facts").replaceChildren();
      for (const [name, words] of facts) if (words) { text("dt", name, $("f-facts")); text("dd", words, $("f-facts")); }
      $("f-automaton").innerHTML = made.svg || "";
      $("f-hoa").textContent = made.hoa || "";
      const refined = (answer.refined || {}).svg;
      $("f-refined").innerHTML = refined || "";
      $("f-refined").hidden = $("f-refined-title").hidden = !refined;
    } catch (error) { if (!isAbort(error)) $("f-state").textContent = error.message; }
  }
  for (const key of ["formula", "other", "constraint"]) $(`f-${key}`).addEventListener("input", later(200, askFormula));

  // The testbench.
  let benching = 0;
  function showBench(query) {
    if (query.has("formulas")) $("b-count").value = query.get("formulas");
    if (query.has("seed")) $("b-seed").value = query.get("seed");
    if (query.has("run") && !benching) bench();
  }
  async function bench() {
    const wish = { formulas: Number($("b-count").value) || 200, seed: Number($("b-seed").value) || 0 };
    go("bench", { ...wish, run: "1" }, true);
    benching = -1;
    $("b-run").disabled = true;
    $("b-stop").disabled = false;
    try {
      await stream("/api/testbench", wish, (line) => {
        if (line.number !== undefined) { benching = line.number; return; }
        if (line.error) { $("b-state").textContent = line.error; return; }
        $("b-state").textContent = `${line.done} of ${line.total} formulas and negations, ${line.comparisons} comparisons, ${line.faults} formulas with faults${line.over ? "; done" : ""}`;
        $("b-progress").value = line.done / Math.max(1, line.total);
        $("b-scores").replaceChildren();
        for (const one of line.scores) {
          const row = text("tr", "", $("b-scores"));
          for (const cell of [one.name, one.attempts, one.failures, one.comparisons, one.blamed, one.states.toFixed(2)]) text("td", String(cell), row);
        }
      }, fresh("bench"));
    } catch (error) { if (!isAbort(error)) $("b-state").textContent = error.message; }
    $("b-run").disabled = false;
    $("b-stop").disabled = true;
    benching = 0;
  }
  $("b-run").addEventListener("click", bench);
  $("b-stop").addEventListener("click", () => fetch("/api/stop", { method: "POST", headers, body: JSON.stringify({ number: benching }) }));

  $("models").addEventListener("change", () => {
    if (state.text !== state.saved && !confirm("Leave without saving?")) { $("models").value = state.name; return; }
    const view = ["edit", "simulate", "graph"].includes(state.view) ? state.view : "edit";
    location.hash = `#/${view}/${encodeURIComponent($("models").value)}`;
  });
  window.addEventListener("hashchange", show);
  get("/api/files").then((files) => {
    state.models = files.models;
    state.first = files.first;
    files.models.forEach((name) => { text("option", name, $("models")).value = name; });
    show();
  }).catch((error) => { document.body.textContent = error.message; });
})();
