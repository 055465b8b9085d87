//! A short forward search for violations, before all reachable states are known.
//!
//! What: breadth first from the initial states, at little cost, looking in each ring for states that an invariant forbids.
//! Where there is no fairness, and no dead end because there are only assignments, `AG p` of states is such an invariant.
//! Contract: properties that are found violated here are; nothing is said of the others. If the search happens to see
//! everything, its states are handed on and nothing else is said, since all is decided better with them. Where all
//! properties are refuted and the model has neither fairness nor dead ends, nothing is left that needs the reachable
//! states, however many they are.

use crate::thresholds::check::{EARLY_NODES, MOMENT_NODES};
use bdd::Bdd;

use super::{Common, Disagreement, Run};
use crate::fixpoint::Fixpoints;
use crate::image::machine::Machine;
use crate::image::reach;
use crate::image::system::System;
use crate::report::PropertyResult;
use flat::model::{CtlFormula, CtlUnary, NodeId, Question};
use kernel::budget::Exhausted;

/// The result of the short search.
#[derive(Default)]
pub(super) struct Early {
    /// The result for each property.
    pub(super) refuted: Vec<Option<Result<PropertyResult, Disagreement>>>,
    /// All reachable states, if the search has seen them.
    pub(super) reached: Option<Bdd>,
    /// Whether the reachable states are of no further use.
    pub(super) all: bool,
}

impl Run<'_> {
    /// Searches for a moment.
    pub(super) fn early(&self, system: &System, machine: &mut Machine<'_>) -> Result<Early, Exhausted> {
        // To find out whether constraints leave dead ends would take all states, reachable or not.
        let endless =
            system.justice().is_empty() && system.compassion().is_empty() && self.model.has_only_assignments();
        let mut forbidden = Vec::new();
        for (index, property) in self.model.properties.iter().enumerate() {
            if let Some(node) = self.invariant_of(&property.question, endless) {
                forbidden.push((index, system.states().try_and(&!machine.truth(node)?)?));
            }
        }
        if forbidden.is_empty() {
            return Ok(Early::default());
        }
        let mut early = Early::default();
        early.refuted.resize_with(self.model.properties.len(), || None);
        // Paths may lead through any state: that none leads elsewhere is not known here.
        let common = Ok(Common { fixpoints: Fixpoints::without_fairness(system, system.states().clone()) });
        let mut met: Vec<usize> = Vec::new();
        let end = reach::within(system, EARLY_NODES, &mut |ring, seen| {
            for (index, bad) in &forbidden {
                if !met.contains(index) && !ring.try_and(bad)?.is_false() {
                    met.push(*index);
                }
            }
            // Report violations at once, before a limit is reached, unless the search may end in a moment.
            for &index in met.iter().filter(|_| seen > MOMENT_NODES) {
                let property = &self.model.properties[index];
                early.refuted[index].get_or_insert_with(|| self.property(index, property, machine, &common));
            }
            Ok(())
        });
        match end {
            Ok(Some(reached)) => return Ok(Early { reached: Some(reached), ..Early::default() }),
            Ok(None) => early.all = endless && met.len() == self.model.properties.len(),
            // Violations found so far remain valid.
            Err(_) => {}
        }
        Ok(early)
    }

    /// The condition on states that a property wants everywhere, if that is all it wants.
    fn invariant_of(&self, question: &Question, endless: bool) -> Option<NodeId> {
        let node = match question {
            Question::Invariant(node) => *node,
            Question::Ctl(CtlFormula::Unary(CtlUnary::AG, body)) if endless => match body.as_ref() {
                CtlFormula::Atom(node) => *node,
                _ => return None,
            },
            _ => return None,
        };
        let mentions = self.model.facts(node).mentions;
        (!mentions.next && !mentions.input).then_some(node)
    }
}
