//! The thresholds of each stage of a check, in one place.
//!
//! No threshold changes a verdict to a wrong one. Each comment says what happens when it is reached. How these shares of the
//! time limit fit together is a table in ARCHITECTURE.md.

/// Shares of the time.
pub(crate) mod time {
    use search::shorten::{Patience, Spent};
    use std::time::Duration;

    /// What is spent on the search for a shorter counterexample, unless the options insist on a shortest one or accept the
    /// first: half of what finding it took, and at least so many expansions and transitions. Finding includes the search for
    /// violations of other kinds. The clock ends only searches of models whose steps take long.
    pub(crate) const PATIENCE: Patience =
        Patience { share: 0.5, least: Spent { time: Duration::from_secs(2), effort: LEAST_EFFORT } };
    /// The effort within which the counterexamples of small models are proved shortest; less than a tenth of a second. It was chosen
    /// by the violated models of the corpus (decision 0020).
    const LEAST_EFFORT: u64 = 300_000;
    /// What remains to be done at a limit is still done if it takes no longer than this: compiling the model, confirming a
    /// violation that was found.
    pub(crate) const FINISHING_GRACE: Duration = Duration::from_millis(300);
    /// The time in which automata are reduced and refined at first, unless the time limit is near: a larger automaton that
    /// is searched now may find a violation before a smaller one is ready.
    pub(crate) const PREPARATION: Duration = Duration::from_secs(1);
    /// The part of the remaining time that the first preparation may take, as a divisor.
    pub(crate) const PREPARATION_SHARE: u32 = 4;
    /// The time in which the unreduced automaton is searched before the preparation is resumed without a limit of its own.
    pub(crate) const UNREDUCED_SEARCH: Duration = Duration::from_secs(10);
    /// The time in which a property must be proved stutter-invariant; otherwise the model is not reduced for it.
    pub(crate) const INVARIANCE: Duration = Duration::from_secs(1);
    /// The part of the remaining time that the search for a shorter run than that of a reduced search may take, as a
    /// divisor.
    pub(crate) const SHORTENING_SHARE: u32 = 4;
    /// The time that SAT has for each of several properties of an SMV model in the first round, before the others have
    /// their turns; four times as much in the next.
    pub(crate) const SAT_ROUND: Duration = Duration::from_secs(1);
    /// The time that decision diagrams have for an SMV model before SAT begins beside them. Most models are decided by then.
    pub(crate) const GRACE: Duration = Duration::from_millis(100);
    /// The same where some property is outside the reach of SAT, so that diagrams must decide it in any case.
    pub(crate) const GRACE_IF_OUTSIDE: Duration = Duration::from_secs(1);
    /// The longest time that decision diagrams have after SAT has decided all properties that a model states, if they do not
    /// reach the work below: much longer than that work takes on a busy machine.
    pub(crate) const LONGEST_REST: Duration = Duration::from_secs(20);
}

/// Work of decision diagrams beside SAT, in units of `kernel::budget::Meter`. It is counted, so that a report depends on the
/// model and not on what else the machine does.
pub(crate) mod race {
    /// The work that diagrams may do for every model, whatever SAT has found by then: about a fifth of a second.
    pub(crate) const OWED: u64 = 1_000_000;
    /// The same where `deadlock` or `fairness` is open, which diagrams alone decide: about two seconds.
    pub(crate) const OWED_IF_OPEN: u64 = 10_000_000;
}

/// Sentences.
pub(crate) mod sentences {
    /// The most values in a sentence; further ones are left out.
    pub(crate) const MOST_VALUES: usize = 8;
}

/// Safety properties of Promela models.
pub(crate) mod safety {
    /// The transitions that are taken after a violation to decide the other properties, unless told otherwise: as many as take
    /// a moment. Properties that are still open then are unknown.
    pub(crate) const TRANSITIONS_AFTER_VIOLATION: u64 = 60_000;
    /// Counterexamples of one kind that are shown if all violations are wanted; further ones are counted.
    pub(crate) const MOST_ERRORS: usize = 100;
    /// Runs that never leave an atomic sequence are searched with at least this many transitions, even if the search that
    /// decided the property took fewer.
    pub(crate) const LEAST_TRANSITIONS: u64 = 1_000_000;
}

/// Temporal properties of Promela models.
pub(crate) mod temporal {
    /// The most states of a tight automaton; without one, the shortest run among all that violate the formula is not known.
    pub(crate) const TIGHT_STATES: usize = 20_000;
    /// The most states with which mined facts are compared; they are all kept. Beyond them, facts are not confirmed.
    pub(crate) const STATES_FOR_FACTS: usize = 2_000_000;
    /// Lassos through accepting states that are shown, the shortest ones; further ones are counted.
    pub(crate) const MOST_LASSOS: usize = 100;
    /// The processes that weak fairness distinguishes in a model that creates processes while it runs; with more, the
    /// property is unknown.
    pub(crate) const MOST_PROCESSES: u32 = 96;
    /// The rounds of a loop that are followed; a run whose loop has not closed then is not trimmed.
    pub(crate) const MOST_TURNS: usize = 100;
}

/// Reports.
pub(crate) mod report {
    /// The most lines of a proof; further ones are left out.
    pub(crate) const MOST_LINES: usize = 200;
    /// The most characters of a statement in the steps of a run; the rest is cut off.
    pub(crate) const RECORDED_STATEMENT: usize = 200;
    /// The most characters of a statement in a message; the rest is cut off.
    pub(crate) const LONGEST_STATEMENT: usize = 60;
    /// The most characters of a message; the rest is cut off.
    pub(crate) const LONGEST_MESSAGE: usize = 300;
}

/// Shortest traces of SMV models; beyond these limits, a trace is not proved shortest.
pub(crate) mod smv {
    /// The most states of an automaton.
    pub(crate) const AUTOMATON_STATES: usize = 2_000;
    /// The most acceptance sets that a lasso visits.
    pub(crate) const MOST_SETS: usize = 20;
    /// The deepest nesting of past operators.
    pub(crate) const PAST_DEPTH: usize = 3;
    /// The most states that are listed.
    pub(crate) const LISTED_STATES: usize = 5_000;
    /// The most transitions of the model that are looked at.
    pub(crate) const LISTED_STEPS: usize = 100_000;
    /// The most pairs of a listed state and a state of the automaton.
    pub(crate) const PRODUCT_NODES: usize = 60_000;
    /// The most edges between pairs.
    pub(crate) const PRODUCT_EDGES: usize = 1_000_000;
    /// The most edges that a search of the product looks at.
    pub(crate) const PRODUCT_WORK: u64 = 4_000_000;
    /// The most gates of a circuit that is laid out in time.
    pub(crate) const UNROLLED_GATES: u64 = 20_000_000;
    /// The most times that the solver asks whether it may continue, once in 16 decisions, multiplied with the gates that
    /// are laid out: a decision takes longer in a larger circuit. About two seconds.
    pub(crate) const UNROLLED_WORK: u64 = 100_000_000;
    /// The same for stripping a counterexample by SAT, with the gates of the circuit. About a quarter of a second, where products make queries hard.
    pub(crate) const STRIPPING_WORK: u64 = 1_250_000;
    /// The same in a small circuit, not multiplied.
    pub(crate) const STRIPPING_CHECKS: u64 = 200_000;
}
