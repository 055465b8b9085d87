//! The shortest accepting lasso where acceptance asks for several marks on steps.
//!
//! *Contract.* Finds a shortest lasso whose cycle carries every mark, if there is one. The cycle need not be simple. Time
//! and memory grow with the number of subsets of marks, as they must: the problem is NP-complete in it.
//!
//! *How.* The lasso of [`crate::emptiness::scc`] bounds the length. A breadth-first search measures the distance of
//! every state from the initial one. Then for each state, nearest first, a breadth-first search over pairs of a state and
//! the marks collected since looks for the shortest closed walk with all marks. In a shortest lasso the knot is a state
//! of the cycle nearest to the initial one, otherwise the cycle could be entered earlier; so a walk never goes through a
//! state nearer than its start. It stays in the property's component, which must not be rejecting, and is cut where
//! stem and walk together reach the bound.
//!
//! With the `tight` construction of the property, whose runs on a word collect all marks in the word's own period, this
//! gives the shortest lasso of the model that violates a formula.
//!
//! *Tested by* brute force on random automata with up to three sets, and with [`super::bfs`] on state-based ones,
//! `tests/lassos/`.

use super::trace::Tracer;
use super::{Options, Outcome};
use crate::accepting::Accepting;
use crate::emptiness::{self, End, scc};
use crate::lasso::Lasso;
use crate::space::{Grain, Space};
use crate::store::exact::StateId;
use kernel::budget::Exhausted;
use omega::marks::Marks;
use omega::strength::Strength;
use std::collections::HashSet;

const FAR: u32 = u32::MAX;

/// Searches for a shortest accepting lasso.
pub fn search<'a, A: Accepting>(system: &'a A, options: Options<'a>) -> Outcome<A::Step> {
    let Options { budget, components, max_length, progress } = options;
    let mut first = None;
    let mut bound = max_length.map_or(u64::MAX, |length| length.saturating_add(1));
    let mut before = emptiness::Statistics::default();
    if max_length.is_none() {
        let outcome = scc::search(system, emptiness::Options { budget, components, progress: &mut *progress });
        let Some(lasso) = outcome.lasso else {
            let (end, statistics) = (outcome.end, outcome.statistics);
            return Outcome { end, lasso: None, is_minimal: false, first_length: None, statistics };
        };
        bound = lasso.length() as u64;
        first = Some(lasso);
        before = outcome.statistics;
    }
    let mut space = Space::new(system, emptiness::Options { budget, components, progress });
    space.grain = Grain::Single;
    let mut search = Search { space, distances: Vec::new(), order: Vec::new(), bound, best: None, is_cut: false };
    let mut result = search.run();
    let best = search.best.take().and_then(|walk| {
        let lasso = search.lasso(&walk);
        lasso.map_err(|exhausted| result = Err(exhausted)).ok()
    });
    let mut first_length = first.as_ref().map(|lasso| lasso.length() as u64);
    let lasso = best.or(first);
    first_length = first_length.or(lasso.as_ref().map(|lasso| lasso.length() as u64));
    // A shortest lasso visits no state more often than there are marks to collect, plus once.
    let longest = search.space.len().saturating_mul(u64::from(system.sets()) + 1);
    let is_bounded = max_length.is_some_and(|length| search.is_cut || length < longest);
    let is_cut = search.space.is_cut;
    let end = super::end(result, lasso.is_some(), is_bounded, is_cut);
    let statistics = sum(before, search.space.finish());
    Outcome { end, lasso, is_minimal: end == End::Found && !is_cut, first_length, statistics }
}

/// The numbers of two searches, one after the other, the first of which has given its memory back.
fn sum(one: emptiness::Statistics, two: emptiness::Statistics) -> emptiness::Statistics {
    emptiness::Statistics {
        states: one.states.max(two.states),
        visits: one.visits + two.visits,
        transitions: one.transitions + two.transitions,
        faults: one.faults + two.faults,
        depth: one.depth.max(two.depth),
        bytes: one.bytes.max(two.bytes),
        searching: one.searching + two.searching,
        tracing: one.tracing + two.tracing,
    }
}

/// A closed walk from a state: each step with the state after it.
struct Walk<S> {
    start: StateId,
    steps: Vec<(S, StateId)>,
}

/// A state and the marks collected on the way to it from the start of a walk.
struct Node<S> {
    state: StateId,
    marks: Marks,
    /// The node before, and the step from there; the start is its own.
    parent: u32,
    step: Option<S>,
}

struct Search<'a, A: Accepting> {
    space: Space<'a, A>,
    /// By state: steps from the initial one.
    distances: Vec<u32>,
    /// States by distance.
    order: Vec<StateId>,
    /// Only lassos shorter than this are of interest.
    bound: u64,
    best: Option<Walk<A::Step>>,
    /// Whether a state was not expanded for its distance.
    is_cut: bool,
}

