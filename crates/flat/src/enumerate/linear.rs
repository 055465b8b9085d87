//! LTL with past operators and fairness on an enumerated machine.
//!
//! What: whether a formula is true on all infinite fair paths from the initial states. Contract: none where the product
//! would have more than [`LIMIT`] nodes.
//!
//! How: a node is a step of the machine with a guess of the truth of each temporal subformula there. Guesses of a node and
//! of its successor must satisfy the one-step laws of the operators ([clarke.97.fmsd], with the past as in
//! [kesten.98.icalp]); a promise that is put off must be met infinitely often or given up. The formula fails if a
//! strongly connected part meets all of this and the fairness of the model. Explicit components instead of fixpoints of
//! diagrams, and guesses for all temporal subformulas instead of elementary variables: nothing is shared with the symbolic
//! tableau or with rewriting, only the type of formulas. Tested on single lassos by [`lasso`](super::lasso), and against the
//! symbolic engine.

use std::collections::HashMap;

use omega::formula::{Formula, Node};

use super::Rules;
use super::machine::Explicit;
use crate::model::{Linear, Model, NodeId};

/// Nodes of the product up to which formulas are decided.
pub const LIMIT: usize = 20_000;

/// Whether the formula holds on every fair path, if the product is small enough.
#[must_use]
pub fn holds(model: &Model, machine: &Explicit, formula: &Linear) -> Option<bool> {
    let terms = terms(formula);
    let guessed: Vec<usize> = (0..terms.len()).filter(|at| terms[*at].operator.is_temporal()).collect();
    if guessed.len() > 12 || machine.edges.len() << guessed.len() > LIMIT {
        return None;
    }
    let root = terms.len() - 1;
    let mut product = Product::new(model, machine, formula, terms, &guessed);
    let starts = product.starts(root);
    let reached = product.reachable(starts);
    Some(!product.has_fair_cycle(reached))
}

/// A subformula; its operands are numbers of earlier ones.
struct Term {
    operator: Node,
    operands: Vec<usize>,
}

/// All different subformulas, the formula itself last.
fn terms(formula: &Linear) -> Vec<Term> {
    let mut numbers: HashMap<Formula, usize> = HashMap::new();
    let mut terms = Vec::new();
    for part in formula.formulas().subformulas(formula.root()) {
        let operator = formula.formulas().node(part).clone();
        let operands = operator.children().map(|child| numbers[&child]).collect();
        numbers.insert(part, terms.len());
        terms.push(Term { operator, operands });
    }
    terms
}

/// Steps with guesses.
struct Product<'m> {
    machine: &'m Explicit,
    terms: Vec<Term>,
    guesses: usize,
    /// For each node (number of the edge times the number of guesses, plus the guess) the truth of all terms.
    truth: Vec<Vec<bool>>,
    /// For each set that must be met infinitely often, which nodes are in it.
    justice: Vec<Vec<bool>>,
    compassion: Vec<(Vec<bool>, Vec<bool>)>,
    /// The first edge that leaves each state; edges are ordered.
    first: Vec<usize>,
}

