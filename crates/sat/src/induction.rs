//! Invariants proved by k-induction.
//!
//! What: if no violation has at most `k` steps, and no path of `k + 1` different states without a violation ends in one,
//! there is none at all. Bounded checking is the base case; this is the step.
//!
//! Source: [sheeran.00.fmcad], [een.03.bmc].
//!
//! Contract: [`Step::extend`] with an answer of true at `k` proves the invariant only together with the base case for all
//! lengths up to `k`. States are told apart on demand, so the method is complete for finite systems.

use kernel::budget::{Budget, Exhausted};

use crate::aig::Signal;
use crate::circuit::{Circuit, Trace};
use crate::mutant::Mutant;
use crate::solver::{Lit, Sat};
use crate::unroll::Unrolling;

/// The induction step.
#[derive(Debug)]
pub struct Step<'c, S> {
    circuit: &'c Circuit,
    bad: Signal,
    unrolling: Unrolling<S>,
    /// The number of states before the last one.
    time: usize,
}

impl<'c, S: Sat> Step<'c, S> {
    /// The induction step for `bad`, over latches and inputs.
    #[must_use]
    pub fn new(circuit: &'c Circuit, bad: Signal, budget: &Budget) -> Self {
        let mut unrolling = Unrolling::free(S::new(budget));
        unrolling.demand(circuit, 0, circuit.states);
        Step { circuit, bad, unrolling, time: 0 }
    }

    /// The `k` that the next call of [`extend`](Self::extend) tries.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.time
    }

    /// Whether no path of `k` different states without a violation is followed by one.
    ///
    /// # Errors
    /// The limit that was exhausted; the next call tries the same `k` again.
    pub fn extend(&mut self, budget: &Budget) -> Result<bool, Exhausted> {
        let failing = self.failing(budget)?;
        if let Some(bad) = failing {
            self.advance(bad);
        }
        Ok(failing.is_none())
    }

    /// As [`extend`](Self::extend), with the path that keeps the step from being a proof.
    ///
    /// # Errors
    /// The limit that was exhausted; the next call tries the same `k` again.
    pub fn failure(&mut self, budget: &Budget) -> Result<Option<Trace>, Exhausted> {
        let Some(bad) = self.failing(budget)? else { return Ok(None) };
        // The states are laid out, and the last query was satisfiable.
        let trace = self.unrolling.trace(self.circuit, self.time + 1, self.time, None);
        self.advance(bad);
        Ok(Some(trace))
    }

    /// The literal of the violation after `k` different states, if there is such a path: the model of the last query.
    fn failing(&mut self, budget: &Budget) -> Result<Option<Lit>, Exhausted> {
        self.unrolling.gates.solver.set_budget(budget);
        let bad = self.unrolling.lit(self.circuit, self.time, self.bad);
        for time in 0..=self.time {
            self.unrolling.state(self.circuit, time);
        }
        while self.unrolling.gates.solver.solve(&[bad])? {
            if !self.tell_apart() {
                return Ok(Some(bad));
            }
        }
        Ok(None)
    }

    /// Goes on to longer paths.
    fn advance(&mut self, bad: Lit) {
        self.unrolling.gates.solver.add(&[!bad]);
        self.unrolling.demand(self.circuit, self.time, self.circuit.step);
        self.time += 1;
    }

    /// Demands that states which are equal in the last model differ; false if all differ.
    fn tell_apart(&mut self) -> bool {
        let states: Vec<Vec<Lit>> = (0..=self.time).map(|time| self.unrolling.state(self.circuit, time)).collect();
        let gates = &mut self.unrolling.gates;
        let values: Vec<Vec<bool>> =
            states.iter().map(|state| state.iter().map(|lit| gates.solver.value(*lit)).collect()).collect();
        let mut found = false;
        if self.circuit.is(Mutant::StatesRepeat) {
            return false;
        }
        let compared = if self.circuit.is(Mutant::FirstBitDiffers) { 1 } else { self.circuit.latches.len() };
        let values: Vec<&[bool]> = values.iter().map(|state| &state[..compared.min(state.len())]).collect();
        for (at, state) in values.iter().enumerate() {
            for before in (0..at).filter(|before| values[*before] == *state) {
                let differ: Vec<Lit> =
                    states[before].iter().zip(&states[at]).take(compared).map(|(a, b)| !gates.iff(*a, *b)).collect();
                gates.solver.add(&differ);
                found = true;
            }
        }
        found
    }
}
