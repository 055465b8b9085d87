//! The product of a listed model with an automaton.
//!
//! Contract: the accepting runs of the product are the runs of the listed model that the automaton accepts. An artificial
//! root has the initial pairs as its successors. A lasso of the product has one step more than that of the model, which
//! is the step from the root. Pairs from which no accepting component can be reached are left out. If there are more than
//! [`PRODUCT_NODES`] pairs or [`PRODUCT_EDGES`] edges, the product is not whole. Compassion constraints are no matter of acceptance sets that
//! must all be visited: with such constraints, [`rounds`](super::rounds) searches the product.

use crate::thresholds::smv::{PRODUCT_EDGES, PRODUCT_NODES, PRODUCT_WORK};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use graph::Vertex;
use graph::components::Components;
use kernel::system::{Ending, Successor, System, Visitor};
use omega::analyse::strength::Strength;
use omega::automaton::{Marks, State};
use search::accepting::{Accepting, Component};
use search::lasso::Move;
use search::product::Property;

use super::listing::Listing;
use super::{Lines, Taken};

/// The number of the root.
const ROOT: u32 = u32::MAX;

/// An edge between pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) to: u32,
    pub(super) marks: Marks,
    /// The number of the transition among those of the listed state.
    pub(super) transition: u32,
}

/// A product.
pub(super) struct Product<'l> {
    listing: &'l Listing,
    /// The listed state of each pair.
    pub(super) listed: Vec<u32>,
    pub(super) edges: Vec<Vec<Edge>>,
    pub(super) initial: Vec<u32>,
    /// The component of each pair.
    components: Vec<Component>,
    /// The acceptance sets that a loop must visit: those of the automaton, and the justice constraints.
    pub(super) sets: u32,
    /// The pairs of compassion constraints. Each has two more sets: a loop that visits the first must visit the second.
    pub(super) compassion: u32,
    is_whole: bool,
    work: AtomicU64,
}

/// What is multiplied.
#[derive(Clone, Copy)]
pub(super) struct Factors<'l, 'p> {
    pub(super) listing: &'l Listing,
    pub(super) property: &'p Property,
    /// The initial states of the automaton.
    pub(super) initial: &'p [State],
    /// The bits of letters that are justice constraints, each of which is an acceptance set after those of the automaton.
    pub(super) justice: &'p [usize],
    /// The bits of letters that are the two parts of each compassion constraint.
    pub(super) compassion: &'p [(usize, usize)],
}

impl<'l> Product<'l> {
    /// Multiplies a listing with an automaton. With `longest`, pairs farther from the initial ones have no edges.
    pub(super) fn new(factors: Factors<'l, '_>, longest: Option<u64>) -> Self {
        let Factors { listing, property, justice, compassion, .. } = factors;
        let mut product = Product {
            listing,
            listed: Vec::new(),
            edges: Vec::new(),
            initial: Vec::new(),
            components: Vec::new(),
            sets: property.sets() + justice.len() as u32,
            compassion: compassion.len() as u32,
            is_whole: true,
            work: AtomicU64::new(0),
        };
        product.multiply(factors, longest);
        product.trim();
        product
    }

    fn multiply(&mut self, factors: Factors<'_, '_>, longest: Option<u64>) {
        let Factors { property, initial, justice, compassion, .. } = factors;
        let bits: Vec<usize> = justice.iter().copied().chain(compassion.iter().flat_map(|(p, q)| [*p, *q])).collect();
        let mut numbers: HashMap<(u32, State), u32> = HashMap::new();
        let mut pairs: Vec<(u32, State)> = Vec::new();
        let mut number = |pair: (u32, State), pairs: &mut Vec<(u32, State)>| {
            *numbers.entry(pair).or_insert_with(|| {
                pairs.push(pair);
                pairs.len() as u32 - 1
            })
        };
        for state in &self.listing.initial {
            for automaton in initial {
                self.initial.push(number((*state, *automaton), &mut pairs));
            }
        }
        let (mut depth, mut layer_end, mut next, mut count) = (0, pairs.len(), 0, 0);
        while next < pairs.len() {
            if next == layer_end {
                (depth, layer_end) = (depth + 1, pairs.len());
            }
            let mut edges = Vec::new();
            let (state, automaton) = pairs[next];
            if longest.is_none_or(|longest| depth < longest) && self.is_whole {
                for (transition, taken) in (0..).zip(&self.listing.transitions[state as usize]) {
                    let sets = (property.sets()..).zip(&bits).filter(|(_, bit)| taken.letter >> **bit & 1 == 1);
                    let met = sets.fold(Marks::NONE, |met, (set, _)| met.with(set));
                    for (edge, target) in property.enabled(automaton, taken.letter) {
                        let (to, marks) = (number((taken.to, target), &mut pairs), property.marks(edge).union(met));
                        edges.push(Edge { to, marks, transition });
                    }
                }
            }
            count += edges.len();
            self.is_whole &= pairs.len() <= PRODUCT_NODES && count <= PRODUCT_EDGES;
            self.listed.push(state);
            self.edges.push(edges);
            next += 1;
        }
    }

