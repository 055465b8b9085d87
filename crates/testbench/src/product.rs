//! The global synchronous product of a structure with an automaton, and the states of the structure that begin an accepted
//! behaviour.
//!
//! What: the automaton starts in every state of the structure at once. A pair of a structure state and an automaton state
//! has an edge for every successor of the former and every edge of the latter that the former's propositions permit.
//! [`product`] gives the states from which an accepting cycle can be reached, which is where the CTL* formula `E φ` holds if
//! the automaton is one for `φ`, and the size of the product.
//!
//! Contract: deterministic; time in proportion to the pairs, times the edges of an automaton state, times the words of a set
//! of structure states: for a dense structure far fewer than its product has edges.
//!
//! How: components by two depth-first searches, the second against the edges in the order in which the first left the pairs
//! [sharir.81.cma]. Both only ever need "a successor not yet seen", which is an intersection of sets kept as bits.
//!
//! Source: section 2.2 of [tauriainen.00.spin]. Deviations: generalised acceptance on transitions in place of accepting
//! states, and the algorithm for components.
//! Tested by: an explicit product, decided by [`omega::automaton::emptiness`] for every state (`tests/products.rs`).

use omega::automaton::emptiness;
use omega::automaton::{Automaton, Marks};

use crate::bits::{Bits, meet, members, words_for};
use crate::explicit::Explicit;
use crate::structure::Structure;

/// The result of a product.
#[derive(Clone, Debug)]
pub struct Product {
    /// The structure's states that begin an accepted behaviour.
    pub accepted: Bits,
    /// The number of pairs reached.
    pub states: u64,
    /// The number of edges between them.
    pub transitions: u64,
    /// The number of strongly connected components.
    pub components: u64,
}

/// A state of the structure and one of the automaton.
type Pair = (u32, u32);

/// The product; the automaton's labels are spelt out over the states of the structure.
#[must_use]
pub fn product(structure: &Structure, automaton: &Explicit) -> Product {
    let width = words_for(structure.size());
    let mut search = Search { structure, automaton, width, open: vec![0; automaton.state_count() * width] };
    let left = search.forward();
    let (pairs, ends) = search.backward(&left);
    let useful = search.useful(&pairs, &ends);
    let start = automaton.initial as usize * width;
    let begins = |state: &usize| useful[start + state / 64] >> (state % 64) & 1 == 1;
    let degree = |&(state, at): &Pair| {
        let permitted = automaton.outgoing(at).filter(|&arc| automaton.permits(arc, state as usize)).count();
        (permitted * structure.successors(state as usize).count()) as u64
    };
    Product {
        accepted: Bits::of(structure.size(), (0..structure.size()).filter(begins)),
        states: pairs.len() as u64,
        transitions: pairs.iter().map(degree).sum(),
        components: ends.len() as u64,
    }
}

struct Search<'a> {
    structure: &'a Structure,
    automaton: &'a Explicit,
    width: usize,
    /// For each automaton state the structure states paired with it that are still to be visited.
    open: Vec<u64>,
}

