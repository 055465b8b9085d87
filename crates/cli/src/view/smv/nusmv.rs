//! A report in the layout of NuSMV, for scripts that read that.
//!
//! Verdict lines, and traces as `State: T.S` blocks that list what changed. Written from what the tool prints.

use super::{SmvReport, length, located};
use std::fmt::Write;
use symbolic::report::{Answer, PropertyReport, Setting, Trace, limit_words};

/// The whole report.
pub(crate) fn report(report: &SmvReport<'_>) -> String {
    let mut text = String::new();
    let mut traces = 0;
    let mut properties: Vec<(usize, &PropertyReport)> = report.report.properties.iter().enumerate().collect();
    properties.sort_by_key(|(_, property)| rank(property));
    for (index, property) in properties {
        let stated = report.input.model.properties.get(index);
        let formula = stated.map_or_else(String::new, |stated| located(&stated.nusmv_text, &stated.instance));
        line(&mut text, property, &formula);
        if let Some(trace) = &property.counterexample {
            traces += 1;
            header(&mut text, property);
            let mut shown = Vec::new();
            states(&mut text, trace, traces, &processes(report), &mut shown);
        }
    }
    text
}

/// NuSMV checks kind by kind.
fn rank(property: &PropertyReport) -> usize {
    let kinds = ["CTLSPEC", "COMPUTE", "LTLSPEC", "PSLSPEC", "INVARSPEC"];
    kinds.iter().position(|kind| *kind == property.section).unwrap_or(kinds.len())
}

fn line(text: &mut String, property: &PropertyReport, formula: &str) {
    let subject = match property.kind.as_str() {
        "invariant" => format!("invariant {formula}"),
        _ => format!("specification {formula}"),
    };
    let _ = match (&property.answer, property.kind.as_str()) {
        (Answer::Violated, "deadlock") => {
            writeln!(text, "WARNING: the transition relation is not total: a state without a next one is reachable")
        }
        (Answer::Violated, "fairness") => {
            writeln!(text, "WARNING: the set of fair states is empty: CTL and LTL properties hold vacuously")
        }
        (_, "deadlock" | "fairness") => Ok(()),
        (Answer::Holds { .. }, _) => writeln!(text, "-- {subject}  is true"),
        (Answer::Violated, _) => writeln!(text, "-- {subject}  is false"),
        (Answer::Unknown { limit }, _) => writeln!(text, "-- {subject}  is unknown: {}", limit_words(*limit)),
        (Answer::Length { .. }, _) => {
            writeln!(text, "-- the result of {formula} is {}", length(property).unwrap_or_default())
        }
    };
}

fn header(text: &mut String, property: &PropertyReport) {
    let description = match property.kind.as_str() {
        "ctl" => "CTL Counterexample",
        "ltl" => "LTL Counterexample",
        "invariant" => "AG alpha Counterexample",
        _ => "Deadlock",
    };
    let _ = writeln!(
        text,
        "-- as demonstrated by the following execution sequence\nTrace Description: {description} \n\
         Trace Type: Counterexample "
    );
}

/// The name of the input that tells which process moves.
const SELECTOR: &str = "_process_selector_";

/// The processes of a model in the order in which NuSMV lists them: `main`, then the others from the last to the first.
fn processes(report: &SmvReport<'_>) -> Vec<String> {
    let model = &report.input.model;
    let Some(selector) = model.find_variable(SELECTOR) else { return Vec::new() };
    let domain = &model.variable(selector).domain;
    let mut names: Vec<String> =
        (0..domain.size()).map(|at| model.show(domain.value(at as u64), domain.r#type())).collect();
    names[1..].reverse();
    names
}

/// Which processes are running in a step.
fn running(processes: &[String], inputs: &[Setting]) -> Vec<Setting> {
    let Some(moving) = inputs.iter().find(|input| input.name == SELECTOR) else { return Vec::new() };
    let setting = |(at, process): (usize, &String)| Setting {
        name: if at == 0 { "running".into() } else { format!("{process}.running") },
        value: if *process == moving.value { "TRUE".into() } else { "FALSE".into() },
    };
    processes.iter().enumerate().map(setting).collect()
}

fn states(text: &mut String, trace: &Trace, number: usize, processes: &[String], shown: &mut Vec<Setting>) {
    let mut changed = |text: &mut String, settings: &[Setting]| {
        for setting in settings {
            match shown.iter_mut().find(|known| known.name == setting.name) {
                Some(known) if known.value == setting.value => continue,
                Some(known) => known.value.clone_from(&setting.value),
                None => shown.push(setting.clone()),
            }
            let _ = writeln!(text, "    {} = {}", setting.name, setting.value);
        }
    };
    for (at, state) in trace.states.iter().enumerate() {
        if trace.loop_start == Some(at) {
            text.push_str("  -- Loop starts here\n");
        }
        let _ = writeln!(text, "  -> State: {number}.{} <-", at + 1);
        changed(text, &state.state);
        changed(text, &state.defined.state);
        if !state.inputs.is_empty() {
            let _ = writeln!(text, "  -> Input: {number}.{} <-", at + 2);
            changed(text, &state.inputs);
            changed(text, &running(processes, &state.inputs));
            changed(text, &state.defined.inputs);
        }
    }
    // The first state of the loop is printed once more where the loop closes.
    if let Some(start) = trace.loop_start {
        let _ = writeln!(text, "  -> State: {number}.{} <-", trace.states.len() + 1);
        changed(text, &trace.states[start].state);
        changed(text, &trace.states[start].defined.state);
    }
}
