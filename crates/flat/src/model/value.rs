//! Values, the domains of variables and the types of expressions.

use super::SymbolId;

/// One value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// Of a Boolean.
    Boolean(bool),
    /// Of a range or of an enumeration with numbers.
    Integer(i64),
    /// Of an enumeration with names.
    Symbol(SymbolId),
    /// The bits of a word; its width and sign are in the type.
    Word(u64),
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
    /// How many values there are.
    #[must_use]
    pub fn size(&self) -> u128 {
        match self {
            Domain::Boolean => 2,
            Domain::Range(low, high) => u128::try_from(i128::from(*high) - i128::from(*low) + 1).unwrap_or(0),
            Domain::Values(values) => values.len() as u128,
            Domain::Word(_, width) => 1 << width,
        }
    }

    /// The value with this number, counted from 0.
    ///
    /// # Panics
    /// If the type has fewer values.
    #[must_use]
    pub fn value(&self, index: u64) -> Value {
        assert!(u128::from(index) < self.size(), "the index is below the size of the domain");
        match self {
            Domain::Boolean => Value::Boolean(index == 1),
            Domain::Range(low, _) => Value::Integer(low + index.cast_signed()),
            Domain::Values(values) => values[usize::try_from(index).expect("an index of a vector")],
            Domain::Word(..) => Value::Word(index),
        }
    }

    /// The number of a value, if it is one of the domain.
    #[must_use]
    pub fn index(&self, value: Value) -> Option<u64> {
        match (self, value) {
            (Domain::Boolean, Value::Boolean(value)) => Some(u64::from(value)),
            (Domain::Range(low, high), Value::Integer(value)) => {
                (low..=high).contains(&&value).then(|| (value - low).cast_unsigned())
            }
            (Domain::Values(values), value) => values.iter().position(|v| *v == value).map(|at| at as u64),
            (Domain::Word(_, width), Value::Word(bits)) => (*width == 64 || bits >> width == 0).then_some(bits),
            _ => None,
        }
    }

    /// Bits needed to number the values.
    #[must_use]
    pub fn bits(&self) -> u32 {
        match self.size() {
            0 | 1 => 0,
            size => 128 - (size - 1).leading_zeros(),
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
