//! The values of expressions that are known before anything runs.

use super::Resolver;
use crate::arithmetic::arithmetic;
use crate::ast;
use crate::codes;
use crate::typed::{BinaryOp, Expr, ExprKind, Initial, Program, UnaryOp, VarRef};
use kernel::diagnostic::Diagnostic;
use kernel::span::Span;

impl Resolver {
    /// A constant that the text must give here; reports when it does not.
    /// Where SPIN takes the initial value of a variable, `variables` count with a warning.
    pub(super) fn constant(&mut self, expression: ast::Expr, what: &str, variables: bool) -> Option<i32> {
        let body = self.body.take();
        let typed = self.expression(expression);
        self.body = body;
        let typed = typed?;
        if let Some(value) = value_of(&typed) {
            return Some(value);
        }
        let span = typed.span;
        // Whoever writes a variable here means a constant.
        if let Some(value) = initial_value(&self.program, &typed).filter(|_| variables) {
            self.report(
                Diagnostic::warning(codes::NOT_CONSTANT, span, format!("{what} is given by a variable"))
                    .here(format!("its initial value {value} is taken"))
                    .hint("use `#define` for constants"),
            );
            return Some(value);
        }
        let finding = Diagnostic::error(codes::NOT_CONSTANT, span, format!("{what} must be a constant"));
        self.report(match division_by_zero(&typed) {
            Some(division) => finding.here("has no value").label(division, "divides by zero"),
            None => finding.here("depends on the state").hint("use a number, a symbol or a macro (`#define`)"),
        });
        None
    }
}

fn initial_value(program: &Program, expression: &Expr) -> Option<i32> {
    let ExprKind::Read(place) = &expression.kind else { return None };
    match place.base {
        VarRef::Global(id) if place.path.is_empty() => match &program.globals[id.0 as usize].initial {
            Initial::Value(value) => value_of(value),
            _ => None,
        },
        _ => None,
    }
}

/// The value of an expression, if it does not depend on the state and can be computed.
pub(crate) fn value_of(expression: &Expr) -> Option<i32> {
    match &expression.kind {
        ExprKind::Const(value) => Some(*value),
        ExprKind::Unary(operator, inner) => {
            let value = value_of(inner)?;
            Some(match operator {
                UnaryOp::Not => i32::from(value == 0),
                UnaryOp::Minus => value.wrapping_neg(),
                UnaryOp::Complement => !value,
            })
        }
        ExprKind::Binary(operator, left, right) => arithmetic(*operator, value_of(left)?, value_of(right)?),
        ExprKind::Cond(condition, then, otherwise) => {
            value_of(if value_of(condition)? != 0 { then } else { otherwise })
        }
        _ => None,
    }
}

/// The divisor that keeps an expression of constants from having a value.
fn division_by_zero(expression: &Expr) -> Option<Span> {
    match &expression.kind {
        ExprKind::Unary(_, inner) => division_by_zero(inner),
        ExprKind::Binary(operator, left, right) => match (operator, value_of(left), value_of(right)) {
            (BinaryOp::Div | BinaryOp::Rem, Some(_), Some(0)) => Some(right.span),
            _ => division_by_zero(left).or_else(|| division_by_zero(right)),
        },
        ExprKind::Cond(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().find_map(|part| division_by_zero(part))
        }
        _ => None,
    }
}
