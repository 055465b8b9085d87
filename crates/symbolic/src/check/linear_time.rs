//! Properties of linear time.

use std::collections::BTreeMap;
use std::time::Instant;

use bdd::{Bdd, Cube, Variable};

use super::{Common, Disagreement, Found, Run, Stopped};
use crate::fixpoint::Fixpoints;
use crate::fixpoint::tableau;
use crate::image::machine::Machine;
use crate::image::reach;
use crate::image::system::System;
use crate::report::{Answer, Minimised, Trace};
use crate::strip::{Effort, linear};
use crate::validate;
use crate::witness::{Path, Witness};
use flat::enumerate::Rules;
use flat::model::{Linear, NodeId};
use kernel::budget::Exhausted;

/// The fair paths of a product of the model with a formula.
pub(super) struct FairPaths<'p> {
    /// The initial states from which one starts.
    pub(super) starts: Bdd,
    fixpoints: Fixpoints<'p>,
}

impl<'p> FairPaths<'p> {
    pub(super) fn new(product: &'p System, common: &Common<'_>) -> Result<Self, Exhausted> {
        // The model's part of a reachable state of the product is reachable.
        let within = common.fixpoints.fair();
        let start = product.initial().try_and(within)?;
        let reached = reach::reachable(product, &start)?;
        // A fair path never meets a state from which no fair path starts; steps may, where there are such states.
        let fixpoints = if within == common.fixpoints.universe() {
            Fixpoints::new(product, reached)?
        } else {
            Fixpoints::inside(product, reached.try_and(within)?)?
        };
        Ok(FairPaths { starts: start.try_and(fixpoints.fair())?, fixpoints })
    }
}

