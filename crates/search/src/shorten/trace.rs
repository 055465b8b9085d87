//! Shortest paths between two states, without pointers to parents.
//!
//! *Contract.* [`Tracer::path`] gives the states of a shortest path, both ends included; from a state to itself that is
//! a shortest cycle. One integer a state, and time linear in what lies within the distance.
//!
//! *Source.* Algorithm 1 of [gastin.07.min]: a breadth-first search writes down distances until the goal is met, and a
//! depth-first search then climbs from distance to distance. Deviations: the printed listing writes the distance and the
//! flag of the wrong state; a state from which the climb came back is forgotten, without which the climb may take
//! exponential time; and a cycle is a path whose goal is met again.
//!
//! *Tested by* brute force on random and on all small automata, `tests/lassos/`, through [`super::bfs`].

use crate::accepting::Accepting;
use crate::space::Space;
use crate::store::number::StateId;
use kernel::budget::Exhausted;
use omega::automaton::Marks;

const FAR: u32 = u32::MAX;

/// Finds paths.
#[derive(Debug, Default)]
pub(super) struct Tracer {
    /// By state: its distance from the start of the current path.
    distances: Vec<u32>,
    /// The states with a distance.
    queue: Vec<StateId>,
    successors: Vec<(StateId, Marks)>,
}

impl Tracer {
    /// The states along a shortest non-empty path.
    ///
    /// # Panics
    /// If there is none.
    pub(super) fn path<A: Accepting>(
        &mut self,
        space: &mut Space<'_, A>,
        from: StateId,
        to: StateId,
    ) -> Result<Vec<StateId>, Exhausted> {
        for state in self.queue.drain(..) {
            self.distances[state.index()] = FAR;
        }
        let length = self.measure(space, from, to)?;
        let mut path = vec![from];
        while path.len() < length as usize {
            let depth = path.len() as u32;
            let top = path[path.len() - 1];
            self.expand(space, top)?;
            let is_next = |(state, _): &&(StateId, Marks)| self.distances[state.index()] == depth;
            if let Some(&(next, _)) = self.successors.iter().find(is_next) {
                path.push(next);
            } else {
                self.distances[top.index()] = FAR;
                path.pop();
            }
            // The last state of a shortest path leads to the goal.
            if path.len() == length as usize {
                let last = path[path.len() - 1];
                self.expand(space, last)?;
                if !self.leads_to(to) {
                    self.distances[last.index()] = FAR;
                    path.pop();
                }
            }
        }
        path.push(to);
        Ok(path)
    }

    /// Writes down distances until the goal is met; gives its distance.
    fn measure<A: Accepting>(
        &mut self,
        space: &mut Space<'_, A>,
        from: StateId,
        to: StateId,
    ) -> Result<u32, Exhausted> {
        self.note(space, from, 0);
        let mut next = 0;
        while let Some(&state) = self.queue.get(next) {
            next += 1;
            let distance = self.distances[state.index()] + 1;
            self.expand(space, state)?;
            if self.leads_to(to) {
                return Ok(distance);
            }
            for index in 0..self.successors.len() {
                let (successor, _) = self.successors[index];
                if self.distances[successor.index()] == FAR {
                    self.note(space, successor, distance);
                }
            }
        }
        panic!("a shortest path is sought where there is one");
    }

    fn leads_to(&self, goal: StateId) -> bool {
        self.successors.iter().any(|(successor, _)| *successor == goal)
    }

    fn expand<A: Accepting>(&mut self, space: &mut Space<'_, A>, state: StateId) -> Result<(), Exhausted> {
        let held = self.bytes();
        space.successors(state, held, &mut self.successors)?;
        self.distances.resize(space.numbers().max(self.distances.len()), FAR);
        Ok(())
    }

    fn note<A: Accepting>(&mut self, space: &Space<'_, A>, state: StateId, distance: u32) {
        self.distances.resize(space.numbers().max(self.distances.len()), FAR);
        self.distances[state.index()] = distance;
        self.queue.push(state);
    }

    fn bytes(&self) -> u64 {
        (self.distances.capacity() * size_of::<u32>() + self.queue.capacity() * size_of::<StateId>()) as u64
    }
}
