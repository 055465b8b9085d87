//! Values of expressions as vectors of signals.
//!
//! Contract: numbers are in two's complement, words as they are, and values of enumerations a table of values with the
//! number of one of them in binary. Two terms with the same table are compared and selected bit by bit, so that a
//! variable that keeps its value is a wire. Codes beyond the end of a table mean nothing.

use std::rc::Rc;

use flat::model::{Domain, Type, Value};

use crate::aig::{Aig, Signal};
use crate::bits::{self, Bits};

/// The value of an expression.
#[derive(Clone, Debug)]
pub(crate) enum Term {
    /// A truth value.
    Boolean(Signal),
    /// The bits of a word.
    Word(Bits),
    /// A number in two's complement.
    Number(Bits),
    /// One value of a table, by its number.
    Coded(Rc<[Value]>, Bits),
}

/// The values that a set offers.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    /// One value.
    One(Term),
    /// All numbers from the first to the second.
    Between(i64, i64),
}

/// The bits of a word as a number.
pub(crate) fn word_bits(value: &Value, width: usize) -> Bits {
    match value {
        Value::Word(bits) => (0..).take(width).map(|place| Signal::constant(bits.bit(place))).collect(),
        other => unreachable!("{other:?} is no word"),
    }
}

/// How many bits number this many values.
pub(crate) fn bits_for(values: usize) -> usize {
    (usize::BITS - values.saturating_sub(1).leading_zeros()) as usize
}

impl Term {
    /// A constant.
    pub(crate) fn constant(value: &Value, r#type: Type) -> Self {
        match (value, r#type) {
            (Value::Boolean(truth), Type::Boolean) => Term::Boolean(Signal::constant(*truth)),
            (Value::Integer(number), _) => Term::Number(bits::trim(bits::constant(i128::from(*number), 66))),
            (Value::Word(_), Type::Word(_, width)) => Term::Word(word_bits(value, width as usize)),
            (value, _) => Term::Coded(Rc::from([value.clone()]), Vec::new()),
        }
    }

    pub(crate) fn truth(&self) -> Signal {
        match self {
            Term::Boolean(truth) => *truth,
            other => unreachable!("a truth value, not {other:?}"),
        }
    }

    pub(crate) fn word(&self) -> &Bits {
        match self {
            Term::Word(bits) => bits,
            other => unreachable!("a word, not {other:?}"),
        }
    }

    /// Where a term is this value.
    pub(crate) fn is(&self, value: &Value, aig: &mut Aig) -> Signal {
        match (self, value) {
            (Term::Boolean(truth), Value::Boolean(value)) => truth.negated_if(!*value),
            (Term::Word(bits), Value::Word(_)) => bits::equal(aig, bits, &word_bits(value, bits.len())),
            (Term::Number(number), Value::Integer(value)) => {
                let width = number.len().max(66);
                bits::equal(aig, &bits::resize(number, true, width), &bits::constant(i128::from(*value), width))
            }
            (Term::Coded(table, code), value) => match table.iter().position(|known| known == value) {
                Some(at) => bits::equal(aig, code, &bits::constant(at as i128, code.len())),
                None => Signal::FALSE,
            },
            _ => Signal::FALSE,
        }
    }

    /// The number of a term whose values are numbers.
    pub(crate) fn number(&self, aig: &mut Aig) -> Bits {
        match self {
            Term::Number(bits) => bits.clone(),
            Term::Coded(table, _) => {
                let number = |value: &Value| match value {
                    Value::Integer(number) => bits::constant(i128::from(*number), 66),
                    // A table may mix names and numbers; where a name stands, the model has no number to speak of.
                    _ => bits::constant(0, 66),
                };
                let mut result = number(&table[table.len() - 1]);
                for value in table.iter().rev().skip(1) {
                    let here = self.is(value, aig);
                    result = bits::select(aig, here, &number(value), &result);
                }
                bits::trim(result)
            }
            other => unreachable!("a number, not {other:?}"),
        }
    }

    /// The term with the number of its value in another table, which has all its values.
    pub(crate) fn coded(&self, table: &Rc<[Value]>, aig: &mut Aig) -> Bits {
        let width = bits_for(table.len());
        match self {
            Term::Coded(own, code) if table.starts_with(own) => bits::resize(code, false, width),
            Term::Coded(own, _) => {
                let places: Vec<(Signal, usize)> = own
                    .iter()
                    .map(|value| {
                        (self.is(value, aig), table.iter().position(|known| known == value).unwrap_or_default())
                    })
                    .collect();
                let bit = |bit: usize, aig: &mut Aig| {
                    aig.any(places.iter().filter(|(_, place)| place >> bit & 1 == 1).map(|(here, _)| *here))
                };
                (0..width).map(|place| bit(place, aig)).collect()
            }
            other => {
                let places: Vec<Signal> = table.iter().map(|value| other.is(value, aig)).collect();
                let bit = |bit: usize, aig: &mut Aig| {
                    let set = places.iter().enumerate().filter(|(place, _)| place >> bit & 1 == 1);
                    aig.any(set.map(|(_, here)| *here).collect::<Vec<_>>())
                };
                (0..width).map(|place| bit(place, aig)).collect()
            }
        }
    }

