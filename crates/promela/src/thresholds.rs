//! The thresholds of each stage of the Promela front end and model, in one place.
//!
//! A limit of the language is part of a diagnostic when it is reached. A threshold of an analysis bounds its effort and costs
//! precision, never soundness: each comment says what happens when it is reached. The depths of parsing and preprocessing
//! are in `parse::limits` and `preprocess::limits`, those of reductions in `reduce`.

/// Reading programs.
pub(crate) mod front {
    /// The greatest number of errors, and of warnings, that are reported; further ones are counted. A text that is not
    /// Promela has as many errors as words.
    pub(crate) const MOST_FINDINGS: usize = 100;
    /// The most tokens that are searched for a closing bracket where the form of a statement depends on what follows it;
    /// without one, the statement is read as it begins.
    pub(crate) const LOOK_AHEAD: usize = 2000;
    /// The number of misspelt words that the parser corrects in one text; further ones are syntax errors. Each correction
    /// costs a copy of the tokens.
    pub(crate) const RESPELT: u32 = 20;
    /// The deepest nesting of the expression of an `#if`; a deeper one is refused.
    pub(crate) const CONDITION_DEPTH: usize = 200;
    /// The elements of a list that are shown; further ones are left out.
    pub(crate) const SHOWN_ELEMENTS: usize = 8;
}

/// Declarations; a program that exceeds one of these limits is refused with a diagnostic.
pub(crate) mod resolve {
    /// The most instances that `active` starts.
    pub(crate) const ACTIVE_LIMIT: i32 = 255;
    /// The most elements of an array: no more than all variables together.
    pub(crate) const ARRAY_LIMIT: i32 = 1 << 20;
    /// The most messages that a channel holds.
    pub(crate) const CAPACITY_LIMIT: i32 = 65_535;
    /// The most symbols of an mtype set.
    pub(crate) const SYMBOL_LIMIT: i32 = 255;
    /// The most channels that declarations create.
    pub(crate) const CHANNEL_LIMIT: u64 = 65_535;
    /// The most scalars of all variables and channel fields together.
    pub(crate) const SCALAR_LIMIT: u64 = 1 << 20;
}

/// Executing compiled models.
pub(crate) mod compiled {
    /// The most steps of a `d_step`; a longer one is a run-time error, since it is taken for endless.
    pub(crate) const D_STEP_LIMIT: u32 = 1_000_000;
    /// The most processes at a time; to start another one is a run-time error.
    pub(crate) const PROCESS_LIMIT: usize = 60_000;
    /// The most states of an atomic sequence that are passed in one step; a longer sequence takes several steps.
    pub(crate) const PASSED_STATES: u32 = 64;
    /// The states that an explorer expands by interpretation before machine code is made, which takes some milliseconds.
    pub(crate) const INTERPRETED_STATES: u32 = 20_000;
    /// The most edges of a model for which machine code is made: some tenths of a second. A larger model is interpreted.
    pub(crate) const MOST_TRANSLATED: usize = 5_000;
}

/// Never claims as automata.
pub(crate) mod claim {
    /// The most states of the automaton of a claim; a claim that needs more is refused.
    pub(crate) const MOST_STATES: usize = 20_000;
    /// The most statements of a sequence or a choice that a claim passes in one step; a claim with more is refused.
    /// Conditions are nested as deep.
    pub(crate) const MOST_STEPS: usize = 1_000;
}

/// Confirming runs.
pub(crate) mod validate {
    /// The most states of the automaton with which a bad prefix is confirmed; if it is larger, a prefix that the direct
    /// evaluator leaves open is not confirmed.
    pub(crate) const PREFIX_STATES: usize = 2_000;
    /// The bytes that a described step takes until it is reported: here, in the report, and as a line of a file.
    pub(crate) const BYTES_PER_STEP: u64 = 1_200;
    /// The memory limit is compared after this many further bytes.
    pub(crate) const BYTES_PER_LOOK: u64 = 1 << 18;
}

/// Mining facts; beyond these limits, fewer facts are found.
pub(crate) mod mine {
    /// The most intervals of a union; a set with more is widened to one interval.
    pub(crate) const PIECES: usize = 24;
    /// The rounds after which a growing set is widened.
    pub(crate) const WIDENING_ROUNDS: usize = 6;
    /// The evaluations of sources after which all growing sets are widened.
    pub(crate) const EVALUATIONS: usize = 1000;
    /// The most choices of intervals that are tried; then a combination counts as possible.
    pub(crate) const INTERVAL_CHOICES: usize = 500;
    /// The rounds in which sums cut domains; more may find more.
    pub(crate) const SUM_ROUNDS: usize = 6;
    /// The visits of a location after which a value that still changes is given up.
    pub(crate) const VISITS: u32 = 8;
    /// The most rounds of narrowing after something was widened. A bound needs one for each location between it and what it
    /// bounds.
    pub(crate) const NARROWINGS: usize = 50;
    /// The cells that are looked at, all steps together, before the analysis of a process is given up.
    pub(crate) const LOCATION_CELLS: usize = 2500;
    /// The most quantities of a sum that is taken apart.
    pub(crate) const TERMS: usize = 6;
    /// The statements before an assignment that are looked at: sequences can be long.
    pub(crate) const LOOK_BACK: usize = 8;
    /// The states after which the budget is asked.
    pub(crate) const STATES_PER_LOOK: usize = 256;
    /// The estimated bytes of a state apart from its own, which are kept twice.
    pub(crate) const BYTES_PER_STATE: u64 = 120;
    /// The most atoms of a combination.
    pub(crate) const LITERALS: usize = 6;
    /// The most combinations that are looked at.
    pub(crate) const CHECKS: usize = 800;
}
