//! Options that cannot be combined.
//!
//! Weak fairness, and the shortest lasso for a formula, are searched with several acceptance sets. All searches take
//! them, but those that know one set count the others, and a shortest lasso with a counter need not be a shortest one
//! without. So they are refused where a shortest lasso, or a bound on its length, is insisted on. An option that the
//! others leave nothing to do for is refused rather than ignored. That is decided before anything is searched. A front
//! end knows how its users can resolve a contradiction, and adds that advice.

use crate::error::Error;
use crate::options::{Among, Fairness, PromelaOptions};
use search::emptiness::Emptiness;
use search::shorten::Shortening;
use search::store::Store;
use std::fmt;

/// Options that cannot be combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// A search for shorter lassos is chosen, but lassos through each accepting state have a search of their own.
    OwnSearch,
    /// This search may miss the shortest lasso, on which the options insist.
    MayMissShortest(Shortening),
    /// The length of lassos is bounded, but no temporal property is selected.
    NoLasso,
    /// A lasso through each accepting state is wanted where cycles accept and no state does.
    NoAcceptingState(SeveralSets),
    /// A shortest lasso, or one of a bounded length, is wanted from a search that counts acceptance sets.
    CountedSets {
        /// Why there are several sets.
        because: SeveralSets,
        /// The search that was chosen; none if the store leaves only such searches.
        search: Option<Shortening>,
        /// Whether the store cannot number states.
        is_bitstate: bool,
    },
    /// The store cannot number states, as this search must.
    Unnumbered(NumberingSearch),
    /// Temporal properties are selected, and a swarm looks for violations of safety only.
    SwarmForLassos,
}

/// Why there are several acceptance sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeveralSets {
    /// Every process must move again and again.
    WeakFairness,
    /// All lassos that violate the formula count.
    AmongAllLassos,
}

/// A search that numbers states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberingSearch {
    /// For an accepting lasso.
    Emptiness(Emptiness),
    /// For a shorter lasso.
    Shortening(Shortening),
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contradiction::OwnSearch => {
                f.write_str("lassos through each accepting state have a search of their own; no other can be chosen")
            }
            Contradiction::MayMissShortest(search) => {
                write!(f, "the search `{}` may miss the shortest lasso, on which the options insist", search.name())
            }
            Contradiction::NoLasso => {
                f.write_str("the length of lassos is bounded, but no temporal property is selected")
            }
            Contradiction::NoAcceptingState(because) => {
                write!(f, "{because} leads to several acceptance sets, so that cycles accept and no state does")
            }
            Contradiction::CountedSets { because, search, .. } => {
                let what = match search {
                    Some(search) => format!("the search `{}`", search.name()),
                    None => "every search with the store `bitstate`".into(),
                };
                write!(
                    f,
                    "{because} leads to several acceptance sets, which {what} takes one after the other: its lassos can \
                     be longer than the shortest one"
                )
            }
            Contradiction::SwarmForLassos => f.write_str(
                "a swarm looks for failed assertions, run-time errors and invalid end states, not for violations of temporal \
                 properties",
            ),
            Contradiction::Unnumbered(search) => {
                let name = match search {
                    NumberingSearch::Emptiness(search) => search.name(),
                    NumberingSearch::Shortening(search) => search.name(),
                };
                write!(f, "the store `bitstate` cannot number states, as the search `{name}` must")
            }
        }
    }
}

impl fmt::Display for SeveralSets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SeveralSets::WeakFairness => "weak fairness",
            SeveralSets::AmongAllLassos => "the search among all lassos that violate the formula",
        })
    }
}

/// Refuses options that contradict each other. `has_temporal` is false if no temporal property is selected.
///
/// # Errors
/// What the contradiction is.
pub fn check(options: &PromelaOptions, has_temporal: bool) -> Result<(), Error> {
    let found = idle(options, has_temporal).or_else(|| several(options)).or_else(|| numbered(options));
    found.map_or(Ok(()), |found| Err(Error::Contradiction(found)))
}

/// An option that has no effect beside the others.
fn idle(engine: &PromelaOptions, has_temporal: bool) -> Option<Contradiction> {
    match engine.shortening {
        Some(Shortening::Dfs | Shortening::SpinI | Shortening::Generalised) if engine.all_minimal => {
            Some(Contradiction::OwnSearch)
        }
        Some(search @ Shortening::SpinI) if engine.shortest.is_some() => Some(Contradiction::MayMissShortest(search)),
        _ if engine.max_length.is_some() && !has_temporal => Some(Contradiction::NoLasso),
        _ => None,
    }
}

/// What cannot be done where there are several acceptance sets.
fn several(engine: &PromelaOptions) -> Option<Contradiction> {
    let because = match (engine.fairness, engine.shortest) {
        (Fairness::Weak, _) => SeveralSets::WeakFairness,
        (_, Some(Among::Formula)) => SeveralSets::AmongAllLassos,
        _ => return None,
    };
    if engine.all_minimal {
        return Some(Contradiction::NoAcceptingState(because));
    }
    let is_bitstate = matches!(engine.store, Store::Bitstate { .. });
    let is_counting = engine.shortening.map_or(is_bitstate, |search| !search.is_generalised());
    let is_about_length = engine.shortest.is_some() || engine.max_length.is_some();
    let search = engine.shortening;
    (is_counting && is_about_length).then_some(Contradiction::CountedSets { because, search, is_bitstate })
}

/// What cannot be done without numbers of states.
fn numbered(engine: &PromelaOptions) -> Option<Contradiction> {
    let store = match engine.store {
        Store::Bitstate { .. } => Store::BITSTATE,
        Store::Auto | Store::Exact | Store::Compressed | Store::HashCompact { .. } => return None,
    };
    let emptiness = engine.emptiness.filter(|search| !search.takes(store)).map(NumberingSearch::Emptiness);
    let shortening = engine.shortening.filter(|search| !search.takes(store)).map(NumberingSearch::Shortening);
    emptiness.or(shortening).map(Contradiction::Unnumbered)
}
