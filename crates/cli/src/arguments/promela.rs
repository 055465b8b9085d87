//! Options of `check` that are about Promela models.

use super::{bytes, named, reduce};
use crate::exit::Failure;
use crate::file::Nameless;
use checker::options::{
    self, BITSTATE_SIZES, EdgeOrder, Emptiness, PromelaOptions, Reductions, Shortening, Spill, Store,
};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::sync::Arc;

/// How Promela models are checked.
#[derive(Clone, Debug, Args)]
pub(crate) struct PromelaArguments {
    #[command(flatten)]
    pub(crate) choice: Choice,
    #[command(flatten)]
    engine: Engine,
    /// Stop at the first violation of each property; do not shorten it
    #[arg(long, conflicts_with_all = ["all_errors", "shortest"])]
    first: bool,
    /// Continue after violations; report each failing statement and each deadlock once
    #[arg(long)]
    all_errors: bool,
    /// Confirm in all reachable states the facts that refinement uses
    #[arg(long)]
    check_facts: bool,
    /// Search only runs of at most this many steps
    #[arg(long, value_name = "STEPS")]
    pub(crate) max_depth: Option<u64>,
}

impl PromelaArguments {
    /// The number of workers of one process of a cluster.
    pub(crate) fn workers(&self) -> usize {
        usize::from(self.engine.threads.unwrap_or(1))
    }

    /// The options as the library takes them.
    pub(crate) fn options(&self, explain: bool, observe: bool) -> Result<PromelaOptions, Failure> {
        let engine = &self.engine;
        Ok(PromelaOptions {
            fairness: engine.fair.into(),
            order: engine.search.into(),
            emptiness: engine.emptiness,
            edge_order: engine.edge_order,
            shortening: engine.shorten_with,
            store: engine.state_store()?,
            disk: engine.files()?,
            swarm: engine.swarm,
            reductions: engine.por.clone().unwrap_or_else(|| engine.reduce.clone()),
            refinement: engine.refine.into(),
            simplify_labels: !engine.no_simplify_labels,
            shortest: engine.shortest.map(Into::into),
            all_minimal: engine.all_minimal,
            max_length: engine.max_length,
            first: self.first,
            all_errors: self.all_errors,
            check_facts: self.check_facts,
            explain,
            observe,
            threads: engine.threads(),
            execution: engine.code.into(),
        })
    }
}

/// The selection of properties that only Promela models have.
#[derive(Clone, Debug, Args)]
pub(crate) struct Choice {
    /// Check assertions, run-time errors and invalid end states
    #[arg(long)]
    pub(crate) safety: bool,
    /// Check the never claim in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) never: Vec<String>,
    /// Check that the automaton in this file accepts no run; its propositions are expressions of the model
    #[arg(long, value_name = "FILE")]
    pub(crate) automaton: Vec<String>,
    /// Check that no run visits `accept` labels infinitely often
    #[arg(long)]
    pub(crate) acceptance: bool,
    /// Check that every infinite run visits `progress` labels infinitely often
    #[arg(long)]
    pub(crate) non_progress: bool,
}

/// The most threads of a search.
const MOST_THREADS: u8 = 64;

