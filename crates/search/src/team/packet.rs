//! States back to back, in files and on their way.
//!
//! In files, a state is its length, a flag and its bytes ([`append`], [`take`]). On their way, a long state that is as long as the one before it in the
//! packet is what differs ([`Packet`], [`take_after`]): neighbours in a packet are successors of the same state, or of neighbours in a
//! level. A short state is whole, because it is copied faster than it is compared.

/// Appends a state and a flag: length and flag, seven bits a byte, and the bytes.
#[inline]
pub(super) fn append(packet: &mut Vec<u8>, state: &[u8], flag: bool) {
    append_head(packet, state.len(), flag);
    packet.extend_from_slice(state);
}

#[inline]
fn append_head(packet: &mut Vec<u8>, length: usize, flag: bool) {
    let mut head = length << 1 | usize::from(flag);
    while head >= 0x80 {
        packet.push(head as u8 | 0x80);
        head >>= 7;
    }
    packet.push(head as u8);
}

/// The length and the flag of the next state.
#[inline]
fn take_head(rest: &mut &[u8]) -> Option<(usize, bool)> {
    if rest.is_empty() {
        return None;
    }
    let (mut head, mut shift) = (0, 0);
    loop {
        let byte = rest[0];
        *rest = &rest[1..];
        head |= usize::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            return Some((head >> 1, head & 1 == 1));
        }
    }
}

/// The first state of the rest, and its flag.
///
/// # Panics
/// If the bytes were not written by [`append`].
#[inline]
pub(crate) fn take<'a>(rest: &mut &'a [u8]) -> Option<(&'a [u8], bool)> {
    let (length, flag) = take_head(rest)?;
    let (state, others) = rest.split_at(length);
    *rest = others;
    Some((state, flag))
}

/// States of at least this length travel as differences.
const LONG: usize = 32;

/// States on their way to one worker.
#[derive(Clone, Default)]
pub(super) struct Packet {
    bytes: Vec<u8>,
    /// The state before, if it is long.
    last: Vec<u8>,
    /// A state with the bytes behind it.
    joined: Vec<u8>,
    /// The bytes of the packet before, so that the next one need not grow.
    expected: usize,
}

impl Packet {
    /// Appends a state with further bytes behind it and a flag.
    #[inline]
    pub(super) fn push(&mut self, state: &[u8], more: &[u8], flag: bool) {
        let length = state.len() + more.len();
        if self.bytes.is_empty() {
            self.last.clear();
            self.bytes.reserve(self.expected);
        }
        append_head(&mut self.bytes, length, flag);
        if length < LONG {
            self.bytes.extend_from_slice(state);
            self.bytes.extend_from_slice(more);
            self.last.clear();
            return;
        }
        let mut whole = state;
        if !more.is_empty() {
            self.joined.clear();
            self.joined.extend_from_slice(state);
            self.joined.extend_from_slice(more);
            whole = &self.joined;
        }
        if self.last.len() == length {
            append_difference(&mut self.bytes, &mut self.last, whole);
        } else {
            self.bytes.extend_from_slice(whole);
            self.last.clear();
            self.last.extend_from_slice(whole);
        }
    }

    /// How many bytes it has.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes; the packet is empty afterwards.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        self.expected = self.bytes.len();
        std::mem::take(&mut self.bytes)
    }

    /// The bytes that it occupies.
    pub(super) fn held(&self) -> usize {
        self.bytes.capacity() + self.last.capacity() + self.joined.capacity()
    }
}

