//! The model without the data that can be left out for a property: dead variables, and variables that influence nothing.
//!
//! *Contract.* [`trimmed`] depends on the texts of the model and the property and on the options alone. The runs of the
//! trimmed model are those of the model, step by step, so it decides the property, and a shortest way to an error has
//! the same length in both. A lasso need not: a loop of the trimmed model leads back to a state that is the same but for
//! what is left out. [`unrolled`] follows such a loop in the model itself until it closes there. A [`Follower`] takes the
//! steps of a run of the trimmed model in the model itself, so that what is confirmed and shown has real values.

use super::Context;
use crate::reduction::{Reduction, ReductionReport};
use crate::thresholds::temporal::MOST_TURNS;
use kernel::system::{Fault, Successor, System, Visitor};
use promela::compiled::{Model, ModelStep};
use promela::dataflow::{Trim, Wanted};
use promela::reduce::{Straight, Symmetry};
use promela::typed::{Expr, ProcId};
use search::stutter::Stuttered;
use search::temporal::{Move, Run};
use std::sync::Arc;

/// A step of the model, or none.
type Step = Stuttered<ModelStep>;

/// A model without some of its data, if some can be left out, and what was done.
pub(super) struct Trimmed {
    pub(super) model: Option<Model>,
    pub(super) report: ReductionReport,
}

impl Trimmed {
    /// The model in which to search.
    pub(super) fn model<'a>(&'a self, full: &'a Model) -> &'a Model {
        self.model.as_ref().unwrap_or(full)
    }
}

/// What is searched for.
#[derive(Clone, Copy)]
pub(super) enum Purpose<'a> {
    /// Assertions, run-time errors, end states.
    Safety,
    /// A violated assertion about events.
    Events(ProcId),
    /// An infinite run that violates a property with these atoms.
    Temporal(&'a [(String, Expr)]),
}

/// The model as a search for this purpose may see it.
pub(super) fn trimmed(context: &Context<'_>, purpose: Purpose<'_>) -> Trimmed {
    let options = context.options;
    let mut report = ReductionReport::default();
    let asked = [Reduction::Dead, Reduction::Slice].map(|reduction| options.reductions.allow(reduction));
    let refuse = |report: &mut ReductionReport, reason: &str| {
        for (reduction, _) in [Reduction::Dead, Reduction::Slice].into_iter().zip(asked).filter(|(_, asked)| *asked) {
            report.note(reduction, Err(reason.into()));
        }
    };
    if asked == [false; 2] {
        return Trimmed { model: None, report };
    }
    let is_temporal = matches!(purpose, Purpose::Temporal(_));
    if is_temporal && (options.all_minimal || options.max_length.is_some() || context.budget.depth.is_some()) {
        refuse(&mut report, "the requested lengths are those of the unreduced model");
        return Trimmed { model: None, report };
    }
    let (atoms, trace) = match purpose {
        Purpose::Safety => (Vec::new(), None),
        Purpose::Events(trace) => (Vec::new(), Some(trace)),
        Purpose::Temporal(atoms) => (atoms.iter().map(|(_, atom)| atom).collect(), None),
    };
    let [dead, slice] = asked;
    let wanted = Wanted { dead, slice, loops: is_temporal, atoms: &atoms, trace };
    let program = &context.input.program;
    let made = Trim::new(program, wanted, context.budget).ok().and_then(|trim| {
        let model = Model::trimmed(program, trace, trim.clone(), context.budget).ok()?;
        Some((trim, model.with_execution(options.execution)))
    });
    let Some((trim, model)) = made else {
        refuse(&mut report, "a limit was reached before the text was analysed");
        return Trimmed { model: None, report };
    };
    let (canonical, removed) = (trim.canonical(program), trim.removed(program));
    if dead {
        let is_used = !canonical.is_empty() || trim.silent() > 0;
        report.note(Reduction::Dead, is_used.then_some(()).ok_or("no value is ever useless".into()));
    }
    if slice {
        let is_used = !removed.is_empty();
        report.note(Reduction::Slice, is_used.then_some(()).ok_or("each variable influences something".into()));
    }
    (report.canonical, report.silent, report.removed) = (canonical, trim.silent(), removed);
    Trimmed { model: Some(model).filter(Model::is_trimmed), report }
}

