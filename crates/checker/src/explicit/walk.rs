//! The second walk: a run proposed by a search, taken again on the system, and its word read by definition.
//!
//! *Contract.* Nothing here knows products, automata or stores. A run is accepted only if the system gives each of its
//! steps, to the very state, a loop closes, a run that is said to end cannot continue, and the formula is false on its
//! word; for a run without a loop, on every word that it begins. Inside atomic sequences, whose states are transient, a
//! property reads nothing.

use super::{BoundAtoms, Found};
use kernel::system::{Ending, Fault, System, record};
use omega::formula::{Formula, Formulas};
use omega::propositions::Propositions;
use omega::semantics::{decided, satisfies};
use omega::word::{Letter, Word};
use search::explore::{Finding, SafetyKind};
use search::stutter::Stuttered;

/// One step of a counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemStep<S> {
    /// The step of the system; none where a last state repeats forever.
    pub step: Option<S>,
    /// The packed state after it; none after a run-time error.
    pub state: Option<Box<[u8]>>,
}

/// A run that was walked a second time, and violates the property by definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample<S> {
    initial: Vec<u8>,
    stem: Vec<SystemStep<S>>,
    cycle: Vec<SystemStep<S>>,
    is_shortest: bool,
}

impl<S> Counterexample<S> {
    /// The packed initial state.
    #[must_use]
    pub fn initial(&self) -> &[u8] {
        &self.initial
    }

    /// The steps before the loop.
    #[must_use]
    pub fn stem(&self) -> &[SystemStep<S>] {
        &self.stem
    }

    /// The steps that repeat forever; none if the violation is certain after the stem.
    #[must_use]
    pub fn cycle(&self) -> &[SystemStep<S>] {
        &self.cycle
    }

    /// The number of steps in stem and loop.
    #[must_use]
    pub fn length(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// Whether it is proved that no counterexample is shorter: for a formula, no lasso of the product with its automaton.
    #[must_use]
    pub fn is_shortest(&self) -> bool {
        self.is_shortest
    }
}

/// Why a run is refused.
pub(super) enum Refusal {
    /// It is no run of the system, for this reason.
    NoRun(String),
    /// It does not show a violation.
    NoViolation,
}

/// What a run must violate.
pub(super) struct Goal<'a> {
    pub(super) formulas: &'a Formulas,
    pub(super) formula: Formula,
    pub(super) atoms: &'a BoundAtoms<'a>,
}

/// A walk along a run.
struct Walk<'a, M: System> {
    system: &'a M,
    scratch: M::Scratch,
    /// The states so far, each with whether it is transient.
    states: Vec<(Vec<u8>, bool)>,
}

impl<'a, M: System> Walk<'a, M> {
    fn begin(system: &'a M) -> Self {
        let mut initial = Vec::new();
        system.initial(&mut initial);
        Self { system, scratch: system.scratch(), states: vec![(initial, false)] }
    }

    fn last(&self) -> &[u8] {
        &self.states.last().expect("there is an initial state").0
    }

    /// Takes a step to a state.
    fn take(&mut self, step: M::Step, state: &[u8]) -> Result<(), String> {
        let from = self.last().to_vec();
        let offered = record(self.system, &mut self.scratch, &from);
        let found = offered.successors.iter().find(|(other, next, _)| *other == step && next == state);
        let Some((_, next, transient)) = found else {
            return Err(format!("step {}: {step:?} does not lead from {from:?} to {state:?}", self.states.len()));
        };
        self.states.push((next.clone(), *transient));
        Ok(())
    }

    /// Whether nothing can happen in the last state.
    fn is_end(&mut self) -> bool {
        let last = self.last().to_vec();
        let offered = record(self.system, &mut self.scratch, &last);
        offered.successors.is_empty() && offered.faults.is_empty()
    }
}

