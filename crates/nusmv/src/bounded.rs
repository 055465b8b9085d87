//! Bounded model checking: the shortest violation of an LTL formula, and induction for invariants.
//!
//! A bound is a number of steps. A formula is violated with bound *k* by a path of *k* steps after which every
//! continuation violates it, or by a lasso whose stem and loop have *k* steps together.

use crate::machine::Space;
use crate::session::Session;
use checker::report::{Run, Verdict};
use flat::enumerate::Valuation;
use flat::evaluate::Evaluator;
use flat::model::{Linear, Model, NodeId};
use kernel::budget::Exhausted;

/// A path, or a lasso.
#[derive(Clone, Debug)]
pub struct Line {
    /// The states; the inputs of each are those of the step that enters it. The last state of a lasso is the one in which
    /// the loop begins.
    pub places: Vec<Valuation>,
    /// The state in which the loop begins.
    pub loop_start: Option<usize>,
}

/// Which paths count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loopback {
    /// All: with or without loop.
    Any,
    /// Only paths without loop.
    Without,
    /// Only lassos whose loop begins at this position, counted from the end if negative.
    At(i64),
}

impl Loopback {
    /// Reads what NuSMV's option `-l` takes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "*" => Some(Loopback::Any),
            "X" | "x" => Some(Loopback::Without),
            _ => text.parse().ok().map(Loopback::At),
        }
    }

    /// The words after a bound.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Loopback::Any => String::new(),
            Loopback::Without => " and no loop".into(),
            Loopback::At(position) => format!(" and loop at {position}"),
        }
    }

    /// Whether a loop may begin there if there are this many steps.
    fn allows(self, loop_start: Option<usize>, steps: usize) -> bool {
        match (self, loop_start) {
            (Loopback::Any, _) | (Loopback::Without, None) => true,
            (Loopback::Without, Some(_)) | (Loopback::At(_), None) => false,
            (Loopback::At(position), Some(start)) => {
                let wanted = if position < 0 { steps as i64 + position } else { position };
                i64::try_from(start) == Ok(wanted)
            }
        }
    }
}

/// The counterexample with the smallest bound that a check of a formula gives, as far as the prefix that shows the violation.
#[must_use]
pub fn shortened(model: &Model, formula: &Linear, run: &Run, loopback: Loopback) -> Option<Line> {
    let (places, loop_start) = places(model, run)?;
    let mut truths = Truths { evaluator: Evaluator::new(model), places: &places };
    let steps = places.len() - 1;
    if loopback != Loopback::Without && !matches!(loopback, Loopback::At(_)) || loopback == Loopback::Without {
        for bound in 0..steps {
            // Everything after the prefix is open.
            let known = |node: NodeId, at: usize| if at <= bound { truths.at(node, at) } else { None };
            if formula.decided(bound + 2, bound + 1, known) == Some(false) {
                return Some(Line { places: places[..=bound].to_vec(), loop_start: None });
            }
        }
    }
    loopback.allows(loop_start, steps).then_some(Line { places, loop_start })
}

/// The valuations of a run, and where its loop begins.
fn places(model: &Model, run: &Run) -> Option<(Vec<Valuation>, Option<usize>)> {
    let trace = crate::trace::Trace::of_run(model, &[], run, "");
    let places: Option<Vec<Valuation>> = (0..trace.moments.len()).map(|at| trace.place(model, at)).collect();
    Some((places?, trace.loop_start))
}

/// The truth of expressions on a path.
struct Truths<'a, 'm> {
    evaluator: Evaluator<'m>,
    places: &'a [Valuation],
}

impl Truths<'_, '_> {
    /// The truth at a position, if it does not depend on a step after the end.
    fn at(&mut self, node: NodeId, at: usize) -> Option<bool> {
        let model = self.evaluator.model();
        let mentions = model.facts(node).mentions;
        let next = self.places.get(at + 1);
        if (mentions.next || mentions.input) && next.is_none() {
            return None;
        }
        let present = match next {
            // Inputs of the step that leaves the state are stored with the state that it enters.
            Some(next) => crate::machine::with_inputs(model, &self.places[at], next),
            None => self.places[at].clone(),
        };
        self.evaluator.truth(node, &present, next.map(Vec::as_slice)).ok()
    }
}

/// What a check says about one property of the list.
///
/// # Errors
/// The message if there is no answer.
pub fn decided(session: &mut Session<'_>, number: usize) -> Result<Option<Run>, String> {
    let report = session.report(&[number]).ok_or_else(String::new)?;
    match report.properties.first().map(|one| (&one.verdict, one.counterexamples().first())) {
        Some((Verdict::Violated(_), Some(counterexample))) => {
            let run: &Run = counterexample;
            Ok(Some(run.clone()))
        }
        Some((Verdict::Unknown(reason), _)) => Err(format!("The property is undecided: {reason}.\n")),
        _ => Ok(None),
    }
}

