//! Lassos of a product whose automaton has past operators, or of a model with compassion constraints.
//!
//! What: the values of past operators can differ between the first rounds of a loop, so that the loop of the product is
//! longer than that of the model. On a lasso of the model these values repeat after as many rounds as past operators nest
//! deep. Here the first rounds of the loop, and the one that repeats, are walked through side by side: a state is a pair
//! of the product in the stem, and in the loop one pair for each round, together with the pairs with which the rounds
//! began and the acceptance sets that the last round has visited. All rounds take the same transition of the model. The
//! loop closes if each round ends with the pair with which the next one began, and the last one, having visited all
//! acceptance sets and met the compassion constraints, with the pair with which it began itself. Without past operators
//! there is one round. The closing step leads to a goal that repeats itself forever.
//!
//! Contract: the model has a lasso with a number of steps that satisfies the formula if and only if this system has an
//! accepting lasso with two steps more, one from the artificial root and one for the goal.
//!
//! Source: unrolling only virtually is due to [latvala.05.vmcai]; that it gives shortest counterexamples is due to
//! [schuppan.05.tacas]. Deviation: there the formula is encoded for a solver, here the rounds of an explicit product.
//! Tested by `tests/minimality.rs`.

use std::collections::HashMap;

use kernel::budget::{Budget, Exhausted};
use kernel::system::{Ending, Successor, System, Visitor};
use omega::analyse::strength::Strength;
use omega::automaton::Marks;
use search::accepting::{Accepting, Component};
use search::lasso::Move;

use super::product::{Edge, Product};
use super::{Lines, Taken};

/// The root, a state of the stem, a state of the loop, and the goal, as the first byte of a packed state.
const ROOT: u8 = 0;
const STEM: u8 = 1;
const LOOP: u8 = 2;
const GOAL: u8 = 3;

/// A product with several rounds of the loop side by side.
pub(super) struct Rounds<'p, 'l> {
    product: &'p Product<'l>,
    /// The number of rounds before the one that repeats.
    depth: usize,
    /// The pairs of each listed state with which a later round can begin.
    pairs: HashMap<u32, Vec<u32>>,
    budget: &'p Budget,
}

impl<'p, 'l> Rounds<'p, 'l> {
    /// The rounds of a product for past operators that nest to this depth.
    pub(super) fn new(product: &'p Product<'l>, depth: usize, budget: &'p Budget) -> Self {
        let mut pairs: HashMap<u32, Vec<u32>> = HashMap::new();
        for (node, listed) in (0..).zip(&product.listed) {
            if !product.edges[node as usize].is_empty() {
                pairs.entry(*listed).or_default().push(node);
            }
        }
        Rounds { product, depth, pairs, budget }
    }

    /// Calls a function with every choice of pairs with which the later rounds of a loop can begin.
    fn beginnings(&self, first: u32, each: &mut dyn FnMut(&[u32])) {
        let Some(pairs) = self.pairs.get(&self.product.listed[first as usize]) else { return };
        if self.depth == 0 && !self.product.is_accepting(first) {
            return;
        }
        let repeating: Vec<u32> = pairs.iter().copied().filter(|node| self.product.is_accepting(*node)).collect();
        let mut pending = vec![vec![first]];
        while let Some(begun) = pending.pop() {
            if begun.len() == self.depth + 1 {
                each(&begun);
                continue;
            }
            let choices = if begun.len() == self.depth { &repeating } else { pairs };
            if !self.may_look_at(choices.len()) {
                return;
            }
            pending.extend(choices.iter().map(|node| [&begun[..], &[*node]].concat()));
        }
    }

    /// Calls a function with every step that all rounds can take together, and the edge of the last round.
    fn together(&self, rounds: &[u32], each: &mut dyn FnMut(&[u32], &Edge)) {
        let edges = |node: u32| &self.product.edges[node as usize];
        for first in edges(rounds[0]) {
            let mut all: Vec<(Vec<u32>, &Edge)> = vec![(vec![first.to], first)];
            for node in &rounds[1..] {
                let mut longer = Vec::new();
                for (to, _) in &all {
                    let same = edges(*node).iter().filter(|edge| edge.transition == first.transition);
                    longer.extend(same.map(|edge| ([&to[..], &[edge.to]].concat(), edge)));
                }
                if !self.may_look_at(longer.len() + edges(*node).len()) {
                    return;
                }
                all = longer;
            }
            for (to, edge) in all {
                each(&to, edge);
            }
        }
    }

