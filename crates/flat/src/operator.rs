//! Operators applied to values, by definition.
//!
//! Contract: the result that `docs/semantics-smv.md` defines, for operands that have values; [`Undefined`] where a divisor is
//! zero. Words that fit a machine word are computed in one. Wider ones are computed as integers of any size, whose bits up to the
//! width are the result; a test compares the two.

use std::cmp::Ordering;

use num_bigint::BigInt;

use crate::evaluate::Undefined;
use crate::model::{Model, Natural, Node, NodeId, Type, Value};

/// An operator with the types of its result and of its first operand.
pub(crate) struct Operator<'a> {
    node: &'a Node,
    r#type: Type,
    operand_type: Option<Type>,
    /// The widths of the words that stand side by side.
    widths: Vec<u32>,
}

impl<'a> Operator<'a> {
    pub(crate) fn new(model: &'a Model, id: NodeId) -> Self {
        let node = model.node(id);
        let operand_type = node.operand(0).map(|first| model.facts(first).r#type);
        let widths = match node {
            Node::Concatenate(words) => words.iter().map(|word| width_of(model.facts(*word).r#type)).collect(),
            _ => Vec::new(),
        };
        Operator { node, r#type: model.facts(id).r#type, operand_type, widths }
    }

    pub(crate) fn apply(&self, operands: &[&Value]) -> Result<Value, Undefined> {
        match self.r#type {
            Type::Word(_, width) => {
                let machine = width.max(self.operand_width()) <= 64;
                let bits = if machine { self.machine_word(operands, width) } else { self.wide_word(operands, width) };
                bits.map(Value::Word)
            }
            Type::Boolean => Ok(Value::Boolean(self.boolean(operands))),
            Type::Integer | Type::Symbolic | Type::Mixed => self.integer(operands).map(Value::Integer),
        }
    }

    fn operand_width(&self) -> u32 {
        self.operand_type.map_or(1, width_of)
    }

    fn is_signed(&self) -> bool {
        matches!(self.operand_type, Some(Type::Word(true, _)))
    }

    fn boolean(&self, operands: &[&Value]) -> bool {
        let truth = |index: usize| *operands[index] == Value::Boolean(true);
        match self.node {
            Node::Not(_) => !truth(0),
            Node::Xor(..) => truth(0) != truth(1),
            Node::Equal(..) => operands[0] == operands[1],
            Node::Less(..) => self.compare(operands[0], operands[1]).is_lt(),
            Node::LessEqual(..) => self.compare(operands[0], operands[1]).is_le(),
            Node::ToBoolean(_) => !matches!(operands[0], Value::Integer(0) | Value::Word(Natural::ZERO)),
            other => unreachable!("{other:?} gives no truth value"),
        }
    }

    fn compare(&self, a: &Value, b: &Value) -> Ordering {
        match (a, b) {
            (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
            (Value::Word(a), Value::Word(b)) if self.is_signed() => {
                // Numbers with the same sign are ordered as their bits are.
                let sign = self.operand_width() - 1;
                b.bit(sign).cmp(&a.bit(sign)).then_with(|| a.cmp(b))
            }
            (Value::Word(a), Value::Word(b)) => a.cmp(b),
            other => unreachable!("{other:?} have no order"),
        }
    }

    fn integer(&self, operands: &[&Value]) -> Result<i64, Undefined> {
        let number = |index: usize| match operands[index] {
            Value::Integer(number) => *number,
            other => unreachable!("{other:?} is no number"),
        };
        Ok(match self.node {
            Node::Negate(_) => -number(0),
            Node::Add(_) => (0..operands.len()).map(number).sum(),
            Node::Subtract(..) => number(0) - number(1),
            Node::Multiply(_) => (0..operands.len()).map(number).product(),
            Node::Divide(..) => number(0).checked_div(number(1)).ok_or(Undefined)?,
            Node::Modulo(..) => number(0).checked_rem(number(1)).ok_or(Undefined)?,
            Node::Count(_) => operands.iter().filter(|operand| ***operand == Value::Boolean(true)).count() as i64,
            Node::ToInteger(_) => match operands[0] {
                Value::Boolean(truth) => i64::from(*truth),
                Value::Word(bits) => {
                    let bits = bits.small().expect("wider words are no numbers");
                    if self.is_signed() { signed(bits, self.operand_width()) } else { bits.cast_signed() }
                }
                other => unreachable!("{other:?} is no number"),
            },
            other => unreachable!("{other:?} gives no number"),
        })
    }

    /// A word of `width` bits, where no word has more than 64.
    fn machine_word(&self, operands: &[&Value], to: u32) -> Result<Natural, Undefined> {
        let bits = |index: usize| match operands[index] {
            Value::Word(bits) => bits.small().expect("at most 64 bits"),
            Value::Boolean(truth) => u64::from(*truth),
            other => unreachable!("{other:?} is no word"),
        };
        let all = || (0..operands.len()).map(bits);
        let width = self.operand_width();
        let number = |index: usize| signed(bits(index), width);
        let result = match self.node {
            Node::Not(_) => !bits(0),
            Node::And(_) => all().fold(u64::MAX, |a, b| a & b),
            Node::Or(_) => all().fold(0, |a, b| a | b),
            Node::Xor(..) => bits(0) ^ bits(1),
            Node::Implies(..) => !bits(0) | bits(1),
            Node::Negate(_) => bits(0).wrapping_neg(),
            Node::Add(_) => all().fold(0, u64::wrapping_add),
            Node::Subtract(..) => bits(0).wrapping_sub(bits(1)),
            Node::Multiply(_) => all().fold(1, u64::wrapping_mul),
            Node::Divide(..) | Node::Modulo(..) if bits(1) == 0 => return Err(Undefined),
            Node::Divide(..) if self.is_signed() => number(0).wrapping_div(number(1)).cast_unsigned(),
            Node::Modulo(..) if self.is_signed() => number(0).wrapping_rem(number(1)).cast_unsigned(),
            Node::Divide(..) => bits(0) / bits(1),
            Node::Modulo(..) => bits(0) % bits(1),
            Node::ShiftLeft(..) => bits(0).checked_shl(distance(operands[1], 64)).unwrap_or(0),
            Node::ShiftRight(..) if self.is_signed() => (number(0) >> distance(operands[1], 63)).cast_unsigned(),
            Node::ShiftRight(..) => bits(0).checked_shr(distance(operands[1], 64)).unwrap_or(0),
            Node::Concatenate(_) => {
                all().zip(&self.widths).fold(0_u64, |top, (bits, width)| top.checked_shl(*width).unwrap_or(0) | bits)
            }
            Node::Slice(_, _, low) => bits(0) >> low,
            Node::Resize(_) if self.is_signed() && to >= width => number(0).cast_unsigned(),
            // The sign is kept even where bits are cut off.
            Node::Resize(_) if self.is_signed() => bits(0) & low_bits(to - 1) | u64::from(number(0) < 0) << (to - 1),
            Node::Resize(_) | Node::ToWord(_) | Node::Reinterpret(_) => bits(0),
            other => unreachable!("{other:?} gives no word"),
        };
        Ok((result & low_bits(to)).into())
    }

    /// A word of `to` bits, for words of any width.
    fn wide_word(&self, operands: &[&Value], to: u32) -> Result<Natural, Undefined> {
        let width = self.operand_width();
        let bits = |index: usize| match operands[index] {
            Value::Word(bits) => bits.clone(),
            other => unreachable!("{other:?} is no word"),
        };
        let number = |index: usize| if self.is_signed() { bits(index).signed(width) } else { bits(index).integer() };
        let all = || (0..operands.len()).map(number);
        let result = match self.node {
            Node::Not(_) => !number(0),
            Node::And(_) => all().fold(BigInt::from(-1), |a, b| a & b),
            Node::Or(_) => all().fold(BigInt::from(0), |a, b| a | b),
            Node::Xor(..) => number(0) ^ number(1),
            Node::Implies(..) => !number(0) | number(1),
            Node::Negate(_) => -number(0),
            Node::Add(_) => all().sum(),
            Node::Subtract(..) => number(0) - number(1),
            // Each factor is wrapped, so that a long product does not grow beyond the width.
            Node::Multiply(_) => {
                all().fold(BigInt::from(1), |product, factor| Natural::wrapped(&(product * factor), to).integer())
            }
            Node::Divide(..) => number(0).checked_div(&number(1)).ok_or(Undefined)?,
            Node::Modulo(..) if bits(1) == Natural::ZERO => return Err(Undefined),
            Node::Modulo(..) => number(0) % number(1),
            Node::ShiftLeft(..) => number(0) << distance(operands[1], width),
            Node::ShiftRight(..) => number(0) >> distance(operands[1], width),
            Node::Concatenate(_) => (0..operands.len())
                .zip(&self.widths)
                .fold(BigInt::from(0), |top, (index, width)| (top << width) | bits(index).integer()),
            Node::Slice(_, _, low) => number(0) >> low,
            Node::Resize(_) if self.is_signed() && to < width => {
                // The sign is kept even where bits are cut off.
                let low = Natural::wrapped(&number(0), to - 1).integer();
                low | BigInt::from(u8::from(bits(0).bit(width - 1))) << (to - 1)
            }
            Node::Resize(_) | Node::Reinterpret(_) => number(0),
            other => unreachable!("{other:?} gives no wide word"),
        };
        Ok(Natural::wrapped(&result, to))
    }
}

/// By how many bits a shift moves, at most `most`.
fn distance(operand: &Value, most: u32) -> u32 {
    let distance = match operand {
        Value::Integer(number) => u32::try_from(*number).ok(),
        Value::Word(bits) => bits.small().and_then(|bits| u32::try_from(bits).ok()),
        other => unreachable!("{other:?} is no distance"),
    };
    distance.unwrap_or(most).min(most)
}

fn width_of(r#type: Type) -> u32 {
    match r#type {
        Type::Word(_, width) => width,
        _ => 1,
    }
}

/// The number that the bits of a signed word represent.
fn signed(bits: u64, width: u32) -> i64 {
    let unused = 64 - width;
    (bits << unused).cast_signed() >> unused
}

/// A mask for the lowest bits.
fn low_bits(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// All operators on words of one type, with the type of the result.
    fn operators(is_signed: bool, width: u32, to: u32) -> Vec<(Node, Type)> {
        let (a, b) = (NodeId(0), NodeId(1));
        let own = Type::Word(is_signed, width);
        let high = width.min(to) - 1;
        vec![
            (Node::Not(a), own),
            (Node::And(vec![a, b]), own),
            (Node::Or(vec![a, b]), own),
            (Node::Xor(a, b), own),
            (Node::Implies(a, b), own),
            (Node::Negate(a), own),
            (Node::Add(vec![a, b]), own),
            (Node::Subtract(a, b), own),
            (Node::Multiply(vec![a, b, a]), own),
            (Node::Divide(a, b), own),
            (Node::Modulo(a, b), own),
            (Node::ShiftLeft(a, b), own),
            (Node::ShiftRight(a, b), own),
            (Node::Slice(a, high, 0), Type::Word(false, high + 1)),
            (Node::Slice(a, width - 1, high), Type::Word(false, width - high)),
            (Node::Resize(a), Type::Word(is_signed, to)),
            (Node::Reinterpret(a), Type::Word(!is_signed, width)),
        ]
    }

    /// On words that fit the machine, both ways to compute agree.
    #[test]
    fn wide_words_are_computed_as_machine_words_are() {
        let seed = 18;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        for _ in 0..4_000 {
            let (width, to) = (random.random_range(1..=64), random.random_range(1..=64));
            let is_signed = random.random();
            // Small numbers are shifts and divisors worth testing.
            let mut word = || {
                let kept = if random.random() { low_bits(width) } else { low_bits(width.min(7)) };
                Value::Word((random.random::<u64>() & kept).into())
            };
            let (a, b) = (word(), word());
            let both = [&a, &b, &a];
            for (node, r#type) in operators(is_signed, width, to) {
                let operator = Operator {
                    node: &node,
                    r#type,
                    operand_type: Some(Type::Word(is_signed, width)),
                    widths: Vec::new(),
                };
                let operands = &both[..node.operands().len()];
                let (narrow, wide) =
                    (operator.machine_word(operands, width_of(r#type)), operator.wide_word(operands, width_of(r#type)));
                assert_eq!(
                    narrow, wide,
                    "{node:?} of {a:?} and {b:?}, signed {is_signed}, {width} to {to}, seed {seed}"
                );
            }
            if width + to <= 64 {
                let node = Node::Concatenate(vec![NodeId(0), NodeId(1)]);
                let low = Value::Word((random.random::<u64>() & low_bits(to)).into());
                let operator = Operator {
                    node: &node,
                    r#type: Type::Word(false, width + to),
                    operand_type: Some(Type::Word(is_signed, width)),
                    widths: vec![width, to],
                };
                let operands = [&a, &low];
                assert_eq!(operator.machine_word(&operands, width + to), operator.wide_word(&operands, width + to));
            }
        }
    }
}
