//! A check's report for scripts; the schema is described in `docs/json.md`.

use crate::diagnostics::place;
use checker::error::Rejected;
use checker::promela::record::StepRecord;
use checker::promela::refinement::Refinement;
use checker::promela::report::{self, Counterexample, Engine, Numbers, Property, Report, Sense};
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::span::SourceMap;
use omega::analyse::strength::Strength;
use omega::constraint::choice::Size;
use serde::Serialize;

/// The version of the schema.
pub(crate) const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document {
    schema: u32,
    model: Model,
    properties: Vec<PropertyRecord>,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    endless_atomic: Option<bool>,
    omitted_counterexamples: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unreached: Option<Vec<Unreached>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fact_check: Option<FactCheckRecord>,
    diagnostics: Vec<DiagnosticRecord>,
    seconds: Seconds,
}

#[derive(Serialize)]
struct Model {
    file: String,
    sha256: String,
    defines: Vec<String>,
    undefines: Vec<String>,
}

#[derive(Serialize)]
struct PropertyRecord {
    name: String,
    kind: &'static str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vacuous: Option<bool>,
    states: u64,
    transitions: u64,
    depth: u64,
    seconds: f64,
    peak_memory_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    formula: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<WarningRecord>,
    engine: EngineRecord,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<CounterexampleRecord>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    further_counterexamples: Vec<CounterexampleRecord>,
}

#[derive(Serialize)]
struct EngineRecord {
    search: String,
    store: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    transient_steps: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strength: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    automaton_states: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fair: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missed_probability: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failing_atom: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refinement: Option<RefinementRecord>,
}