impl<'m> Product<'m> {
    fn new(model: &'m Model, machine: &'m Explicit, formula: &Linear, terms: Vec<Term>, guessed: &[usize]) -> Self {
        let mut rules = Rules::new(model);
        let guesses = 1 << guessed.len();
        let mut truth = Vec::with_capacity(machine.edges.len() * guesses);
        let mut on_edge = |node: NodeId, at: usize| {
            let edge = machine.edges[at];
            rules.holds(node, &machine.with_input(edge.from, edge.input), Some(&machine.states[edge.to]))
        };
        for edge in 0..machine.edges.len() {
            for guess in 0..guesses {
                let mut values: Vec<bool> = Vec::with_capacity(terms.len());
                for (at, term) in terms.iter().enumerate() {
                    let value = match (&term.operator, term.operands.as_slice()) {
                        (Node::True, _) => true,
                        (Node::False, _) => false,
                        (Node::Atom(atom), _) => on_edge(formula.node(*atom), edge),
                        (Node::Not(_), [a]) => !values[*a],
                        (Node::And(_), parts) => parts.iter().all(|part| values[*part]),
                        (Node::Or(_), parts) => parts.iter().any(|part| values[*part]),
                        (Node::Xor(..), [a, b]) => values[*a] != values[*b],
                        (Node::Iff(..), [a, b]) => values[*a] == values[*b],
                        (Node::Implies(..), [a, b]) => !values[*a] || values[*b],
                        _ => {
                            let place =
                                guessed.iter().position(|known| *known == at).expect("temporal terms are guessed");
                            guess >> place & 1 == 1
                        }
                    };
                    values.push(value);
                }
                truth.push(values);
            }
        }
        let edges = 0..machine.edges.len();
        let mut constraint = |node: NodeId| -> Vec<bool> {
            edges.clone().flat_map(|edge| std::iter::repeat_n(on_edge(node, edge), guesses)).collect()
        };
        let mut justice: Vec<Vec<bool>> = model.justice.iter().map(|node| constraint(*node)).collect();
        let compassion = model.compassion.iter().map(|(p, q)| (constraint(*p), constraint(*q))).collect();
        let promises = (0..terms.len()).filter_map(|at| promise(&terms, at, &truth));
        justice.extend(promises);
        let first = (0..=machine.states.len()).map(|s| machine.edges.partition_point(|edge| edge.from < s)).collect();
        Product { machine, terms, guesses, truth, justice, compassion, first }
    }

    /// The nodes in which a path may begin that makes the formula false.
    fn starts(&self, root: usize) -> Vec<usize> {
        let begins = |node: &usize| {
            let values = &self.truth[*node];
            let starts = self.machine.initial.contains(&self.machine.edges[node / self.guesses].from);
            starts
                && !values[root]
                && self.terms.iter().enumerate().all(|(at, term)| match (&term.operator, term.operands.as_slice()) {
                    (Node::Previously(_), _) => !values[at],
                    (Node::WeakPreviously(_), _) => values[at],
                    (Node::Once(_) | Node::Historically(_), [a]) => values[at] == values[*a],
                    (Node::Since(..) | Node::Triggered(..), [_, b]) => values[at] == values[*b],
                    _ => true,
                })
        };
        (0..self.truth.len()).filter(begins).collect()
    }

    fn successors(&self, node: usize) -> impl Iterator<Item = usize> {
        let to = self.machine.edges[node / self.guesses].to;
        let nodes = self.first[to] * self.guesses..self.first[to + 1] * self.guesses;
        nodes.filter(move |next| self.agree(&self.truth[node], &self.truth[*next]))
    }

    /// Whether the truths of all terms at one position and at the next satisfy the laws of the operators.
    fn agree(&self, now: &[bool], next: &[bool]) -> bool {
        self.terms.iter().enumerate().all(|(at, term)| match (&term.operator, term.operands.as_slice()) {
            (Node::Next(_), [a]) => now[at] == next[*a],
            (Node::Eventually(_), [a]) => now[at] == (now[*a] || next[at]),
            (Node::Always(_), [a]) => now[at] == (now[*a] && next[at]),
            (Node::Previously(_) | Node::WeakPreviously(_), [a]) => next[at] == now[*a],
            (Node::Once(_), [a]) => next[at] == (next[*a] || now[at]),
            (Node::Historically(_), [a]) => next[at] == (next[*a] && now[at]),
            (Node::Until(..) | Node::WeakUntil(..), [a, b]) => now[at] == (now[*b] || now[*a] && next[at]),
            (Node::Release(..) | Node::StrongRelease(..), [a, b]) => now[at] == (now[*b] && (now[*a] || next[at])),
            (Node::Since(..), [a, b]) => next[at] == (next[*b] || next[*a] && now[at]),
            (Node::Triggered(..), [a, b]) => next[at] == (next[*b] && (next[*a] || now[at])),
            _ => true,
        })
    }

