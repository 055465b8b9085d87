//! Words wider than a machine word: the engines against the reference evaluator, on random models.
//!
//! A model has one initial state and one step from each state. The reference evaluator computes its first states; that such a
//! state is never reached must be refuted by every engine in the number of steps in which it is first reached, and that a state
//! with one bit changed is not reached so early must be found out, too.

use checker::options::SmvEngine;
use checker::report::Outcome;
use checker::{Model, Options, Selection};
use flat::explicit::walk::{Place, Walk};
use kernel::budget::Budget;
use kernel::span::SourceMap;
use omega::random::Random;

/// Steps that are compared.
const STEPS: usize = 4;

struct Generator {
    random: Random,
    /// The width of `a` and `b`.
    width: u32,
    /// The width of the signed word `s`.
    signed: u32,
    /// Whether products and quotients occur, which decision diagrams cannot represent.
    products: bool,
}

impl Generator {
    fn new(seed: u64, products: bool) -> Self {
        let mut generator = Generator { random: Random::new(seed), width: 65, signed: 60, products };
        generator.width += generator.below(if products { 8 } else { 80 });
        generator.signed += generator.below(if products { 12 } else { 90 });
        generator
    }

    fn below(&mut self, bound: u32) -> u32 {
        u32::try_from(self.random.below(u64::from(bound))).expect("small")
    }

    fn constant(&mut self, width: u32) -> String {
        let bits: String = (0..width).map(|_| if self.below(2) == 1 { '1' } else { '0' }).collect();
        format!("0ub{width}_{bits}")
    }

    /// An unsigned word of the width of `a`.
    fn word(&mut self, depth: u32) -> String {
        let (width, signed) = (self.width, self.signed);
        if depth == 0 {
            let constant = self.constant(width);
            let cut = format!("resize(unsigned(s), {width})");
            let wider = format!("unsigned(resize(s, {width}))");
            return ["a", "b", &constant, &cut, &wider][self.below(5) as usize].to_owned();
        }
        let (x, y) = (self.word(depth - 1), self.word(depth - 1));
        let at = 1 + self.below(width - 1);
        let kinds = if self.products { 20 } else { 16 };
        match self.below(kinds) {
            0 => format!("({x} + {y})"),
            1 => format!("({x} - {y})"),
            2 => format!("({x} xor {y})"),
            3 => format!("({x} & {y})"),
            4 => format!("({x} | {y})"),
            5 => format!("(!{x})"),
            6 => format!("(-{x})"),
            7 => format!("({x} << {at})"),
            8 => format!("({x} >> {at})"),
            9 => format!("(({x})[{}:{}] :: ({y})[{}:0])", width - 1, at, at - 1),
            10 => format!("extend(({x})[{}:0], {})", width - at - 1, at),
            11 => format!("resize(({x})[{}:{at}], {width})", width - 1),
            12 => format!("({x} < {y} ? {x} : !{y})"),
            13 => format!("(s < -0sd{signed}_1 ? {x} : {y})"),
            14 => format!("({x} -> {y})"),
            15 => format!("({x} >= {y} ? {y} : {x})"),
            16 => format!("({x} * {y})"),
            17 => format!("({x} / ({y} | 0ud{width}_1))"),
            18 => format!("({x} mod ({y} | 0ud{width}_1))"),
            _ => format!("({x} >> resize({y}, 7))"),
        }
    }

    /// A signed word of the width of `s`.
    fn signed(&mut self) -> String {
        let width = self.signed;
        let word = self.word(1);
        let by = self.below(width);
        let one = format!("0sd{width}_1");
        match self.below(if self.products { 7 } else { 5 }) {
            0 => format!("s + signed(resize({word}, {width}))"),
            1 => format!("(s >> {by}) - {one}"),
            2 => format!("resize(signed({word}), {width})"),
            3 => format!("-(s << {by}) xor signed(resize({word}, {width}))"),
            4 => format!("(s <= -{one} ? -s : s - 0sd{width}_12345678901234567)"),
            5 => format!("s / (signed(resize({word}, {width})) | {one})"),
            _ => format!("s mod (signed(resize({word}, {width})) | {one})"),
        }
    }

