//! One property of a model from question to answer.
//!
//! What: [`invariant`] and [`linear`] run the engine that a caller names, or all of them in turns, until one has an answer or
//! the budget is exhausted. Bounded checking finds all counterexamples, so every counterexample is a shortest one; IC3
//! and induction prove. For formulas of linear time they do so through k-liveness and liveness-to-safety.
//!
//! Contract: a proof by IC3 has been re-checked by a fresh solver on a circuit that was built without folding
//! ([`recheck`]). If the two disagree, that is a bug in Lariat and [`Outcome::Defective`]. An answer that a limit
//! prevented is [`Outcome::Open`], with the lengths that were refuted.

use std::time::Duration;

use flat::model::{Linear, Model, NodeId};
use kernel::budget::{Budget, Exhausted};

use crate::aig::Signal;
use crate::bounded::{self, Extended};
use crate::certificate::{Defect, recheck};
use crate::circuit::{Bad, Circuit, Trace};
use crate::design::{Design, Failure};
use crate::ic3::{Answer, Ic3, Invariant};
use crate::induction::Step;
use crate::liveness;
use crate::solver::{Sat, Solver};
use crate::unroll::Unrolling;

/// The time for which bounded checking runs before other engines have their first turn; later turns are longer.
const FIRST_TURN: Duration = Duration::from_millis(40);

/// Rounds of conditions that are counted before the next number is tried only after liveness-to-safety had a turn.
const COUNTED_FIRST: usize = 4;

/// Which engine answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Bounded checking alone, up to a length if one is given; it refutes, and proves only where paths end.
    Bounded(Option<usize>),
    /// Bounded checking and k-induction; for linear time through liveness-to-safety.
    Induction,
    /// Bounded checking and IC3; for linear time through k-liveness and liveness-to-safety.
    Ic3,
    /// All of them in turns.
    Turns,
}

/// That a property holds. Only this module makes one.
///
/// ```compile_fail
/// let proof = sat::engine::Proof { argument: sat::engine::Argument::NoLoop };
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    argument: Argument,
}

impl Proof {
    /// Why it holds.
    #[must_use]
    pub fn argument(&self) -> &Argument {
        &self.argument
    }
}

/// Why a property holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// No path has this many steps; with 0, there is no initial state.
    PathsEnd(usize),
    /// No path of this many steps begins a counterexample, although there are such paths.
    NoBeginning(usize),
    /// By k-induction with this k.
    Induction(usize),
    /// By an inductive invariant of the model's own latches, which was re-checked.
    Invariant(Invariant),
    /// By an inductive invariant of a larger circuit that counts how often fairness is met, with this bound.
    Counted(usize),
    /// By an inductive invariant of a larger circuit that looks for repeated states.
    NoLoop,
    /// By the form of the model: it has assignments only, and each of them has a value in every state.
    Assignments,
}

impl Argument {
    /// The engine that found it: `bmc`, `induction` or `ic3`; `form` if none was needed.
    #[must_use]
    pub fn engine(&self) -> &'static str {
        match self {
            Argument::PathsEnd(_) | Argument::NoBeginning(_) => "bmc",
            Argument::Induction(_) => "induction",
            Argument::Invariant(_) | Argument::Counted(_) | Argument::NoLoop => "ic3",
            Argument::Assignments => "form",
        }
    }
}

/// The answer about a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It holds.
    Holds(Proof),
    /// It does not: a shortest counterexample.
    Violated(Trace),
    /// It is undecided: no counterexample has fewer steps than this.
    Open {
        /// Lengths below this one are refuted.
        refuted: usize,
        /// The limit that was reached; none if only so many lengths were wanted.
        limit: Option<Exhausted>,
    },
    /// A proof was refused by the re-check: a bug of this crate.
    Defective(Defect),
}

/// The proof that every state has a successor, if the form of the model shows it: assignments always have a value to give,
/// which was checked when the design was built, and do not depend on each other in a circle.
#[must_use]
pub fn has_no_dead_end(design: &Design<'_>) -> Option<Proof> {
    design.model().has_only_assignments().then_some(Proof { argument: Argument::Assignments })
}

