//! Nested depth-first search with four colours that closes cycles early and recognises dead states.
//!
//! *Contract.* Finds an accepting lasso if there is one. Three bits a state beside the store (colour, on the path), and
//! four more that make closing cycles early a matter of one comparison. A state is entered at most twice. When it ends, no
//! accepting lasso goes through a *black* state: [`crate::shorten`] never visits these again.
//!
//! *Source.* Algorithm 1 of [gastin.04.spin], `DFS_blue`, `DFS_red`, `DFS_black`. Deviations:
//! - the listing as printed has lost the first two lines of `DFS_blue`; they enter the state and paint it blue;
//! - the outer search closes a cycle as early as is sound: whenever an accepting state lies between the repeated state
//!   and the end of the path, not only where one of the two is accepting. To decide it, a state on the path keeps the
//!   number of accepting states before it, modulo 16; should that be ambiguous, the two ends decide, and the inner search
//!   will find what is missed;
//! - `DFS_black` does not search again: what an inner search visited in vain is remembered and painted in one go, which
//!   is all that is left non-black below its start (remark 1);
//! - the inner search stays in its component of the property and none begins where the component is not strong
//!   [edelkamp.04.sttt]. It is then no longer so that all states below a black state are black, but still that no
//!   accepting lasso goes through one: what is below and outside the component was left for good before, accepting states
//!   there have been found to lie on no accepting cycle, and nothing of it leads back to the path. For the same reason a
//!   state left in a weak component, or an accepting one in a rejecting component, is black at once.
//!
//! *Tested by* brute force on random and on all small automata, `tests/lassos/`.

use super::path::{Closed, Path};
use super::{EmptinessOptions, EmptinessResult, conclude_closed};
use crate::accepting::Accepting;
use crate::checkpoint::{Checkpoints, get, put, wrong};
use crate::interruption::Interruption;
use crate::meter::Statistics;
use crate::space::Space;
use crate::store::number::StateId;
use kernel::budget::Exhausted;
use omega::analyse::strength::Strength;
use std::io::{self, Read, Write};

/// The bits of a state's byte that tell its colour. The others are free for other uses after the search.
pub(crate) const COLOUR: u8 = 0b11;
const WHITE: u8 = 0;
const BLUE: u8 = 1;
const RED: u8 = 2;
const BLACK: u8 = 3;
const ON_PATH: u8 = 0b100;
const COUNT_SHIFT: u32 = 3;
const COUNT: u8 = 0b1111 << COUNT_SHIFT;

/// Turns of the outer search between two looks at whether it is to be saved.
const TURNS_PER_LOOK: u32 = 16;
/// States of the path that are expanded again when a search is continued.
const VERIFIED_STATES: usize = 1000;

/// Searches for an accepting lasso.
///
/// # Panics
/// If acceptance is not state-based.
pub fn search<'a, A: Accepting>(system: &'a A, options: EmptinessOptions<'a>) -> EmptinessResult<A::Step> {
    let (space, closed) = explore(system, options);
    conclude_closed(space, closed)
}

/// Searches, saving the search from time to time or continuing one that was saved.
pub fn search_saving<'a, A: Accepting>(
    system: &'a A,
    options: EmptinessOptions<'a>,
    checkpoints: &dyn Checkpoints,
) -> EmptinessResult<A::Step> {
    let (space, closed) = explore_for(system, options, u64::MAX, Some(checkpoints));
    conclude_closed(space, closed)
}

/// Searches until this much work has been done; gives the statistics if that was not enough.
pub(crate) fn search_for<'a, A: Accepting>(
    system: &'a A,
    options: EmptinessOptions<'a>,
    work: u64,
) -> Result<EmptinessResult<A::Step>, Statistics> {
    let (mut space, closed) = explore_for(system, options, work, None);
    if space.meter.is_pausing() && matches!(closed, Ok(None)) {
        return Err(space.finish());
    }
    Ok(conclude_closed(space, closed))
}

/// The search itself, with all that it leaves behind.
pub(crate) fn explore<'a, A: Accepting>(
    system: &'a A,
    options: EmptinessOptions<'a>,
) -> (Space<'a, A>, Result<Option<Closed>, Exhausted>) {
    explore_for(system, options, u64::MAX, None)
}

/// The search for as much work; it closes no cycle then, and its meter tells that it pauses.
fn explore_for<'a, A: Accepting>(
    system: &'a A,
    options: EmptinessOptions<'a>,
    work: u64,
    checkpoints: Option<&dyn Checkpoints>,
) -> (Space<'a, A>, Result<Option<Closed>, Exhausted>) {
    assert!(system.is_state_based(), "a nested search needs state-based acceptance");
    let mut space = Space::new(system, options);
    space.meter.pause_after(work);
    let mut search = Search { space, blue: Path::default(), red: Path::default(), accepting: 0, visited: Vec::new() };
    let closed = search.run(checkpoints);
    let held = search.held();
    search.space.note_bytes(held);
    (search.space, closed)
}

/// Whether the search found that no accepting lasso goes through a state.
#[inline]
pub(crate) fn is_dead(tag: u8) -> bool {
    tag & COLOUR == BLACK
}

struct Search<'a, A: Accepting> {
    space: Space<'a, A>,
    blue: Path,
    red: Path,
    /// Accepting states on the blue path.
    accepting: u64,
    /// What the current inner search has entered.
    visited: Vec<StateId>,
}

