//! How the readers make formulas: through the constructors and their identities, or exactly as the text has them.

use crate::formula::{Formula, Formulas, Node};

/// A pool and the way in which formulas get into it.
pub(super) struct Maker<'a> {
    pub(super) formulas: &'a mut Formulas,
    /// Whether `!!a`, `a & a` and `F true` stay what they are, and parentheses keep a junction inside a junction apart.
    pub(super) is_verbatim: bool,
}

impl Maker<'_> {
    /// The formula of a node.
    pub(super) fn make(&mut self, node: Node) -> Formula {
        if self.is_verbatim { self.formulas.intern(node) } else { self.formulas.make(node) }
    }
}
