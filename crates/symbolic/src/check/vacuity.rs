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
use flat::model::{CtlFormula, CtlUnary, Linear, Model, Node, NodeId};
use kernel::budget::Exhausted;
use omega::formula::{Formula, Node as Operator};

/// The premises that must be true together before a part of a property applies.
type Premises<F> = Vec<F>;

/// The outermost operator of a formula of either logic, as far as it matters here.
enum Shape<F> {
    And(Vec<F>),
    Or(Vec<F>),
    Not(F),
    Other,
}

impl<F> Shape<F> {
    fn map<G>(self, mut change: impl FnMut(F) -> G) -> Shape<G> {
        match self {
            Shape::And(parts) => Shape::And(parts.into_iter().map(change).collect()),
            Shape::Or(parts) => Shape::Or(parts.into_iter().map(change).collect()),
            Shape::Not(part) => Shape::Not(change(part)),
            Shape::Other => Shape::Other,
        }
    }
}

/// An expression or, if the flag is set, its negation.
type Literal = (NodeId, bool);

/// The warning about premises that are never true.
fn never<F>(conditions: &[Premises<F>]) -> Option<String> {
    let together = conditions.iter().any(|premises| premises.len() > 1);
    let text = if together { "its conditions are never true together" } else { "its condition is never true" };
    Some(text.to_owned())
}

