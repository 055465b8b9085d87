//! The JSON document of `testbench`, schema 2. The types generate `docs/schema/testbench-2.json`.

use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The report of a run of the testbench.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Document {
    /// The version of this format.
    pub(crate) schema: u32,
    /// The random seed.
    pub(crate) seed: u64,
    /// All options by their names on the command line, those left to their defaults included.
    pub(crate) options: Options,
    /// The number of formulas that were tested.
    pub(crate) formulas: u64,
    /// The wall-clock time.
    pub(crate) seconds: f64,
    /// `done`, `first-failure`, `time-limit` or `interrupted`.
    pub(crate) stopped: String,
    /// All comparisons.
    pub(crate) comparisons: Comparisons,
    /// Pairs of automata whose languages were compared.
    pub(crate) equivalence: Equivalence,
    /// The translators, in the order of the command line.
    pub(crate) translators: Vec<Translator>,
    /// The first failures of each translator and check.
    pub(crate) cases: Vec<KeptCase>,
}

/// The options of a run.
#[derive(Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Options {
    /// The translators as they were given.
    pub(crate) translators: Vec<String>,
    /// The number of random formulas; absent if it was left open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) formulas: Option<usize>,
    /// The random seed.
    pub(crate) seed: u64,
    /// The range of numbers of symbols.
    pub(crate) symbols: String,
    /// The number of propositions.
    pub(crate) propositions: usize,
    /// The weights of symbols.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) weights: Option<String>,
    /// True for the experiment of the paper.
    pub(crate) paper: bool,
    /// The formulas of the command line.
    pub(crate) formula: Vec<String>,
    /// The files of formulas.
    pub(crate) file: Vec<String>,
    /// The syntax of the formulas in the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) syntax: Option<String>,
    /// `graph`, `path` or `both`.
    pub(crate) structure: String,
    /// The word that is the only structure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) word: Option<String>,
    /// The number of states of a structure.
    pub(crate) states: usize,
    /// The probability of an edge.
    pub(crate) density: f64,
    /// The probability that a proposition is true in a state.
    pub(crate) truth: f64,
    /// The number of formulas that share a structure.
    pub(crate) reuse: usize,
    /// The number of structures in which each formula is tested.
    pub(crate) products: usize,
    /// The checks.
    pub(crate) checks: Vec<String>,
    /// The time limit of a single translation, in seconds.
    pub(crate) run_time: f64,
    /// The memory limit of a single translation, in bytes.
    pub(crate) run_memory: u64,
    /// The number of steps that the equivalence check may take for one formula.
    pub(crate) equivalence_steps: u64,
    /// The time that the equivalence check may take for one pair, in seconds; absent if there is no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) equivalence_time: Option<f64>,
    /// The time limit of the run, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) time_limit: Option<f64>,
    /// True if the run stops at the first failure.
    pub(crate) stop_at_failure: bool,
    /// The number of threads.
    pub(crate) threads: usize,
    /// The number of cases to report for each translator and check.
    pub(crate) cases: usize,
    /// True if cases are not shrunk.
    pub(crate) no_shrink: bool,
    /// The time limit for shrinking a case, in seconds.
    pub(crate) shrink_time: f64,
    /// When an interactive session begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) interactive: Option<String>,
}

/// Numbers of comparisons.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Comparisons {
    /// The number of comparisons that were made.
    pub(crate) made: u64,
    /// The number of those that failed.
    pub(crate) failed: u64,
    /// The number of comparisons that were too large to be made.
    pub(crate) skipped: u64,
    /// The number of failed comparisons in which the witness does not decide who is wrong.
    pub(crate) undecided: u64,
}

/// Pairs of automata whose languages were compared.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Equivalence {
    /// The number of pairs that were decided.
    pub(crate) decided: u64,
    /// The number of those that differ.
    pub(crate) different: u64,
    /// The number of pairs that were abandoned because they take too many steps.
    pub(crate) abandoned: u64,
}

