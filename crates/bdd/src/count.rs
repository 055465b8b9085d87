//! Support, size, evaluation, and the number of satisfying assignments.

use std::collections::HashMap;

use crate::store::{Edge, Store, Variable};

impl Store {
    /// The variables `f` depends on, in order.
    pub(crate) fn support(&self, f: Edge) -> Vec<Variable> {
        let mut support: Vec<Variable> =
            self.topological(f).iter().map(|&(_, level, _, _)| self.order.variable(level)).collect();
        support.sort_unstable();
        support.dedup();
        support
    }

    /// The value of `f` where each variable has the value that `value` gives.
    pub(crate) fn evaluate(&self, f: Edge, mut value: impl FnMut(Variable) -> bool) -> bool {
        let mut at = f;
        while !at.is_constant() {
            let (low, high) = self.children(at);
            at = if value(self.order.variable(self.level(at))) { high } else { low };
        }
        at == Edge::TRUE
    }

    /// The number of satisfying assignments to `variables` variables among which is the whole support, or none if it
    /// does not fit 128 bits.
    pub(crate) fn count(&self, f: Edge, variables: u32) -> Option<u128> {
        if f == Edge::FALSE {
            return Some(0);
        }
        let mut levels: Vec<u32> = self.support(f).into_iter().map(|variable| self.order.level(variable)).collect();
        levels.sort_unstable();
        let rank: HashMap<u32, u32> = (0..).zip(&levels).map(|(rank, level)| (*level, rank)).collect();
        let depth = u32::try_from(levels.len()).expect("fewer than 2^32 variables");
        let free = variables.checked_sub(depth).expect("the support is among the counted variables");
        if depth > 127 {
            return None;
        }
        let rank_of = |edge: Edge| if edge.is_constant() { depth } else { rank[&self.level(edge)] };
        // The count of each node over the support from its own level on; a complement edge counts the rest.
        let mut counts: HashMap<Edge, u128> = HashMap::from([(Edge::TRUE, 1)]);
        let signed = |counts: &HashMap<Edge, u128>, edge: Edge| {
            let positive = counts[&edge.regular()];
            if edge.is_complemented() { (1_u128 << (depth - rank_of(edge))) - positive } else { positive }
        };
        for (edge, level, low, high) in self.topological(f) {
            let below = |child: Edge| signed(&counts, child) << (rank_of(child) - rank[&level] - 1);
            let count = below(low) + below(high);
            counts.insert(edge, count);
        }
        let count = signed(&counts, f) << rank_of(f);
        if free >= 128 || count.leading_zeros() < free { None } else { Some(count << free) }
    }

    /// The share of all assignments that satisfy `f`.
    pub(crate) fn fraction(&self, f: Edge) -> f64 {
        // Both signs of each node, so that nothing is lost by subtracting from one.
        let mut fractions: HashMap<Edge, f64> = HashMap::from([(Edge::TRUE, 1.0), (Edge::FALSE, 0.0)]);
        for (edge, _, low, high) in self.topological(f) {
            let fraction = 0.5 * fractions[&low] + 0.5 * fractions[&high];
            let complement = 0.5 * fractions[&low.not()] + 0.5 * fractions[&high.not()];
            fractions.insert(edge, fraction);
            fractions.insert(edge.not(), complement);
        }
        fractions[&f]
    }
}
