//! A report on an SMV model as SARIF 2.1.0: each violated property a result, at the place where it is stated.

use super::{SmvReport, headline};
use crate::view::sarif::{document, location};
use serde_json::{Value, json};
use symbolic::report::Answer;

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
    let violated = report.report.properties.iter().enumerate().filter(|(_, one)| one.answer == Answer::Violated);
    let results: Vec<Value> = violated
        .map(|(index, property)| {
            let mut result = json!({
                "ruleId": property.kind,
                "level": "error",
                "message": { "text": headline(property) },
            });
            if let Some(stated) = report.input.model.properties.get(index).filter(|_| !property.section.is_empty()) {
                let place = location(&report.input.sources, stated.span);
                result["locations"] = json!([{ "physicalLocation": place }]);
            }
            result
        })
        .collect();
    document(rules.collect(), results)
}
