//! The automata that a translation starts from.

use crate::thresholds::pipeline::SMALL_COMPLEMENT;
use kernel::budget::{Budget, Exhausted};

use super::run::Run;
use super::{Construction, Level, Output, TranslationOptions};
use crate::automaton::{Automaton, MAX_SETS, Marks};
use crate::combine::product::intersection;
use crate::formula::{Formula, Formulas};
use crate::limit::{Incomplete, TooLarge};
use crate::reduce::marking::saturate;
use crate::reduce::prune::prune;
use crate::reduce::sets::drop_superfluous;
use crate::reduce::simulation::simulation;
use crate::translate::couvreur::{self, Branching};
use crate::translate::{go, gpvw, past, recurrences, tight};

/// An automaton to start from.
pub(super) struct Constructed {
    /// The construction.
    pub(super) name: &'static str,
    pub(super) automaton: Automaton,
    /// Whether the same construction has another automaton to offer.
    pub(super) has_alternative: bool,
}

/// The automaton of the construction that the options choose.
pub(super) fn first(
    formulas: &mut Formulas,
    formula: Formula,
    options: &TranslationOptions,
    budget: &Budget,
) -> Result<Constructed, Incomplete> {
    let limit = options.limit;
    let (name, automaton) = match options.construction {
        Construction::Couvreur => {
            let (automaton, has_alternative) =
                couvreur::translate_noting(formulas, formula, Branching::Immediate, limit, budget)?;
            return Ok(Constructed { name: "couvreur", automaton, has_alternative });
        }
        Construction::Go => ("go", go::translate(formulas, formula, limit, budget)?),
        Construction::Gpvw => ("gpvw", gpvw::translate_generalized(formulas, formula, limit, budget)?),
        Construction::Tight => {
            let tight = |formulas: &mut Formulas, future| {
                tight::translate(formulas, future, limit, budget).map(|tight| tight.automaton)
            };
            ("tight", past::translate(formulas, formula, limit, budget, tight)?)
        }
    };
    Ok(Constructed { name, automaton, has_alternative: false })
}

/// Another automaton to start from, where the options and the first one make it worth a try.
pub(super) fn second(
    formulas: &mut Formulas,
    formula: Formula,
    first: &Automaton,
    options: &TranslationOptions,
    budget: &Budget,
) -> Result<Option<(&'static str, Automaton)>, Incomplete> {
    if options.level != Level::High || first.is_deterministic() {
        return Ok(None);
    }
    // Postponed branching can be exponentially larger; then it is of no use.
    let limit = 2 * first.state_count() + 10;
    let postponed = couvreur::translate(formulas, formula, Branching::Postponed, limit, budget);
    Ok(Incomplete::unless_too_large(postponed)?.map(|automaton| ("couvreur, branching postponed", automaton)))
}

/// An automaton for the negation, to compare with; none if it is too large.
pub(super) fn complement(
    formulas: &mut Formulas,
    negation: Formula,
    options: &TranslationOptions,
    budget: &Budget,
) -> Result<Option<Automaton>, Exhausted> {
    let found = Incomplete::unless_too_large(first(formulas, negation, options, budget))?;
    let Some(Constructed { automaton, .. }) = found else { return Ok(None) };
    let automaton = saturate(prune(automaton), Marks::NONE, budget)?;
    let automaton = drop_superfluous(automaton, budget)?;
    let is_small = automaton.state_count() <= SMALL_COMPLEMENT;
    Ok(Some(if is_small { simulation(automaton, budget)? } else { automaton }))
}

/// The product of an automaton with one for `GF b` for all members.
pub(super) fn with_recurrences(
    run: &mut Run<'_>,
    formulas: &Formulas,
    rest: &Automaton,
    members: &[Formula],
    budget: &Budget,
) -> Result<Automaton, Incomplete> {
    let others = match run.output_kind() {
        Output::Generalized => recurrences::choosing(formulas, members, budget)?,
        Output::Buchi => recurrences::counting(formulas, members, budget)?,
    };
    if rest.sets() + others.sets() > MAX_SETS {
        return Err(TooLarge::Sets.into());
    }
    let others = run.record("recurrences apart", others);
    let product = prune(intersection(rest, &others, budget)?);
    let product = drop_superfluous(saturate(product, Marks::NONE, budget)?, budget)?;
    Ok(run.record("product", product))
}
