//! Arithmetic on vectors of signals, least significant bit first.
//!
//! Contract: operands of one operation have the same width unless said otherwise; results wrap at that width. Sums are
//! ripple-carry adders and products are sums of shifted rows, whose operands are sorted so that `a * b` and `b * a` are
//! one circuit. Quotients come from restoring division. Both have a gate for each pair of bits, and look at the budget row by
//! row. Tested against the machine's own integers.

use kernel::budget::{Budget, Exhausted};

use crate::aig::{Aig, Signal};

/// A number as bits, least significant first.
pub(crate) type Bits = Vec<Signal>;

/// The lowest `width` bits of a two's complement number.
pub(crate) fn constant(number: i128, width: usize) -> Bits {
    (0..width).map(|bit| Signal::constant(number >> bit.min(127) & 1 == 1)).collect()
}

/// Wider by zeros or by copies of the sign, or cut off.
pub(crate) fn resize(bits: &[Signal], signed: bool, width: usize) -> Bits {
    let fill = if signed { bits.last().copied() } else { None }.unwrap_or(Signal::FALSE);
    (0..width).map(|bit| bits.get(bit).copied().unwrap_or(fill)).collect()
}

/// A two's complement number without superfluous copies of its sign.
pub(crate) fn trim(mut bits: Bits) -> Bits {
    while bits.len() > 1 && bits[bits.len() - 1] == bits[bits.len() - 2] {
        bits.pop();
    }
    bits
}

pub(crate) fn not(bits: &[Signal]) -> Bits {
    bits.iter().map(|bit| !*bit).collect()
}

pub(crate) fn select(aig: &mut Aig, condition: Signal, a: &[Signal], b: &[Signal]) -> Bits {
    a.iter().zip(b).map(|(a, b)| aig.select(condition, *a, *b)).collect()
}

/// `a + b + carry`.
pub(crate) fn add(aig: &mut Aig, a: &[Signal], b: &[Signal], mut carry: Signal) -> Bits {
    let mut sum = Vec::with_capacity(a.len());
    for (a, b) in a.iter().zip(b) {
        let half = aig.xor(*a, *b);
        sum.push(aig.xor(half, carry));
        let (both, passed) = (aig.and(*a, *b), aig.and(half, carry));
        carry = aig.or(both, passed);
    }
    sum
}

pub(crate) fn subtract(aig: &mut Aig, a: &[Signal], b: &[Signal]) -> Bits {
    add(aig, a, &not(b), Signal::TRUE)
}

pub(crate) fn negate(aig: &mut Aig, a: &[Signal]) -> Bits {
    subtract(aig, &constant(0, a.len()), a)
}

pub(crate) fn equal(aig: &mut Aig, a: &[Signal], b: &[Signal]) -> Signal {
    let same: Bits = a.iter().zip(b).map(|(a, b)| aig.iff(*a, *b)).collect();
    aig.all(same)
}

/// `a < b`, both without sign.
pub(crate) fn less(aig: &mut Aig, a: &[Signal], b: &[Signal]) -> Signal {
    let mut less = Signal::FALSE;
    for (a, b) in a.iter().zip(b) {
        let differ = aig.xor(*a, *b);
        less = aig.select(differ, *b, less);
    }
    less
}

/// `a < b`, both in two's complement.
pub(crate) fn less_signed(aig: &mut Aig, a: &[Signal], b: &[Signal]) -> Signal {
    let flip = |bits: &[Signal]| -> Bits {
        let top = bits.len() - 1;
        bits.iter().enumerate().map(|(at, bit)| bit.negated_if(at == top)).collect()
    };
    less(aig, &flip(a), &flip(b))
}

/// Whether all bits are zero.
pub(crate) fn is_zero(aig: &mut Aig, bits: &[Signal]) -> Signal {
    aig.all(bits.iter().map(|bit| !*bit))
}

/// Bytes that a node of the graph costs, with its share of the tables.
pub(crate) const BYTES_PER_GATE: u64 = 40;

/// Nodes that a graph does not exceed, whatever the budget; their numbers have 31 bits.
const MOST_GATES: usize = 1 << 30;

/// Whether the budget has room for more gates.
pub(crate) fn check(aig: &Aig, budget: &Budget) -> Result<(), Exhausted> {
    if aig.len() > MOST_GATES {
        return Err(Exhausted::Memory);
    }
    budget.check_now(aig.len() as u64 * BYTES_PER_GATE)
}

pub(crate) fn multiply(aig: &mut Aig, a: &[Signal], b: &[Signal], budget: &Budget) -> Result<Bits, Exhausted> {
    let (a, b) = if a <= b { (a, b) } else { (b, a) };
    let width = a.len();
    // Rows are those of the operand with more constant zeros, so that they disappear.
    let zeros = |bits: &[Signal]| bits.iter().filter(|bit| **bit == Signal::FALSE).count();
    let (a, b) = if zeros(a) > zeros(b) { (b, a) } else { (a, b) };
    let mut product = constant(0, width);
    for (shift, factor) in b.iter().enumerate() {
        if *factor == Signal::FALSE {
            continue;
        }
        let mut row = constant(0, shift);
        for bit in &a[..width - shift] {
            row.push(aig.and(*bit, *factor));
        }
        product = add(aig, &product, &row, Signal::FALSE);
        check(aig, budget)?;
    }
    Ok(product)
}

