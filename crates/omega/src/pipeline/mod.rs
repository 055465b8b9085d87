//! From formula to small automaton: simplify, construct, reduce.
//!
//! What: [`translate`] chooses and orders the steps that [`TranslationOptions`] ask for, and records the size after each.
//!
//! Contract: the automaton accepts exactly the words that satisfy the formula. With [`Output::Buchi`] it has one
//! acceptance set, and acceptance is state-based. Its atoms are those that its labels mention. Deterministic.
//!
//! The levels differ in what they do, not in what they promise:
//!
//! | level | formula | automaton |
//! |---|---|---|
//! | low | negation normal form | useless states and acceptance sets go |
//! | medium | all rewriting rules | simulation both ways until stable; the minimal automaton of an obligation |
//! | high | as medium | merging by trial; several pipelines, of which the best result is taken |
//!
//! - `construct`: the automata to start from, and one for the negation;
//! - `run`: the reductions, the record of their sizes, and the budget;
//! - [`reduce`]: the same reductions for an automaton that did not come from a formula;
//! - `rank`: which of several automata is the best.
//!
//! The budget limits all stages together. [`translate`] returns no unfinished automaton: whoever wants a larger one in
//! less time asks for a lower level.
//!
//! Tested by: `tests/pipeline.rs` on random formulas; the sizes by the program `corpus-ltl` in `benches/`.

mod construct;
mod rank;
pub mod reduce;
mod run;

use kernel::budget::Budget;

use crate::automaton::Automaton;
use crate::formula::{Formula, Formulas};
use crate::limit::Incomplete;
use crate::rewrite::{Nnf, Simplifier};
use crate::translate::recurrences;
use construct::Constructed;
use run::{Outcome, Run};

/// How a formula becomes an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Construction {
    /// [`crate::translate::couvreur`], the default.
    Couvreur,
    /// [`crate::translate::go`].
    Go,
    /// [`crate::translate::gpvw`].
    Gpvw,
    /// [`crate::translate::tight`]; what is reduced afterwards is no longer tight.
    Tight,
}

/// The kind of automaton that a translation returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// One acceptance set, state-based.
    Buchi,
    /// Any number of sets, transition-based.
    Generalized,
}

/// Which of several automata is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// The one with fewer states.
    Small,
    /// A deterministic one, if there is one with at most twice the edges of the smallest.
    Deterministic,
}

/// The effort of rewriting and reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Only transformations of linear cost.
    Low,
    /// Also transformations that need no automaton for the negation, and the minimal automata of obligations.
    Medium,
    /// Everything.
    High,
}

/// What to translate into, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TranslationOptions {
    /// The construction.
    pub construction: Construction,
    /// The kind of automaton.
    pub output: Output,
    /// What counts as better.
    pub preference: Preference,
    /// The effort of rewriting and reduction.
    pub level: Level,
    /// The most states a construction may have before reductions.
    pub limit: usize,
}

impl TranslationOptions {
    /// The part of the options that concerns reductions.
    #[must_use]
    pub fn reduction(&self) -> reduce::ReductionOptions {
        reduce::ReductionOptions { output: self.output, preference: self.preference, level: self.level }
    }
}

impl Default for TranslationOptions {
    /// A small state-based Büchi automaton, at the highest level.
    fn default() -> Self {
        TranslationOptions {
            construction: Construction::Couvreur,
            output: Output::Buchi,
            preference: Preference::Small,
            level: Level::High,
            limit: 20_000,
        }
    }
}

/// The size after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageSize {
    /// The name of the step.
    pub name: &'static str,
    /// The number of states after it.
    pub states: usize,
    /// The number of edges after it.
    pub edges: usize,
    /// The number of acceptance sets after it.
    pub sets: u32,
}

/// An automaton and how it came about.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The automaton.
    pub automaton: Automaton,
    /// The steps in order.
    pub steps: Vec<StageSize>,
}

/// Translates a formula.
///
/// ```
/// use kernel::budget::Budget;
/// use omega::formula::Formulas;
/// use omega::parse::{Syntax, parse};
/// use omega::pipeline::{TranslationOptions, translate};
///
/// let mut formulas = Formulas::new();
/// let formula = parse(&mut formulas, "G(request -> F grant)", Syntax::Spot).unwrap();
/// let translation = translate(&mut formulas, formula, &TranslationOptions::default(), &Budget::unlimited()).unwrap();
/// assert_eq!(translation.automaton.state_count(), 2);
/// ```
///
/// # Errors
/// Where the construction is too large, or the budget is exhausted.
pub fn translate(
    formulas: &mut Formulas,
    formula: Formula,
    options: &TranslationOptions,
    budget: &Budget,
) -> Result<Translation, Incomplete> {
    let mut simplifier = Simplifier::new();
    let formula = rewritten(formulas, formula, &mut simplifier, options.level, budget)?;
    let mut run = Run::new(options.reduction(), budget);
    let mut found: Vec<Automaton> = Vec::new();
    // A deterministic automaton with generalised acceptance has an edge for each set of members anyway.
    let explicit = options.output == Output::Generalized && options.preference == Preference::Deterministic;
    if options.construction == Construction::Couvreur
        && !explicit
        && let Some((rest, members)) = recurrences::split(formulas, formula)
    {
        let rest = translate(formulas, rest, &TranslationOptions { output: Output::Generalized, ..*options }, budget)?;
        run.extend(rest.steps);
        let product = construct::with_recurrences(&mut run, formulas, &rest.automaton, &members, budget)?;
        run.output(product, None, &mut found)?;
        return Ok(run.best(&found)?);
    }
    let Constructed { name, automaton, has_alternative } = construct::first(formulas, formula, options, budget)?;
    let first = run.record(name, automaton);
    let mut plain = run.plain(&first)?;
    if options.level == Level::Low {
        run.output(plain, None, &mut found)?;
        return Ok(run.best(&found)?);
    }
    if run.evident(&plain, &mut found)? == Outcome::Best {
        return Ok(run.best(&found)?);
    }
    // The negation of a simple formula is nearly simple.
    let negation = formulas.not(formula);
    let negation = rewritten(formulas, negation, &mut simplifier, options.level, budget)?;
    let mut complement = construct::complement(formulas, negation, options, budget)?;
    if let Some(unaligned) = &complement {
        let (aligned, negation) = plain.aligned_within(unaligned, budget)?;
        (plain, complement) = (aligned, Some(negation));
    }
    let atoms = plain.empty_like(0);
    if run.reductions(plain, complement.as_ref(), &mut found)? == Outcome::Open
        && has_alternative
        && let Some((name, second)) = construct::second(formulas, formula, &first, options, budget)?
    {
        let second = run.record(name, atoms.aligned_within(&second, budget)?.1);
        let plain = run.plain(&second)?;
        run.reductions(plain, complement.as_ref(), &mut found)?;
    }
    Ok(run.best(&found)?)
}

/// The formula in negation normal form, and simplified unless the level is low.
fn rewritten(
    formulas: &mut Formulas,
    formula: Formula,
    simplifier: &mut Simplifier,
    level: Level,
    budget: &Budget,
) -> Result<Formula, Incomplete> {
    if level == Level::Low {
        return Ok(Nnf::new().of(formulas, formula));
    }
    Ok(simplifier.simplify(formulas, formula, budget)?)
}
