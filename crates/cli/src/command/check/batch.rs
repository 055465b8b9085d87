//! Several models in one invocation: one combined report, and the worst exit code.
//!
//! Text is printed as it becomes known. The documents about the models are collected and combined at the end, or when the
//! watchdog must end the command: then the models that were not begun are part of the report, too.

use crate::arguments::{Check, Format};
use crate::diagnostics;
use crate::exit::{Exit, Failure};
use crate::file;
use crate::input::reason;
use crate::output::{eprint, print};
use crate::view;
use crate::view::{Detail, count};
use checker::Report;
use checker::error::Rejected;
use kernel::span::SourceMap;
use page::report::Checked;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The ends of the names of models.
const ENDS: [&str; 4] = ["pml", "prom", "promela", "smv"];
/// Why a model has no verdicts that was not begun.
const NOT_BEGUN: &str = "the command was stopped before this model was checked";

/// The models of one invocation and the documents about them.
#[derive(Clone)]
pub(super) struct Batch {
    format: Format,
    is_single: bool,
    /// Whether the text has one line for each model.
    is_summary: bool,
    /// The file for the page about all models.
    html: Option<PathBuf>,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// The models that are not begun.
    waiting: VecDeque<String>,
    /// The documents about the others; none where the output is text.
    documents: Vec<String>,
    /// The names of the models that are done, and the parts of the page about them.
    parts: Vec<(String, String)>,
    /// The exit codes of the models that are done.
    exits: Vec<Exit>,
}

