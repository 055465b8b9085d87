//! Is this a run of the program, and does it end in the violation it is said to end in?
//!
//! *Contract.* [`validate`] walks the reference interpreter, and nothing but it, along a run that a
//! guide proposes. Only a run that it could follow to the end, with the violation there, becomes a
//! [`Validated`] story; there is no other way to make one. The engine that found the run, and the
//! file it was saved in, are guides: they may propose, but what the story tells is what the
//! interpreter did.
//!
//! [`temporal::validate`] does the same for runs that go on forever and violate a temporal property.
//!
//! *Tested by* runs of the compiled model, and by tampering with them, in `tests/validate.rs`.

pub mod temporal;

use crate::explain::{Chapter, Direction, Message, Narrator};
use crate::reference::{FaultKind, Outcome, Reference};
use crate::snapshot::{Action, Snapshot};
use crate::typed::{StmtId, StmtKind};
use std::ops::Deref;

/// Something that passed [`validate`].
#[derive(Clone, Debug)]
pub struct Validated<T>(T);

impl<T> Deref for Validated<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// What a run can end in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// An assertion that fails in the last step.
    Assertion,
    /// A run-time error in the last step.
    Runtime,
    /// A state from which nothing can move and which is not a valid end.
    InvalidEnd,
    /// A `trace` or `notrace` assertion is violated in the last step.
    Trace,
    /// A property of the whole run is not satisfied.
    Temporal,
}

/// How a run goes on after its chapters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Onward {
    /// It does not matter.
    Anyhow,
    /// Nothing can move any more: the last state repeats forever.
    Stutter,
    /// These steps repeat forever.
    Cycle(Vec<Chapter>),
}

impl Onward {
    /// The steps that repeat.
    #[must_use]
    pub fn cycle(&self) -> &[Chapter] {
        match self {
            Onward::Cycle(chapters) => chapters,
            Onward::Anyhow | Onward::Stutter => &[],
        }
    }
}

/// A run, described.
#[derive(Clone, Debug)]
pub struct Story {
    /// The first state.
    pub initial: Snapshot,
    /// The steps, up to the violation or to what repeats forever.
    pub chapters: Vec<Chapter>,
    /// What comes then.
    pub onward: Onward,
    /// The last state before what repeats forever; after a run-time error, the state before it.
    pub last: Snapshot,
    /// What the run ends in.
    pub violation: Violation,
    /// What the interpreter says about that, in one line.
    pub message: String,
    /// The statement that goes wrong; none for an invalid end.
    pub at: Option<StmtId>,
    /// What the run says about the atoms of the property it violates.
    pub word: Option<temporal::Reading>,
}

impl Story {
    /// The number of steps, those of the cycle included; the repetition of a last state counts as one.
    #[must_use]
    pub fn length(&self) -> usize {
        self.chapters.len() + self.onward.cycle().len() + usize::from(self.onward == Onward::Stutter)
    }
}

/// Why a run is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The first wrong step, counted from 1; the number of steps plus 1 if all are right but the
    /// violation is not there.
    pub step: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// Proposes the steps of a run: told how many steps have been taken, the state, and what can happen
/// next, it names one of the outcomes, or none at the end; an error says that the step it has in
/// mind is not among them.
pub trait Guide {
    /// Chooses.
    ///
    /// # Errors
    /// Why no outcome fits.
    fn choose(&mut self, taken: usize, state: &Snapshot, outcomes: &[Outcome]) -> Result<Option<usize>, String>;
}

impl<F: FnMut(usize, &Snapshot, &[Outcome]) -> Result<Option<usize>, String>> Guide for F {
    fn choose(&mut self, taken: usize, state: &Snapshot, outcomes: &[Outcome]) -> Result<Option<usize>, String> {
        self(taken, state, outcomes)
    }
}

/// Follows a guide on the reference interpreter to a violation.
///
/// # Errors
/// The first thing that is wrong.
pub fn validate(
    reference: &Reference<'_>,
    narrator: &Narrator<'_>,
    guide: &mut dyn Guide,
    violation: Violation,
) -> Result<Validated<Story>, Refusal> {
    let initial = reference.initial();
    let mut state = initial.clone();
    let mut chapters = Vec::new();
    let mut failure = None;
    let outcomes = loop {
        let outcomes = reference.outcomes(&state);
        let step = chapters.len() + 1;
        let chosen = guide.choose(chapters.len(), &state, &outcomes).map_err(|reason| Refusal { step, reason })?;
        let Some(index) = chosen else { break outcomes };
        let outcome = &outcomes[index];
        if failure.as_ref().is_some_and(|fault: &crate::reference::Fault| fault.kind == FaultKind::Runtime) {
            return Err(Refusal { step, reason: "the run has ended in a run-time error before".into() });
        }
        chapters.push(chapter(reference, narrator, &state, outcome));
        failure.clone_from(&outcome.fault);
        if let Some(next) = &outcome.next {
            state = next.clone();
        }
    };
    let is_kind = |kind| failure.as_ref().is_some_and(|fault| fault.kind == kind);
    let is_there = match violation {
        Violation::Assertion => !reference.follows_trace() && is_kind(FaultKind::Assertion),
        Violation::Trace => reference.follows_trace() && is_kind(FaultKind::Assertion),
        Violation::Runtime => is_kind(FaultKind::Runtime),
        Violation::InvalidEnd => failure.is_none() && outcomes.is_empty() && !reference.is_valid_end(&state),
        // That takes more than a run.
        Violation::Temporal => false,
    };
    if !is_there {
        let found = failure.map_or_else(|| "no error".into(), |fault| fault.message);
        let reason = format!("the run should end in {} but ends in {found}", words(violation));
        return Err(Refusal { step: chapters.len() + 1, reason });
    }
    let at = failure.as_ref().and_then(|fault| fault.at);
    let message = failure.map_or_else(|| "invalid end state".into(), |fault| fault.message);
    let (onward, word) = (Onward::Anyhow, None);
    Ok(Validated(Story { initial, chapters, onward, last: state, violation, message, at, word }))
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

/// Describes one outcome.
#[must_use]
pub fn chapter(reference: &Reference<'_>, narrator: &Narrator<'_>, state: &Snapshot, outcome: &Outcome) -> Chapter {
    let mut chapter = narrator.chapter(state, outcome.step, outcome.next.as_ref());
    if let Action::Handshake { send, .. } = outcome.step.action {
        chapter.message = handed(reference, narrator, state, outcome.step.pid, send);
    }
    chapter.output = (!outcome.output.is_empty()).then(|| outcome.output.concat().into());
    chapter
}

/// What a rendezvous hands over.
fn handed(
    reference: &Reference<'_>,
    narrator: &Narrator<'_>,
    state: &Snapshot,
    pid: u32,
    send: StmtId,
) -> Option<Message> {
    let StmtKind::Send { channel, message, .. } = &narrator.stmt(send)?.kind else { return None };
    let value = |expr| reference.evaluate(state, expr, Some(pid)).ok();
    let number = usize::try_from(value(channel)?).ok()?;
    let channel = *narrator.channel_names(state).get(number.checked_sub(1)?)?;
    let fields = message.iter().map(value).collect::<Option<Vec<_>>>()?;
    Some(Message { direction: Direction::Handed, channel, fields })
}
