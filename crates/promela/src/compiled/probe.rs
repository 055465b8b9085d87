//! The part of a guard that needs no evaluator: comparisons of variables with constants.
//!
//! *Contract.* The [`Head`] of an edge says what its guard says: the edge can be taken if all probes
//! hold and then what [`Rule`] asks for does. Probes are the comparisons with which the guard begins,
//! so nothing that could meet a run-time error is skipped or done out of order.
//!
//! *How.* Most guards are decided by one comparison of a variable with a constant, and most of them
//! fail. A [`Probe`] reads the four bytes that end with the variable, masks it out where it lies, and
//! asks whether it is in a range: a handful of instructions for every kind of scalar and every
//! operator. The heads of a location lie side by side.
//!
//! *Tested by* comparison with [`Comparison::holds`], below, and with the reference interpreter.

use super::code::{Code, Comparison, Edge, Guard, Load, Root};
use super::layout::Kind;

/// A comparison of a variable with a constant, where it lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    /// Of the word that is read; relative to the process if `local`, and then perhaps before it.
    offset: i32,
    mask: u32,
    low: u32,
    span: u32,
    local: bool,
    outside: bool,
}

impl Probe {
    /// A probe that holds in any state in which a process is.
    const TRUE: Self = Self { offset: 0, mask: 0, low: 0, span: 0, local: false, outside: false };

    /// Whether it holds for the process that starts at `base`.
    #[inline(always)]
    pub(crate) fn holds(&self, bytes: &[u8], base: usize) -> bool {
        let start = if self.local { base } else { 0 };
        let at = start.wrapping_add_signed(self.offset as isize);
        // Only a state too short to be asked for anything but `TRUE` has no word there.
        let word = bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |word: &[u8; 4]| u32::from_le_bytes(*word));
        ((word & self.mask).wrapping_sub(self.low) <= self.span) != self.outside
    }

    /// The probe for a comparison; a constant if the variable's values leave no doubt; `None` if it
    /// lies where no word can be read.
    fn new(comparison: &Comparison) -> Option<Result<Self, bool>> {
        let Load { root, offset, kind } = comparison.load;
        let (low, high, outside) = comparison.range();
        let (least, most) = match kind {
            Kind::Bits { mask, .. } => (0, i64::from(mask)),
            Kind::U16 { mask } => (0, i64::from(mask)),
            Kind::I16 => (i64::from(i16::MIN), i64::from(i16::MAX)),
            Kind::I32 { .. } => (i64::from(i32::MIN), i64::from(i32::MAX)),
        };
        let (low, high) = (i64::from(low).max(least), i64::from(high).min(most));
        if low > high {
            return Some(Err(outside));
        }
        if (low, high) == (least, most) {
            return Some(Err(!outside));
        }
        // Before any process there is at least the control byte, and a process has at least two.
        let (offset, size) = (i32::try_from(offset).ok()?, i32::try_from(kind.size()).ok()?);
        let word = match root {
            Root::Global => (offset + size - 4).max(0),
            Root::Local => offset + size - 4,
        };
        let place = u32::try_from((offset - word) * 8).ok()?;
        let is_signed = matches!(kind, Kind::I16 | Kind::I32 { .. });
        if word + 4 < offset + size || (is_signed && place + kind.size() * 8 != 32) {
            return None;
        }
        let (place, mask) = match kind {
            Kind::Bits { shift, mask } => (place + u32::from(shift), u32::from(mask)),
            Kind::U16 { mask } => (place, u32::from(mask)),
            Kind::I16 => (place, 0xffff),
            Kind::I32 { .. } => (place, u32::MAX),
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "arithmetic modulo 2^32")]
        let at_place = |value: i64| (value as u32) << place;
        let (low, span) = (at_place(low), at_place(high - low));
        Some(Ok(Self { offset: word, mask: mask << place, low, span, local: root == Root::Local, outside }))
    }
}

/// What has to be asked of an edge after its probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Nothing: it can be taken.
    Take,
    /// It can be taken if nothing before it in its group can.
    Else,
    /// It can be taken by the last process only.
    Last,
    /// The rest of the guard ([`Edge::rest`]) must hold.
    Rest,
    /// Everything: the guard is of another shape.
    Ask,
}

/// The beginning of an edge's guard.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    /// The first probe.
    pub(crate) probe: Probe,
    /// Where the further ones are.
    more: u32,
    count: u16,
    pub(crate) rule: Rule,
    /// The edge before it in its location belongs to another group, or there is none.
    pub(crate) opens_group: bool,
}

impl Head {
    /// Whether the probes after the first hold too.
    #[inline]
    pub(crate) fn more_hold(&self, probes: &[Probe], bytes: &[u8], base: usize) -> bool {
        let more = self.more as usize;
        probes[more..more + usize::from(self.count)].iter().all(|probe| probe.holds(bytes, base))
    }
}

