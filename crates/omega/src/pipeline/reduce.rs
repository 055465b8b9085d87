//! A smaller automaton for the language of an automaton, wherever it came from.
//!
//! What: [`reduce`] applies the reductions of [`crate::reduce`] as [`crate::pipeline`] does for a formula, and records the
//! size after each step. There is no formula here, so the negation is found by [`crate::combine::complement`]; where it is
//! too large, what needs it is left out.
//!
//! Contract: the same language; with [`Output::Buchi`] one acceptance set, state-based; without, never more states or sets.
//! [`Level`] as there: low removes what is useless, medium simulates and minimises obligations, high also merges by trial.
//! With [`Preference::Deterministic`] the minimal deterministic automaton of an obligation, or what
//! [`recurrence`](mod@crate::reduce::recurrence) finds, is taken even where it is larger; other languages are not determinised.
//! Deterministic.
//!
//! Tested by: equivalence with the input, and random words, on random automata (below).

use crate::thresholds::pipeline::LARGEST_COMPLEMENT;
use kernel::budget::{Budget, Exhausted};

use super::run::{Run, most_subsets};
use super::{Level, Output, Preference, Translation};
use crate::automaton::Automaton;
use crate::combine::complement::complement;
use crate::limit::Incomplete;
use crate::reduce::cosimulation::Acceptance;
use crate::reduce::degeneralize::degeneralize;
use crate::reduce::obligation::obligation;
use crate::reduce::prune::prune;
use crate::reduce::recurrence::recurrence;
use crate::reduce::statewise::{Guessing, statewise};

/// What to reduce to, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReductionOptions {
    /// The kind of automaton.
    pub output: Output,
    /// What counts as better.
    pub preference: Preference,
    /// How much is done.
    pub level: Level,
}

/// Reduces an automaton.
///
/// ```
/// use kernel::budget::Budget;
/// use omega::automaton::{Automaton, Marks};
/// use omega::pipeline::{Level, Output, Preference};
/// use omega::pipeline::reduce::{ReductionOptions, reduce};
///
/// // Two states that do the same.
/// let mut automaton = Automaton::new(["a"], 1);
/// automaton.add_states(2);
/// automaton.add_edge(0, 1, &automaton.atom(0), Marks::one(0));
/// automaton.add_edge(1, 0, &automaton.atom(0), Marks::one(0));
/// let options = ReductionOptions { output: Output::Buchi, preference: Preference::Small, level: Level::High };
/// let reduced = reduce(&automaton, options, &Budget::unlimited()).unwrap();
/// assert_eq!(reduced.automaton.state_count(), 1);
/// ```
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn reduce(automaton: &Automaton, options: ReductionOptions, budget: &Budget) -> Result<Translation, Exhausted> {
    let automaton = &automaton.with_one_initial_state();
    let mut run = Run::new(options, budget);
    let automaton = run.record("input", automaton.clone().into_owned());
    let pruned = run.record("prune", prune(automaton));
    let kept = if options.level == Level::Low {
        run.without_superfluous_sets(pruned)?
    } else {
        let kept = run.simulated(pruned, Acceptance::ByEdge)?;
        with_complement(&mut run, kept, options, budget)?
    };
    with_wanted_acceptance(run, kept, options, budget)
}

/// Applies the reductions that need an automaton for the complement, if that is small enough.
fn with_complement(
    run: &mut Run<'_>,
    kept: Automaton,
    options: ReductionOptions,
    budget: &Budget,
) -> Result<Automaton, Exhausted> {
    let found = complement(&kept, LARGEST_COMPLEMENT, budget);
    let Some(negation) = Incomplete::unless_too_large(found)? else { return Ok(kept) };
    let (kept, negation) = kept.aligned_within(&prune(negation), budget)?;
    let limit = most_subsets(kept.state_count());
    let is_determinism_missing = options.preference == Preference::Deterministic && !kept.is_deterministic();
    if let Some(minimal) = obligation(&kept, &negation, limit, budget)? {
        let minimal = run.record("obligation", minimal);
        if is_determinism_missing || minimal.state_count() <= kept.state_count() {
            return Ok(minimal);
        }
    }
    if is_determinism_missing && let Some(found) = recurrence(&kept, &negation, limit, budget)? {
        let found = run.record("recurrence", found);
        return run.simulated(found, Acceptance::ByEdge);
    }
    run.merged(kept, Some(&negation), Acceptance::ByEdge)
}

