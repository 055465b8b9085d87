//! Reading a model: the file, what it includes, and what is wrong with it.

use crate::arguments::{Language, ModelArguments};
use crate::diagnostics;
use crate::exit::Failure;
use crate::terminal::Terminal;
use crate::view::count;
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::span::SourceMap;
use promela::front::{self, Definitions, Files, Options};
use promela::typed::Program;
use sha2::{Digest, Sha256};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::{Path, PathBuf};

/// A model that was accepted.
pub(crate) struct Input {
    /// The name given on the command line; `<standard input>` for `-`.
    pub(crate) name: String,
    pub(crate) sources: SourceMap,
    pub(crate) program: Program,
    pub(crate) warnings: Vec<Diagnostic>,
    /// Of the text with all its inclusions, and of the definitions on the command line.
    pub(crate) hash: String,
    pub(crate) defines: Vec<String>,
    pub(crate) undefines: Vec<String>,
    /// The macros of the text, for properties given beside it.
    pub(crate) definitions: Definitions,
    /// Where included files are.
    pub(crate) files: Disk,
}

/// A text beside the model that is not accepted.
pub(crate) struct Unaccepted {
    /// What is not accepted; or the whole sentence, if there are no diagnostics.
    pub(crate) what: String,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Unaccepted {
    /// Something with errors in it.
    pub(crate) fn new(what: &str, diagnostics: Vec<Diagnostic>) -> Self {
        Self { what: what.into(), diagnostics }
    }
}

/// Reads and checks a model. Warnings are printed on standard error by the caller.
pub(crate) fn load(arguments: &ModelArguments) -> std::result::Result<Input, Trouble> {
    let (name, text) = read_model(&arguments.model)?;
    let is_smv = arguments.language == Language::Auto && has_line_with(&text, &["MODULE"]);
    let mut sources = SourceMap::new();
    let file = sources.add_file(&name, text, None);
    let options = Options { defines: defines(&arguments.define)?, undefines: undefines(&arguments.undefine)? };
    let files = Disk { folders: arguments.include.clone() };
    let loaded = front::load(&mut sources, file, &options, &files);
    let Some(program) = loaded.program else {
        let (what, diagnostics) = match is_smv {
            true => ("the model reads like SMV: add `--language smv`", Vec::new()),
            false => ("the model", loaded.diagnostics),
        };
        let rejected = Rejected { name, what: what.into(), sources, diagnostics };
        return Err(Trouble::Rejected(rejected));
    };
    let warnings = if arguments.no_warnings { Vec::new() } else { loaded.diagnostics };
    let hash = hash(&sources, arguments);
    let (defines, undefines) = (arguments.define.clone(), arguments.undefine.clone());
    let definitions = loaded.definitions;
    Ok(Input { name, sources, program, warnings, hash, defines, undefines, definitions, files })
}

/// Whether some line of a text begins with one of these words: a language that is told by its first lines.
pub(crate) fn has_line_with(text: &str, words: &[&str]) -> bool {
    text.lines().any(|line| line.split_whitespace().next().is_some_and(|word| words.contains(&word)))
}

/// Why there is no model.
pub(crate) enum Trouble {
    /// It could not be read.
    Unreadable(Failure),
    /// It has errors.
    Rejected(Rejected),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Trouble::Unreadable(failure)
    }
}

/// A model, or a property, that is not accepted.
pub(crate) struct Rejected {
    pub(crate) name: String,
    /// What it is that is not accepted; or the whole sentence, if there are no diagnostics.
    pub(crate) what: String,
    pub(crate) sources: SourceMap,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Trouble {
    /// What to say on standard error.
    pub(crate) fn failure(self, terminal: Terminal) -> Failure {
        let rejected = match self {
            Trouble::Unreadable(failure) => return failure,
            Trouble::Rejected(rejected) => rejected,
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

fn undefines(given: &[String]) -> std::result::Result<Vec<String>, Failure> {
    match given.iter().find(|name| !is_macro(name)) {
        Some(name) => Err(Failure::usage(format!("`-U {name}`: `{name}` is not the name of a macro"))),
        None => Ok(given.to_vec()),
    }
}

/// `NAME` and `NAME=TEXT`
fn defines(given: &[String]) -> std::result::Result<Vec<(String, Option<String>)>, Failure> {
    let split = |define: &String| {
        let (name, text) = match define.split_once('=') {
            Some((name, text)) => (name, Some(text.to_string())),
            None => (define.as_str(), None),
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_(),. ".contains(c);
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(is_name) {
            return Err(Failure::usage(format!("`-D {define}`: `{name}` is not the name of a macro")));
        }
        Ok((name.to_string(), text))
    };
    given.iter().map(split).collect()
}

fn hash(sources: &SourceMap, arguments: &ModelArguments) -> String {
    let texts = sources.files().map(|file| sources.text(file));
    digest(texts.chain(arguments.define.iter().chain(&arguments.undefine).map(String::as_str)))
}

/// The hash of some texts.
pub(crate) fn digest<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut hasher = Sha256::new();
    for text in texts {
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
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
