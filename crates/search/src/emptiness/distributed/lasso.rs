//! A lasso, once it is known that there is one.
//!
//! *How.* Every state of the set can be reached inside the set from a step of each acceptance set. From some state, walk backwards to a step
//! of the first set, from there to one of the next set that is missing, and so on: this gives a way with all marks from some
//! state to the one where the walk began. If the second can reach the first, the two ways are an accepting cycle. If
//! it cannot, the walk has left its component, and goes on from where it is; it cannot do so more often than there are
//! components. The stem leads to the state of the cycle in the lowest level.
//!
//! All workers search for paths; the one that leads puts the lasso together.

use super::Search;
use super::share::{Phase, is_weak};
use super::vertices::Parent;
use crate::accepting::Accepting;
use crate::connect::{Goal, Segment, connect};
use crate::lasso::Lasso;
use crate::store::exact::StateHash;
use crate::team::LEADER;
use crate::team::message::{Reader, limit_of, number_of, put_numbers};
use crate::team::trace::{Chain, chains};
use kernel::budget::Exhausted;
use omega::automaton::Marks;

/// The most states of a cycle whose levels are compared.
const MOST_KNOTS: usize = 1000;

/// A step of a cycle: the state before it, and marks that it must have.
type Bound = (Box<[u8]>, Marks);