impl Run<'_> {
    /// Why a formula of branching time that holds means little.
    pub(super) fn vacuous_branching(
        &self,
        formula: &CtlFormula,
        starts: &Bdd,
        machine: &mut Machine<'_>,
        common: &Common<'_>,
    ) -> Result<Option<String>, Exhausted> {
        let (body, states) = match formula {
            CtlFormula::Unary(CtlUnary::AG, body) => (body.as_ref(), common.fixpoints.fair()),
            own => (own, starts),
        };
        let Some(conditions) = self.conditions_of_states(body) else { return Ok(None) };
        for premises in &conditions {
            let condition = CtlFormula::And(premises.clone());
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
        formula: &Linear,
        machine: &mut Machine<'_>,
        common: &Common<'_>,
    ) -> Result<Option<String>, Exhausted> {
        let mut linear = formula.clone();
        let (body, globally) = match *linear.formulas().node(linear.root()) {
            Operator::Always(body) => (body, true),
            _ => (linear.root(), false),
        };
        let conditions = conditions(body, &mut |part| opened_linear(self.model, &mut linear, *part));
        let Some(conditions) = conditions else { return Ok(None) };
        for premises in &conditions {
            let atoms = atoms_of_paths(&linear, premises);
            let condition = match premises.as_slice() {
                [only] => *only,
                several => linear.make(Operator::And(several.into())),
            };
            let eventually = linear.make(Operator::Eventually(condition));
            let happens = match (atoms, globally) {
                (Some(nodes), true) => !self.steps_with(&nodes, common.fixpoints.fair(), machine, common)?.is_false(),
                (None, true) => self.some_path(&linear.clone().with_root(eventually), machine, common)?,
                (_, false) => self.some_path(&linear.clone().with_root(condition), machine, common)?,
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
        let Some(conditions) = self.conditions_of_states(&CtlFormula::Atom(node)) else { return Ok(None) };
        for premises in &conditions {
            let nodes = atoms(premises).expect("an invariant has no operator of time");
            if !self.steps_with(&nodes, common.fixpoints.universe(), machine, common)?.is_false() {
                return Ok(None);
            }
        }
        Ok(never(&conditions))
    }

    /// The premises of a formula of branching time, or of an expression.
    fn conditions_of_states(&self, formula: &CtlFormula) -> Option<Vec<Premises<CtlFormula>>> {
        conditions(formula.clone(), &mut |part| opened_branching(self.model, part))
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
    fn some_path(&self, formula: &Linear, machine: &mut Machine<'_>, common: &Common<'_>) -> Result<bool, Exhausted> {
        let product = tableau::product(machine, &formula.simplified(self.budget))?;
        Ok(!FairPaths::new(&product, common)?.starts.is_false())
    }
}

/// The atoms that premises are, unless one is more than that.
fn atoms(premises: &[CtlFormula]) -> Option<Vec<NodeId>> {
    premises.iter().map(|premise| if let CtlFormula::Atom(node) = premise { Some(*node) } else { None }).collect()
}

/// The atoms that premises about paths are, unless one is more than that.
fn atoms_of_paths(linear: &Linear, premises: &[Formula]) -> Option<Vec<NodeId>> {
    let atom = |premise: &Formula| match *linear.formulas().node(*premise) {
        Operator::Atom(atom) => Some(linear.node(atom)),
        _ => None,
    };
    premises.iter().map(atom).collect()
}

/// The premises of each implication in a conjunction of implications, nested ones included; none if a part is no
/// implication. `open` shows the outermost operator of a part.
fn conditions<F: Clone>(whole: F, open: &mut dyn FnMut(&F) -> Shape<F>) -> Option<Vec<Premises<F>>> {
    let mut found = Vec::new();
    let mut pending = vec![(whole, Premises::new())];
    while let Some((part, mut premises)) = pending.pop() {
        match open(&part) {
            Shape::And(parts) if !parts.is_empty() => {
                pending.extend(parts.into_iter().map(|part| (part, premises.clone())));
            }
            Shape::Or(parts) => {
                let (more, conclusion) = split(parts, open);
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
fn split<F>(parts: Vec<F>, open: &mut dyn FnMut(&F) -> Shape<F>) -> (Premises<F>, Option<F>) {
    let mut premises = Vec::new();
    let mut conclusions = Vec::new();
    let last = parts.len() - 1;
    for (at, part) in parts.into_iter().enumerate() {
        match open(&part) {
            Shape::Not(condition) if at < last || !conclusions.is_empty() => premises.push(condition),
            _ => conclusions.push(part),
        }
    }
    let conclusion = if conclusions.len() == 1 { conclusions.pop() } else { None };
    (premises, conclusion)
}

/// The outermost operator of a formula of branching time.
fn opened_branching(model: &Model, formula: &CtlFormula) -> Shape<CtlFormula> {
    match formula {
        CtlFormula::Atom(node) => opened_node(model, *node).map(|(node, is_negated)| match is_negated {
            true => CtlFormula::Not(Box::new(CtlFormula::Atom(node))),
            false => CtlFormula::Atom(node),
        }),
        CtlFormula::Not(a) => Shape::Not(a.as_ref().clone()),
        CtlFormula::And(parts) => Shape::And(parts.clone()),
        CtlFormula::Or(parts) => Shape::Or(parts.clone()),
        _ => Shape::Other,
    }
}

/// The outermost operator of a part of a formula of linear time.
fn opened_linear(model: &Model, linear: &mut Linear, formula: Formula) -> Shape<Formula> {
    match linear.formulas().node(formula).clone() {
        Operator::Atom(atom) => opened_node(model, linear.node(atom)).map(|(node, is_negated)| {
            let atom = linear.atom(node);
            if is_negated { linear.make(Operator::Not(atom)) } else { atom }
        }),
        Operator::Not(a) => Shape::Not(a),
        Operator::And(parts) => Shape::And(parts.to_vec()),
        Operator::Or(parts) => Shape::Or(parts.to_vec()),
        Operator::Implies(condition, then) => Shape::Or(vec![linear.make(Operator::Not(condition)), then]),
        _ => Shape::Other,
    }
}

/// The outermost operator of an expression without operators of time, seen through definitions.
fn opened_node(model: &Model, mut node: NodeId) -> Shape<Literal> {
    let plain = |parts: &[NodeId]| parts.iter().map(|part| (*part, false)).collect();
    loop {
        match model.node(node) {
            Node::Define(define) => node = model.defines[define.0 as usize].body,
            // `a != b` is a statement of its own and not the negation that it becomes, which stands in the same place.
            Node::Not(operand) if model.facts(*operand).span != model.facts(node).span => {
                return Shape::Not((*operand, false));
            }
            Node::And(parts) => return Shape::And(plain(parts)),
            Node::Or(parts) => return Shape::Or(plain(parts)),
            Node::Implies(condition, then) => return Shape::Or(vec![(*condition, true), (*then, false)]),
            _ => return Shape::Other,
        }
    }
}
