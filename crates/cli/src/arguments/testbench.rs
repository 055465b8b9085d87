//! The command line of `testbench`.

use super::{Syntax, bytes, duration};
use clap::{Args, ValueEnum};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;
use testbench::oracle::equivalence::Effort;

/// `lariat testbench`
#[derive(Clone, Debug, Args)]
pub(crate) struct Testbench {
    /// Translators: couvreur, go, gpvw, tight (with :medium or :high for more reductions); spin, lbt, ltl2ba, ltl3ba,
    /// ltl2tgba; or a command such as `{name} tool -f %s > %O`, with `bad-prefixes:` or `monitor:` before it if it writes
    /// finite automata. The default is the four built-in translators
    #[arg(value_name = "TRANSLATOR")]
    pub(crate) translators: Vec<String>,
    #[command(flatten)]
    pub(crate) input: TestInput,
    #[command(flatten)]
    pub(crate) structure: TestStructure,
    /// The checks to perform
    #[arg(long, value_enum, value_delimiter = ',', value_name = "CHECK,…")]
    pub(crate) checks: Vec<CheckName>,
    #[command(flatten)]
    pub(crate) limits: TestLimits,
    #[command(flatten)]
    pub(crate) report: TestReport,
}

/// Options of formulas.
#[derive(Clone, Debug, Args)]
pub(crate) struct TestInput {
    /// The number of random formulas per symbol set and kind of structure; each formula and its negation are
    /// translated. The default is 1000, with --paper 4000, with --time-limit as many as time permits
    #[arg(long, value_name = "NUMBER")]
    pub(crate) formulas: Option<usize>,
    /// The random seed; the same seed gives the same formulas and graphs
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The number of symbols per formula: a number, or a range whose values alternate
    #[arg(long, value_name = "FROM..TO", default_value = "4..7", value_parser = range)]
    pub(crate) symbols: RangeInclusive<usize>,
    /// The number of propositions
    #[arg(long, value_name = "NUMBER", default_value_t = 5)]
    pub(crate) propositions: usize,
    /// The weights of symbols in random formulas, such as X=0,U=3,true=0,false=0,p0=36; the defaults are 18 for
    /// propositions, 5 for constants, 1 for operators and 0 for ^, W and M
    #[arg(long, value_name = "WEIGHTS", conflicts_with = "paper")]
    pub(crate) weights: Option<String>,
    /// Run the experiment of Tauriainen and Heljanko: four symbol sets, graphs and paths, 4000 formulas each
    #[arg(long)]
    pub(crate) paper: bool,
    /// Test this formula, exactly as written; may be repeated
    #[arg(short = 'f', value_name = "FORMULA", conflicts_with_all = ["paper", "formulas", "weights"])]
    pub(crate) formula: Vec<String>,
    /// Test the formulas in this file, exactly as written, one per line; blank lines and `#` comments are ignored; `-`
    /// reads standard input
    #[arg(short = 'F', long, value_name = "FILE", conflicts_with_all = ["paper", "formulas", "weights"])]
    pub(crate) file: Vec<String>,
    /// The syntax of the formulas given
    #[arg(long, value_enum, default_value_t = Syntax::Any)]
    pub(crate) syntax: Syntax,
}

/// Options of structures.
#[derive(Clone, Debug, Args)]
pub(crate) struct TestStructure {
    /// The kind of structure in which automata are compared
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) structure: Option<Kind>,
    /// Test only on this word, such as `a; cycle{b; !a}`; unnamed propositions are false
    #[arg(long, value_name = "WORD", conflicts_with_all = ["structure", "paper"])]
    pub(crate) word: Option<String>,
    /// The number of states of a structure
    #[arg(long, value_name = "NUMBER", default_value_t = 100)]
    pub(crate) states: usize,
    /// The probability of an edge between two states of a graph
    #[arg(long, value_name = "PROBABILITY", default_value_t = 0.2)]
    pub(crate) density: f64,
    /// The probability that a proposition is true in a state
    #[arg(long, value_name = "PROBABILITY", default_value_t = 0.5)]
    pub(crate) truth: f64,
    /// The number of formulas that share a structure
    #[arg(long, value_name = "NUMBER", default_value_t = 10)]
    pub(crate) reuse: usize,
    /// The number of structures in which each formula is tested
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = products)]
    pub(crate) products: usize,
}

