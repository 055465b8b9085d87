//! What is known of the model before the search, used on a property: smaller automata, and a warning where it decides.
//!
//! *Where it is sound.* Facts hold in every state of every run, also of one that ends and repeats its last state, and
//! whatever runs fairness leaves out; so an automaton that is right on words which satisfy them is right on the model.
//! Counterexamples are validated against the property as it was given. `--shortest=formula` needs an automaton that is
//! tight for all words and is not refined; an automaton that the user gave keeps its shape where `--shortest`,
//! `--max-length` or `--all-minimal` refer to its lassos or states.

use super::Context;
use crate::options::{Among, Fairness, UseOfFacts};
use crate::promela::refinement::{Decided, Refinement};
use kernel::budget::Exhausted;
use omega::automaton::Automaton;
use omega::combine::complement::complement;
use omega::constraint::choice::{self, NoRefinement, Refined, Size, Way, Ways};
use omega::constraint::sanity::{LARGEST_COMPLEMENT, Sanity, is_impossible};
use omega::formula::{Formula, Formulas};
use omega::limit::Incomplete;
use omega::pipeline::{Level, Output, TranslationOptions, translate};
use promela::claim::Claim;
use promela::mine::{self, Facts, Ground};
use promela::typed::Expr;
use search::emptiness::Emptiness;

/// Automata whose runs are the violations, and how they came about.
pub(super) struct Prepared {
    pub(super) automata: Vec<Automaton>,
    pub(super) refinement: Option<Refinement>,
    /// The automaton without refinement, where there was some.
    unrefined: Option<Automaton>,
    /// Smaller equivalent automata, which a preliminary search uses to find any violation.
    preliminary: Vec<Automaton>,
    /// Automata that recognise bad prefixes where the final ones do not.
    for_prefixes: Vec<Automaton>,
    /// Whether facts decide that there are violations, or none.
    sanity: Sanity,
}

impl Prepared {
    /// Automata that were not refined.
    pub(super) fn plain(automata: Vec<Automaton>) -> Self {
        Self {
            automata,
            refinement: None,
            unrefined: None,
            preliminary: Vec::new(),
            for_prefixes: Vec::new(),
            sanity: Sanity::Open,
        }
    }

    fn refined(refined: Refined, facts: &Facts) -> Self {
        let before = refined.compared[0].1;
        let refinement =
            Refinement { way: refined.way, facts: facts.all.len(), before, after: refined.size, kept: None };
        let unrefined = (refined.way != Way::None).then_some(refined.unrefined);
        Self {
            automata: vec![refined.automaton],
            refinement: Some(refinement),
            unrefined,
            preliminary: Vec::new(),
            for_prefixes: Vec::new(),
            sanity: refined.sanity,
        }
    }

    /// The automaton without refinement, where there was some.
    pub(super) fn unrefined(&self) -> Option<&Automaton> {
        self.unrefined.as_ref()
    }

    /// What there was before refinement, for a reason, if something was refined.
    pub(super) fn without_refinement(mut self, reason: &'static str) -> Result<Self, Self> {
        match self.unrefined.take() {
            Some(automaton) => Ok(self.replaced(vec![automaton], reason)),
            None => Err(self),
        }
    }

    /// The automata with which a preliminary search looks for any violation.
    pub(super) fn preliminary(&self) -> &[Automaton] {
        if self.preliminary.is_empty() { &self.automata } else { &self.preliminary }
    }

    /// Automata that recognise bad prefixes where the final ones do not.
    pub(super) fn for_prefixes(&self) -> &[Automaton] {
        &self.for_prefixes
    }

    /// Other automata instead, for a reason; those before remain for the preliminary search and for bad prefixes.
    pub(super) fn with_final_automata(self, automata: Vec<Automaton>, reason: &'static str) -> Self {
        let preliminary = self.automata.clone();
        let for_prefixes = preliminary.iter().chain(&self.unrefined).cloned().collect();
        Self { preliminary, for_prefixes, ..self.replaced(automata, reason) }
    }

