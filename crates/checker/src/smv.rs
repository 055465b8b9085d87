//! The stages of a check of an SMV model: selection, the symbolic engine, and its findings put into the words of a
//! [`Report`].

mod by_sat;
mod certificate;
mod describe;
pub mod proof;
mod race;
mod saved;
mod shortest;
mod stripping;

pub use ::smv::aiger::{Malformed, to_smv as of_aiger};
pub use by_sat::aiger;
pub use describe::{DEADLOCK, falsehood};
pub use saved::{misstated, trace, typed};

use crate::error::{Error, Rejected};
use crate::observer::Observer;
use crate::options::{SmvEngine, SmvOptions};
use crate::promela::input::digest;
use crate::report::{
    DiagnosticNote, Language, ModelSummary, PropertyKind, PropertyReport, Report, Seconds, Stage, Verdict,
};
use crate::selection::{COMMAND_LINE, Selection, Wanted};
use crate::stopwatch::Stopwatch;
use flat::model::{Model, Property};
use kernel::budget::Budget;
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::span::{FileId, SourceMap};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use symbolic::check::{Disagreement, Progress, name};
use symbolic::encode::Encoding;
use symbolic::report::{CheckResult, Trace};
use symbolic::validate::retrace::Claimed;
use symbolic::validate::retrace::length::{self, Shortness};

