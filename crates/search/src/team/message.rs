//! Messages to all workers, as bytes.

use kernel::budget::Exhausted;

/// The limits by their numbers in a message.
const LIMITS: [Exhausted; 4] = [Exhausted::Memory, Exhausted::Time, Exhausted::Depth, Exhausted::Cancelled];

/// The number of a limit, or 0.
#[must_use]
pub fn number_of(limit: Option<Exhausted>) -> u64 {
    limit.and_then(|limit| LIMITS.iter().position(|one| *one == limit)).map_or(0, |place| place as u64 + 1)
}

/// The limit with such a number.
#[must_use]
pub fn limit_of(number: u64) -> Option<Exhausted> {
    usize::try_from(number).ok()?.checked_sub(1).map(|place| LIMITS[place])
}

/// The rest of a message.
#[derive(Debug)]
pub struct Reader<'a> {
    /// The bytes that are left.
    pub rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// The next number.
    ///
    /// # Panics
    /// If there are too few bytes: nobody else writes messages.
    pub fn number(&mut self) -> u64 {
        let bytes = self.bytes(8).try_into().expect("eight bytes");
        u64::from_le_bytes(bytes)
    }

    /// The next bytes.
    ///
    /// # Panics
    /// If there are too few.
    pub fn bytes(&mut self, length: usize) -> &'a [u8] {
        let (bytes, rest) = self.rest.split_at(length);
        self.rest = rest;
        bytes
    }
}

/// Appends numbers to a message.
pub fn put_numbers(message: &mut Vec<u8>, numbers: &[u64]) {
    numbers.iter().for_each(|number| message.extend_from_slice(&number.to_le_bytes()));
}
