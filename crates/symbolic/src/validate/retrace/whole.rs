//! Whether a trace that leaves variables out goes with a path of the whole model, by decision diagrams.
//!
//! Contract: [`extends`] is true if the whole model has a path (an infinite one, for a lasso) from an initial state that agrees with the trace on all
//! values it has; none if a limit was reached first. Sets of states are led through the values step by step; for a loop, the states at its
//! beginning from which one can go round forever are the greatest fixpoint of going round once. Tested by
//! `tests/retraced.rs`.

use bdd::Bdd;
use kernel::budget::{Budget, Exhausted};

use super::cubes::Cubes;
use crate::check;
use crate::image::force;
use crate::image::machine::Machine;
use crate::report::{Setting, Trace};
use flat::model::{Model, Variable, VariableId, VariableKind};
use flat::order;

/// How many variables of the model a trace leaves out.
#[must_use]
pub fn leaves_out(model: &Model, trace: &Trace) -> usize {
    model.variable_ids().filter(|id| is_left_out(model, trace, *id)).count()
}

/// True if no state of a trace has a value for a variable. A trace without steps needs no inputs.
pub(super) fn is_left_out(model: &Model, trace: &Trace, id: VariableId) -> bool {
    let Variable { name, kind, .. } = model.variable(id);
    let is_named = |settings: &[Setting]| settings.iter().any(|one| one.name == *name);
    match kind {
        VariableKind::Input => trace.length() > 0 && !trace.states.iter().any(|state| is_named(&state.inputs)),
        VariableKind::State | VariableKind::Frozen => !trace.states.iter().any(|state| is_named(&state.state)),
    }
}

/// Whether some path of the whole model agrees with an accepted trace; ignores branches.
#[must_use]
pub fn extends(model: &Model, trace: &Trace, budget: &Budget) -> Option<bool> {
    let bits = order::bits(model, &force::arranged(model, &order::declared(model), budget));
    let machine = Machine::within(model, check::manager(budget), &bits, budget).ok()?;
    led_through(model, &machine, trace).ok()
}

fn led_through(model: &Model, machine: &Machine<'_>, trace: &Trace) -> Result<bool, Exhausted> {
    let system = machine.system();
    let cubes = Cubes { model, encoding: machine.encoding() };
    let mut sets: Vec<(Bdd, Bdd)> = Vec::new();
    for state in &trace.states {
        let set = |settings: &[Setting]| -> Result<Bdd, Exhausted> {
            let value = |one: &Setting| -> Option<(VariableId, flat::model::Value)> {
                let id = model.find_variable(&one.name)?;
                Some((id, super::value_of(model, &model.variable(id).domain, &one.value)?))
            };
            let values: Vec<_> = settings.iter().filter_map(value).collect();
            let valuation = flat::enumerate::valuation(model, values.iter().cloned());
            let cube = cubes.cube(&valuation, values.iter().map(|(id, _)| *id));
            Ok(system.manager().try_cube(&cube)?)
        };
        sets.push((set(&state.state)?.try_and(system.states())?, set(&state.inputs)?));
    }
    let last = sets.len() - 1;
    let end = trace.loop_start.unwrap_or(last);
    let mut reached = system.initial().try_and(&sets[0].0)?;
    for position in 0..end {
        reached = system.image_with(&reached, &sets[position].1)?.try_and(&sets[position + 1].0)?;
    }
    if let Some(start) = trace.loop_start {
        let mut endless = sets[start].0.clone();
        loop {
            let mut around = endless.clone();
            for (states, inputs) in sets[start..].iter().rev() {
                around = system.preimage_with(inputs, &around)?.try_and(states)?;
            }
            let smaller = around.try_and(&endless)?;
            if smaller == endless {
                break;
            }
            endless = smaller;
        }
        reached = reached.try_and(&endless)?;
    }
    Ok(!reached.is_false())
}
