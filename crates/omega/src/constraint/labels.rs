//! Labels and a constraint: more precise, or shorter.
//!
//! What: [`refine`] replaces each label ℓ by ℓ ∧ κ and drops edges that become impossible. [`simplify`] goes the other way:
//! it replaces ℓ by a function between ℓ ∧ κ and ℓ ∨ ¬κ with a short sum of products. [`simplify_formula`] does the same to
//! the largest Boolean parts of a formula.
//!
//! Contract: on words whose letters satisfy κ nothing changes. A constraint may speak of atoms that an automaton does not
//! have: what it then says about the others is used, the atoms are not added. Edges are merged afterwards.
//!
//! Source: [blahoudek.15.spin], sections 3.2 and 5; the sums of products are those of [minato.92.sasimi].
//! Tested by: word acceptance on words that satisfy the constraint, and figure 1 of the paper (`tests/constraint.rs`).

use bdd::{Bdd, MAX_VARIABLES, Manager, Variable};
use kernel::budget::{Budget, Exhausted};

use crate::automaton::Automaton;
use crate::automaton::label::{MAX_CUBES, NoLabel, formula_of, label_of};
use crate::formula::{AtomId, Formula, Formulas, Node};
use crate::limit::Incomplete;
use crate::propositions::Propositions;

/// Why a constraint cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoConstraint {
    /// It has a temporal operator.
    Temporal,
    /// It has more atoms than a manager has variables.
    TooLarge,
    /// A limit of the budget is exhausted.
    Exhausted(Exhausted),
}

impl From<Exhausted> for NoConstraint {
    fn from(limit: Exhausted) -> Self {
        NoConstraint::Exhausted(limit)
    }
}

impl std::fmt::Display for NoConstraint {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoConstraint::Temporal => out.write_str("a constraint has no temporal operators"),
            NoConstraint::Exhausted(limit) => Incomplete::Exhausted(*limit).fmt(out),
            NoConstraint::TooLarge => write!(out, "the constraint and the labels have more than {MAX_VARIABLES} atoms"),
        }
    }
}

impl std::error::Error for NoConstraint {}

/// The projection of the constraint to these atoms, as a label: all other atoms are quantified away.
///
/// # Errors
/// If it is not Boolean or has too many atoms, or the budget is exhausted.
pub fn constraint_label(
    manager: &Manager,
    atoms: &Propositions,
    formulas: &Formulas,
    constraint: Formula,
    budget: &Budget,
) -> Result<Bdd, NoConstraint> {
    let known = |atom: AtomId| atoms.place_of(formulas, atom);
    let others: Vec<AtomId> = formulas.atoms(constraint).into_iter().filter(|atom| known(*atom).is_none()).collect();
    if atoms.len() + others.len() > MAX_VARIABLES as usize {
        return Err(NoConstraint::TooLarge);
    }
    let place = |atom: AtomId| {
        let other = || others.iter().position(|other| *other == atom).map(|index| atoms.len() + index);
        Variable(known(atom).or_else(other).expect("an atom of the constraint") as u32)
    };
    let hidden: Vec<Variable> = (atoms.len()..atoms.len() + others.len()).map(|at| Variable(at as u32)).collect();
    manager.within(budget, || match label_of(manager, formulas, constraint, place) {
        Ok(label) => Ok(label.exists(&hidden)),
        Err(NoLabel::Temporal) => Err(NoConstraint::Temporal),
        Err(NoLabel::TooLarge) => Err(NoConstraint::TooLarge),
    })
}

/// Whether no letter satisfies a constraint; false where the constraint cannot be used.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn is_contradiction(formulas: &Formulas, constraint: Formula, budget: &Budget) -> Result<bool, Exhausted> {
    match constraint_label(&Manager::new(), &Propositions::default(), formulas, constraint, budget) {
        Ok(label) => Ok(label.is_false()),
        Err(NoConstraint::Exhausted(limit)) => Err(limit),
        Err(NoConstraint::Temporal | NoConstraint::TooLarge) => Ok(false),
    }
}

/// The automaton that accepts those words of the given one whose letters satisfy the constraint.
///
/// # Errors
/// If the constraint cannot be used, or the budget is exhausted.
pub fn refine(
    automaton: &Automaton,
    formulas: &Formulas,
    constraint: Formula,
    budget: &Budget,
) -> Result<Automaton, NoConstraint> {
    relabelled(automaton, formulas, constraint, |label, constraint| label & constraint, budget)
}

