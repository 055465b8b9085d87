//! Reading a model: the file, what it includes, and what is wrong with it.

use crate::arguments::{Language, ModelArguments};
use crate::diagnostics;
use crate::exit::Failure;
use crate::terminal::Terminal;
use crate::view::count;
use checker::error::Rejected;
use checker::promela::input::Input;
use kernel::diagnostic::{Diagnostic, Severity};
use promela::front::Files;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads and checks a model. Warnings are printed on standard error by the caller.
pub(crate) fn load(arguments: &ModelArguments) -> std::result::Result<Input, InputError> {
    let (name, text) = read_model(&arguments.model)?;
    let is_smv = arguments.language == Language::Auto && has_line_with(&text, &["MODULE"]);
    check_macros(&arguments.define, &arguments.undefine)?;
    let files = Arc::new(Disk { folders: arguments.include.clone() });
    let loaded = Input::read(&name, text, &arguments.define, &arguments.undefine, files);
    let mut input = loaded.map_err(|mut rejected| {
        if is_smv {
            rejected.what = "the model reads like SMV: add `--language smv`".into();
            rejected.diagnostics.clear();
        }
        rejected
    })?;
    if arguments.no_warnings {
        input.warnings.clear();
    }
    Ok(input)
}

/// Whether some line of a text begins with one of these words: a language that is told by its first lines.
pub(crate) fn has_line_with(text: &str, words: &[&str]) -> bool {
    text.lines().any(|line| line.split_whitespace().next().is_some_and(|word| words.contains(&word)))
}

/// Why there is no model.
pub(crate) enum InputError {
    /// It could not be read.
    Unreadable(Failure),
    /// It has errors.
    Rejected(Rejected),
}

impl From<Failure> for InputError {
    fn from(failure: Failure) -> Self {
        InputError::Unreadable(failure)
    }
}

impl From<Rejected> for InputError {
    fn from(rejected: Rejected) -> Self {
        InputError::Rejected(rejected)
    }
}

impl InputError {
    /// What to say on standard error.
    pub(crate) fn failure(self, terminal: Terminal) -> Failure {
        let rejected = match self {
            InputError::Unreadable(failure) => return failure,
            InputError::Rejected(rejected) => rejected,
        };
        let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
        let errors = rejected.diagnostics.iter().filter(is_error).count() as u64;
        let details = diagnostics::render(&rejected.sources, &rejected.diagnostics, terminal.colours_messages);
        let message = match rejected.diagnostics.is_empty() {
            true => rejected.what,
            false => format!("{} is not accepted: {}", rejected.what, count(errors, "error")),
        };
        Failure { details, ..Failure::input(message) }
    }
}

/// The name and text of a model.
pub(crate) fn read_model(path: &str) -> std::result::Result<(String, String), Failure> {
    let cannot = |error: Error| Failure::usage(format!("cannot read `{path}`: {}", reason(&error)));
    if path == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map_err(cannot)?;
        return Ok(("<standard input>".into(), text(&bytes)));
    }
    Ok((path.into(), text(&std::fs::read(path).map_err(cannot)?)))
}

/// What the system says, without its error number.
pub(crate) fn reason(error: &Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

/// Comments in old models are written in all sorts of encodings; what is not UTF-8 is replaced.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether a text can be the name of a macro.
fn is_macro(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(is_part)
}

/// Refuses definitions of what cannot be the name of a macro: `NAME` and `NAME=TEXT` are expected.
fn check_macros(defines: &[String], undefines: &[String]) -> std::result::Result<(), Failure> {
    for define in defines {
        let name = define.split_once('=').map_or(define.as_str(), |(name, _)| name);
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_(),. ".contains(c);
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(is_name) {
            return Err(Failure::usage(format!("`-D {define}`: `{name}` is not the name of a macro")));
        }
    }
    match undefines.iter().find(|name| !is_macro(name)) {
        Some(name) => Err(Failure::usage(format!("`-U {name}`: `{name}` is not the name of a macro"))),
        None => Ok(()),
    }
}

/// Included files, on disk.
pub(crate) struct Disk {
    folders: Vec<PathBuf>,
}

impl Files for Disk {
    fn read(&self, path: &str, included_from: Option<&str>) -> Result<(String, String)> {
        let beside = included_from.and_then(|from| Path::new(from).parent()).unwrap_or(Path::new(""));
        let folders = std::iter::once(beside).chain(self.folders.iter().map(PathBuf::as_path));
        for folder in folders {
            let candidate = folder.join(path);
            if candidate.is_file() {
                let bytes = std::fs::read(&candidate)?;
                return Ok((candidate.to_string_lossy().into_owned(), text(&bytes)));
            }
        }
        Err(Error::new(ErrorKind::NotFound, "no such file"))
    }
}
