//! The reductions of [`crate::reduce`] in the order in which they work together, with the size after each.
//!
//! A [`Run`] belongs to one translation, or to one automaton that is reduced. It records the sizes and passes the budget
//! on. Every way to reduce an automaton further ends in a list of candidates, of which [`super::rank`] chooses the best.

use crate::thresholds::pipeline::{LARGEST_PRODUCT, MERGING_STEPS};
use bdd::Variable;
use kernel::budget::{Budget, Exhausted};

use super::reduce::ReductionOptions;
use super::{Level, Output, Preference, StageSize, Translation, rank};
use crate::automaton::{Automaton, Marks};
use crate::reduce::bound::is_smallest;
use crate::reduce::cosimulation::{Acceptance, cosimulation};
use crate::reduce::degeneralize::degeneralize;
use crate::reduce::marking::{on_entry, saturate};
use crate::reduce::merge::merge;
use crate::reduce::obligation::{evident_obligation, obligation};
use crate::reduce::prune::prune;
use crate::reduce::recurrence::recurrence;
use crate::reduce::sets::drop_superfluous;
use crate::reduce::simulation::simulation;
use crate::reduce::statewise::{Guessing, statewise};

/// The most states of the subset automata that minimal and deterministic automata are made of, given the states of the
/// automaton.
pub(super) fn most_subsets(states: usize) -> usize {
    4 * states + 100
}

/// Whether it is worth to look further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A better automaton may exist.
    Open,
    /// The last automaton found is the best: minimal among the deterministic ones, and no other has fewer states. A
    /// deterministic automaton with as many states has a state for each state of this one, and no fewer edges.
    Best,
}

/// A sequence of reductions.
pub(super) struct Run<'a> {
    options: ReductionOptions,
    steps: Vec<StageSize>,
    budget: &'a Budget,
    /// The automata whose further reductions are done, each with what tells its further reductions apart.
    done: Vec<(Reduction, Automaton)>,
    /// Whether the minimal automaton of an obligation is among those found.
    is_obligation: bool,
}

/// What is done with an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reduction {
    /// All that follows the first simulation.
    Plain,
    /// What follows the move of acceptance to states; whether to keep it deterministic.
    ByState(bool),
}

impl<'a> Run<'a> {
    pub(super) fn new(options: ReductionOptions, budget: &'a Budget) -> Self {
        Run { options, steps: Vec::new(), budget, done: Vec::new(), is_obligation: false }
    }

    /// Records the size of an automaton after a step.
    pub(super) fn record(&mut self, name: &'static str, automaton: Automaton) -> Automaton {
        let (states, edges, sets) = (automaton.state_count(), automaton.edge_count(), automaton.sets());
        self.steps.push(StageSize { name, states, edges, sets });
        automaton
    }

    /// Adds the steps of a translation that this one continues.
    pub(super) fn extend(&mut self, steps: Vec<StageSize>) {
        self.steps.extend(steps);
    }

    pub(super) fn output_kind(&self) -> Output {
        self.options.output
    }

    /// The automaton with its steps.
    pub(super) fn finish(mut self, name: &'static str, automaton: Automaton) -> Translation {
        let automaton = self.record(name, automaton);
        Translation { automaton, steps: self.steps }
    }

    /// The best of the automata that were found, over the atoms that it uses.
    pub(super) fn best(self, found: &[Automaton]) -> Result<Translation, Exhausted> {
        let best = rank::best(found, self.options.preference);
        let manager = best.manager().clone();
        let best = manager.within(self.budget, || Ok::<_, Exhausted>(with_used_atoms(best)))?;
        Ok(self.finish("best", best))
    }

    /// What a construction made, without what is easily seen to be superfluous.
    pub(super) fn plain(&mut self, automaton: &Automaton) -> Result<Automaton, Exhausted> {
        let automaton = self.record("prune", prune(automaton.clone()));
        if self.options.level == Level::Low {
            return self.without_superfluous_sets(automaton);
        }
        self.simulated(automaton, Acceptance::ByEdge)
    }

    /// The minimal automaton of an obligation that is easily seen to be one, into `found`.
    pub(super) fn evident(&mut self, plain: &Automaton, found: &mut Vec<Automaton>) -> Result<Outcome, Exhausted> {
        let minimal = evident_obligation(plain, most_subsets(plain.state_count()), self.budget)?;
        self.obligation(minimal, found)
    }