    /// Other automata instead, for a reason.
    pub(super) fn replaced(mut self, automata: Vec<Automaton>, reason: &'static str) -> Self {
        if let Some(refinement) = &mut self.refinement {
            (refinement.way, refinement.kept) = (Way::None, Some(reason));
            let (states, edges) = size(&automata);
            refinement.before = Size { states, edges, ..refinement.before };
            refinement.after = refinement.before;
        }
        Self { automata, unrefined: None, ..self }
    }
}

/// States and edges of automata together.
fn size(automata: &[Automaton]) -> (usize, usize) {
    let states = automata.iter().map(Automaton::state_count).max().unwrap_or(0);
    (states, automata.iter().map(Automaton::edge_count).max().unwrap_or(0))
}

/// The automaton of the violations of a formula over the atoms of a claim.
pub(super) fn of_formula(context: &Context<'_>, claim: &Claim, formula: Formula) -> Result<Prepared, String> {
    let mut formulas = claim.formulas.clone();
    let negation = formulas.not(formula);
    let options = options(context);
    let ways = match context.options.refinement {
        UseOfFacts::Off => None,
        UseOfFacts::Formula => Some(Ways { formula: true, automaton: false }),
        UseOfFacts::Automaton => Some(Ways { formula: false, automaton: true }),
        UseOfFacts::Both => Some(Ways::BOTH),
    };
    if let Some(ways) = ways {
        let facts = mine::facts_within(context.model, &claim.atoms, context.budget).map_err(out_of_budget)?;
        let knowledge = facts.knowledge(&mut formulas);
        let short_labels = context.options.simplify_labels;
        match choice::refine(&mut formulas, negation, &knowledge, &options, ways, short_labels, context.budget) {
            Ok(refined) => return Ok(Prepared::refined(refined, &facts)),
            Err(NoRefinement::TooLarge(reason)) => return Err(without_automaton(reason.into())),
            Err(NoRefinement::Exhausted(limit)) => return Err(out_of_budget(limit)),
            // More atoms than a constraint can have.
            Err(NoRefinement::Constraint(_)) => {}
        }
    }
    let automaton = translate(&mut formulas, negation, &options, context.budget).map_err(without_automaton)?.automaton;
    Ok(Prepared::plain(vec![automaton]))
}

/// The automaton of the violations of a claim without reductions and refinement, which is quickly made; none if even that
/// cannot be had.
pub(super) fn unreduced(context: &Context<'_>, claim: &Claim) -> Option<Prepared> {
    let engine = context.options;
    if engine.shortest == Some(Among::Formula) || engine.all_minimal {
        return None;
    }
    let mut formulas = claim.formulas.clone();
    let negation = formulas.not(claim.formula);
    // Several acceptance sets save the counter that makes one of them, where the searches are free to choose.
    let is_free = engine.emptiness.is_none()
        && engine.shortening.is_none()
        && engine.shortest.is_none()
        && engine.max_length.is_none()
        && !context.store.is_lossy();
    let output = if is_free { Output::Generalized } else { options(context).output };
    let options = TranslationOptions { output, level: Level::Low, ..TranslationOptions::default() };
    let automaton = translate(&mut formulas, negation, &options, context.budget).ok()?.automaton;
    Some(Prepared::plain(vec![automaton]))
}

/// Why a limit leaves a property without an automaton, for the report.
fn out_of_budget(limit: Exhausted) -> String {
    without_automaton(limit.into())
}

/// Why a formula has no automaton, for the report.
pub(super) fn without_automaton(reason: Incomplete) -> String {
    match reason {
        Incomplete::TooLarge(_) => "the automaton of the formula is too large".to_string(),
        Incomplete::Exhausted(_) => reason.to_string(),
    }
}

