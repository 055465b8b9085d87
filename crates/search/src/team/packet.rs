//! States back to back.

/// Appends a state, further bytes and a flag to a packet: their length and the flag, seven bits a byte, and the bytes.
#[inline]
pub(super) fn append(packet: &mut Vec<u8>, state: &[u8], more: &[u8], flag: bool) {
    let mut head = (state.len() + more.len()) << 1 | usize::from(flag);
    while head >= 0x80 {
        packet.push(head as u8 | 0x80);
        head >>= 7;
    }
    packet.push(head as u8);
    packet.extend_from_slice(state);
    packet.extend_from_slice(more);
}

/// The first state of the rest of a packet, with the bytes behind it, and its flag.
///
/// # Panics
/// If the packet was not written by [`append`].
#[inline]
pub(crate) fn take<'a>(rest: &mut &'a [u8]) -> Option<(&'a [u8], bool)> {
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
            break;
        }
    }
    let (state, others) = rest.split_at(head >> 1);
    *rest = others;
    Some((state, head & 1 == 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_gives_its_states_back() {
        let long = vec![7; 20_000];
        let states: [(&[u8], bool); 4] = [(b"one", false), (b"", true), (&long, true), (&[9; 64], false)];
        let mut packet = Vec::new();
        states.iter().for_each(|(state, flag)| append(&mut packet, state, &[], *flag));
        append(&mut packet, b"state", b"more", true);
        let mut rest = &packet[..];
        for state in states {
            assert_eq!(take(&mut rest), Some(state));
        }
        assert_eq!(take(&mut rest), Some((&b"statemore"[..], true)));
        assert_eq!(take(&mut rest), None);
    }
}
