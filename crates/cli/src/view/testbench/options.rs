//! The options of a run as data, those left to their defaults included: what it takes to have the same run again.

use crate::arguments::Testbench;
use clap::ValueEnum;
use serde_json::{Value, json};
use testbench::run::{Input, Plan};

/// The name of a value on the command line.
fn name(value: &impl ValueEnum) -> Option<String> {
    value.to_possible_value().map(|value| value.get_name().to_owned())
}

/// All options, by their names on the command line.
pub(crate) fn options(arguments: &Testbench, plan: &Plan) -> Value {
    let Testbench { input, structure, limits, report, .. } = arguments;
    let formulas = match &plan.input {
        Input::Random { count, .. } if !plan.is_endless => Some(count),
        _ => None,
    };
    let kinds: Vec<&str> = plan.kinds.iter().map(|kind| kind.word()).collect();
    let translators: Vec<&str> = plan.translators.iter().map(|translator| translator.text.as_str()).collect();
    let checks: Vec<&str> = plan.checks.iter().map(|check| check.name()).collect();
    json!({
        "translators": translators,
        "formulas": formulas,
        "seed": plan.seed,
        "symbols": format!("{}..{}", input.symbols.start(), input.symbols.end()),
        "propositions": input.propositions,
        "weights": input.weights,
        "paper": input.paper,
        "file": input.file,
        "syntax": name(&input.syntax),
        "structure": if kinds.len() > 1 { "both" } else { kinds[0] },
        "word": structure.word,
        "states": structure.states,
        "density": structure.density,
        "truth": structure.truth,
        "reuse": structure.reuse,
        "checks": checks,
        "run_time": limits.run_time.as_secs_f64(),
        "run_memory": limits.run_memory,
        "time_limit": limits.time_limit.map(|limit| limit.as_secs_f64()),
        "stop_at_failure": limits.stop_at_failure,
        "threads": plan.threads,
        "cases": report.cases,
        "no_shrink": report.no_shrink,
        "shrink_time": report.shrink_time.as_secs_f64(),
        "interactive": report.interactive.as_ref().and_then(name),
    })
}
