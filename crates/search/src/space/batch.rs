//! The successors of one state as a system tells them: packed one after the other, each hashed and its place in the
//! store fetched ahead.

use super::known::Known;
use crate::accepting::Accepting;
use crate::store::exact::StateHash;
use kernel::system::{Fault, Successor, Visitor};
use omega::automaton::Marks;

#[derive(Debug, Default)]
pub(super) struct Batch {
    bytes: Vec<u8>,
    pub(super) targets: Vec<Target>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    start: usize,
    length: usize,
    pub(super) hash: StateHash,
    /// The marks collected on the way here, if they are of interest.
    pub(super) marks: Marks,
    pub(super) is_transient: bool,
}

impl Batch {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.targets.clear();
    }

    pub(super) fn state(&self, target: &Target) -> &[u8] {
        &self.bytes[target.start..target.start + target.length]
    }

    pub(super) fn capacity(&self) -> usize {
        self.bytes.capacity() + self.targets.capacity() * size_of::<Target>()
    }
}

/// Fills a batch.
pub(super) struct Visit<'a, A> {
    pub(super) system: &'a A,
    pub(super) known: &'a Known,
    pub(super) batch: &'a mut Batch,
    /// The marks collected before, if marks are to be collected at all.
    pub(super) marks: Option<Marks>,
    pub(super) faults: u64,
}

impl<A: Accepting> Visitor<A::Step> for Visit<'_, A> {
    #[inline]
    fn successor(&mut self, successor: Successor<'_, A::Step>) {
        let hash = StateHash::of(successor.state);
        self.known.prefetch(hash);
        let marks = self.marks.map_or(Marks::NONE, |before| before.union(self.system.marks(successor.step)));
        let (start, length) = (self.batch.bytes.len(), successor.state.len());
        self.batch.targets.push(Target { start, length, hash, marks, is_transient: successor.transient });
        self.batch.bytes.extend_from_slice(successor.state);
    }

    fn fault(&mut self, _step: A::Step, _fault: Fault) {
        self.faults += 1;
    }
}