/// The proof that some path from an initial state is fair and infinite, if the form of the model shows it.
#[must_use]
pub fn has_fair_path(design: &Design<'_>) -> Option<Proof> {
    let model = design.model();
    let is_free = model.init.is_empty() && model.justice.is_empty() && model.compassion.is_empty();
    has_no_dead_end(design).filter(|_| is_free)
}

/// A search for counterexamples, one length after the other.
trait Lengths {
    fn length(&self) -> usize;
    fn extend(&mut self, budget: &Budget) -> Result<Extended, Exhausted>;
}

impl Lengths for bounded::invariant::Search<'_, Solver> {
    fn length(&self) -> usize {
        self.length()
    }

    fn extend(&mut self, budget: &Budget) -> Result<Extended, Exhausted> {
        self.extend(budget)
    }
}

impl Lengths for bounded::lasso::Search<'_, Solver> {
    fn length(&self) -> usize {
        self.length()
    }

    fn extend(&mut self, budget: &Budget) -> Result<Extended, Exhausted> {
        self.extend(budget)
    }
}

/// What a turn of a prover gives: an answer, or nothing yet.
type Turn<'t> = Box<dyn FnMut(&Budget) -> Result<Option<Claim>, Exhausted> + 't>;

/// What a prover claims.
enum Claim {
    /// The property holds.
    Holds(Argument),
    /// It is violated; the length is not known.
    Violated,
    /// The proof is wrong.
    Defective(Defect),
}

/// Runs bounded checking and provers in turns.
fn in_turns(mut lengths: impl Lengths, most: Option<usize>, mut provers: Vec<Turn<'_>>, budget: &Budget) -> Outcome {
    let mut turn = FIRST_TURN;
    let mut refuting = true;
    // The limit of memory that ended an engine for good: a longer turn would not help it.
    let mut full = None;
    loop {
        let alone = provers.is_empty();
        let slice = if alone { budget.stage() } else { budget.stage().within(turn) };
        while refuting {
            if most.is_some_and(|most| lengths.length() > most) {
                if alone {
                    return Outcome::Open { refuted: lengths.length(), limit: None };
                }
                refuting = false;
                break;
            }
            match lengths.extend(&slice) {
                Ok(Extended::Found(trace)) => return Outcome::Violated(trace),
                Ok(Extended::Refuted) => {}
                Ok(Extended::Complete) => {
                    let argument = Argument::PathsEnd(lengths.length() - 1);
                    return Outcome::Holds(Proof { argument });
                }
                Err(limit) => match budget.exhausted(0).or(alone.then_some(limit)) {
                    Some(limit) => return Outcome::Open { refuted: lengths.length(), limit: Some(limit) },
                    None => {
                        if limit != Exhausted::Time {
                            (refuting, full) = (false, Some(limit));
                        }
                        break;
                    }
                },
            }
        }
        let mut violated = false;
        let mut remaining = Vec::new();
        for mut prover in provers {
            let slice = budget.stage().within(turn);
            match prover(&slice) {
                Ok(Some(Claim::Holds(argument))) => return Outcome::Holds(Proof { argument }),
                Ok(Some(Claim::Violated)) => violated = true,
                Ok(Some(Claim::Defective(defect))) => return Outcome::Defective(defect),
                Ok(None) | Err(Exhausted::Time) => remaining.push(prover),
                Err(limit) => full = Some(limit),
            }
            if let Some(limit) = budget.exhausted(0) {
                return Outcome::Open { refuted: lengths.length(), limit: Some(limit) };
            }
        }
        provers = remaining;
        if violated {
            // Only the length is open now.
            provers.clear();
            refuting = true;
        }
        if provers.is_empty() && !refuting {
            return Outcome::Open { refuted: lengths.length(), limit: full };
        }
        turn = turn.saturating_mul(2);
    }
}

