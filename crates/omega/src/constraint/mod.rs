//! Facts about a system that are known before it is explored, and their use for properties.
//!
//! A *constraint* κ is a Boolean formula that the letters of all runs satisfy: two propositions that exclude each other, a
//! comparison that implies another. Under a constraint a property becomes a smaller automaton with shorter labels; the
//! product with the system stays the same.
//!
//! - [`exclusive`], [`refined`]: the constraint of a set of propositions that exclude each other; a formula and a constraint
//!   as one formula;
//! - [`labels`]: labels made more precise by a constraint, or shorter;
//! - [`settle`]: components that accept all that can follow stay terminal;
//! - [`choice`]: both refinements of a formula side by side, and which is better;
//! - [`sanity`]: whether the known facts decide a property without a search.
//!
//! Source: [blahoudek.15.spin], sections 3 and 5.

pub mod choice;
pub mod labels;
pub mod sanity;
pub mod settle;

use crate::analyse::classify::{Classifier, Traits};
use crate::formula::{Formula, Formulas};

/// The constraint that of these propositions at most one is true at a time.
pub fn exclusive<'a>(formulas: &mut Formulas, names: impl IntoIterator<Item = &'a str>) -> Formula {
    let atoms: Vec<Formula> = names.into_iter().map(|name| formulas.atom(name)).collect();
    let mut pairs = Vec::new();
    for (index, &one) in atoms.iter().enumerate() {
        for &two in &atoms[index + 1..] {
            if one != two {
                let both = formulas.and([one, two]);
                pairs.push(formulas.not(both));
            }
        }
    }
    formulas.and(pairs)
}

/// Whether a formula has no temporal operator, as a constraint must.
#[must_use]
pub fn is_boolean(formulas: &Formulas, formula: Formula) -> bool {
    Classifier::new().traits(formulas, formula).has(Traits::BOOLEAN)
}

/// The refinement of a formula: it holds, and the constraint does at every position.
pub fn refined(formulas: &mut Formulas, formula: Formula, constraint: Formula) -> Formula {
    let always = formulas.always(constraint);
    formulas.and([formula, always])
}
