//! The results of a check as they become known: each property is printed and its counterexamples are saved when it is
//! decided. The watchdog shares them, so that it can report what is known if it must end the command.

use super::batch::Batch;
use super::exit;
use crate::arguments::{Check, Format};
use crate::exit::{Exit, Failure};
use crate::output::{eprint, print, print_or};
use crate::picture;
use crate::progress::Progress;
use crate::shelf::Shelf;
use crate::terminal::Terminal;
use crate::view;
use crate::view::run::Look;
use crate::view::text::Page;
use checker::observer::Observer;
use checker::report::{Language, ModelSummary, PropertyReport, Stage, Statistics, Verdict};
use checker::smv::Input as SmvInput;
use checker::{Model, Report};
use kernel::span::SourceMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How the results of a check are shown.
#[derive(Clone)]
pub(super) struct Results {
    known: Arc<Mutex<Known>>,
    progress: Progress,
}

/// What is known so far.
struct Known {
    shown: Shown,
    /// Where documents about the model go.
    batch: Batch,
    model: ModelSummary,
    /// The texts of the model, for pictures.
    sources: SourceMap,
    /// The file for charts.
    chart: Option<PathBuf>,
    /// The model, if the report is to be written as NuSMV would.
    for_nusmv: Option<SmvInput>,
    /// All properties; those that are undecided yet as they were announced.
    properties: Vec<PropertyReport>,
    /// For each property, whether it is decided.
    is_decided: Vec<bool>,
    saved: Saved,
}

/// What the command line says about the output.
#[derive(Clone)]
struct Shown {
    format: Option<Format>,
    look: Look<'static>,
    detail: view::Detail,
}

/// The files of counterexamples.
struct Saved {
    /// Whether counterexamples are saved.
    is_wanted: bool,
    /// The file that `--trace` names.
    named: Option<PathBuf>,
    /// Whether all properties of the model are checked.
    is_whole: bool,
    /// The files, once the properties are known.
    shelf: Option<Shelf>,
    /// The first file that cannot be written.
    failure: Option<Failure>,
}

impl Results {
    /// No results yet.
    pub(super) fn new(arguments: &Check, terminal: Terminal, batch: Batch) -> Self {
        let language = if arguments.model.is_smv() { Language::Smv } else { Language::Promela };
        let file = arguments.model.model.clone();
        let model = ModelSummary { file, language, sha256: String::new(), defines: Vec::new(), undefines: Vec::new() };
        let known = Known {
            shown: Shown {
                format: (!arguments.smv.nusmv_output).then_some(arguments.format),
                look: Look::new(language, arguments.view, terminal),
                detail: arguments.detail(),
            },
            batch,
            model,
            sources: SourceMap::new(),
            chart: arguments.pictures.chart.clone(),
            for_nusmv: None,
            properties: Vec::new(),
            is_decided: Vec::new(),
            saved: Saved {
                is_wanted: !arguments.no_save,
                named: arguments.trace.clone(),
                is_whole: false,
                shelf: None,
                failure: None,
            },
        };
        let limit = arguments.limits.time_limit;
        let progress = Progress::new(terminal.shows_progress, &arguments.model.model, arguments.progress_lines, limit);
        Self { known: Arc::new(Mutex::new(known)), progress }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The model was read, and all of its properties are checked or only some.
    pub(super) fn of_model(&self, model: &Model, is_whole: bool) {
        let mut known = self.known();
        known.model = model.summary();
        known.sources = model.sources().clone();
        known.saved.is_whole = is_whole;
        known.for_nusmv = known.shown.format.is_none().then(|| model.clone().into_smv()).flatten();
    }

    /// The check is over: wipes the line that shows progress.
    pub(super) fn finish(&self) {
        self.progress.finish();
    }

    /// Shows what remains to be shown of a report, and notes in it where its counterexamples were saved. Returns why
    /// some of them were not.
    pub(super) fn report(&self, report: &mut Report) -> Option<Failure> {
        let mut known = self.known();
        // A limit can leave properties without a report of their own.
        for (index, property) in report.properties.iter().enumerate() {
            if !known.is_decided.get(index).is_some_and(|is_decided| *is_decided) {
                known.decide(index, property.clone());
            }
        }
        for (property, known) in report.properties.iter_mut().zip(&known.properties) {
            note_files(property, known);
        }
        if let Some(shelf) = &mut known.saved.shelf {
            shelf.finish();
        }
        known.end(report);
        known.saved.failure.take()
    }

    /// Reports what is known if the check does not end by itself.
    pub(super) fn report_unfinished(&self) -> Exit {
        self.progress.finish();
        let mut known = self.known();
        let report = Report::unfinished(known.model.clone(), known.properties.clone());
        if known.shown.format == Some(Format::Text) {
            let page = known.page();
            let undecided = report.properties.iter().zip(&known.is_decided).filter(|(_, is_decided)| !**is_decided);
            undecided.for_each(|(property, _)| print(&page.property(property)));
        }
        known.end(&report);
        match exit(&report) {
            Exit::Violated => Exit::Violated,
            _ => Exit::Unknown,
        }
    }
}

impl Observer for &Results {
    fn begin(&mut self, properties: &[PropertyReport]) {
        let mut known = self.known();
        known.properties = properties.to_vec();
        known.is_decided = vec![false; properties.len()];
        let names = properties.iter().map(|property| property.name.clone()).collect();
        let Known { saved, model, .. } = &mut *known;
        saved.shelf = saved.is_wanted.then(|| Shelf::new(&model.file, saved.named.clone(), names, saved.is_whole));
    }