impl Run<'_> {
    /// A formula of linear time, true on all fair paths?
    pub(super) fn linear(
        &self,
        formula: &Linear,
        machine: &mut Machine<'_>,
        common: &Common<'_>,
    ) -> Result<Found, Stopped> {
        let negation = formula.negated().simplified(self.budget);
        let product = tableau::product(machine, &negation)?;
        let FairPaths { starts, fixpoints } = FairPaths::new(&product, common)?;
        if starts.is_false() {
            let fixpoints = &common.fixpoints;
            if fixpoints.system().initial().try_and(fixpoints.fair())?.is_false() {
                return Ok(Found::no_path(fixpoints));
            }
            // A limit leaves open whether it holds vacuously, but not that it holds.
            let vacuous = self.vacuous_linear(formula, machine, common).unwrap_or_default();
            return Ok(Found { answer: Answer::Holds { vacuous }, ..Found::holds() });
        }
        if !self.options.counterexamples {
            return Ok(Found::violated());
        }
        let witness = Witness::new(&fixpoints);
        Self::or_violated(self.lasso(formula, &negation, machine, common, &witness, &starts))
    }

    /// A lasso on which the formula is false, from one of the starts of the product with its negation.
    fn lasso(
        &self,
        formula: &Linear,
        negation: &Linear,
        machine: &mut Machine<'_>,
        common: &Common<'_>,
        witness: &Witness<'_, '_>,
        starts: &Bdd,
    ) -> Result<Found, Stopped> {
        let (path, within) = self.violating(formula, negation, machine, witness, starts)?;
        let begin = Instant::now();
        let (path, shortest) = self.shortener(machine).linear(negation, path, Some(&within));
        let shortening = begin.elapsed();
        let begin = Instant::now();
        let mut rules = Rules::new(self.model);
        let confirmation =
            validate::linear(machine.encoding(), &mut rules, formula, &path).map_err(Disagreement::from)?;
        let validating = begin.elapsed();
        let mut trace = self.trace(machine, &path, confirmation.extent(), shortest);
        let minimised = self.strip_linear(formula, machine, common, &path, &mut trace).unwrap_or_default();
        Ok(Found { trace: Some(confirmation.seal(trace)), minimised, validating, shortening, ..Found::violated() })
    }

    /// A lasso of the model that violates the formula, and the states of the model that such a lasso may visit.
    fn violating(
        &self,
        formula: &Linear,
        negation: &Linear,
        machine: &mut Machine<'_>,
        witness: &Witness<'_, '_>,
        starts: &Bdd,
    ) -> Result<(Path, Bdd), Exhausted> {
        let path = witness.short_lasso(starts, witness.fixpoints.fair())?;
        let own = machine.system().state_bits().to_vec();
        // The bits of the tableau: a lasso of the model visits states with some values of them from which the product has
        // a fair path.
        let is_own = |bit: &Variable| own.contains(bit);
        let tableau: Vec<Variable> = witness.system().state_bits().iter().copied().filter(|bit| !is_own(bit)).collect();
        let within = witness.fixpoints.fair().try_exists(&tableau)?;
        // The memory of a past operator can make the loop of the product longer than that of the model.
        let path = if negation.past_depth() > 0 { self.shortest_fold(formula, machine, path, &own) } else { path };
        Ok((path, within))
    }

    /// The shortest beginning of a lasso that violates the formula when it returns to an earlier state of the model.
    fn shortest_fold(&self, formula: &Linear, machine: &Machine<'_>, path: Path, own: &[Variable]) -> Path {
        let same = |a: &Cube, b: &Cube| own.iter().all(|bit| a.value(*bit) == b.value(*bit));
        let mut rules = Rules::new(self.model);
        for end in 1..path.states.len() {
            for start in (0..end).filter(|start| same(&path.states[*start], &path.states[end])) {
                let (states, inputs) = (path.states[..end].to_vec(), path.inputs[..end].to_vec());
                let candidate = Path { states, inputs, loop_start: Some(start) };
                if validate::linear(machine.encoding(), &mut rules, formula, &candidate).is_ok() {
                    return candidate;
                }
            }
        }
        path
    }

    fn strip_linear(
        &self,
        formula: &Linear,
        machine: &mut Machine<'_>,
        common: &Common<'_>,
        path: &Path,
        trace: &mut Trace,
    ) -> Result<Option<Minimised>, Exhausted> {
        let atoms = formula.atoms();
        if self.options.minimise == Effort::Off {
            return Ok(None);
        }
        let about_steps = |node: NodeId| {
            let mentions = self.model.facts(node).mentions;
            mentions.next || mentions.input
        };
        let mut sets = Vec::new();
        for atom in atoms {
            sets.push((atom, machine.truth(atom)?));
        }
        let present: BTreeMap<Variable, Variable> =
            machine.system().parts().pairs.iter().map(|(now, next)| (*next, *now)).collect();
        let loop_start = path.loop_start.expect("a lasso");
        let truth_at = |position: usize| -> Vec<(NodeId, bool)> {
            let after = if position + 1 < path.states.len() { position + 1 } else { loop_start };
            let (state, input, next) = (&path.states[position], &path.inputs[position], &path.states[after]);
            let later = |bit: Variable| next.value(*present.get(&bit)?);
            let value = |bit: Variable| state.value(bit).or(input.value(bit)).or_else(|| later(bit)) == Some(true);
            sets.iter().map(|(atom, set)| (*atom, set.evaluate(value))).collect()
        };
        let truth: Vec<Vec<(NodeId, bool)>> = (0..path.states.len()).map(truth_at).collect();
        let Some(demands) = linear::demands(formula, loop_start, &truth) else {
            return Ok(None);
        };
        // The model's part of the lasso, without the bits of the tableau.
        let own = machine.system().state_bits();
        let projected = |state: &Cube| {
            Cube::new(state.literals().iter().copied().filter(|(bit, _)| own.contains(bit))).expect("part of a cube")
        };
        let path = Path { states: path.states.iter().map(projected).collect(), ..path.clone() };
        Ok(self.strip_path(machine, &common.fixpoints, path, &formula.atoms(), trace, |frame, _| {
            for (position, demanded) in demands.iter().enumerate() {
                for (atom, truth) in demanded {
                    let (_, set) = sets.iter().find(|(known, _)| known == atom).expect("an atom of the formula");
                    let set = if *truth { set.clone() } else { !set };
                    match about_steps(*atom) {
                        true => frame.demand_of_step(position, &set)?,
                        false => frame.demand(position, &set)?,
                    }
                }
            }
            frame.demand_fairness()
        }))
    }
}
