//! Which findings of a level are told: a choice that does not depend on the schedule.

use crate::explore::SafetyKind;
use crate::store::shared::{Note, Number, SharedStore};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A violation that a worker met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The state whose expansion met it.
    pub(super) source: Number,
    /// Steps from that state.
    pub(super) steps: u32,
    /// Its index among the faults, or the ends, of the expansion.
    pub(super) index: u32,
}

/// The best candidate of each kind and identity.
pub(super) type Candidates = BTreeMap<(SafetyKind, u64), Candidate>;

/// A finding without a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    pub(super) kind: SafetyKind,
    /// The level of the source.
    pub(super) level: usize,
    pub(super) candidate: Candidate,
    /// True if a limit ended the search before it had seen the whole level.
    pub(super) is_interrupted: bool,
}

impl Candidate {
    /// What decides between candidates: steps, state, and the order of the system.
    pub(super) fn rank<'s>(&self, store: &'s SharedStore<Note>) -> (u32, Cow<'s, [u8]>, u32) {
        (self.steps, store.state(self.source), self.index)
    }
}

/// Adds a candidate unless there is a better one.
pub(super) fn add(
    candidates: &mut Candidates,
    store: &SharedStore<Note>,
    key: (SafetyKind, u64),
    candidate: Candidate,
) {
    let best = candidates.entry(key).or_insert(candidate);
    if candidate.rank(store) < best.rank(store) {
        *best = candidate;
    }
}

/// The best candidates of all workers: by steps, kind and state.
pub(super) fn in_order(
    found: impl Iterator<Item = Candidates>,
    store: &SharedStore<Note>,
) -> Vec<((SafetyKind, u64), Candidate)> {
    let mut all = Candidates::new();
    for (key, candidate) in found.flatten() {
        add(&mut all, store, key, candidate);
    }
    let mut list: Vec<_> = all.into_iter().collect();
    list.sort_by(|(one, first), (other, second)| {
        let rank = |kind: SafetyKind, candidate: &Candidate| {
            let (steps, state, index) = candidate.rank(store);
            (steps, kind, state, index)
        };
        rank(one.0, first).cmp(&rank(other.0, second))
    });
    list
}