    /// True if a loop that visits these sets is fair and accepted.
    pub(super) fn is_fair(&self, visited: Marks) -> bool {
        let first = |pair: u32| self.sets + 2 * pair;
        let is_met = |pair: u32| !visited.contains(first(pair)) || visited.contains(first(pair) + 1);
        visited.includes(Marks::all(self.sets)) && (0..self.compassion).all(is_met)
    }

    /// Computes the components, and leaves out what leads to none that can be accepting. Compassion constraints are not
    /// considered: a loop may avoid some states of its component.
    fn trim(&mut self) {
        let pairs = Pairs(&self.edges);
        let components = Components::of(&pairs);
        let number = |node: u32| components.number(node).unwrap_or(u32::MAX);
        let mut marks: HashMap<u32, Marks> = HashMap::new();
        for (node, edges) in (0..).zip(&self.edges) {
            for edge in edges.iter().filter(|edge| number(edge.to) == number(node)) {
                let all = marks.entry(number(node)).or_insert(Marks::NONE);
                *all = all.union(edge.marks);
            }
        }
        let is_accepting = |node: u32| marks.get(&number(node)).is_some_and(|all| all.includes(Marks::all(self.sets)));
        let is_useful: Vec<bool> =
            graph::paths::distances_to(&pairs, is_accepting).iter().map(Option::is_some).collect();
        let strength = |node: u32| if is_accepting(node) { Strength::Strong } else { Strength::Rejecting };
        let component = |node: u32| Component { number: number(node), strength: strength(node) };
        self.components = (0..).take(self.edges.len()).map(component).collect();
        for edges in &mut self.edges {
            edges.retain(|edge| is_useful[edge.to as usize]);
        }
        self.initial.retain(|node| is_useful[*node as usize]);
    }

    /// True if nothing was left out for its size.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// True if a pair lies in an accepting component.
    pub(super) fn is_accepting(&self, node: u32) -> bool {
        self.components[node as usize].strength != Strength::Rejecting
    }

    /// The step that an edge of a pair is.
    pub(super) fn step(&self, node: u32, edge: &Edge) -> Taken {
        let transitions = &self.listing.transitions[self.listed[node as usize] as usize];
        Taken { input: transitions[edge.transition as usize].input, marks: edge.marks }
    }

    /// Counts edges that a search looks at; false if these are too many.
    pub(super) fn may_look_at(&self, edges: usize) -> bool {
        self.work.fetch_add(edges as u64, Ordering::Relaxed) + edges as u64 <= PRODUCT_WORK
    }
}

/// The pairs as a graph.
struct Pairs<'p>(&'p [Vec<Edge>]);

impl graph::Graph for Pairs<'_> {
    type Label = ();

    fn vertex_count(&self) -> usize {
        self.0.len()
    }

    fn edges(&self, vertex: Vertex) -> impl Iterator<Item = (Vertex, ())> {
        self.0[vertex as usize].iter().map(|edge| (edge.to, ()))
    }
}

fn unpacked(state: &[u8]) -> u32 {
    u32::from_le_bytes(state.try_into().expect("four bytes"))
}

impl System for Product<'_> {
    type Step = Taken;
    type Scratch = ();

    fn scratch(&self) {}

    fn initial(&self, into: &mut Vec<u8>) {
        into.clear();
        into.extend(ROOT.to_le_bytes());
    }

    fn successors<V: Visitor<Taken>>(&self, (): &mut (), state: &[u8], visitor: &mut V) {
        let node = unpacked(state);
        if node == ROOT {
            for initial in &self.initial {
                let step = Taken { input: 0, marks: Marks::NONE };
                visitor.successor(Successor { step, state: &initial.to_le_bytes(), transient: false });
            }
            return;
        }
        let edges = &self.edges[node as usize];
        if self.may_look_at(edges.len()) {
            for edge in edges {
                let step = self.step(node, edge);
                visitor.successor(Successor { step, state: &edge.to.to_le_bytes(), transient: false });
            }
        }
    }

    fn ending(&self, (): &mut (), _: &[u8]) -> Ending {
        Ending::Valid
    }
}

impl Accepting for Product<'_> {
    fn sets(&self) -> u32 {
        self.sets
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
        match unpacked(state) {
            ROOT => Component { number: self.edges.len() as u32, strength: Strength::Rejecting },
            node => self.components[node as usize],
        }
    }
}

impl Lines for Product<'_> {
    fn listed(&self, state: &[u8]) -> Option<u32> {
        Some(self.listed[unpacked(state) as usize])
    }

    fn loop_start(&self, _: &[Move<Taken>], stem: usize) -> usize {
        stem - 1
    }

    fn is_cut(&self) -> bool {
        self.work.load(Ordering::Relaxed) > PRODUCT_WORK
    }
}