impl<A: Accepting> Search<'_, A> {
    /// An accepting lasso, at the worker that leads.
    pub(super) fn lasso(&mut self) -> Result<Option<Lasso<A::Step>>, Exhausted> {
        self.share.explorer.meter.is_rebuilding = true;
        let cycle = self.cycle()?;
        let states: Vec<&[u8]> = cycle.iter().map(|(state, _)| &**state).collect();
        let (level, knot) = self.lowest(&states);
        let goal = (level, cycle[knot].0.clone());
        let stem = self.stem(goal)?;
        if !self.leads() {
            return Ok(None);
        }
        let mut cycle = cycle;
        cycle.rotate_left(knot);
        let (system, explorer) = (self.share.system, &mut self.share.explorer);
        let (scratch, budget) = (&mut explorer.scratch, explorer.meter.rebuilding_budget());
        let mut step = |from: &[u8], to: &[u8], marks: Marks, moves: &mut Vec<_>| {
            let segment = Segment { from, goal: Goal::State(to), marks, through_transient: true };
            connect(system, scratch, segment, |step| system.marks(step), budget, moves).map(|_| ())
        };
        let mut lasso = Lasso { stem: Vec::new(), cycle: Vec::new() };
        for pair in stem.windows(2) {
            step(&pair[0], &pair[1], Marks::NONE, &mut lasso.stem)?;
        }
        for (index, (from, marks)) in cycle.iter().enumerate() {
            let to = &cycle[(index + 1) % cycle.len()].0;
            step(from, to, *marks, &mut lasso.cycle)?;
        }
        Ok(Some(lasso))
    }

    /// The steps of an accepting cycle. All workers have the states; the one that leads has the marks.
    fn cycle(&mut self) -> Result<Vec<Bound>, Exhausted> {
        let mut end = self.somewhere();
        loop {
            // From `begin` to `end`, the last step first.
            let mut way: Vec<Bound> = Vec::new();
            let mut missing = Marks::all(self.share.system.sets());
            let mut begin = end.clone();
            let mut failure = Ok(());
            while let Some(set) = self.agreed(failure.map(|()| missing.iter().next()))? {
                self.seek(None, Some(set), &begin)?;
                let path = self.walk_back(&begin);
                for (index, pair) in path.windows(2).enumerate().rev() {
                    let wanted = if index == 0 { Marks::one(set) } else { Marks::NONE };
                    let nothing = (Marks::NONE, Marks::NONE);
                    let found =
                        if self.leads() { self.marks(&pair[0], &pair[1], wanted, missing) } else { Ok(nothing) };
                    let (marks, good_for) = found.unwrap_or_else(|limit| {
                        failure = Err(limit);
                        nothing
                    });
                    missing = missing.minus(good_for);
                    way.push((pair[0].clone(), marks));
                }
                begin.clone_from(&path[0]);
            }
            way.reverse();
            if begin == end {
                return Ok(way);
            }
            if self.seek(Some(&end), None, &begin)? {
                let path = self.walk_back(&begin);
                let back = path[..path.len() - 1].iter().map(|state| (state.clone(), Marks::NONE));
                return Ok(way.into_iter().chain(back).collect());
            }
            end = begin;
        }
    }

    /// A state of the set in the lowest level, the same for all workers.
    fn somewhere(&mut self) -> Box<[u8]> {
        let part = &self.share.part;
        let levels = (0..part.levels()).map(|level| (level, part.numbers(level)));
        let own = levels.flat_map(|(level, numbers)| numbers.map(move |number| (level, number)));
        let own = own.into_iter().find(|(_, number)| self.share.vertices.is_member(*number));
        let mut message = Vec::new();
        if let Some((level, number)) = own {
            put_numbers(&mut message, &[level as u64]);
            message.extend_from_slice(&part.copy(number));
        }
        let messages = self.outbox.gather(&message);
        let all = messages.iter().filter(|message| !message.is_empty()).map(|message| {
            let mut reader = Reader { rest: message };
            (reader.number(), reader.rest)
        });
        all.min().expect("some state is in the set").1.into()
    }

    /// The number, or the limit, that the worker that leads has in mind.
    fn agreed(&mut self, number: Result<Option<u32>, Exhausted>) -> Result<Option<u32>, Exhausted> {
        let mut message = Vec::new();
        let number = number.map(|number| number.map_or(0, |number| u64::from(number) + 1));
        put_numbers(&mut message, &[number.unwrap_or(0), number_of(number.err())]);
        let messages = self.outbox.gather(&message);
        let mut reader = Reader { rest: &messages[LEADER] };
        let number = reader.number().checked_sub(1).map(|number| number as u32);
        limit_of(reader.number()).map_or(Ok(number), Err)
    }

    /// Searches inside the set for paths that begin with a step out of a state, or with any step of an acceptance set, until
    /// one leads to the goal; true if one does.
    fn seek(&mut self, from: Option<&[u8]>, set: Option<u32>, goal: &[u8]) -> Result<bool, Exhausted> {
        self.share.vertices.begin_paths();
        let begins = match from {
            Some(state) => self.share.number(state).into_iter().collect(),
            None => self.share.vertices.all_members(),
        };
        let goal = self.share.number(goal);
        self.share.begin(Phase::Path { set, begins: true, goal }, begins);
        self.work().map(|sum| sum.is_reached)
    }

    /// The states of the path to the goal.
    fn walk_back(&mut self, goal: &[u8]) -> Chain {
        let mut chain: Chain = vec![goal.into()];
        loop {
            let last = &chain[chain.len() - 1];
            // First the state before it, as its owner knows it, then that state, of which another worker has the bytes.
            let owner = self.outbox.owner(StateHash::of(last), last);
            let parent = self.share.number(last).and_then(|number| self.share.vertices.parent(number));
            let message = parent.map_or(Vec::new(), |parent| parent.encode().into());
            let messages = self.outbox.gather(&message);
            let parent = messages[owner].as_slice().try_into().ok().and_then(Parent::decode);
            let parent = parent.expect("a path leads to each of its states");
            let is_here = parent.worker == self.outbox.own();
            let message = if is_here { self.share.part.copy(parent.number) } else { Vec::new() };
            let mut messages = self.outbox.gather(&message);
            chain.push(messages.swap_remove(parent.worker).into());
            if parent.is_first {
                chain.reverse();
                return chain;
            }
        }
    }

    /// The marks that a step between two states must have, and the acceptance sets that it is good for, at the worker that
    /// leads: those that are wanted, and as many as possible of those that are missing. In a weak component any step will do.
    fn marks(&mut self, from: &[u8], to: &[u8], wanted: Marks, missing: Marks) -> Result<(Marks, Marks), Exhausted> {
        if is_weak(self.share.system.component(from)) {
            return Ok((Marks::NONE, missing));
        }
        let mut best = Marks::NONE;
        self.share.explorer.successors(from, |_, state, label| {
            let gain = |marks: Marks| marks.intersection(missing).len();
            if state == to && label.includes(wanted) && (!best.includes(wanted) || gain(label) > gain(best)) {
                best = label;
            }
        })?;
        let marks = best.intersection(missing).union(wanted);
        Ok((marks, marks))
    }

    /// The lowest level in which one of these states lies, and which one it is.
    fn lowest(&mut self, states: &[&[u8]]) -> (usize, usize) {
        let mut message = Vec::new();
        for (index, state) in states.iter().enumerate().take(MOST_KNOTS) {
            if let Some(number) = self.share.number(state) {
                put_numbers(&mut message, &[self.share.part.level_of(number) as u64, index as u64]);
            }
        }
        let messages = self.outbox.gather(&message);
        let pairs = messages.iter().flat_map(|message| message.chunks(16)).map(|pair| {
            let mut reader = Reader { rest: pair };
            (reader.number() as usize, reader.number() as usize)
        });
        pairs.min().expect("each state has an owner")
    }

    /// The states of a shortest path to a state of a level.
    fn stem(&mut self, goal: (usize, Box<[u8]>)) -> Result<Chain, Exhausted> {
        let (part, explorer) = (&self.share.part, &mut self.share.explorer);
        let mut expand = |source: &[u8], sink: &mut dyn FnMut(StateHash, &[u8])| {
            explorer.successors(source, |hash, state, _| sink(hash, state))
        };
        chains(&mut self.outbox, part, &[goal], &mut expand).map(|mut list| list.swap_remove(0))
    }
}
