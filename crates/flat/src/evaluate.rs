//! The value of an expression in one state or step, by definition (arbiter).
//!
//! Contract: gives the set of choices of the expression, sorted and without repetition; one choice unless the expression
//! is a set. [`Undefined`] where it has no value: no branch of a `case` applies, an index is outside the array, or a
//! divisor is zero. Every operator is strict in that respect except `case`, which only looks at the branch it takes.
//!
//! Written for clarity and shared by nothing that computes with decision diagrams: the symbolic engine is tested against
//! it. The meaning of each operator is in `docs/semantics-smv.md`.

use std::collections::HashMap;

use crate::model::{Model, Node, NodeId, Type, Value};

/// The expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undefined;

/// The choices of an expression.
pub type Outcome = Result<Vec<Value>, Undefined>;

/// The value of an expression without variables, if it is one value.
#[must_use]
pub fn constant(model: &Model, node: NodeId) -> Option<Value> {
    let plan = Plan::new(model, node);
    let constant = plan.steps.iter().all(|step| !matches!(model.node(step.node), Node::Variable(_)));
    if !constant {
        return None;
    }
    match plan.run(model, &[], None).ok()?[..] {
        [single] => Some(single),
        _ => None,
    }
}

/// The number that the bits of a signed word stand for.
#[must_use]
pub fn signed(bits: u64, width: u32) -> i64 {
    let unused = 64 - width;
    (bits << unused).cast_signed() >> unused
}

/// Evaluates expressions of one model, each prepared once.
#[derive(Debug)]
pub struct Evaluator<'m> {
    model: &'m Model,
    plans: HashMap<NodeId, Plan>,
}

impl<'m> Evaluator<'m> {
    /// For the expressions of `model`.
    #[must_use]
    pub fn new(model: &'m Model) -> Self {
        Evaluator { model, plans: HashMap::new() }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The choices of an expression where the variables have the values `current`, and in the next state `next`.
    ///
    /// # Panics
    /// If the expression mentions `next` and no next state is given.
    pub fn choices(&mut self, node: NodeId, current: &[Value], next: Option<&[Value]>) -> Outcome {
        let model = self.model;
        self.plans.entry(node).or_insert_with(|| Plan::new(model, node)).run(model, current, next)
    }

    /// The truth of a Boolean expression that is one value.
    ///
    /// # Errors
    /// Where it has none.
    pub fn truth(&mut self, node: NodeId, current: &[Value], next: Option<&[Value]>) -> Result<bool, Undefined> {
        match self.choices(node, current, next)?[..] {
            [Value::Boolean(truth)] => Ok(truth),
            ref other => unreachable!("a truth value, not {other:?}"),
        }
    }
}

/// One node of a plan: whether it is meant of the next state, and where its operands are.
#[derive(Debug)]
struct Step {
    node: NodeId,
    of_next: bool,
    operands: Vec<usize>,
}

/// The nodes below an expression, operands first, so that evaluation needs no stack.
#[derive(Debug)]
struct Plan {
    steps: Vec<Step>,
}

impl Plan {
    fn new(model: &Model, root: NodeId) -> Self {
        let mut needed = std::collections::BTreeSet::new();
        let mut pending = vec![(root, false)];
        while let Some((node, of_next)) = pending.pop() {
            if needed.insert((node, of_next)) {
                pending.extend(below(model, node, of_next));
            }
        }
        // Operands and bodies of definitions have smaller numbers than what uses them.
        let place: HashMap<(NodeId, bool), usize> = needed.iter().enumerate().map(|(at, key)| (*key, at)).collect();
        let steps = needed.iter().map(|&(node, of_next)| Step {
            node,
            of_next,
            operands: below(model, node, of_next).iter().map(|key| place[key]).collect(),
        });
        Plan { steps: steps.collect() }
    }

    fn run(&self, model: &Model, current: &[Value], next: Option<&[Value]>) -> Outcome {
        let mut outcomes: Vec<Outcome> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let outcome = evaluate(model, step, &outcomes, |variable| {
                if step.of_next { next.expect("a next state")[variable] } else { current[variable] }
            });
            outcomes.push(outcome);
        }
        // The root has the largest number of all.
        outcomes.pop().expect("a plan is not empty")
    }
}

fn below(model: &Model, node: NodeId, of_next: bool) -> Vec<(NodeId, bool)> {
    match model.node(node) {
        Node::Define(define) => vec![(model.defines[define.0 as usize].body, of_next)],
        Node::Next(operand) => vec![(*operand, true)],
        other => other.operands().into_iter().map(|operand| (operand, of_next)).collect(),
    }
}