/// Whether a Boolean expression is true in all reachable states or steps.
///
/// # Errors
/// Where the model is wrong or too large to encode.
pub fn invariant(design: &mut Design<'_>, node: NodeId, engine: Engine, budget: &Budget) -> Result<Outcome, Failure> {
    let kind = design.violation(node, budget)?;
    let bad = design.circuit.bad(kind);
    let (model, circuit) = (design.model(), &design.circuit);
    let lengths = bounded::invariant::Search::<Solver>::new(circuit, kind, bad, budget);
    let mut provers: Vec<Turn<'_>> = Vec::new();
    if matches!(engine, Engine::Ic3 | Engine::Turns) {
        let mut ic3 = Ic3::<Solver>::new(circuit, bad, budget);
        provers.push(Box::new(move |slice: &Budget| match ic3.run(slice)? {
            Answer::Violated => Ok(Some(Claim::Violated)),
            Answer::Holds(found) => Ok(Some(rechecked(model, node, found, budget)?)),
        }));
    }
    if matches!(engine, Engine::Induction | Engine::Turns) {
        provers.push(by_induction(circuit, kind, bad, budget));
    }
    let most = if let Engine::Bounded(most) = engine { most } else { None };
    Ok(in_turns(lengths, most, provers, budget))
}

/// A proof by IC3, checked again on a circuit of its own.
fn rechecked(model: &Model, node: NodeId, found: Invariant, budget: &Budget) -> Result<Claim, Exhausted> {
    let mut plain = match Design::new(model, false, budget) {
        Ok(plain) => plain,
        Err(Failure::Stopped(limit)) => return Err(limit),
        Err(Failure::Wrong(_)) => return Ok(Claim::Defective(Defect::Initial)),
    };
    let kind = plain.violation(node, budget)?;
    let bad = plain.circuit.bad(kind);
    Ok(match recheck::<Solver>(&plain.circuit, bad, &found, budget)? {
        Ok(()) => Claim::Holds(Argument::Invariant(found)),
        Err(defect) => Claim::Defective(defect),
    })
}

fn by_induction<'t>(circuit: &'t Circuit, kind: Bad, bad: Signal, budget: &Budget) -> Turn<'t> {
    let mut base = bounded::invariant::Search::<Solver>::new(circuit, kind, bad, budget);
    let mut step = Step::<Solver>::new(circuit, bad, budget);
    let extra = base.length();
    Box::new(move |slice: &Budget| {
        loop {
            // The base case covers all paths up to the length of the step case.
            while base.length() - extra <= step.depth() {
                match base.extend(slice)? {
                    Extended::Found(_) => return Ok(Some(Claim::Violated)),
                    Extended::Complete => return Ok(Some(Claim::Holds(Argument::PathsEnd(base.length() - 1)))),
                    Extended::Refuted => {}
                }
            }
            let depth = step.depth();
            if step.extend(slice)? {
                return Ok(Some(Claim::Holds(Argument::Induction(depth))));
            }
        }
    })
}

/// Whether a formula is true on all fair infinite paths.
///
/// # Errors
/// Where the model is wrong or too large to encode.
pub fn linear(design: &mut Design<'_>, formula: &Linear, engine: Engine, budget: &Budget) -> Result<Outcome, Failure> {
    let negation = formula.negated();
    let wanted = design.lassos(&negation, budget)?;
    let (model, circuit) = (design.model(), &design.circuit);
    let lengths = bounded::lasso::Search::<Solver>::new(circuit, wanted.clone(), budget);
    let mut provers: Vec<Turn<'_>> = Vec::new();
    let most = match engine {
        Engine::Bounded(most) => most,
        _ => None,
    };
    if !matches!(engine, Engine::Bounded(_)) {
        let (monitored, often) = liveness::monitored(circuit, &wanted);
        if matches!(engine, Engine::Ic3 | Engine::Turns) {
            provers.push(by_counting(model, &negation, monitored.clone(), often.clone()));
        }
        provers.push(match engine {
            Engine::Induction => by_repeated_induction(monitored, &often),
            _ => by_repetition(model, &negation, monitored, &often),
        });
    }
    Ok(match in_turns(lengths, most, provers, budget) {
        // The search ends early as well if the formula rules out all paths of a length, which are then no dead ends.
        Outcome::Holds(Proof { argument: Argument::PathsEnd(steps) }) if has_path(circuit, steps, budget) => {
            Outcome::Holds(Proof { argument: Argument::NoBeginning(steps) })
        }
        outcome => outcome,
    })
}

