//! A temporal property of a Promela model, ready to be searched: what tests and benches of liveness share.
//!
//! *Contract.* [`Liveness::product`] is the system whose accepting runs are the runs of the model, ends extended by
//! repetition, that violate the formula. Nothing is validated here; that is the business of those who ask.

use kernel::budget::Budget;
use omega::automaton::Automaton;
use omega::pipeline::{self, translate};
use promela::claim::Claim;
use promela::compiled::{self, Model};
use promela::typed::{Expr, Ltl, Program};
use search::product::{EdgeOrder, Product, Property, Valuation};
use search::stutter::Stutter;

/// A model and what must not happen in it.
#[derive(Debug)]
pub struct Liveness {
    model: Model,
    claim: Claim,
    automaton: Automaton,
    atoms: compiled::Atoms,
}

/// The atoms of a property, evaluated by a model.
#[derive(Clone, Copy, Debug)]
pub struct Truth<'a>(&'a Liveness);

/// The product of a model and a property.
pub type LivenessProduct<'a> = Product<Stutter<&'a Model>, Truth<'a>>;

impl Liveness {
    /// The model of a program and the violations of a formula.
    ///
    /// # Errors
    /// If the model or the automaton would be too large, or the budget is exhausted, in words.
    pub fn new(program: &Program, formula: &Ltl, options: &pipeline::Options, budget: &Budget) -> Result<Self, String> {
        let model = Model::new(program).map_err(|compiled::TooLarge(what)| what)?;
        let mut claim = Claim::new(program, formula);
        let negation = claim.formulas.not(claim.formula);
        let translation =
            translate(&mut claim.formulas, negation, options, budget).map_err(|reason| reason.to_string())?;
        Ok(Self::of_automaton(model, claim, translation.automaton))
    }

    /// A model and an automaton of the runs that violate a claim.
    ///
    /// # Panics
    /// If the automaton has an atom that the claim has not.
    #[must_use]
    pub fn of_automaton(model: Model, claim: Claim, automaton: Automaton) -> Self {
        // The automaton knows the atoms that matter to it, in an order of its own.
        let expressions: Vec<&Expr> = automaton
            .atoms()
            .iter()
            .map(|name| {
                let (_, expression) =
                    claim.atoms.iter().find(|(other, _)| other == name).expect("an atom of the formula");
                expression
            })
            .collect();
        let atoms = model.atoms(expressions);
        Self { model, claim, automaton, atoms }
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
    /// If the formula has more atoms than a product can have.
    #[must_use]
    pub fn product(&self, order: EdgeOrder) -> LivenessProduct<'_> {
        let property = Property::new(&self.automaton, order).expect("few atoms");
        Product::new(Stutter::new(&self.model), Truth(self), property)
    }
}

impl search::product::Atoms<compiled::Scratch> for Truth<'_> {
    #[inline]
    fn valuation(&self, scratch: &mut compiled::Scratch, state: &[u8]) -> Valuation {
        let truth = self.0.model.truth(scratch, &self.0.atoms, state);
        truth.enumerate().fold(0, |bits, (index, holds)| bits | Valuation::from(holds == Some(true)) << index)
    }
}
