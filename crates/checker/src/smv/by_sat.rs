//! SMV models checked by the SAT engines.
//!
//! Contract: invariants, formulas of linear time and those of branching time that say the same as one of linear time are
//! decided; other properties are `unknown` with a reason. Every counterexample to the first two, and to `AG p` where it says the
//! same as an invariant, is a shortest one, and all are confirmed by the definition of the model. The implicit properties, `deadlock` and `fairness`, are left to
//! decision diagrams. A property that takes long does not keep the others waiting: all have their turns ([`in_rounds`]).

use super::{Input, certificate, describe, stripping};
use crate::error::{Error, Rejected};
use crate::observer::Observer;
use crate::options::{SmvEngine, SmvOptions};
use crate::report::{DiagnosticNote, Engine, PropertyReport, Reason, Report, Seconds, Stage, Statistics, Verdict};
use crate::stopwatch::Stopwatch;
use crate::thresholds::time::SAT_ROUND;
use flat::enumerate::Valuation;
use flat::model::{CtlFormula, CtlUnary, Model, Question, VariableKind};
use kernel::budget::{Budget, Exhausted};
use sat::certificate::Defect;
use sat::design::{Design, Failure};
use sat::engine::{Argument, Outcome, Proof};
use std::borrow::Cow;
use symbolic::check::name;
use symbolic::report::{CheckResult, Minimised, PropertyResult, Trace};
use symbolic::strip::Effort;
use symbolic::validate::{Validated, line};
use symbolic::witness::explicit::Line;

/// What is said of a property of linear time if there is nothing for it to be about.
const NO_PATH: &str = "no path from an initial state is fair and infinite";

/// What is said of a model without properties.
const NOTHING: &str =
    "nothing was checked: the model states no property, and `deadlock` and `fairness` need decision diagrams";

/// What the engines keep.
const STORE: &str = "clauses";

/// The answer about one property.
pub(super) enum Found {
    /// It holds.
    Holds(Proof),
    /// It does not.
    Violated(Box<Counterexample>),
    /// It is undecided: no counterexample has fewer steps than this.
    Open(usize, Option<Exhausted>),
    /// The engines do not decide such properties.
    Unsupported,
}

/// A counterexample.
pub(super) struct Counterexample {
    confirmed: Validated<Trace>,
    /// What stripping did.
    minimised: Option<Minimised>,
    /// The same over the circuit.
    trace: sat::circuit::Trace,
    positions: Vec<Valuation>,
}

/// Checks the properties of a model.
pub(super) fn check(
    input: &Input,
    model: &Model,
    options: &SmvOptions,
    budget: &Budget,
    observer: &mut dyn Observer,
    watch: &Stopwatch,
) -> Result<Report, Error> {
    let mut announced = describe::announced(input, model, false);
    announced.truncate(model.properties.len());
    announced.iter_mut().for_each(|property| property.engine.is_for_sat = false);
    observer.begin(&announced);
    watch.enter(Stage::Translate);
    observer.stage(Stage::Translate, None);
    let mut design = match design(input, model, budget) {
        Ok(design) => Some(design),
        Err(Stop::Limit(_)) => None,
        Err(Stop::Error(error)) => return Err(error),
    };
    watch.enter(Stage::Search);
    observer.stage(Stage::Search, None);
    let explaining = (options.explain.then_some(budget), options.observe.then_some(budget));
    let announced_nothing = announced.is_empty();
    let mut reports: Vec<Option<PropertyReport>> = vec![None; announced.len()];
    let mut certificates = vec![None; announced.len()];
    let mut failure = None;
    if let Some(design) = &mut design {
        let mut begun = watch.seconds();
        let all = |_| budget.stage();
        in_rounds(design, (engine(options), options.strip), budget, all, |index, answer| match answer {
            Ok(found) => {
                certificates[index] = certificate::of(model, index, &found);
                let report = described(input, model, index, announced[index].clone(), found, explaining);
                let now = watch.seconds();
                let report = PropertyReport { seconds: now.since(&begun), ..report };
                begun = now;
                observer.property(&report);
                reports[index] = Some(report);
            }
            Err(error) => failure = Some(error),
        });
    }
    if let Some(error) = failure {
        return Err(error);
    }
    let or_unbegun = |(report, announced): (Option<PropertyReport>, PropertyReport)| {
        report.unwrap_or_else(|| describe::unbegun(announced, budget))
    };
    let properties: Vec<PropertyReport> = reports.into_iter().zip(announced).map(or_unbegun).collect();
    let is_input = |kind: VariableKind| kind == VariableKind::Input;
    let inputs = model.variables.iter().filter(|variable| is_input(variable.kind)).count();
    Ok(Report {
        model: input.summary(),
        complete: properties.iter().all(|one| !matches!(one.verdict, Verdict::Unknown(_))),
        properties,
        endless_atomic: None,
        unreached: None,
        fact_check: None,
        diagnostics: input.warnings.iter().map(|one| DiagnosticNote::of(&input.sources, one)).collect(),
        warnings: announced_nothing.then(|| NOTHING.to_owned()).into_iter().collect(),
        statistics: Statistics {
            state_variables: Some((model.variables.len() - inputs) as u64),
            input_variables: Some(inputs as u64),
            bits: Some(model.variables.iter().map(|variable| u64::from(variable.domain.bits())).sum()),
            ..Statistics::default()
        },
        variable_order: Vec::new(),
        certificates: certificates.into_iter().flatten().collect(),
        seconds: watch.seconds(),
    })
}

