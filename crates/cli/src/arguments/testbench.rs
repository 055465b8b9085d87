//! The command line of `testbench`.

use super::{Syntax, bytes, duration};
use clap::{Args, ValueEnum};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// `lariat testbench`
#[derive(Debug, Args)]
pub(crate) struct Testbench {
    /// Translators: couvreur, go, gpvw, tight (with :medium or :high for more reductions); spin, lbt, ltl2ba, ltl3ba, ltl2tgba;
    /// or a command such as `{name} tool -f %s > %O`. By default all four of ours
    #[arg(value_name = "TRANSLATOR")]
    pub(crate) translators: Vec<String>,
    #[command(flatten)]
    pub(crate) input: TestInput,
    #[command(flatten)]
    pub(crate) structure: TestStructure,
    /// The checks to make
    #[arg(long, value_enum, value_delimiter = ',', value_name = "CHECK,…")]
    pub(crate) checks: Vec<CheckName>,
    #[command(flatten)]
    pub(crate) limits: TestLimits,
    #[command(flatten)]
    pub(crate) report: TestReport,
}

/// Which formulas.
#[derive(Debug, Args)]
pub(crate) struct TestInput {
    /// How many random formulas, of each symbol set and kind of structure; each is translated as it is and negated. By default
    /// 1000; with --paper 4000; with a --time-limit as many as there is time for
    #[arg(long, value_name = "NUMBER")]
    pub(crate) formulas: Option<usize>,
    /// Where random numbers start; the same seed gives the same formulas and graphs
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many symbols a formula has: a number, or a range that is gone through in turn
    #[arg(long, value_name = "FROM..TO", default_value = "4..7", value_parser = range)]
    pub(crate) symbols: RangeInclusive<usize>,
    /// How many propositions there are
    #[arg(long, value_name = "NUMBER", default_value_t = 5)]
    pub(crate) propositions: usize,
    /// Weights of symbols in random formulas, such as X=0,U=3,true=0,false=0,p0=36; a proposition has 18, a constant 5, an
    /// operator 1, except ^, W and M, which have 0
    #[arg(long, value_name = "WEIGHTS", conflicts_with = "paper")]
    pub(crate) weights: Option<String>,
    /// The experiment of Tauriainen and Heljanko: their four symbol sets, graphs and paths, 4000 formulas each
    #[arg(long)]
    pub(crate) paper: bool,
    /// Test on the formulas of a file, exactly as they are written, one a line, without empty lines and lines that begin with `#`; `-` reads standard input
    #[arg(short = 'F', long, value_name = "FILE", conflicts_with_all = ["paper", "formulas", "weights"])]
    pub(crate) file: Vec<String>,
    /// How the formulas of the file are written
    #[arg(long, value_enum, default_value_t = Syntax::Any)]
    pub(crate) syntax: Syntax,
}

/// Which structures.
#[derive(Debug, Args)]
pub(crate) struct TestStructure {
    /// The structures that automata are tested in
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) structure: Option<Kind>,
    /// Test on this path alone, such as `a; cycle{b; !a}`, the word of a case; what it leaves open is false
    #[arg(long, value_name = "WORD", conflicts_with_all = ["structure", "paper"])]
    pub(crate) word: Option<String>,
    /// How many states they have
    #[arg(long, value_name = "NUMBER", default_value_t = 100)]
    pub(crate) states: usize,
    /// The probability of an edge between two states of a graph
    #[arg(long, value_name = "PROBABILITY", default_value_t = 0.2)]
    pub(crate) density: f64,
    /// The probability that a proposition is true in a state
    #[arg(long, value_name = "PROBABILITY", default_value_t = 0.5)]
    pub(crate) truth: f64,
    /// For how many formulas a structure is used before there is a new one
    #[arg(long, value_name = "NUMBER", default_value_t = 10)]
    pub(crate) reuse: usize,
}

/// When to stop.
#[derive(Debug, Args)]
pub(crate) struct TestLimits {
    /// Kill an external translator after this time, and give a construction of ours up
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub(crate) run_time: Duration,
    /// The memory a process of an external translator may have, and decision diagrams of ours, which also stop at 20000 states or
    /// a million edges
    #[arg(long, value_name = "BYTES", default_value = "2G", value_parser = bytes)]
    pub(crate) run_memory: u64,
    /// Stop after this time, whatever is under way; once something has failed, a quarter of it is left for shrinking
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Stop at the first formula on which something fails
    #[arg(long)]
    pub(crate) stop_at_failure: bool,
    /// How many formulas are tried at a time; by default one for each core
    #[arg(long, value_name = "NUMBER")]
    pub(crate) threads: Option<usize>,
}

/// What to show.
#[derive(Debug, Args)]
pub(crate) struct TestReport {
    /// How many failures of each translator in each check are shown and shrunk
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) cases: usize,
    /// Show failures as they were found
    #[arg(long)]
    pub(crate) no_shrink: bool,
    /// How long to shrink one failure
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub(crate) shrink_time: Duration,
    /// Stop for commands from standard input: at failures, or at every formula
    #[arg(long, short, value_enum, value_name = "WHEN", num_args = 0..=1, require_equals = true, default_missing_value = "failure")]
    pub(crate) interactive: Option<Pause>,
    /// How to report
    #[arg(long, value_enum, default_value_t = TestFormat::Text)]
    pub(crate) format: TestFormat,
    /// Write the JSON report into this file, too
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write a line for each run into this file, too, with the columns of ltlcross
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Write the page with plots into this file, too
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
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
    /// Formula and negation of one translator leave no state out.
    Consistency,
    /// On a path the automaton says what the formula says.
    Path,
    /// No word satisfies a formula and its negation.
    Intersection,
    /// Violations of safety formulas show on finite prefixes.
    Prefix,
}

/// When an interactive session stops for commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Pause {
    /// Where something fails.
    Failure,
    /// At every formula.
    Always,
}

/// How `testbench` reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestFormat {
    /// Tables for people.
    Text,
    /// For scripts; see docs/json.md.
    Json,
    /// A line for each run, with the columns of ltlcross.
    Csv,
    /// A page with plots.
    Html,
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
