//! Does a property hold for no reason that matters? A premise that never happens makes every implication true.
//!
//! *How.* If the formula is nothing but implications under conjunctions, `[]` and `X`, what they promise is replaced by
//! false: if the formula still holds, no promise was ever called upon. [beer.01.fmsd] looks at all subformulas; we look
//! at implications only, because there the reason can be told in one sentence.

use super::{Context, temporal};
use crate::temporal::{Content, Temporal, spelled};
use omega::formula::{Formula, Formulas, Node};
use promela::claim::Claim;

/// Why a property that holds does so vacuously, if it does.
pub(super) fn reason(context: &Context<'_>, property: &Temporal) -> Option<String> {
    let Content::Formula(claim) = &property.content else { return None };
    let mut formulas = claim.formulas.clone();
    let implications = implications(&formulas, claim.formula)?;
    let mut formula = claim.formula;
    for (implication, premise) in &implications {
        let no = formulas.constant(false);
        let weakened = formulas.implies(*premise, no);
        formula = replace(&mut formulas, formula, *implication, weakened);
    }
    let changed = Claim { formulas: formulas.clone(), formula, atoms: claim.atoms.clone() };
    if temporal::holds(context, &changed, formula) != Some(true) {
        return None;
    }
    let premises: Vec<_> = implications.iter().map(|(_, premise)| format!("`{}`", spelled(claim, *premise))).collect();
    let word = if premises.len() == 1 { "premise" } else { "premises" };
    // An implication that is not asked for everywhere says nothing about the other places.
    let is_everywhere =
        matches!(formulas.node(claim.formula), Node::Always(a) if !matches!(formulas.node(*a), Node::Next(_)));
    let never = match (is_everywhere, premises.len()) {
        (true, 1) => "never happens",
        (true, _) => "never happen",
        (false, 1) => "is false wherever it is asked for",
        (false, _) => "are false wherever they are asked for",
    };
    Some(format!("its {word} {} {never}", premises.join(", ")))
}

/// The implications that a formula consists of, with their premises; none if there is anything else in it.
fn implications(formulas: &Formulas, root: Formula) -> Option<Vec<(Formula, Formula)>> {
    let mut found = Vec::new();
    let mut pending = vec![root];
    while let Some(formula) = pending.pop() {
        match formulas.node(formula) {
            Node::Implies(premise, _) if !premise.is_constant() => found.push((formula, *premise)),
            Node::And(members) => pending.extend(members.iter().copied()),
            Node::Next(a) | Node::Always(a) => pending.push(*a),
            _ => return None,
        }
    }
    found.sort_unstable();
    found.dedup();
    Some(found)
}

/// The formula with one of its subformulas replaced.
fn replace(formulas: &mut Formulas, root: Formula, old: Formula, new: Formula) -> Formula {
    let wanted = formulas.node(old).clone();
    formulas.rebuild(root, |formulas, node| if node == wanted { new } else { formulas.make(node) })
}
