//! Splits constraints into conditions and simplifies them by the known values of a step.
//!
//! What: a constraint that must be true becomes a list of conditions that must hold together, each as small as possible,
//! so that equations such as `next(x) = x` become visible inside of implications and disjunctions. Conditions that the
//! current state decides disappear. Of a disjunction, only the disjuncts that can still be true remain.
//!
//! Contract: a completion satisfies the conditions if and only if it satisfies the constraint. Expressions without a value
//! count as neither true nor false, as in [`evaluate`](crate::evaluate).

use std::collections::HashMap;

use super::plan::{Condition, Frame};
use crate::evaluate::Moment;
use crate::model::{Model, Node, NodeId, Type, Value};

/// A Boolean expression that must have this truth value.
pub(super) type Literal = (NodeId, bool, Frame);

/// Conditions that together are equivalent to a constraint.
#[derive(Debug, Default)]
pub(super) struct Reduced {
    /// Conditions that must hold together.
    pub(super) conditions: Vec<Condition>,
    /// For some of the conditions, by number: literals one of which must hold.
    pub(super) alternatives: Vec<(usize, Vec<Literal>)>,
}

/// The possible results of a Boolean expression: a subset of true, false and undefined.
type Outcomes = u8;

const TRUE: Outcomes = 1;
const FALSE: Outcomes = 2;
const UNDEFINED: Outcomes = 4;
const ANY: Outcomes = TRUE | FALSE | UNDEFINED;

fn of(truth: bool) -> Outcomes {
    if truth { TRUE } else { FALSE }
}

/// The known values of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// The current state.
    State,
    /// The current state and the inputs.
    Inputs,
}

/// Simplifies constraints of one model.
pub(super) struct Reducer<'a, 'e, 'm> {
    model: &'m Model,
    known: Known,
    /// The values that are known, if any are.
    moment: Option<&'a mut Moment<'e, 'm>>,
    outcomes: HashMap<(NodeId, Frame), Outcomes>,
}

impl<'a, 'e, 'm> Reducer<'a, 'e, 'm> {
    pub(super) fn new(model: &'m Model, known: Known, moment: Option<&'a mut Moment<'e, 'm>>) -> Self {
        Reducer { model, known, moment, outcomes: HashMap::new() }
    }

    /// The conditions that are equivalent to these literals together; none if they cannot all hold.
    pub(super) fn reduce(&mut self, literals: impl IntoIterator<Item = Literal>) -> Option<Reduced> {
        let mut reduced = Reduced::default();
        let mut pending: Vec<Literal> = literals.into_iter().collect();
        pending.reverse();
        while let Some((id, truth, frame)) = pending.pop() {
            let outcomes = self.outcomes(id, frame);
            if outcomes & of(truth) == 0 {
                return None;
            }
            if outcomes == of(truth) {
                continue;
            }
            if let Some(parts) = self.parts(id, truth, frame) {
                pending.extend(parts.into_iter().rev());
                continue;
            }
            let Some(mut some) = self.options(id, truth, frame) else {
                reduced.conditions.push(Condition::is(id, truth, frame));
                continue;
            };
            match some.len() {
                0 => return None,
                1 => pending.extend(some.pop()),
                _ => {
                    reduced.alternatives.push((reduced.conditions.len(), some));
                    reduced.conditions.push(Condition::is(id, truth, frame));
                }
            }
        }
        Some(reduced)
    }

    fn is_boolean(&self, id: NodeId) -> bool {
        self.model.facts(id).r#type == Type::Boolean
    }

    /// Literals that together are equivalent to a literal, if there are some.
    fn parts(&mut self, id: NodeId, truth: bool, frame: Frame) -> Option<Vec<Literal>> {
        let all = |list: &[NodeId]| list.iter().map(|operand| (*operand, truth, frame)).collect();
        match self.model.node(id) {
            Node::Define(define) => Some(vec![(self.model.defines[define.0 as usize].body, truth, frame)]),
            Node::Next(operand) if frame == Frame::Step => Some(vec![(*operand, truth, Frame::Next)]),
            Node::Not(operand) => Some(vec![(*operand, !truth, frame)]),
            Node::And(list) if truth => Some(all(list)),
            Node::Or(list) if !truth => Some(all(list)),
            Node::Implies(premise, conclusion) if !truth => {
                Some(vec![(*premise, true, frame), (*conclusion, false, frame)])
            }
            Node::Case(branches) => {
                for (condition, value) in branches {
                    match self.outcomes(*condition, frame) {
                        FALSE => {}
                        TRUE => return Some(vec![(*value, truth, frame)]),
                        _ => return None,
                    }
                }
                None
            }
            _ => None,
        }
    }

