//! The part of a model that a property can depend on (cone of influence).
//!
//! Contract: the smaller model has the same variables, but keeps only the assignments to variables on which the property
//! or a constraint of the model depends, directly or through other assignments. All constraints (`INIT`, `INVAR`, `TRANS`)
//! and all fairness are kept: what they forbid may end paths or make them unfair. What is left out are assignments, which
//! always have a value to give (the machine refuses others), so every path of the smaller model is one of the whole model
//! with some values for the other variables: verdicts, deadlocks and fairness are the same.

use std::collections::BTreeSet;

use crate::model::{Model, Node, NodeId, VariableId};

/// The model restricted to the cone of influence of some nodes, and the variables of the cone.
#[must_use]
pub fn slice(model: &Model, roots: &[NodeId]) -> (Model, BTreeSet<VariableId>) {
    let cone = cone(model, roots);
    let mut sliced = model.clone();
    sliced.assignments.retain(|assignment| cone.contains(&assignment.variable));
    (sliced, cone)
}

/// All variables, those first that the nodes of a property cannot depend on, last those that they mention; and how many
/// the first are.
#[must_use]
pub fn by_distance(model: &Model, roots: &[NodeId]) -> (Vec<VariableId>, usize) {
    let cone = cone(model, roots);
    let mentioned: BTreeSet<VariableId> = roots.iter().flat_map(|root| variables(model, *root)).collect();
    let mut ids: Vec<VariableId> = model.variable_ids().collect();
    ids.sort_by_key(|id| (cone.contains(id), mentioned.contains(id)));
    let outside = ids.iter().filter(|id| !cone.contains(id)).count();
    (ids, outside)
}

/// The variables on which the nodes of a property or a constraint depend.
fn cone(model: &Model, roots: &[NodeId]) -> BTreeSet<VariableId> {
    let mut cone = BTreeSet::new();
    let constraints = model.init.iter().chain(&model.invar).chain(&model.trans).chain(&model.justice);
    for root in roots.iter().chain(constraints) {
        cone.extend(variables(model, *root));
    }
    for (often, then_often) in &model.compassion {
        cone.extend(variables(model, *often));
        cone.extend(variables(model, *then_often));
    }
    let assignments: Vec<BTreeSet<VariableId>> =
        model.assignments.iter().map(|assignment| variables(model, assignment.value)).collect();
    loop {
        let before = cone.len();
        for (assignment, mentioned) in model.assignments.iter().zip(&assignments) {
            if cone.contains(&assignment.variable) {
                cone.extend(mentioned);
            }
        }
        if cone.len() == before {
            return cone;
        }
    }
}

/// The variables that an expression mentions, now or next.
#[must_use]
pub fn variables(model: &Model, root: NodeId) -> BTreeSet<VariableId> {
    let variable = |node: &Node| match node {
        Node::Variable(variable) => Some(*variable),
        _ => None,
    };
    model.walk(root, Node::operands).filter_map(variable).collect()
}

/// The names of the definitions that expressions mention themselves, each once, in the order in which they are met.
#[must_use]
pub fn definitions(model: &Model, roots: &[NodeId]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut pending: Vec<NodeId> = roots.iter().rev().copied().collect();
    while let Some(id) = pending.pop() {
        if !seen.insert(id) {
            continue;
        }
        match model.node(id) {
            Node::Define(define) => {
                let name = &model.defines[define.0 as usize].name;
                if !found.contains(name) {
                    found.push(name.clone());
                }
            }
            other => pending.extend(other.operands().into_iter().rev()),
        }
    }
    found
}