fn evaluate(model: &Model, step: &Step, outcomes: &[Outcome], variable: impl Fn(usize) -> Value) -> Outcome {
    let operand = |index: usize| -> &Outcome { &outcomes[step.operands[index]] };
    let all = || (0..step.operands.len()).map(|index| operand(index).as_ref().map_err(|_| Undefined));
    match model.node(step.node) {
        Node::Value(value) => Ok(vec![*value]),
        Node::Variable(id) => Ok(vec![variable(id.0 as usize)]),
        Node::Define(_) | Node::Next(_) => operand(0).clone(),
        Node::Range(low, high) => Ok((*low..=*high).map(Value::Integer).collect()),
        Node::Set(_) => {
            let lists = all().collect::<Result<Vec<_>, _>>()?;
            let mut choices: Vec<Value> = lists.into_iter().flatten().copied().collect();
            choices.sort_unstable();
            choices.dedup();
            Ok(choices)
        }
        Node::Case(branches) => {
            for branch in 0..branches.len() {
                if single(operand(2 * branch))? == Value::Boolean(true) {
                    return operand(2 * branch + 1).clone();
                }
            }
            Err(Undefined)
        }
        Node::In(..) => {
            let lists = all().collect::<Result<Vec<_>, _>>()?;
            Ok(vec![Value::Boolean(lists[0].iter().all(|value| lists[1].contains(value)))])
        }
        node => {
            let operands =
                (0..step.operands.len()).map(|index| single(operand(index))).collect::<Result<Vec<_>, _>>()?;
            let operand_type = node.operands().first().map(|first| model.facts(*first).r#type);
            let widths: Vec<Type> = node.operands().iter().map(|operand| model.facts(*operand).r#type).collect();
            let context = Context { node, r#type: model.facts(step.node).r#type, operand_type, types: &widths };
            context.apply(&operands).map(|value| vec![value])
        }
    }
}

/// The value of an operand that is one value.
fn single(outcome: &Outcome) -> Result<Value, Undefined> {
    match outcome.as_ref().map_err(|_| Undefined)?[..] {
        [value] => Ok(value),
        ref other => unreachable!("invariant 3: one value, not {other:?}"),
    }
}

/// An operator with the types of its result and operands.
struct Context<'a> {
    node: &'a Node,
    r#type: Type,
    operand_type: Option<Type>,
    types: &'a [Type],
}

impl Context<'_> {
    fn apply(&self, operands: &[Value]) -> Result<Value, Undefined> {
        match self.r#type {
            Type::Word(_, width) => self.word(operands).map(|bits| Value::Word(bits & mask(width))),
            Type::Boolean => Ok(Value::Boolean(self.boolean(operands))),
            Type::Integer | Type::Symbolic | Type::Mixed => self.integer(operands).map(Value::Integer),
        }
    }

    fn boolean(&self, operands: &[Value]) -> bool {
        let truth = |index: usize| operands[index] == Value::Boolean(true);
        match self.node {
            Node::Not(_) => !truth(0),
            Node::And(_) => (0..operands.len()).all(truth),
            Node::Or(_) => (0..operands.len()).any(truth),
            Node::Xor(..) => truth(0) != truth(1),
            Node::Implies(..) => !truth(0) || truth(1),
            Node::Equal(..) => operands[0] == operands[1],
            Node::Less(..) => self.rank(operands[0]) < self.rank(operands[1]),
            Node::LessEqual(..) => self.rank(operands[0]) <= self.rank(operands[1]),
            Node::ToBoolean(_) => !matches!(operands[0], Value::Integer(0) | Value::Word(0)),
            other => unreachable!("{other:?} gives no truth value"),
        }
    }

    /// The number by which operands are compared.
    fn rank(&self, value: Value) -> i128 {
        match (value, self.operand_type) {
            (Value::Integer(number), _) => i128::from(number),
            (Value::Word(bits), Some(Type::Word(true, width))) => i128::from(signed(bits, width)),
            (Value::Word(bits), _) => i128::from(bits),
            (other, _) => unreachable!("{other:?} has no order"),
        }
    }

    fn integer(&self, operands: &[Value]) -> Result<i64, Undefined> {
        let number = |index: usize| match operands[index] {
            Value::Integer(number) => number,
            other => unreachable!("{other:?} is no number"),
        };
        Ok(match self.node {
            Node::Negate(_) => -number(0),
            Node::Add(_) => (0..operands.len()).map(number).sum(),
            Node::Subtract(..) => number(0) - number(1),
            Node::Multiply(_) => (0..operands.len()).map(number).product(),
            Node::Divide(..) => number(0).checked_div(number(1)).ok_or(Undefined)?,
            Node::Modulo(..) => number(0).checked_rem(number(1)).ok_or(Undefined)?,
            Node::Count(_) => operands.iter().filter(|operand| **operand == Value::Boolean(true)).count() as i64,
            Node::ToInteger(_) => match (operands[0], self.operand_type) {
                (Value::Boolean(truth), _) => i64::from(truth),
                (Value::Word(bits), Some(Type::Word(true, width))) => signed(bits, width),
                (Value::Word(bits), _) => bits.cast_signed(),
                (other, _) => unreachable!("{other:?} is no number"),
            },
            other => unreachable!("{other:?} gives no number"),
        })
    }

    /// The bits of the result; what is above the width is cut off by the caller.
    fn word(&self, operands: &[Value]) -> Result<u64, Undefined> {
        let bits = |index: usize| match operands[index] {
            Value::Word(bits) => bits,
            Value::Boolean(truth) => u64::from(truth),
            other => unreachable!("{other:?} is no word"),
        };
        let all = || (0..operands.len()).map(bits);
        let (is_signed, width) = match self.operand_type {
            Some(Type::Word(is_signed, width)) => (is_signed, width),
            _ => (false, 1),
        };
        let by = || match operands[1] {
            Value::Integer(number) => number.cast_unsigned(),
            Value::Word(bits) => bits,
            other => unreachable!("{other:?} is no amount"),
        };
        Ok(match self.node {
            Node::Not(_) => !bits(0),
            Node::And(_) => all().fold(u64::MAX, |a, b| a & b),
            Node::Or(_) => all().fold(0, |a, b| a | b),
            Node::Xor(..) => bits(0) ^ bits(1),
            Node::Implies(..) => !bits(0) | bits(1),
            Node::Negate(_) => bits(0).wrapping_neg(),
            Node::Add(_) => all().fold(0, u64::wrapping_add),
            Node::Subtract(..) => bits(0).wrapping_sub(bits(1)),
            Node::Multiply(_) => all().fold(1, u64::wrapping_mul),
            Node::Divide(..) if is_signed => {
                signed(bits(0), width).wrapping_div(nonzero(signed(bits(1), width))?).cast_unsigned()
            }
            Node::Modulo(..) if is_signed => {
                signed(bits(0), width).wrapping_rem(nonzero(signed(bits(1), width))?).cast_unsigned()
            }
            Node::Divide(..) => bits(0).checked_div(bits(1)).ok_or(Undefined)?,
            Node::Modulo(..) => bits(0).checked_rem(bits(1)).ok_or(Undefined)?,
            Node::ShiftLeft(..) => {
                if by() >= 64 {
                    0
                } else {
                    bits(0) << by()
                }
            }
            Node::ShiftRight(..) if is_signed => (signed(bits(0), width) >> by().min(63)).cast_unsigned(),
            Node::ShiftRight(..) => {
                if by() >= 64 {
                    0
                } else {
                    bits(0) >> by()
                }
            }
            Node::Concatenate(_) => all().zip(self.types).fold(0, |top, (bits, r#type)| match r#type {
                Type::Word(_, 64) => bits,
                Type::Word(_, width) => top << width | bits,
                other => unreachable!("{other:?} is no word"),
            }),
            Node::Slice(_, _, low) => bits(0) >> low,
            Node::Resize(_) if is_signed => self.resize_signed(bits(0), width),
            Node::Resize(_) | Node::ToWord(_) | Node::Reinterpret(_) => bits(0),
            other => unreachable!("{other:?} gives no word"),
        })
    }

    /// To a larger width by repeating the sign; to a smaller one by keeping the sign and the lowest bits.
    fn resize_signed(&self, bits: u64, from: u32) -> u64 {
        let Type::Word(_, to) = self.r#type else { unreachable!("a word") };
        if to >= from {
            return signed(bits, from).cast_unsigned();
        }
        let sign = bits >> (from - 1) & 1;
        bits & mask(to - 1) | sign << (to - 1)
    }
}

fn nonzero(number: i64) -> Result<i64, Undefined> {
    if number == 0 { Err(Undefined) } else { Ok(number) }
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}
