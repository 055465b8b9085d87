//! Nested depth-first search that accepts only cycles through the accepting state from which its inner search began, the seed.
//!
//! *Contract.* Finds an accepting lasso if there is one; its cycle begins in an accepting state. Two bits a state. A state is
//! entered at most twice.
//!
//! *Source.* Section 2.1 of [gastin.04.spin], which describes SPIN's algorithm of 2004 [courcoubetis.92.fmsd] by what it replaces
//! in Algorithm 1: the outer search closes no cycle, no state is painted black, and the inner search succeeds only at its seed. It is
//! here to be compared with [`super::gmz`], which finds shorter lassos earlier; [`super::spin`] is the algorithm of today's
//! SPIN. Deviation: inner searches stay in their component of the property if components are used (section 6.1 of [blahoudek.15.spin]).
//!
//! *Tested by* brute force on random and on all small automata, `tests/lassos/`.

use super::path::{Closed, Path};
use super::{EmptinessOptions, EmptinessResult, conclude_closed};
use crate::accepting::Accepting;
use crate::space::Space;
use crate::store::number::StateId;
use kernel::budget::Exhausted;
use omega::analyse::strength::Strength;

const OUTER: u8 = 0b01;
const INNER: u8 = 0b10;

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
            match self.outer.next() {
                Some(successor) => {
                    if self.space.tag(successor) & OUTER == 0 && self.space.allows(self.outer.len() as u64) {
                        self.enter(successor)?;
                    }
                }
                None => {
                    self.outer.leave();
                    let is_seed = self.space.component(top).strength != Strength::Rejecting;
                    if self.space.is_accepting(top)
                        && is_seed
                        && let Some(closed) = self.search_from(top)?
                    {
                        return Ok(Some(closed));
                    }
                }
            }
        }
        Ok(None)
    }

    fn enter(&mut self, state: StateId) -> Result<(), Exhausted> {
        self.space.set_tag(state, 0, OUTER);
        let held = self.inner.bytes();
        self.outer.enter(&mut self.space, state, held)
    }

    /// Looks for a way from the seed back to it.
    fn search_from(&mut self, seed: StateId) -> Result<Option<Closed>, Exhausted> {
        let component = self.space.component(seed).number;
        self.enter_inner(seed)?;
        while self.inner.top().is_some() {
            let Some(successor) = self.inner.next() else {
                self.inner.leave();
                continue;
            };
            if successor == seed {
                return Ok(Some(Closed::new(&self.outer, &self.inner, seed)));
            }
            if self.space.tag(successor) & INNER == 0 && self.space.component(successor).number == component {
                self.enter_inner(successor)?;
            }
        }
        Ok(None)
    }

    fn enter_inner(&mut self, state: StateId) -> Result<(), Exhausted> {
        self.space.set_tag(state, 0, INNER);
        let held = self.outer.bytes();
        self.inner.enter(&mut self.space, state, held)
    }
}
