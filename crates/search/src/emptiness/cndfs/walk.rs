//! What one worker of the search does, step by step.
//!
//! A worker is a machine that can stop after every step, and each step reads or paints the colours of one state at most. So
//! the threads can pause together, and a test can interleave workers in any order that it likes. What workers share is
//! behind the trait [`World`].
//!
//! *Tested by* random schedules on random graphs, and by mutants of the world, `interleaved.rs`; by loom, `weak_memory.rs`.

use crate::accepting::Component;
use crate::emptiness::path::{Closed, Path};
use foldhash::fast::FixedState;
use omega::analyse::strength::Strength;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// Some worker has explored all successors of the state, or is about to look for a cycle through it.
pub(super) const BLUE: u8 = 0b0001;
/// No accepting cycle goes through the state, unless one has been reported.
pub(super) const RED: u8 = 0b0010;
/// Some worker has entered the state. Only a hint: others had better begin elsewhere.
pub(super) const ENTERED: u8 = 0b0100;
/// The state is accepting; set before other workers know the state.
pub(super) const ACCEPTING: u8 = 0b1000;

/// The two nested searches of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// The outer one.
    Blue,
    /// The inner one, from an accepting state.
    Red,
}

/// What workers share, as one of them sees it.
pub(super) trait World {
    /// A state.
    type State: Copy + Eq + Hash;
    /// Why a worker cannot go on now.
    type Pause;

    /// Appends the successors of a state, or nothing if it cannot.
    fn successors(&mut self, state: Self::State, pass: Pass, into: &mut Vec<Self::State>) -> Result<(), Self::Pause>;

    /// The colours of a state, with acquire.
    fn colours(&self, state: Self::State) -> u8;

    /// Whether some worker has finished an inner search that met a state, with acquire.
    fn is_finished(&self, state: Self::State) -> bool {
        self.colours(state) & RED != 0
    }

    /// Adds colours to a state, with release.
    fn paint(&self, state: Self::State, colours: u8);

    /// The component of the property to which a state belongs.
    fn component(&self, state: Self::State) -> Component;

    /// Asks for memory that a worker is going to take beside its paths.
    fn reserve(&mut self, bytes: u64) -> Result<(), Self::Pause>;
}

/// The result of a step.
#[derive(Debug)]
pub(super) enum Step<S> {
    /// There is more to do.
    Moved,
    /// Another worker must paint a state first.
    Waiting,
    /// An accepting cycle.
    Closed(Closed<S>),
    /// The worker has nothing left to do.
    Done,
}

/// What the next step is about.
#[derive(Clone, Copy, Debug)]
enum Phase<S> {
    /// Enter a state, and go on with its successors.
    Enter(Pass, S),
    /// Look at the next successor.
    Continue(Pass),
    /// Wait until other workers have finished the accepting states that the inner search met.
    Await,
    /// Paint the states that the inner search met.
    Paint,
    Done,
}

/// One worker.
pub(super) struct Walk<S> {
    blue: Path<S>,
    red: Path<S>,
    /// The states of the blue path, each with the number of accepting states before it on the path.
    cyan: HashMap<S, u32, FixedState>,
    /// Accepting states on the blue path.
    accepting: u32,
    /// The states that the present inner search has entered, as a set and as a list; and the accepting ones among them
    /// that are not yet known to be red, apart from the first.
    met: HashSet<S, FixedState>,
    entered: Vec<S>,
    awaited: Vec<S>,
    phase: Phase<S>,
}

impl<S: Copy + Eq + Hash> Walk<S> {
    /// A worker that begins in this state.
    pub(super) fn new(initial: S) -> Self {
        Self {
            blue: Path::default(),
            red: Path::default(),
            cyan: HashMap::default(),
            accepting: 0,
            met: HashSet::default(),
            entered: Vec::new(),
            awaited: Vec::new(),
            phase: Phase::Enter(Pass::Blue, initial),
        }
    }

    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> u64 {
        let sets = self.cyan.capacity() * entry::<(S, u32)>() + self.met.capacity() * entry::<S>();
        let lists = (self.entered.capacity() + self.awaited.capacity()) * size_of::<S>();
        self.blue.bytes() + self.red.bytes() + (sets + lists) as u64
    }

    /// The length of the blue path.
    pub(super) fn depth(&self) -> usize {
        self.blue.len()
    }

    /// Takes one step. A step that is paused can be tried again.
    #[inline]
    pub(super) fn step<W: World<State = S>>(&mut self, world: &mut W) -> Result<Step<S>, W::Pause> {
        match self.phase {
            Phase::Continue(Pass::Blue) => Ok(self.look_blue(world)),
            Phase::Continue(Pass::Red) => Ok(self.look_red(world)),
            Phase::Enter(Pass::Blue, state) => self.enter_blue(world, state),
            Phase::Enter(Pass::Red, state) => self.enter_red(world, state),
            Phase::Await => Ok(self.wait(world)),
            Phase::Paint => Ok(self.paint(world)),
            Phase::Done => Ok(Step::Done),
        }
    }

