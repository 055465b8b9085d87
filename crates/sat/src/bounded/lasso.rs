//! Shortest fair lassos that satisfy a formula with past operators.
//!
//! What: with `n` steps there are positions `0..n`, and one of the selectors `l_0 … l_{n-1}` says at which position the
//! loop begins, whose state is repeated at time `n`. Each subformula has a literal for each position and *round*: a
//! formula with past operators can have another value when the loop is gone through again, and after as many rounds as
//! past operators nest, it has the same value in all further ones. Eventualities that the last round postpones must be met
//! inside the loop, and so must justice and compassion.
//!
//! Source: [biere.06.lmcs].
//!
//! Deviations: everything except what closes the loop is a definition that stays when `n` grows; what closes it is
//! conditional on one literal for each bound, which is denied afterwards. States are compared on the latches of the circuit
//! only. All operators have their own equations, so the formula needs no normal form.
//!
//! Contract: as in [`bounded`](super); lengths are numbers of steps, from 1.

use std::collections::BTreeMap;

use kernel::budget::{Budget, Exhausted};
use omega::formula::{Formula, Formulas, Node};

use super::Extended;
use crate::aig::Signal;
use crate::circuit::Circuit;
use crate::mutant::Mutant;
use crate::solver::{Lit, Sat};
use crate::unroll::Unrolling;

/// The fair lassos to search for.
#[derive(Clone, Debug)]
pub struct Wanted<'f> {
    /// The pool of the formula.
    pub formulas: &'f Formulas,
    /// The formula that the lasso satisfies.
    pub formula: Formula,
    /// The meaning of each atom of the pool, by its number, over latches and inputs.
    pub atoms: Vec<Signal>,
    /// Each true somewhere in the loop.
    pub justice: Vec<Signal>,
    /// If the first is true somewhere in the loop, so is the second.
    pub compassion: Vec<(Signal, Signal)>,
}

/// A subformula in a round.
type Rounded = (Formula, usize);

/// The search.
#[derive(Debug)]
pub struct Search<'c, S> {
    circuit: &'c Circuit,
    wanted: Wanted<'c>,
    /// The subformulas, operands first.
    parts: Vec<Formula>,
    unrolling: Unrolling<S>,
    /// The state at which the loop closes, whatever the bound.
    closing: Vec<Lit>,
    /// The values at the last position that past operators at the start of the loop refer to, whatever the bound.
    last: BTreeMap<Rounded, Lit>,
    /// The values at the position after the last one laid out, of what future operators refer to.
    after: BTreeMap<Rounded, Lit>,
    /// The values of all subformulas at each position.
    values: Vec<BTreeMap<Rounded, Lit>>,
    /// For each future operator and round, the value at the start of the loop of what it refers to.
    wrapped: BTreeMap<Rounded, Lit>,
    /// For each eventuality, whether it is met in the loop so far.
    met: BTreeMap<Formula, Lit>,
    justice: Vec<Lit>,
    compassion: Vec<(Lit, Lit)>,
    /// Where the loop may begin.
    selectors: Vec<Lit>,
    /// Whether the last position laid out is in the loop.
    inside: Lit,
    /// The literal of the bound that was asked about and not answered.
    asked: Option<Lit>,
}

impl<'c, S: Sat> Search<'c, S> {
    /// A search for shortest lassos.
    #[must_use]
    pub fn new(circuit: &'c Circuit, wanted: Wanted<'c>, budget: &Budget) -> Self {
        let mut unrolling = Unrolling::initial(S::new(budget), circuit);
        let parts = wanted.formulas.subformulas(wanted.formula);
        let no = !unrolling.gates.yes;
        let closing = circuit.latches.iter().map(|_| unrolling.gates.solver.fresh()).collect();
        let justice = vec![no; wanted.justice.len()];
        let compassion = vec![(no, no); wanted.compassion.len()];
        let mut search = Search {
            circuit,
            wanted,
            parts,
            unrolling,
            closing,
            last: BTreeMap::new(),
            after: BTreeMap::new(),
            values: Vec::new(),
            wrapped: BTreeMap::new(),
            met: BTreeMap::new(),
            justice,
            compassion,
            selectors: Vec::new(),
            inside: no,
            asked: None,
        };
        for part in search.parts.clone() {
            for round in 0..=search.rounds(part) {
                let lit = search.unrolling.gates.solver.fresh();
                search.last.insert((part, round), lit);
            }
            search.met.insert(part, no);
            if let Some(referred) = search.referred(part) {
                for round in 0..=search.rounds(referred) {
                    search.wrapped.insert((referred, round), no);
                }
            }
        }
        search
    }

