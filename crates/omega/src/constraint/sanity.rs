//! Whether the known facts about a system decide a property without a search.
//!
//! What: [`judge`] asks whether any word that satisfies the knowledge satisfies a formula, and whether any does not;
//! [`judge_automaton`] asks the same of an automaton. If one answer is no, the outcome of a check does not depend on what
//! the system does, which usually is a mistake in the property.
//!
//! Contract: [`Sanity::Impossible`] and [`Sanity::Certain`] are proved; [`Sanity::Open`] may also mean that an automaton of
//! the opposite would have been too large.
//!
//! Source: [blahoudek.15.spin], section 4 and the conclusions.
//! Tested by: word acceptance on random formulas (`tests/constraint.rs`).

use kernel::budget::Budget;

use super::choice::{Knowledge, NoRefinement};
use super::labels::{self, NoConstraint};
use crate::automaton::Automaton;
use crate::automaton::emptiness::is_empty_within;
use crate::combine::complement::complement;
use crate::combine::product::intersection;
use crate::formula::{Formula, Formulas};
use crate::limit::Incomplete;
use crate::pipeline::{TranslationOptions, translate};

/// The most states of the complement of an automaton.
pub const LARGEST_COMPLEMENT: usize = 2_000;

/// Whether knowledge decides a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sanity {
    /// It depends on the run, as far as is known.
    Open,
    /// No run can satisfy it.
    Impossible,
    /// Every run satisfies it.
    Certain,
}

/// Whether knowledge decides a formula, for which there is an automaton already; `allowed` is an automaton for the
/// temporal part of the knowledge, if that is used.
///
/// # Errors
/// If the constraint cannot be used, or the budget is exhausted.
pub fn judge(
    formulas: &mut Formulas,
    formula: Formula,
    automaton: &Automaton,
    knowledge: &Knowledge,
    allowed: Option<&Automaton>,
    options: &TranslationOptions,
    budget: &Budget,
) -> Result<Sanity, NoRefinement> {
    if is_impossible(formulas, automaton, knowledge, allowed, budget)? {
        return Ok(Sanity::Impossible);
    }
    let negation = formulas.not(formula);
    let negation = Incomplete::unless_too_large(translate(formulas, negation, options, budget))?;
    let Some(negation) = negation else { return Ok(Sanity::Open) };
    let is_certain = is_impossible(formulas, &negation.automaton, knowledge, allowed, budget)?;
    Ok(if is_certain { Sanity::Certain } else { Sanity::Open })
}

/// Whether knowledge decides if an automaton accepts.
///
/// # Errors
/// If the constraint cannot be used, or the budget is exhausted.
pub fn judge_automaton(
    formulas: &Formulas,
    automaton: &Automaton,
    knowledge: &Knowledge,
    allowed: Option<&Automaton>,
    budget: &Budget,
) -> Result<Sanity, NoRefinement> {
    if is_impossible(formulas, automaton, knowledge, allowed, budget)? {
        return Ok(Sanity::Impossible);
    }
    let negation = Incomplete::unless_too_large(complement(automaton, LARGEST_COMPLEMENT, budget))?;
    let Some(negation) = negation else { return Ok(Sanity::Open) };
    let is_certain = is_impossible(formulas, &negation, knowledge, allowed, budget)?;
    Ok(if is_certain { Sanity::Certain } else { Sanity::Open })
}

/// Whether the automaton accepts no word that satisfies the knowledge.
///
/// # Errors
/// If the constraint cannot be used, or the budget is exhausted.
pub fn is_impossible(
    formulas: &Formulas,
    automaton: &Automaton,
    knowledge: &Knowledge,
    allowed: Option<&Automaton>,
    budget: &Budget,
) -> Result<bool, NoConstraint> {
    let product = allowed.map(|allowed| intersection(automaton, allowed, budget)).transpose()?;
    let precise = labels::refine(product.as_ref().unwrap_or(automaton), formulas, knowledge.constraint, budget)?;
    Ok(is_empty_within(&precise, budget)?)
}
