//! What a counterexample of linear time demands: the truth of those atoms, at those positions, that decide the formula.
//!
//! Contract: on every lasso of the same shape whose atoms have the demanded truth where one is demanded, the formula is
//! false. Found by evaluating the formula on the lasso with three truth values, where *unknown* stands for an atom that is
//! not demanded, and dropping demands one by one while the answer stays *false*. Formulas with past operators are unrolled
//! as in the enumerator's [`lasso`](flat::enumerate::lasso). An atom about inputs or the next state is demanded of the step
//! that leaves its position.

use flat::model::{Dyadic, Formula, NodeId, Unary};

/// For each position the atoms demanded there with their truth, in a fixed order.
pub type Demands = Vec<Vec<(NodeId, bool)>>;

/// A truth value; none is unknown.
type Truth = Option<bool>;

/// The demands that make the formula false, out of the atoms' truth at each position; none if not even all of them do.
#[must_use]
pub fn demands(formula: &Formula, loop_start: usize, truth: &[Vec<(NodeId, bool)>]) -> Option<Demands> {
    let mut demands: Demands = truth.to_vec();
    let decides = |demands: &Demands| decides(formula, loop_start, demands);
    if !decides(&demands) {
        return None;
    }
    // From the end to the beginning: what happens late is more often irrelevant.
    for position in (0..demands.len()).rev() {
        for index in (0..demands[position].len()).rev() {
            let dropped = demands[position].remove(index);
            if !decides(&demands) {
                demands[position].insert(index, dropped);
            }
        }
    }
    Some(demands)
}

/// Whether the formula is false on every lasso of this shape on which the demands are met.
#[must_use]
pub fn decides(formula: &Formula, loop_start: usize, demands: &Demands) -> bool {
    value(formula, &Shape::new(demands, loop_start, formula.past_depth()))[0] == Some(false)
}

/// A lasso of demands with its loop unrolled.
struct Shape<'d> {
    demands: &'d Demands,
    /// For each position of the unrolled lasso the one of the original.
    origin: Vec<usize>,
    loop_start: usize,
}

impl<'d> Shape<'d> {
    fn new(demands: &'d Demands, loop_start: usize, rounds: usize) -> Self {
        let mut origin: Vec<usize> = (0..demands.len()).collect();
        for _ in 0..rounds {
            origin.extend(loop_start..demands.len());
        }
        let loop_start = origin.len() - (demands.len() - loop_start);
        Shape { demands, origin, loop_start }
    }

    fn after(&self, position: usize) -> usize {
        if position + 1 < self.origin.len() { position + 1 } else { self.loop_start }
    }

    fn atom(&self, node: NodeId, position: usize) -> Truth {
        self.demands[self.origin[position]].iter().find(|(atom, _)| *atom == node).map(|(_, truth)| *truth)
    }
}

fn value(formula: &Formula, shape: &Shape<'_>) -> Vec<Truth> {
    let length = shape.origin.len();
    match formula {
        Formula::Atom(node) => (0..length).map(|position| shape.atom(*node, position)).collect(),
        Formula::Not(a) => value(a, shape).into_iter().map(not).collect(),
        Formula::And(parts) => fold(parts, shape, true, and),
        Formula::Or(parts) => fold(parts, shape, false, or),
        Formula::Xor(a, b) => {
            let pairs = value(a, shape).into_iter().zip(value(b, shape));
            pairs.map(|(a, b)| Some(a? != b?)).collect()
        }
        Formula::Unary(operator, a) => {
            let a = value(a, shape);
            let yes = vec![Some(true); length];
            let no = vec![Some(false); length];
            match operator {
                Unary::X => (0..length).map(|position| a[shape.after(position)]).collect(),
                Unary::F => until(shape, &yes, &a, false),
                Unary::G => until(shape, &a, &no, true),
                Unary::Y => {
                    (0..length).map(|position| if position == 0 { Some(false) } else { a[position - 1] }).collect()
                }
                Unary::Z => {
                    (0..length).map(|position| if position == 0 { Some(true) } else { a[position - 1] }).collect()
                }
                Unary::O => since(&yes, &a, false),
                Unary::H => since(&a, &no, true),
                other => unreachable!("{other:?} is not of linear time"),
            }
        }
        Formula::Dyadic(operator, a, b) => {
            let (a, b) = (value(a, shape), value(b, shape));
            let both: Vec<Truth> = a.iter().zip(&b).map(|(a, b)| and(*a, *b)).collect();
            match operator {
                Dyadic::U => until(shape, &a, &b, false),
                Dyadic::W => until(shape, &a, &b, true),
                Dyadic::V => until(shape, &b, &both, true),
                Dyadic::S => since(&a, &b, false),
                Dyadic::T => since(&b, &both, true),
                other => unreachable!("{other:?} is not of linear time"),
            }
        }
        other => unreachable!("{other:?} is not of linear time"),
    }
}

fn fold(parts: &[Formula], shape: &Shape<'_>, unit: bool, join: fn(Truth, Truth) -> Truth) -> Vec<Truth> {
    parts.iter().fold(vec![Some(unit); shape.origin.len()], |all, part| {
        all.into_iter().zip(value(part, shape)).map(|(a, b)| join(a, b)).collect()
    })
}

/// `a` up to a position with `b`; if `weak`, `a` forever will do. The two bounds of the truth are computed apart.
fn until(shape: &Shape<'_>, a: &[Truth], b: &[Truth], weak: bool) -> Vec<Truth> {
    let bound = |unknown: bool| {
        let known = |truth: Truth| truth.unwrap_or(unknown);
        let mut result = vec![weak; a.len()];
        for _ in 0..2 {
            for position in (0..a.len()).rev() {
                result[position] = known(b[position]) || (known(a[position]) && result[shape.after(position)]);
            }
        }
        result
    };
    let (least, most) = (bound(false), bound(true));
    least.into_iter().zip(most).map(|(least, most)| (least == most).then_some(least)).collect()
}

fn since(a: &[Truth], b: &[Truth], weak: bool) -> Vec<Truth> {
    let mut result: Vec<Truth> = Vec::with_capacity(a.len());
    for position in 0..a.len() {
        let before = if position == 0 { Some(weak) } else { result[position - 1] };
        result.push(or(b[position], and(a[position], before)));
    }
    result
}

fn not(a: Truth) -> Truth {
    a.map(|truth| !truth)
}

fn and(a: Truth, b: Truth) -> Truth {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(a: Truth, b: Truth) -> Truth {
    not(and(not(a), not(b)))
}
