//! Random Promela programs for tests of reductions: processes that work on variables of their own for the most part, and
//! meet in every construct whose treatment a reduction must argue.
//!
//! *Contract.* The text and the list of constructs depend on the seed alone. The formulas at the end are stutter-invariant.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// A random program and the constructs that occur in it.
#[derive(Clone, Debug)]
pub struct Concurrent {
    /// The program.
    pub text: String,
    /// The special cases that it contains.
    pub constructs: BTreeSet<&'static str>,
}

/// A random program.
#[must_use]
pub fn concurrent(seed: u64) -> Concurrent {
    let random = ChaCha8Rng::seed_from_u64(seed);
    let program = Concurrent { text: String::new(), constructs: BTreeSet::new() };
    let mut generator = Generator { random, program, depth: 0, labels: 0, may_run: false, in_step: false };
    generator.whole();
    generator.program
}

struct Generator {
    random: ChaCha8Rng,
    program: Concurrent,
    depth: u32,
    labels: u32,
    may_run: bool,
    in_step: bool,
}

/// A statement that needs no further choice, and what it is an instance of.
const PLAIN: [(&str, &str); 34] = [
    ("local", "x = (x + 1) % 3"),
    ("local", "y = x"),
    ("local", "x = 0"),
    ("local", "x > 0"),
    ("global write", "g = 1"),
    ("global write", "g = (g + 1) % 3"),
    ("global write", "h = !h"),
    ("global read", "x = g"),
    ("global guard", "g == 1"),
    ("global guard", "h"),
    ("assert", "assert(g != 2 || h)"),
    ("shared byte", "k = true"),
    ("shared byte", "k == false"),
    ("index by _pid", "cell[_pid % 3] = x"),
    ("index by variable", "cell[g] == 0"),
    ("index by variable", "cell[x] = 1"),
    ("send", "buf!x"),
    ("receive", "buf?x"),
    ("receive", "buf?1"),
    ("receive into a global", "buf?g"),
    ("sorted send", "buf!!x"),
    ("random receive", "buf??1"),
    ("peek", "buf?<x>"),
    ("poll", "buf?[1]"),
    ("len", "len(buf) == 1"),
    ("full and empty", "nfull(buf)"),
    ("full and empty", "empty(buf)"),
    ("rendezvous", "meet!x"),
    ("rendezvous", "meet?x"),
    ("rendezvous", "meet?eval(g)"),
    ("timeout", "timeout"),
    ("_nr_pr", "_nr_pr < 4"),
    ("remote reference", "P0@first"),
    ("remote reference", "P0:x == 0"),
];

const FORMULAS: [&str; 12] = [
    "[] (g != 2)",
    "<> (g == 1)",
    "[]<> h",
    "<>[] !h",
    "[] (h -> <> (g == 0))",
    "(g == 0) U k",
    "[] (P0@first -> <> !P0@first)",
    "<>[] (len(buf) == 0)",
    "[]<> (cell[0] == 1 || g == 1)",
    "[] (k -> [] k)",
    "<> (P0:x == 1)",
    "([]<> (g == 1)) -> ([]<> h)",
];

impl Generator {
    fn whole(&mut self) {
        let capacity = self.random.random_range(1..=2);
        self.put(&format!(
            "byte g; bool h, k; byte cell[3];\nchan buf = [{capacity}] of {{ byte }};\nchan meet = [0] of {{ byte }};\n\
             chan side = [1] of {{ byte }};\n"
        ));
        // These are rare: nothing, or little, is left out of such programs.
        let (has_priorities, has_last) = (self.chance(3), self.chance(3));
        if self.chance(5) {
            self.note("trace assertion");
            let which = *["trace", "notrace"].choose(&mut self.random).expect("not empty");
            self.put(&format!("{which} {{ do :: buf!0 :: buf!1; buf?_ od }}\n"));
        }
        let processes = self.random.random_range(2..=3);
        for index in 0..processes {
            let (mut kind, mut clause, mut instances) = ("proctype", "", "");
            if self.chance(8) {
                (kind, _) = ("D_proctype", self.note("D_proctype"));
            }
            if self.chance(8) {
                (clause, _) = (" provided (!k)", self.note("provided"));
            }
            if self.chance(15) && index > 0 {
                (instances, _) = ("[2] ", self.note("two instances"));
            }
            let mut priority = String::new();
            if has_priorities {
                self.note("priority");
                priority = format!(" priority {}", index + 1);
            }
            self.put(&format!("active {instances}{kind} P{index}(){priority}{clause} {{\nbyte x, y;\nfirst: skip;\n"));
            if has_last && index == 0 {
                self.note("_last");
                self.put("if :: _last == 0 -> x = 1 :: _last == 1 -> x = 2 fi;\n");
            }
            self.may_run = index + 1 == processes;
            self.body();
            self.put("\n}\n");
        }
        self.put("proctype Q(byte a; chan c) {\nbyte x = g, y = a; byte kept = a;\nfirst: skip;\n");
        self.may_run = false;
        if self.chance(60) {
            self.note("channel parameter");
            let statement = *["c!y", "c?y", "cell[kept % 3] = 2"].choose(&mut self.random).expect("not empty");
            self.put(&format!("if :: {statement} :: timeout fi;\n"));
        }
        self.body();
        self.put("\n}\n");
        for number in 0..2 {
            let formula = FORMULAS.choose(&mut self.random).expect("not empty");
            self.put(&format!("ltl p{number} {{ {formula} }}\n"));
        }
    }

