//! Depth first: the states of the path are kept whole, and so are those that wait.

use super::super::path::Goal;
use super::super::{End, Path, Report, room};
use super::Common;
use super::states::States;
use crate::store::exact::StateHash;
use kernel::budget::Exhausted;
use kernel::system::System;

pub(super) fn search<M: System>(common: Common<'_, M>) -> Report<M> {
    let mut search = Search { common, path: States::default(), waiting: States::default(), marks: Vec::new() };
    let end = search.run().unwrap_or_else(End::Limit);
    let beside = search.beside();
    search.common.report(end, beside)
}

struct Search<'a, M: System> {
    common: Common<'a, M>,
    path: States,
    waiting: States,
    /// For each state of the path: how many states were waiting when it was entered.
    marks: Vec<usize>,
}

impl<M: System> Search<'_, M> {
    fn run(&mut self) -> Result<End, Exhausted> {
        let mut initial = Vec::new();
        self.common.system.initial(&mut initial);
        self.waiting.push(&initial, StateHash::of(&initial), false);
        loop {
            if self.waiting.list.len() > self.marks.last().copied().unwrap_or(0) {
                if self.enter()? {
                    self.visit()?;
                }
                if self.common.is_enough() {
                    return Ok(End::Enough);
                }
            } else if self.marks.pop().is_some() {
                self.path.pop();
            } else {
                return Ok(self.common.end());
            }
        }
    }

    /// Takes the last state that waits; if it is new, puts it on the path.
    fn enter(&mut self) -> Result<bool, Exhausted> {
        let Some(&whole) = self.waiting.list.last() else { return Ok(false) };
        let depth = self.marks.len() as u64;
        let is_new = if self.common.meter.is_too_deep(depth) {
            self.common.meter.is_cut |= !self.common.filter.contains(whole.hash);
            false
        } else {
            self.common.enter(whole.hash, whole.is_transient, self.beside())?
        };
        if is_new {
            let state = self.waiting.state(whole);
            let beside = self.common.held() + self.waiting.held() + self.marks_held();
            self.path.make_room(state.len(), beside, &self.common.meter)?;
            self.path.push(state, whole.hash, whole.is_transient);
        }
        self.waiting.pop();
        if is_new {
            if self.marks.len() == self.marks.capacity() {
                let held = self.common.held() + self.beside();
                room::grow(&mut self.marks, 1, held, &self.common.meter)?;
            }
            self.marks.push(self.waiting.list.len());
            self.common.meter.statistics.depth = self.common.meter.statistics.depth.max(depth);
        }
        Ok(is_new)
    }

    /// Puts the successors of the last state of the path on those that wait, and looks at what went wrong.
    fn visit(&mut self) -> Result<(), Exhausted> {
        let Some(&top) = self.path.list.last() else { return Ok(()) };
        let beside = self.beside();
        self.common.expand(self.path.state(top), beside)?;
        let expansion = &self.common.expansion;
        for target in expansion.targets.iter().rev().filter(|target| !self.common.filter.contains(target.hash)) {
            let state = expansion.state(target);
            let beside = self.common.held() + self.path.held() + self.marks_held();
            self.waiting.make_room(state.len(), beside, &self.common.meter)?;
            self.waiting.push(state, target.hash, target.is_transient);
        }
        let (depth, beside, along) = (self.path.list.len() as u64 - 1, self.beside(), &self.path);
        self.common.inspect(self.path.state(top), depth, beside, |system, scratch, meter| {
            let mut path = Path::new();
            for pair in along.list.windows(2) {
                let goal = Goal::State(along.state(pair[1]));
                path.extend(system, scratch, along.state(pair[0]), goal, meter.rebuilding_budget())?;
            }
            Ok(Some(path))
        })
    }

    /// The bytes held beside what is common.
    fn beside(&self) -> u64 {
        self.path.held() + self.waiting.held() + self.marks_held()
    }

    fn marks_held(&self) -> u64 {
        (self.marks.capacity() * size_of::<usize>()) as u64
    }
}
