//! The properties of a model, without a check.

use crate::report::PropertyReport;
use crate::{Model, Observer, Options, Selection, check};
use kernel::budget::{Budget, Exhausted};

/// The properties of a model in the order of reports, all undecided: those that a check announces before it is stopped.
#[must_use]
pub fn properties(model: &Model, budget: &Budget) -> Vec<PropertyReport> {
    struct Listener(Vec<PropertyReport>, Budget);
    impl Observer for Listener {
        fn begin(&mut self, properties: &[PropertyReport]) {
            self.0 = properties.to_vec();
            self.1.exhaust(Exhausted::Cancelled);
        }
    }
    let budget = budget.stage();
    let mut listener = Listener(Vec::new(), budget.clone());
    // The verdicts of a check that is stopped are of no interest.
    let _ = check(model, &Selection::all(), &Options::default(), &budget, &mut listener);
    listener.0
}
