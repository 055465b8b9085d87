//! The truth of a formula on an ultimately periodic word, by definition. The reference for everything in this crate.
//!
//! What: [`evaluate`] labels every position of the word with every subformula that holds there, from the leaves up;
//! [`Evaluation::proof`] explains a label. [`decided`] evaluates a formula on a finite prefix,
//! [`decided_on`] on a word with open values.
//!
//! Contract: time linear in the number of distinct subformulas times the length of the word, for a formula without past
//! operators; with past operators nested d deep the cycle is unrolled d times first. Shares no code with rewriting,
//! translation or automata; only the formula and the word. Atoms that the word leaves open, or does not have, are false.
//!
//! Why d rounds suffice: let the stem have s letters and the cycle p. The truth of a formula with past depth d is periodic,
//! with period p, from position s + d p on. By induction on the formula: an atom is periodic from s on, Boolean operators
//! and operators of the future keep what their operands have. `Y` and `Z` shift by one position, and one is at most p. For
//! `O`, `H`, `S` and `T` the truth at a position is, depending on the operands there, a constant or the truth at the previous
//! position. Let the operands be periodic from s + (d - 1) p on. If one position of a period yields a constant, then after
//! one period the truth no longer depends on what was before; if none does, the truth never changes again. So a word whose
//! stem is followed by d more rounds has a cycle on which every subformula is periodic ([laroussinie.02.lics] uses the
//! same fact).
//!
//! Source: [tauriainen.00.spin], section 2.4: a word is a structure in which every state has one successor, so that the
//! global labelling algorithm of CTL decides LTL. Deviation: all our operators are labelled directly by their own
//! fixpoint instead of being reduced to `X` and `U` first; `docs/semantics-ltl.md` lists the definitions.
//!
//! Tested by: a transcription of the definitions over unrolled words (`tests/semantics.rs`).

mod open;
mod prefix;
mod proof;
mod timeline;

pub use open::decided_on;
pub use prefix::decided;
pub use proof::{Justification, Proof, ProofStep};

use crate::formula::{Formula, Formulas, Node};
use crate::table::HashMap;
use crate::word::Word;
use kernel::budget::{Budget, Exhausted};
use std::borrow::Cow;

/// Whether the word satisfies the formula.
///
/// ```
/// use omega::formula::Formulas;
/// use omega::parse::{Syntax, parse};
/// use omega::semantics::satisfies;
/// use omega::word::Word;
///
/// let mut formulas = Formulas::new();
/// let formula = parse(&mut formulas, "a U (b & GF !a)", Syntax::Spot).unwrap();
/// assert!(satisfies(&formulas, formula, &Word::parse("a; a; cycle{b; a}").unwrap()));
/// assert!(!satisfies(&formulas, formula, &Word::parse("a; a; cycle{b & a}").unwrap()));
/// ```
#[must_use]
pub fn satisfies(formulas: &Formulas, formula: Formula, word: &Word) -> bool {
    evaluate(formulas, formula, word).truth(formula, 0)
}

/// Labels the word with the formula and all its subformulas.
///
/// # Panics
/// Never: the budget has no limits.
#[must_use]
pub fn evaluate<'a>(formulas: &'a Formulas, formula: Formula, word: &'a Word) -> Evaluation<'a> {
    evaluate_within(formulas, formula, word, &Budget::unlimited()).expect("a budget without limits is never exhausted")
}

/// As [`evaluate`], within a budget, which is checked for each subformula.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn evaluate_within<'a>(
    formulas: &'a Formulas,
    formula: Formula,
    word: &'a Word,
    budget: &Budget,
) -> Result<Evaluation<'a>, Exhausted> {
    let word = match formulas.past_depth(formula) {
        0 => Cow::Borrowed(word),
        rounds => Cow::Owned(word.unrolled(rounds)),
    };
    let mut evaluation = Evaluation { formulas, word, formula, rows: HashMap::default() };
    let mut bytes = 0;
    for subformula in formulas.subformulas(formula) {
        budget.check()?;
        budget.check_now(bytes)?;
        let row = evaluation.row(subformula);
        bytes += row.len() as u64;
        evaluation.rows.insert(subformula, row);
    }
    Ok(evaluation)
}

/// Which subformulas hold at which positions of a word.
#[derive(Clone, Debug)]
pub struct Evaluation<'a> {
    formulas: &'a Formulas,
    /// The word, with its cycle unrolled where the formula has past operators.
    word: Cow<'a, Word>,
    formula: Formula,
    /// For each subformula its truth at each position.
    rows: HashMap<Formula, Vec<bool>>,
}

impl Evaluation<'_> {
    /// The word whose positions are labelled. Where the formula has past operators, the cycle of the word that was given is
    /// unrolled: the truth of a formula about the past need not be the same in the first rounds.
    #[must_use]
    pub fn word(&self) -> &Word {
        &self.word
    }

    /// Whether a subformula of the evaluated formula holds at a position.
    ///
    /// # Panics
    ///
    /// If it is no subformula, or the word has no such position.
    #[must_use]
    pub fn truth(&self, subformula: Formula, position: usize) -> bool {
        self.rows[&subformula][position]
    }

    /// Why the formula holds or does not hold at the first position.
    ///
    /// # Panics
    /// Never: the budget has no limits.
    #[must_use]
    pub fn proof(&self) -> Proof {
        self.proof_within(&Budget::unlimited()).expect("a budget without limits is never exhausted")
    }

    /// As [`Evaluation::proof`], within a budget, which is checked for each fact.
    ///
    /// # Errors
    /// The limit that is exhausted.
    pub fn proof_within(&self, budget: &Budget) -> Result<Proof, Exhausted> {
        proof::explain(self, self.formula, 0, budget)
    }

    fn row(&self, formula: Formula) -> Vec<bool> {
        let of = |child: Formula| self.rows[&child].as_slice();
        match *self.formulas.node(formula) {
            Node::True => vec![true; self.word.len()],
            Node::False => vec![false; self.word.len()],
            Node::Atom(atom) => {
                let index = self.word.propositions().place_of(self.formulas, atom);
                self.everywhere(|i| index.is_some_and(|index| self.word.letter(i)[index] == Some(true)))
            }
            Node::Not(a) => self.everywhere(|i| !of(a)[i]),
            Node::And(ref members) => self.everywhere(|i| members.iter().all(|a| of(*a)[i])),
            Node::Or(ref members) => self.everywhere(|i| members.iter().any(|a| of(*a)[i])),
            Node::Xor(a, b) => self.everywhere(|i| of(a)[i] != of(b)[i]),
            Node::Implies(a, b) => self.everywhere(|i| !of(a)[i] || of(b)[i]),
            Node::Iff(a, b) => self.everywhere(|i| of(a)[i] == of(b)[i]),
            ref temporal => timeline::row(&self.word, temporal, &|child| of(child)),
        }
    }

    fn everywhere(&self, truth: impl FnMut(usize) -> bool) -> Vec<bool> {
        (0..self.word.len()).map(truth).collect()
    }
}
