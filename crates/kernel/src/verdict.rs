//! The verdict of a check, with its evidence or the reason why there is none.

use crate::budget::Exhausted;

/// Why a property is undecided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A limit was reached.
    Limit(Exhausted),
    /// The search ended early because it found enough violations of other properties.
    Stopped,
    /// The state store may have confused two states.
    LossyStore,
    /// Some runs end in a run-time error; their continuations are undefined.
    RuntimeErrors,
    /// The engine does not support this kind of property; the text is shown to the user.
    Unsupported(String),
}

/// States that a search visited every reachable state.
///
/// By convention only a search that did so makes one: the outcomes of engines have a function that gives it or the
/// [`Reason`] why it cannot be had, and whoever decides on a [`Verdict::Holds`] takes it from there. The type does not
/// enforce it, since engines live in other crates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The number of reachable states.
    pub states: u64,
}

/// The verdict on one property, with the evidence `E` of a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<E> {
    /// Every run satisfies the property; the search visited all states.
    Holds(Coverage),
    /// Some run violates the property.
    Violated(E),
    /// The property is undecided.
    Unknown(Reason),
}

impl<E> Verdict<E> {
    /// The word for the verdict in reports.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Holds(_) => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::Unknown(_) => "unknown",
        }
    }
}
