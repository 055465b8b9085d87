//! The command line, as data.

mod check;
mod cluster;
mod contradiction;
mod filter;
mod formatting;
mod language;
mod limits;
mod named;
mod nusmv;
mod promela;
mod property;
mod reduce;
mod smv;
mod statistics;
mod testbench;

pub(crate) use check::{Check, Format, SelectionArguments};
pub(crate) use checker::lasso::Algorithm;
pub(crate) use cluster::{Cluster, ClusterArguments};
pub(crate) use contradiction::advice;
pub(crate) use filter::{Answer, Class, Filters};
pub(crate) use formatting::FormatModels;
pub(crate) use language::{check as check_language, is_aiger};
pub(crate) use limits::Limits;
pub(crate) use nusmv::Nusmv;
pub(crate) use property::{
    Automaton, AutomatonFormat, AutomatonOutput, ClaimStyle, Constraints, Construction, Formula, FormulaArguments,
    Level, Names, Notation, Questions, Syntax, Translate,
};

pub(crate) use promela::PromelaArguments;
pub(crate) use smv::SmvArguments;
pub(crate) use statistics::{Field, Piece, StatsFormat};
pub(crate) use testbench::{CheckName, Kind, Pause, TestFormat, TestInput, TestReport, Testbench};

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// A model checker for Promela and SMV.
#[derive(Debug, Parser)]
#[command(
    name = "lariat",
    version,
    about = "A model checker for Promela and SMV",
    max_term_width = 80,
    after_help = "Exit codes: 0 every property holds, 1 some property is violated, 2 undecided,\n\
                  3 wrong usage or unreadable file, 4 error in the model or formula, 5 a bug in Lariat."
)]
pub(crate) struct Arguments {
    /// When to colour the output
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    pub(crate) color: Colour,
    /// Do not show long output page by page
    #[arg(long, global = true)]
    pub(crate) no_pager: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// When to colour the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Verify the properties of a model
    Check(Box<Check>),
    /// Verify a Promela model by several processes
    Cluster(Cluster),
    /// Execute a model at random or interactively
    Simulate(Simulate),
    /// Confirm a saved trace and show it
    Replay(Replay),
    /// Confirm a saved trace with the reference interpreter
    Validate(Validate),
    /// Translate LTL formulas into Büchi automata
    Translate(Translate),
    /// Rewrite, compare, classify and filter LTL formulas
    Formula(Formula),
    /// Convert, combine, reduce and query automata
    Automaton(Automaton),
    /// Test LTL translators against each other on random formulas
    Testbench(Testbench),
    /// Edit, check, simulate and draw models in the browser
    Serve(Serve),
    /// Indent models and regularise their blanks
    Format(FormatModels),
    /// Answer an editor over standard input and output (language server)
    Lsp(LanguageServer),
    /// Execute scripts and commands of NuSMV
    Nusmv(Nusmv),
}

/// The model and how to read it.
#[derive(Clone, Debug, Args)]
pub(crate) struct ModelArguments {
    /// The model: a Promela or SMV file, or `-` for standard input
    pub(crate) model: String,
    /// The language of the model; `auto` selects SMV for `*.smv`, `*.aig` and `*.aag` files and Promela otherwise
    #[arg(long, value_enum, default_value_t = Language::Auto, value_name = "LANGUAGE")]
    pub(crate) language: Language,
    #[command(flatten)]
    pub(crate) preprocessor: Preprocessor,
    /// Hide warnings about the model
    #[arg(long)]
    pub(crate) no_warnings: bool,
}

/// The preprocessor of Promela.
#[derive(Clone, Debug, Args)]
pub(crate) struct Preprocessor {
    /// Define a preprocessor macro
    #[arg(short = 'D', value_name = "NAME[=TEXT]")]
    pub(crate) define: Vec<String>,
    /// Undefine a preprocessor macro
    #[arg(short = 'U', value_name = "NAME")]
    pub(crate) undefine: Vec<String>,
    /// Search this folder for included files
    #[arg(short = 'I', value_name = "FOLDER")]
    pub(crate) include: Vec<PathBuf>,
}

/// The languages of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// By the extension of the file name.
    Auto,
    /// Promela.
    Promela,
    /// SMV, as read by NuSMV.
    Smv,
}

/// How to show a trace.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ViewArguments {
    /// How to show a trace: the steps, all values after each step, or the steps and the changes
    #[arg(long, value_enum, default_value_t = TraceView::Changes, value_name = "VIEW")]
    pub(crate) trace_view: TraceView,
    /// Show each step of atomic sequences on a line of its own (Promela)
    #[arg(long)]
    pub(crate) unfold: bool,
}

/// What to show of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TraceView {
    /// One line per step: process, line, statement.
    Steps,
    /// All values after each step.
    States,
    /// The steps, and what each of them changes.
    Changes,
}

/// How other commands report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlainFormat {
    /// Text for people.
    Text,
    /// JSON for scripts; see docs/json.md.
    Json,
}

/// `lariat simulate`
#[derive(Debug, Args)]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// The seed of the random choices; the same seed repeats the run
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// Stop after this many steps
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000)]
    pub(crate) steps: u64,
    /// Choose each step by its number, with undo and jumps
    #[arg(long, short)]
    pub(crate) interactive: bool,
    #[command(flatten)]
    pub(crate) shown: ShowArguments,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