#[derive(Serialize)]
struct RefinementRecord {
    way: &'static str,
    facts: usize,
    before: SizeRecord,
    after: SizeRecord,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

#[derive(Serialize)]
struct SizeRecord {
    states: usize,
    edges: usize,
}

/// A warning about a property that facts alone decide.
#[derive(Serialize)]
struct WarningRecord {
    kind: &'static str,
    message: String,
    facts: Vec<String>,
}

#[derive(Serialize)]
struct FactCheckRecord {
    confirmed: usize,
    states: usize,
    complete: bool,
    reason: Option<String>,
}

#[derive(Serialize)]
struct CounterexampleRecord {
    message: String,
    at: Option<String>,
    length: usize,
    minimal: bool,
    minimal_among: Sense,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_length: Option<u64>,
    validated: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    proof: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace_file: Option<String>,
    stem: Vec<StepRecord>,
    #[serde(rename = "loop")]
    cycle: Vec<StepRecord>,
}

#[derive(Serialize)]
struct Unreached {
    process: String,
    file: String,
    line: u32,
    column: u32,
    statement: String,
}

#[derive(Serialize)]
pub(crate) struct DiagnosticRecord {
    code: &'static str,
    severity: &'static str,
    message: String,
    file: String,
    line: u32,
    column: u32,
    notes: Vec<String>,
    hints: Vec<String>,
}

#[derive(Serialize)]
struct Seconds {
    reading: f64,
    compiling: f64,
    searching: f64,
    tracing: f64,
    validating: f64,
}

/// The whole report, on one line.
pub(crate) fn report(report: &Report<'_>) -> String {
    let sources = &report.input.sources;
    let unreached = |place: &report::UnreachedPlace| {
        let (line, column) = sources.line_column(place.span);
        let file = sources.name(sources.place(place.span).file).into();
        Unreached { process: place.process.clone(), file, line, column, statement: place.statement.clone() }
    };
    let safety = report.safety.as_ref();
    let statistics = safety.map(|safety| safety.statistics).unwrap_or_default();
    let temporal = report.properties.iter().filter(|property| property.temporal.is_some());
    let searching = temporal.map(|property| property.numbers.seconds).sum::<f64>();
    let places = safety.and_then(|safety| safety.unreached.as_ref());
    let document = Document {
        schema: SCHEMA,
        model: Model {
            file: report.input.name.clone(),
            sha256: report.input.hash.clone(),
            defines: report.input.defines.clone(),
            undefines: report.input.undefines.clone(),
        },
        properties: report.properties.iter().map(|one| property(report, one)).collect(),
        complete: report.is_complete(),
        endless_atomic: report.is_endless,
        omitted_counterexamples: report.omitted(),
        unreached: places.map(|places| places.iter().map(unreached).collect()),
        fact_check: report.fact_check.map(|check| FactCheckRecord {
            confirmed: check.confirmed,
            states: check.states,
            complete: check.cut.is_none(),
            reason: check.reason(),
        }),
        diagnostics: diagnostics(sources, &report.input.warnings),
        seconds: Seconds {
            reading: report.phases.reading,
            compiling: report.phases.compiling,
            searching: statistics.searching.as_secs_f64() + searching,
            tracing: statistics.tracing.as_secs_f64(),
            validating: report.phases.validating,
        },
    };
    let mut text = serde_json::to_string(&document).expect("a report has string keys only");
    text.push('\n');
    text
}

/// Diagnostics, for scripts.
pub(crate) fn diagnostics(sources: &SourceMap, list: &[Diagnostic]) -> Vec<DiagnosticRecord> {
    let record = |diagnostic: &Diagnostic| {
        let (line, column) = sources.line_column(diagnostic.primary.span);
        DiagnosticRecord {
            code: diagnostic.code,
            severity: match diagnostic.severity {
                Severity::Warning => "warning",
                Severity::Error => "error",
            },
            message: diagnostic.message.clone(),
            file: sources.name(sources.place(diagnostic.primary.span).file).into(),
            line,
            column,
            notes: diagnostic.notes.clone(),
            hints: diagnostic.hints.clone(),
        }
    };
    list.iter().map(record).collect()
}

/// What is wrong with a model that is not accepted, on one line.
pub(crate) fn rejection(rejected: &Rejected) -> String {
    let document = serde_json::json!({
        "schema": SCHEMA,
        "model": { "file": rejected.name },
        "properties": [],
        "diagnostics": diagnostics(&rejected.sources, &rejected.diagnostics),
    });
    format!("{document}\n")
}

fn property(report: &Report<'_>, property: &Property) -> PropertyRecord {
    let Numbers { states, transitions, depth, seconds, bytes, .. } = property.numbers;
    let mut counterexamples = property.counterexamples().iter().map(|one| counterexample(report, one));
    PropertyRecord {
        name: property.name.clone(),
        kind: property.kind.word(),
        verdict: property.verdict.word(),
        reason: property.reason(),
        vacuous: property.vacuous.as_ref().map(|_| true),
        states,
        transitions,
        depth,
        seconds,
        peak_memory_bytes: bytes,
        formula: property.temporal.as_ref().and_then(|temporal| temporal.text.clone()),
        at: property
            .temporal
            .as_ref()
            .and_then(|temporal| temporal.span)
            .map(|span| place(&report.input.sources, span)),
        warning: property.engine.decided.as_ref().map(|decided| WarningRecord {
            kind: decided.word(),
            message: format!("{} {}", property.name, decided.message()),
            facts: decided.facts.clone(),
        }),
        engine: engine(&property.engine),
        counterexample: counterexamples.next(),
        further_counterexamples: counterexamples.collect(),
    }
}

fn engine(engine: &Engine) -> EngineRecord {
    EngineRecord {
        search: engine.search.clone(),
        store: engine.store,
        transient_steps: engine.transient_steps,
        strength: engine.strength.map(|strength| match strength {
            Strength::Rejecting => "rejecting",
            Strength::Terminal => "terminal",
            Strength::Weak => "weak",
            Strength::Strong => "strong",
        }),
        automaton_states: engine.automaton_states,
        fair: engine.is_fair.then_some("weak"),
        missed_probability: engine.missed,
        failing_atom: engine.failing_atom.clone(),
        refinement: engine.refinement.as_ref().map(refinement),
    }
}

fn refinement(refinement: &Refinement) -> RefinementRecord {
    let size = |size: Size| SizeRecord { states: size.states, edges: size.edges };
    RefinementRecord {
        way: refinement.word(),
        facts: refinement.facts,
        before: size(refinement.before),
        after: size(refinement.after),
        reason: refinement.kept,
    }
}

fn counterexample(report: &Report<'_>, counterexample: &Counterexample) -> CounterexampleRecord {
    let recorder = report.recorder();
    let run = &counterexample.run;
    CounterexampleRecord {
        message: report.headline(run),
        at: report::place(recorder, run).map(|span| place(recorder.sources, span)),
        length: run.length(),
        minimal: counterexample.is_shortest,
        minimal_among: counterexample.sense,
        first_length: counterexample.first_length,
        // Only a validated run can be part of a report.
        validated: true,
        proof: counterexample.proof.clone(),
        trace_file: counterexample.saved.as_ref().map(|path| path.display().to_string()),
        stem: recorder.stem(run),
        cycle: recorder.cycle(run),
    }
}
