//! What the shape of a formula tells about the property it states.
//!
//! What: for each formula a set of [`Traits`], computed from those of its operands. All are sufficient conditions: a
//! formula may state a safety property without being a syntactic safety formula. What automata can decide exactly is
//! decided elsewhere.
//!
//! Contract: linear in the pool, each node once; formulas need not be in any normal form.
//!
//! With operators of the past a formula is judged at each position of a word: *eventual* means that it holds at all positions
//! before one at which it holds, *universal* that it holds at all later ones. Whatever the past operators nest, at each
//! position they combine the truth of their operands at finitely many positions, monotonically; so they keep the classes
//! from safety to recurrence, which are closed under finite unions and intersections.
//!
//! Source: *eventual* and *universal* formulas (there: pure eventuality and universality formulas) are those of
//! [etessami.00.concur], extended to `W` and `M` by duality; *suspendable* formulas are the alternating ones of
//! [babiak.12.tacas]. The classes from safety to recurrence are the syntactic hierarchy of [cerna.03.mfcs], again with
//! `W` and `M` added.
//!
//! Tested by: the semantics on random words, which must have the closure property each trait promises
//! (`tests/rewrite.rs`).

use crate::formula::{Formula, Formulas, Node};

/// A set of syntactic properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Traits(u16);

impl Traits {
    /// No temporal operator.
    pub const BOOLEAN: Traits = Traits(1);
    /// If some suffix of a word satisfies it, so does the word; with past operators: if it holds at a position, it holds at
    /// all earlier ones.
    pub const EVENTUAL: Traits = Traits(2);
    /// If a word satisfies it, so do all its suffixes; with past operators: if it holds at a position, it holds at all later
    /// ones.
    pub const UNIVERSAL: Traits = Traits(4);
    /// Every violation shows after finitely many letters.
    pub const SAFETY: Traits = Traits(8);
    /// Every satisfaction shows after finitely many letters.
    pub const GUARANTEE: Traits = Traits(16);
    /// A Boolean combination of safety and guarantee properties.
    pub const OBLIGATION: Traits = Traits(32);
    /// Something holds from some point on: what deterministic co-Büchi automata recognise.
    pub const PERSISTENCE: Traits = Traits(64);
    /// Something holds again and again: what deterministic Büchi automata recognise.
    pub const RECURRENCE: Traits = Traits(128);
    /// No `X`, `Y` or `Z`: repeating a letter finitely often changes nothing.
    pub const WITHOUT_NEXT: Traits = Traits(256);
    /// Eventual and universal: the value is the same on all suffixes.
    pub const SUSPENDABLE: Traits = Traits(2 | 4);

    const CONSTANT: Traits = Traits(511);

    /// Whether all of `others` are in this set.
    #[must_use]
    pub fn has(self, others: Traits) -> bool {
        self.0 & others.0 == others.0
    }

    fn with(self, condition: bool, more: Traits) -> Traits {
        if condition { Traits(self.0 | more.0) } else { self }
    }

    fn and(self, other: Traits) -> Traits {
        Traits(self.0 & other.0)
    }

    /// What the negation has.
    fn negated(self) -> Traits {
        let swap = [
            (Traits::EVENTUAL, Traits::UNIVERSAL),
            (Traits::SAFETY, Traits::GUARANTEE),
            (Traits::PERSISTENCE, Traits::RECURRENCE),
        ];
        let kept = self.and(Traits(Traits::BOOLEAN.0 | Traits::OBLIGATION.0 | Traits::WITHOUT_NEXT.0));
        swap.iter().fold(kept, |sum, (one, other)| sum.with(self.has(*one), *other).with(self.has(*other), *one))
    }

    /// Each class contains the ones below it.
    fn closed(self) -> Traits {
        let base = self.has(Traits::SAFETY) || self.has(Traits::GUARANTEE);
        let obligation = self.with(base, Traits::OBLIGATION);
        let both = Traits(Traits::PERSISTENCE.0 | Traits::RECURRENCE.0);
        obligation.with(obligation.has(Traits::OBLIGATION), both)
    }
}

/// The traits of the formulas of one pool, computed when first asked for.
///
/// ```
/// use omega::analyse::classify::{Classifier, Traits};
/// use omega::formula::Formulas;
/// use omega::parse::{Syntax, parse};
///
/// let mut formulas = Formulas::new();
/// let mut classifier = Classifier::new();
/// let formula = parse(&mut formulas, "G(a -> Fb)", Syntax::Spot).unwrap();
/// let traits = classifier.traits(&formulas, formula);
/// assert!(traits.has(Traits::RECURRENCE) && traits.has(Traits::UNIVERSAL));
/// assert!(!traits.has(Traits::SAFETY) && !traits.has(Traits::EVENTUAL));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Classifier {
    /// By index; a prefix of the pool.
    known: Vec<Traits>,
}