/// Eight bytes, or those that are left.
#[inline]
fn word(bytes: &[u8]) -> u64 {
    match bytes.try_into() {
        Ok(bytes) => u64::from_le_bytes(bytes),
        Err(_) => bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

/// Appends what differs between two states of one length: for each eight words a byte that says which of them differ, and for
/// each of these words a byte that says which of its bytes differ, and these bytes. The first state becomes the second.
#[inline]
fn append_difference(packet: &mut Vec<u8>, from: &mut [u8], to: &[u8]) {
    let (parts, rest) = from.as_chunks_mut::<64>();
    let (others, left) = to.as_chunks::<64>();
    for (from, to) in parts.iter_mut().zip(others) {
        // Without branches: most words are equal.
        let (old, new) = (from.as_chunks::<8>().0, to.as_chunks::<8>().0);
        let words = (0..8).fold(0, |words, index| words | u8::from(old[index] != new[index]) << index);
        append_words(packet, from, to, words);
    }
    if !rest.is_empty() {
        let pairs = rest.chunks(8).zip(left.chunks(8)).enumerate();
        let words = pairs.fold(0, |words, (index, (old, new))| words | u8::from(word(old) != word(new)) << index);
        append_words(packet, rest, left, words);
    }
}

/// The same for at most eight words, of which these differ.
#[inline]
fn append_words(packet: &mut Vec<u8>, from: &mut [u8], to: &[u8], mut words: u8) {
    packet.push(words);
    while words != 0 {
        let start = words.trailing_zeros() as usize * 8;
        words &= words - 1;
        let end = (start + 8).min(to.len());
        let (new, mut left) = (word(&to[start..end]), word(&from[start..end]) ^ word(&to[start..end]));
        from[start..end].copy_from_slice(&to[start..end]);
        let which = packet.len();
        packet.push(0);
        let mut bytes = 0;
        while left != 0 {
            let byte = left.trailing_zeros() / 8;
            bytes |= 1 << byte;
            packet.push((new >> (8 * byte)) as u8);
            left &= !(0xff << (8 * byte));
        }
        packet[which] = bytes;
    }
}

/// Appends the first state of the rest of a packet to an arena in which the state before it lies at `last`, as its start and
/// length. Tells its length, with the bytes behind it, and its flag.
///
/// # Panics
/// If the packet was not written by [`Packet`].
#[inline]
pub(super) fn take_after(rest: &mut &[u8], arena: &mut Vec<u8>, last: Option<(usize, usize)>) -> Option<(usize, bool)> {
    let (length, flag) = take_head(rest)?;
    let Some((start, _)) = last.filter(|last| last.1 == length && length >= LONG) else {
        let (state, others) = rest.split_at(length);
        *rest = others;
        arena.extend_from_slice(state);
        return Some((length, flag));
    };
    let new = arena.len();
    arena.extend_from_within(start..start + length);
    let mut byte = || {
        let byte = rest[0];
        *rest = &rest[1..];
        byte
    };
    for part in arena[new..].chunks_mut(64) {
        let mut words = byte();
        while words != 0 {
            let at = words.trailing_zeros() as usize * 8;
            words &= words - 1;
            let mut bytes = byte();
            while bytes != 0 {
                part[at + bytes.trailing_zeros() as usize] = byte();
                bytes &= bytes - 1;
            }
        }
    }
    Some((length, flag))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn bytes_give_their_states_back() {
        let long = vec![7; 20_000];
        let states: [(&[u8], bool); 4] = [(b"one", false), (b"", true), (&long, true), (&[9; 64], false)];
        let mut packet = Vec::new();
        states.iter().for_each(|(state, flag)| append(&mut packet, state, *flag));
        let mut rest = &packet[..];
        for state in states {
            assert_eq!(take(&mut rest), Some(state));
        }
        assert_eq!(take(&mut rest), None);
    }

    #[test]
    fn a_packet_gives_its_states_back() {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(7);
        let mut packet = Packet::default();
        for _ in 0..300 {
            let mut state: Vec<u8> = vec![0; random.random_range(0..200)];
            let mut sent = Vec::new();
            for _ in 0..random.random_range(1..40) {
                if random.random_bool(0.05) {
                    state.resize(random.random_range(0..200), 3);
                }
                for _ in 0..random.random_range(0..6) {
                    if let Some(length) = state.len().checked_sub(1) {
                        let at = random.random_range(0..=length);
                        state[at] = random.random_range(0..=255);
                    }
                }
                let (flag, more) = (random.random_bool(0.5), random.random_range(0..=state.len()));
                packet.push(&state[..more], &state[more..], flag);
                sent.push((state.clone(), flag));
            }
            let bytes = packet.finish();
            let (mut rest, mut arena, mut last, mut got) = (&bytes[..], Vec::new(), None, Vec::new());
            while let Some((length, flag)) = take_after(&mut rest, &mut arena, last) {
                let start = arena.len() - length;
                last = Some((start, length));
                got.push((arena[start..].to_vec(), flag));
            }
            assert_eq!(got, sent);
        }
    }

    #[test]
    fn neighbours_travel_in_a_few_bytes() {
        let (mut packet, mut state) = (Packet::default(), vec![1; 100]);
        for number in 0..100 {
            state[number as usize] = number;
            packet.push(&state, &[], false);
        }
        assert!(packet.len() < 100 + 100 * 9, "{}", packet.len());
    }
}
