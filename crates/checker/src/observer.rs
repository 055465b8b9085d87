//! Progress: what a check tells while it runs.

use crate::report::{PropertyReport, Stage, Statistics};

/// Watches a check. All functions do nothing by default; `()` watches nothing.
pub trait Observer {
    /// A stage begins, for the property with this name or for the model as a whole.
    fn stage(&mut self, _stage: Stage, _property: Option<&str>) {}

    /// A search has come this far, after this many seconds.
    fn progress(&mut self, _statistics: &Statistics, _seconds: f64) {}

    /// A property is decided. The same report is part of the result.
    fn property(&mut self, _report: &PropertyReport) {}
}

impl Observer for () {}
