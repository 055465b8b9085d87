//! A run that was saved, as a trace that the validator of SMV models takes: the inverse of what reports do.

use super::describe::changes;
use crate::report::{self, Action, Change, NamedValue, Run, Step, Valuation, Value};
use symbolic::report::{Branch, Defined, Setting, Trace, TraceState};
use symbolic::validate::Extent;

/// The trace, which lists states, of a run, which lists steps.
///
/// # Errors
/// Why the run is none of an SMV model.
pub fn trace(run: &Run) -> Result<Trace, String> {
    let steps: Vec<&Step> = run.steps().collect();
    let mut states = vec![&run.initial];
    for (at, step) in steps.iter().enumerate() {
        states.push(step.state.as_deref().ok_or_else(|| format!("step {} does not say where it leads", at + 1))?);
    }
    let loop_start = (!run.cycle.is_empty()).then_some(run.stem.len());
    if let Some(start) = loop_start {
        // The last step of a loop leads back to its first state.
        let last = states.pop().map(|state| &state.values);
        if last != Some(&states[start].values) {
            return Err("the loop does not end where it begins".into());
        }
    }
    let state = |(at, state): (usize, &&Valuation)| {
        let inputs = steps.get(at).and_then(|step| step.inputs.as_deref());
        let mut relevant = state.relevant.clone();
        if let (Some(names), Some(inputs)) = (&mut relevant, inputs) {
            names.extend(inputs.relevant.iter().flatten().cloned());
        }
        TraceState {
            state: settings(state),
            inputs: inputs.map_or_else(Vec::new, settings),
            relevant,
            defined: Defined::default(),
        }
    };
    let branches = run.branches.iter().map(|one| Ok(Branch { at: one.at, trace: trace(&one.run)? }));
    Ok(Trace {
        states: states.iter().enumerate().map(state).collect(),
        loop_start,
        branches: branches.collect::<Result<_, String>>()?,
        validated: Extent::Partly,
        shortest: false,
    })
}

/// The first step, counted from 1, that says something else than what follows from the states around it. The steps of a
/// branch count as the step after which it begins.
#[must_use]
pub fn misstated(run: &Run) -> Option<usize> {
    let mut before = &run.initial;
    for (number, step) in (1..).zip(run.steps()) {
        let Some(after) = &step.state else { return Some(number) };
        if !is_consistent(step, before, after) {
            return Some(number);
        }
        before = after;
    }
    run.branches.iter().find(|branch| misstated(&branch.run).is_some()).map(|branch| branch.at.max(1))
}

/// True if a step says nothing but what follows from the states around it.
fn is_consistent(step: &Step, before: &Valuation, after: &Valuation) -> bool {
    let expected = Step {
        changes: changes(&settings(before), &settings(after)),
        inputs: step.inputs.clone(),
        state: step.state.clone(),
        ..Step::new(Action::Transition)
    };
    Step { changes: step.changes.iter().map(typed_change).collect(), ..step.clone() } == expected
}

fn settings(valuation: &Valuation) -> Vec<Setting> {
    let setting = |one: &NamedValue| Setting { name: one.name.clone(), value: one.value.in_smv() };
    valuation.values.iter().map(setting).collect()
}

/// A run whose numbers and truth values are strings, as files of version 2 have them, with values of their types.
#[must_use]
pub fn typed(run: &Run) -> Run {
    let named = |one: &NamedValue| NamedValue { name: one.name.clone(), value: typed_value(&one.value) };
    let valuation = |one: &Valuation| Valuation {
        values: one.values.iter().map(named).collect(),
        relevant: one.relevant.clone(),
        definitions: one.definitions.iter().map(named).collect(),
    };
    let step = |one: &Step| Step {
        changes: one.changes.iter().map(typed_change).collect(),
        inputs: one.inputs.as_deref().map(|inputs| valuation(inputs).into()),
        state: one.state.as_deref().map(|state| valuation(state).into()),
        ..one.clone()
    };
    Run {
        initial: valuation(&run.initial),
        stem: run.stem.iter().map(step).collect(),
        cycle: run.cycle.iter().map(step).collect(),
        branches: run.branches.iter().map(|one| report::Branch { at: one.at, run: typed(&one.run) }).collect(),
    }
}

fn typed_value(value: &Value) -> Value {
    match value {
        Value::Name(text) => Value::of_smv(text),
        other => other.clone(),
    }
}

fn typed_change(change: &Change) -> Change {
    let Change { name, before, after } = change;
    Change { name: name.clone(), before: before.as_ref().map(typed_value), after: after.as_ref().map(typed_value) }
}
