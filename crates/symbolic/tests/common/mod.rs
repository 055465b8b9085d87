//! Random SMV texts, small enough to enumerate.
#![allow(dead_code, reason = "each test uses the part it needs")]

pub(crate) mod small;
pub(crate) mod wide;

/// A source of random choices, so that every failure can be repeated from its seed.
pub(crate) struct Random(omega::random::Random);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(omega::random::Random::new(seed))
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound)
    }

    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[usize::try_from(self.below(list.len() as u64)).expect("an index")]
    }
}

/// Writes one model.
pub(crate) struct Generator {
    pub(crate) random: Random,
    inputs: bool,
    processes: bool,
    /// How many of `p`, `n`, `e` may be mentioned in the next state.
    nexts: usize,
}

impl Generator {
    pub(crate) fn new(seed: u64) -> Self {
        Generator { random: Random::new(seed), inputs: false, processes: false, nexts: 0 }
    }

    /// A model over `p`, `q` (truth values), `n` (0 to 2), `e` (a name), `w` (a word), perhaps inputs and processes.
    pub(crate) fn model(&mut self) -> String {
        self.inputs = self.random.chance(40);
        self.processes = self.random.chance(20);
        let mut text =
            String::from("MODULE main\nVAR\n  p : boolean;\n  q : boolean;\n  n : 0..2;\n  e : {a, b, 7};\n");
        if self.processes {
            text += "  one : process cell(p, n);\n  two : process cell(q, n);\n";
        }
        text += if self.random.chance(30) { "FROZENVAR f : boolean;\n" } else { "DEFINE f := p xor q;\n" };
        text += if self.inputs { "IVAR i : boolean; j : 1..3;\n" } else { "" };
        text += &format!("DEFINE d := {};\n", self.truth(2, false));
        text += "ASSIGN\n";
        for (index, (name, value)) in [("q", 0), ("p", 0), ("n", 1), ("e", 2)].into_iter().enumerate() {
            // A next value may depend on those assigned before it.
            self.nexts = index.saturating_sub(1);
            if self.random.chance(60) {
                let values: [&[&str]; 3] =
                    [&["TRUE", "FALSE", "{TRUE, FALSE}"], &["0", "0..1", "{0, 2}"], &["a", "{a, b}", "{b, 7}"]];
                text += &format!("  init({name}) := {};\n", self.random.pick(values[value]));
            }
            if self.random.chance(if self.processes { 40 } else { 75 }) {
                text += &format!("  next({name}) := {};\n", self.value(value, 2, true));
            }
        }
        self.nexts = 3;
        for (section, percent) in [("INIT", 20), ("INVAR", 15)] {
            if self.random.chance(percent) {
                text += &format!("{section} {}\n", self.truth(2, false));
            }
        }
        if self.random.chance(30) {
            text += &format!("TRANS {}\n", self.truth(3, true));
        }
        // States without a next one, next to others that go on.
        if self.random.chance(25) {
            text += &format!("TRANS !({})\n", self.truth(1, false));
        }
        if self.random.chance(20) {
            let parts: Vec<String> =
                (0..3).map(|_| format!("({} & next(n) = n & next(e) = e)", self.truth(1, true))).collect();
            text += &format!("TRANS {}\n", parts.join(" | "));
        }
        while self.random.chance(35) {
            let constraint = self.truth(1, false);
            let about = self.random.pick(if self.inputs { &["", "", " | i", " & i", " xor j = 1"] } else { &[""] });
            text += &format!("FAIRNESS ({constraint}){about};\n");
        }
        while self.random.chance(25) {
            let then = if self.random.chance(25) { "FALSE".to_owned() } else { self.truth(1, false) };
            let about = self.random.pick(if self.inputs { &["", "", " | i", " & i"] } else { &[""] });
            text += &format!("COMPASSION (({}){about}, {then})\n", self.truth(1, false));
        }
        if self.processes {
            text += "MODULE cell(own, shared)\nASSIGN\n";
            text += &format!("  next(own) := {};\n", self.random.pick(&["!own", "{TRUE, own}", "shared = 1"]));
            text += &format!("  next(shared) := {};\n", self.random.pick(&["(shared + 1) mod 3", "shared", "{0, 2}"]));
            text += if self.random.chance(50) { "FAIRNESS running\n" } else { "" };
        }
        text
    }

