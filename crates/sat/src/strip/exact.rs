//! As few values as possible, counted over all positions, by search.
//!
//! What: the algorithm of `symbolic::strip::exact` with a solver in the place of decision diagrams. At each position, only the minimal
//! choices for a given next cube matter. They are hitting sets [reiter.87.ai]: a choice must have, for each state that breaks the
//! promise, a variable in which that state differs from the one of the trace. Inputs that demands mention are chosen first, in every
//! way; around a loop every choice at its entry is tried, smallest first.
//!
//! Contract: gives up (none) after [`MOST_TESTS`] questions, with too many variables, or where one has no answer;
//! otherwise the result is a minimum.

use kernel::budget::Exhausted;

use super::promise::{Answer, Kept, Promise};
use crate::solver::Sat;

/// The most questions about a position.
const MOST_TESTS: usize = 4_000;

/// The most variables among which a minimum is sought.
const MOST_VARIABLES: usize = 16;

/// The most inputs of a position all choices of which are tried.
const MOST_INPUTS: usize = 6;

/// A minimum, if it can be found; `known` is any solution, as a bound.
pub(super) fn strip<S: Sat>(promise: &mut Promise<'_, '_, S>, known: &[Kept]) -> Result<Option<Vec<Kept>>, Exhausted> {
    let last = known.len() - 1;
    let states: Vec<usize> =
        (0..promise.groups.len()).filter(|group| !promise.groups[*group].latches.is_empty()).collect();
    let loop_start = promise.trace().loop_start;
    if loop_start.is_some() && states.len() > MOST_VARIABLES {
        return Ok(None);
    }
    let whole: Vec<Kept> = (0..known.len()).map(|position| promise.whole(position)).collect();
    let best = known.iter().map(size).sum();
    let mut search = Search { promise, states, current: whole, best, found: known.to_vec(), tests: 0, is_open: false };
    match loop_start {
        None => search.position(last, 0, None)?,
        Some(start) => {
            let mut entries: Vec<u32> = (0..1_u32 << search.states.len()).collect();
            entries.sort_by_key(|entry| entry.count_ones());
            for entry in entries {
                if entry.count_ones() as usize >= search.best || search.is_over() {
                    break;
                }
                for (at, group) in search.states.clone().into_iter().enumerate() {
                    search.current[start][group] = entry >> at & 1 == 1;
                }
                let fixed = search.current[start].clone();
                search.position(last, 0, Some((start, &fixed)))?;
            }
        }
    }
    let is_complete = !search.is_over();
    Ok(is_complete.then_some(search.found))
}

fn size(kept: &Kept) -> usize {
    kept.iter().filter(|is_kept| **is_kept).count()
}

struct Search<'a, 'd, 'm, S> {
    promise: &'a mut Promise<'d, 'm, S>,
    /// The groups that are variables of the state.
    states: Vec<usize>,
    /// What is kept at the positions that are chosen; the last ones first.
    current: Vec<Kept>,
    best: usize,
    found: Vec<Kept>,
    tests: usize,
    is_open: bool,
}

impl<S: Sat> Search<'_, '_, '_, S> {
    fn is_over(&self) -> bool {
        self.is_open || self.tests > MOST_TESTS
    }

    /// Tries all minimal choices at a position, given those behind it, which keep `total` values.
    fn position(&mut self, position: usize, total: usize, entry: Option<(usize, &Kept)>) -> Result<(), Exhausted> {
        let whole = self.promise.whole(position);
        let is_state = |group: &usize| self.states.contains(group);
        let inputs: Vec<usize> = (0..whole.len()).filter(|group| whole[*group] && !is_state(group)).collect();
        if inputs.len() > MOST_INPUTS {
            self.is_open = true;
            return Ok(());
        }
        let mut subsets: Vec<u32> = (0..1_u32 << inputs.len()).collect();
        subsets.sort_by_key(|subset| subset.count_ones());
        for subset in subsets {
            let mut base = vec![false; whole.len()];
            inputs.iter().enumerate().for_each(|(at, group)| base[*group] = subset >> at & 1 == 1);
            let choices = match entry {
                Some((start, fixed)) if start == position => {
                    self.states.iter().for_each(|group| base[*group] = fixed[*group]);
                    self.current[position] = base.clone();
                    self.tests += 1;
                    match self.promise.holds_at(&self.current, position)? {
                        Answer::Keeps(_) => vec![base],
                        Answer::Breaks(_) => Vec::new(),
                        Answer::Open => {
                            self.is_open = true;
                            Vec::new()
                        }
                    }
                }
                _ => self.minimal(position, &base, self.best.saturating_sub(total))?,
            };
            for choice in choices {
                let total = total + size(&choice);
                if total >= self.best || self.is_over() {
                    continue;
                }
                self.current[position] = choice;
                if position == 0 {
                    (self.best, self.found) = (total, self.current.clone());
                } else {
                    self.position(position - 1, total, entry)?;
                }
            }
        }
        Ok(())
    }

    /// The minimal choices of fewer than `bound` values that extend a choice of inputs.
    fn minimal(&mut self, position: usize, base: &Kept, bound: usize) -> Result<Vec<Kept>, Exhausted> {
        let mut found: Vec<Kept> = Vec::new();
        // Choices to extend, each with the variables that others already try.
        let mut pending = vec![(base.clone(), vec![false; base.len()])];
        while let Some((chosen, mut excluded)) = pending.pop() {
            if size(&chosen) >= bound || self.is_over() {
                continue;
            }
            self.tests += 1;
            self.current[position].clone_from(&chosen);
            match self.promise.holds_at(&self.current, position)? {
                Answer::Keeps(_) => found.push(chosen),
                Answer::Open => self.is_open = true,
                Answer::Breaks(state) => {
                    for group in self.differences(position, &state) {
                        if !excluded[group] && !chosen[group] {
                            let mut more = chosen.clone();
                            more[group] = true;
                            pending.push((more, excluded.clone()));
                            excluded[group] = true;
                        }
                    }
                }
            }
        }
        found.sort_by_key(size);
        let mut minimal: Vec<Kept> = Vec::new();
        for choice in found {
            let contains = |smaller: &Kept| smaller.iter().zip(&choice).all(|(a, b)| !a || *b);
            if !minimal.iter().any(contains) {
                minimal.push(choice);
            }
        }
        Ok(minimal)
    }

    /// The variables in which a state differs from the one of the trace.
    fn differences(&self, position: usize, state: &[bool]) -> Vec<usize> {
        let own = &self.promise.trace().states[position];
        let differs = |group: &usize| self.promise.groups[*group].latches.iter().any(|at| own[*at] != state[*at]);
        self.states.iter().copied().filter(differs).collect()
    }
}