    fn reachable(&self, starts: Vec<usize>) -> Vec<bool> {
        let mut reached = vec![false; self.truth.len()];
        let mut pending = starts;
        while let Some(node) = pending.pop() {
            if !std::mem::replace(&mut reached[node], true) {
                pending.extend(self.successors(node).filter(|next| !reached[*next]));
            }
        }
        reached
    }

    /// Whether some cycle inside a set of nodes is fair.
    fn has_fair_cycle(&mut self, inside: Vec<bool>) -> bool {
        let mut pending = vec![inside];
        while let Some(inside) = pending.pop() {
            for part in self.components(&inside) {
                if part.len() == 1 && !self.successors(part[0]).any(|next| next == part[0]) {
                    continue;
                }
                let meets = |set: &Vec<bool>| part.iter().any(|node| set[*node]);
                if !self.justice.iter().all(meets) {
                    continue;
                }
                let broken: Vec<&Vec<bool>> =
                    self.compassion.iter().filter(|(p, q)| meets(p) && !meets(q)).map(|(p, _)| p).collect();
                if broken.is_empty() {
                    return true;
                }
                let mut smaller = vec![false; self.truth.len()];
                for node in part {
                    smaller[node] = !broken.iter().any(|set| set[node]);
                }
                pending.push(smaller);
            }
        }
        false
    }

    /// The strongly connected parts of a set of nodes, by Tarjan's algorithm with an explicit stack.
    fn components(&self, inside: &[bool]) -> Vec<Vec<usize>> {
        let mut number = vec![usize::MAX; inside.len()];
        let mut lowest = number.clone();
        let mut on_stack = vec![false; inside.len()];
        let (mut stack, mut found, mut count) = (Vec::new(), Vec::new(), 0);
        for root in (0..inside.len()).filter(|node| inside[*node]) {
            if number[root] != usize::MAX {
                continue;
            }
            let mut calls: Vec<(usize, Vec<usize>)> = Vec::new();
            let mut entering = Some(root);
            loop {
                if let Some(node) = entering.take() {
                    (number[node], lowest[node]) = (count, count);
                    count += 1;
                    stack.push(node);
                    on_stack[node] = true;
                    calls.push((node, self.successors(node).filter(|next| inside[*next]).collect()));
                }
                let Some((node, rest)) = calls.last_mut() else { break };
                let node = *node;
                if let Some(next) = rest.pop() {
                    if number[next] == usize::MAX {
                        entering = Some(next);
                    } else if on_stack[next] {
                        lowest[node] = lowest[node].min(number[next]);
                    }
                    continue;
                }
                calls.pop();
                if let Some((caller, _)) = calls.last() {
                    lowest[*caller] = lowest[*caller].min(lowest[node]);
                }
                if lowest[node] == number[node] {
                    let start = stack.iter().rposition(|other| *other == node).expect("on the stack");
                    let part = stack.split_off(start);
                    part.iter().for_each(|node| on_stack[*node] = false);
                    found.push(part);
                }
            }
        }
        found
    }
}

/// Where a term makes no promise that is still open; none if it never makes one.
fn promise(terms: &[Term], at: usize, truth: &[Vec<bool>]) -> Option<Vec<bool>> {
    let met = |test: &dyn Fn(&[bool]) -> bool| Some(truth.iter().map(|values| test(values)).collect());
    match (&terms[at].operator, terms[at].operands.as_slice()) {
        (Node::Eventually(_), [a]) => met(&|v| !v[at] || v[*a]),
        (Node::Always(_), [a]) => met(&|v| v[at] || !v[*a]),
        (Node::Until(..), [_, b]) => met(&|v| !v[at] || v[*b]),
        (Node::StrongRelease(..), [a, b]) => met(&|v| !v[at] || v[*a] && v[*b]),
        (Node::WeakUntil(..), [a, b]) => met(&|v| v[at] || !v[*a] && !v[*b]),
        (Node::Release(..), [_, b]) => met(&|v| v[at] || !v[*b]),
        _ => None,
    }
}
