//! Random Promela programs: small, closed, accepted by SPIN, and rich in the constructs whose
//! meaning is easy to get wrong.
//!
//! *Contract.* The text depends on the seed alone. Programs have two or three processes, a few
//! small variables, buffered and rendezvous channels; loops are over guarded counters, so state
//! spaces stay small. No construct is used in a way on which SPIN and Lariat are known to differ
//! (`docs/versus-spin.md`).

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A random program.
///
/// ```
/// let text = testbench::generate::promela::program(7);
/// assert!(text.contains("proctype"));
/// assert_eq!(text, testbench::generate::promela::program(7));
/// ```
#[must_use]
pub fn program(seed: u64) -> String {
    let mut generator = Generator {
        random: ChaCha8Rng::seed_from_u64(seed),
        text: String::new(),
        labels: Vec::new(),
        next_label: 0,
        context: Context::default(),
    };
    generator.program();
    generator.text
}

/// The constructs that are allowed at the current place.
#[derive(Clone, Copy, Debug, Default)]
struct Context {
    depth: u32,
    in_d_step: bool,
    in_loop: bool,
    /// Starting processes is allowed: only outside loops, so that there are few.
    may_run: bool,
}

struct Generator {
    random: ChaCha8Rng,
    text: String,
    /// Labels that gotos were generated for or that exist in the process at hand.
    labels: Vec<String>,
    next_label: u32,
    context: Context,
}

const SCALARS: [&str; 5] = ["a", "b", "flag", "small", "wide"];

impl Generator {
    fn program(&mut self) {
        self.text.push_str(
            "mtype = { red, green, blue };\n\
             typedef pair { byte left; bit right };\n\
             byte a; short b = 3; bool flag; unsigned small : 3 = 5; int wide = -1;\n\
             byte cell[3] = 1; pair both[2]; mtype colour = red;\n",
        );
        let capacity = self.random.random_range(1..=2);
        self.line(&format!("chan buffer = [{capacity}] of {{ byte, mtype }};"));
        self.line("chan meet = [0] of { byte };");
        self.line("chan port = [1] of { short };");
        let processes = self.random.random_range(1..=2);
        for index in 0..processes {
            let instances = if self.chance(25) { "[2] " } else { "" };
            let provided = if self.chance(10) { " provided (a < 200)" } else { "" };
            self.line(&format!("active {instances}proctype P{index}(){provided}"));
            self.body(false);
        }
        self.line("proctype Q(byte arg)");
        self.body(false);
        if self.chance(70) {
            self.text.push_str("init");
            self.body(true);
        } else {
            self.line("active proctype R()");
            self.body(true);
        }
    }

    fn body(&mut self, may_run: bool) {
        self.labels.clear();
        self.context = Context { may_run, ..Context::default() };
        self.line("{");
        self.line("byte x; int y = 2; byte v[2];");
        let statements = self.random.random_range(2..=5);
        for index in 0..statements {
            if self.chance(25) {
                let kind = ["L", "end", "progress"].choose(&mut self.random).expect("not empty");
                let label = format!("{kind}{}", self.next_label);
                self.next_label += 1;
                // The label stands before a plain statement: SPIN refuses jumps to a `d_step`.
                self.text.push_str(&format!("{label}: skip;\n"));
                self.labels.push(label);
            }
            self.statement();
            if index + 1 < statements {
                self.text.push_str(";\n");
            }
        }
        self.line("\n}");
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_range(0..100) < percent
    }

