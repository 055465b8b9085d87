//! Checks that a proposed run is a run of the program and ends in the claimed violation.
//!
//! *Contract.* [`validate`] lets the reference interpreter, and nothing else, follow a run that a [`Guide`] proposes. Only
//! a run that the interpreter follows to its end, with the violation there, becomes a [`Validated`] run; there is no other
//! way to construct one. The engine that found the run and the file that stores it are guides: they propose steps, but the
//! validated run records what the interpreter did.
//!
//! [`temporal::validate`] does the same for infinite runs that violate a temporal property.
//!
//! *Tested by* runs of the compiled model, original and altered, in `tests/validate.rs`.

pub mod temporal;

use crate::explain::{DescribedStep, Describer, Direction, Message};
use crate::reference::{Fault, FaultKind, Reference, Transition};
use crate::snapshot::{Action, Snapshot};
use crate::thresholds::validate::{BYTES_PER_LOOK, BYTES_PER_STEP};
use crate::typed::{StmtId, StmtKind};
use kernel::budget::{Budget, Exhausted};
use std::ops::Deref;

/// A value that passed [`validate`].
#[derive(Clone, Debug)]
pub struct Validated<T>(T);

impl<T> Deref for Validated<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// The violations that a run can end in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// An assertion that fails in the last step.
    Assertion,
    /// A run-time error in the last step.
    Runtime,
    /// A state in which no process can move and which is not a valid end state.
    InvalidEnd,
    /// A `trace` or `notrace` assertion is violated in the last step.
    Trace,
    /// A property of the whole run is not satisfied.
    Temporal,
}

/// How a run continues after its last listed step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Continuation {
    /// Every suffix violates the property: the listed steps are a bad prefix.
    AnySuffix,
    /// No process can move: the last state repeats forever.
    Stutter,
    /// These steps repeat forever.
    Loop(Vec<DescribedStep>),
}

impl Continuation {
    /// The steps of the loop; empty if there is none.
    #[must_use]
    pub fn loop_steps(&self) -> &[DescribedStep] {
        match self {
            Continuation::Loop(steps) => steps,
            Continuation::AnySuffix | Continuation::Stutter => &[],
        }
    }
}

/// A run that violates a property, described step by step.
#[derive(Clone, Debug)]
pub struct ViolatingRun {
    /// The initial state.
    pub initial: Snapshot,
    /// The steps up to the violation or up to the loop.
    pub steps: Vec<DescribedStep>,
    /// What follows these steps.
    pub continuation: Continuation,
    /// The state after these steps; the state before the last step if that step is a run-time error.
    pub last: Snapshot,
    /// The violation that the run ends in.
    pub violation: Violation,
    /// The interpreter's description of the violation, in one line.
    pub message: String,
    /// The statement that fails; none for an invalid end state.
    pub at: Option<StmtId>,
    /// The valuations of the property's atoms along the run; only for temporal properties.
    pub word: Option<temporal::RunWord>,
}

impl ViolatingRun {
    /// The number of steps, including those of the loop; a repeated last state counts as one step.
    #[must_use]
    pub fn length(&self) -> usize {
        self.steps.len()
            + self.continuation.loop_steps().len()
            + usize::from(self.continuation == Continuation::Stutter)
    }
}

/// Why the interpreter rejected a proposed run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The first wrong step, counted from 1; the number of steps plus 1 if all steps are right but the
    /// violation is missing.
    pub step: usize,
    /// What is wrong with this step.
    pub reason: String,
}

/// Why the validation of a run failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValidationError {
    /// The interpreter rejected the run.
    Rejected(Rejection),
    /// A limit of the budget ended the validation.
    Exhausted(Exhausted),
}

impl From<Rejection> for ValidationError {
    fn from(rejection: Rejection) -> Self {
        ValidationError::Rejected(rejection)
    }
}

impl From<Exhausted> for ValidationError {
    fn from(limit: Exhausted) -> Self {
        ValidationError::Exhausted(limit)
    }
}

