//! The options of a run as data, those left to their defaults included: they are enough to repeat the run.

use super::document::Options;
use crate::arguments::Testbench;
use clap::ValueEnum;
use testbench::run::{Input, Plan};

/// The name of a value on the command line.
fn name(value: &impl ValueEnum) -> Option<String> {
    value.to_possible_value().map(|value| value.get_name().to_owned())
}

/// All options, by their names on the command line.
pub(crate) fn options(arguments: &Testbench, plan: &Plan) -> Options {
    let Testbench { input, structure, limits, report, .. } = arguments;
    let formulas = match &plan.input {
        Input::Random { count, .. } if !plan.is_endless => Some(*count),
        _ => None,
    };
    let kinds: Vec<&str> = plan.kinds.iter().map(|kind| kind.word()).collect();
    Options {
        translators: plan.translators.iter().map(|translator| translator.text.clone()).collect(),
        formulas,
        seed: plan.seed,
        symbols: format!("{}..{}", input.symbols.start(), input.symbols.end()),
        propositions: input.propositions,
        weights: input.weights.clone(),
        paper: input.paper,
        formula: input.formula.clone(),
        file: input.file.clone(),
        syntax: name(&input.syntax),
        structure: if kinds.len() > 1 { "both" } else { kinds[0] }.to_owned(),
        word: structure.word.clone(),
        states: structure.states,
        density: structure.density,
        truth: structure.truth,
        reuse: structure.reuse,
        products: structure.products,
        checks: plan.checks.iter().map(|check| check.name().to_owned()).collect(),
        run_time: limits.run_time.as_secs_f64(),
        run_memory: limits.run_memory,
        equivalence_steps: limits.equivalence_steps,
        equivalence_time: limits.equivalence_time.map(|time| time.as_secs_f64()),
        time_limit: limits.time_limit.map(|limit| limit.as_secs_f64()),
        stop_at_failure: limits.stop_at_failure,
        threads: plan.threads,
        cases: report.cases,
        no_shrink: report.no_shrink,
        shrink_time: report.shrink_time.as_secs_f64(),
        interactive: report.interactive.as_ref().and_then(name),
    }
}
