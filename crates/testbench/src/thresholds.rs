//! The thresholds of each stage of the testbench, in one place.
//!
//! A comparison that would exceed a limit is counted as skipped, never as passed.

/// Running translators.
pub(crate) mod translate {
    use std::time::Duration;

    /// The most bytes of output that are read; more is a failure of the translator.
    pub(crate) const MAX_OUTPUT: u64 = 64 << 20;
    /// The most bytes of messages that are kept; the rest is cut off.
    pub(crate) const MAX_MESSAGES: u64 = 600;
    /// The interval at which the clock is read while no result arrives.
    pub const TICK: Duration = Duration::from_millis(20);
    /// The stack of a thread that runs our own translators; the system allocates only the part that is used.
    pub(crate) const STACK: usize = 64 << 20;
    /// The most messages that wait to be taken; a thread that has another one waits, too.
    pub(crate) const WAITING_MESSAGES: usize = 256;
}

/// Comparing automata; larger ones are skipped.
pub(crate) mod compare {
    /// The most propositions over which all letters are spelt out.
    pub const MAX_SPELT: usize = 10;
    /// The most states of the automaton of prefixes; the comparisons of a larger one count as skipped.
    pub const PREFIX_STATES: usize = 1000;
    /// The most edges of one state; the automaton of a formula that needs more is not built, and the check is skipped.
    pub(crate) const PREFIX_EDGES: usize = 2000;
    /// The most pairs of states of an intersection; a larger one counts as skipped.
    pub const INTERSECTION_PAIRS: usize = 4_000_000;
    /// The most states of a program that is compared with its reduction; a larger one is skipped.
    pub(crate) const REDUCED_STATES: usize = 30_000;
    /// The most states of the automaton of a formula; cases with larger ones are skipped.
    pub(crate) const ENUMERATED_STATES: usize = 5_000;
}

/// Random input.
pub(crate) mod generate {
    /// The highest weight of a proposition; a higher one is refused.
    pub const MAX_WEIGHT: u32 = 1000;
    /// The number of other variables with which each variable is compared.
    pub(crate) const COMPARED_VARIABLES: usize = 8;
}

/// Shrinking cases.
pub(crate) mod shrink {
    /// The most bits in the letters of a word for which all smaller words are tried; a longer word is only shortened.
    pub(crate) const MOST_BITS: usize = 9;
    /// In formulas with more symbols, a subformula is replaced only by its operands. Otherwise there would be too many
    /// candidates.
    pub(crate) const MOST_SYMBOLS: u64 = 60;
}