/// Quotient and remainder, without sign, by restoring division. For a zero divisor the result means nothing.
pub(crate) fn divide(aig: &mut Aig, a: &[Signal], b: &[Signal], budget: &Budget) -> Result<(Bits, Bits), Exhausted> {
    let width = a.len();
    // One bit more than the operands, so that the shifted remainder never overflows.
    let divisor = resize(b, false, width + 1);
    let mut remainder = constant(0, width + 1);
    let mut quotient = constant(0, width);
    for place in (0..width).rev() {
        remainder.pop();
        remainder.insert(0, a[place]);
        let too_small = less(aig, &remainder, &divisor);
        let reduced = subtract(aig, &remainder, &divisor);
        remainder = select(aig, too_small, &remainder, &reduced);
        quotient[place] = !too_small;
        check(aig, budget)?;
    }
    remainder.truncate(width);
    Ok((quotient, remainder))
}

/// Quotient and remainder in two's complement, rounded towards zero.
pub(crate) fn divide_signed(
    aig: &mut Aig,
    a: &[Signal],
    b: &[Signal],
    budget: &Budget,
) -> Result<(Bits, Bits), Exhausted> {
    let (a_negative, b_negative) = (a[a.len() - 1], b[b.len() - 1]);
    let (minus_a, minus_b) = (negate(aig, a), negate(aig, b));
    let (a_size, b_size) = (select(aig, a_negative, &minus_a, a), select(aig, b_negative, &minus_b, b));
    let (quotient, remainder) = divide(aig, &a_size, &b_size, budget)?;
    let differ = aig.xor(a_negative, b_negative);
    let (minus_quotient, minus_remainder) = (negate(aig, &quotient), negate(aig, &remainder));
    let quotient = select(aig, differ, &minus_quotient, &quotient);
    Ok((quotient, select(aig, a_negative, &minus_remainder, &remainder)))
}

/// Shifted by an amount without sign, of any width; `fill` comes in.
pub(crate) fn shift(aig: &mut Aig, bits: &[Signal], amount: &[Signal], left: bool, fill: Signal) -> Bits {
    let mut shifted = bits.to_vec();
    let width = bits.len();
    for (power, by) in amount.iter().enumerate() {
        let distance = 1_usize.checked_shl(u32::try_from(power).unwrap_or(u32::MAX)).unwrap_or(width).min(width);
        let moved: Bits = (0..width)
            .map(|bit| {
                let from = if left { bit.checked_sub(distance) } else { Some(bit + distance) };
                from.and_then(|from| shifted.get(from)).copied().unwrap_or(fill)
            })
            .collect();
        shifted = select(aig, *by, &moved, &shifted);
    }
    shifted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares a circuit with a function of numbers, for all pairs of `width` bits.
    fn compare(
        width: u32,
        circuit: impl Fn(&mut Aig, &[Signal], &[Signal]) -> Bits,
        expected: impl Fn(u32, u32) -> Option<u32>,
    ) {
        let mut aig = Aig::new(true);
        let (x, y) = (aig.inputs(width as usize), aig.inputs(width as usize));
        let result = circuit(&mut aig, &x, &y);
        for (a, b) in (0..1 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))) {
            let value = |signal: Signal| match x.iter().position(|bit| *bit == signal) {
                Some(at) => a >> at & 1 == 1,
                None => b >> y.iter().position(|bit| *bit == signal).expect("an input") & 1 == 1,
            };
            let bits = aig.evaluate(&result, value).into_iter().enumerate();
            let found = bits.fold(0, |sum, (at, bit)| sum | u32::from(bit) << at);
            if let Some(expected) = expected(a, b) {
                assert_eq!(found, expected & ((1 << result.len()) - 1), "for {a} and {b} of {width} bits");
            }
        }
    }

    fn signed(bits: u32, width: u32) -> i32 {
        (bits << (32 - width)).cast_signed() >> (32 - width)
    }

    #[test]
    fn arithmetic_agrees_with_numbers() {
        let free = Budget::unlimited();
        for width in 1..=4 {
            compare(width, |g, a, b| add(g, a, b, Signal::FALSE), |a, b| Some(a + b));
            compare(width, subtract, |a, b| Some(a.wrapping_sub(b)));
            compare(width, |g, a, b| multiply(g, a, b, &free).expect("no limit"), |a, b| Some(a * b));
            compare(width, |g, a, b| vec![equal(g, a, b)], |a, b| Some(u32::from(a == b)));
            compare(width, |g, a, b| vec![less(g, a, b)], |a, b| Some(u32::from(a < b)));
            let below = |a, b| Some(u32::from(signed(a, width) < signed(b, width)));
            compare(width, |g, a, b| vec![less_signed(g, a, b)], below);
            compare(width, |g, a, b| divide(g, a, b, &free).expect("no limit").0, |a, b| a.checked_div(b));
            compare(width, |g, a, b| divide(g, a, b, &free).expect("no limit").1, |a, b| a.checked_rem(b));
            let quotient = |a, b| signed(a, width).checked_div(signed(b, width)).map(i32::cast_unsigned);
            compare(width, |g, a, b| divide_signed(g, a, b, &free).expect("no limit").0, quotient);
            let remainder = |a, b| signed(a, width).checked_rem(signed(b, width)).map(i32::cast_unsigned);
            compare(width, |g, a, b| divide_signed(g, a, b, &free).expect("no limit").1, remainder);
            compare(width, |g, a, b| shift(g, a, b, true, Signal::FALSE), |a, b| Some(a << b));
            compare(width, |g, a, b| shift(g, a, b, false, Signal::FALSE), |a, b| Some(a >> b));
            let arithmetic = |a: u32, b: u32| Some((signed(a, width) >> b).cast_unsigned());
            compare(width, |g, a, b| shift(g, a, b, false, a[a.len() - 1]), arithmetic);
        }
    }
}
