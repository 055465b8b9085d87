//! Which refinement of a formula, or of an automaton, is best.
//!
//! What: [`refine`] translates a formula as it is, refined as a formula (φ ∧ G κ), and refined as an automaton (labels ∧ κ,
//! then reduced), and gives all sizes and the best of them, with short labels. Knowledge may also be temporal: a formula
//! that every run of the system satisfies, such as what is true at the start; each refinement is then made once with it and
//! once without. [`refine_automaton`] does the same for a property that is an automaton to begin with.
//!
//! Contract: on words that satisfy the knowledge the automaton accepts exactly the models of the formula. The best is, among
//! those that ask no more of a search than the unrefined one ([`crate::analyse::strength`]) and still have terminal components if that
//! has some, the one with the fewest states, then the fewest states with a choice, the fewest edges, the fewest transitions;
//! on a tie the less refined one, so that knowledge which helps nothing changes nothing. Temporal knowledge is left out where it would make an automaton of more than
//! [`MOST_STATES`] states. Deterministic.
//!
//! Source: [blahoudek.15.spin]; temporal knowledge is its outlook, section 7. Strength is no criterion there; it is one here
//! because our searches go by it, and a refined automaton that is smaller but not terminal any more costs more.
//! Tested by: word acceptance and figure 1 of the paper (`tests/constraint.rs`).

use kernel::budget::{Budget, Exhausted};

use super::labels::{self, NoConstraint, label_length};
use super::refined;
use super::sanity::{Sanity, judge, judge_automaton};
use super::settle::settle;
use crate::analyse::strength::{Strength, strengths};
use crate::automaton::Automaton;
use crate::automaton::scc::Components;
use crate::combine::product::intersection_before_terminal;
use crate::formula::{Formula, Formulas};
use crate::limit::{Incomplete, TooLarge};
use crate::pipeline::reduce::reduce;
use crate::pipeline::{TranslationOptions, translate};
use crate::reduce::prune::prune;

/// The most states of an automaton for temporal knowledge, and of its product with a property.
pub const MOST_STATES: usize = 200;

/// What all runs of the system satisfy.
#[derive(Clone, Copy, Debug)]
pub struct Knowledge {
    /// A Boolean formula that holds in all letters.
    pub constraint: Formula,
    /// A formula that holds at the start of every run.
    pub stricter: Option<Formula>,
}

/// How a formula was refined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Not at all.
    None,
    /// The constraint as part of the formula.
    Formula,
    /// The constraint on the labels of the automaton.
    Automaton,
    /// All knowledge as part of the formula.
    StricterFormula,
    /// The constraint on the labels, and the product with an automaton for the rest.
    StricterAutomaton,
}

impl Way {
    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Way::None => "not refined",
            Way::Formula => "formula refinement",
            Way::Automaton => "automaton refinement",
            Way::StricterFormula => "stricter formula refinement",
            Way::StricterAutomaton => "stricter automaton refinement",
        }
    }
}

/// The refinements that are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ways {
    /// [`Way::Formula`] and [`Way::StricterFormula`].
    pub formula: bool,
    /// [`Way::Automaton`] and [`Way::StricterAutomaton`].
    pub automaton: bool,
}

impl Ways {
    /// Both refinements.
    pub const BOTH: Ways = Ways { formula: true, automaton: true };
}

/// The size of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The number of states.
    pub states: usize,
    /// The number of states with a choice.
    pub nondeterministic: usize,
    /// The number of edges.
    pub edges: usize,
    /// The number of transitions, over the atoms of the formula.
    pub transitions: u128,
    /// How many times atoms occur in all labels together.
    pub label_length: usize,
}

impl Size {
    /// The size of an automaton whose transitions are counted over `atoms` atoms.
    ///
    /// # Errors
    /// The limit of the budget that is exhausted.
    pub fn of(automaton: &Automaton, atoms: usize, budget: &Budget) -> Result<Self, Exhausted> {
        automaton.manager().within(budget, || Ok(Self::measure(automaton, atoms)))
    }

