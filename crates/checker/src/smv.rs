//! The stages of a check of an SMV model: selection, the symbolic engine, and its findings put into the words of a
//! [`Report`].

mod describe;
mod saved;

pub use describe::{DEADLOCK, falsehood};
pub use saved::trace;

use crate::error::{Error, Rejected};
use crate::observer::Observer;
use crate::options::SmvOptions;
use crate::promela::input::digest;
use crate::report::{DiagnosticNote, Language, ModelSummary, PropertyKind, PropertyReport, Report, Seconds, Stage};
use crate::selection::{Selection, Wanted};
use crate::stopwatch::Stopwatch;
use flat::model::{Model, Property};
use kernel::budget::Budget;
use kernel::diagnostic::Diagnostic;
use kernel::span::SourceMap;
use std::cell::RefCell;
use std::time::{Duration, Instant};
use symbolic::check::{Progress, name};

/// An SMV model that was accepted.
#[derive(Clone)]
pub struct Input {
    /// The name of the file.
    pub name: String,
    /// Its text.
    pub sources: SourceMap,
    /// The model, typed and flat.
    pub model: Model,
    /// What its reader warns of.
    pub warnings: Vec<Diagnostic>,
    /// The hash of the text.
    pub hash: String,
    pub(crate) read_in: Duration,
}

impl Input {
    /// Reads and checks a model.
    pub(crate) fn read(name: &str, text: &str, budget: &Budget) -> Result<Self, Error> {
        let started = Instant::now();
        let mut sources = SourceMap::new();
        let file = sources.add_file(name, text, None);
        let loaded = smv::load(&sources, file, budget)?;
        let Some(model) = loaded.model else {
            let (name, what) = (name.into(), "the model".into());
            return Err(Rejected { name, what, sources, diagnostics: loaded.diagnostics }.into());
        };
        let (name, hash) = (name.into(), digest([text].into_iter()));
        Ok(Self { name, sources, model, warnings: loaded.diagnostics, hash, read_in: started.elapsed() })
    }

    /// The property with this name, be it one that the text gives or a generated one.
    #[must_use]
    pub fn property(&self, wanted: &str) -> Option<&Property> {
        let mut named = self.model.properties.iter().enumerate().map(|(at, one)| (name(at, one), one));
        named.find(|(name, _)| name == wanted).map(|(_, property)| property)
    }

    /// Which model it is.
    #[must_use]
    pub fn summary(&self) -> ModelSummary {
        ModelSummary {
            file: self.name.clone(),
            language: Language::Smv,
            sha256: self.hash.clone(),
            defines: Vec::new(),
            undefines: Vec::new(),
        }
    }
}

