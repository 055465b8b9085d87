//! Reachability for safety: failed assertions, run-time errors, invalid end states.
//!
//! [`dfs`] and [`bfs`] are two searches with one contract. Either visits every reachable state of a
//! [`System`], tells what it met on the way, and gives for each finding a [`Path`] that really is a
//! run of the system. A search that did not see everything says why in [`Report::end`].
//!
//! [`lossy`] does the same, both ways, where states are not kept and may be taken for one another.
//!
//! States inside an atomic sequence ([`kernel::system::Successor::transient`]) are not counted.

pub mod bfs;
pub mod dfs;
mod expansion;
mod findings;
pub mod lossy;
mod path;
mod pending;
mod room;
mod shorten;

pub use path::Path;
pub(crate) use shorten::shorten;

use crate::meter::{Meter, Statistics};
use findings::Findings;
use kernel::budget::{Budget, Exhausted};
use kernel::system::{Fault, System};

/// What a search may find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// An assertion that fails.
    Assertion,
    /// A step that goes wrong, such as a division by zero.
    Runtime,
    /// A state without successors that is not a valid end.
    InvalidEnd,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 3] = [Kind::Assertion, Kind::Runtime, Kind::InvalidEnd];
}

impl From<Fault> for Kind {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Assertion => Kind::Assertion,
            Fault::Runtime => Kind::Runtime,
        }
    }
}

/// Something just met, before it is known whether it is worth a trace.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence<'a, S> {
    /// What it is.
    pub kind: Kind,
    /// The step that goes wrong; none for an invalid end.
    pub step: Option<S>,
    /// The state before that step; for an invalid end, that state.
    pub state: &'a [u8],
}

/// What was found, and how to get there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding<S> {
    /// What it is.
    pub kind: Kind,
    /// The way from the initial state. The last step is the one that goes wrong, or the one into
    /// the invalid end.
    pub path: Path<S>,
    /// Whether no shorter run, counted in steps, leads to this finding (to one of its kind, or with
    /// its identity, as [`Until`] counts them).
    pub is_shortest: bool,
}

/// When a search has found enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// At the first finding.
    First,
    /// When there is a finding of each kind. After the first one, at most this many further states
    /// are visited for the sake of the others.
    EachKind {
        /// How many.
        grace: u64,
    },
    /// When there is a finding of each of these kinds; others are passed over.
    EachOf {
        /// Which, in the order of [`Kind::ALL`].
        kinds: [bool; Kind::ALL.len()],
    },
    /// Never: everything is visited, and every finding with an identity of its own is told.
    Exhausted {
        /// Beyond this many findings of one kind, further ones are only counted.
        per_kind: usize,
    },
}

/// How to search.
pub struct Options<'a, S> {
    /// When to stop.
    pub until: Until,
    /// Limits.
    pub budget: &'a Budget,
    /// Findings that give the same number count as one and the same.
    pub identity: &'a dyn Fn(&Occurrence<'_, S>) -> u64,
    /// Told now and then how far the search is.
    pub progress: &'a mut dyn FnMut(&Statistics),
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every reachable state was visited; with a lossy store, every one that it did not take for another.
    Complete,
    /// Enough was found ([`Until`]).
    Enough,
    /// A limit was reached.
    Limit(Exhausted),
}

/// What a search tells.
#[derive(Debug)]
pub struct Report<M: System> {
    /// How it ended.
    pub end: End,
    /// What was found, in the order in which it was met.
    pub findings: Vec<Finding<M::Step>>,
    /// How many findings with an identity of their own are not among them.
    pub omitted: u64,
    /// Numbers.
    pub statistics: Statistics,
    /// The scratch space of the search, in which a system may have noted what was executed.
    pub scratch: M::Scratch,
}

impl<M: System> Report<M> {
    /// What a search tells that ended like this and held this many bytes.
    fn new(end: End, findings: Findings<'_, M::Step>, mut meter: Meter<'_>, bytes: u64, scratch: M::Scratch) -> Self {
        meter.note_bytes(bytes);
        let statistics = Statistics { visits: meter.statistics.states, ..meter.finish() };
        Self { end, findings: findings.list, omitted: findings.omitted, statistics, scratch }
    }
}
