//! Does a system have an accepting run? Five searches with one contract.
//!
//! Each visits the system on the fly and gives an accepting [`Lasso`] or, if it saw everything, the certainty that there
//! is none; [`cndfs`] does so on several threads, and [`distributed`] by workers that share no memory. [`spin`], [`gmz`], [`se`] and [`seed`] are nested depth-first searches for state-based Büchi acceptance, and search other
//! systems with a counter of acceptance sets ([`crate::counted`]); [`scc`] finds components and takes any acceptance as it
//! is. None recurses, and none bounds the depth unless the budget does.
//!
//! Where the system knows its components ([`Accepting::component`]), the inner searches stay inside the component they
//! began in, and none is begun where every cycle is accepting or none is: [edelkamp.04.sttt], as suggested again in
//! section 6.1 of [blahoudek.15.spin]. [`choose`] picks a search by the strength of the property.

pub(crate) mod bitstate;
pub mod cndfs;
pub mod distributed;
pub mod gmz;
pub(crate) mod path;
pub mod scc;
pub mod se;
pub mod seed;
pub mod spin;

use self::path::Closed;
use crate::accepting::Accepting;
use crate::counted::{COUNTING, Counted};
use crate::coverage::SearchCoverage;
use crate::lasso::Lasso;
use crate::meter::Statistics;
use crate::space::Space;
use crate::store::Store;
use kernel::budget::{Budget, Exhausted};
use kernel::decision::Reason;
use omega::analyse::strength::Strength;
use std::fmt;

/// How to search for an accepting run.
pub struct EmptinessOptions<'a> {
    /// Limits. The depth limit holds for the outer search.
    pub budget: &'a Budget,
    /// True to use the components of the property that the system knows.
    pub components: bool,
    /// What to keep of a visited state.
    pub store: Store,
    /// Called regularly with the statistics so far.
    pub progress: &'a mut dyn FnMut(&Statistics),
}

/// How a search for an accepting run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The search visited every reachable state, and there is no accepting run. With a lossy store this is weaker: the
    /// search may have confused states, and a cycle that it closed may be no run. [`Statistics::missed`] is the
    /// probability that it missed a state; it is 1 if a cycle turned out to be no run.
    Complete,
    /// An accepting run was found.
    Found,
    /// The search reached a limit.
    Limit(Exhausted),
}

/// The result of a search for an accepting run.
#[derive(Clone, Debug)]
pub struct EmptinessResult<S> {
    /// How the search ended. Private, so that only this crate can call a search complete.
    pub(crate) end: End,
    /// An accepting run, if the search found one.
    pub lasso: Option<Lasso<S>>,
    /// The statistics of the search.
    pub statistics: Statistics,
}

impl<S> EmptinessResult<S> {
    /// How the search ended.
    #[must_use]
    pub fn end(&self) -> End {
        self.end
    }

    /// The proof that there is no accepting run, if the search was complete.
    ///
    /// # Errors
    /// The reason why the search proves nothing.
    pub fn absence(&self) -> Result<SearchCoverage, Reason> {
        absence(self.end, &self.statistics)
    }
}

/// The outcome of a search over numbered states, given its lasso. There is no lasso either if the cycle that the search
/// closed is no run.
pub(crate) fn conclude<A: Accepting>(
    mut space: Space<'_, A>,
    lasso: Result<Option<Lasso<A::Step>>, Exhausted>,
) -> EmptinessResult<A::Step> {
    let end = match &lasso {
        Ok(Some(_)) => End::Found,
        Ok(None) if space.meter.is_cut => End::Limit(Exhausted::Depth),
        Ok(None) => End::Complete,
        Err(exhausted) => End::Limit(*exhausted),
    };
    EmptinessResult { end, lasso: lasso.unwrap_or(None), statistics: space.finish() }
}

/// The outcome of a search over numbered states, given the cycle that it closed.
fn conclude_closed<A: Accepting>(
    mut space: Space<'_, A>,
    closed: Result<Option<Closed>, Exhausted>,
) -> EmptinessResult<A::Step> {
    let lasso = closed.and_then(|closed| match closed {
        Some(closed) => space.lasso(&closed.path, closed.knot),
        None => Ok(None),
    });
    conclude(space, lasso)
}

/// The proof that a search without a result gives.
pub(crate) fn absence(end: End, statistics: &Statistics) -> Result<SearchCoverage, Reason> {
    match end {
        End::Complete => match statistics.missed {
            Some(missed_probability) => Err(Reason::LossyStore { missed_probability }),
            None => Ok(SearchCoverage::complete(statistics.states)),
        },
        End::Found => Err(Reason::Stopped),
        End::Limit(exhausted) => Err(Reason::Limit(exhausted)),
    }
}

/// The searches, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Emptiness {
    /// [`spin`].
    Spin,
    /// [`gmz`].
    Gmz,
    /// [`se`].
    Se,
    /// [`seed`].
    Seed,
    /// [`scc`].
    Scc,
}