    fn stage(&mut self, stage: Stage, property: Option<&str>) {
        self.progress.stage(stage, property);
    }

    fn progress(&mut self, statistics: &Statistics, seconds: f64) {
        self.progress.searching(statistics, seconds);
    }

    fn property(&mut self, report: &PropertyReport) {
        let mut known = self.known();
        // Properties can have equal names; their formulas differ, or it does not matter which one is meant.
        let open = || known.properties.iter().zip(&known.is_decided).enumerate().filter(|(_, (_, decided))| !**decided);
        let named = || open().filter(|(_, (one, _))| (&one.name, one.kind) == (&report.name, report.kind));
        let found = named().find(|(_, (one, _))| one.formula == report.formula).or_else(|| named().next());
        let index = found.map_or(known.properties.len(), |(index, _)| index);
        self.progress.pause(|| known.decide(index, report.clone()));
    }
}

impl Known {
    fn page(&self) -> Page<'static> {
        Page::new(&self.properties, self.shown.look, self.shown.detail)
    }

    /// Saves the counterexamples of a property that is decided, and shows it.
    fn decide(&mut self, index: usize, mut property: PropertyReport) {
        self.saved.save(&self.model, &mut property);
        if index >= self.properties.len() {
            self.properties.push(property.clone());
            self.is_decided.push(true);
        } else {
            self.properties[index] = property.clone();
            self.is_decided[index] = true;
        }
        if self.shown.format == Some(Format::Text) {
            let page = self.page();
            print_or(&page.property(&property), &page.brief(&property));
        }
    }

    /// Shows what comes after all properties, or the whole document in other formats than text.
    fn end(&mut self, report: &Report) {
        self.batch.add(match self.shown.format {
            None => self.for_nusmv.as_ref().map_or_else(String::new, |model| view::nusmv::report(report, model)),
            Some(Format::Text) => self.page().end(report),
            Some(Format::Json) => report.json(),
            Some(Format::Sarif) => view::sarif::report(report),
            Some(Format::Junit) => view::junit::report(report),
        });
        if let Err(failure) = self.draw(report) {
            self.saved.failure.get_or_insert(failure);
        }
    }
}

impl Known {
    /// Writes the page and the charts that are wanted.
    fn draw(&self, report: &Report) -> Result<(), Failure> {
        self.batch.show(report, &self.sources);
        if self.batch.is_single() {
            self.batch.write_page()?;
        }
        let Some(path) = &self.chart else { return Ok(()) };
        let shown = report.properties.iter().flat_map(PropertyReport::counterexamples);
        let runs: Vec<_> = shown.map(|one| (&**one, one.waiting())).collect();
        if runs.is_empty() {
            eprint(&format!("note: there is no counterexample; `{}` was not written\n", path.display()));
        }
        picture::write_charts(path, report.model.language, &runs)
    }
}

impl Saved {
    /// Saves the counterexamples of a property, and notes the files in it. A verdict is reported even if a file cannot
    /// be written.
    fn save(&mut self, model: &ModelSummary, property: &mut PropertyReport) {
        let Some(shelf) = self.shelf.as_mut().filter(|_| self.failure.is_none()) else { return };
        self.failure = shelf.save(model, property).err();
    }
}

/// Notes in a property where its counterexamples were saved.
fn note_files(property: &mut PropertyReport, known: &PropertyReport) {
    property.unconfirmed_trace_file.clone_from(&known.unconfirmed_trace_file);
    let Verdict::Violated(violation) = &mut property.verdict else { return };
    for (counterexample, known) in violation.counterexamples_mut().iter_mut().zip(known.counterexamples()) {
        if let Some(file) = known.file() {
            counterexample.saved_as(file);
        }
    }
}