/// Whether a path from an initial state has this many steps; also true if the budget does not suffice to know.
fn has_path(circuit: &Circuit, steps: usize, budget: &Budget) -> bool {
    let mut path = Unrolling::initial(Solver::new(budget), circuit);
    for time in 0..steps {
        path.demand(circuit, time, circuit.step);
    }
    path.gates.solver.solve(&[]).unwrap_or(true)
}

/// Whether a fair lasso begins in a state of the circuit, given by the values of its latches: it is the counterexample if
/// there is one.
///
/// # Errors
/// The limit that was exhausted.
pub fn continuation(design: &mut Design<'_>, state: &[bool], budget: &Budget) -> Result<Outcome, Failure> {
    let latches = design.circuit.latches.iter().zip(state);
    let bits: Vec<_> = latches.map(|(latch, value)| latch.now.negated_if(!value)).collect();
    let here = design.circuit.aig.all(bits);
    let initial = std::mem::replace(&mut design.circuit.init, here);
    let outcome = linear(design, &Linear::new().negated(), Engine::Turns, budget);
    design.circuit.init = initial;
    outcome
}

/// k-liveness for k = 0, 1, …: it never refutes.
fn by_counting<'t>(model: &'t Model, wanted: &'t Linear, circuit: Circuit, often: Vec<Signal>) -> Turn<'t> {
    let mut count = 0;
    Box::new(move |slice: &Budget| {
        loop {
            let (counting, bad) = liveness::k_liveness(circuit.clone(), &often, count);
            let mut ic3 = Ic3::<Solver>::new(&counting, bad, slice);
            match ic3.run(slice)? {
                Answer::Holds(found) => {
                    let build = |circuit, often: &[Signal]| liveness::k_liveness(circuit, often, count);
                    let argument = Argument::Counted(count);
                    return monitor_rechecked(model, wanted, build, &found, argument, slice).map(Some);
                }
                Answer::Violated => count += 1,
            }
            if count % COUNTED_FIRST == 0 {
                return Ok(None);
            }
        }
    })
}

/// Liveness-to-safety, decided by IC3.
fn by_repetition<'t>(model: &'t Model, wanted: &'t Linear, circuit: Circuit, often: &[Signal]) -> Turn<'t> {
    let (circuit, bad) = liveness::to_safety(circuit, often);
    Box::new(move |slice: &Budget| match Ic3::<Solver>::new(&circuit, bad, slice).run(slice)? {
        Answer::Violated => Ok(Some(Claim::Violated)),
        Answer::Holds(found) => {
            monitor_rechecked(model, wanted, liveness::to_safety, &found, Argument::NoLoop, slice).map(Some)
        }
    })
}

/// Liveness-to-safety, decided by induction.
fn by_repeated_induction<'t>(circuit: Circuit, often: &[Signal]) -> Turn<'t> {
    let (circuit, bad) = liveness::to_safety(circuit, often);
    Box::new(move |slice: &Budget| by_induction(&circuit, Bad::State(bad), bad, slice)(slice))
}

/// A proof about a circuit with a monitor, checked again with a monitor around a circuit of its own. `build` makes of both what
/// the proof is about; latches have the same numbers in both circuits.
fn monitor_rechecked(
    model: &Model,
    wanted: &Linear,
    build: impl Fn(Circuit, &[Signal]) -> (Circuit, Signal),
    found: &Invariant,
    argument: Argument,
    budget: &Budget,
) -> Result<Claim, Exhausted> {
    let mut plain = match Design::new(model, false, budget) {
        Ok(plain) => plain,
        Err(Failure::Stopped(limit)) => return Err(limit),
        Err(Failure::Wrong(_)) => return Ok(Claim::Defective(Defect::Initial)),
    };
    let lassos = plain.lassos(wanted, budget)?;
    let (monitored, often) = liveness::monitored(&plain.circuit, &lassos);
    let (circuit, bad) = build(monitored, &often);
    Ok(match recheck::<Solver>(&circuit, bad, found, budget)? {
        Ok(()) => Claim::Holds(argument),
        Err(defect) => Claim::Defective(defect),
    })
}
