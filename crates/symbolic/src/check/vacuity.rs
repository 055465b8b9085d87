//! Properties that hold for a reason that says little.
//!
//! What: a property of the form "always, if a condition then …" (or "if a condition then …", of the first states) whose
//! condition is never true; of a conjunction of such, if none of the conditions is. Contract: a reason is only given for
//! properties that hold. The condition may be any formula; one about paths of linear time is decided by a second tableau.
//! Tested by `tests/arbiters.rs`.

use bdd::Bdd;

use super::linear_time::FairPaths;
use super::{Common, Run};
use crate::machine::Machine;
use crate::model::{Formula, Model, Node, NodeId, Unary};
use crate::stop::Step;
use crate::{ctl, tableau};

/// What is said of a condition that is never true.
const NEVER: &str = "its condition is never true";

impl Run<'_> {
    /// Why a formula of branching time that holds means little.
    pub(super) fn vacuous_branching(
        &self,
        formula: &Formula,
        starts: &Bdd,
        machine: &mut Machine<'_>,
        common: &Common<'_>,
    ) -> Step<Option<String>> {
        let (body, states) = match formula {
            Formula::Unary(Unary::AG, body) => (body.as_ref(), common.fixpoints.fair()),
            own => (own, starts),
        };
        let Some(conditions) = conditions(self.model, body) else { return Ok(None) };
        for condition in conditions {
            let set = ctl::satisfying(&common.fixpoints, &condition, &mut |atom| machine.truth(atom))?;
            if !set.try_and(states)?.is_false() {
                return Ok(None);
            }
        }
        Ok(Some(NEVER.to_owned()))
    }

    /// Why a formula of linear time that holds means little.
    pub(super) fn vacuous_linear(
        &self,
        formula: &Formula,
        machine: &mut Machine<'_>,
        common: &Common<'_>,
    ) -> Step<Option<String>> {
        let (body, globally) = match formula {
            Formula::Unary(Unary::G, body) => (body.as_ref(), true),
            own => (own, false),
        };
        let Some(conditions) = conditions(self.model, body) else { return Ok(None) };
        for condition in conditions {
            let happens = match (&condition, globally) {
                (Formula::Atom(node), true) => !self.steps_with(*node, machine, common)?.is_false(),
                (_, true) => self.some_path(&Formula::Unary(Unary::F, Box::new(condition)), machine, common)?,
                (_, false) => self.some_path(&condition, machine, common)?,
            };
            if happens {
                return Ok(None);
            }
        }
        Ok(Some(NEVER.to_owned()))
    }

    /// Why an invariant that holds means little.
    pub(super) fn vacuous_invariant(
        &self,
        node: NodeId,
        machine: &mut Machine<'_>,
        common: &Common<'_>,
    ) -> Step<Option<String>> {
        let fixpoints = &common.fixpoints;
        let Some(conditions) = conditions(self.model, &Formula::Atom(node)) else { return Ok(None) };
        for condition in conditions {
            let Formula::Atom(condition) = condition else { return Ok(None) };
            let truth = machine.truth(condition)?;
            let mentions = self.model.facts(condition).mentions;
            let states = if mentions.next || mentions.input {
                fixpoints.system().preimage_with(&truth, fixpoints.universe())?
            } else {
                truth
            };
            if !states.try_and(fixpoints.universe())?.is_false() {
                return Ok(None);
            }
        }
        Ok(Some(NEVER.to_owned()))
    }

    /// The states in which an atom is true on some fair path.
    fn steps_with(&self, node: NodeId, machine: &mut Machine<'_>, common: &Common<'_>) -> Step<Bdd> {
        let fair = common.fixpoints.fair();
        let truth = machine.truth(node)?;
        let mentions = self.model.facts(node).mentions;
        let states = if mentions.next || mentions.input {
            common.fixpoints.system().preimage_with(&truth, fair)?
        } else {
            truth
        };
        Ok(states.try_and(fair)?)
    }

    /// Whether a formula of linear time is true on some fair path from an initial state.
    fn some_path(&self, formula: &Formula, machine: &mut Machine<'_>, common: &Common<'_>) -> Step<bool> {
        let product = tableau::product(machine, formula)?;
        Ok(!FairPaths::new(&product, common)?.starts.is_false())
    }
}

/// The conditions of a conjunction of implications; none if a part is no implication.
fn conditions(model: &Model, formula: &Formula) -> Option<Vec<Formula>> {
    let mut found = Vec::new();
    let mut pending = vec![formula.clone()];
    while let Some(part) = pending.pop() {
        match part {
            Formula::And(parts) if !parts.is_empty() => pending.extend(parts),
            Formula::Or(parts) => match parts.into_iter().next() {
                Some(Formula::Not(condition)) => found.push(*condition),
                _ => return None,
            },
            Formula::Atom(node) => match model.node(node) {
                Node::Implies(condition, _) => found.push(Formula::Atom(*condition)),
                Node::And(parts) if !parts.is_empty() => pending.extend(parts.iter().map(|part| Formula::Atom(*part))),
                Node::Define(define) => pending.push(Formula::Atom(model.defines[define.0 as usize].body)),
                _ => return None,
            },
            _ => return None,
        }
    }
    Some(found)
}
