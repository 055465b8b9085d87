//! Invariants by induction and by paths of growing length, both exact: sets of states are decision diagrams.

use super::{Line, Stop};
use crate::machine::Space;
use flat::model::{Model, NodeId, Question};
use kernel::budget::Exhausted;
use symbolic::validate;
use symbolic::witness::explicit;

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

/// Breadth-first layers forwards from the initial states, and backwards from the violations of an invariant.
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

/// Checks by the definition of the model that a path begins in an initial state and ends in a violation of an invariant.
///
/// # Errors
/// The reason why it does not.
pub fn confirm(model: &Model, node: NodeId, line: &Line) -> Result<(), Stop> {
    let mut positions = line.places.clone();
    // A position has the inputs of the step that leaves it, a place those of the step that enters it.
    for (position, next) in positions.iter_mut().zip(&line.places[1..]) {
        *position = crate::machine::with_inputs(model, position, next);
    }
    let path = explicit::Line { positions, loop_start: None };
    match validate::line(model, &Question::Invariant(node), &path, false) {
        Ok(_) => Ok(()),
        Err(refusal) => Err(Stop::refused(&refusal.reason)),
    }
}
