//! Checks that a proposed run is a run of the program and violates a temporal property.
//!
//! *Contract.* The reference interpreter follows the stem and the loop that a guide proposes, and verifies that the loop
//! closes, or that no process can move where the run is said to end. It evaluates the property's atoms in every state
//! outside atomic sequences, and keeps no state. The direct evaluator of [`omega::semantics`] then decides whether the resulting word violates
//! the formula; for an automaton, [`omega::automaton::acceptance`] decides whether the automaton accepts the word. A run without loop
//! must violate the property with every suffix: by the direct evaluator or, where that leaves it open, because the reference
//! construction [`omega::translate::gpvw`] of the formula has no accepting run after this prefix. Nothing of the engine that found the run takes part.
//!
//! An atom whose evaluation ends in a run-time error is false.
//!
//! *Tested by* runs found by the engine, original and altered, in the tests of the command line.

use super::{
    Continuation, Guide, MemoryMeter, Rejection, Validated, ValidationError, ViolatingRun, Violation, describe, offered,
};
use crate::explain::Describer;
use crate::reference::{FaultKind, Reference, Transition};
use crate::snapshot::{Action, Snapshot};
use crate::thresholds::validate::PREFIX_STATES;
use crate::typed::Expr;
use kernel::budget::Budget;
use omega::automaton::Automaton;
use omega::automaton::acceptance::{accepts, accepts_all_after, rejects_all_after};
use omega::formula::{Formula, Formulas};
use omega::propositions::Propositions;
use omega::semantics::{decided, satisfies};
use omega::translate::gpvw;
use omega::word::{Letter, Word};
use std::collections::BTreeSet;

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
    /// The name and the expression of each atom, at the index by which the criterion knows it.
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
    /// The atoms.
    pub atoms: Propositions,
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
    let mut steps = Vec::new();
    let walk = judge(reference, guide, shape, property, budget, &mut |state, transition| {
        steps.push(describe(reference, describer, state, transition));
        super::BYTES_PER_STEP
    })?;
    let cycle = steps.split_off(shape.stem);
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
    let (initial, last) = (reference.initial(), walk.loop_start.unwrap_or(walk.state));
    let (violation, word) = (Violation::Temporal, Some(walk.word));
    Ok(Validated(ViolatingRun { initial, steps, continuation, last, violation, message, at: None, word }))
}

/// The same for a run that is too long to be kept: it takes memory for the letters of its states only. Gives the number of
/// steps.
///
/// # Errors
/// As [`validate`].
pub fn confirm(
    reference: &Reference<'_>,
    guide: &mut dyn Guide,
    shape: LassoShape,
    property: Property<'_>,
    budget: &Budget,
) -> Result<usize, ValidationError> {
    Ok(judge(reference, guide, shape, property, budget, &mut |_, _| 0)?.taken)
}

