//! The kinds of failures of a translation; reports count each kind separately.

/// The kinds of failures to produce an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FailureKind {
    /// It did not end within the time limit and was killed; one of ours was given up.
    TimeOut,
    /// It ran into the memory limit.
    Memory,
    /// It was ended by a signal; for one of ours: it panicked.
    Crash,
    /// It ended by itself with an exit code other than 0.
    ExitCode,
    /// It ended well but wrote nothing.
    NoOutput,
    /// It wrote more than anybody would read.
    TooMuchOutput,
    /// The output is not an automaton in a known format.
    Unreadable,
    /// The output cannot be the automaton of the formula: it has other propositions, or contains several automata.
    Nonsensical,
    /// The command could not be started.
    NotStarted,
    /// One of ours stopped at its limit.
    TooLarge,
    /// The formula has an operator that the translator does not support. This is not counted as wrong.
    Unsupported,
    /// The translator was disabled. This is not counted at all.
    Disabled,
}

impl FailureKind {
    /// All kinds, in the order of reports.
    pub const ALL: [FailureKind; 12] = [
        FailureKind::TimeOut,
        FailureKind::Memory,
        FailureKind::Crash,
        FailureKind::ExitCode,
        FailureKind::NoOutput,
        FailureKind::TooMuchOutput,
        FailureKind::Unreadable,
        FailureKind::Nonsensical,
        FailureKind::NotStarted,
        FailureKind::TooLarge,
        FailureKind::Unsupported,
        FailureKind::Disabled,
    ];

    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::TimeOut => "time-out",
            FailureKind::Memory => "memory",
            FailureKind::Crash => "crash",
            FailureKind::ExitCode => "exit-code",
            FailureKind::NoOutput => "no-output",
            FailureKind::TooMuchOutput => "too-much-output",
            FailureKind::Unreadable => "unreadable",
            FailureKind::Nonsensical => "nonsensical",
            FailureKind::NotStarted => "not-started",
            FailureKind::TooLarge => "too-large",
            FailureKind::Unsupported => "unsupported",
            FailureKind::Disabled => "disabled",
        }
    }
}

/// A failure to produce an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind.
    pub kind: FailureKind,
    /// Details for the user.
    pub detail: String,
    /// The exit code or the number of the signal.
    pub code: Option<i32>,
}

impl FailureKind {
    /// Whether it says nothing against the translator.
    #[must_use]
    pub fn is_excused(self) -> bool {
        matches!(self, FailureKind::Unsupported | FailureKind::Disabled)
    }
}

impl Failure {
    /// A failure without a code.
    pub fn new(kind: FailureKind, detail: impl Into<String>) -> Self {
        Failure { kind, detail: detail.into(), code: None }
    }
}
