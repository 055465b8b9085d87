//! Arithmetic on vectors of decision diagrams, least significant bit first.
//!
//! Contract: operands of one operation have the same width unless said otherwise; results wrap at that width. The
//! circuits are the schoolbook ones: ripple carry, shift and add, restoring division. Tested against the machine's own
//! integers for all operands of small widths.

use bdd::{Bdd, Manager};

use kernel::budget::Exhausted;

/// A number as bits, least significant first.
pub(crate) type Bits = Vec<Bdd>;

/// The lowest `width` bits of a two's complement number.
pub(crate) fn constant(manager: &Manager, number: i64, width: usize) -> Bits {
    (0..width).map(|bit| manager.constant(number >> bit.min(63) & 1 == 1)).collect()
}

/// Wider by zeros or by copies of the sign, or cut off.
pub(crate) fn resize(manager: &Manager, bits: &[Bdd], signed: bool, width: usize) -> Bits {
    let fill = if signed { bits.last().cloned() } else { None }.unwrap_or_else(|| manager.no());
    (0..width).map(|bit| bits.get(bit).unwrap_or(&fill).clone()).collect()
}

/// A two's complement number without superfluous copies of its sign.
pub(crate) fn trim(mut bits: Bits) -> Bits {
    while bits.len() > 1 && bits[bits.len() - 1] == bits[bits.len() - 2] {
        bits.pop();
    }
    bits
}

pub(crate) fn not(bits: &[Bdd]) -> Bits {
    bits.iter().map(|bit| !bit).collect()
}

pub(crate) fn zip(
    a: &[Bdd],
    b: &[Bdd],
    mut operation: impl FnMut(&Bdd, &Bdd) -> Result<Bdd, Exhausted>,
) -> Result<Bits, Exhausted> {
    a.iter().zip(b).map(|(a, b)| operation(a, b)).collect()
}

/// `a` where the condition is true, `b` elsewhere.
pub(crate) fn select(condition: &Bdd, a: &[Bdd], b: &[Bdd]) -> Result<Bits, Exhausted> {
    zip(a, b, |a, b| Ok(condition.try_if_then_else(a, b)?))
}

/// `a + b + carry`.
pub(crate) fn add(a: &[Bdd], b: &[Bdd], mut carry: Bdd) -> Result<Bits, Exhausted> {
    let mut sum = Vec::with_capacity(a.len());
    for (a, b) in a.iter().zip(b) {
        let half = a.try_xor(b)?;
        sum.push(half.try_xor(&carry)?);
        // The carry is that of the lower bits if the operands differ here, and either operand if they do not.
        carry = half.try_if_then_else(&carry, a)?;
    }
    Ok(sum)
}

pub(crate) fn subtract(manager: &Manager, a: &[Bdd], b: &[Bdd]) -> Result<Bits, Exhausted> {
    add(a, &not(b), manager.yes())
}

pub(crate) fn negate(manager: &Manager, a: &[Bdd]) -> Result<Bits, Exhausted> {
    subtract(manager, &constant(manager, 0, a.len()), a)
}

pub(crate) fn equal(manager: &Manager, a: &[Bdd], b: &[Bdd]) -> Result<Bdd, Exhausted> {
    let mut equal = manager.yes();
    for (a, b) in a.iter().zip(b).rev() {
        equal = equal.try_and(&!a.try_xor(b)?)?;
    }
    Ok(equal)
}

/// `a < b`, both without sign.
pub(crate) fn less(manager: &Manager, a: &[Bdd], b: &[Bdd]) -> Result<Bdd, Exhausted> {
    let mut less = manager.no();
    for (a, b) in a.iter().zip(b) {
        less = a.try_xor(b)?.try_if_then_else(b, &less)?;
    }
    Ok(less)
}

/// `a < b`, both in two's complement.
pub(crate) fn less_signed(manager: &Manager, a: &[Bdd], b: &[Bdd]) -> Result<Bdd, Exhausted> {
    let flip = |bits: &[Bdd]| -> Bits {
        let top = bits.len() - 1;
        bits.iter().enumerate().map(|(at, bit)| if at == top { !bit } else { bit.clone() }).collect()
    };
    less(manager, &flip(a), &flip(b))
}

pub(crate) fn multiply(manager: &Manager, a: &[Bdd], b: &[Bdd]) -> Result<Bits, Exhausted> {
    let width = a.len();
    let mut product = constant(manager, 0, width);
    for (shift, factor) in b.iter().enumerate() {
        if factor.is_false() {
            continue;
        }
        let mut row = constant(manager, 0, shift);
        for bit in &a[..width - shift] {
            row.push(bit.try_and(factor)?);
        }
        product = add(&product, &row, manager.no())?;
    }
    Ok(product)
}

/// Quotient and remainder, without sign. For a zero divisor the result means nothing.
pub(crate) fn divide(manager: &Manager, a: &[Bdd], b: &[Bdd]) -> Result<(Bits, Bits), Exhausted> {
    let width = a.len();
    // One bit more than the operands, so that the shifted remainder never overflows.
    let divisor = resize(manager, b, false, width + 1);
    let mut remainder = constant(manager, 0, width + 1);
    let mut quotient = constant(manager, 0, width);
    for place in (0..width).rev() {
        remainder.pop();
        remainder.insert(0, a[place].clone());
        let too_small = less(manager, &remainder, &divisor)?;
        let reduced = subtract(manager, &remainder, &divisor)?;
        remainder = select(&too_small, &remainder, &reduced)?;
        quotient[place] = !too_small;
    }
    remainder.truncate(width);
    Ok((quotient, remainder))
}

