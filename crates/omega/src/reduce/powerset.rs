//! The subset automaton: after a finite word, which states can a run be in?
//!
//! What: [`powerset`] gives a deterministic, complete automaton without acceptance whose states stand for sets of states of
//! the given one, together with these sets. Where no run survives, the set is empty.
//!
//! Contract: states in breadth-first order; none if there are more than `limit`. Sets are kept small: a state that
//! another one of the set simulates is left out, which changes no language.
//!
//! Source: [rabin.59.ibm]. Tested by: as part of [`super::obligation`].

use crate::table::HashMap;
use std::collections::BTreeMap;

use kernel::budget::{Budget, Exhausted};

use super::letters::LetterSet;
use super::preorder::Preorder;
use super::simulation::forward;
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
    let Some(mut order) = Preorder::of(&moves, budget)? else { return Ok(None) };
    // Of equal states the first remains.
    let below = |order: &Preorder, one: State, two: State| {
        let (low, high) = (one as usize, two as usize);
        low != high && order.at_most(low, high) && (two < one || !order.at_most(high, low))
    };
    let mut sets = vec![vec![automaton.initial()]];
    let mut numbers: HashMap<Vec<State>, State> = HashMap::from_iter([(sets[0].clone(), 0)]);
    let mut result = automaton.empty_like(0);
    result.add_state();
    let mut done = 0;
    while done < sets.len() {
        for (letters, targets) in successors(&mut order, &sets[done], budget)? {
            budget.check()?;
            let top = |one: &State| !targets.iter().any(|&two| below(&order, *one, two));
            let targets: Vec<State> = targets.iter().copied().filter(top).collect();
            let fresh = sets.len() as State;
            let target = *numbers.entry(targets.clone()).or_insert(fresh);
            if target == fresh {
                sets.push(targets);
                result.add_state();
            }
            let label = order.alphabet().label(&letters);
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

/// For each letter the set of all successors, as disjoint sets of letters, together all, each with its successors.
fn successors(
    order: &mut Preorder,
    states: &[State],
    budget: &Budget,
) -> Result<Vec<(LetterSet, Vec<State>)>, Exhausted> {
    let mut parts = vec![(order.alphabet().all_letters(), Vec::new())];
    let mut letters: BTreeMap<usize, LetterSet> = BTreeMap::new();
    for (label, target) in states.iter().flat_map(|&state| order.steps(state as usize)) {
        letters.entry(target).and_modify(|known| known.add(label)).or_insert_with(|| label.clone());
    }
    for (target, letters) in letters {
        budget.check()?;
        let mut finer = Vec::with_capacity(parts.len() + 1);
        for (part, mut targets) in parts {
            let (mut inside, mut outside) = (part.clone(), part);
            inside.keep(&letters);
            outside.remove(&letters);
            if !outside.is_empty() {
                finer.push((outside, targets.clone()));
            }
            if !inside.is_empty() {
                targets.push(target as State);
                finer.push((inside, targets));
            }
        }
        parts = finer;
    }
    Ok(parts)
}
