//! One step of a set through a relation, forward or backward, in one pass [vandijk.17.sttt].
//!
//! What: conjunction with the relation, quantification of one side and renaming of the other, fused. Contract: each present
//! variable stands directly above its partner for the next state (otherwise there is no answer, and the three operations
//! have to be done one by one); the set mentions no partner; the relation mentions no partner of a variable that keeps
//! its value. A pair of a variable with itself is an input, which is quantified. Recurses once a level. Tested by the
//! truth tables in `tests/`.

use crate::cache::Operation;
use crate::manager::OutOfNodes;
use crate::order::Order;
use crate::store::{Edge, Store, Variable};

/// The role of the variable of a level in an image computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Kept,
    Present,
    Next,
    Input,
}

/// The roles of all levels, with the place of the step in the cache.
pub(crate) struct Step {
    tag: Edge,
    roles: Vec<Role>,
    backward: bool,
}

impl Step {
    fn role(&self, level: u32) -> Role {
        self.roles.get(level as usize).copied().unwrap_or(Role::Kept)
    }
}

impl Store {
    /// The step of a set; none if the order of the variables does not allow it.
    pub(crate) fn step(
        &mut self,
        set: Edge,
        relation: Edge,
        pairs: &[(Variable, Variable)],
        backward: bool,
    ) -> Option<Result<Edge, OutOfNodes>> {
        let step = self.prepare_step(pairs, backward)?;
        Some(self.step_below(set, relation, &step))
    }

    /// What a step needs to know; none if the order of the variables does not allow it.
    pub(crate) fn prepare_step(&mut self, pairs: &[(Variable, Variable)], backward: bool) -> Option<Step> {
        let roles = roles(&self.order, pairs)?;
        let tag = self.renaming(pairs).numbered(backward);
        Some(Step { tag, roles, backward })
    }

    pub(crate) fn step_below(&mut self, set: Edge, relation: Edge, step: &Step) -> Result<Edge, OutOfNodes> {
        if set == Edge::FALSE || relation == Edge::FALSE {
            return Ok(Edge::FALSE);
        }
        let top = self.level(set).min(self.level(relation));
        // Nothing changes below, and nothing is asked for.
        if top as usize >= step.roles.len() && relation == Edge::TRUE {
            return Ok(set);
        }
        if set == Edge::TRUE && relation == Edge::TRUE {
            return Ok(Edge::TRUE);
        }
        let operands = [set, relation, step.tag];
        if let Some(result) = self.cached(Operation::Step, operands) {
            return Ok(result);
        }
        let role = step.role(top);
        let level = if role == Role::Next { top - 1 } else { top };
        let ((set_low, set_high), (low, high)) = (self.cofactors(set, level), self.cofactors(relation, level));
        let result = match role {
            Role::Kept => {
                let low = self.step_below(set_low, low, step)?;
                let high = self.step_below(set_high, high, step)?;
                self.make(level, low, high)?
            }
            Role::Input => self.either((set_low, low), (set_high, high), step)?,
            Role::Present | Role::Next => {
                let (to_low, to_high) = self.transitions(low, high, level + 1, step.backward);
                let low = self.either((set_low, to_low.0), (set_high, to_low.1), step)?;
                let high = self.either((set_low, to_high.0), (set_high, to_high.1), step)?;
                self.make(level, low, high)?
            }
        };
        Ok(self.remember(Operation::Step, operands, result))
    }

    /// The parts of a relation that lead to the low and to the high value of a variable, each from the low and from the
    /// high one.
    fn transitions(&self, low: Edge, high: Edge, next: u32, backward: bool) -> ((Edge, Edge), (Edge, Edge)) {
        let ((low_low, low_high), (high_low, high_high)) = (self.cofactors(low, next), self.cofactors(high, next));
        if backward {
            ((low_low, low_high), (high_low, high_high))
        } else {
            ((low_low, high_low), (low_high, high_high))
        }
    }

    fn either(&mut self, a: (Edge, Edge), b: (Edge, Edge), step: &Step) -> Result<Edge, OutOfNodes> {
        let first = self.step_below(a.0, a.1, step)?;
        if first == Edge::TRUE || a == b {
            return Ok(first);
        }
        let second = self.step_below(b.0, b.1, step)?;
        self.or(first, second)
    }
}

/// The role of each level down to the last one that is not kept.
fn roles(order: &Order, pairs: &[(Variable, Variable)]) -> Option<Vec<Role>> {
    let mut roles = Vec::new();
    for (present, next) in pairs {
        let (present, next) = (order.level(*present) as usize, order.level(*next) as usize);
        if roles.len() <= next {
            roles.resize(next + 1, Role::Kept);
        }
        if present == next {
            roles[present] = Role::Input;
        } else if present + 1 == next {
            (roles[present], roles[next]) = (Role::Present, Role::Next);
        } else {
            return None;
        }
    }
    Some(roles)
}
