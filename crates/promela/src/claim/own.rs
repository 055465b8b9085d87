//! Variables that a claim has for itself: their values, and expressions in which they are known.
//!
//! *What.* The claim's variables take finitely many values, so they can be part of its state; then an expression over
//! them and the model's variables becomes one over the model's alone. [`Own`] reads and writes the values, and
//! [`substitute`](Own::substitute) puts them in.
//!
//! *Contract.* Values are cut to the type of their variable. What becomes constant is folded, except a division by zero.
//! Expressions are nested no deeper than the parser allows.
//!
//! *Tested by* claims that count, compared with formulas, in the tests of the tool.

use crate::arithmetic::arithmetic;
use crate::named;
use crate::typed::{BinaryOp, Expr, ExprKind, Initial, LocalId, Place, Proc, Type, UnaryOp, VarRef};

/// The values of a claim's variables, in the order of their declaration.
pub(super) type Values = Vec<i32>;

/// The variables of a claim.
pub(super) struct Own<'p> {
    proc: &'p Proc,
}

impl<'p> Own<'p> {
    /// The variables of a claim and their first values.
    ///
    /// # Errors
    /// If there are some whose values cannot be part of the state, with their name.
    pub(super) fn of(proc: &'p Proc) -> Result<(Self, Values), String> {
        let own = Self { proc };
        let mut values = Values::new();
        for variable in &proc.locals {
            let refuse = |what: &str| Err(format!("the claim's variable `{}` {what}", variable.name));
            if variable.len.is_some() || matches!(variable.ty, Type::Record(_) | Type::Chan) {
                return refuse("is more than a number");
            }
            let value = match &variable.initial {
                Initial::Default => 0,
                Initial::Value(expr) => match constant(&own.substitute(expr, &values)?) {
                    Some(value) => fit(&variable.ty, value),
                    None => return refuse("begins with a value of the model; assign it in a statement"),
                },
                Initial::List(_) | Initial::Channel(_) => return refuse("is more than a number"),
            };
            values.push(value);
        }
        Ok((own, values))
    }

    /// The variable at a place, if it is one of the claim's.
    pub(super) fn variable(place: &Place) -> Option<LocalId> {
        match place.base {
            VarRef::Local(id) => Some(id),
            VarRef::Global(_) | VarRef::Scratch => None,
        }
    }

    /// The cases of assigning an expression without own variables to an own variable: a condition and a value for each.
    /// A value that is not known before the model moves is one of 256 at most.
    pub(super) fn assigned(&self, variable: LocalId, value: &Expr) -> Option<Vec<(Expr, i32)>> {
        let ty = &self.proc.locals[variable.0 as usize].ty;
        if let Some(value) = constant(value) {
            return Some(vec![(truth(true, self.proc.span), fit(ty, value))]);
        }
        let bits = match ty {
            Type::Bit | Type::Bool => 1,
            Type::Byte | Type::Pid | Type::Mtype(_) => 8,
            Type::Unsigned(bits) if *bits <= 8 => u32::from(*bits),
            _ => return None,
        };
        let bit = |number: u32| {
            let shifted = binary(BinaryOp::Shr, value.clone(), number_of(number.cast_signed(), value));
            binary(BinaryOp::BitAnd, shifted, number_of(1, value))
        };
        let way = |result: i32| {
            let is = |number: u32| if result >> number & 1 == 1 { bit(number) } else { not(bit(number)) };
            ((0..bits).fold(truth(true, value.span), |all, number| and(all, is(number))), result)
        };
        Some((0..1 << bits).map(way).collect())
    }

