//! Transition-based to state-based acceptance, for automata with one set.
//!
//! What: [`statewise`] gives a Büchi automaton whose accepting states are those with marked edges. Only inside accepting
//! components does it matter where the marks are, and there few states need two copies:
//!
//! - a state all of whose cycles are accepting is accepting itself (with saturated marks: all its inner edges have one);
//! - a marked edge from or to such a state is thereby accounted for;
//! - a mark is dropped where every cycle through its edge has another one;
//! - what is left is witnessed at one end of the edge: the target gets an accepting copy, which such edges lead to, or
//!   the source does, which only such edges leave and which is guessed in advance. Whichever needs fewer copies is done.
//!
//! Contract: at most twice the states. With [`Guessing::Never`] only targets are copied, so that a deterministic automaton
//! stays deterministic. Of large automata no superfluous marks are dropped. The number of copies is not always minimal: marks are dropped greedily, and all
//! edges are witnessed at the same end.
//!
//! Source: ours; the plain version, which copies each target of a marked edge, is folklore.
//! Tested by: word acceptance before and after on random automata (`tests/reduce.rs`).

use crate::thresholds::reduce::MARK_WORK;
use kernel::budget::{Budget, Exhausted};

use super::marking::{parts, saturate};
use crate::automaton::scc::Components;
use crate::automaton::{Automaton, Edge, Marks, State};

/// Whether copies may be guessed in advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guessing {
    /// Where it needs fewer copies.
    Allowed,
    /// Determinism is kept.
    Never,
}

/// An automaton with state-based acceptance for the same language.
///
/// # Errors
/// The limit of the budget that is exhausted.
///
/// # Panics
/// Where the automaton has more than one acceptance set.
pub fn statewise(automaton: &Automaton, guessing: Guessing, budget: &Budget) -> Result<Automaton, Exhausted> {
    automaton.manager().within(budget, || with_accepting_states(automaton, guessing, budget))
}

fn with_accepting_states(automaton: &Automaton, guessing: Guessing, budget: &Budget) -> Result<Automaton, Exhausted> {
    assert!(automaton.sets() <= 1, "one acceptance set at most");
    let mut marked = automaton.clone();
    if automaton.sets() == 0 {
        marked.set_sets(1);
        marked
            .states()
            .for_each(|state| marked.edges_mut(state).iter_mut().for_each(|edge| edge.marks = Marks::one(0)));
    }
    let marked = saturate(marked, Marks::NONE, budget)?;
    let places = Places::new(&marked);
    let targets = places.fewest(|_, edge| edge.target, budget)?;
    let sources = places.fewest(|source, _| source, budget)?;
    let by_targets = guessing == Guessing::Never || targets.len() <= sources.len();
    if by_targets { places.split_targets(&targets, budget) } else { places.split_sources(&sources, budget) }
}

/// Which marks are accounted for by states, and which are not.
struct Places<'a> {
    automaton: &'a Automaton,
    whole: Components,
    /// States on accepting cycles only.
    full: Vec<bool>,
}

impl<'a> Places<'a> {
    fn new(automaton: &'a Automaton) -> Self {
        let whole = Components::of(automaton);
        let full = |state: State| {
            let mut inner = automaton.edges(state).iter().filter(|edge| whole.is_inner(state, edge)).peekable();
            inner.peek().is_some() && inner.all(|edge| edge.marks.contains(0))
        };
        let full = automaton.states().map(full).collect();
        Places { automaton, whole, full }
    }

    /// Whether the edge is an inner one with no end that is accepting anyway.
    fn is_open(&self, source: State, edge: &Edge) -> bool {
        self.whole.is_inner(source, edge) && !self.full[source as usize] && !self.full[edge.target as usize]
    }

    /// Whether the edge is open and has a mark.
    fn is_due(&self, source: State, edge: &Edge) -> bool {
        self.is_open(source, edge) && edge.marks.contains(0)
    }

    /// The ends at which the due edges must be witnessed, after dropping all those whose marks are superfluous.
    fn fewest(&self, end: impl Fn(State, &Edge) -> State, budget: &Budget) -> Result<Vec<State>, Exhausted> {
        let due: Vec<(State, &Edge)> = self.automaton.all_edges().filter(|(s, edge)| self.is_due(*s, edge)).collect();
        let mut ends: Vec<State> = due.iter().map(|(source, edge)| end(*source, edge)).collect();
        ends.sort_unstable();
        ends.dedup();
        let mut kept = ends.clone();
        let is_cheap = ends.len().saturating_mul(self.automaton.edge_count()) <= MARK_WORK;
        for &candidate in ends.iter().filter(|_| is_cheap) {
            let without: Vec<State> = kept.iter().copied().filter(|&other| other != candidate).collect();
            let witnessed = |source: State, edge: &Edge| {
                self.is_due(source, edge) && without.binary_search(&end(source, edge)).is_ok()
            };
            let is_left = |source: State, edge: &Edge| self.is_open(source, edge) && !witnessed(source, edge);
            let part = parts(self.automaton, is_left, budget)?;
            let mut dropped = due.iter().filter(|(source, edge)| end(*source, edge) == candidate);
            if dropped.all(|(source, edge)| part[*source as usize] != part[edge.target as usize]) {
                kept = without;
            }
        }
        Ok(kept)
    }

    /// An accepting copy of each of these states, entered by due edges.
    fn split_targets(&self, targets: &[State], budget: &Budget) -> Result<Automaton, Exhausted> {
        let mut result = self.skeleton(targets.len());
        let first_copy = self.automaton.state_count() as State;
        let copy = |state: State| targets.binary_search(&state).ok().map(|index| first_copy + index as State);
        for (source, edge) in self.automaton.all_edges() {
            let witness = copy(edge.target).filter(|_| self.is_due(source, edge));
            let target = witness.unwrap_or(edge.target);
            let marks = if self.full[source as usize] { Marks::one(0) } else { Marks::NONE };
            result.add_edge(source, target, &edge.label, marks);
            if let Some(copy) = copy(source) {
                result.add_edge(copy, target, &edge.label, Marks::one(0));
            }
        }
        result.merge_edges_within(budget)?;
        Ok(result.reachable())
    }

    /// An accepting copy of each of these states, left by due edges only.
    fn split_sources(&self, sources: &[State], budget: &Budget) -> Result<Automaton, Exhausted> {
        let mut result = self.skeleton(sources.len());
        let first_copy = self.automaton.state_count() as State;
        let copy = |state: State| sources.binary_search(&state).ok().map(|index| first_copy + index as State);
        for (source, edge) in self.automaton.all_edges() {
            let witness = copy(source).filter(|_| self.is_due(source, edge));
            // Nobody guesses the copy of the initial state before the first step, so the state itself keeps its edges.
            let kept = witness.is_none() || source == self.automaton.initial();
            let full = self.full[source as usize];
            let origins = witness.map(|copy| (copy, true)).into_iter().chain(kept.then_some((source, full)));
            for (from, accepting) in origins {
                let marks = if accepting { Marks::one(0) } else { Marks::NONE };
                for target in std::iter::once(edge.target).chain(copy(edge.target)) {
                    result.add_edge(from, target, &edge.label, marks);
                }
            }
        }
        result.merge_edges_within(budget)?;
        Ok(result.reachable())
    }

    fn skeleton(&self, copies: usize) -> Automaton {
        let mut result = self.automaton.empty_like(1);
        result.add_states(self.automaton.state_count() + copies);
        result.set_initial(self.automaton.initial());
        result
    }
}