/// Proposes the steps of a run. Given the number of steps taken so far, the current state and the possible transitions, a
/// guide names one of the transitions, or none at the end of the run. An error says that no transition is the proposed step.
pub trait Guide {
    /// Chooses the next transition.
    ///
    /// # Errors
    /// Why no transition fits.
    fn choose(&mut self, taken: usize, state: &Snapshot, transitions: &[Transition]) -> Result<Option<usize>, String>;

    /// The process that begins the next step, if the guide knows it. The guide is then shown the transitions of that process
    /// only, which takes less time.
    fn mover(&self, _taken: usize) -> Option<u32> {
        None
    }
}

/// A guide that knows which process moves.
pub struct Led<M, C> {
    /// [`Guide::mover`].
    pub mover: M,
    /// [`Guide::choose`].
    pub choose: C,
}

impl<M, C> Guide for Led<M, C>
where
    M: Fn(usize) -> Option<u32>,
    C: FnMut(usize, &Snapshot, &[Transition]) -> Result<Option<usize>, String>,
{
    fn choose(&mut self, taken: usize, state: &Snapshot, transitions: &[Transition]) -> Result<Option<usize>, String> {
        (self.choose)(taken, state, transitions)
    }

    fn mover(&self, taken: usize) -> Option<u32> {
        (self.mover)(taken)
    }
}

impl<F: FnMut(usize, &Snapshot, &[Transition]) -> Result<Option<usize>, String>> Guide for F {
    fn choose(&mut self, taken: usize, state: &Snapshot, transitions: &[Transition]) -> Result<Option<usize>, String> {
        self(taken, state, transitions)
    }
}

/// Lets the reference interpreter follow a guide to a violation.
///
/// # Errors
/// The first step at which the proposed run is wrong, or the limit that ended the validation.
pub fn validate(
    reference: &Reference<'_>,
    describer: &Describer<'_>,
    guide: &mut dyn Guide,
    violation: Violation,
    budget: &Budget,
) -> Result<Validated<ViolatingRun>, ValidationError> {
    let mut steps = Vec::new();
    let end = follow(reference, guide, violation, budget, &mut |state, transition| {
        steps.push(describe(reference, describer, state, transition));
        BYTES_PER_STEP
    })?;
    let Finish { state, failure, .. } = end;
    let at = failure.as_ref().and_then(|fault| fault.at);
    let message = failure.map_or_else(|| "invalid end state".into(), |fault| fault.message);
    let (initial, continuation, word) = (reference.initial(), Continuation::AnySuffix, None);
    Ok(Validated(ViolatingRun { initial, steps, continuation, last: state, violation, message, at, word }))
}

/// The same for a run that is too long to be kept: it takes memory for one state only. Gives the number of steps.
///
/// # Errors
/// As [`validate`].
pub fn confirm(
    reference: &Reference<'_>,
    guide: &mut dyn Guide,
    violation: Violation,
    budget: &Budget,
) -> Result<usize, ValidationError> {
    Ok(follow(reference, guide, violation, budget, &mut |_, _| 0)?.taken)
}

/// Where a run to a violation ends.
struct Finish {
    /// The last state.
    state: Snapshot,
    /// What went wrong in the last step; none for an invalid end.
    failure: Option<Fault>,
    /// The number of steps.
    taken: usize,
}

