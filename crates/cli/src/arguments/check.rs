//! The command line of `check`.

use super::{Limits, ModelArguments, PromelaArguments, SmvArguments, ViewArguments};
use crate::view::Detail;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `lariat check`
#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// Check only the property with this name; can be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Vec<String>,
    #[command(flatten)]
    pub(crate) promela: PromelaArguments,
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
    /// Also print how each property was decided
    #[arg(long, short)]
    verbose: bool,
    /// Save the trace in this file; the default is MODEL.trace.json in the current folder
    #[arg(long, value_name = "FILE", conflicts_with = "no_save")]
    pub(crate) trace: Option<PathBuf>,
    /// Do not save traces
    #[arg(long)]
    pub(crate) no_save: bool,
    #[command(flatten)]
    pub(crate) smv: SmvArguments,
}

impl Check {
    /// How much the report says.
    pub(crate) fn detail(&self) -> Detail {
        match (self.quiet, self.verbose) {
            (true, _) => Detail::Quiet,
            (false, true) => Detail::Verbose,
            (false, false) => Detail::Normal,
        }
    }
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
