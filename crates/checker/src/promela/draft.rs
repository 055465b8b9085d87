//! Runs that are not confirmed yet: how a draft is made, and how the model finds the run again.
//!
//! *Contract.* A [`DraftGuide`] proposes a run whose states have the fingerprints of the draft. It takes memory for one state
//! and its successors. What it proposes is confirmed by the reference interpreter or refused, like any other run: a
//! fingerprint that two states share can lead to a refusal, and never to a wrong confirmation.
//!
//! *Tested by* runs that a limit kept from being confirmed, in the tests of the command line.

use super::trimming::Follower;
use crate::error::Error;
use crate::report::{Draft, DraftShape};
use kernel::budget::Budget;
use kernel::system::{Fault, Successor, System, Visitor};
use promela::compiled::{Model, ModelStep, Scratch};
use promela::reference::{FaultKind, Transition};
use promela::snapshot::Snapshot;
use promela::typed::{ProcId, Program};
use promela::validate::Guide;
use promela::validate::temporal::LassoShape;
use search::explore::Path;
use search::lasso::Move;
use search::stutter::Stuttered;

/// The fingerprint of a packed state: FNV-1a, which is the same on all machines.
fn fingerprint(state: &[u8]) -> u64 {
    state.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The draft of a run to a violation of safety, with the states of the model itself; none if it cannot be followed there.
pub(super) fn of_path(follower: &mut Follower<'_>, path: &Path<ModelStep>) -> Option<Draft> {
    let print = |next: &Move<ModelStep>| follower.take(next.step, &next.state).map(|_| fingerprint(&follower.state));
    let fingerprints = path.moves.iter().map(print).collect::<Option<Vec<_>>>()?;
    let breaks_off = path.broken_off.is_some();
    Some(Draft::new(fingerprints, DraftShape { breaks_off, ..DraftShape::default() }))
}

/// The draft of a run that violates a temporal property, without the repetitions of its last state.
pub(super) fn of_steps(steps: &[&Move<Stuttered<ModelStep>>], shape: LassoShape) -> Draft {
    let fingerprints = steps.iter().map(|next| fingerprint(&next.state)).collect();
    Draft::new(fingerprints, DraftShape { cycle: shape.cycle, stutters: shape.stutters, breaks_off: false })
}

/// How the steps of a draft of a temporal property are divided; none if it is no such draft.
#[must_use]
pub fn lasso_shape(draft: &Draft) -> Option<LassoShape> {
    let DraftShape { cycle, stutters, breaks_off } = draft.shape();
    let stem = draft.fingerprints().len().checked_sub(cycle)?;
    (!breaks_off).then_some(LassoShape { stem, cycle, stutters })
}

/// Proposes the run of a draft.
pub struct DraftGuide<'a> {
    model: Model,
    draft: &'a Draft,
    /// Whether the last step must fail an assertion.
    fails: bool,
    scratch: Scratch,
    state: Vec<u8>,
}

impl<'a> DraftGuide<'a> {
    /// A guide along the run of a draft of a program, which carries an assertion about events if the run violates one;
    /// `fails` says whether the last step must fail an assertion.
    ///
    /// # Errors
    /// Why the program cannot be compiled.
    pub fn new(
        program: &Program,
        trace: Option<ProcId>,
        draft: &'a Draft,
        fails: bool,
        budget: &Budget,
    ) -> Result<Self, Error> {
        let model = match trace {
            Some(trace) => Model::with_trace_within(program, trace, budget)?,
            None => Model::within(program, budget)?,
        };
        let mut state = Vec::new();
        model.initial(&mut state);
        Ok(Self { scratch: model.scratch(), model, draft, fails, state })
    }
}

impl Guide for DraftGuide<'_> {
    fn choose(&mut self, taken: usize, _: &Snapshot, transitions: &[Transition]) -> Result<Option<usize>, String> {
        let prints = self.draft.fingerprints();
        let Some(wanted) = prints.get(taken) else {
            if taken > prints.len() || !self.draft.shape().breaks_off {
                return Ok(None);
            }
            let breaks_off =
                |one: &Transition| one.fault.as_ref().is_some_and(|fault| fault.kind == FaultKind::Runtime);
            let found = transitions.iter().position(breaks_off);
            return found.map(Some).ok_or_else(|| "no step ends in a run-time error".into());
        };
        let mut finder = Finder { wanted: *wanted, found: None };
        self.model.successors(&mut self.scratch, &self.state, &mut finder);
        let Some(next) = finder.found else {
            return Err("no step leads to the state that the file names".into());
        };
        let snapshot = self.model.snapshot(&next);
        self.state = next;
        let fits = |one: &Transition| one.next.as_ref() == Some(&snapshot);
        let is_last = self.fails && taken + 1 == prints.len();
        let failing = transitions.iter().position(|one| is_last && fits(one) && one.fault.is_some());
        match failing.or_else(|| transitions.iter().position(fits)) {
            Some(index) => Ok(Some(index)),
            None => Err("the interpreter has no step to the state that the file names".into()),
        }
    }
}

/// Finds the successor with a fingerprint.
struct Finder {
    wanted: u64,
    found: Option<Vec<u8>>,
}

impl Visitor<ModelStep> for Finder {
    fn successor(&mut self, successor: Successor<'_, ModelStep>) {
        if self.found.is_none() && fingerprint(successor.state) == self.wanted {
            self.found = Some(successor.state.to_vec());
        }
    }

    fn fault(&mut self, _step: ModelStep, _fault: Fault) {}
}
