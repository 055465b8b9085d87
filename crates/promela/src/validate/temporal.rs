//! Is this a run of the program that violates a temporal property?
//!
//! *Contract.* The reference interpreter walks the stem and the cycle that a guide proposes, and sees for itself that the
//! cycle closes, or that nothing moves any more where the run is said to end. It evaluates the property's atoms in every
//! state that is not inside an atomic sequence. Then the direct evaluator of [`omega::semantics`] says whether the word
//! that this gives violates the formula; for an automaton, [`omega::automaton::acceptance`] says whether it accepts the word. A run
//! without cycle must violate the property whatever follows. Nothing of the engine that found the run takes part.
//!
//! An atom that meets a run-time error does not hold.
//!
//! *Tested by* runs found by the engine, and by tampering with them, in the tests of the tool.

use super::{Guide, Onward, Refusal, Story, Validated, Violation, chapter};
use crate::explain::{Chapter, Narrator};
use crate::reference::{FaultKind, Reference};
use crate::snapshot::{Action, Snapshot};
use crate::typed::Expr;
use omega::automaton::Automaton;
use omega::automaton::acceptance::{accepts, accepts_all_after};
use omega::formula::{Formula, Formulas};
use omega::semantics::{decided, satisfies};
use omega::word::{Letter, Word};
use std::collections::BTreeSet;

/// What a run must violate.
#[derive(Clone, Copy, Debug)]
pub enum Objective<'a> {
    /// The formula must be false on it.
    Formula(&'a Formulas, Formula),
    /// The automaton must accept it.
    Automaton(&'a Automaton),
}

/// A property in terms of the program.
#[derive(Clone, Copy, Debug)]
pub struct Demand<'a> {
    /// What must be violated.
    pub objective: Objective<'a>,
    /// What the atoms stand for.
    pub atoms: &'a [(String, Expr)],
    /// Whether the run must be weakly fair to all processes.
    pub is_fair: bool,
}

/// How a proposed run is cut: after so many steps, and what comes then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Steps before the cycle.
    pub stem: usize,
    /// Steps of the cycle; none if nothing moves any more, or if what follows does not matter.
    pub cycle: usize,
    /// Whether the last state repeats.
    pub stutters: bool,
}

/// The word that a run is, and where its letters come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The names of the atoms.
    pub atoms: Vec<String>,
    /// What the atoms are in each state that counts.
    pub letters: Vec<Letter>,
    /// After how many steps of the run each of these states is reached.
    pub steps: Vec<usize>,
    /// How many letters come before the ones that repeat; none if what follows does not matter.
    pub stem: Option<usize>,
}

impl Reading {
    /// The infinite word. Of a run whose continuation does not matter it is the one that repeats its last letter.
    #[must_use]
    pub fn word(&self) -> Word {
        let stem = self.stem.unwrap_or(self.letters.len() - 1);
        Word::new(self.atoms.clone(), self.letters[..stem].to_vec(), self.letters[stem..].to_vec())
    }
}

/// Follows a guide on the reference interpreter along a run that violates a property.
///
/// # Errors
/// The first thing that is wrong.
pub fn validate(
    reference: &Reference<'_>,
    narrator: &Narrator<'_>,
    guide: &mut dyn Guide,
    shape: Shape,
    demand: Demand<'_>,
) -> Result<Validated<Story>, Refusal> {
    let walk = Walk::follow(reference, narrator, guide, shape)?;
    let refuse = |reason: &str| Refusal { step: walk.chapters.len() + 1, reason: reason.into() };
    if shape.cycle > 0 && walk.states[shape.stem] != walk.states[shape.stem + shape.cycle] {
        return Err(refuse("the cycle does not come back to where it began"));
    }
    let last = walk.states.last().expect("there is an initial state");
    if shape.stutters && !reference.outcomes(last).is_empty() {
        return Err(refuse("the run is said to end here, but something can move"));
    }
    if demand.is_fair && shape.cycle > 0 {
        walk.check_fairness(reference, shape).map_err(|reason| refuse(&reason))?;
    }
    let reading = walk.reading(reference, shape, demand.atoms).map_err(refuse)?;
    check(&reading, demand.objective).map_err(refuse)?;
    let Walk { mut states, mut chapters } = walk;
    let cycle = chapters.split_off(shape.stem);
    let last = states.swap_remove(shape.stem);
    let onward = match shape {
        Shape { stutters: true, .. } => Onward::Stutter,
        Shape { cycle: 0, .. } => Onward::Anyhow,
        Shape { .. } => Onward::Cycle(cycle),
    };
    let message = match onward {
        Onward::Stutter => "the property is violated: nothing moves any more".into(),
        Onward::Anyhow => "the property is violated, whatever comes next".into(),
        Onward::Cycle(_) => "the property is violated: the loop repeats forever".into(),
    };
    let initial = reference.initial();
    let (violation, word) = (Violation::Temporal, Some(reading));
    Ok(Validated(Story { initial, chapters, onward, last, violation, message, at: None, word }))
}