    /// A model of a few states, for tests that try thousands: `p`, `n` (0 to 2) and perhaps an input `i`; with dead
    /// ends, justice about states and inputs, and compassion.
    pub(crate) fn tiny(&mut self) -> String {
        let mut text = String::from("MODULE main\nVAR\n  p : boolean;\n  n : 0..2;\n");
        let with_input = self.random.chance(50);
        text += if with_input { "IVAR i : boolean; j : 0..2;\n" } else { "" };
        let atoms: &[&str] = &[
            "p",
            "!p",
            "n = 0",
            "n = 1",
            "n < 2",
            "n = 2",
            "(p <-> n = 0)",
            "(p | n = 1)",
            "i",
            "!i",
            // Two bits have a fourth code, which is no value.
            "j = n",
            "!(j in 0..2)",
            "(j = 0 | j = 1)",
        ];
        let of_state = &atoms[..8];
        let of_step = if with_input { atoms } else { of_state };
        let numbers = ["0", "n", "(n + 1) mod 3", "{0, 1}", "0..2", "{n, 2}"];
        text += &format!("ASSIGN\n  init(n) := {};\n", self.random.pick(&["0", "{0, 2}", "0..2"]));
        if self.random.chance(80) {
            let condition = self.random.pick(of_step);
            let (one, other) = (self.random.pick(&numbers), self.random.pick(&numbers));
            text += &format!("  next(n) := case {condition} : {one}; TRUE : {other}; esac;\n");
        }
        if self.random.chance(60) {
            let value = self.random.pick(&["p", "!p", "{TRUE, FALSE}", "n = 1", "n = 0 ? p : !p"]);
            text += &format!("  next(p) := {};\n", if with_input && self.random.chance(30) { "i" } else { value });
        }
        for percent in [30, 30] {
            if self.random.chance(percent) {
                text += &format!(
                    "TRANS {} -> {}\n",
                    self.random.pick(of_step),
                    self.random.pick(&["FALSE", "next(p)", "next(n) != n"])
                );
            }
        }
        while self.random.chance(45) {
            text += &format!("FAIRNESS {}\n", self.random.pick(of_step));
        }
        while self.random.chance(30) {
            let then = if self.random.chance(25) { "FALSE" } else { self.random.pick(of_step) };
            text += &format!("COMPASSION ({}, {then})\n", self.random.pick(of_step));
        }
        text
    }

    /// A formula about a tiny model, of branching or of linear time.
    pub(crate) fn tiny_formula(&mut self, is_linear: bool, depth: u32) -> String {
        if depth == 0 {
            return self.random.pick(&["p", "!p", "n = 0", "n = 1", "n != 2"]).to_owned();
        }
        let (a, b) = (self.tiny_formula(is_linear, depth - 1), self.tiny_formula(is_linear, depth - 1));
        match self.random.below(8) {
            0 => format!("!({a})"),
            1 => format!("({a} & {b})"),
            2 => format!("({a} -> {b})"),
            3 if is_linear => format!("(({a}) {} ({b}))", self.random.pick(&["U", "V", "S", "T"])),
            3 => format!("{} [ {a} U {b} ]", self.random.pick(&["A", "E"])),
            _ if is_linear => format!("{} ({a})", self.random.pick(&["X", "F", "G", "F", "G", "Y", "O", "H"])),
            _ => format!("{} ({a})", self.random.pick(&["EX", "AX", "EF", "AF", "EG", "AG"])),
        }
    }

