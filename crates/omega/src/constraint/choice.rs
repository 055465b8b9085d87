//! Which refinement of a formula is best, and whether what is known decides the formula by itself.
//!
//! What: [`refine`] translates a formula as it is, refined as a formula (φ ∧ G κ), and refined as an automaton (labels ∧ κ,
//! then reduced), and gives all sizes and the best of them, with short labels. Knowledge may also be temporal: a formula
//! that every run of the system satisfies, such as what is true at the start; each refinement is then made once with it and
//! once without.
//!
//! Contract: on words that satisfy the knowledge the automaton accepts exactly the models of the formula. The best is the
//! one with the fewest states, then the fewest states with a choice, the fewest edges, the fewest transitions; on a tie the
//! less refined one, so that knowledge which helps nothing changes nothing. Deterministic.
//!
//! The sanity check: if no word that satisfies the knowledge satisfies the formula, or all of them do, then the answer of a
//! check does not depend on what the system does, which usually is a mistake in the property.
//!
//! Source: [blahoudek.15.spin]; temporal knowledge is its outlook, section 7.
//! Tested by: word acceptance and figure 1 of the paper (`tests/constraint.rs`).

use super::labels::{self, NoConstraint, label_length};
use super::refined;
use crate::automaton::Automaton;
use crate::combine::product::intersection;
use crate::emptiness::is_empty;
use crate::formula::{Formula, Formulas};
use crate::pipeline::{Options, translate};
use crate::reduce::{self, reduce};
use crate::translate::TooLarge;

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

/// Which ways are tried.
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
    fn of(automaton: &Automaton, atoms: usize) -> Self {
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

/// Whether knowledge decides a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sanity {
    /// It depends on the run.
    Open,
    /// No run can satisfy the formula.
    Impossible,
    /// Every run satisfies the formula.
    Certain,
}

/// A refined formula.
#[derive(Clone, Debug)]
pub struct Refined {
    /// The best automaton; with short labels if asked for.
    pub automaton: Automaton,
    /// How it was made.
    pub way: Way,
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
}

impl From<NoConstraint> for NoRefinement {
    fn from(reason: NoConstraint) -> Self {
        NoRefinement::Constraint(reason)
    }
}

impl From<TooLarge> for NoRefinement {
    fn from(reason: TooLarge) -> Self {
        NoRefinement::TooLarge(reason)
    }
}

impl std::fmt::Display for NoRefinement {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoRefinement::Constraint(reason) => reason.fmt(out),
            NoRefinement::TooLarge(reason) => reason.fmt(out),
        }
    }
}

impl std::error::Error for NoRefinement {}

/// Refines a formula in all ways asked for, and chooses; with `short_labels`, labels are simplified at the end.
///
/// ```
/// use omega::constraint::{choice::{Knowledge, Sanity, Ways, refine}, exclusive};
/// use omega::formula::Formulas;
/// use omega::parse::{Syntax, parse};
/// use omega::pipeline::Options;
///
/// let mut formulas = Formulas::new();
/// let formula = parse(&mut formulas, "F(a & b)", Syntax::Spot).unwrap();
/// let knowledge = Knowledge { constraint: exclusive(&mut formulas, ["a", "b"]), stricter: None };
/// let refined = refine(&mut formulas, formula, &knowledge, &Options::default(), Ways::BOTH, true).unwrap();
/// assert_eq!(refined.sanity, Sanity::Impossible);
/// ```
///
/// # Errors
/// If the constraint is not Boolean, or the formula cannot be translated.
pub fn refine(
    formulas: &mut Formulas,
    formula: Formula,
    knowledge: &Knowledge,
    options: &Options,
    ways: Ways,
    short_labels: bool,
) -> Result<Refined, NoRefinement> {
    let mut candidates = vec![(Way::None, translate(formulas, formula, options)?.automaton)];
    let plain = candidates[0].1.clone();
    // An automaton that only a refinement made too large is not worth a failure.
    if ways.automaton {
        let precise = labels::refine(&plain, formulas, knowledge.constraint)?;
        candidates.push((Way::Automaton, reduced(&precise, options)));
        if let Some(stricter) = knowledge.stricter
            && let Ok(allowed) = translate(formulas, stricter, options)
        {
            // After the product, so that the constraint relates the atoms of both.
            let product = intersection(&plain, &allowed.automaton);
            let precise = labels::refine(&product, formulas, knowledge.constraint)?;
            candidates.push((Way::StricterAutomaton, reduced(&precise, options)));
        }
    }
    if ways.formula {
        let strict = refined(formulas, formula, knowledge.constraint);
        candidates.extend(translate(formulas, strict, options).ok().map(|found| (Way::Formula, found.automaton)));
        if let Some(stricter) = knowledge.stricter {
            let strict = formulas.and([strict, stricter]);
            let found = translate(formulas, strict, options).ok();
            candidates.extend(found.map(|found| (Way::StricterFormula, found.automaton)));
        }
    }
    let atoms = formulas.atoms(formula).len();
    let compared: Vec<(Way, Size)> =
        candidates.iter().map(|(way, automaton)| (*way, Size::of(automaton, atoms))).collect();
    let best = (0..candidates.len()).min_by_key(|&index| compared[index].1.rank()).expect("the unrefined one");
    let (way, mut automaton) = candidates.swap_remove(best);
    if short_labels {
        automaton = labels::simplify(&automaton, formulas, knowledge.constraint)?;
    }
    let size = Size::of(&automaton, atoms);
    let sanity = sanity(formulas, formula, &plain, knowledge, options)?;
    Ok(Refined { automaton, way, compared, size, sanity })
}

/// Reduces as the translation does.
fn reduced(automaton: &Automaton, options: &Options) -> Automaton {
    let Options { output, preference, level, .. } = *options;
    reduce(automaton, reduce::Options { output, preference, level }).automaton
}

/// Whether the knowledge decides the formula, for which there is an automaton already.
fn sanity(
    formulas: &mut Formulas,
    formula: Formula,
    automaton: &Automaton,
    knowledge: &Knowledge,
    options: &Options,
) -> Result<Sanity, NoRefinement> {
    let stricter = knowledge.stricter.and_then(|stricter| translate(formulas, stricter, options).ok());
    let is_impossible = |automaton: &Automaton, formulas: &Formulas| -> Result<bool, NoConstraint> {
        let product = stricter.as_ref().map(|stricter| intersection(automaton, &stricter.automaton));
        let precise = labels::refine(product.as_ref().unwrap_or(automaton), formulas, knowledge.constraint)?;
        Ok(is_empty(&precise))
    };
    if is_impossible(automaton, formulas)? {
        return Ok(Sanity::Impossible);
    }
    let negation = formulas.not(formula);
    let Ok(negation) = translate(formulas, negation, options) else { return Ok(Sanity::Open) };
    Ok(if is_impossible(&negation.automaton, formulas)? { Sanity::Certain } else { Sanity::Open })
}