/// An automaton that the user gave.
pub(super) fn of_automaton(
    context: &Context<'_>,
    automaton: &Automaton,
    atoms: &[(String, Expr)],
) -> Result<Prepared, String> {
    let engine = context.options;
    if matches!(engine.refinement, UseOfFacts::Off | UseOfFacts::Formula) {
        return Ok(Prepared::plain(vec![automaton.clone()]));
    }
    let facts = mine::facts_within(context.model, atoms, context.budget).map_err(out_of_budget)?;
    let mut formulas = pool(atoms);
    let knowledge = facts.knowledge(&mut formulas);
    let is_buchi = automaton.sets() == 1 && automaton.is_state_based();
    let output = if is_buchi { Output::Buchi } else { Output::Generalized };
    let options = TranslationOptions { output, ..options(context) };
    // Lengths refer to the automaton as it was given, whether they are minimised or bounded.
    let has_length = engine.shortest.is_some() || engine.all_minimal || engine.max_length.is_some();
    let reduction = (!has_length).then_some(&options);
    let short_labels = engine.simplify_labels;
    match choice::refine_automaton(&mut formulas, automaton, &knowledge, reduction, short_labels, context.budget) {
        Ok(refined) => Ok(Prepared::refined(refined, &facts)),
        Err(NoRefinement::Exhausted(limit)) => Err(out_of_budget(limit)),
        Err(_) => Ok(Prepared::plain(vec![automaton.clone()])),
    }
}

fn options(context: &Context<'_>) -> TranslationOptions {
    let engine = context.options;
    let has_one_set = engine.all_minimal || engine.shortening.is_some_and(|search| !search.is_generalised());
    let wants_sets = engine.fairness == Fairness::Weak || engine.emptiness == Some(Emptiness::Scc) && !has_one_set;
    let output =
        if wants_sets && engine.shortest != Some(Among::Formula) { Output::Generalized } else { Output::Buchi };
    TranslationOptions { output, level: Level::High, ..TranslationOptions::default() }
}

/// The warning that facts decide a formula, with those that do.
pub(super) fn formula_decided(context: &Context<'_>, claim: &Claim, prepared: &Prepared) -> Option<Decided> {
    let mut formulas = claim.formulas.clone();
    let wanted = match prepared.sanity {
        Sanity::Open => return None,
        Sanity::Impossible => formulas.not(claim.formula),
        Sanity::Certain => claim.formula,
    };
    let impossible = translate(&mut formulas, wanted, &TranslationOptions::default(), context.budget).ok()?.automaton;
    let decided = decided(context, &mut formulas, &claim.atoms, &impossible, prepared.sanity)?;
    Some(Decided { is_automaton: false, ..decided })
}

/// The warning that facts decide whether an automaton accepts, with those that do.
pub(super) fn automaton_decided(
    context: &Context<'_>,
    automaton: &Automaton,
    atoms: &[(String, Expr)],
    prepared: &Prepared,
) -> Option<Decided> {
    let impossible = match prepared.sanity {
        Sanity::Open => return None,
        Sanity::Impossible => automaton.with_one_initial_state().into_owned(),
        Sanity::Certain => complement(automaton, LARGEST_COMPLEMENT, context.budget).ok()?,
    };
    decided(context, &mut pool(atoms), atoms, &impossible, prepared.sanity)
}

/// A pool that numbers atoms as the automaton of a claim does.
fn pool(atoms: &[(String, Expr)]) -> Formulas {
    Formulas::with_atoms(atoms.iter().map(|(name, _)| name.as_str()))
}

/// Picks out facts under which an automaton accepts nothing.
fn decided(
    context: &Context<'_>,
    formulas: &mut Formulas,
    atoms: &[(String, Expr)],
    impossible: &Automaton,
    sanity: Sanity,
) -> Option<Decided> {
    let mined = mine::facts_within(context.model, atoms, context.budget).ok()?;
    let facts = mined.needed(|facts| {
        let knowledge = facts.knowledge(formulas);
        let Ok(allowed) = choice::allowed(formulas, &knowledge, &TranslationOptions::default(), context.budget) else {
            return false;
        };
        is_impossible(formulas, impossible, &knowledge, allowed.as_ref(), context.budget) == Ok(true)
    });
    Some(Decided {
        can_fail: sanity == Sanity::Certain,
        is_automaton: true,
        by_meaning: facts.all.iter().all(|fact| fact.ground == Ground::Meaning),
        facts: facts.all.into_iter().map(|fact| fact.reason).collect(),
    })
}
