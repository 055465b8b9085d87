//! A report on an SMV model for scripts; the schema is described in `docs/json.md`.

use super::{SmvReport, formula, headline, reason, verdict};
use crate::command::smv::trace::PathRecord;
use crate::diagnostics::place;
use crate::view::json::{SCHEMA, diagnostics};
use serde_json::{Map, Value, json};
use symbolic::check::BYTES_PER_NODE;
use symbolic::report::{Answer, Extent, PropertyReport, Trace};

/// The whole report, on one line.
pub(crate) fn report(report: &SmvReport<'_>) -> String {
    let found = &report.report;
    let unknown = |property: &PropertyReport| matches!(property.answer, Answer::Unknown { .. });
    let properties: Vec<Value> = (0..found.properties.len()).map(|index| property(report, index)).collect();
    let document = json!({
        "schema": SCHEMA,
        "model": { "file": report.input.name, "sha256": report.input.hash, "defines": [], "undefines": [] },
        "properties": properties,
        "complete": !found.properties.iter().any(unknown),
        "omitted_counterexamples": 0,
        "reachable_states": found.reachable_states,
        "diameter": found.diameter,
        "fair_path_exists": found.fair_path_exists,
        "warnings": found.warnings,
        "diagnostics": diagnostics(&report.input.sources, &report.input.warnings),
        "seconds": { "building": found.build_seconds, "reaching": found.reach_seconds, "all": found.seconds },
    });
    format!("{document}\n")
}

fn property(report: &SmvReport<'_>, index: usize) -> Value {
    let found = &report.report;
    let property = &found.properties[index];
    let word = if matches!(property.answer, Answer::Holds { .. }) { "holds" } else { verdict(property) };
    let mut record = Map::new();
    let mut set = |key: &str, value: Value| record.insert(key.into(), value);
    set("name", json!(property.name));
    set("kind", json!(property.kind));
    set("formula", json!(formula(property)));
    if !property.section.is_empty() {
        set("section", json!(property.section));
    }
    set("verdict", json!(word));
    if let Some(reason) = reason(property) {
        set("reason", json!(reason));
    }
    if matches!(property.answer, Answer::Holds { vacuous: Some(_) }) {
        set("vacuous", json!(true));
    }
    if let Answer::Length { steps } = property.answer {
        set("steps", json!(steps));
    }
    set("states", states(report));
    set("transitions", json!(0));
    set("depth", json!(found.diameter.map_or(0, |rings| rings.saturating_sub(1))));
    set("seconds", json!(property.seconds));
    set("peak_memory_bytes", json!(found.peak_nodes as u64 * BYTES_PER_NODE));
    set(
        "engine",
        json!({
            "search": "symbolic",
            "store": "decision diagrams",
            "bits": found.bits,
            "events": found.events,
            "peak_nodes": found.peak_nodes,
        }),
    );
    if let Some(trace) = &property.counterexample {
        set("counterexample", counterexample(report, index, trace));
    }
    Value::Object(record)
}

/// How many states are reachable; beyond 2^64 an approximation, since few readers know larger whole numbers.
fn states(report: &SmvReport<'_>) -> Value {
    let exact = report.report.reachable_states.as_ref().and_then(|text| text.parse::<u64>().ok());
    match (exact, report.report.reachable_states_approximately) {
        (Some(exact), _) => json!(exact),
        (None, Some(about)) => json!(about),
        (None, None) => json!(0),
    }
}

fn counterexample(report: &SmvReport<'_>, index: usize, trace: &Trace) -> Value {
    let property = &report.report.properties[index];
    let stated = report.input.model.properties.get(index).filter(|_| !property.section.is_empty());
    let path = PathRecord::from(trace);
    let mut value = serde_json::to_value(&path).expect("a path has string keys only");
    value["message"] = json!(headline(property));
    value["at"] = json!(stated.map(|stated| place(&report.input.sources, stated.span)));
    value["length"] = json!(path.length());
    value["minimal"] = json!(trace.shortest);
    // Nothing that the enumerator's rules refuse gets here; `complete` tells whether paths can show all of it.
    value["validated"] = json!(true);
    value["complete"] = json!(trace.validated == Extent::Fully);
    if let Some(path) = &report.saved[index] {
        value["trace_file"] = json!(path.display().to_string());
    }
    if let Some(minimised) = &property.minimised {
        value["minimised"] = serde_json::to_value(minimised).expect("plain data");
    }
    value
}