impl<A: Accepting> Search<'_, A> {
    fn run(&mut self) -> Result<(), Exhausted> {
        self.measure()?;
        for index in 0..self.order.len() {
            let start = self.order[index];
            if u64::from(self.distances[start.0 as usize]) + 1 >= self.bound {
                break;
            }
            if self.space.component(start).strength != Strength::Rejecting {
                self.walk(start)?;
            }
        }
        Ok(())
    }

    fn measure(&mut self) -> Result<(), Exhausted> {
        let initial = self.space.initial()?;
        self.distances.resize(self.space.numbers(), FAR);
        self.distances[initial.0 as usize] = 0;
        self.order.push(initial);
        let mut next = 0;
        let mut successors = Vec::new();
        while let Some(&state) = self.order.get(next) {
            next += 1;
            let distance = self.distances[state.0 as usize] + 1;
            if u64::from(distance) >= self.bound {
                self.is_cut = true;
                break;
            }
            if !self.space.allows(u64::from(distance)) {
                break;
            }
            successors.clear();
            let held = self.held();
            self.space.expand(state, held, |successor, _| successors.push(successor))?;
            self.distances.resize(self.space.numbers(), FAR);
            for &successor in &successors {
                if self.distances[successor.0 as usize] == FAR {
                    self.distances[successor.0 as usize] = distance;
                    self.order.push(successor);
                }
            }
        }
        Ok(())
    }

    /// Looks for the shortest closed walk from a state that has all marks and makes a lasso below the bound.
    fn walk(&mut self, start: StateId) -> Result<(), Exhausted> {
        let all = Marks::all(self.space.system.sets());
        let component = self.space.component(start).number;
        let offset = self.distances[start.0 as usize];
        let mut nodes = vec![Node { state: start, marks: Marks::NONE, parent: 0, step: None }];
        let mut met: HashSet<(StateId, Marks), foldhash::fast::FixedState> = HashSet::default();
        let mut successors = Vec::new();
        let (mut next, mut level_end, mut length) = (0, 1, u64::from(offset) + 1);
        while next < nodes.len() {
            if next == level_end {
                (level_end, length) = (nodes.len(), length + 1);
            }
            if length >= self.bound {
                break;
            }
            let (state, collected) = (nodes[next].state, nodes[next].marks);
            let held = self.held() + (nodes.capacity() * size_of::<Node<A::Step>>() + met.capacity() * 24) as u64;
            self.space.statistics.visits += 1;
            successors.clear();
            self.space.expand(state, held, |successor, step| successors.push((successor, step)))?;
            for &(successor, step) in &successors {
                let marks = collected.union(self.space.system.marks(step));
                if successor == start && marks.includes(all) {
                    self.bound = length;
                    self.best = Some(closed(&nodes, next, step));
                    return Ok(());
                }
                let distance = self.distances.get(successor.0 as usize).copied().unwrap_or(FAR);
                if distance != FAR
                    && distance >= offset
                    && self.space.component(successor).number == component
                    && met.insert((successor, marks))
                {
                    let parent = u32::try_from(next).map_err(|_| Exhausted::Memory)?;
                    nodes.push(Node { state: successor, marks, parent, step: Some(step) });
                }
            }
            next += 1;
        }
        Ok(())
    }

    /// A shortest path to the start of a walk, and the walk.
    fn lasso(&mut self, walk: &Walk<A::Step>) -> Result<Lasso<A::Step>, Exhausted> {
        self.space.is_tracing = true;
        let initial = self.space.initial()?;
        let (mut stem, mut cycle) = (Vec::new(), Vec::new());
        if walk.start != initial {
            for pair in Tracer::default().path(&mut self.space, initial, walk.start)?.windows(2) {
                self.space.connect(pair[0], None, pair[1], &mut stem);
            }
        }
        let mut at = walk.start;
        for &(step, to) in &walk.steps {
            self.space.connect(at, Some(step), to, &mut cycle);
            at = to;
        }
        self.space.is_tracing = false;
        Ok(Lasso { stem, cycle })
    }

    fn held(&self) -> u64 {
        ((self.distances.capacity() + self.order.capacity()) * size_of::<u32>()) as u64
    }
}

/// The walk to a node and back to the start by one more step.
fn closed<S: Copy>(nodes: &[Node<S>], last: usize, step: S) -> Walk<S> {
    let start = nodes[0].state;
    let mut steps = vec![(step, start)];
    let mut at = last;
    while let Some(step) = nodes[at].step {
        steps.push((step, nodes[at].state));
        at = nodes[at].parent as usize;
    }
    steps.reverse();
    Walk { start, steps }
}