/// Options of the search.
#[derive(Clone, Debug, Args)]
struct Engine {
    /// Number of threads for long-running searches; the default is one per core, and one for each process of a cluster
    #[arg(long, value_name = "THREADS", value_parser = clap::value_parser!(u8).range(1..=i64::from(MOST_THREADS)))]
    threads: Option<u8>,
    /// How the statements of the model are executed; `auto` makes machine code if a search lasts
    #[arg(long, value_enum, default_value_t = ExecutedBy::Auto, value_name = "CODE")]
    code: ExecutedBy,
    /// Fairness assumption for temporal properties: none, or weak fairness for every process
    #[arg(long, value_enum, default_value_t = Fairness::None, value_name = "FAIRNESS")]
    fair: Fairness,
    /// The search order for safety properties; `bfs` finds shortest traces, and switches partial order and chaining off
    #[arg(long, value_enum, default_value_t = SearchOrder::Dfs, value_name = "ORDER")]
    search: SearchOrder,
    /// The emptiness check for temporal properties; the default depends on the strength of the property
    #[arg(long, value_parser = named::emptiness())]
    emptiness: Option<Emptiness>,
    /// The order in which searches try the edges of a property's automaton
    #[arg(long, value_parser = named::edge_order(), default_value = EdgeOrder::default().name(), value_name = "ORDER")]
    edge_order: EdgeOrder,
    /// The algorithm that shortens lassos; the default finds a shortest one
    #[arg(long, alias = "minimiser", value_name = "ALGORITHM", value_parser = named::shortening(),
          conflicts_with = "first")]
    shorten_with: Option<Shortening>,
    /// The store for visited states: `exact` keeps them whole, `compressed` keeps the parts that they have in common once, and
    /// `auto` compresses long ones; with `hash-compact` and `bitstate` no property can hold
    #[arg(long, value_enum, default_value_t = StateStore::Auto, value_name = "STORE")]
    store: StateStore,
    /// `hash-compact`: bits per fingerprint (default 64); `bitstate`: binary logarithm of the table size in bits
    /// (default 30)
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u8).range(1..=64))]
    store_bits: Option<u8>,
    /// `bitstate`: the number of bits that each state sets (default 3)
    #[arg(long, value_name = "HASHES", value_parser = clap::value_parser!(u8).range(1..=16))]
    store_hashes: Option<u8>,
    /// If memory runs out in a search for violations of safety, go on with files in this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "swarm")]
    disk: Option<PathBuf>,
    /// Stop when the files of `--disk` need more space than this, such as 100G
    #[arg(long, value_name = "BYTES", value_parser = bytes, requires = "disk")]
    disk_limit: Option<u64>,
    /// Run many small bitstate searches with different orders and hash functions until the time limit, and stop at the first
    /// violation of safety
    #[arg(long, conflicts_with_all = ["all_errors", "shortest"])]
    swarm: bool,
    /// Where to apply facts about the model: to the formula, to the labels of the automaton, or whichever yields the
    /// smaller automaton
    #[arg(long, value_enum, default_value_t = Refine::Both, value_name = "WAY")]
    refine: Refine,
    /// Do not shorten the labels of refined automata
    #[arg(long)]
    no_simplify_labels: bool,
    /// How the state space is made smaller: by every reduction that is sound for the property, by none, or by those in
    /// a list of `por`, `chain`, `dead`, `slice` and `symmetry`
    #[arg(long, default_value = "auto", value_name = "LIST", value_parser = reduce::list)]
    reduce: Reductions,
    /// Partial-order reduction: `on` is short for `--reduce por`, `off` for `--reduce off`, `auto` for `--reduce auto`
    #[arg(long, conflicts_with = "reduce", value_name = "WHEN", value_parser = reduce::partial_order)]
    por: Option<Reductions>,
    /// Search for a shortest trace without a time bound, among the lassos of the automaton or among all runs that violate
    /// the formula
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "automaton", value_name = "AMONG")]
    shortest: Option<Among>,
    /// Report a shortest lasso through each accepting state; lassos that are the same run of the model are reported once
    #[arg(long, conflicts_with = "first")]
    all_minimal: bool,
    /// Search only for violations of temporal properties with at most this many steps
    #[arg(long, value_name = "STEPS")]
    max_length: Option<u64>,
}

/// Fairness assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Fairness {
    /// All infinite runs.
    None,
    /// Runs in which each process that stays enabled moves infinitely often.
    Weak,
}

/// How the statements of a model are executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExecutedBy {
    /// By machine code if a search lasts.
    Auto,
    /// By the interpreter.
    Interpreted,
    /// By machine code from the first state on.
    Compiled,
}

/// How facts about the model refine a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Refine {
    /// Do not use facts.
    Off,
    /// In the formula.
    Formula,
    /// In the labels of the automaton.
    Automaton,
    /// The better of both.
    Both,
}

