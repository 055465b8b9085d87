//! The operators on two values, as the constants of a text and the compiled model have them. The reference
//! interpreter has its own.

use crate::typed::BinaryOp;

/// Arithmetic and comparison on 32-bit integers; `None` is a run-time error.
#[inline]
pub(crate) fn arithmetic(op: BinaryOp, a: i32, b: i32) -> Option<i32> {
    Some(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div if b == 0 => return None,
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Rem if b == 0 => return None,
        BinaryOp::Rem => a.wrapping_rem(b),
        BinaryOp::Shl => a.wrapping_shl(b.cast_unsigned()),
        BinaryOp::Shr => a.wrapping_shr(b.cast_unsigned()),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::And => i32::from(a != 0 && b != 0),
        BinaryOp::Or => i32::from(a != 0 || b != 0),
        comparison => compare(comparison, a, b),
    })
}

/// The comparisons.
#[inline]
fn compare(op: BinaryOp, a: i32, b: i32) -> i32 {
    i32::from(match op {
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        BinaryOp::Lt => a < b,
        BinaryOp::Le => a <= b,
        BinaryOp::Gt => a > b,
        _ => a >= b,
    })
}
