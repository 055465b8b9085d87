//! Runs that a limit kept from being confirmed when they were found: `validate` confirms them without keeping them, and
//! `replay` shows them.

use super::Case;
use crate::exit::Failure;
use crate::watchdog::exhausted;
use checker::error::Error;
use checker::promela::draft::{DraftGuide, lasso_shape};
use checker::promela::property::{Content, Temporal};
use checker::report::Draft;
use promela::explain::Describer;
use promela::validate::temporal::LassoShape;
use promela::validate::{Rejection, Validated, ValidationError, ViolatingRun};

impl Case {
    /// Confirms the run of a draft, and keeps nothing of it but its length. The outer error is the limit that ended the
    /// validation.
    pub(crate) fn confirm_draft(&self, draft: &Draft) -> Result<Result<usize, Rejection>, Failure> {
        let confirmed = self.shape(draft).and_then(|shape| {
            let reference = self.reference();
            let demand = self.demand(&reference, shape).map_err(refusal)?;
            let mut guide = self.draft_guide(draft, demand.fails())?;
            demand.confirm(&reference, &mut guide, &self.budget)
        });
        match confirmed {
            Ok(steps) => Ok(Ok(steps)),
            Err(ValidationError::Rejected(rejection)) => Ok(Err(rejection)),
            Err(ValidationError::Exhausted(limit)) => Err(exhausted(limit)),
        }
    }

    /// Confirms the run of a draft, and describes it.
    pub(super) fn follow_draft(
        &self,
        draft: &Draft,
        describer: &Describer<'_>,
    ) -> Result<Validated<ViolatingRun>, ValidationError> {
        let reference = self.reference();
        let demand = self.demand(&reference, self.shape(draft)?).map_err(refusal)?;
        let mut guide = self.draft_guide(draft, demand.fails())?;
        demand.validate(&reference, describer, &mut guide, &self.budget)
    }

    /// How the steps of a draft are divided, if it belongs to the model.
    fn shape(&self, draft: &Draft) -> Result<LassoShape, ValidationError> {
        if !self.is_same_model {
            return Err(refusal("the model has changed since the run was found: check it again".into()));
        }
        if !self.trace.is_intact() {
            return Err(refusal("the file was changed after Lariat wrote it".into()));
        }
        self.check_name().map_err(refusal)?;
        match lasso_shape(draft) {
            Some(shape) => Ok(shape),
            None if draft.shape().breaks_off => Ok(LassoShape { stem: draft.length(), cycle: 0, stutters: false }),
            None => Err(refusal("the loop is longer than the run".into())),
        }
    }

    /// Finds the run of a draft again.
    fn draft_guide<'a>(&self, draft: &'a Draft, fails: bool) -> Result<DraftGuide<'a>, ValidationError> {
        let trace = match &self.temporal {
            Some(Temporal { content: Content::Events(trace), .. }) => Some(*trace),
            _ => None,
        };
        DraftGuide::new(&self.input.program, trace, draft, fails, &self.budget).map_err(|error| match error {
            Error::Exhausted(limit) => limit.into(),
            error => refusal(error.to_string()),
        })
    }
}

/// A draft that is refused as a whole.
fn refusal(reason: String) -> ValidationError {
    Rejection { step: usize::MAX, reason }.into()
}