    fn measure(automaton: &Automaton, atoms: usize) -> Self {
        let more = u32::try_from(atoms.saturating_sub(automaton.atoms().len())).unwrap_or(u32::MAX);
        let factor = 1_u128.checked_shl(more).unwrap_or(u128::MAX);
        Size {
            states: automaton.state_count(),
            nondeterministic: automaton.nondeterministic_state_count(),
            edges: automaton.edge_count(),
            transitions: automaton.transition_count().saturating_mul(factor),
            label_length: label_length(automaton),
        }
    }

    fn rank(&self) -> (usize, usize, usize, u128) {
        (self.states, self.nondeterministic, self.edges, self.transitions)
    }
}

/// A refined formula.
#[derive(Clone, Debug)]
pub struct Refined {
    /// The best automaton, with short labels if the caller asked for them.
    pub automaton: Automaton,
    /// How it was made.
    pub way: Way,
    /// The automaton without refinement.
    pub unrefined: Automaton,
    /// All automata that were compared, before labels were shortened; the unrefined one first.
    pub compared: Vec<(Way, Size)>,
    /// The size of the best one at the end.
    pub size: Size,
    /// Whether the knowledge decides the formula.
    pub sanity: Sanity,
}

/// Why there is no refined automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRefinement {
    /// The knowledge cannot be used.
    Constraint(NoConstraint),
    /// The unrefined automaton is too large.
    TooLarge(TooLarge),
    /// A limit of the budget is exhausted.
    Exhausted(Exhausted),
}

impl From<NoConstraint> for NoRefinement {
    fn from(reason: NoConstraint) -> Self {
        match reason {
            NoConstraint::Exhausted(limit) => NoRefinement::Exhausted(limit),
            NoConstraint::Temporal | NoConstraint::TooLarge => NoRefinement::Constraint(reason),
        }
    }
}

impl From<Incomplete> for NoRefinement {
    fn from(reason: Incomplete) -> Self {
        match reason {
            Incomplete::TooLarge(reason) => NoRefinement::TooLarge(reason),
            Incomplete::Exhausted(limit) => NoRefinement::Exhausted(limit),
        }
    }
}

impl From<Exhausted> for NoRefinement {
    fn from(limit: Exhausted) -> Self {
        NoRefinement::Exhausted(limit)
    }
}

impl std::fmt::Display for NoRefinement {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoRefinement::Constraint(reason) => reason.fmt(out),
            NoRefinement::TooLarge(reason) => reason.fmt(out),
            NoRefinement::Exhausted(limit) => Incomplete::Exhausted(*limit).fmt(out),
        }
    }
}

impl std::error::Error for NoRefinement {}

/// Tries the given refinements of a formula and chooses the best result; with `short_labels`, simplifies labels at the end.
///
/// ```
/// use kernel::budget::Budget;
/// use omega::constraint::{choice::{Knowledge, Ways, refine}, exclusive, sanity::Sanity};
/// use omega::formula::Formulas;
/// use omega::parse::{Syntax, parse};
/// use omega::pipeline::TranslationOptions;
///
/// let mut formulas = Formulas::new();
/// let formula = parse(&mut formulas, "F(a & b)", Syntax::Spot).unwrap();
/// let knowledge = Knowledge { constraint: exclusive(&mut formulas, ["a", "b"]), stricter: None };
/// let (options, budget) = (TranslationOptions::default(), Budget::unlimited());
/// let refined = refine(&mut formulas, formula, &knowledge, &options, Ways::BOTH, true, &budget).unwrap();
/// assert_eq!(refined.sanity, Sanity::Impossible);
/// ```
///
/// # Errors
/// If the constraint is not Boolean, the formula cannot be translated, or the budget is exhausted.
pub fn refine(
    formulas: &mut Formulas,
    formula: Formula,
    knowledge: &Knowledge,
    options: &TranslationOptions,
    ways: Ways,
    short_labels: bool,
    budget: &Budget,
) -> Result<Refined, NoRefinement> {
    let allowed = allowed(formulas, knowledge, options, budget)?;
    let candidates = tried(formulas, formula, knowledge, allowed.as_ref(), options, ways, budget)?;
    let sanity = judge(formulas, formula, &candidates[0].1, knowledge, allowed.as_ref(), options, budget)?;
    let atoms = formulas.atoms(formula).len();
    Ok(choose(formulas, candidates, knowledge.constraint, short_labels, atoms, budget)?.with(sanity))
}

