//! SPIN's heuristic for short counterexamples, its option `-i`, to compare with.
//!
//! *Contract.* Finds an accepting lasso if there is one, in general not the shortest. One integer and two bits a state.
//!
//! *Source.* As section 3 of [gastin.04.spin] describes it: a nested depth-first search that goes on after each lasso
//! it finds, follows paths shorter than the best lasso only, and enters a state if it is new or reached by fewer steps
//! than ever before. Cycles are closed as [`crate::emptiness::spin`] says. On the two automata of that section it misses
//! the minimum by one step, and so does SPIN 6.5.2 when they are given to it as processes. On other automata that version
//! differs: it warns that `-i` is meant for safety properties, and some of the trails it leaves are no lassos.
//!
//! *Tested by* brute force on random and on all small automata for the verdict, by the two automata for the length:
//! `tests/lassos/`.

use super::{Moment, Patience, ShorteningOptions, ShorteningResult, Spent};
use crate::accepting::Accepting;
use crate::emptiness::path::{Closed, Path};
use crate::space::Space;
use crate::store::number::StateId;
use kernel::budget::Exhausted;

const ON_PATH: u8 = 1;
/// Entered by the inner search.
const INNER: u8 = 2;

/// Searches for a short accepting lasso.
///
/// # Panics
/// If acceptance is not state-based.
pub fn search<'a, A: Accepting>(system: &'a A, options: ShorteningOptions<'a>) -> ShorteningResult<A::Step> {
    assert!(system.is_state_based(), "a nested search needs state-based acceptance");
    let bound = options.max_length.map_or(u64::MAX, |length| length.saturating_add(1));
    let (started, patience) = (Moment::now(options.budget), options.patience);
    let mut space = Space::new(system, options.emptiness());
    space.count_every_step();
    let mut search = Search {
        space,
        outer: Path::default(),
        inner: Path::default(),
        depths: Vec::new(),
        bound,
        best: None,
        first_length: None,
        first_after: None,
        started,
        patience,
        is_bounded: false,
    };
    let result = search.run();
    let held = search.held();
    search.space.note_bytes(held);
    let lasso = search.best.map_or(Ok(None), |closed| search.space.lasso(&closed.path, closed.knot));
    let result = result.and(lasso.as_ref().map(|_| ()).map_err(|exhausted| *exhausted));
    let lasso = lasso.unwrap_or(None);
    let (first_length, first_after) = (search.first_length, search.first_after);
    let end = super::end(result, lasso.is_some(), search.is_bounded, search.space.meter.is_cut);
    ShorteningResult { end, lasso, is_minimal: false, first_length, first_after, statistics: search.space.finish() }
}

struct Search<'a, A: Accepting> {
    space: Space<'a, A>,
    outer: Path,
    inner: Path,
    /// By state: the fewest steps from the initial state with which it was entered.
    depths: Vec<u32>,
    /// Only lassos shorter than this are of interest.
    bound: u64,
    best: Option<Closed>,
    first_length: Option<u64>,
    first_after: Option<Spent>,
    started: Moment,
    patience: Option<Patience>,
    /// Whether a path was not followed for its length.
    is_bounded: bool,
}

impl<A: Accepting> Search<'_, A> {
    fn run(&mut self) -> Result<(), Exhausted> {
        let initial = self.space.initial()?;
        self.enter(initial)?;
        while let Some(top) = self.outer.top() {
            let Some(successor) = self.outer.next() else {
                self.leave(top)?;
                continue;
            };
            if self.space.tag(successor) & ON_PATH != 0 {
                if self.space.is_accepting(successor) || self.space.is_accepting(top) {
                    self.close(successor);
                }
            } else if self.is_quicker(successor) && self.is_short() {
                self.enter(successor)?;
            }
        }
        Ok(())
    }

    /// The number of states on the path, which is the depth of the next one and the length of a lasso closed here.
    fn depth(&self) -> u64 {
        (self.outer.len() + self.inner.len()) as u64
    }

    /// Whether a lasso through one more state can be short enough.
    fn is_short(&mut self) -> bool {
        let depth = self.depth();
        let is_short = depth + 1 < self.bound;
        self.is_bounded |= !is_short;
        is_short && self.space.allows(depth)
    }

    fn close(&mut self, state: StateId) {
        let length = self.depth();
        self.is_bounded |= length >= self.bound;
        if length < self.bound {
            if self.first_length.is_none() {
                self.first_length = Some(length);
                let found_after = self.space.meter.spent(self.started);
                self.first_after = Some(found_after);
                self.space.meter.stop_at(self.patience.map(|patience| patience.end_of(self.started, found_after)));
                self.space.meter.reserve_time_for_rebuilding();
            }
            self.bound = length;
            self.best = Some(Closed::new(&self.outer, &self.inner, state));
        }
    }

    fn enter(&mut self, state: StateId) -> Result<(), Exhausted> {
        self.note(state);
        self.space.set_tag(state, 0, ON_PATH);
        let held = self.held();
        self.outer.enter(&mut self.space, state, held)
    }

    fn leave(&mut self, state: StateId) -> Result<(), Exhausted> {
        self.outer.leave();
        if self.space.is_accepting(state) {
            self.search_from(state)?;
        }
        self.space.set_tag(state, ON_PATH, 0);
        Ok(())
    }

    /// Looks for the outer path from an accepting state that has just been left, and still counts as on it.
    fn search_from(&mut self, start: StateId) -> Result<(), Exhausted> {
        self.enter_inner(start)?;
        while self.inner.top().is_some() {
            let Some(successor) = self.inner.next() else {
                self.inner.leave();
                continue;
            };
            if self.space.tag(successor) & ON_PATH != 0 {
                self.close(successor);
            } else if self.is_worth_it(successor) && self.is_short() {
                self.enter_inner(successor)?;
            }
        }
        Ok(())
    }

    fn enter_inner(&mut self, state: StateId) -> Result<(), Exhausted> {
        self.note(state);
        self.space.set_tag(state, 0, INNER);
        let held = self.held();
        self.inner.enter(&mut self.space, state, held)
    }

    /// Whether a state is new, or would be entered by fewer steps than ever.
    fn is_quicker(&self, state: StateId) -> bool {
        self.depths.get(state.index()).is_none_or(|&before| self.depth() < u64::from(before))
    }

    /// Whether the inner search is to enter a state: if it never has, or by fewer steps than any search did. Once there
    /// is a lasso, a longer way than before is never taken, be it the first of the inner search.
    fn is_worth_it(&self, state: StateId) -> bool {
        let is_new = self.space.tag(state) & INNER == 0;
        let before = self.depths.get(state.index()).map_or(u64::MAX, |&before| u64::from(before));
        self.depth() < before || is_new && (self.best.is_none() || self.depth() <= before)
    }

    fn note(&mut self, state: StateId) {
        if state.index() >= self.depths.len() {
            self.depths.resize(self.space.numbers(), u32::MAX);
        }
        let depth = u32::try_from(self.depth()).unwrap_or(u32::MAX);
        let known = &mut self.depths[state.index()];
        *known = depth.min(*known);
    }

    fn held(&self) -> u64 {
        self.outer.bytes() + self.inner.bytes() + (self.depths.capacity() * size_of::<u32>()) as u64
    }
}
