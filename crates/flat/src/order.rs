//! The static order of bits, from the root of the diagrams down.
//!
//! Contract: every bit of every variable once. Bits of one variable stand together, most significant first, except that
//! wide variables which are compared with, added to or copied to each other have their bits interleaved:
//! equality of two words of `n` bits takes `3n` nodes that way and `2^n` otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::model::{Model, Node, NodeId, VariableId};

/// One bit of a variable; place 0 is the least significant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bit {
    /// The variable.
    pub variable: VariableId,
    /// The place of the bit.
    pub place: u32,
}

/// Variables narrower than this are not interleaved.
const WIDE: u32 = 3;

/// All bits, variables in the given order.
#[must_use]
pub fn bits(model: &Model, variables: &[VariableId]) -> Vec<Bit> {
    let related = related_variables(model);
    let mut placed = vec![false; model.variables.len()];
    let mut position = vec![usize::MAX; model.variables.len()];
    for (at, id) in variables.iter().enumerate() {
        position[id.0 as usize] = at;
    }
    let mut order = Vec::new();
    for &first in variables {
        if placed[first.0 as usize] {
            continue;
        }
        let mut together = related.get(&first).map_or_else(|| vec![first], |class| class.to_vec());
        together.retain(|id| position[id.0 as usize] < usize::MAX);
        together.sort_by_key(|id| position[id.0 as usize]);
        let widest = together.iter().map(|id| model.variable(*id).domain.bits()).max().unwrap_or(0);
        for place in (0..widest).rev() {
            let with_place = together.iter().filter(|id| place < model.variable(**id).domain.bits());
            order.extend(with_place.map(|id| Bit { variable: *id, place }));
        }
        for id in together {
            placed[id.0 as usize] = true;
        }
    }
    order
}

/// For each wide variable, all variables it is directly or indirectly compared with or copied to.
fn related_variables(model: &Model) -> BTreeMap<VariableId, Rc<[VariableId]>> {
    // A forest: variables of one class have one root.
    let mut parent: Vec<usize> = (0..model.variables.len()).collect();
    let mut join = |a: VariableId, b: VariableId| {
        let (from, to) = (root(&mut parent, a.0 as usize), root(&mut parent, b.0 as usize));
        parent[from] = to;
    };
    let wide = |id: &VariableId| model.variable(*id).domain.bits() >= WIDE;
    let mut join_all = |operands: &[NodeId]| {
        let copied =
            operands.iter().map(|operand| copied(model, *operand).into_iter().filter(&wide).collect::<Vec<_>>());
        let meeting: Vec<Vec<VariableId>> = copied.filter(|list| !list.is_empty()).collect();
        if meeting.len() > 1 {
            meeting.iter().flatten().for_each(|other| join(*other, meeting[0][0]));
        }
    };
    for number in 0..model.node_count() {
        let node = model.node(NodeId(u32::try_from(number).expect("counted in u32")));
        match node {
            Node::Equal(..) | Node::Less(..) | Node::LessEqual(..) => join_all(&node.operands()),
            Node::Add(_) | Node::Subtract(..) => join_all(&node.operands()),
            _ => {}
        }
    }
    for assignment in &model.assignments {
        if wide(&assignment.variable) {
            for source in copied(model, assignment.value).into_iter().filter(&wide) {
                join(source, assignment.variable);
            }
        }
    }
    let mut classes: BTreeMap<usize, Vec<VariableId>> = BTreeMap::new();
    for id in model.variable_ids().filter(wide) {
        classes.entry(root(&mut parent, id.0 as usize)).or_default().push(id);
    }
    classes
        .into_values()
        .filter(|list| list.len() > 1)
        .flat_map(|list| {
            let class: Rc<[VariableId]> = list.clone().into();
            list.into_iter().map(move |id| (id, Rc::clone(&class)))
        })
        .collect()
}

/// The root of the tree of a variable. Halves the path to the root (union-find).
fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}

/// The variables whose value an expression can take over unchanged, or as a part of a sum.
fn copied(model: &Model, root: NodeId) -> BTreeSet<VariableId> {
    let passed_on = |node: &Node| match node {
        Node::Next(_) | Node::Set(_) | Node::Add(_) | Node::Subtract(..) => node.operands(),
        Node::Case(branches) => branches.iter().map(|branch| branch.1).collect(),
        _ => Vec::new(),
    };
    let variable = |node: &Node| match node {
        Node::Variable(variable) => Some(*variable),
        _ => None,
    };
    model.walk(root, passed_on).filter_map(variable).collect()
}

/// All variables in the order of declaration.
#[must_use]
pub fn declared(model: &Model) -> Vec<VariableId> {
    model.variable_ids().collect()
}

/// The name of a variable, and the place of one of its bits if a name is that of a bit: the inverse of [`name`] without the
/// model. No name of a variable ends with a dot and digits.
#[must_use]
pub fn split(name: &str) -> (&str, Option<u32>) {
    let bit = name.rsplit_once('.').and_then(|(variable, place)| {
        let is_place = place.bytes().all(|byte| byte.is_ascii_digit());
        Some((variable, place.parse().ok().filter(|_| is_place)?))
    });
    bit.map_or((name, None), |(variable, place)| (variable, Some(place)))
}

/// A bit as an order file names it: the variable, and the place of the bit where there are several.
#[must_use]
pub fn name(model: &Model, bit: Bit) -> String {
    let variable = model.variable(bit.variable);
    if variable.domain.bits() == 1 { variable.name.clone() } else { format!("{}.{}", variable.name, bit.place) }
}
