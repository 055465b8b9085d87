//! Shortest paths that show by themselves that a formula is true, whatever follows them.
//!
//! What: with `n` steps there are positions `0..=n`, and each subformula has two literals for each of them: that it is
//! certainly true, and that it is certainly false. Beyond the last position neither is. The path shows the formula if the
//! formula is certainly true at position 0.
//!
//! Source: the bounded semantics without loop of [biere.06.lmcs]. Deviations: two literals instead of a negation normal
//! form; atoms about a step are open at the last position, from which no step is laid out.
//!
//! Contract: as in [`bounded`](super); lengths are numbers of steps, from 0. Operators are judged one by one: `F p | G !p` is
//! always true, but only a path with `p` shows it. Nothing is said about fairness, nor about a continuation of the path: see
//! [`continuation`](crate::engine::continuation). Tested by
//! `tests/paths.rs` against all walks of random machines, and by `crates/nusmv/tests/bounded.rs`; callers confirm what is found.

use std::collections::BTreeMap;

use kernel::budget::{Budget, Exhausted};
use omega::formula::{Formula, Node};

use super::Extended;
use super::lasso::Wanted;
use crate::circuit::{Circuit, Trace};
use crate::solver::{Lit, Sat};
use crate::unroll::Unrolling;

/// The literals that a formula is certainly true, and certainly false.
#[derive(Clone, Copy)]
struct Known {
    yes: Lit,
    no: Lit,
}

impl std::ops::Not for Known {
    type Output = Known;

    fn not(self) -> Known {
        Known { yes: self.no, no: self.yes }
    }
}

/// The search.
#[derive(Debug)]
pub struct Search<'c, S> {
    circuit: &'c Circuit,
    wanted: Wanted<'c>,
    /// The subformulas, operands first.
    parts: Vec<Formula>,
    unrolling: Unrolling<S>,
    /// Which atoms are about steps.
    is_step: Vec<bool>,
    /// The number of steps that is tried next.
    steps: usize,
    /// States that no path may go through.
    excluded: Vec<Vec<bool>>,
}

impl<'c, S: Sat> Search<'c, S> {
    /// A search for shortest paths; fairness is not looked at. `is_step` says of each atom whether it is about a step.
    #[must_use]
    pub fn new(circuit: &'c Circuit, wanted: Wanted<'c>, is_step: Vec<bool>, budget: &Budget) -> Self {
        let unrolling = Unrolling::initial(S::new(budget), circuit);
        let parts = wanted.formulas.subformulas(wanted.formula);
        Search { circuit, wanted, parts, unrolling, is_step, steps: 0, excluded: Vec::new() }
    }

    /// The number of steps that the next call of [`extend`](Self::extend) tries.
    #[must_use]
    pub fn length(&self) -> usize {
        self.steps
    }

    /// Tries one length more. A path that was found is found again by the next call, unless its last state is
    /// [excluded](Self::exclude).
    ///
    /// # Errors
    /// The limit that was exhausted; the next call tries the same length again.
    pub fn extend(&mut self, budget: &Budget) -> Result<Extended, Exhausted> {
        self.unrolling.gates.solver.set_budget(budget);
        let (circuit, steps) = (self.circuit, self.steps);
        let shown = self.shown();
        // All states are laid out, so that the model of the solver is a path.
        for time in 0..=steps {
            self.unrolling.state(circuit, time);
        }
        if self.unrolling.gates.solver.solve(&[shown])? {
            return Ok(Extended::Found(self.unrolling.trace(circuit, steps + 1, steps, None)));
        }
        let complete = shown != !self.unrolling.gates.yes && self.unrolling.gates.solver.core().is_empty();
        self.unrolling.gates.solver.add(&[!shown]);
        self.unrolling.demand(circuit, steps, circuit.step);
        self.steps += 1;
        for state in self.excluded.clone() {
            self.deny(self.steps, &state);
        }
        Ok(if complete { Extended::Complete } else { Extended::Refuted })
    }

    /// From now on, no path goes through the last state of this one, for example because no fair path leaves it.
    pub fn exclude(&mut self, path: &Trace) {
        let Some(last) = path.states.last() else { return };
        for time in 0..=self.steps {
            self.deny(time, last);
        }
        self.excluded.push(last.clone());
    }

    fn deny(&mut self, time: usize, state: &[bool]) {
        let bits = self.unrolling.state(self.circuit, time);
        let clause: Vec<Lit> = bits.iter().zip(state).map(|(bit, value)| bit.negated_if(*value)).collect();
        self.unrolling.gates.solver.add(&clause);
    }

    /// The literal that the formula is certainly true at position 0.
    fn shown(&mut self) -> Lit {
        let mut known: BTreeMap<Formula, Vec<Known>> = BTreeMap::new();
        for part in self.parts.clone() {
            let values = self.values(part, &known);
            known.insert(part, values);
        }
        known[&self.wanted.formula][0].yes
    }

