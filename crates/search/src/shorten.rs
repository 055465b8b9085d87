//! Short accepting lassos. Three searches find the shortest there is, one is a heuristic to compare with.
//!
//! The length of a lasso is its number of steps, stem plus cycle, those inside atomic sequences included. The cycle need
//! not begin in an accepting state. [`bfs`] is the one to use on state-based acceptance: polynomial, and the order of
//! steps does not matter to it; [`parallel`] does the same on several threads; with bit-state hashing, `fixed` does it in fixed memory. [`dfs`] needs a little less
//! memory and exponential time at worst. [`generalised`] takes any acceptance. [`spin_i`] does what SPIN does with its option `-i`, and may miss the shortest. Where acceptance is not
//! state-based, all but [`generalised`] search with a counter of acceptance sets ([`crate::counted`]), among whose lassos
//! a shortest one of the system need not be.
//!
//! A search that reaches a limit gives the best lasso it has, and does not call it minimal.

pub mod bfs;
pub mod dfs;
mod distances;
pub(crate) mod fixed;
pub mod generalised;
pub mod parallel;
mod patience;
pub mod spin_i;
mod trace;

pub use patience::{Deadline, Moment, Patience, Spent};

use crate::accepting::Accepting;
use crate::counted::Counted;
use crate::coverage::SearchCoverage;
use crate::emptiness::{self, End, gmz};
use crate::lasso::Lasso;
use crate::meter::Statistics;
use crate::space::Space;
use crate::store::Store;
use kernel::budget::{Budget, Exhausted};
use kernel::decision::Reason;

/// How to search for a short lasso.
pub struct ShorteningOptions<'a> {
    /// Limits.
    pub budget: &'a Budget,
    /// True to use the components of the property that the system knows.
    pub components: bool,
    /// What to keep of a visited state. With anything but [`Store::Exact`], no lasso is called minimal.
    pub store: Store,
    /// Consider only lassos of at most this many steps, without an emptiness check first. If there is no lasso in the
    /// outcome, none exists only if [`ShorteningResult::end`] is [`End::Complete`].
    pub max_length: Option<u64>,
    /// How long to look for a shorter lasso after the first; none for as long as the budget allows.
    pub patience: Option<Patience>,
    /// Called regularly with the statistics so far.
    pub progress: &'a mut dyn FnMut(&Statistics),
}

impl<'a> ShorteningOptions<'a> {
    /// With a store that numbers states: fingerprints instead of bits.
    fn numbered(mut self) -> Self {
        if matches!(self.store, Store::Bitstate { .. }) {
            self.store = Store::HASH_COMPACT;
        }
        self
    }

    fn emptiness(self) -> emptiness::EmptinessOptions<'a> {
        let Self { budget, components, store, progress, .. } = self;
        emptiness::EmptinessOptions { budget, components, store, progress }
    }
}

/// The result of a search for a short lasso.
#[derive(Clone, Debug)]
pub struct ShorteningResult<S> {
    /// How the search ended. Private, so that only this crate can call a search complete.
    pub(crate) end: End,
    /// The shortest accepting run that the search found.
    pub lasso: Option<Lasso<S>>,
    /// True if it is certain that no accepting lasso is shorter.
    pub is_minimal: bool,
    /// The length of the first lasso found, before it was shortened; with a counter, the length of the counted lasso.
    pub first_length: Option<u64>,
    /// What it took to find the first lasso; none if the search began without looking for one.
    pub first_after: Option<Spent>,
    /// The statistics of the search.
    pub statistics: Statistics,
}

impl<S> ShorteningResult<S> {
    /// How the search ended.
    #[must_use]
    pub fn end(&self) -> End {
        self.end
    }

    /// The outcome of a search that ended without a lasso.
    fn without_lasso(end: End, statistics: Statistics) -> Self {
        Self { end, lasso: None, is_minimal: false, first_length: None, first_after: None, statistics }
    }

    /// The proof that there is no accepting run, if the search was complete.
    ///
    /// # Errors
    /// The reason why the search proves nothing.
    pub fn absence(&self) -> Result<SearchCoverage, Reason> {
        emptiness::absence(self.end, &self.statistics)
    }
}

/// The searches, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shortening {
    /// [`bfs`].
    Bfs,
    /// [`dfs`].
    Dfs,
    /// [`generalised`].
    Generalised,
    /// [`spin_i`].
    SpinI,
}

impl Shortening {
    /// All of them.
    pub const ALL: [Shortening; 4] = [Shortening::Bfs, Shortening::Dfs, Shortening::Generalised, Shortening::SpinI];

    /// The default.
    #[must_use]
    pub fn choose<A: Accepting>(system: &A, store: Store) -> Self {
        let is_generalised = !system.is_state_based() && Shortening::Generalised.takes(store);
        if is_generalised { Shortening::Generalised } else { Shortening::Bfs }
    }

