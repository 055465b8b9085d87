//! Finite automata for formulas whose truth a finite prefix shows.
//!
//! What: for a formula in negation normal form whose temporal operators are `X F U M` only (the negation of a syntactic
//! safety formula), [`Prefixes::of`] builds a nondeterministic automaton on *finite* words that accepts a prefix if it leaves
//! nothing to be fulfilled. Every infinite word that satisfies the formula has such a prefix, and every word with such a
//! prefix satisfies it, so that plain reachability decides what needs accepting cycles elsewhere.
//!
//! Contract: none if the formula has another operator or the automaton more than [`PREFIX_STATES`] states or too many edges.
//! Shares no code with the constructions of `omega`, whose results it judges.
//!
//! How: a state is the set of formulas that must hold from here on; what they ask of one letter is multiplied out.
//!
//! Source: [kupferman.01.fmsd] (informative prefixes), proposed for testing in the conclusion of [tauriainen.00.spin].
//! Tested by: the constructions, which the check `prefix` compares with it (`tests/agreement.rs`).

use crate::thresholds::compare::PREFIX_EDGES;
pub use crate::thresholds::compare::PREFIX_STATES;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use omega::formula::{AtomId, Formula, Formulas, Node};

use crate::bits::{Bits, meet};
use crate::structure::Structure;

/// A conjunction of literals.
type Cube = BTreeMap<AtomId, bool>;

/// Formulas that must hold.
type Obligations = BTreeSet<Formula>;

/// An automaton on finite words.
#[derive(Clone, Debug)]
pub struct Prefixes {
    /// The edges of each state: the literals that the letter must satisfy, and the target.
    edges: Vec<Vec<(Cube, usize)>>,
    /// The state in which nothing is left to be fulfilled, if it can be reached.
    accepting: Option<usize>,
}

impl Prefixes {
    /// The automaton of a formula in negation normal form.
    #[must_use]
    pub fn of(formulas: &Formulas, formula: Formula) -> Option<Self> {
        let mut number: HashMap<Obligations, usize> = HashMap::new();
        let mut states = vec![Obligations::from([formula])];
        number.insert(states[0].clone(), 0);
        let mut edges = Vec::new();
        while edges.len() < states.len() {
            let mut list = Vec::new();
            for (cube, next) in ways(formulas, &states[edges.len()])? {
                let target = *number.entry(next.clone()).or_insert_with(|| {
                    states.push(next);
                    states.len() - 1
                });
                list.push((cube, target));
            }
            edges.push(list);
            if states.len() > PREFIX_STATES {
                return None;
            }
        }
        Some(Prefixes { edges, accepting: number.get(&Obligations::new()).copied() })
    }

    /// The states of the structure that begin a behaviour with an accepted prefix.
    #[must_use]
    pub fn accepted(&self, formulas: &Formulas, structure: &Structure) -> Bits {
        self.reaching(formulas, structure).swap_remove(0)
    }

    /// A lasso from a state of the structure with an accepted prefix, if there is one.
    #[must_use]
    pub fn lasso(&self, formulas: &Formulas, structure: &Structure, start: usize) -> Option<(Vec<usize>, Vec<usize>)> {
        let accepting = self.accepting?;
        let mut reached_from: HashMap<(usize, usize), Option<(usize, usize)>> = HashMap::from([((start, 0), None)]);
        let mut pending = VecDeque::from([(start, 0)]);
        while let Some(pair @ (state, at)) = pending.pop_front() {
            if at == accepting {
                let mut stem = Vec::new();
                let mut before = reached_from[&pair];
                while let Some(pair) = before {
                    stem.push(pair.0);
                    before = reached_from[&pair];
                }
                stem.reverse();
                let (rest, cycle) = structure.some_lasso(state);
                stem.extend(rest);
                return Some((stem, cycle));
            }
            for (_, target) in self.edges[at].iter().filter(|(cube, _)| permits(formulas, structure, cube, state)) {
                for next in structure.successors(state).iter() {
                    if let Entry::Vacant(place) = reached_from.entry((next, *target)) {
                        place.insert(Some(pair));
                        pending.push_back((next, *target));
                    }
                }
            }
        }
        None
    }

