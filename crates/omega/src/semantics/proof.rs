//! Why a formula holds or fails on a word: a proof that a person can check.
//!
//! What: steps "this subformula is true (false) at this position, because of those". Each step appeals to other steps
//! by number; a fact that is needed twice is shown once. Every step can be checked by itself against the definition
//! of its operator.
//!
//! Contract: facts only reach smaller subformulas, so a proof is finite and without circles; at most one step per
//! subformula and position. Witnesses are the earliest ones.
//!
//! Tested by: `tests/semantics.rs`, which verifies each step of random proofs by the meaning of its reason.

use super::Evaluation;
use crate::formula::{Formula, Formulas, Node};
use crate::print::{Notation, print};
use crate::table::HashMap;
use crate::word::Word;
use kernel::budget::{Budget, Exhausted};
use std::fmt::Write;

/// Why a step holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Justification {
    /// By the meaning of a constant.
    Constant,
    /// The letter at this position says so.
    Letter,
    /// By the truth table of the operator, from the premises.
    Operands,
    /// The operand has this value at the next position.
    NextPosition,
    /// A later position decides: the last premises speak about this position, the others about those before it.
    Decided(usize),
    /// Nothing ever decides: the premises speak about all positions from here on.
    Forever,
    /// The operand has this value at the previous position.
    PreviousPosition,
    /// There is no previous position.
    FirstPosition,
    /// An earlier position decides, or this one: the last premises speak about it, the others about those after it.
    DecidedBefore(usize),
    /// Nothing decides back to the first position: the premises speak about all positions up to here.
    SinceTheFirst,
}

/// One fact and its premises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofStep {
    /// The subformula.
    pub formula: Formula,
    /// Where on the word.
    pub position: usize,
    /// Whether it is true there.
    pub truth: bool,
    /// Why.
    pub reason: Justification,
    /// The steps it follows from.
    pub premises: Vec<usize>,
}

/// A proof; its first step is the proved fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The steps; premises come after what they support.
    pub steps: Vec<ProofStep>,
}

impl Proof {
    /// The proof as numbered lines.
    ///
    /// ```
    /// use omega::formula::Formulas;
    /// use omega::parse::{Syntax, parse};
    /// use omega::semantics::evaluate;
    /// use omega::word::Word;
    ///
    /// let mut formulas = Formulas::new();
    /// let formula = parse(&mut formulas, "a U b", Syntax::Spot).unwrap();
    /// let word = Word::parse("a; cycle{b}").unwrap();
    /// let proof = evaluate(&formulas, formula, &word).proof();
    /// assert_eq!(
    ///     proof.show(&formulas),
    ///     "[1] at 0: a U b is true, decided at position 1, by [2] [3]\n\
    ///      [2] at 0: a is true, as the letter says\n\
    ///      [3] at 1: b is true, as the letter says\n"
    /// );
    /// ```
    #[must_use]
    pub fn show(&self, formulas: &Formulas) -> String {
        let mut text = String::new();
        for (index, step) in self.steps.iter().enumerate() {
            let formula = print(formulas, step.formula, Notation::Spot);
            let (number, position, truth) = (index + 1, step.position, step.truth);
            let _ = write!(text, "[{number}] at {position}: {formula} is {truth}, ");
            let _ = match step.reason {
                Justification::Constant => write!(text, "a constant"),
                Justification::Letter => write!(text, "as the letter says"),
                Justification::Operands => write!(text, "by"),
                Justification::NextPosition => write!(text, "looking at the next position, by"),
                Justification::Decided(position) => write!(text, "decided at position {position}, by"),
                Justification::Forever => write!(text, "as nothing from here on decides, by"),
                Justification::PreviousPosition => write!(text, "looking at the previous position, by"),
                Justification::FirstPosition => write!(text, "as there is no previous position"),
                Justification::DecidedBefore(at) if at == position => write!(text, "decided here, by"),
                Justification::DecidedBefore(at) => write!(text, "decided at the earlier position {at}, by"),
                Justification::SinceTheFirst => write!(text, "as nothing up to here decides, by"),
            };
            for premise in &step.premises {
                let _ = write!(text, " [{}]", premise + 1);
            }
            text.push('\n');
        }
        text
    }
}

/// A subformula and a position.
type Fact = (Formula, usize);

/// Proves what the evaluation says about a formula at a position.
pub(super) fn explain(
    evaluation: &Evaluation<'_>,
    formula: Formula,
    position: usize,
    budget: &Budget,
) -> Result<Proof, Exhausted> {
    let mut facts: Vec<Fact> = vec![(formula, position)];
    let mut numbers: HashMap<Fact, usize> = HashMap::from_iter([((formula, position), 0)]);
    let mut steps = Vec::new();
    let mut bytes = 0;
    while steps.len() < facts.len() {
        budget.check_now(bytes)?;
        let (formula, position) = facts[steps.len()];
        let (reason, premises) = justify(evaluation, formula, position);
        let number = |fact: Fact| {
            *numbers.entry(fact).or_insert_with(|| {
                facts.push(fact);
                facts.len() - 1
            })
        };
        let premises: Vec<usize> = premises.into_iter().map(number).collect();
        bytes += (size_of::<ProofStep>() + premises.len() * size_of::<usize>()) as u64;
        let truth = evaluation.truth(formula, position);
        steps.push(ProofStep { formula, position, truth, reason, premises });
    }
    Ok(Proof { steps })
}

