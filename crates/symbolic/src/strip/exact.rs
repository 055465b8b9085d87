//! As few variables as possible, counted over all positions, by search.
//!
//! What: among all choices of variables for each position whose cubes keep the promise, one with the smallest total.
//! Contract: gives up (none) where more than [`LIMIT`] inclusions would have to be tested, or with more than
//! [`MAX_VARIABLES`] variables; otherwise the result is a minimum. A larger cube at one position only helps the position
//! before it, so at each position only the minimal choices for a given next cube matter; they are searched with the best
//! total so far as bound. A choice is good if it hits, for each state that must be kept out, a variable in which that
//! state differs: the choices are the hitting sets of these differences, found one difference at a time
//! ([reiter.87.ai]). Inputs that the demands at a position mention are chosen first, in every way. For a loop every choice at its entry is tried, smallest first. Tested against all choices on small
//! machines.

use bdd::{Bdd, Cube, Variable};

use super::{Frame, PositionValues, Variables};
use kernel::budget::Exhausted;

/// Inclusions that are tested before giving up.
pub const LIMIT: usize = 200_000;

/// Variables up to which a minimum is looked for.
pub const MAX_VARIABLES: usize = 128;

/// Inputs mentioned at one position up to which all choices of them are tried.
const MAX_INPUTS: usize = 8;

/// A choice of variables, one bit for each.
type Choice = u128;

/// A minimum, if it can be found; `known` is any solution, as a bound.
///
/// # Errors
/// Where a limit was reached.
pub fn strip(
    frame: &Frame<'_, '_>,
    known: &[PositionValues],
    variables: &Variables,
) -> Result<Option<Vec<PositionValues>>, Exhausted> {
    // What the property cannot depend on is never needed in place of something else.
    let outside = variables.outside();
    let used = if known.iter().any(|place| place.uses(&outside)) { 0 } else { variables.outside };
    let groups = &variables.groups[used..];
    let of_state = |bits: &&Vec<Variable>| bits.iter().all(|bit| frame.states()[0].value(*bit).is_some());
    let states: Vec<Vec<Variable>> = groups.iter().filter(of_state).cloned().collect();
    let Some(inputs) = input_choices(frame, groups, variables) else { return Ok(None) };
    if states.len() > MAX_VARIABLES {
        return Ok(None);
    }
    let bound = known.iter().map(|place| variables.used(place)).sum();
    let mut search = Search { frame, groups: &states, inputs, best: bound, found: known.to_vec(), tests: 0 };
    let last = frame.states().len() - 1;
    match frame.path().loop_start {
        None => search.position(last, None, &mut Vec::new(), 0, None)?,
        Some(start) => {
            for size in 0..=states.len() {
                let mut choice = Some(smallest(size));
                while let Some(chosen) = choice.filter(|_| size < search.best && search.tests <= LIMIT) {
                    let entry = search.cube(start, chosen);
                    let set = frame.manager().cube(&entry);
                    search.position(last, Some(set), &mut Vec::new(), 0, Some((start, &entry)))?;
                    choice = following(chosen, states.len());
                }
            }
        }
    }
    Ok((search.tests <= LIMIT).then_some(search.found))
}

/// For each position all choices of the inputs mentioned there, as cubes with their size, smallest first.
fn input_choices(
    frame: &Frame<'_, '_>,
    groups: &[Vec<Variable>],
    variables: &Variables,
) -> Option<Vec<Vec<(usize, Cube)>>> {
    let at = |position: usize| {
        let input = frame.whole(position, variables).input;
        let literals = |bits: &Vec<Variable>| -> Vec<(Variable, bool)> {
            bits.iter().filter_map(|bit| Some((*bit, input.value(*bit)?))).collect()
        };
        let mentioned: Vec<_> = groups.iter().map(literals).filter(|literals| !literals.is_empty()).collect();
        if mentioned.len() > MAX_INPUTS {
            return None;
        }
        let choice = |chosen: usize| {
            let picked = mentioned.iter().enumerate().filter(|(index, _)| chosen >> index & 1 == 1);
            let literals = picked.flat_map(|(_, literals)| literals.iter().copied());
            (chosen.count_ones() as usize, Cube::new(literals).expect("each bit once"))
        };
        let mut choices: Vec<(usize, Cube)> = (0..1 << mentioned.len()).map(choice).collect();
        choices.sort_by_key(|(size, _)| *size);
        Some(choices)
    };
    (0..frame.states().len()).map(at).collect()
}

