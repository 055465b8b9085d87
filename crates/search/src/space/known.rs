//! The states of a space by number: kept whole, or by their fingerprints.
//!
//! With fingerprints, a state is kept whole only until it has been expanded. From then on its successors are remembered by
//! number, so a search that visits it again needs it no more; and where a search wants to know its component, or whether it
//! is accepting, that was noted when it was met. So all searches see one finite graph, whose nodes are fingerprints. A
//! path in it becomes a run by walking along it again from the initial state, as in section 3.1 of [gastin.07.min]; if two
//! states share a fingerprint there may be no such run.

use crate::accepting::Component;
use crate::expansion::Prefetch;
use crate::store::Store;
use crate::store::compact::CompactStore;
use crate::store::exact::{Full, StateHash};
use crate::store::number::StateId;
use crate::store::states::States;
use omega::analyse::strength::Strength;
use std::collections::HashMap;

/// What is known of the states that were met.
pub(super) enum Known {
    Whole(Whole),
    Compact(Compact),
}

/// The components of states, noted where the states themselves are not at hand.
#[derive(Default)]
struct Components {
    /// The number of the component of each state.
    numbers: Vec<u32>,
    /// By number of a component.
    strengths: Vec<Strength>,
}

impl Components {
    fn note(&mut self, state: StateId, Component { number, strength }: Component) {
        if state.index() >= self.numbers.len() {
            self.numbers.resize((state.index() + 1).next_multiple_of(1 << 10), 0);
        }
        self.numbers[state.index()] = number;
        if number as usize >= self.strengths.len() {
            self.strengths.resize(number as usize + 1, Strength::Rejecting);
        }
        self.strengths[number as usize] = strength;
    }

    fn get(&self, state: StateId) -> Component {
        let number = self.numbers[state.index()];
        Component { number, strength: self.strengths[number as usize] }
    }

    fn bytes(&self) -> usize {
        self.numbers.capacity() * size_of::<u32>() + self.strengths.capacity() * size_of::<Strength>()
    }
}

/// States that are kept.
pub(super) struct Whole {
    states: States,
    /// True if the search wants to know the components of states.
    has_components: bool,
    /// Those of the states that are not whole.
    components: Components,
}

impl Whole {
    /// No states, in a store of this kind.
    pub(super) fn new(store: Store, has_components: bool) -> Self {
        Self { states: States::new(store), has_components, components: Components::default() }
    }

    /// The bytes of a state, beside which others will be looked up.
    #[inline]
    pub(super) fn open(&mut self, state: StateId) -> &[u8] {
        self.states.open(state);
        self.states.opened()
    }

    /// The bytes of a state.
    pub(super) fn copy(&self, state: StateId) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.states.copy(state, &mut bytes);
        bytes
    }

    pub(super) fn has_compressed(&self) -> bool {
        self.states.has_compressed()
    }

    /// The numbers of all states.
    pub(super) fn all(&self) -> impl Iterator<Item = StateId> {
        self.states.all()
    }

    #[inline]
    fn insert(
        &mut self,
        hash: StateHash,
        state: &[u8],
        component: impl Fn(&[u8]) -> Component,
    ) -> Result<(StateId, bool), Full> {
        let (number, is_new) = self.states.insert(hash, state)?;
        if is_new && self.has_components && self.states.lent(number).is_none() {
            self.components.note(number, component(state));
        }
        Ok((number, is_new))
    }
}

/// States by their fingerprints.
pub(super) struct Compact {
    store: CompactStore,
    /// Those that have not been expanded.
    whole: HashMap<StateId, Box<[u8]>, foldhash::fast::FixedState>,
    whole_bytes: u64,
    components: Components,
    /// The last state of the run that is being built.
    pub(super) walk: Option<(StateId, Vec<u8>)>,
}

impl Compact {
    pub(super) fn new(bits: u8) -> Self {
        Self {
            store: CompactStore::new(bits),
            whole: HashMap::default(),
            whole_bytes: 0,
            components: Components::default(),
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

    /// The number of a state with this hash, if one is known.
    pub(super) fn find(&self, hash: StateHash) -> Option<StateId> {
        self.store.find(hash)
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
        component: impl Fn(&[u8]) -> Component,
    ) -> Result<(StateId, bool), Full> {
        let (number, is_new) = self.store.insert(hash)?;
        if is_new {
            self.components.note(number, component(state));
            self.whole.insert(number, state.into());
            self.whole_bytes += state.len() as u64;
        }
        Ok((number, is_new))
    }
}

impl Prefetch for Known {
    #[inline]
    fn prefetch(&self, hash: StateHash) {
        if let Known::Whole(whole) = self {
            whole.states.prefetch(hash);
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
        component: impl Fn(&[u8]) -> Component,
    ) -> Result<(StateId, bool), Full> {
        match self {
            Known::Whole(whole) => whole.insert(hash, state, component),
            Known::Compact(compact) => compact.insert(hash, state, component),
        }
    }

    /// The number of a state, if it is known.
    pub(super) fn find(&mut self, hash: StateHash, state: &[u8]) -> Option<StateId> {
        match self {
            Known::Whole(whole) => whole.states.find(hash, state),
            Known::Compact(compact) => compact.find(hash),
        }
    }

    /// The component of a state; as noted, where its bytes are not at hand.
    #[inline]
    pub(super) fn component(&self, state: StateId, of: impl FnOnce(&[u8]) -> Component) -> Component {
        match self {
            Known::Whole(whole) => whole.states.lent(state).map_or_else(|| whole.components.get(state), of),
            Known::Compact(compact) => compact.components.get(state),
        }
    }

    pub(super) fn numbers(&self) -> usize {
        match self {
            Known::Whole(whole) => whole.states.numbers(),
            // In steps, so that tables do not grow by one.
            Known::Compact(compact) => compact.store.len().next_multiple_of(1 << 10),
        }
    }

    pub(super) fn len(&self) -> u64 {
        match self {
            Known::Whole(whole) => whole.states.len(),
            Known::Compact(compact) => compact.store.len() as u64,
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        match self {
            Known::Whole(whole) => whole.states.bytes() + whole.components.bytes() as u64,
            Known::Compact(compact) => {
                let entry = size_of::<(StateId, Box<[u8]>)>() + 1;
                let tables = compact.whole.capacity() * entry + compact.components.bytes();
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