impl Emptiness {
    /// All of them.
    pub const ALL: [Emptiness; 5] = [Emptiness::Spin, Emptiness::Gmz, Emptiness::Se, Emptiness::Seed, Emptiness::Scc];

    /// The name, as in options and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Emptiness::Spin => "spin",
            Emptiness::Gmz => "gmz",
            Emptiness::Se => "se",
            Emptiness::Seed => "seed",
            Emptiness::Scc => "scc",
        }
    }

    /// What it is, in a few words.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Emptiness::Spin => "nested depth-first search as in SPIN",
            Emptiness::Gmz => "the four-colour search of Gastin, Moro and Zeitoun",
            Emptiness::Se => "the nested search of Schwoon and Esparza",
            Emptiness::Seed => "the nested search of SPIN in 2004, which closes cycles at their accepting state only",
            Emptiness::Scc => "strongly connected components, for generalised acceptance",
        }
    }

    /// True if this search supports acceptance that is not state-based without a counter.
    #[must_use]
    pub fn is_generalised(self) -> bool {
        self == Emptiness::Scc
    }

    /// True if this search needs a counter of acceptance sets for a system.
    pub fn counts<A: Accepting>(self, system: &A) -> bool {
        !system.is_state_based() && !self.is_generalised()
    }

    /// True if this search supports a store. All support exact states and fingerprints; bit-state hashing, which
    /// cannot number states, has a search of its own, a variant of [`gmz`].
    #[must_use]
    pub fn takes(self, store: Store) -> bool {
        self == Emptiness::Gmz || !matches!(store, Store::Bitstate { .. })
    }

    /// Runs the search; with a counter of acceptance sets, if it needs state-based acceptance and the system has none.
    ///
    /// # Panics
    /// If the search does not support the store.
    pub fn search<'a, A: Accepting>(self, system: &'a A, options: EmptinessOptions<'a>) -> EmptinessResult<A::Step> {
        assert!(self.takes(options.store), "{} does not take this store", self.name());
        if !self.counts(system) {
            return self.run(system, options);
        }
        let EmptinessOptions { budget, components, store, progress } = options;
        let counted = Counted::new(system);
        let found = self.run(&counted, EmptinessOptions { budget, components, store, progress: &mut *progress });
        EmptinessResult {
            end: found.end,
            lasso: found.lasso.map(|lasso| counted.unfold(lasso)),
            statistics: found.statistics,
        }
    }

    fn run<'a, A: Accepting>(self, system: &'a A, options: EmptinessOptions<'a>) -> EmptinessResult<A::Step> {
        if let Store::Bitstate { size, hashes } = options.store {
            return bitstate::search(system, options, size, hashes);
        }
        match self {
            Emptiness::Spin => spin::search(system, options),
            Emptiness::Gmz => gmz::search(system, options),
            Emptiness::Se => se::search(system, options),
            Emptiness::Seed => seed::search(system, options),
            Emptiness::Scc => scc::search(system, options),
        }
    }
}

/// The search that was chosen for a system, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmptinessChoice {
    /// The search.
    pub search: Emptiness,
    /// The strength of the property.
    pub strength: Strength,
    /// Whether acceptance sets are counted.
    pub is_counted: bool,
}

impl EmptinessChoice {
    /// This search and no other.
    #[must_use]
    pub fn of<A: Accepting>(search: Emptiness, system: &A, strength: Strength) -> Self {
        EmptinessChoice { search, strength, is_counted: search.counts(system) }
    }
}

/// Chooses a search for a property of this strength that takes the store.
///
/// Where acceptance is state-based it is [`gmz`], whose dead states serve the minimisers; its inner search runs in strong
/// components only, so that a weak property costs one plain depth-first search. [`scc`] takes generalised acceptance as
/// it is, but cannot do without numbers of states.
#[must_use]
pub fn choose<A: Accepting>(system: &A, strength: Strength, store: Store) -> EmptinessChoice {
    let is_scc = !system.is_state_based() && Emptiness::Scc.takes(store);
    EmptinessChoice::of(if is_scc { Emptiness::Scc } else { Emptiness::Gmz }, system, strength)
}

impl fmt::Display for EmptinessChoice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.search.name();
        match (self.search, self.strength) {
            _ if self.is_counted => write!(out, "{name}{COUNTING}"),
            (Emptiness::Scc, _) => write!(out, "{name}, for generalised acceptance"),
            (_, Strength::Strong) => write!(out, "{name}, with an inner search in strong components of the property"),
            (_, Strength::Weak) => write!(out, "{name}, without inner search: the property is weak"),
            (_, Strength::Terminal) => write!(out, "{name}, without inner search: the property is terminal"),
            (_, Strength::Rejecting) => write!(out, "{name}, without inner search: the property accepts nothing"),
        }
    }
}
