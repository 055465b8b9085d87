//! Random Promela programs whose data matters in odd ways, or not at all: for reductions that leave data out.
//!
//! *Contract.* The text depends on the seed alone. Processes loop forever over small values. Most variables are used by one
//! process; some are used by several, by escapes of `unless`, by `eval`, by remote references, by `provided` clauses,
//! as indices, in divisions, or by nobody. [`FEATURES`] lists what to look for in the texts.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Parts of the text that show a special case, and what it is.
pub const FEATURES: [(&str, &str); 18] = [
    ("escape of unless", " unless "),
    ("eval in a receive", "?eval("),
    ("poll", "c?["),
    ("sorted send", "c!!"),
    ("random receive", "c??"),
    ("ignored field", ",_"),
    ("rendezvous", "r!"),
    ("remote variable", "P0:x"),
    ("provided clause", "provided"),
    ("d_step", "d_step"),
    ("atomic", "atomic"),
    ("element store", "w[x"),
    ("output", "printf"),
    ("division", "/ "),
    ("counter", "count++"),
    ("several instances", "active [2]"),
    ("run once", "run Q(2)"),
    ("run in a loop", "run Q(1)"),
];

/// A random program.
///
/// ```
/// let text = testbench::generate::data::program(7);
/// assert!(text.contains("proctype P0"));
/// assert_eq!(text, testbench::generate::data::program(7));
/// ```
#[must_use]
pub fn program(seed: u64) -> String {
    let random = ChaCha8Rng::seed_from_u64(seed);
    let mut generator = Generator { random, text: String::new(), own: 0, depth: 0, in_d_step: false };
    generator.program();
    generator.text
}

struct Generator {
    random: ChaCha8Rng,
    text: String,
    /// The number of the global variable of the process at hand.
    own: usize,
    depth: u32,
    in_d_step: bool,
}

impl Generator {
    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_range(0..100) < percent
    }

    fn pick(&mut self, words: &[&str]) -> String {
        (*words.choose(&mut self.random).expect("not empty")).to_string()
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn program(&mut self) {
        self.push("byte g0 = 1, g1, g2, g3, shared; byte table[2]; int count; bool done;\n");
        let capacity = self.random.random_range(1..=2);
        self.push(&format!("chan c = [{capacity}] of {{ byte, byte }}; chan r = [0] of {{ byte }};\n"));
        for index in 0..2 {
            let instances = if index == 1 && self.chance(30) { "[2] " } else { "" };
            let provided = if self.chance(15) { format!(" provided (g{index} < 3)") } else { String::new() };
            self.push(&format!("active {instances}proctype P{index}(){provided} {{\n"));
            self.body(index);
        }
        self.push("proctype Q(byte p) {\n");
        self.body(2);
        self.push("init {\n");
        match self.random.random_range(0..3) {
            0 => self.push("run Q(2);\n"),
            1 => self.push("do :: _nr_pr < 6 -> run Q(1) :: break od;\n"),
            _ => {}
        }
        self.body(3);
    }

    fn body(&mut self, own: usize) {
        self.own = own;
        self.push("byte x, y = 1, z; byte w[2];\n");
        if self.chance(40) {
            self.statements();
            self.push(";\n");
        }
        let is_endless = self.chance(70);
        self.push(if is_endless { "do :: " } else { "if :: " });
        self.statements();
        if self.chance(60) {
            self.push(" :: ");
            self.statements();
        }
        self.push(if is_endless { " od\n}\n" } else { " fi\n}\n" });
    }

    fn statements(&mut self) {
        for index in 0..self.random.random_range(1..=3) {
            if index > 0 {
                self.push("; ");
            }
            self.statement();
        }
    }

    fn nested(&mut self, before: &str, after: &str) {
        self.depth += 1;
        self.push(before);
        self.statements();
        self.push(after);
        self.depth -= 1;
    }

    /// A variable that the process may assign.
    fn target(&mut self) -> String {
        match self.random.random_range(0..10) {
            0..=5 => self.pick(&["x", "y", "z"]),
            6..=7 => format!("g{}", self.own),
            8 => self.pick(&["shared", "g0", "w[0]"]),
            _ => self.pick(&["w[x % 2]", "table[y % 2]"]),
        }
    }

    fn value(&mut self) -> String {
        match self.random.random_range(0..11) {
            0..=1 => self.random.random_range(0..3).to_string(),
            2..=4 => self.pick(&["x", "y", "z"]),
            5 => format!("g{}", self.own),
            6 => self.pick(&["shared", "w[1]", "w[y % 2]", "table[0]"]),
            7 => self.pick(&["_pid % 2", "len(c)", "P0:x"]),
            8 => "4 / (x + 1)".to_string(),
            _ => format!("({} + 1) % 3", self.pick(&["x", "y", "z", "shared"])),
        }
    }

    fn condition(&mut self) -> String {
        let left = self.value();
        let right = self.random.random_range(0..3);
        match self.random.random_range(0..8) {
            0 => "c?[eval(y),_]".to_string(),
            1 => "nfull(c)".to_string(),
            2 => "done".to_string(),
            _ => format!("({left} {} {right})", self.pick(&["<", "==", "!=", ">="])),
        }
    }

    fn statement(&mut self) {
        let choice = self.random.random_range(0..100);
        match choice {
            0..=34 => {
                let (target, value) = (self.target(), self.value());
                self.push(&format!("{target} = {value}"));
            }
            35..=39 => self.push("count++"),
            40..=42 => {
                let value = self.value();
                self.push(&format!("count = count + {value}"));
            }
            43..=45 => self.push("printf(\"%d\\n\", z)"),
            46..=49 => {
                let condition = self.condition();
                self.push(&format!("assert(!done || {condition})"));
            }
            50..=52 => self.push("done = (x == 2)"),
            53..=68 if !self.in_d_step => self.communication(),
            69..=73 if !self.in_d_step => {
                let condition = self.condition();
                self.push(&condition);
            }
            74..=81 if self.depth < 2 => {
                let condition = self.condition();
                self.nested(&format!("if :: {condition} -> "), " :: else fi");
            }
            82..=87 if self.depth < 2 && !self.in_d_step => {
                self.nested("{ ", " } unless { ");
                let condition = self.condition();
                self.nested(&format!("{condition} -> "), " }");
            }
            88..=93 if self.depth < 2 && !self.in_d_step => {
                self.in_d_step = true;
                self.nested("d_step { skip; ", " }");
                self.in_d_step = false;
            }
            94..=97 if self.depth < 2 => self.nested("atomic { ", " }"),
            98 => self.push("w[x] = 1"),
            _ => self.push("z = x"),
        }
    }

    fn communication(&mut self) {
        let value = self.value();
        let text = match self.random.random_range(0..12) {
            0..=2 => format!("c!{value},y"),
            3 => format!("c!!{value},z"),
            4..=5 => "c?x,_".to_string(),
            6 => "c?y,z".to_string(),
            7 => "c?eval(x),y".to_string(),
            8 => "c??z,1".to_string(),
            9..=10 => format!("r!{value}"),
            _ => "r?y".to_string(),
        };
        self.push(&text);
    }
}
