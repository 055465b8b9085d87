//! Natural numbers of any size: the bits of words, and the numbers of values.
//!
//! Contract: a number that fits a machine word is kept in one, so that models without wide words cost no allocation; the
//! order and equality are those of the numbers.

use std::fmt;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint, Sign};

/// A natural number.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Natural(Size);

/// The variants are ordered as their numbers are.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Size {
    Small(u64),
    /// At least 2^64.
    Large(Arc<BigUint>),
}

impl Natural {
    /// Zero.
    pub const ZERO: Natural = Natural(Size::Small(0));

    /// The number with these bits, the least significant first.
    #[must_use]
    pub fn from_bits(bits: &[bool]) -> Self {
        let digit = |bits: &[bool]| bits.iter().enumerate().fold(0, |sum, (at, bit)| sum | u32::from(*bit) << at);
        if bits.len() <= 64 {
            return bits.iter().enumerate().fold(0, |sum, (at, bit)| sum | u64::from(*bit) << at).into();
        }
        BigUint::new(bits.chunks(32).map(digit).collect()).into()
    }

    /// The number that digits of a base from 2 to 16 stand for; none if there are no digits, or others.
    #[must_use]
    pub fn parse(digits: &str, base: u32) -> Option<Self> {
        if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(base)) {
            return None;
        }
        match u64::from_str_radix(digits, base) {
            Ok(number) => Some(number.into()),
            Err(_) => BigUint::parse_bytes(digits.as_bytes(), base).map(Natural::from),
        }
    }

    /// The remainder of an integer modulo `2^width`: the bits of a word in two's complement.
    #[must_use]
    pub fn wrapped(number: &BigInt, width: u32) -> Self {
        let mask = (BigInt::from(1) << width) - 1;
        let wrapped: BigInt = number & mask;
        wrapped.into_parts().1.into()
    }

    /// A power of two.
    #[must_use]
    pub fn power_of_two(exponent: u32) -> Self {
        match 1_u64.checked_shl(exponent) {
            Some(power) => power.into(),
            None => (BigUint::from(1_u32) << exponent).into(),
        }
    }

    /// The number, if it fits a machine word.
    #[must_use]
    pub fn small(&self) -> Option<u64> {
        match self.0 {
            Size::Small(number) => Some(number),
            Size::Large(_) => None,
        }
    }

    /// One bit, counted from the least significant.
    #[must_use]
    pub fn bit(&self, place: u32) -> bool {
        match &self.0 {
            Size::Small(number) => place < 64 && number >> place & 1 == 1,
            Size::Large(number) => number.bit(u64::from(place)),
        }
    }

    /// How many bits the number has, without leading zeros.
    #[must_use]
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Size::Small(number) => u64::from(64 - number.leading_zeros()),
            Size::Large(number) => number.bits(),
        }
    }

    /// The number as an integer.
    #[must_use]
    pub fn integer(&self) -> BigInt {
        match &self.0 {
            Size::Small(number) => BigInt::from(*number),
            Size::Large(number) => BigInt::from_biguint(Sign::Plus, BigUint::clone(number)),
        }
    }

    /// The integer that these bits of a word stand for in two's complement.
    #[must_use]
    pub fn signed(&self, width: u32) -> BigInt {
        let number = self.integer();
        if self.bit(width - 1) { number - (BigInt::from(1) << width) } else { number }
    }

    /// The next larger number.
    #[must_use]
    pub fn successor(&self) -> Self {
        match &self.0 {
            Size::Small(number) if *number < u64::MAX => (number + 1).into(),
            _ => BigUint::into(self.integer().into_parts().1 + 1_u32),
        }
    }
}

impl From<u64> for Natural {
    fn from(number: u64) -> Self {
        Natural(Size::Small(number))
    }
}

impl From<BigUint> for Natural {
    fn from(number: BigUint) -> Self {
        match u64::try_from(&number) {
            Ok(number) => number.into(),
            Err(_) => Natural(Size::Large(Arc::new(number))),
        }
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Size::Small(number) => number.fmt(formatter),
            Size::Large(number) => number.fmt(formatter),
        }
    }
}

impl fmt::Debug for Natural {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::{BigInt, Natural};

    #[test]
    fn numbers_around_the_machine_word_are_ordered_and_read_back() {
        let texts = ["0", "1", "18446744073709551615", "18446744073709551616", "36893488147419103233"];
        let numbers: Vec<Natural> = texts.iter().map(|text| Natural::parse(text, 10).expect("digits")).collect();
        assert!(numbers.is_sorted());
        for (number, text) in numbers.iter().zip(texts) {
            assert_eq!(number.to_string(), text);
            let bits: Vec<bool> = (0..70).map(|place| number.bit(place)).collect();
            assert_eq!(Natural::from_bits(&bits), *number);
            assert_eq!(Natural::wrapped(&number.signed(66), 66), *number);
            assert_eq!(Natural::wrapped(&(number.integer() + (BigInt::from(3) << 66)), 66), *number);
        }
        assert_eq!(Natural::wrapped(&BigInt::from(-1), 66).bits(), 66);
        assert_eq!([63, 64].map(Natural::power_of_two), [Natural::from(1 << 63), numbers[3].clone()]);
        assert_eq!(numbers[2].successor(), numbers[3]);
        assert_eq!(Natural::parse("", 10), None);
        assert_eq!(Natural::parse("+1", 10), None);
    }
}