    /// The number of steps that the next call of [`extend`](Self::extend) tries.
    #[must_use]
    pub fn length(&self) -> usize {
        self.selectors.len() + usize::from(self.asked.is_none())
    }

    /// How deeply past operators nest in a subformula: the number of its last round.
    fn rounds(&self, formula: Formula) -> usize {
        if self.circuit.is(Mutant::OneRound) { 0 } else { self.wanted.formulas.past_depth(formula) }
    }

    /// What a future operator refers to at the next position: its operand, or itself.
    fn referred(&self, formula: Formula) -> Option<Formula> {
        match self.wanted.formulas.node(formula) {
            Node::Next(operand) => Some(*operand),
            Node::Eventually(_) | Node::Always(_) | Node::Until(..) | Node::Release(..) => Some(formula),
            Node::WeakUntil(..) | Node::StrongRelease(..) => Some(formula),
            _ => None,
        }
    }

    /// Tries one length more.
    ///
    /// # Errors
    /// The limit that was exhausted; the next call tries the same length again.
    pub fn extend(&mut self, budget: &Budget) -> Result<Extended, Exhausted> {
        self.extend_with(None, budget)
    }

    /// Tries one length more, and only lassos whose loop begins at this position, if one is given; of the others with
    /// this length, nothing will be known.
    ///
    /// # Errors
    /// The limit that was exhausted; the next call tries the same length again.
    ///
    /// # Panics
    /// If the position is not before [`length`](Self::length).
    pub fn extend_with(&mut self, start: Option<usize>, budget: &Budget) -> Result<Extended, Exhausted> {
        self.unrolling.gates.solver.set_budget(budget);
        let circuit = self.circuit;
        let closed = self.lay_out();
        let assumptions: Vec<Lit> = [closed].into_iter().chain(start.map(|start| self.selectors[start])).collect();
        if self.unrolling.gates.solver.solve(&assumptions)? {
            let start = self.selectors.iter().position(|lit| self.unrolling.gates.solver.value(*lit));
            return Ok(Extended::Found(self.unrolling.trace(
                circuit,
                self.selectors.len(),
                self.selectors.len(),
                start,
            )));
        }
        let complete = self.unrolling.gates.solver.core().is_empty();
        self.unrolling.gates.solver.add(&[!closed]);
        self.asked = None;
        if circuit.is(Mutant::LengthLeftOut) {
            self.skip();
        }
        Ok(if complete { Extended::Complete } else { Extended::Refuted })
    }

    /// Leaves one length out: nothing will be known about it.
    pub fn skip(&mut self) {
        let closed = self.lay_out();
        self.unrolling.gates.solver.add(&[!closed]);
        self.asked = None;
    }

    /// Lays out the next length, unless that was done; the literal under which the loop closes.
    fn lay_out(&mut self) -> Lit {
        if let Some(closed) = self.asked {
            return closed;
        }
        let time = self.selectors.len();
        self.unrolling.demand(self.circuit, time, self.circuit.step);
        self.add_selector(time);
        self.add_values(time);
        self.add_fairness(time);
        let closed = self.close(time);
        *self.asked.insert(closed)
    }

    /// The loop may begin at this time, if it has not begun before.
    fn add_selector(&mut self, time: usize) {
        let state = self.unrolling.state(self.circuit, time);
        let gates = &mut self.unrolling.gates;
        let selector = gates.solver.fresh();
        gates.solver.add(&[!selector, !self.inside]);
        let compared = if self.circuit.is(Mutant::LoopOpen) { 0 } else { state.len() };
        for (now, closing) in state.iter().zip(&self.closing).take(compared) {
            gates.tie(selector, *now, *closing);
        }
        self.inside = gates.or(self.inside, selector);
        self.selectors.push(selector);
    }

    /// The value of a subformula at a time, in a round or the last one that it has.
    fn value(&self, time: usize, formula: Formula, round: usize) -> Lit {
        self.values[time][&(formula, round.min(self.rounds(formula)))]
    }

