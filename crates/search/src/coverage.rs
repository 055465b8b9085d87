//! The proof that a search visited every reachable state.
//!
//! *Contract.* Only the outcomes of searches in this crate make a [`SearchCoverage`], and only if the search ended because no
//! state was left and the store keeps whole states:
//!
//! ```compile_fail
//! let coverage = search::coverage::SearchCoverage { states: 0 };
//! ```

/// That a search visited every reachable state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchCoverage {
    states: u64,
}

impl SearchCoverage {
    /// For searches that ended because no state was left.
    pub(crate) fn complete(states: u64) -> Self {
        Self { states }
    }

    /// How many states were visited.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.states
    }
}
