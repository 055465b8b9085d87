//! Accepting lassos of an automaton, found by the searches of the explicit engine.

use kernel::budget::{Budget, Exhausted};
use omega::automaton::Automaton;
use omega::automaton::emptiness::{Run, Step};
use search::emptiness::{self, Emptiness};
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

    /// What it does, in one line.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Algorithm::Shortest(search) => search.about(),
            Algorithm::First(search) => search.about(),
        }
    }
}

/// Why a search for a lasso has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The algorithm finds shortest lassos only for one acceptance set on states.
    SeveralSets,
    /// A limit was reached.
    Limit(Exhausted),
    /// The engine found a lasso that is none: this is a bug in Lariat.
    Wrong(String),
}

/// An accepting lasso of an automaton, by the given search or else by one that suits the acceptance; none if the
/// automaton accepts no word.
///
/// # Errors
/// Why there is no answer.
pub fn find(automaton: &Automaton, algorithm: Option<Algorithm>, budget: &Budget) -> Result<Option<Run>, NoAnswer> {
    let mut shortest: Option<Lasso<Step>> = None;
    for from_start in automaton.from_each_initial_state() {
        let graph = Graph::new(&from_start);
        let found = search(&graph, algorithm, budget)?;
        // A search that a limit ends finds nothing, too.
        if let (None, Some(limit)) = (&found, budget.exhausted(0)) {
            return Err(NoAnswer::Limit(limit));
        }
        let Some(next) = found else { continue };
        next.check(&graph).map_err(|wrong| NoAnswer::Wrong(wrong.to_string()))?;
        shortest = shortest.filter(|best| best.length() <= next.length()).or(Some(next));
    }
    Ok(shortest.as_ref().map(Graph::run))
}

fn search(graph: &Graph<'_>, algorithm: Option<Algorithm>, budget: &Budget) -> Result<Option<Lasso<Step>>, NoAnswer> {
    let algorithm = algorithm.unwrap_or_else(|| Algorithm::Shortest(Shortening::choose(graph, Store::Exact)));
    let (components, store, progress) = (true, Store::Exact, &mut |_: &_| {});
    match algorithm {
        Algorithm::Shortest(search) if search.is_exact() && search.counts(graph) => Err(NoAnswer::SeveralSets),
        Algorithm::Shortest(search) => {
            let options = shorten::Options { budget, components, store, max_length: None, patience: None, progress };
            Ok(search.search(graph, options).lasso)
        }
        Algorithm::First(search) => {
            Ok(search.search(graph, emptiness::Options { budget, components, store, progress }).lasso)
        }
    }
}
