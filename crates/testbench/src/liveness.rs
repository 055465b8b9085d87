//! A temporal property of a Promela model, ready to be searched: shared by tests and benchmarks of searches for lassos.
//!
//! *Contract.* [`Liveness::product`] is the product that the checker itself searches
//! ([`checker::promela::binding::product`]): its accepting runs are the runs of the model that violate the formula, where a
//! run that ends repeats its last state. Nothing is validated here.

use checker::promela::binding::{self, ModelProduct};
use kernel::budget::Budget;
use omega::automaton::Automaton;
use omega::pipeline::{self, translate};
use promela::claim::Claim;
use promela::compiled::{self, Model};
use promela::reduce::Reduced;
use promela::typed::{Ltl, Program};
use search::product::EdgeOrder;

/// A model and the violations of a property.
#[derive(Debug)]
pub struct Liveness {
    model: Model,
    claim: Claim,
    automaton: Automaton,
}

/// The product of a model and a property.
pub type LivenessProduct<'a> = ModelProduct<'a>;

impl Liveness {
    /// The model of a program and the violations of a formula.
    ///
    /// # Errors
    /// If the model or the automaton would be too large, or the budget is exhausted, in words.
    pub fn new(
        program: &Program,
        formula: &Ltl,
        options: &pipeline::TranslationOptions,
        budget: &Budget,
    ) -> Result<Self, String> {
        let model = Model::new(program).map_err(|compiled::TooLarge(what)| what)?;
        let mut claim = Claim::new(program, formula);
        let negation = claim.formulas.not(claim.formula);
        let translation =
            translate(&mut claim.formulas, negation, options, budget).map_err(|reason| reason.to_string())?;
        Ok(Self::of_automaton(model, claim, translation.automaton))
    }

    /// A model and an automaton of the runs that violate a claim. The atoms of the automaton are atoms of the claim.
    #[must_use]
    pub fn of_automaton(model: Model, claim: Claim, automaton: Automaton) -> Self {
        Self { model, claim, automaton }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The formula that is to hold, and its atoms.
    #[must_use]
    pub fn claim(&self) -> &Claim {
        &self.claim
    }

    /// The automaton of the violations.
    #[must_use]
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The runs that violate the formula.
    ///
    /// # Panics
    /// If the automaton has more atoms than a product can have, or an atom that the claim has not.
    #[must_use]
    pub fn product(&self, order: EdgeOrder) -> LivenessProduct<'_> {
        let product = binding::product(Reduced::full(&self.model), &self.automaton, &self.claim.atoms, order, true);
        product.expect("an automaton over few atoms, all of the claim")
    }
}
