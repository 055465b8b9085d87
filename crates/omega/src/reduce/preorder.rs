//! Which states can do what which others can: the greatest preorder of its kind, along edges or against them.
//!
//! What: every state has moves, each with a label, marks and a state at its other end. [`Preorder::of`] computes the
//! greatest preorder in which `p ≤ q` implies: for each move of `p` and each letter of its label, `q` has a move under
//! this letter with at least the same marks to a state at least as high; and if `p` has a flag, so has `q`. States of
//! different colours are not compared. With the moves along edges this is direct simulation, with the moves against
//! them reverse simulation.
//!
//! How: start with all pairs, look at each once, and again when a pair that an answer may have relied on is removed.
//! [`Preorder::moves`] then gives the moves of the quotient, without those that others exceed.
//!
//! Contract: at most `SIMULATED_STATES` states, `MAX_CLASSES` classes of letters and `SIMULATION_WORK`
//! comparisons of moves; beyond, [`Preorder::of`] gives none. Quadratic in the states at least; at most quadratic in the edges times the states squared.
//!
//! Source: the fixpoint of the definition. Signatures as decision diagrams, as in [babiak.13.spin], were tried first:
//! they are as fast on automata with little choice and exponential where a state has many moves under one letter.
//! Tested by: a literal computation of the relation with decision diagrams (below).

use crate::thresholds::reduce::{SIMULATED_STATES, SIMULATION_WORK};
use std::collections::BTreeMap;

use bdd::{Bdd, Manager};
use kernel::budget::{Budget, Exhausted};

use super::letters::{Alphabet, LetterSet};
use crate::automaton::Marks;

/// The label of the moves with a common end and common marks.
pub(crate) type Labels = BTreeMap<(usize, Marks), Bdd>;

/// A move of a state.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub(crate) label: Bdd,
    pub(crate) marks: Marks,
    /// The state at the other end.
    pub(crate) end: u32,
}

/// The moves between which a preorder is computed.
pub(crate) struct Moves {
    pub(crate) manager: Manager,
    /// The moves of each state.
    pub(crate) of: Vec<Vec<Move>>,
    pub(crate) flags: Vec<bool>,
    pub(crate) colours: Vec<u32>,
}

/// A move whose label is a set of letters.
#[derive(Clone, Copy)]
struct Step {
    /// The number of the label.
    label: usize,
    marks: Marks,
    end: usize,
}

/// The order of states.
pub(crate) struct Preorder {
    alphabet: Alphabet,
    steps: Vec<Vec<Step>>,
    /// Whether one state is at most another, row by row.
    related: Vec<bool>,
}

impl Preorder {
    pub(crate) fn of(moves: &Moves, budget: &Budget) -> Result<Option<Self>, Exhausted> {
        if moves.of.len() > SIMULATED_STATES {
            return Ok(None);
        }
        let labels = moves.of.iter().flatten().map(|step| &step.label);
        let Some(alphabet) = Alphabet::of(&moves.manager, labels, budget)? else { return Ok(None) };
        let step =
            |step: &Move| Step { label: alphabet.number(&step.label), marks: step.marks, end: step.end as usize };
        let steps: Vec<Vec<Step>> = moves.of.iter().map(|list| list.iter().map(step).collect()).collect();
        let mut order = Preorder { alphabet, steps, related: Vec::new() };
        order.related = order.comparable(moves);
        Ok(order.refine(budget)?.then_some(order))
    }

    /// For each pair of states whether the second has the colour of the first, its flag, and a move under each letter
    /// under which the first has one.
    fn comparable(&self, moves: &Moves) -> Vec<bool> {
        let enabled = |steps: &Vec<Step>| {
            let mut enabled = self.alphabet.no_letter();
            steps.iter().for_each(|step| enabled.add(self.alphabet.letters(step.label)));
            enabled
        };
        let enabled: Vec<LetterSet> = self.steps.iter().map(enabled).collect();
        let mut related = Vec::with_capacity(enabled.len() * enabled.len());
        for one in 0..enabled.len() {
            related.extend((0..enabled.len()).map(|two| {
                moves.colours[one] == moves.colours[two]
                    && (!moves.flags[one] || moves.flags[two])
                    && enabled[one].is_within(&enabled[two])
            }));
        }
        related
    }

