//! The law: a model without the data that can be left out, reduced in addition, has the ends, the faults, the executed
//! statements and the temporal properties of the model itself.
//!
//! The trimmed model is compared with the model by where processes end, by failing and by executed statements; then its
//! reduced graph with its full one, state by state. Properties are decided on the model itself and on the trimmed and
//! reduced one.

use super::reduction::{Graph, REDUCED_STATES, Tally, graph, questions, same_graph, same_statements};
use kernel::budget::Budget;
use kernel::system::laws;
use promela::compiled::Model;
use promela::dataflow::{Trim, Wanted};
use promela::reduce::{Mutant, Plan, Reduced};
use promela::typed::{Expr, Program};
use std::collections::BTreeSet;

/// Dead variables, slicing, and both.
const MODES: [(bool, bool); 3] = [(true, false), (false, true), (true, true)];

/// Partial order, chaining, and both.
const PLANS: [(bool, bool); 3] = [(true, false), (false, true), (true, true)];

/// Compares a program with its combined reductions.
///
/// # Errors
/// What differs.
pub fn agree(program: &Program, mutant: Option<Mutant>, tally: &mut Tally) -> Result<(), String> {
    let model = Model::new(program).map_err(|too_large| too_large.0)?;
    tally.programs[0] += 1;
    let Some(full) = graph(&model, &model, REDUCED_STATES) else {
        tally.programs[2] += 1;
        return Ok(());
    };
    tally.programs[1] += u64::from(full.is_broken);
    let mut questions = questions(program);
    questions.retain(|question| question.is_invariant);
    let expected: Vec<bool> = questions.iter().map(|question| question.is_violated(Reduced::full(&model))).collect();
    for (dead, slice) in MODES {
        let Some(small) = trimmed(program, (dead, slice), &[]) else { continue };
        let which = format!("dead variables {dead}, slicing {slice}");
        let alone = graph(&small, &small, 2 * REDUCED_STATES).ok_or("the trimmed graph is larger")?;
        same(&full, &model, &alone, &small).map_err(|what| format!("{which}: {what}"))?;
        for (partial_order, chain) in PLANS {
            let which = || format!("{which}, partial order {partial_order}, chaining {chain}");
            let plan = Plan { partial_order, chain, symmetry: false, atoms: None, mutant };
            let Ok(reduced) = Reduced::new(&small, plan, &Budget::unlimited()) else { continue };
            if mutant.is_none() {
                laws::check(&reduced, 100);
            }
            let both = graph(&reduced, &small, 2 * REDUCED_STATES).ok_or("the reduced graph is larger")?;
            same_graph(&alone, &both).map_err(|what| format!("{}: {what}", which()))?;
            if (dead, slice, partial_order, chain) == (true, true, true, true) {
                tally.states[0] += full.states;
                tally.states[1] += both.states;
            }
        }
        if full.is_broken {
            continue;
        }
        for (question, expected) in questions.iter().zip(&expected) {
            let atoms: Vec<&Expr> = question.claim.atoms.iter().map(|(_, expression)| expression).collect();
            let Some(small) = trimmed(program, (dead, slice), &atoms) else { continue };
            let atoms = small.atoms(atoms);
            let plan = Plan { partial_order: true, chain: true, symmetry: false, atoms: Some(&atoms), mutant };
            let Ok(reduced) = Reduced::new(&small, plan, &Budget::unlimited()) else { continue };
            let found = question.is_violated(reduced);
            tally.properties[0] += 1;
            tally.properties[1] += u64::from(*expected);
            if *expected != found {
                return Err(format!("{which}: {} is violated: {expected} in full, {found} reduced", question.name));
            }
        }
    }
    Ok(())
}

/// The model without what can be left out for a property with these atoms; none if nothing can.
fn trimmed(program: &Program, (dead, slice): (bool, bool), atoms: &[&Expr]) -> Option<Model> {
    let budget = Budget::unlimited();
    let wanted = Wanted { dead, slice, loops: !atoms.is_empty(), atoms, trace: None };
    let trim = Trim::new(program, wanted, &budget).expect("no limit");
    Some(Model::trimmed(program, None, trim, &budget).expect("as large as the model")).filter(Model::is_trimmed)
}

/// Compares the graphs of a model and of a trimmed one: their states differ.
fn same(full: &Graph, model: &Model, other: &Graph, trimmed: &Model) -> Result<(), String> {
    if full.is_broken != other.is_broken {
        return Err(format!("run-time errors: {} in full, {} trimmed", full.is_broken, other.is_broken));
    }
    let places = |graph: &Graph, model: &Model| -> BTreeSet<String> {
        let of_end = |(state, is_valid): &(Vec<u8>, bool)| {
            let processes = model.snapshot(state).processes;
            let places: Vec<_> = processes.iter().map(|process| (process.proc, process.location)).collect();
            format!("{places:?} {is_valid}")
        };
        graph.ends.iter().map(of_end).collect()
    };
    let (ours, theirs) = (places(full, model), places(other, trimmed));
    if ours != theirs {
        return Err(format!("ends: {:?}", ours.symmetric_difference(&theirs).collect::<Vec<_>>()));
    }
    same_statements(full, other)
}
