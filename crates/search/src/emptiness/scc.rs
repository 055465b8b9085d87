//! Depth-first search for strongly connected components, on generalised acceptance as it is.
//!
//! *Contract.* Finds an accepting lasso if there is one, for any number of acceptance sets on steps, without turning
//! them into one. One integer a state beside the store. Every state is entered once; the lasso is sought afterwards,
//! breadth first inside the accepting component.
//!
//! *Source.* [couvreur.99.fm], with Tarjan's stack [tarjan.72.siam] to name the states of a component that is left, in
//! place of a second traversal. Each component under construction knows the marks of its inner steps, and of the step into
//! it; closing a cycle melts components together, and the search ends as soon as one has all marks.
//!
//! *Tested by* brute force on random and on all small automata, state-based and generalised, `tests/lassos/`.

use super::{EmptinessOptions, EmptinessResult, conclude};
use crate::accepting::Accepting;
use crate::lasso::Lasso;
use crate::space::Space;
use crate::store::number::{StateId, U40};
use kernel::budget::Exhausted;
use omega::automaton::Marks;
use std::time::Instant;

/// The number of a state not yet entered.
const UNSEEN: U40 = U40::ZERO;
/// The number of a state whose component has been left.
const LEFT: U40 = U40::MAX;

/// Searches for an accepting lasso.
pub fn search<'a, A: Accepting>(system: &'a A, options: EmptinessOptions<'a>) -> EmptinessResult<A::Step> {
    let mut space = Space::new(system, options);
    space.collects_marks = true;
    let mut search = Search {
        space,
        numbers: Vec::new(),
        entered: 0,
        path: Vec::new(),
        successors: Vec::new(),
        roots: Vec::new(),
        live: Vec::new(),
    };
    let found = search.run();
    let held = search.held();
    search.space.note_bytes(held);
    let lasso = found.and_then(|found| if found { search.lasso() } else { Ok(None) });
    conclude(search.space, lasso)
}

struct Frame {
    state: StateId,
    looked_at: u32,
    first: usize,
}

/// A component under construction.
struct Root {
    /// The number of its first state.
    number: U40,
    /// The place of its first state among the live ones.
    live: usize,
    /// The place of its first state on the path.
    depth: usize,
    /// The marks of the step that led to it.
    entry: Marks,
    /// The marks of the steps inside.
    marks: Marks,
}

struct Search<'a, A: Accepting> {
    space: Space<'a, A>,
    /// By state: in which order they were entered, from 1.
    numbers: Vec<U40>,
    entered: usize,
    path: Vec<Frame>,
    successors: Vec<(StateId, Marks)>,
    roots: Vec<Root>,
    /// The states entered whose component has not been left.
    live: Vec<StateId>,
}

