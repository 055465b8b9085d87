//! The budget that bounds the operations of a manager.
//!
//! Operations look at the budget from time to time while they make nodes and compute results, and compare the number
//! of live nodes with the budget's memory at every new node. Once a limit is exhausted it stays so, in the budget and
//! here, until the manager gets another budget.

use kernel::budget::{Budget, Exhausted};

/// The bytes that a live node takes, with its share of the tables.
pub const BYTES_PER_NODE: u64 = 48;

/// The number of nodes made between two readings of the clock.
const NODES_PER_CLOCK_READING: u32 = 1 << 14;

/// The units of work that a reading of the clock stands for: at least as many nodes or results were computed since the last.
const WORK_PER_CLOCK_READING: u64 = NODES_PER_CLOCK_READING as u64;

/// The behaviour of an operation without `try_` that cannot compute its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plain {
    /// It panics: nobody would notice a wrong result.
    Panic,
    /// It returns the constant false: the results are thrown away when [`Manager::within`](crate::Manager::within) ends.
    ReturnFalse,
}

/// A budget, and whether it is exhausted.
#[derive(Debug)]
pub(crate) struct Bounds {
    budget: Option<Budget>,
    /// The most live nodes that the budget's memory allows.
    nodes: usize,
    plain: Plain,
    /// Nodes made since the clock was read.
    since: u32,
    is_exhausted: bool,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { budget: None, nodes: usize::MAX, plain: Plain::Panic, since: 0, is_exhausted: false }
    }
}

impl Bounds {
    pub(crate) fn new(budget: &Budget, plain: Plain) -> Self {
        let nodes = budget.memory.map(|bytes| usize::try_from(bytes / BYTES_PER_NODE).unwrap_or(usize::MAX));
        let is_exhausted = budget.exhausted(0).is_some();
        Bounds { budget: Some(budget.clone()), nodes: nodes.unwrap_or(usize::MAX), plain, since: 0, is_exhausted }
    }

    /// Whether an operation may make another node beside this many live ones.
    #[inline]
    pub(crate) fn allow_node(&mut self, live: usize) -> bool {
        self.since += 1;
        if self.since >= NODES_PER_CLOCK_READING {
            self.read_clock();
        }
        live < self.nodes && !self.is_exhausted
    }

    /// Looks at the budget now; whether work may continue.
    pub(crate) fn read_clock(&mut self) -> bool {
        self.since = 0;
        if let Some(budget) = &self.budget {
            budget.work(WORK_PER_CLOCK_READING);
            self.is_exhausted |= budget.exhausted(0).is_some();
        }
        !self.is_exhausted
    }

    /// Whether this many live nodes, all of them in use, leave too little room to continue. Collecting again and again
    /// for the last few nodes would take longer than the work.
    pub(crate) fn is_nearly_full(&self, live: usize) -> bool {
        live >= self.nodes - self.nodes / 8
    }

    /// After an operation failed beside this many live nodes though nothing is left to reclaim: reports that the memory
    /// is exhausted. The manager's own limit on nodes is not reported where an error can tell of it.
    pub(crate) fn exhaust_memory(&mut self, live: usize) {
        let is_reported = self.plain == Plain::ReturnFalse || self.is_nearly_full(live);
        if let Some(budget) = self.budget.as_ref().filter(|_| is_reported) {
            budget.exhaust(Exhausted::Memory);
            self.is_exhausted = true;
        }
    }

    pub(crate) fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }

    /// Whether every operation fails at once.
    pub(crate) fn fails_at_once(&self) -> bool {
        self.is_exhausted && self.plain == Plain::ReturnFalse
    }

    /// The limit that was exhausted.
    pub(crate) fn limit(&self) -> Option<Exhausted> {
        self.budget.as_ref().filter(|_| self.is_exhausted).and_then(|budget| budget.exhausted(0))
    }
}
