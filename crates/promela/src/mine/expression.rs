//! What the value of an expression can be, given what variables can hold.
//!
//! *Contract.* The set contains the value in every state in which the variables hold what the
//! environment says; a run-time error has no value, so that the empty set means that every evaluation is an error.
//! Small sets are combined number by number, larger ones by their least and greatest numbers. Recursion is as deep as
//! expressions, which are bounded.

use super::guard::narrow;
use super::range::RangeSet;
use super::value::Values;
use crate::typed::{BinaryOp, Expr, ExprKind, Type, UnaryOp};
use std::collections::BTreeMap;

/// Up to how many numbers are combined one by one.
const FEW: i64 = 8;

/// Up to how many pairs of them.
const PAIRS: i64 = 16;

/// What variables can hold.
#[derive(Clone, Copy)]
pub(super) struct Environment<'e, 'p> {
    /// Whenever.
    pub(super) values: &'e Values<'p>,
    /// The definition that local variables belong to.
    pub(super) proc: Option<usize>,
    /// Where something more is known of some cells.
    pub(super) here: Option<&'e BTreeMap<usize, RangeSet>>,
}

impl Environment<'_, '_> {
    /// What the value of an expression can be.
    pub(super) fn evaluate(&self, expr: &Expr) -> RangeSet {
        match &expr.kind {
            ExprKind::Const(value) => RangeSet::one(i64::from(*value)),
            ExprKind::Read(place) => match self.values.cell(self.proc, place) {
                Some(cell) => {
                    let here = self.here.and_then(|here| here.get(&cell));
                    here.unwrap_or(&self.values.cells[cell].values).clone()
                }
                None => RangeSet::int(),
            },
            // Zero if there is no such process.
            ExprKind::RemoteRead(of, _, place) => match self.values.cell(Some(of.0 as usize), place) {
                Some(cell) => self.values.cells[cell].values.union(&RangeSet::one(0)),
                None => RangeSet::int(),
            },
            ExprKind::Unary(operator, inner) => unary(*operator, &self.evaluate(inner)),
            // The second operand counts only where it is looked at: elsewhere it cannot fail.
            ExprKind::Binary(operator @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let first = truths(&self.evaluate(left));
                let settled = RangeSet::one(i64::from(*operator == BinaryOp::Or));
                if first.is_subset(&settled) {
                    return first;
                }
                first.intersect(&settled).union(&truths(&self.evaluate(right)))
            }
            ExprKind::Binary(operator, left, right) => binary(*operator, &self.evaluate(left), &self.evaluate(right)),
            ExprKind::Cond(condition, then, otherwise) => {
                let value = self.evaluate(condition);
                let mut result = RangeSet::empty();
                if value.hull().is_some_and(|hull| hull != (0, 0)) {
                    result = result.union(&self.evaluate_where(condition, true, then));
                }
                if value.contains(0) {
                    result = result.union(&self.evaluate_where(condition, false, otherwise));
                }
                result
            }
            ExprKind::Poll { .. } | ExprKind::ChannelTest(..) | ExprKind::Timeout | ExprKind::NonProgress => truth(),
            ExprKind::Enabled(_) | ExprKind::RemoteLabel(..) | ExprKind::Acceptance => truth(),
            ExprKind::Len(_) => RangeSet::new(0, 65_535),
            ExprKind::GetPriority(_) => RangeSet::new(0, 255),
            ExprKind::Pid | ExprKind::NrPr | ExprKind::Last | ExprKind::PcValue(_) | ExprKind::Run(..) => {
                RangeSet::new(0, i64::from(i32::MAX))
            }
            ExprKind::SetPriority(..) => RangeSet::int(),
        }
    }
}

impl Environment<'_, '_> {
    /// What variables hold where a condition holds, or does not; nothing where that cannot be.
    pub(super) fn assuming(&self, condition: &Expr, holds: bool) -> Option<BTreeMap<usize, RangeSet>> {
        let mut here = self.here.cloned().unwrap_or_default();
        narrow(self.values, self.proc, &mut here, condition, holds, |_| true);
        (!here.values().any(RangeSet::is_empty)).then_some(here)
    }

    /// What the value of an expression can be where a condition holds, or does not.
    fn evaluate_where(&self, condition: &Expr, holds: bool, expr: &Expr) -> RangeSet {
        match self.assuming(condition, holds) {
            Some(here) => Environment { here: Some(&here), ..*self }.evaluate(expr),
            None => RangeSet::empty(),
        }
    }
}

fn truth() -> RangeSet {
    RangeSet::new(0, 1)
}

/// What numbers are as truth values: 0 for 0, 1 for all others.
fn truths(values: &RangeSet) -> RangeSet {
    let others = values.hull().is_some_and(|hull| hull != (0, 0));
    RangeSet::new(i64::from(!values.contains(0)), i64::from(others))
}