/// The reason for one fact, and the facts it follows from.
fn justify(evaluation: &Evaluation<'_>, formula: Formula, position: usize) -> (Justification, Vec<Fact>) {
    let truth = evaluation.truth(formula, position);
    let is = |a: Formula| evaluation.truth(a, position);
    // A junction is decided by one member of the value that decides it, else by all.
    let junction = |members: &[Formula], deciding: bool| match members.iter().find(|a| is(**a) == deciding) {
        Some(member) => (Justification::Operands, vec![(*member, position)]),
        None => (Justification::Operands, members.iter().map(|a| (*a, position)).collect()),
    };
    let path = Path { evaluation, position };
    match *evaluation.formulas.node(formula) {
        Node::True | Node::False => (Justification::Constant, Vec::new()),
        Node::Atom(_) => (Justification::Letter, Vec::new()),
        Node::Not(a) => (Justification::Operands, vec![(a, position)]),
        Node::And(ref members) => junction(members, false),
        Node::Or(ref members) => junction(members, true),
        Node::Implies(a, _) if !is(a) => (Justification::Operands, vec![(a, position)]),
        Node::Implies(_, b) if truth => (Justification::Operands, vec![(b, position)]),
        Node::Implies(a, b) | Node::Xor(a, b) | Node::Iff(a, b) => {
            (Justification::Operands, vec![(a, position), (b, position)])
        }
        Node::Next(a) => (Justification::NextPosition, vec![(a, evaluation.word.successor(position))]),
        Node::Eventually(a) => path.search(|i| evaluation.truth(a, i), &[], &[a], &[a]),
        Node::Always(a) => path.search(|i| !evaluation.truth(a, i), &[], &[a], &[a]),
        // True: b, with a before. False: neither a nor b, with b false before; or b false forever.
        Node::Until(a, b) | Node::WeakUntil(a, b) if truth => path.search(|i| evaluation.truth(b, i), &[a], &[b], &[a]),
        Node::Until(a, b) | Node::WeakUntil(a, b) => {
            path.search(|i| !evaluation.truth(a, i) && !evaluation.truth(b, i), &[b], &[a, b], &[b])
        }
        // True: a and b, with b before; or b forever. False: b false, with a false before; or a false forever.
        Node::Release(a, b) | Node::StrongRelease(a, b) if truth => {
            path.search(|i| evaluation.truth(a, i) && evaluation.truth(b, i), &[b], &[a, b], &[b])
        }
        Node::Release(a, b) | Node::StrongRelease(a, b) => path.search(|i| !evaluation.truth(b, i), &[a], &[b], &[a]),
        Node::Previously(_) | Node::WeakPreviously(_) if position == 0 => (Justification::FirstPosition, Vec::new()),
        Node::Previously(a) | Node::WeakPreviously(a) => (Justification::PreviousPosition, vec![(a, position - 1)]),
        Node::Once(a) => path.search_back(|i| evaluation.truth(a, i), &[], &[a], &[a]),
        Node::Historically(a) => path.search_back(|i| !evaluation.truth(a, i), &[], &[a], &[a]),
        // As for until and release, with the last position that decides in place of the first.
        Node::Since(a, b) if truth => path.search_back(|i| evaluation.truth(b, i), &[a], &[b], &[a]),
        Node::Since(a, b) => {
            path.search_back(|i| !evaluation.truth(a, i) && !evaluation.truth(b, i), &[b], &[a, b], &[b])
        }
        Node::Triggered(a, b) if truth => {
            path.search_back(|i| evaluation.truth(a, i) && evaluation.truth(b, i), &[b], &[a, b], &[b])
        }
        Node::Triggered(a, b) => path.search_back(|i| !evaluation.truth(b, i), &[a], &[b], &[a]),
    }
}

/// The positions from one on.
struct Path<'a> {
    evaluation: &'a Evaluation<'a>,
    position: usize,
}

impl Path<'_> {
    /// Looks for the first position that decides. The premises are then `there` at that position and `before` at all
    /// earlier ones; if nothing decides, `always` at all positions.
    fn search(
        &self,
        decides: impl Fn(usize) -> bool,
        before: &[Formula],
        there: &[Formula],
        always: &[Formula],
    ) -> (Justification, Vec<Fact>) {
        let word: &Word = &self.evaluation.word;
        // Stem and cycle from here on, each position once.
        let ahead = self.position..word.len();
        let around = word.stem().len()..self.position.max(word.stem().len());
        let positions: Vec<usize> = ahead.chain(around).collect();
        let (found, premises) = among(&positions, decides, before, there, always);
        (found.map_or(Justification::Forever, Justification::Decided), premises)
    }

    /// Looks for the last position up to here that decides. The premises are then `there` at that position and `after` at
    /// all later ones up to here; if nothing decides, `always` at all positions up to here.
    fn search_back(
        &self,
        decides: impl Fn(usize) -> bool,
        after: &[Formula],
        there: &[Formula],
        always: &[Formula],
    ) -> (Justification, Vec<Fact>) {
        let positions: Vec<usize> = (0..=self.position).rev().collect();
        let (found, premises) = among(&positions, decides, after, there, always);
        (found.map_or(Justification::SinceTheFirst, Justification::DecidedBefore), premises)
    }
}

/// The first of the positions that decides, if one does, and the premises: `there` at it and `passed` at those passed on the
/// way to it; if no position decides, `always` at all of them.
fn among(
    positions: &[usize],
    decides: impl Fn(usize) -> bool,
    passed: &[Formula],
    there: &[Formula],
    always: &[Formula],
) -> (Option<usize>, Vec<Fact>) {
    let at = |i: usize, formulas: &[Formula]| formulas.iter().map(|a| (*a, i)).collect::<Vec<Fact>>();
    match positions.iter().position(|i| decides(*i)) {
        Some(count) => {
            let mut premises: Vec<Fact> = positions[..count].iter().flat_map(|i| at(*i, passed)).collect();
            premises.extend(at(positions[count], there));
            (Some(positions[count]), premises)
        }
        None => (None, positions.iter().flat_map(|i| at(*i, always)).collect()),
    }
}
