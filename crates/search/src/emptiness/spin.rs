//! Nested depth-first search as SPIN does it, to compare with.
//!
//! *Contract.* Finds an accepting lasso if there is one. Two bits a state, and one for the path. A state is entered at
//! most twice.
//!
//! *Source.* [holzmann.96.spin]: an accepting state that is left by the outer search starts an inner one, which ends
//! successfully when it meets the outer path. The variant is that of SPIN 6.5.2 as its verifier shows by the transitions
//! it counts and the cycles it reports: a cycle is also closed by the outer search, if either end of the closing step is
//! accepting. On 83 random automata written as processes, the first lasso had the same length as SPIN's each time.
//! Deviation: components of the property can be used (section 6.1 of [blahoudek.15.spin]), which SPIN does not.
//!
//! *Tested by* brute force on random and on all small automata, `tests/lassos/`.

use super::path::{Closed, Path};
use super::{EmptinessOptions, EmptinessResult, conclude_closed};
use crate::accepting::Accepting;
use crate::space::Space;
use crate::store::number::StateId;
use kernel::budget::Exhausted;
use omega::analyse::strength::Strength;

const OUTER: u8 = 0b001;
const INNER: u8 = 0b010;
const ON_PATH: u8 = 0b100;

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
            let tag = self.space.tag(successor);
            if tag & ON_PATH != 0 && self.closes(top, successor) {
                return Ok(Some(Closed::new(&self.outer, &self.inner, successor)));
            }
            if tag & OUTER == 0 && self.space.allows(self.outer.len() as u64) {
                self.enter(successor)?;
            }
        }
        Ok(None)
    }

    fn enter(&mut self, state: StateId) -> Result<(), Exhausted> {
        self.space.set_tag(state, 0, OUTER | ON_PATH);
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
        self.outer.leave();
        if self.space.is_accepting(state) && self.space.component(state).strength == Strength::Strong {
            let closed = self.search_from(state)?;
            if closed.is_some() {
                return Ok(closed);
            }
        }
        self.space.set_tag(state, ON_PATH, 0);
        Ok(None)
    }

    /// Looks for the outer path from an accepting state that has just been left, and still counts as on it.
    fn search_from(&mut self, start: StateId) -> Result<Option<Closed>, Exhausted> {
        let component = self.space.component(start).number;
        self.enter_inner(start)?;
        while self.inner.top().is_some() {
            let Some(successor) = self.inner.next() else {
                self.inner.leave();
                continue;
            };
            let tag = self.space.tag(successor);
            if tag & ON_PATH != 0 {
                return Ok(Some(Closed::new(&self.outer, &self.inner, successor)));
            }
            if tag & INNER == 0 && self.space.component(successor).number == component {
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
