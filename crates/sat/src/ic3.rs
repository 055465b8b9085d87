//! Invariants proved by IC3, also called property directed reachability.
//!
//! What: frames `F_1, F_2, …` over-approximate the states that are reachable in at most so many steps. Each is a set of
//! clauses over latches, and a clause of a frame belongs to all earlier ones. A state that can reach a violation is
//! blocked by a clause that is inductive relative to the frame before, or has a predecessor there that must be blocked
//! first. If two successive frames become equal, they are an inductive invariant.
//!
//! Source: [bradley.11.vmcai], [een.11.fmcad].
//!
//! Deviations: initial states are a formula, so a query decides whether a cube contains one. Predecessors are enlarged by
//! the core of the query that the state, with its inputs, cannot avoid to step into the target: the condition of steps
//! belongs to what is negated there. A violation is only reported; bounded checking finds a shortest one.
//!
//! Contract: [`Answer::Holds`] carries an [`Invariant`], which [`recheck`](crate::certificate::recheck) verifies with
//! another solver on another circuit. Limits of the budget end a call; the frames stay for the next one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use kernel::budget::{Budget, Exhausted};

use crate::aig::Signal;
use crate::circuit::Circuit;
use crate::mutant::Mutant;
use crate::solver::{Lit, Sat};
use crate::unroll::Unrolling;

/// Queries with a clause of their own after which a solver is built anew, to be rid of the variables of these clauses.
const TEMPORARY_CLAUSES: usize = 400;

/// Literals of a cube that are dropped without success before generalisation ends.
const FAILED_DROPS: usize = 6;

/// Values of some latches, by the number of the latch, in ascending order.
pub type Cube = Vec<(usize, bool)>;

/// An inductive invariant: no reachable state lies in one of the cubes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invariant {
    /// What is excluded.
    pub cubes: Vec<Cube>,
}

/// The answer of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// What must not be is unreachable.
    Holds(Invariant),
    /// It is reachable, in at least so many steps.
    Violated,
}

/// The search.
#[derive(Debug)]
pub struct Ic3<'c, S> {
    circuit: &'c Circuit,
    bad: Signal,
    /// The blocked cubes of each frame that are not known to be blocked in the next one; frame 0 has none.
    frames: Vec<Vec<Cube>>,
    /// The literals that switch on the clauses of a frame.
    switches: Vec<Lit>,
    steps: Unrolling<S>,
    temporary: usize,
    /// Queries about initial states only.
    initial: Unrolling<S>,
    /// Queries about the circuit only.
    lifting: Unrolling<S>,
    lifted: usize,
    budget: Budget,
}

impl<'c, S: Sat> Ic3<'c, S> {
    /// A search for a proof that `bad`, over latches and inputs, is never true.
    #[must_use]
    pub fn new(circuit: &'c Circuit, bad: Signal, budget: &Budget) -> Self {
        let mut ic3 = Ic3 {
            circuit,
            bad,
            frames: vec![Vec::new(), Vec::new()],
            switches: Vec::new(),
            steps: Unrolling::free(S::new(budget)),
            temporary: 0,
            initial: Unrolling::initial(S::new(budget), circuit),
            lifting: Unrolling::free(S::new(budget)),
            lifted: 0,
            budget: budget.clone(),
        };
        ic3.rebuild();
        ic3
    }

