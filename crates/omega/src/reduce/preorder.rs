//! Which states can do what which others can: the greatest preorder of its kind, along edges or against them.
//!
//! What: every state has moves, each with a label, marks and a state at its other end. [`Preorder::of`] computes the
//! greatest preorder in which `p ≤ q` implies: for each move of `p` and each letter of its label, `q` has a move under
//! this letter with at least the same marks to a state at least as high; and if `p` has a flag, so has `q`. States of
//! different colours are not compared. With the moves along edges this is direct simulation, with the moves against
//! them reverse simulation.
//!
//! How: start with all pairs. For a state `e`, look at all moves to `e` together: which letters can each state answer by a move
//! to a state at least as high as `e`? Remove the pairs of states whose second one lacks a letter. Whenever the states above
//! `e` become fewer, look at the moves to `e` again.
//! [`Preorder::moves`] then gives the moves of the quotient, without those that others exceed.
//!
//! Contract: at most `SIMULATED_STATES` states, `MAX_CLASSES` classes of letters and `SIMULATION_WORK`
//! comparisons of moves; beyond, [`Preorder::of`] gives none. Edges times states in one round; at most as many rounds as states.
//!
//! Source: the fixpoint of the definition. Signatures as decision diagrams, as in [babiak.13.spin], were tried first:
//! they are as fast on automata with little choice and exponential where a state has many moves under one letter.
//! Tested by: a literal computation of the relation with decision diagrams (below).

use crate::thresholds::reduce::{SIMULATED_STATES, SIMULATION_WORK};

use bdd::{Bdd, Manager};
use kernel::budget::{Budget, Exhausted};

use super::letters::{Alphabet, LetterSet};
use crate::automaton::Marks;

/// The labels of the moves with a common end and common marks, by these.
pub(crate) type Labels = Vec<((usize, Marks), Bdd)>;

/// A move of a state.
#[derive(Clone, Debug)]
pub(crate) struct Move<'a> {
    pub(crate) label: &'a Bdd,
    pub(crate) marks: Marks,
    /// The state at the other end.
    pub(crate) end: u32,
}

/// The moves between which a preorder is computed.
pub(crate) struct Moves<'a> {
    pub(crate) manager: Manager,
    /// The moves of each state.
    pub(crate) of: Vec<Vec<Move<'a>>>,
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
    /// The moves of all states, one state after the other, and where those of each state end.
    steps: Vec<Step>,
    ends: Vec<usize>,
    /// Whether one state is at most another, row by row.
    related: Vec<bool>,
}

impl Preorder {
    pub(crate) fn of(moves: &Moves<'_>, budget: &Budget) -> Result<Option<Self>, Exhausted> {
        if moves.of.len() > SIMULATED_STATES {
            return Ok(None);
        }
        let labels = moves.of.iter().flatten().map(|step| step.label);
        let Some(alphabet) = Alphabet::of(&moves.manager, labels, budget)? else { return Ok(None) };
        let step =
            |step: &Move<'_>| Step { label: alphabet.number(step.label), marks: step.marks, end: step.end as usize };
        let steps: Vec<Step> = moves.of.iter().flatten().map(step).collect();
        let ends = moves.of.iter().scan(0, |end, list| {
            *end += list.len();
            Some(*end)
        });
        let ends = ends.collect();
        let sets = Sets::of(&alphabet);
        let mut order = Preorder { alphabet, steps, ends, related: Vec::new() };
        order.related = order.comparable(moves, &sets);
        Ok(order.refine(&sets, budget)?.then_some(order))
    }

    /// For each pair of states whether the second has the colour of the first, its flag, and a move under each letter
    /// under which the first has one.
    fn comparable(&self, moves: &Moves<'_>, sets: &Sets) -> Vec<bool> {
        let mut enabled = vec![0; self.count() * sets.words];
        for (state, letters) in enabled.chunks_exact_mut(sets.words).enumerate() {
            self.steps_of(state).iter().for_each(|step| sets.add(letters, step.label));
        }
        let mut related = Vec::with_capacity(self.count() * self.count());
        for (one, asked) in enabled.chunks_exact(sets.words).enumerate() {
            related.extend(enabled.chunks_exact(sets.words).enumerate().map(|(two, given)| {
                moves.colours[one] == moves.colours[two]
                    && (!moves.flags[one] || moves.flags[two])
                    && is_within(asked, given)
            }));
        }
        related
    }