    fn put(&mut self, text: &str) {
        self.program.text.push_str(text);
    }

    fn note(&mut self, construct: &'static str) {
        self.program.constructs.insert(construct);
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_range(0..100) < percent
    }

    fn body(&mut self) {
        self.depth = 0;
        let is_endless = self.chance(25);
        if is_endless {
            self.note("endless loop");
            self.put("do ::\n");
        }
        self.statements(2, 4);
        if is_endless {
            self.put("\nod");
        }
    }

    fn statements(&mut self, least: u32, most: u32) {
        let count = self.random.random_range(least..=most);
        for index in 0..count {
            if index > 0 {
                self.put(";\n");
            }
            self.statement();
        }
    }

    fn plain(&mut self) {
        let (construct, text) = *PLAIN.choose(&mut self.random).expect("not empty");
        if self.in_step && ["rendezvous", "timeout"].contains(&construct) {
            return self.put("x = 1");
        }
        self.note(construct);
        self.put(text);
    }

    fn nested(&mut self, construct: &'static str, inside: impl FnOnce(&mut Self)) {
        self.note(construct);
        self.depth += 1;
        inside(self);
        self.depth -= 1;
    }

    fn statement(&mut self) {
        if self.depth >= 2 {
            return self.plain();
        }
        match self.random.random_range(0..100) {
            0..=61 => self.plain(),
            62..=68 => self.nested("if", |this| {
                this.put("if :: ");
                this.statements(1, 2);
                this.put(" :: ");
                this.statements(1, 2);
                this.put(" fi");
            }),
            69..=74 => self.nested("else", |this| {
                let guard = *["g == 0", "h", "x == 0", "buf?[1]", "nfull(buf)", "cell[1] == 0"]
                    .choose(&mut this.random)
                    .expect("not empty");
                this.put(&format!("if :: {guard} -> "));
                this.statements(1, 2);
                this.put(" :: else -> ");
                this.statements(1, 2);
                this.put(" fi");
            }),
            75..=79 => self.nested("counted loop", |this| {
                this.put("do :: y < 2 -> y++; ");
                this.statements(1, 1);
                this.put(" :: y >= 2 -> break od");
            }),
            80..=85 => self.nested("atomic", |this| {
                this.put("atomic { ");
                this.statements(1, 3);
                this.put(" }");
            }),
            86..=89 => self.nested("d_step", |this| {
                this.in_step = true;
                this.put("d_step { g == 0; ");
                let text = *["x = 1; h = true", "g = 2; x = g", "cell[x] = 1", "k = h; h = k"]
                    .choose(&mut this.random)
                    .expect("not empty");
                this.put(text);
                this.put(" }");
                this.in_step = false;
            }),
            90..=92 => self.nested("unless", |this| {
                this.put("{ ");
                this.statements(1, 2);
                this.put(" } unless { ");
                let guard = *["g == 2", "h", "buf?x", "meet?x"].choose(&mut this.random).expect("not empty");
                this.put(&format!("{guard}; x = 2 }}"));
            }),
            93..=94 => self.nested("goto inside atomic", |this| {
                let label = this.labels;
                this.labels += 1;
                this.put(&format!(
                    "atomic {{ x = 1; if :: h -> goto T{label} :: true fi; y = 1 }}; atomic {{ y = 2; T{label}: "
                ));
                this.statements(1, 1);
                this.put("; g = x }");
            }),
            95..=97 if self.may_run => {
                self.note("run");
                let channel = *["buf", "meet", "side"].choose(&mut self.random).expect("not empty");
                self.put(&format!("run Q(x, {channel})"));
            }
            98 => {
                self.note("enabled");
                self.put("enabled(1)");
            }
            _ => self.plain(),
        }
    }
}
