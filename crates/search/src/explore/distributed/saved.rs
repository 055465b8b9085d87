//! What a search knows beside its states, between two levels.

use super::record::{Candidate, Sum};
use super::{Chosen, Search};
use crate::checkpoint::{get, get_array, get_bytes, get_u32, put, put_bytes};
use crate::explore::parallel::checkpoint::kind_of;
use crate::team::message::Reader;
use crate::team::{LEADER, Member, Outbox};
use foldhash::fast::FixedState;
use kernel::system::System;
use std::hash::BuildHasher;
use std::io;

/// The key of a search with this plan.
pub(super) fn key(plan: &str) -> u64 {
    FixedState::with_seed(0).hash_one(plan)
}

impl<M: System> Search<'_, M> {
    /// What the worker that leads must know to continue, which includes the notes of all.
    pub(super) fn beside(&mut self, outbox: &mut Outbox<'_>, member: Member<'_, M>) -> Vec<u8> {
        let notes = outbox.gather(&member.notes.write(&self.scratch));
        let mut out = Vec::new();
        self.write(&mut out, &notes).expect("memory takes everything");
        out
    }

    fn write(&self, out: &mut Vec<u8>, notes: &[Vec<u8>]) -> io::Result<()> {
        let counts = [self.counted.states, self.counted.transitions, self.counted.transient_steps];
        counts.into_iter().try_for_each(|count| put(out, count))?;
        out.extend([u8::from(self.diverges), u8::from(self.part.is_cut)]);
        self.findings.save(out)?;
        put(out, self.chosen.len() as u64)?;
        for Chosen { kind, level, candidate, .. } in &self.chosen {
            out.push(*kind as u8);
            put(out, *level as u64)?;
            put(out, u64::from(candidate.steps) << 32 | u64::from(candidate.index))?;
            put_bytes(out, &candidate.state)?;
        }
        put(out, notes.len() as u64)?;
        notes.iter().try_for_each(|notes| put_bytes(out, notes))
    }

    /// Continues from this; gives the sum of the last level. Nothing if it makes no sense.
    pub(super) fn recall(&mut self, outbox: &mut Outbox<'_>, member: Member<'_, M>, beside: &[u8]) -> Option<Sum> {
        let is_leader = outbox.own() == LEADER;
        self.read(&mut &beside[..], member, is_leader).ok()?;
        let known = &mut self.meter.statistics;
        known.states = self.counted.states;
        (known.transitions, known.transient_steps) = (self.counted.transitions, self.counted.transient_steps);
        known.threads = outbox.workers() as u64;
        let own = self.part.numbers(self.part.levels() - 1).count() as u64;
        let mut sum = Sum { is_cut: self.part.is_cut, diverges: self.diverges, ..Sum::default() };
        for message in outbox.gather(&own.to_le_bytes()) {
            let stored = Reader { rest: &message }.number();
            (sum.stored, sum.largest) = (sum.stored + stored, sum.largest.max(stored));
        }
        Some(sum)
    }

    fn read(&mut self, input: &mut &[u8], member: Member<'_, M>, is_leader: bool) -> io::Result<()> {
        self.counted.states = get(input)?;
        self.counted.transitions = get(input)?;
        self.counted.transient_steps = get(input)?;
        let [diverges, is_cut] = get_array(input)?;
        (self.diverges, self.part.is_cut) = (diverges != 0, is_cut != 0);
        self.findings.load(input)?;
        for _ in 0..get(input)? {
            let [kind] = get_array(input)?;
            let (kind, level) = (kind_of(kind)?, get(input)? as usize);
            let (index, steps) = (get_u32(input)?, get_u32(input)?);
            let candidate = Candidate { steps, state: get_bytes(input)?.into(), index };
            self.chosen.push(Chosen { kind, level, candidate, is_interrupted: false });
        }
        for _ in 0..get(input)? {
            let notes = get_bytes(input)?;
            if is_leader {
                member.notes.add(&mut self.scratch, &notes);
            }
        }
        Ok(())
    }
}