    /// The number of states.
    fn count(&self) -> usize {
        self.ends.len()
    }

    fn steps_of(&self, state: usize) -> &[Step] {
        let begin = if state == 0 { 0 } else { self.ends[state - 1] };
        &self.steps[begin..self.ends[state]]
    }

    /// Whether the first state is at most the second.
    pub(crate) fn at_most(&self, one: usize, two: usize) -> bool {
        self.related[one * self.count() + two]
    }

    /// The letters that the labels tell apart.
    pub(crate) fn alphabet(&mut self) -> &mut Alphabet {
        &mut self.alphabet
    }

    /// The moves of a state: the letters and the end of each.
    pub(crate) fn steps(&self, state: usize) -> impl Iterator<Item = (&LetterSet, usize)> {
        self.steps_of(state).iter().map(|step| (self.alphabet.letters(step.label), step.end))
    }

    /// The first state that is as high as this one.
    pub(crate) fn first_equal(&self, state: usize) -> usize {
        let equal = |&other: &usize| self.at_most(state, other) && self.at_most(other, state);
        (0..state).find(equal).unwrap_or(state)
    }

    /// The moves of each state that is the first of its equals, to such states, without those that others exceed: letter
    /// by letter, only moves remain that are not exceeded in marks and end.
    pub(crate) fn moves(&mut self, budget: &Budget) -> Result<Vec<Labels>, Exhausted> {
        let first: Vec<usize> = (0..self.count()).map(|state| self.first_equal(state)).collect();
        let mut result = vec![Labels::new(); self.count()];
        for state in (0..self.count()).filter(|&state| first[state] == state) {
            let mut letters: Vec<((usize, Marks), LetterSet)> = Vec::with_capacity(self.steps_of(state).len());
            for (index, step) in self.steps_of(state).iter().enumerate() {
                budget.check()?;
                let left = self.not_exceeded(state, index);
                if !left.is_empty() {
                    letters.push(((first[step.end], step.marks), left));
                }
            }
            letters.sort_by_key(|&(end, _)| end);
            letters.dedup_by(|next, kept| {
                let is_same = next.0 == kept.0;
                if is_same {
                    kept.1.add(&next.1);
                }
                is_same
            });
            result[state] = letters.into_iter().map(|(end, letters)| (end, self.alphabet.label(&letters))).collect();
        }
        Ok(result)
    }

    /// The letters under which no other move of the state exceeds this one; of equal moves the first remains.
    fn not_exceeded(&self, state: usize, index: usize) -> LetterSet {
        let step = &self.steps_of(state)[index];
        let mut left = self.alphabet.letters(step.label).clone();
        for (other_index, other) in self.steps_of(state).iter().enumerate().filter(|(other, _)| *other != index) {
            let exceeds = other.marks.includes(step.marks) && self.at_most(step.end, other.end);
            let equal = exceeds && step.marks == other.marks && self.at_most(other.end, step.end);
            if exceeds && (!equal || other_index < index) {
                left.remove(self.alphabet.letters(other.label));
            }
        }
        left
    }

