//! Values, the domains of variables and the types of expressions.

use super::SymbolId;
use super::natural::Natural;

/// The widest word. Arithmetic on words costs gates or nodes for each bit, products and quotients for each pair of bits.
pub const WIDEST_WORD: u32 = 1 << 16;

/// One value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// Of a Boolean.
    Boolean(bool),
    /// Of a range or of an enumeration with numbers.
    Integer(i64),
    /// Of an enumeration with names.
    Symbol(SymbolId),
    /// The bits of a word; its width and sign are in the type.
    Word(Natural),
}

/// The values a variable can have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// False and true.
    Boolean,
    /// All numbers from the first to the second.
    Range(i64, i64),
    /// Exactly these, in the order of writing, without repetition.
    Values(Vec<Value>),
    /// All words: signed or not, and the width.
    Word(bool, u32),
}

impl Domain {
    /// How many values there are; the largest number for words of 128 bits and more, which have more.
    #[must_use]
    pub fn size(&self) -> u128 {
        match self {
            Domain::Boolean => 2,
            Domain::Range(low, high) => u128::try_from(i128::from(*high) - i128::from(*low) + 1).unwrap_or(0),
            Domain::Values(values) => values.len() as u128,
            Domain::Word(_, width) => 1_u128.checked_shl(*width).unwrap_or(u128::MAX),
        }
    }

    /// Whether a number, counted from 0, is that of a value.
    #[must_use]
    pub fn numbers(&self, index: &Natural) -> bool {
        match self {
            Domain::Word(_, width) => index.bits() <= u64::from(*width),
            _ => index.small().is_some_and(|index| u128::from(index) < self.size()),
        }
    }

    /// The value with this number, counted from 0.
    ///
    /// # Panics
    /// If the type has fewer values.
    #[must_use]
    pub fn value(&self, index: impl Into<Natural>) -> Value {
        let index = index.into();
        assert!(self.numbers(&index), "the index is below the size of the domain");
        let small = || index.small().expect("only words have more values");
        match self {
            Domain::Boolean => Value::Boolean(small() == 1),
            Domain::Range(low, _) => Value::Integer(low + small().cast_signed()),
            Domain::Values(values) => values[usize::try_from(small()).expect("an index of a vector")].clone(),
            Domain::Word(..) => Value::Word(index),
        }
    }

    /// The number of a value, if it is one of the domain.
    #[must_use]
    pub fn index(&self, value: &Value) -> Option<Natural> {
        match (self, value) {
            (Domain::Boolean, Value::Boolean(value)) => Some(u64::from(*value).into()),
            (Domain::Range(low, high), Value::Integer(value)) => {
                (low..=high).contains(&value).then(|| (value - low).cast_unsigned().into())
            }
            (Domain::Values(values), value) => {
                values.iter().position(|known| known == value).map(|at| (at as u64).into())
            }
            (Domain::Word(..), Value::Word(bits)) => self.numbers(bits).then(|| bits.clone()),
            _ => None,
        }
    }

    /// Whether a value is one of the domain.
    #[must_use]
    pub fn contains(&self, value: &Value) -> bool {
        self.index(value).is_some()
    }

    /// Bits needed to number the values.
    #[must_use]
    pub fn bits(&self) -> u32 {
        match (self, self.size()) {
            (Domain::Word(_, width), _) => *width,
            (_, 0 | 1) => 0,
            (_, size) => 128 - (size - 1).leading_zeros(),
        }
    }

    /// The type of an expression with these values.
    #[must_use]
    pub fn r#type(&self) -> Type {
        match self {
            Domain::Boolean => Type::Boolean,
            Domain::Range(..) => Type::Integer,
            Domain::Word(signed, width) => Type::Word(*signed, *width),
            Domain::Values(values) if values.iter().all(|value| matches!(value, Value::Integer(_))) => Type::Integer,
            Domain::Values(values) if values.iter().all(|value| matches!(value, Value::Symbol(_))) => Type::Symbolic,
            Domain::Values(values) if values.iter().all(|value| matches!(value, Value::Boolean(_))) => Type::Boolean,
            Domain::Values(_) => Type::Mixed,
        }
    }
}

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// False or true.
    Boolean,
    /// A number.
    Integer,
    /// A name.
    Symbolic,
    /// A name or a number.
    Mixed,
    /// A word: signed or not, and the width.
    Word(bool, u32),
}
