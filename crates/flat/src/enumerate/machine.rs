//! All states and steps of a small machine.

use super::{Rules, Valuation};
use crate::model::{Model, Value, VariableId, VariableKind};

/// A step: from which state, with which input, to which state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// The state it leaves.
    pub from: usize,
    /// The number of the input in [`Explicit::inputs`].
    pub input: usize,
    /// The state it enters.
    pub to: usize,
}

/// Every state and every step.
#[derive(Clone, Debug)]
pub struct Explicit {
    /// All states, reachable or not.
    pub states: Vec<Valuation>,
    /// All inputs, as values of the input variables on top of any state.
    pub inputs: Vec<Vec<(VariableId, Value)>>,
    /// The initial states.
    pub initial: Vec<usize>,
    /// All steps, ordered.
    pub edges: Vec<Edge>,
}

impl Explicit {
    /// Enumerates a machine; none if it has more than `limit` valuations of state variables or of inputs.
    #[must_use]
    pub fn new(model: &Model, limit: usize) -> Option<Self> {
        let mut rules = Rules::new(model);
        let is_input = |id: &VariableId| model.variable(*id).kind == VariableKind::Input;
        let (inputs, kept): (Vec<_>, Vec<_>) = model.variable_ids().partition(is_input);
        let inputs = products(model, &inputs, limit)?;
        let mut states = Vec::new();
        for values in products(model, &kept, limit)? {
            let state = super::valuation(model, values);
            if rules.is_state(&state) {
                states.push(state);
            }
        }
        let initial = (0..states.len()).filter(|state| rules.is_initial(&states[*state])).collect();
        let mut edges = Vec::new();
        for from in 0..states.len() {
            for (input, values) in inputs.iter().enumerate() {
                let mut current = states[from].clone();
                for (id, value) in values {
                    current[id.0 as usize] = value.clone();
                }
                edges.extend((0..states.len()).filter(|to| rules.is_step(&current, &states[*to])).map(|to| Edge {
                    from,
                    input,
                    to,
                }));
            }
        }
        Some(Explicit { states, inputs, initial, edges })
    }

    /// A state together with an input.
    #[must_use]
    pub fn with_input(&self, state: usize, input: usize) -> Valuation {
        let mut valuation = self.states[state].clone();
        for (id, value) in &self.inputs[input] {
            valuation[id.0 as usize] = value.clone();
        }
        valuation
    }

    /// Which states some path from an initial state reaches, and the length of the longest shortest path.
    #[must_use]
    pub fn reachable(&self) -> (Vec<bool>, usize) {
        let mut reached = vec![false; self.states.len()];
        let mut ring: Vec<usize> = self.initial.clone();
        for &state in &ring {
            reached[state] = true;
        }
        let mut rings = usize::from(!ring.is_empty());
        loop {
            let mut next = Vec::new();
            for edge in self.edges.iter().filter(|edge| ring.contains(&edge.from)) {
                if !std::mem::replace(&mut reached[edge.to], true) {
                    next.push(edge.to);
                }
            }
            if next.is_empty() {
                return (reached, rings);
            }
            rings += 1;
            ring = next;
        }
    }

    /// Whether a state has no step.
    #[must_use]
    pub fn is_deadlock(&self, state: usize) -> bool {
        self.edges.iter().all(|edge| edge.from != state)
    }
}

/// All combinations of values of some variables.
fn products(model: &Model, variables: &[VariableId], limit: usize) -> Option<Vec<Vec<(VariableId, Value)>>> {
    let mut products = vec![Vec::new()];
    for &id in variables {
        let domain = &model.variable(id).domain;
        let size = usize::try_from(domain.size()).ok().filter(|size| size.saturating_mul(products.len()) <= limit)?;
        let mut longer = Vec::with_capacity(products.len() * size);
        for product in &products {
            for index in 0..size {
                let mut product: Vec<(VariableId, Value)> = product.clone();
                product.push((id, domain.value(index as u64)));
                longer.push(product);
            }
        }
        products = longer;
    }
    Some(products)
}
