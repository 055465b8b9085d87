//! Does a property hold for no reason that matters? A premise that never happens makes every implication true.
//!
//! *How.* For each implication under nothing but conjunctions, `[]` and `X`, what it promises is replaced by false: if
//! the formula still holds, the promise was never called upon. [beer.01.fmsd] looks at all subformulas; we look at
//! implications only, because there the reason can be told in one sentence.

use super::{Context, temporal};
use crate::temporal::{Content, Temporal, spelled};
use omega::formula::{Formula, Formulas, Node};
use promela::claim::Claim;

/// Why a property that holds does so vacuously, if it does.
pub(super) fn reason(context: &Context<'_>, property: &Temporal) -> Option<String> {
    let Content::Formula(claim) = &property.content else { return None };
    let mut formulas = claim.formulas.clone();
    let premises = implications(&formulas, claim.formula);
    for (implication, premise) in premises {
        let no = formulas.constant(false);
        let weakened = formulas.implies(premise, no);
        let formula = replace(&mut formulas, claim.formula, implication, weakened);
        let changed = Claim { formulas: formulas.clone(), formula, atoms: claim.atoms.clone() };
        if temporal::holds(context, &changed, formula) == Some(true) {
            return Some(format!("its premise `{}` never happens", spelled(claim, premise)));
        }
    }
    None
}

/// The implications that must hold wherever the formula speaks, with their premises.
fn implications(formulas: &Formulas, root: Formula) -> Vec<(Formula, Formula)> {
    let mut found = Vec::new();
    let mut pending = vec![root];
    while let Some(formula) = pending.pop() {
        match formulas.node(formula) {
            Node::Implies(premise, _) if !premise.is_constant() => found.push((formula, *premise)),
            Node::And(members) => pending.extend(members.iter().copied()),
            Node::Next(a) | Node::Always(a) => pending.push(*a),
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The formula with one of its subformulas replaced.
fn replace(formulas: &mut Formulas, root: Formula, old: Formula, new: Formula) -> Formula {
    let wanted = formulas.node(old).clone();
    formulas.rebuild(root, |formulas, node| if node == wanted { new } else { formulas.make(node) })
}
