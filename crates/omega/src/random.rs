//! Random formulas and words, the same for the same seed on every machine.
//!
//! What: [`Random`] is a seeded source of numbers; [`FormulaShape`] says how formulas look and draws them;
//! [`word`] draws ultimately periodic words.
//!
//! Contract: everything drawn depends on the seed and the shape only. A formula has exactly the number of symbols
//! asked for (operators, constants, propositions) when it is drawn verbatim; drawn through the constructors it may be
//! smaller, since they apply their identities.
//!
//! Source: formulas as in figure 2 of [tauriainen.00.spin], with a weight for each symbol; the numbers are those of
//! SplitMix64 [steele.14.oopsla] from the crate `rand_xoshiro`. Deviation: an explicit stack in place of the recursion.
//! Numbers below a bound are computed here, because `rand` may change its method between versions, and a printed seed must
//! keep its meaning.

use crate::formula::{Formula, Formulas, Node};
use crate::word::{Letter, Word};
use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

/// A seeded source of numbers.
///
/// ```
/// use omega::random::Random;
///
/// let mut random = Random::new(7);
/// assert!(random.below(6) < 6);
/// ```
#[derive(Clone, Debug)]
pub struct Random(SplitMix64);

impl Random {
    /// A source that always gives the same numbers for the same seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `bound - 1`.
    ///
    /// # Panics
    ///
    /// If `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "a bound is positive");
        // The high half of the product; the bias is below bound / 2^64.
        u64::try_from((u128::from(self.bits()) * u128::from(bound)) >> 64).expect("the high half fits")
    }

    /// True with the given probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        // 53 bits are what a double holds.
        ((self.bits() >> 11) as f64) < probability * (1u64 << 53) as f64
    }

    /// An index, each as likely as its weight.
    ///
    /// # Panics
    ///
    /// If all weights are 0.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let total = weights.iter().map(|weight| u64::from(*weight)).sum();
        let mut ticket = self.below(total);
        for (index, weight) in weights.iter().enumerate() {
            if ticket < u64::from(*weight) {
                return index;
            }
            ticket -= u64::from(*weight);
        }
        unreachable!("the ticket is below the total")
    }
}

/// How likely each symbol is, relative to the others; 0 means never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the symbols")]
pub struct Weights {
    pub atom: u32,
    pub truth: u32,
    pub falsehood: u32,
    pub not: u32,
    pub next: u32,
    pub eventually: u32,
    pub always: u32,
    pub and: u32,
    pub or: u32,
    pub xor: u32,
    pub implies: u32,
    pub iff: u32,
    pub until: u32,
    pub release: u32,
    pub weak_until: u32,
    pub strong_release: u32,
    pub previously: u32,
    pub weak_previously: u32,
    pub once: u32,
    pub historically: u32,
    pub since: u32,
    pub triggered: u32,
}

impl Weights {
    /// The same weights, and this one for each operator of the past.
    #[must_use]
    pub fn with_past(self, weight: u32) -> Self {
        Self {
            previously: weight,
            weak_previously: weight,
            once: weight,
            historically: weight,
            since: weight,
            triggered: weight,
            ..self
        }
    }
}

impl Default for Weights {
    /// All future operators with equal weights, no past operators, and few constants.
    fn default() -> Self {
        Self {
            atom: 8,
            truth: 1,
            falsehood: 1,
            not: 1,
            next: 1,
            eventually: 1,
            always: 1,
            and: 1,
            or: 1,
            xor: 1,
            implies: 1,
            iff: 1,
            until: 1,
            release: 1,
            weak_until: 1,
            strong_release: 1,
            previously: 0,
            weak_previously: 0,
            once: 0,
            historically: 0,
            since: 0,
            triggered: 0,
        }
    }
}

/// How random formulas look.
///
/// ```
/// use omega::formula::Formulas;
/// use omega::random::{FormulaShape, Random};
///
/// let shape = FormulaShape::new(12, 3);
/// let mut formulas = Formulas::new();
/// let formula = shape.draw_verbatim(&mut formulas, &mut Random::new(1));
/// assert_eq!(formulas.size(formula), 12);
/// ```
#[derive(Clone, Debug)]
pub struct FormulaShape {
    /// The number of symbols.
    pub symbols: usize,
    /// The propositions to choose from.
    pub atoms: Vec<String>,
    /// How likely each symbol is.
    pub weights: Weights,
}

/// A symbol of a formula in prefix order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Symbol {
    Leaf(Formula),
    Not,
    Next,
    Eventually,
    Always,
    And,
    Or,
    Xor,
    Implies,
    Iff,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
    Previously,
    WeakPreviously,
    Once,
    Historically,
    Since,
    Triggered,
}

const UNARY: [Symbol; 4] = [Symbol::Not, Symbol::Next, Symbol::Eventually, Symbol::Always];
const PAST_UNARY: [Symbol; 4] = [Symbol::Previously, Symbol::WeakPreviously, Symbol::Once, Symbol::Historically];
const BINARY: [Symbol; 11] = [
    Symbol::And,
    Symbol::Or,
    Symbol::Xor,
    Symbol::Implies,
    Symbol::Iff,
    Symbol::Until,
    Symbol::Release,
    Symbol::WeakUntil,
    Symbol::StrongRelease,
    Symbol::Since,
    Symbol::Triggered,
];

impl FormulaShape {
    /// Formulas with this many symbols over the propositions `p0`, `p1`, …
    #[must_use]
    pub fn new(symbols: usize, atoms: usize) -> Self {
        let atoms = (0..atoms).map(|index| format!("p{index}")).collect();
        Self { symbols, atoms, weights: Weights::default() }
    }