/// Quotient and remainder in two's complement, rounded towards zero.
pub(crate) fn divide_signed(manager: &Manager, a: &[Bdd], b: &[Bdd]) -> Result<(Bits, Bits), Exhausted> {
    let (a_negative, b_negative) = (a[a.len() - 1].clone(), b[b.len() - 1].clone());
    let a_size = select(&a_negative, &negate(manager, a)?, a)?;
    let b_size = select(&b_negative, &negate(manager, b)?, b)?;
    let (quotient, remainder) = divide(manager, &a_size, &b_size)?;
    let differ = a_negative.try_xor(&b_negative)?;
    let quotient = select(&differ, &negate(manager, &quotient)?, &quotient)?;
    let remainder = select(&a_negative, &negate(manager, &remainder)?, &remainder)?;
    Ok((quotient, remainder))
}

/// Shifted by an amount without sign, of any width; `fill` comes in.
pub(crate) fn shift(bits: &[Bdd], amount: &[Bdd], left: bool, fill: &Bdd) -> Result<Bits, Exhausted> {
    let mut shifted = bits.to_vec();
    let width = bits.len();
    for (power, by) in amount.iter().enumerate() {
        let distance = 1_usize.checked_shl(u32::try_from(power).unwrap_or(u32::MAX)).unwrap_or(width).min(width);
        let moved: Bits = (0..width)
            .map(|bit| {
                let from = if left { bit.checked_sub(distance) } else { Some(bit + distance) };
                from.and_then(|from| shifted.get(from)).unwrap_or(fill).clone()
            })
            .collect();
        shifted = select(by, &moved, &shifted)?;
    }
    Ok(shifted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bdd::Variable;

    /// Compares a circuit with a function of numbers, for all pairs of `width` bits.
    fn check(
        width: u32,
        circuit: impl Fn(&Manager, &Bits, &Bits) -> Result<Bits, Exhausted>,
        expected: impl Fn(u32, u32) -> Option<u32>,
    ) {
        let manager = Manager::new();
        let word = |first: u32| -> Bits { (0..width).map(|bit| manager.variable(Variable(first + 2 * bit))).collect() };
        let result = circuit(&manager, &word(0), &word(1)).expect("no limit");
        for a in 0..1 << width {
            for b in 0..1 << width {
                let value =
                    |variable: Variable| if variable.0.is_multiple_of(2) { a } else { b } >> (variable.0 / 2) & 1 == 1;
                let found =
                    result.iter().enumerate().fold(0, |sum, (at, bit)| sum | u32::from(bit.evaluate(value)) << at);
                if let Some(expected) = expected(a, b) {
                    assert_eq!(found, expected & ((1 << result.len()) - 1), "for {a} and {b} of {width} bits");
                }
            }
        }
    }

    fn signed(bits: u32, width: u32) -> i32 {
        (bits << (32 - width)).cast_signed() >> (32 - width)
    }

    #[test]
    fn arithmetic_agrees_with_numbers() {
        for width in 1..=4 {
            check(width, |m, a, b| add(a, b, m.no()), |a, b| Some(a + b));
            check(width, subtract_, |a, b| Some(a.wrapping_sub(b)));
            check(width, multiply_, |a, b| Some(a * b));
            check(width, |m, a, b| Ok(vec![equal(m, a, b)?]), |a, b| Some(u32::from(a == b)));
            check(width, |m, a, b| Ok(vec![less(m, a, b)?]), |a, b| Some(u32::from(a < b)));
            let less_of_numbers = |a, b| Some(u32::from(signed(a, width) < signed(b, width)));
            check(width, |m, a, b| Ok(vec![less_signed(m, a, b)?]), less_of_numbers);
            check(width, |m, a, b| Ok(divide(m, a, b)?.0), |a, b| a.checked_div(b));
            check(width, |m, a, b| Ok(divide(m, a, b)?.1), |a, b| a.checked_rem(b));
            let quotient = |a, b| signed(a, width).checked_div(signed(b, width)).map(i32::cast_unsigned);
            check(width, |m, a, b| Ok(divide_signed(m, a, b)?.0), quotient);
            let remainder = |a, b| signed(a, width).checked_rem(signed(b, width)).map(i32::cast_unsigned);
            check(width, |m, a, b| Ok(divide_signed(m, a, b)?.1), remainder);
            check(width, |m, a, b| shift(a, b, true, &m.no()), |a, b| Some(a << b));
            check(width, |m, a, b| shift(a, b, false, &m.no()), |a, b| Some(a >> b));
            let arithmetic = |a: u32, b: u32| Some((signed(a, width) >> b).cast_unsigned());
            check(width, |_, a, b| shift(a, b, false, &a[a.len() - 1]), arithmetic);
        }
    }

    fn subtract_(manager: &Manager, a: &Bits, b: &Bits) -> Result<Bits, Exhausted> {
        subtract(manager, a, b)
    }

    fn multiply_(manager: &Manager, a: &Bits, b: &Bits) -> Result<Bits, Exhausted> {
        multiply(manager, a, b)
    }
}
