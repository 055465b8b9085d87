//! Facts against the reachable states: the slow twin of mining, which believes nothing.
//!
//! *What.* [`Space::explore`] walks breadth first over the states of a model; [`Space::refuted`] evaluates atoms in all of
//! them, and looks for a fact that a state, a step, or what can be reached behind a state contradicts.
//!
//! *Contract.* If a fact is refuted, it is wrong. If none is and the space [is complete](Space::is_complete), all of them
//! hold on every run. The states inside atomic sequences are looked at, too. Memory grows with the number of states, within
//! the budget; its depth is the number of steps to a state.
//!
//! *Used by* `lariat check --check-facts` and by the tests of mining (`crates/testbench/tests/promela_facts.rs`).

use super::{Constraint, Fact, Facts, Literal};
use crate::compiled::Model;
use crate::thresholds::mine::{BYTES_PER_STATE, STATES_PER_LOOK};
use crate::typed::Expr;
use kernel::budget::{Budget, Exhausted};
use kernel::system::{System, record};
use std::collections::BTreeMap;

/// The reachable states of a model, as far as they were visited.
#[derive(Debug)]
pub struct Space {
    states: Vec<Vec<u8>>,
    steps: Vec<Vec<usize>>,
    cut: Option<Cut>,
}

/// Why states were left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// There are more than were asked for.
    States,
    /// The budget was used up.
    Budget(Exhausted),
}

impl Space {
    /// Visits the states of a model, about `most` at most, and as far as the budget goes.
    #[must_use]
    pub fn explore(model: &Model, most: usize, budget: &Budget) -> Self {
        let (mut first, mut scratch) = (Vec::new(), model.scratch());
        model.initial(&mut first);
        let mut numbers = BTreeMap::from([(first.clone(), 0)]);
        let mut space = Space { states: vec![first], steps: Vec::new(), cut: None };
        // States before `level` are as many steps away as this one, or fewer.
        let (mut bytes, mut depth, mut level) = (0, 0, 1);
        while let Some(state) = space.states.get(space.steps.len()).cloned() {
            let at = space.steps.len();
            if at == level {
                (depth, level) = (depth + 1, space.states.len());
            }
            let exhausted = if at.is_multiple_of(STATES_PER_LOOK) { budget.exhausted(bytes) } else { None };
            let full = (space.states.len() > most).then_some(Cut::States);
            if let Some(cut) = exhausted.map(Cut::Budget).or(full) {
                space.cut = Some(cut);
                break;
            }
            let mut steps = Vec::new();
            for (_, next, _) in record(model, &mut scratch, &state).successors {
                let known = numbers.len();
                if let Some(number) = numbers.get(&next) {
                    steps.push(*number);
                } else if budget.depth.is_some_and(|most| depth >= most) {
                    space.cut = Some(Cut::Budget(Exhausted::Depth));
                } else {
                    bytes += 2 * next.len() as u64 + BYTES_PER_STATE;
                    numbers.insert(next.clone(), known);
                    space.states.push(next);
                    steps.push(known);
                }
            }
            space.steps.push(steps);
        }
        space.steps.resize_with(space.states.len(), Vec::new);
        space
    }

    /// How many states were visited.
    #[must_use]
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// Whether these are all states that can be reached.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.cut.is_none()
    }

    /// Why some states were left out, if some were.
    #[must_use]
    pub fn cut(&self) -> Option<Cut> {
        self.cut
    }

    /// A fact about atoms that does not hold, and the number of a state that shows it.
    ///
    /// # Errors
    /// If the budget is used up before all facts were looked up.
    pub fn refuted<'f>(
        &self,
        model: &Model,
        atoms: &[(String, Expr)],
        facts: &'f Facts,
        budget: &Budget,
    ) -> Result<Option<(&'f Fact, usize)>, Exhausted> {
        let compiled = model.atoms(atoms.iter().map(|(_, expr)| expr));
        let mut scratch = model.scratch();
        let mut truth: Vec<Vec<bool>> = Vec::with_capacity(self.states.len());
        for (number, state) in self.states.iter().enumerate() {
            if number.is_multiple_of(STATES_PER_LOOK) {
                budget.exhausted(0).map_or(Ok(()), Err)?;
            }
            truth.push(model.truth(&mut scratch, &compiled, state).map(|truth| truth == Some(true)).collect());
        }
        for fact in &facts.all {
            budget.exhausted(0).map_or(Ok(()), Err)?;
            if let Some(state) = self.contradiction(&truth, &fact.constraint) {
                return Ok(Some((fact, state)));
            }
        }
        Ok(None)
    }

    /// The first state that contradicts a constraint.
    fn contradiction(&self, truth: &[Vec<bool>], constraint: &Constraint) -> Option<usize> {
        let holds = |state: usize, literal: &Literal| truth[state][literal.atom] == literal.on;
        let column = |atom: usize| truth.iter().map(|row| row[atom]).collect::<Vec<bool>>();
        let mut all = 0..self.states.len();
        match constraint {
            Constraint::Clause(literals) => all.find(|state| !literals.iter().any(|l| holds(*state, l))),
            Constraint::Initially(literal) => (!holds(0, literal)).then_some(0),
            Constraint::Stable(literal) => {
                all.find(|from| holds(*from, literal) && self.steps[*from].iter().any(|to| !holds(*to, literal)))
            }
            Constraint::Never { after, atom } => {
                let reach = self.can_reach(&column(*atom));
                all.find(|state| truth[*state][*after] && reach[*state])
            }
            Constraint::Once(atom) => {
                let reach = self.can_reach(&column(*atom));
                all.find(|from| {
                    truth[*from][*atom] && self.steps[*from].iter().any(|to| !truth[*to][*atom] && reach[*to])
                })
            }
        }
    }

    /// The states from which a state that holds can be reached, itself included.
    fn can_reach(&self, holds: &[bool]) -> Vec<bool> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        for (from, steps) in self.steps.iter().enumerate() {
            for to in steps {
                before[*to].push(from);
            }
        }
        let mut reach = holds.to_vec();
        let mut pending: Vec<usize> = (0..holds.len()).filter(|state| holds[*state]).collect();
        while let Some(state) = pending.pop() {
            for from in &before[state] {
                if !std::mem::replace(&mut reach[*from], true) {
                    pending.push(*from);
                }
            }
        }
        reach
    }
}