/// The circuit of a model with its invariants and formulas of linear time, in the AIGER format: text or binary.
///
/// # Errors
/// What is wrong with the model, or the limit that was exhausted.
pub fn aiger(input: &Input, is_binary: bool, budget: &Budget) -> Result<Vec<u8>, Error> {
    let model = &input.model;
    let mut design = design(input, model, budget).map_err(|stop| match stop {
        Stop::Limit(limit) => Error::Exhausted(limit),
        Stop::Error(error) => error,
    })?;
    let export = sat::aiger::of_design(&mut design, budget).map_err(Error::Exhausted)?;
    Ok(if is_binary { export.binary() } else { export.text().into_bytes() })
}

/// The engine that options ask for.
pub(super) fn engine(options: &SmvOptions) -> sat::engine::Engine {
    match options.engine {
        SmvEngine::Bmc => sat::engine::Engine::Bounded(options.bound),
        SmvEngine::Induction => sat::engine::Engine::Induction,
        SmvEngine::Ic3 => sat::engine::Engine::Ic3,
        SmvEngine::Auto | SmvEngine::Bdd => sat::engine::Engine::Turns,
    }
}

/// Why there is no circuit.
pub(super) enum Stop {
    Limit(Exhausted),
    Error(Error),
}

/// The circuit of a model.
pub(super) fn design<'m>(input: &Input, model: &'m Model, budget: &Budget) -> Result<Design<'m>, Stop> {
    Design::new(model, true, budget).map_err(|failure| match failure {
        Failure::Stopped(limit) => Stop::Limit(limit),
        Failure::Wrong(diagnostics) => {
            let (name, what, sources) = (input.name.clone(), "the model".into(), input.sources.clone());
            Stop::Error(Rejected { name, what, sources, diagnostics }.into())
        }
    })
}

