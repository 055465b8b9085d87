//! Random SMV texts with all kinds of declarations, in few states each, so that thousands can be tried.

use super::Random;

/// Writes one model.
pub(crate) struct Small {
    pub(crate) random: Random,
    /// Atoms about the state, about inputs, and about the next state.
    atoms: Vec<String>,
    inputs: Vec<String>,
    nexts: Vec<String>,
}

impl Small {
    pub(crate) fn new(seed: u64) -> Self {
        Small { random: Random::new(seed), atoms: Vec::new(), inputs: Vec::new(), nexts: Vec::new() }
    }

    fn state(&mut self, atoms: &[&str]) {
        self.atoms.extend(atoms.iter().map(|atom| (*atom).to_owned()));
    }

    /// A model of at most 24 valuations: `p`, and one or two of a number, a name, a word, an array and a frozen variable;
    /// perhaps inputs of two or three values, a process, definitions, constraints and fairness of all kinds.
    pub(crate) fn model(&mut self, properties: usize) -> String {
        let mut text = String::from("VAR p : boolean;\n");
        let mut assigned: Vec<(&str, Vec<&str>, Vec<&str>)> =
            vec![("p", vec!["TRUE", "{TRUE, FALSE}", "FALSE"], vec!["!p", "p", "{TRUE, FALSE}"])];
        self.state(&["p", "!p"]);
        self.nexts.push("next(p)".to_owned());
        let is_process = self.random.chance(15);
        let with_bit = self.random.chance(30);
        match self.random.below(5) {
            0 => {
                text += "VAR n : 0..2;\n";
                let values = vec!["(n + 1) mod 3", "{n, 2}", "0..2", "n > 0 ? n - 1 : n", "p ? 0 : n"];
                assigned.push(("n", vec!["0", "{0, 2}"], values));
                self.state(&["n = 0", "n > 0", "n + 1 = 2", "n in {0, 2}"]);
                self.nexts.push("next(n) != n".to_owned());
            }
            1 => {
                text += "VAR e : {a, b, 7};\n";
                let values = vec!["case e = a : b; p : {a, 7}; TRUE : e; esac", "{a, b}", "p ? a : {b, 7}"];
                assigned.push(("e", vec!["a", "{b, 7}"], values));
                self.state(&["e = a", "e != 7", "e in {b, 7}"]);
                self.nexts.push("next(e) = e".to_owned());
            }
            2 => {
                text += "VAR w : unsigned word[2];\n";
                let values = vec!["w + 0ud2_1", "w << 1", "p ? !w : w", "{w, 0ud2_3}"];
                assigned.push(("w", vec!["0ud2_0", "{0ud2_1, 0ud2_2}"], values));
                self.state(&["w = 0ud2_0", "w > 0ud2_1", "bool(w[0:0])", "w[1:1] = 0ud1_1"]);
                self.nexts.push("next(w) != w".to_owned());
            }
            3 => {
                text += "VAR r : array 0..1 of boolean;\n";
                assigned.push(("r[0]", vec!["TRUE", "FALSE"], vec!["!r[0]", "r[1]", "p"]));
                assigned.push(("r[1]", vec!["TRUE", "{TRUE, FALSE}"], vec!["r[0]", "{r[1], p}", "!r[1]"]));
                self.state(&["r[0]", "r[toint(p)]", "r[0] xor r[1]"]);
                self.nexts.push("next(r[1])".to_owned());
            }
            _ => {
                text += "VAR s : -1..1;\n";
                assigned.push(("s", vec!["-1", "{0, 1}"], vec!["-s", "max(s, 0)", "{s, 0}"]));
                self.state(&["s < 0", "abs(s) = 1", "s = 0"]);
                self.nexts.push("next(s) = s".to_owned());
            }
        }
        if with_bit {
            let frozen = self.random.chance(50);
            text += if frozen { "FROZENVAR f : boolean;\n" } else { "VAR f : boolean;\n" };
            self.state(&["f", "(f <-> p)"]);
            if !frozen {
                assigned.push(("f", vec!["FALSE"], vec!["p", "!f", "{TRUE, f}"]));
            }
        }
        match self.random.below(4) {
            0 => {
                text += "IVAR i : boolean;\n";
                self.inputs.extend(["i".to_owned(), "!i".to_owned()]);
            }
            1 if !with_bit => {
                text += "IVAR k : 0..2;\n";
                self.inputs.extend(["k = 0".to_owned(), "k > 0".to_owned()]);
            }
            _ => {}
        }
        if is_process {
            text += "VAR one : process cell(p);\n";
        }
        let definition = self.truth(1, false);
        text += &format!("DEFINE d := {definition};\n");
        self.state(&["d"]);
        text += &self.rest(&assigned, is_process);
        for at in 0..properties {
            let depth = 1 + u32::try_from(at % 2).expect("small");
            text += &format!("SPEC {}\n", self.branching(depth));
            text += &format!("LTLSPEC {}\n", self.linear(depth));
        }
        let (one, other) = (self.truth(1, false), self.truth(1, true));
        text += &format!("INVARSPEC {one}\nINVARSPEC {other}\n");
        let cell = if is_process { "MODULE cell(own)\nASSIGN next(own) := !own;\nFAIRNESS running\n" } else { "" };
        format!("MODULE main\n{text}{cell}")
    }

