//! The answers of a check, and why a property may stay undecided.

use crate::budget::Exhausted;

/// Why a property is undecided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A limit was reached.
    Limit(Exhausted),
    /// The search ended because enough was found of other kinds.
    Stopped,
    /// The store may have taken two states for one.
    LossyStore,
    /// Some runs end in a run-time error; nothing is known about what would come after.
    RuntimeErrors,
    /// Only runs up to a length were searched, and none of them violates the property; in words.
    LengthBound(String),
    /// A run of this many steps that violates the property was found, but a limit ended its confirmation.
    Unconfirmed {
        /// The number of steps.
        steps: u64,
        /// The limit.
        limit: Exhausted,
    },
    /// This kind of property is not checked, with the words to say so.
    Unsupported(String),
}

/// The answer about one property. `C` is the proof that every reachable state was covered, and `E` the evidence for a
/// violation; both are types that only the engine and the validator, respectively, can construct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<C, E> {
    /// Every run satisfies it; all states were covered.
    Holds(C),
    /// Some run violates it.
    Violated(E),
    /// It is undecided.
    Unknown(Reason),
}

impl<C, E> Verdict<C, E> {
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