    fn constant(&self, value: bool) -> Known {
        let yes = self.unrolling.gates.constant(value);
        Known { yes, no: !yes }
    }

    fn open(&self) -> Known {
        let no = self.unrolling.gates.constant(false);
        Known { yes: no, no }
    }

    fn and(&mut self, a: Known, b: Known) -> Known {
        let gates = &mut self.unrolling.gates;
        Known { yes: gates.and(a.yes, b.yes), no: gates.or(a.no, b.no) }
    }

    fn or(&mut self, a: Known, b: Known) -> Known {
        !self.and(!a, !b)
    }

    fn iff(&mut self, a: Known, b: Known) -> Known {
        let (both, neither) = (self.and(a, b), self.and(!a, !b));
        self.or(both, neither)
    }

    /// The values of a subformula at all positions.
    fn values(&mut self, part: Formula, known: &BTreeMap<Formula, Vec<Known>>) -> Vec<Known> {
        let node = self.wanted.formulas.node(part).clone();
        let positions = 0..=self.steps;
        let mut values = vec![self.open(); self.steps + 1];
        let mut before = None;
        if matches!(
            node,
            Node::Next(_)
                | Node::Eventually(_)
                | Node::Always(_)
                | Node::Until(..)
                | Node::WeakUntil(..)
                | Node::Release(..)
                | Node::StrongRelease(..)
        ) {
            let mut after = self.open();
            for at in positions.rev() {
                values[at] = self.future(&node, at, known, after);
                after = values[at];
            }
            return values;
        }
        for at in positions {
            values[at] = self.present_or_past(&node, at, known, before);
            before = Some(values[at]);
        }
        values
    }

    /// The value of a future operator; `after` is its value at the next position.
    fn future(&mut self, node: &Node, at: usize, known: &BTreeMap<Formula, Vec<Known>>, after: Known) -> Known {
        let value = |formula: &Formula| known[formula][at];
        match node {
            Node::Next(a) => known[a].get(at + 1).copied().unwrap_or_else(|| self.open()),
            Node::Eventually(a) => self.or(value(a), after),
            Node::Always(a) => self.and(value(a), after),
            Node::Until(a, b) | Node::WeakUntil(a, b) => {
                let later = self.and(value(a), after);
                self.or(value(b), later)
            }
            Node::Release(a, b) | Node::StrongRelease(a, b) => {
                let later = self.or(value(a), after);
                self.and(value(b), later)
            }
            _ => unreachable!("an operator of the future"),
        }
    }

    /// The value of any other operator; `before` is its value at the previous position.
    fn present_or_past(
        &mut self,
        node: &Node,
        at: usize,
        known: &BTreeMap<Formula, Vec<Known>>,
        before: Option<Known>,
    ) -> Known {
        let value = |formula: &Formula| known[formula][at];
        let previous = |formula: &Formula| at.checked_sub(1).map(|at| known[formula][at]);
        match node {
            Node::True => self.constant(true),
            Node::False => self.constant(false),
            Node::Atom(atom) if at == self.steps && self.is_step[atom.index()] => self.open(),
            Node::Atom(atom) => {
                let yes = self.unrolling.lit(self.circuit, at, self.wanted.atoms[atom.index()]);
                Known { yes, no: !yes }
            }
            Node::Not(a) => !value(a),
            Node::And(_) => {
                let yes = self.constant(true);
                node.children().fold(yes, |all, one| self.and(all, value(&one)))
            }
            Node::Or(_) => {
                let no = self.constant(false);
                node.children().fold(no, |any, one| self.or(any, value(&one)))
            }
            Node::Xor(a, b) => !self.iff(value(a), value(b)),
            Node::Iff(a, b) => self.iff(value(a), value(b)),
            Node::Implies(a, b) => self.or(!value(a), value(b)),
            Node::Previously(a) => previous(a).unwrap_or_else(|| self.constant(false)),
            Node::WeakPreviously(a) => previous(a).unwrap_or_else(|| self.constant(true)),
            Node::Once(a) => {
                let before = before.unwrap_or_else(|| self.constant(false));
                self.or(value(a), before)
            }
            Node::Historically(a) => {
                let before = before.unwrap_or_else(|| self.constant(true));
                self.and(value(a), before)
            }
            Node::Since(a, b) => {
                let before = before.unwrap_or_else(|| self.constant(false));
                let earlier = self.and(value(a), before);
                self.or(value(b), earlier)
            }
            Node::Triggered(a, b) => {
                let before = before.unwrap_or_else(|| self.constant(true));
                let earlier = self.or(value(a), before);
                self.and(value(b), earlier)
            }
            _ => unreachable!("an operator of the present or the past"),
        }
    }
}
