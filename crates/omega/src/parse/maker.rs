//! The pool into which the readers put formulas: through the constructors and their identities, or exactly as the text has
//! them; and the budget of the reading.

use crate::formula::{Formula, Formulas, Node};
use kernel::budget::Budget;
use kernel::diagnostic::Diagnostic;
use kernel::span::Span;

/// A pool and the way in which formulas get into it.
pub(super) struct Maker<'a> {
    pub(super) formulas: &'a mut Formulas,
    /// Whether `!!a`, `a & a` and `F true` stay what they are, and parentheses keep a junction inside a junction apart.
    pub(super) is_verbatim: bool,
    /// The limits of the reading, if there are any.
    pub(super) budget: Option<&'a Budget>,
}

impl Maker<'_> {
    /// Ends the reading if the budget is exhausted. The caller of the reader checks the budget again and replaces the
    /// diagnostic by the limit.
    pub(super) fn check(&self, place: Span) -> Result<(), Diagnostic> {
        match self.budget.map_or(Ok(()), Budget::check) {
            Ok(()) => Ok(()),
            Err(limit) => Err(Diagnostic::error("L0100", place, limit.to_string())),
        }
    }

    /// The formula of a node.
    pub(super) fn make(&mut self, node: Node) -> Formula {
        if self.is_verbatim { self.formulas.intern(node) } else { self.formulas.make(node) }
    }
}
