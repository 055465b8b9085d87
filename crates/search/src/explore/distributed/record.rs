//! What a worker tells the others at the end of a level.

use crate::explore::SafetyKind;
use crate::team::message::{Reader, limit_of, number_of, put_numbers};
use kernel::budget::Exhausted;
use std::collections::BTreeMap;

/// A violation that a worker met. The order is that of preference: steps, state, and the order of the system.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    /// Steps from the state whose expansion met it.
    pub(super) steps: u32,
    /// That state.
    pub(super) state: Box<[u8]>,
    /// Its index among the faults, or the ends, of the expansion.
    pub(super) index: u32,
}

/// What one worker did in a level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// The states of the next level that it stored, and how many of them are not transient.
    pub(super) stored: u64,
    pub(super) visible: u64,
    pub(super) transitions: u64,
    pub(super) transient_steps: u64,
    /// The bytes that it holds.
    pub(super) bytes: u64,
    /// The limit that it reached.
    pub(super) limit: Option<Exhausted>,
    /// Whether the depth limit cut off some run.
    pub(super) is_cut: bool,
    /// Whether some run never leaves transient states.
    pub(super) diverges: bool,
    /// Whether it wants the search to be saved.
    pub(super) saves: bool,
    pub(super) candidates: BTreeMap<(SafetyKind, u64), Candidate>,
}

/// What all workers did in a level.
#[derive(Debug, Default)]
pub(super) struct Sum {
    pub(super) stored: u64,
    /// The most states that one worker stored.
    pub(super) largest: u64,
    pub(super) visible: u64,
    pub(super) transitions: u64,
    pub(super) transient_steps: u64,
    pub(super) bytes: u64,
    /// The limit that the first worker reached that did.
    pub(super) limit: Option<Exhausted>,
    pub(super) is_cut: bool,
    pub(super) diverges: bool,
    pub(super) saves: bool,
    /// The best violations: by steps, kind and state.
    pub(super) candidates: Vec<((SafetyKind, u64), Candidate)>,
}

impl Record {
    /// The record as bytes.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let flags = u64::from(self.is_cut) | u64::from(self.diverges) << 1 | u64::from(self.saves) << 2;
        let counts = [self.stored, self.visible, self.transitions, self.transient_steps, self.bytes, flags];
        put_numbers(&mut bytes, &counts);
        put_numbers(&mut bytes, &[number_of(self.limit), self.candidates.len() as u64]);
        for ((kind, identity), candidate) in &self.candidates {
            let Candidate { steps, state, index } = candidate;
            let numbers = [*kind as u64, *identity, u64::from(*steps), u64::from(*index), state.len() as u64];
            put_numbers(&mut bytes, &numbers);
            bytes.extend_from_slice(state);
        }
        bytes
    }

    /// The record of such bytes.
    ///
    /// # Panics
    /// If they were not written by [`Record::encode`].
    pub(super) fn decode(bytes: &[u8]) -> Self {
        let mut reader = Reader { rest: bytes };
        let (stored, visible) = (reader.number(), reader.number());
        let (transitions, transient_steps) = (reader.number(), reader.number());
        let (held, flags) = (reader.number(), reader.number());
        let limit = limit_of(reader.number());
        let mut candidates = BTreeMap::new();
        for _ in 0..reader.number() {
            let kind = SafetyKind::ALL[reader.number() as usize];
            let identity = reader.number();
            let (steps, index) = (reader.number() as u32, reader.number() as u32);
            let length = reader.number() as usize;
            let state = reader.bytes(length).into();
            candidates.insert((kind, identity), Candidate { steps, state, index });
        }
        let (is_cut, diverges, saves) = (flags & 1 == 1, flags & 2 == 2, flags & 4 == 4);
        Self { stored, visible, transitions, transient_steps, bytes: held, limit, is_cut, diverges, saves, candidates }
    }
}

impl Sum {
    /// The sum of the records of all workers.
    pub(super) fn of(records: impl Iterator<Item = Record>) -> Self {
        let mut sum = Sum::default();
        let mut best: BTreeMap<(SafetyKind, u64), Candidate> = BTreeMap::new();
        for record in records {
            sum.stored += record.stored;
            sum.largest = sum.largest.max(record.stored);
            sum.visible += record.visible;
            sum.transitions += record.transitions;
            sum.transient_steps += record.transient_steps;
            sum.bytes += record.bytes;
            sum.limit = sum.limit.or(record.limit);
            sum.is_cut |= record.is_cut;
            sum.diverges |= record.diverges;
            sum.saves |= record.saves;
            for (key, candidate) in record.candidates {
                let least = best.entry(key).or_insert_with(|| candidate.clone());
                if candidate < *least {
                    *least = candidate;
                }
            }
        }
        sum.candidates = best.into_iter().collect();
        sum.candidates.sort_by(|((one, _), first), ((other, _), second)| {
            (first.steps, one, &first.state, first.index).cmp(&(second.steps, other, &second.state, second.index))
        });
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_survives_the_way() {
        let candidate = |state: &[u8]| Candidate { steps: 3, state: state.into(), index: 1 };
        let record = Record {
            stored: 5,
            visible: 4,
            transitions: 300,
            transient_steps: 1,
            bytes: 1 << 40,
            limit: Some(Exhausted::Time),
            is_cut: true,
            diverges: false,
            saves: true,
            candidates: BTreeMap::from([
                ((SafetyKind::Assertion, 0), candidate(b"abc")),
                ((SafetyKind::InvalidEnd, u64::MAX), candidate(b"")),
            ]),
        };
        assert_eq!(Record::decode(&record.encode()), record);
        assert_eq!(Record::decode(&Record::default().encode()), Record::default());
    }

    #[test]
    fn the_least_candidate_is_chosen() {
        let one = |steps, state: &[u8]| {
            let candidate = Candidate { steps, state: state.into(), index: 0 };
            Record {
                stored: 2,
                candidates: BTreeMap::from([((SafetyKind::Runtime, 7), candidate)]),
                ..Record::default()
            }
        };
        let sum = Sum::of([one(2, b"a"), one(1, b"z"), one(1, b"y")].into_iter());
        assert_eq!(sum.candidates.len(), 1);
        assert_eq!(*sum.candidates[0].1.state, *b"y");
        assert_eq!((sum.stored, sum.largest), (6, 2));
    }
}
