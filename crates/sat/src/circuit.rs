//! A sequential circuit: the form in which all engines of this crate see a system.
//!
//! Contract: a state is a value for each latch. A state with [`Circuit::init`] is initial. A state and a value for each
//! input form a step if [`Circuit::step`] is true of them; the next state is then given by the latches' functions. Every
//! reachable state satisfies [`Circuit::states`]. A state without a step has no successor.

use std::collections::HashMap;

use crate::aig::{Aig, Signal};
use crate::mutant::Mutant;

/// One bit of the state.
#[derive(Clone, Copy, Debug)]
pub struct Latch {
    /// Its present value, an input of the graph.
    pub now: Signal,
    /// Its value in the next state, over latches and inputs.
    pub next: Signal,
}

/// A path of a circuit, or a lasso.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The values of the latches in each state.
    pub states: Vec<Vec<bool>>,
    /// The values of the inputs in each step; one for each state that is followed by another.
    pub inputs: Vec<Vec<bool>>,
    /// Which state follows the last one, for a lasso.
    pub loop_start: Option<usize>,
}

impl Trace {
    /// The number of steps, that of the loop included.
    #[must_use]
    pub fn length(&self) -> usize {
        self.inputs.len()
    }
}

/// What must never be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bad {
    /// A condition on a state.
    State(Signal),
    /// A condition on a step.
    Step(Signal),
}

/// The circuit.
#[derive(Clone, Debug)]
pub struct Circuit {
    /// The graph of all functions.
    pub aig: Aig,
    /// The bits of the state.
    pub latches: Vec<Latch>,
    /// The bits that are chosen at each step.
    pub inputs: Vec<Signal>,
    /// True of the initial states.
    pub init: Signal,
    /// True of steps, over latches and inputs.
    pub step: Signal,
    /// True of every state that counts, so of every reachable one.
    pub states: Signal,
    /// A deliberate mistake of the engines that look at this circuit, for tests.
    pub mutant: Option<Mutant>,
    /// The number of the latch of a node.
    by_node: HashMap<usize, usize>,
}

impl Circuit {
    /// A circuit from its parts.
    #[must_use]
    pub fn new(aig: Aig, latches: Vec<Latch>, inputs: Vec<Signal>) -> Self {
        let by_node = latches.iter().enumerate().map(|(at, latch)| (latch.now.node(), at)).collect();
        let (init, step, states) = (Signal::TRUE, Signal::TRUE, Signal::TRUE);
        Circuit { aig, latches, inputs, init, step, states, mutant: None, by_node }
    }

    /// Whether engines make this mistake.
    pub(crate) fn is(&self, mutant: Mutant) -> bool {
        self.mutant == Some(mutant)
    }

    /// The number of the latch that a node is, if it is one.
    #[must_use]
    pub fn latch(&self, node: usize) -> Option<usize> {
        self.by_node.get(&node).copied()
    }

    /// The condition on a state, and on the inputs of a step that leaves it where it is about steps, that must never be true.
    pub fn bad(&mut self, bad: Bad) -> Signal {
        match bad {
            Bad::State(signal) => signal,
            Bad::Step(signal) => self.aig.and(signal, self.step),
        }
    }

    /// Adds a latch whose function is not known yet.
    pub fn add_latch(&mut self) -> Signal {
        let now = self.aig.input();
        self.by_node.insert(now.node(), self.latches.len());
        self.latches.push(Latch { now, next: now });
        now
    }

    /// Sets the function of a latch.
    ///
    /// # Panics
    /// If `latch` is not the present value of a latch.
    pub fn set_next(&mut self, latch: Signal, next: Signal) {
        let at = self.by_node[&latch.node()];
        self.latches[at].next = next;
    }

    /// Adds an input.
    pub fn add_input(&mut self) -> Signal {
        let input = self.aig.input();
        self.inputs.push(input);
        input
    }
}
