//! Whether cubes around the states of a trace keep the promise of a stripped counterexample, asked of a solver.
//!
//! What: the promise has two parts. Every reachable state in the cube of a position satisfies the demands there, with every input that
//! agrees with the inputs kept; and from every such state some step, with inputs that agree, leads into the next cube. The first is one
//! query. The second says that for all states there is a choice, which is refined: first the choices of the
//! trace itself are tried for all states; a state for which they fail gets choices of its own, which then are tried for
//! all others, too; a state for which there is none breaks the promise.
//!
//! Contract: answers are about *reachable* states. Queries are about all states that satisfy the invariants of the
//! model, so a state that breaks the promise is looked up with IC3: if it is unreachable, the inductive invariant that
//! shows it, re-checked by another solver, joins all later queries. Work is bounded; what it leaves open is [`Answer::Open`].
//!
//! Tested by `tests/stripped.rs`, against all states and choices, listed one by one.

use std::collections::{HashMap, HashSet};

use flat::model::VariableId;
use kernel::budget::{Budget, Exhausted};

use crate::aig::Signal;
use crate::certificate::{Defect, recheck};
use crate::circuit::{Circuit, Trace};
use crate::design::Design;
use crate::ic3::{self, Ic3, Invariant};
use crate::mutant::Mutant;
use crate::solver::{Lit, Sat};
use crate::unroll::Unrolling;

/// How often a search for a way to a state may ask its budget whether to continue, multiplied with the gates of the circuit: a
/// decision takes longer in a larger one. A tenth of a second at most.
const REACH_WORK: u64 = 2_000_000;

/// The same in a small circuit, not multiplied.
const REACH_CHECKS: u64 = 20_000;

/// The searches for ways to states that may end without an answer before no more are begun.
const MOST_OPEN: usize = 4;

/// The choices that are tried at one position.
const MOST_CHOICES: usize = 64;

/// A variable: its latches, or its inputs, by their numbers in the circuit.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) id: VariableId,
    pub(super) latches: Vec<usize>,
    pub(super) inputs: Vec<usize>,
}

/// The variables that are kept at a position, by the number of their group.
pub(super) type Kept = Vec<bool>;

/// The answer about one position.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    /// It keeps its part of the promise; these groups suffice.
    Keeps(Vec<usize>),
    /// This reachable state breaks it.
    Breaks(Vec<bool>),
    /// Nobody knows.
    Open,
}

/// Values for all inputs of the circuit, and what the circuit becomes with them.
#[derive(Debug)]
struct Choice {
    inputs: Vec<bool>,
    replaced: HashMap<usize, Signal>,
    /// That the choice is a step.
    step: Option<Lit>,
    /// That a group has its next value of the trace.
    arrives: HashMap<usize, Lit>,
}

/// The promise of a trace.
pub(super) struct Promise<'d, 'm, S> {
    design: &'d mut Design<'m>,
    trace: &'d Trace,
    pub(super) groups: Vec<Group>,
    demands: Vec<Signal>,
    inputs_valid: Signal,
    one_step: Unrolling<S>,
    group_of: HashMap<Lit, usize>,
    choices: Vec<Vec<Choice>>,
    reached: HashSet<Vec<bool>>,
    open: usize,
    /// What an invariant that was claimed to be inductive lacks: a bug of this crate.
    pub(super) defect: Option<Defect>,
    budget: Budget,
}