    fn may_look_at(&self, edges: usize) -> bool {
        let may = self.product.may_look_at(edges);
        if !may {
            self.budget.exhaust(Exhausted::Time);
        }
        may
    }
}

/// What an explorer needs.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    packed: Vec<u8>,
}

fn pack(into: &mut Vec<u8>, kind: u8, nodes: &[&[u32]]) {
    into.clear();
    into.push(kind);
    into.extend(nodes.iter().flat_map(|nodes| nodes.iter()).flat_map(|node| node.to_le_bytes()));
}

fn unpack(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
}

/// Acceptance sets as one number, of which there are few, and back.
fn number(marks: Marks) -> u32 {
    marks.iter().fold(0, |number, set| number | 1 << set)
}

fn marks(number: u32) -> Marks {
    (0..u32::BITS).filter(|set| number >> set & 1 == 1).fold(Marks::NONE, Marks::with)
}

impl System for Rounds<'_, '_> {
    type Step = Taken;
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch::default()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        pack(into, ROOT, &[]);
    }

    fn successors<V: Visitor<Taken>>(&self, scratch: &mut Scratch, state: &[u8], visitor: &mut V) {
        let packed = &mut scratch.packed;
        let mut enter = |node: u32, step: Taken, visitor: &mut V| {
            pack(packed, STEM, &[&[node]]);
            visitor.successor(Successor { step, state: packed, transient: false });
            self.beginnings(node, &mut |begun| {
                pack(packed, LOOP, &[&[0], begun, begun]);
                visitor.successor(Successor { step, state: packed, transient: false });
            });
        };
        let nodes = unpack(&state[1..]);
        match state[0] {
            ROOT => {
                for node in &self.product.initial {
                    enter(*node, Taken { input: 0, marks: Marks::NONE }, visitor);
                }
            }
            STEM => {
                for edge in &self.product.edges[nodes[0] as usize] {
                    let step = Taken { marks: Marks::NONE, ..self.product.step(nodes[0], edge) };
                    enter(edge.to, step, visitor);
                }
            }
            LOOP => {
                let (begun, rounds) = nodes[1..].split_at(self.depth + 1);
                let last = rounds[self.depth];
                self.together(rounds, &mut |to, edge| {
                    let Taken { input, marks: visited } = self.product.step(last, edge);
                    let visited = visited.union(marks(nodes[0]));
                    let step = Taken { input, marks: Marks::NONE };
                    pack(packed, LOOP, &[&[number(visited)], begun, to]);
                    visitor.successor(Successor { step, state: packed, transient: false });
                    let is_closed = to[..self.depth] == begun[1..] && to[self.depth] == begun[self.depth];
                    if is_closed && self.product.is_fair(visited) {
                        pack(packed, GOAL, &[]);
                        visitor.successor(Successor { step, state: packed, transient: false });
                    }
                });
            }
            _ => {
                let step = Taken { input: 0, marks: Marks::one(0) };
                visitor.successor(Successor { step, state, transient: false });
            }
        }
    }

    fn ending(&self, _: &mut Scratch, _: &[u8]) -> Ending {
        Ending::Valid
    }
}

impl Accepting for Rounds<'_, '_> {
    fn sets(&self) -> u32 {
        1
    }

    fn marks(&self, step: Taken) -> Marks {
        step.marks
    }

    fn is_state_based(&self) -> bool {
        false
    }

    fn accepting(&self, _: &[u8]) -> bool {
        false
    }

    fn component(&self, state: &[u8]) -> Component {
        let strength = if state[0] == GOAL { Strength::Strong } else { Strength::Rejecting };
        Component { number: u32::from(state[0]), strength }
    }
}

impl Lines for Rounds<'_, '_> {
    fn listed(&self, state: &[u8]) -> Option<u32> {
        let nodes = unpack(&state[1..]);
        // All rounds are in the same state of the model.
        let node = match state[0] {
            STEM => nodes[0],
            LOOP => nodes[1 + self.depth + 1],
            _ => return None,
        };
        Some(self.product.listed[node as usize])
    }

    fn loop_start(&self, states: &[Move<Taken>], _: usize) -> usize {
        states.iter().position(|one| one.state[0] == LOOP).expect("the goal is reached from a loop")
    }

    fn is_cut(&self) -> bool {
        self.product.is_cut()
    }
}