    /// Whether the first state is at most the second.
    pub(crate) fn at_most(&self, one: usize, two: usize) -> bool {
        self.related[one * self.steps.len() + two]
    }

    /// The letters that the labels tell apart.
    pub(crate) fn alphabet(&mut self) -> &mut Alphabet {
        &mut self.alphabet
    }

    /// The moves of a state: the letters and the end of each.
    pub(crate) fn steps(&self, state: usize) -> impl Iterator<Item = (&LetterSet, usize)> {
        self.steps[state].iter().map(|step| (self.alphabet.letters(step.label), step.end))
    }

    /// The first state that is as high as this one.
    pub(crate) fn first_equal(&self, state: usize) -> usize {
        let equal = |&other: &usize| self.at_most(state, other) && self.at_most(other, state);
        (0..state).find(equal).unwrap_or(state)
    }

    /// The moves of each state that is the first of its equals, to such states, without those that others exceed: letter
    /// by letter, only moves remain that are not exceeded in marks and end.
    pub(crate) fn moves(&mut self, budget: &Budget) -> Result<Vec<Labels>, Exhausted> {
        let first: Vec<usize> = (0..self.steps.len()).map(|state| self.first_equal(state)).collect();
        let mut result = vec![BTreeMap::new(); self.steps.len()];
        for state in (0..self.steps.len()).filter(|&state| first[state] == state) {
            let mut letters: BTreeMap<(usize, Marks), LetterSet> = BTreeMap::new();
            for (index, step) in self.steps[state].iter().enumerate() {
                budget.check()?;
                let left = self.not_exceeded(state, index);
                let entry = letters.entry((first[step.end], step.marks));
                entry.and_modify(|known| known.add(&left)).or_insert(left);
            }
            letters.retain(|_, letters| !letters.is_empty());
            result[state] = letters.into_iter().map(|(end, letters)| (end, self.alphabet.label(&letters))).collect();
        }
        Ok(result)
    }

    /// The letters under which no other move of the state exceeds this one; of equal moves the first remains.
    fn not_exceeded(&self, state: usize, index: usize) -> LetterSet {
        let step = &self.steps[state][index];
        let mut left = self.alphabet.letters(step.label).clone();
        for (other_index, other) in self.steps[state].iter().enumerate().filter(|(other, _)| *other != index) {
            let exceeds = other.marks.includes(step.marks) && self.at_most(step.end, other.end);
            let equal = exceeds && step.marks == other.marks && self.at_most(other.end, step.end);
            if exceeds && (!equal || other_index < index) {
                left.remove(self.alphabet.letters(other.label));
            }
        }
        left
    }

    /// Removes pairs until the rest justifies itself; false if that is too much work.
    fn refine(&mut self, budget: &Budget) -> Result<bool, Exhausted> {
        let count = self.steps.len();
        let mut sources: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (state, steps) in self.steps.iter().enumerate() {
            for step in steps {
                if sources[step.end].last() != Some(&state) {
                    sources[step.end].push(state);
                }
            }
        }
        let mut waiting = vec![false; count * count];
        let mut pending = Vec::new();
        for one in 0..count {
            budget.check()?;
            for two in (0..count).filter(|&two| one != two && self.related[one * count + two]) {
                waiting[one * count + two] = true;
                pending.push((one as u32, two as u32));
            }
        }
        let sets = Sets::of(&self.alphabet);
        let mut answers = vec![0; sets.words];
        let mut work = 0;
        while let Some((one, two)) = pending.pop() {
            budget.check()?;
            let (one, two) = (one as usize, two as usize);
            waiting[one * count + two] = false;
            work += self.steps[one].len() * self.steps[two].len() * sets.words;
            if work > SIMULATION_WORK {
                return Ok(false);
            }
            if self.can_answer(one, two, &sets, &mut answers) {
                continue;
            }
            self.related[one * count + two] = false;
            for &before_one in &sources[one] {
                for &before_two in &sources[two] {
                    let pair = before_one * count + before_two;
                    if before_one != before_two && self.related[pair] && !waiting[pair] {
                        waiting[pair] = true;
                        pending.push((before_one as u32, before_two as u32));
                    }
                }
            }
        }
        Ok(true)
    }

