//! Simultaneous substitution of functions for variables; renaming is the case where the functions are variables.
//!
//! Contract: all variables are replaced at once, so `x := y, y := x` swaps. Works bottom up over the diagram, without
//! recursion, with one if-then-else a node. Tested by the truth tables in `tests/`.

use std::collections::HashMap;

use crate::manager::OutOfNodes;
use crate::store::{Edge, Store};

impl Store {
    /// `f` with the function `by[level]` in place of each variable that has one.
    pub(crate) fn substitute(&mut self, f: Edge, by: &HashMap<u32, Edge>) -> Result<Edge, OutOfNodes> {
        let mut built: HashMap<Edge, Edge> = HashMap::from([(Edge::TRUE, Edge::TRUE), (Edge::FALSE, Edge::FALSE)]);
        for (edge, level, low, high) in self.topological(f) {
            let condition = match by.get(&level) {
                Some(&function) => function,
                None => self.make(level, Edge::FALSE, Edge::TRUE)?,
            };
            let result = self.if_then_else(condition, built[&high], built[&low])?;
            built.insert(edge, result);
            built.insert(edge.not(), result.not());
        }
        Ok(built[&f])
    }

    /// The nodes of `f` as regular edges, each with its level and children, children first.
    pub(crate) fn topological(&self, f: Edge) -> Vec<(Edge, u32, Edge, Edge)> {
        let mut nodes = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut pending = vec![f.regular()];
        while let Some(edge) = pending.pop() {
            if !edge.is_constant() && seen.insert(edge) {
                let (low, high) = self.children(edge);
                nodes.push((edge, self.level(edge), low, high));
                pending.extend([low.regular(), high.regular()]);
            }
        }
        // Children stand on later levels than their parents, so sorting by level is a topological order.
        nodes.sort_by_key(|&(edge, level, _, _)| (std::cmp::Reverse(level), edge));
        nodes
    }
}