impl Batch {
    /// The models that the command line names; a folder stands for all models in it and below it.
    pub(super) fn new(arguments: &Check) -> Result<Self, Failure> {
        let named = std::iter::once(&arguments.model.model).chain(&arguments.more);
        let mut models = VecDeque::new();
        for name in named {
            match Path::new(name).is_dir() {
                false => models.push_back(name.clone()),
                true => models.extend(models_in(Path::new(name))?),
            }
        }
        let is_single = arguments.more.is_empty() && !Path::new(&arguments.model.model).is_dir();
        if models.iter().filter(|name| *name == "-").count() > 1 {
            return Err(Failure::usage("only one of the models can come from standard input"));
        }
        let named = [
            ("--trace", arguments.trace.as_ref()),
            ("--chart", arguments.pictures.chart.as_ref()),
            ("--write-order", arguments.smv.write_order.as_ref()),
        ];
        if let Some((option, _)) = named.into_iter().find(|(_, path)| !is_single && path.is_some()) {
            return Err(Failure::usage(format!("`{option}` names one file: check one model at a time")));
        }
        let state = State { waiting: models, ..State::default() };
        let (format, html) = (arguments.format, arguments.pictures.html.clone());
        let is_summary = arguments.detail() == Detail::Summary;
        Ok(Self { format, is_single, is_summary, html, state: Arc::new(Mutex::new(state)) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if the command line names one model, whose report then stands alone.
    pub(super) fn is_single(&self) -> bool {
        self.is_single
    }

    /// Begins with the next model.
    pub(super) fn next(&self) -> Option<String> {
        let name = self.state().waiting.pop_front()?;
        if !self.is_single && self.format == Format::Text && !self.is_summary {
            print(&format!("== {name}\n"));
        }
        Some(name)
    }

    /// Adds the document about a model, or a text.
    pub(super) fn add(&self, document: String) {
        match self.is_single || self.format == Format::Text {
            true => print(&document),
            false => self.state().documents.push(document),
        }
    }

    /// Adds the part of the page about a model, if a page is wanted.
    pub(super) fn show(&self, report: &Report, sources: &SourceMap) {
        if self.html.is_none() {
            return;
        }
        let mut state = self.state();
        let part = page::report::body(&Checked { report, sources }, state.parts.len());
        state.parts.push((report.model.file.clone(), part));
    }

    /// Adds the part of the page about a model that was rejected, if a page is wanted.
    pub(super) fn show_rejected(&self, rejected: &Rejected) {
        let words = diagnostics::render(&rejected.sources, &rejected.diagnostics, false);
        self.show_failure(&rejected.name, if words.is_empty() { &rejected.what } else { &words });
        if self.is_single
            && let Err(failure) = self.write_page()
        {
            eprint(&format!("error: {}\n", failure.message));
        }
    }

    fn show_failure(&self, name: &str, words: &str) {
        if self.html.is_some() {
            let mut state = self.state();
            let part = page::report::rejected(name, words, state.parts.len());
            state.parts.push((name.to_owned(), part));
        }
    }

    /// Writes the page, if one is wanted.
    pub(super) fn write_page(&self) -> Result<(), Failure> {
        let Some(path) = &self.html else { return Ok(()) };
        file::write(path, &page::report::assemble(&self.state().parts))
    }

    /// A model is done. A model without a document gets one that contains the failure.
    pub(super) fn done(&self, name: &str, result: Result<Exit, &Failure>) {
        let is_missing = {
            let mut state = self.state();
            state.exits.push(result.unwrap_or_else(|failure| failure.exit));
            !self.is_single && self.format != Format::Text && state.documents.len() < state.exits.len()
        };
        let is_unseen = {
            let state = self.state();
            state.parts.len() < state.exits.len()
        };
        if let Err(failure) = result
            && is_unseen
        {
            self.show_failure(name, &failure.message);
        }
        if is_missing {
            let words = result.map_or_else(|failure| failure.message.clone(), |_| String::new());
            self.add(failed(self.format, name, words));
        }
        if !self.is_single && self.format == Format::Text {
            if let Err(failure) = result {
                let before = if self.is_summary { format!("{name}: ") } else { String::new() };
                print(&format!("{before}not checked: {}\n", failure.message.lines().next().unwrap_or_default()));
            }
            if !self.is_summary {
                print("\n");
            }
        }
    }

    /// Prints the combined report, and returns the worst exit code.
    pub(super) fn finish(&self) -> Exit {
        while let Some(name) = self.next() {
            self.done(&name, Err(&Failure::new(Exit::Unknown, NOT_BEGUN)));
        }
        let written = if self.is_single { Ok(()) } else { self.write_page() };
        let mut state = std::mem::take(&mut *self.state());
        if let Err(failure) = written {
            eprint(&format!("error: {}\n", failure.message));
            state.exits.push(failure.exit);
        }
        if !self.is_single {
            print(&match self.format {
                Format::Text => summary(&state.exits),
                Format::Json => array(&state.documents),
                Format::Sarif => view::sarif::combined(&state.documents),
                Format::Junit => view::junit::combined(&state.documents),
            });
        }
        state.exits.into_iter().max_by_key(|exit| severity(*exit)).unwrap_or(Exit::Holds)
    }
}

/// How bad an exit code is: a violation counts more than an open question, as in the report on one model.
fn severity(exit: Exit) -> u8 {
    match exit {
        Exit::Holds => 0,
        Exit::Unknown => 1,
        Exit::Violated => 2,
        Exit::Usage => 3,
        Exit::Input => 4,
        Exit::Bug => 5,
    }
}

/// The document about a model that could not be checked.
fn failed(format: Format, name: &str, what: String) -> String {
    let rejected = Rejected { name: name.into(), what, sources: SourceMap::new(), diagnostics: Vec::new() };
    super::rejection(format, &rejected)
}

/// All JSON documents in one array.
fn array(documents: &[String]) -> String {
    let documents: Vec<&str> = documents.iter().map(|document| document.trim_end()).collect();
    format!("[{}]\n", documents.join(",\n"))
}

/// The last line of a text about several models.
fn summary(exits: &[Exit]) -> String {
    let number = |wanted: &[Exit]| exits.iter().filter(|exit| wanted.contains(exit)).count();
    let parts = [
        (number(&[Exit::Holds]), "without violations"),
        (number(&[Exit::Violated]), "violated"),
        (number(&[Exit::Unknown]), "undecided"),
        (number(&[Exit::Usage, Exit::Input, Exit::Bug]), "not checked"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(number, _)| *number > 0).map(|(number, word)| format!("{number} {word}")).collect();
    format!("{}: {}\n", count(exits.len() as u64, "model"), parts.join(", "))
}

/// All models in a folder and below it, in the order of their names. Hidden files and folders are left out.
fn models_in(folder: &Path) -> Result<Vec<String>, Failure> {
    let cannot = |path: &Path, error: std::io::Error| {
        Failure::usage(format!("cannot read `{}`: {}", path.display(), reason(&error)))
    };
    let mut models = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).map_err(|error| cannot(&next, error))? {
            let path: PathBuf = entry.map_err(|error| cannot(&next, error))?.path();
            let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            let is_model = path.extension().is_some_and(|end| ENDS.iter().any(|known| end.eq_ignore_ascii_case(known)));
            let is_link = path.symlink_metadata().is_ok_and(|found| found.is_symlink());
            if is_hidden {
                continue;
            }
            // A link to a folder may lead in a circle.
            if path.is_dir() && !is_link {
                folders.push(path);
            } else if path.is_file() && is_model {
                models.push(path.to_string_lossy().into_owned());
            }
        }
    }
    models.sort();
    match models.is_empty() {
        true => Err(Failure::usage(format!("there are no models (*.pml, *.smv) in `{}`", folder.display()))),
        false => Ok(models),
    }
}
