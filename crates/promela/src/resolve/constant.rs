//! The values of expressions that are known before anything runs.

use super::Resolver;
use crate::ast;
use crate::codes;
use crate::typed::{BinaryOp, Expr, ExprKind, Initial, Program, UnaryOp, VarRef};
use kernel::diagnostic::Diagnostic;

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
        self.report(
            Diagnostic::error(codes::NOT_CONSTANT, span, format!("{what} must be a constant"))
                .here("depends on the state")
                .hint("use a number, a symbol or a macro (`#define`)"),
        );
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
        ExprKind::Binary(operator, left, right) => binary(*operator, value_of(left)?, value_of(right)?),
        ExprKind::Cond(condition, then, otherwise) => {
            value_of(if value_of(condition)? != 0 { then } else { otherwise })
        }
        _ => None,
    }
}

fn binary(operator: BinaryOp, a: i32, b: i32) -> Option<i32> {
    use BinaryOp as B;
    Some(match operator {
        B::Add => a.wrapping_add(b),
        B::Sub => a.wrapping_sub(b),
        B::Mul => a.wrapping_mul(b),
        B::Div if b != 0 => a.wrapping_div(b),
        B::Rem if b != 0 => a.wrapping_rem(b),
        B::Div | B::Rem => return None,
        B::Shl | B::Shr if !(0..32).contains(&b) => return None,
        B::Shl => a.wrapping_shl(b.unsigned_abs()),
        B::Shr => a >> b,
        B::BitAnd => a & b,
        B::BitOr => a | b,
        B::BitXor => a ^ b,
        B::Eq => i32::from(a == b),
        B::Ne => i32::from(a != b),
        B::Lt => i32::from(a < b),
        B::Le => i32::from(a <= b),
        B::Gt => i32::from(a > b),
        B::Ge => i32::from(a >= b),
        B::And => i32::from(a != 0 && b != 0),
        B::Or => i32::from(a != 0 || b != 0),
    })
}
