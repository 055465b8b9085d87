//! A shortest fair lasso inside a small set of states.
//!
//! What: the states of the set are listed, and for each of them, nearest to a start first, the shortest cycle back to it
//! that meets every constraint is found by breadth-first search over pairs of a state and the constraints met so far.
//! Contract: no fair lasso inside the set from one of the starts has fewer steps. None where the set has more than
//! [`STATES`] states, where there are more than [`CONSTRAINTS`] constraints, or one that is not about states alone.
//! Tested against lassos of the enumerator.

use std::collections::{BTreeMap, VecDeque};

use bdd::{Bdd, Cube};

use crate::stop::Step;
use crate::witness::{Path, Witness};

/// States up to which a shortest lasso is looked for.
pub const STATES: u128 = 512;
/// Justice constraints up to which a shortest lasso is looked for.
pub const CONSTRAINTS: usize = 5;

impl Witness<'_, '_> {
    /// A shortest fair lasso inside a set from one of several starts, if it is small enough to tell.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn shortest_lasso(&self, starts: &Bdd, set: &Bdd) -> Step<Option<Path>> {
        self.shortest_lasso_into(starts, set, set)
    }

    /// A shortest fair lasso with its loop inside a set and its stem inside a larger one, from one of several starts, if
    /// it is small enough to tell.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn shortest_lasso_into(&self, starts: &Bdd, stem: &Bdd, set: &Bdd) -> Step<Option<Path>> {
        let system = self.system();
        let of_state = |constraint: &Bdd| constraint.support().iter().all(|bit| system.state_bits().contains(bit));
        let justice = system.justice();
        let bits = u32::try_from(system.state_bits().len()).expect("few bits");
        let plain = system.compassion().is_empty() && justice.len() <= CONSTRAINTS && justice.iter().all(of_state);
        if !plain || stem.count(bits).is_none_or(|count| count > STATES) {
            return Ok(None);
        }
        let graph = self.listed(starts, stem, set)?;
        let Some((nodes, loop_start)) = graph.shortest_lasso() else { return Ok(None) };
        let manager = system.manager();
        let mut path = Path::at(graph.states[nodes[0]].clone());
        for node in nodes[1..].iter().chain([&nodes[loop_start]]) {
            path = self.step_into(path, &manager.try_cube(&graph.states[*node])?)?;
        }
        path.states.pop();
        path.loop_start = Some(loop_start);
        Ok(Some(path))
    }

    /// The states of a set and the steps inside it; loops stay inside `looping`.
    fn listed(&self, starts: &Bdd, set: &Bdd, looping: &Bdd) -> Step<Graph> {
        let manager = self.system().manager();
        let states = self.states_of(set)?;
        let loops = states.iter().map(|state| self.contains(looping, state)).collect();
        let number: BTreeMap<&Cube, usize> = states.iter().enumerate().map(|(at, state)| (state, at)).collect();
        let mut successors = Vec::with_capacity(states.len());
        for state in &states {
            let next = self.system().image(&manager.try_cube(state)?)?.try_and(set)?;
            successors.push(self.states_of(&next)?.iter().map(|next| number[next]).collect());
        }
        let meets = |state: &Cube| {
            let justice = self.system().justice().iter().enumerate();
            justice.filter(|(_, constraint)| self.contains(constraint, state)).fold(0, |sum, (at, _)| sum | 1 << at)
        };
        let met = states.iter().map(meets).collect();
        let starts = self.states_of(&starts.try_and(set)?)?.iter().map(|state| number[state]).collect();
        let all = (1 << self.system().justice().len()) - 1;
        Ok(Graph { successors, loops, met, starts, all, states })
    }

    /// The states of a set one by one.
    fn states_of(&self, set: &Bdd) -> Step<Vec<Cube>> {
        let mut states = Vec::new();
        let mut rest = set.clone();
        while !rest.is_false() {
            let state = self.any_state(&rest);
            rest = rest.try_and(&!self.system().manager().try_cube(&state)?)?;
            states.push(state);
        }
        Ok(states)
    }
}

/// A set of states and the steps inside it.
struct Graph {
    states: Vec<Cube>,
    successors: Vec<Vec<usize>>,
    /// Whether loops may go through each state.
    loops: Vec<bool>,
    starts: Vec<usize>,
    /// The constraints that each state meets, and all of them.
    met: Vec<usize>,
    all: usize,
}

impl Graph {
    /// The states of a shortest fair lasso, and where its loop begins.
    fn shortest_lasso(&self) -> Option<(Vec<usize>, usize)> {
        let mut before: Vec<Option<usize>> = vec![None; self.states.len()];
        let mut distance: Vec<Option<usize>> = vec![None; self.states.len()];
        let mut queue: VecDeque<usize> = self.starts.iter().copied().collect();
        self.starts.iter().for_each(|start| distance[*start] = Some(0));
        let mut best: Option<(Vec<usize>, usize)> = None;
        while let Some(state) = queue.pop_front() {
            let stem = distance[state].expect("it was reached");
            let length = best.as_ref().map_or(usize::MAX, |(nodes, _)| nodes.len());
            if stem + 1 >= length {
                break;
            }
            if let Some(cycle) = self.cycle(state, length - stem) {
                let mut nodes = Vec::new();
                let mut at = before[state];
                while let Some(earlier) = at {
                    nodes.push(earlier);
                    at = before[earlier];
                }
                nodes.reverse();
                nodes.extend(cycle);
                best = Some((nodes, stem));
            }
            for &next in &self.successors[state] {
                if distance[next].is_none() {
                    distance[next] = Some(stem + 1);
                    before[next] = Some(state);
                    queue.push_back(next);
                }
            }
        }
        best
    }

    /// The states of a shortest cycle through a state that meets all constraints in fewer than `bound` steps.
    fn cycle(&self, home: usize, bound: usize) -> Option<Vec<usize>> {
        if !self.loops[home] {
            return None;
        }
        let place = |state: usize, met: usize| state * (self.all + 1) + met;
        let mut before: Vec<Option<usize>> = vec![None; self.states.len() * (self.all + 1)];
        let start = place(home, self.met[home]);
        let mut queue = VecDeque::from([(start, 1)]);
        while let Some((here, steps)) = queue.pop_front() {
            if steps >= bound {
                return None;
            }
            let (state, met) = (here / (self.all + 1), here % (self.all + 1));
            for &next in self.successors[state].iter().filter(|next| self.loops[**next]) {
                if next == home && met == self.all {
                    return Some(self.way(&before, start, here));
                }
                let there = place(next, met | self.met[next]);
                if there != start && before[there].is_none() {
                    before[there] = Some(here);
                    queue.push_back((there, steps + 1));
                }
            }
        }
        None
    }

    /// The states on the way between two pairs.
    fn way(&self, before: &[Option<usize>], start: usize, end: usize) -> Vec<usize> {
        let mut pairs = vec![end];
        while *pairs.last().expect("at least one") != start {
            pairs.push(before[*pairs.last().expect("at least one")].expect("reached from the start"));
        }
        pairs.iter().rev().map(|pair| pair / (self.all + 1)).collect()
    }
}
