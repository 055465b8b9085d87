//! All visited states of one thread, kept whole ([`super::exact`]) or compressed ([`super::compressed`]).
//!
//! *Contract.* As that of both: numbers depend on the insertions alone. [`States::open`] makes a state the one whose bytes
//! [`States::opened`] lends; [`States::copy`] writes those of any state.

use super::Store;
use super::compressed::CompressedStore;
use super::exact::{ExactStore, Full, StateHash};
use super::number::StateId;
use crate::expansion::Prefetch;

/// The form in which the states are kept.
enum Form {
    Whole(ExactStore),
    Compressed(Box<CompressedStore>),
}

/// See the module's text.
pub(crate) struct States {
    form: Form,
    opened: StateId,
}

impl Prefetch for States {
    #[inline]
    fn prefetch(&self, hash: StateHash) {
        match &self.form {
            Form::Whole(store) => store.prefetch(hash),
            Form::Compressed(store) => store.prefetch(hash),
        }
    }
}

impl States {
    /// No states, in the form of this store, which must not be lossy.
    pub(crate) fn new(store: Store) -> Self {
        let form = match store {
            Store::Exact => Form::Whole(ExactStore::new()),
            Store::Auto | Store::Compressed => {
                Form::Compressed(Box::new(CompressedStore::new(store.least_compressed()[0])))
            }
            Store::HashCompact { .. } | Store::Bitstate { .. } => unreachable!("a lossy store keeps no states"),
        };
        Self { form, opened: StateId::NONE }
    }

    /// Whether some states are not whole.
    pub(crate) fn has_compressed(&self) -> bool {
        matches!(&self.form, Form::Compressed(store) if store.has_compressed())
    }

    /// Prefetches the bytes with which a state will be compared, given that the slot has been fetched.
    #[inline]
    pub(crate) fn prefetch_state(&self, hash: StateHash) {
        match &self.form {
            Form::Whole(store) => store.prefetch_state(hash),
            Form::Compressed(store) => store.prefetch_state(hash),
        }
    }

    /// How many states there are.
    #[inline]
    pub(crate) fn len(&self) -> u64 {
        match &self.form {
            Form::Whole(store) => store.len(),
            Form::Compressed(store) => store.len(),
        }
    }

    /// One more than the greatest number in use: the size of a side table indexed by number.
    #[inline]
    pub(crate) fn numbers(&self) -> usize {
        match &self.form {
            Form::Whole(store) => store.numbers(),
            Form::Compressed(store) => store.numbers(),
        }
    }

    /// The numbers of all states.
    pub(crate) fn all(&self) -> Box<dyn Iterator<Item = StateId> + '_> {
        match &self.form {
            Form::Whole(store) => Box::new(store.all()),
            Form::Compressed(store) => Box::new(store.all()),
        }
    }

    /// The bytes the store takes.
    #[inline]
    pub(crate) fn bytes(&self) -> u64 {
        match &self.form {
            Form::Whole(store) => store.bytes(),
            Form::Compressed(store) => store.bytes(),
        }
    }

    /// Opens a state.
    #[inline]
    pub(crate) fn open(&mut self, number: StateId) {
        self.opened = number;
        if let Form::Compressed(store) = &mut self.form {
            store.open(number);
        }
    }

    /// The bytes of the state that was opened last.
    #[inline]
    pub(crate) fn opened(&self) -> &[u8] {
        match &self.form {
            Form::Whole(store) => store.state(self.opened),
            Form::Compressed(store) => store.opened(),
        }
    }

    /// The bytes of a state that is whole.
    #[inline]
    pub(crate) fn lent(&self, number: StateId) -> Option<&[u8]> {
        match &self.form {
            Form::Whole(store) => Some(store.state(number)),
            Form::Compressed(store) => store.lent(number),
        }
    }

    /// Writes the bytes of a state over `into`.
    pub(crate) fn copy(&self, number: StateId, into: &mut Vec<u8>) {
        match &self.form {
            Form::Whole(store) => {
                into.clear();
                into.extend_from_slice(store.state(number));
            }
            Form::Compressed(store) => store.copy(number, into),
        }
    }

    /// The number of a state, if it is in the store.
    #[inline]
    pub(crate) fn find(&self, hash: StateHash, state: &[u8]) -> Option<StateId> {
        match &self.form {
            Form::Whole(store) => store.find(hash, state),
            Form::Compressed(store) => store.find(hash, state),
        }
    }

    /// Adds a state unless it is there; tells its number, and whether it is new.
    ///
    /// # Errors
    /// [`Full`] if the state is new and there is no number for it.
    #[inline]
    pub(crate) fn insert(&mut self, hash: StateHash, state: &[u8]) -> Result<(StateId, bool), Full> {
        match &mut self.form {
            Form::Whole(store) => store.insert(hash, state),
            Form::Compressed(store) => store.insert(hash, state),
        }
    }
}
