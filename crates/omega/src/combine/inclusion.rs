//! Inclusion, equivalence and universality, with a word that shows a "no".
//!
//! What: the first language is included in the second if no word of the first is in the complement of the second. Pairs of
//! a state of the first automaton and a state of the complement are explored together, so that only the part of the
//! complement is built that words of the first automaton can reach; now and then it is looked whether a word shows a "no"
//! already. The complement is built by components ([`crate::combine::complement`]) or through a deterministic automaton
//! (`determinize`), whichever comes to an end first: both are tried with a limit that grows. The first automaton is reduced by
//! simulation before; the second is not, since quotients of automata that formulas give often have larger complements.
//!
//! Contract: the limit is on pairs; beyond it the answer is [`TooLarge`]. Tested by: random automata against random
//! words, and every word given as a witness is checked by [`crate::automaton::acceptance`] (`tests/automaton_combine.rs`).

use crate::table::HashMap;
use crate::thresholds::combine::{FIRST_SEARCH, LARGEST_QUOTIENT, WORK_PER_STATE};

use kernel::budget::{Budget, Exhausted};

use crate::automaton::acceptance::accepted_word_within;
use crate::automaton::{Automaton, MAX_SETS, Marks, State};
use crate::combine::complement::{Complement, growing};
use crate::combine::counter::one_set;
use crate::combine::parity::Pairs;
use crate::limit::{Incomplete, TooLarge};
use crate::pipeline::reduce::simulated;
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
/// If the search would visit more than `limit` pairs of states, or the budget is exhausted.
pub fn not_included(
    first: &Automaton,
    second: &Automaton,
    limit: usize,
    budget: &Budget,
) -> Result<Option<Word>, Incomplete> {
    first.manager().within(budget, || in_difference(first, second, limit, budget))
}

fn in_difference(
    first: &Automaton,
    second: &Automaton,
    limit: usize,
    budget: &Budget,
) -> Result<Option<Word>, Incomplete> {
    let first = &first.with_one_initial_state();
    let second = &second.with_one_initial_state();
    let (first, second) = Automaton::aligned(&quotient(first, budget)?, second);
    let mut pairs = Pairs::of(&first, &second, budget)?;
    for limit in growing(limit) {
        // Trees cost less each, and there are fewer where components are large.
        let found = by_components(&first, &second, limit.div_ceil(4), budget);
        if let Some(answer) = Incomplete::unless_too_large(found)? {
            return Ok(answer);
        }
        let mut looked = FIRST_SEARCH.min(limit);
        while !pairs.explore(looked, budget)? && looked < limit {
            if let Some(word) = pairs.word(budget)? {
                return Ok(Some(word));
            }
            looked = (2 * looked).min(limit);
        }
        if pairs.explore(limit, budget)? {
            return Ok(pairs.word(budget)?);
        }
    }
    Err(TooLarge::Complement(limit).into())
}

/// The automaton, if it is small enough for that reduced by simulation.
fn quotient(automaton: &Automaton, budget: &Budget) -> Result<Automaton, Exhausted> {
    if automaton.state_count() > LARGEST_QUOTIENT { Ok(automaton.clone()) } else { simulated(automaton, budget) }
}

/// As [`not_included`], through the complement by components.
fn by_components(
    first: &Automaton,
    second: &Automaton,
    limit: usize,
    budget: &Budget,
) -> Result<Option<Word>, Incomplete> {
    let frame = Complement::of(second, budget)?;
    let first = if first.sets() + frame.sets() > MAX_SETS { one_set(first, budget)? } else { first.clone() };
    if first.sets() + frame.sets() > MAX_SETS {
        return Err(TooLarge::Complement(limit).into());
    }
    let mut product = first.empty_like(first.sets() + frame.sets());
    let mut number: HashMap<_, State> = HashMap::default();
    let mut pairs = vec![(first.initial(), frame.initial())];
    number.insert(pairs[0].clone(), product.add_state());
    let (mut done, mut look, mut work) = (0, FIRST_SEARCH, 0);
    while let Some((state, rejecting)) = pairs.get(done).cloned() {
        let source = done as State;
        done += 1;
        if done == look {
            look *= 2;
            if let Some(word) = accepted_word_within(&product, budget)? {
                return Ok(Some(word));
            }
        }
        for edge in first.edges(state) {
            let successors = frame.successors(&rejecting, &edge.label, budget)?;
            work += successors.len() * rejecting.width() * rejecting.width();
            for (label, next, marks) in successors {
                budget.check()?;
                let pair = (edge.target, next);
                let target = match number.get(&pair) {
                    Some(&known) => known,
                    None if pairs.len() == limit || work / WORK_PER_STATE > limit => {
                        return Err(TooLarge::Complement(limit).into());
                    }
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
    Ok(accepted_word_within(&product, budget)?)
}

/// A word that exactly one of the two automata accepts, or none if their languages are equal.
///
/// # Errors
/// As [`not_included`].
pub fn difference(
    first: &Automaton,
    second: &Automaton,
    limit: usize,
    budget: &Budget,
) -> Result<Option<Difference>, Incomplete> {
    if let Some(word) = not_included(first, second, limit, budget)? {
        return Ok(Some(Difference { word, in_first: true }));
    }
    let word = not_included(second, first, limit, budget)?;
    Ok(word.map(|word| Difference { word, in_first: false }))
}

/// A word that the automaton does not accept, or none if it accepts all.
///
/// # Errors
/// As [`not_included`].
pub fn not_universal(automaton: &Automaton, limit: usize, budget: &Budget) -> Result<Option<Word>, Incomplete> {
    let mut everything = automaton.empty_like(0);
    let state = everything.add_state();
    everything.add_edge(state, state, &automaton.manager().yes(), Marks::NONE);
    not_included(&everything, automaton, limit, budget)
}