/// A translator and what the run found out about it.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Translator {
    /// Its name.
    pub(crate) name: String,
    /// The number of translations, of formulas and of negations.
    pub(crate) attempts: u64,
    /// The number of translations without an automaton, by kind.
    pub(crate) failures: BTreeMap<String, u64>,
    /// The number of formulas that it does not support, by operator; these are not failures.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) unsupported: BTreeMap<String, u64>,
    /// The number of comparisons in which it was found wrong.
    pub(crate) blamed: u64,
    /// The same by check.
    pub(crate) blamed_by_check: BTreeMap<String, u64>,
    /// The comparisons that it took part in, by check.
    pub(crate) checks: BTreeMap<String, CheckCounts>,
    /// The same by number of symbols and check.
    pub(crate) checks_by_symbols: BTreeMap<String, BTreeMap<String, Ratio>>,
    /// Translations without an automaton, by number of symbols and symbol set.
    pub(crate) generation: Vec<Generation>,
    /// Consistency and cross-comparison, by symbol set and kind of structure.
    pub(crate) structures: Vec<Structures>,
    /// The sizes of its automata.
    pub(crate) sizes: BTreeMap<String, Spread>,
    /// The same by number of symbols.
    pub(crate) sizes_by_symbols: BTreeMap<String, BTreeMap<String, Spread>>,
}

/// Comparisons of one check.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckCounts {
    /// The number of those that failed.
    pub(crate) failed: u64,
    /// The number of those that were made.
    pub(crate) made: u64,
    /// The number of those that were too large to be made.
    pub(crate) skipped: u64,
}

/// Failed comparisons among those that were made.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ratio {
    /// The number of those that failed.
    pub(crate) failed: u64,
    /// The number of those that were made.
    pub(crate) made: u64,
}

/// Translations of formulas of one size and symbol set.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Generation {
    /// The number of symbols.
    pub(crate) symbols: u64,
    /// The symbol set.
    pub(crate) set: String,
    /// The number of translations without an automaton.
    pub(crate) failed: u64,
    /// The number of translations.
    pub(crate) attempts: u64,
}

/// Comparisons in structures of one kind.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Structures {
    /// The symbol set.
    pub(crate) set: String,
    /// `graph` or `path`.
    pub(crate) structure: String,
    /// The consistency check; absent if it was not made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) consistency: Option<Ratio>,
    /// The cross-comparison with each other translator.
    pub(crate) cross_comparison: BTreeMap<String, Ratio>,
}

/// Mean, median and 95th percentile.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Spread {
    /// The arithmetic mean.
    pub(crate) mean: f64,
    /// Half of the values are not larger.
    pub(crate) median: f64,
    /// 95 % of the values are not larger.
    pub(crate) percentile95: f64,
}

/// A failure, as it was found and as small as it could be made.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeptCase {
    /// The number of the formula, from 1.
    pub(crate) number: usize,
    /// The case as it was found.
    pub(crate) found: Case,
    /// The case after shrinking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shrunk: Option<Case>,
    /// True if there was no time to shrink it to the end.
    pub(crate) cut_short: bool,
}

/// A formula and a structure on which a translator fails.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    /// The formula, in Spot's notation.
    pub(crate) formula: String,
    /// The number of its symbols.
    pub(crate) symbols: u64,
    /// The structure.
    pub(crate) structure: Structure,
    /// The check that failed, or `translation`.
    pub(crate) check: String,
    /// The translators that take part.
    pub(crate) translators: Vec<String>,
    /// The translator that is wrong; absent if the witness does not decide it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) blamed: Option<String>,
    /// True if its automaton for the negation is the wrong one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) negated: Option<bool>,
    /// True if the wrong automaton accepts the word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) accepts: Option<bool>,
    /// The reason why there is no automaton.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) failure: Option<Failure>,
    /// The witness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) word: Option<String>,
    /// The truth of the formula on the witness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) holds: Option<bool>,
    /// A proof of that, in lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) proof: Option<Vec<String>>,
}

/// The reason why there is no automaton.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Failure {
    /// The kind of the failure.
    pub(crate) kind: String,
    /// Details for people.
    pub(crate) detail: String,
}

/// A structure in which automata are compared.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Structure {
    /// The number of states.
    pub(crate) states: usize,
    /// For each state the propositions that are true there.
    pub(crate) labels: Vec<Vec<String>>,
    /// For each state its successors.
    pub(crate) successors: Vec<Vec<usize>>,
}
