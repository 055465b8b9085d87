//! Searches that are saved from time to time, and continued in another process.
//!
//! *Contract.* A search asks for what to continue from before it begins, and offers to be saved at moments when everything is at
//! rest. What it writes is all that the rest of it depends on; what it reads is what a search of the same system wrote, which it
//! verifies as far as that is cheap. Who stores the bytes vouches for them with a checksum.
//!
//! Which searches: [`crate::explore::parallel`] between two levels, and [`crate::emptiness::gmz`] between two steps of its outer search.

use crate::store::exact::StateHash;
use kernel::system::{System, record};
use std::collections::{BTreeSet, VecDeque};
use std::io::{self, Read, Write};

/// The states whose successors tell one system from another.
const TOLD_APART_BY: usize = 64;

/// Where a search is saved, and what it continues from. See the module's text.
pub trait Checkpoints {
    /// Whether it is time to save.
    fn is_due(&self) -> bool;

    /// Stores what `write` writes, whole or not at all. The search goes on if that fails.
    fn save(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>);

    /// The bytes to continue from, given once; none to begin anew.
    fn resume(&self) -> Option<Box<dyn Read>>;

    /// The search cannot continue from these bytes; it ends without a result.
    fn refuse(&self, error: &io::Error);
}

/// What tells a system from others: the bytes of its first states, breadth first, and of their successors. Another version of the program may
/// pack states differently, or read the model differently, even if it has the same number.
pub(crate) fn fingerprint<M: System>(system: &M) -> u64 {
    let (mut scratch, mut initial) = (system.scratch(), Vec::new());
    system.initial(&mut initial);
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut queue = VecDeque::from([initial]);
    let mut sum = Vec::new();
    while let Some(state) = queue.pop_front() {
        let add = |sum: &mut Vec<u8>, bytes: &[u8]| {
            sum.extend_from_slice(bytes);
            *sum = StateHash::of(sum).0.to_le_bytes().to_vec();
        };
        add(&mut sum, &state);
        for (_, next, is_transient) in record(system, &mut scratch, &state).successors {
            add(&mut sum, &next);
            add(&mut sum, &[u8::from(is_transient)]);
            if seen.len() < TOLD_APART_BY && seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
    StateHash::of(&sum).0
}

/// The error for bytes that make no sense.
pub(crate) fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

pub(crate) fn put(out: &mut dyn Write, number: u64) -> io::Result<()> {
    out.write_all(&number.to_le_bytes())
}

pub(crate) fn get(input: &mut dyn Read) -> io::Result<u64> {
    Ok(u64::from_le_bytes(get_array(input)?))
}

pub(crate) fn get_u32(input: &mut dyn Read) -> io::Result<u32> {
    Ok(u32::from_le_bytes(get_array(input)?))
}

pub(crate) fn get_array<const N: usize>(input: &mut dyn Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

pub(crate) fn put_bytes(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    put(out, bytes.len() as u64)?;
    out.write_all(bytes)
}

pub(crate) fn get_bytes(input: &mut dyn Read) -> io::Result<Vec<u8>> {
    let length = get(input)?;
    let mut bytes = Vec::new();
    if input.take(length).read_to_end(&mut bytes)? as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}
