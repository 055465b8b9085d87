//! Shortens junctions as Boolean functions.
//!
//! What: the operands of the Boolean operators at the top of a formula, propositions and temporal formulas alike, are
//! taken as variables of a decision diagram; a formula and its negation share a variable. If an irredundant sum of
//! products, or product of sums, is shorter than the formula, it takes its place. Contradictions and tautologies, as in
//! `(a & Fb) | (!a & Fb) | G!b`, are found in every form.
//!
//! Contract: formulas in negation normal form; the result is strictly smaller, or none. More than `MOST_VARIABLES`
//! variables, or sums of more than `MOST_CUBES` products, are not tried.
//!
//! Source: the sums are those of [minato.92.sasimi].
//!
//! Tested by: the semantics (`tests/rewrite.rs`).

use super::engine::Simplifier;
use crate::formula::{Formula, Formulas, Node};
use crate::table::HashMap;
use crate::thresholds::rewrite::{MOST_CUBES, MOST_VARIABLES};
use bdd::{Bdd, Cube, Manager, Variable};

/// The name under which its uses are counted.
pub(super) const NAME: &str = "boolean";

/// A smaller formula with the same Boolean structure at its top, if there is one.
pub(super) fn apply(simplifier: &mut Simplifier, formulas: &mut Formulas, formula: Formula) -> Option<Formula> {
    if !matches!(formulas.node(formula), Node::And(_) | Node::Or(_)) {
        return None;
    }
    if let Some(only) = of_leaves(simplifier, formulas, formula) {
        return only;
    }
    let mut table = Table { manager: Manager::new(), variables: Vec::new(), known: HashMap::default() };
    let function = table.function(simplifier, formulas, formula)?;
    if function.is_true() || function.is_false() {
        return Some(formulas.constant(function.is_true()));
    }
    let size = formulas.size(formula);
    let sum = table.sum(simplifier, formulas, &function, true);
    let product = table.sum(simplifier, formulas, &!&function, false);
    sum.into_iter().chain(product).filter(|shorter| formulas.size(*shorter) < size).min_by_key(|f| formulas.size(*f))
}

/// The answer for a junction without junctions inside, which needs no diagram: only a contradiction can be shorter.
fn of_leaves(simplifier: &mut Simplifier, formulas: &mut Formulas, formula: Formula) -> Option<Option<Formula>> {
    let (members, is_and) = match formulas.node(formula) {
        Node::And(members) => (members.clone(), true),
        Node::Or(members) => (members.clone(), false),
        _ => return None,
    };
    if members.len() > MOST_VARIABLES || members.iter().any(|m| matches!(formulas.node(*m), Node::And(_) | Node::Or(_)))
    {
        return None;
    }
    let contradicts = |member: &Formula| members.contains(&simplifier.nnf.negation(formulas, *member));
    Some(members.iter().rev().any(contradicts).then(|| formulas.constant(!is_and)))
}

struct Table {
    manager: Manager,
    /// The formula of each variable.
    variables: Vec<Formula>,
    known: HashMap<Formula, Bdd>,
}

impl Table {
    /// The function of a formula; none if there are too many variables.
    fn function(&mut self, simplifier: &mut Simplifier, formulas: &mut Formulas, root: Formula) -> Option<Bdd> {
        let mut stack = vec![root];
        while let Some(&goal) = stack.last() {
            if self.known.contains_key(&goal) {
                stack.pop();
                continue;
            }
            let members = match formulas.node(goal) {
                Node::And(members) | Node::Or(members) => members.clone(),
                _ => {
                    self.leaf(simplifier, formulas, goal)?;
                    continue;
                }
            };
            let missing: Vec<Formula> = members.iter().copied().filter(|m| !self.known.contains_key(m)).collect();
            if missing.is_empty() {
                let parts: Vec<&Bdd> = members.iter().map(|member| &self.known[member]).collect();
                let function = match formulas.node(goal) {
                    Node::And(_) => self.manager.conjunction(parts),
                    _ => self.manager.disjunction(parts),
                };
                self.known.insert(goal, function);
            }
            stack.extend(missing);
        }
        Some(self.known[&root].clone())
    }

    /// Gives a leaf, and with it its negation, a variable.
    fn leaf(&mut self, simplifier: &mut Simplifier, formulas: &mut Formulas, leaf: Formula) -> Option<()> {
        if leaf.is_constant() {
            self.known.insert(leaf, self.manager.constant(leaf == Formula::TRUE));
            return Some(());
        }
        if self.variables.len() == MOST_VARIABLES {
            return None;
        }
        let variable = self.manager.variable(Variable(self.variables.len() as u32));
        let negation = simplifier.nnf.negation(formulas, leaf);
        // The negation of a temporal formula may be a junction: only as a leaf it shares the variable.
        if !matches!(formulas.node(negation), Node::And(_) | Node::Or(_)) {
            self.known.insert(negation, !&variable);
        }
        self.variables.push(leaf);
        self.known.insert(leaf, variable);
        Some(())
    }

    /// The function as a sum of products; if not `positive`, the negation of the function as a product of sums.
    fn sum(
        &self,
        simplifier: &mut Simplifier,
        formulas: &mut Formulas,
        function: &Bdd,
        positive: bool,
    ) -> Option<Formula> {
        let cubes: Vec<Cube> = function.try_cover_at_most(MOST_CUBES).ok()??;
        let mut members = Vec::new();
        for cube in cubes {
            let mut literals = Vec::new();
            for (variable, value) in cube.literals() {
                let leaf = self.variables[variable.0 as usize];
                let keep = *value == positive;
                literals.push(if keep { leaf } else { simplifier.nnf.negation(formulas, leaf) });
            }
            members.push(if positive { formulas.and(literals) } else { formulas.or(literals) });
        }
        Some(if positive { formulas.or(members) } else { formulas.and(members) })
    }
}
