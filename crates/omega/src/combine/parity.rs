//! The words that one automaton accepts and another rejects, through a deterministic automaton of the other.
//!
//! What: [`Pairs`] explores the pairs of a state of the first automaton and a tree of the second ([`super::determinize`]).
//! The second rejects a word if the least priority that occurs forever is odd. So a Büchi automaton for the difference goes
//! along the pairs, guesses an odd priority and a time, and from then on meets no smaller priority and this one forever.
//!
//! Contract: the limit is on pairs. Tested by: as [`super::determinize`].

use crate::table::HashMap;

use kernel::budget::{Budget, Exhausted};

use crate::automaton::acceptance::accepted_word_within;
use crate::automaton::{Automaton, Bdd, MAX_SETS, Marks, State};
use crate::combine::counter::one_set;
use crate::combine::determinize::{Determinized, Tree};
use crate::thresholds::combine::WORK_PER_STATE;
use crate::word::Word;

/// An edge between pairs.
struct Step {
    target: State,
    label: Bdd,
    marks: Marks,
    priority: u32,
}

/// A label, the number of a tree, and the priority of the step to it.
type Successor = (Bdd, u32, u32);

/// Pairs of states, explored so far.
pub(super) struct Pairs {
    first: Automaton,
    second: Determinized,
    trees: Vec<Tree>,
    number_of_tree: HashMap<Tree, u32>,
    /// The successors of a tree under a label, which many pairs ask for.
    successors: HashMap<(u32, Bdd), Vec<Successor>>,
    /// A state and the number of a tree.
    pairs: Vec<(State, u32)>,
    number: HashMap<(State, u32), State>,
    /// For each pair that is done.
    steps: Vec<Vec<Step>>,
    /// What the trees have cost so far, in comparisons of states.
    work: usize,
}

impl Pairs {
    /// Nothing explored yet. Both automata have the same atoms and manager.
    pub(super) fn of(first: &Automaton, second: &Automaton, budget: &Budget) -> Result<Self, Exhausted> {
        // One set is needed for the priority.
        let first = if first.sets() == MAX_SETS { one_set(first, budget)? } else { first.clone() };
        let second = Determinized::of(second, budget)?;
        let (pair, tree) = ((first.initial(), 0), second.initial());
        Ok(Self {
            first,
            second,
            number_of_tree: HashMap::from_iter([(tree.clone(), 0)]),
            trees: vec![tree],
            successors: HashMap::default(),
            pairs: vec![pair],
            number: HashMap::from_iter([(pair, 0)]),
            steps: Vec::new(),
            work: 0,
        })
    }

    /// Explores until all is done, or there are more than `limit` pairs, or they have cost too much; whether all is done.
    pub(super) fn explore(&mut self, limit: usize, budget: &Budget) -> Result<bool, Exhausted> {
        while let Some(&(state, tree)) = self.pairs.get(self.steps.len()) {
            if self.pairs.len() > limit || self.work / WORK_PER_STATE > limit {
                return Ok(false);
            }
            let mut steps = Vec::new();
            for index in 0..self.first.edges(state).len() {
                let label = self.first.edges(state)[index].label.clone();
                self.follow(tree, &label, budget)?;
                let edge = &self.first.edges(state)[index];
                for (label, next, priority) in &self.successors[&(tree, label)] {
                    let pair = (edge.target, *next);
                    let target = *self.number.entry(pair).or_insert_with(|| {
                        self.pairs.push(pair);
                        self.pairs.len() as State - 1
                    });
                    steps.push(Step { target, label: label.clone(), marks: edge.marks, priority: *priority });
                }
            }
            self.steps.push(steps);
        }
        Ok(true)
    }

    /// Finds the successors of a tree under a label, unless they are known.
    fn follow(&mut self, tree: u32, label: &Bdd, budget: &Budget) -> Result<(), Exhausted> {
        budget.check()?;
        let key = (tree, label.clone());
        if self.successors.contains_key(&key) {
            return Ok(());
        }
        let mut found = Vec::new();
        for (label, next, priority) in self.second.successors(&self.trees[tree as usize], label, budget)? {
            let number = *self.number_of_tree.entry(next).or_insert_with_key(|next| {
                self.trees.push(next.clone());
                self.trees.len() as u32 - 1
            });
            found.push((label, number, priority));
        }
        let width = self.trees[tree as usize].width();
        self.work += found.len() * width * width;
        self.successors.insert(key, found);
        Ok(())
    }

    /// A word of the difference along the pairs that are done.
    pub(super) fn word(&self, budget: &Budget) -> Result<Option<Word>, Exhausted> {
        for priority in self.odd_priorities() {
            let word = accepted_word_within(&self.difference(&[priority], budget)?, budget)?;
            if word.is_some() {
                return Ok(word);
            }
        }
        Ok(None)
    }

    /// An automaton for the difference along the pairs that are done.
    pub(super) fn automaton(&self, budget: &Budget) -> Result<Automaton, Exhausted> {
        self.difference(&self.odd_priorities(), budget)
    }

    /// The odd priorities that occur, ascending.
    fn odd_priorities(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.steps.iter().flatten().map(|step| step.priority).filter(|p| p % 2 == 1).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// An automaton for the words of the difference for which one of these priorities is the least that occurs forever.
    fn difference(&self, priorities: &[u32], budget: &Budget) -> Result<Automaton, Exhausted> {
        let (pairs, sets) = (self.pairs.len(), self.first.sets());
        let mut automaton = self.first.empty_like(sets + 1);
        automaton.add_states(pairs * (1 + priorities.len()));
        for (copy, guessed) in std::iter::once(None).chain(priorities.iter().map(Some)).enumerate() {
            let place = |state: usize, copy: usize| (copy * pairs + state) as State;
            for (source, steps) in self.steps.iter().enumerate() {
                budget.check()?;
                for Step { target, label, marks, priority } in steps {
                    let target = *target as usize;
                    match guessed {
                        None => {
                            automaton.add_edge(place(source, 0), place(target, 0), label, Marks::NONE);
                            for (index, guessed) in priorities.iter().enumerate() {
                                if priority >= guessed {
                                    automaton.add_edge(place(source, 0), place(target, 1 + index), label, Marks::NONE);
                                }
                            }
                        }
                        Some(guessed) if priority >= guessed => {
                            let marks = if priority == guessed { marks.with(sets) } else { *marks };
                            automaton.add_edge(place(source, copy), place(target, copy), label, marks);
                        }
                        Some(_) => {}
                    }
                }
            }
        }
        Ok(automaton)
    }
}