    /// Where two terms have the same value.
    pub(crate) fn equal(&self, other: &Term, aig: &mut Aig) -> Signal {
        match (self, other) {
            (Term::Boolean(a), Term::Boolean(b)) => aig.iff(*a, *b),
            (Term::Word(a), Term::Word(b)) => bits::equal(aig, a, b),
            (Term::Number(a), Term::Number(b)) => {
                let width = a.len().max(b.len());
                bits::equal(aig, &bits::resize(a, true, width), &bits::resize(b, true, width))
            }
            (Term::Coded(a, x), Term::Coded(b, y)) if a == b => bits::equal(aig, x, y),
            (Term::Coded(table, _), term) | (term, Term::Coded(table, _)) => {
                let coded = if matches!(self, Term::Coded(..)) { self } else { other };
                let mut same = Vec::new();
                for value in table.iter() {
                    let (here, there) = (coded.is(value, aig), term.is(value, aig));
                    same.push(aig.and(here, there));
                }
                aig.any(same)
            }
            (a, b) => unreachable!("comparable terms, not {a:?} and {b:?}"),
        }
    }

    /// `a` where the condition is true, `b` elsewhere. Numbers outside `interval` do not occur.
    pub(crate) fn select(condition: Signal, a: &Term, b: &Term, aig: &mut Aig) -> Term {
        match (a, b) {
            (Term::Boolean(a), Term::Boolean(b)) => Term::Boolean(aig.select(condition, *a, *b)),
            (Term::Word(a), Term::Word(b)) => Term::Word(bits::select(aig, condition, a, b)),
            (Term::Number(a), Term::Number(b)) => {
                let width = a.len().max(b.len());
                let (a, b) = (bits::resize(a, true, width), bits::resize(b, true, width));
                Term::Number(bits::trim(bits::select(aig, condition, &a, &b)))
            }
            (Term::Coded(left, _), Term::Coded(right, _)) => {
                let contains = |one: &[Value], all: &[Value]| one.iter().all(|value| all.contains(value));
                let table: Rc<[Value]> = if contains(right, left) {
                    Rc::clone(left)
                } else if contains(left, right) {
                    Rc::clone(right)
                } else {
                    left.iter().chain(right.iter().filter(|value| !left.contains(value))).cloned().collect()
                };
                let (a, b) = (a.coded(&table, aig), b.coded(&table, aig));
                Term::Coded(table, bits::select(aig, condition, &a, &b))
            }
            (Term::Coded(table, _), Term::Number(_)) | (Term::Number(_), Term::Coded(table, _))
                if table.iter().all(|value| matches!(value, Value::Integer(_))) =>
            {
                let (a, b) = (Term::Number(a.number(aig)), Term::Number(b.number(aig)));
                Term::select(condition, &a, &b, aig)
            }
            (a, b) => {
                let (a, b) = (a.tabled(aig), b.tabled(aig));
                Term::select(condition, &a, &b, aig)
            }
        }
    }

    /// A number or a truth value as one of a table, to stand beside names.
    fn tabled(&self, aig: &mut Aig) -> Term {
        match self {
            Term::Number(bits) => {
                let (low, high) = reach(bits);
                let table: Rc<[Value]> = (low..=high).map(Value::Integer).collect();
                let code = self.coded(&table, aig);
                Term::Coded(table, code)
            }
            Term::Boolean(truth) => Term::Coded(Rc::from([Value::Boolean(false), Value::Boolean(true)]), vec![*truth]),
            other => other.clone(),
        }
    }

    /// Where the value is one of the domain.
    pub(crate) fn in_domain(&self, domain: &Domain, aig: &mut Aig) -> Signal {
        match (self, domain) {
            (Term::Boolean(_), Domain::Boolean) | (Term::Word(_), _) => Signal::TRUE,
            (_, Domain::Range(low, high)) => Choice::Between(*low, *high).contains(self, aig),
            (term, Domain::Values(values)) => {
                let inside: Vec<Signal> = values.iter().map(|value| term.is(value, aig)).collect();
                aig.any(inside)
            }
            (term, domain) => unreachable!("{term:?} for {domain:?}"),
        }
    }
}

/// The smallest and the largest number that a vector of bits can be.
fn reach(bits: &[Signal]) -> (i64, i64) {
    let top = bits.len() - 1;
    let constant = |bit: &Signal| (*bit == Signal::TRUE || *bit == Signal::FALSE).then_some(*bit == Signal::TRUE);
    let sum = |open: bool| -> i64 {
        let places = bits[..top].iter().enumerate();
        places.map(|(at, bit)| i64::from(constant(bit).unwrap_or(open)) << at).sum()
    };
    let sign = constant(&bits[top]);
    let least = sum(false) - if sign.unwrap_or(true) { 1 << top } else { 0 };
    let most = sum(true) - if sign.unwrap_or(false) { 1 << top } else { 0 };
    (least, most)
}

impl Choice {
    /// Where this choice is, or covers, the value of a term.
    pub(crate) fn contains(&self, term: &Term, aig: &mut Aig) -> Signal {
        match self {
            Choice::One(one) => one.equal(term, aig),
            Choice::Between(low, high) => match term {
                Term::Coded(table, _) => {
                    let inside = |value: &&Value| matches!(value, Value::Integer(one) if (low..=high).contains(&one));
                    let values: Vec<Value> = table.iter().filter(inside).cloned().collect();
                    let inside: Vec<Signal> = values.iter().map(|value| term.is(value, aig)).collect();
                    aig.any(inside)
                }
                Term::Number(number) => {
                    let width = number.len().max(66) + 1;
                    let wide = bits::resize(number, true, width);
                    let below = bits::less_signed(aig, &wide, &bits::constant(i128::from(*low), width));
                    let above = bits::less_signed(aig, &bits::constant(i128::from(*high), width), &wide);
                    aig.and(!below, !above)
                }
                _ => Signal::FALSE,
            },
        }
    }
}
