//! An inductive invariant, re-checked by another solver on another circuit.
//!
//! Contract: [`recheck`] uses only the definition of an inductive invariant: it contains the initial states, no step leaves
//! it, and nothing bad is in it. The circuit should be built without folding ([`Design::new`](crate::design::Design::new)),
//! so that it shares neither gates nor simplifications with the one that the proof was found on.

use kernel::budget::{Budget, Exhausted};

use crate::aig::Signal;
use crate::circuit::Circuit;
use crate::ic3::{Cube, Invariant};
use crate::solver::{Lit, Sat};
use crate::unroll::Unrolling;

/// What an invariant lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// Some initial state is outside.
    Initial,
    /// Some step leaves it.
    Step,
    /// It contains something that must not be.
    Bad,
}

/// Whether an invariant of the states of a circuit proves that `bad` is never true.
///
/// # Errors
/// The limit that was exhausted.
pub fn recheck<S: Sat>(
    circuit: &Circuit,
    bad: Signal,
    invariant: &Invariant,
    budget: &Budget,
) -> Result<Result<(), Defect>, Exhausted> {
    let mut initial = Unrolling::initial(S::new(budget), circuit);
    let states = initial.lit(circuit, 0, circuit.states);
    if initial.gates.solver.solve(&[!states])? {
        return Ok(Err(Defect::Initial));
    }
    for cube in &invariant.cubes {
        let lits = literals(&mut initial, circuit, cube, 0);
        if initial.gates.solver.solve(&lits)? {
            return Ok(Err(Defect::Initial));
        }
    }
    let mut inside = Unrolling::free(S::new(budget));
    inside.demand(circuit, 0, circuit.states);
    for cube in &invariant.cubes {
        let clause: Vec<Lit> = literals(&mut inside, circuit, cube, 0).into_iter().map(|lit| !lit).collect();
        inside.gates.solver.add(&clause);
    }
    let bad = inside.lit(circuit, 0, bad);
    if inside.gates.solver.solve(&[bad])? {
        return Ok(Err(Defect::Bad));
    }
    inside.demand(circuit, 0, circuit.step);
    let states = inside.lit(circuit, 1, circuit.states);
    if inside.gates.solver.solve(&[!states])? {
        return Ok(Err(Defect::Step));
    }
    for cube in &invariant.cubes {
        let lits = literals(&mut inside, circuit, cube, 1);
        if inside.gates.solver.solve(&lits)? {
            return Ok(Err(Defect::Step));
        }
    }
    Ok(Ok(()))
}

fn literals<S: Sat>(unrolling: &mut Unrolling<S>, circuit: &Circuit, cube: &Cube, time: usize) -> Vec<Lit> {
    cube.iter().map(|(at, value)| unrolling.lit(circuit, time, circuit.latches[*at].now).negated_if(!value)).collect()
}