/// Makes the heads of the edges of one location, and what is left of their guards.
pub(crate) fn heads(edges: &mut [Edge], probes: &mut Vec<Probe>, smallest_globals: u32) -> Vec<Head> {
    let mut group = None;
    let mut heads = Vec::new();
    for edge in edges {
        let more = u32::try_from(probes.len()).expect("fewer than 2^32 comparisons");
        let (rule, first) = match &edge.guard {
            Guard::Always => (Rule::Take, None),
            Guard::Else => (Rule::Else, None),
            Guard::Terminate => (Rule::Last, None),
            Guard::Send | Guard::Receive | Guard::DStep => (Rule::Ask, None),
            Guard::Test(code) => {
                let parts = if let Code::All(parts) = code { parts } else { std::slice::from_ref(code) };
                let (found, taken) = leading(parts, smallest_globals);
                edge.rest = rest(&parts[taken..]);
                let mut found = found.into_iter();
                let first = found.next();
                probes.extend(found);
                (if edge.rest.is_some() { Rule::Rest } else { Rule::Take }, first)
            }
        };
        let count = u16::try_from(probes.len() - more as usize).expect("probes of one guard are limited");
        let opens_group = group.replace(edge.group) != Some(edge.group);
        heads.push(Head { probe: first.unwrap_or(Probe::TRUE), more, count, rule, opens_group });
    }
    heads
}

/// The probes with which a conjunction begins, and how many of its parts they stand for.
fn leading(parts: &[Code], smallest_globals: u32) -> (Vec<Probe>, usize) {
    let mut found = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let Code::Compare(comparison) = part else { return (found, index) };
        // A global probe reads four bytes: the process that asks has two of them.
        if comparison.load.root == Root::Global && smallest_globals < 2 || index >= usize::from(u16::MAX) {
            return (found, index);
        }
        match Probe::new(comparison) {
            Some(Ok(probe)) => found.push(probe),
            Some(Err(true)) => {}
            Some(Err(false)) | None => return (found, index),
        }
    }
    (found, parts.len())
}

fn rest(parts: &[Code]) -> Option<Code> {
    match parts {
        [] => None,
        [part] => Some(part.clone()),
        parts => Some(Code::All(parts.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typed::BinaryOp;

    const NUMBERS: [i32; 16] =
        [i32::MIN, -40_000, -32_768, -2, -1, 0, 1, 2, 5, 7, 255, 256, 1023, 32_767, 65_535, i32::MAX];

    /// Compares a probe with the comparison it stands for on all numbers; says whether there is one.
    fn agrees(comparison: &Comparison) -> bool {
        let Load { root, offset, kind } = comparison.load;
        let base = 4;
        let at = offset as usize + if root == Root::Local { base } else { 0 };
        let probe = Probe::new(comparison);
        for (value, background) in NUMBERS.iter().flat_map(|value| [(*value, 0), (*value, 0xff), (*value, 0x5a)]) {
            let mut bytes = [background; 16];
            kind.store(&mut bytes, at, value);
            let expected = comparison.holds(kind.load(&bytes, at));
            // Nothing behind the variable is looked at, unless it is one of the first bytes.
            let state = &bytes[..(at + kind.size() as usize).max(4)];
            match probe {
                Some(Ok(probe)) => assert_eq!(probe.holds(state, base), expected, "{comparison:?} {value}"),
                Some(Err(constant)) => assert_eq!(constant, expected, "{comparison:?} {value}"),
                None => assert_eq!(root, Root::Global),
            }
        }
        matches!(probe, Some(Ok(_)))
    }

    #[test]
    fn probes_agree_with_comparisons() {
        let kinds = [
            Kind::Bits { shift: 0, mask: 0xff },
            Kind::Bits { shift: 3, mask: 0b111 },
            Kind::Bits { shift: 7, mask: 1 },
            Kind::U16 { mask: 0xffff },
            Kind::U16 { mask: 0x3ff },
            Kind::I16,
            Kind::I32 { mask: u32::MAX },
        ];
        let operators = [BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge];
        let places = [
            (Root::Global, 0),
            (Root::Global, 1),
            (Root::Global, 2),
            (Root::Global, 6),
            (Root::Local, 2),
            (Root::Local, 5),
        ];
        let mut probes = 0;
        for kind in kinds {
            for (root, offset) in places {
                for (op, constant) in operators.iter().flat_map(|op| NUMBERS.map(|constant| (*op, constant))) {
                    let load = Load { root, offset, kind };
                    probes += u32::from(agrees(&Comparison::new(op, load, constant).expect("a comparison")));
                }
            }
        }
        assert!(probes > 1000, "{probes} probes");
        assert!(Probe::TRUE.holds(&[1, 2, 3], 1));
    }
}