impl<A: Accepting> Search<'_, A> {
    /// Whether there is an accepting component; it is then the last root.
    fn run(&mut self) -> Result<bool, Exhausted> {
        let all = Marks::all(self.space.system.sets());
        let initial = self.space.initial()?;
        self.enter(initial, Marks::NONE)?;
        while let Some(frame) = self.path.last_mut() {
            let Some(&(successor, marks)) = self.successors.get(frame.first + frame.looked_at as usize) else {
                self.leave();
                continue;
            };
            frame.looked_at += 1;
            match self.numbers.get(successor.index()).copied().unwrap_or(UNSEEN) {
                UNSEEN if self.space.allows(self.path.len() as u64) => self.enter(successor, marks)?,
                UNSEEN | LEFT => {}
                number if self.melt(number, marks).includes(all) => return Ok(true),
                _ => {}
            }
        }
        Ok(false)
    }

    fn enter(&mut self, state: StateId, entry: Marks) -> Result<(), Exhausted> {
        self.space.meter.statistics.visits += 1;
        self.entered += 1;
        let index = state.index();
        if index >= self.numbers.len() {
            self.numbers.resize(self.space.numbers(), UNSEEN);
        }
        let number = U40::new(self.entered).filter(|number| *number != LEFT).ok_or(Exhausted::Memory)?;
        self.numbers[index] = number;
        let (live, depth) = (self.live.len(), self.path.len());
        self.roots.push(Root { number, live, depth, entry, marks: Marks::NONE });
        self.live.push(state);
        let held = self.held();
        self.path.push(Frame { state, looked_at: 0, first: self.successors.len() });
        let successors = &mut self.successors;
        self.space.expand(state, held, |successor, marks| successors.push((successor, marks)))
    }

    /// A step with these marks leads from the end of the path back to a live state: all components since then are one.
    /// Gives its marks.
    fn melt(&mut self, number: U40, marks: Marks) -> Marks {
        let mut marks = marks;
        while let Some(root) = self.roots.pop_if(|root| root.number > number) {
            marks = marks.union(root.marks).union(root.entry);
        }
        let root = self.roots.last_mut().expect("a live state belongs to a component under construction");
        root.marks = root.marks.union(marks);
        root.marks
    }

    fn leave(&mut self) {
        let Some(frame) = self.path.pop() else { return };
        self.successors.truncate(frame.first);
        let number = self.numbers[frame.state.index()];
        if let Some(root) = self.roots.pop_if(|root| root.number == number) {
            for state in self.live.drain(root.live..) {
                self.numbers[state.index()] = LEFT;
            }
        }
    }

    /// A lasso whose cycle lies in the component of the last root: the path to its first state, and from there the
    /// nearest step with a missing mark, again and again, and back. None if a lossy store was mistaken.
    fn lasso(&mut self) -> Result<Option<Lasso<A::Step>>, Exhausted> {
        let started = Instant::now();
        self.space.meter.is_rebuilding = true;
        self.space.walk_anew();
        let root = self.roots.last().expect("there is an accepting component");
        let (number, depth) = (root.number, root.depth);
        let states: Vec<StateId> = self.path[..=depth].iter().map(|frame| frame.state).collect();
        let (mut stem, mut cycle) = (Vec::new(), Vec::new());
        for pair in states.windows(2) {
            self.space.connect(pair[0], Marks::NONE, pair[1], &mut stem)?;
        }
        let knot = states[depth];
        let mut at = knot;
        let mut missing = Marks::all(self.space.system.sets());
        while !missing.is_empty() || at != knot {
            let goal = if missing.is_empty() { Goal::State(knot) } else { Goal::Marks(missing) };
            for (from, marks, to) in self.nearest(at, number, goal)? {
                missing = missing.minus(marks);
                self.space.connect(from, marks, to, &mut cycle)?;
                at = to;
            }
        }
        self.space.meter.statistics.tracing += started.elapsed();
        self.space.validated(Lasso { stem, cycle })
    }

    /// The shortest non-empty path from a state to a goal through live states of at least this number: each step by the
    /// states it leaves and reaches, with its marks between.
    fn nearest(&mut self, start: StateId, least: U40, goal: Goal) -> Result<Vec<(StateId, Marks, StateId)>, Exhausted> {
        let mut reached: Vec<Option<(StateId, Marks)>> = vec![None; self.numbers.len()];
        let mut queue = vec![start];
        let mut next = 0;
        while let Some(&from) = queue.get(next) {
            next += 1;
            let mut found = None;
            let held = (queue.capacity() * size_of::<StateId>()
                + reached.capacity() * size_of::<Option<(StateId, Marks)>>()) as u64;
            let numbers = &self.numbers;
            self.space.expand(from, held, |to, marks| {
                let number = numbers.get(to.index()).copied().unwrap_or(UNSEEN);
                if number < least || number == LEFT || found.is_some() {
                    return;
                }
                if goal.is_met(marks, to) {
                    found = Some((from, marks, to));
                } else if to != start && reached[to.index()].is_none() {
                    reached[to.index()] = Some((from, marks));
                    queue.push(to);
                }
            })?;
            if let Some(last) = found {
                let mut path = vec![last];
                while let Some((before, marks)) = reached[path[path.len() - 1].0.index()] {
                    let to = path[path.len() - 1].0;
                    path.push((before, marks, to));
                }
                path.reverse();
                return Ok(path);
            }
        }
        panic!("a component is strongly connected and has all its marks inside");
    }

    fn held(&self) -> u64 {
        let bytes = self.numbers.capacity() * size_of::<U40>()
            + self.path.capacity() * size_of::<Frame>()
            + self.successors.capacity() * size_of::<(StateId, Marks)>()
            + self.roots.capacity() * size_of::<Root>()
            + self.live.capacity() * size_of::<StateId>();
        bytes as u64
    }
}

/// What a path inside a component is to end with.
#[derive(Clone, Copy)]
enum Goal {
    /// A step with one of these marks.
    Marks(Marks),
    /// A step into this state.
    State(StateId),
}

impl Goal {
    fn is_met(self, marks: Marks, to: StateId) -> bool {
        match self {
            Goal::Marks(wanted) => !wanted.intersection(marks).is_empty(),
            Goal::State(wanted) => to == wanted,
        }
    }
}