impl Search<'_> {
    fn row(&self, at: u32) -> usize {
        at as usize * self.width
    }

    /// Visits all pairs from the initial ones on; gives them in the order in which they were left.
    fn forward(&mut self) -> Vec<Pair> {
        self.open.fill(u64::MAX);
        let mut left = Vec::new();
        let mut path: Vec<(Pair, usize)> = Vec::new();
        for start in 0..self.structure.size() {
            let initial = self.automaton.initial;
            if !self.close(start, initial) {
                continue;
            }
            path.push(((start as u32, initial), self.automaton.outgoing(initial).start));
            while let Some((pair, arc)) = path.last_mut() {
                let (pair, from) = (*pair, *arc);
                match self.fresh_successor(pair, from) {
                    Some((next, via)) => {
                        *arc = via;
                        self.close(next.0 as usize, next.1);
                        path.push((next, self.automaton.outgoing(next.1).start));
                    }
                    None => {
                        left.push(pair);
                        path.pop();
                    }
                }
            }
        }
        left
    }

    /// Marks a pair as visited; whether it was not before.
    fn close(&mut self, state: usize, at: u32) -> bool {
        let word = &mut self.open[at as usize * self.width + state / 64];
        let was_open = *word >> (state % 64) & 1 == 1;
        *word &= !(1 << (state % 64));
        was_open
    }

    /// A successor that is still open, by the edges from a given one on, and the edge that leads there.
    fn fresh_successor(&self, (state, at): Pair, from: usize) -> Option<(Pair, usize)> {
        let next = self.structure.successors(state as usize).words();
        for arc in from..self.automaton.outgoing(at).end {
            if self.automaton.permits(arc, state as usize) {
                let target = self.automaton.arcs[arc].target;
                let open = &self.open[self.row(target)..];
                if let Some(word) = (0..self.width).find(|&word| next[word] & open[word] != 0) {
                    let bit = (next[word] & open[word]).trailing_zeros() as usize;
                    return Some((((word * 64 + bit) as u32, target), arc));
                }
            }
        }
        None
    }

    /// All pairs, grouped by component, in topological order; and the index at which each component ends.
    fn backward(&mut self, left: &[Pair]) -> (Vec<Pair>, Vec<usize>) {
        self.open.fill(0);
        for &(state, at) in left {
            self.open[at as usize * self.width + state as usize / 64] |= 1 << (state % 64);
        }
        let mut pairs = Vec::with_capacity(left.len());
        let mut ends = Vec::new();
        for &(state, at) in left.iter().rev() {
            if !self.close(state as usize, at) {
                continue;
            }
            let mut done = pairs.len();
            pairs.push((state, at));
            while let Some(&pair) = pairs.get(done) {
                done += 1;
                self.open_predecessors(pair, &mut pairs);
            }
            ends.push(pairs.len());
        }
        (pairs, ends)
    }

    /// Closes all open predecessors of a pair and lists them.
    fn open_predecessors(&mut self, (state, at): Pair, pairs: &mut Vec<Pair>) {
        let before = self.structure.predecessors(state as usize).words();
        for &arc in self.automaton.incoming(at) {
            let source = self.automaton.arcs[arc as usize].source;
            let row = self.row(source);
            let extent = self.automaton.extent(arc as usize);
            for word in 0..self.width {
                let found = before[word] & extent[word] & self.open[row + word];
                self.open[row + word] &= !found;
                pairs.extend(members(found).map(|bit| ((word * 64 + bit) as u32, source)));
            }
        }
    }

    /// For each automaton state the structure states paired with it from which an accepting cycle can be reached.
    fn useful(&self, pairs: &[Pair], ends: &[usize]) -> Vec<u64> {
        let mut useful = vec![0; self.open.len()];
        let mut inside = vec![0; self.open.len()];
        let place = |&(state, at): &Pair| (at as usize * self.width + state as usize / 64, 1_u64 << (state % 64));
        for component in (0..ends.len()).rev() {
            let start = if component == 0 { 0 } else { ends[component - 1] };
            let members = &pairs[start..ends[component]];
            for (word, bit) in members.iter().map(place) {
                inside[word] |= bit;
            }
            if self.is_useful(members, &inside, &useful) {
                for (word, bit) in members.iter().map(place) {
                    useful[word] |= bit;
                }
            }
            for (word, _) in members.iter().map(place) {
                inside[word] = 0;
            }
        }
        useful
    }

    /// Whether a component is accepting or reaches a useful one.
    fn is_useful(&self, component: &[Pair], inside: &[u64], useful: &[u64]) -> bool {
        let (mut cycles, mut marks) = (false, Marks::NONE);
        for &(state, at) in component {
            let next = self.structure.successors(state as usize).words();
            for arc in self.automaton.outgoing(at).filter(|&arc| self.automaton.permits(arc, state as usize)) {
                let row = self.row(self.automaton.arcs[arc].target);
                if meet(next, &useful[row..row + self.width]) {
                    return true;
                }
                if meet(next, &inside[row..row + self.width]) {
                    cycles = true;
                    marks = marks.union(self.automaton.arcs[arc].marks);
                }
            }
        }
        cycles && marks.includes(self.automaton.all)
    }
}

/// A lasso of the structure from a state that the automaton accepts, as the states of its stem and of its cycle; none if no
/// behaviour from there is accepted.
#[must_use]
pub fn accepted_lasso(structure: &Structure, automaton: &Explicit, start: usize) -> Option<(Vec<usize>, Vec<usize>)> {
    let explicit = explicit_product(structure, automaton, start);
    let run = emptiness::accepting_run(&explicit)?;
    let states = automaton.state_count();
    let of = |steps: &[emptiness::RunEdge]| steps.iter().map(|step| step.source as usize / states).collect();
    Some((of(&run.stem), of(&run.cycle)))
}

/// The product from one state on, edge by edge, as an automaton whose labels say nothing. State `s · |Q| + q` is the pair.
#[must_use]
pub fn explicit_product(structure: &Structure, automaton: &Explicit, start: usize) -> Automaton {
    let states = automaton.state_count();
    let mut graph = Automaton::new(Vec::<String>::new(), automaton.all.len());
    graph.add_states(states * structure.size());
    graph.set_initial((start * states + automaton.initial as usize) as u32);
    let any = graph.manager().yes();
    for state in 0..structure.size() {
        for (number, arc) in automaton.arcs.iter().enumerate().filter(|(number, _)| automaton.permits(*number, state)) {
            debug_assert!(automaton.outgoing(arc.source).contains(&number));
            for next in structure.successors(state).iter() {
                let (from, to) = (state * states + arc.source as usize, next * states + arc.target as usize);
                graph.add_edge(from as u32, to as u32, &any, arc.marks);
            }
        }
    }
    graph
}
