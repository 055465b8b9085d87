//! How to check: one structure of options per language.

pub use promela::compiled::Execution;
pub use search::disk::{Files, Medium};
pub use search::emptiness::Emptiness;
pub use search::product::EdgeOrder;
pub use search::shorten::Shortening;
pub use search::store::Store;
pub use search::store::bits::SIZES as BITSTATE_SIZES;
pub use symbolic::check::Reorder;
pub use symbolic::strip::Effort as Strip;

pub use crate::reduction::{Reduction, Reductions};

use std::sync::Arc;

/// How to check: the options of each language; those of the other language are ignored.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How a Promela model is checked.
    pub promela: PromelaOptions,
    /// How an SMV model is checked.
    pub smv: SmvOptions,
}

/// How a Promela model is checked.
#[derive(Clone, Debug)]
pub struct PromelaOptions {
    /// Which infinite runs count for temporal properties.
    pub fairness: Fairness,
    /// The order of the search for violations of safety.
    pub order: SearchOrder,
    /// The emptiness check for temporal properties; by default one that suits the strength of the property.
    pub emptiness: Option<Emptiness>,
    /// In which order the edges of a property's automaton are tried.
    pub edge_order: EdgeOrder,
    /// The search for a shorter lasso; by default one that finds the shortest.
    pub shortening: Option<Shortening>,
    /// What is kept of visited states.
    pub store: Store,
    /// Files for states that do not fit into memory, in searches for violations of safety with an exact store.
    pub disk: Option<Spill>,
    /// Make many small searches for violations of safety in place of a single one; the store must be of bits.
    pub swarm: bool,
    /// How the state space may be made smaller.
    pub reductions: Reductions,
    /// How facts that follow from the text of the model make the automaton of a temporal property smaller.
    pub refinement: UseOfFacts,
    /// Whether the labels of refined automata are made as short as the facts allow.
    pub simplify_labels: bool,
    /// Insist on a shortest counterexample, however long it takes.
    pub shortest: Option<Among>,
    /// Give a shortest lasso through each accepting state.
    pub all_minimal: bool,
    /// Search only for violations of temporal properties of at most this many steps.
    pub max_length: Option<u64>,
    /// Stop at the first violation of a property, and do not search for a shorter one.
    pub first: bool,
    /// Continue after violations of safety: report each failing statement and each stuck combination once.
    pub all_errors: bool,
    /// Visit all states first, and confirm every fact that refinement uses in each of them.
    pub check_facts: bool,
    /// Explain step by step why a temporal property is violated.
    pub explain: bool,
    /// Record how the automaton of a violated formula reads the counterexample.
    pub observe: bool,
    /// The threads of a search that lasts; one for a search on one thread.
    pub threads: usize,
    /// How the guards and effects of the model are executed.
    pub execution: Execution,
}

impl Default for PromelaOptions {
    fn default() -> Self {
        Self {
            fairness: Fairness::None,
            order: SearchOrder::Dfs,
            emptiness: None,
            edge_order: EdgeOrder::default(),
            shortening: None,
            store: Store::Auto,
            disk: None,
            swarm: false,
            reductions: Reductions::Auto,
            refinement: UseOfFacts::Both,
            simplify_labels: true,
            shortest: None,
            all_minimal: false,
            max_length: None,
            first: false,
            all_errors: false,
            check_facts: false,
            explain: false,
            observe: false,
            threads: 1,
            execution: Execution::default(),
        }
    }
}

/// Files for states that do not fit into memory.
#[derive(Clone, Debug)]
pub struct Spill {
    /// Gives them.
    pub files: Arc<dyn Files>,
    /// The most bytes that they may have together.
    pub limit: Option<u64>,
}

/// Which infinite runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fairness {
    /// All.
    None,
    /// Those in which a process that is enabled from some point on moves infinitely often.
    Weak,
}

/// How facts are used on a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseOfFacts {
    /// Not at all.
    Off,
    /// As part of the formula.
    Formula,
    /// On the labels of the automaton.
    Automaton,
    /// Whichever gives the smaller automaton.
    Both,
}

/// Among which runs the shortest is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// The lassos of the product of the model and the property's automaton.
    Automaton,
    /// All lassos of the model that violate the formula.
    Formula,
}

/// The order of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchOrder {
    /// Depth first.
    Dfs,
    /// Breadth first.
    Bfs,
}

/// Which engine checks an SMV model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SmvEngine {
    /// Decision diagrams, and SAT beside them where they take longer than a moment.
    #[default]
    Auto,
    /// Decision diagrams.
    Bdd,
    /// Bounded model checking: finds shortest counterexamples, and proves only what holds because all paths end.
    Bmc,
    /// Bounded model checking and k-induction.
    Induction,
    /// Bounded model checking and IC3.
    Ic3,
}

/// How an SMV model is checked.
#[derive(Clone, Debug)]
pub struct SmvOptions {
    /// Which engine checks it.
    pub engine: SmvEngine,
    /// The length of the longest counterexample that bounded model checking looks for; none for all.
    pub bound: Option<usize>,
    /// When to search for a better order of the variables.
    pub reorder: Reorder,
    /// The name and the text of a file that gives the order of the variables to begin with, one a line.
    pub order: Option<(String, String)>,
    /// Check each property on the part of the model that it can depend on.
    pub cone_of_influence: bool,
    /// Search for deadlocks.
    pub deadlocks: bool,
    /// Count the rings of states of a breadth-first search.
    pub diameter: bool,
    /// How far to strip counterexamples of values that do not matter.
    pub strip: Strip,
    /// Explain state by state why a property is violated.
    pub explain: bool,
    /// Record how the automaton of a violated formula reads the counterexample.
    pub observe: bool,
}

impl Default for SmvOptions {
    fn default() -> Self {
        let engine = symbolic::check::SymbolicOptions::default();
        Self {
            engine: SmvEngine::default(),
            bound: None,
            reorder: engine.reorder,
            order: None,
            cone_of_influence: engine.cone_of_influence,
            deadlocks: engine.deadlocks,
            diameter: engine.diameter,
            strip: engine.minimise,
            explain: false,
            observe: false,
        }
    }
}
