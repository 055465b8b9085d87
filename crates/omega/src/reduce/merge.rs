//! Merges states by trial: any two states whose merging does not enlarge the language.
//!
//! What: merging two states, so that the new one has the edges into and out of both, never loses a word. Whether it adds
//! one is asked of an automaton for the complement: if the merged automaton has no word in common with it, the language
//! is the same. [`merge`] tries all pairs once, except those in conflict (`conflict.rs`), and keeps each merge that passes. Another
//! round would find nothing: merges only add runs, so a merge that adds a word adds it after other merges, too.
//!
//! A run that a merge adds visits the new state, and before its first visit it is a run that existed before. So a trial searches
//! from the new state alone, together with the states of the complement that were reached together with the two.
//!
//! Contract: `negation` recognises the complement of the language, over the same letters. With [`Acceptance::ByState`]
//! acceptance is and stays state-based: the new state is accepting if one of the two is, which loses no word either. The
//! trials take at most `steps` steps together; then the automaton is returned as far as it is merged.
//!
//! Why it is worth it: simulation only merges states that can be seen to be alike step by step. Here any reason counts,
//! and none has to be found.
//!
//! Source: ours; the idea of merging states under an oracle is that of grammatical inference [oncina.92.prai].
//! Tested by: word acceptance on random formulas (`tests/reduce.rs`).

use kernel::budget::{Budget, Exhausted};

use super::conflict::Conflicts;
use super::cosimulation::Acceptance;
use super::disjoint::{Graph, Oracle, Step, Steps};
use crate::automaton::{Automaton, Marks, State};

/// Merges states as long as the result stays disjoint from `negation`.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn merge(
    automaton: &Automaton,
    negation: &Automaton,
    acceptance: Acceptance,
    steps: u64,
    budget: &Budget,
) -> Result<Automaton, Exhausted> {
    automaton.manager().within(budget, || {
        let graph = Graph::new(automaton);
        let mut oracle = Oracle::new(&graph, negation, steps, budget)?;
        let conflicts = Conflicts::of(&graph, &oracle, budget)?;
        let mut best = Merged::new(graph, acceptance, conflicts);
        if oracle.is_disjoint(&best)? == Some(true) {
            best.merge_pairs(&mut oracle)?;
        }
        best.quotient(automaton, budget)
    })
}

/// A graph in which some states are merged: the first state of a class stands for it.
struct Merged {
    /// The edges between classes; a state that is not the first of its class has none.
    graph: Graph,
    acceptance: Acceptance,
    is_first: Vec<bool>,
    /// What all edges of a class have, by its first state; used with state-based acceptance.
    marks: Vec<Marks>,
    /// The classes that are merged for a trial.
    trial: Option<(State, State)>,
    /// The pairs that need no trial, if they are known.
    conflicts: Option<Conflicts>,
}

impl Merged {
    fn new(graph: Graph, acceptance: Acceptance, conflicts: Option<Conflicts>) -> Self {
        let marks = |edges: &Vec<Step>| edges.iter().fold(Marks::NONE, |all, edge| all.union(edge.2));
        Merged {
            acceptance,
            is_first: vec![true; graph.edges.len()],
            marks: graph.edges.iter().map(marks).collect(),
            trial: None,
            conflicts,
            graph,
        }
    }

    /// Tries all pairs of classes, as long as there are steps left. The oracle has just discovered the pairs of all runs.
    fn merge_pairs(&mut self, oracle: &mut Oracle<'_>) -> Result<(), Exhausted> {
        let (states, others) = (self.is_first.len(), oracle.state_count());
        // For each class the states of the complement that are reached together with it.
        let mut reached = vec![false; states * others];
        oracle.discovered().iter().for_each(|&pair| reached[pair] = true);
        for one in 0..states {
            for two in one + 1..states {
                if !self.is_first[one] || !self.is_first[two] {
                    continue;
                }
                let (first, second) = (one as State, two as State);
                if self.conflicts.as_ref().is_some_and(|conflicts| conflicts.between(first, second)) {
                    continue;
                }
                let is_reached = |other: &usize| reached[one * others + other] || reached[two * others + other];
                let starts: Vec<usize> = (0..others).filter(is_reached).map(|other| one * others + other).collect();
                self.trial = Some((first, second));
                let is_disjoint = oracle.is_disjoint_from(&*self, &starts)?;
                self.trial = None;
                match is_disjoint {
                    Some(true) => {
                        oracle.discovered().iter().for_each(|&pair| reached[pair] = true);
                        self.join(first, second);
                    }
                    Some(false) => {}
                    None => return Ok(()),
                }
            }
        }
        Ok(())
    }

    /// Makes one class of two for good. Equal edges become one, so that later trials do not follow both.
    fn join(&mut self, one: State, two: State) {
        let moved = std::mem::take(&mut self.graph.edges[two as usize]);
        self.graph.edges[one as usize].extend(moved);
        for edges in &mut self.graph.edges {
            let is_changed = edges.iter_mut().filter(|edge| edge.0 == two).map(|edge| edge.0 = one).count() > 0;
            if is_changed {
                edges.sort_unstable();
                edges.dedup();
            }
        }
        self.graph.edges[one as usize].sort_unstable();
        self.graph.edges[one as usize].dedup();
        self.is_first[two as usize] = false;
        self.marks[one as usize] = self.marks[one as usize].union(self.marks[two as usize]);
        if self.graph.initial == two {
            self.graph.initial = one;
        }
        self.conflicts.iter_mut().for_each(|conflicts| conflicts.join(one, two));
    }

