//! What an engine decided about a property, and why a property may stay undecided.

use crate::budget::Exhausted;
use crate::words::count;
use std::fmt;

/// Above this probability, a search with a lossy store is said to have missed states almost certainly.
const ALMOST_CERTAIN: f64 = 0.99;

/// Why a property is undecided.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// A limit was reached.
    Limit(Exhausted),
    /// The property's share of the time limit was not enough, and what the other properties left of the time was not worth
    /// a second attempt.
    TimeShare {
        /// The share, in seconds.
        seconds: f64,
    },
    /// The search ended because enough violations of other properties were found.
    Stopped,
    /// The check ended before it decided the property, or is still running.
    Unfinished,
    /// The store is lossy: it may have taken two states for one.
    LossyStore {
        /// The estimated probability that some state was never visited.
        missed_probability: f64,
    },
    /// Some runs end in a run-time error; nothing is known about what would come after.
    RuntimeErrors,
    /// Only runs up to a length were searched, and none of them violates the property; in words.
    LengthBound(String),
    /// A run that violates the property was found, but a limit ended its confirmation.
    Unconfirmed {
        /// The number of steps of the run.
        steps: u64,
        /// The limit.
        limit: Exhausted,
    },
    /// This property, or this combination with the model, is not supported; in words.
    Unsupported(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Limit(limit) => limit.fmt(f),
            Reason::TimeShare { seconds } => {
                write!(f, "it was not decided in {seconds:.1} s, its share of the time limit")
            }
            Reason::Stopped => f.write_str("the search ended after violations of other properties"),
            Reason::Unfinished => f.write_str("the check ended before the property was decided"),
            Reason::LossyStore { missed_probability } if *missed_probability > ALMOST_CERTAIN => {
                f.write_str("states were almost certainly missed")
            }
            Reason::LossyStore { missed_probability } => {
                write!(f, "some state was missed with probability {missed_probability:.1e}")
            }
            Reason::RuntimeErrors => {
                f.write_str("some runs end in a run-time error, and what would come after is not known")
            }
            Reason::Unconfirmed { steps, limit } => {
                let run = count(*steps, "step");
                write!(f, "a run of {run} that violates it was found, but not confirmed: {limit}")
            }
            Reason::LengthBound(words) | Reason::Unsupported(words) => f.write_str(words),
        }
    }
}

/// The answer of an engine about one property. `C` is the proof that every reachable state was covered, and `E` the
/// evidence for a violation; both are types that only the engine and the validator, respectively, can construct.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision<C, E> {
    /// Every run satisfies the property; all states were covered.
    Holds(C),
    /// Some run violates it.
    Violated(E),
    /// It is undecided.
    Unknown(Reason),
}

impl<C, E> Decision<C, E> {
    /// The word for it in reports.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Decision::Holds(_) => "holds",
            Decision::Violated(_) => "violated",
            Decision::Unknown(_) => "unknown",
        }
    }
}
