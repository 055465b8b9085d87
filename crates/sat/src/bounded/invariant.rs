//! Shortest paths to a state or a step that must not be.

use kernel::budget::{Budget, Exhausted};

use super::Extended;
use crate::aig::Signal;
use crate::circuit::{Bad, Circuit};
use crate::solver::Sat;
use crate::unroll::Unrolling;

/// The search.
#[derive(Debug)]
pub struct Search<'c, S> {
    circuit: &'c Circuit,
    bad: Signal,
    /// Steps after the state at which `bad` is evaluated: one for a condition on steps.
    extra: usize,
    unrolling: Unrolling<S>,
    /// The time at which `bad` is asked for next.
    time: usize,
}

impl<'c, S: Sat> Search<'c, S> {
    /// A search for shortest violations. `bad` must be what [`Circuit::bad`] made of `kind`.
    #[must_use]
    pub fn new(circuit: &'c Circuit, kind: Bad, bad: Signal, budget: &Budget) -> Self {
        let unrolling = Unrolling::initial(S::new(budget), circuit);
        Search { circuit, bad, extra: usize::from(matches!(kind, Bad::Step(_))), unrolling, time: 0 }
    }

    /// The number of steps that the next call of [`extend`](Self::extend) tries.
    #[must_use]
    pub fn length(&self) -> usize {
        self.time + self.extra
    }

    /// Tries one length more.
    ///
    /// # Errors
    /// The limit that was exhausted; the length is then not refuted, and the next call tries it again.
    pub fn extend(&mut self, budget: &Budget) -> Result<Extended, Exhausted> {
        self.unrolling.gates.solver.set_budget(budget);
        let (circuit, time) = (self.circuit, self.time);
        let bad = self.unrolling.lit(circuit, time, self.bad);
        if self.unrolling.gates.solver.solve(&[bad])? {
            let states = time + self.extra + 1;
            // The last state is laid out only now: nothing asked about it before.
            for at in 0..states {
                self.unrolling.state(circuit, at);
            }
            self.unrolling.gates.solver.solve(&[bad])?;
            return Ok(Extended::Found(self.unrolling.trace(circuit, states, states - 1, None)));
        }
        let complete = self.unrolling.gates.solver.core().is_empty() && bad != !self.unrolling.gates.yes;
        self.unrolling.gates.solver.add(&[!bad]);
        self.unrolling.demand(circuit, time, circuit.step);
        self.time += 1;
        Ok(if complete { Extended::Complete } else { Extended::Refuted })
    }
}
