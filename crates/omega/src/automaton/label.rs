//! Labels as formulas: from a Boolean formula to a decision diagram over an automaton's atoms, and back.
//!
//! From diagram to formula, a label becomes a disjunction of conjunctions of literals, an irredundant cover in the order
//! of the atoms (see the crate `bdd`). If that has more than [`MAX_CUBES`] conjunctions, the label becomes the negation of
//! such a disjunction. If that is too long as well, the label is refused: small diagrams can have exponentially long
//! covers. From formula to diagram, the formula must be free of temporal operators.
//!
//! Tested by: the readers and writers of [`crate::io`], which use both directions, and below.

use crate::table::HashMap;

use bdd::{Bdd, Cube, Manager, OutOfNodes, Variable};
use kernel::budget::{Budget, Exhausted};

use crate::formula::{AtomId, Formula, Formulas, Node};
use crate::limit::{Incomplete, TooLarge};
use crate::print::{Notation, print};

/// Why a formula is no label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLabel {
    /// It has a temporal operator.
    Temporal,
    /// Its diagram outgrows the limit of the manager.
    TooLarge,
}

impl From<OutOfNodes> for NoLabel {
    fn from(OutOfNodes: OutOfNodes) -> Self {
        NoLabel::TooLarge
    }
}

/// The diagram of a Boolean formula; `variable` says which variable stands for an atom.
///
/// # Errors
/// Where the formula has a temporal operator, or the manager has a limit and reaches it.
pub fn label_of(
    manager: &Manager,
    formulas: &Formulas,
    formula: Formula,
    mut variable: impl FnMut(AtomId) -> Variable,
) -> Result<Bdd, NoLabel> {
    let mut labels: HashMap<Formula, Bdd> = HashMap::default();
    for part in formulas.subformulas(formula) {
        let label = match formulas.node(part) {
            Node::True => manager.yes(),
            Node::False => manager.no(),
            Node::Atom(atom) => manager.try_variable(variable(*atom))?,
            Node::Not(a) => !&labels[a],
            Node::And(list) => list.iter().try_fold(manager.yes(), |all, member| all.try_and(&labels[member]))?,
            Node::Or(list) => list.iter().try_fold(manager.no(), |any, member| any.try_or(&labels[member]))?,
            Node::Xor(a, b) => labels[a].try_xor(&labels[b])?,
            Node::Implies(a, b) => (!&labels[a]).try_or(&labels[b])?,
            Node::Iff(a, b) => !labels[a].try_xor(&labels[b])?,
            Node::Next(_)
            | Node::Eventually(_)
            | Node::Always(_)
            | Node::Until(..)
            | Node::Release(..)
            | Node::WeakUntil(..)
            | Node::StrongRelease(..)
            | Node::Previously(_)
            | Node::WeakPreviously(_)
            | Node::Once(_)
            | Node::Historically(_)
            | Node::Since(..)
            | Node::Triggered(..) => return Err(NoLabel::Temporal),
        };
        labels.insert(part, label);
    }
    Ok(labels.remove(&formula).expect("a formula is among its subformulas"))
}

/// The most conjunctions of literals in the text of a label.
pub const MAX_CUBES: usize = 4096;

/// A label as a sum of products, or as the negation of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cover {
    /// The disjunction of these conjunctions of literals.
    Sum(Vec<Cube>),
    /// The negation of their disjunction.
    NegatedSum(Vec<Cube>),
}

/// The cover of a label; none if the label and its negation need more than [`MAX_CUBES`] conjunctions.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub(crate) fn cover(label: &Bdd, budget: &Budget) -> Result<Option<Cover>, Exhausted> {
    budget.check()?;
    label.manager().within(budget, || {
        let bounded = |function: &Bdd| match function.try_cover_at_most(MAX_CUBES) {
            Ok(cubes) => Ok(cubes),
            // The manager has a limit on nodes, or the budget is exhausted.
            Err(OutOfNodes) => budget.check_now(0).map(|()| None),
        };
        if let Some(cubes) = bounded(label)? {
            return Ok(Some(Cover::Sum(cubes)));
        }
        Ok(bounded(&!label)?.map(Cover::NegatedSum))
    })
}

/// The label as a formula: a disjunction of conjunctions of literals or the negation of one; `atoms` are the
/// formulas of the variables.
///
/// # Errors
/// If the formula would be too long, or the budget is exhausted.
pub fn formula_of(
    label: &Bdd,
    atoms: &[Formula],
    formulas: &mut Formulas,
    budget: &Budget,
) -> Result<Formula, Incomplete> {
    let mut sum = |cubes: Vec<Cube>| {
        let mut products = Vec::new();
        for cube in cubes {
            let mut literals = Vec::new();
            for &(variable, value) in cube.literals() {
                let atom = atoms[variable.0 as usize];
                literals.push(if value { atom } else { formulas.not(atom) });
            }
            products.push(formulas.and(literals));
        }
        formulas.or(products)
    };
    match cover(label, budget)? {
        Some(Cover::Sum(cubes)) => Ok(sum(cubes)),
        Some(Cover::NegatedSum(cubes)) => {
            let sum = sum(cubes);
            Ok(formulas.not(sum))
        }
        None => Err(TooLarge::Label(MAX_CUBES).into()),
    }
}

