//! The thresholds of the command line, in one place: time that a command allows itself, sizes of input, lengths of output.
//! Documented defaults of options stand with the options.

/// Time.
pub(crate) mod time {
    use std::time::Duration;

    /// The time that reading a model may take, however short the time limit is.
    pub(crate) const LEAST_FOR_READING: Duration = Duration::from_millis(200);
    /// The time in which a property is checked again to confirm that its trace is shortest; then the report says that this
    /// was not confirmed.
    pub(crate) const REPLAY_PATIENCE: Duration = Duration::from_secs(10);
    /// The time in which somebody must empty a pipe; then writing to it fails.
    pub(crate) const PIPE_PATIENCE: Duration = Duration::from_secs(5);
    /// Temporary files older than this belong to processes that were killed.
    pub(crate) const ABANDONED_AFTER: Duration = Duration::from_secs(3600);
    /// How often the watchdog looks.
    pub(crate) const WATCHDOG_INTERVAL: Duration = Duration::from_millis(50);
    /// How much longer than the limit, or than the request to stop, a stage may take. The rest of half a second is for the
    /// report.
    pub(crate) const WATCHDOG_GRACE: Duration = Duration::from_millis(350);
    /// The time that the processes of a cluster have to agree that a limit is reached, and to end after process 0 has.
    pub(crate) const CLUSTER_GRACE: Duration = Duration::from_secs(4);
    /// The time that the processes of a cluster have to end after one of them was lost: they have been told, and whoever is left
    /// was stopped. With the silence after which a process counts as lost, this stays well below ten seconds.
    pub(crate) const LOST_GRACE: Duration = Duration::from_secs(2);
    /// The part of a time limit that is left for shrinking once something has failed, as a divisor.
    pub(crate) const SHARE_FOR_SHRINKING: u32 = 4;
}

/// Input and memory.
pub(crate) mod input {
    /// Room for deep trees; only what is used is ever taken from the system.
    pub(crate) const STACK: usize = 512 << 20;
    /// The bytes that the process may have besides those that the budget counts.
    pub(crate) const PROCESS_OVERHEAD: u64 = 128 << 20;
    /// The bytes that are read of a file to find out what it is.
    pub(crate) const FILE_HEAD: u64 = 4096;
    /// The most bytes of a text file; a longer one is refused.
    pub(crate) const LONGEST_FILE: u64 = 1 << 30;
    /// The lines of a trace file before its steps.
    pub(crate) const LINES_OF_HEAD: usize = 8;
    /// The bytes that are read to find these lines.
    pub(crate) const LONGEST_HEAD: u64 = 1 << 20;
    /// The bytes of a trace that are hashed and written at a time.
    pub(crate) const PIECE: usize = 1 << 16;
    /// The most propositions; an option that asks for more is refused.
    pub(crate) const MOST_PROPOSITIONS: usize = 64;
    /// The most states of random structures; an option that asks for more is refused.
    pub(crate) const MOST_STATES: usize = 10_000;
    /// The most formulas; an option that asks for more is refused.
    pub(crate) const MOST_FORMULAS: usize = 1_000_000_000;
}

/// Lengths of output; what exceeds them is cut, and the output says so.
pub(crate) mod output {
    /// The steps that are offered at once; `m` shows further ones.
    pub(crate) const MOST_OFFERED: usize = 20;
    /// The most operators and propositions that are written out, since a normal form can be exponentially longer than its
    /// formula; a longer one is an error.
    pub(crate) const LONGEST_TEXT: u64 = 10_000_000;
    /// The most steps of a code flow; viewers cannot show more.
    pub(crate) const SARIF_STEPS: usize = 1000;
    /// The most unreached statements that are listed; further ones are counted.
    pub(crate) const MOST_UNREACHED: usize = 50;
    /// The longest name of a property that is aligned with the others.
    pub(crate) const LONGEST_ALIGNED: usize = 30;
    /// The width of sentences where the output is no terminal.
    pub(crate) const SENTENCE: usize = 99;
    /// The most rows of a table; a longer one is shown in excerpts, its beginning and its end.
    pub(crate) const LONGEST_TABLE: usize = 300;
    /// The rows that are shown of the beginning of a long table.
    pub(crate) const TABLE_BEGINNING: usize = 20;
    /// The most characters of a statement in a table; the rest is cut off.
    pub(crate) const LONGEST_STATEMENT: usize = 60;
    /// The most characters of a row of values; a longer one is broken.
    pub(crate) const WIDEST_VALUES: usize = 100;
    /// The columns that are kept free for changes, where the terminal is wide enough.
    pub(crate) const LEAST_FOR_CHANGES: usize = 24;
    /// The most characters of a row of a state; a longer one is broken.
    pub(crate) const WIDEST_STATE: usize = 110;
    /// The macro expansions that are shown for one place; the ones in the middle are left out.
    pub(crate) const EXPANSIONS_SHOWN: usize = 6;
    /// The most characters of a text from the user in a message; the rest is cut off.
    pub(crate) const LONGEST_QUOTATION: usize = 120;
}