    /// The name, as in options and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Shortening::Bfs => "bfs",
            Shortening::Dfs => "dfs",
            Shortening::Generalised => "generalised",
            Shortening::SpinI => "spin-i",
        }
    }

    /// What it is, in a few words.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Shortening::Bfs => "breadth first",
            Shortening::Dfs => "depth first, exponential at worst",
            Shortening::Generalised => "for generalised acceptance",
            Shortening::SpinI => "SPIN's heuristic, which may miss the shortest",
        }
    }

    /// True if this search supports acceptance that is not state-based without a counter.
    #[must_use]
    pub fn is_generalised(self) -> bool {
        self == Shortening::Generalised
    }

    /// True if this search needs a counter of acceptance sets for a system.
    pub fn counts<A: Accepting>(self, system: &A) -> bool {
        !system.is_state_based() && !self.is_generalised()
    }

    /// True if this search finds a shortest lasso, unless it reaches a limit or counts acceptance sets.
    #[must_use]
    pub fn is_exact(self) -> bool {
        self != Shortening::SpinI
    }

    /// Whether this search can be run with a store. All take exact states and fingerprints. Bit-state hashing, which cannot
    /// number states, has a search of its own in fixed memory (`fixed`), a variant of [`bfs`].
    #[must_use]
    pub fn takes(self, store: Store) -> bool {
        self == Shortening::Bfs || !matches!(store, Store::Bitstate { .. })
    }

    /// Runs the search; over a counter of acceptance sets, if it needs state-based acceptance and there is none. Then
    /// nothing is called minimal, and a bound on the length is one on the lassos with the counter.
    ///
    /// # Panics
    /// If the search does not support the store.
    pub fn search<'a, A: Accepting>(self, system: &'a A, options: ShorteningOptions<'a>) -> ShorteningResult<A::Step> {
        assert!(self.takes(options.store), "{} does not take this store", self.name());
        if !self.counts(system) {
            return self.run(system, options);
        }
        let ShorteningOptions { budget, components, store, max_length, patience, progress } = options;
        let progress = &mut *progress;
        let counted = Counted::new(system);
        let found = self.run(&counted, ShorteningOptions { budget, components, store, max_length, patience, progress });
        let ShorteningResult { end, lasso, first_length, first_after, statistics, .. } = found;
        let lasso = lasso.map(|lasso| counted.unfold(lasso));
        ShorteningResult { end, lasso, is_minimal: false, first_length, first_after, statistics }
    }

    fn run<'a, A: Accepting>(self, system: &'a A, options: ShorteningOptions<'a>) -> ShorteningResult<A::Step> {
        if let Store::Bitstate { size, hashes } = options.store {
            return fixed::search(system, options, size, hashes);
        }
        match self {
            Shortening::Bfs => bfs::search(system, options),
            Shortening::Dfs => dfs::search(system, options),
            Shortening::Generalised => generalised::search(system, options),
            Shortening::SpinI => spin_i::search(system, options),
        }
    }
}

/// What a minimiser begins with.
struct Start<'a, A: Accepting> {
    /// The states visited so far, dead states black.
    space: Space<'a, A>,
    /// The lasso to shorten; none if a bound takes its place.
    first: Option<Lasso<A::Step>>,
    /// Only lassos shorter than this are of interest.
    bound: u64,
    /// What it took to find the first lasso.
    first_after: Option<Spent>,
}

/// Checks for emptiness, unless a bound takes its place. That there is no lasso, or that a limit was reached before one
/// was found, is already the outcome.
fn start<'a, A: Accepting>(
    system: &'a A,
    options: ShorteningOptions<'a>,
) -> Result<Start<'a, A>, ShorteningResult<A::Step>> {
    if let Some(length) = options.max_length {
        let space = Space::new(system, options.emptiness());
        return Ok(Start { space, first: None, bound: length.saturating_add(1), first_after: None });
    }
    let (budget, patience) = (options.budget, options.patience);
    let started = Moment::now(budget);
    let (mut space, closed) = gmz::explore(system, options.emptiness());
    let lasso = match closed {
        Ok(Some(closed)) => space.lasso(&closed.path, closed.knot),
        otherwise => {
            let outcome = emptiness::conclude(space, otherwise.map(|_| None));
            return Err(ShorteningResult::without_lasso(outcome.end, outcome.statistics));
        }
    };
    let first = match lasso {
        Ok(lasso) => lasso,
        Err(exhausted) => return Err(ShorteningResult::without_lasso(End::Limit(exhausted), space.finish())),
    };
    let found_after = space.meter.spent(started);
    space.meter.stop_at(patience.map(|patience| patience.end_of(started, found_after)));
    space.meter.reserve_time_for_rebuilding();
    let bound = first.as_ref().map_or(u64::MAX, |lasso| lasso.length() as u64);
    Ok(Start { space, first, bound, first_after: Some(found_after) })
}

/// How a search ended, given its result, and whether it has a lasso, ignored runs for their length, or was cut by the
/// depth limit.
fn end(result: Result<(), Exhausted>, has_lasso: bool, is_bounded: bool, is_cut: bool) -> End {
    match result {
        Err(exhausted) => End::Limit(exhausted),
        Ok(()) if has_lasso => End::Found,
        Ok(()) if is_bounded || is_cut => End::Limit(Exhausted::Depth),
        Ok(()) => End::Complete,
    }
}
