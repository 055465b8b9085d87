//! A report as SARIF 2.1.0: each counterexample is a result, and its steps are a code flow. An undecided property is a
//! result of kind `open`, so that an incomplete search cannot be read as a clean one. A warning about a property, such as
//! that it cannot fail, is a result of level `warning`.

use super::run::lines;
use super::words;
use crate::thresholds::output::SARIF_STEPS;
use checker::error::Rejected;
use checker::report::{Counterexample, DiagnosticNote, Language, Location, Outcome, PropertyReport, Report};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The schema and the version of the format.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const VERSION: &str = "2.1.0";

/// The whole report.
pub(crate) fn report(report: &Report) -> String {
    let results = report.properties.iter().flat_map(|property| match property.verdict.outcome() {
        Outcome::Holds => Vec::new(),
        Outcome::Unknown => vec![undecided(property)],
        Outcome::Violated => violated(property, report.model.language),
    });
    let warnings = report.properties.iter().flat_map(|property| {
        property.warnings.iter().map(|warning| {
            let text = words::warning(warning);
            let mut value = json!({ "ruleId": property.kind.word(), "level": "warning", "message": { "text": text } });
            locate(&mut value, property.at.as_ref());
            value
        })
    });
    let results: Vec<Value> = results.chain(warnings).collect();
    let rules: BTreeMap<_, _> =
        report.properties.iter().map(|property| (property.kind.word(), property.kind.meaning())).collect();
    document(&rules, &results)
}

/// A model that contains errors: each diagnostic is a result.
pub(crate) fn rejection(rejected: &Rejected) -> String {
    let notes = rejected.notes();
    let mut results: Vec<Value> = notes.iter().map(diagnostic).collect();
    if results.is_empty() {
        let message = json!({ "text": rejected.summary() });
        results.push(json!({ "ruleId": "model", "level": "error", "message": message }));
    }
    document(&BTreeMap::new(), &results)
}

/// Several documents in one, with a run for each.
pub(crate) fn combined(documents: &[String]) -> String {
    let parse = |document: &String| serde_json::from_str::<Value>(document).expect("a document that was written here");
    let documents: Vec<Value> = documents.iter().map(parse).collect();
    let runs = documents.iter().flat_map(|document| document["runs"].as_array().cloned().unwrap_or_default());
    let runs: Vec<Value> = runs.collect();
    let document = json!({ "$schema": SCHEMA, "version": VERSION, "runs": runs });
    format!("{document:#}\n")
}

/// A document with one run.
fn document(rules: &BTreeMap<&str, &str>, results: &[Value]) -> String {
    let rule = |(id, text): (&&str, &&str)| json!({ "id": id, "shortDescription": { "text": text } });
    let rules: Vec<Value> = rules.iter().map(rule).collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [{
            "tool": { "driver": { "name": "Lariat", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "results": results,
        }],
    });
    format!("{document:#}\n")
}

fn undecided(property: &PropertyReport) -> Value {
    let text = format!("{} is undecided: {}", property.name, words::reason(property).unwrap_or_default());
    let mut value = json!({
        "ruleId": property.kind.word(), "kind": "open", "level": "none", "message": { "text": text },
    });
    locate(&mut value, property.at.as_ref());
    value
}

fn violated(property: &PropertyReport, language: Language) -> Vec<Value> {
    let result = |message: &str, at: Option<&Location>| {
        let text = match words::is_generic(property.kind) {
            true => message.into(),
            false => format!("{} is violated: {message}", property.name),
        };
        let mut value = json!({ "ruleId": property.kind.word(), "level": "error", "message": { "text": text } });
        locate(&mut value, at);
        value
    };
    let shown = |one: &Counterexample| {
        let waiting: Vec<String> = one.waiting().iter().map(|one| format!("\n{one}")).collect();
        let mut value = result(&format!("{}{}", one.heading(), waiting.concat()), one.at());
        let places = one
            .waiting()
            .iter()
            .map(|one| json!({ "physicalLocation": physical(&one.at), "message": { "text": one.to_string() } }));
        if !waiting.is_empty() {
            value["relatedLocations"] = places.collect();
        }
        let locations: Vec<Value> = lines(one, language).iter().take(SARIF_STEPS).map(step).collect();
        if !locations.is_empty() {
            value["codeFlows"] = json!([{ "threadFlows": [{ "locations": locations }] }]);
        }
        value
    };
    match property.counterexamples() {
        [] => vec![result(&words::violation(property), property.at.as_ref())],
        list => list.iter().map(shown).collect(),
    }
}

fn diagnostic(note: &DiagnosticNote) -> Value {
    let message = json!({ "text": note.message });
    let mut value = json!({ "ruleId": note.code, "level": note.severity, "message": message });
    locate(&mut value, Some(&note.at));
    value
}

fn locate(result: &mut Value, at: Option<&Location>) {
    if let Some(at) = at {
        result["locations"] = json!([{ "physicalLocation": physical(at) }]);
    }
}

fn physical(at: &Location) -> Value {
    json!({
        "artifactLocation": { "uri": at.file },
        "region": { "startLine": at.line, "startColumn": at.column },
    })
}

/// A step of a code flow. A state of an SMV model, or one in which no process can move, has no place in the text.
fn step((at, text): &(Option<&Location>, String)) -> Value {
    let mut location = json!({ "message": { "text": text } });
    if let Some(at) = at {
        location["physicalLocation"] = physical(at);
    }
    json!({ "location": location })
}