    /// The same, with operators of the past as likely as the others.
    #[must_use]
    pub fn with_past(symbols: usize, atoms: usize) -> Self {
        let shape = Self::new(symbols, atoms);
        Self { weights: shape.weights.with_past(1), ..shape }
    }

    /// A formula built by the constructors.
    ///
    /// # Panics
    ///
    /// If the weights allow no formula of that many symbols: no leaf, or no operator where one is needed.
    pub fn draw(&self, formulas: &mut Formulas, random: &mut Random) -> Formula {
        self.assemble(formulas, random, Formulas::make)
    }

    /// A formula exactly as drawn: `true U (a & a)` stays so. Conjunctions and disjunctions are binary.
    ///
    /// # Panics
    ///
    /// As [`FormulaShape::draw`].
    pub fn draw_verbatim(&self, formulas: &mut Formulas, random: &mut Random) -> Formula {
        self.assemble(formulas, random, Formulas::intern)
    }

    fn assemble(
        &self,
        formulas: &mut Formulas,
        random: &mut Random,
        mut make: impl FnMut(&mut Formulas, Node) -> Formula,
    ) -> Formula {
        // Backwards, prefix order is a program for a stack.
        let mut stack: Vec<Formula> = Vec::new();
        for symbol in self.prefix(formulas, random).into_iter().rev() {
            let mut operand = || stack.pop().expect("prefix order has all operands");
            let node = match symbol {
                Symbol::Leaf(leaf) => {
                    stack.push(leaf);
                    continue;
                }
                Symbol::Not => Node::Not(operand()),
                Symbol::Next => Node::Next(operand()),
                Symbol::Eventually => Node::Eventually(operand()),
                Symbol::Always => Node::Always(operand()),
                Symbol::And => Node::And([operand(), operand()].into()),
                Symbol::Or => Node::Or([operand(), operand()].into()),
                Symbol::Xor => Node::Xor(operand(), operand()),
                Symbol::Implies => Node::Implies(operand(), operand()),
                Symbol::Iff => Node::Iff(operand(), operand()),
                Symbol::Until => Node::Until(operand(), operand()),
                Symbol::Release => Node::Release(operand(), operand()),
                Symbol::WeakUntil => Node::WeakUntil(operand(), operand()),
                Symbol::StrongRelease => Node::StrongRelease(operand(), operand()),
                Symbol::Previously => Node::Previously(operand()),
                Symbol::WeakPreviously => Node::WeakPreviously(operand()),
                Symbol::Once => Node::Once(operand()),
                Symbol::Historically => Node::Historically(operand()),
                Symbol::Since => Node::Since(operand(), operand()),
                Symbol::Triggered => Node::Triggered(operand(), operand()),
            };
            let formula = make(formulas, node);
            stack.push(formula);
        }
        stack.pop().expect("prefix order is a formula")
    }

    /// The symbols of a formula, each operator before its operands.
    fn prefix(&self, formulas: &mut Formulas, random: &mut Random) -> Vec<Symbol> {
        let unary = {
            let Weights { not, next, eventually, always, .. } = self.weights;
            [not, next, eventually, always]
        };
        let binary = {
            let Weights { and, or, xor, implies, iff, until, release, weak_until, strong_release, .. } = self.weights;
            let Weights { since, triggered, .. } = self.weights;
            [and, or, xor, implies, iff, until, release, weak_until, strong_release, since, triggered]
        };
        let past_unary = {
            let Weights { previously, weak_previously, once, historically, .. } = self.weights;
            [previously, weak_previously, once, historically]
        };
        // Operators of the past come last: without them the same seed draws the same formula as ever.
        let all_unary: Vec<u32> = unary.iter().chain(&past_unary).copied().collect();
        let operators: Vec<u32> = unary.iter().chain(&binary).chain(&past_unary).copied().collect();
        let mut symbols = Vec::with_capacity(self.symbols);
        let mut sizes = vec![self.symbols.max(1)];
        while let Some(size) = sizes.pop() {
            if size == 1 {
                symbols.push(Symbol::Leaf(self.leaf(formulas, random)));
                continue;
            }
            let symbol = match size {
                2 => UNARY.iter().chain(&PAST_UNARY).nth(random.weighted(&all_unary)),
                _ => UNARY.iter().chain(&BINARY).chain(&PAST_UNARY).nth(random.weighted(&operators)),
            };
            let symbol = *symbol.expect("there are as many symbols as weights");
            symbols.push(symbol);
            if BINARY.contains(&symbol) {
                let left = 1 + random.below(size as u64 - 2) as usize;
                sizes.extend([size - 1 - left, left]);
            } else {
                sizes.push(size - 1);
            }
        }
        symbols
    }

    fn leaf(&self, formulas: &mut Formulas, random: &mut Random) -> Formula {
        let atom = if self.atoms.is_empty() { 0 } else { self.weights.atom };
        match random.weighted(&[atom, self.weights.truth, self.weights.falsehood]) {
            0 => formulas.atom(&self.atoms[random.below(self.atoms.len() as u64) as usize]),
            1 => Formula::TRUE,
            _ => Formula::FALSE,
        }
    }
}

/// A word with a stem shorter than `positions` and at most `positions` letters in all, every value given.
///
/// # Panics
///
/// If `positions` is 0.
pub fn word(atoms: &[String], positions: usize, random: &mut Random) -> Word {
    let length = 1 + random.below(positions as u64) as usize;
    let stem = random.below(length as u64) as usize;
    let mut letter = || (0..atoms.len()).map(|_| Some(random.bits() & 1 == 1)).collect::<Letter>();
    let mut letters: Vec<Letter> = (0..length).map(|_| letter()).collect();
    let cycle = letters.split_off(stem);
    Word::new(atoms.to_vec(), letters, cycle)
}
