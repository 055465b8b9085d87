//! The nested search of [`super::gmz`] with bit-state hashing.
//!
//! *Contract.* A lasso that is found is an accepting run: states on the path are kept whole, so a cycle is closed by the
//! state itself and not by its hash. That none is found proves nothing, since a state may have been taken for a visited
//! one; how likely that is stands in [`Statistics::missed`]. Memory: two tables of the size asked for,
//! and two paths of which none takes more than a table, whatever the number of states. A path for which there is no room is not
//! followed; then a state was certainly missed.
//!
//! *Source.* Algorithm 1 of [gastin.04.spin] over two tables of bits as in [holzmann.98.fmsd]. A state that was left is
//! blue by the first table; the second has the states of inner searches, which are dead as soon as the search is over,
//! and those found dead without one. Deviations: the search passes through transient states without storing them;
//! accepting states on the path are counted exactly.
//!
//! *Tested by* brute force on random automata, `tests/lassos/lossy.rs`.

use super::{EmptinessOptions, EmptinessResult, End};
use crate::accepting::{Accepting, Component};
use crate::connect::{Goal, Segment, connect};
use crate::expansion::{Parts, Unlabelled};
use crate::lasso::{Lasso, Move};
use crate::meter::{Meter, Statistics};
use crate::shorten::fixed::room;
use crate::store::bits::BitStore;
use crate::store::exact::StateHash;
use crate::trail::Trail;
use kernel::budget::Exhausted;
use omega::analyse::strength::Strength;
use omega::automaton::Marks;
use std::time::Instant;

/// Searches for an accepting lasso with tables of `2^size` bits and so many bits a state.
///
/// # Panics
/// If acceptance is not state-based.
pub(crate) fn search<A: Accepting>(
    system: &A,
    options: EmptinessOptions<'_>,
    size: u8,
    hashes: u8,
) -> EmptinessResult<A::Step> {
    assert!(system.is_state_based(), "a nested search needs state-based acceptance");
    let mut search = Search {
        system,
        scratch: system.scratch(),
        blue: BitStore::new(size, hashes),
        red: BitStore::new(size, hashes),
        outer: Trail::new(),
        inner: Trail::new(),
        accepting: 0,
        room: room(size),
        is_full: false,
        knows_components: options.components,
        meter: Meter::new(options.budget, options.progress),
    };
    let result = search.run();
    let cut = if search.meter.is_cut { End::Limit(Exhausted::Depth) } else { End::Complete };
    let (end, lasso) = match result {
        Ok(Some(knot)) => match search.lasso(knot) {
            Ok(lasso) => (End::Found, Some(lasso)),
            Err(exhausted) => (End::Limit(exhausted), None),
        },
        Ok(None) => (cut, None),
        Err(exhausted) => (End::Limit(exhausted), None),
    };
    EmptinessResult { end, lasso, statistics: search.finish() }
}

struct Search<'a, A: Accepting> {
    system: &'a A,
    scratch: A::Scratch,
    blue: BitStore,
    red: BitStore,
    outer: Trail<A::Step>,
    inner: Trail<A::Step>,
    /// Accepting states on the outer path.
    accepting: u64,
    /// The bytes that each path may take, and whether one was not followed for want of room.
    room: u64,
    is_full: bool,
    knows_components: bool,
    meter: Meter<'a>,
}

