//! Reachable states: how many there are, how many layers a breadth-first search has, which states they are.

use crate::machine::Space;
use crate::numbers::general;
use bdd::Bdd;
use flat::model::{Domain, Model, VariableKind};
use kernel::budget::Exhausted;

/// What a breadth-first search reached.
#[derive(Debug)]
pub struct Reached {
    /// The states.
    pub states: Bdd,
    /// Layers, that of the initial states included.
    pub layers: usize,
    /// Whether no further states are reachable.
    pub is_complete: bool,
}

/// Searches breadth first, at most this many layers.
///
/// # Errors
/// The limit that was exhausted.
pub fn search(space: &mut Space<'_>, most: Option<usize>) -> Result<Reached, Exhausted> {
    let mut states = space.initial(None)?;
    let mut layer = states.clone();
    let mut layers = usize::from(!states.is_false());
    loop {
        if most.is_some_and(|most| layers >= most) {
            return Ok(Reached { states, layers, is_complete: false });
        }
        layer = space.machine.system().image(&layer)?.try_and(&!&states)?;
        if layer.is_false() {
            return Ok(Reached { states, layers, is_complete: true });
        }
        states = states.try_or(&layer)?;
        layers += 1;
    }
}

/// The number of states, and that of all valuations, in NuSMV's words.
#[must_use]
pub fn sentence(space: &Space<'_>, model: &Model, reached: &Reached) -> String {
    let (count, all) = (space.count(&reached.states), valuations(model));
    format!(
        "system diameter: {}\nreachable states: {} (2^{}) out of {} (2^{})\n",
        reached.layers,
        general(count),
        general(count.log2()),
        general(all),
        general(all.log2())
    )
}

/// How many valuations the state variables have.
fn valuations(model: &Model) -> f64 {
    let kept = model.variables.iter().filter(|variable| variable.kind != VariableKind::Input);
    kept.map(|variable| match variable.domain {
        Domain::Word(_, width) => f64::from(width).exp2(),
        ref other => other.size() as f64,
    })
    .product()
}
