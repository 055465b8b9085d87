//! The exit codes: part of the contract with scripts, listed in `docs/json.md`.

/// What a command comes to; the number is the exit code of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Every property holds; or, where there is nothing to verify, done.
    Holds = 0,
    /// Some property is violated; or the question asked has the answer no.
    Violated = 1,
    /// Undecided: a limit was reached, or a property cannot be checked yet.
    Unknown = 2,
    /// The command line is wrong, or a file cannot be read or written.
    Usage = 3,
    /// The model or the formula is wrong.
    Input = 4,
    /// A bug in Lariat.
    Bug = 5,
}

impl Exit {
    /// The exit with this code.
    pub(crate) fn of_code(code: i32) -> Option<Self> {
        let known = [Self::Holds, Self::Violated, Self::Unknown, Self::Usage, Self::Input, Self::Bug];
        known.into_iter().find(|exit| *exit as i32 == code)
    }
}

/// A command that cannot go on: what to say on standard error, and how to exit.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) message: String,
    /// Rendered diagnostics, shown before the message.
    pub(crate) details: String,
}

impl Failure {
    /// A failure without details.
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), details: String::new() }
    }

    /// A wrong command line, or error with a file.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// A wrong model or trace.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::new(Exit::Input, message)
    }

    /// Our own fault.
    pub(crate) fn bug(message: impl Into<String>) -> Self {
        Self::new(Exit::Bug, message)
    }
}
