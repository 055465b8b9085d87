//! Labels as formulas: from a Boolean formula to a decision diagram over an automaton's atoms, and back for people.
//!
//! Going back, a label becomes a disjunction of conjunctions of literals, an irredundant cover in the order of the atoms
//! (see the crate `bdd`). Going forth the formula must be free of temporal operators. Tested by: the readers and writers
//! of [`crate::io`], which use both directions, and below.

use std::collections::HashMap;

use bdd::{Bdd, Manager, OutOfNodes, Variable};

use crate::formula::{Formula, Formulas, Node};
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

/// The diagram of a Boolean formula; `variable` says which variable stands for the atom of a name.
///
/// # Errors
/// Where the formula has a temporal operator, or the manager has a limit and reaches it.
pub fn label_of(
    manager: &Manager,
    formulas: &Formulas,
    formula: Formula,
    mut variable: impl FnMut(&str) -> Variable,
) -> Result<Bdd, NoLabel> {
    let mut labels: HashMap<Formula, Bdd> = HashMap::new();
    for part in formulas.subformulas(formula) {
        let label = match formulas.node(part) {
            Node::True => manager.yes(),
            Node::False => manager.no(),
            Node::Atom(atom) => manager.try_variable(variable(formulas.atom_name(*atom)))?,
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

/// The label as a formula: a disjunction of conjunctions of literals over the named atoms.
#[must_use]
pub fn formula_of(label: &Bdd, atoms: &[String], formulas: &mut Formulas) -> Formula {
    let mut products = Vec::new();
    for cube in label.cover() {
        let mut literals = Vec::new();
        for &(variable, value) in cube.literals() {
            let atom = formulas.atom(&atoms[variable.0 as usize]);
            literals.push(if value { atom } else { formulas.not(atom) });
        }
        products.push(formulas.and(literals));
    }
    formulas.or(products)
}

/// The label as text.
///
/// ```
/// use omega::automaton::Automaton;
/// use omega::automaton::label::show;
/// use omega::print::Notation;
///
/// let automaton = Automaton::new(["a", "x > 1"], 0);
/// let label = automaton.atom(0) & !automaton.atom(1);
/// assert_eq!(show(&label, automaton.atoms(), Notation::Utf8), "a ∧ ¬\"x > 1\"");
/// ```
#[must_use]
pub fn show(label: &Bdd, atoms: &[String], notation: Notation) -> String {
    let mut formulas = Formulas::new();
    // In the order of the atoms, so that members of conjunctions come out in that order.
    for atom in atoms {
        let atom = formulas.atom(atom);
        formulas.not(atom);
    }
    let formula = formula_of(label, atoms, &mut formulas);
    print(&formulas, formula, notation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{Syntax, parse};

    fn label(text: &str) -> Result<Bdd, NoLabel> {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text, Syntax::Spot).expect("a formula");
        let place = |name: &str| Variable(["a", "b", "c"].iter().position(|atom| *atom == name).unwrap() as u32);
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
            assert_eq!(show(&label(text).unwrap(), &atoms, Notation::Spot), expected, "{text}");
        }
    }

    #[test]
    fn temporal_formulas_are_no_labels() {
        assert_eq!(label("a & Xb").err(), Some(NoLabel::Temporal));
    }
}
