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
    /// Stop at the first violation of a property, and do not look for a shorter one
    #[arg(long, conflicts_with_all = ["all_errors", "shortest"])]
    pub(crate) first: bool,
    /// Go on after violations: report each failing statement and each stuck combination once
    #[arg(long)]
    pub(crate) all_errors: bool,
    /// Visit all states first, and confirm every fact that refinement uses in each of them
    #[arg(long)]
    pub(crate) check_facts: bool,
    /// Show why a temporal property is violated, step by step
    #[arg(long)]
    pub(crate) explain: bool,
    /// How to report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) view: ViewArguments,
    /// Where to save the trace; by default MODEL.trace.json in the current folder
    #[arg(long, value_name = "FILE", conflicts_with = "no_save")]
    pub(crate) trace: Option<PathBuf>,
    /// Do not save traces
    #[arg(long)]
    pub(crate) no_save: bool,
    #[command(flatten)]
    pub(crate) symbolic: Symbolic,
}

/// Which properties; everything that the model states, if none of these is given.
#[derive(Debug, Args)]
pub(crate) struct Choice {
    /// Check assertions, run-time errors and invalid end states
    #[arg(long)]
    pub(crate) safety: bool,
    /// Check this formula, or the `ltl` block of the model with this name
    #[arg(long, value_name = "FORMULA")]
    pub(crate) ltl: Vec<String>,
    /// Check the formulas of a file, one a line, without empty lines and lines that begin with `#`
    #[arg(long, value_name = "FILE")]
    pub(crate) ltl_file: Vec<String>,
    /// Check the never claim of a file
    #[arg(long, value_name = "FILE")]
    pub(crate) never: Vec<String>,
    /// Check that no run is accepted by the automaton of a file, whose propositions are expressions of the model
    #[arg(long, value_name = "FILE")]
    pub(crate) automaton: Vec<String>,
    /// Check that no run comes to `accept` labels again and again
    #[arg(long)]
    pub(crate) acceptance: bool,
    /// Check that no run stays away from `progress` labels forever
    #[arg(long)]
    pub(crate) non_progress: bool,
}

impl Choice {
    /// Whether everything is meant.
    pub(crate) fn is_open(&self) -> bool {
        !self.safety && !self.names_temporal()
    }

    /// Whether nothing temporal is meant.
    pub(crate) fn is_safety_only(&self) -> bool {
        self.safety && !self.names_temporal()
    }

    fn names_temporal(&self) -> bool {
        let lists = [&self.ltl, &self.ltl_file, &self.never, &self.automaton];
        self.acceptance || self.non_progress || lists.iter().any(|list| !list.is_empty())
    }
}

/// How to search.
#[derive(Debug, Args)]
pub(crate) struct Engine {
    /// Which infinite runs count for temporal properties: all, or those that are weakly fair to every process
    #[arg(long, value_enum, default_value_t = Fairness::None, value_name = "FAIRNESS")]
    pub(crate) fair: Fairness,
    /// The order of the search for safety; breadth first gives shortest traces
    #[arg(long, value_enum, default_value_t = SearchOrder::Dfs, value_name = "ORDER")]
    pub(crate) search: SearchOrder,
    /// Partial-order reduction: there is none yet, so that every interleaving is searched
    #[arg(long, value_enum, default_value_t = Reduction::Off, value_name = "REDUCTION")]
    pub(crate) por: Reduction,
    /// The emptiness check for temporal properties; by default one that suits the strength of the property
    #[arg(long, value_parser = named::emptiness())]
    pub(crate) emptiness: Option<Emptiness>,
    /// The search for a shorter lasso; by default one that finds the shortest
    #[arg(long, value_parser = named::shortening(), conflicts_with = "first")]
    pub(crate) minimiser: Option<Shortening>,
    /// What is kept of visited states; with anything but `exact`, that nothing was found is no proof
    #[arg(long, value_enum, default_value_t = StateStore::Exact, value_name = "STORE")]
    pub(crate) store: StateStore,
    /// With `hash-compact`, the bits of a fingerprint, 64 unless given; with `bitstate`, the table has two to the power of
    /// this many bits, 30 unless given
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) store_bits: Option<u8>,
    /// With `bitstate`, how many bits of the table each state sets; 3 unless given
    #[arg(long, value_name = "HASHES", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) store_hashes: Option<u8>,
    /// How facts that follow from the text of the model make the automaton of a temporal property smaller: as part of the
    /// formula, on the labels of the automaton, or whichever is better
    #[arg(long, value_enum, default_value_t = Refine::Both, value_name = "WAY")]
    pub(crate) refine: Refine,
    /// Leave the labels of refined automata as long as they are
    #[arg(long)]
    pub(crate) no_simplify_labels: bool,
    /// Insist on a shortest trace, however long it takes: among those of the property's automaton, or among all runs of
    /// the model that violate the formula
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "automaton", value_name = "AMONG")]
    pub(crate) shortest: Option<Among>,
    /// Give a shortest lasso through each accepting state
    #[arg(long, conflicts_with = "first")]
    pub(crate) all_minimal: bool,
    /// Look only for violations of temporal properties of at most this many steps
    #[arg(long, value_name = "STEPS")]
    pub(crate) max_length: Option<u64>,
    /// Give up when states and stacks take more memory than this, such as 500M or 4G; by default,
    /// nine tenths of what is free
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) memory_limit: Option<u64>,
    /// Give up after this time, such as 30s, 5m or 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Look only at runs of at most this many steps
    #[arg(long, value_name = "STEPS")]
    pub(crate) max_depth: Option<u64>,
}

/// Which infinite runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fairness {
    /// All.
    None,
    /// Those in which a process that can always move does move.
    Weak,
}

/// Partial-order reduction. Scripts that compare counts say which one they mean; there is one value so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reduction {
    /// None.
    Off,
}

/// How facts are used on a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Refine {
    /// Not at all.
    Off,
    /// As part of the formula.
    Formula,
    /// On the labels of the automaton.
    Automaton,
    /// Whichever is better.
    Both,
}

impl Engine {
    /// The store asked for.
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

/// What is kept of a visited state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StateStore {
    /// All of it.
    Exact,
    /// A fingerprint.
    HashCompact,
    /// A few bits in one table.
    Bitstate,
}

/// Among which runs the shortest is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Among {
    /// The lassos of the model and the property's automaton in step.
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

/// How `check` reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// For scripts; see docs/json.md.
    Json,
    /// For code scanning services and editors.
    Sarif,
    /// For continuous integration.
    Junit,
}
