//! Cubes around a state inside a set.
//!
//! Algorithm 1 of [shen.05.charme], the cube that a diagram's path along a state reads off: it contains the state and lies in
//! the set, has a literal for each node on the path, and so depends on the order of the variables and need not be the
//! largest cube. `guided_cube_in_order` is the same for an order that is given. `whole_guided_cube` makes of it one that fixes whole variables, none of them outside the cone of the property if that is
//! possible. `telling_cube` leaves out variables one by one, those first that the property does not mention: a largest
//! cube, of variables that say most to its reader.

use bdd::{Bdd, Cube, Variable};

use super::Variables;
use kernel::budget::Exhausted;

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

/// Algorithm 1 for diagrams in a given order of bits, whatever the order of the manager: a diagram in that order has a node
/// on the path along the state exactly for each bit that the set, with the values of the bits before it, depends on.
///
/// # Errors
/// Where a limit was reached.
pub(super) fn guided_cube_in_order(set: &Bdd, state: &Cube, variables: &Variables) -> Result<Cube, Exhausted> {
    let (mut set, mut support) = (set.clone(), set.support());
    let mut literals = Vec::new();
    for bit in variables.groups.iter().flatten() {
        if !support.contains(bit) {
            continue;
        }
        let value = state.value(*bit).expect("a state's bit");
        literals.push((*bit, value));
        set = set.try_restrict(&Cube::new([(*bit, value)]).expect("one bit"))?;
        support = set.support();
    }
    assert!(set.is_true(), "the state is in the set");
    Ok(Cube::new(literals).expect("each bit once"))
}

/// The guided cube without what the property cannot depend on, where that leaves one, and with all bits of its variables.
///
/// # Errors
/// Where a limit was reached.
pub(super) fn whole_guided_cube(set: &Bdd, state: &Cube, variables: &Variables) -> Result<Cube, Exhausted> {
    let inside = set.try_forall(&variables.outside())?;
    let guided = guided_cube(if contains(&inside, state) { &inside } else { set }, state);
    let is_used = |bits: &&Vec<Variable>| bits.iter().any(|bit| guided.value(*bit).is_some());
    Ok(fixed(state, variables.groups.iter().filter(is_used)))
}

/// A largest cube around a state of the set: without each variable, in their order, that it does not need.
///
/// # Errors
/// Where a limit was reached.
pub(super) fn telling_cube(set: &Bdd, state: &Cube, variables: &Variables) -> Result<Cube, Exhausted> {
    let mut set = set.clone();
    let mut support = set.support();
    let mut kept = Vec::new();
    for bits in &variables.groups {
        if !bits.iter().any(|bit| support.contains(bit)) {
            continue;
        }
        let without = set.try_forall(bits)?;
        if contains(&without, state) {
            support = without.support();
            set = without;
        } else {
            kept.push(bits);
        }
    }
    Ok(fixed(state, kept))
}

fn contains(set: &Bdd, state: &Cube) -> bool {
    set.evaluate(|bit| state.value(bit) == Some(true))
}

/// The cube of the values that some variables have in a state.
fn fixed<'v>(state: &Cube, variables: impl IntoIterator<Item = &'v Vec<Variable>>) -> Cube {
    let bits = variables.into_iter().flatten();
    Cube::new(bits.map(|bit| (*bit, state.value(*bit).expect("a state's bit")))).expect("each bit once")
}
