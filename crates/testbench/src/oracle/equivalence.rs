//! Equivalence: automata of two translators for the same formula accept the same words.
//!
//! For every pair of translators, for the formula and for its negation. Both inclusions are decided by complementation
//! ([`omega::combine::inclusion`]), so no error is too rare: if two languages differ, a word shows it. Needs no structure.
//! Equality is transitive: a pair whose languages both equal a third one, or of which only one does, needs no decision of its
//! own.
//!
//! Contract: deterministic unless the effort has a time limit. The work of one formula is bounded by [`Effort`], divided
//! evenly among the pairs; one that is not decided with its share is skipped and counted.
//!
//! Source: the beginning of section 2 of [tauriainen.00.spin] names complementation and leaves it out because it is hard to
//! implement. Deviation: each language is compared with the other in place of the universality of a union.
//! Tested by: `tests/mutants.rs` (translators that are wrong on a pattern of twelve letters), `tests/agreement.rs`,
//! `tests/equivalence.rs` (against random words, and against the pairs decided one by one).

use std::collections::BTreeMap;
use std::time::Duration;

use kernel::budget::Budget;
use omega::combine::complement::DEFAULT_LIMIT;
use omega::combine::inclusion::difference;
use omega::word::Word;

use super::{Applied, Check, Comparison, Skip};
use crate::trial::{Side, Trial};

/// The work that may be spent on the equivalence check of one formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Steps of the algorithms, which do not depend on the machine and its load.
    pub steps: u64,
    /// Time for each pair, beside the steps; none means no limit.
    pub time: Option<Duration>,
}

impl Default for Effort {
    /// A million steps: a second or two at most.
    fn default() -> Self {
        Effort { steps: 1_000_000, time: None }
    }
}

/// Words in which languages of a side differ, by the two translators, the smaller number first.
pub type Differences = BTreeMap<(Side, usize, usize), Word>;

/// Compares the languages of all pairs; the trial keeps the words in which they differ.
#[must_use]
pub fn compare(trial: &mut Trial) -> Applied {
    let mut applied = Applied::default();
    let mut differences = Differences::new();
    for side in Side::BOTH {
        compare_side(trial, side, &mut applied, &mut differences);
    }
    trial.differences = differences;
    applied
}

fn compare_side(trial: &Trial, side: Side, applied: &mut Applied, differences: &mut Differences) {
    let check = Check::Equivalence;
    let present: Vec<usize> =
        (0..trial.translator_count()).filter(|&one| trial.automaton(one, side).is_some()).collect();
    // For each translator the first one that is known to accept the same language.
    let mut same: Vec<usize> = (0..trial.translator_count()).collect();
    for (at, &first) in present.iter().enumerate() {
        for &second in &present[at + 1..] {
            let known = ordered(same[first], same[second]);
            let found = match differences.get(&(side, known.0, known.1)) {
                _ if same[first] == same[second] => Ok(None),
                Some(word) => Ok(Some(word.clone())),
                None => decide(trial, side, first, second),
            };
            match found {
                Ok(None) => {
                    let (kept, merged) = ordered(same[first], same[second]);
                    same.iter_mut().filter(|one| **one == merged).for_each(|one| *one = kept);
                }
                Ok(Some(word)) => {
                    differences.insert((side, known.0, known.1), word.clone());
                    differences.insert((side, first, second), word);
                }
                Err(Abandoned) => {
                    applied.skipped.push(Skip { check, side, first, second: Some(second) });
                    continue;
                }
            }
            let fault = (same[first] != same[second]).then_some(0);
            applied.made.push(Comparison { check, side, first, second: Some(second), fault });
        }
    }
}

fn ordered(one: usize, other: usize) -> (usize, usize) {
    (one.min(other), one.max(other))
}

/// The effort was not enough.
struct Abandoned;

/// A word that exactly one of two translators' automata accepts, if there is one.
fn decide(trial: &Trial, side: Side, first: usize, second: usize) -> Result<Option<Word>, Abandoned> {
    let automaton = |translator| trial.automaton(translator, side).expect("it was asked for");
    let (first, second) = (automaton(first), automaton(second));
    let count = trial.translator_count() as u64;
    // Both sides of every pair.
    let share = trial.effort.steps / (count * (count - 1)).max(1);
    let budget = Budget::unlimited().within_checks(share);
    let budget = trial.effort.time.map_or(budget.clone(), |time| budget.within(time));
    let found = difference(first, second, DEFAULT_LIMIT, &budget).map_err(|_| Abandoned)?;
    Ok(found.map(|difference| difference.word))
}
