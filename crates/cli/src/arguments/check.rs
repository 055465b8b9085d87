//! The command line of `check`.

use super::{
    ClusterArguments, Limits, ModelArguments, PictureArguments, PromelaArguments, ProofArguments, SmvArguments,
    ViewArguments, duration, named,
};
use crate::view::Detail;
use checker::report::PropertyKind;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// `lariat check`
#[derive(Clone, Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// Further models, or folders of models; limits apply to each model
    #[arg(value_name = "MODEL")]
    pub(crate) more: Vec<String>,
    #[command(flatten)]
    pub(crate) selection: SelectionArguments,
    #[command(flatten)]
    pub(crate) promela: PromelaArguments,
    #[command(flatten)]
    pub(crate) proof: ProofArguments,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// The output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) view: ViewArguments,
    /// Print only the verdicts
    #[arg(long, short, conflicts_with = "verbose")]
    quiet: bool,
    /// Print one line for each model
    #[arg(long, conflicts_with_all = ["verbose", "quiet"])]
    summary: bool,
    /// Also print how each property was decided
    #[arg(long, short)]
    verbose: bool,
    /// After each period of this time, such as 10s, print a line of JSON about the progress on standard error
    #[arg(long, value_name = "TIME", value_parser = interval)]
    pub(crate) progress_lines: Option<Duration>,
    /// Save the search in this file from time to time, to be continued with `--resume`; several processes save it in a folder
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Continue the search that was saved in this file or folder, and save it there again
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// The least time between two checkpoints
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    pub(crate) checkpoint_interval: Duration,
    /// Save the trace in this file; the default is MODEL.trace.json in the current folder
    #[arg(long, value_name = "FILE", conflicts_with = "no_save")]
    pub(crate) trace: Option<PathBuf>,
    /// Do not save traces
    #[arg(long)]
    pub(crate) no_save: bool,
    #[command(flatten)]
    pub(crate) pictures: PictureArguments,
    #[command(flatten)]
    pub(crate) smv: SmvArguments,
    #[command(flatten)]
    pub(crate) cluster: ClusterArguments,
}

/// A time between two lines.
fn interval(text: &str) -> Result<Duration, String> {
    let interval = duration(text)?;
    if interval < Duration::from_millis(10) {
        return Err("lines are at least 10ms apart".into());
    }
    Ok(interval)
}

impl Check {
    /// Whether the report says how each property was decided.
    pub(crate) fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// How much the report says.
    pub(crate) fn detail(&self) -> Detail {
        match (self.summary, self.quiet, self.verbose) {
            (true, ..) => Detail::Summary,
            (_, true, _) => Detail::Quiet,
            (_, _, true) => Detail::Verbose,
            _ => Detail::Normal,
        }
    }
}

/// The selection of properties, for models in either language. Every option can be repeated. If there is none, all
/// properties of the model are checked.
#[derive(Clone, Debug, Args)]
pub(crate) struct SelectionArguments {
    /// Check only the property with this name; can be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Vec<String>,
    /// Check only the properties of this kind that the model states
    #[arg(long, value_name = "KIND", value_parser = named::property_kind())]
    pub(crate) kind: Vec<PropertyKind>,
    /// Check this LTL formula, or the LTL property with this name
    #[arg(long, value_name = "FORMULA")]
    pub(crate) ltl: Vec<String>,
    /// Check the LTL formulas in this file, one per line; blank lines and `#` comments are ignored
    #[arg(long, value_name = "FILE")]
    pub(crate) ltl_file: Vec<String>,
    /// Check this CTL formula, or the CTL property with this name (SMV only)
    #[arg(long, value_name = "FORMULA")]
    pub(crate) ctl: Vec<String>,
    /// Check that this expression is true in every reachable state
    #[arg(long, value_name = "EXPRESSION")]
    pub(crate) invariant: Vec<String>,
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