/// Limits.
#[derive(Clone, Debug, Args)]
pub(crate) struct TestLimits {
    /// The time limit of a single translation
    #[arg(long, short = 'T', visible_alias = "timeout", value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub(crate) run_time: Duration,
    /// The memory limit of a single translation; built-in translators also stop at 20000 states or a million edges
    #[arg(long, value_name = "BYTES", default_value = "2G", value_parser = bytes)]
    pub(crate) run_memory: u64,
    /// The number of steps that the equivalence check may take for one formula; pairs that are not decided by then are
    /// counted as abandoned
    #[arg(long, value_name = "NUMBER", default_value_t = Effort::default().steps)]
    pub(crate) equivalence_steps: u64,
    /// The time that the equivalence check may take for one pair, beside the steps; the default is no limit, so that
    /// results do not depend on the load of the machine
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) equivalence_time: Option<Duration>,
    /// Stop after this time; after a failure, a quarter of it is reserved for shrinking
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Stop at the first formula with a failure
    #[arg(long, visible_alias = "stop-on-error")]
    pub(crate) stop_at_failure: bool,
    /// The number of threads; the default is one per core
    #[arg(long, value_name = "NUMBER")]
    pub(crate) threads: Option<usize>,
}

/// Options of the report.
#[derive(Clone, Debug, Args)]
pub(crate) struct TestReport {
    /// The number of failures shown and shrunk per translator and check
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) cases: usize,
    /// Do not shrink failing cases
    #[arg(long)]
    pub(crate) no_shrink: bool,
    /// The time limit for shrinking one case
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub(crate) shrink_time: Duration,
    /// Read commands from standard input at each failure, or at every formula
    #[arg(long, short, value_enum, value_name = "WHEN", num_args = 0..=1, require_equals = true, default_missing_value = "failure")]
    pub(crate) interactive: Option<Pause>,
    /// The output format
    #[arg(long, value_enum, default_value_t = TestFormat::Text)]
    pub(crate) format: TestFormat,
    /// Also write the JSON report to this file; without a file, or with `-`, only the JSON report is written to standard output
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub(crate) json: Option<PathBuf>,
    /// Also write one CSV line per run to this file, with the columns of ltlcross; without a file, or with `-`, only
    /// these lines are written to standard output; `>>FILE` adds them to the file
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub(crate) csv: Option<PathBuf>,
    /// Also write an HTML page with plots to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write the formulas with a failure to this file, one per line; `>>FILE` adds them to the file
    #[arg(long, value_name = "FILE")]
    pub(crate) save_bogus: Option<PathBuf>,
    /// Write the formulas of shrunk cases to this file, one per line; `>>FILE` adds them to the file
    #[arg(long, value_name = "FILE", conflicts_with = "no_shrink")]
    pub(crate) grind: Option<PathBuf>,
}

/// A kind of structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Random graphs.
    Graph,
    /// Random paths, on which the formula can be evaluated directly.
    Path,
    /// Both, each with formulas of its own.
    Both,
}

/// A check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckName {
    /// Two translators agree in every state.
    Cross,
    /// In each state, the formula or its negation has an accepted run.
    Consistency,
    /// On a path, the automaton accepts exactly where the formula holds.
    Path,
    /// No word satisfies a formula and its negation.
    Intersection,
    /// Automata recognise the bad prefixes of safety formulas.
    Prefix,
    /// Automata of two translators accept the same words.
    Equivalence,
}

/// When an interactive session stops for commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Pause {
    /// At each failure.
    Failure,
    /// At every formula.
    Always,
}

/// The output formats of `testbench`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestFormat {
    /// Tables for people.
    Text,
    /// JSON for scripts; see docs/json.md.
    Json,
    /// CSV with one line per run and the columns of ltlcross.
    Csv,
    /// An HTML page with plots.
    Html,
}

/// A number of structures; a sign in front, as in `+5`, means the same.
fn products(text: &str) -> Result<usize, String> {
    let number = text.trim_start_matches('+').parse::<usize>().ok().filter(|number| (1..=1000).contains(number));
    number.ok_or_else(|| format!("`{text}` is not a number of structures from 1 to 1000"))
}

/// `7`, `4..7` or `4-7`.
fn range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| format!("`{text}` is not a number of symbols"));
    let (from, to) = match text.split_once("..").or_else(|| text.split_once('-')) {
        Some((from, to)) => (number(from)?, number(to.trim_start_matches(['.', '=']))?),
        None => (number(text)?, number(text)?),
    };
    if from == 0 || from > to || to > 10_000 {
        return Err(format!("`{text}` is not a range of sizes from 1 to 10000"));
    }
    Ok(from..=to)
}
