//! A report in the format of NuSMV, for scripts that read it.
//!
//! Verdict lines, and traces as `State: T.S` blocks that list what changed. Written from what NuSMV prints.

use checker::report::{NamedValue, PropertyKind, PropertyReport, Report, Run, Value, Verdict};
use checker::smv::Input;
use std::fmt::Write;

/// The name of the input that says which process moves.
const SELECTOR: &str = "_process_selector_";

/// The whole report on an SMV model.
pub(crate) fn report(report: &Report, input: &Input) -> String {
    let mut text = String::new();
    let processes = processes(&input.model);
    let mut traces = 0;
    let mut properties: Vec<&PropertyReport> = report.properties.iter().collect();
    properties.sort_by_key(|property| {
        let stated = input.property(&property.name);
        (rank(property), stated.map_or(u32::MAX, |stated| stated.after_parts))
    });
    for property in properties {
        let stated = input.property(&property.name);
        let formula =
            stated.map_or_else(|| property.name.clone(), |stated| located(&stated.nusmv_text, &stated.instance));
        line(&mut text, property, &formula);
        for counterexample in property.counterexamples() {
            header(&mut text, DEMONSTRATED, property.kind);
            tree(&mut text, counterexample, property.kind, &mut traces, &processes);
        }
    }
    text
}

/// What stands before a trace.
const DEMONSTRATED: &str = "as demonstrated by the following execution sequence";

/// A run, then the runs that branch off it, each as a trace of its own. NuSMV prints single paths only, so a line of
/// comment says where each branch begins.
fn tree(text: &mut String, run: &Run, kind: PropertyKind, traces: &mut usize, processes: &[String]) {
    *traces += 1;
    let number = *traces;
    states(text, run, number, processes);
    for branch in &run.branches {
        let words =
            format!("and by the following execution sequence, which begins in state {number}.{}", branch.at + 1);
        header(text, &words, kind);
        tree(text, &branch.run, kind, traces, processes);
    }
}

/// The formula, with the instance it is written in.
fn located(text: &str, instance: &str) -> String {
    if instance.is_empty() { text.into() } else { format!("{text} IN {instance}") }
}

/// NuSMV checks kind by kind; within a kind, the properties of an instance follow those of its parts.
fn rank(property: &PropertyReport) -> usize {
    let kinds = ["CTLSPEC", "COMPUTE", "LTLSPEC", "PSLSPEC", "INVARSPEC"];
    kinds.iter().position(|kind| property.section.as_deref() == Some(*kind)).unwrap_or(kinds.len())
}

fn line(text: &mut String, property: &PropertyReport, formula: &str) {
    let subject = match property.kind {
        PropertyKind::Invariant => format!("invariant {formula}"),
        _ => format!("specification {formula}"),
    };
    let _ = match (&property.verdict, property.kind) {
        (Verdict::Violated(_), PropertyKind::Deadlock) => {
            writeln!(text, "WARNING: the transition relation is not total: a state without a next one is reachable")
        }
        (Verdict::Violated(_), PropertyKind::Fairness) => {
            writeln!(text, "WARNING: the set of fair states is empty: CTL and LTL properties hold vacuously")
        }
        (_, PropertyKind::Deadlock | PropertyKind::Fairness) => Ok(()),
        (Verdict::Holds { .. } | Verdict::HoldsVacuously { .. }, _) => writeln!(text, "-- {subject}  is true"),
        (Verdict::Violated(_), _) => writeln!(text, "-- {subject}  is false"),
        (Verdict::Unknown(reason), _) => writeln!(text, "-- {subject}  is unknown: {reason}"),
        (Verdict::Computed { steps, .. }, _) => {
            let steps = steps.map_or_else(|| "infinity".into(), |steps| steps.to_string());
            writeln!(text, "-- the result of {formula} is {steps}")
        }
    };
}

fn header(text: &mut String, introduction: &str, kind: PropertyKind) {
    let description = match kind {
        PropertyKind::Ctl => "CTL Counterexample",
        PropertyKind::Ltl => "LTL Counterexample",
        PropertyKind::Invariant => "AG alpha Counterexample",
        _ => "Deadlock",
    };
    let _ = writeln!(
        text,
        "-- {introduction}\nTrace Description: {description} \n\
         Trace Type: Counterexample "
    );
}

/// The processes of a model in the order in which NuSMV lists them: `main`, then the others from the last to the first.
fn processes(model: &flat::model::Model) -> Vec<String> {
    let Some(selector) = model.find_variable(SELECTOR) else { return Vec::new() };
    let domain = &model.variable(selector).domain;
    let mut names: Vec<String> =
        (0..domain.size()).map(|at| model.show(&domain.value(at as u64), domain.r#type())).collect();
    names[1..].reverse();
    names
}

/// Which processes are running in a step.
fn running(processes: &[String], inputs: &[NamedValue]) -> Vec<NamedValue> {
    let Some(moving) = inputs.iter().find(|input| input.name == SELECTOR) else { return Vec::new() };
    let moving = moving.value.in_smv();
    let value = |(at, process): (usize, &String)| NamedValue {
        name: if at == 0 { "running".into() } else { format!("{process}.running") },
        value: Value::Truth(*process == moving),
    };
    processes.iter().enumerate().map(value).collect()
}

fn states(text: &mut String, run: &Run, number: usize, processes: &[String]) {
    let mut shown: Vec<NamedValue> = Vec::new();
    let mut changed = |text: &mut String, values: &[NamedValue]| {
        for one in values {
            match shown.iter_mut().find(|known| known.name == one.name) {
                Some(known) if known.value == one.value => continue,
                Some(known) => known.value.clone_from(&one.value),
                None => shown.push(one.clone()),
            }
            let _ = writeln!(text, "    {} = {}", one.name, one.value.in_smv());
        }
    };
    let loop_start = (!run.cycle.is_empty()).then_some(run.stem.len());
    let entered = run.steps().map(|step| step.state.as_deref().unwrap_or(&run.initial));
    let states = std::iter::once(&run.initial).chain(entered);
    let leaving = run.steps().map(Some).chain([None]);
    // The last state of a loop is its first one, which NuSMV prints once more.
    for (at, (state, step)) in states.zip(leaving).enumerate() {
        if loop_start == Some(at) {
            text.push_str("  -- Loop starts here\n");
        }
        let _ = writeln!(text, "  -> State: {number}.{} <-", at + 1);
        changed(text, &state.values);
        changed(text, &state.definitions);
        if let Some(inputs) = step.and_then(|step| step.inputs.as_deref()) {
            let _ = writeln!(text, "  -> Input: {number}.{} <-", at + 2);
            changed(text, &inputs.values);
            changed(text, &running(processes, &inputs.values));
            changed(text, &inputs.definitions);
        }
    }
}
