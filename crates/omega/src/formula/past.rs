//! The constructors of the operators of the past, with the identities that [`super`] lists.

use super::{Formula, Formulas, Node};

impl Formulas {
    /// `Y a`
    pub fn previously(&mut self, a: Formula) -> Formula {
        if a == Formula::FALSE { a } else { self.intern(Node::Previously(a)) }
    }

    /// `Z a`
    pub fn weak_previously(&mut self, a: Formula) -> Formula {
        if a == Formula::TRUE { a } else { self.intern(Node::WeakPreviously(a)) }
    }

    /// `O a`
    pub fn once(&mut self, a: Formula) -> Formula {
        match self.node(a) {
            Node::True | Node::False | Node::Once(_) => a,
            _ => self.intern(Node::Once(a)),
        }
    }

    /// `H a`
    pub fn historically(&mut self, a: Formula) -> Formula {
        match self.node(a) {
            Node::True | Node::False | Node::Historically(_) => a,
            _ => self.intern(Node::Historically(a)),
        }
    }

    /// `a S b`
    pub fn since(&mut self, a: Formula, b: Formula) -> Formula {
        match (a, b) {
            _ if a == b || b.is_constant() || a == Formula::FALSE => b,
            (Formula::TRUE, _) => self.once(b),
            _ => self.intern(Node::Since(a, b)),
        }
    }

    /// `a T b`
    pub fn triggered(&mut self, a: Formula, b: Formula) -> Formula {
        match (a, b) {
            _ if a == b || b.is_constant() || a == Formula::TRUE => b,
            (Formula::FALSE, _) => self.historically(b),
            _ => self.intern(Node::Triggered(a, b)),
        }
    }
}