/// Checks the selected properties of a model.
pub(crate) fn check(
    input: &Input,
    wanted: &Selection,
    options: &SmvOptions,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Report, Error> {
    if options.cone_of_influence && options.diameter {
        let words =
            "the diameter is that of the whole model, and with cones of influence each property is checked on a part";
        return Err(Error::Options(words.into()));
    }
    let watch = Stopwatch::start(input.read_in);
    let model = select(input, wanted)?;
    let order = options.order.as_ref().map(|order| read_order(&model, input, order)).transpose()?;
    let options = symbolic::check::Options {
        reorder: options.reorder,
        order,
        cone_of_influence: options.cone_of_influence,
        deadlocks: options.deadlocks,
        diameter: options.diameter,
        counterexamples: true,
        minimise: options.strip,
    };
    let announced = describe::announced(input, &model, options.deadlocks);
    observer.begin(&announced);
    let (observer, described) = (RefCell::new(observer), RefCell::new(vec![None; announced.len()]));
    let property_starts = RefCell::new(watch.seconds());
    let mut progress = |progress: Progress<'_>| match progress {
        Progress::Building => {
            watch.enter(Stage::Translate);
            observer.borrow_mut().stage(Stage::Translate, None);
        }
        Progress::Reaching => {
            watch.enter(Stage::Search);
            observer.borrow_mut().stage(Stage::Search, None);
        }
        Progress::Checking(index) => {
            watch.enter(Stage::Search);
            *property_starts.borrow_mut() = watch.seconds();
            observer.borrow_mut().stage(Stage::Search, Some(&name(index, &model.properties[index])));
        }
        Progress::Decided(index, found, so_far) => {
            let stripping = found.minimised.as_ref().map_or(0.0, |minimised| minimised.seconds);
            watch.transfer(Stage::Shorten, Duration::from_secs_f64(stripping));
            let seconds = watch.seconds().since(&property_starts.replace(watch.seconds()));
            let report = describe::property(input, &model, found, so_far, index, seconds);
            observer.borrow_mut().property(&report);
            described.borrow_mut()[index] = Some(report);
        }
    };
    let found = symbolic::check::check(&model, &options, budget, &mut progress).map_err(|diagnostics| {
        let (name, what, sources) = (input.name.clone(), "the model".into(), input.sources.clone());
        Error::from(Rejected { name, what, sources, diagnostics })
    })?;
    let described = described.into_inner().into_iter().zip(announced).enumerate();
    let mut properties: Vec<PropertyReport> = described
        .map(|(index, (described, announced))| {
            // A limit can be reached before a property is begun.
            let unbegun = || match found.properties.get(index) {
                Some(one) => describe::property(input, &model, one, &found, index, Seconds::default()),
                None => describe::unbegun(announced, budget),
            };
            described.unwrap_or_else(unbegun)
        })
        .collect();
    let statistics = describe::statistics(&found);
    for property in &mut properties {
        property.statistics.states = property.statistics.states.or(statistics.states);
        property.statistics.peak_nodes = statistics.peak_nodes;
        property.statistics.peak_memory_bytes = statistics.peak_memory_bytes;
    }
    Ok(Report {
        model: input.summary(),
        complete: found.properties.len() == properties.len()
            && found.properties.iter().all(|property| property.coverage().is_some()),
        properties,
        endless_atomic: None,
        unreached: None,
        fact_check: None,
        diagnostics: input.warnings.iter().map(|one| DiagnosticNote::of(&input.sources, one)).collect(),
        warnings: found.warnings.clone(),
        statistics,
        variable_order: found.order,
        seconds: watch.seconds(),
    })
}

/// The model with the wanted properties only.
fn select(input: &Input, wanted: &Selection) -> Result<Model, Error> {
    let mut model = input.model.clone();
    if wanted.is_all() {
        return Ok(model);
    }
    let names: Vec<String> = model.properties.iter().enumerate().map(|(at, one)| name(at, one)).collect();
    for one in &wanted.wanted {
        match one {
            Wanted::Named(wanted) if !names.contains(wanted) => {
                return Err(Error::UnknownProperty { name: wanted.clone(), known: names });
            }
            Wanted::Named(_) | Wanted::Kind(_) => {}
            _ => {
                let words =
                    "an SMV model states its properties in sections such as LTLSPEC: select them by name or kind";
                return Err(Error::Options(words.into()));
            }
        }
    }
    for (property, name) in model.properties.iter_mut().zip(&names) {
        property.name.get_or_insert_with(|| name.clone());
    }
    model.properties.retain(|property| {
        wanted.wanted.iter().any(|one| match one {
            Wanted::Named(name) => property.name.as_ref() == Some(name),
            Wanted::Kind(kind) => PropertyKind::of_word(property.question.kind()) == Some(*kind),
            _ => false,
        })
    });
    Ok(model)
}

fn read_order(model: &Model, input: &Input, (name, text): &(String, String)) -> Result<Vec<flat::order::Bit>, Error> {
    let mut sources = SourceMap::new();
    let file = sources.add_file(name.as_str(), text.as_str(), None);
    smv::order::read(model, file, text).map_err(|diagnostics| {
        let what = format!("the order of variables in `{name}`");
        Rejected { name: input.name.clone(), what, sources, diagnostics }.into()
    })
}