    fn model(&mut self) -> String {
        let (width, signed) = (self.width, self.signed);
        let depth = if self.products { 1 } else { 2 };
        let initial = [self.constant(width), self.constant(width), self.constant(signed)];
        let next = [self.word(depth), self.word(depth), self.signed()];
        format!(
            "MODULE main\nVAR a : unsigned word[{width}]; b : word[{width}]; s : signed word[{signed}];\nASSIGN\n  \
             init(a) := {}; init(b) := {}; init(s) := signed({});\n  \
             next(a) := {};\n  next(b) := {};\n  next(s) := {};\n",
            initial[0], initial[1], initial[2], next[0], next[1], next[2]
        )
    }
}

/// The first states of a model, by definition, each as a condition.
fn states(text: &str) -> Vec<String> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("wide.smv", text, None);
    let loaded = smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    let model = loaded.model.unwrap_or_else(|| panic!("{:#?}\n{text}", loaded.diagnostics));
    let budget = Budget::unlimited();
    let mut walk = Walk::new(&model, &budget);
    let mut place: Option<Place> = None;
    let mut states = Vec::new();
    for _ in 0..=STEPS {
        let following = walk.following(place.as_ref(), &[], 0, 2).expect("no limit");
        let [next] = &following[..] else { panic!("{} next states\n{text}", following.len()) };
        let values =
            model.variables.iter().zip(next).map(|(variable, value)| {
                format!("{} = {}", variable.name, model.show(value, variable.domain.r#type()))
            });
        states.push(values.collect::<Vec<_>>().join(" & "));
        place = following.into_iter().next();
    }
    states
}

fn compare(seed: u64, products: bool, engine: SmvEngine) {
    let mut generator = Generator::new(seed, products);
    let text = generator.model();
    let states = states(&text);
    let mut whole = text.clone();
    for (index, state) in states.iter().enumerate() {
        whole += &format!("INVARSPEC NAME reached_{index} := !({state})\n");
        // The same state with another lowest bit of `a`.
        let width = generator.width;
        let changed = state.replacen("a = ", &format!("(a xor 0ud{width}_1) = "), 1);
        whole += &format!("INVARSPEC NAME changed_{index} := !({changed})\n");
    }
    let model = Model::smv("wide.smv", &whole).unwrap_or_else(|error| panic!("{error:?}\n{whole}"));
    let mut options = Options::default();
    (options.smv.engine, options.smv.bound) = (engine, Some(STEPS));
    let report = checker::check(&model, &Selection::all(), &options, &Budget::unlimited(), &mut ())
        .unwrap_or_else(|error| panic!("{error}, seed {seed}\n{whole}"));
    let property = |name: String| {
        let found = report.properties.iter().find(|property| property.name == name);
        found.unwrap_or_else(|| panic!("no property {name}\n{whole}"))
    };
    for index in 0..states.len() {
        let first = states.iter().position(|state| *state == states[index]).expect("itself");
        let (reached, changed) = (property(format!("reached_{index}")), property(format!("changed_{index}")));
        assert_eq!(reached.verdict.outcome(), Outcome::Violated, "state {index}, seed {seed}, {engine:?}\n{whole}");
        let counterexample = reached.counterexamples().first().expect("a counterexample");
        assert_eq!(counterexample.length(), first, "state {index}, seed {seed}, {engine:?}\n{whole}");
        let early = changed.counterexamples().first().is_some_and(|found| found.length() <= STEPS);
        assert!(
            !early || changed_is_reached(&states, index),
            "changed state {index}, seed {seed}, {engine:?}\n{whole}"
        );
    }
}

/// Whether a run reaches two states that differ in the lowest bit of `a` alone, as counters do.
fn changed_is_reached(states: &[String], index: usize) -> bool {
    let rest = |state: &str| state.split_once(" & ").map(|(_, rest)| rest.to_owned());
    states.iter().enumerate().any(|(other, state)| other != index && rest(state) == rest(&states[index]))
}

#[test]
fn decision_diagrams_agree_with_the_definition() {
    for seed in 0..25 {
        compare(seed, false, SmvEngine::Bdd);
    }
}

#[test]
fn bounded_checking_agrees_with_the_definition() {
    for seed in 0..25 {
        compare(seed, false, SmvEngine::Bmc);
    }
}

#[test]
fn products_and_quotients_agree_with_the_definition() {
    for seed in 100..112 {
        compare(seed, true, SmvEngine::Bmc);
    }
}
