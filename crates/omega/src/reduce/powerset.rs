//! The subset automaton: after a finite word, which states can a run be in?
//!
//! What: [`powerset`] gives a deterministic, complete automaton without acceptance whose states stand for sets of states of
//! the given one, together with these sets. Where no run survives, the set is empty.
//!
//! Contract: states in breadth-first order; none if there are more than `limit`. Sets are kept small: a state that
//! another one of the set simulates is left out, which changes no language.
//!
//! Source: [rabin.59.ibm]. Tested by: as part of [`super::obligation`].

use std::collections::{BTreeMap, HashMap};

use bdd::{Bdd, Variable};
use kernel::budget::{Budget, Exhausted};

use super::preorder::Preorder;
use super::simulation::forward;
use crate::automaton::branches::branches;
use crate::automaton::{Automaton, Marks, State};

/// A deterministic automaton whose states are sets of states.
pub(crate) struct Powerset {
    /// The graph; complete, without acceptance sets.
    pub(crate) automaton: Automaton,
    /// The set of each of its states, ascending.
    pub(crate) sets: Vec<Vec<State>>,
}

/// The reachable subset automaton, if it has at most `limit` states.
pub(crate) fn powerset(automaton: &Automaton, limit: usize, budget: &Budget) -> Result<Option<Powerset>, Exhausted> {
    let moves = forward(automaton);
    let Some(order) = Preorder::of(&moves, budget)? else { return Ok(None) };
    if automaton.atoms().len() + automaton.state_count() > bdd::MAX_VARIABLES as usize {
        return Ok(None);
    }
    // Of equal states the first remains.
    let below = |one: State, two: State| {
        let (low, high) = (one as usize, two as usize);
        low != high && order.at_most(low, high) && (two < one || !order.at_most(high, low))
    };
    let mut sets = vec![vec![automaton.initial()]];
    let mut numbers: HashMap<Vec<State>, State> = HashMap::from([(sets[0].clone(), 0)]);
    let mut result = automaton.empty_like(0);
    result.add_state();
    let mut done = 0;
    while done < sets.len() {
        for (label, targets) in successors(automaton, &sets[done], budget)? {
            budget.check()?;
            let top = |one: &State| !targets.iter().any(|&two| below(*one, two));
            let targets: Vec<State> = targets.iter().copied().filter(top).collect();
            let fresh = sets.len() as State;
            let target = *numbers.entry(targets.clone()).or_insert(fresh);
            if target == fresh {
                sets.push(targets);
                result.add_state();
            }
            result.add_edge(done as State, target, &label, Marks::NONE);
        }
        done += 1;
        if sets.len() > limit {
            return Ok(None);
        }
    }
    result.merge_edges_within(budget)?;
    Ok(Some(Powerset { automaton: result, sets }))
}

/// For each letter the set of all successors, as disjoint labels with sets.
fn successors(automaton: &Automaton, states: &[State], budget: &Budget) -> Result<Vec<(Bdd, Vec<State>)>, Exhausted> {
    let mut labels: BTreeMap<State, Bdd> = BTreeMap::new();
    for edge in states.iter().flat_map(|&state| automaton.edges(state)) {
        let entry = labels.entry(edge.target);
        entry.and_modify(|known| *known = &*known | &edge.label).or_insert_with(|| edge.label.clone());
    }
    // A variable for each target says under which letters it is reached.
    let first = automaton.atoms().len() as u32;
    let manager = automaton.manager();
    let function = labels
        .values()
        .zip(first..)
        .fold(manager.yes(), |function, (label, variable)| function & label.iff(&manager.variable(Variable(variable))));
    let targets: Vec<State> = labels.keys().copied().collect();
    let set_of = |remainder: &Bdd| {
        let cube = remainder.one_cube().expect("a satisfiable remainder");
        let reached = |place: &usize| cube.value(Variable(first + *place as u32)) == Some(true);
        (0..targets.len()).filter(reached).map(|place| targets[place]).collect()
    };
    let parts = branches(&function, first, usize::MAX, budget)?.expect("no limit");
    Ok(parts.into_iter().map(|(label, remainder)| (label, set_of(&remainder))).collect())
}