    fn obligation(&mut self, minimal: Option<Automaton>, found: &mut Vec<Automaton>) -> Result<Outcome, Exhausted> {
        let Some(minimal) = minimal else { return Ok(Outcome::Open) };
        let is_best = is_smallest(&minimal, self.budget)?;
        found.push(self.record("obligation", minimal));
        self.is_obligation = true;
        Ok(if is_best { Outcome::Best } else { Outcome::Open })
    }

    /// Reduces further, in one way or several, into `found`.
    pub(super) fn reductions(
        &mut self,
        plain: Automaton,
        complement: Option<&Automaton>,
        found: &mut Vec<Automaton>,
    ) -> Result<Outcome, Exhausted> {
        if self.is_done(Reduction::Plain, &plain) {
            return Ok(Outcome::Open);
        }
        let limit = most_subsets(plain.state_count());
        let edges = |complement: &Automaton| plain.edge_count().saturating_mul(complement.edge_count());
        let complement = complement.filter(|complement| edges(complement) <= LARGEST_PRODUCT);
        if let Some(complement) = complement {
            if !self.is_obligation {
                let minimal = obligation(&plain, complement, limit, self.budget)?;
                if self.obligation(minimal, found)? == Outcome::Best {
                    return Ok(Outcome::Best);
                }
            }
            if self.is_determinism_wanted()
                && !self.is_obligation
                && !plain.is_deterministic()
                && let Some(deterministic) = recurrence(&plain, complement, limit, self.budget)?
            {
                let deterministic = self.record("recurrence", deterministic);
                let deterministic = self.simulated(deterministic, Acceptance::ByEdge)?;
                self.output(deterministic, Some(complement), found)?;
            }
        }
        let merged = self.merged(plain.clone(), complement, Acceptance::ByEdge)?;
        if merged.state_count() < plain.state_count() {
            self.output(plain, complement, found)?;
        }
        self.output(merged, complement, found)?;
        Ok(Outcome::Open)
    }

    /// Whether this was done with the same automaton before; from now on it was.
    fn is_done(&mut self, reduction: Reduction, automaton: &Automaton) -> bool {
        let known = self.done.iter().any(|(known, other)| *known == reduction && other.is_identical(automaton));
        if !known {
            self.done.push((reduction, automaton.clone()));
        }
        known
    }

    fn is_determinism_wanted(&self) -> bool {
        self.options.preference == Preference::Deterministic
    }

    /// Removes the acceptance sets that others make superfluous.
    pub(super) fn without_superfluous_sets(&mut self, automaton: Automaton) -> Result<Automaton, Exhausted> {
        let automaton = drop_superfluous(saturate(automaton, Marks::NONE, self.budget)?, self.budget)?;
        Ok(self.record("drop sets", automaton))
    }

    /// Brings acceptance into the wanted form, in one way or several, into `found`.
    pub(super) fn output(
        &mut self,
        automaton: Automaton,
        complement: Option<&Automaton>,
        found: &mut Vec<Automaton>,
    ) -> Result<(), Exhausted> {
        if self.options.output == Output::Generalized {
            found.push(automaton);
            return Ok(());
        }
        let mut automaton = automaton;
        if automaton.sets() > 1 {
            if self.options.level == Level::High {
                let entered = on_entry(&automaton, self.budget)?;
                let by_state = degeneralize(&entered, Acceptance::ByState, self.budget)?;
                let by_state = self.record("degeneralize by states", by_state);
                self.output_by_state(&by_state, complement, found)?;
            }
            let by_edge = degeneralize(&automaton, Acceptance::ByEdge, self.budget)?;
            automaton = self.record("degeneralize", by_edge);
            if self.options.level > Level::Low {
                automaton = self.simulated(automaton, Acceptance::ByEdge)?;
            }
        }
        self.output_by_state(&automaton, complement, found)
    }