/// The first `size` variables.
fn smallest(size: usize) -> Choice {
    if size == MAX_VARIABLES { Choice::MAX } else { (1 << size) - 1 }
}

/// The next larger number with as many ones, if it has no more than `count` digits.
fn following(chosen: Choice, count: usize) -> Option<Choice> {
    if chosen == 0 {
        return None;
    }
    let lowest = chosen & chosen.wrapping_neg();
    let carried = chosen.checked_add(lowest)?;
    let next = carried | (((chosen ^ carried) >> 2) / lowest);
    (next & !smallest(count) == 0).then_some(next)
}

fn used(cube: &Cube, groups: &[Vec<Variable>]) -> usize {
    groups.iter().filter(|group| group.iter().any(|bit| cube.value(*bit).is_some())).count()
}

struct Search<'a, 'f, 's> {
    frame: &'a Frame<'f, 's>,
    /// The bits of each variable of the state.
    groups: &'a [Vec<Variable>],
    /// The choices of inputs at each position, with their sizes.
    inputs: Vec<Vec<(usize, Cube)>>,
    best: usize,
    found: Vec<PositionValues>,
    tests: usize,
}

impl Search<'_, '_, '_> {
    /// The cube of the chosen variables at a position.
    fn cube(&self, position: usize, chosen: Choice) -> Cube {
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
        later: &mut Vec<PositionValues>,
        total: usize,
        entry: Option<(usize, &Cube)>,
    ) -> Result<(), Exhausted> {
        for (size, input) in self.inputs[position].clone() {
            let total = total + size;
            if total >= self.best || self.tests > LIMIT {
                break;
            }
            let allowed = self.frame.allowed(position, &input, next.as_ref())?;
            let choices = match entry {
                Some((start, cube)) if start == position => {
                    self.tests += 1;
                    let fits = self.frame.manager().cube(cube).try_implies(&allowed)?;
                    if fits { vec![cube.clone()] } else { Vec::new() }
                }
                _ => self.minimal(position, &allowed, self.best.saturating_sub(total))?,
            };
            for state in choices {
                let total = total + used(&state, self.groups);
                if total >= self.best || self.tests > LIMIT {
                    continue;
                }
                let set = self.frame.manager().cube(&state);
                later.push(PositionValues { state, input: input.clone() });
                if position == 0 {
                    self.best = total;
                    self.found = later.iter().rev().cloned().collect();
                } else {
                    self.position(position - 1, Some(set), later, total, entry)?;
                }
                later.pop();
            }
        }
        Ok(())
    }

    /// The minimal choices of fewer than `bound` variables whose cube lies in a set, smallest first.
    fn minimal(&mut self, position: usize, allowed: &Bdd, bound: usize) -> Result<Vec<Cube>, Exhausted> {
        let mut found: Vec<Choice> = Vec::new();
        // Choices to extend, each with the variables that others already try.
        let mut pending: Vec<(Choice, Choice)> = vec![(0, 0)];
        while let Some((chosen, excluded)) = pending.pop() {
            self.tests += 1;
            if self.tests > LIMIT {
                break;
            }
            let kept_out = self.frame.manager().cube(&self.cube(position, chosen)).try_and(&!allowed)?;
            let Some(outside) = kept_out.one_cube() else {
                found.push(chosen);
                continue;
            };
            if chosen.count_ones() as usize + 1 >= bound {
                continue;
            }
            let mut excluded = excluded;
            for index in self.differences(position, &outside) {
                let variable = 1 << index;
                if excluded & variable == 0 {
                    pending.push((chosen | variable, excluded));
                    excluded |= variable;
                }
            }
        }
        found.sort_by_key(|choice| (choice.count_ones(), *choice));
        let mut minimal: Vec<Choice> = Vec::new();
        for choice in found {
            if minimal.iter().all(|smaller| smaller & choice != *smaller) {
                minimal.push(choice);
            }
        }
        Ok(minimal.into_iter().map(|choice| self.cube(position, choice)).collect())
    }

    /// The variables in which a cube differs from the state at a position.
    fn differences(&self, position: usize, cube: &Cube) -> Vec<usize> {
        let state = &self.frame.states()[position];
        let differs = |bit: &Variable| cube.value(*bit).is_some_and(|value| state.value(*bit) != Some(value));
        let groups = self.groups.iter().enumerate().filter(|(_, bits)| bits.iter().any(differs));
        groups.map(|(index, _)| index).collect()
    }
}
