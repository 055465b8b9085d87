//! The command line of `lariat nusmv`, most of which is NuSMV's own.

use super::Limits;
use clap::Args;

/// NuSMV's commands, scripts and command line.
#[derive(Debug, Args)]
pub(crate) struct Nusmv {
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// NuSMV's options, and the model; `-help` lists the options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTIONS")]
    pub(crate) arguments: Vec<String>,
}