    /// Moves one acceptance set from edges to states.
    fn output_by_state(
        &mut self,
        automaton: &Automaton,
        complement: Option<&Automaton>,
        found: &mut Vec<Automaton>,
    ) -> Result<(), Exhausted> {
        let keep_determinism = self.is_determinism_wanted() && automaton.is_deterministic();
        let guessing = if keep_determinism { Guessing::Never } else { Guessing::Allowed };
        let automaton = self.record("statewise", prune(statewise(automaton, guessing, self.budget)?));
        if self.options.level == Level::Low {
            found.push(automaton);
            return Ok(());
        }
        if self.is_done(Reduction::ByState(keep_determinism), &automaton) {
            return Ok(());
        }
        let automaton = self.simulated(automaton, Acceptance::ByState)?;
        if keep_determinism {
            found.push(automaton.clone());
        }
        found.push(self.merged(automaton, complement, Acceptance::ByState)?);
        Ok(())
    }

    /// Merges by trial, and simulates again if that helped; at the highest level only. What is near the end is merged until
    /// nothing changes: simulation drops edges, and with fewer runs more states can be merged.
    pub(super) fn merged(
        &mut self,
        mut automaton: Automaton,
        complement: Option<&Automaton>,
        acceptance: Acceptance,
    ) -> Result<Automaton, Exhausted> {
        let Some(complement) = complement.filter(|_| self.options.level == Level::High) else { return Ok(automaton) };
        if automaton.state_count() == 1 {
            return Ok(self.record("merge", automaton));
        }
        loop {
            let before = automaton.state_count();
            let merged = merge(&automaton, complement, acceptance, MERGING_STEPS, self.budget)?;
            let merged = self.record("merge", merged);
            if merged.state_count() == before {
                return Ok(merged);
            }
            let size = (merged.state_count(), merged.edge_count());
            automaton = self.simulated(merged, acceptance)?;
            if acceptance == Acceptance::ByEdge || size == (automaton.state_count(), automaton.edge_count()) {
                return Ok(automaton);
            }
        }
    }

    /// Simulation in both directions until nothing changes.
    pub(super) fn simulated(
        &mut self,
        mut automaton: Automaton,
        acceptance: Acceptance,
    ) -> Result<Automaton, Exhausted> {
        let by_edge = acceptance == Acceptance::ByEdge;
        let size = |automaton: &Automaton| (automaton.state_count(), automaton.edge_count(), automaton.sets());
        // Each direction leaves nothing to itself: the end is reached when one changes nothing after the other has
        // changed something.
        let mut before = None;
        loop {
            if by_edge {
                automaton = drop_superfluous(saturate(automaton, Marks::NONE, self.budget)?, self.budget)?;
                let all = automaton.all_marks();
                automaton = saturate(automaton, all, self.budget)?;
            }
            automaton = self.record("simulation", simulation(automaton, self.budget)?);
            if before == Some(size(&automaton)) {
                break;
            }
            before = Some(size(&automaton));
            if by_edge {
                automaton = saturate(automaton, Marks::NONE, self.budget)?;
            }
            automaton = self.record("reverse simulation", cosimulation(automaton, acceptance, self.budget)?);
            if before == Some(size(&automaton)) {
                break;
            }
            before = Some(size(&automaton));
        }
        if by_edge {
            automaton = saturate(automaton, Marks::NONE, self.budget)?;
            let manager = automaton.manager().clone();
            manager.within(self.budget, || automaton.merge_edges_within(self.budget))?;
        }
        Ok(automaton)
    }
}

/// The automaton over those of its atoms that some label mentions.
fn with_used_atoms(automaton: &Automaton) -> Automaton {
    let mut used = vec![false; automaton.atoms().len()];
    for (_, edge) in automaton.all_edges() {
        edge.label.support().into_iter().for_each(|atom| used[atom.0 as usize] = true);
    }
    if used.iter().all(|&used| used) {
        return automaton.clone();
    }
    let place: Vec<u32> =
        (0..used.len()).map(|atom| used[..atom].iter().filter(|&&used| used).count() as u32).collect();
    let atoms = automaton.propositions().filtered(|atom| used[atom]);
    let mut result = Automaton::in_manager(automaton.manager(), atoms, automaton.sets());
    result.name.clone_from(&automaton.name);
    result.add_states(automaton.state_count());
    result.set_initial(automaton.initial());
    for (source, edge) in automaton.all_edges() {
        let label = automaton.manager().import(&edge.label, |atom| Variable(place[atom.0 as usize]));
        result.add_edge(source, edge.target, &label, edge.marks);
    }
    result
}
