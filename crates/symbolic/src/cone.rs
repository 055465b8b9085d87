//! The part of a model that a property can depend on (cone of influence).
//!
//! Contract: the smaller model has the same variables, but keeps only the assignments and constraints that mention a
//! variable on which the property, a fairness constraint, or another kept one depends. Variables outside the cone are left
//! free. The property has the same verdict on both, provided that the constraints left out can always be satisfied: what
//! they forbid altogether is no longer seen.

use std::collections::BTreeSet;

use crate::model::{Model, Node, NodeId, VariableId};

/// The model without what the nodes of a property cannot depend on, and the variables of the cone.
#[must_use]
pub fn slice(model: &Model, roots: &[NodeId]) -> (Model, BTreeSet<VariableId>) {
    let mut cone = BTreeSet::new();
    for root in roots.iter().chain(&model.justice) {
        cone.extend(variables(model, *root));
    }
    for (often, then_often) in &model.compassion {
        cone.extend(variables(model, *often));
        cone.extend(variables(model, *then_often));
    }
    let constraints: Vec<BTreeSet<VariableId>> =
        model.init.iter().chain(&model.invar).chain(&model.trans).map(|node| variables(model, *node)).collect();
    let assignments: Vec<BTreeSet<VariableId>> =
        model.assignments.iter().map(|assignment| variables(model, assignment.value)).collect();
    loop {
        let before = cone.len();
        for mentioned in &constraints {
            if !mentioned.is_disjoint(&cone) {
                cone.extend(mentioned);
            }
        }
        for (assignment, mentioned) in model.assignments.iter().zip(&assignments) {
            if cone.contains(&assignment.variable) {
                cone.extend(mentioned);
            }
        }
        if cone.len() == before {
            break;
        }
    }
    let mut sliced = model.clone();
    let kept = |node: &NodeId| variables(model, *node).is_empty() || !variables(model, *node).is_disjoint(&cone);
    sliced.init.retain(kept);
    sliced.invar.retain(kept);
    sliced.trans.retain(kept);
    sliced.assignments.retain(|assignment| cone.contains(&assignment.variable));
    (sliced, cone)
}

/// The variables that an expression mentions, now or next.
#[must_use]
pub fn variables(model: &Model, root: NodeId) -> BTreeSet<VariableId> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut pending = vec![root];
    while let Some(id) = pending.pop() {
        if seen.insert(id) {
            match model.node(id) {
                Node::Variable(variable) => {
                    found.insert(*variable);
                }
                Node::Define(define) => pending.push(model.defines[define.0 as usize].body),
                other => pending.extend(other.operands()),
            }
        }
    }
    found
}
