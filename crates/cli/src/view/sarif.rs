//! A check's report as SARIF 2.1.0: each counterexample a result, its steps a code flow. A property that stayed
//! undecided is a result of kind `open`, so that a search that was cut short cannot be read as a clean one. What a user should
//! know beside the verdict, such as that a property cannot fail, is a result of level `warning`.

use checker::promela::record::{Does, StepRecord};
use checker::promela::report::{self, Counterexample, Property, PropertyKind, Report};
use kernel::span::{SourceMap, Span};
use kernel::verdict::Verdict;
use serde_json::{Value, json};

/// Steps beyond this are left out of code flows; viewers cannot show them anyway.
pub(crate) const MOST_STEPS: usize = 1000;

/// The kinds of property that Promela models have.
const PROMELA_KINDS: [PropertyKind; 7] = [
    PropertyKind::Assertion,
    PropertyKind::EndState,
    PropertyKind::Ltl,
    PropertyKind::Never,
    PropertyKind::Acceptance,
    PropertyKind::NonProgress,
    PropertyKind::Trace,
];

/// The whole report.
pub(crate) fn report(report: &Report<'_>) -> String {
    let results = report.properties.iter().flat_map(|property| match property.verdict {
        Verdict::Unknown(_) => {
            vec![undecided(property.kind.word(), &property.name, &property.reason().unwrap_or_default())]
        }
        _ => property.counterexamples().iter().map(|one| result(report, property, one)).collect(),
    });
    let warning = |property: &Property| {
        let kind = property.kind.word();
        property
            .warnings()
            .into_iter()
            .map(move |text| json!({ "ruleId": kind, "level": "warning", "message": { "text": text } }))
    };
    let results: Vec<Value> = results.chain(report.properties.iter().flat_map(warning)).collect();
    document(PROMELA_KINDS.iter().map(|kind| rule(*kind)).collect(), results)
}

/// A document with one run.
pub(crate) fn document(rules: Vec<Value>, results: Vec<Value>) -> String {
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "Lariat", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "results": results,
        }],
    });
    format!("{document:#}\n")
}

/// The result of a search that decided nothing.
pub(crate) fn undecided(rule: &str, name: &str, reason: &str) -> Value {
    let text = format!("{name} is undecided: {reason}");
    json!({ "ruleId": rule, "kind": "open", "level": "none", "message": { "text": text } })
}

fn rule(kind: PropertyKind) -> Value {
    json!({ "id": kind.word(), "shortDescription": { "text": kind.meaning() } })
}

fn result(report: &Report<'_>, property: &Property, counterexample: &Counterexample) -> Value {
    let recorder = report.recorder();
    let run = &counterexample.run;
    let steps = recorder.steps(run);
    let locations: Vec<Value> = steps.iter().take(MOST_STEPS).map(step).collect();
    let mut value = json!({
        "ruleId": property.kind.word(),
        "level": "error",
        "message": { "text": message(report, property, counterexample) },
    });
    if let Some(span) = report::place(recorder, run) {
        value["locations"] = json!([{ "physicalLocation": location(recorder.sources, span) }]);
    }
    if !locations.is_empty() {
        value["codeFlows"] = json!([{ "threadFlows": [{ "locations": locations }] }]);
    }
    value
}

fn message(report: &Report<'_>, property: &Property, counterexample: &Counterexample) -> String {
    let headline = report.headline(&counterexample.run);
    match &property.temporal {
        None => headline,
        Some(_) => format!("{} is violated: {headline}", property.name),
    }
}

/// A place as the format wants it.
pub(crate) fn location(sources: &SourceMap, span: Span) -> Value {
    let (line, column) = sources.line_column(span);
    let file = sources.name(sources.place(span).file);
    json!({ "artifactLocation": { "uri": file }, "region": { "startLine": line, "startColumn": column } })
}

/// Nobody's step, where nothing moves any more, has no place.
fn step(step: &StepRecord) -> Value {
    if step.does == Does::Stutter {
        return json!({ "location": { "message": { "text": step.statement } } });
    }
    json!({ "location": {
        "physicalLocation": {
            "artifactLocation": { "uri": step.file },
            "region": { "startLine": step.line, "startColumn": step.column },
        },
        "message": { "text": format!("{}({}): {}", step.process, step.pid, step.statement) },
    } })
}