/// Decides all properties in rounds, each of which has four times as much time for a property as the one before, and hands
/// each answer over as soon as it is known. A last property alone has all the time. `of` gives the budget of a property as a part of that of all;
/// a property whose own budget is exhausted is left out. What a limit keeps open is handed over at the end; what could not be
/// begun is not.
pub(super) fn in_rounds(
    design: &mut Design<'_>,
    how: (sat::engine::Engine, Effort),
    budget: &Budget,
    of: impl Fn(usize) -> Budget,
    mut answered: impl FnMut(usize, Result<Found, Error>),
) {
    let mut open: Vec<(usize, Option<Found>)> =
        (0..design.model().properties.len()).map(|index| (index, None)).collect();
    let mut time = SAT_ROUND;
    while !open.is_empty() && budget.exhausted(0).is_none() {
        let is_last = open.len() == 1;
        for (index, known) in std::mem::take(&mut open) {
            if budget.exhausted(0).is_some() {
                open.push((index, known));
                continue;
            }
            let own = of(index);
            let slice = if is_last { own.stage() } else { own.stage().within(time) };
            if own.exhausted(0).is_some() && budget.exhausted(0).is_none() {
                continue;
            }
            match (decide(design, index, how, &slice, &own), known) {
                (Ok(Found::Open(now, Some(Exhausted::Time))), Some(Found::Open(before, limit))) => {
                    open.push((index, Some(Found::Open(now.max(before), limit))));
                }
                (Ok(found @ Found::Open(_, Some(Exhausted::Time))), _) => open.push((index, Some(found))),
                (answer, _) => answered(index, answer),
            }
        }
        time = time.saturating_mul(4);
    }
    for (index, known) in open {
        // The limit of its last turn is not the one that ended the work.
        if let Some(Found::Open(refuted, limit)) = known {
            answered(index, Ok(Found::Open(refuted, budget.exhausted(0).or(limit))));
        }
    }
}

/// Decides one property within a budget, and strips a counterexample within that of all properties.
pub(super) fn decide(
    design: &mut Design<'_>,
    index: usize,
    (engine, effort): (sat::engine::Engine, Effort),
    budget: &Budget,
    of_all: &Budget,
) -> Result<Found, Error> {
    let model = design.model();
    let question = &*asked(model, &model.properties[index].question);
    let outcome = match question {
        Question::Invariant(node) => sat::engine::invariant(design, *node, engine, budget),
        Question::Ltl(formula) => sat::engine::linear(design, formula, engine, budget),
        Question::Ctl(formula) => match formula.as_linear() {
            Some(formula) => sat::engine::linear(design, &formula, engine, budget),
            None => return Ok(Found::Unsupported),
        },
        _ => return Ok(Found::Unsupported),
    };
    Ok(match outcome {
        Ok(Outcome::Holds(proof)) => Found::Holds(proof),
        Ok(Outcome::Open { refuted, limit }) => {
            Found::Open(if is_first_shortest(model, question) { refuted } else { 0 }, limit)
        }
        Ok(Outcome::Violated(trace)) => {
            let line = Line { positions: design.positions(&trace), loop_start: trace.loop_start };
            let confirmed = self::line(model, question, &line, is_first_shortest(model, question))
                .map_err(|refusal| Error::Disagreement { step: refusal.steps + 1, reason: refusal.reason })?;
            let found = Counterexample { confirmed, minimised: None, trace, positions: line.positions };
            Found::Violated(Box::new(stripped(design, index, found, effort, of_all)?))
        }
        Ok(Outcome::Defective(defect)) => return Err(defective(model, index, defect)),
        Err(Failure::Stopped(limit)) => Found::Open(0, Some(limit)),
        Err(Failure::Wrong(_)) => Found::Unsupported,
    })
}

/// A counterexample to a property, stripped within a budget.
pub(super) fn stripped(
    design: &mut Design<'_>,
    index: usize,
    found: Counterexample,
    effort: Effort,
    budget: &Budget,
) -> Result<Counterexample, Error> {
    let model = design.model();
    let question = &*asked(model, &model.properties[index].question);
    let stripped = stripping::stripped(design, question, &found.trace, &found.positions, effort, budget);
    Ok(match stripped.map_err(|defect| defective(model, index, defect))? {
        Some((relevant, figures)) => {
            let confirmed = found.confirmed.with_relevant(relevant);
            Counterexample { confirmed, minimised: Some(figures), ..found }
        }
        None => found,
    })
}

/// A proof about a property that the second solver refused.
fn defective(model: &Model, index: usize, defect: Defect) -> Error {
    let reason = format!("a proof about {} is no proof: {defect:?}", name(index, &model.properties[index]));
    Error::Disagreement { step: 0, reason }
}

