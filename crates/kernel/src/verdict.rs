//! What a check may answer, and how sure it is.

use crate::budget::Exhausted;

/// Why nothing can be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A limit was reached.
    Limit(Exhausted),
    /// The search ended because enough was found of other kinds.
    Stopped,
    /// The store may have taken two states for one.
    LossyStore,
    /// Some runs end in a run-time error; nothing is known about what would come after.
    BrokenOff,
    /// This kind of property is not checked, with the words to say so.
    Unsupported(String),
}

/// That a search saw every reachable state.
///
/// By convention only a search that did so makes one: the outcomes of engines have a function that gives it or the
/// [`Reason`] why it cannot be had, and whoever decides on a [`Verdict::Holds`] takes it from there. The type does not
/// enforce it, since engines live in other crates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// How many states that is.
    pub states: u64,
}

/// The answer to one property, with the evidence `E` for a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<E> {
    /// Every run satisfies it; all states were seen.
    Holds(Coverage),
    /// Some run violates it.
    Violated(E),
    /// Nothing can be said.
    Unknown(Reason),
}

impl<E> Verdict<E> {
    /// The word for it in reports.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Holds(_) => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::Unknown(_) => "unknown",
        }
    }
}