/// The values of a type.
pub(super) fn range_of(ty: &Type) -> RangeSet {
    match ty {
        Type::Bit | Type::Bool => truth(),
        Type::Byte | Type::Pid | Type::Mtype(_) => RangeSet::new(0, 255),
        Type::Short => RangeSet::new(-32_768, 32_767),
        Type::Unsigned(bits) if *bits < 32 => RangeSet::new(0, (1 << bits) - 1),
        Type::Unsigned(_) | Type::Int | Type::Chan | Type::Record(_) => RangeSet::int(),
    }
}

/// What a variable of a type holds after it was assigned one of some values.
pub(super) fn fit(ty: &Type, values: &RangeSet) -> RangeSet {
    let range = range_of(ty);
    if values.is_subset(&range) {
        return values.clone();
    }
    let Some(few) = values.few(FEW) else { return range };
    let cut = |value: i64| match ty {
        Type::Bit | Type::Bool => value & 1,
        Type::Byte | Type::Pid | Type::Mtype(_) => value & 0xff,
        Type::Short => i64::from(value as i16),
        Type::Unsigned(bits) if *bits < 32 => value & ((1 << bits) - 1),
        _ => i64::from(value as i32),
    };
    RangeSet::of(few.into_iter().map(cut).collect())
}

fn unary(operator: UnaryOp, inner: &RangeSet) -> RangeSet {
    match operator {
        UnaryOp::Minus => within_int(&inner.negate()),
        UnaryOp::Complement => within_int(&inner.negate().shift(-1)),
        UnaryOp::Not => truths(inner).negate().shift(1),
    }
}

/// The set itself, or all 32-bit values where the calculation may wrap around.
fn within_int(values: &RangeSet) -> RangeSet {
    if values.is_subset(&RangeSet::int()) { values.clone() } else { RangeSet::int() }
}

fn binary(operator: BinaryOp, left: &RangeSet, right: &RangeSet) -> RangeSet {
    let (Some((a, b)), Some((c, d))) = (left.hull(), right.hull()) else { return RangeSet::empty() };
    if let ([(l, same)], [(r, also)]) = (left.pieces(), right.pieces())
        && (l, r) == (same, also)
    {
        return exact(operator, *l, *r).map_or_else(RangeSet::empty, RangeSet::one);
    }
    if left.len().saturating_mul(right.len()) <= PAIRS
        && let (Some(left), Some(right)) = (left.few(FEW), right.few(FEW))
    {
        let pairs = left.iter().flat_map(|l| right.iter().map(move |r| (*l, *r)));
        return RangeSet::of(pairs.filter_map(|(l, r)| exact(operator, l, r)).collect());
    }
    use BinaryOp as B;
    match operator {
        B::Add => within_int(&RangeSet::new(a + c, b + d)),
        B::Sub => within_int(&RangeSet::new(a - d, b - c)),
        B::Mul => {
            let corners = [a * c, a * d, b * c, b * d];
            let (low, high) = corners.iter().fold((i64::MAX, i64::MIN), |(l, h), v| (l.min(*v), h.max(*v)));
            within_int(&RangeSet::new(low, high))
        }
        B::Div if c > 0 && a >= 0 => RangeSet::new(a / d, b / c),
        B::Rem if c > 0 => RangeSet::new(if a < 0 { 1 - d } else { 0 }, (d - 1).min(b.max(0))),
        B::BitAnd if a >= 0 || c >= 0 => {
            let bound = if a >= 0 && c >= 0 {
                b.min(d)
            } else if a >= 0 {
                b
            } else {
                d
            };
            RangeSet::new(0, bound)
        }
        B::Div | B::Rem | B::BitAnd | B::BitOr | B::BitXor | B::Shl | B::Shr => RangeSet::int(),
        B::Lt if b < c => RangeSet::one(1),
        B::Lt if a >= d => RangeSet::one(0),
        B::Le if b <= c => RangeSet::one(1),
        B::Le if a > d => RangeSet::one(0),
        B::Gt if a > d => RangeSet::one(1),
        B::Gt if b <= c => RangeSet::one(0),
        B::Ge if a >= d => RangeSet::one(1),
        B::Ge if b < c => RangeSet::one(0),
        B::Eq if left.intersect(right).is_empty() => RangeSet::one(0),
        B::Ne if left.intersect(right).is_empty() => RangeSet::one(1),
        B::Eq | B::Ne | B::Lt | B::Le | B::Gt | B::Ge | B::And | B::Or => truth(),
    }
}

/// The value for two numbers; none where there is an error.
fn exact(operator: BinaryOp, left: i64, right: i64) -> Option<i64> {
    let (left, right) = (left as i32, right as i32);
    crate::arithmetic::arithmetic(operator, left, right).map(i64::from)
}