/// The same language, reduced by simulation in both directions until the size stays.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn simulated(automaton: &Automaton, budget: &Budget) -> Result<Automaton, Exhausted> {
    let automaton = &automaton.with_one_initial_state();
    let options = ReductionOptions { output: Output::Generalized, preference: Preference::Small, level: Level::Medium };
    Run::new(options, budget).simulated(prune(automaton.clone().into_owned()), Acceptance::ByEdge)
}

/// The same language with one acceptance set, state-based; an automaton of this kind is returned unchanged.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn state_based(automaton: &Automaton, budget: &Budget) -> Result<Automaton, Exhausted> {
    let automaton = &automaton.with_one_initial_state();
    budget.check()?;
    if automaton.sets() == 1 && automaton.is_state_based() {
        return Ok(automaton.clone().into_owned());
    }
    let guessing = if automaton.is_deterministic() { Guessing::Never } else { Guessing::Allowed };
    if automaton.sets() > 1 {
        return statewise(&degeneralize(automaton, Acceptance::ByEdge, budget)?, guessing, budget);
    }
    statewise(automaton, guessing, budget)
}

/// Brings acceptance into the wanted form.
fn with_wanted_acceptance(
    mut run: Run<'_>,
    mut automaton: Automaton,
    options: ReductionOptions,
    budget: &Budget,
) -> Result<Translation, Exhausted> {
    if options.output == Output::Buchi && (automaton.sets() != 1 || !automaton.is_state_based()) {
        automaton = run.record("state-based", prune(state_based(&automaton, budget)?));
        if options.level > Level::Low {
            automaton = run.simulated(automaton, Acceptance::ByState)?;
        }
    }
    let manager = automaton.manager().clone();
    manager.within(budget, || automaton.merge_edges_within(budget))?;
    Ok(run.finish("result", automaton))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::acceptance::accepts;
    use crate::combine::inclusion::difference;
    use crate::random::{Random, word};
    use crate::random_automaton::{Shape, random_automaton};

    /// All reductions.
    fn all_options() -> Vec<ReductionOptions> {
        let mut all = Vec::new();
        for output in [Output::Buchi, Output::Generalized] {
            for preference in [Preference::Small, Preference::Deterministic] {
                let levels = [Level::Low, Level::Medium, Level::High];
                all.extend(levels.map(|level| ReductionOptions { output, preference, level }));
            }
        }
        all
    }

    #[test]
    fn reduced_automata_are_equivalent_and_as_asked_for() {
        let (mut smaller, mut decided) = (0, 0);
        let (mut random, budget) = (Random::new(91), Budget::unlimited());
        for seed in 0..40 {
            let shape = Shape { states: 2 + seed as u32 % 4, sets: seed as u32 % 3, ..Shape::default() };
            let automaton = random_automaton(&shape, seed);
            for options in all_options() {
                let reduced = reduce(&automaton, options, &budget).unwrap().automaton;
                reduced.verify();
                for _ in 0..20 {
                    let word = word(automaton.atoms(), 5, &mut random);
                    let answers = [&automaton, &reduced].map(|one| accepts(one, &word));
                    assert_eq!(answers[0], answers[1], "seed {seed}, {options:?} on {word}");
                }
                // Complements of random automata can be large; then the words must do.
                if let Ok(word) = difference(&automaton, &reduced, 500, &budget) {
                    assert_eq!(word, None, "seed {seed}, {options:?}");
                    decided += 1;
                }
                if options.output == Output::Buchi {
                    assert!(reduced.sets() == 1 && reduced.is_state_based(), "seed {seed}, {options:?}");
                } else if options.preference == Preference::Small {
                    assert!(reduced.state_count() <= automaton.state_count(), "seed {seed}, {options:?}");
                }
                smaller += usize::from(reduced.state_count() < automaton.state_count());
            }
        }
        assert!(smaller > 60 && decided > 240, "{smaller} smaller, {decided} decided");
    }
}