    /// A formula of branching time about a tiny model that is about all paths, with negations at atoms only.
    pub(crate) fn tiny_actl(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.tiny_formula(false, 0);
        }
        let (a, b) = (self.tiny_actl(depth - 1), self.tiny_actl(depth - 1));
        let low = self.random.below(2);
        match self.random.below(8) {
            0 => format!("({} & {b})", self.tiny_formula(false, 0)),
            1 => format!("({} -> {b})", self.tiny_formula(false, 0)),
            2 | 3 => format!("A [ {a} U {b} ]"),
            4 => format!("{} {low}..{} ({a})", self.random.pick(&["ABF", "ABG"]), low + 1),
            5 => format!("A [ {a} BU {low}..2 {b} ]"),
            _ => format!("{} ({a})", self.random.pick(&["AX", "AF", "AG"])),
        }
    }

    /// A value for a truth value (0), a number (1) or a name (2), perhaps a set.
    fn value(&mut self, kind: usize, depth: u32, step: bool) -> String {
        let one = |g: &mut Self| match kind {
            0 => g.truth(depth, step),
            1 => g.number(step),
            _ => g.name(step),
        };
        match self.random.below(6) {
            0 | 1 => one(self),
            2 => format!("{{{}, {}}}", one(self), one(self)),
            3 => format!("({}) union ({})", one(self), one(self)),
            4 => format!("case {} : {}; TRUE : {{{}, {}}}; esac", self.truth(1, step), one(self), one(self), one(self)),
            _ if kind == 1 => "0..2".to_owned(),
            _ => format!("{} ? {} : {}", self.truth(1, step), one(self), one(self)),
        }
    }

    /// A Boolean expression; about a step if `step` is set.
    pub(crate) fn truth(&mut self, depth: u32, step: bool) -> String {
        if depth == 0 || self.random.chance(20) {
            return self.atom(step);
        }
        let (a, b) = (self.truth(depth - 1, step), self.truth(depth - 1, step));
        match self.random.below(7) {
            0 => format!("!({a})"),
            1 => format!("({a} & {b})"),
            2 => format!("({a} | {b})"),
            3 => format!("({a} -> {b})"),
            4 => format!("({a} <-> {b})"),
            5 => format!("({a} xor {b})"),
            _ => format!("(case {a} : {b}; TRUE : {}; esac)", self.atom(step)),
        }
    }

    fn atom(&mut self, step: bool) -> String {
        let (n, m) = (self.number(step), self.number(step));
        match self.random.below(if step && self.inputs { 12 } else { 10 }) {
            0 => "p".to_owned(),
            1 => "q".to_owned(),
            2 => "f".to_owned(),
            3 => self.random.pick(if step && self.nexts > 0 { &["next(p)", "d"] } else { &["p"] }).to_owned(),
            4 => format!("e {} {}", self.random.pick(&["=", "!="]), self.name(step)),
            5 => format!("{n} {} {m}", self.random.pick(&["=", "!=", "<", "<=", ">", ">="])),
            6 => format!("{n} in {{{m}, 1}}"),
            7 => format!("{n} + {m} {} 2", self.random.pick(&["=", ">", "<="])),
            8 => format!("count(p, q, {n} = 1) {} 1", self.random.pick(&["=", "<", ">"])),
            9 => format!("({n} * {m} - 1) mod 2 = 0"),
            10 => "i".to_owned(),
            _ => format!("j = {n}"),
        }
    }

    fn number(&mut self, step: bool) -> String {
        match self.random.below(if step && self.nexts > 1 { 6 } else { 5 }) {
            0 => "0".to_owned(),
            1 => "2".to_owned(),
            2 => "toint(q)".to_owned(),
            3 => "(n + 1) mod 3".to_owned(),
            4 => "n".to_owned(),
            _ => "next(n)".to_owned(),
        }
    }

    fn name(&mut self, step: bool) -> String {
        let names: &[&str] = &["a", "b", "7", "e", "next(e)"];
        self.random.pick(&names[..if step && self.nexts > 2 { 5 } else { 4 }]).to_owned()
    }

    /// A formula of branching time.
    pub(crate) fn branching(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.truth(1, false);
        }
        let (a, b) = (self.branching(depth - 1), self.branching(depth - 1));
        let low = self.random.below(3);
        let high = low + self.random.below(3);
        match self.random.below(16) {
            0 => format!("!({a})"),
            1 => format!("({a} & {b})"),
            2 => format!("({a} -> {b})"),
            3 => format!("({a} xor {b})"),
            4 => format!("E [ {a} U {b} ]"),
            5 => format!("A [ {a} U {b} ]"),
            6 => format!("E [ {a} BU {low}..{high} {b} ]"),
            7 => format!("A [ {a} BU {low}..{high} {b} ]"),
            8 => format!("{} {low}..{high} ({a})", self.random.pick(&["EBF", "ABF", "EBG", "ABG"])),
            _ => format!("{} ({a})", self.random.pick(&["EX", "AX", "EF", "AF", "EG", "AG"])),
        }
    }

    /// A formula of linear time, with the past.
    pub(crate) fn linear(&mut self, depth: u32) -> String {
        if depth == 0 {
            let step = self.random.chance(15);
            return self.truth(1, step);
        }
        let (a, b) = (self.linear(depth - 1), self.linear(depth - 1));
        match self.random.below(9) {
            0 => format!("!({a})"),
            1 => format!("({a} & {b})"),
            2 => format!("({a} | {b})"),
            3 | 4 => format!("(({a}) {} ({b}))", self.random.pick(&["U", "V", "S", "T"])),
            5 if depth < 3 => {
                let low = self.random.below(3);
                let high = low + self.random.below(2);
                format!("{} [{low}, {high}] ({a})", self.random.pick(&["F", "G", "O", "H"]))
            }
            _ => format!("{} ({a})", self.random.pick(&["X", "F", "G", "Y", "Z", "H", "O", "G", "F"])),
        }
    }
}
