//! The states of a space by number: kept whole, or by their fingerprints.
//!
//! With fingerprints, a state is kept whole only until it has been expanded. From then on its successors are remembered by
//! number, so a search that visits it again needs it no more; and where a search wants to know its component, or whether it
//! is accepting, that was noted when it was met. So all searches see one finite graph, whose nodes are fingerprints. A
//! path in it becomes a run by walking along it again from the initial state, as in section 3.1 of [gastin.07.min]; if two
//! states share a fingerprint there may be no such run.

use crate::accepting::Component;
use crate::expansion::Prefetch;
use crate::store::compact::CompactStore;
use crate::store::exact::{ExactStore, Full, StateHash, StateId};
use omega::analyse::strength::Strength;
use std::collections::HashMap;

/// What is known of the states that were met.
pub(super) enum Known {
    Whole(ExactStore),
    Compact(Compact),
}

/// States by their fingerprints.
pub(super) struct Compact {
    store: CompactStore,
    /// Those that have not been expanded.
    whole: HashMap<StateId, Box<[u8]>, foldhash::fast::FixedState>,
    whole_bytes: u64,
    /// The number of the component of each state.
    components: Vec<u32>,
    /// By number of a component.
    strengths: Vec<Strength>,
    /// The last state of the run that is being built.
    pub(super) walk: Option<(StateId, Vec<u8>)>,
}

impl Compact {
    pub(super) fn new(bits: u8) -> Self {
        Self {
            store: CompactStore::new(bits),
            whole: HashMap::default(),
            whole_bytes: 0,
            components: Vec::new(),
            strengths: Vec::new(),
            walk: None,
        }
    }

    /// The bits of a fingerprint.
    pub(super) fn bits(&self) -> u8 {
        self.store.bits()
    }

    /// The bytes of a state that has not been expanded.
    pub(super) fn whole(&self, state: StateId) -> &[u8] {
        self.whole.get(&state).expect("a state is kept whole until it has been expanded")
    }

    /// A state has been expanded, and its successors are remembered.
    pub(super) fn forget(&mut self, state: StateId) {
        if let Some(bytes) = self.whole.remove(&state) {
            self.whole_bytes -= bytes.len() as u64;
        }
    }

    fn insert(
        &mut self,
        hash: StateHash,
        state: &[u8],
        component: impl FnOnce() -> Component,
    ) -> Result<(StateId, bool), Full> {
        let (number, is_new) = self.store.insert(hash)?;
        if is_new {
            let Component { number: part, strength } = component();
            self.components.push(part);
            if part as usize >= self.strengths.len() {
                self.strengths.resize(part as usize + 1, Strength::Rejecting);
            }
            self.strengths[part as usize] = strength;
            self.whole.insert(number, state.into());
            self.whole_bytes += state.len() as u64;
        }
        Ok((number, is_new))
    }
}

impl Prefetch for Known {
    #[inline]
    fn prefetch(&self, hash: StateHash) {
        if let Known::Whole(store) = self {
            store.prefetch(hash);
        }
    }
}

impl Known {
    /// The number of a state that is to be known from now on, and whether it is new.
    #[inline]
    pub(super) fn insert(
        &mut self,
        hash: StateHash,
        state: &[u8],
        component: impl FnOnce() -> Component,
    ) -> Result<(StateId, bool), Full> {
        match self {
            Known::Whole(store) => store.insert(hash, state),
            Known::Compact(compact) => compact.insert(hash, state, component),
        }
    }

    /// The number of a state, if it is known.
    pub(super) fn find(&self, hash: StateHash, state: &[u8]) -> Option<StateId> {
        match self {
            Known::Whole(store) => store.find(hash, state),
            Known::Compact(compact) => compact.store.find(hash),
        }
    }

    /// The component noted for a state, where states are not kept.
    #[inline]
    pub(super) fn component(&self, state: StateId, of: impl FnOnce(&[u8]) -> Component) -> Component {
        match self {
            Known::Whole(store) => of(store.state(state)),
            Known::Compact(compact) => {
                let number = compact.components[state.0 as usize];
                Component { number, strength: compact.strengths[number as usize] }
            }
        }
    }

    pub(super) fn numbers(&self) -> usize {
        match self {
            Known::Whole(store) => store.numbers(),
            // In steps, so that tables do not grow by one.
            Known::Compact(compact) => compact.store.len().next_multiple_of(1 << 10),
        }
    }

    pub(super) fn len(&self) -> u64 {
        match self {
            Known::Whole(store) => store.len(),
            Known::Compact(compact) => compact.store.len() as u64,
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        match self {
            Known::Whole(store) => store.bytes(),
            Known::Compact(compact) => {
                let entry = size_of::<(StateId, Box<[u8]>)>() + 1;
                let numbers = compact.components.capacity() * size_of::<u32>() + compact.strengths.capacity();
                let tables = compact.whole.capacity() * entry + numbers;
                compact.store.bytes() + compact.whole_bytes + tables as u64
            }
        }
    }

    /// The estimated probability that a state was taken for another one; none where they are kept whole.
    pub(super) fn missed(&self) -> Option<f64> {
        match self {
            Known::Whole(_) => None,
            Known::Compact(compact) => Some(compact.store.missed()),
        }
    }
}
