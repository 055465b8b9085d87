//! Why a computation with decision diagrams ended early.

use bdd::OutOfNodes;
use kernel::budget::{Budget, Exhausted};

/// A limit was reached; what was asked for was not computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The manager gave up: too many nodes, or it was told to stop.
    Nodes,
    /// The budget said so.
    Budget(Exhausted),
}

impl From<OutOfNodes> for Stopped {
    fn from(_: OutOfNodes) -> Self {
        Stopped::Nodes
    }
}

impl Stopped {
    /// Which limit it was. A manager gives up for time and cancellation as well; the budget can still tell.
    #[must_use]
    pub fn reason(self, budget: &Budget) -> Exhausted {
        match self {
            Stopped::Budget(reason) => reason,
            Stopped::Nodes => budget.exhausted(0).unwrap_or(Exhausted::Memory),
        }
    }
}

/// The result of something a limit can end.
pub type Step<T> = Result<T, Stopped>;