    /// Assignments, constraints and fairness.
    fn rest(&mut self, assigned: &[(&str, Vec<&str>, Vec<&str>)], is_process: bool) -> String {
        let mut text = String::from("ASSIGN\n");
        for (name, first, next) in assigned {
            if self.random.chance(60) {
                text += &format!("  init({name}) := {};\n", self.random.pick(first));
            }
            if self.random.chance(75) && !(is_process && *name == "p") {
                let (condition, one, other) = (self.truth(1, false), self.random.pick(next), self.random.pick(next));
                text += &match self.random.chance(50) {
                    true => format!("  next({name}) := {one};\n"),
                    false => format!("  next({name}) := case {condition} : {one}; TRUE : {other}; esac;\n"),
                };
            }
        }
        for (section, percent, step) in
            [("INIT", 20, false), ("INVAR", 15, false), ("TRANS", 25, true), ("TRANS", 15, true)]
        {
            if self.random.chance(percent) {
                let (one, other) = (self.truth(1, false), self.truth(0, step));
                text += &format!("{section} {one} -> {other}\n");
            }
        }
        // States without a next one.
        if self.random.chance(15) {
            text += &format!("TRANS !({})\n", self.truth(0, false));
        }
        while self.random.chance(30) {
            let constraint =
                if self.random.chance(40) && !self.inputs.is_empty() { self.input() } else { self.truth(1, false) };
            text += &format!("FAIRNESS {constraint}\n");
        }
        while self.random.chance(20) {
            let of_step = self.random.chance(40);
            let (often, then) = (self.constraint_part(of_step), self.constraint_part(of_step));
            text += &format!("COMPASSION ({often}, {then})\n");
        }
        text
    }

    /// A side of a compassion constraint: an expression about states, or about inputs if there are some.
    fn constraint_part(&mut self, of_step: bool) -> String {
        if of_step && !self.inputs.is_empty() && self.random.chance(60) { self.input() } else { self.truth(0, false) }
    }

    fn input(&mut self) -> String {
        let inputs: Vec<&str> = self.inputs.iter().map(String::as_str).collect();
        self.random.pick(&inputs).to_owned()
    }

    /// A Boolean expression; about a step if `step` is set.
    fn truth(&mut self, depth: u32, step: bool) -> String {
        if depth == 0 {
            let further = self.inputs.iter().chain(&self.nexts).filter(|_| step);
            let atoms: Vec<&str> = self.atoms.iter().chain(further).map(String::as_str).collect();
            return self.random.pick(&atoms).to_owned();
        }
        let (a, b) = (self.truth(depth - 1, step), self.truth(depth - 1, step));
        match self.random.below(6) {
            0 => format!("!({a})"),
            1 => format!("({a} & {b})"),
            2 => format!("({a} | {b})"),
            3 => format!("({a} -> {b})"),
            4 => format!("({a} <-> {b})"),
            _ => a,
        }
    }

    /// A formula of branching time, mostly about all paths.
    fn branching(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.truth(1, false);
        }
        let (a, b) = (self.branching(depth - 1), self.branching(depth - 1));
        let (low, high) = (self.random.below(2), 1 + self.random.below(2));
        match self.random.below(12) {
            0 => format!("!({a})"),
            1 => format!("({a} & {b})"),
            2 => format!("({a} -> {b})"),
            3 => format!("E [ {a} U {b} ]"),
            4 | 5 => format!("A [ {a} U {b} ]"),
            6 => format!("{} [ {a} BU {low}..{high} {b} ]", self.random.pick(&["A", "E"])),
            7 => format!("{} {low}..{high} ({a})", self.random.pick(&["EBF", "ABF", "EBG", "ABG"])),
            _ => format!("{} ({a})", self.random.pick(&["AX", "AF", "AG", "AG", "EX", "EF", "EG"])),
        }
    }

    /// A formula of linear time, with the past and with bounds.
    fn linear(&mut self, depth: u32) -> String {
        if depth == 0 {
            let step = self.random.chance(20);
            return self.truth(1, step);
        }
        let (a, b) = (self.linear(depth - 1), self.linear(depth - 1));
        match self.random.below(9) {
            0 => format!("!({a})"),
            1 => format!("({a} & {b})"),
            2 => format!("({a} -> {b})"),
            3 | 4 => format!("(({a}) {} ({b}))", self.random.pick(&["U", "V", "S", "T"])),
            5 if depth == 1 => format!("{} [0, 1] ({a})", self.random.pick(&["F", "G", "O", "H"])),
            _ => format!("{} ({a})", self.random.pick(&["X", "F", "G", "Y", "Z", "H", "O", "G", "F"])),
        }
    }
}