/// Follows a guide, passes each step to `keep`, which gives the bytes it takes, and verifies that the run violates the
/// property.
fn judge(
    reference: &Reference<'_>,
    guide: &mut dyn Guide,
    shape: LassoShape,
    property: Property<'_>,
    budget: &Budget,
    keep: &mut dyn FnMut(&Snapshot, &Transition) -> u64,
) -> Result<Walk, ValidationError> {
    let mut walk = Walk::follow(reference, guide, shape, property, budget, keep)?;
    let reject = |reason: &str| Rejection { step: shape.stem + shape.cycle + 1, reason: reason.into() };
    if shape.cycle > 0 && walk.loop_start.as_ref() != Some(&walk.state) {
        return Err(reject("the cycle does not come back to where it began").into());
    }
    if shape.stutters && walk.can_move {
        return Err(reject("the run is said to end here, but something can move").into());
    }
    if property.is_fair && shape.cycle > 0 {
        walk.fairness.check().map_err(|reason| reject(&reason))?;
    }
    walk.close(shape).map_err(reject)?;
    check(&walk.word, property.criterion, budget).map_err(reject)?;
    Ok(walk)
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
fn is_bad_prefix(
    formulas: &Formulas,
    formula: Formula,
    atoms: &Propositions,
    letters: &[Letter],
    budget: &Budget,
) -> bool {
    let automaton = gpvw::translate_generalized(&mut formulas.clone(), formula, PREFIX_STATES, budget);
    automaton.is_ok_and(|automaton| rejects_all_after(&automaton, atoms, letters, budget) == Ok(true))
}

/// What is known of a run after the interpreter has followed it. States are not kept: a run may have millions.
struct Walk {
    /// The last state.
    state: Snapshot,
    /// The state in which the loop begins, if there is one.
    loop_start: Option<Snapshot>,
    /// The number of steps.
    taken: usize,
    /// Whether something can move in the last state.
    can_move: bool,
    word: RunWord,
    fairness: Fairness,
}

impl Walk {
    fn follow(
        reference: &Reference<'_>,
        guide: &mut dyn Guide,
        shape: LassoShape,
        Property { atoms, is_fair, .. }: Property<'_>,
        budget: &Budget,
        keep: &mut dyn FnMut(&Snapshot, &Transition) -> u64,
    ) -> Result<Self, ValidationError> {
        let names = Propositions::named(atoms.iter().map(|(name, _)| name.as_str()));
        let word = RunWord { atoms: names, letters: Vec::new(), steps: Vec::new(), stem: None };
        let (state, fairness) = (reference.initial(), Fairness::default());
        let mut walk = Self { state, loop_start: None, taken: 0, can_move: false, word, fairness };
        let mut memory = MemoryMeter::default();
        loop {
            budget.check()?;
            let taken = walk.taken;
            if shape.cycle > 0 && taken == shape.stem {
                walk.fairness.processes = walk.state.processes.len();
                walk.loop_start = Some(walk.state.clone());
            }
            let is_in_loop = shape.cycle > 0 && (shape.stem..shape.stem + shape.cycle).contains(&taken);
            let mut transitions = offered(reference, &*guide, taken, &walk.state);
            // The state after a loop is its first one again.
            if shape.cycle == 0 || taken < shape.stem + shape.cycle {
                memory.add(walk.read(reference, atoms), budget)?;
                if is_fair && is_in_loop && walk.state.exclusive.is_none() {
                    walk.fairness.visit(&reference.transitions(&walk.state));
                }
            }
            let reject = |reason: String| Rejection { step: taken + 1, reason };
            let Some(index) = guide.choose(taken, &walk.state, &transitions).map_err(reject)? else {
                walk.can_move = !reference.transitions(&walk.state).is_empty();
                break;
            };
            let mut transition = transitions.swap_remove(index);
            if transition.fault.as_ref().is_some_and(|fault| fault.kind == FaultKind::Runtime) {
                return Err(reject("the run ends in a run-time error here".into()).into());
            }
            if transition.next.is_none() {
                return Err(reject("the run ends here".into()).into());
            }
            memory.add(keep(&walk.state, &transition), budget)?;
            if is_in_loop {
                walk.fairness.movers.extend(takes_part(transition.step));
            }
            walk.state = transition.next.take().expect("there is a next state");
            walk.taken += 1;
        }
        let steps = walk.taken;
        if steps != shape.stem + shape.cycle {
            let reason = format!("the run has {steps} steps, not {}", shape.stem + shape.cycle);
            return Err(Rejection { step: steps + 1, reason }.into());
        }
        Ok(walk)
    }

    /// Reads the letter of the present state, if it is outside atomic sequences. Gives the bytes that the letter takes.
    fn read(&mut self, reference: &Reference<'_>, atoms: &[(String, Expr)]) -> u64 {
        if self.state.exclusive.is_some() {
            return 0;
        }
        let truth = |expr| Some(reference.evaluate(&self.state, expr, None).is_ok_and(|value| value != 0));
        let letter: Letter = atoms.iter().map(|(_, expr)| truth(expr)).collect();
        self.word.letters.push(letter);
        self.word.steps.push(self.taken);
        (size_of::<Letter>() + size_of::<usize>() + atoms.len().next_multiple_of(16)) as u64
    }

    /// Notes where the loop of the word begins.
    fn close(&mut self, shape: LassoShape) -> Result<(), &'static str> {
        let RunWord { letters, steps, stem, .. } = &mut self.word;
        let before = steps.iter().filter(|step| **step < shape.stem).count();
        *stem = (shape.cycle > 0 || shape.stutters).then_some(before);
        if letters.is_empty() || before == letters.len() && stem.is_some() {
            return Err("the cycle never leaves an atomic sequence");
        }
        Ok(())
    }
}

/// Weak fairness: a process that takes no step of the loop is disabled in some state of the loop.
#[derive(Default)]
struct Fairness {
    /// The number of processes where the loop begins.
    processes: usize,
    /// The processes that take part in a step of the loop.
    movers: BTreeSet<u32>,
    /// The processes that could move in each state of the loop so far, if there was one outside atomic sequences.
    always_able: Option<BTreeSet<u32>>,
}

impl Fairness {
    /// The loop visits a state outside atomic sequences with these transitions.
    fn visit(&mut self, transitions: &[Transition]) {
        let able: BTreeSet<u32> = transitions.iter().flat_map(|transition| takes_part(transition.step)).collect();
        self.always_able = Some(match self.always_able.take() {
            Some(before) => before.intersection(&able).copied().collect(),
            None => able,
        });
    }

    fn check(&self) -> Result<(), String> {
        // A loop inside an atomic sequence is refused elsewhere.
        let Some(able) = &self.always_able else { return Ok(()) };
        let processes = (0..).take(self.processes);
        let mut starved = processes.filter(|pid| able.contains(pid) && !self.movers.contains(pid));
        match starved.next() {
            Some(pid) => Err(format!("the cycle is unfair: process {pid} could always move, and never does")),
            None => Ok(()),
        }
    }
}

/// The processes that take part in a step.
fn takes_part(step: crate::snapshot::ProcessStep) -> impl Iterator<Item = u32> {
    let receiver = match step.action {
        Action::Handshake { receiver, .. } => Some(receiver),
        _ => None,
    };
    std::iter::once(step.pid).chain(receiver)
}
