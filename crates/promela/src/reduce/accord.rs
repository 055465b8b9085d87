//! The laws of the tables, as a test for any program.
//!
//! *Accord.* In each state, up to a limit, each pair of possible steps of different processes is tried in both orders. If the
//! tables call them independent, each must still be possible after the other, and both orders must lead to the same states. So
//! no step reads or writes more than the tables say.
//!
//! *Waking.* If a step of one process makes a step of another one possible, the tables must say that it may.
//!
//! Steps into atomic sequences and steps of two processes are left out: the former end in several ways, the latter conflict
//! with everything that their processes do. So are programs with `timeout`, which is true only where everything is explored.

use super::choice::{Chooser, Memory};
use super::instance::Tables;
use super::mutant::Mutant;
use crate::compiled::successors::NO_EDGE;
use crate::compiled::{Model, ModelStep};
use kernel::budget::Budget;
use kernel::system::{System, record};
use std::collections::{BTreeSet, VecDeque};

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Pairs of steps that the tables call independent, each of which was tried.
    pub independent: u64,
    /// Pairs that they call dependent.
    pub dependent: u64,
    /// Steps that another step made possible.
    pub woken: u64,
}

/// Compares the tables of a model with its steps, in at most `limit` states.
///
/// # Errors
/// The first pair of steps that breaks a law, in words.
///
/// # Panics
/// Never: there are no limits.
pub fn accord(model: &Model, mutant: Option<Mutant>, limit: usize) -> Result<Pairs, String> {
    let mut pairs = Pairs::default();
    if super::obstacle(model).is_some() || model.uses_timeout {
        return Ok(pairs);
    }
    let tables = Tables::new(model, None, mutant, &Budget::unlimited()).expect("no limit");
    let mut trial = Trial {
        model,
        chooser: Chooser::new(model, tables, mutant),
        memory: Memory::default(),
        scratch: model.scratch(),
    };
    let mut initial = Vec::new();
    model.initial(&mut initial);
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut queue = VecDeque::from([initial]);
    while let Some(state) = queue.pop_front() {
        if trial.scratch.shape().read(model, &state).is_none() {
            trial.state(&state, &mut pairs)?;
        }
        for (_, next, _) in record(model, &mut trial.scratch, &state).successors {
            if seen.len() < limit && seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
    Ok(pairs)
}

struct Trial<'m> {
    model: &'m Model,
    chooser: Chooser,
    memory: Memory,
    scratch: <Model as System>::Scratch,
}

impl Trial<'_> {
    /// Tries the steps of one state.
    fn state(&mut self, state: &[u8], pairs: &mut Pairs) -> Result<(), String> {
        let here = self.steps(state);
        let all = record(self.model, &mut self.scratch, state);
        let steps = all.successors.iter().map(|(step, ..)| step).chain(all.faults.iter().map(|(step, _)| step));
        let possible: BTreeSet<(u16, u32)> = steps.map(|step| (step.pid, step.edge)).collect();
        for (number, (one, after_one)) in here.iter().enumerate() {
            for (two, after_two) in here[number + 1..].iter().filter(|(two, _)| two.pid != one.pid) {
                if self.relation(state, (*one, *two)).0 {
                    pairs.dependent += 1;
                    continue;
                }
                pairs.independent += 1;
                let (there, here) = (self.then(after_one, *two), self.then(after_two, *one));
                if there.is_empty() || there.is_disjoint(&here) {
                    return Err(self.broken("do not accord", state, (*one, *two)));
                }
            }
            for (woken, _) in self.steps(after_one) {
                let is_there = usize::from(woken.pid) < self.processes(state);
                if woken.pid == one.pid || !is_there || possible.contains(&(woken.pid, woken.edge)) {
                    continue;
                }
                pairs.woken += 1;
                if !self.relation(state, (woken, *one)).1 {
                    return Err(self.broken("are the one that the other wakes", state, (woken, *one)));
                }
            }
        }
        Ok(())
    }

    /// The steps that lead from a state to one between steps, each of one process.
    fn steps(&mut self, state: &[u8]) -> Vec<(ModelStep, Vec<u8>)> {
        let all = record(self.model, &mut self.scratch, state).successors.into_iter();
        let plain = all.filter(|(step, _, transient)| !transient && step.receive == NO_EDGE);
        plain.map(|(step, state, _)| (step, state)).collect()
    }

    /// The states to which a step leads.
    fn then(&mut self, state: &[u8], wanted: ModelStep) -> BTreeSet<Vec<u8>> {
        self.steps(state).into_iter().filter(|(step, _)| *step == wanted).map(|(_, state)| state).collect()
    }

    fn processes(&mut self, state: &[u8]) -> usize {
        let shape = self.scratch.shape();
        shape.read(self.model, state);
        shape.bases.len()
    }

    fn relation(&mut self, state: &[u8], steps: (ModelStep, ModelStep)) -> (bool, bool) {
        let shape = self.scratch.shape();
        shape.read(self.model, state);
        self.chooser.relation(self.model, &mut self.memory, shape, state, steps)
    }

    fn broken(&self, what: &str, state: &[u8], (one, two): (ModelStep, ModelStep)) -> String {
        let (one, two) = (self.model.step(one), self.model.step(two));
        format!("{one:?} and {two:?} {what} in {:?}", self.model.snapshot(state))
    }
}
