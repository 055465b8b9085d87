//! CTL with fairness on an enumerated machine, by definition.
//!
//! Contract: path quantifiers range over infinite fair paths: those on which every justice constraint holds infinitely
//! often, and for every compassion pair, if the first holds infinitely often, so does the second. A constraint that
//! mentions inputs is meant of the step that leaves the state. A state satisfies `E …` if some fair path from it does.
//!
//! Fair paths are found by components: a path is fair in the end if it stays in a strongly connected part that has an
//! edge for each justice constraint and, for each compassion pair, an edge for the second or none for the first; parts
//! that fail for a pair are searched again without the first's edges ([emerson.87.scp] for the idea).

use std::convert::Infallible;

use super::Rules;
use super::machine::{Edge, Explicit};
use crate::model::{CtlBinary, CtlBounded, CtlFormula, CtlUnary, Model, NodeId};
use crate::repeat::repeat;

/// Decides formulas on one machine.
#[derive(Debug)]
pub struct Checker<'m> {
    machine: &'m Explicit,
    rules: Rules<'m>,
    justice: Vec<Vec<bool>>,
    compassion: Vec<(Vec<bool>, Vec<bool>)>,
    /// States from which some fair path starts.
    fair: Vec<bool>,
}

impl<'m> Checker<'m> {
    /// Prepares the fairness of a model on its machine.
    #[must_use]
    pub fn new(model: &'m Model, machine: &'m Explicit) -> Self {
        let mut rules = Rules::new(model);
        let mut on_edges = |node: NodeId| -> Vec<bool> {
            machine
                .edges
                .iter()
                .map(|edge| rules.holds(node, &machine.with_input(edge.from, edge.input), None))
                .collect()
        };
        let justice = model.justice.iter().map(|node| on_edges(*node)).collect();
        let compassion = model.compassion.iter().map(|(p, q)| (on_edges(*p), on_edges(*q))).collect();
        let mut checker = Checker { machine, rules, justice, compassion, fair: Vec::new() };
        checker.fair = checker.fair_within(&vec![true; machine.states.len()]);
        checker
    }

    /// The states from which some fair path starts.
    #[must_use]
    pub fn fair_states(&self) -> &[bool] {
        &self.fair
    }

    /// The states that satisfy a formula.
    pub fn satisfying(&mut self, formula: &CtlFormula) -> Vec<bool> {
        match formula {
            CtlFormula::Atom(node) => {
                self.machine.states.iter().map(|state| self.rules.holds(*node, state, None)).collect()
            }
            CtlFormula::Not(operand) => not(self.satisfying(operand)),
            CtlFormula::And(parts) => self.fold(parts, true, |a, b| a && b),
            CtlFormula::Or(parts) => self.fold(parts, false, |a, b| a || b),
            CtlFormula::Xor(a, b) => zip(&self.satisfying(a), &self.satisfying(b), |a, b| a != b),
            CtlFormula::Unary(operator, operand) => {
                let operand = self.satisfying(operand);
                self.unary(*operator, operand)
            }
            CtlFormula::Binary(operator, a, b) => {
                let (a, b) = (self.satisfying(a), self.satisfying(b));
                match operator {
                    CtlBinary::EU => self.until(&a, &b),
                    // A path violates `a U b` by staying outside b forever, or up to a state outside both.
                    CtlBinary::AU => {
                        let outside = not(b);
                        let neither = zip(&not(a), &outside, |a, b| a && b);
                        let reaching = self.until(&outside, &neither);
                        not(zip(&reaching, &self.always(&outside), |a, b| a || b))
                    }
                }
            }
            CtlFormula::Bounded(operator, low, high, operand) => {
                let operand = self.satisfying(operand);
                let all = vec![true; operand.len()];
                match operator {
                    CtlBounded::EBF => self.bounded(&all, &operand, *low, *high),
                    CtlBounded::ABG => not(self.bounded(&all, &not(operand), *low, *high)),
                    CtlBounded::ABF => not(self.bounded_always(&not(operand), *low, *high)),
                    CtlBounded::EBG => self.bounded_always(&operand, *low, *high),
                }
            }
            CtlFormula::BoundedUntil(for_all, low, high, a, b) => {
                let (a, b) = (self.satisfying(a), self.satisfying(b));
                if *for_all { self.bounded_for_all(&a, &b, *low, *high) } else { self.bounded(&a, &b, *low, *high) }
            }
        }
    }

    fn fold(&mut self, parts: &[CtlFormula], unit: bool, join: impl Fn(bool, bool) -> bool) -> Vec<bool> {
        parts.iter().fold(vec![unit; self.machine.states.len()], |all, part| zip(&all, &self.satisfying(part), &join))
    }

    fn unary(&mut self, operator: CtlUnary, operand: Vec<bool>) -> Vec<bool> {
        let all = vec![true; operand.len()];
        match operator {
            CtlUnary::EX => self.next(&operand),
            CtlUnary::AX => not(self.next(&not(operand))),
            CtlUnary::EF => self.until(&all, &operand),
            CtlUnary::AG => not(self.until(&all, &not(operand))),
            CtlUnary::EG => self.always(&operand),
            CtlUnary::AF => not(self.always(&not(operand))),
        }
    }

    /// Some fair path goes to the set in one step.
    fn next(&self, set: &[bool]) -> Vec<bool> {
        self.any_step(&zip(set, &self.fair, |a, b| a && b))
    }

    fn any_step(&self, set: &[bool]) -> Vec<bool> {
        let mut result = vec![false; set.len()];
        for edge in &self.machine.edges {
            result[edge.from] |= set[edge.to];
        }
        result
    }