    /// Defines the values of all subformulas at a time.
    fn add_values(&mut self, time: usize) {
        let before = std::mem::take(&mut self.after);
        self.values.push(BTreeMap::new());
        for part in self.parts.clone() {
            for round in 0..=self.rounds(part) {
                let value = self.define(time, part, round);
                self.values[time].insert((part, round), value);
            }
        }
        for ((formula, round), lit) in before {
            let value = self.value(time, formula, round);
            self.unrolling.gates.same(lit, value);
        }
        if time == 0 {
            let root = self.value(0, self.wanted.formula, 0);
            self.unrolling.gates.solver.add(&[root]);
        }
        // What is referred to after the end of the loop is its value at the start of the loop, one round later.
        let selector = self.selectors[time];
        for ((formula, round), known) in std::mem::take(&mut self.wrapped) {
            let value = self.value(time, formula, round);
            let gates = &mut self.unrolling.gates;
            let here = gates.and(selector, value);
            let either = gates.or(known, here);
            self.wrapped.insert((formula, round), either);
        }
        for part in self.parts.clone() {
            if let Some(meets) = self.meets(time, part) {
                let gates = &mut self.unrolling.gates;
                let here = gates.and(self.inside, meets);
                let either = gates.or(self.met[&part], here);
                self.met.insert(part, either);
            }
        }
    }

    /// The value at the next position of what a future operator refers to.
    fn next(&mut self, formula: Formula, round: usize) -> Lit {
        let solver = &mut self.unrolling.gates.solver;
        *self.after.entry((formula, round)).or_insert_with(|| solver.fresh())
    }

    /// The value of a formula at the previous position; `first` where there is none.
    fn previous(&mut self, time: usize, formula: Formula, round: usize, first: bool) -> Lit {
        let before = match time {
            0 => self.unrolling.gates.constant(first),
            _ => self.value(time - 1, formula, round),
        };
        if round == 0 {
            return before;
        }
        let selector = self.selectors[time];
        let last = self.last[&(formula, (round - 1).min(self.rounds(formula)))];
        let gates = &mut self.unrolling.gates;
        let (looped, straight) = (gates.and(selector, last), gates.and(!selector, before));
        gates.or(looped, straight)
    }

    /// The value of a subformula at a time in a round, by its operator's equation.
    fn define(&mut self, time: usize, part: Formula, round: usize) -> Lit {
        let node = self.wanted.formulas.node(part).clone();
        let operands: Vec<Lit> = match &node {
            Node::Next(_) | Node::Previously(_) | Node::WeakPreviously(_) => Vec::new(),
            node => node.children().map(|operand| self.value(time, operand, round)).collect(),
        };
        match node {
            Node::True => self.unrolling.gates.constant(true),
            Node::False => self.unrolling.gates.constant(false),
            Node::Atom(atom) => self.unrolling.lit(self.circuit, time, self.wanted.atoms[atom.index()]),
            Node::Not(_) => !operands[0],
            Node::And(_) => {
                let yes = self.unrolling.gates.yes;
                operands.into_iter().fold(yes, |all, one| self.unrolling.gates.and(all, one))
            }
            Node::Or(_) => {
                let no = !self.unrolling.gates.yes;
                operands.into_iter().fold(no, |any, one| self.unrolling.gates.or(any, one))
            }
            Node::Xor(..) => !self.unrolling.gates.iff(operands[0], operands[1]),
            Node::Iff(..) => self.unrolling.gates.iff(operands[0], operands[1]),
            Node::Implies(..) => self.unrolling.gates.or(!operands[0], operands[1]),
            Node::Next(operand) => self.next(operand, round),
            Node::Eventually(_) => {
                let next = self.next(part, round);
                self.unrolling.gates.or(operands[0], next)
            }
            Node::Always(_) => {
                let next = self.next(part, round);
                self.unrolling.gates.and(operands[0], next)
            }
            Node::Until(..) | Node::WeakUntil(..) => {
                let next = self.next(part, round);
                self.goes_on(operands[1], operands[0], next)
            }
            Node::Release(..) | Node::StrongRelease(..) => {
                let next = self.next(part, round);
                !self.goes_on(!operands[1], !operands[0], !next)
            }
            Node::Previously(operand) => self.previous(time, operand, round, false),
            Node::WeakPreviously(operand) => self.previous(time, operand, round, true),
            Node::Once(_) => {
                let previous = self.previous(time, part, round, false);
                self.unrolling.gates.or(operands[0], previous)
            }
            Node::Historically(_) => {
                let previous = self.previous(time, part, round, true);
                self.unrolling.gates.and(operands[0], previous)
            }
            Node::Since(..) => {
                let previous = self.previous(time, part, round, false);
                self.goes_on(operands[1], operands[0], previous)
            }
            Node::Triggered(..) => {
                let previous = self.previous(time, part, round, true);
                !self.goes_on(!operands[1], !operands[0], !previous)
            }
        }
    }

