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

use crate::automaton::{Automaton, Marks};
use crate::combine::complement::complement;
use crate::pipeline::{Level, Output, Preference, Step, Translation};
use crate::reduce::cosimulation::{Acceptance, cosimulation};
use crate::reduce::degeneralize::degeneralize;
use crate::reduce::marking::saturate;
use crate::reduce::merge::merge;
use crate::reduce::obligation::obligation;
use crate::reduce::prune::prune;
use crate::reduce::recurrence::recurrence;
use crate::reduce::sets::drop_superfluous;
use crate::reduce::simulation::simulation;
use crate::reduce::statewise::{Guessing, statewise};

/// States of the complement beyond which the reductions that need it are left out.
const LARGEST_COMPLEMENT: usize = 2_000;

/// Steps that merging by trial may take.
const MERGE_BUDGET: u64 = 1_000_000;

/// What to reduce to, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
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
/// use omega::automaton::{Automaton, Marks};
/// use omega::pipeline::{Level, Output, Preference};
/// use omega::pipeline::reduce::{Options, reduce};
///
/// // Two states that do the same.
/// let mut automaton = Automaton::new(["a"], 1);
/// automaton.add_states(2);
/// automaton.add_edge(0, 1, &automaton.atom(0), Marks::one(0));
/// automaton.add_edge(1, 0, &automaton.atom(0), Marks::one(0));
/// let options = Options { output: Output::Buchi, preference: Preference::Small, level: Level::High };
/// assert_eq!(reduce(&automaton, options).automaton.state_count(), 1);
/// ```
#[must_use]
pub fn reduce(automaton: &Automaton, options: Options) -> Translation {
    let mut run = Run { options, steps: Vec::new() };
    let automaton = run.record("input", automaton.clone());
    let mut kept = run.record("prune", prune(&automaton));
    if options.level > Level::Low {
        kept = run.simulated(kept, Acceptance::ByEdge);
        if let Ok(negation) = complement(&kept, LARGEST_COMPLEMENT) {
            let (aligned, negation) = Automaton::aligned(&kept, &prune(&negation));
            if let Some(minimal) = obligation(&aligned, &negation, 4 * aligned.state_count() + 100) {
                let minimal = run.record("obligation", minimal);
                let wanted = options.preference == Preference::Deterministic && !kept.is_deterministic();
                if wanted || minimal.state_count() <= kept.state_count() {
                    return run.finished(minimal);
                }
            }
            let wanted = options.preference == Preference::Deterministic && !kept.is_deterministic();
            if wanted && let Some(found) = recurrence(&aligned, &negation, 4 * aligned.state_count() + 100) {
                let found = run.record("recurrence", found);
                let reduced = run.simulated(found, Acceptance::ByEdge);
                return run.finished(reduced);
            }
            if options.level == Level::High {
                kept = run.record("merge", merge(&aligned, &negation, Acceptance::ByEdge, MERGE_BUDGET));
                kept = run.simulated(kept, Acceptance::ByEdge);
            }
        }
    } else {
        kept = run.record("drop sets", drop_superfluous(&saturate(&kept, Marks::NONE)));
    }
    run.finished(kept)
}

/// The same language, reduced by simulation in both directions until the size stays.
#[must_use]
pub fn simulated(automaton: &Automaton) -> Automaton {
    let options = Options { output: Output::Generalized, preference: Preference::Small, level: Level::Medium };
    Run { options, steps: Vec::new() }.simulated(prune(automaton), Acceptance::ByEdge)
}

/// The same language with one acceptance set, state-based; what already is so stays as it is.
#[must_use]
pub fn state_based(automaton: &Automaton) -> Automaton {
    if automaton.sets() == 1 && automaton.is_state_based() {
        return automaton.clone();
    }
    let one = if automaton.sets() > 1 { degeneralize(automaton, Acceptance::ByEdge) } else { automaton.clone() };
    let guessing = if automaton.is_deterministic() { Guessing::Never } else { Guessing::Allowed };
    statewise(&one, guessing)
}

struct Run {
    options: Options,
    steps: Vec<Step>,
}

impl Run {
    fn record(&mut self, name: &'static str, automaton: Automaton) -> Automaton {
        let (states, edges, sets) = (automaton.state_count(), automaton.edge_count(), automaton.sets());
        self.steps.push(Step { name, states, edges, sets });
        automaton
    }

    /// Simulation in both directions until the size stays.
    fn simulated(&mut self, mut automaton: Automaton, acceptance: Acceptance) -> Automaton {
        loop {
            let before = (automaton.state_count(), automaton.edge_count(), automaton.sets());
            if acceptance == Acceptance::ByEdge {
                automaton = drop_superfluous(&saturate(&automaton, Marks::NONE));
                automaton = saturate(&automaton, automaton.all_marks());
            }
            automaton = self.record("simulation", prune(&simulation(&automaton)));
            if acceptance == Acceptance::ByEdge {
                automaton = saturate(&automaton, Marks::NONE);
            }
            automaton = self.record("reverse simulation", prune(&cosimulation(&automaton, acceptance)));
            if before == (automaton.state_count(), automaton.edge_count(), automaton.sets()) {
                return automaton;
            }
        }
    }

    /// Brings acceptance into the form asked for.
    fn finished(mut self, automaton: Automaton) -> Translation {
        let mut automaton = automaton;
        if self.options.output == Output::Buchi && (automaton.sets() != 1 || !automaton.is_state_based()) {
            automaton = self.record("state-based", prune(&state_based(&automaton)));
            if self.options.level > Level::Low {
                automaton = self.simulated(automaton, Acceptance::ByState);
            }
        }
        automaton.merge_edges();
        let automaton = self.record("result", automaton);
        Translation { automaton, steps: self.steps }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::acceptance::accepts;
    use crate::combine::inclusion::difference;
    use crate::random::{Random, word};
    use crate::random_automaton::{Shape, random_automaton};

    /// All ways to reduce.
    fn all_options() -> Vec<Options> {
        let mut all = Vec::new();
        for output in [Output::Buchi, Output::Generalized] {
            for preference in [Preference::Small, Preference::Deterministic] {
                let levels = [Level::Low, Level::Medium, Level::High];
                all.extend(levels.map(|level| Options { output, preference, level }));
            }
        }
        all
    }

    #[test]
    fn reduced_automata_are_equivalent_and_as_asked_for() {
        let (mut smaller, mut decided) = (0, 0);
        let mut random = Random::new(91);
        for seed in 0..40 {
            let shape = Shape { states: 2 + seed as u32 % 4, sets: seed as u32 % 3, ..Shape::default() };
            let automaton = random_automaton(&shape, seed);
            for options in all_options() {
                let reduced = reduce(&automaton, options).automaton;
                reduced.verify();
                for _ in 0..20 {
                    let word = word(automaton.atoms(), 5, &mut random);
                    let answers = [&automaton, &reduced].map(|one| accepts(one, &word));
                    assert_eq!(answers[0], answers[1], "seed {seed}, {options:?} on {word}");
                }
                // Complements of random automata can be large; then the words must do.
                if let Ok(word) = difference(&automaton, &reduced, 500) {
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
