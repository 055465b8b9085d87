//! Checks that a proposed run is a run of the program and violates a temporal property.
//!
//! *Contract.* The reference interpreter follows the stem and the loop that a guide proposes, and verifies that the loop
//! closes, or that no process can move where the run is said to end. It evaluates the property's atoms in every state
//! outside atomic sequences. The direct evaluator of [`omega::semantics`] then decides whether the resulting word violates
//! the formula; for an automaton, [`omega::automaton::acceptance`] decides whether the automaton accepts the word. A run without loop
//! must violate the property with every suffix: by the direct evaluator or, where that leaves it open, because the reference
//! construction [`omega::translate::gpvw`] of the formula has no accepting run after this prefix. Nothing of the engine that found the run takes part.
//!
//! An atom whose evaluation ends in a run-time error is false.
//!
//! *Tested by* runs found by the engine, original and altered, in the tests of the command line.

use super::{Continuation, Guide, Rejection, Validated, ValidationError, ViolatingRun, Violation, describe};
use crate::explain::{DescribedStep, Describer};
use crate::reference::{FaultKind, Reference};
use crate::snapshot::{Action, Snapshot};
use crate::typed::Expr;
use kernel::budget::Budget;
use omega::automaton::Automaton;
use omega::automaton::acceptance::{accepts, accepts_all_after, rejects_all_after};
use omega::formula::{Formula, Formulas};
use omega::semantics::{decided, satisfies};
use omega::translate::gpvw;
use omega::word::{Letter, Word};
use std::collections::BTreeSet;

/// The most states of the automaton with which a bad prefix is confirmed.
const MOST_STATES: usize = 2_000;

/// How a word violates a property.
#[derive(Clone, Copy, Debug)]
pub enum Criterion<'a> {
    /// The formula is false on the word.
    Formula(&'a Formulas, Formula),
    /// The automaton accepts the word.
    Automaton(&'a Automaton),
}

/// A temporal property over expressions of the program.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    /// When a word violates it.
    pub criterion: Criterion<'a>,
    /// The names of the atoms and the expressions they abbreviate.
    pub atoms: &'a [(String, Expr)],
    /// Whether the run must be weakly fair to all processes.
    pub is_fair: bool,
}

/// How the steps of a proposed run are divided into stem and loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LassoShape {
    /// The number of steps before the loop.
    pub stem: usize,
    /// The number of steps of the loop; zero if the last state repeats or every suffix violates the property.
    pub cycle: usize,
    /// Whether the last state repeats.
    pub stutters: bool,
}

/// The word that a run spells, and the states that its letters come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunWord {
    /// The names of the atoms.
    pub atoms: Vec<String>,
    /// The valuation of the atoms in each state outside atomic sequences.
    pub letters: Vec<Letter>,
    /// The number of steps after which the run reaches each of these states.
    pub steps: Vec<usize>,
    /// The number of letters before the loop; none if every suffix violates the property.
    pub stem: Option<usize>,
}

impl RunWord {
    /// The infinite word. If every suffix violates the property, the last letter repeats.
    #[must_use]
    pub fn word(&self) -> Word {
        let stem = self.stem.unwrap_or(self.letters.len() - 1);
        Word::new(self.atoms.clone(), self.letters[..stem].to_vec(), self.letters[stem..].to_vec())
    }
}

/// Lets the reference interpreter follow a guide along a run that violates a property.
///
/// # Errors
/// The first step at which the proposed run is wrong, or the limit that ended the validation.
pub fn validate(
    reference: &Reference<'_>,
    describer: &Describer<'_>,
    guide: &mut dyn Guide,
    shape: LassoShape,
    property: Property<'_>,
    budget: &Budget,
) -> Result<Validated<ViolatingRun>, ValidationError> {
    let walk = Walk::follow(reference, describer, guide, shape, budget)?;
    let reject = |reason: &str| Rejection { step: walk.steps.len() + 1, reason: reason.into() };
    if shape.cycle > 0 && walk.states[shape.stem] != walk.states[shape.stem + shape.cycle] {
        return Err(reject("the cycle does not come back to where it began").into());
    }
    let last = walk.states.last().expect("there is an initial state");
    if shape.stutters && !reference.transitions(last).is_empty() {
        return Err(reject("the run is said to end here, but something can move").into());
    }
    if property.is_fair && shape.cycle > 0 {
        walk.check_fairness(reference, shape).map_err(|reason| reject(&reason))?;
    }
    let reading = walk.reading(reference, shape, property.atoms).map_err(reject)?;
    check(&reading, property.criterion, budget).map_err(reject)?;
    let Walk { mut states, mut steps } = walk;
    let cycle = steps.split_off(shape.stem);
    let last = states.swap_remove(shape.stem);
    let continuation = match shape {
        LassoShape { stutters: true, .. } => Continuation::Stutter,
        LassoShape { cycle: 0, .. } => Continuation::AnySuffix,
        LassoShape { .. } => Continuation::Loop(cycle),
    };
    let message = match continuation {
        Continuation::Stutter => "the property is violated: no process can move".into(),
        Continuation::AnySuffix => "every continuation violates the property".into(),
        Continuation::Loop(_) => "the property is violated: the loop repeats forever".into(),
    };
    let initial = reference.initial();
    let (violation, word) = (Violation::Temporal, Some(reading));
    Ok(Validated(ViolatingRun { initial, steps, continuation, last, violation, message, at: None, word }))
}

