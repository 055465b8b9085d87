//! A space written down, and read again: the states with their bytes, and what was counted.
//!
//! Numbers of states change. Whoever kept some gets the new ones.

use super::{Known, Space};
use crate::accepting::Accepting;
use crate::checkpoint::{fingerprint, get, get_array, get_bytes, put, put_bytes, wrong};
use crate::interruption::Interruption;
use crate::store::number::{StateId, index_of};
use std::io::{self, Read, Write};

impl<A: Accepting> Space<'_, A> {
    /// Writes all states.
    pub(crate) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let Known::Whole(whole) = &self.known else { return Err(wrong("states that are not whole cannot be saved")) };
        put(out, fingerprint(self.system))?;
        let statistics = &self.meter.statistics;
        for number in [statistics.visits, statistics.transitions, statistics.faults, statistics.depth] {
            put(out, number)?;
        }
        put(out, self.known.len())?;
        for number in whole.all() {
            out.write_all(&number.to_bytes())?;
            out.write_all(&[self.tag(number)])?;
            put_bytes(out, &whole.copy(number))?;
        }
        Ok(())
    }

    /// Reads what [`Self::save`] wrote, into an empty space; gives the numbers of states by those that they had.
    pub(crate) fn restore(&mut self, input: &mut dyn Read) -> Result<Vec<StateId>, Interruption> {
        if get(input)? != fingerprint(self.system) {
            return Err(wrong("the search is another one, or another build of Lariat wrote it").into());
        }
        let [visits, transitions, faults, depth] = [get(input)?, get(input)?, get(input)?, get(input)?];
        let mut numbers: Vec<StateId> = Vec::new();
        for _ in 0..get(input)? {
            let (old, [tag]) = (index_of(get_array(input)?), get_array(input)?);
            let state = get_bytes(input)?;
            let number = self.number(&state)?;
            self.set_tag(number, u8::MAX, tag);
            if old >= numbers.len() {
                numbers.resize(old + 1, number);
            }
            numbers[old] = number;
            let held = (numbers.capacity() * size_of::<StateId>()) as u64;
            self.tick(held)?;
        }
        let statistics = &mut self.meter.statistics;
        (statistics.visits, statistics.transitions) = (visits, transitions);
        (statistics.faults, statistics.depth) = (faults, depth);
        Ok(numbers)
    }
}
