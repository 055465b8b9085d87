//! What one edge of a control-flow graph demands of scalar variables, and how it changes them.

use crate::flow::{EdgeAction, Inner, Node};
use crate::typed::{BinaryOp, Expr, ExprKind, Pattern, Place, StmtKind, Type, UnaryOp, VarRef};

/// The effect of an edge, as far as termination depends on it.
#[derive(Debug, Default)]
pub(super) struct Effect {
    /// The scalar variables that the edge changes, with the constant that it adds; none for any other change.
    changes: Vec<(VarRef, Option<i64>)>,
    /// What the edge demands.
    pub(super) limits: Vec<Limit>,
    /// True if the edge may be part of a rendezvous.
    pub(super) hands_over: bool,
}

/// That a variable has not reached a limit.
#[derive(Debug)]
pub(super) struct Limit {
    pub(super) variable: VarRef,
    pub(super) kind: LimitKind,
    /// The last value of the variable that the edge can allow.
    last: i64,
    /// The least and the greatest value of the variable's type.
    range: (i64, i64),
    /// The variables on which the limit depends.
    pub(super) reads: Vec<VarRef>,
}

/// How a variable is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LimitKind {
    /// By values that are too large.
    Above,
    /// By values that are too small.
    Below,
    /// By this value alone.
    Value(i64),
}

impl LimitKind {
    /// True if a variable approaches the limit whenever one of these constants is added.
    pub(super) fn is_approached_by(self, added: &[i64]) -> bool {
        match self {
            LimitKind::Above => added.iter().all(|value| *value > 0),
            LimitKind::Below => added.iter().all(|value| *value < 0),
            // Steps of 1 miss no value, even if the variable overflows.
            LimitKind::Value(_) => matches!(added, [1 | -1]),
        }
    }
}

impl Limit {
    /// True if the variable, while it is within the limit, does not overflow when this constant is added.
    pub(super) fn excludes_overflow(&self, added: i64) -> bool {
        let (least, greatest) = self.range;
        match self.kind {
            LimitKind::Above => self.last + added <= greatest,
            LimitKind::Below => self.last + added >= least,
            LimitKind::Value(value) => (least..=greatest).contains(&value),
        }
    }
}

impl Effect {
    /// True if the edge changes this variable.
    pub(super) fn writes(&self, variable: VarRef) -> bool {
        self.changes.iter().any(|(changed, _)| *changed == variable)
    }

    /// The constant that the edge adds to a variable that it changes; none if the change is another one.
    pub(super) fn added(&self, variable: VarRef) -> Option<i64> {
        let mut own = self.changes.iter().filter(|(changed, _)| *changed == variable);
        match (own.next(), own.next()) {
            (Some((_, added)), None) => *added,
            _ => None,
        }
    }

    fn assign(&mut self, place: &Place, added: Option<i64>) {
        // No limit is about elements and fields.
        if place.path.is_empty() {
            self.changes.push((place.base, added));
        }
    }

    fn execute(&mut self, statement: &StmtKind) {
        match statement {
            StmtKind::Assign(place, value) => self.assign(place, added(place, value)),
            StmtKind::AssignAll(place, _) => self.assign(place, None),
            StmtKind::Receive { pattern, .. } => {
                self.hands_over = true;
                for field in pattern {
                    if let Pattern::Bind(place) = field {
                        self.assign(place, None);
                    }
                }
            }
            StmtKind::Send { .. } => self.hands_over = true,
            _ => {}
        }
    }

    fn execute_d_step(&mut self, inner: &Inner<'_>) {
        for statement in inner.nodes.iter().flatten().filter_map(|edge| edge.statement) {
            self.execute(&statement.kind);
        }
        // The analysis does not determine how often a statement of a `d_step` is executed.
        self.changes.iter_mut().for_each(|(_, added)| *added = None);
    }
}

/// The effect of an edge of a node.
pub(super) fn effect(node: &Node<'_>, index: usize) -> Effect {
    let edge = &node.edges[index];
    let mut effect = Effect::default();
    match &edge.action {
        EdgeAction::Basic(statement) => {
            effect.execute(&statement.kind);
            match &statement.kind {
                StmtKind::Expr(condition) => demand(condition, true, &mut effect.limits),
                StmtKind::Else => {
                    // No condition before the `else` is true.
                    for other in node.edges[..index].iter().filter(|other| other.group == edge.group) {
                        if let EdgeAction::Basic(statement) = &other.action
                            && let StmtKind::Expr(condition) = &statement.kind
                        {
                            demand(condition, false, &mut effect.limits);
                        }
                    }
                }
                _ => {}
            }
        }
        EdgeAction::DStep(_, inner) => effect.execute_d_step(inner),
        EdgeAction::Jump(_) | EdgeAction::Exit(_) | EdgeAction::Terminate => {}
    }
    effect
}

