//! Drops acceptance sets that the others make superfluous.
//!
//! What: a set is superfluous in a component if each cycle there has its mark anyway, or if another set, kept, lies
//! inside it. [`drop_superfluous`] removes the sets that are superfluous in every accepting component, the later ones
//! first, but not the last one that keeps a rejecting component rejecting. `needed` lists what is left for one accepting
//! component alone.
//!
//! Contract: expects marks as [`super::marking::saturate`] leaves them, which makes "each cycle has the mark" the same as
//! "each inner edge has it"; correct without, but weaker. Quadratic in the sets, linear in the edges.
//!
//! Tested by: word acceptance before and after on random automata (`tests/reduce.rs`).

use kernel::budget::{Budget, Exhausted};

use crate::automaton::scc::Components;
use crate::automaton::{Automaton, Marks};

/// Removes sets; the remaining ones are renumbered in order.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn drop_superfluous(mut automaton: Automaton, budget: &Budget) -> Result<Automaton, Exhausted> {
    let components = Components::of(&automaton);
    let (accepting, rejecting): (Vec<u32>, Vec<u32>) =
        (0..components.list().len() as u32).partition(|&number| components.is_accepting(number));
    let inner: Vec<Vec<Marks>> = accepting.iter().map(|&number| inner_marks(&automaton, &components, number)).collect();
    let cycles = rejecting.iter().map(|&number| &components.list()[number as usize]).filter(|part| !part.trivial);
    let missing: Vec<Marks> = cycles.map(|part| automaton.all_marks().minus(part.marks)).collect();
    let kept = without_superfluous(&automaton, &inner, &missing, budget)?;
    if kept == automaton.all_marks() {
        return Ok(automaton);
    }
    let renumbered = |marks: Marks| -> Marks {
        kept.iter().zip(0..).filter(|&(old, _)| marks.contains(old)).map(|(_, new)| new).collect()
    };
    for state in automaton.states() {
        for edge in automaton.edges_mut(state) {
            edge.marks = renumbered(edge.marks);
        }
    }
    automaton.set_sets(kept.len());
    Ok(automaton)
}

/// The sets that an accepting component needs, none of them superfluous there; none if each cycle is accepting.
pub(crate) fn needed(
    automaton: &Automaton,
    components: &Components,
    component: u32,
    budget: &Budget,
) -> Result<Vec<u32>, Exhausted> {
    let inner = inner_marks(automaton, components, component);
    Ok(without_superfluous(automaton, &[inner], &[], budget)?.iter().collect())
}

/// The sets that are left; `inner` has the marks that occur in each accepting component, `missing` those that no edge of
/// another component has, one of which must stay.
fn without_superfluous(
    automaton: &Automaton,
    inner: &[Vec<Marks>],
    missing: &[Marks],
    budget: &Budget,
) -> Result<Marks, Exhausted> {
    let mut kept = automaton.all_marks();
    for set in (0..automaton.sets()).rev() {
        budget.check_now(0)?;
        let others = kept.minus(Marks::one(set));
        let accepts_the_same = inner.iter().all(|marks| is_superfluous(marks, set, others));
        let rejects_the_same = missing.iter().all(|marks| !marks.intersection(others).is_empty());
        if accepts_the_same && rejects_the_same {
            kept = others;
        }
    }
    Ok(kept)
}

fn is_superfluous(inner: &[Marks], set: u32, others: Marks) -> bool {
    inner.iter().all(|marks| marks.contains(set))
        || others.iter().any(|other| inner.iter().all(|marks| !marks.contains(other) || marks.contains(set)))
}

/// The different marks of the inner edges of a component.
fn inner_marks(automaton: &Automaton, components: &Components, component: u32) -> Vec<Marks> {
    let states = &components.list()[component as usize].states;
    let edges = states.iter().flat_map(|&state| automaton.edges(state).iter().map(move |edge| (state, edge)));
    let mut marks: Vec<Marks> =
        edges.filter(|(state, edge)| components.is_inner(*state, edge)).map(|(_, edge)| edge.marks).collect();
    marks.sort_unstable();
    marks.dedup();
    marks
}