/// The automaton with shorter labels, which accepts the same among the words whose letters satisfy the constraint.
///
/// ```
/// use kernel::budget::Budget;
/// use omega::automaton::{Automaton, Marks};
/// use omega::constraint::{exclusive, labels::simplify};
/// use omega::formula::Formulas;
/// use omega::automaton::label::show;
/// use omega::print::Notation;
///
/// let mut automaton = Automaton::new(["b", "c"], 0);
/// automaton.add_state();
/// automaton.add_edge(0, 0, &(automaton.atom(0) & !automaton.atom(1)), Marks::NONE);
/// let mut formulas = Formulas::new();
/// let constraint = exclusive(&mut formulas, ["b", "c"]);
/// let simple = simplify(&automaton, &formulas, constraint, &Budget::unlimited()).unwrap();
/// let label = &simple.edges(0)[0].label;
/// assert_eq!(show(label, simple.atoms(), Notation::Spot, &Budget::unlimited()).unwrap(), "b");
/// ```
///
/// # Errors
/// If the constraint cannot be used, or the budget is exhausted.
pub fn simplify(
    automaton: &Automaton,
    formulas: &Formulas,
    constraint: Formula,
    budget: &Budget,
) -> Result<Automaton, NoConstraint> {
    relabelled(automaton, formulas, constraint, short, budget)
}

/// The formula with shorter Boolean parts, which means the same on words whose letters satisfy the constraint.
///
/// # Errors
/// If the constraint cannot be used, or the budget is exhausted.
pub fn simplify_formula(
    formulas: &mut Formulas,
    formula: Formula,
    constraint: Formula,
    budget: &Budget,
) -> Result<Formula, NoConstraint> {
    let manager = Manager::new();
    manager.within(budget, || simplified(&manager, formulas, formula, constraint, budget))
}

fn simplified(
    manager: &Manager,
    formulas: &mut Formulas,
    formula: Formula,
    constraint: Formula,
    budget: &Budget,
) -> Result<Formula, NoConstraint> {
    let atoms = formulas.atoms(formula);
    let propositions = Propositions::of(formulas, atoms.iter().copied());
    let limit = constraint_label(manager, &propositions, formulas, constraint, budget)?;
    let place = |atom: AtomId| Variable(atoms.binary_search(&atom).expect("an atom of the formula") as u32);
    let atoms: Vec<Formula> = atoms.iter().map(|atom| formulas.nth_atom(atom.index())).collect();
    let simplified = formulas.rebuild(formula, |formulas, node| {
        let part = formulas.make(node);
        // The check below reports the limit.
        if budget.check().is_err() {
            return part;
        }
        // Parts of a Boolean part are simplified, too, and again as a whole; the last time counts.
        match label_of(manager, formulas, part, place) {
            Ok(label) if !matches!(formulas.node(part), Node::True | Node::False) => {
                match formula_of(&short(&label, &limit), &atoms, formulas, budget) {
                    Ok(shorter) if formulas.size(shorter) <= formulas.size(part) => shorter,
                    _ => part,
                }
            }
            _ => part,
        }
    });
    budget.check()?;
    Ok(simplified)
}

/// A function between ℓ ∧ κ and ℓ ∨ ¬κ; the label itself if the cover of such a function is too long.
fn short(label: &Bdd, constraint: &Bdd) -> Bdd {
    let bounded = (label & constraint).try_cover_up_to_at_most(&(label | &!constraint), MAX_CUBES);
    bounded.ok().flatten().map_or_else(|| label.clone(), |(_, function)| function)
}

fn relabelled(
    automaton: &Automaton,
    formulas: &Formulas,
    constraint: Formula,
    change: impl Fn(&Bdd, &Bdd) -> Bdd,
    budget: &Budget,
) -> Result<Automaton, NoConstraint> {
    let manager = automaton.manager();
    let limit = constraint_label(manager, automaton.propositions(), formulas, constraint, budget)?;
    manager.within(budget, || Ok(with_labels(automaton, |label| change(label, &limit), budget)?))
}

fn with_labels(automaton: &Automaton, change: impl Fn(&Bdd) -> Bdd, budget: &Budget) -> Result<Automaton, Exhausted> {
    let mut result = automaton.clone();
    for state in automaton.states() {
        budget.check()?;
        let edges = result.edges_mut(state);
        edges.iter_mut().for_each(|edge| edge.label = change(&edge.label));
        edges.retain(|edge| !edge.label.is_false());
    }
    result.merge_edges_within(budget)?;
    Ok(result)
}

/// The number of occurrences of atoms in all labels together, each written as a sum of products. A label whose sum is
/// too long to be written counts as one of [`MAX_CUBES`] products of all atoms.
#[must_use]
pub fn label_length(automaton: &Automaton) -> usize {
    let length = |label: &Bdd| match label.try_cover_at_most(MAX_CUBES) {
        Ok(Some(cubes)) => cubes.iter().map(|cube| cube.literals().len()).sum::<usize>(),
        _ => MAX_CUBES.saturating_mul(automaton.atoms().len()),
    };
    automaton.all_edges().map(|(_, edge)| length(&edge.label)).fold(0, usize::saturating_add)
}