    fn statement(&mut self) {
        let deep = self.context.depth >= 3;
        let choice = self.random.random_range(0..100);
        match choice {
            0..=27 => self.assignment(),
            28..=35 => {
                let guard = self.condition();
                self.text.push_str(&guard);
            }
            36..=50 => self.communication(),
            51..=53 => self.text.push_str("skip"),
            54..=56 => {
                let guard = self.condition();
                self.text.push_str(&format!("assert({guard} || a < 250)"));
            }
            57..=59 if self.context.may_run && !self.context.in_loop && !self.context.in_d_step => {
                let argument = self.expression();
                self.text.push_str(&format!("run Q({argument})"));
            }
            60..=62 if !self.context.in_d_step && !self.labels.is_empty() => {
                let label = self.labels.choose(&mut self.random).expect("not empty").clone();
                // A bare backward jump could spin forever without a step: guard it.
                self.text.push_str(&format!("if :: a < 3 -> a++; goto {label} :: else fi"));
            }
            63..=76 if !deep => self.selection(),
            77..=84 if !deep => self.repetition(),
            85..=91 if !deep => self.sequence("atomic"),
            92..=95 if !deep && !self.context.in_d_step => self.sequence("d_step"),
            96..=97 if !deep && !self.context.in_d_step => self.unless(),
            _ => self.assignment(),
        }
    }

    fn nested(&mut self, inside: impl FnOnce(&mut Self)) {
        let outer = self.context;
        self.context.depth += 1;
        inside(self);
        self.context = outer;
    }

    fn sequence(&mut self, keyword: &str) {
        self.nested(|this| {
            this.context.in_d_step |= keyword == "d_step";
            if keyword == "d_step" {
                // SPIN takes a `d_step` right behind a loop for the target of the loop's `break`.
                this.text.push_str("skip; ");
            }
            this.text.push_str(&format!("{keyword} {{ "));
            if this.context.in_d_step {
                this.text.push_str("skip; ");
            }
            this.statements();
            this.text.push_str(" }");
        });
    }

    fn unless(&mut self) {
        self.nested(|this| {
            this.text.push_str("{ ");
            this.statements();
            this.text.push_str(" } unless { ");
            let guard = this.condition();
            this.text.push_str(&format!("{guard} -> "));
            this.statements();
            this.text.push_str(" }");
        });
    }

    fn statements(&mut self) {
        let count = self.random.random_range(1..=3);
        for index in 0..count {
            if index > 0 {
                self.text.push_str("; ");
            }
            self.statement();
        }
    }

    fn selection(&mut self) {
        self.nested(|this| {
            this.text.push_str("if");
            // A choice inside a `d_step` must not block. SPIN refuses `else` beside channels.
            let otherwise = this.context.in_d_step || this.chance(40);
            this.options(otherwise);
            if otherwise {
                this.text.push_str(" :: else -> ");
                this.statements();
            }
            this.text.push_str(" fi");
        });
    }

    fn options(&mut self, otherwise: bool) {
        for _ in 0..self.random.random_range(1..=2) {
            let guard = if otherwise { self.comparison() } else { self.condition() };
            self.text.push_str(&format!(" :: {guard} -> "));
            self.statements();
        }
        if self.chance(20) && !otherwise {
            self.text.push_str(" :: ");
            self.communication();
        }
    }

    fn repetition(&mut self) {
        self.nested(|this| {
            this.context.in_loop = true;
            this.text.push_str("do :: y < 4 -> y++; ");
            this.statements();
            if this.chance(30) && !this.context.in_d_step {
                this.text.push_str(" :: ");
                this.communication();
                this.text.push_str(" :: y >= 4 -> break");
            } else {
                this.text.push_str(" :: else -> break");
            }
            this.text.push_str(" od");
        });
    }

    fn assignment(&mut self) {
        let value = self.expression();
        let target = match self.random.random_range(0..10) {
            0..=4 => (*SCALARS.choose(&mut self.random).expect("not empty")).to_string(),
            5 => format!("cell[{}]", self.index(3)),
            6 => format!("both[{}].left", self.index(2)),
            7 => format!("both[{}].right", self.index(2)),
            8 => "x".to_string(),
            _ => format!("v[{}]", self.index(2)),
        };
        // Values stay small, so that counters do not multiply the states.
        self.text.push_str(&format!("{target} = ({value}) % 4"));
    }