/// An SMV model that was accepted.
#[derive(Clone, Debug)]
pub struct Input {
    /// The name of the file.
    pub name: String,
    /// Its text, and the formulas given beside it.
    pub sources: SourceMap,
    /// The model, typed and flat, with the formulas given beside it as its last properties. Copies of the input share it: a
    /// model of a million variables takes hundreds of megabytes.
    pub model: Arc<Model>,
    /// What its reader warns of.
    pub warnings: Vec<Diagnostic>,
    /// The hash of the text.
    pub hash: String,
    file: FileId,
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
        let (name, hash, model) = (name.into(), digest([text].into_iter()), Arc::new(model));
        Ok(Self { name, sources, model, warnings: loaded.diagnostics, hash, file, read_in: started.elapsed() })
    }

    /// The model with a property given beside it, named after its formula. `shown` names the text in messages.
    ///
    /// # Errors
    /// What is wrong with the formula, or the limit that was exhausted before it was read.
    pub fn with_formula(&self, kind: PropertyKind, shown: &str, text: &str, budget: &Budget) -> Result<Self, Error> {
        self.with_formulas(&[(kind, shown, text)], budget)
    }

    fn with_formulas(&self, formulas: &[(PropertyKind, &str, &str)], budget: &Budget) -> Result<Self, Error> {
        let mut sources = self.sources.clone();
        let before = self.model.properties.iter().filter(|property| property.span.file != self.file);
        let before = before.map(|property| (property.span.file, property.question.kind()));
        let all: Vec<(FileId, &str)> = before
            .chain(formulas.iter().map(|(kind, shown, text)| (sources.add_file(*shown, *text, None), kind.word())))
            .collect();
        let beside = |(file, kind): &(FileId, &str)| {
            let kind = match *kind {
                "ctl" => Some(smv::ast::PropertyKind::Ctl),
                "invariant" => Some(smv::ast::PropertyKind::Invariant),
                "compute" => None,
                _ => Some(smv::ast::PropertyKind::Ltl),
            };
            smv::Beside { file: *file, kind }
        };
        let beside: Vec<smv::Beside> = all.iter().map(beside).collect();
        let loaded = smv::load_with(&sources, self.file, &beside, budget)?;
        let Some(model) = loaded.model else {
            let mut diagnostics = loaded.diagnostics;
            diagnostics.retain(|one| one.severity == Severity::Error);
            for wrong in &mut diagnostics {
                wrong.hints.extend(self.names_instead_of(sources.text(wrong.primary.span.file)));
            }
            return Err(Rejected { name: self.name.clone(), what: "the formula".into(), sources, diagnostics }.into());
        };
        Ok(Self { sources, model: Arc::new(model), ..self.clone() })
    }

    /// The model with all formulas of a selection that it does not state itself.
    pub(crate) fn with_selection(&self, wanted: &Selection, budget: &Budget) -> Result<Self, Error> {
        let mut formulas: Vec<(PropertyKind, &str, &str)> = Vec::new();
        for one in &wanted.wanted {
            let (kind, origin, text) = match one {
                Wanted::Ltl(text) => (PropertyKind::Ltl, COMMAND_LINE, text),
                Wanted::Ctl(text) => (PropertyKind::Ctl, COMMAND_LINE, text),
                Wanted::Invariant(text) => (PropertyKind::Invariant, COMMAND_LINE, text),
                Wanted::Formula { origin, text } => (PropertyKind::Ltl, origin.as_str(), text),
                _ => continue,
            };
            let is_known = formulas.iter().any(|(other, _, known)| (*other, *known) == (kind, text.as_str()));
            if !is_known && !self.states(kind, text) {
                formulas.push((kind, origin, text));
            }
        }
        if formulas.is_empty() { Ok(self.clone()) } else { self.with_formulas(&formulas, budget) }
    }

    /// True if the model has a property of this kind with this name, or with the name of this formula.
    fn states(&self, kind: PropertyKind, text: &str) -> bool {
        self.property(&name_of_formula(text)).is_some_and(|property| property.question.kind() == kind.word())
    }

    /// The names of the model's properties, as a hint for a formula that is but a name.
    fn names_instead_of(&self, formula: &str) -> Option<String> {
        let is_name = formula.trim().chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        let own = self.model.properties.iter().enumerate().filter(|(_, property)| property.span.file == self.file);
        let names: Vec<String> = own.map(|(at, property)| format!("`{}`", name(at, property))).collect();
        (is_name && !names.is_empty()).then(|| format!("the properties of this model are {}", names.join(", ")))
    }

    /// The formula of a property that was given beside the model.
    pub(crate) fn beside(&self, property: &Property) -> Option<&str> {
        (property.span.file != self.file).then(|| self.sources.text(property.span.file))
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

/// The name of a property that is given as a formula.
fn name_of_formula(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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
    let explaining = (options.explain.then_some(budget), options.observe.then_some(budget));
    let input = &input.with_selection(wanted, budget)?;
    let model = select(input, wanted)?;
    if matches!(options.engine, SmvEngine::Bmc | SmvEngine::Induction | SmvEngine::Ic3) {
        if wanted.wanted.iter().any(is_implicit) {
            let words = "the SAT engines decide what a model states; `deadlock` and `fairness` need decision diagrams";
            return Err(Error::Options(words.into()));
        }
        return by_sat::check(input, &model, options, budget, observer, &watch);
    }
    if options.engine == SmvEngine::Auto && !Encoding::has_room_for(&model) {
        let mut report = by_sat::check(input, &model, options, budget, observer, &watch)?;
        let words =
            "`deadlock` and `fairness` were not checked: the model has more bits than decision diagrams can have";
        report.warnings.push(words.into());
        return Ok(report);
    }
    let order = options.order.as_ref().map(|order| read_order(&model, input, order)).transpose()?;
    // Diagrams alone count the levels of a breadth-first search, so that nobody may stop them.
    let is_race = options.engine == SmvEngine::Auto && !options.diameter;
    let options = symbolic::check::SymbolicOptions {
        reorder: options.reorder,
        order,
        cone_of_influence: options.cone_of_influence,
        deadlocks: options.deadlocks,
        diameter: options.diameter,
        counterexamples: true,
        minimise: options.strip,
        search: Some(shortest::search),
    };
    let announced = describe::announced(input, &model, options.deadlocks);
    observer.begin(&announced);
    let (observer, described) = (RefCell::new(observer), RefCell::new(vec![None; announced.len()]));
    let property_starts = RefCell::new(watch.seconds());
    let diagrams = race::Diagrams::within(budget, model.properties.len());
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
            watch.transfer(Stage::Shorten, Duration::from_secs_f64(stripping + found.shortening_seconds));
            watch.transfer(Stage::Validate, Duration::from_secs_f64(found.validation_seconds));
            let seconds = watch.seconds().since(&property_starts.replace(watch.seconds()));
            let report = describe::property(input, &model, found, so_far, index, seconds, explaining);
            // In a race, SAT may still decide what is open, or find a shorter counterexample.
            if !is_race || is_final(&report.verdict) {
                observer.borrow_mut().property(&report);
            }
            if is_final(&report.verdict) || is_beyond_improvement(&model, index, &report.verdict) {
                diagrams.settle(index);
            }
            described.borrow_mut()[index] = Some(report);
        }
    };
    let of_sat = diagrams.competitor(budget);
    let (found, answers) = std::thread::scope(|scope| {
        let sat = is_race.then(|| scope.spawn(|| race::run(input, &model, options.minimise, &of_sat, &diagrams)));
        let budget = if is_race { &diagrams.budget } else { budget };
        let found = symbolic::check::check(&model, &options, budget, &mut progress);
        diagrams.budget.cancel_switch().store(true, Ordering::Relaxed);
        let is_open = |found: &CheckResult| found.properties.iter().any(|one| one.coverage().is_none());
        // What diagrams leave open because they need too much memory is left to SAT.
        let is_needed = found.as_ref().is_ok_and(is_open);
        of_sat.cancel_switch().store(!is_needed, Ordering::Relaxed);
        let join = |sat: std::thread::ScopedJoinHandle<'_, race::Answers>| {
            sat.thread().unpark();
            sat.join().unwrap_or_default()
        };
        let answers = sat.map(join).filter(|_| is_needed || !diagrams.were_quick());
        (found, answers)
    });
    let mut found = found.map_err(|error| without_report(input, error))?;
    let described = described.into_inner().into_iter().zip(announced).enumerate();
    let mut properties: Vec<PropertyReport> = described
        .map(|(index, (described, announced))| {
            // A limit can be reached before a property is begun.
            let unbegun = || match found.properties.get(index) {
                Some(one) => describe::property(input, &model, one, &found, index, Seconds::default(), explaining),
                None => describe::unbegun(announced, budget),
            };
            described.unwrap_or_else(unbegun)
        })
        .collect();
    let mut certificates = Vec::new();
    if let Some(answers) = answers {
        // Nobody asked for the implicit properties, so that it is no failure if they are left undecided.
        let is_warning = answers.had_all() && !wanted.wanted.iter().any(is_implicit);
        let warnings = is_warning.then_some(&mut found.warnings);
        (properties, certificates) = race::merged(input, &model, properties, answers, explaining, warnings)?;
    }
    let statistics = describe::statistics(&found);
    for property in &mut properties {
        property.statistics.states = property.statistics.states.or(statistics.states);
        property.statistics.peak_nodes = statistics.peak_nodes;
        property.statistics.peak_memory_bytes = statistics.peak_memory_bytes;
    }
    Ok(Report {
        model: input.summary(),
        complete: properties.iter().all(|property| !matches!(property.verdict, Verdict::Unknown(_))),
        properties,
        endless_atomic: None,
        unreached: None,
        fact_check: None,
        diagnostics: input.warnings.iter().map(|one| DiagnosticNote::of(&input.sources, one)).collect(),
        warnings: found.warnings.clone(),
        statistics,
        variable_order: found.order,
        certificates,
        seconds: watch.seconds(),
    })
}

