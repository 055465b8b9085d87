//! Proofs of SAT engines as SMV text.
//!
//! Contract: an inductive invariant is written as one `INVARSPEC` over the variables of the model, which anyone can add to
//! the model and check: `--engine induction` then needs one step. Proofs of other forms are described in a comment.

use super::by_sat::Found;
use flat::model::{Domain, Model, Type, VariableId, VariableKind};
use kernel::words::count;
use sat::engine::Argument;
use sat::ic3::{Cube, Invariant};
use symbolic::check::name;

/// The certificate of a property that holds.
pub(super) fn of(model: &Model, index: usize, found: &Found) -> Option<String> {
    let Found::Holds(proof) = found else { return None };
    let property = &model.properties[index];
    let header = format!("-- {}: {}\n-- {}\n", name(index, property), property.text, words(proof.argument()));
    Some(match proof.argument() {
        Argument::Invariant(invariant) => header + &text(model, invariant),
        _ => header,
    })
}

/// How a property was proved.
pub(super) fn words(argument: &Argument) -> String {
    match argument {
        Argument::PathsEnd(0) => "there is no initial state".into(),
        Argument::PathsEnd(steps) => format!("no path has {}", count(*steps as u64, "step")),
        Argument::NoBeginning(steps) => {
            format!("no path of {} begins a counterexample", count(*steps as u64, "step"))
        }
        Argument::Induction(k) => format!("proved by k-induction with k = {k}"),
        Argument::Invariant(invariant) => {
            format!("an inductive invariant of {}, checked again", count(invariant.cubes.len() as u64, "clause"))
        }
        Argument::Counted(k) => format!("the fairness of its negation is met at most {k} times (k-liveness)"),
        Argument::Assignments => "there are assignments only, and each has a value in every state".into(),
        Argument::NoLoop => "no fair loop of its negation is reachable (liveness-to-safety)".into(),
    }
}

/// An invariant over the variables of the model.
fn text(model: &Model, invariant: &Invariant) -> String {
    let bits = bits(model);
    let clause = |cube: &Cube| {
        let parts: Vec<String> = cube.iter().map(|(latch, value)| bit(model, bits[*latch], *value)).collect();
        format!("!({})", parts.join(" & "))
    };
    let clauses: Vec<String> = invariant.cubes.iter().map(clause).collect();
    if clauses.is_empty() { "INVARSPEC TRUE\n".into() } else { format!("INVARSPEC\n  {}\n", clauses.join("\n  & ")) }
}

/// The variable and the place of each latch.
fn bits(model: &Model) -> Vec<(VariableId, usize)> {
    let kept = model.variable_ids().filter(|id| model.variable(*id).kind != VariableKind::Input);
    kept.flat_map(|id| (0..sat::design::width(&model.variable(id).domain)).map(move |place| (id, place))).collect()
}

/// That a bit of a variable has a value.
fn bit(model: &Model, (id, place): (VariableId, usize), value: bool) -> String {
    let variable = model.variable(id);
    let name = &variable.name;
    match &variable.domain {
        Domain::Boolean => format!("{}{name}", if value { "" } else { "!" }),
        Domain::Word(..) => format!("{name}[{place}:{place}] = 0ub1_{}", u8::from(value)),
        Domain::Range(low, _) => {
            let shifted = if *low < 0 {
                format!("({name} + {})", 1_i64 << sat::design::width(&variable.domain))
            } else {
                name.clone()
            };
            format!("({shifted} / {}) mod 2 = {}", 1_i64 << place, u8::from(value))
        }
        Domain::Values(values) => {
            let chosen = values.iter().enumerate().filter(|(at, _)| (at >> place & 1 == 1) == value);
            let chosen: Vec<String> = chosen.map(|(_, one)| model.show(one, Type::Mixed)).collect();
            format!("{name} in {{{}}}", chosen.join(", "))
        }
    }
}
