//! The result for a property, or the reason why there is none.

use std::time::Duration;

use kernel::budget::Exhausted;
use kernel::diagnostic::Diagnostic;

use super::NO_INITIAL_STATE;
use crate::fixpoint::Fixpoints;
use crate::report::{Answer, Minimised, PropertyResult, Trace};
use crate::validate::{Refusal, Validated};

/// That two independent computations of this crate contradict each other: one of them has a bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The steps of the counterexample that are right, if the disagreement is about a counterexample.
    pub steps: usize,
    /// The contradiction, in words.
    pub reason: String,
}

impl From<Refusal> for Disagreement {
    fn from(Refusal { steps, reason }: Refusal) -> Self {
        Disagreement { steps, reason }
    }
}

/// Why a check has no report.
#[derive(Clone, Debug)]
pub enum Error {
    /// Something is wrong with the model that only shows when it is encoded.
    Wrong(Vec<Diagnostic>),
    /// There is a bug in this crate.
    Disagreement(Disagreement),
}

impl From<Disagreement> for Error {
    fn from(disagreement: Disagreement) -> Self {
        Error::Disagreement(disagreement)
    }
}

/// Why a property has no answer.
pub(super) enum Stopped {
    Limit(Exhausted),
    Disagreement(Disagreement),
}

impl From<Exhausted> for Stopped {
    fn from(limit: Exhausted) -> Self {
        Stopped::Limit(limit)
    }
}

impl From<bdd::OutOfNodes> for Stopped {
    fn from(full: bdd::OutOfNodes) -> Self {
        Stopped::Limit(full.into())
    }
}

impl From<Disagreement> for Stopped {
    fn from(disagreement: Disagreement) -> Self {
        Stopped::Disagreement(disagreement)
    }
}

/// The result for one property, before it is described.
pub(super) struct Found {
    pub(super) answer: Answer,
    pub(super) trace: Option<Validated<Trace>>,
    pub(super) minimised: Option<Minimised>,
    /// Time for validating the counterexample.
    pub(super) validating: Duration,
    /// Time for the explicit search for a shorter one.
    pub(super) shortening: Duration,
}

impl Found {
    pub(super) fn of(answer: Answer) -> Self {
        Found { answer, trace: None, minimised: None, validating: Duration::ZERO, shortening: Duration::ZERO }
    }

    pub(super) fn holds() -> Self {
        Found::of(Answer::Holds { vacuous: None })
    }

    /// It holds because there is no path that could break it.
    pub(super) fn no_path(fixpoints: &Fixpoints<'_>) -> Self {
        let reason = match fixpoints.system().initial().is_false() {
            true => NO_INITIAL_STATE,
            false => "no path from an initial state is fair and infinite",
        };
        Found::of(Answer::Holds { vacuous: Some(reason.to_owned()) })
    }

    pub(super) fn violated() -> Self {
        Found::of(Answer::Violated)
    }

    /// A report with the counterexample that was found.
    pub(super) fn into_report(self, report: PropertyResult) -> PropertyResult {
        PropertyResult {
            counterexample: self.trace,
            minimised: self.minimised,
            validation_seconds: self.validating.as_secs_f64(),
            shortening_seconds: self.shortening.as_secs_f64(),
            ..report
        }
    }
}
