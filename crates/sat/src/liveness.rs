//! Formulas of linear time as questions about states: k-liveness and liveness-to-safety.
//!
//! What: [`monitored`] adds to a circuit the latches of a monitor that follows a formula along a path, and conditions that
//! an infinite path meets infinitely often exactly if it is fair and satisfies the formula. [`k_liveness`] then asks
//! whether these conditions are all met more than `k` times: if never, no such path exists. [`to_safety`] asks for a state
//! that is repeated with all conditions met in between.
//!
//! Source: [claessen.12.fmcad], [biere.02.fmics]. The monitor is the tableau of [clarke.97.fmsd], with the past as in
//! [kesten.98.icalp].
//!
//! Deviations: what a future operator claims of the next position is guessed by an input, remembered by a latch and compared
//! with what turns out. A compassion constraint becomes a guess, once and for all, that its premise is never true again.
//!
//! Contract: a circuit that this module makes is bad only if the formula fails (with `to_safety`) or might fail (with
//! `k_liveness`, whose answers that something bad is reachable prove nothing). Counterexamples come from bounded checking.
//! Tested by `tests/engines.rs`.

use std::collections::BTreeMap;

use omega::formula::{Formula, Node};

use crate::aig::Signal;
use crate::bounded::lasso::Wanted;
use crate::circuit::Circuit;
use crate::mutant::Mutant;

/// Adds a monitor: the result are conditions, over latches and inputs, each of which a fair path that satisfies the
/// formula meets infinitely often.
#[must_use]
pub fn monitored(circuit: &Circuit, wanted: &Wanted<'_>) -> (Circuit, Vec<Signal>) {
    let (mut circuit, often, demand) = beside(circuit.clone(), wanted);
    circuit.step = circuit.aig.and(circuit.step, demand);
    (circuit, often)
}

/// As [`monitored`], but a path that the monitor does not follow stays a path: the last result is what steps must satisfy
/// so that the monitor follows, and several monitors can stand beside each other.
#[must_use]
pub fn beside(circuit: Circuit, wanted: &Wanted<'_>) -> (Circuit, Vec<Signal>, Signal) {
    let mut monitor = Monitor::new(circuit, wanted);
    let mut often = wanted.justice.clone();
    for part in wanted.formulas.subformulas(wanted.formula) {
        monitor.add(part);
        often.extend(monitor.promise(part));
    }
    monitor.compare();
    for (premise, conclusion) in &wanted.compassion {
        often.push(monitor.compassion(*premise, *conclusion));
    }
    let demand = monitor.circuit.aig.all(std::mem::take(&mut monitor.demands));
    (monitor.circuit, often, demand)
}

/// A circuit that is bad if all conditions are met more than `k` times.
#[must_use]
pub fn k_liveness(mut circuit: Circuit, often: &[Signal], k: usize) -> (Circuit, Signal) {
    let pulse = round(&mut circuit, often);
    // A chain counts: its first latch knows of one round, the next of two.
    let mut before = Signal::TRUE;
    let mut last = Signal::FALSE;
    for _ in 0..=k {
        let latch = circuit.add_latch();
        circuit.init = circuit.aig.and(circuit.init, !latch);
        let reached = circuit.aig.and(before, pulse);
        let counted = if circuit.is(Mutant::CountForgotten) { Signal::FALSE } else { latch };
        let next = circuit.aig.or(counted, reached);
        circuit.set_next(latch, next);
        before = latch;
        last = latch;
    }
    (circuit, last)
}

/// True in the steps in which the last condition of a round is met. Rounds follow each other.
fn round(circuit: &mut Circuit, often: &[Signal]) -> Signal {
    let latches: Vec<Signal> = often.iter().map(|_| circuit.add_latch()).collect();
    let met: Vec<Signal> = often.iter().zip(&latches).map(|(now, seen)| circuit.aig.or(*now, *seen)).collect();
    let counted = if circuit.is(Mutant::OneConditionCounts) { met.len().min(1) } else { met.len() };
    let all = circuit.aig.all(met.iter().copied().take(counted));
    for (latch, met) in latches.iter().zip(met) {
        circuit.init = circuit.aig.and(circuit.init, !*latch);
        let next = circuit.aig.and(met, !all);
        circuit.set_next(*latch, next);
    }
    all
}