/// Follows a guide, passes each step to `keep`, which gives the bytes it takes, and verifies that the violation is there.
fn follow(
    reference: &Reference<'_>,
    guide: &mut dyn Guide,
    violation: Violation,
    budget: &Budget,
    keep: &mut dyn FnMut(&Snapshot, &Transition) -> u64,
) -> Result<Finish, ValidationError> {
    let mut state = reference.initial();
    let mut failure: Option<Fault> = None;
    let mut taken = 0;
    let mut memory = MemoryMeter::default();
    loop {
        budget.check()?;
        let mut transitions = offered(reference, &*guide, taken, &state);
        let step = taken + 1;
        let chosen = guide.choose(taken, &state, &transitions).map_err(|reason| Rejection { step, reason })?;
        let Some(index) = chosen else { break };
        let transition = transitions.swap_remove(index);
        if failure.as_ref().is_some_and(|fault| fault.kind == FaultKind::Runtime) {
            let reason = "the run has ended in a run-time error before".into();
            return Err(Rejection { step, reason }.into());
        }
        memory.add(keep(&state, &transition), budget)?;
        taken += 1;
        failure = transition.fault;
        state = transition.next.unwrap_or(state);
    }
    let is_kind = |kind| failure.as_ref().is_some_and(|fault| fault.kind == kind);
    let is_there = match violation {
        Violation::Assertion => !reference.follows_trace() && is_kind(FaultKind::Assertion),
        Violation::Trace => reference.follows_trace() && is_kind(FaultKind::Assertion),
        Violation::Runtime => is_kind(FaultKind::Runtime),
        // The last step may fail an assertion and end in a state without successors.
        Violation::InvalidEnd => {
            !is_kind(FaultKind::Runtime) && reference.transitions(&state).is_empty() && !reference.is_valid_end(&state)
        }
        // `temporal::validate` decides these: a finite run does not suffice.
        Violation::Temporal => false,
    };
    if !is_there {
        let found = failure.map_or_else(|| "no error".into(), |fault| fault.message);
        let reason = format!("the run should end in {} but ends in {found}", words(violation));
        return Err(Rejection { step: taken + 1, reason }.into());
    }
    let failure = failure.filter(|_| violation != Violation::InvalidEnd);
    Ok(Finish { state, failure, taken })
}

/// The transitions that a guide may choose from.
fn offered(reference: &Reference<'_>, guide: &dyn Guide, taken: usize, state: &Snapshot) -> Vec<Transition> {
    match guide.mover(taken) {
        Some(pid) => reference.transitions_of(state, pid),
        None => reference.transitions(state),
    }
}

/// The bytes that are held, compared with the memory limit now and then.
#[derive(Default)]
pub(crate) struct MemoryMeter {
    bytes: u64,
    next: u64,
}

impl MemoryMeter {
    /// More bytes are held.
    pub(crate) fn add(&mut self, bytes: u64, budget: &Budget) -> Result<(), Exhausted> {
        self.bytes += bytes;
        if self.bytes < self.next {
            return Ok(());
        }
        self.next = self.bytes + BYTES_PER_LOOK;
        budget.check_now(self.bytes)
    }
}

fn words(violation: Violation) -> &'static str {
    match violation {
        Violation::Assertion => "a failed assertion",
        Violation::Runtime => "a run-time error",
        Violation::InvalidEnd => "an invalid end state",
        Violation::Trace => "a violated assertion about events",
        Violation::Temporal => "a violated temporal property",
    }
}

/// Describes one transition.
#[must_use]
pub fn describe(
    reference: &Reference<'_>,
    describer: &Describer<'_>,
    state: &Snapshot,
    transition: &Transition,
) -> DescribedStep {
    let mut described = describer.describe(state, transition.step, transition.next.as_ref());
    if let Action::Handshake { send, .. } = transition.step.action {
        described.message = handed(reference, describer, state, transition.step.pid, send);
    }
    described.output = (!transition.output.is_empty()).then(|| transition.output.concat().into());
    described
}

/// The message that a rendezvous passes on.
fn handed(
    reference: &Reference<'_>,
    describer: &Describer<'_>,
    state: &Snapshot,
    pid: u32,
    send: StmtId,
) -> Option<Message> {
    let StmtKind::Send { channel, message, .. } = &describer.stmt(send)?.kind else { return None };
    let value = |expr| reference.evaluate(state, expr, Some(pid)).ok();
    let number = usize::try_from(value(channel)?).ok()?;
    let channel = *describer.channel_names(state).get(number.checked_sub(1)?)?;
    let fields = message.iter().map(value).collect::<Option<Vec<_>>>()?;
    Some(Message { direction: Direction::Handed, channel, fields })
}
