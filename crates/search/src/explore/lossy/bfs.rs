//! Breadth first: the states of two levels are kept whole, and paths are found again.

use super::super::path::Goal;
use super::super::{End, Path, Report};
use super::states::{States, Whole};
use super::{Common, trace};
use crate::store::exact::StateHash;
use kernel::budget::Exhausted;
use kernel::system::System;

pub(super) fn search<M: System>(common: Common<'_, M>) -> Report<M> {
    let mut search = Search { common, level: States::default(), next: States::default(), depth: 0 };
    let end = search.run().unwrap_or_else(End::Limit);
    let beside = search.beside();
    search.common.report(end, beside)
}

struct Search<'a, M: System> {
    common: Common<'a, M>,
    level: States,
    next: States,
    /// Steps from the initial state to the states of `level`.
    depth: u64,
}

impl<M: System> Search<'_, M> {
    fn run(&mut self) -> Result<End, Exhausted> {
        let mut initial = Vec::new();
        self.common.system.initial(&mut initial);
        self.level.push(&initial, StateHash::of(&initial), false);
        self.common.enter(StateHash::of(&initial), false, 0)?;
        while !self.level.list.is_empty() {
            for index in 0..self.level.list.len() {
                self.visit(self.level.list[index])?;
                if self.common.is_enough() {
                    return Ok(End::Enough);
                }
            }
            std::mem::swap(&mut self.level, &mut self.next);
            self.next.clear();
            self.depth += 1;
        }
        Ok(self.common.end())
    }

    fn visit(&mut self, source: Whole) -> Result<(), Exhausted> {
        let beside = self.beside();
        let state = self.level.state(source);
        self.common.expand(state, beside)?;
        let held = self.common.held() + beside;
        self.common.inspect(state, self.depth, beside, |system, scratch, meter| {
            let Some(states) = trace::to(system, scratch, state, meter, held)? else { return Ok(None) };
            let mut path = Path::new();
            for pair in states.windows(2) {
                path.extend(system, scratch, &pair[0], Goal::State(&pair[1]), meter.rebuilding_budget())?;
            }
            Ok(Some(path))
        })?;
        for index in 0..self.common.expansion.targets.len() {
            let target = self.common.expansion.targets[index];
            if self.common.filter.contains(target.hash) || !self.common.meter.allows(self.depth + 1) {
                continue;
            }
            self.common.enter(target.hash, target.is_transient, self.beside())?;
            let state = self.common.expansion.state(&target);
            let beside = self.common.held() + self.level.held();
            self.next.make_room(state.len(), beside, &self.common.meter)?;
            self.next.push(state, target.hash, target.is_transient);
        }
        Ok(())
    }

    /// The bytes held beside what is common.
    fn beside(&self) -> u64 {
        self.level.held() + self.next.held()
    }
}
