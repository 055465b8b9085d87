//! A search that lasts can be saved between two levels, and continued.
//!
//! *Contract.* What is saved is all that the rest of the search depends on: the states by level with their notes, the
//! findings so far, the counts, and what the system has noted. A search that is continued gives the same verdict, counts
//! and paths as one that was never interrupted, on any number of threads: numbers of states change, and nothing depends on
//! them.
//!
//! *Format.* Integers are little-endian. A level is a list of ranges of states of one length, each state with its number in
//! the search that was saved and with the signature of its successors. The table of the store is not
//! saved: states are inserted anew. Who stores the bytes vouches for them with a checksum, so that bytes that make no sense are
//! a mistake of ours.
//!
//! *Tested by* continuing searches of random systems from every level, `tests/checkpoints.rs`; from outside, by ending a process
//! at random moments, `benches`.

use super::choice::{Candidate, Chosen};
use super::{Grain, Search};
use crate::checkpoint::{Checkpoints, fingerprint, get, get_array, get_bytes, get_u32, put, put_bytes, wrong};
use crate::divergence::Watch;
use crate::explore::SafetyKind;
use crate::interruption::Interruption;
use crate::store::exact::StateHash;
use crate::store::shared::{Number, Range, Refusal, Writer};
use kernel::budget::Exhausted;
use kernel::system::System;
use std::io::{self, Read, Write};

/// Changes with what is saved.
const FORMAT: u8 = 2;

/// How a search is saved. What a system has noted in scratch space, such as the code that it executed, is known to its owner
/// only, who turns it into bytes and back.
pub struct Saving<'a, S> {
    /// Where.
    pub checkpoints: &'a dyn Checkpoints,
    /// What an explorer has noted in its scratch space.
    pub notes: &'a dyn Fn(&S) -> Vec<u8>,
    /// Adds what another explorer had noted, in another process perhaps.
    pub add_notes: &'a dyn Fn(&mut S, &[u8]),
}

