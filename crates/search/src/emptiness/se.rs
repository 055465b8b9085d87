//! Nested depth-first search with two bits a state.
//!
//! *Contract.* Finds an accepting lasso if there is one. The four colours (white, cyan on the path, blue left, red
//! searched in vain) are all that is kept beside the store. A state is entered at most twice.
//!
//! *Source.* The improved nested search of [schwoon.05.tacas]: it closes a cycle in the outer search if either end of
//! the closing step is accepting, in the inner one wherever the outer path is met, and paints a state red without an inner
//! search if all its successors are. Deviations: whether they are is asked when the state is left, not as each successor
//! returns, which can only find more of them red; components of the property are used as in [`super::gmz`].
//!
//! *Tested by* brute force on random and on all small automata, `tests/lassos/`.

use super::path::{Closed, Path};
use super::{EmptinessOptions, EmptinessResult, conclude_closed};
use crate::accepting::Accepting;
use crate::space::Space;
use crate::store::number::StateId;
use kernel::budget::Exhausted;
use omega::analyse::strength::Strength;

const COLOUR: u8 = 0b11;
const WHITE: u8 = 0;
const CYAN: u8 = 1;
const BLUE: u8 = 2;
const RED: u8 = 3;

/// Searches for an accepting lasso.
///
/// # Panics
/// If acceptance is not state-based.
pub fn search<'a, A: Accepting>(system: &'a A, options: EmptinessOptions<'a>) -> EmptinessResult<A::Step> {
    assert!(system.is_state_based(), "a nested search needs state-based acceptance");
    let mut search = Search { space: Space::new(system, options), outer: Path::default(), inner: Path::default() };
    let closed = search.run();
    let Search { mut space, outer, inner } = search;
    space.note_bytes(outer.bytes() + inner.bytes());
    conclude_closed(space, closed)
}

struct Search<'a, A: Accepting> {
    space: Space<'a, A>,
    outer: Path,
    inner: Path,
}

impl<A: Accepting> Search<'_, A> {
    fn run(&mut self) -> Result<Option<Closed>, Exhausted> {
        let initial = self.space.initial()?;
        self.enter(initial)?;
        while let Some(top) = self.outer.top() {
            let Some(successor) = self.outer.next() else {
                if let Some(closed) = self.leave(top)? {
                    return Ok(Some(closed));
                }
                continue;
            };
            let colour = self.space.tag(successor) & COLOUR;
            if colour == CYAN && self.closes(top, successor) {
                return Ok(Some(Closed::new(&self.outer, &self.inner, successor)));
            }
            if colour == WHITE && self.space.allows(self.outer.len() as u64) {
                self.enter(successor)?;
            }
        }
        Ok(None)
    }

    fn enter(&mut self, state: StateId) -> Result<(), Exhausted> {
        self.space.set_tag(state, COLOUR, CYAN);
        let held = self.inner.bytes();
        self.outer.enter(&mut self.space, state, held)
    }

    fn closes(&self, top: StateId, state: StateId) -> bool {
        match self.space.component(state).strength {
            Strength::Rejecting => false,
            Strength::Terminal | Strength::Weak => true,
            Strength::Strong => self.space.is_accepting(state) || self.space.is_accepting(top),
        }
    }

    fn leave(&mut self, state: StateId) -> Result<Option<Closed>, Exhausted> {
        let all_red = self.outer.successors().iter().all(|&successor| self.space.tag(successor) & COLOUR == RED);
        let is_accepting = self.space.is_accepting(state);
        self.outer.leave();
        if !all_red && is_accepting && self.space.component(state).strength == Strength::Strong {
            let closed = self.search_from(state)?;
            if closed.is_some() {
                return Ok(closed);
            }
        }
        self.space.set_tag(state, COLOUR, if all_red || is_accepting { RED } else { BLUE });
        Ok(None)
    }

    /// Looks for the outer path from an accepting state that has just been left, and is still cyan.
    fn search_from(&mut self, start: StateId) -> Result<Option<Closed>, Exhausted> {
        let component = self.space.component(start).number;
        self.enter_inner(start)?;
        while self.inner.top().is_some() {
            let Some(successor) = self.inner.next() else {
                self.inner.leave();
                continue;
            };
            let colour = self.space.tag(successor) & COLOUR;
            if colour == CYAN {
                return Ok(Some(Closed::new(&self.outer, &self.inner, successor)));
            }
            if colour == BLUE && self.space.component(successor).number == component {
                self.space.set_tag(successor, COLOUR, RED);
                self.enter_inner(successor)?;
            }
        }
        Ok(None)
    }

    fn enter_inner(&mut self, state: StateId) -> Result<(), Exhausted> {
        let held = self.outer.bytes();
        self.inner.enter(&mut self.space, state, held)
    }
}