    fn until(&self, a: &[bool], b: &[bool]) -> Vec<bool> {
        let mut result = zip(b, &self.fair, |a, b| a && b);
        loop {
            let step = self.any_step(&result);
            let larger: Vec<bool> = (0..a.len()).map(|s| result[s] || (a[s] && step[s])).collect();
            if larger == result {
                return result;
            }
            result = larger;
        }
    }

    fn always(&self, set: &[bool]) -> Vec<bool> {
        self.fair_within(set)
    }

    /// Within `low` to `high` steps a state of `b` is reached through states of `a`.
    fn bounded(&self, a: &[bool], b: &[bool], low: u32, high: u32) -> Vec<bool> {
        let target = zip(b, &self.fair, |a, b| a && b);
        let within = times(low..high, target.clone(), |result| {
            let step = self.any_step(result);
            (0..a.len()).map(|s| target[s] || (a[s] && step[s])).collect()
        });
        times(0..low, within, |result| zip(a, &self.any_step(result), |a, b| a && b))
    }

    /// On some fair path, at all steps from `low` to `high` the path is in the set.
    fn bounded_always(&self, set: &[bool], low: u32, high: u32) -> Vec<bool> {
        let start = zip(set, &self.fair, |a, b| a && b);
        let within = times(low..high, start, |result| zip(set, &self.any_step(result), |a, b| a && b));
        times(0..low, within, |result| self.any_step(result))
    }

    /// On all fair paths: `a` up to some step between `low` and `high` at which `b` holds.
    fn bounded_for_all(&self, a: &[bool], b: &[bool], low: u32, high: u32) -> Vec<bool> {
        // Backwards over the steps: which states violate the rest of the bound.
        let start = zip(&not(b.to_vec()), &self.fair, |x, y| x && y);
        let within = times(low..high, start, |violating| {
            let step = self.any_step(violating);
            (0..a.len()).map(|s| self.fair[s] && !b[s] && (!a[s] || step[s])).collect()
        });
        not(times(0..low, within, |violating| {
            let step = self.any_step(violating);
            (0..a.len()).map(|s| self.fair[s] && (!a[s] || step[s])).collect()
        }))
    }

    /// The states of the set from which a fair path stays in the set.
    fn fair_within(&self, set: &[bool]) -> Vec<bool> {
        let usable: Vec<bool> = self.machine.edges.iter().map(|edge| set[edge.from] && set[edge.to]).collect();
        let mut result = self.fair_components(&usable);
        loop {
            let mut changed = false;
            for (edge, usable) in self.machine.edges.iter().zip(&usable) {
                if *usable && result[edge.to] && !result[edge.from] {
                    result[edge.from] = true;
                    changed = true;
                }
            }
            if !changed {
                return result;
            }
        }
    }

    /// The states of strongly connected parts of the usable edges in which a fair path can stay.
    fn fair_components(&self, usable: &[bool]) -> Vec<bool> {
        let mut result = vec![false; self.machine.states.len()];
        let mut pending = vec![usable.to_vec()];
        while let Some(usable) = pending.pop() {
            for component in components(&self.machine.edges, &usable, self.machine.states.len()) {
                let has = |marks: &[bool]| (0..marks.len()).any(|edge| component[edge] && marks[edge]);
                if !component.iter().any(|edge| *edge) || !self.justice.iter().all(|marks| has(marks)) {
                    continue;
                }
                let broken: Vec<_> = self.compassion.iter().filter(|(p, q)| has(p) && !has(q)).collect();
                if broken.is_empty() {
                    for (edge, inside) in self.machine.edges.iter().zip(&component) {
                        result[edge.from] |= inside;
                    }
                } else {
                    let fewer =
                        (0..component.len()).map(|e| component[e] && broken.iter().all(|(p, _)| !p[e])).collect();
                    pending.push(fewer);
                }
            }
        }
        result
    }
}

/// The strongly connected parts of a graph, each as the set of its edges, by mutual reachability.
fn components(edges: &[Edge], usable: &[bool], states: usize) -> Vec<Vec<bool>> {
    let mut reach = vec![vec![false; states]; states];
    for (edge, usable) in edges.iter().zip(usable) {
        reach[edge.from][edge.to] |= usable;
    }
    for middle in 0..states {
        let through = reach[middle].clone();
        for row in &mut reach {
            if row[middle] {
                row.iter_mut().zip(&through).for_each(|(to, via)| *to |= via);
            }
        }
    }
    let mut found: Vec<Vec<bool>> = Vec::new();
    for (state, from_here) in reach.iter().enumerate() {
        let inside = |other: usize| from_here[other] && reach[other][state];
        let first = (0..state).all(|other| !inside(other));
        if first && inside(state) {
            found.push(
                edges
                    .iter()
                    .zip(usable)
                    .map(|(edge, usable)| *usable && inside(edge.from) && inside(edge.to))
                    .collect(),
            );
        }
    }
    found
}

/// A set after one step back for each number of a range.
fn times(range: std::ops::Range<u32>, set: Vec<bool>, mut back: impl FnMut(&[bool]) -> Vec<bool>) -> Vec<bool> {
    let Ok(set) = repeat(range.len() as u64, set, |set: &Vec<bool>| Ok::<_, Infallible>(back(set)));
    set
}

fn not(set: Vec<bool>) -> Vec<bool> {
    set.into_iter().map(|inside| !inside).collect()
}

fn zip(a: &[bool], b: &[bool], join: impl Fn(bool, bool) -> bool) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| join(*a, *b)).collect()
}
