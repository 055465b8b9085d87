//! A check's report for scripts; the schema is described in `docs/json.md`.

use crate::diagnostics::place;
use crate::input::Rejected;
use crate::record::StepRecord;
use crate::report::{self, Counterexample, Property, Report};
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::span::SourceMap;
use search::check::Order;
use search::explore::End;
use serde::Serialize;

/// The version of the schema.
pub(crate) const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document {
    schema: u32,
    model: Model,
    properties: Vec<PropertyRecord>,
    complete: bool,
    omitted_counterexamples: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unreached: Option<Vec<Unreached>>,
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
    engine: Engine,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<CounterexampleRecord>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    further_counterexamples: Vec<CounterexampleRecord>,
}

#[derive(Clone, Copy, Serialize)]
struct Engine {
    search: &'static str,
    store: &'static str,
    transient_steps: u64,
}

#[derive(Serialize)]
struct CounterexampleRecord {
    message: String,
    at: Option<String>,
    length: usize,
    minimal: bool,
    validated: bool,
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
        let file = sources.name(sources.outermost(place.span).file).into();
        Unreached { process: place.process.clone(), file, line, column, statement: place.statement.clone() }
    };
    let document = Document {
        schema: SCHEMA,
        model: Model {
            file: report.input.name.clone(),
            sha256: report.input.hash.clone(),
            defines: report.input.defines.clone(),
            undefines: report.input.undefines.clone(),
        },
        properties: report.properties.iter().map(|one| property(report, one)).collect(),
        complete: report.end == End::Complete,
        omitted_counterexamples: report.omitted,
        unreached: report.unreached.as_ref().map(|places| places.iter().map(unreached).collect()),
        diagnostics: diagnostics(sources, &report.input.warnings),
        seconds: Seconds {
            reading: report.phases.reading,
            compiling: report.phases.compiling,
            searching: report.statistics.searching.as_secs_f64(),
            tracing: report.statistics.tracing.as_secs_f64(),
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
            file: sources.name(sources.outermost(diagnostic.primary.span).file).into(),
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
    let statistics = if property.is_searched { report.statistics } else { search::explore::Statistics::default() };
    let mut counterexamples = property.counterexamples().iter().map(|one| counterexample(report, one));
    PropertyRecord {
        name: property.name.clone(),
        kind: property.kind.word(),
        verdict: property.verdict.word(),
        reason: property.reason(),
        vacuous: property.vacuous.map(|_| true),
        states: statistics.states,
        transitions: statistics.transitions,
        depth: statistics.depth,
        seconds: statistics.searching.as_secs_f64(),
        peak_memory_bytes: statistics.bytes,
        engine: Engine {
            search: match report.order {
                Order::DepthFirst => "dfs",
                Order::BreadthFirst => "bfs",
            },
            store: "exact",
            transient_steps: statistics.transient_steps,
        },
        counterexample: counterexamples.next(),
        further_counterexamples: counterexamples.collect(),
    }
}

fn counterexample(report: &Report<'_>, counterexample: &Counterexample) -> CounterexampleRecord {
    let recorder = report.recorder();
    let story = &counterexample.story;
    CounterexampleRecord {
        message: report.headline(story),
        at: report::place(recorder, story).map(|span| place(recorder.sources, span)),
        length: story.chapters.len(),
        minimal: counterexample.is_shortest,
        // Only a validated story can be part of a report.
        validated: true,
        trace_file: counterexample.saved.as_ref().map(|path| path.display().to_string()),
        stem: recorder.steps(story),
        cycle: Vec::new(),
    }
}
