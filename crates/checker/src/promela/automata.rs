//! The automata whose runs are the violations of a temporal property, for the search that was asked for.
//!
//! A formula is translated and refined ([`super::refine`]); `--shortest=formula` wants a tight automaton; `accept` labels are
//! read off the states of the model; an automaton with several initial states is searched from each of them, since a lasso
//! from the state that stands for them all would be too long.

use super::Context;
use super::refine::{self, Prepared};
use crate::options::Among;
use crate::promela::property::{Content, Temporal};
use crate::promela::report::PropertyKind;
use crate::thresholds::temporal::TIGHT_STATES;
use omega::automaton::Automaton;
use omega::automaton::Marks;
use omega::formula::Formula;
use omega::limit::Incomplete;
use omega::reduce::cosimulation::Acceptance;
use omega::reduce::degeneralize::degeneralize;
use omega::reduce::statewise::{Guessing, statewise};
use omega::translate::tight;
use promela::claim::Claim;

/// The automata whose runs are the violations, together.
pub(super) fn prepare(context: &Context<'_>, property: &Temporal) -> Result<Prepared, String> {
    let engine = context.options;
    match &property.content {
        Content::Formula(claim) => {
            let prepared = of_violations(context, claim, claim.formula)?;
            let is_label = property.kind == PropertyKind::Acceptance && engine.shortest != Some(Among::Formula);
            let has_states = prepared.automata.iter().any(|automaton| automaton.state_count() > 1);
            Ok(match is_label && has_states {
                true => prepared.replaced(
                    of_labels(claim),
                    "acceptance is read from the states of the model, not from those of an automaton",
                ),
                false => prepared,
            })
        }
        Content::Automaton(..) if engine.shortest == Some(Among::Formula) => {
            Err("a shortest run among all that violate the formula needs a formula; this is an automaton".into())
        }
        Content::Automaton(automaton, atoms) => {
            // Only an automaton with one set, of states, has accepting states.
            let has_one = engine.all_minimal;
            let shaped = |automaton: &Automaton| match has_one {
                true => with_one_set(context, automaton),
                false => Ok(automaton.clone()),
            };
            let starts = automaton.from_each_initial_state();
            let prepared = refine::of_automaton(context, &shaped(&automaton.with_one_initial_state())?, atoms)?;
            if starts.len() == 1 || context.options.first {
                return Ok(prepared);
            }
            let starts = starts.iter().map(shaped).collect::<Result<Vec<_>, String>>()?;
            Ok(prepared.replaced(starts, "there are several initial states"))
        }
        Content::Events(_) => unreachable!("assertions about events are checked elsewhere"),
        Content::Unsupported(reason) => Err(reason.clone()),
    }
}

/// The automata for runs that come to `accept` labels again and again, one for each way to begin: the state of the
/// automaton tells whether that of the model has such a label, and blocks where it does not. So the lassos of the product
/// are those of the model, and none is longer for the sake of the automaton.
fn of_labels(claim: &Claim) -> Vec<Automaton> {
    let mut automaton = Automaton::new(claim.atoms.iter().map(|(name, _)| name.clone()), 1);
    let label = automaton.atom(0);
    automaton.add_states(2);
    for (state, label, marks) in [(0, !&label, Marks::NONE), (1, label, Marks::one(0))] {
        automaton.add_edge(state, 1, &label, marks);
        automaton.add_edge(state, 0, &label, marks);
    }
    let from = |initial| {
        let mut automaton = automaton.clone();
        automaton.set_initial(initial);
        automaton
    };
    vec![from(0), from(1)]
}

/// The automaton with one set, of states.
fn with_one_set(context: &Context<'_>, automaton: &Automaton) -> Result<Automaton, String> {
    if automaton.sets() == 1 && automaton.is_state_based() {
        return Ok(automaton.clone());
    }
    let made = degeneralize(automaton, Acceptance::ByEdge, context.budget);
    let made = made.and_then(|one| statewise(&one, Guessing::Allowed, context.budget));
    made.map_err(|limit| Incomplete::Exhausted(limit).to_string())
}

/// The automata for the negation of a formula over the atoms of a claim.
pub(super) fn of_violations(context: &Context<'_>, claim: &Claim, formula: Formula) -> Result<Prepared, String> {
    let prepared = refine::of_formula(context, claim, formula)?;
    if context.options.shortest == Some(Among::Formula) {
        let automata = tight(context, claim, formula)?;
        return Ok(prepared.with_final_automata(automata, "the shortest of all violations was requested"));
    }
    Ok(prepared)
}

/// Automata whose lassos with the model are, together, all lassos of the model that violate a formula over the atoms of a claim.
pub(super) fn tight(context: &Context<'_>, claim: &Claim, formula: Formula) -> Result<Vec<Automaton>, String> {
    let mut formulas = claim.formulas.clone();
    let negation = formulas.not(formula);
    let tight = tight::translate(&mut formulas, negation, TIGHT_STATES, context.budget);
    let tight = tight.map_err(refine::without_automaton)?;
    let from = |initial: &u32| {
        let mut automaton = tight.automaton.clone();
        automaton.set_initial(*initial);
        automaton
    };
    // Where nothing can violate the formula there is no such state; the extra one then has no edges.
    let extra = [tight.automaton.initial()];
    let initial = if tight.initial.is_empty() { &extra[..] } else { &tight.initial };
    Ok(initial.iter().map(from).collect())
}