/// Whether another engine cannot improve a verdict.
fn is_final(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Unknown(_) => false,
        Verdict::Violated(violation) => violation.counterexamples().first().is_none_or(|one| one.is_shortest()),
        Verdict::Holds { .. } | Verdict::HoldsVacuously { .. } | Verdict::Computed { .. } => true,
    }
}

/// Whether SAT has no shorter counterexample to show than the one that is known, shortest or not.
fn is_beyond_improvement(model: &Model, index: usize, verdict: &Verdict) -> bool {
    let is_first_shortest = |property: &Property| by_sat::is_first_shortest(model, &property.question);
    matches!(verdict, Verdict::Violated(_)) && !model.properties.get(index).is_some_and(is_first_shortest)
}

/// Why the engine has no report.
fn without_report(input: &Input, error: symbolic::check::Error) -> Error {
    match error {
        symbolic::check::Error::Wrong(diagnostics) => {
            let (name, what, sources) = (input.name.clone(), "the model".into(), input.sources.clone());
            Rejected { name, what, sources, diagnostics }.into()
        }
        symbolic::check::Error::Disagreement(Disagreement { steps, reason }) => {
            Error::Disagreement { step: steps + 1, reason }
        }
    }
}

/// Whether no counterexample has fewer steps than a recorded trace, by checking its property again.
#[must_use]
pub fn shortness(model: &Model, claimed: Claimed<'_>, trace: &Trace, budget: &Budget) -> Shortness {
    length::shortness(model, claimed, trace, Some(shortest::search), budget)
}