    fn quotient(&self, automaton: &Automaton, budget: &Budget) -> Result<Automaton, Exhausted> {
        let mut result = automaton.empty_like(automaton.sets());
        result.add_states(automaton.state_count());
        result.set_initial(self.initial());
        for state in automaton.states().filter(|&state| self.is_first[state as usize]) {
            self.for_each(state, |(target, label, marks)| {
                result.add_edge(state, target, &self.graph.labels[label as usize], marks);
            });
        }
        result.merge_edges_within(budget)?;
        Ok(result.reachable())
    }
}

impl Merged {
    /// The class of a class, given the trial.
    fn of_trial(&self, class: State) -> State {
        self.trial.filter(|trial| trial.1 == class).map_or(class, |trial| trial.0)
    }
}

impl Steps for Merged {
    fn initial(&self) -> State {
        self.of_trial(self.graph.initial)
    }

    fn state_count(&self) -> usize {
        self.is_first.len()
    }

    fn for_each(&self, state: State, mut visit: impl FnMut(Step)) {
        let second = self.trial.filter(|trial| trial.0 == state).map(|trial| trial.1);
        let marks_of = |state: State| self.marks[state as usize];
        let all = second.map_or(marks_of(state), |second| marks_of(state).union(marks_of(second)));
        for member in std::iter::once(state).chain(second) {
            for &(target, label, marks) in &self.graph.edges[member as usize] {
                let marks = if self.acceptance == Acceptance::ByEdge { marks } else { all };
                visit((self.of_trial(target), label, marks));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Formulas;
    use crate::random::{FormulaShape, Random};
    use crate::rewrite::Nnf;
    use crate::translate::couvreur::{Branching, translate};

    /// The automata of a random formula and of its negation, over the same atoms.
    fn random_pair(seed: u64) -> (Automaton, Automaton) {
        let (mut formulas, budget) = (Formulas::new(), Budget::unlimited());
        let formula = FormulaShape::new(4 + (seed % 9) as usize, 2).draw(&mut formulas, &mut Random::new(seed));
        let both = [formula, formulas.not(formula)].map(|formula| {
            let formula = Nnf::new().of(&mut formulas, formula);
            translate(&mut formulas, formula, Branching::Immediate, 1000, &budget).expect("a small formula")
        });
        Automaton::aligned(&both[0], &both[1])
    }

    #[test]
    fn pairs_in_conflict_fail_their_trial() {
        let (mut counts, budget) = ([0, 0], Budget::unlimited());
        for seed in 0..120 {
            let (automaton, negation) = random_pair(seed);
            let graph = Graph::new(&automaton);
            let mut oracle = Oracle::new(&graph, &negation, u64::MAX, &budget).unwrap();
            let conflicts = Conflicts::of(&graph, &oracle, &budget).unwrap().expect("enough steps");
            let states = graph.edges.len() as State;
            for (one, two) in (0..states).flat_map(|one| (one + 1..states).map(move |two| (one, two))) {
                let mut merged = Merged::new(graph.clone(), Acceptance::ByEdge, None);
                merged.trial = Some((one, two));
                let is_disjoint = oracle.is_disjoint(&merged).unwrap().expect("enough steps");
                assert!(!is_disjoint || !conflicts.between(one, two), "seed {seed}: {one} and {two}");
                counts[0] += u32::from(!is_disjoint);
                counts[1] += u32::from(conflicts.between(one, two));
            }
        }
        // The condition is worth its time if it finds most of the pairs.
        assert!(counts[1] > 100 && counts[1] * 10 > counts[0] * 8, "{counts:?}: failed trials, conflicts");
    }

    /// After the merges, the whole product is searched once more; and no pair that is left can be merged.
    #[test]
    fn trials_from_the_new_state_are_whole_trials() {
        let (mut merges, budget) = (0, Budget::unlimited());
        for seed in 0..400 {
            let (automaton, negation) = random_pair(seed);
            let graph = Graph::new(&automaton);
            let mut oracle = Oracle::new(&graph, &negation, u64::MAX, &budget).unwrap();
            let mut merged = Merged::new(graph, Acceptance::ByEdge, None);
            assert_eq!(oracle.is_disjoint(&merged), Ok(Some(true)), "seed {seed}");
            merged.merge_pairs(&mut oracle).unwrap();
            assert_eq!(oracle.is_disjoint(&merged), Ok(Some(true)), "seed {seed}: a merge adds a word");
            let firsts = |merged: &Merged| -> Vec<State> {
                (0..merged.is_first.len() as State).filter(|&state| merged.is_first[state as usize]).collect()
            };
            let left = firsts(&merged);
            merges += merged.is_first.len() - left.len();
            for (index, &one) in left.iter().enumerate() {
                for &two in &left[index + 1..] {
                    merged.trial = Some((one, two));
                    assert_eq!(oracle.is_disjoint(&merged), Ok(Some(false)), "seed {seed}: {one} and {two} are left");
                }
            }
            merged.trial = None;
        }
        assert!(merges > 60, "{merges} merges");
    }
}