    fn communication(&mut self) {
        let value = self.expression();
        let colour = *["red", "green", "blue", "colour"].choose(&mut self.random).expect("not empty");
        let guarded = |text: &str, guard: &str, not: &str| format!("if :: {guard} -> {text} :: {not} fi");
        let choice = self.random.random_range(0..12);
        if self.context.in_d_step {
            // Only statements that cannot block.
            let text = match choice {
                0..=5 => guarded(&format!("buffer!({value}) % 4,{colour}"), "nfull(buffer)", "full(buffer)"),
                _ => guarded("buffer?x,colour", "nempty(buffer)", "empty(buffer)"),
            };
            self.text.push_str(&text);
            return;
        }
        let text = match choice {
            0 => format!("buffer!({value}) % 4,{colour}"),
            1 => format!("buffer!!({value}) % 4,{colour}"),
            2 => "buffer?x,colour".to_string(),
            3 => "buffer??x,green".to_string(),
            4 => "buffer?<x,_>".to_string(),
            5 => format!("buffer?eval({value}),_"),
            6 | 7 => format!("meet!({value}) % 3"),
            8 | 9 => "meet?x".to_string(),
            10 => format!("port!({value}) % 5"),
            _ => "port?b".to_string(),
        };
        self.text.push_str(&text);
    }

    fn index(&mut self, len: u32) -> String {
        if self.chance(50) {
            self.random.random_range(0..len).to_string()
        } else {
            let variable = *["a", "x", "small"].choose(&mut self.random).expect("not empty");
            format!("{variable} % {len}")
        }
    }

    fn expression(&mut self) -> String {
        match self.random.random_range(0..14) {
            0..=3 => self.random.random_range(0..4).to_string(),
            4..=6 => (*SCALARS.choose(&mut self.random).expect("not empty")).to_string(),
            7 => format!("cell[{}]", self.index(3)),
            8 => "x".to_string(),
            9 => "len(buffer)".to_string(),
            10 => {
                let guard = self.comparison();
                format!("({guard} -> {} : {})", self.random.random_range(0..3), self.random.random_range(0..3))
            }
            11 => "_pid".to_string(),
            12 => self.division(),
            _ => {
                let operator = *["+", "-", "*", "&", "|", "^", ">>"].choose(&mut self.random).expect("not empty");
                let left = *SCALARS.choose(&mut self.random).expect("not empty");
                format!("({left} {operator} {})", self.random.random_range(0..3))
            }
        }
    }

    /// A division by a variable that is often zero, and is then not made.
    fn division(&mut self) -> String {
        let by = *["a", "x", "flag", "cell[2]", "both[0].left", "v[1]"].choose(&mut self.random).expect("not empty");
        let (number, operator) = (self.random.random_range(1..6), if self.chance(50) { "/" } else { "%" });
        match self.random.random_range(0..4) {
            0 => format!("({by} == 0 || {number} {operator} {by} > 1)"),
            1 => format!("({by} != 0 && {number} {operator} {by} < 2)"),
            2 => format!("({by} == 0 -> {number} : {number} {operator} {by})"),
            _ => format!("({by} -> {number} {operator} {by} : {number})"),
        }
    }

    fn condition(&mut self) -> String {
        match self.random.random_range(0..11) {
            0 => "empty(buffer)".to_string(),
            1 => "nfull(buffer)".to_string(),
            2 => "flag".to_string(),
            3 => "(colour == green)".to_string(),
            4 if !self.context.in_d_step => "timeout".to_string(),
            5 => "buffer?[_,red]".to_string(),
            6 => self.division(),
            _ => self.comparison(),
        }
    }

    fn comparison(&mut self) -> String {
        let operator = *["<", "<=", ">", ">=", "==", "!="].choose(&mut self.random).expect("not empty");
        let left = *["a", "b", "x", "y", "small", "cell[1]"].choose(&mut self.random).expect("not empty");
        format!("({left} {operator} {})", self.random.random_range(0..4))
    }
}
