//! All visited states, kept whole ([`super::exact`]) or as trees ([`super::tree`]).
//!
//! *Contract.* As that of both: numbers depend on the insertions alone. The moment at which a store that may choose its form
//! becomes a tree depends on these and on the memory limit, and changes no number. [`States::open`] makes a state the one whose bytes [`States::opened`]
//! lends; [`States::copy`] writes those of any state.

use super::Store;
use super::exact::{ExactStore, Full, StateHash};
use super::number::StateId;
use super::tree::TreeStore;
use crate::expansion::Prefetch;
use crate::thresholds::store::{FIRST_TRIAL, LEAST_SAVING, LIMIT_SHARE, SAMPLE};

/// The form in which the states are kept.
#[derive(Debug)]
enum Form {
    Whole(ExactStore),
    Tree(Box<TreeStore>),
}

/// See the module's text.
#[derive(Debug)]
pub(crate) struct States {
    form: Form,
    opened: StateId,
    /// The number of states at which to find out whether trees pay.
    next_trial: u64,
    /// The most bytes that the search may hold.
    limit: u64,
}

impl Prefetch for States {
    #[inline]
    fn prefetch(&self, hash: StateHash) {
        match &self.form {
            Form::Whole(store) => store.prefetch(hash),
            Form::Tree(store) => store.prefetch(hash),
        }
    }
}

impl States {
    /// No states, in the form of this store, which must not be lossy, in a search that may hold so many bytes.
    pub(crate) fn new(store: Store, limit: Option<u64>) -> Self {
        let (form, next_trial) = match store {
            Store::Auto => (Form::Whole(ExactStore::new()), FIRST_TRIAL),
            Store::Tree => (Form::Tree(Box::new(TreeStore::new())), u64::MAX),
            Store::Exact => (Form::Whole(ExactStore::new()), u64::MAX),
            Store::HashCompact { .. } | Store::Bitstate { .. } => unreachable!("a lossy store keeps no states"),
        };
        Self { form, opened: StateId::NONE, next_trial, limit: limit.unwrap_or(u64::MAX) }
    }

    /// Whether the states are kept as trees.
    pub(crate) fn is_tree(&self) -> bool {
        matches!(self.form, Form::Tree(_))
    }

    /// How many states there are.
    #[inline]
    pub(crate) fn len(&self) -> u64 {
        match &self.form {
            Form::Whole(store) => store.len(),
            Form::Tree(store) => store.len(),
        }
    }

    /// One more than the greatest number in use: the size of a side table indexed by number.
    #[inline]
    pub(crate) fn numbers(&self) -> usize {
        match &self.form {
            Form::Whole(store) => store.numbers(),
            Form::Tree(store) => store.numbers(),
        }
    }

    /// The numbers of all states.
    pub(crate) fn all(&self) -> Box<dyn Iterator<Item = StateId> + '_> {
        match &self.form {
            Form::Whole(store) => Box::new(store.all()),
            Form::Tree(store) => Box::new(store.all()),
        }
    }

    /// The bytes the store takes.
    #[inline]
    pub(crate) fn bytes(&self) -> u64 {
        match &self.form {
            Form::Whole(store) => store.bytes(),
            Form::Tree(store) => store.bytes(),
        }
    }

    /// Opens a state.
    #[inline]
    pub(crate) fn open(&mut self, number: StateId) {
        self.opened = number;
        if let Form::Tree(store) = &mut self.form {
            store.open(number);
        }
    }

    /// The bytes of the state that was opened last.
    #[inline]
    pub(crate) fn opened(&self) -> &[u8] {
        match &self.form {
            Form::Whole(store) => store.state(self.opened),
            Form::Tree(store) => store.opened(),
        }
    }

    /// The bytes of any state, where states are whole.
    #[inline]
    pub(crate) fn lent(&self, number: StateId) -> Option<&[u8]> {
        match &self.form {
            Form::Whole(store) => Some(store.state(number)),
            Form::Tree(_) => None,
        }
    }

    /// Writes the bytes of a state over `into`.
    pub(crate) fn copy(&self, number: StateId, into: &mut Vec<u8>) {
        match &self.form {
            Form::Whole(store) => {
                into.clear();
                into.extend_from_slice(store.state(number));
            }
            Form::Tree(store) => store.copy(number, into),
        }
    }

    /// The number of a state, if it is in the store.
    #[inline]
    pub(crate) fn find(&mut self, hash: StateHash, state: &[u8]) -> Option<StateId> {
        match &mut self.form {
            Form::Whole(store) => store.find(hash, state),
            Form::Tree(store) => store.find(hash, state),
        }
    }

    /// Adds a state unless it is there; tells its number, and whether it is new.
    ///
    /// # Errors
    /// [`Full`] if the state is new and there is no number for it.
    #[inline]
    pub(crate) fn insert(&mut self, hash: StateHash, state: &[u8]) -> Result<(StateId, bool), Full> {
        match &mut self.form {
            Form::Whole(store) => {
                let inserted = store.insert(hash, state);
                if store.len() >= self.next_trial {
                    self.try_trees();
                }
                inserted
            }
            Form::Tree(store) => store.insert(hash, state),
        }
    }

    /// Turns the states into trees, if whole ones come near the limit and a sample says that trees are smaller.
    #[cold]
    fn try_trees(&mut self) {
        let Form::Whole(store) = &mut self.form else { return };
        self.next_trial = self.next_trial.saturating_mul(2);
        if store.bytes().saturating_mul(LIMIT_SHARE) < self.limit {
            return;
        }
        let whole: u64 = store.blocks.sample(SAMPLE).map(|state| state.len() as u64).sum();
        if !TreeStore::fits(store.blocks.sample(SAMPLE), whole / LEAST_SAVING) {
            return;
        }
        let mut tree = Box::new(TreeStore::of(std::mem::take(store)));
        if self.opened != StateId::NONE {
            tree.open(self.opened);
        }
        (self.form, self.next_trial) = (Form::Tree(tree), u64::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A state of a hundred bytes of which few differ.
    fn state(n: u32) -> Vec<u8> {
        let mut state = vec![7; 100];
        state[10] = (n % 64) as u8;
        state[80..83].copy_from_slice(&(n / 64).to_le_bytes()[..3]);
        state
    }

    #[test]
    fn states_become_trees_when_memory_becomes_scarce_and_keep_their_numbers() {
        for (limit, is_tree) in [(None, false), (Some(1 << 40), false), (Some(4_000_000), true)] {
            let mut states = States::new(Store::Auto, limit);
            let mut twin = ExactStore::new();
            let mut copied = Vec::new();
            for n in 0..40_000 {
                let (state, hash) = (state(n), StateHash::of(&state(n)));
                assert_eq!(states.insert(hash, &state), twin.insert(hash, &state));
                let (number, _) = twin.insert(hash, &state).unwrap();
                states.open(number);
                assert_eq!(states.opened(), state);
            }
            assert_eq!(states.is_tree(), is_tree, "{limit:?}");
            assert!(states.all().eq(twin.all()));
            for number in twin.all() {
                states.copy(number, &mut copied);
                assert_eq!(copied, twin.state(number));
                assert_eq!(states.find(StateHash::of(&copied), &copied), Some(number));
            }
        }
    }
}