    /// For each state of the automaton the states of the structure from which acceptance can be reached: backwards.
    fn reaching(&self, formulas: &Formulas, structure: &Structure) -> Vec<Bits> {
        let size = structure.size();
        let mut reaching = vec![Bits::none(size); self.edges.len()];
        let Some(accepting) = self.accepting else { return reaching };
        reaching[accepting] = Bits::all(size);
        loop {
            let mut changed = false;
            for state in 0..self.edges.len() {
                for (cube, target) in &self.edges[state] {
                    let mut before = predecessors(structure, &reaching[*target]);
                    for (atom, value) in cube {
                        let extent = structure.extent(formulas.atom_name(*atom)).cloned();
                        let extent = extent.unwrap_or_else(|| Bits::none(size));
                        before.intersect_with(&if *value { extent } else { extent.complement() });
                    }
                    let count = reaching[state].count();
                    reaching[state].unite_with(&before);
                    changed |= reaching[state].count() > count;
                }
            }
            if !changed {
                return reaching;
            }
        }
    }
}

/// Whether the propositions of a state are as a cube says.
fn permits(formulas: &Formulas, structure: &Structure, cube: &Cube, state: usize) -> bool {
    cube.iter().all(|(atom, value)| {
        let extent = structure.extent(formulas.atom_name(*atom));
        extent.is_some_and(|extent| extent.contains(state)) == *value
    })
}

/// The states with a successor in the set.
fn predecessors(structure: &Structure, set: &Bits) -> Bits {
    let leads_there = |state: &usize| meet(structure.successors(*state).words(), set.words());
    Bits::of(structure.size(), (0..structure.size()).filter(leads_there))
}

/// All alternatives that satisfy the obligations: literals for this letter, and obligations for the next.
fn ways(formulas: &Formulas, obligations: &Obligations) -> Option<Vec<(Cube, Obligations)>> {
    let mut done: BTreeSet<(Vec<(AtomId, bool)>, Obligations)> = BTreeSet::new();
    let mut pending = vec![(obligations.iter().copied().collect::<Vec<_>>(), Cube::new(), Obligations::new())];
    while let Some((mut now, cube, next)) = pending.pop() {
        let Some(formula) = now.pop() else {
            done.insert((cube.into_iter().collect(), next));
            continue;
        };
        if pending.len() + done.len() > PREFIX_EDGES {
            return None;
        }
        for choice in choices(formulas, formula)? {
            let (mut now, mut cube, mut next) = (now.clone(), cube.clone(), next.clone());
            now.extend(choice.now);
            next.extend(choice.next);
            let fits = choice.literal.is_none_or(|(atom, value)| *cube.entry(atom).or_insert(value) == value);
            if fits {
                pending.push((now, cube, next));
            }
        }
    }
    Some(done.into_iter().map(|(cube, next)| (cube.into_iter().collect(), next)).collect())
}

/// One alternative that satisfies an obligation.
#[derive(Default)]
struct Choice {
    literal: Option<(AtomId, bool)>,
    now: Vec<Formula>,
    next: Option<Formula>,
}

/// The alternatives that satisfy one obligation, by its outermost operator; `None` if the operator is not supported.
fn choices(formulas: &Formulas, formula: Formula) -> Option<Vec<Choice>> {
    let now = |list: &[Formula]| Choice { now: list.to_vec(), ..Choice::default() };
    let later = |list: &[Formula], next: Formula| Choice { now: list.to_vec(), next: Some(next), literal: None };
    let literal = |atom: AtomId, value: bool| vec![Choice { literal: Some((atom, value)), ..Choice::default() }];
    Some(match *formulas.node(formula) {
        Node::True => vec![now(&[])],
        Node::False => Vec::new(),
        Node::Atom(atom) => literal(atom, true),
        Node::Not(a) => match *formulas.node(a) {
            Node::Atom(atom) => literal(atom, false),
            _ => return None,
        },
        Node::And(ref members) => vec![now(members)],
        Node::Or(ref members) => members.iter().map(|member| now(&[*member])).collect(),
        Node::Next(a) => vec![later(&[], a)],
        Node::Eventually(a) => vec![now(&[a]), later(&[], formula)],
        Node::Until(a, b) => vec![now(&[b]), later(&[a], formula)],
        Node::StrongRelease(a, b) => vec![now(&[a, b]), later(&[b], formula)],
        _ => return None,
    })
}