/// A circuit that is bad if a state is repeated and all conditions were met since.
#[must_use]
pub fn to_safety(mut circuit: Circuit, often: &[Signal]) -> (Circuit, Signal) {
    let watched = circuit.latches.clone();
    let save = circuit.add_input();
    let saved = circuit.add_latch();
    circuit.init = circuit.aig.and(circuit.init, !saved);
    let starts = circuit.aig.and(save, !saved);
    let next = circuit.aig.or(saved, save);
    circuit.set_next(saved, next);
    let mut same = vec![saved];
    let compared = if circuit.is(Mutant::FirstBitRepeats) { 1 } else { watched.len() };
    for latch in watched.into_iter().take(compared) {
        let copy = circuit.add_latch();
        circuit.init = circuit.aig.and(circuit.init, !copy);
        let kept = circuit.aig.select(starts, latch.now, copy);
        circuit.set_next(copy, kept);
        same.push(circuit.aig.iff(copy, latch.now));
    }
    for condition in often {
        let flag = circuit.add_latch();
        circuit.init = circuit.aig.and(circuit.init, !flag);
        let since = if circuit.is(Mutant::MetBeforeSaving) { Signal::TRUE } else { circuit.aig.or(starts, saved) };
        let met = circuit.aig.and(since, *condition);
        let next = circuit.aig.or(flag, met);
        circuit.set_next(flag, next);
        same.push(flag);
    }
    let bad = circuit.aig.all(same);
    (circuit, bad)
}

struct Monitor<'w> {
    circuit: Circuit,
    wanted: &'w Wanted<'w>,
    /// False in the first state only.
    started: Signal,
    values: BTreeMap<Formula, Signal>,
    /// For what future operators refer to, the guess of its value at the next position.
    guesses: BTreeMap<Formula, Signal>,
    /// What steps must satisfy.
    demands: Vec<Signal>,
}

impl<'w> Monitor<'w> {
    fn new(mut circuit: Circuit, wanted: &'w Wanted<'w>) -> Self {
        let started = circuit.add_latch();
        circuit.init = circuit.aig.and(circuit.init, !started);
        circuit.set_next(started, Signal::TRUE);
        Monitor { circuit, wanted, started, values: BTreeMap::new(), guesses: BTreeMap::new(), demands: Vec::new() }
    }

    fn guess(&mut self, formula: Formula) -> Signal {
        let circuit = &mut self.circuit;
        *self.guesses.entry(formula).or_insert_with(|| circuit.add_input())
    }

    /// A latch with the value that a signal will turn out to have had one position before; `first` at the beginning.
    fn remembered(&mut self, first: bool) -> Signal {
        let latch = self.circuit.add_latch();
        self.circuit.init = self.circuit.aig.and(self.circuit.init, latch.negated_if(!first));
        latch
    }

