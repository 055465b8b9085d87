//! What the worker that leads finds alone.
//!
//! Elimination finds a lasso only after all states were visited; a nested depth-first search often meets one soon. So when many states
//! are known, the worker that leads searches depth first, beginning anew, while the others wait: for a part of the time that the search by all
//! has taken so far. If it finds no lasso, nothing is decided and all go on.
//!
//! It does so again each time that there are [`GROWTH`] times as many states, so that the time lost is a part of the whole, and small.

use super::Search;
use crate::accepting::Accepting;
use crate::emptiness::{EmptinessOptions, choose};
use crate::lasso::Lasso;
use crate::meter::Statistics;
use crate::store::Store;
use crate::team::LEADER;
use crate::thresholds::alone::{GROWTH, SHARE};
use omega::analyse::strength::Strength;

/// See the module's text.
pub(super) struct Alone<S> {
    /// The number of states at which the worker that leads searches next.
    at: u64,
    /// What it keeps of a visited state.
    store: Store,
    /// What it found.
    pub(super) lasso: Option<Lasso<S>>,
    /// The transitions that it took.
    pub(super) transitions: u64,
}

impl<S> Alone<S> {
    pub(super) fn new(at: u64, store: Store) -> Self {
        Self { at, store, lasso: None, transitions: 0 }
    }
}

impl<A: Accepting> Search<'_, A> {
    /// Lets the worker that leads search alone if it is time to; true if it found a lasso. All workers call this after each level.
    pub(super) fn is_found_alone(&mut self) -> bool {
        // All know the same number, and the same depth limit: under one, an elimination is the safer judge.
        if self.counted.states < self.alone.at || self.share.explorer.meter.searching_budget().depth.is_some() {
            return false;
        }
        self.alone.at = self.counted.states.saturating_mul(GROWTH);
        if self.leads() {
            self.search_alone();
        }
        self.outbox.gather(&[u8::from(self.alone.lasso.is_some())])[LEADER] == [1]
    }

    fn search_alone(&mut self) {
        let (system, held, store) = (self.share.system, self.share.bytes(), self.alone.store);
        let meter = &self.share.explorer.meter;
        let work = (self.counted.states + self.counted.transitions) / (self.outbox.workers() as u64 * SHARE);
        let mut budget = meter.searching_budget().stage().within_effort(work);
        budget.memory = Some(meter.memory.saturating_sub(held));
        let progress = &mut |_: &Statistics| {};
        let options = EmptinessOptions { budget: &budget, components: true, store, progress };
        let found = choose(system, Strength::Strong, store).search.search(system, options);
        let meter = &mut self.share.explorer.meter;
        meter.note_bytes(meter.statistics.bytes + found.statistics.bytes);
        self.alone.lasso = found.lasso;
        self.alone.transitions += found.statistics.transitions;
    }
}
