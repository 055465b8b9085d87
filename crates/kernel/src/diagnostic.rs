//! What is wrong with a text, as data. Rendering is the tool's business.

use crate::span::Span;

/// How grave a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; the text is accepted.
    Warning,
    /// The text is not accepted.
    Error,
}

/// A place, and what to say about it there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What to say; may be empty.
    pub text: String,
}

/// One finding about a text.
///
/// ```
/// use kernel::diagnostic::{Diagnostic, Severity};
/// use kernel::span::{FileId, Span};
///
/// let place = Span::new(FileId(0), 4, 7);
/// let finding = Diagnostic::error("P0201", place, "no variable `cuont` in scope")
///     .hint("did you mean `count`?");
/// assert_eq!(finding.severity, Severity::Error);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// A stable code, such as `P0107`; each is explained in the documents.
    pub code: &'static str,
    /// How grave it is.
    pub severity: Severity,
    /// The finding in one sentence, without a full stop.
    pub message: String,
    /// Where it is, and what to say right there.
    pub primary: Label,
    /// Other places that matter, such as the definition of what is misused.
    pub secondary: Vec<Label>,
    /// Reasons and background.
    pub notes: Vec<String>,
    /// How to mend it.
    pub hints: Vec<String>,
}

impl Diagnostic {
    /// An error at a place.
    #[must_use]
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message.into())
    }

    /// A warning at a place.
    #[must_use]
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message.into())
    }

    fn new(severity: Severity, code: &'static str, span: Span, message: String) -> Self {
        Self {
            code,
            severity,
            message,
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            notes: Vec::new(),
            hints: Vec::new(),
        }
    }

    /// Says something right at the primary place.
    #[must_use]
    pub fn here(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Points at another place.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a reason.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds a way to mend it.
    #[must_use]
    pub fn hint(mut self, text: impl Into<String>) -> Self {
        self.hints.push(text.into());
        self
    }
}