    /// Whether the second state can answer each move of the first.
    fn can_answer(&self, one: usize, two: usize, sets: &Sets, answers: &mut [u64]) -> bool {
        let count = self.steps.len();
        self.steps[one].iter().all(|step| {
            let row = &self.related[step.end * count..(step.end + 1) * count];
            let good = |other: &&Step| row[other.end] && other.marks.includes(step.marks);
            let asked = sets.of_label(step.label);
            if let [asked] = asked {
                // Most alphabets fit into one word.
                let given = self.steps[two].iter().filter(good).fold(0, |all, other| all | sets.bits[other.label]);
                return asked & !given == 0;
            }
            answers.fill(0);
            for other in self.steps[two].iter().filter(good) {
                answers.iter_mut().zip(sets.of_label(other.label)).for_each(|(all, bits)| *all |= bits);
            }
            asked.iter().zip(&*answers).all(|(asked, given)| asked & !given == 0)
        })
    }
}

/// The letters of all labels, side by side.
struct Sets {
    words: usize,
    bits: Vec<u64>,
}

impl Sets {
    fn of(alphabet: &Alphabet) -> Self {
        let words = alphabet.no_letter().bits().len();
        Sets { words, bits: alphabet.sets().iter().flat_map(LetterSet::bits).copied().collect() }
    }

    fn of_label(&self, label: usize) -> &[u64] {
        &self.bits[label * self.words..(label + 1) * self.words]
    }
}

#[cfg(test)]
mod tests {
    use super::super::simulation::forward;
    use super::*;
    use crate::random_automaton::{Shape, random_automaton};

    /// The relation by its definition: start with all pairs and remove those that fail, until none does.
    fn literal(moves: &Moves) -> Vec<Vec<bool>> {
        let count = moves.of.len();
        let comparable = |one: usize, two: usize| {
            moves.colours[one] == moves.colours[two] && (!moves.flags[one] || moves.flags[two])
        };
        let mut related: Vec<Vec<bool>> =
            (0..count).map(|one| (0..count).map(|two| comparable(one, two)).collect()).collect();
        loop {
            let answers = |step: &Move, two: usize| {
                let good =
                    |other: &&Move| other.marks.includes(step.marks) && related[step.end as usize][other.end as usize];
                let answers = moves.of[two].iter().filter(good).map(|other| &other.label);
                step.label.implies(&moves.manager.disjunction(answers))
            };
            let kept =
                |one: usize, two: usize| related[one][two] && moves.of[one].iter().all(|step| answers(step, two));
            let next: Vec<Vec<bool>> = (0..count).map(|one| (0..count).map(|two| kept(one, two)).collect()).collect();
            if next == related {
                return related;
            }
            related = next;
        }
    }

    #[test]
    fn the_relation_is_the_greatest() {
        let mut related = 0;
        for seed in 0..300 {
            let shape = Shape { states: 6, sets: (seed % 3) as u32, atoms: 1, density: 0.25, ..Shape::default() };
            let automaton = random_automaton(&shape, seed);
            let mut moves = forward(&automaton);
            moves.flags[0] = seed % 2 == 0;
            moves.colours[1] = u32::from(seed % 5 == 0);
            let order = Preorder::of(&moves, &Budget::unlimited()).unwrap().expect("a small automaton");
            let expected = literal(&moves);
            assert_eq!(order.related, expected.concat(), "seed {seed}");
            related += order.related.iter().filter(|&&related| related).count() - 6;
        }
        assert!(related > 200, "{related} pairs");
    }
}
