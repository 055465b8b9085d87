//! What went wrong in a step.

use crate::typed::StmtId;

/// The two kinds of faults of a step, as the kernel defines them.
pub use kernel::system::Fault as FaultKind;

/// Something that went wrong while a step was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Whether the run can go on.
    pub kind: FaultKind,
    /// What happened, in one line.
    pub message: String,
    /// The statement; `None` while an expression is evaluated apart from any statement.
    pub at: Option<StmtId>,
}

impl Fault {
    /// A run-time error.
    pub(super) fn runtime(message: impl Into<String>) -> Self {
        Self { kind: FaultKind::Runtime, message: message.into(), at: None }
    }

    /// A false assertion.
    pub(super) fn assertion(message: impl Into<String>) -> Self {
        Self { kind: FaultKind::Assertion, message: message.into(), at: None }
    }

    /// The same, at a statement, unless a more exact one is known already.
    pub(super) fn at(mut self, stmt: StmtId) -> Self {
        self.at.get_or_insert(stmt);
        self
    }
}