/// Whether a word violates a property.
fn check(reading: &Reading, objective: Objective<'_>) -> Result<(), &'static str> {
    let Reading { atoms, letters, stem, .. } = reading;
    let is_violated = match (objective, stem) {
        (Objective::Formula(formulas, formula), Some(_)) => !satisfies(formulas, formula, &reading.word()),
        (Objective::Formula(formulas, formula), None) => decided(formulas, formula, atoms, letters) == Some(false),
        (Objective::Automaton(automaton), Some(_)) => accepts(automaton, &reading.word()),
        (Objective::Automaton(automaton), None) => accepts_all_after(automaton, atoms, letters),
    };
    if is_violated { Ok(()) } else { Err("the run does not violate the property") }
}

/// A run on the interpreter: its states, and the steps between them.
struct Walk {
    states: Vec<Snapshot>,
    chapters: Vec<Chapter>,
}

impl Walk {
    fn follow(
        reference: &Reference<'_>,
        narrator: &Narrator<'_>,
        guide: &mut dyn Guide,
        shape: Shape,
    ) -> Result<Self, Refusal> {
        let mut walk = Self { states: vec![reference.initial()], chapters: Vec::new() };
        loop {
            let taken = walk.chapters.len();
            let state = walk.states.last().expect("there is an initial state");
            let outcomes = reference.outcomes(state);
            let refuse = |reason: String| Refusal { step: taken + 1, reason };
            let chosen = guide.choose(taken, state, &outcomes).map_err(refuse)?;
            let Some(index) = chosen else { break };
            let outcome = &outcomes[index];
            if outcome.fault.as_ref().is_some_and(|fault| fault.kind == FaultKind::Runtime) {
                return Err(refuse("the run ends in a run-time error here".into()));
            }
            let Some(next) = outcome.next.clone() else { return Err(refuse("the run ends here".into())) };
            walk.chapters.push(chapter(reference, narrator, state, outcome));
            walk.states.push(next);
        }
        let steps = walk.chapters.len();
        if steps != shape.stem + shape.cycle {
            let reason = format!("the run has {steps} steps, not {}", shape.stem + shape.cycle);
            return Err(Refusal { step: steps + 1, reason });
        }
        Ok(walk)
    }

    /// The letters of the states that count, each once.
    fn reading(
        &self,
        reference: &Reference<'_>,
        shape: Shape,
        atoms: &[(String, Expr)],
    ) -> Result<Reading, &'static str> {
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
        Ok(Reading { atoms: atoms.iter().map(|(name, _)| name.clone()).collect(), letters, steps, stem })
    }

    /// Weak fairness: whoever takes no part in the cycle is unable to move somewhere on it.
    fn check_fairness(&self, reference: &Reference<'_>, shape: Shape) -> Result<(), String> {
        let cycle = shape.stem..shape.stem + shape.cycle;
        let mut movers = BTreeSet::new();
        for chapter in &self.chapters[cycle.clone()] {
            movers.extend(takes_part(chapter.step));
        }
        let processes = (0..).take(self.states[shape.stem].processes.len());
        for pid in processes.filter(|pid| !movers.contains(pid)) {
            let mut states = self.states[cycle.clone()].iter().filter(|state| state.exclusive.is_none());
            let can_move = |state: &Snapshot| {
                reference.outcomes(state).iter().any(|outcome| takes_part(outcome.step).any(|other| other == pid))
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