    /// An expression with the values of the claim's variables put in.
    ///
    /// # Errors
    /// If a variable stands where it cannot be replaced, such as inside a test of a channel.
    pub(super) fn substitute(&self, expr: &Expr, values: &[i32]) -> Result<Expr, String> {
        let kind = match &expr.kind {
            ExprKind::Read(place) if Self::variable(place).is_some() && place.path.is_empty() => {
                let id = Self::variable(place).expect("a variable of the claim");
                ExprKind::Const(values.get(id.0 as usize).copied().unwrap_or(0))
            }
            ExprKind::Unary(op, inner) => return Ok(unary(*op, self.substitute(inner, values)?)),
            ExprKind::Binary(op, left, right) => {
                return Ok(binary(*op, self.substitute(left, values)?, self.substitute(right, values)?));
            }
            ExprKind::Cond(test, yes, no) => {
                let parts = [test, yes, no].map(|part| self.substitute(part, values).map(Box::new));
                let [test, yes, no] = parts;
                ExprKind::Cond(test?, yes?, no?)
            }
            kind => {
                let mut is_own = false;
                named::visit(expr, &mut |part| {
                    is_own |= matches!(&part.kind, ExprKind::Read(place) if Self::variable(place).is_some());
                });
                if is_own {
                    return Err("a variable of the claim stands inside an index, a test or a reference".into());
                }
                kind.clone()
            }
        };
        Ok(Expr { kind, span: expr.span })
    }
}

/// What an assignment keeps of a value.
fn fit(ty: &Type, value: i32) -> i32 {
    match ty {
        Type::Bit | Type::Bool => value & 1,
        Type::Byte | Type::Pid | Type::Mtype(_) => value & 0xff,
        Type::Short => value << 16 >> 16,
        Type::Unsigned(bits @ 1..=31) => value & (i32::MAX >> (31 - bits)),
        Type::Int | Type::Unsigned(_) | Type::Chan | Type::Record(_) => value,
    }
}

/// The value of an expression that is a constant.
pub(super) fn constant(expr: &Expr) -> Option<i32> {
    match expr.kind {
        ExprKind::Const(value) => Some(value),
        _ => None,
    }
}

fn number_of(value: i32, near: &Expr) -> Expr {
    Expr { kind: ExprKind::Const(value), span: near.span }
}

/// A constant condition.
pub(super) fn truth(value: bool, span: kernel::span::Span) -> Expr {
    Expr { kind: ExprKind::Const(i32::from(value)), span }
}

fn unary(op: UnaryOp, inner: Expr) -> Expr {
    let span = inner.span;
    let kind = match (op, constant(&inner)) {
        (UnaryOp::Not, Some(value)) => ExprKind::Const(i32::from(value == 0)),
        (UnaryOp::Minus, Some(value)) => ExprKind::Const(value.wrapping_neg()),
        (UnaryOp::Complement, Some(value)) => ExprKind::Const(!value),
        (op, None) => ExprKind::Unary(op, Box::new(inner)),
    };
    Expr { kind, span }
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span;
    let kind = match (op, constant(&left), constant(&right)) {
        (BinaryOp::And, Some(0), _) => ExprKind::Const(0),
        (BinaryOp::Or, Some(value), _) if value != 0 => ExprKind::Const(1),
        (op, Some(left), Some(right)) if arithmetic(op, left, right).is_some() => {
            ExprKind::Const(arithmetic(op, left, right).unwrap_or(0))
        }
        _ => ExprKind::Binary(op, Box::new(left), Box::new(right)),
    };
    Expr { kind, span }
}

/// The negation of a condition.
pub(super) fn not(condition: Expr) -> Expr {
    unary(UnaryOp::Not, condition)
}

/// The conjunction of two conditions.
pub(super) fn and(left: Expr, right: Expr) -> Expr {
    match (constant(&left), constant(&right)) {
        (Some(0), _) | (_, Some(1..)) => left,
        (Some(_), _) | (_, Some(0)) => right,
        _ => binary(BinaryOp::And, left, right),
    }
}

/// The disjunction of two conditions.
pub(super) fn or(left: Expr, right: Expr) -> Expr {
    match (constant(&left), constant(&right)) {
        (Some(0), _) => right,
        (_, Some(0)) | (Some(_), _) => left,
        (_, Some(_)) => right,
        _ => binary(BinaryOp::Or, left, right),
    }
}