impl Classifier {
    /// Nothing is known yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The traits of a formula. A classifier belongs to one pool.
    pub fn traits(&mut self, formulas: &Formulas, formula: Formula) -> Traits {
        while self.known.len() <= formula.index() {
            let next = formulas.nth(self.known.len());
            self.known.push(self.derive(formulas.node(next)));
        }
        self.known[formula.index()]
    }

    fn derive(&self, node: &Node) -> Traits {
        let of = |a: Formula| self.known[a.index()];
        // Boolean operators keep what all operands have; temporal ones keep at most this of it.
        let common = node.children().map(of).fold(Traits::CONSTANT, Traits::and);
        let temporal = common.and(Traits::WITHOUT_NEXT);
        let derived = match *node {
            Node::True | Node::False => Traits::CONSTANT,
            Node::Atom(_) => Traits(Traits::CONSTANT.0 & !Traits::SUSPENDABLE.0),
            Node::Not(a) => of(a).negated(),
            Node::And(_) | Node::Or(_) => common,
            Node::Implies(a, b) => of(a).negated().and(of(b)),
            // Both polarities of both operands occur.
            Node::Xor(a, b) | Node::Iff(a, b) => common.and(of(a).negated().and(of(b).negated())),
            Node::Next(_) => Traits(common.0 & !Traits::WITHOUT_NEXT.0 & !Traits::BOOLEAN.0),
            Node::Eventually(a) => temporal
                .with(true, Traits::EVENTUAL)
                .with(of(a).has(Traits::UNIVERSAL), Traits::UNIVERSAL)
                .with(of(a).has(Traits::GUARANTEE), Traits::GUARANTEE)
                .with(of(a).has(Traits::PERSISTENCE), Traits::PERSISTENCE),
            Node::Always(a) => temporal
                .with(true, Traits::UNIVERSAL)
                .with(of(a).has(Traits::EVENTUAL), Traits::EVENTUAL)
                .with(of(a).has(Traits::SAFETY), Traits::SAFETY)
                .with(of(a).has(Traits::RECURRENCE), Traits::RECURRENCE),
            Node::Until(a, b) => until(temporal, of(a), of(b)),
            Node::StrongRelease(a, b) => strong_release(temporal, of(a), of(b)),
            // By duality: `a R b` is `!(!a U !b)` and `a W b` is `!(!a M !b)`.
            Node::Release(a, b) => until(temporal, of(a).negated(), of(b).negated()).negated(),
            Node::WeakUntil(a, b) => strong_release(temporal, of(a).negated(), of(b).negated()).negated(),
            // At the first position, `Y` is false and `Z` is true for every operand.
            Node::Previously(_) => Traits(common.0 & !SHIFTED & !Traits::EVENTUAL.0),
            Node::WeakPreviously(_) => Traits(common.0 & !SHIFTED & !Traits::UNIVERSAL.0),
            Node::Once(_) => common.and(PAST).with(true, Traits::UNIVERSAL),
            Node::Historically(_) => common.and(PAST).with(true, Traits::EVENTUAL),
            // The formula remains true while `a` holds; nothing is known about other positions.
            Node::Since(..) | Node::Triggered(..) => common.and(PAST),
        };
        derived.closed()
    }
}

/// What `Y` and `Z` lose.
const SHIFTED: u16 = Traits::WITHOUT_NEXT.0 | Traits::BOOLEAN.0;

/// What the other operators of the past keep of what all operands have.
const PAST: Traits = Traits(Traits::CONSTANT.0 & !Traits::SUSPENDABLE.0 & !Traits::BOOLEAN.0);

/// The traits of `a U b`.
fn until(temporal: Traits, a: Traits, b: Traits) -> Traits {
    let both = a.and(b);
    temporal
        .with(b.has(Traits::EVENTUAL), Traits::EVENTUAL)
        .with(b.has(Traits::UNIVERSAL), Traits::UNIVERSAL)
        .with(both.has(Traits::GUARANTEE), Traits::GUARANTEE)
        .with(a.has(Traits::OBLIGATION) && b.has(Traits::GUARANTEE), Traits::OBLIGATION)
        .with(both.has(Traits::PERSISTENCE), Traits::PERSISTENCE)
        .with(a.has(Traits::RECURRENCE) && b.has(Traits::GUARANTEE), Traits::RECURRENCE)
}

/// The traits of `a M b`.
fn strong_release(temporal: Traits, a: Traits, b: Traits) -> Traits {
    let both = a.and(b);
    temporal
        .with(b.has(Traits::EVENTUAL), Traits::EVENTUAL)
        .with(both.has(Traits::UNIVERSAL), Traits::UNIVERSAL)
        .with(both.has(Traits::GUARANTEE), Traits::GUARANTEE)
        .with(a.has(Traits::GUARANTEE) && b.has(Traits::OBLIGATION), Traits::OBLIGATION)
        .with(both.has(Traits::PERSISTENCE), Traits::PERSISTENCE)
        .with(a.has(Traits::GUARANTEE) && b.has(Traits::RECURRENCE), Traits::RECURRENCE)
}
