//! A stack of packed states of any length, on one growing arena.

/// What is kept with each state: its length and how many steps lead to it.
const TRAILER: usize = 8;

/// States that wait to be visited, last in, first out.
#[derive(Debug, Default)]
pub(super) struct Pending {
    bytes: Vec<u8>,
    states: usize,
}

impl Pending {
    pub(super) fn len(&self) -> usize {
        self.states
    }

    pub(super) fn capacity(&self) -> u64 {
        self.bytes.capacity() as u64
    }

    #[inline]
    pub(super) fn push(&mut self, state: &[u8], steps: u32) {
        let length = u32::try_from(state.len()).expect("a state is smaller than 4 GiB");
        self.bytes.extend_from_slice(state);
        self.bytes.extend_from_slice(&length.to_le_bytes());
        self.bytes.extend_from_slice(&steps.to_le_bytes());
        self.states += 1;
    }

    /// The state on top, and its number of steps.
    #[inline]
    pub(super) fn top(&self) -> (&[u8], u32) {
        let end = self.bytes.len() - TRAILER;
        let (state, trailer) = self.bytes.split_at(end);
        let length = u32::from_le_bytes([trailer[0], trailer[1], trailer[2], trailer[3]]) as usize;
        let steps = u32::from_le_bytes([trailer[4], trailer[5], trailer[6], trailer[7]]);
        (&state[end - length..], steps)
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        let length = self.top().0.len();
        self.bytes.truncate(self.bytes.len() - TRAILER - length);
        self.states -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_in_first_out() {
        let mut pending = Pending::default();
        pending.push(b"one", 1);
        pending.push(b"", 2);
        pending.push(b"three", 3);
        assert_eq!(pending.len(), 3);
        assert_eq!(pending.top(), (&b"three"[..], 3));
        pending.pop();
        assert_eq!(pending.top(), (&b""[..], 2));
        pending.pop();
        assert_eq!(pending.top(), (&b"one"[..], 1));
        pending.pop();
        assert_eq!(pending.len(), 0);
    }
}
