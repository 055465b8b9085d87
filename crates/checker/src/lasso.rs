//! Accepting lassos of an automaton, found by the searches of the explicit engine.

use kernel::budget::{Budget, Exhausted};
use omega::automaton::emerson_lei::{EmersonLei, NoParts, TooManyDisjuncts};
use omega::automaton::emptiness::{Run, RunEdge};
use search::emptiness::{self, Emptiness, End};
use search::graph::Graph;
use search::lasso::Lasso;
use search::shorten::{self, Shortening};
use search::store::Store;

/// A search for accepting lassos.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// One that finds a shortest lasso, or shortens what it finds.
    Shortest(Shortening),
    /// One that ends at the first lasso.
    First(Emptiness),
}

impl Algorithm {
    /// All of them.
    #[must_use]
    pub fn all() -> Vec<Algorithm> {
        let shortest = Shortening::ALL.into_iter().map(Algorithm::Shortest);
        shortest.chain(Emptiness::ALL.into_iter().map(Algorithm::First)).collect()
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Shortest(search) => search.name(),
            Algorithm::First(search) => search.name(),
        }
    }

    /// A description in one line.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Algorithm::Shortest(search) => search.about(),
            Algorithm::First(search) => search.about(),
        }
    }
}

/// An accepting lasso, and what the search proved about its length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The lasso.
    pub run: Run,
    /// True if no accepting lasso is shorter.
    pub is_minimal: bool,
    /// The limit that ended the search before it could exclude shorter lassos.
    pub limit: Option<Exhausted>,
}

/// The reason why a search for a lasso has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The algorithm finds shortest lassos only for one acceptance set on states.
    SeveralSets,
    /// The acceptance condition is too complex.
    Acceptance(TooManyDisjuncts),
    /// A limit was reached.
    Limit(Exhausted),
    /// The engine found a lasso that is not accepting: this is a bug in Lariat.
    Wrong(String),
}

impl From<NoParts> for NoAnswer {
    fn from(reason: NoParts) -> Self {
        match reason {
            NoParts::TooMany(reason) => NoAnswer::Acceptance(reason),
            NoParts::Exhausted(limit) => NoAnswer::Limit(limit),
        }
    }
}

/// An accepting lasso of an automaton, by the given search or else by one that suits the acceptance; none if the
/// automaton accepts no word. The run has the states and edges of `automaton`, whatever its acceptance condition. With a
/// search that finds shortest lassos, it is a shortest one among all disjuncts of the condition and all initial states.
///
/// # Errors
/// The reason why there is no answer.
pub fn find(automaton: &EmersonLei, algorithm: Option<Algorithm>, budget: &Budget) -> Result<Option<Found>, NoAnswer> {
    let mut best: Option<Run> = None;
    let mut is_minimal = true;
    let mut limit = None;
    'parts: for part in automaton.parts(budget)?.iter() {
        for from_start in part.automaton().from_each_initial_state() {
            let graph = Graph::new(&from_start);
            let Searched { lasso, is_shortest, end } = search(&graph, algorithm, budget)?;
            is_minimal &= is_shortest || lasso.is_none();
            if let Some(lasso) = lasso {
                lasso.check(&graph).map_err(|wrong| NoAnswer::Wrong(wrong.to_string()))?;
                let run = part.original(&Graph::run(&lasso));
                best = best.filter(|best| length(best) <= length(&run)).or(Some(run));
            }
            if let End::Limit(reached) = end {
                limit = Some(reached);
                break 'parts;
            }
        }
    }
    match (best, limit) {
        (None, Some(limit)) => Err(NoAnswer::Limit(limit)),
        (None, None) => Ok(None),
        (Some(run), _) if !automaton.accepts(&run) => {
            Err(NoAnswer::Wrong("its loop does not satisfy the acceptance condition".to_owned()))
        }
        (Some(run), limit) => Ok(Some(Found { run, is_minimal: is_minimal && limit.is_none(), limit })),
    }
}

fn length(run: &Run) -> usize {
    run.stem.len() + run.cycle.len()
}

/// The result of one search.
struct Searched {
    lasso: Option<Lasso<RunEdge>>,
    is_shortest: bool,
    end: End,
}

fn search(graph: &Graph<'_>, algorithm: Option<Algorithm>, budget: &Budget) -> Result<Searched, NoAnswer> {
    let algorithm = algorithm.unwrap_or_else(|| Algorithm::Shortest(Shortening::choose(graph, Store::Exact)));
    let (components, store, progress) = (true, Store::Exact, &mut |_: &_| {});
    match algorithm {
        Algorithm::Shortest(search) if search.is_exact() && search.counts(graph) => Err(NoAnswer::SeveralSets),
        Algorithm::Shortest(search) => {
            let options =
                shorten::ShorteningOptions { budget, components, store, max_length: None, patience: None, progress };
            let outcome = search.search(graph, options);
            Ok(Searched { end: outcome.end(), is_shortest: outcome.is_minimal, lasso: outcome.lasso })
        }
        Algorithm::First(search) => {
            let outcome = search.search(graph, emptiness::EmptinessOptions { budget, components, store, progress });
            Ok(Searched { end: outcome.end(), is_shortest: false, lasso: outcome.lasso })
        }
    }
}
