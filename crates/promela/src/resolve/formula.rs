//! Formulas: the part of an expression that only formulas have is taken apart, down to conditions.
//!
//! `&&`, `||`, `!` and `->` split, also between plain conditions, so that atoms are as small as they
//! can be.

use super::Resolver;
use crate::ast::{self, ExprKind as A, TemporalBinary, TemporalUnary};
use crate::typed::{BinaryOp, Ltl, LtlBlock, LtlOp, UnaryOp};
use kernel::span::Span;

impl Resolver {
    /// An `ltl` block.
    pub(super) fn ltl_block(&mut self, name: Option<ast::Ident>, formula: ast::Expr, span: Span) {
        let unnamed = || format!("ltl_{}", self.program.ltl.iter().filter(|b| b.name.starts_with("ltl_")).count());
        let text = name.as_ref().map_or_else(unnamed, |name| name.name.to_string());
        if let Some(first) = self.program.ltl.iter().find(|block| block.name == text).map(|block| block.span) {
            let again = ast::Ident { name: text.as_str().into(), span: name.map_or(span, |name| name.span) };
            return self.redeclared(&again, first);
        }
        let span = name.map_or(span, |name| name.span);
        if let Some(formula) = self.formula(formula) {
            self.program.ltl.push(LtlBlock { name: text, formula, span });
        }
    }

    /// A checked formula.
    pub(crate) fn formula(&mut self, formula: ast::Expr) -> Option<Ltl> {
        self.in_property = true;
        let result = self.subformula(formula);
        self.in_property = false;
        result
    }

    fn subformula(&mut self, formula: ast::Expr) -> Option<Ltl> {
        let ast::Expr { kind, span, depth } = formula;
        let (operator, left, right) = match kind {
            A::Temporal(operator, inner) => {
                let inner = Box::new(self.subformula(*inner)?);
                return Some(match operator {
                    TemporalUnary::Always => Ltl::Always(inner),
                    TemporalUnary::Eventually => Ltl::Eventually(inner),
                    TemporalUnary::Next => Ltl::Next(inner),
                });
            }
            A::Unary(UnaryOp::Not, inner) => return Some(Ltl::Not(Box::new(self.subformula(*inner)?))),
            A::Binary(BinaryOp::And, left, right) => (LtlOp::And, left, right),
            A::Binary(BinaryOp::Or, left, right) => (LtlOp::Or, left, right),
            A::TemporalBinary(operator, left, right) => {
                let operator = match operator {
                    TemporalBinary::Implies => LtlOp::Implies,
                    TemporalBinary::Iff => LtlOp::Iff,
                    TemporalBinary::Until => LtlOp::Until,
                    TemporalBinary::Release => LtlOp::Release,
                    TemporalBinary::WeakUntil => LtlOp::WeakUntil,
                };
                (operator, left, right)
            }
            kind => return self.expression(ast::Expr { kind, span, depth }).map(Ltl::Atom),
        };
        let (left, right) = (self.subformula(*left), self.subformula(*right));
        Some(Ltl::Binary(operator, Box::new(left?), Box::new(right?)))
    }
}