    /// The literals of which one must hold, for a literal that is equivalent to a disjunction; those that cannot hold are
    /// left out.
    fn options(&mut self, id: NodeId, truth: bool, frame: Frame) -> Option<Vec<Literal>> {
        let disjuncts = |node: &Node, truth: bool| -> Option<Vec<(NodeId, bool)>> {
            match node {
                Node::Or(list) if truth => Some(list.iter().map(|operand| (*operand, true)).collect()),
                Node::And(list) if !truth => Some(list.iter().map(|operand| (*operand, false)).collect()),
                Node::Implies(premise, conclusion) if truth => Some(vec![(*premise, false), (*conclusion, true)]),
                Node::Not(operand) => Some(vec![(*operand, !truth)]),
                Node::Define(define) => Some(vec![(self.model.defines[define.0 as usize].body, truth)]),
                _ => None,
            }
        };
        let mut pending = disjuncts(self.model.node(id), truth)?;
        pending.reverse();
        let mut found = Vec::new();
        while let Some((id, truth)) = pending.pop() {
            if self.outcomes(id, frame) & of(truth) == 0 {
                continue;
            }
            match disjuncts(self.model.node(id), truth) {
                Some(inner) => pending.extend(inner.into_iter().rev()),
                None => found.push((id, truth, frame)),
            }
        }
        Some(found)
    }

    /// The possible results of a Boolean expression, given the current state.
    fn outcomes(&mut self, root: NodeId, frame: Frame) -> Outcomes {
        let mut pending = vec![root];
        while let Some(&id) = pending.last() {
            if self.outcomes.contains_key(&(id, frame)) {
                pending.pop();
                continue;
            }
            if let Some(outcomes) = self.leaf(id, frame) {
                self.outcomes.insert((id, frame), outcomes);
                pending.pop();
                continue;
            }
            let operands = match self.model.node(id) {
                Node::Define(define) => vec![self.model.defines[define.0 as usize].body],
                other => other.operands(),
            };
            let missing = operands.iter().filter(|operand| !self.outcomes.contains_key(&(**operand, frame)));
            let before = pending.len();
            pending.extend(missing);
            if pending.len() == before {
                let outcomes: Vec<Outcomes> =
                    operands.iter().map(|operand| self.outcomes[&(*operand, frame)]).collect();
                self.outcomes.insert((id, frame), self.combined(id, &outcomes));
                pending.pop();
            }
        }
        self.outcomes[&(root, frame)]
    }

    /// The possible results of an expression that is not split: the value that the current state determines, or all.
    fn leaf(&mut self, id: NodeId, frame: Frame) -> Option<Outcomes> {
        let mentions = self.model.facts(id).mentions;
        if let Node::Value(Value::Boolean(truth)) = self.model.node(id) {
            return Some(of(*truth));
        }
        if !self.is_boolean(id) {
            return Some(ANY);
        }
        if let (Frame::Step, Some(moment)) = (frame, &mut self.moment)
            && !mentions.next
            && (!mentions.input || self.known == Known::Inputs)
        {
            return Some(moment.truth(id).map_or(UNDEFINED, of));
        }
        match self.model.node(id) {
            Node::Define(_) | Node::Not(_) | Node::And(_) | Node::Or(_) | Node::Implies(..) => None,
            _ => Some(ANY),
        }
    }

    fn combined(&self, id: NodeId, operands: &[Outcomes]) -> Outcomes {
        let negated = |one: Outcomes| one & UNDEFINED | (one & TRUE) << 1 | (one & FALSE) >> 1;
        match self.model.node(id) {
            Node::Not(_) => negated(operands[0]),
            Node::And(_) => conjunction(operands.iter().copied()),
            Node::Or(_) => negated(conjunction(operands.iter().map(|one| negated(*one)))),
            Node::Implies(..) => negated(conjunction([operands[0], negated(operands[1])].into_iter())),
            _ => operands[0],
        }
    }
}

/// The possible results of a conjunction. One false operand makes it false.
fn conjunction(operands: impl Iterator<Item = Outcomes> + Clone) -> Outcomes {
    let all = |wanted: Outcomes| operands.clone().all(|one| one & wanted != 0);
    let any = |wanted: Outcomes| operands.clone().any(|one| one & wanted != 0);
    let mut outcomes = 0;
    if all(TRUE) {
        outcomes |= TRUE;
    }
    if any(FALSE) {
        outcomes |= FALSE;
    }
    if any(UNDEFINED) && all(TRUE | UNDEFINED) {
        outcomes |= UNDEFINED;
    }
    outcomes
}