impl<M: System> Search<'_, M> {
    /// Writes everything; only between two levels.
    pub(super) fn save(&self, saving: &Saving<'_, M::Scratch>, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.guard())?;
        let statistics = &self.meter.statistics;
        for number in [statistics.states, statistics.transitions, statistics.transient_steps, statistics.depth] {
            put(out, number)?;
        }
        let (diverges, is_cut) =
            self.workers.iter().fold((false, false), |all, worker| (all.0 | worker.diverges, all.1 | worker.is_cut));
        out.write_all(&[u8::from(diverges), u8::from(is_cut)])?;
        put(out, self.workers.len() as u64)?;
        for worker in &self.workers {
            put_bytes(out, &(saving.notes)(&worker.scratch))?;
        }
        self.findings.save(out)?;
        put(out, self.chosen.len() as u64)?;
        for chosen in &self.chosen {
            let Candidate { source, steps, index } = chosen.candidate;
            out.write_all(&[chosen.kind as u8])?;
            put(out, chosen.level as u64)?;
            [source.index(), steps, index].iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))?;
        }
        put(out, self.levels.len() as u64)?;
        for level in 0..self.levels.len() {
            put(out, self.levels.get(level).len() as u64)?;
            self.levels.get(level).iter().try_for_each(|range| self.save_range(*range, out))?;
        }
        Ok(())
    }

    fn save_range(&self, range: Range, out: &mut dyn Write) -> io::Result<()> {
        let (first, mut buffer) = (range.numbers().next(), Vec::new());
        put(out, range.len() as u64)?;
        put(out, first.map_or(0, |first| self.store.state(first).len() as u64))?;
        for number in range.numbers() {
            out.write_all(&number.index().to_le_bytes())?;
            out.write_all(&self.store.note(number).signature().to_le_bytes())?;
            out.write_all(self.store.read(number, &mut buffer))?;
        }
        Ok(())
    }

    /// Reads what [`Self::save`] wrote, into a search that has not begun.
    pub(super) fn restore(
        &mut self,
        saving: &Saving<'_, M::Scratch>,
        input: &mut dyn Read,
    ) -> Result<(), Interruption> {
        let guard = self.guard();
        let mut found = vec![0; guard.len()];
        input.read_exact(&mut found)?;
        if found != guard {
            return Err(wrong("the search is another one, or another build of Lariat wrote it").into());
        }
        let statistics = &mut self.meter.statistics;
        statistics.states = get(input)?;
        statistics.transitions = get(input)?;
        statistics.transient_steps = get(input)?;
        statistics.depth = get(input)?;
        statistics.threads = self.threads.count as u64;
        let [diverges, is_cut] = get_array(input)?;
        let first = self.workers.first_mut().ok_or_else(|| wrong("there is no worker"))?;
        (first.diverges, first.is_cut) = (diverges != 0, is_cut != 0);
        for _ in 0..get(input)? {
            (saving.add_notes)(&mut first.scratch, &get_bytes(input)?);
        }
        self.findings.load(input)?;
        let mut chosen = Vec::new();
        for _ in 0..get(input)? {
            let [kind] = get_array(input)?;
            let kind = kind_of(kind)?;
            let level = get(input)? as usize;
            let [source, steps, index] = [get_u32(input)?, get_u32(input)?, get_u32(input)?];
            chosen.push((kind, level, source, steps, index));
        }
        let numbers = self.restore_levels(input)?;
        for (kind, level, source, steps, index) in chosen {
            let source = *numbers.get(source as usize).ok_or_else(|| wrong("a finding lies nowhere"))?;
            let candidate = Candidate { source, steps, index };
            self.chosen.push(Chosen { kind, level, candidate, is_interrupted: false });
        }
        Ok(())
    }

    /// Inserts the states of all levels; gives their numbers by those that they had.
    fn restore_levels(&mut self, input: &mut dyn Read) -> Result<Vec<Number>, Interruption> {
        let (mut numbers, mut state): (Vec<Number>, Vec<u8>) = (Vec::new(), Vec::new());
        let mut writer = Writer::new();
        writer.allow(&self.store, 1);
        for _ in 0..get(input)? {
            for _ in 0..get(input)? {
                let (count, length) = (get(input)?, get(input)? as usize);
                state.resize(length, 0);
                for _ in 0..count {
                    let (old, signature) = (get_u32(input)? as usize, get_u32(input)?);
                    input.read_exact(&mut state)?;
                    let number = self.restore_state(&mut writer, &state)?;
                    if old >= numbers.len() {
                        numbers.resize(old + 1, number);
                    }
                    numbers[old] = number;
                    self.store.note(number).set_signature(signature);
                }
                let held = self.bytes() + (numbers.capacity() * size_of::<Number>()) as u64;
                self.meter.look(held)?;
            }
            writer.close(&mut self.next);
            self.add_level()?;
        }
        writer.settle(&mut self.store);
        Ok(numbers)
    }

    fn restore_state(&mut self, writer: &mut Writer, state: &[u8]) -> Result<Number, Interruption> {
        loop {
            match writer.insert(&self.store, StateHash::of(state), state, |_| {}) {
                Ok((number, true)) => return Ok(number),
                Ok((_, false)) => return Err(wrong("a state occurs twice").into()),
                Err(Refusal::Full) => return Err(Exhausted::Memory.into()),
                Err(Refusal::Crowded) => {
                    writer.settle(&mut self.store);
                    self.store.grow(self.threads.count).map_err(|_| Exhausted::Memory)?;
                    writer.allow(&self.store, 1);
                }
            }
        }
    }

    /// What tells this search from others.
    fn guard(&self) -> Vec<u8> {
        let mut guard = vec![FORMAT, u8::from(self.grain == Grain::Visible), u8::from(self.watch != Watch::Off)];
        guard.extend(fingerprint(self.system).to_le_bytes());
        guard
    }
}

/// The kind of violation with this number.
pub(in crate::explore) fn kind_of(number: u8) -> io::Result<SafetyKind> {
    SafetyKind::ALL.get(usize::from(number)).copied().ok_or_else(|| wrong("there is no such kind of violation"))
}
