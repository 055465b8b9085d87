//! The law: a model whose interchangeable processes are exchanged has the ends, the faults, the executed statements and the
//! temporal properties of the model.
//!
//! Ends are compared by how many processes of each definition stand where, and by whether they are valid. The quotient is
//! taken alone, and of the model that is reduced by partial order and chaining.

use super::reduction::{Graph, REDUCED_STATES, Tally, graph, questions, same_statements};
use kernel::budget::Budget;
use kernel::system::laws;
use promela::compiled::Model;
use promela::reduce::{Mutant, Plan, Reduced};
use promela::typed::Program;
use std::collections::BTreeSet;

/// Compares a program with its quotients; says whether there are any.
///
/// # Errors
/// What differs.
pub fn agree(program: &Program, mutant: Option<Mutant>, tally: &mut Tally) -> Result<bool, String> {
    let model = Model::new(program).map_err(|too_large| too_large.0)?;
    tally.programs[0] += 1;
    let Some(full) = graph(&model, &model, REDUCED_STATES) else {
        tally.programs[2] += 1;
        return Ok(false);
    };
    tally.programs[1] += u64::from(full.is_broken);
    let questions = questions(program);
    let mut is_symmetric = false;
    for reduces in [false, true] {
        let plan = Plan { partial_order: reduces, chain: reduces, symmetry: true, atoms: None, mutant };
        let which = if reduces { "symmetry with partial order and chaining" } else { "symmetry" };
        let Ok(reduced) = Reduced::new(&model, plan, &Budget::unlimited()) else { continue };
        if reduced.symmetry().is_some() {
            is_symmetric = true;
            if mutant.is_none() {
                laws::check(&reduced, 300);
            }
            let small = graph(&reduced, &model, 2 * REDUCED_STATES).ok_or("the quotient is larger")?;
            same(&model, &full, &small).map_err(|what| format!("{which}: {what}"))?;
            tally.states[0] += full.states;
            tally.states[1] += small.states;
        }
        if full.is_broken {
            continue;
        }
        for question in questions.iter().filter(|question| question.is_invariant || !reduces) {
            let atoms = model.atoms(question.claim.atoms.iter().map(|(_, expression)| expression));
            let plan = Plan { atoms: Some(&atoms), ..plan };
            let Ok(reduced) = Reduced::new(&model, plan, &Budget::unlimited()) else { continue };
            if reduced.symmetry().is_none() {
                continue;
            }
            let (expected, found) = (question.is_violated(Reduced::full(&model)), question.is_violated(reduced));
            tally.properties[0] += 1;
            tally.properties[1] += u64::from(expected);
            if expected != found {
                return Err(format!("{which}: {} is violated: {expected} in full, {found} merged", question.name));
            }
        }
    }
    Ok(is_symmetric)
}

fn same(model: &Model, full: &Graph, small: &Graph) -> Result<(), String> {
    if full.is_broken != small.is_broken {
        return Err(format!("run-time errors: {} in full, {} merged", full.is_broken, small.is_broken));
    }
    if full.is_broken {
        return Ok(());
    }
    let places = |graph: &Graph| -> BTreeSet<String> {
        let of_end = |(state, is_valid): &(Vec<u8>, bool)| {
            let snapshot = model.snapshot(state);
            let mut places: Vec<_> =
                snapshot.processes.iter().map(|process| format!("{:?} {:?}", process.proc, process.location)).collect();
            places.sort();
            format!("{places:?} {is_valid}")
        };
        graph.ends.iter().map(of_end).collect()
    };
    let (ours, theirs) = (places(full), places(small));
    if ours != theirs {
        return Err(format!("ends: {:?}", ours.symmetric_difference(&theirs).collect::<Vec<_>>()));
    }
    same_statements(full, small)
}
