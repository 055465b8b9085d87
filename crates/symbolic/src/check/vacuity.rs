//! Properties that hold for a reason that says little.
//!
//! What: a property of the form "always, if a condition then …" (or "if a condition then …", of the first states) whose
//! condition is never true; of nested implications, whose conditions are never true together; of a conjunction of such, if
//! that is so of all of them. `!p | q` is the implication it stands for. Contract: a reason is only given for
//! properties that hold. A condition may be any formula; one about paths of linear time is decided by a second tableau.
//! Tested by `tests/arbiters.rs`.

use bdd::Bdd;

use super::linear_time::FairPaths;
use super::{Common, Run};
use crate::fixpoint::{ctl, tableau};
use crate::image::machine::Machine;
use flat::model::{Formula, Model, Node, NodeId, Unary};
use kernel::budget::Exhausted;

/// What has to be true together for a part of a property to say something.
type Premises = Vec<Formula>;

/// What is said of conditions that are never true.
fn never(conditions: &[Premises]) -> Option<String> {
    let together = conditions.iter().any(|premises| premises.len() > 1);
    let text = if together { "its conditions are never true together" } else { "its condition is never true" };
    Some(text.to_owned())
}

impl Run<'_> {
    /// Why a formula of branching time that holds means little.
    pub(super) fn vacuous_branching(
        &self,
        formula: &Formula,
        starts: &Bdd,
        machine: &mut Machine<'_>,
        common: &Common<'_>,
    ) -> Result<Option<String>, Exhausted> {
        let (body, states) = match formula {
            Formula::Unary(Unary::AG, body) => (body.as_ref(), common.fixpoints.fair()),
            own => (own, starts),
        };
        let Some(conditions) = conditions(self.model, body) else { return Ok(None) };
        for premises in &conditions {
            let condition = Formula::And(premises.clone());
            let set = ctl::satisfying(&common.fixpoints, &condition, &mut |atom| machine.truth(atom))?;
            if !set.try_and(states)?.is_false() {
                return Ok(None);
            }
        }
        Ok(never(&conditions))
    }

    /// Why a formula of linear time that holds means little.
    pub(super) fn vacuous_linear(
        &self,
        formula: &Formula,
        machine: &mut Machine<'_>,
        common: &Common<'_>,
    ) -> Result<Option<String>, Exhausted> {
        let (body, globally) = match formula {
            Formula::Unary(Unary::G, body) => (body.as_ref(), true),
            own => (own, false),
        };
        let Some(conditions) = conditions(self.model, body) else { return Ok(None) };
        for premises in &conditions {
            let condition = Formula::And(premises.clone());
            let happens = match (atoms(premises), globally) {
                (Some(nodes), true) => !self.steps_with(&nodes, common.fixpoints.fair(), machine, common)?.is_false(),
                (None, true) => self.some_path(&Formula::Unary(Unary::F, Box::new(condition)), machine, common)?,
                (_, false) => self.some_path(&condition, machine, common)?,
            };
            if happens {
                return Ok(None);
            }
        }
        Ok(never(&conditions))
    }

    /// Why an invariant that holds means little.
    pub(super) fn vacuous_invariant(
        &self,
        node: NodeId,
        machine: &mut Machine<'_>,
        common: &Common<'_>,
    ) -> Result<Option<String>, Exhausted> {
        let Some(conditions) = conditions(self.model, &Formula::Atom(node)) else { return Ok(None) };
        for premises in &conditions {
            let nodes = atoms(premises).expect("an invariant has no operator of time");
            if !self.steps_with(&nodes, common.fixpoints.universe(), machine, common)?.is_false() {
                return Ok(None);
            }
        }
        Ok(never(&conditions))
    }

    /// The states of a set in which atoms are true together, in some step within the set if they are about steps.
    fn steps_with(
        &self,
        nodes: &[NodeId],
        within: &Bdd,
        machine: &mut Machine<'_>,
        common: &Common<'_>,
    ) -> Result<Bdd, Exhausted> {
        let system = common.fixpoints.system();
        let mut truth = system.manager().yes();
        let mut about_steps = false;
        for node in nodes {
            truth = truth.try_and(&machine.truth(*node)?)?;
            let mentions = self.model.facts(*node).mentions;
            about_steps |= mentions.next || mentions.input;
        }
        let states = if about_steps { system.preimage_with(&truth, within)? } else { truth };
        Ok(states.try_and(within)?)
    }

    /// Whether a formula of linear time is true on some fair path from an initial state.
    fn some_path(&self, formula: &Formula, machine: &mut Machine<'_>, common: &Common<'_>) -> Result<bool, Exhausted> {
        let product = tableau::product(machine, formula)?;
        Ok(!FairPaths::new(&product, common)?.starts.is_false())
    }
}

/// The atoms that premises are, unless one is more than that.
fn atoms(premises: &[Formula]) -> Option<Vec<NodeId>> {
    premises.iter().map(|premise| if let Formula::Atom(node) = premise { Some(*node) } else { None }).collect()
}

/// The premises of each implication in a conjunction of implications, nested ones included; none if a part is no
/// implication.
fn conditions(model: &Model, formula: &Formula) -> Option<Vec<Premises>> {
    let mut found = Vec::new();
    let mut pending = vec![(formula.clone(), Premises::new())];
    while let Some((part, mut premises)) = pending.pop() {
        match opened(model, &part) {
            Formula::And(parts) if !parts.is_empty() => {
                pending.extend(parts.into_iter().map(|part| (part, premises.clone())));
            }
            Formula::Or(parts) => {
                let (more, conclusion) = split(model, parts);
                premises.extend(more);
                match conclusion {
                    Some(conclusion) if !premises.is_empty() => pending.push((conclusion, premises)),
                    _ if premises.is_empty() => return None,
                    _ => found.push(premises),
                }
            }
            _ if premises.is_empty() => return None,
            _ => found.push(premises),
        }
    }
    Some(found)
}

/// The negated parts of a disjunction, which are premises, and what they imply if that is one part. Where all are
/// negated, the last one is what is implied: `!a | !b` says `a -> !b`.
fn split(model: &Model, parts: Vec<Formula>) -> (Premises, Option<Formula>) {
    let mut premises = Vec::new();
    let mut conclusions = Vec::new();
    let last = parts.len() - 1;
    for (at, part) in parts.into_iter().enumerate() {
        match opened(model, &part) {
            Formula::Not(condition) if at < last || !conclusions.is_empty() => premises.push(*condition),
            _ => conclusions.push(part),
        }
    }
    let conclusion = if conclusions.len() == 1 { conclusions.pop() } else { None };
    (premises, conclusion)
}

/// A formula with its outermost operator to be seen, where an expression without operators of time hides it.
fn opened(model: &Model, formula: &Formula) -> Formula {
    let mut formula = formula.clone();
    loop {
        let Formula::Atom(node) = formula else { return formula };
        let atom = |node: &NodeId| Formula::Atom(*node);
        formula = match model.node(node) {
            Node::Define(define) => Formula::Atom(model.defines[define.0 as usize].body),
            // `a != b` is a statement of its own and not the negation that it becomes, which stands in the same place.
            Node::Not(operand) if model.facts(*operand).span != model.facts(node).span => {
                return Formula::Not(Box::new(atom(operand)));
            }
            Node::And(parts) => return Formula::And(parts.iter().map(atom).collect()),
            Node::Or(parts) => return Formula::Or(parts.iter().map(atom).collect()),
            Node::Implies(condition, then) => {
                return Formula::Or(vec![Formula::Not(Box::new(atom(condition))), atom(then)]);
            }
            _ => return formula,
        };
    }
}
