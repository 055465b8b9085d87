//! What a run must do to violate the property of a trace.

use promela::explain::Describer;
use promela::reference::Reference;
use promela::validate::temporal::{self, LassoShape, Property};
use promela::validate::{self, Guide, Validated, ValidationError, ViolatingRun, Violation};

use kernel::budget::Budget;

/// What a run must do.
pub(super) enum Demand<'a> {
    /// End in a violation of safety.
    Safety(Violation),
    /// Violate a temporal property, with steps that are divided like this.
    Temporal(LassoShape, Property<'a>),
}

impl Demand<'_> {
    /// Has the reference interpreter follow a guide, and describes the run.
    pub(super) fn validate(
        &self,
        reference: &Reference<'_>,
        describer: &Describer<'_>,
        guide: &mut dyn Guide,
        budget: &Budget,
    ) -> Result<Validated<ViolatingRun>, ValidationError> {
        match self {
            Demand::Safety(kind) => validate::validate(reference, describer, guide, *kind, budget),
            Demand::Temporal(shape, property) => {
                temporal::validate(reference, describer, guide, *shape, *property, budget)
            }
        }
    }

    /// The same without keeping the run. Gives the number of steps.
    pub(super) fn confirm(
        &self,
        reference: &Reference<'_>,
        guide: &mut dyn Guide,
        budget: &Budget,
    ) -> Result<usize, ValidationError> {
        match self {
            Demand::Safety(kind) => validate::confirm(reference, guide, *kind, budget),
            Demand::Temporal(shape, property) => temporal::confirm(reference, guide, *shape, *property, budget),
        }
    }

    /// Whether the last step must fail an assertion.
    pub(super) fn fails(&self) -> bool {
        matches!(self, Demand::Safety(Violation::Assertion | Violation::Trace))
    }
}