/// Adds the limits that follow from the truth of a condition.
fn demand(condition: &Expr, truth: bool, limits: &mut Vec<Limit>) {
    match &condition.kind {
        ExprKind::Unary(UnaryOp::Not, operand) => demand(operand, !truth, limits),
        ExprKind::Binary(BinaryOp::And, left, right) if truth => {
            demand(left, true, limits);
            demand(right, true, limits);
        }
        ExprKind::Binary(BinaryOp::Or, left, right) if !truth => {
            demand(left, false, limits);
            demand(right, false, limits);
        }
        ExprKind::Binary(operator, left, right) => {
            if let Some(operator) = comparison(*operator, truth) {
                limits.extend(limit(left, operator, right));
                limits.extend(limit(right, mirrored(operator), left));
            }
        }
        _ => {}
    }
}

/// The comparison that is true if this one has a truth value.
fn comparison(operator: BinaryOp, truth: bool) -> Option<BinaryOp> {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    let opposite = match operator {
        Lt => Ge,
        Le => Gt,
        Gt => Le,
        Ge => Lt,
        Eq => Ne,
        Ne => Eq,
        _ => return None,
    };
    Some(if truth { operator } else { opposite })
}

/// The comparison with its sides exchanged.
fn mirrored(operator: BinaryOp) -> BinaryOp {
    match operator {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}

/// The limit that the truth of a comparison sets to its left side, if that is a scalar variable.
fn limit(left: &Expr, operator: BinaryOp, right: &Expr) -> Option<Limit> {
    let place = scalar(left)?;
    let range = range(&place.ty)?;
    let ((least, greatest), reads) = match (constant(right), scalar(right)) {
        (Some(value), _) => ((value, value), Vec::new()),
        (None, Some(other)) => (self::range(&other.ty)?, vec![other.base]),
        (None, None) => return None,
    };
    let (kind, last) = match operator {
        BinaryOp::Lt => (LimitKind::Above, greatest - 1),
        BinaryOp::Le => (LimitKind::Above, greatest),
        BinaryOp::Gt => (LimitKind::Below, least + 1),
        BinaryOp::Ge => (LimitKind::Below, least),
        BinaryOp::Ne if least == greatest => (LimitKind::Value(least), least),
        _ => return None,
    };
    Some(Limit { variable: place.base, kind, last, range, reads })
}

/// The scalar variable that an expression reads, if it does nothing else.
fn scalar(expr: &Expr) -> Option<&Place> {
    match &expr.kind {
        ExprKind::Read(place) if place.path.is_empty() && place.base != VarRef::Scratch => Some(place),
        _ => None,
    }
}

/// The least and the greatest value of a numeric type.
fn range(ty: &Type) -> Option<(i64, i64)> {
    match ty {
        Type::Bit | Type::Bool => Some((0, 1)),
        Type::Byte | Type::Pid => Some((0, 255)),
        Type::Short => Some((i64::from(i16::MIN), i64::from(i16::MAX))),
        Type::Int => Some((i64::from(i32::MIN), i64::from(i32::MAX))),
        Type::Unsigned(bits) if *bits < 32 => Some((0, (1 << bits) - 1)),
        Type::Unsigned(_) | Type::Mtype(_) | Type::Chan | Type::Record(_) => None,
    }
}

/// The constant that an assignment adds to the variable that it changes.
fn added(place: &Place, value: &Expr) -> Option<i64> {
    let ExprKind::Binary(operator, left, right) = &value.kind else { return None };
    let is_itself = |expr: &Expr| place.path.is_empty() && scalar(expr).is_some_and(|read| read.base == place.base);
    match operator {
        BinaryOp::Add if is_itself(left) => constant(right),
        BinaryOp::Add if is_itself(right) => constant(left),
        BinaryOp::Sub if is_itself(left) => constant(right).map(|value| -value),
        _ => None,
    }
}

/// The value of an expression without variables.
fn constant(expr: &Expr) -> Option<i64> {
    let value = match &expr.kind {
        ExprKind::Const(value) => i64::from(*value),
        ExprKind::Unary(UnaryOp::Minus, operand) => -constant(operand)?,
        ExprKind::Binary(BinaryOp::Add, left, right) => constant(left)? + constant(right)?,
        ExprKind::Binary(BinaryOp::Sub, left, right) => constant(left)? - constant(right)?,
        ExprKind::Binary(BinaryOp::Mul, left, right) => constant(left)? * constant(right)?,
        _ => return None,
    };
    i32::try_from(value).is_ok().then_some(value)
}
