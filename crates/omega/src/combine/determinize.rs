//! A deterministic parity automaton for the language of a Büchi automaton, to be explored on demand.
//!
//! What: a state is a *tree* whose nodes hold disjoint sets of states of the given automaton, written as a list in which the
//! descendants of a node stand directly to its left, together with the *rank* of each node, which is smaller the older it is.
//! Under a letter the runs of a node that take an accepting edge become its youngest child, the others stay in it, and a
//! state that would stand in several nodes is kept in the leftmost. A node without states of its own whose descendants have
//! some takes them all back: each of its runs has met the acceptance set since it last did so, and this is *good* for its
//! rank. A node without any is removed, which is *bad* for its rank, and younger ones move up. The word is accepted if, for
//! some rank, good events occur forever and, from some time on, nothing bad for it or a smaller one.
//!
//! Contract: the event of the smallest rank decides a step's priority: twice the rank if good, one less if bad; the word is
//! accepted if the least priority that occurs forever is even. Priorities are below [`Determinized::silent`] + 1, which is
//! that of a step without events. Words that a terminal component accepts have no run here, since nobody asks for
//! them: what is explored answers which words are rejected.
//!
//! A state is also left out where a state that simulates it stands to its left or in its node. This is sound as keeping the
//! leftmost of equal states is: what an accepting run could do, some state can that never moves to the right, and where the
//! run meets the acceptance set, so does that state. Simulation takes the marks that the trees use, those of `saturate`:
//! on edges inside of accepting components only, and on all of them inside a weak one.
//!
//! Source: the trees of [safra.88.focs] with the ranks, and so the parity, of [piterman.07.lmcs], in the notation of
//! [loding.19.icalp]; simulation between states of a tree after [loding.19.atva]. Ours: acceptance on edges.
//!
//! Tested by: complements through it against those by components, on words and by emptiness (`tests/automaton_combine.rs`).

use bdd::Bdd;
use kernel::budget::{Budget, Exhausted};

use crate::analyse::strength::{Strength, strengths};
use crate::automaton::scc::Components;
use crate::automaton::{Automaton, Marks, State};
use crate::combine::complement::{States, letters, without_useless_states};
use crate::reduce::cosimulation::Acceptance;
use crate::reduce::degeneralize::degeneralize;
use crate::reduce::marking::saturate;
use crate::reduce::preorder::Preorder;
use crate::reduce::simulation::forward;

/// The deterministic automaton.
pub(super) struct Determinized {
    automaton: Automaton,
    /// Whether every word is accepted from a state.
    terminal: Vec<bool>,
    /// Which state simulates which; none where that is too much to compute.
    order: Option<Preorder>,
}

/// One of its states: the nodes, descendants to the left of their ancestors.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// The number of states in it.
    pub(super) fn width(&self) -> usize {
        self.nodes.iter().map(|node| node.states.len()).sum()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    /// Ascending; not those of the descendants.
    states: States,
    /// From 1, the older the smaller.
    rank: u32,
}

/// Where a state of the given automaton goes under a letter, and whether by an accepting edge.
type Targets = Vec<(State, bool)>;

impl Determinized {
    pub(super) fn of(automaton: &Automaton, budget: &Budget) -> Result<Self, Exhausted> {
        let automaton = match automaton.sets() {
            1 => without_useless_states(automaton),
            _ => without_useless_states(&degeneralize(automaton, Acceptance::ByEdge, budget)?),
        };
        let automaton = saturate(automaton, Marks::NONE, budget)?;
        let components = Components::of(&automaton);
        let strengths = strengths(&automaton, &components);
        let is_terminal =
            |state| components.number(state).is_some_and(|number| strengths[number as usize] == Strength::Terminal);
        let terminal = automaton.states().map(is_terminal).collect();
        let order = Preorder::of(&forward(&automaton), budget)?;
        Ok(Self { automaton, terminal, order })
    }

    pub(super) fn initial(&self) -> Tree {
        Tree { nodes: vec![Node { states: vec![self.automaton.initial()], rank: 1 }] }
    }