impl<'d, 'm, S: Sat> Promise<'d, 'm, S> {
    pub(super) fn new(
        design: &'d mut Design<'m>,
        trace: &'d Trace,
        groups: Vec<Group>,
        demands: Vec<Signal>,
        budget: &Budget,
    ) -> Self {
        let inputs_valid = design.inputs_valid();
        let circuit = &design.circuit;
        let mut one_step = Unrolling::free(S::new(budget));
        one_step.demand(circuit, 0, circuit.states);
        let mut group_of = HashMap::new();
        for (number, group) in groups.iter().enumerate() {
            for bit in bits(circuit, group) {
                let lit = one_step.lit(circuit, 0, bit);
                group_of.extend([(lit, number), (!lit, number)]);
            }
        }
        let choice = |inputs: &Vec<bool>| vec![Choice::new(circuit, inputs.clone())];
        let choices = trace.inputs.iter().map(choice).collect();
        let reached = trace.states.iter().cloned().collect();
        let budget = budget.clone();
        let (open, defect) = (0, None);
        Promise {
            design,
            trace,
            groups,
            demands,
            inputs_valid,
            one_step,
            group_of,
            choices,
            reached,
            open,
            defect,
            budget,
        }
    }

    pub(super) fn trace(&self) -> &'d Trace {
        self.trace
    }

    /// Which position follows; none after the end of a finite path.
    pub(super) fn after(&self, position: usize) -> Option<usize> {
        if position + 1 < self.trace.states.len() { Some(position + 1) } else { self.trace.loop_start }
    }

    /// What is kept at a position if nothing is dropped: the state, and the inputs that the demands mention.
    pub(super) fn whole(&self, position: usize) -> Kept {
        let circuit = &self.design.circuit;
        let cone = circuit.aig.cone(&[self.demands[position]]);
        let is_mentioned = |input: &usize| cone.binary_search(&circuit.inputs[*input].node()).is_ok();
        self.groups.iter().map(|group| !group.latches.is_empty() || group.inputs.iter().any(is_mentioned)).collect()
    }

    /// Whether a position keeps its part of the promise.
    pub(super) fn holds_at(&mut self, kept: &[Kept], position: usize) -> Result<Answer, Exhausted> {
        let mut needed = match self.meets_demands(&kept[position], position)? {
            Answer::Keeps(needed) => needed,
            other => return Ok(other),
        };
        if let Some(next) = self.after(position)
            && !self.design.circuit.is(Mutant::StepsUnasked)
        {
            match self.steps_into(&kept[position], &kept[next], position, next)? {
                Answer::Keeps(more) => needed.extend(more),
                other => return Ok(other),
            }
        }
        needed.sort_unstable();
        needed.dedup();
        Ok(Answer::Keeps(needed))
    }

    fn meets_demands(&mut self, kept: &Kept, position: usize) -> Result<Answer, Exhausted> {
        loop {
            let mut assumed = self.cube(kept, position, true);
            let circuit = &self.design.circuit;
            assumed.push(!self.one_step.lit(circuit, 0, self.demands[position]));
            assumed.push(self.one_step.lit(circuit, 0, self.inputs_valid));
            if !self.one_step.gates.solver.solve(&assumed)? {
                return Ok(Answer::Keeps(self.core()));
            }
            let state = self.state();
            if let Some(answer) = self.judged(state)? {
                return Ok(answer);
            }
        }
    }

    fn steps_into(&mut self, kept: &Kept, then: &Kept, position: usize, next: usize) -> Result<Answer, Exhausted> {
        loop {
            let none_works = self.one_step.gates.solver.fresh();
            for number in 0..self.choices[position].len() {
                if self.agrees(&self.choices[position][number].inputs, kept, position) {
                    let mut clause = self.failures(position, number, then, next);
                    clause.push(!none_works);
                    self.one_step.gates.solver.add(&clause);
                }
            }
            let mut assumed = self.cube(kept, position, false);
            assumed.push(none_works);
            let fails = self.one_step.gates.solver.solve(&assumed)?;
            let (core, state) = if fails { (Vec::new(), self.state()) } else { (self.core(), Vec::new()) };
            self.one_step.gates.solver.add(&[!none_works]);
            if !fails {
                return Ok(Answer::Keeps(core));
            }
            let is_refined = !self.design.circuit.is(Mutant::ChoicesUnrefined);
            let more = if is_refined { self.choice(&state, kept, then, position, next)? } else { None };
            match more {
                Some(inputs) => {
                    if self.choices[position].len() >= MOST_CHOICES {
                        return Ok(Answer::Open);
                    }
                    let choice = Choice::new(&self.design.circuit, inputs);
                    self.choices[position].push(choice);
                }
                None => {
                    if let Some(answer) = self.judged(state)? {
                        return Ok(answer);
                    }
                }
            }
        }
    }

    /// The literals of the values that are kept at a position, of inputs only if wanted.
    fn cube(&mut self, kept: &Kept, position: usize, with_inputs: bool) -> Vec<Lit> {
        let circuit = &self.design.circuit;
        let mut literals = Vec::new();
        for group in chosen(&self.groups, kept) {
            for latch in &group.latches {
                let lit = self.one_step.lit(circuit, 0, circuit.latches[*latch].now);
                literals.push(lit.negated_if(!self.trace.states[position][*latch]));
            }
            for input in group.inputs.iter().filter(|_| with_inputs) {
                let lit = self.one_step.lit(circuit, 0, circuit.inputs[*input]);
                literals.push(lit.negated_if(!self.trace.inputs[position][*input]));
            }
        }
        literals
    }

    /// The groups of the assumptions that the last answer needed.
    fn core(&mut self) -> Vec<usize> {
        let core = self.one_step.gates.solver.core();
        core.iter().filter_map(|lit| self.group_of.get(lit).copied()).collect()
    }

    /// The state of the last model.
    fn state(&self) -> Vec<bool> {
        self.design.circuit.latches.iter().map(|latch| self.one_step.value(0, latch.now)).collect()
    }

    /// Whether a choice agrees with the inputs that are kept.
    fn agrees(&self, inputs: &[bool], kept: &Kept, position: usize) -> bool {
        let mut kept_inputs = chosen(&self.groups, kept).flat_map(|group| &group.inputs);
        kept_inputs.all(|input| inputs[*input] == self.trace.inputs[position][*input])
    }

    /// The ways in which a choice can fail to lead into the next cube; all false where it does not.
    fn failures(&mut self, position: usize, number: usize, then: &Kept, next: usize) -> Vec<Lit> {
        let circuit = &mut self.design.circuit;
        let choice = &mut self.choices[position][number];
        let mut literals = Vec::new();
        let step = *choice.step.get_or_insert_with(|| {
            let step = circuit.aig.substitute(circuit.step, &mut choice.replaced);
            self.one_step.lit(circuit, 0, step)
        });
        literals.push(!step);
        let groups = self.groups.iter().enumerate().zip(then).filter(|(_, is_kept)| **is_kept);
        for ((number, group), _) in groups.filter(|((_, group), _)| !group.latches.is_empty()) {
            let arrives = *choice.arrives.entry(number).or_insert_with(|| {
                let mut equal = Vec::new();
                for latch in &group.latches {
                    let value = self.trace.states[next][*latch];
                    let bit = circuit.latches[*latch].next;
                    equal.push(circuit.aig.substitute(bit, &mut choice.replaced).negated_if(!value));
                }
                let all = circuit.aig.all(equal);
                self.one_step.lit(circuit, 0, all)
            });
            literals.push(!arrives);
        }
        literals
    }

    /// Inputs with which a step leads from a state into the next cube, if there are some.
    fn choice(
        &mut self,
        state: &[bool],
        kept: &Kept,
        then: &Kept,
        position: usize,
        next: usize,
    ) -> Result<Option<Vec<bool>>, Exhausted> {
        let circuit = &self.design.circuit;
        let mut assumed = Vec::new();
        for (latch, value) in circuit.latches.iter().zip(state) {
            assumed.push(self.one_step.lit(circuit, 0, latch.now).negated_if(!value));
        }
        assumed.push(self.one_step.lit(circuit, 0, circuit.step));
        for input in chosen(&self.groups, kept).flat_map(|group| &group.inputs) {
            let lit = self.one_step.lit(circuit, 0, circuit.inputs[*input]);
            assumed.push(lit.negated_if(!self.trace.inputs[position][*input]));
        }
        for latch in chosen(&self.groups, then).flat_map(|group| &group.latches) {
            let lit = self.one_step.lit(circuit, 0, circuit.latches[*latch].next);
            assumed.push(lit.negated_if(!self.trace.states[next][*latch]));
        }
        if !self.one_step.gates.solver.solve(&assumed)? {
            return Ok(None);
        }
        Ok(Some(circuit.inputs.iter().map(|input| self.one_step.value(0, *input)).collect()))
    }

    /// What a state that breaks the promise means; nothing if it turned out to be unreachable.
    fn judged(&mut self, state: Vec<bool>) -> Result<Option<Answer>, Exhausted> {
        if self.reached.contains(&state) || self.design.circuit.is(Mutant::AllStatesReachable) {
            return Ok(Some(Answer::Breaks(state)));
        }
        if self.open >= MOST_OPEN {
            return Ok(Some(Answer::Open));
        }
        let circuit = &mut self.design.circuit;
        let bits: Vec<Signal> =
            circuit.latches.iter().zip(&state).map(|(latch, value)| latch.now.negated_if(!value)).collect();
        let here = circuit.aig.all(bits);
        let checks = (REACH_WORK / self.design.circuit.aig.len().max(1) as u64).min(REACH_CHECKS);
        let slice = self.budget.stage().within_checks(checks);
        match unreachable::<S>(&self.design.circuit, here, &slice) {
            Ok(Ok(Some(invariant))) => {
                for cube in &invariant.cubes {
                    let circuit = &self.design.circuit;
                    let outside = |(at, value): &(usize, bool)| {
                        self.one_step.lit(circuit, 0, circuit.latches[*at].now).negated_if(*value)
                    };
                    let clause: Vec<Lit> = cube.iter().map(outside).collect();
                    self.one_step.gates.solver.add(&clause);
                }
                Ok(None)
            }
            Ok(Ok(None)) => {
                self.reached.insert(state.clone());
                Ok(Some(Answer::Breaks(state)))
            }
            Ok(Err(defect)) => {
                self.defect = Some(defect);
                Ok(Some(Answer::Open))
            }
            Err(limit) if self.budget.exhausted(0).is_some() => Err(limit),
            Err(_) => {
                self.open += 1;
                Ok(Some(Answer::Open))
            }
        }
    }
}

