//! Reading a model: the file, what it includes, and what is wrong with it.

use crate::arguments::{Language, ModelArguments, Preprocessor, is_aiger};
use crate::diagnostics;
use crate::exit::{Exit, Failure};
use crate::file;
use crate::terminal::Terminal;
use checker::error::{Error, Rejected};
use checker::model::{Files, Model, Preprocessing};
use checker::promela::input::Input;
use checker::smv::{Input as SmvInput, Malformed, of_aiger};
use kernel::budget::Budget;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads and checks a model. The caller prints its warnings.
pub(crate) fn load(arguments: &ModelArguments, budget: &Budget) -> Result<Model, InputError> {
    let (name, text) = read_model(&arguments.model)?;
    check_macros(&arguments.preprocessor)?;
    let loaded = parse(&name, &text, arguments, budget);
    let mut model = loaded.map_err(|error| match error {
        Error::Rejected(mut rejected) => {
            if let Some(hint) = other_language(&text, arguments) {
                rejected.what = hint.into();
                rejected.diagnostics.clear();
            }
            InputError::Rejected(*rejected)
        }
        other => InputError::from(other),
    })?;
    if arguments.no_warnings {
        model.forget_warnings();
    }
    Ok(model)
}

/// Reads a text as a model, in the language and with the macros of the arguments.
pub(crate) fn parse(name: &str, text: &str, arguments: &ModelArguments, budget: &Budget) -> Result<Model, Error> {
    if arguments.is_smv() {
        return Model::smv_within(name, text, budget);
    }
    let Preprocessor { define, undefine, include } = &arguments.preprocessor;
    let preprocessing = Preprocessing { defines: define.clone(), undefines: undefine.clone() };
    let files = Arc::new(Disk { folders: include.clone() });
    Model::promela_with(name, text, &preprocessing, files, budget)
}

/// What to say if a model that contains errors reads like one in the other language.
fn other_language(text: &str, arguments: &ModelArguments) -> Option<&'static str> {
    let has_modules = has_line_with(text, &["MODULE"]);
    let has_processes = has_line_with(text, &["proctype", "active", "mtype", "init"]);
    match arguments.is_smv() {
        true if has_processes && !has_modules => Some("the model reads like Promela: add `--language promela`"),
        false if arguments.language == Language::Auto && has_modules => {
            Some("the model reads like SMV: add `--language smv`")
        }
        _ => None,
    }
}

/// Reads a Promela model.
pub(crate) fn load_promela(arguments: &ModelArguments, budget: &Budget) -> Result<Input, InputError> {
    Ok(load(arguments, budget)?.into_promela().expect("the language was decided before"))
}

/// Reads an SMV model.
pub(crate) fn load_smv(arguments: &ModelArguments, budget: &Budget) -> Result<SmvInput, InputError> {
    Ok(load(arguments, budget)?.into_smv().expect("the language was decided before"))
}

/// Whether some line of a text begins with one of these words: a language that is told by its first lines.
fn has_line_with(text: &str, words: &[&str]) -> bool {
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

impl From<Error> for InputError {
    fn from(error: Error) -> Self {
        match error {
            Error::Rejected(rejected) => InputError::Rejected(*rejected),
            limit @ Error::Exhausted(_) => InputError::Unreadable(Failure::new(Exit::Unknown, limit.to_string())),
            other => InputError::Unreadable(Failure::input(other.to_string())),
        }
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
        let details = diagnostics::render(&rejected.sources, &rejected.diagnostics, terminal.colours_messages);
        Failure { details, ..Failure::input(rejected.summary()) }
    }
}

/// The name and text of a model.
pub(crate) fn read_model(path: &str) -> Result<(String, String), Failure> {
    let cannot = |error: io::Error| Failure::usage(format!("cannot read `{path}`: {}", reason(&error)));
    if path == "-" {
        return Ok(("<standard input>".into(), text(&file::read_from(std::io::stdin()).map_err(cannot)?)));
    }
    let bytes = file::read(Path::new(path)).map_err(cannot)?;
    if is_aiger(path) {
        let wrong = |wrong: Malformed| Failure::input(format!("{path}:{}: {}", wrong.line, wrong.what));
        return Ok((path.into(), of_aiger(&bytes).map_err(wrong)?));
    }
    Ok((path.into(), text(&bytes)))
}

/// The text of a file that is no model.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    let cannot = |error: io::Error| Failure::usage(format!("cannot read `{}`: {}", path.display(), reason(&error)));
    let bytes = file::read(path).map_err(cannot)?;
    String::from_utf8(bytes).map_err(|_| Failure::usage(format!("cannot read `{}`: it is not text", path.display())))
}

/// What the system says, without its error number.
pub(crate) fn reason(error: &io::Error) -> String {
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
pub(crate) fn check_macros(preprocessor: &Preprocessor) -> Result<(), Failure> {
    for define in &preprocessor.define {
        let name = define.split_once('=').map_or(define.as_str(), |(name, _)| name);
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_(),. ".contains(c);
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(is_name) {
            return Err(Failure::usage(format!("`-D {define}`: `{name}` is not the name of a macro")));
        }
    }
    match preprocessor.undefine.iter().find(|name| !is_macro(name)) {
        Some(name) => Err(Failure::usage(format!("`-U {name}`: `{name}` is not the name of a macro"))),
        None => Ok(()),
    }
}

/// Included files, on disk.
pub(crate) struct Disk {
    folders: Vec<PathBuf>,
}

impl Files for Disk {
    fn read(&self, path: &str, included_from: Option<&str>) -> io::Result<(String, String)> {
        let beside = included_from.and_then(|from| Path::new(from).parent()).unwrap_or(Path::new(""));
        let folders = std::iter::once(beside).chain(self.folders.iter().map(PathBuf::as_path));
        for folder in folders {
            let candidate = folder.join(path);
            if candidate.is_file() {
                let bytes = file::read(&candidate)?;
                return Ok((candidate.to_string_lossy().into_owned(), text(&bytes)));
            }
        }
        Err(io::Error::new(ErrorKind::NotFound, "no such file"))
    }
}
