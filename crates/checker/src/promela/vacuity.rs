//! Does a property hold vacuously? A premise that never happens makes every implication true.
//!
//! *How.* If the formula is nothing but implications under conjunctions, `[]` and `X`, what they promise is replaced by
//! false: if the formula still holds, no promise was ever called upon. Where a promise is an implication again, the same
//! is tried with the innermost ones. [beer.01.fmsd] looks at all subformulas; we look at implications only, because there
//! the reason can be told in one sentence.

use super::{Context, temporal};
use crate::promela::property::{Content, Temporal, spelled};
use omega::formula::{Formula, Formulas, Node};
use promela::claim::Claim;

/// Why a property that holds does so vacuously, if it does.
pub(super) fn reason(context: &Context<'_>, property: &Temporal) -> Option<String> {
    let Content::Formula(claim) = &property.content else { return None };
    let claim = &with_implications(claim);
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
        return nested(context, claim);
    }
    let premises: Vec<_> = implications.iter().map(|(_, premise)| format!("`{}`", spelled(claim, *premise))).collect();
    let word = if premises.len() == 1 { "premise" } else { "premises" };
    // An implication that is not asked for everywhere says nothing about the other places.
    let is_everywhere =
        matches!(formulas.node(claim.formula), Node::Always(a) if !matches!(formulas.node(*a), Node::Next(_)));
    let never = match (is_everywhere, premises.len()) {
        (true, 1) => "never happens",
        (true, _) => "never happen",
        (false, 1) => "is false wherever the formula refers to it",
        (false, _) => "are false wherever the formula refers to them",
    };
    Some(format!("its {word} {} {never}", premises.join(", ")))
}

/// A claim in which `!a || b` is written as `a -> b`, where something in the alternative is not negated.
fn with_implications(claim: &Claim) -> Claim {
    let mut formulas = claim.formulas.clone();
    let formula = formulas.rebuild(claim.formula, |formulas, node| {
        let Node::Or(members) = &node else { return formulas.make(node) };
        let (mut premises, mut promises) = (Vec::new(), Vec::new());
        for member in members.iter() {
            match formulas.node(*member) {
                Node::Not(premise) => premises.push(*premise),
                _ => promises.push(*member),
            }
        }
        if premises.is_empty() || promises.is_empty() {
            return formulas.make(node);
        }
        let (premise, promise) = (formulas.and(premises), formulas.or(promises));
        formulas.implies(premise, promise)
    });
    Claim { formulas, formula, atoms: claim.atoms.clone() }
}

/// Why a property holds vacuously whose premises happen, but never all that lead to a promise.
fn nested(context: &Context<'_>, claim: &Claim) -> Option<String> {
    let (mut formulas, mut premises) = (claim.formulas.clone(), Vec::new());
    let (formula, depth) = weakened(&mut formulas, claim.formula, &mut premises)?;
    let changed = Claim { formulas, formula, atoms: claim.atoms.clone() };
    if depth < 2 || temporal::holds(context, &changed, formula) != Some(true) {
        return None;
    }
    let premises: Vec<_> = premises.iter().map(|premise| format!("`{}`", spelled(claim, *premise))).collect();
    Some(format!("its premises {} never hold together", premises.join(", ")))
}

/// A formula with the innermost promises of its implications replaced by false, and how deep these are nested; the
/// premises in order. As deep as the formula, which the parser bounds.
fn weakened(formulas: &mut Formulas, root: Formula, premises: &mut Vec<Formula>) -> Option<(Formula, usize)> {
    match formulas.node(root).clone() {
        Node::Implies(premise, promise) if !premise.is_constant() => {
            premises.push(premise);
            let before = premises.len();
            let (inner, depth) = weakened(formulas, promise, premises).unwrap_or_else(|| {
                premises.truncate(before);
                (formulas.constant(false), 0)
            });
            Some((formulas.implies(premise, inner), depth + 1))
        }
        Node::And(members) => {
            let mut parts = Vec::new();
            let mut deepest = 0;
            for member in members.iter() {
                let (part, depth) = weakened(formulas, *member, premises)?;
                deepest = deepest.max(depth);
                parts.push(part);
            }
            Some((formulas.and(parts), deepest))
        }
        Node::Next(a) => weakened(formulas, a, premises).map(|(a, depth)| (formulas.next(a), depth)),
        Node::Always(a) => weakened(formulas, a, premises).map(|(a, depth)| (formulas.always(a), depth)),
        _ => None,
    }
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