/// A run of the model that takes the steps of a run of the model that was searched, its loop as often as it takes to close;
/// none if it does not close in time.
pub(super) fn unrolled(context: &Context<'_>, mut follower: Follower<'_>, run: &Run<Step>) -> Option<Run<Step>> {
    let mut stem = follower.follow(&run.stem)?;
    let mut heads = vec![follower.state.clone()];
    let mut turns = Vec::new();
    if run.cycle.is_empty() {
        return Some(Run { stem, cycle: Vec::new() });
    }
    for _ in 0..MOST_TURNS {
        context.confirmation().check().ok()?;
        turns.extend(follower.follow(&run.cycle)?);
        if let Some(first) = heads.iter().position(|head| *head == follower.state) {
            let cycle = turns.split_off(first * run.cycle.len());
            stem.extend(turns);
            return Some(Run { stem, cycle });
        }
        heads.push(follower.state.clone());
    }
    None
}

/// A walk in the model itself along a run of a model that may lack some of its data, and whose interchangeable processes may
/// have been exchanged.
pub(super) struct Follower<'m> {
    whole: &'m Model,
    searched: &'m Model,
    /// The walk in the model that was searched.
    straight: Straight<'m>,
    scratch: <Model as System>::Scratch,
    pub(super) state: Vec<u8>,
}

impl<'m> Follower<'m> {
    /// A walk in the whole model from its initial state; `searched` is the one that was searched, with this symmetry.
    pub(super) fn new(whole: &'m Model, searched: &'m Model, symmetry: Option<Arc<Symmetry>>) -> Self {
        let mut state = Vec::new();
        whole.initial(&mut state);
        Self { whole, searched, straight: Straight::new(searched, symmetry), scratch: whole.scratch(), state }
    }

    /// Takes a step like this one, which leads to this state of the model that was searched; none if the whole model cannot.
    pub(super) fn take(&mut self, step: ModelStep, next: &[u8]) -> Option<ModelStep> {
        let step = self.straight.take(step, next)?;
        let next = self.straight.state();
        if !self.searched.is_trimmed() {
            self.state.clear();
            self.state.extend_from_slice(next);
            return Some(step);
        }
        let mut finder = Finder { step, found: Vec::new() };
        if !self.whole.steps_like(&mut self.scratch, &self.state, step, &mut finder) {
            self.whole.successors(&mut self.scratch, &self.state, &mut finder);
        }
        let is_next = |state: &Vec<u8>| self.searched.resembles(next, &self.whole.snapshot(state));
        self.state = match finder.found.len() {
            0 | 1 => finder.found.pop(),
            _ => finder.found.into_iter().find(is_next),
        }?;
        Some(step)
    }

    /// The step like this one that goes wrong in the state at hand.
    pub(super) fn failing(&mut self, step: ModelStep) -> Option<ModelStep> {
        self.straight.failing(step)
    }

    /// The same steps, with the states of the model; none if the model cannot take one of them.
    fn follow(&mut self, moves: &[Move<Step>]) -> Option<Vec<Move<Step>>> {
        let mut followed = Vec::new();
        for next in moves {
            let step = match next.step {
                Stuttered::Step(step) => Stuttered::Step(self.take(step, &next.state)?),
                step => step,
            };
            followed.push(Move { step, state: self.state.as_slice().into() });
        }
        Some(followed)
    }
}

/// Keeps the states to which a step leads.
struct Finder {
    step: ModelStep,
    found: Vec<Vec<u8>>,
}

impl Visitor<ModelStep> for Finder {
    fn successor(&mut self, successor: Successor<'_, ModelStep>) {
        if successor.step == self.step {
            self.found.push(successor.state.to_vec());
        }
    }

    fn fault(&mut self, _step: ModelStep, _fault: Fault) {}
}
