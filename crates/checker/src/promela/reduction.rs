//! Which reductions the searches of a property use: those that are allowed and sound for it.
//!
//! *Where it is sound.* Safety needs nothing beyond the model. A temporal property must be stutter-invariant, which is
//! decided by its language, and its atoms are what counts as visible. Weak fairness, bounds on the length of runs and
//! searches for lassos through each accepting state are about all runs of the model, and get them.

use super::Context;
use crate::options::{Fairness, Reduction, Reductions, SearchOrder};
use crate::promela::property::{Content, Temporal};
use crate::reduction::ReductionReport;
use crate::thresholds::time::INVARIANCE;
use omega::analyse::questions::{is_invariant, is_invariant_language};
use omega::formula::Formula;
use omega::limit::Incomplete;
use promela::claim::Claim;
use promela::compiled::{Atoms, Model};
use promela::reduce::{Plan, Reduced};

/// Why states that differ by an exchange of processes are not merged, although they could be.
const ON_REQUEST: &str = "processes are interchangeable, but exchanged only on request";

/// Why an answer is not from a reduced search.
pub(super) const RUNTIME_ERRORS: &str = "some runs end in a run-time error";

/// The model as the search for violations of safety sees it, and what was done to it; nothing if that is nothing.
pub(super) fn for_safety<'m>(context: &Context<'m>) -> (Option<Reduced<'m>>, ReductionReport) {
    let mut report = ReductionReport::default();
    let obstacle = bounds(context);
    let reduced = made(context, context.model, None, obstacle, &mut report);
    (reduced, report)
}

/// The same for a search that carries an assertion about events along.
pub(super) fn for_events<'m>(context: &Context<'_>, model: &'m Model) -> (Option<Reduced<'m>>, ReductionReport) {
    let mut report = ReductionReport::default();
    let reduced = made(context, model, None, bounds(context), &mut report);
    (reduced, report)
}

/// The model as another worker reduced it, who decided that it may be reduced.
pub(super) fn as_told<'m>(context: &Context<'_>, model: &'m Model, atoms: Option<&Atoms>) -> Option<Reduced<'m>> {
    made(context, model, atoms, None, &mut ReductionReport::default())
}

/// What the search for violations of a temporal property may do.
pub(super) struct Temporally {
    /// Why it is not reduced, if so.
    obstacle: Option<String>,
}

impl Temporally {
    /// Decides for a property.
    pub(super) fn new(context: &Context<'_>, property: &Temporal) -> Self {
        Self { obstacle: general(context).or_else(|| variance(context, property)) }
    }

    /// Decides for a formula over the atoms of a claim.
    pub(super) fn of_formula(context: &Context<'_>, claim: &Claim, formula: Formula) -> Self {
        let of_property = || variance_of_formula(context, claim, formula);
        Self { obstacle: general(context).or_else(of_property) }
    }

    /// The model as the search for a run with such atoms sees it; nothing if it is not reduced.
    pub(super) fn reduced<'m>(
        &self,
        context: &Context<'m>,
        atoms: &Atoms,
        report: &mut ReductionReport,
    ) -> Option<Reduced<'m>> {
        *report = ReductionReport::default();
        made(context, context.model, Some(atoms), self.obstacle.as_deref(), report)
    }
}

/// Why no temporal property is reduced.
fn general(context: &Context<'_>) -> Option<String> {
    let options = context.options;
    let reason = if options.reductions.is_off() {
        Some("no reduction is allowed")
    } else if options.fairness == Fairness::Weak {
        Some("weak fairness depends on which processes could move")
    } else if options.all_minimal {
        Some("a lasso through each accepting state is searched among all runs")
    } else if options.max_length.is_some() {
        Some("runs are bounded in length")
    } else {
        bounds(context)
    };
    reason.map(Into::into)
}

/// Why bounds on the search speak against any reduction.
fn bounds(context: &Context<'_>) -> Option<&'static str> {
    if context.budget.depth.is_some() {
        Some("runs are bounded in length")
    } else if context.options.order == SearchOrder::Bfs {
        Some("a breadth-first search is to find shortest runs")
    } else if context.options.shortest.is_some() && context.options.all_errors {
        Some("the shortest run to each violation is searched among all runs")
    } else {
        None
    }
}

/// Why a property is not known to be stutter-invariant.
fn variance(context: &Context<'_>, property: &Temporal) -> Option<String> {
    match &property.content {
        Content::Formula(claim) => variance_of_formula(context, claim, claim.formula),
        Content::Automaton(automaton, _) => {
            told(is_invariant_language(automaton, &context.budget.stage().within(INVARIANCE)))
        }
        Content::Events(_) | Content::Unsupported(_) => None,
    }
}

fn variance_of_formula(context: &Context<'_>, claim: &Claim, formula: Formula) -> Option<String> {
    let mut formulas = claim.formulas.clone();
    told(is_invariant(&mut formulas, formula, &context.budget.stage().within(INVARIANCE)))
}

fn told(is_invariant: Result<bool, Incomplete>) -> Option<String> {
    match is_invariant {
        Ok(true) => None,
        Ok(false) => Some("the property is not stutter-invariant".into()),
        Err(_) => Some("it is not known whether the property is stutter-invariant".into()),
    }
}

/// Makes the reductions that are allowed, and notes what became of them.
fn made<'m>(
    context: &Context<'_>,
    model: &'m Model,
    atoms: Option<&Atoms>,
    obstacle: Option<&str>,
    report: &mut ReductionReport,
) -> Option<Reduced<'m>> {
    let allowed = &context.options.reductions;
    let (partial_order, chain) = (allowed.allow(Reduction::Por), allowed.allow(Reduction::Chain));
    let symmetry = allowed.allow(Reduction::Symmetry);
    let reduced = match obstacle {
        Some(reason) => Err(reason.to_owned()),
        None => {
            let plan = Plan { partial_order, chain, symmetry, atoms, mutant: None };
            Reduced::new(model, plan, &context.budget.stage()).map_err(str::to_owned)
        }
    };
    for (number, reduction) in [Reduction::Por, Reduction::Chain, Reduction::Symmetry].into_iter().enumerate() {
        if !allowed.allow(reduction) {
            continue;
        }
        let outcome = match &reduced {
            Ok(reduced) => reduced.obstacles()[number].clone().map_or(Ok(()), Err),
            Err(reason) => Err(reason.clone()),
        };
        report.note(reduction, outcome);
    }
    if *allowed == Reductions::Auto && reduced.as_ref().is_ok_and(Reduced::is_symmetric) {
        report.note(Reduction::Symmetry, Err(ON_REQUEST.into()));
    }
    reduced.ok().filter(Reduced::is_reduced)
}