    /// Defines the value of a subformula at the present position.
    fn add(&mut self, part: Formula) {
        let node = self.wanted.formulas.node(part).clone();
        let operands: Vec<Signal> = node.children().map(|operand| self.values[&operand]).collect();
        let value = match &node {
            Node::True => Signal::TRUE,
            Node::False => Signal::FALSE,
            Node::Atom(atom) => self.wanted.atoms[atom.index()],
            Node::Not(_) => !operands[0],
            Node::And(_) => self.circuit.aig.all(operands),
            Node::Or(_) => self.circuit.aig.any(operands),
            Node::Xor(..) => self.circuit.aig.xor(operands[0], operands[1]),
            Node::Iff(..) => self.circuit.aig.iff(operands[0], operands[1]),
            Node::Implies(..) => self.circuit.aig.or(!operands[0], operands[1]),
            Node::Next(operand) => self.guess(*operand),
            Node::Eventually(_) => {
                let next = self.guess(part);
                self.circuit.aig.or(operands[0], next)
            }
            Node::Always(_) => {
                let next = self.guess(part);
                self.circuit.aig.and(operands[0], next)
            }
            Node::Until(..) | Node::WeakUntil(..) => {
                let next = self.guess(part);
                self.goes_on(operands[1], operands[0], next)
            }
            Node::Release(..) | Node::StrongRelease(..) => {
                let next = self.guess(part);
                !self.goes_on(!operands[1], !operands[0], !next)
            }
            Node::Previously(_) | Node::WeakPreviously(_) => {
                let latch = self.remembered(matches!(node, Node::WeakPreviously(_)));
                self.circuit.set_next(latch, operands[0]);
                latch
            }
            Node::Once(_) | Node::Historically(_) | Node::Since(..) | Node::Triggered(..) => {
                let latch = self.remembered(matches!(node, Node::Historically(_) | Node::Triggered(..)));
                let value = match node {
                    Node::Once(_) => self.circuit.aig.or(operands[0], latch),
                    Node::Historically(_) => self.circuit.aig.and(operands[0], latch),
                    Node::Since(..) => self.goes_on(operands[1], operands[0], latch),
                    _ => !self.goes_on(!operands[1], !operands[0], !latch),
                };
                self.circuit.set_next(latch, value);
                value
            }
        };
        self.values.insert(part, value);
    }

    /// `now | stays & then`.
    fn goes_on(&mut self, now: Signal, stays: Signal, then: Signal) -> Signal {
        let later = self.circuit.aig.and(stays, then);
        self.circuit.aig.or(now, later)
    }

    /// What must be met infinitely often so that an operator does not postpone forever.
    fn promise(&mut self, part: Formula) -> Option<Signal> {
        if self.circuit.is(Mutant::PromiseForgotten) {
            return None;
        }
        let value = |operand: Formula| self.values[&operand];
        let (own, met) = match self.wanted.formulas.node(part) {
            Node::Eventually(a) => (value(part), value(*a)),
            Node::Until(_, b) => (value(part), value(*b)),
            Node::StrongRelease(a, b) => {
                let (a, b) = (value(*a), value(*b));
                (value(part), self.circuit.aig.and(a, b))
            }
            Node::Always(a) => (!value(part), !value(*a)),
            Node::Release(_, b) => (!value(part), !value(*b)),
            Node::WeakUntil(a, b) => {
                let (a, b) = (value(*a), value(*b));
                (!value(part), self.circuit.aig.and(!a, !b))
            }
            _ => return None,
        };
        Some(self.circuit.aig.or(!own, met))
    }

    /// Steps satisfy what was guessed one position before, and the formula holds at the beginning.
    fn compare(&mut self) {
        let root = self.values[&self.wanted.formula];
        let begins = self.circuit.aig.or(self.started, root);
        self.demands.push(begins);
        for (formula, guess) in std::mem::take(&mut self.guesses) {
            let latch = self.remembered(false);
            self.circuit.set_next(latch, guess);
            let value = self.values[&formula];
            let right = self.circuit.aig.iff(latch, value);
            let kept = self.circuit.aig.or(!self.started, right);
            let kept = if self.circuit.is(Mutant::GuessUnchecked) { Signal::TRUE } else { kept };
            self.demands.push(kept);
        }
    }

    /// Guesses when a premise is true for the last time; what a fair path then meets infinitely often.
    fn compassion(&mut self, premise: Signal, conclusion: Signal) -> Signal {
        let guess = self.circuit.add_input();
        let never = self.circuit.add_latch();
        self.circuit.init = self.circuit.aig.and(self.circuit.init, !never);
        let from_now = self.circuit.aig.or(never, guess);
        self.circuit.set_next(never, from_now);
        let kept = self.circuit.aig.or(!never, !premise);
        let kept = if self.circuit.is(Mutant::PremiseReturns) { Signal::TRUE } else { kept };
        self.demands.push(kept);
        self.circuit.aig.or(never, conclusion)
    }
}
