//! Questions of a model put to the engines of this crate.
//!
//! Contract: these functions give the signals that a question needs. What an engine finds is a
//! [`Trace`](crate::circuit::Trace) of the circuit, which [`Design::positions`] turns into valuations; the caller confirms
//! them by definition before anyone sees them.

use flat::model::{Linear, NodeId};
use kernel::budget::{Budget, Exhausted};
use omega::formula::{Formula, Formulas};

use crate::bounded::lasso::Wanted;
use crate::circuit::Bad;
use crate::design::Design;

impl Design<'_> {
    /// What must never be true if a Boolean expression is to be an invariant.
    ///
    /// # Errors
    /// The limit that was exhausted.
    pub fn violation(&mut self, invariant: NodeId, budget: &Budget) -> Result<Bad, Exhausted> {
        let truth = self.truth(invariant, budget)?;
        let mentions = self.model().facts(invariant).mentions;
        Ok(if mentions.next || mentions.input { Bad::Step(!truth) } else { Bad::State(!truth) })
    }

    /// The fair lassos of the model that satisfy a formula.
    ///
    /// # Errors
    /// The limit that was exhausted.
    pub fn lassos<'f>(&mut self, formula: &'f Linear, budget: &Budget) -> Result<Wanted<'f>, Exhausted> {
        self.lassos_of(formula.formulas(), formula.root(), formula.nodes(), budget)
    }

    /// As [`lassos`](Self::lassos), for a formula of a pool whose atoms are these expressions, by their numbers.
    ///
    /// # Errors
    /// The limit that was exhausted.
    pub fn lassos_of<'f>(
        &mut self,
        formulas: &'f Formulas,
        formula: Formula,
        nodes: &[NodeId],
        budget: &Budget,
    ) -> Result<Wanted<'f>, Exhausted> {
        let model = self.model();
        let truths = |design: &mut Self, nodes: &[NodeId]| {
            nodes.iter().map(|node| design.truth(*node, budget)).collect::<Result<Vec<_>, _>>()
        };
        let atoms = truths(self, nodes)?;
        let justice = truths(self, &model.justice)?;
        let mut compassion = Vec::new();
        for (often, then) in &model.compassion {
            compassion.push((self.truth(*often, budget)?, self.truth(*then, budget)?));
        }
        Ok(Wanted { formulas, formula, atoms, justice, compassion })
    }
}
