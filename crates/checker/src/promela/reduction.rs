//! Which reductions the searches of a property use: those that are allowed and sound for it.

use super::Context;
use crate::reduction::ReductionReport;
use promela::reduce::Reduced;

/// The model as the search for violations of safety sees it, and what was done to it.
pub(super) fn for_safety<'m>(context: &Context<'m>) -> (Reduced<'m>, ReductionReport) {
    (Reduced::full(context.model), ReductionReport::default())
}
