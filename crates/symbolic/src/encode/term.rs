//! Values that depend on the state, as decision diagrams.
//!
//! A Boolean is one diagram, a number or word a vector of them, a value of an enumeration one diagram for each value it
//! can have. A set of choices is a list of such terms with the condition under which each can be chosen.

use bdd::{Bdd, Manager};

use super::bits::{self, Bits};
use flat::model::{Domain, Type, Value};
use kernel::budget::Exhausted;

/// One value that depends on the state.
#[derive(Clone, Debug)]
pub(crate) enum Term {
    Boolean(Bdd),
    /// A number in two's complement, without superfluous bits.
    Number(Bits),
    /// A word of its type's width.
    Word(Bits),
    /// The condition for each value; the conditions exclude each other.
    Listed(Vec<(Value, Bdd)>),
}

/// One choice of a set.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    One(Term),
    /// All numbers between two.
    Between(i64, i64),
}

/// An expression as diagrams: its choices with their conditions, and where it has no value.
#[derive(Clone, Debug)]
pub(crate) struct Encoded {
    pub(crate) choices: Vec<(Bdd, Choice)>,
    pub(crate) undefined: Bdd,
}

impl Encoded {
    /// A constant expression.
    pub(crate) fn one(manager: &Manager, term: Term) -> Self {
        Encoded { choices: vec![(manager.yes(), Choice::One(term))], undefined: manager.no() }
    }

    /// The term of an expression that is one value.
    pub(crate) fn term(&self) -> &Term {
        match &self.choices[..] {
            [(_, Choice::One(term))] => term,
            other => unreachable!("invariant 3: one value, not {} choices", other.len()),
        }
    }
}

impl Term {
    /// The diagram of a truth value.
    pub(crate) fn truth(&self) -> &Bdd {
        match self {
            Term::Boolean(truth) => truth,
            other => unreachable!("a truth value, not {other:?}"),
        }
    }

    /// A constant.
    pub(crate) fn constant(manager: &Manager, value: &Value, r#type: Type) -> Term {
        match (value, r#type) {
            (Value::Boolean(truth), _) => Term::Boolean(manager.constant(*truth)),
            (Value::Word(bits), Type::Word(_, width)) => {
                Term::Word((0..width).map(|place| manager.constant(bits.bit(place))).collect())
            }
            (Value::Integer(number), _) => Term::Number(bits::trim(bits::constant(manager, *number, 64))),
            (value, _) => Term::Listed(vec![(value.clone(), manager.yes())]),
        }
    }

    /// A variable's value from the bits of its number in the domain, least significant first.
    pub(crate) fn variable(manager: &Manager, domain: &Domain, code: &[Bdd]) -> Result<Term, Exhausted> {
        Ok(match domain {
            Domain::Boolean => Term::Boolean(code[0].clone()),
            Domain::Word(..) => Term::Word(code.to_vec()),
            Domain::Range(low, _) => {
                let width = code.len() + 2 + (64 - low.unsigned_abs().leading_zeros() as usize);
                let offset = bits::constant(manager, *low, width);
                let number = bits::add(&bits::resize(manager, code, false, width), &offset, manager.no())?;
                Term::Number(bits::trim(number))
            }
            Domain::Values(values) if values.iter().all(|value| matches!(value, Value::Boolean(_))) => {
                // An enumeration of one truth value.
                Term::Boolean(manager.constant(values[0] == Value::Boolean(true)))
            }
            Domain::Values(values) => {
                let mut list = Vec::with_capacity(values.len());
                for (index, value) in values.iter().enumerate() {
                    let number = bits::constant(manager, index as i64, code.len());
                    list.push((value.clone(), bits::equal(manager, code, &number)?));
                }
                Term::Listed(list)
            }
        })
    }

    /// A number as bits.
    pub(crate) fn number(&self, manager: &Manager) -> Result<Bits, Exhausted> {
        match self {
            Term::Number(number) => Ok(number.clone()),
            Term::Listed(list) => {
                let mut bits = vec![manager.no(); 1];
                for (value, condition) in list {
                    let Value::Integer(number) = value else { unreachable!("a number among {list:?}") };
                    let own = bits::trim(bits::constant(manager, *number, 64));
                    let width = bits.len().max(own.len());
                    let own = bits::resize(manager, &own, true, width);
                    bits = bits::select(condition, &own, &bits::resize(manager, &bits, true, width))?;
                }
                Ok(bits::trim(bits))
            }
            other => unreachable!("a number, not {other:?}"),
        }
    }

    /// The bits of a word.
    pub(crate) fn word(&self) -> &Bits {
        match self {
            Term::Word(bits) => bits,
            other => unreachable!("a word, not {other:?}"),
        }
    }

    /// A number or listed value as a list; numbers between `low` and `high` only.
    fn list(&self, manager: &Manager, (low, high): (i64, i64)) -> Result<Vec<(Value, Bdd)>, Exhausted> {
        match self {
            Term::Listed(list) => Ok(list.clone()),
            Term::Number(number) => {
                let mut list = Vec::new();
                for candidate in low..=high {
                    let condition = is_number(manager, number, candidate)?;
                    if !condition.is_false() {
                        list.push((Value::Integer(candidate), condition));
                    }
                }
                Ok(list)
            }
            other => unreachable!("a listed value, not {other:?}"),
        }
    }