/// Whether a word violates a property.
fn check(reading: &RunWord, criterion: Criterion<'_>, budget: &Budget) -> Result<(), &'static str> {
    let RunWord { atoms, letters, stem, .. } = reading;
    let is_violated = match (criterion, stem) {
        (Criterion::Formula(formulas, formula), Some(_)) => !satisfies(formulas, formula, &reading.word()),
        (Criterion::Formula(formulas, formula), None) => {
            decided(formulas, formula, atoms, letters) == Some(false)
                || is_bad_prefix(formulas, formula, atoms, letters, budget)
        }
        (Criterion::Automaton(automaton), Some(_)) => accepts(automaton, &reading.word()),
        (Criterion::Automaton(automaton), None) => accepts_all_after(automaton, atoms, letters),
    };
    if is_violated { Ok(()) } else { Err("the run does not violate the property") }
}

/// Whether no word with this prefix satisfies the formula, by the reference construction of its automaton; false if that is too
/// large. The direct evaluator misses prefixes after which a formula contradicts itself only later, as `X X a & X X !a` does.
fn is_bad_prefix(formulas: &Formulas, formula: Formula, atoms: &[String], letters: &[Letter], budget: &Budget) -> bool {
    let automaton = gpvw::translate_generalized(&mut formulas.clone(), formula, MOST_STATES, budget);
    automaton.is_ok_and(|automaton| rejects_all_after(&automaton, atoms, letters, budget) == Ok(true))
}

/// A run of the interpreter: its states and the steps between them.
struct Walk {
    states: Vec<Snapshot>,
    steps: Vec<DescribedStep>,
}

impl Walk {
    fn follow(
        reference: &Reference<'_>,
        describer: &Describer<'_>,
        guide: &mut dyn Guide,
        shape: LassoShape,
        budget: &Budget,
    ) -> Result<Self, ValidationError> {
        let mut walk = Self { states: vec![reference.initial()], steps: Vec::new() };
        loop {
            budget.check()?;
            let taken = walk.steps.len();
            let state = walk.states.last().expect("there is an initial state");
            let transitions = reference.transitions(state);
            let reject = |reason: String| Rejection { step: taken + 1, reason };
            let chosen = guide.choose(taken, state, &transitions).map_err(reject)?;
            let Some(index) = chosen else { break };
            let transition = &transitions[index];
            if transition.fault.as_ref().is_some_and(|fault| fault.kind == FaultKind::Runtime) {
                return Err(reject("the run ends in a run-time error here".into()).into());
            }
            let Some(next) = transition.next.clone() else { return Err(reject("the run ends here".into()).into()) };
            walk.steps.push(describe(reference, describer, state, transition));
            walk.states.push(next);
        }
        let steps = walk.steps.len();
        if steps != shape.stem + shape.cycle {
            let reason = format!("the run has {steps} steps, not {}", shape.stem + shape.cycle);
            return Err(Rejection { step: steps + 1, reason }.into());
        }
        Ok(walk)
    }

    /// The word of the run.
    fn reading(
        &self,
        reference: &Reference<'_>,
        shape: LassoShape,
        atoms: &[(String, Expr)],
    ) -> Result<RunWord, &'static str> {
        let count = if shape.cycle > 0 { shape.stem + shape.cycle } else { self.states.len() };
        let steps: Vec<usize> = (0..count).filter(|step| self.states[*step].exclusive.is_none()).collect();
        let truth = |step: usize, expr: &Expr| {
            Some(reference.evaluate(&self.states[step], expr, None).is_ok_and(|value| value != 0))
        };
        let letter = |step: &usize| atoms.iter().map(|(_, expr)| truth(*step, expr)).collect();
        let letters: Vec<Letter> = steps.iter().map(letter).collect();
        let before = steps.iter().filter(|step| **step < shape.stem).count();
        let stem = (shape.cycle > 0 || shape.stutters).then_some(before);
        if letters.is_empty() || before == letters.len() && stem.is_some() {
            return Err("the cycle never leaves an atomic sequence");
        }
        Ok(RunWord { atoms: atoms.iter().map(|(name, _)| name.clone()).collect(), letters, steps, stem })
    }

    /// Weak fairness: a process that takes no step of the loop is disabled in some state of the loop.
    fn check_fairness(&self, reference: &Reference<'_>, shape: LassoShape) -> Result<(), String> {
        let cycle = shape.stem..shape.stem + shape.cycle;
        let mut movers = BTreeSet::new();
        for described in &self.steps[cycle.clone()] {
            movers.extend(takes_part(described.step));
        }
        let processes = (0..).take(self.states[shape.stem].processes.len());
        for pid in processes.filter(|pid| !movers.contains(pid)) {
            let mut states = self.states[cycle.clone()].iter().filter(|state| state.exclusive.is_none());
            let can_move = |state: &Snapshot| {
                reference
                    .transitions(state)
                    .iter()
                    .any(|transition| takes_part(transition.step).any(|other| other == pid))
            };
            if states.all(can_move) {
                return Err(format!("the cycle is unfair: process {pid} could always move, and never does"));
            }
        }
        Ok(())
    }
}

/// The processes that take part in a step.
fn takes_part(step: crate::snapshot::Step) -> impl Iterator<Item = u32> {
    let receiver = match step.action {
        Action::Handshake { receiver, .. } => Some(receiver),
        _ => None,
    };
    std::iter::once(step.pid).chain(receiver)
}