/// What a simulation of a Promela model shows.
#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// What to show in addition to the output of the model
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT,…")]
    pub(crate) show: Vec<Show>,
    /// Same as --show statements
    #[arg(short = 'p')]
    pub(crate) statements: bool,
    /// Same as --show globals
    #[arg(short = 'g')]
    pub(crate) globals: bool,
    /// Same as --show locals
    #[arg(short = 'l')]
    pub(crate) locals: bool,
    /// Same as --show sends
    #[arg(short = 's')]
    pub(crate) sends: bool,
    /// Same as --show receives
    #[arg(short = 'r')]
    pub(crate) receives: bool,
}

/// What a simulation shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Show {
    /// Every statement executed.
    Statements,
    /// Global variables and channels that change.
    Globals,
    /// Local variables that change.
    Locals,
    /// Messages sent.
    Sends,
    /// Messages received.
    Receives,
}

/// Files with pictures, beside the output.
#[derive(Clone, Debug, Args)]
pub(crate) struct PictureArguments {
    /// Also write a page with verdicts, charts and sources that opens in any browser
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Also write the message sequence chart of a counterexample, or the waveform of an SMV model: .svg, .mmd (Mermaid) or .txt
    #[arg(long, value_name = "FILE")]
    pub(crate) chart: Option<PathBuf>,
}

/// `lariat replay`
#[derive(Debug, Args)]
pub(crate) struct Replay {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// The trace file that `check` saved
    pub(crate) trace: PathBuf,
    /// Step through the trace in both directions and try other steps
    #[arg(long, short)]
    pub(crate) interactive: bool,
    #[command(flatten)]
    pub(crate) view: ViewArguments,
    #[command(flatten)]
    pub(crate) proof: ProofArguments,
    #[command(flatten)]
    pub(crate) pictures: PictureArguments,
    /// The output format
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub(crate) format: PlainFormat,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

/// Whether to explain a counterexample.
#[derive(Clone, Debug, Args)]
pub(crate) struct ProofArguments {
    /// Explain state by state why the counterexample violates the property
    #[arg(long)]
    pub(crate) explain: bool,
}

/// `lariat serve`
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// A model, or a folder of models; nothing outside the folder is reachable
    #[arg(value_name = "MODEL|FOLDER", default_value = ".")]
    pub(crate) path: String,
    /// The port; 0 for a free one
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) port: u16,
    /// Do not open a browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Stop a computation after this time, such as 30s or 5m
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5m")]
    pub(crate) time_limit: Duration,
    /// Stop a computation that takes more memory, such as 2G
    #[arg(long, value_name = "SIZE", value_parser = bytes, default_value = "2G")]
    pub(crate) memory_limit: u64,
}

/// `lariat lsp`
#[derive(Debug, Args)]
pub(crate) struct LanguageServer {
    /// Stop the check of a property after this time, such as 30s or 5m
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1m")]
    pub(crate) time_limit: Duration,
    /// Stop the check of a property that takes more memory, such as 2G
    #[arg(long, value_name = "SIZE", value_parser = bytes, default_value = "2G")]
    pub(crate) memory_limit: u64,
}

/// `lariat validate`
#[derive(Debug, Args)]
pub(crate) struct Validate {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// The trace file that `check` saved
    pub(crate) trace: PathBuf,
    /// The output format
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub(crate) format: PlainFormat,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

/// Splits `12k` into its number and its unit.
fn number_and_unit(text: &str) -> Result<(f64, &str), String> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text[..end].parse().map_err(|_| format!("`{text}` does not begin with a number"))?;
    Ok((number, text[end..].trim()))
}

/// Bytes, with binary multiples.
fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = number_and_unit(text)?;
    let shift = match unit.to_ascii_lowercase().trim_end_matches('b').trim_end_matches('i') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err(format!("`{unit}` is not a unit of memory: use K, M, G or T")),
    };
    Ok((number * (1_u64 << shift) as f64) as u64)
}

/// A time span.
fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = number_and_unit(text)?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("`{unit}` is not a unit of time: use ms, s, m or h")),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("`{text}` is too long"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_of_the_command_line_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn no_two_options_of_a_command_differ_by_one_letter() {
        use clap::CommandFactory;
        for command in Arguments::command().get_subcommands() {
            let names: Vec<&str> = command.get_arguments().filter_map(clap::Arg::get_long).collect();
            for (at, first) in names.iter().enumerate() {
                for second in &names[at + 1..] {
                    // The names of the two logics are established.
                    let is_established = [*first, *second] == ["ltl", "ctl"];
                    let distance = kernel::near::distance(first, second);
                    assert!(distance > 1 || is_established, "{}: --{first} and --{second}", command.get_name());
                }
            }
        }
    }

    #[test]
    fn sizes_and_times_have_units() {
        assert_eq!(bytes("4G"), Ok(4 << 30));
        assert_eq!(bytes("1.5k"), Ok(1536));
        assert_eq!(bytes("10 MiB"), Ok(10 << 20));
        assert_eq!(bytes("7"), Ok(7));
        assert!(bytes("4X").is_err() && bytes("G").is_err());
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert!(duration("3 weeks").is_err() && duration("-1s").is_err());
    }
}
