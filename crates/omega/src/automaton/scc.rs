//! Strongly connected components of the reachable part of an automaton, and what they say about its language.
//!
//! What: [`Components::of`] finds the components ([`graph::components`]); each comes with the marks that its inner edges
//! carry together. A component is *trivial* if it has
//! no inner edge, *accepting* if its marks are all there are, else *rejecting*. A generalised Büchi automaton accepts some
//! word exactly if an accepting component is reachable.
//!
//! Contract: components are numbered in reverse topological order, so an edge between components leads from a higher to
//! a lower number; states inside a component ascend. Deterministic.
//!
//! Tested by: reachability in both directions, decided naively, on random automata (below).

use crate::automaton::{Automaton, Edge, Marks, State};
use kernel::budget::{Budget, Exhausted};
use std::convert::Infallible;

/// One strongly connected component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// Its states, ascending.
    pub states: Vec<State>,
    /// The marks that occur on its inner edges.
    pub marks: Marks,
    /// Whether it has no inner edge: a single state without a loop.
    pub trivial: bool,
}

/// The components of the part of an automaton that its initial states reach.
#[derive(Clone, Debug)]
pub struct Components {
    list: Vec<Component>,
    of: Vec<Option<u32>>,
    all: Marks,
}

impl Components {
    /// Finds the components.
    #[must_use]
    pub fn of(automaton: &Automaton) -> Self {
        Self::among(automaton, |_, _| true)
    }

    /// Finds the components within a budget.
    ///
    /// # Errors
    /// The limit of the budget that is exhausted.
    pub fn of_within(automaton: &Automaton, budget: &Budget) -> Result<Self, Exhausted> {
        Self::among_until(automaton, |_, _| true, || budget.check())
    }

    /// Finds the components of the graph that only has the edges `keep` chooses.
    #[must_use]
    pub fn among(automaton: &Automaton, keep: impl Fn(State, &Edge) -> bool) -> Self {
        let found = Self::among_until(automaton, keep, || Ok::<(), Infallible>(()));
        found.unwrap_or_else(|never| match never {})
    }

    fn among_until<E>(
        automaton: &Automaton,
        keep: impl Fn(State, &Edge) -> bool,
        poll: impl FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let keep = &keep;
        let graph = graph::from_fn(automaton.state_count(), |state| {
            let kept = automaton.edges(state).iter().filter(move |edge| keep(state, edge));
            kept.map(|edge| (edge.target, ()))
        });
        let roots = automaton.initial_states().iter().copied();
        let found = graph::components::Components::from_until(&graph, roots, poll)?;
        let trivial = |states| Component { states, marks: Marks::NONE, trivial: true };
        let mut list: Vec<Component> = found.members().into_iter().map(trivial).collect();
        let of: Vec<Option<u32>> = automaton.states().map(|state| found.number(state)).collect();
        for (source, edge) in automaton.all_edges() {
            if let Some(component) = of[source as usize]
                && of[edge.target as usize] == Some(component)
                && keep(source, edge)
            {
                let component = &mut list[component as usize];
                component.trivial = false;
                component.marks = component.marks.union(edge.marks);
            }
        }
        Ok(Components { list, of, all: automaton.all_marks() })
    }

    /// The components in reverse topological order.
    #[must_use]
    pub fn list(&self) -> &[Component] {
        &self.list
    }

    /// The number of the component of a state; none if the state is unreachable.
    #[must_use]
    pub fn number(&self, state: State) -> Option<u32> {
        self.of[state as usize]
    }

    /// Whether an infinite run can stay in the component and be accepting.
    #[must_use]
    pub fn is_accepting(&self, component: u32) -> bool {
        let component = &self.list[component as usize];
        !component.trivial && component.marks.includes(self.all)
    }

    /// Whether both ends of the edge lie in one reachable component.
    #[must_use]
    pub fn is_inner(&self, source: State, edge: &Edge) -> bool {
        self.of[source as usize].is_some() && self.of[source as usize] == self.of[edge.target as usize]
    }

    /// For each state whether it reaches an accepting component, that is, whether its language is not empty.
    #[must_use]
    pub fn useful_states(&self, automaton: &Automaton) -> Vec<bool> {
        let mut useful = vec![false; self.list.len()];
        // Reverse topological order: what a component reaches was decided before it.
        for (number, component) in self.list.iter().enumerate() {
            useful[number] = self.is_accepting(number as u32)
                || component.states.iter().flat_map(|&state| automaton.edges(state)).any(|edge| {
                    let target = self.of[edge.target as usize].expect("reachable from a reachable state");
                    useful[target as usize]
                });
        }
        self.of.iter().map(|number| number.is_some_and(|number| useful[number as usize])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_automaton::{Shape, random_automaton};

    /// Whether a non-empty path of reachable states leads from one state to the other, by exhaustive search.
    fn reaches(automaton: &Automaton, from: State, to: State) -> bool {
        let mut seen = vec![false; automaton.state_count()];
        let mut pending = vec![from];
        while let Some(state) = pending.pop() {
            for edge in automaton.edges(state) {
                if edge.target == to {
                    return true;
                }
                if !std::mem::replace(&mut seen[edge.target as usize], true) {
                    pending.push(edge.target);
                }
            }
        }
        false
    }

    #[test]
    fn components_are_mutual_reachability() {
        for seed in 0..300 {
            let shape = Shape { states: 8, density: 0.12, ..Shape::default() };
            let automaton = random_automaton(&shape, seed);
            let components = Components::of(&automaton);
            let from_start = |state| state == automaton.initial() || reaches(&automaton, automaton.initial(), state);
            for one in automaton.states() {
                assert_eq!(components.number(one).is_some(), from_start(one), "seed {seed}");
                let Some(number) = components.number(one) else { continue };
                assert_eq!(components.list()[number as usize].trivial, !reaches(&automaton, one, one), "seed {seed}");
                for two in automaton.states().filter(|&two| two != one && from_start(two)) {
                    let mutual = reaches(&automaton, one, two) && reaches(&automaton, two, one);
                    assert_eq!(components.number(two) == Some(number), mutual, "seed {seed}: {one} {two}");
                }
                for edge in automaton.edges(one) {
                    assert!(components.number(edge.target) <= Some(number), "reverse topological order, seed {seed}");
                }
            }
        }
    }

    #[test]
    fn a_path_of_a_hundred_thousand_states_needs_no_stack() {
        let mut automaton = Automaton::new(["a"], 1);
        automaton.add_states(100_000);
        let a = automaton.atom(0);
        for state in 1..100_000 {
            automaton.add_edge(state - 1, state, &a, Marks::NONE);
        }
        assert_eq!(Components::of(&automaton).list().len(), 100_000);
    }
}
