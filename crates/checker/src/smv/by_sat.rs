//! SMV models checked by the SAT engines.
//!
//! Contract: invariants and formulas of linear time are decided; other properties are `unknown` with a reason. Every
//! counterexample is a shortest one, and was confirmed by the definition of the model. The implicit
//! properties, `deadlock` and `fairness`, are left to decision diagrams.

use super::{Input, certificate, describe};
use crate::error::{Error, Rejected};
use crate::observer::Observer;
use crate::options::{SmvEngine, SmvOptions};
use crate::report::{DiagnosticNote, Engine, PropertyReport, Reason, Report, Seconds, Stage, Statistics, Verdict};
use crate::stopwatch::Stopwatch;
use flat::model::{Model, Question, VariableKind};
use kernel::budget::{Budget, Exhausted};
use sat::design::{Design, Failure};
use sat::engine::{Argument, Outcome, Proof};
use symbolic::check::name;
use symbolic::report::{CheckResult, PropertyResult, Trace};
use symbolic::validate::{Validated, line};
use symbolic::witness::explicit::Line;

/// What is said of a property of linear time if there is nothing for it to be about.
const NO_PATH: &str = "no path from an initial state is fair and infinite";

/// What the engines keep.
const STORE: &str = "clauses";

/// The answer about one property.
pub(super) enum Found {
    /// It holds.
    Holds(Proof),
    /// It does not.
    Violated(Validated<Trace>),
    /// It is undecided: no counterexample has fewer steps than this.
    Open(usize, Option<Exhausted>),
    /// The engines do not decide such properties.
    Unsupported,
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
    observer.begin(&announced);
    watch.enter(Stage::Translate);
    observer.stage(Stage::Translate, None);
    let mut design = match design(input, model, budget) {
        Ok(design) => Some(design),
        Err(Stop::Limit(_)) => None,
        Err(Stop::Error(error)) => return Err(error),
    };
    let (mut properties, mut certificates) = (Vec::new(), Vec::new());
    for (index, announced) in announced.into_iter().enumerate() {
        watch.enter(Stage::Search);
        let begun = watch.seconds();
        observer.stage(Stage::Search, Some(&announced.name));
        let report = match &mut design {
            Some(design) => {
                let found = decide(design, index, engine(options), budget)?;
                certificates.extend(certificate::of(model, index, &found));
                described(
                    input,
                    model,
                    index,
                    announced,
                    found,
                    (options.explain.then_some(budget), options.observe.then_some(budget)),
                )
            }
            None => describe::unbegun(announced, budget),
        };
        let report = PropertyReport { seconds: watch.seconds().since(&begun), ..report };
        observer.property(&report);
        properties.push(report);
    }
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
        warnings: Vec::new(),
        statistics: Statistics {
            state_variables: Some((model.variables.len() - inputs) as u64),
            input_variables: Some(inputs as u64),
            bits: Some(model.variables.iter().map(|variable| u64::from(variable.domain.bits())).sum()),
            ..Statistics::default()
        },
        variable_order: Vec::new(),
        certificates,
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

/// Decides one property.
pub(super) fn decide(
    design: &mut Design<'_>,
    index: usize,
    engine: sat::engine::Engine,
    budget: &Budget,
) -> Result<Found, Error> {
    let model = design.model();
    let question = &model.properties[index].question;
    let outcome = match question {
        Question::Invariant(node) => sat::engine::invariant(design, *node, engine, budget),
        Question::Ltl(formula) => sat::engine::linear(design, formula, engine, budget),
        _ => return Ok(Found::Unsupported),
    };
    Ok(match outcome {
        Ok(Outcome::Holds(proof)) => Found::Holds(proof),
        Ok(Outcome::Open { refuted, limit }) => Found::Open(refuted, limit),
        Ok(Outcome::Violated(trace)) => {
            let line = Line { positions: design.positions(&trace), loop_start: trace.loop_start };
            let confirmed = self::line(model, question, &line, true);
            Found::Violated(
                confirmed.map_err(|refusal| Error::Disagreement { step: refusal.steps + 1, reason: refusal.reason })?,
            )
        }
        Ok(Outcome::Defective(defect)) => {
            let reason = format!("the proof of {} is no proof: {defect:?}", name(index, &model.properties[index]));
            return Err(Error::Disagreement { step: 0, reason });
        }
        Err(Failure::Stopped(limit)) => Found::Open(0, Some(limit)),
        Err(Failure::Wrong(_)) => Found::Unsupported,
    })
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
    let engine = |search: &str| Engine { search: Some(search.into()), store: Some(STORE.into()), ..Engine::default() };
    match found {
        Found::Violated(trace) => {
            let length = trace.length();
            let result = PropertyResult::refuted(index, &model.properties[index], trace);
            let nothing = CheckResult::default();
            let report = describe::property(input, model, &result, &nothing, index, Seconds::default(), explaining);
            PropertyReport { engine: Engine { refuted_below: Some(length), ..engine("bmc") }, ..report }
        }
        Found::Holds(proof) => {
            let is_linear = matches!(model.properties[index].question, Question::Ltl(_));
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
                engine: Engine {
                    argument: Some(certificate::words(proof.argument())),
                    ..engine(proof.argument().engine())
                },
                ..announced
            }
        }
        Found::Open(refuted, limit) => {
            let reason = match limit {
                Some(limit) => Reason::Limit(limit),
                None => Reason::LengthBound(format!(
                    "only counterexamples of at most {} were searched for, and there is none",
                    kernel::words::count(refuted.saturating_sub(1) as u64, "step")
                )),
            };
            let engine = Engine { refuted_below: Some(refuted), ..engine("bmc") };
            PropertyReport { verdict: Verdict::Unknown(reason), engine, ..announced }
        }
        Found::Unsupported => {
            let words = "SAT decides invariants and formulas of linear time; decision diagrams decide all properties";
            PropertyReport { verdict: Verdict::Unknown(Reason::Unsupported(words.into())), ..announced }
        }
    }
}