impl<A: Accepting> Search<'_, A> {
    /// The place, on the outer path followed by the inner one, of the state that closes a cycle, if one is found.
    fn run(&mut self) -> Result<Option<usize>, Exhausted> {
        let mut state = Vec::new();
        self.system.initial(&mut state);
        self.enter_outer(&state, StateHash::of(&state))?;
        while let Some(top) = self.outer.top().map(|frame| frame.state) {
            let Some(next) = self.outer.next() else {
                state.clear();
                state.extend_from_slice(self.outer.state(top));
                if let Some(knot) = self.leave_outer(&state, top.hash)? {
                    return Ok(Some(knot));
                }
                continue;
            };
            state.clear();
            state.extend_from_slice(self.outer.state(next));
            if let Some(place) = self.outer.place(&state, next.hash) {
                if self.closes(place) {
                    return Ok(Some(place));
                }
            } else if !self.blue.contains(next.hash)
                && self.meter.allows(self.outer.frames.len() as u64)
                && self.has_room(self.outer.used())
            {
                self.enter_outer(&state, next.hash)?;
            }
        }
        Ok(None)
    }

    fn enter_outer(&mut self, state: &[u8], hash: StateHash) -> Result<(), Exhausted> {
        self.blue.insert(hash);
        self.outer.push(state, hash, self.accepting);
        self.accepting += u64::from(self.system.accepting(state));
        self.expand(state, false)
    }

    /// Whether the cycle from the state of this place along the path and back is accepting.
    fn closes(&self, place: usize) -> bool {
        let frame = &self.outer.frames[place];
        match self.component(self.outer.state(frame.state)).strength {
            Strength::Rejecting => false,
            Strength::Terminal | Strength::Weak | Strength::Strong => frame.note < self.accepting,
        }
    }

    /// Leaves a state for good; finds it dead if nothing below it can be accepting, after an inner search if need be.
    fn leave_outer(&mut self, state: &[u8], hash: StateHash) -> Result<Option<usize>, Exhausted> {
        let frame = self.outer.frames.last().expect("a state that is left is on the path");
        let all_dead = self.outer.expansion.targets[frame.first..].iter().all(|target| self.red.contains(target.hash));
        let is_accepting = self.system.accepting(state);
        self.outer.pop();
        self.accepting -= u64::from(is_accepting);
        let is_dead = all_dead
            || match self.component(state).strength {
                Strength::Terminal | Strength::Weak => true,
                Strength::Rejecting => is_accepting,
                Strength::Strong => false,
            };
        if is_dead {
            self.red.insert(hash);
        } else if is_accepting {
            return self.search_from(state, hash);
        }
        Ok(None)
    }

    /// Looks for a cycle through an accepting state that has just been left.
    fn search_from(&mut self, start: &[u8], hash: StateHash) -> Result<Option<usize>, Exhausted> {
        let component = self.component(start).number;
        self.enter_inner(start, hash)?;
        let mut state = Vec::new();
        while self.inner.top().is_some() {
            let Some(next) = self.inner.next() else {
                self.inner.pop();
                continue;
            };
            state.clear();
            state.extend_from_slice(self.inner.state(next));
            if self.component(&state).number != component {
                continue;
            }
            if let Some(place) = self.outer.place(&state, next.hash) {
                return Ok(Some(place));
            }
            if let Some(place) = self.inner.place(&state, next.hash) {
                if self.system.accepting(&state) {
                    return Ok(Some(self.outer.frames.len() + place));
                }
            } else if !self.red.contains(next.hash) && self.blue.contains(next.hash) && self.has_room(self.inner.used())
            {
                self.enter_inner(&state, next.hash)?;
            }
        }
        Ok(None)
    }

    /// Whether a path of this many bytes may become longer.
    fn has_room(&mut self, used: u64) -> bool {
        self.is_full |= used >= self.room;
        used < self.room
    }

    fn enter_inner(&mut self, state: &[u8], hash: StateHash) -> Result<(), Exhausted> {
        self.red.insert(hash);
        self.inner.push(state, hash, 0);
        self.expand(state, true)
    }

    /// Appends the successors of the last state of a path to its trail.
    fn expand(&mut self, state: &[u8], is_inner: bool) -> Result<(), Exhausted> {
        self.tick()?;
        self.meter.statistics.visits += 1;
        let held = self.bytes();
        let (trail, visited) = if is_inner { (&mut self.inner, &self.red) } else { (&mut self.outer, &self.blue) };
        let parts = Parts { system: self.system, labels: Unlabelled, store: visited, follows: true };
        let expansion = &mut trail.expansion;
        let first = expansion.targets.len();
        let has_transient = expansion.step(&parts, &mut self.scratch, state, &mut self.meter);
        let mut followed = Ok(());
        if has_transient {
            let held = held - expansion.bytes();
            followed = expansion.follow_from(first, &parts, &mut self.scratch, &mut self.meter, held);
        }
        self.meter.statistics.faults += expansion.faults.drain(..).count() as u64;
        expansion.ends.clear();
        followed
    }

    fn component(&self, state: &[u8]) -> Component {
        if self.knows_components { self.system.component(state) } else { Component::WHOLE }
    }

    fn tick(&mut self) -> Result<(), Exhausted> {
        if !self.meter.is_due() {
            return Ok(());
        }
        self.meter.statistics.states = self.blue.len();
        self.meter.look(self.bytes())
    }

    fn bytes(&self) -> u64 {
        self.blue.bytes() + self.red.bytes() + self.outer.held() + self.inner.held()
    }

    /// The run along both paths and back to the state of this place.
    fn lasso(&mut self, knot: usize) -> Result<Lasso<A::Step>, Exhausted> {
        let started = Instant::now();
        let on = |trail: &Trail<A::Step>| {
            trail.frames.iter().map(|frame| trail.state(frame.state).to_vec()).collect::<Vec<_>>()
        };
        let mut states = on(&self.outer);
        states.extend(on(&self.inner));
        states.push(states[knot].clone());
        let (mut stem, mut cycle): (Vec<Move<A::Step>>, Vec<_>) = (Vec::new(), Vec::new());
        for (index, pair) in states.windows(2).enumerate() {
            let path = if index < knot { &mut stem } else { &mut cycle };
            let goal = Goal::State(&pair[1]);
            let segment = Segment { from: &pair[0], goal, marks: Marks::NONE, through_transient: true };
            let budget = self.meter.rebuilding_budget();
            connect(self.system, &mut self.scratch, segment, |_| Marks::NONE, budget, path)?;
        }
        self.meter.statistics.tracing += started.elapsed();
        Ok(Lasso { stem, cycle })
    }

    fn finish(&mut self) -> Statistics {
        self.meter.note_bytes(self.bytes());
        let missed = if self.is_full { 1.0 } else { self.blue.missed() };
        Statistics { states: self.blue.len(), missed: Some(missed), ..self.meter.finish() }
    }
}