impl Engine {
    /// The number of threads: as given, or one per core.
    fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from).min(usize::from(MOST_THREADS));
        self.threads.map_or_else(cores, usize::from)
    }

    /// The selected store.
    fn state_store(&self) -> Result<Store, Failure> {
        if self.swarm {
            return self.swarm_store();
        }
        if self.store_bits.is_some() && self.store.keeps_states() {
            return Err(Failure::usage("`--store-bits` is for `--store hash-compact` and `--store bitstate`"));
        }
        if self.store_hashes.is_some() && self.store != StateStore::Bitstate {
            return Err(Failure::usage("`--store-hashes` is for `--store bitstate`"));
        }
        Ok(match self.store {
            StateStore::Auto => Store::Auto,
            StateStore::Exact => Store::Exact,
            StateStore::Compressed => Store::Compressed,
            StateStore::HashCompact => self.store_bits.map_or(Store::HASH_COMPACT, |bits| Store::HashCompact { bits }),
            StateStore::Bitstate => self.bitstate(30)?,
        })
    }

    /// The files for what does not fit into memory.
    fn files(&self) -> Result<Option<Spill>, Failure> {
        let Some(folder) = &self.disk else { return Ok(None) };
        let shown = folder.display();
        match self.store {
            StateStore::Auto | StateStore::Exact | StateStore::Compressed => {}
            StateStore::HashCompact | StateStore::Bitstate => {
                return Err(Failure::usage("`--disk` is for `--store exact`: the others keep no states"));
            }
        }
        if !folder.is_dir() {
            return Err(Failure::usage(format!("`--disk {shown}`: there is no such folder")));
        }
        Ok(Some(Spill { files: Arc::new(Nameless(folder.clone())), limit: self.disk_limit }))
    }

    /// The store of each search of a swarm: small enough for a cache.
    fn swarm_store(&self) -> Result<Store, Failure> {
        match self.store {
            StateStore::Auto | StateStore::Exact | StateStore::Bitstate => self.bitstate(24),
            StateStore::Compressed | StateStore::HashCompact => {
                Err(Failure::usage("the searches of `--swarm` use bitstate hashing"))
            }
        }
    }

    /// A table of bits of the size that was asked for, or of this one.
    fn bitstate(&self, usual: u8) -> Result<Store, Failure> {
        let (size, hashes) = (self.store_bits.unwrap_or(usual), self.store_hashes.unwrap_or(3));
        if !BITSTATE_SIZES.contains(&size) {
            let (least, most) = (BITSTATE_SIZES.start(), BITSTATE_SIZES.end());
            return Err(Failure::usage(format!("`--store-bits` of `bitstate` is from {least} to {most}")));
        }
        Ok(Store::Bitstate { size, hashes })
    }
}

impl From<Fairness> for options::Fairness {
    fn from(fairness: Fairness) -> Self {
        match fairness {
            Fairness::None => options::Fairness::None,
            Fairness::Weak => options::Fairness::Weak,
        }
    }
}

impl From<ExecutedBy> for options::Execution {
    fn from(code: ExecutedBy) -> Self {
        match code {
            ExecutedBy::Auto => options::Execution::Auto,
            ExecutedBy::Interpreted => options::Execution::Interpreted,
            ExecutedBy::Compiled => options::Execution::Compiled,
        }
    }
}

impl From<Refine> for options::UseOfFacts {
    fn from(refine: Refine) -> Self {
        match refine {
            Refine::Off => options::UseOfFacts::Off,
            Refine::Formula => options::UseOfFacts::Formula,
            Refine::Automaton => options::UseOfFacts::Automaton,
            Refine::Both => options::UseOfFacts::Both,
        }
    }
}

impl From<Among> for options::Among {
    fn from(among: Among) -> Self {
        match among {
            Among::Automaton => options::Among::Automaton,
            Among::Formula => options::Among::Formula,
        }
    }
}

impl From<SearchOrder> for options::SearchOrder {
    fn from(order: SearchOrder) -> Self {
        match order {
            SearchOrder::Dfs => options::SearchOrder::Dfs,
            SearchOrder::Bfs => options::SearchOrder::Bfs,
        }
    }
}

/// The stores for visited states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StateStore {
    /// Whole states, and long ones compressed.
    Auto,
    /// The whole state.
    Exact,
    /// The whole state; the parts that states have in common are kept once.
    #[value(alias = "tree")]
    Compressed,
    /// A fingerprint of each state.
    HashCompact,
    /// A few bits per state in one table of fixed size.
    Bitstate,
}

impl StateStore {
    /// Whether every state is kept exactly.
    fn keeps_states(self) -> bool {
        matches!(self, StateStore::Auto | StateStore::Exact | StateStore::Compressed)
    }
}

/// The runs among which a shortest one is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Among {
    /// The lassos of the product with the property's automaton.
    Automaton,
    /// All runs of the model that violate the formula: lassos and bad prefixes.
    Formula,
}

/// The order of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SearchOrder {
    /// Depth first.
    Dfs,
    /// Breadth first.
    Bfs,
}
