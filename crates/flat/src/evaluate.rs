//! The value of an expression in one state or step, by definition.
//!
//! Contract: returns the set of choices of the expression, sorted and without repetition; one choice unless the
//! expression is a set. The result is [`Undefined`] where the expression has no value: no branch of a `case` applies, an
//! index is outside the array, or a divisor is zero. An operand without a value leaves the whole expression without one,
//! with two exceptions. A `case` depends on the conditions up to the branch that it takes, and on the value of that
//! branch. A Boolean `&`, `|` or `->` has a value if the operands that have values determine it, in any order.
//!
//! This is the reference implementation, written for clarity. Nothing that computes with decision diagrams uses it, so that
//! the symbolic engine can be tested against it. `docs/semantics-smv.md` defines each operator.

use crate::model::{Model, Node, NodeId, Type, Value};
use crate::operator::Operator;

/// The expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undefined;

/// The choices of an expression.
pub type Choices = Result<Vec<Value>, Undefined>;

/// The value of an expression without variables, if it is one value. `space` is reused from call to call.
pub fn constant(model: &Model, node: NodeId, space: &mut Space) -> Option<Value> {
    if let Node::Value(value) = model.node(node) {
        return Some(value.clone());
    }
    let is_variable = |node: &Node| matches!(node, Node::Variable(_));
    if model.walk(node, Node::operands).any(is_variable) {
        return None;
    }
    let mut evaluator = Evaluator { model, space: std::mem::take(space) };
    let choices = evaluator.choices(node, &[], None);
    *space = evaluator.space;
    match &choices.ok()?[..] {
        [single] => Some(single.clone()),
        _ => None,
    }
}

/// Evaluates expressions of one model.
///
/// The evaluator stores the choices for the current [`Moment`], that is, for one pair of valuations, so that it evaluates
/// parts that several expressions share once. It does not recurse: chains of definitions may be as long as the model.
#[derive(Debug)]
pub struct Evaluator<'m> {
    model: &'m Model,
    space: Space,
}

/// The storage of an [`Evaluator`].
#[derive(Debug, Default)]
pub struct Space {
    /// The choices of nodes, in the current state (even places) and in the next one (odd places), each with the number
    /// of the moment it belongs to.
    known: Vec<(u64, Choices)>,
    /// The number of the current moment.
    moment: u64,
    /// Places that are being evaluated, the innermost last, with the number of operands that are known to be evaluated.
    pending: Vec<(usize, usize)>,
}

/// One pair of valuations at which expressions are evaluated.
#[derive(Debug)]
pub struct Moment<'e, 'm> {
    evaluator: &'e mut Evaluator<'m>,
    current: &'e [Value],
    next: Option<&'e [Value]>,
}

impl<'m> Evaluator<'m> {
    /// An evaluator for the expressions of `model`.
    #[must_use]
    pub fn new(model: &'m Model) -> Self {
        Evaluator { model, space: Space::default() }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The moment in which the variables have the values `current`, and in the next state the values `next`.
    pub fn at<'e>(&'e mut self, current: &'e [Value], next: Option<&'e [Value]>) -> Moment<'e, 'm> {
        self.space.moment += 1;
        Moment { evaluator: self, current, next }
    }

    /// The choices of an expression where the variables have the values `current`, and in the next state `next`.
    ///
    /// # Panics
    /// If the expression mentions `next` and no next state is given.
    pub fn choices(&mut self, node: NodeId, current: &[Value], next: Option<&[Value]>) -> Choices {
        self.at(current, next).choices(node).clone()
    }

    /// The truth of a Boolean expression that is one value.
    ///
    /// # Errors
    /// [`Undefined`] if it has no value.
    pub fn truth(&mut self, node: NodeId, current: &[Value], next: Option<&[Value]>) -> Result<bool, Undefined> {
        self.at(current, next).truth(node)
    }
}

impl Moment<'_, '_> {
    /// The choices of an expression.
    ///
    /// # Panics
    /// If the expression mentions `next` and no next state is given.
    pub fn choices(&mut self, node: NodeId) -> &Choices {
        let root = place(node, false);
        self.evaluator.space.pending.push((root, 0));
        while let Some((at, operand)) = self.evaluator.space.pending.pop() {
            if self.is_known(at) {
                continue;
            }
            match self.missing_operand(at, operand) {
                Some((operand, missing)) => {
                    self.evaluator.space.pending.push((at, operand));
                    self.evaluator.space.pending.push((missing, 0));
                }
                None => {
                    let choices = self.evaluate(at);
                    self.evaluator.space.known[at] = (self.evaluator.space.moment, choices);
                }
            }
        }
        &self.evaluator.space.known[root].1
    }

    /// The truth of a Boolean expression that is one value.
    ///
    /// # Errors
    /// [`Undefined`] if it has no value.
    ///
    /// # Panics
    /// If the expression is not Boolean.
    pub fn truth(&mut self, node: NodeId) -> Result<bool, Undefined> {
        match self.choices(node).as_ref().map_err(|_| Undefined)?[..] {
            [Value::Boolean(truth)] => Ok(truth),
            ref other => unreachable!("a truth value, not {other:?}"),
        }
    }

    fn is_known(&mut self, at: usize) -> bool {
        let known = &mut self.evaluator.space.known;
        if known.len() <= at {
            known.resize(at + 1, (0, Err(Undefined)));
        }
        known[at].0 == self.evaluator.space.moment
    }