/// The properties that every check of an SMV model decides: other properties of a model that deadlocks, or that has no fair
/// path, can hold for the wrong reason.
const IMPLICIT: [PropertyKind; 2] = [PropertyKind::Deadlock, PropertyKind::Fairness];

/// The model with the wanted properties only.
fn select(input: &Input, wanted: &Selection) -> Result<Arc<Model>, Error> {
    if wanted.is_all() {
        return Ok(Arc::clone(&input.model));
    }
    let mut model = Model::clone(&input.model);
    let names: Vec<String> = model.properties.iter().enumerate().map(|(at, one)| name(at, one)).collect();
    for (property, name) in model.properties.iter_mut().zip(&names) {
        property.name.get_or_insert_with(|| name.clone());
    }
    for one in &wanted.wanted {
        let is_found = model.properties.iter().any(|property| is_wanted(property, one));
        match one {
            _ if is_found => {}
            // Every model has these two, and no section states them.
            _ if is_implicit(one) => {}
            Wanted::Named(wanted) => {
                let known = names.into_iter().chain(IMPLICIT.map(|kind| kind.word().to_owned())).collect();
                return Err(Error::UnknownProperty { name: wanted.clone(), known });
            }
            Wanted::Kind(kind) => return Err(Error::NoneOfKind(*kind)),
            _ => {
                let words = "never claims, automata over expressions, assertions and labels are properties of Promela \
                             models: an SMV model has CTL and LTL formulas and invariants";
                return Err(Error::Options(words.into()));
            }
        }
    }
    model.properties.retain(|property| wanted.wanted.iter().any(|one| is_wanted(property, one)));
    Ok(Arc::new(model))
}

/// True if a property that no section states is wanted.
fn is_implicit(wanted: &Wanted) -> bool {
    match wanted {
        Wanted::Named(name) => IMPLICIT.iter().any(|kind| kind.word() == name),
        Wanted::Kind(kind) => IMPLICIT.contains(kind),
        _ => false,
    }
}

/// True if a property, whose name is set, is the one that is wanted, or one of them.
fn is_wanted(property: &Property, wanted: &Wanted) -> bool {
    let is = |kind: PropertyKind| property.question.kind() == kind.word();
    let is_named = |text: &str| property.name.as_deref() == Some(text);
    match wanted {
        Wanted::Named(name) => is_named(name),
        Wanted::Kind(kind) => is(*kind),
        Wanted::Ltl(text) | Wanted::Formula { text, .. } => is(PropertyKind::Ltl) && is_named(&name_of_formula(text)),
        Wanted::Ctl(text) => is(PropertyKind::Ctl) && is_named(&name_of_formula(text)),
        Wanted::Invariant(text) => is(PropertyKind::Invariant) && is_named(&name_of_formula(text)),
        Wanted::Safety | Wanted::Never { .. } | Wanted::Automaton { .. } => false,
    }
}

fn read_order(model: &Model, input: &Input, (name, text): &(String, String)) -> Result<Vec<flat::order::Bit>, Error> {
    let mut sources = SourceMap::new();
    let file = sources.add_file(name.as_str(), text.as_str(), None);
    smv::order::read(model, file, text).map_err(|diagnostics| {
        let what = format!("the order of variables in `{name}`");
        Rejected { name: input.name.clone(), what, sources, diagnostics }.into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disagreement_of_the_engine_is_one_of_the_check() {
        let input = Input::read("a.smv", "MODULE main VAR a : boolean;", &Budget::unlimited()).expect("a model");
        let disagreement = Disagreement { steps: 2, reason: "state 2 is not followed by state 3".into() };
        let error = without_report(&input, symbolic::check::Error::Disagreement(disagreement));
        let words = "the engine and the validator disagree at step 3: state 2 is not followed by state 3";
        assert_eq!(error.to_string(), words);
    }
}
