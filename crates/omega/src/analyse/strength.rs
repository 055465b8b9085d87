//! How much an accepting component asks of a search: terminal, weak or strong.
//!
//! What: a component is *weak* if all its cycles are accepting or none is; *terminal* if in addition it is accepting and no
//! word can leave it, that is, every state has inner edges for every valuation; else *strong*. Reachability suffices for
//! terminal components, plain cycle detection for weak ones.
//!
//! Source: [bloem.99.cav], on cycles rather than on the marks of states (which calls more components weak). An accepting
//! component has no rejecting cycle exactly if, for each acceptance set, it has no cycle that avoids the set.
//! Tested by: enumeration of all elementary cycles on random automata.

use crate::automaton::scc::Components;
use crate::automaton::{Automaton, Bdd, Edge, State};

/// How hard the acceptance of a component is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// No accepting cycle.
    Rejecting,
    /// Every cycle is accepting, and from every state every word stays.
    Terminal,
    /// Every cycle is accepting.
    Weak,
    /// Some cycles are accepting and some may not be.
    Strong,
}

/// The strength of each component, in the order of [`Components::list`].
#[must_use]
pub fn strengths(automaton: &Automaton, components: &Components) -> Vec<Strength> {
    strengths_under(automaton, components, &automaton.manager().yes())
}

/// The strength of each component if all letters satisfy a constraint: no more than those need stay in a terminal one.
#[must_use]
pub fn strengths_under(automaton: &Automaton, components: &Components, constraint: &Bdd) -> Vec<Strength> {
    let all = 0..components.list().len() as u32;
    all.map(|component| strength(automaton, components, component, constraint)).collect()
}

/// The strength of the hardest component of the automaton.
#[must_use]
pub fn strength_of(automaton: &Automaton) -> Strength {
    let components = Components::of(automaton);
    strengths(automaton, &components).into_iter().max().unwrap_or(Strength::Rejecting)
}

fn strength(automaton: &Automaton, components: &Components, component: u32, constraint: &Bdd) -> Strength {
    if !components.is_accepting(component) {
        return Strength::Rejecting;
    }
    if (0..automaton.sets()).any(|set| has_cycle_without(automaton, components, component, set)) {
        return Strength::Strong;
    }
    let stays = |state: State| {
        let inner = automaton.edges(state).iter().filter(|edge| components.is_inner(state, edge));
        let all = automaton.manager().disjunction(inner.map(|edge| &edge.label));
        (constraint & &!all).is_false()
    };
    let complete = components.list()[component as usize].states.iter().all(|&state| stays(state));
    if complete { Strength::Terminal } else { Strength::Weak }
}

/// Whether the component has a cycle none of whose edges belongs to `set`: removes states without such a predecessor
/// until none is left or all have one.
fn has_cycle_without(automaton: &Automaton, components: &Components, component: u32, set: u32) -> bool {
    let states = &components.list()[component as usize].states;
    let place = |state: State| states.binary_search(&state).expect("a state of the component");
    let keep = |source: State, edge: &&Edge| components.is_inner(source, edge) && !edge.marks.contains(set);
    let mut incoming = vec![0_usize; states.len()];
    for &source in states {
        automaton.edges(source).iter().filter(|edge| keep(source, edge)).for_each(|e| incoming[place(e.target)] += 1);
    }
    let mut pending: Vec<State> = states.iter().copied().filter(|&state| incoming[place(state)] == 0).collect();
    let mut removed = 0;
    while let Some(source) = pending.pop() {
        removed += 1;
        for edge in automaton.edges(source).iter().filter(|edge| keep(source, edge)) {
            incoming[place(edge.target)] -= 1;
            if incoming[place(edge.target)] == 0 {
                pending.push(edge.target);
            }
        }
    }
    removed < states.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::Marks;
    use crate::random_automaton::{Shape, random_automaton};

    /// The marks of all elementary cycles through `start` that stay in its component.
    fn cycle_marks(automaton: &Automaton, components: &Components, start: State) -> Vec<Marks> {
        let mut found = Vec::new();
        let mut pending = vec![(vec![start], Marks::NONE)];
        while let Some((path, marks)) = pending.pop() {
            let source = *path.last().expect("a path is not empty");
            for edge in automaton.edges(source).iter().filter(|edge| components.is_inner(source, edge)) {
                let marks = marks.union(edge.marks);
                if edge.target == start {
                    found.push(marks);
                } else if !path.contains(&edge.target) {
                    let mut longer = path.clone();
                    longer.push(edge.target);
                    pending.push((longer, marks));
                }
            }
        }
        found
    }

    #[test]
    fn strength_is_what_the_cycles_say() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..400 {
            let shape = Shape { states: 4, sets: (seed % 3) as u32, marking: 0.7, density: 0.25, ..Shape::default() };
            let mut automaton = random_automaton(&shape, seed);
            if seed % 5 == 0 {
                // Terminal components are rare by chance.
                automaton.add_edge(3, 3, &automaton.manager().yes(), automaton.all_marks());
            }
            let components = Components::of(&automaton);
            for (component, strength) in components.list().iter().zip(strengths(&automaton, &components)) {
                seen.insert(strength);
                let cycles: Vec<Marks> =
                    component.states.iter().flat_map(|&state| cycle_marks(&automaton, &components, state)).collect();
                let accepting = |marks: &Marks| marks.includes(automaton.all_marks());
                let together = cycles.iter().fold(Marks::NONE, |all, marks| all.union(*marks));
                let expected = if cycles.is_empty() || !accepting(&together) {
                    strength == Strength::Rejecting
                } else if cycles.iter().all(accepting) {
                    matches!(strength, Strength::Weak | Strength::Terminal)
                } else {
                    strength == Strength::Strong
                };
                assert!(expected, "seed {seed}: {component:?} is not {strength:?}");
            }
        }
        assert_eq!(seen.len(), 4, "every strength occurs: {seen:?}");
    }
}
