//! Which variable stands on which level of the diagrams.
//!
//! Contract: a permutation. As long as nobody reorders, variable `n` stands on level `n` and nothing is stored.

use crate::store::Variable;

/// The permutation between variables and levels; a variable beyond the vectors has the level of its own number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    level_of: Vec<u32>,
    variable_at: Vec<u32>,
}

impl Order {
    /// The order of the first variables by level; all others follow at their own numbers.
    pub(crate) fn new(variable_at: Vec<u32>) -> Self {
        let mut level_of = vec![u32::MAX; variable_at.len()];
        for (level, variable) in (0..).zip(&variable_at) {
            level_of[*variable as usize] = level;
        }
        assert!(level_of.iter().all(|level| *level != u32::MAX), "an order is a permutation");
        Order { level_of, variable_at }
    }

    /// How many variables are stored.
    pub(crate) fn stored(&self) -> u32 {
        u32::try_from(self.variable_at.len()).expect("few variables")
    }

    pub(crate) fn level(&self, variable: Variable) -> u32 {
        self.level_of.get(variable.0 as usize).copied().unwrap_or(variable.0)
    }

    pub(crate) fn variable(&self, level: u32) -> Variable {
        Variable(self.variable_at.get(level as usize).copied().unwrap_or(level))
    }
}