    /// The number of the last frame: violations of fewer steps are excluded.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.frames.len() - 1
    }

    /// Continues until there is an answer.
    ///
    /// # Errors
    /// The limit that was exhausted. The search can be continued.
    pub fn run(&mut self, budget: &Budget) -> Result<Answer, Exhausted> {
        self.budget = budget.clone();
        for solver in [&mut self.steps, &mut self.initial, &mut self.lifting] {
            solver.gates.solver.set_budget(budget);
        }
        let bad = self.initial.lit(self.circuit, 0, self.bad);
        if self.initial.gates.solver.solve(&[bad])? {
            return Ok(Answer::Violated);
        }
        loop {
            while let Some(cube) = self.bad_state()? {
                if !self.block(cube)? {
                    return Ok(Answer::Violated);
                }
            }
            self.frames.push(Vec::new());
            let switch = self.steps.gates.solver.fresh();
            self.switches.push(switch);
            if let Some(invariant) = self.propagate()? {
                return Ok(Answer::Holds(invariant));
            }
        }
    }

    /// A new solver with the clauses of all frames.
    fn rebuild(&mut self) {
        self.steps = Unrolling::free(S::new(&self.budget));
        self.steps.demand(self.circuit, 0, self.circuit.states);
        self.switches = (0..self.frames.len()).map(|_| self.steps.gates.solver.fresh()).collect();
        let init = self.steps.lit(self.circuit, 0, self.circuit.init);
        self.steps.gates.solver.add(&[!self.switches[0], init]);
        for (level, cubes) in self.frames.clone().iter().enumerate() {
            for cube in cubes {
                self.exclude(cube, level);
            }
        }
        self.temporary = 0;
    }

    fn exclude(&mut self, cube: &Cube, level: usize) {
        let mut clause = vec![!self.switches[level]];
        clause.extend(self.now(cube).into_iter().map(|lit| !lit));
        self.steps.gates.solver.add(&clause);
    }

    fn now(&mut self, cube: &Cube) -> Vec<Lit> {
        literals(&mut self.steps, self.circuit, cube, 0)
    }

    /// The assumptions that the present state is in a frame.
    fn within(&self, level: usize) -> Vec<Lit> {
        if level == 0 { vec![self.switches[0]] } else { self.switches[level..].to_vec() }
    }

    /// A cube of states of the last frame that are bad, or from which a step is.
    fn bad_state(&mut self) -> Result<Option<Cube>, Exhausted> {
        let bad = self.steps.lit(self.circuit, 0, self.bad);
        let mut assumptions = self.within(self.depth());
        assumptions.push(bad);
        if !self.steps.gates.solver.solve(&assumptions)? {
            return Ok(None);
        }
        let (state, inputs) = self.assigned();
        let avoided = !self.lifting.lit(self.circuit, 0, self.bad);
        self.enlarged(&state, &inputs, &[avoided]).map(Some)
    }

    /// The values of latches and inputs in the last model of `steps`.
    fn assigned(&mut self) -> (Cube, Vec<(Signal, bool)>) {
        let latches = self.circuit.latches.iter().enumerate();
        let state = latches.map(|(at, latch)| (at, self.steps.value(0, latch.now))).collect();
        let inputs = self.circuit.inputs.iter().map(|input| (*input, self.steps.value(0, *input))).collect();
        (state, inputs)
    }

    /// The part of a state that, with these inputs, suffices to contradict a clause.
    fn enlarged(&mut self, state: &Cube, inputs: &[(Signal, bool)], clause: &[Lit]) -> Result<Cube, Exhausted> {
        let switch = self.lifting.gates.solver.fresh();
        let mut switched = vec![!switch];
        switched.extend(clause);
        self.lifting.gates.solver.add(&switched);
        let literals = literals(&mut self.lifting, self.circuit, state, 0);
        let mut assumptions = vec![switch];
        for (input, value) in inputs {
            assumptions.push(self.lifting.lit(self.circuit, 0, *input).negated_if(!value));
        }
        assumptions.extend(&literals);
        let contradicts = !self.lifting.gates.solver.solve(&assumptions)?;
        let core = if contradicts { self.lifting.gates.solver.core() } else { Vec::new() };
        self.lifting.gates.solver.add(&[!switch]);
        self.lifted += 1;
        if self.lifted > 4 * TEMPORARY_CLAUSES {
            self.lifting = Unrolling::free(S::new(&self.budget));
            self.lifted = 0;
        }
        if !contradicts {
            return Ok(state.clone());
        }
        Ok(state.iter().zip(&literals).filter(|(_, lit)| core.contains(lit)).map(|(value, _)| *value).collect())
    }

    /// The part of a cube that excludes all initial states; none if it contains one.
    fn excludes_initial(&mut self, cube: &Cube) -> Result<Option<Cube>, Exhausted> {
        let literals = literals(&mut self.initial, self.circuit, cube, 0);
        if self.circuit.is(Mutant::InitialExcluded) {
            return Ok(Some(Cube::new()));
        }
        if self.initial.gates.solver.solve(&literals)? {
            return Ok(None);
        }
        let core = self.initial.gates.solver.core();
        Ok(Some(cube.iter().zip(&literals).filter(|(_, lit)| core.contains(lit)).map(|(value, _)| *value).collect()))
    }

    /// Whether no step leads from a frame into a cube, from a state outside the cube if `outside` is set: the part of the
    /// cube that suffices, or the enlarged predecessor.
    fn unreachable_from(&mut self, level: usize, cube: &Cube, outside: bool) -> Result<Result<Cube, Cube>, Exhausted> {
        if self.temporary > TEMPORARY_CLAUSES {
            self.rebuild();
        }
        let mut assumptions = self.within(level);
        let mut switch = None;
        if outside {
            let fresh = self.steps.gates.solver.fresh();
            let mut clause = vec![!fresh];
            clause.extend(self.now(cube).into_iter().map(|lit| !lit));
            self.steps.gates.solver.add(&clause);
            assumptions.push(fresh);
            self.temporary += 1;
            switch = Some(fresh);
        }
        assumptions.push(self.steps.lit(self.circuit, 0, self.circuit.step));
        let later = literals(&mut self.steps, self.circuit, cube, 1);
        assumptions.extend(&later);
        let answer = self.steps.gates.solver.solve(&assumptions);
        let result = match answer {
            Ok(false) => {
                let core = self.steps.gates.solver.core();
                let kept = cube.iter().zip(&later).filter(|(_, lit)| core.contains(lit));
                Ok(Ok(kept.map(|(value, _)| *value).collect()))
            }
            Ok(true) => Ok(Err(())),
            Err(limit) => Err(limit),
        };
        let predecessor = if matches!(result, Ok(Err(()))) { Some(self.assigned()) } else { None };
        if let Some(switch) = switch {
            self.steps.gates.solver.add(&[!switch]);
        }
        match (result?, predecessor) {
            (Err(()), Some((state, inputs))) => {
                let mut clause = vec![!self.lifting.lit(self.circuit, 0, self.circuit.step)];
                if self.circuit.is(Mutant::StepForgotten) {
                    clause.clear();
                }
                clause.extend(literals(&mut self.lifting, self.circuit, cube, 1).into_iter().map(|lit| !lit));
                Ok(Err(self.enlarged(&state, &inputs, &clause)?))
            }
            (Ok(kept), _) => Ok(Ok(kept)),
            (Err(()), None) => unreachable!("a satisfiable query has a model"),
        }
    }

    /// Blocks a cube of the last frame and what leads to it; false if an initial state does.
    fn block(&mut self, cube: Cube) -> Result<bool, Exhausted> {
        let depth = self.depth();
        let mut obligations = BinaryHeap::from([Reverse((depth, 0_usize, cube))]);
        let mut number = 0;
        while let Some(Reverse((level, _, cube))) = obligations.pop() {
            if self.is_blocked(level, &cube)? {
                continue;
            }
            let Some(outside) = self.excludes_initial(&cube)? else { return Ok(false) };
            match self.unreachable_from(level - 1, &cube, true)? {
                Ok(kept) => {
                    let kept = union(&kept, &outside);
                    let kept = self.generalised(level - 1, kept)?;
                    let level = self.raised(level, &kept)?;
                    self.exclude(&kept, level);
                    self.frames[level].push(kept);
                    if level < depth {
                        number += 1;
                        obligations.push(Reverse((level + 1, number, cube)));
                    }
                }
                Err(_) if level == 1 => return Ok(false),
                Err(predecessor) => {
                    number += 1;
                    obligations.push(Reverse((level - 1, number, predecessor)));
                    number += 1;
                    obligations.push(Reverse((level, number, cube)));
                }
            }
        }
        Ok(true)
    }

    /// Whether a frame excludes a cube already.
    fn is_blocked(&mut self, level: usize, cube: &Cube) -> Result<bool, Exhausted> {
        let contains = |known: &Cube| known.iter().all(|value| cube.binary_search(value).is_ok());
        if self.frames[level..].iter().flatten().any(contains) {
            return Ok(true);
        }
        let mut assumptions = self.within(level);
        assumptions.extend(self.now(cube));
        Ok(!self.steps.gates.solver.solve(&assumptions)?)
    }

    /// A smaller cube that no step from a frame enters either.
    fn generalised(&mut self, level: usize, mut cube: Cube) -> Result<Cube, Exhausted> {
        let mut failed = 0;
        let mut at = 0;
        while at < cube.len() && cube.len() > 1 && failed < FAILED_DROPS {
            let mut smaller = cube.clone();
            smaller.remove(at);
            let Some(outside) = self.excludes_initial(&smaller)? else {
                at += 1;
                continue;
            };
            match self.unreachable_from(level, &smaller, true)? {
                Ok(kept) => {
                    cube = union(&kept, &outside);
                    failed = 0;
                    at = at.min(cube.len());
                }
                Err(_) if self.circuit.is(Mutant::EnteredExcluded) => cube = smaller,
                Err(_) => {
                    failed += 1;
                    at += 1;
                }
            }
        }
        Ok(cube)
    }

    /// The last level at which a cube is blocked.
    fn raised(&mut self, mut level: usize, cube: &Cube) -> Result<usize, Exhausted> {
        while level < self.depth() && self.unreachable_from(level, cube, true)?.is_ok() {
            level += 1;
        }
        Ok(level)
    }

    /// Moves cubes to later frames; the invariant, if a frame equals the next one.
    fn propagate(&mut self) -> Result<Option<Invariant>, Exhausted> {
        for level in 1..self.depth() {
            for cube in std::mem::take(&mut self.frames[level]) {
                match self.unreachable_from(level, &cube, false) {
                    Ok(answer) if answer.is_ok() || self.circuit.is(Mutant::PushedUnasked) => {
                        self.exclude(&cube, level + 1);
                        let contains = |known: &Cube| cube.iter().all(|value| known.binary_search(value).is_ok());
                        self.frames[level + 1].retain(|known| !contains(known));
                        self.frames[level + 1].push(cube);
                    }
                    Ok(_) => self.frames[level].push(cube),
                    Err(limit) => {
                        self.frames[level].push(cube);
                        return Err(limit);
                    }
                }
            }
            if self.frames[level].is_empty() {
                let cubes = self.frames[level + 1..].iter().flatten().cloned().collect();
                return Ok(Some(Invariant { cubes }));
            }
        }
        Ok(None)
    }
}

/// The literals of a cube, at time 0 or one step later.
fn literals<S: Sat>(unrolling: &mut Unrolling<S>, circuit: &Circuit, cube: &Cube, time: usize) -> Vec<Lit> {
    let signal = |at: usize| if time == 0 { circuit.latches[at].now } else { circuit.latches[at].next };
    cube.iter().map(|(at, value)| unrolling.lit(circuit, 0, signal(*at)).negated_if(!value)).collect()
}

/// The values of both cubes, which agree.
fn union(a: &Cube, b: &Cube) -> Cube {
    let mut both: Cube = a.iter().chain(b).copied().collect();
    both.sort_unstable();
    both.dedup();
    both
}