impl Choice {
    fn new(circuit: &Circuit, inputs: Vec<bool>) -> Self {
        let constants = circuit.inputs.iter().zip(&inputs);
        let replaced = constants.map(|(input, value)| (input.node(), Signal::constant(*value))).collect();
        Choice { inputs, replaced, step: None, arrives: HashMap::new() }
    }
}

/// The groups that are kept.
fn chosen<'a>(groups: &'a [Group], kept: &'a Kept) -> impl Iterator<Item = &'a Group> {
    groups.iter().zip(kept).filter(|(_, is_kept)| **is_kept).map(|(group, _)| group)
}

/// The bits of a group.
fn bits<'a>(circuit: &'a Circuit, group: &'a Group) -> impl Iterator<Item = Signal> + 'a {
    let latches = group.latches.iter().map(|at| circuit.latches[*at].now);
    latches.chain(group.inputs.iter().map(|at| circuit.inputs[*at]))
}

/// An inductive invariant that excludes a state; none if the state is reachable. A defect if the invariant is none.
fn unreachable<S: Sat>(
    circuit: &Circuit,
    state: Signal,
    budget: &Budget,
) -> Result<Result<Option<Invariant>, Defect>, Exhausted> {
    match Ic3::<S>::new(circuit, state, budget).run(budget)? {
        ic3::Answer::Violated => Ok(Ok(None)),
        ic3::Answer::Holds(invariant) => {
            Ok(recheck::<S>(circuit, state, &invariant, budget)?.map(|()| Some(invariant)))
        }
    }
}