/// The automata that [`refine`] compares, the unrefined one first.
///
/// # Errors
/// If the constraint is not Boolean, the formula cannot be translated, or the budget is exhausted.
pub fn candidates(
    formulas: &mut Formulas,
    formula: Formula,
    knowledge: &Knowledge,
    options: &TranslationOptions,
    ways: Ways,
    budget: &Budget,
) -> Result<Vec<(Way, Automaton)>, NoRefinement> {
    let allowed = allowed(formulas, knowledge, options, budget)?;
    tried(formulas, formula, knowledge, allowed.as_ref(), options, ways, budget)
}

fn tried(
    formulas: &mut Formulas,
    formula: Formula,
    knowledge: &Knowledge,
    allowed: Option<&Automaton>,
    options: &TranslationOptions,
    ways: Ways,
    budget: &Budget,
) -> Result<Vec<(Way, Automaton)>, NoRefinement> {
    let plain = translate(formulas, formula, options, budget)?.automaton;
    let mut candidates = vec![(Way::None, plain.clone())];
    if ways.automaton {
        for (way, precise) in constrained(formulas, &plain, knowledge, allowed, budget)? {
            candidates.push((way, reduce(&precise, options.reduction(), budget)?.automaton));
        }
    }
    // An automaton that only a refinement made too large is not worth a failure.
    if ways.formula {
        let strict = refined(formulas, formula, knowledge.constraint);
        let found = Incomplete::unless_too_large(translate(formulas, strict, options, budget))?;
        candidates.extend(found.map(|found| (Way::Formula, found.automaton)));
        if let (Some(stricter), Some(_)) = (knowledge.stricter, allowed) {
            let strict = formulas.and([strict, stricter]);
            let found = translate(formulas, strict, &TranslationOptions { limit: MOST_STATES, ..*options }, budget);
            let found = Incomplete::unless_too_large(found)?;
            candidates.extend(found.map(|found| (Way::StricterFormula, found.automaton)));
        }
    }
    Ok(candidates)
}

/// Refines an automaton. With `reduction` it is reduced afterwards; without, edges that no word of the system can take and
/// states that are useless then go, and nothing else changes, so that lassos of the product stay what they are.
///
/// # Errors
/// If the constraint is not Boolean or has too many atoms, or the budget is exhausted.
pub fn refine_automaton(
    formulas: &mut Formulas,
    automaton: &Automaton,
    knowledge: &Knowledge,
    reduction: Option<&TranslationOptions>,
    short_labels: bool,
    budget: &Budget,
) -> Result<Refined, NoRefinement> {
    let automaton = &automaton.with_one_initial_state();
    let default = TranslationOptions::default();
    let allowed = allowed(formulas, knowledge, reduction.unwrap_or(&default), budget)?;
    let stricter = allowed.as_ref().filter(|_| reduction.is_some());
    let mut candidates = vec![(Way::None, automaton.clone().into_owned())];
    for (way, precise) in constrained(formulas, automaton, knowledge, stricter, budget)? {
        let refined = match reduction {
            Some(options) => reduce(&precise, options.reduction(), budget)?.automaton,
            None => prune(precise),
        };
        candidates.push((way, refined));
    }
    let sanity = judge_automaton(formulas, automaton, knowledge, allowed.as_ref(), budget)?;
    let atoms = automaton.atoms().len();
    Ok(choose(formulas, candidates, knowledge.constraint, short_labels, atoms, budget)?.with(sanity))
}

