//! Random models with words wider than a machine word, and their states by definition.
//!
//! A model has one initial state, and one step leaves each state, so that the reference evaluator gives its only run.

use super::Random;
use flat::enumerate::Valuation;
use flat::explicit::walk::Walk;
use flat::model::Model;
use kernel::budget::Budget;

/// Steps that are compared.
pub(crate) const STEPS: usize = 4;

/// What a model computes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// What decision diagrams with interleaved words can represent: one operator, and shifts by a few bits.
    Aligned,
    /// Sums, shifts and selections of bits.
    Sums,
    /// Products and quotients, too.
    Products,
}

/// A model.
pub(crate) fn text(seed: u64, scope: Scope) -> String {
    Wide::new(seed, scope).model()
}

/// The first states of a model.
pub(crate) fn run(model: &Model) -> Vec<Valuation> {
    let budget = Budget::unlimited();
    let mut walk = Walk::new(model, &budget);
    let mut states: Vec<Valuation> = Vec::new();
    for _ in 0..=STEPS {
        let following = walk.following(states.last(), &[], 0, 2).expect("no limit");
        assert_eq!(following.len(), 1, "one state follows");
        states.extend(following);
    }
    states
}

/// That the model is in a state.
pub(crate) fn condition(model: &Model, state: &Valuation) -> String {
    let values = model
        .variables
        .iter()
        .zip(state)
        .map(|(variable, value)| format!("{} = {}", variable.name, model.show(value, variable.domain.r#type())));
    values.collect::<Vec<_>>().join(" & ")
}

/// Writes one model.
struct Wide {
    random: Random,
    /// The width of `a` and `b`.
    width: u32,
    /// The width of the signed word `s`.
    signed: u32,
    scope: Scope,
}

impl Wide {
    fn new(seed: u64, scope: Scope) -> Self {
        let mut generator = Wide { random: Random::new(seed), width: 65, signed: 60, scope };
        let wider = if scope == Scope::Products { 10 } else { 80 };
        generator.width += generator.below(wider);
        generator.signed += generator.below(wider);
        generator
    }

    fn has_products(&self) -> bool {
        self.scope == Scope::Products
    }

    /// By how many bits a word of this width is shifted.
    fn distance(&mut self, width: u32) -> u32 {
        1 + self.below(if self.scope == Scope::Aligned { 6 } else { width - 1 })
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
        let at = self.distance(width);
        let kinds = if self.has_products() { 20 } else { 16 };
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
        let word = self.word(u32::from(self.scope != Scope::Aligned));
        let by = self.distance(width);
        let one = format!("0sd{width}_1");
        match self.below(if self.has_products() { 7 } else { 5 }) {
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
        let depth = if self.scope == Scope::Sums { 2 } else { 1 };
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
