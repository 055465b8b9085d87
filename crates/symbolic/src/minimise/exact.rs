//! As few variables as possible, counted over all positions, by search.
//!
//! What: among all choices of variables for each position whose cubes keep the promise, one with the smallest total.
//! Contract: gives up (none) where more than [`LIMIT`] inclusions would have to be tested; otherwise the result is a
//! minimum. A larger cube at one position only helps the position before it, so at each position only the minimal
//! choices for a given next cube matter; they are searched with the best total so far as bound. For a loop every choice at
//! its entry is tried, smallest first. Tested against all choices on small machines.

use bdd::{Bdd, Cube, Variable};

use super::Frame;
use crate::stop::Step;

/// Inclusions that are tested before giving up.
pub const LIMIT: usize = 200_000;

/// A minimum, if it can be found; `known` is any solution, as a bound.
///
/// # Errors
/// Where a limit was reached.
pub fn strip(frame: &Frame<'_, '_>, known: &[Cube], groups: &[Vec<Variable>]) -> Step<Option<Vec<Cube>>> {
    if groups.len() > 14 {
        return Ok(None);
    }
    let bound = known.iter().map(|cube| used(cube, groups)).sum();
    let mut search = Search { frame, groups, best: bound, found: known.to_vec(), tests: 0 };
    let last = frame.states().len() - 1;
    match frame.path().loop_start {
        None => search.position(last, None, &mut Vec::new(), 0, None)?,
        Some(start) => {
            let mut entries: Vec<u32> = (0..1_u32 << groups.len()).collect();
            entries.sort_by_key(|chosen| (chosen.count_ones(), *chosen));
            for chosen in entries {
                if chosen.count_ones() as usize >= search.best || search.tests > LIMIT {
                    break;
                }
                let entry = search.cube(start, chosen);
                let set = frame.manager().cube(&entry);
                search.position(last, Some(set), &mut Vec::new(), 0, Some((start, &entry)))?;
            }
        }
    }
    Ok((search.tests <= LIMIT).then_some(search.found))
}

fn used(cube: &Cube, groups: &[Vec<Variable>]) -> usize {
    groups.iter().filter(|group| group.iter().any(|bit| cube.value(*bit).is_some())).count()
}

struct Search<'a, 'f, 's> {
    frame: &'a Frame<'f, 's>,
    groups: &'a [Vec<Variable>],
    best: usize,
    found: Vec<Cube>,
    tests: usize,
}

impl Search<'_, '_, '_> {
    /// The cube of the chosen variables at a position.
    fn cube(&self, position: usize, chosen: u32) -> Cube {
        let state = &self.frame.states()[position];
        let groups = self.groups.iter().enumerate().filter(|(index, _)| chosen >> index & 1 == 1);
        let literals =
            groups.flat_map(|(_, bits)| bits.iter().map(|bit| (*bit, state.value(*bit).expect("a state's bit"))));
        Cube::new(literals).expect("each bit once")
    }

    /// Tries all minimal cubes at a position, given the next one; `later` holds those behind it, last first.
    fn position(
        &mut self,
        position: usize,
        next: Option<Bdd>,
        later: &mut Vec<Cube>,
        total: usize,
        entry: Option<(usize, &Cube)>,
    ) -> Step<()> {
        let allowed = self.frame.allowed(position, next.as_ref())?;
        let choices = match entry {
            Some((start, cube)) if start == position => {
                self.tests += 1;
                let fits = self.frame.manager().cube(cube).try_implies(&allowed)?;
                if fits { vec![cube.clone()] } else { Vec::new() }
            }
            _ => self.minimal(position, &allowed, self.best.saturating_sub(total))?,
        };
        for cube in choices {
            let total = total + used(&cube, self.groups);
            if total >= self.best || self.tests > LIMIT {
                continue;
            }
            later.push(cube.clone());
            if position == 0 {
                self.best = total;
                self.found = later.iter().rev().cloned().collect();
            } else {
                let set = self.frame.manager().cube(&cube);
                self.position(position - 1, Some(set), later, total, entry)?;
            }
            later.pop();
        }
        Ok(())
    }

    /// The minimal choices of fewer than `bound` variables whose cube lies in a set, smallest first.
    fn minimal(&mut self, position: usize, allowed: &Bdd, bound: usize) -> Step<Vec<Cube>> {
        let mut chosen: Vec<u32> = Vec::new();
        let mut all: Vec<u32> = (0..1_u32 << self.groups.len()).filter(|c| (c.count_ones() as usize) < bound).collect();
        all.sort_by_key(|choice| (choice.count_ones(), *choice));
        for candidate in all {
            if chosen.iter().any(|smaller| smaller & candidate == *smaller) {
                continue;
            }
            self.tests += 1;
            if self.tests > LIMIT {
                break;
            }
            if self.frame.manager().cube(&self.cube(position, candidate)).try_implies(allowed)? {
                chosen.push(candidate);
            }
        }
        Ok(chosen.into_iter().map(|choice| self.cube(position, choice)).collect())
    }
}
