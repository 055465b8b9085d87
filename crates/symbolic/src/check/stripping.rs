//! Counterexamples stripped to what matters, and what that did in numbers.
//!
//! Contract: a limit leaves the trace as it is. The published algorithms ([`Effort::Paper`]) drop bits and work with all
//! states of the model; the others drop whole variables and work with the reachable states.

use std::time::Instant;

use bdd::{Bdd, Variable};
use kernel::budget::Exhausted;

use super::Run;
use crate::fixpoint::Fixpoints;
use crate::image::machine::Machine;
use crate::image::system::System;
use crate::report::{Minimised, Trace};
use crate::strip::{self, Effort, Frame, PositionValues};
use crate::witness::Path;
use flat::cone;
use flat::model::{NodeId, VariableId};
use flat::order::{self, Bit};

impl Run<'_> {
    /// The fixpoints over all states of the model, if the effort is that of the published algorithms.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub(super) fn everywhere<'s>(&self, system: &'s System) -> Result<Option<Fixpoints<'s>>, Exhausted> {
        match self.options.minimise {
            Effort::Paper => Fixpoints::new(system, system.states().clone()).map(Some),
            _ => Ok(None),
        }
    }

    /// Strips the trace of a path on which `demand` demands something, among the states that the effort is about: all
    /// states, or those of `fixpoints`.
    pub(super) fn strip_path(
        &self,
        machine: &Machine<'_>,
        fixpoints: &Fixpoints<'_>,
        path: Path,
        about: &[NodeId],
        trace: &mut Trace,
        demand: impl FnOnce(&mut Frame<'_, '_>, &Fixpoints<'_>) -> Result<(), Exhausted>,
    ) -> Option<Minimised> {
        if self.options.minimise == Effort::Off {
            return None;
        }
        let system = machine.system().clone();
        let everywhere = self.everywhere(&system).ok()?;
        let fixpoints = everywhere.as_ref().unwrap_or(fixpoints);
        let mut frame = Frame::new(fixpoints, path);
        demand(&mut frame, fixpoints).ok()?;
        self.strip(machine, &frame, about, trace)
    }

    /// Strips a trace of a property about some expressions.
    pub(super) fn strip(
        &self,
        machine: &Machine<'_>,
        frame: &Frame<'_, '_>,
        about: &[NodeId],
        trace: &mut Trace,
    ) -> Option<Minimised> {
        match self.options.minimise {
            Effort::Off => None,
            _ => self.strip_within(machine, frame, about, trace).ok(),
        }
    }

    fn strip_within(
        &self,
        machine: &Machine<'_>,
        frame: &Frame<'_, '_>,
        about: &[NodeId],
        trace: &mut Trace,
    ) -> Result<Minimised, Exhausted> {
        let begin = Instant::now();
        let effort = self.options.minimise;
        let variables = match effort {
            Effort::Paper => self.single_bits(machine),
            _ => self.whole_variables(machine, about),
        };
        let stripped = strip::strip(frame, effort, &variables)?;
        for (state, place) in trace.states.iter_mut().zip(&stripped.places) {
            state.relevant = Some(self.names(machine, place));
        }
        // Inputs count where something depends on them.
        let whole: Vec<PositionValues> =
            (0..frame.states().len()).map(|position| frame.whole(position, &variables)).collect();
        // What lies outside the cone of the property is not shown, and does not count.
        let is_shown = |id: &VariableId| self.shown.is_none_or(|shown| shown.contains(id));
        let shown: Vec<VariableId> = self.model.variable_ids().filter(is_shown).collect();
        let used =
            |place: &PositionValues| shown.iter().filter(|id| place.uses(machine.encoding().bits_now(**id))).count();
        Ok(Minimised {
            values_before: whole.iter().map(used).sum(),
            values_after: stripped.places.iter().map(used).sum(),
            bits_before: whole.iter().map(PositionValues::size).sum(),
            bits_after: stripped.places.iter().map(PositionValues::size).sum(),
            by_bits: effort == Effort::Paper,
            irredundant: stripped.irredundant,
            minimum: stripped.minimum,
            undecided: false,
            every_path: stripped.places.iter().all(|place| place.size() == 0),
            seconds: begin.elapsed().as_secs_f64(),
        })
    }

    /// The expressions that have one truth value in all reachable states, with it: why no value matters.
    pub(super) fn constants(
        &self,
        about: &[NodeId],
        machine: &mut Machine<'_>,
        reachable: &Bdd,
    ) -> Result<Vec<(NodeId, bool)>, Exhausted> {
        let mut constants = Vec::new();
        let mut about = about.to_vec();
        about.sort();
        about.dedup();
        for node in about {
            let mentions = self.model.facts(node).mentions;
            if mentions.next || mentions.input {
                continue;
            }
            let truth = machine.truth(node)?;
            if reachable.try_implies(&truth)? {
                constants.push((node, true));
            } else if reachable.try_implies(&!truth)? {
                constants.push((node, false));
            }
        }
        Ok(constants)
    }

    /// The variables, those first that are farthest from what a property is about.
    fn whole_variables(&self, machine: &Machine<'_>, about: &[NodeId]) -> strip::Variables {
        let (ids, outside) = cone::by_distance(self.model, about);
        let groups = ids.iter().map(|id| machine.encoding().bits_now(*id).to_vec()).collect();
        strip::Variables { groups, outside }
    }

    /// The bits one by one: in the order that was given, or else in that of the declarations, the most significant bit of a
    /// variable first.
    fn single_bits(&self, machine: &Machine<'_>) -> strip::Variables {
        let declared = || {
            let places = |id: VariableId| (0..self.model.variable(id).domain.bits()).rev();
            let bits = |id: VariableId| places(id).map(move |place| Bit { variable: id, place });
            self.model.variable_ids().flat_map(bits).collect()
        };
        let bits: Vec<Bit> = self.options.order.clone().unwrap_or_else(declared);
        let bit = |bit: &Bit| vec![machine.encoding().bits_now(bit.variable)[bit.place as usize]];
        strip::Variables { groups: bits.iter().map(bit).collect(), outside: 0 }
    }

    /// The names of the variables with a value at a place; where only some bits of a variable have one, the names of these.
    fn names(&self, machine: &Machine<'_>, place: &PositionValues) -> Vec<String> {
        let mut names = Vec::new();
        for id in self.model.variable_ids() {
            let bits = machine.encoding().bits_now(id);
            let is_used = |bit: &Variable| place.uses(&[*bit]);
            if !bits.is_empty() && bits.iter().all(is_used) {
                names.push(self.model.variable(id).name.clone());
                continue;
            }
            let used = (0..).zip(bits).filter(|(_, bit)| is_used(bit));
            names.extend(used.map(|(place, _)| order::name(self.model, Bit { variable: id, place })));
        }
        names
    }
}