    /// The priority of a step in which nothing happens; odd, and larger than all others.
    pub(super) fn silent(&self) -> u32 {
        2 * self.automaton.state_count() as u32 + 1
    }

    /// The successors under the letters of `within`, with disjoint labels, and their priorities.
    pub(super) fn successors(
        &self,
        tree: &Tree,
        within: &Bdd,
        budget: &Budget,
    ) -> Result<Vec<(Bdd, Tree, u32)>, Exhausted> {
        let reached: States = tree.nodes.iter().flat_map(|node| node.states.iter().copied()).collect();
        let mut successors = Vec::new();
        for letters in letters(&self.automaton, &reached, within, budget)? {
            budget.check()?;
            let mut targets: Vec<Targets> = Vec::new();
            for &source in &reached {
                let edges = self.automaton.edges(source).iter().filter(|edge| edge.label.intersects(&letters));
                targets.push(edges.map(|edge| (edge.target, edge.marks.contains(0))).collect());
            }
            let mut all = targets.iter().flatten();
            if all.any(|&(target, _)| self.terminal[target as usize]) {
                continue;
            }
            let (next, priority) = self.step(tree, targets.into_iter());
            successors.push((letters, next, priority));
        }
        Ok(successors)
    }

    /// Whether a state can be left out because of another one.
    fn is_below(&self, state: State, other: State) -> bool {
        match &self.order {
            Some(order) => {
                let at_most = |one: State, two: State| order.at_most(one as usize, two as usize);
                // Of states that simulate each other the first stays.
                state != other && at_most(state, other) && (!at_most(other, state) || other < state)
            }
            None => false,
        }
    }

    /// The states of one node, without those that others of them simulate; ascending.
    fn maximal(&self, mut states: States) -> States {
        states.sort_unstable();
        let is_kept = |state: &State| !states.iter().any(|&other| self.is_below(*state, other));
        states.iter().copied().filter(is_kept).collect()
    }

    /// Whether a state, or one that simulates it, is further to the left already.
    fn is_covered(&self, state: State, left: &[State]) -> bool {
        let covers = |&other: &State| {
            other == state || self.order.as_ref().is_some_and(|order| order.at_most(state as usize, other as usize))
        };
        left.iter().any(covers)
    }

    /// The next tree and the priority of the step; `targets` for each state of the tree, from left to right.
    fn step(&self, tree: &Tree, mut targets: impl Iterator<Item = Targets>) -> (Tree, u32) {
        let mut left: States = Vec::new();
        let mut priority = self.silent();
        let mut nodes: Vec<Node> = Vec::new();
        let mut youngest = tree.nodes.len() as u32;
        for Node { states, rank } in &tree.nodes {
            let own: Vec<Targets> = targets.by_ref().take(states.len()).collect();
            let mut taken = |accepting: bool| {
                let chosen = own.iter().flatten().filter(|(_, by)| *by == accepting).map(|(target, _)| *target);
                let mut fresh: States = chosen.filter(|&state| !self.is_covered(state, &left)).collect();
                fresh.sort_unstable();
                fresh.dedup();
                let fresh = self.maximal(fresh);
                left.extend(&fresh);
                fresh
            };
            let (child, mut rest) = (taken(true), taken(false));
            if !child.is_empty() {
                youngest += 1;
                nodes.push(Node { states: child, rank: youngest });
            }
            if rest.is_empty() {
                while let Some(below) = nodes.pop_if(|below| below.rank > *rank) {
                    rest.extend(below.states);
                }
                rest = self.maximal(rest);
                priority = priority.min(2 * rank - u32::from(rest.is_empty()));
            }
            if !rest.is_empty() {
                nodes.push(Node { states: rest, rank: *rank });
            }
        }
        let mut ranks: Vec<u32> = nodes.iter().map(|node| node.rank).collect();
        ranks.sort_unstable();
        for node in &mut nodes {
            node.rank = 1 + ranks.partition_point(|&rank| rank < node.rank) as u32;
        }
        (Tree { nodes }, priority)
    }
}