    fn enter_blue<W: World<State = S>>(&mut self, world: &mut W, state: S) -> Result<Step<S>, W::Pause> {
        if self.cyan.len() == self.cyan.capacity() {
            world.reserve(growth::<(S, u32)>(self.cyan.capacity()))?;
        }
        self.blue.extend(state, |into| world.successors(state, Pass::Blue, into))?;
        self.cyan.insert(state, self.accepting);
        self.accepting += u32::from(world.colours(state) & ACCEPTING != 0);
        world.paint(state, ENTERED);
        self.phase = Phase::Continue(Pass::Blue);
        Ok(Step::Moved)
    }

    /// Looks at the next successor of the last state of the blue path, or leaves the state.
    #[inline]
    fn look_blue<W: World<State = S>>(&mut self, world: &mut W) -> Step<S> {
        let Some(successor) = self.blue.next() else { return self.leave_blue(world) };
        if world.colours(successor) & BLUE != 0 {
            return Step::Moved;
        }
        match self.cyan.get(&successor) {
            None => self.phase = Phase::Enter(Pass::Blue, successor),
            Some(&before) if self.closes(world, successor, before) => return self.closed(successor),
            Some(_) => {}
        }
        Step::Moved
    }

    /// Whether the cycle along the blue path from this state and back to it is accepting; there are as many accepting
    /// states before it.
    fn closes<W: World<State = S>>(&self, world: &W, state: S, before: u32) -> bool {
        match world.component(state).strength {
            Strength::Rejecting => false,
            Strength::Terminal | Strength::Weak => true,
            Strength::Strong => self.accepting != before,
        }
    }

    /// Paints the last state of the blue path, and begins an inner search if it is accepting.
    fn leave_blue<W: World<State = S>>(&mut self, world: &mut W) -> Step<S> {
        let Some(state) = self.blue.top() else {
            self.phase = Phase::Done;
            return Step::Done;
        };
        world.paint(state, BLUE);
        let is_seed = world.colours(state) & (ACCEPTING | RED) == ACCEPTING
            && world.component(state).strength == Strength::Strong;
        if is_seed {
            self.phase = Phase::Enter(Pass::Red, state);
        } else {
            self.drop_blue(world, state);
        }
        Step::Moved
    }

    fn drop_blue<W: World<State = S>>(&mut self, world: &W, state: S) {
        self.blue.leave();
        self.cyan.remove(&state);
        self.accepting -= u32::from(world.colours(state) & ACCEPTING != 0);
        self.phase = Phase::Continue(Pass::Blue);
    }

    fn enter_red<W: World<State = S>>(&mut self, world: &mut W, state: S) -> Result<Step<S>, W::Pause> {
        if self.met.len() == self.met.capacity() {
            world.reserve(growth::<S>(self.met.capacity()))?;
        }
        self.red.extend(state, |into| world.successors(state, Pass::Red, into))?;
        if self.red.len() > 1 && world.colours(state) & ACCEPTING != 0 {
            self.awaited.push(state);
        }
        self.met.insert(state);
        self.entered.push(state);
        self.phase = Phase::Continue(Pass::Red);
        Ok(Step::Moved)
    }

    /// Looks at the next successor of the last state of the red path, or leaves the state.
    fn look_red<W: World<State = S>>(&mut self, world: &mut W) -> Step<S> {
        let Some(successor) = self.red.next() else {
            self.red.leave();
            if self.red.top().is_none() {
                self.phase = Phase::Await;
            }
            return Step::Moved;
        };
        if self.cyan.contains_key(&successor) {
            return self.closed(successor);
        }
        let seed = self.entered[0];
        if world.colours(successor) & RED == 0
            && !self.met.contains(&successor)
            && world.component(successor).number == world.component(seed).number
        {
            self.phase = Phase::Enter(Pass::Red, successor);
        }
        Step::Moved
    }

    fn wait<W: World<State = S>>(&mut self, world: &mut W) -> Step<S> {
        match self.awaited.last() {
            Some(state) if !world.is_finished(*state) => return Step::Waiting,
            Some(_) => {
                self.awaited.pop();
            }
            None => self.phase = Phase::Paint,
        }
        Step::Moved
    }

    fn paint<W: World<State = S>>(&mut self, world: &mut W) -> Step<S> {
        match self.entered.pop() {
            Some(state) => world.paint(state, RED),
            None => {
                self.met.clear();
                if let Some(seed) = self.blue.top() {
                    self.drop_blue(world, seed);
                }
            }
        }
        Step::Moved
    }

    /// The cycle that a state of the blue path closes. The red path begins where the blue one ends.
    fn closed(&self, state: S) -> Step<S> {
        let path: Vec<S> = self.blue.states().chain(self.red.states().skip(1)).collect();
        let knot = path.iter().position(|other| *other == state).expect("the state is on the blue path");
        Step::Closed(Closed { path, knot })
    }
}

/// The bytes of an entry in a hash table, its control byte included, at the usual load.
const fn entry<T>() -> usize {
    (size_of::<T>() + 1) * 8 / 7
}

/// The bytes of the table that replaces a full one.
fn growth<T>(capacity: usize) -> u64 {
    (2 * capacity * entry::<T>()) as u64
}