    /// Where two values of comparable types are equal.
    pub(crate) fn equal(&self, other: &Term, manager: &Manager) -> Result<Bdd, Exhausted> {
        match (self, other) {
            (Term::Boolean(a), Term::Boolean(b)) => Ok(!a.try_xor(b)?),
            (Term::Word(a), Term::Word(b)) => bits::equal(manager, a, b),
            (Term::Number(a), Term::Number(b)) => {
                let width = a.len().max(b.len());
                bits::equal(manager, &bits::resize(manager, a, true, width), &bits::resize(manager, b, true, width))
            }
            (Term::Number(number), Term::Listed(list)) | (Term::Listed(list), Term::Number(number)) => {
                let mut equal = manager.no();
                for (value, condition) in list {
                    if let Value::Integer(candidate) = value {
                        equal = equal.try_or(&condition.try_and(&is_number(manager, number, *candidate)?)?)?;
                    }
                }
                Ok(equal)
            }
            (Term::Listed(a), Term::Listed(b)) => {
                let mut equal = manager.no();
                for (value, condition) in a {
                    if let Some((_, other)) = b.iter().find(|(candidate, _)| candidate == value) {
                        equal = equal.try_or(&condition.try_and(other)?)?;
                    }
                }
                Ok(equal)
            }
            (a, b) => unreachable!("comparable terms, not {a:?} and {b:?}"),
        }
    }

    /// `a` where the condition is true, `b` elsewhere; numbers lie in `interval`.
    pub(crate) fn select(
        condition: &Bdd,
        a: &Term,
        b: &Term,
        manager: &Manager,
        interval: (i64, i64),
    ) -> Result<Term, Exhausted> {
        Ok(match (a, b) {
            (Term::Boolean(a), Term::Boolean(b)) => Term::Boolean(condition.try_if_then_else(a, b)?),
            (Term::Word(a), Term::Word(b)) => Term::Word(bits::select(condition, a, b)?),
            (Term::Number(a), Term::Number(b)) => {
                let width = a.len().max(b.len());
                let (a, b) = (bits::resize(manager, a, true, width), bits::resize(manager, b, true, width));
                Term::Number(bits::trim(bits::select(condition, &a, &b)?))
            }
            (a, b) => {
                let mut joined: Vec<(Value, Bdd)> = Vec::new();
                for (value, own) in a.list(manager, interval)? {
                    joined.push((value, condition.try_and(&own)?));
                }
                for (value, own) in b.list(manager, interval)? {
                    let own = (!condition).try_and(&own)?;
                    match joined.iter_mut().find(|(known, _)| *known == value) {
                        Some((_, known)) => *known = known.try_or(&own)?,
                        None => joined.push((value, own)),
                    }
                }
                joined.retain(|(_, condition)| !condition.is_false());
                Term::Listed(joined)
            }
        })
    }

    /// Where the value is one of the domain.
    pub(crate) fn in_domain(&self, domain: &Domain, manager: &Manager) -> Result<Bdd, Exhausted> {
        match (self, domain) {
            (Term::Boolean(value), Domain::Values(values)) => {
                let mut inside = manager.no();
                for allowed in values {
                    let truth = manager.constant(*allowed == Value::Boolean(true));
                    inside = inside.try_or(&!value.try_xor(&truth)?)?;
                }
                Ok(inside)
            }
            (Term::Boolean(_) | Term::Word(_), _) => Ok(manager.yes()),
            (Term::Number(_), Domain::Range(low, high)) => Choice::Between(*low, *high).contains(self, manager),
            (term, Domain::Values(values)) => {
                let mut inside = manager.no();
                for value in values {
                    inside = inside.try_or(&term.equal(&Term::constant(manager, value, Type::Mixed), manager)?)?;
                }
                Ok(inside)
            }
            (Term::Listed(list), domain) => {
                let mut inside = manager.no();
                for (_, condition) in list.iter().filter(|(value, _)| domain.contains(value)) {
                    inside = inside.try_or(condition)?;
                }
                Ok(inside)
            }
            (term, domain) => unreachable!("{term:?} for {domain:?}"),
        }
    }
}

impl Choice {
    /// Where this choice is, or covers, the value of a term.
    pub(crate) fn contains(&self, term: &Term, manager: &Manager) -> Result<Bdd, Exhausted> {
        match self {
            Choice::One(one) => one.equal(term, manager),
            Choice::Between(low, high) => match term {
                Term::Listed(list) => {
                    let mut inside = manager.no();
                    for (value, condition) in list {
                        if matches!(value, Value::Integer(number) if (low..=high).contains(&number)) {
                            inside = inside.try_or(condition)?;
                        }
                    }
                    Ok(inside)
                }
                Term::Number(number) => {
                    let width = number.len().max(42) + 1;
                    let wide = bits::resize(manager, number, true, width);
                    let below = bits::less_signed(manager, &wide, &bits::constant(manager, *low, width))?;
                    let above = bits::less_signed(manager, &bits::constant(manager, *high, width), &wide)?;
                    Ok(!below.try_or(&above)?)
                }
                other => unreachable!("a number, not {other:?}"),
            },
        }
    }
}

fn is_number(manager: &Manager, number: &[Bdd], candidate: i64) -> Result<Bdd, Exhausted> {
    let width = number.len().max(42);
    bits::equal(manager, &bits::resize(manager, number, true, width), &bits::constant(manager, candidate, width))
}
