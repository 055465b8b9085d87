//! Which states can certainly not be merged: a necessary condition for [`super::merge`] that costs no search.
//!
//! What: a merge of `p` and `q` lets a run that reaches `p` go on as from `q`. If some word leads the automaton to `p` and
//! the one for the complement to `n`, and some word is accepted from both `q` and `n`, then the merge accepts a word of the
//! complement. [`Conflicts::of`] finds, in one pass over the pairs of states, which states of the complement are reached
//! together with each state, and with which ones each has a word in common; [`Conflicts::between`] compares these sets.
//!
//! Contract: a pair in conflict cannot be merged, neither now nor after other merges, which only add runs. A pair without
//! conflict may still not be mergeable. None if the pairs have more edges than the oracle has steps left.
//!
//! Source: ours; the condition is the pairwise part of the question that the trial asks.
//! Tested by: trials of all pairs on random automata (`merge`, below there).

use graph::components::Components;
use kernel::budget::{Budget, Exhausted};

use super::disjoint::{Graph, Oracle, Steps};
use crate::automaton::{Marks, State};

/// For each state, sets of states of the complement.
pub(crate) struct Conflicts {
    /// Those that some word leads to together with the state.
    together: Rows,
    /// Those with which the state has a word in common.
    common: Rows,
}

impl Conflicts {
    pub(crate) fn of(graph: &Graph, oracle: &Oracle<'_>, budget: &Budget) -> Result<Option<Self>, Exhausted> {
        if !oracle.affords_all_pairs(graph) {
            return Ok(None);
        }
        let states = oracle.state_count();
        let mut conflicts = Conflicts { together: Rows::new(graph, states), common: Rows::new(graph, states) };
        // The edges of all pairs, one pair after the other, and where those of each pair begin.
        let (mut edges, mut places) = (Vec::new(), vec![0]);
        for pair in 0..graph.state_count() * states {
            budget.check()?;
            oracle.push_successors(graph, pair, &mut edges);
            places.push(edges.len());
        }
        let edges_of = |pair: usize| edges[places[pair]..places[pair + 1]].iter().copied();
        let mut pending = vec![oracle.first_pair(graph)];
        conflicts.together.insert(pending[0]);
        while let Some(pair) = pending.pop() {
            budget.check()?;
            pending
                .extend(edges_of(pair).map(|(target, _)| target).filter(|&target| conflicts.together.insert(target)));
        }
        let pairs = graph::from_fn(graph.state_count() * states, |pair| {
            edges_of(pair as usize).map(|(target, marks)| (target as u32, marks))
        });
        let components = Components::from_until(&pairs, 0..(graph.state_count() * states) as u32, || budget.check())?;
        // Reverse topological order: what a component leads to was decided before it.
        let mut is_useful = vec![false; components.count() as usize];
        for (number, members) in components.in_order().chunk_by(|&one, &two| components.same(one, two)).enumerate() {
            budget.check()?;
            let (mut marks, mut trivial, mut useful) = (Marks::NONE, true, false);
            for &pair in members {
                for (target, more) in edges_of(pair as usize) {
                    let target = components.number(target as u32).expect("every pair is a root") as usize;
                    useful |= is_useful[target];
                    if target == number {
                        (marks, trivial) = (marks.union(more), false);
                    }
                }
            }
            is_useful[number] = useful || !trivial && marks.includes(oracle.all_marks());
            if is_useful[number] {
                members.iter().for_each(|&pair| _ = conflicts.common.insert(pair as usize));
            }
        }
        Ok(Some(conflicts))
    }

    /// Whether the states cannot be merged.
    pub(crate) fn between(&self, one: State, two: State) -> bool {
        self.together.meets(one, &self.common, two) || self.together.meets(two, &self.common, one)
    }

    /// The first state now stands for both.
    pub(crate) fn join(&mut self, one: State, two: State) {
        self.together.add(one, two);
        self.common.add(one, two);
    }
}

/// A set of states of one automaton for each state of another, as bits.
struct Rows {
    states: usize,
    words: usize,
    bits: Vec<u64>,
}

impl Rows {
    fn new(graph: &Graph, states: usize) -> Self {
        let words = states.div_ceil(64);
        Rows { states, words, bits: vec![0; graph.state_count() * words] }
    }

    /// Puts in a pair, numbered as the oracle does; whether it is new.
    fn insert(&mut self, pair: usize) -> bool {
        let (row, state) = (pair / self.states, pair % self.states);
        let word = &mut self.bits[row * self.words + state / 64];
        let before = *word;
        *word |= 1 << (state % 64);
        *word != before
    }

    fn row(&self, row: State) -> &[u64] {
        &self.bits[row as usize * self.words..][..self.words]
    }

    fn meets(&self, row: State, other: &Rows, of: State) -> bool {
        self.row(row).iter().zip(other.row(of)).any(|(one, two)| one & two != 0)
    }

    fn add(&mut self, row: State, of: State) {
        for word in 0..self.words {
            self.bits[row as usize * self.words + word] |= self.bits[of as usize * self.words + word];
        }
    }
}
