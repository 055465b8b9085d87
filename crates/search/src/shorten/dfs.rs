//! The shortest accepting lasso by a depth-first search that revisits states.
//!
//! *Contract.* Finds a shortest accepting lasso if there is one. Two integers and a few bits a state; exponential time at
//! worst, see [`super::bfs`] for a search without that flaw.
//!
//! *Source.* Algorithm 2 of [gastin.04.spin]. In normal mode a state is entered if it is new, and again, in careful
//! mode, if it is reached by fewer steps than before; from an accepting state on the search is careful, which means that
//! only a cycle, a dead state or the length of the best lasso stops it. Deviations:
//! - it starts from the colours and the lasso of [`crate::emptiness::gmz`], as the paper proposes: dead states are never
//!   entered, the lasso bounds the length from the beginning, and a shorter way to a state is therefore always followed;
//! - the search is careful from the start if the initial state is accepting, which the listing leaves out;
//! - a state on the path knows its place there, so that one comparison with the place of the last accepting state tells
//!   whether a cycle is accepting: the constant-time variant of the paper.
//!
//! *Tested by* brute force on random and on all small automata, `tests/lassos/`.

use super::{ShorteningOptions, ShorteningResult, Spent};
use crate::accepting::Accepting;
use crate::emptiness::path::{Closed, Path};
use crate::emptiness::{End, gmz};
use crate::lasso::Lasso;
use crate::space::Space;
use crate::store::number::StateId;
use kernel::budget::Exhausted;

/// The place of a state that is not on the path.
const NOWHERE: u32 = u32::MAX;

/// Searches for a shortest accepting lasso.
///
/// # Panics
/// If acceptance is not state-based.
pub fn search<'a, A: Accepting>(system: &'a A, options: ShorteningOptions<'a>) -> ShorteningResult<A::Step> {
    assert!(system.is_state_based(), "a nested search needs state-based acceptance");
    let start = super::start(system, options);
    let super::Start { mut space, first, bound, first_after } = match start {
        Ok(start) => start,
        Err(outcome) => return outcome,
    };
    space.count_every_step();
    let search = Search {
        space,
        path: Path::default(),
        modes: Vec::new(),
        depths: Vec::new(),
        places: Vec::new(),
        bound,
        best: None,
        has_run: first.is_some(),
        is_bounded: false,
    };
    search.finish(first, first_after)
}

/// What is kept for a state on the path.
struct Mode {
    is_careful: bool,
    /// The place on the path of the last accepting state up to here.
    last_accepting: Option<u32>,
}

struct Search<'a, A: Accepting> {
    space: Space<'a, A>,
    path: Path,
    modes: Vec<Mode>,
    /// By state: the fewest steps from the initial state with which it was entered.
    depths: Vec<u32>,
    /// By state: its place on the path.
    places: Vec<u32>,
    /// Only lassos shorter than this are of interest.
    bound: u64,
    best: Option<Closed>,
    /// True once some lasso is known.
    has_run: bool,
    is_bounded: bool,
}

impl<A: Accepting> Search<'_, A> {
    fn finish(mut self, first: Option<Lasso<A::Step>>, first_after: Option<Spent>) -> ShorteningResult<A::Step> {
        let result = self.run();
        let held = self.held();
        self.space.note_bytes(held);
        let best = self.best.take().map_or(Ok(None), |closed| self.space.lasso(&closed.path, closed.knot));
        let result = result.and(best.as_ref().map(|_| ()).map_err(|exhausted| *exhausted));
        let best = best.unwrap_or(None);
        let first_length = first.as_ref().or(best.as_ref()).map(|lasso| lasso.length() as u64);
        let lasso = best.or(first);
        let end = super::end(result, lasso.is_some(), self.is_bounded, self.space.meter.is_cut);
        let is_minimal = end == End::Found && !self.space.meter.is_cut && self.space.is_exact();
        ShorteningResult { end, lasso, is_minimal, first_length, first_after, statistics: self.space.finish() }
    }

    fn run(&mut self) -> Result<(), Exhausted> {
        let initial = self.space.initial()?;
        let is_accepting = self.space.is_accepting(initial);
        self.enter(initial, is_accepting)?;
        while let Some(mode) = self.modes.last() {
            let (is_careful, last_accepting) = (mode.is_careful, mode.last_accepting);
            let Some(successor) = self.path.next() else {
                self.leave();
                continue;
            };
            let tag = self.space.tag(successor);
            let place = self.places.get(successor.index()).copied().unwrap_or(NOWHERE);
            let length = self.path.len() as u64;
            if place != NOWHERE {
                self.is_bounded |= length >= self.bound;
                if length < self.bound && last_accepting.is_some_and(|last| place <= last) {
                    self.bound = length;
                    if !self.has_run {
                        self.has_run = true;
                        self.space.meter.reserve_time_for_rebuilding();
                    }
                    self.best = Some(Closed { path: self.path.states().collect(), knot: place as usize });
                }
            } else if length >= self.bound {
                self.is_bounded = true;
            } else if gmz::is_dead(tag) {
                // No accepting lasso goes through it.
            } else if is_careful || self.space.is_accepting(successor) {
                self.go_on(successor, true)?;
            } else if let Some(is_careful) = self.reason_to_enter(successor, length) {
                self.go_on(successor, is_careful)?;
            }
        }
        Ok(())
    }

    /// In normal mode: whether to enter a state after this many steps, and if so, whether to become careful.
    fn reason_to_enter(&self, state: StateId, depth: u64) -> Option<bool> {
        match self.depths.get(state.index()).copied().unwrap_or(u32::MAX) {
            u32::MAX => Some(false),
            before if depth < u64::from(before) => Some(true),
            _ => None,
        }
    }

    /// Enters a state. One that is as deep as the bound allows is not expanded, since no lasso through it is short
    /// enough, but its depth is noted: that it can be reached makes the search careful when it is reached earlier.
    fn go_on(&mut self, state: StateId, is_careful: bool) -> Result<(), Exhausted> {
        let depth = self.path.len() as u64;
        if depth + 1 >= self.bound {
            self.is_bounded = true;
            self.note(state).map(|_| ())
        } else if self.space.allows(depth) {
            self.enter(state, is_careful)
        } else {
            Ok(())
        }
    }

    /// Notes the depth at which a state is reached from the end of the path, and gives it.
    fn note(&mut self, state: StateId) -> Result<u32, Exhausted> {
        let depth = u32::try_from(self.path.len()).map_err(|_| Exhausted::Memory)?;
        let index = state.index();
        if index >= self.depths.len() {
            self.places.resize(self.space.numbers(), NOWHERE);
            self.depths.resize(self.space.numbers(), u32::MAX);
        }
        self.depths[index] = self.depths[index].min(depth);
        Ok(depth)
    }

    fn enter(&mut self, state: StateId, is_careful: bool) -> Result<(), Exhausted> {
        let place = self.note(state)?;
        self.places[state.index()] = place;
        let before = self.modes.last().and_then(|mode| mode.last_accepting);
        let last_accepting = if self.space.is_accepting(state) { Some(place) } else { before };
        self.modes.push(Mode { is_careful, last_accepting });
        let held = self.held();
        self.path.enter(&mut self.space, state, held)
    }

    fn leave(&mut self) {
        if let Some(state) = self.path.top() {
            self.places[state.index()] = NOWHERE;
        }
        self.path.leave();
        self.modes.pop();
    }

    fn held(&self) -> u64 {
        let tables = (self.depths.capacity() + self.places.capacity()) * size_of::<u32>();
        self.path.bytes() + (tables + self.modes.capacity() * size_of::<Mode>()) as u64
    }
}
