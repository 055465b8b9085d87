//! Algorithm 1 of [shen.05.charme]: the cube that a diagram's path along a state reads off.
//!
//! Contract: the cube contains the state and lies in the set. It has a literal for each node on the path, so it depends on
//! the order of the variables and need not be the largest cube.

use bdd::{Bdd, Cube, Variable};

/// The cube guided by a state of the set.
///
/// # Panics
/// If the state is not in the set.
#[must_use]
pub fn guided_cube(set: &Bdd, state: &Cube) -> Cube {
    let mut literals: Vec<(Variable, bool)> = Vec::new();
    let mut at = set.clone();
    while let Some(variable) = at.root() {
        let value = state.value(variable).expect("the state gives every variable of the set a value");
        at = at.cofactor(variable, value);
        literals.push((variable, value));
    }
    assert!(at.is_true(), "the state is in the set");
    Cube::new(literals).expect("each variable once")
}
