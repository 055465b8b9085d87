//! The current path of a depth-first search, with the successors still to be looked at.

use crate::accepting::Accepting;
use crate::checkpoint::{get, get_array, get_u32, put, wrong};
use crate::space::Space;
use crate::store::number::{StateId, U40, index_of};
use kernel::budget::Exhausted;
use omega::automaton::Marks;
use std::io::{self, Read, Write};

/// A state on the path.
#[derive(Clone, Copy, Debug)]
struct Frame<S> {
    state: S,
    /// How many of its successors have been looked at.
    looked_at: u32,
    /// Where its successors begin.
    first: U40,
}

/// A place on the stack of successors.
fn place(index: usize) -> U40 {
    U40::new(index).expect("a stack of successors fits into memory")
}

/// A path. The successors of its states lie on one stack, those of the last state on top.
#[derive(Debug)]
pub(crate) struct Path<S = StateId> {
    frames: Vec<Frame<S>>,
    successors: Vec<S>,
    buffer: Vec<(S, Marks)>,
}

impl<S> Default for Path<S> {
    fn default() -> Self {
        Self { frames: Vec::new(), successors: Vec::new(), buffer: Vec::new() }
    }
}

impl<S: Copy> Path<S> {
    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.frames.capacity() * size_of::<Frame<S>>() + self.successors.capacity() * size_of::<S>()) as u64
    }

    pub(crate) fn states(&self) -> impl Iterator<Item = S> {
        self.frames.iter().map(|frame| frame.state)
    }

    /// The last state.
    #[inline]
    pub(crate) fn top(&self) -> Option<S> {
        self.frames.last().map(|frame| frame.state)
    }

    /// Goes on to a state whose successors `list` appends; if it fails, it appends nothing, and the path stays as it is.
    #[inline]
    pub(crate) fn extend<E>(&mut self, state: S, list: impl FnOnce(&mut Vec<S>) -> Result<(), E>) -> Result<(), E> {
        let first = self.successors.len();
        list(&mut self.successors)?;
        self.frames.push(Frame { state, looked_at: 0, first: place(first) });
        Ok(())
    }

    /// The next successor of the last state, if one is left.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<S> {
        let frame = self.frames.last_mut()?;
        let successor = self.successors.get(frame.first.get() + frame.looked_at as usize).copied()?;
        frame.looked_at += 1;
        Some(successor)
    }

    /// All successors of the last state.
    pub(crate) fn successors(&self) -> &[S] {
        self.frames.last().map_or(&[], |frame| &self.successors[frame.first.get()..])
    }

    /// Goes back by one state.
    #[inline]
    pub(crate) fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.successors.truncate(frame.first.get());
        }
    }
}

impl Path {
    /// Writes the path.
    pub(crate) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        put(out, self.frames.len() as u64)?;
        for (index, frame) in self.frames.iter().enumerate() {
            let end = self.frames.get(index + 1).map_or(self.successors.len(), |next| next.first.get());
            let successors = &self.successors[frame.first.get()..end];
            out.write_all(&frame.state.to_bytes())?;
            for number in [frame.looked_at, successors.len() as u32] {
                out.write_all(&number.to_le_bytes())?;
            }
            successors.iter().try_for_each(|successor| out.write_all(&successor.to_bytes()))?;
        }
        Ok(())
    }

    /// Reads what [`Self::save`] wrote, given the numbers of states by those that they had.
    pub(crate) fn restore(input: &mut dyn Read, numbers: &[StateId]) -> io::Result<Self> {
        let number = |old: [u8; 5]| numbers.get(index_of(old)).copied().ok_or_else(|| wrong("a state is missing"));
        let mut path = Path::default();
        for _ in 0..get(input)? {
            let (state, looked_at, successors) = (get_array(input)?, get_u32(input)?, get_u32(input)?);
            path.frames.push(Frame { state: number(state)?, looked_at, first: place(path.successors.len()) });
            for _ in 0..successors {
                let successor = number(get_array(input)?)?;
                path.successors.push(successor);
            }
        }
        Ok(path)
    }

    /// The last states of the path, each with all its successors.
    pub(crate) fn last(&self, most: usize) -> impl Iterator<Item = (StateId, &[StateId])> {
        let first = self.frames.len().saturating_sub(most);
        (first..self.frames.len()).map(|index| {
            let (frame, next) = (&self.frames[index], self.frames.get(index + 1));
            let end = next.map_or(self.successors.len(), |next| next.first.get());
            (frame.state, &self.successors[frame.first.get()..end])
        })
    }

    /// Goes on to a state; `held` is the bytes the search holds beside the space and this path.
    #[inline]
    pub(crate) fn enter<A: Accepting>(
        &mut self,
        space: &mut Space<'_, A>,
        state: StateId,
        held: u64,
    ) -> Result<(), Exhausted> {
        space.meter.statistics.visits += 1;
        let held = held + self.bytes();
        self.frames.push(Frame { state, looked_at: 0, first: place(self.successors.len()) });
        let successors = &mut self.successors;
        if space.remembers() {
            space.successors(state, held, &mut self.buffer)?;
            successors.extend(self.buffer.iter().map(|(successor, _)| *successor));
            Ok(())
        } else {
            space.expand(state, held, |successor, _| successors.push(successor))
        }
    }
}

/// A cycle just closed: a path of states, and the index of the one that its last state leads back to.
#[derive(Clone, Debug)]
pub(crate) struct Closed<S = StateId> {
    pub(crate) path: Vec<S>,
    pub(crate) knot: usize,
}

impl Closed {
    /// The cycle that `state` closes on the outer path followed by the inner one.
    pub(crate) fn new(outer: &Path, inner: &Path, state: StateId) -> Self {
        let path: Vec<StateId> = outer.states().chain(inner.states()).collect();
        let knot = path.iter().position(|&other| other == state).expect("the state is on the path");
        Self { path, knot }
    }
}