    /// Removes pairs until the rest justifies itself; false if that is too much work.
    fn refine(&mut self, sets: &Sets, budget: &Budget) -> Result<bool, Exhausted> {
        let (count, edges) = (self.count(), self.steps.len());
        // The moves by the state that they lead to: their marks, their state and their label.
        let states = (0..count).flat_map(|state| self.steps_of(state).iter().map(move |step| (state, step)));
        let mut moves: Vec<(usize, Marks, usize, usize)> =
            states.map(|(state, step)| (step.end, step.marks, state, step.label)).collect();
        moves.sort_unstable();
        let mut places = vec![0..0; count];
        let mut next = 0;
        for alike in moves.chunk_by(|one, two| one.0 == two.0) {
            places[alike[0].0] = next..next + alike.len();
            next += alike.len();
        }
        let mut waiting = vec![true; count];
        let mut pending: Vec<usize> = (0..count).collect();
        let mut answers = vec![0; count * sets.words];
        let mut work = 0;
        while let Some(end) = pending.pop() {
            waiting[end] = false;
            for alike in moves[places[end].clone()].chunk_by(|one, two| one.1 == two.1) {
                budget.check()?;
                work += (edges + alike.len() * count) * sets.words;
                if work > SIMULATION_WORK {
                    return Ok(false);
                }
                self.answers(end, alike[0].1, sets, &mut answers);
                for &(_, _, state, label) in alike {
                    let row = &mut self.related[state * count..(state + 1) * count];
                    if keep(row, sets.of_label(label), &answers) && !waiting[state] {
                        waiting[state] = true;
                        pending.push(state);
                    }
                }
            }
        }
        Ok(true)
    }

    /// For each state the letters under which it has a move with these marks to a state at least as high as `end`.
    fn answers(&self, end: usize, marks: Marks, sets: &Sets, answers: &mut [u64]) {
        let above = &self.related[end * self.count()..(end + 1) * self.count()];
        let is_answer = |step: &&Step| above[step.end] && step.marks.includes(marks);
        let mut begin = 0;
        if sets.words == 1 {
            // Most alphabets fit into one word.
            for (answer, &end) in answers.iter_mut().zip(&self.ends) {
                let steps = self.steps[begin..end].iter().filter(is_answer);
                *answer = steps.fold(0, |all, step| all | sets.bits[step.label]);
                begin = end;
            }
            return;
        }
        for (answer, &end) in answers.chunks_exact_mut(sets.words).zip(&self.ends) {
            answer.fill(0);
            self.steps[begin..end].iter().filter(is_answer).for_each(|step| sets.add(answer, step.label));
            begin = end;
        }
    }
}

/// Removes from a row of the relation the states that cannot answer these letters; whether there are any.
fn keep(row: &mut [bool], asked: &[u64], answers: &[u64]) -> bool {
    let mut is_changed = false;
    if let [asked] = asked {
        for (related, given) in row.iter_mut().zip(answers) {
            let can_answer = asked & !given == 0;
            is_changed |= *related & !can_answer;
            *related &= can_answer;
        }
    } else {
        for (related, given) in row.iter_mut().zip(answers.chunks_exact(asked.len())) {
            if *related && !is_within(asked, given) {
                (*related, is_changed) = (false, true);
            }
        }
    }
    is_changed
}

fn is_within(asked: &[u64], given: &[u64]) -> bool {
    asked.iter().zip(given).all(|(asked, given)| asked & !given == 0)
}

/// The letters of all labels, side by side.
struct Sets {
    words: usize,
    bits: Vec<u64>,
}

impl Sets {
    fn of(alphabet: &Alphabet) -> Self {
        let words = alphabet.class_count().div_ceil(64);
        Sets { words, bits: alphabet.sets().iter().flat_map(LetterSet::words).collect() }
    }

    /// Adds the letters of a label.
    fn add(&self, letters: &mut [u64], label: usize) {
        letters.iter_mut().zip(self.of_label(label)).for_each(|(all, bits)| *all |= bits);
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
    fn literal(moves: &Moves<'_>) -> Vec<Vec<bool>> {
        let count = moves.of.len();
        let comparable = |one: usize, two: usize| {
            moves.colours[one] == moves.colours[two] && (!moves.flags[one] || moves.flags[two])
        };
        let mut related: Vec<Vec<bool>> =
            (0..count).map(|one| (0..count).map(|two| comparable(one, two)).collect()).collect();
        loop {
            let answers = |step: &Move<'_>, two: usize| {
                let good = |other: &&Move<'_>| {
                    other.marks.includes(step.marks) && related[step.end as usize][other.end as usize]
                };
                let answers = moves.of[two].iter().filter(good).map(|other| other.label);
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
