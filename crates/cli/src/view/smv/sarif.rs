//! A report on an SMV model as SARIF 2.1.0: each violated property a result, at the place where it is stated;
//! an undecided one is a result of kind `open`.

use super::{SmvReport, headline};
use crate::view::sarif::{MOST_STEPS, document, location, undecided};
use serde_json::{Value, json};
use symbolic::report::{Answer, Setting, Trace, TraceState, limit_words};

/// What the kinds of property mean.
const RULES: [(&str, &str); 5] = [
    ("ctl", "A formula of branching time is true in all initial states."),
    ("ltl", "A formula of linear time is true on all fair paths."),
    ("invariant", "An expression is true in all reachable states."),
    ("deadlock", "Every reachable state has a next state."),
    ("fairness", "Some path from an initial state is fair and infinite."),
];

/// The whole report.
pub(crate) fn report(report: &SmvReport<'_>) -> String {
    let rules = RULES.iter().map(|(id, text)| json!({ "id": id, "shortDescription": { "text": text } }));
    let results: Vec<Value> = report
        .report
        .properties
        .iter()
        .enumerate()
        .filter_map(|(index, property)| {
            let mut result = match &property.answer {
                Answer::Holds { .. } | Answer::Length { .. } => return None,
                Answer::Unknown { limit } => undecided(&property.kind, &property.name, limit_words(*limit)),
                Answer::Violated => json!({
                    "ruleId": property.kind,
                    "level": "error",
                    "message": { "text": headline(property) },
                }),
            };
            if let Some(trace) = &property.counterexample {
                result["codeFlows"] = json!([{ "threadFlows": [{ "locations": flow(trace) }] }]);
            }
            if let Some(stated) = report.input.model.properties.get(index).filter(|_| !property.section.is_empty()) {
                let place = location(&report.input.sources, stated.span);
                result["locations"] = json!([{ "physicalLocation": place }]);
            }
            Some(result)
        })
        .collect();
    document(rules.collect(), results)
}

/// The states of a trace: the first with all values, each other with the inputs that lead there and what changed.
fn flow(trace: &Trace) -> Vec<Value> {
    let text = |at: usize, state: &TraceState, before: Option<&TraceState>| {
        let is_new = |one: &&Setting| before.is_none_or(|before| !before.state.contains(one));
        let inputs = before.map_or(&[][..], |before| &before.inputs).iter();
        let parts: Vec<String> = inputs
            .map(|one| format!("[{} = {}]", one.name, one.value))
            .chain(state.state.iter().filter(is_new).map(|one| format!("{} = {}", one.name, one.value)))
            .collect();
        let what = if parts.is_empty() { "nothing changes".to_owned() } else { parts.join(", ") };
        let start = if trace.loop_start == Some(at) { " (the loop starts here)" } else { "" };
        json!({ "location": { "message": { "text": format!("state {at}{start}: {what}") } } })
    };
    let states = &trace.states;
    let entered = (0..states.len()).map(|at| text(at, &states[at], at.checked_sub(1).map(|before| &states[before])));
    let back = trace.loop_start.map(|start| text(start, &states[start], states.last()));
    entered.chain(back).take(MOST_STEPS).collect()
}
