//! `lariat format`

use super::{Language, Limits, Preprocessor};
use clap::Args;

/// `lariat format`
#[derive(Debug, Args)]
pub(crate) struct FormatModels {
    /// The models: Promela or SMV files, or `-` to format standard input to standard output
    #[arg(required = true, value_name = "MODEL")]
    pub(crate) models: Vec<String>,
    /// Write nothing; name the files that would change, and exit with 1 if there are any
    #[arg(long)]
    pub(crate) check: bool,
    /// The language of the models; `auto` selects SMV for `*.smv` files and Promela otherwise
    #[arg(long, value_enum, default_value_t = Language::Auto, value_name = "LANGUAGE")]
    pub(crate) language: Language,
    #[command(flatten)]
    pub(crate) preprocessor: Preprocessor,
    #[command(flatten)]
    pub(crate) limits: Limits,
}