    /// The first operand, from this number on, that must be evaluated before the node at a place: its number and its
    /// place.
    fn missing_operand(&mut self, at: usize, from: usize) -> Option<(usize, usize)> {
        let mut number = from;
        while let Some(operand) = self.operand(at, number) {
            if !self.is_known(operand) {
                return Some((number, operand));
            }
            // A `case` needs the value of the first branch whose condition is true, or has no value, and no further one.
            if number.is_multiple_of(2) && matches!(self.node(at), Node::Case(_)) {
                match single(self.known(operand)) {
                    Ok(Value::Boolean(true)) => {
                        let value = self.operand(at, number + 1).expect("a branch has a value");
                        return (!self.is_known(value)).then_some((number, value));
                    }
                    Err(Undefined) => return None,
                    _ => number += 1,
                }
            }
            number += 1;
        }
        None
    }

    fn node(&self, at: usize) -> &Node {
        self.evaluator.model.node(node_at(at))
    }

    /// The place of an operand, or of the body of a definition.
    fn operand(&self, at: usize, number: usize) -> Option<usize> {
        let of_next = at % 2 == 1;
        match self.node(at) {
            Node::Define(define) => {
                (number == 0).then(|| place(self.evaluator.model.defines[define.0 as usize].body, of_next))
            }
            Node::Next(operand) => (number == 0).then(|| place(*operand, true)),
            other => Some(place(other.operand(number)?, of_next)),
        }
    }

    /// True if the node at a place is a truth value; of words, the same operators work bit by bit.
    fn is_boolean(&self, at: usize) -> bool {
        self.evaluator.model.facts(node_at(at)).r#type == Type::Boolean
    }

    fn known(&self, at: usize) -> &Choices {
        &self.evaluator.space.known[at].1
    }

    /// The choices of a node whose operands are known, as far as they are needed.
    fn evaluate(&self, at: usize) -> Choices {
        let model = self.evaluator.model;
        let operands = || (0..).map_while(|number| self.operand(at, number)).map(|operand| self.known(operand));
        match self.node(at) {
            Node::Value(value) => Ok(vec![value.clone()]),
            Node::Variable(id) => {
                let values = if at % 2 == 1 { self.next.expect("a next state") } else { self.current };
                Ok(vec![values[id.0 as usize].clone()])
            }
            Node::Define(_) | Node::Next(_) => operands().next().expect("one operand").clone(),
            Node::Range(low, high) => Ok((*low..=*high).map(Value::Integer).collect()),
            Node::Set(_) => {
                let mut choices = Vec::new();
                for operand in operands() {
                    choices.extend_from_slice(operand.as_ref().map_err(|_| Undefined)?);
                }
                choices.sort_unstable();
                choices.dedup();
                Ok(choices)
            }
            Node::Case(branches) => {
                for number in 0..branches.len() {
                    let condition = self.operand(at, 2 * number).expect("a branch has a condition");
                    if *single(self.known(condition))? == Value::Boolean(true) {
                        let value = self.operand(at, 2 * number + 1).expect("a branch has a value");
                        return self.known(value).clone();
                    }
                }
                Err(Undefined)
            }
            Node::In(..) => {
                let lists = operands().map(|choices| choices.as_ref().map_err(|_| Undefined));
                let lists = lists.collect::<Result<Vec<_>, _>>()?;
                Ok(vec![Value::Boolean(lists[0].iter().all(|value| lists[1].binary_search(value).is_ok()))])
            }
            Node::And(_) if self.is_boolean(at) => junction(operands(), false),
            Node::Or(_) if self.is_boolean(at) => junction(operands(), true),
            Node::Implies(..) if self.is_boolean(at) => {
                let (premise, conclusion) = (self.operand(at, 0), self.operand(at, 1));
                let value = |operand: Option<usize>| single(self.known(operand.expect("two operands")));
                match (value(premise), value(conclusion)) {
                    (Ok(Value::Boolean(false)), _) | (_, Ok(Value::Boolean(true))) => Ok(vec![Value::Boolean(true)]),
                    (Ok(_), Ok(_)) => Ok(vec![Value::Boolean(false)]),
                    _ => Err(Undefined),
                }
            }
            _ => {
                let values = operands().map(single).collect::<Result<Vec<_>, _>>()?;
                Operator::new(model, node_at(at)).apply(&values).map(|value| vec![value])
            }
        }
    }
}

/// Where the choices of a node are kept.
fn place(node: NodeId, of_next: bool) -> usize {
    2 * node.0 as usize + usize::from(of_next)
}

/// The node whose choices are kept at a place.
fn node_at(at: usize) -> NodeId {
    NodeId(u32::try_from(at / 2).expect("made from a number of 32 bits"))
}

/// The value of an operand that is one value.
fn single(choices: &Choices) -> Result<&Value, Undefined> {
    match &choices.as_ref().map_err(|_| Undefined)?[..] {
        [value] => Ok(value),
        other => unreachable!("invariant 3: one value, not {other:?}"),
    }
}

/// The choices of a conjunction, which `false` decides, or of a disjunction, which `true` decides: one operand with the
/// deciding value suffices.
fn junction<'a>(operands: impl Iterator<Item = &'a Choices>, deciding: bool) -> Choices {
    let mut has_undefined = false;
    for operand in operands {
        match single(operand) {
            Ok(value) if *value == Value::Boolean(deciding) => return Ok(vec![value.clone()]),
            Ok(_) => {}
            Err(Undefined) => has_undefined = true,
        }
    }
    if has_undefined { Err(Undefined) } else { Ok(vec![Value::Boolean(!deciding)]) }
}
