//! Reachability for safety: failed assertions, run-time errors, invalid end states.
//!
//! [`dfs`] and [`bfs`] are two searches with one contract, and [`turns`] runs both. Each visits every reachable state of a
//! [`System`], reports its findings, and gives for each finding a [`Path`] that is a
//! run of the system. A search that did not see everything says why in [`ExplorationResult::end`].
//!
//! [`parallel`] is a breadth-first search on several threads, which `lasting` uses for searches that last. [`distributed`] is one
//! on workers that share no memory, such as processes on several machines.
//!
//! [`lossy`] does the same in both orders with a store that does not keep states and may confuse them, and [`swarm`] many
//! times with small ones.
//!
//! States inside an atomic sequence ([`kernel::system::Successor::transient`]) are not counted.

pub mod bfs;
mod decline;
pub mod dfs;
pub mod distributed;
mod findings;
pub(crate) mod lasting;
pub mod lossy;
pub mod parallel;
mod path;
mod pending;
mod room;
mod shorten;
pub mod swarm;
pub mod turns;
mod visited;

pub use path::Path;
pub(crate) use shorten::{Runs, longest, shorten};

use crate::meter::{Meter, Statistics};
use findings::Findings;
use kernel::budget::{Budget, Exhausted};
use kernel::system::{Fault, System};

/// A kind of safety violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SafetyKind {
    /// An assertion that fails.
    Assertion,
    /// A run-time error, such as a division by zero.
    Runtime,
    /// A state without successors that is not a valid end.
    InvalidEnd,
}

impl SafetyKind {
    /// All kinds.
    pub const ALL: [SafetyKind; 3] = [SafetyKind::Assertion, SafetyKind::Runtime, SafetyKind::InvalidEnd];
}

impl From<Fault> for SafetyKind {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Assertion => SafetyKind::Assertion,
            Fault::Runtime => SafetyKind::Runtime,
        }
    }
}

/// A violation before it is decided whether it becomes a finding.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence<'a, S> {
    /// Its kind.
    pub kind: SafetyKind,
    /// The faulty step; none for an invalid end.
    pub step: Option<S>,
    /// The state before that step; for an invalid end, that state.
    pub state: &'a [u8],
}

/// A violation and a run to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding<S> {
    /// Its kind.
    pub kind: SafetyKind,
    /// The run from the initial state. The last step is the faulty one, or the one into the invalid end.
    pub path: Path<S>,
    /// True if no run with fewer steps leads to a finding of this kind (or with this identity, as [`Until`] counts
    /// them).
    pub is_shortest: bool,
}

/// When a search may end before it has visited all states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// At the first finding.
    First,
    /// When there is a finding of each kind. After the first one, at most about this many further transitions
    /// are taken for the sake of the others.
    EachKind {
        /// How many.
        grace: u64,
    },
    /// When there is a finding of each of these kinds, or one of them was found and this many further transitions were taken.
    /// The search notes findings of other kinds, too: a run-time error hides the continuations of a run.
    EachWanted {
        /// Which, in the order of [`SafetyKind::ALL`].
        kinds: [bool; SafetyKind::ALL.len()],
        /// How many transitions after the first finding.
        grace: u64,
    },
    /// When there is a finding of each of these kinds; the search ignores others.
    EachOf {
        /// Which, in the order of [`SafetyKind::ALL`].
        kinds: [bool; SafetyKind::ALL.len()],
    },
    /// Never: the search visits all states and reports every finding with an identity of its own.
    Exhausted {
        /// Beyond this many findings of one kind, further ones are only counted.
        per_kind: usize,
    },
}

/// How to search for safety violations.
pub struct ExplorationOptions<'a, S> {
    /// When to stop.
    pub until: Until,
    /// Limits.
    pub budget: &'a Budget,
    /// Findings with the same identity count as one.
    pub identity: &'a (dyn Fn(&Occurrence<'_, S>) -> u64 + Sync),
    /// Called regularly with the statistics so far.
    pub progress: &'a mut dyn FnMut(&Statistics),
}

/// How a search for safety violations ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The search visited every reachable state; with a lossy store, every state that it did not confuse with another.
    Complete,
    /// The findings suffice ([`Until`]).
    Enough,
    /// The search reached a limit.
    Limit(Exhausted),
}

/// The result of a search for safety violations.
#[derive(Debug)]
pub struct ExplorationResult<M: System> {
    /// How the search ended.
    pub end: End,
    /// The findings, in the order of their discovery.
    pub findings: Vec<Finding<M::Step>>,
    /// The number of further findings with identities of their own.
    pub omitted: u64,
    /// The statistics of the search.
    pub statistics: Statistics,
    /// Whether some run never leaves transient states, if the search was told to watch for such runs and decided it.
    pub diverges: Option<bool>,
    /// True if both a depth-first and a breadth-first search took turns.
    pub is_alternating: bool,
    /// The scratch space of the search, in which a system may have noted the code that it executed.
    pub scratch: M::Scratch,
}

impl<M: System> ExplorationResult<M> {
    /// The report of a search that ended like this and held this many bytes.
    fn new(end: End, findings: Findings<'_, M::Step>, mut meter: Meter<'_>, bytes: u64, scratch: M::Scratch) -> Self {
        meter.note_bytes(bytes);
        let end = findings.end(end, meter.rebuilding_budget().exhausted(0));
        let statistics = Statistics { visits: meter.statistics.states, ..meter.finish() };
        let (findings, omitted) = (findings.list, findings.omitted);
        Self { end, findings, omitted, statistics, diverges: None, is_alternating: false, scratch }
    }
}