/// What SAT is asked about a property. Where every path goes on and all are fair, `AG p` says that `p` is an invariant, whose
/// counterexamples are finite paths.
fn asked<'q>(model: &Model, question: &'q Question) -> Cow<'q, Question> {
    let goes_on = model.has_only_assignments() && model.justice.is_empty() && model.compassion.is_empty();
    if let Question::Ctl(CtlFormula::Unary(CtlUnary::AG, inner)) = question
        && let CtlFormula::Atom(node) = **inner
        && goes_on
    {
        let mentions = model.facts(node).mentions;
        if !mentions.next && !mentions.input {
            return Cow::Owned(Question::Invariant(node));
        }
    }
    Cow::Borrowed(question)
}

/// True if all counterexamples have the form that bounded checking searches for, so that its first one is a shortest one. A
/// formula of branching time can have a finite path that is shorter than all lassos.
pub(super) fn is_first_shortest(model: &Model, question: &Question) -> bool {
    !matches!(*asked(model, question), Question::Ctl(_))
}

/// Whether the engines decide questions of this form.
pub(super) fn is_within_reach(question: &Question) -> bool {
    match question {
        Question::Invariant(_) | Question::Ltl(_) => true,
        Question::Ctl(formula) => formula.as_linear().is_some(),
        Question::Shortest(..) | Question::Longest(..) => false,
    }
}

/// What is reported about an engine of this name.
fn engine_named(search: &str) -> Engine {
    Engine { search: Some(search.into()), store: Some(STORE.into()), ..Engine::default() }
}

/// What is reported about the engine that found a proof.
pub(super) fn engine_of(proof: &Proof) -> Engine {
    let argument = Some(certificate::words(proof.argument()));
    Engine { argument, ..engine_named(proof.argument().engine()) }
}

/// An answer as a report.
pub(super) fn described(
    input: &Input,
    model: &Model,
    index: usize,
    announced: PropertyReport,
    found: Found,
    explaining: (Option<&Budget>, Option<&Budget>),
) -> PropertyReport {
    match found {
        Found::Violated(found) => {
            let length = found.confirmed.length();
            let mut result = PropertyResult::refuted(index, &model.properties[index], found.confirmed);
            result.minimised = found.minimised;
            let nothing = CheckResult::default();
            let report = describe::property(input, model, &result, &nothing, index, Seconds::default(), explaining);
            let refuted = is_first_shortest(model, &model.properties[index].question).then_some(length);
            PropertyReport { engine: Engine { refuted_below: refuted, ..engine_named("bmc") }, ..report }
        }
        Found::Holds(proof) => {
            let is_linear =
                matches!(*asked(model, &model.properties[index].question), Question::Ltl(_) | Question::Ctl(_));
            let coverage = (&proof).into();
            let vacuous = match proof.argument() {
                Argument::PathsEnd(0) => Some("there is no initial state"),
                Argument::PathsEnd(_) if is_linear => Some(NO_PATH),
                _ => None,
            };
            PropertyReport {
                verdict: match vacuous {
                    Some(reason) => Verdict::HoldsVacuously { coverage, reason: reason.into() },
                    None => Verdict::Holds { coverage },
                },
                engine: engine_of(&proof),
                ..announced
            }
        }
        Found::Open(refuted, limit) => {
            let reason = match limit {
                Some(limit) => Reason::Limit(limit),
                None if refuted == 0 => {
                    Reason::LengthBound("the lassos up to the bound were searched, and none is a counterexample".into())
                }
                None => Reason::LengthBound(format!(
                    "only counterexamples of at most {} were searched for, and there is none",
                    kernel::words::count(refuted.saturating_sub(1) as u64, "step")
                )),
            };
            let engine = Engine { refuted_below: (refuted > 0).then_some(refuted), ..engine_named("bmc") };
            PropertyReport { verdict: Verdict::Unknown(reason), engine, ..announced }
        }
        Found::Unsupported => {
            let words = "SAT decides invariants, LTL and CTL that says the same as LTL; decision diagrams decide all";
            PropertyReport { verdict: Verdict::Unknown(Reason::Unsupported(words.into())), ..announced }
        }
    }
}
