//! Inclusion, equivalence and universality, with a word that shows a "no".
//!
//! What: the first language is included in the second if no word of the first is in the complement of the second. Pairs of
//! a state of the first automaton and a state of the complement are explored together, so that only the part of the
//! complement is built that words of the first automaton can reach.
//!
//! Contract: the limit is on pairs; beyond it the answer is [`TooLarge`]. Tested by: random automata against random
//! words, and every word given as a witness is checked by [`crate::acceptance`] (`tests/automaton_combine.rs`).

use std::collections::HashMap;

use crate::acceptance::accepted_word;
use crate::automaton::{Automaton, MAX_SETS, Marks, State};
use crate::combine::complement::{Complement, TooLarge};
use crate::combine::counter::one_set;
use crate::word::Word;

/// A word in which two languages differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The word.
    pub word: Word,
    /// Whether the first automaton accepts it; then the second does not.
    pub in_first: bool,
}

/// A word that the first automaton accepts and the second does not, or none if the first language is included.
///
/// # Errors
/// Where more than `limit` pairs of states would have to be looked at.
pub fn not_included(first: &Automaton, second: &Automaton, limit: usize) -> Result<Option<Word>, TooLarge> {
    let (first, second) = Automaton::aligned(first, second);
    let frame = Complement::of(&second);
    let first = if first.sets() + frame.sets() > MAX_SETS { one_set(&first) } else { first };
    if first.sets() + frame.sets() > MAX_SETS {
        return Err(TooLarge { states: limit });
    }
    let mut product = first.empty_like(first.sets() + frame.sets());
    let mut number: HashMap<_, State> = HashMap::new();
    let mut pairs = vec![(first.initial(), frame.initial())];
    number.insert(pairs[0].clone(), product.add_state());
    let mut done = 0;
    while let Some((state, rejecting)) = pairs.get(done).cloned() {
        let source = done as State;
        done += 1;
        for edge in first.edges(state) {
            for (label, next, marks) in frame.successors(&rejecting, &edge.label) {
                let pair = (edge.target, next);
                let target = match number.get(&pair) {
                    Some(&known) => known,
                    None if pairs.len() == limit => return Err(TooLarge { states: limit }),
                    None => {
                        pairs.push(pair.clone());
                        let fresh = product.add_state();
                        number.insert(pair, fresh);
                        fresh
                    }
                };
                product.add_edge(source, target, &label, edge.marks.union(marks.shifted(first.sets())));
            }
        }
    }
    Ok(accepted_word(&product))
}

/// A word that exactly one of the two automata accepts, or none if their languages are equal.
///
/// # Errors
/// As [`not_included`].
pub fn difference(first: &Automaton, second: &Automaton, limit: usize) -> Result<Option<Difference>, TooLarge> {
    if let Some(word) = not_included(first, second, limit)? {
        return Ok(Some(Difference { word, in_first: true }));
    }
    let word = not_included(second, first, limit)?;
    Ok(word.map(|word| Difference { word, in_first: false }))
}

/// A word that the automaton does not accept, or none if it accepts all.
///
/// # Errors
/// As [`not_included`].
pub fn not_universal(automaton: &Automaton, limit: usize) -> Result<Option<Word>, TooLarge> {
    let mut everything = automaton.empty_like(0);
    let state = everything.add_state();
    everything.add_edge(state, state, &automaton.manager().yes(), Marks::NONE);
    not_included(&everything, automaton, limit)
}
