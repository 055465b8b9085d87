//! Scalars of a state as bits, several in one word: a quick way to see that none of them changed.
//!
//! *Contract.* [`Piece::is_in`] is true of all pieces if and only if each scalar that was added has the value that it had in that state.
//!
//! *Tested by* the unit test below.

use crate::compiled::layout::Kind;

/// Some bits of the eight bytes, or fewer, from a place of the state on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    at: usize,
    bits: u64,
    mask: u64,
}

impl Piece {
    fn load(bytes: &[u8], at: usize) -> u64 {
        match bytes.get(at..at + 8) {
            Some(eight) => u64::from_le_bytes(eight.try_into().expect("eight bytes")),
            None => bytes[at..].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        }
    }

    /// Whether a state has these bits.
    #[inline]
    pub(super) fn is_in(&self, bytes: &[u8]) -> bool {
        Self::load(bytes, self.at) & self.mask == self.bits
    }

    /// Adds a scalar of a state to pieces, to the last one if it lies in its bytes.
    pub(super) fn add(pieces: &mut Vec<Self>, bytes: &[u8], (at, kind): (usize, Kind)) {
        let size = kind.size() as usize;
        let bits = match kind {
            Kind::Bits { shift, mask } => u64::from(mask) << shift,
            Kind::U16 { .. } | Kind::I16 | Kind::I32 { .. } => u64::MAX >> (64 - 8 * size),
        };
        let is_near = |piece: &&mut Self| (piece.at..=piece.at + 8 - size).contains(&at);
        match pieces.last_mut().filter(is_near) {
            Some(piece) => piece.mask |= bits << (8 * (at - piece.at)),
            None => pieces.push(Self { at, bits: 0, mask: bits }),
        }
        let piece = pieces.last_mut().expect("there is one");
        piece.bits = Self::load(bytes, piece.at) & piece.mask;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_notice_the_bits_of_their_scalars_only() {
        let mut state: Vec<u8> = (0..20).collect();
        let scalars = [(1, Kind::Bits { shift: 2, mask: 1 }), (3, Kind::I32 { mask: u32::MAX }), (18, Kind::I16)];
        let mut pieces = Vec::new();
        scalars.iter().for_each(|scalar| Piece::add(&mut pieces, &state, *scalar));
        assert_eq!(pieces.len(), 2);
        let is_same = |state: &[u8]| pieces.iter().all(|piece| piece.is_in(state));
        assert!(is_same(&state));
        for (at, bit) in (0..20).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            state[at] ^= 1 << bit;
            let is_part = (at, bit) == (1, 2) || (3..7).contains(&at) || (18..20).contains(&at);
            assert_eq!(is_same(&state), !is_part, "{at} {bit}");
            state[at] ^= 1 << bit;
        }
    }
}