/// Walks along what a search for violations of safety found.
pub(super) fn finding<M: System>(system: &M, finding: &Finding<M::Step>) -> Result<Counterexample<M::Step>, String> {
    let mut walk = Walk::begin(system);
    let mut stem = Vec::new();
    let length = finding.path.len();
    let mut fault = None;
    for index in 0..length {
        let (step, state) = finding.path.get(index).expect("the index is below the length");
        if index + 1 == length {
            let last = walk.last().to_vec();
            let faults = record(system, &mut walk.scratch, &last).faults;
            fault = faults.into_iter().find(|(other, _)| *other == step).map(|(_, fault)| fault);
        }
        if let Some(state) = state {
            walk.take(step, state)?;
        }
        stem.push(SystemStep { step: Some(step), state: state.map(Into::into) });
    }
    let is_violated = match finding.kind {
        SafetyKind::Assertion => fault == Some(Fault::Assertion),
        SafetyKind::Runtime => fault == Some(Fault::Runtime),
        SafetyKind::InvalidEnd => {
            let last = walk.last().to_vec();
            walk.is_end() && system.ending(&mut walk.scratch, &last) == Ending::Invalid
        }
    };
    let initial = walk.states.swap_remove(0).0;
    match is_violated {
        true => Ok(Counterexample { initial, stem, cycle: Vec::new(), is_shortest: finding.is_shortest }),
        false => Err(format!("after {length} steps there is no violation of the kind {:?}", finding.kind)),
    }
}

/// Walks along a run that is said to violate a formula.
pub(super) fn lasso<M: System>(
    system: &M,
    run: &Found<M::Step>,
    goal: &Goal<'_>,
    is_shortest: bool,
) -> Result<Counterexample<M::Step>, Refusal> {
    let mut walk = Walk::begin(system);
    let mut parts = [Vec::new(), Vec::new()];
    let mut ends_at = None;
    let mut loop_starts = 0;
    for (part, moves) in [&run.stem, &run.cycle].into_iter().enumerate() {
        if part == 1 {
            loop_starts = walk.states.len() - 1;
        }
        for next in moves {
            match next.step {
                Stuttered::Step(_) if ends_at.is_some() => {
                    return Err(Refusal::NoRun("a run that has ended continues".into()));
                }
                Stuttered::Step(step) => {
                    walk.take(step, &next.state).map_err(Refusal::NoRun)?;
                    parts[part].push(SystemStep { step: Some(step), state: Some(next.state.clone()) });
                }
                Stuttered::Repeat => {
                    // However many times the automaton reads the last state, it repeats forever.
                    if ends_at.is_none() && !walk.is_end() {
                        return Err(Refusal::NoRun("the run is said to end where something can happen".into()));
                    }
                    ends_at.get_or_insert(walk.states.len() - 1);
                }
            }
        }
    }
    let [stem, mut cycle] = parts;
    let letter = |state: &[u8]| -> Letter { goal.atoms.values().map(|truth| Some(truth(state))).collect() };
    let letters = |states: &[(Vec<u8>, bool)]| -> Vec<Letter> {
        states.iter().filter(|(_, transient)| !transient).map(|(state, _)| letter(state)).collect()
    };
    let atoms = Propositions::of(goal.formulas, goal.atoms.keys().copied());
    let is_violated = if let Some(end) = ends_at {
        let repeated = letter(&walk.states[end].0);
        cycle = vec![SystemStep { step: None, state: Some(walk.states[end].0.clone().into()) }];
        let word = Word::new(atoms, letters(&walk.states[..end]), vec![repeated]);
        !satisfies(goal.formulas, goal.formula, &word)
    } else if cycle.is_empty() {
        decided(goal.formulas, goal.formula, &atoms, &letters(&walk.states)) == Some(false)
    } else {
        if walk.last() != walk.states[loop_starts].0 {
            return Err(Refusal::NoRun("the loop does not end where it begins".into()));
        }
        let last = walk.states.len() - 1;
        let repeated = letters(&walk.states[loop_starts..last]);
        if repeated.is_empty() {
            return Err(Refusal::NoRun("the loop never leaves an atomic sequence".into()));
        }
        !satisfies(goal.formulas, goal.formula, &Word::new(atoms, letters(&walk.states[..loop_starts]), repeated))
    };
    let initial = walk.states.swap_remove(0).0;
    match is_violated {
        true => Ok(Counterexample { initial, stem, cycle, is_shortest }),
        false => Err(Refusal::NoViolation),
    }
}
