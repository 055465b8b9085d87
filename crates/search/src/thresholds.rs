//! The thresholds of each stage of a search, in one place.
//!
//! No threshold changes an answer. Each bounds the effort of a stage or balances two, and its comment says what happens when it
//! is reached. Limits that follow from an encoding, such as the bits of a table entry, stand with the encoding. Limits that a
//! caller can choose are arguments.

/// Reading the clock, and ending in time.
pub(crate) mod meter {
    use std::time::Duration;

    /// The most work between two readings of the clock.
    pub(crate) const MOST_WORK_PER_LOOK: u64 = 128;
    /// The meter looks more often if more time than this passes between two looks.
    pub(crate) const SLOW_LOOK: Duration = Duration::from_millis(5);
    /// Work between two calls of the progress callback.
    pub(crate) const WORK_PER_REPORT: u64 = 1 << 18;
    /// The time beyond the limit in which a run that was found may be rebuilt; a run that takes longer is reported by its
    /// length.
    pub(crate) const REBUILDING_GRACE: Duration = Duration::from_millis(200);
    /// The part of the remaining time that a search for shorter runs leaves for rebuilding the best one.
    pub(crate) const REBUILDING_SHARE: u32 = 4;
}

/// Visiting all states.
pub(crate) mod explore {
    /// The first bound on the depth; the search continues with a larger one.
    pub(crate) const FIRST_DEPTH: u64 = 10_000;
    /// The work after which the first bound is raised even if some states above it have not been visited. A search that meets the bound
    /// early has long runs anyway; in the two models of the corpus of which that is known (`deadlock.plc` and `autotune_full`), a
    /// violation lies behind it, and a search for four times as long before it was raised met none.
    pub(crate) const FIRST_WORK: u64 = 1 << 18;
    /// The factor by which the bound is raised; the work is doubled each time.
    pub(crate) const DEPTH_GROWTH: u64 = 4;
    /// The work of a turn of the depth-first search, and of the first turn of either.
    pub(crate) const TURN: u64 = 1 << 17;
    /// The part of that work that the breadth-first search does in a turn, as a divisor.
    pub(crate) const BREADTH_SHARE: u64 = 4;
    /// The breadth-first search may hold this many bytes, however few the other search holds.
    pub(crate) const LEAST_BREADTH_BYTES: u64 = 1 << 24;
    /// The part of the other search's bytes that the breadth-first search may hold otherwise, as a divisor.
    pub(crate) const BREADTH_BYTES_SHARE: u64 = 2;
    /// The work that a depth-first search does beside a parallel search, as a divisor of the work of that; or the number of
    /// threads, if there are more.
    pub(crate) const DEPTH_SHARE: u64 = 8;
    /// The bytes that must be free in half of the memory limit for the depth-first search to go on beside a parallel one.
    pub(crate) const ROOM_FOR_BOTH: u64 = 1 << 24;
    /// The part of the patience, as a divisor, that a search for shorter runs in a reduced system may take when the one in the full system
    /// has reached its end.
    pub(crate) const IN_REDUCED: u32 = 8;
    /// A search begins anew with all threads only if it may do so many times the work that it has done on one.
    pub(crate) const LEAST_TURN: u64 = 3;
    /// Vectors of elements grow by at least this many bytes, so that a call of the allocator is worth its while.
    pub(crate) const LEAST_GROWTH_BYTES: usize = 4096;
}

/// Products with automata.
pub(crate) mod product {
    /// The most cubes in all labels of a property together; a property with more is refused.
    pub(crate) const MAX_CUBES: usize = 1 << 17;
    /// Distinct marks that can be told apart.
    pub(crate) const REMEMBERED_MARKS: usize = 256;
}

/// A search for a lasso that one of several workers makes alone.
pub(crate) mod alone {
    /// The states of all workers at which the first one begins.
    pub(crate) const FIRST_STATES: u64 = 1 << 20;
    /// The next one begins at so many times the states.
    pub(crate) const GROWTH: u64 = 4;
    /// The part of a worker's work so far that it may take, as a divisor.
    pub(crate) const SHARE: u64 = 4;
}

/// Shortening runs.
pub(crate) mod shorten {
    /// A run of so many steps is sought a shorter one for once more. Of the corpus, `elevator_planning.2` and `HanoiPuzzle`
    /// have such a run, and become short; `autotune_full` has 16,997 steps, for which more effort was in vain.
    pub(crate) const LONG_RUN: u64 = 50_000;
    /// The effort that may be spent on that for each step of the run. With 200, the run of 19 steps of
    /// `elevator_planning.2` is missed.
    pub(crate) const EFFORT_PER_STEP: u64 = 256;
    /// A limit on distances grows by one part in this many when states beyond it are needed.
    pub(crate) const DISTANCE_GROWTH: u64 = 4;
    /// A limit on distances grows by at least this much.
    pub(crate) const LEAST_DISTANCE_GROWTH: u64 = 2;
    /// A path has room for at least this many bytes, however small the tables are.
    pub(crate) const LEAST_PATH_BYTES: u64 = 1 << 20;
}

/// Keeping visited states.
pub(crate) mod store {
    /// States of at least so many bytes are compressed. On the eight models of the corpus whose states have 74 to 193 bytes, compressed ones take 0.15 to 0.31
    /// of the bytes and 0.96 to 1.18 of the time; on ten with 34 to 57 bytes, 0.36 to 1 of the bytes and 1.02 to 1.36 of the time.
    pub(crate) const LEAST_COMPRESSED: usize = 64;
    /// States of at least so many bytes are compressed where memory becomes scarce.
    pub(crate) const LEAST_IN_NEED: usize = 32;
    /// Memory is scarce when the states take more than one part in so many of the limit.
    pub(crate) const NEED: u64 = 4;
}
