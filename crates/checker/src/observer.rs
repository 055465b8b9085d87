//! What a check reports while it runs.

use crate::report::{PropertyReport, Stage, Statistics};
pub use search::checkpoint::Checkpoints;

/// Watches a check. All functions do nothing by default; `()` watches nothing.
pub trait Observer {
    /// The check begins. These are its properties in the order of the report, all undecided with the reason
    /// [`Unfinished`](crate::report::Reason::Unfinished).
    fn begin(&mut self, _properties: &[PropertyReport]) {}

    /// A stage begins, for the property with this name or for the model as a whole.
    fn stage(&mut self, _stage: Stage, _property: Option<&str>) {}

    /// A search has come this far, after this many seconds.
    fn progress(&mut self, _statistics: &Statistics, _seconds: f64) {}

    /// A property is decided. The same report is part of the result, where the numbers that are known only at the end
    /// are added.
    fn property(&mut self, _report: &PropertyReport) {}

    /// Where the search for violations of safety of a Promela model is saved, if that is wanted. Such a search goes level by
    /// level, needs an exact store and no depth limit, and the check must have no other properties.
    fn checkpoints(&mut self) -> Option<&dyn Checkpoints> {
        None
    }
}

impl Observer for () {}