/// The label as text.
///
/// ```
/// use kernel::budget::Budget;
/// use omega::automaton::Automaton;
/// use omega::automaton::label::show;
/// use omega::print::Notation;
///
/// let automaton = Automaton::new(["a", "x > 1"], 0);
/// let label = automaton.atom(0) & !automaton.atom(1);
/// assert_eq!(show(&label, automaton.atoms(), Notation::Utf8, &Budget::unlimited()).unwrap(), "a ∧ ¬\"x > 1\"");
/// ```
///
/// # Errors
/// If the text would be too long, or the budget is exhausted.
pub fn show(label: &Bdd, atoms: &[String], notation: Notation, budget: &Budget) -> Result<String, Incomplete> {
    let mut formulas = Formulas::new();
    // In the order of the atoms, so that members of conjunctions come out in that order.
    let atoms: Vec<Formula> = atoms
        .iter()
        .map(|name| {
            let atom = formulas.atom(name);
            formulas.not(atom);
            atom
        })
        .collect();
    let formula = formula_of(label, &atoms, &mut formulas, budget)?;
    Ok(print(&formulas, formula, notation))
}

/// Whether no letter has two of these labels.
pub(crate) fn are_disjoint<'a>(manager: &Manager, mut labels: impl Iterator<Item = &'a Bdd> + Clone) -> bool {
    let tables: Option<Vec<u64>> = labels.clone().map(Bdd::table).collect();
    if let Some(tables) = tables {
        let mut seen = 0;
        return tables.into_iter().all(|letters| {
            let is_fresh = letters & seen == 0;
            seen |= letters;
            is_fresh
        });
    }
    let mut seen = manager.no();
    labels.all(|label| {
        let is_fresh = !label.intersects(&seen);
        seen = &seen | label;
        is_fresh
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{Syntax, parse};

    fn label(text: &str) -> Result<Bdd, NoLabel> {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text, Syntax::Spot).expect("a formula");
        let place = |atom| {
            let name = formulas.atom_name(atom);
            Variable(["a", "b", "c"].iter().position(|known| *known == name).unwrap() as u32)
        };
        label_of(&Manager::new(), &formulas, formula, place)
    }

    #[test]
    fn there_and_back_is_a_cover() {
        let atoms = ["a", "b", "c"].map(String::from);
        for (text, expected) in [
            ("1", "1"),
            ("a & !a", "0"),
            ("a xor b", "(!a & b) | (a & !b)"),
            ("(a & b) | (a & !b)", "a"),
            ("(a -> b) & (c <-> c)", "!a | b"),
        ] {
            let shown = show(&label(text).unwrap(), &atoms, Notation::Spot, &Budget::unlimited());
            assert_eq!(shown.as_deref(), Ok(expected), "{text}");
        }
    }

    /// The disjunction of conjunctions of two atoms each.
    fn pairs(manager: &Manager, from: u32, count: u32) -> Bdd {
        let variable = |at: u32| manager.variable(Variable(at));
        let pairs: Vec<Bdd> = (0..count).map(|at| variable(from + 2 * at) & variable(from + 2 * at + 1)).collect();
        manager.disjunction(&pairs)
    }

    #[test]
    fn labels_with_long_covers_are_negated_or_refused() {
        let (manager, budget) = (Manager::new(), Budget::unlimited());
        let atoms: Vec<String> = (0..128).map(|at| format!("p{at}")).collect();
        let long = !pairs(&manager, 0, 32);
        let shown = show(&long, &atoms, Notation::Spot, &budget).unwrap();
        assert!(shown.starts_with("!((p0 & p1) | (p2 & p3)") && shown.len() < 1000, "{shown}");
        // Neither this label nor its negation has a short cover.
        let longer = pairs(&manager, 64, 32) & long;
        let refused = show(&longer, &atoms, Notation::Spot, &budget);
        assert_eq!(refused, Err(TooLarge::Label(MAX_CUBES).into()));
        let exhausted = show(&longer, &atoms, Notation::Spot, &Budget::unlimited().within_checks(0));
        assert_eq!(exhausted, Err(Exhausted::Time.into()));
    }

    #[test]
    fn temporal_formulas_are_no_labels() {
        assert_eq!(label("a & Xb").err(), Some(NoLabel::Temporal));
    }
}
