//! Smaller formulas: one step from a given one.
//!
//! What: [`smaller`] lists the formulas that come about if a part is replaced by something smaller: one of its own parts, a
//! constant, a proposition; or an operand of it, in which another operand of it has taken the place of an operand, as in `b -> c`
//! for `(a -> b) U c`; or if a constant becomes a proposition, or two propositions one. Contract: all of them have less
//! [`weight`], and the lightest come first; formulas are changed as they stand, without simplification.

use crate::thresholds::shrink::MOST_SYMBOLS;
use std::collections::{BTreeSet, HashMap};

use omega::formula::{Formula, Formulas, Node};

/// Formulas one step smaller, the smallest first.
pub(super) fn smaller(formulas: &mut Formulas, formula: Formula) -> Vec<Formula> {
    let mut found = BTreeSet::new();
    let atoms: Vec<Formula> = formulas.atoms(formula).into_iter().map(|id| formulas.intern(Node::Atom(id))).collect();
    let is_small = formulas.size(formula) <= MOST_SYMBOLS;
    for part in formulas.subformulas(formula) {
        let mut instead: Vec<Formula> = match formulas.node(part) {
            // Of two propositions the later one goes.
            Node::Atom(_) => atoms.iter().copied().take_while(|atom| *atom != part).collect(),
            Node::True | Node::False => atoms.clone(),
            node => node.children().collect(),
        };
        if formulas.size(part) > 1 {
            instead.extend([Formula::TRUE, Formula::FALSE]);
            let own = formulas.atoms(part);
            instead.extend(own.into_iter().map(|id| formulas.intern(Node::Atom(id))));
            instead.extend(without_one(formulas, part));
            if is_small {
                instead.extend(formulas.subformulas(part));
                instead.extend(with_operands_moved(formulas, part));
            }
        }
        for new in instead {
            found.insert(replaced(formulas, formula, part, new));
        }
    }
    found.remove(&formula);
    let now = weight(formulas, formula);
    let mut found: Vec<_> = found.into_iter().map(|new| (weight(formulas, new), new)).collect();
    found.sort_unstable();
    found.into_iter().filter(|(weight, _)| *weight < now).map(|(_, new)| new).collect()
}

/// How much there is to look at: symbols; then constants, which say less to a person than propositions; then propositions.
pub(super) fn weight(formulas: &Formulas, formula: Formula) -> (u64, usize, usize) {
    let parts = formulas.subformulas(formula);
    let constants = parts.into_iter().filter(|part| part.is_constant()).count();
    (formulas.size(formula), constants, formulas.atoms(formula).len())
}

/// Conjunctions and disjunctions of more than two members with one member less.
fn without_one(formulas: &mut Formulas, part: Formula) -> Vec<Formula> {
    let (members, is_and) = match formulas.node(part) {
        Node::And(members) if members.len() > 2 => (members.to_vec(), true),
        Node::Or(members) if members.len() > 2 => (members.to_vec(), false),
        _ => return Vec::new(),
    };
    let without = |at: usize| {
        let rest: Vec<Formula> =
            members.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, m)| *m).collect();
        formulas.intern(if is_and { Node::And(rest.into()) } else { Node::Or(rest.into()) })
    };
    (0..members.len()).map(without).collect()
}

/// Each operand of a subformula, with one of its own operands replaced by another operand of the subformula.
fn with_operands_moved(formulas: &mut Formulas, part: Formula) -> Vec<Formula> {
    let operands: Vec<Formula> = formulas.node(part).children().collect();
    let mut moved = Vec::new();
    for &kept in &operands {
        let count = formulas.node(kept).children().count();
        for &other in operands.iter().filter(|other| **other != kept) {
            for at in 0..count {
                let mut place = 0..;
                let node = formulas.node(kept).map(|child| if place.next() == Some(at) { other } else { child });
                moved.push(formulas.intern(node));
            }
        }
    }
    moved
}

/// The formula with another one in place of a part, everything else as it stands.
fn replaced(formulas: &mut Formulas, formula: Formula, part: Formula, new: Formula) -> Formula {
    let mut rebuilt: HashMap<Formula, Formula> = HashMap::new();
    for subformula in formulas.subformulas(formula) {
        let result = if subformula == part {
            new
        } else {
            let node = formulas.node(subformula).map(|child| rebuilt[&child]);
            formulas.intern(node)
        };
        rebuilt.insert(subformula, result);
    }
    rebuilt[&formula]
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::span::{FileId, Span};
    use omega::parse::{Syntax, parse_verbatim_at};
    use omega::print::{Notation, print};

    /// Repeatedly takes the first smaller formula whose text contains both words.
    fn shrunk(text: &str, words: [&str; 2]) -> String {
        let place = Span::new(FileId(0), 0, text.len() as u32);
        let mut formulas = Formulas::new();
        let mut formula = parse_verbatim_at(&mut formulas, text, Syntax::Spot, place).unwrap();
        loop {
            let spelt = |formulas: &Formulas, formula| print(formulas, formula, Notation::Spot);
            let candidates = smaller(&mut formulas, formula);
            let has_both = |new: &&Formula| words.iter().all(|word| spelt(&formulas, **new).contains(word));
            match candidates.iter().find(has_both) {
                Some(new) => formula = *new,
                None => return spelt(&formulas, formula),
            }
        }
    }

    #[test]
    fn operators_that_are_needed_come_together() {
        assert_eq!(shrunk("(p2 -> p2) U Xp2", ["->", "X"]), "Xp2 -> p2");
        assert_eq!(shrunk("G(p0 | Xp1) U F(p1 & (p2 W p0))", ["G", "W"]).len(), "G(p0 W p0)".len());
    }
}
