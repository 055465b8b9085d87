//! The command line of `check`.

use super::{ModelArguments, Symbolic, ViewArguments, bytes, duration, named};
use crate::exit::Failure;
use checker::options::{self, Emptiness, Shortening, Store};
use clap::{Args, ValueEnum};
use search::store::bits::SIZES;
use std::path::PathBuf;
use std::time::Duration;

/// `lariat check`
#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) choice: Choice,
    #[command(flatten)]
    pub(crate) engine: Engine,
    /// Stop at the first violation of each property; do not shorten it
    #[arg(long, conflicts_with_all = ["all_errors", "shortest"])]
    pub(crate) first: bool,
    /// Continue after violations; report each failing statement and each deadlock once
    #[arg(long)]
    pub(crate) all_errors: bool,
    /// Confirm in all reachable states the facts that refinement uses
    #[arg(long)]
    pub(crate) check_facts: bool,
    /// Explain why the counterexample violates the temporal property
    #[arg(long)]
    pub(crate) explain: bool,
    /// The output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) view: ViewArguments,
    /// Save the trace in this file; the default is MODEL.trace.json in the current folder
    #[arg(long, value_name = "FILE", conflicts_with = "no_save")]
    pub(crate) trace: Option<PathBuf>,
    /// Do not save traces
    #[arg(long)]
    pub(crate) no_save: bool,
    #[command(flatten)]
    pub(crate) symbolic: Symbolic,
}

/// The selection of properties. If it is empty, all properties of the model are checked.
#[derive(Debug, Args)]
pub(crate) struct Choice {
    /// Check assertions, run-time errors and invalid end states
    #[arg(long)]
    pub(crate) safety: bool,
    /// Check this LTL formula, or the `ltl` block with this name
    #[arg(long, value_name = "FORMULA")]
    pub(crate) ltl: Vec<String>,
    /// Check the LTL formulas in this file, one per line; blank lines and `#` comments are ignored
    #[arg(long, value_name = "FILE")]
    pub(crate) ltl_file: Vec<String>,
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

impl Choice {
    /// True if no option selects properties, so that all properties of the model are checked.
    pub(crate) fn is_open(&self) -> bool {
        !self.safety && !self.names_temporal()
    }

    /// True if only safety properties are selected.
    pub(crate) fn is_safety_only(&self) -> bool {
        self.safety && !self.names_temporal()
    }

    fn names_temporal(&self) -> bool {
        let lists = [&self.ltl, &self.ltl_file, &self.never, &self.automaton];
        self.acceptance || self.non_progress || lists.iter().any(|list| !list.is_empty())
    }
}

/// Options of the search.
#[derive(Debug, Args)]
pub(crate) struct Engine {
    /// Fairness assumption for temporal properties: none, or weak fairness for every process
    #[arg(long, value_enum, default_value_t = Fairness::None, value_name = "FAIRNESS")]
    pub(crate) fair: Fairness,
    /// The search order for safety properties; `bfs` finds shortest traces
    #[arg(long, value_enum, default_value_t = SearchOrder::Dfs, value_name = "ORDER")]
    pub(crate) search: SearchOrder,
    /// The emptiness check for temporal properties; the default depends on the strength of the property
    #[arg(long, value_parser = named::emptiness())]
    pub(crate) emptiness: Option<Emptiness>,
    /// The algorithm that shortens lassos; the default finds a shortest one
    #[arg(long, value_parser = named::shortening(), conflicts_with = "first")]
    pub(crate) minimiser: Option<Shortening>,
    /// The store for visited states; only with `exact` can a property hold
    #[arg(long, value_enum, default_value_t = StateStore::Exact, value_name = "STORE")]
    pub(crate) store: StateStore,
    /// `hash-compact`: bits per fingerprint (default 64); `bitstate`: binary logarithm of the table size in bits
    /// (default 30)
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) store_bits: Option<u8>,
    /// `bitstate`: the number of bits that each state sets (default 3)
    #[arg(long, value_name = "HASHES", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) store_hashes: Option<u8>,
    /// How facts about the model make the automaton of a property smaller: in the formula, in the labels of the
    /// automaton, or the better of both
    #[arg(long, value_enum, default_value_t = Refine::Both, value_name = "WAY")]
    pub(crate) refine: Refine,
    /// Do not shorten the labels of refined automata
    #[arg(long)]
    pub(crate) no_simplify_labels: bool,
    /// Search for a shortest trace without a time bound: among the lassos of the automaton, or among all runs that
    /// violate the formula
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "automaton", value_name = "AMONG")]
    pub(crate) shortest: Option<Among>,
    /// Report a shortest lasso through each accepting state
    #[arg(long, conflicts_with = "first")]
    pub(crate) all_minimal: bool,
    /// Search only for violations of temporal properties with at most this many steps
    #[arg(long, value_name = "STEPS")]
    pub(crate) max_length: Option<u64>,
    /// Stop when states and stacks need more memory than this, such as 500M or 4G; the default is 90 % of the free
    /// memory
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) memory_limit: Option<u64>,
    /// Stop after this time, such as 30s, 5m or 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Search only runs of at most this many steps
    #[arg(long, value_name = "STEPS")]
    pub(crate) max_depth: Option<u64>,
}

/// Fairness assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fairness {
    /// All infinite runs.
    None,
    /// Runs in which each process that stays enabled moves infinitely often.
    Weak,
}
/// How facts about the model refine a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Refine {
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
    /// The selected store.
    pub(crate) fn state_store(&self) -> Result<Store, Failure> {
        if self.store_bits.is_some() && self.store == StateStore::Exact {
            return Err(Failure::usage("`--store-bits` is for `--store hash-compact` and `--store bitstate`"));
        }
        if self.store_hashes.is_some() && self.store != StateStore::Bitstate {
            return Err(Failure::usage("`--store-hashes` is for `--store bitstate`"));
        }
        Ok(match self.store {
            StateStore::Exact => Store::Exact,
            StateStore::HashCompact => self.store_bits.map_or(Store::HASH_COMPACT, |bits| Store::HashCompact { bits }),
            StateStore::Bitstate => {
                let (size, hashes) = (self.store_bits.unwrap_or(30), self.store_hashes.unwrap_or(3));
                if !SIZES.contains(&size) {
                    let (least, most) = (SIZES.start(), SIZES.end());
                    return Err(Failure::usage(format!("`--store-bits` of `bitstate` is from {least} to {most}")));
                }
                Store::Bitstate { size, hashes }
            }
        })
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
pub(crate) enum StateStore {
    /// The whole state.
    Exact,
    /// A fingerprint of each state.
    HashCompact,
    /// A few bits per state in one table of fixed size.
    Bitstate,
}

/// The runs among which a shortest one is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Among {
    /// The lassos of the product with the property's automaton.
    Automaton,
    /// All lassos of the model that violate the formula.
    Formula,
}

/// The order of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchOrder {
    /// Depth first.
    Dfs,
    /// Breadth first.
    Bfs,
}

/// The output formats of `check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people.
    Text,
    /// JSON for scripts; see docs/json.md.
    Json,
    /// SARIF for code scanning services and editors.
    Sarif,
    /// JUnit XML for continuous integration.
    Junit,
}