    /// `now | stays & then`.
    fn goes_on(&mut self, now: Lit, stays: Lit, then: Lit) -> Lit {
        let gates = &mut self.unrolling.gates;
        let later = gates.and(stays, then);
        gates.or(now, later)
    }

    /// Whether this position meets an eventuality, or, for operators that may go on forever, ends it. The last round is
    /// the one that is repeated forever.
    fn meets(&mut self, time: usize, part: Formula) -> Option<Lit> {
        let round = self.rounds(part);
        let node = self.wanted.formulas.node(part).clone();
        let value = |operand: Formula| self.value(time, operand, round);
        Some(match node {
            Node::Eventually(a) => value(a),
            Node::Always(a) => !value(a),
            Node::Until(_, b) => value(b),
            Node::Release(_, b) => !value(b),
            Node::WeakUntil(a, b) => {
                let (a, b) = (value(a), value(b));
                self.unrolling.gates.and(!a, !b)
            }
            Node::StrongRelease(a, b) => {
                let (a, b) = (value(a), value(b));
                self.unrolling.gates.and(a, b)
            }
            _ => return None,
        })
    }

    fn add_fairness(&mut self, time: usize) {
        let met = |search: &mut Self, known: Lit, signal: Signal, counts: Lit| {
            let value = search.unrolling.lit(search.circuit, time, signal);
            let gates = &mut search.unrolling.gates;
            let here = gates.and(counts, value);
            gates.or(known, here)
        };
        let (circuit, inside, everywhere) = (self.circuit, self.inside, self.unrolling.gates.yes);
        let counts = |mutant: Mutant| if circuit.is(mutant) { everywhere } else { inside };
        for at in 0..self.justice.len() {
            let counts = counts(Mutant::JusticeBeforeLoop);
            self.justice[at] = met(self, self.justice[at], self.wanted.justice[at], counts);
        }
        for at in 0..self.compassion.len() {
            let ((premise, conclusion), (often, then)) = (self.wanted.compassion[at], self.compassion[at]);
            let often = met(self, often, premise, counts(Mutant::CompassionBeforeLoop));
            self.compassion[at] = (often, met(self, then, conclusion, inside));
        }
    }

    /// The literal under which the loop closes after this time.
    fn close(&mut self, time: usize) -> Lit {
        let closed = self.unrolling.gates.solver.fresh();
        let state = self.unrolling.state(self.circuit, time + 1);
        let some: Vec<Lit> = std::iter::once(!closed).chain(self.selectors.iter().copied()).collect();
        self.unrolling.gates.solver.add(&some);
        for (closing, now) in self.closing.iter().zip(&state) {
            self.unrolling.gates.tie(closed, *closing, *now);
        }
        for ((formula, round), last) in &self.last {
            let value = self.values[time][&(*formula, *round)];
            self.unrolling.gates.tie(closed, *last, value);
        }
        for ((formula, round), next) in &self.after {
            let wrapped = self.wrapped[&(*formula, (round + 1).min(self.rounds(*formula)))];
            self.unrolling.gates.tie(closed, *next, wrapped);
        }
        let postponed = self.circuit.is(Mutant::Postponed);
        for part in self.parts.iter().filter(|_| !postponed) {
            let Some(next) = self.after.get(&(*part, self.rounds(*part))) else { continue };
            let met = self.met[part];
            match self.wanted.formulas.node(*part) {
                Node::Eventually(_) | Node::Until(..) | Node::StrongRelease(..) => {
                    self.unrolling.gates.solver.add(&[!closed, !*next, met]);
                }
                Node::Always(_) | Node::Release(..) | Node::WeakUntil(..) => {
                    self.unrolling.gates.solver.add(&[!closed, *next, met]);
                }
                _ => {}
            }
        }
        for justice in &self.justice {
            self.unrolling.gates.solver.add(&[!closed, *justice]);
        }
        for (often, then) in &self.compassion {
            self.unrolling.gates.solver.add(&[!closed, !*often, *then]);
        }
        closed
    }
}