/// The result of induction.
#[derive(Clone, Debug)]
pub enum Induction {
    /// The expression is an invariant.
    Proved,
    /// An initial state violates it.
    Violated(Line),
    /// A step leads from a state that satisfies it to one that does not.
    Fails(Line),
}

/// Plain induction: all initial states satisfy an expression, and every step from a state that does leads to another one.
///
/// # Errors
/// The limit that was exhausted.
pub fn induction(space: &mut Space<'_>, node: NodeId) -> Result<Induction, Exhausted> {
    let holds = space.machine.truth(node)?;
    let system = space.machine.system();
    let wrong = system.states().try_and(&!&holds)?;
    let from = system.preimage(&wrong)?.try_and(&holds)?;
    if let Some(first) = space.first_state(&from)? {
        let next = space.machine.system().image(&space.state(&first)?)?.try_and(&wrong)?;
        let places = [Some(first), space.first_state(&next)?].into_iter().flatten().collect();
        return Ok(Induction::Fails(Line { places, loop_start: None }));
    }
    let initial = space.machine.system().initial().try_and(&wrong)?;
    Ok(match space.first_state(&initial)? {
        Some(place) => Induction::Violated(Line { places: vec![place], loop_start: None }),
        None => Induction::Proved,
    })
}

/// A path to a violation of an invariant with exactly this many steps, if one is that short; and whether no path of that
/// many steps through states that satisfy it ends in one that does not.
#[derive(Debug)]
pub struct Depths<'s, 'm> {
    space: &'s mut Space<'m>,
    holds: bdd::Bdd,
    /// The states reached first after 0, 1, 2 … steps.
    layers: Vec<bdd::Bdd>,
    reached: bdd::Bdd,
    /// States from which a path of as many steps as there are layers leads to a violation.
    backward: bdd::Bdd,
}

impl<'s, 'm> Depths<'s, 'm> {
    /// Begins with paths of no steps.
    ///
    /// # Errors
    /// The limit that was exhausted.
    pub fn new(space: &'s mut Space<'m>, node: NodeId) -> Result<Self, Exhausted> {
        let holds = space.machine.truth(node)?;
        let initial = space.initial(None)?;
        let backward = space.machine.system().states().try_and(&!&holds)?;
        Ok(Self { space, holds, layers: vec![initial.clone()], reached: initial, backward })
    }

    /// A shortest path to a violation with as many steps as have been gone.
    ///
    /// # Errors
    /// The limit that was exhausted.
    pub fn violation(&self) -> Result<Option<Line>, Exhausted> {
        let last = self.layers.last().expect("one layer at least").try_and(&!&self.holds)?;
        let Some(mut place) = self.space.first_state(&last)? else { return Ok(None) };
        let mut places = vec![place.clone()];
        for layer in self.layers.iter().rev().skip(1) {
            let before = self.space.machine.system().preimage(&self.space.state(&place)?)?.try_and(layer)?;
            place = self.space.first_state(&before)?.expect("a layer is reached from the one before");
            places.push(place.clone());
        }
        places.reverse();
        Ok(Some(Line { places, loop_start: None }))
    }

    /// Whether induction over as many steps as have been gone proves the invariant, or no further state is reachable.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        self.backward.is_false() || self.layers.last().is_some_and(bdd::Bdd::is_false)
    }

    /// Goes one step further.
    ///
    /// # Errors
    /// The limit that was exhausted.
    pub fn advance(&mut self) -> Result<(), Exhausted> {
        let system = self.space.machine.system();
        let last = self.layers.last().expect("one layer at least");
        let next = system.image(last)?.try_and(&!&self.reached)?;
        self.backward = system.preimage(&self.backward)?.try_and(&self.holds)?;
        self.reached = self.reached.try_or(&next)?;
        self.layers.push(next);
        Ok(())
    }
}

/// The inputs between the states of a path, added to it.
///
/// # Errors
/// The limit that was exhausted.
pub fn with_inputs(space: &mut Space<'_>, model: &Model, line: Line) -> Result<Line, Exhausted> {
    let mut places = line.places.clone();
    for (step, place) in line.places.windows(2).zip(&mut places[1..]) {
        let inputs = space.inputs_between(&step[0], &step[1], None)?;
        if let Some(inputs) = space.first_inputs(&inputs)? {
            *place = crate::machine::with_inputs(model, place, &inputs);
        }
    }
    Ok(Line { places, ..line })
}
