//! Whether a deterministic automaton is already the smallest of all automata for its language, decided cheaply.
//!
//! What: take states `1, …, n` of an automaton, for each a word that leads to it, and for each `i` a word that is accepted
//! from `i` and from no state before it. No Büchi automaton for the language has fewer than `n` states: if two of these words led
//! some accepting runs of it to the same state, then the later continuation would be accepted after the earlier word, too.
//! [`is_smallest`] looks for an order of all states and for such continuations.
//!
//! How: of the states that are left, find one with a word that none of the others accepts, put it last, and go on without
//! it. The word is a lasso in the graph of a state and the set of the others, read in step: as the automaton is weak, it is a
//! cycle on which the one is accepting and none of the others is. If the others have all died out, no cycle is needed.
//!
//! Contract: the automaton is deterministic and weak, with state-based acceptance in one set, and each state accepts some
//! word. True only if no Büchi automaton for the language has fewer states, whatever its acceptance. False says nothing:
//! the search is limited to `MOST_STEPS` steps and 64 states, and the bound is not always reached. Deterministic.
//!
//! Source: the fooling sets of [glaister.96.ipl], for infinite words.
//! Tested by: the smallest automata that trials find on random formulas (`tests/reduce.rs`), and examples below.

use crate::table::HashMap;

use kernel::budget::{Budget, Exhausted};

use super::letters::Alphabet;
use crate::automaton::{Automaton, State};

/// The steps of all searches together, each under one class of letters: less than a simulation takes.
const MOST_STEPS: usize = 4_000;

/// Whether no automaton for the language has fewer states.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn is_smallest(weak: &Automaton, budget: &Budget) -> Result<bool, Exhausted> {
    if weak.state_count() == 1 {
        return Ok(true);
    }
    if weak.state_count() > u64::BITS as usize {
        return Ok(false);
    }
    let Some(mut search) = Search::new(weak, budget)? else { return Ok(false) };
    let mut left: u64 = u64::MAX >> (u64::BITS as usize - weak.state_count());
    while left != 0 {
        let mut last = None;
        for state in ones(left) {
            budget.check()?;
            if search.has_own_word(state, left & !(1 << state)) {
                last = Some(state);
                break;
            }
        }
        let Some(last) = last else { return Ok(false) };
        left &= !(1 << last);
    }
    Ok(true)
}

/// A state that reads a word, and the others that read the same word.
type Together = (State, u64);

/// The automaton as a table, and the steps that are left.
struct Search {
    /// For each state and class of letters, the successor.
    next: Vec<Option<State>>,
    classes: usize,
    /// The accepting states.
    accepting: u64,
    steps: usize,
}

impl Search {
    fn new(weak: &Automaton, budget: &Budget) -> Result<Option<Self>, Exhausted> {
        let labels = weak.all_edges().map(|(_, edge)| &edge.label);
        let Some(alphabet) = Alphabet::of(weak.manager(), labels, budget)? else { return Ok(None) };
        let classes = alphabet.class_count();
        let mut next = vec![None; weak.state_count() * classes];
        for (source, edge) in weak.all_edges() {
            let letters = alphabet.letters(alphabet.number(&edge.label));
            for class in (0..classes).filter(|&class| letters.contains(class)) {
                next[source as usize * classes + class] = Some(edge.target);
            }
        }
        let is_accepting = |state: &State| weak.state_marks(*state).is_some_and(|marks| marks.contains(0));
        let accepting = weak.states().filter(is_accepting).fold(0, |all, state| all | 1 << state);
        Ok(Some(Search { next, classes, accepting, steps: MOST_STEPS }))
    }

    /// Whether the search finds a word that the state accepts and none of the others does.
    fn has_own_word(&mut self, state: State, others: u64) -> bool {
        let mut numbers: HashMap<Together, usize> = HashMap::from_iter([((state, others), 0)]);
        let mut found = vec![(state, others)];
        let mut successors: Vec<Vec<usize>> = Vec::new();
        while let Some(&(state, others)) = found.get(successors.len()) {
            if others == 0 {
                return true;
            }
            let mut list = Vec::new();
            for class in 0..self.classes {
                let Some(steps) = self.steps.checked_sub(1) else { return false };
                self.steps = steps;
                let Some(pair) = self.after(state, others, class) else { continue };
                let number = *numbers.entry(pair).or_insert_with(|| {
                    found.push(pair);
                    found.len() - 1
                });
                list.push(number);
            }
            successors.push(list);
        }
        let is_good = |&(state, others): &Together| self.accepting >> state & 1 == 1 && self.accepting & others == 0;
        has_cycle(&successors, &found.iter().map(is_good).collect::<Vec<_>>())
    }

    /// What a letter leads to; none if the state dies, or does as one of the others from now on.
    fn after(&self, state: State, others: u64, class: usize) -> Option<Together> {
        let next = |state: State| self.next[state as usize * self.classes + class];
        let target = next(state)?;
        let others = ones(others).filter_map(next).fold(0, |all, other| all | 1 << other);
        (others >> target & 1 == 0).then_some((target, others))
    }
}

/// The numbers of the bits of a set.
fn ones(mut set: u64) -> impl Iterator<Item = State> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(first)
    })
}

/// Whether some cycle visits good vertices only.
fn has_cycle(successors: &[Vec<usize>], good: &[bool]) -> bool {
    let mut alive = good.to_vec();
    loop {
        let dies = |vertex: &usize| alive[*vertex] && !successors[*vertex].iter().any(|&target| alive[target]);
        let dead: Vec<usize> = (0..alive.len()).filter(dies).collect();
        if dead.is_empty() {
            return alive.contains(&true);
        }
        dead.into_iter().for_each(|vertex| alive[vertex] = false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Formulas;
    use crate::parse::{Syntax, parse};
    use crate::pipeline::{Preference, TranslationOptions, translate};

    fn answer(text: &str) -> bool {
        let (mut formulas, budget) = (Formulas::new(), Budget::unlimited());
        let formula = parse(&mut formulas, text, Syntax::Spot).unwrap();
        let options = TranslationOptions { preference: Preference::Deterministic, ..TranslationOptions::default() };
        let automaton = translate(&mut formulas, formula, &options, &budget).unwrap().automaton;
        assert!(automaton.is_deterministic(), "{text}");
        is_smallest(&automaton, &budget).unwrap()
    }

    #[test]
    fn the_bound_is_reached_where_states_have_words_of_their_own() {
        for text in ["Ga", "a U b", "a U (b U c)", "G(a -> X b)", "Ga | Fb", "Fa & Fb", "X X a", "a R b"] {
            assert!(answer(text), "{text}");
        }
    }

    #[test]
    fn an_automaton_that_determinism_makes_larger_is_not_called_smallest() {
        assert!(!answer("F(a & X X a)"));
    }
}