/// The automaton with labels under the constraint, and that in product with what temporal knowledge allows.
fn constrained(
    formulas: &Formulas,
    plain: &Automaton,
    knowledge: &Knowledge,
    allowed: Option<&Automaton>,
    budget: &Budget,
) -> Result<Vec<(Way, Automaton)>, NoConstraint> {
    let mut all = vec![(Way::Automaton, labels::refine(plain, formulas, knowledge.constraint, budget)?)];
    if let Some(allowed) = allowed.filter(|allowed| allowed.state_count() * plain.state_count() <= 10 * MOST_STATES) {
        // After the product, so that the constraint relates the atoms of both.
        let product = intersection_before_terminal(plain, allowed, budget)?;
        let product = prune(labels::refine(&product, formulas, knowledge.constraint, budget)?);
        if product.state_count() <= MOST_STATES {
            all.push((Way::StricterAutomaton, product));
        }
    }
    Ok(all)
}

/// The best of several automata, the first of which is the unrefined one.
fn choose(
    formulas: &Formulas,
    mut candidates: Vec<(Way, Automaton)>,
    constraint: Formula,
    short_labels: bool,
    atoms: usize,
    budget: &Budget,
) -> Result<Refined, NoConstraint> {
    let mut sizes = Vec::new();
    for (way, automaton) in &candidates {
        let size = Size::of(automaton, atoms, budget)?;
        sizes.push((*way, size, Demands::of(formulas, automaton, constraint, budget)?));
    }
    let precise = prune(labels::refine(&candidates[0].1, formulas, constraint, budget)?);
    let (hardest, can_decide) = (sizes[0].2.strength, Demands::of(formulas, &precise, constraint, budget)?.can_decide);
    let is_eligible = |way: Way, demands: &Demands| {
        let keeps = demands.can_decide || !can_decide || matches!(way, Way::Automaton | Way::StricterAutomaton);
        way == Way::None || demands.strength <= hardest && keeps
    };
    let eligible = (0..sizes.len()).filter(|&index| is_eligible(sizes[index].0, &sizes[index].2));
    let best = eligible.min_by_key(|&index| sizes[index].1.rank()).expect("the unrefined one");
    let unrefined = candidates[0].1.clone();
    let (way, mut automaton) = candidates.swap_remove(best);
    if short_labels {
        automaton = labels::simplify(&automaton, formulas, constraint, budget)?;
    }
    automaton = settle(&automaton, formulas, constraint, budget)?;
    let (size, compared) =
        (Size::of(&automaton, atoms, budget)?, sizes.iter().map(|(way, size, _)| (*way, *size)).collect());
    Ok(Refined { automaton, way, unrefined, compared, size, sanity: Sanity::Open })
}

/// What an automaton asks of a search, with labels that say all that can be.
struct Demands {
    strength: Strength,
    /// Whether a prefix can be enough for acceptance.
    can_decide: bool,
}

impl Demands {
    fn of(
        formulas: &Formulas,
        automaton: &Automaton,
        constraint: Formula,
        budget: &Budget,
    ) -> Result<Self, NoConstraint> {
        let simple = labels::simplify(automaton, formulas, constraint, budget)?;
        let settled = settle(&simple, formulas, constraint, budget)?;
        let all = strengths(&settled, &Components::of(&settled));
        let strength = all.iter().copied().max().unwrap_or(Strength::Rejecting);
        Ok(Demands { strength, can_decide: all.contains(&Strength::Terminal) })
    }
}

impl Refined {
    fn with(self, sanity: Sanity) -> Self {
        Refined { sanity, ..self }
    }
}

/// An automaton for all that is known, if there is temporal knowledge and it is small enough.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn allowed(
    formulas: &mut Formulas,
    knowledge: &Knowledge,
    options: &TranslationOptions,
    budget: &Budget,
) -> Result<Option<Automaton>, Exhausted> {
    let Some(stricter) = knowledge.stricter else { return Ok(None) };
    let strict = refined(formulas, stricter, knowledge.constraint);
    let options = TranslationOptions { limit: MOST_STATES, ..*options };
    let found = Incomplete::unless_too_large(translate(formulas, strict, &options, budget))?;
    Ok(found.map(|found| found.automaton))
}
