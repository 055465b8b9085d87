//! A circuit laid out in time, as clauses.
//!
//! What: [`Gates`] makes conjunctions of literals by Tseitin's clauses and shares equal ones; [`Unrolling`] gives the
//! literal of a signal at a point in time, and adds only the clauses that this literal needs. A latch at time `t + 1` is
//! its function at time `t`; at time 0 it is free, or constant where the initial states leave no choice.
//!
//! Contract: the literal of a signal at a time is the same on every call.

use std::collections::HashMap;

use crate::aig::{Gate, Signal};
use crate::circuit::{Circuit, Trace};
use crate::solver::{Lit, Sat};

/// Conjunctions of literals.
#[derive(Debug)]
pub(crate) struct Gates<S> {
    pub(crate) solver: S,
    /// The literal that is true.
    pub(crate) yes: Lit,
    known: HashMap<(Lit, Lit), Lit>,
}

impl<S: Sat> Gates<S> {
    pub(crate) fn new(mut solver: S) -> Self {
        let yes = solver.fresh();
        solver.add(&[yes]);
        Gates { solver, yes, known: HashMap::new() }
    }

    pub(crate) fn constant(&self, value: bool) -> Lit {
        self.yes.negated_if(!value)
    }

    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let no = !self.yes;
        if a == no || b == no || a == !b {
            return no;
        }
        if a == self.yes || a == b {
            return b;
        }
        if b == self.yes {
            return a;
        }
        if let Some(known) = self.known.get(&(a, b)) {
            return *known;
        }
        let made = self.solver.fresh();
        self.solver.add(&[!made, a]);
        self.solver.add(&[!made, b]);
        self.solver.add(&[made, !a, !b]);
        self.known.insert((a, b), made);
        made
    }

    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub(crate) fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        let (both, neither) = (self.and(a, b), self.and(!a, !b));
        self.or(both, neither)
    }

    /// Under a condition, two literals are equal.
    pub(crate) fn tie(&mut self, condition: Lit, a: Lit, b: Lit) {
        self.solver.add(&[!condition, !a, b]);
        self.solver.add(&[!condition, a, !b]);
    }

    /// Two literals are equal.
    pub(crate) fn same(&mut self, a: Lit, b: Lit) {
        self.solver.add(&[!a, b]);
        self.solver.add(&[a, !b]);
    }
}

/// The circuit at several points in time.
#[derive(Debug)]
pub(crate) struct Unrolling<S> {
    pub(crate) gates: Gates<S>,
    /// For each time, the literals of nodes.
    frames: Vec<HashMap<usize, Lit>>,
}

impl<S: Sat> Unrolling<S> {
    /// A circuit whose state at time 0 is any state.
    pub(crate) fn free(solver: S) -> Self {
        Unrolling { gates: Gates::new(solver), frames: Vec::new() }
    }

    /// A circuit whose state at time 0 is initial.
    pub(crate) fn initial(solver: S, circuit: &Circuit) -> Self {
        let mut unrolling = Self::free(solver);
        unrolling.frames.push(HashMap::new());
        let conjuncts = circuit.aig.conjuncts(circuit.init);
        for signal in &conjuncts {
            if circuit.latch(signal.node()).is_some() {
                let value = unrolling.gates.constant(!signal.is_negated());
                unrolling.frames[0].insert(signal.node(), value);
            }
        }
        for signal in conjuncts {
            let lit = unrolling.lit(circuit, 0, signal);
            unrolling.gates.solver.add(&[lit]);
        }
        unrolling
    }

    /// The literal of a signal at a time.
    pub(crate) fn lit(&mut self, circuit: &Circuit, time: usize, signal: Signal) -> Lit {
        while self.frames.len() <= time {
            self.frames.push(HashMap::new());
        }
        let mut pending = vec![(time, signal.node())];
        while let Some(&(time, node)) = pending.last() {
            if self.frames[time].contains_key(&node) {
                pending.pop();
                continue;
            }
            let made = match circuit.aig.gate(node) {
                Gate::Constant => self.gates.constant(false),
                Gate::Input => match circuit.latch(node) {
                    Some(latch) if time > 0 => {
                        let next = circuit.latches[latch].next;
                        match self.frames[time - 1].get(&next.node()) {
                            Some(known) => known.negated_if(next.is_negated()),
                            None => {
                                pending.push((time - 1, next.node()));
                                continue;
                            }
                        }
                    }
                    _ => self.gates.solver.fresh(),
                },
                Gate::And(a, b) => {
                    let (left, right) = (self.frames[time].get(&a.node()), self.frames[time].get(&b.node()));
                    let (Some(left), Some(right)) = (left, right) else {
                        pending.extend([(time, a.node()), (time, b.node())]);
                        continue;
                    };
                    let (left, right) = (left.negated_if(a.is_negated()), right.negated_if(b.is_negated()));
                    self.gates.and(left, right)
                }
            };
            self.frames[time].insert(node, made);
            pending.pop();
        }
        self.frames[time][&signal.node()].negated_if(signal.is_negated())
    }

    /// The value of a signal at a time in the last model; false where nothing depended on it.
    pub(crate) fn value(&self, time: usize, signal: Signal) -> bool {
        let known = self.frames.get(time).and_then(|frame| frame.get(&signal.node()));
        known.is_some_and(|lit| self.gates.solver.value(*lit)) != signal.is_negated()
    }

    /// The path of the last model up to a time; `steps` steps of it have inputs.
    pub(crate) fn trace(&self, circuit: &Circuit, states: usize, steps: usize, loop_start: Option<usize>) -> Trace {
        let state = |time: usize| circuit.latches.iter().map(|latch| self.value(time, latch.now)).collect();
        let inputs = |time: usize| circuit.inputs.iter().map(|input| self.value(time, *input)).collect();
        Trace { states: (0..states).map(state).collect(), inputs: (0..steps).map(inputs).collect(), loop_start }
    }

    /// Adds the clause that a signal is true at a time.
    pub(crate) fn demand(&mut self, circuit: &Circuit, time: usize, signal: Signal) {
        for conjunct in circuit.aig.conjuncts(signal) {
            let lit = self.lit(circuit, time, conjunct);
            self.gates.solver.add(&[lit]);
        }
    }

    /// The literals of all latches at a time.
    pub(crate) fn state(&mut self, circuit: &Circuit, time: usize) -> Vec<Lit> {
        (0..circuit.latches.len()).map(|at| self.lit(circuit, time, circuit.latches[at].now)).collect()
    }
}