impl<A: Accepting> Search<'_, A> {
    fn run(&mut self, checkpoints: Option<&dyn Checkpoints>) -> Result<Option<Closed>, Exhausted> {
        self.begin(checkpoints)?;
        let mut turns = 0_u32;
        while let Some(top) = self.blue.top().filter(|_| !self.space.meter.is_pausing()) {
            if let Some(checkpoints) = checkpoints {
                turns = turns.wrapping_add(1);
                if turns.is_multiple_of(TURNS_PER_LOOK) && checkpoints.is_due() {
                    checkpoints.save(&mut |out| self.save(out));
                }
            }
            let Some(successor) = self.blue.next() else {
                if let Some(closed) = self.leave_blue(top)? {
                    return Ok(Some(closed));
                }
                continue;
            };
            let tag = self.space.tag(successor);
            if tag & ON_PATH != 0 {
                if self.closes(top, successor) {
                    return Ok(Some(Closed::new(&self.blue, &self.red, successor)));
                }
            } else if tag & COLOUR == WHITE && self.space.allows(self.blue.len() as u64) {
                self.enter_blue(successor)?;
            }
        }
        Ok(None)
    }

    /// Enters the initial state, or reads what was saved. A search that cannot be continued is cancelled.
    fn begin(&mut self, checkpoints: Option<&dyn Checkpoints>) -> Result<(), Exhausted> {
        let saved = checkpoints.and_then(|checkpoints| Some((checkpoints, checkpoints.resume()?)));
        let Some((checkpoints, mut saved)) = saved else {
            let initial = self.space.initial()?;
            return self.enter_blue(initial);
        };
        match self.restore(&mut *saved) {
            Ok(()) => Ok(()),
            Err(Interruption::Limit(limit)) => Err(limit),
            Err(Interruption::Files(error)) => {
                checkpoints.refuse(&error);
                Err(Exhausted::Cancelled)
            }
        }
    }

    /// Writes everything; only between two steps of the outer search.
    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        self.space.save(out)?;
        put(out, self.accepting)?;
        self.blue.save(out)
    }

    /// Reads what [`Self::save`] wrote, into a search that has not begun. The states at the end of the path are expanded again: in
    /// another system they would have other successors.
    fn restore(&mut self, input: &mut dyn Read) -> Result<(), Interruption> {
        let numbers = self.space.restore(input)?;
        self.accepting = get(input)?;
        self.blue = Path::restore(input, &numbers)?;
        let counted = self.space.meter.statistics;
        for (state, successors) in self.blue.last(VERIFIED_STATES) {
            let mut again = Vec::new();
            self.space.expand(state, 0, |successor, _| again.push(successor))?;
            if again != successors {
                return Err(wrong("the search is another one").into());
            }
        }
        self.space.meter.statistics = counted;
        Ok(())
    }

    fn enter_blue(&mut self, state: StateId) -> Result<(), Exhausted> {
        let count = (self.accepting as u8) << COUNT_SHIFT & COUNT;
        self.space.set_tag(state, COLOUR | COUNT, BLUE | ON_PATH | count);
        self.accepting += u64::from(self.space.is_accepting(state));
        let held = self.held();
        self.blue.enter(&mut self.space, state, held)
    }

    /// Whether the cycle from `state` along the blue path to `top` and back is accepting; never yes if it is not.
    fn closes(&self, top: StateId, state: StateId) -> bool {
        match self.space.component(state).strength {
            Strength::Rejecting => false,
            Strength::Terminal | Strength::Weak => true,
            Strength::Strong => {
                let before = (self.space.tag(state) & COUNT) >> COUNT_SHIFT;
                before != (self.accepting as u8) & 0b1111
                    || self.space.is_accepting(state)
                    || self.space.is_accepting(top)
            }
        }
    }

    /// Leaves a state for good; paints it black if nothing below it can be accepting, after an inner search if need be.
    fn leave_blue(&mut self, state: StateId) -> Result<Option<Closed>, Exhausted> {
        let all_dead = self.blue.successors().iter().all(|&successor| is_dead(self.space.tag(successor)));
        let is_accepting = self.space.is_accepting(state);
        self.blue.leave();
        self.accepting -= u64::from(is_accepting);
        self.space.set_tag(state, ON_PATH, 0);
        let is_dead = all_dead
            || match self.space.component(state).strength {
                Strength::Terminal | Strength::Weak => true,
                Strength::Rejecting => is_accepting,
                Strength::Strong => false,
            };
        if is_dead {
            self.space.set_tag(state, COLOUR, BLACK);
        } else if is_accepting {
            return self.search_red(state);
        }
        Ok(None)
    }

    /// Looks for a cycle through an accepting state that has just been left.
    fn search_red(&mut self, start: StateId) -> Result<Option<Closed>, Exhausted> {
        let component = self.space.component(start).number;
        self.visited.clear();
        self.enter_red(start)?;
        while let Some(top) = self.red.top() {
            let Some(successor) = self.red.next() else {
                self.red.leave();
                self.space.set_tag(top, ON_PATH, 0);
                continue;
            };
            let tag = self.space.tag(successor);
            if tag & COLOUR == BLACK || self.space.component(successor).number != component {
                continue;
            }
            let is_blue = tag & COLOUR == BLUE;
            if tag & ON_PATH != 0 && (is_blue || self.space.is_accepting(successor)) {
                return Ok(Some(Closed::new(&self.blue, &self.red, successor)));
            }
            if is_blue {
                self.enter_red(successor)?;
            }
        }
        for state in self.visited.drain(..) {
            self.space.set_tag(state, COLOUR, BLACK);
        }
        Ok(None)
    }

    fn enter_red(&mut self, state: StateId) -> Result<(), Exhausted> {
        self.space.set_tag(state, COLOUR, RED | ON_PATH);
        self.visited.push(state);
        let held = self.held();
        self.red.enter(&mut self.space, state, held)
    }

    fn held(&self) -> u64 {
        self.blue.bytes() + self.red.bytes() + (self.visited.capacity() * size_of::<StateId>()) as u64
    }
}
