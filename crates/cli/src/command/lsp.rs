//! `lariat lsp`: the language server, until the editor ends it.

use crate::arguments::LanguageServer;
use crate::exit::{Exit, Failure};
use lsp::Options;

/// Runs the command.
pub(crate) fn run(arguments: &LanguageServer) -> Result<Exit, Failure> {
    let LanguageServer { time_limit, memory_limit } = *arguments;
    let cannot = |error: String| Failure::usage(format!("the connection with the editor ended: {error}"));
    lsp::serve_standard_streams(Options { time_limit, memory_limit }).map_err(cannot)?;
    Ok(Exit::Holds)
}
