//! The commands for SMV models: reading a model, and one file per command.

pub(crate) mod check;
pub(crate) mod replay;
pub(crate) mod simulate;
pub(crate) mod trace;

use crate::arguments::{Language, ModelArguments};
use crate::exit::{Exit, Failure};
use crate::input::{InputError, has_line_with, read_model};
use checker::error::Rejected;
use checker::promela::input::digest;
use flat::model::Model;
use kernel::budget::{Budget, Exhausted};
use kernel::diagnostic::Diagnostic;
use kernel::span::SourceMap;

/// Whether a model is meant to be SMV: by `--language`, or by the end of its name.
pub(crate) fn is_meant(arguments: &ModelArguments) -> bool {
    match arguments.language {
        Language::Smv => true,
        Language::Promela => false,
        Language::Auto => arguments.model.to_ascii_lowercase().ends_with(".smv"),
    }
}

/// An SMV model that was accepted.
pub(crate) struct SmvInput {
    pub(crate) name: String,
    pub(crate) sources: SourceMap,
    pub(crate) model: Model,
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) hash: String,
}

/// Reads and checks a model within a budget.
pub(crate) fn load(arguments: &ModelArguments, budget: &Budget) -> Result<SmvInput, InputError> {
    let given = [
        (!arguments.define.is_empty(), "-D"),
        (!arguments.undefine.is_empty(), "-U"),
        (!arguments.include.is_empty(), "-I"),
    ];
    if let Some((_, option)) = given.iter().find(|(is_given, _)| *is_given) {
        return Err(Failure::usage(format!("`{option}` is for Promela models; SMV has no preprocessor")).into());
    }
    let (name, text) = read_model(&arguments.model)?;
    let hash = digest([text.as_str()].into_iter());
    let is_promela =
        has_line_with(&text, &["proctype", "active", "mtype", "init"]) && !has_line_with(&text, &["MODULE"]);
    let mut sources = SourceMap::new();
    let file = sources.add_file(&name, text, None);
    let loaded = smv::load(&sources, file, budget).map_err(|limit| {
        let limit = match limit {
            Exhausted::Memory => "the memory limit was reached",
            Exhausted::Time => "the time limit was reached",
            Exhausted::Depth => "the depth limit was reached",
            Exhausted::Cancelled => "cancelled",
        };
        Failure::new(Exit::Unknown, format!("{limit} while the model was read"))
    })?;
    let Some(model) = loaded.model else {
        let (what, diagnostics) = match is_promela {
            true => ("the model reads like Promela: add `--language promela`", Vec::new()),
            false => ("the model", loaded.diagnostics),
        };
        return Err(InputError::Rejected(Rejected { name, what: what.into(), sources, diagnostics }));
    };
    let warnings = if arguments.no_warnings { Vec::new() } else { loaded.diagnostics };
    Ok(SmvInput { name, sources, model, warnings, hash })
}

/// What only shows when a model is encoded.
pub(crate) fn rejected(input: SmvInput, diagnostics: Vec<Diagnostic>) -> InputError {
    InputError::Rejected(Rejected { name: input.name, what: "the model".into(), sources: input.sources, diagnostics })
}
