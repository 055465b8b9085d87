//! Formula to Büchi automaton by the tableau of Gerth, Peled, Vardi and Wolper: the reference construction.
//!
//! What: [`translate`] gives a state-based Büchi automaton with the models of any formula; [`translate_generalized`]
//! stops before the acceptance sets become one, and writes the nodes of the tableau on edges: its states are what nodes
//! leave to the next position.
//!
//! Source: [gerth.95.pstv], followed closely and without any of the optimisations that came after it: this file is
//! plain on purpose, so that it can judge the others. `F`, `G`, `W` and `M` are read as the untils and releases they
//! abbreviate. Deviations: the recursion of the paper is a stack of nodes to expand; nodes that are done are found by a
//! table instead of a search; nodes with the same next formulas have the same successors, which are expanded once; the
//! letter a node asks for stands on the edges into it, as automata here read letters on edges; acceptance, a property of
//! nodes, stands on the edges out of them.
//!
//! How: a node holds formulas that are *new* (still to be looked at), *old* (true here) and *next* (true from the next
//! position on). Expanding takes a new formula apart, splitting the node where there is a choice:
//!
//! ```text
//! a & b    new a, b                        X a      next a
//! a | b    new a           or new b
//! a U b    new a, next a U b  or new b
//! a R b    new b, next a R b  or new a, b
//! ```
//!
//! A node without new formulas is a state, unless one with the same old and next formulas exists; its successors are
//! the expansions of a node whose new formulas are its next ones. For each `a U b` there is an acceptance set: the
//! states where it is not old, or b is.
//!
//! Contract: exponential in the formula at worst; beyond `limit` states, fifty times as many edges or a thousand times as
//! many expansions, it gives up.
//! Deterministic. The result may have useless states.
//!
//! Tested by: [`crate::semantics`] on random words (`tests/reference.rs`).

use super::past;
use crate::automaton::{Automaton, MAX_SETS, Marks, State};
use crate::formula::{Formula, Formulas, Node};
use crate::limit::{Incomplete, TooLarge};
use crate::propositions::Propositions;
use crate::rewrite::Nnf;
use crate::table::{HashMap, HashSet};
use bdd::{Bdd, MAX_VARIABLES, Manager, Variable};
use kernel::budget::{Budget, Exhausted};
use std::collections::{BTreeMap, BTreeSet};

/// Translates a formula into a state-based Büchi automaton.
///
/// ```
/// use kernel::budget::Budget;
/// use omega::automaton::acceptance::accepts;
/// use omega::formula::Formulas;
/// use omega::parse::{Syntax, parse};
/// use omega::translate::gpvw::translate;
/// use omega::word::Word;
///
/// let mut formulas = Formulas::new();
/// let formula = parse(&mut formulas, "G(a -> Fb)", Syntax::Spot).unwrap();
/// let automaton = translate(&mut formulas, formula, 1_000, &Budget::unlimited()).unwrap();
/// assert!(accepts(&automaton, &Word::parse("a; cycle{a; b}").unwrap()));
/// assert!(!accepts(&automaton, &Word::parse("b; cycle{a}").unwrap()));
/// ```
///
/// # Errors
///
/// Where the automaton would have more than `limit` nodes before it is degeneralised, or the formula has more atoms
/// than labels can have, or more untils than there can be acceptance sets, or the budget is exhausted.
pub fn translate(
    formulas: &mut Formulas,
    formula: Formula,
    limit: usize,
    budget: &Budget,
) -> Result<Automaton, Incomplete> {
    past::translate(formulas, formula, limit, budget, |formulas, future| {
        let tableau = Tableau::build(formulas, future, limit, budget)?;
        super::check_edges(tableau.successors().map(|(_, successors)| successors.len()).sum(), limit)?;
        let manager = Manager::new();
        manager.within(budget, || Ok(tableau.with_counter(&manager, budget)?))
    })
}

/// Translates a formula into a generalised Büchi automaton with an acceptance set for each until.
///
/// # Errors
///
/// As [`translate`].
pub fn translate_generalized(
    formulas: &mut Formulas,
    formula: Formula,
    limit: usize,
    budget: &Budget,
) -> Result<Automaton, Incomplete> {
    past::translate(formulas, formula, limit, budget, |formulas, future| {
        let tableau = Tableau::build(formulas, future, limit, budget)?;
        let manager = Manager::new();
        manager.within(budget, || Ok(tableau.with_sets(&manager, budget)?))
    })
}

type Set = BTreeSet<Formula>;

/// A node that is being expanded.
#[derive(Clone)]
struct Pending {
    /// The group of successors it belongs to.
    group: usize,
    new: Set,
    old: Set,
    next: Set,
}

/// The finished tableau.
struct Tableau {
    atoms: Propositions,
    /// For each state the literals it asks for, as variable and value.
    literals: Vec<Vec<(Variable, bool)>>,
    /// Groups of successors, in the order in which they were found; the first is that of the beginning.
    groups: Vec<Vec<usize>>,
    /// The group of each state.
    group: Vec<usize>,
    /// For each acceptance set whether each state belongs to it.
    sets: Vec<Vec<bool>>,
}

impl Tableau {
    fn build(formulas: &mut Formulas, formula: Formula, limit: usize, budget: &Budget) -> Result<Tableau, Incomplete> {
        let root = Nnf::new().of(formulas, formula);
        let atoms = formulas.atoms(root);
        if atoms.len() > MAX_VARIABLES as usize {
            return Err(TooLarge::Variables.into());
        }
        let states = expand(formulas, root, limit, budget)?;
        let untils: Vec<(Formula, Formula)> = formulas
            .subformulas(root)
            .into_iter()
            .filter_map(|part| match core(formulas, part) {
                Core::Until(_, b) => Some((part, b)),
                _ => None,
            })
            .collect();
        if untils.len() > MAX_SETS as usize {
            return Err(TooLarge::Sets.into());
        }
        let variable = |atom| Variable(atoms.binary_search(&atom).expect("an atom of the formula") as u32);
        let literal = |part: &Formula| match *formulas.node(*part) {
            Node::Atom(atom) => Some((variable(atom), true)),
            Node::Not(a) => match *formulas.node(a) {
                Node::Atom(atom) => Some((variable(atom), false)),
                _ => None,
            },
            _ => None,
        };
        let belongs = |(until, b): &(Formula, Formula), old: &Set| !old.contains(until) || old.contains(b);
        Ok(Tableau {
            atoms: Propositions::of(formulas, atoms.iter().copied()),
            literals: states.old.iter().map(|old| old.iter().filter_map(literal).collect()).collect(),
            sets: untils.iter().map(|until| states.old.iter().map(|old| belongs(until, old)).collect()).collect(),
            groups: states.groups,
            group: states.group,
        })
    }

    /// What a letter must satisfy to enter each state.
    fn labels(&self, automaton: &Automaton) -> Vec<Bdd> {
        let manager = automaton.manager();
        let literal = |(atom, value): &(Variable, bool)| manager.literal(*atom, *value);
        self.literals.iter().map(|list| manager.conjunction(&list.iter().map(literal).collect::<Vec<_>>())).collect()
    }

    /// The successors of each state.
    fn successors(&self) -> impl Iterator<Item = (usize, &Vec<usize>)> {
        self.group.iter().map(|&group| &self.groups[group]).enumerate()
    }

    /// A state for each group of successors: the formulas that must hold from here on. The states of the tableau become its edges, with
    /// their letters and their acceptance sets.
    fn with_sets(&self, manager: &Manager, budget: &Budget) -> Result<Automaton, Exhausted> {
        let mut automaton = Automaton::in_manager(manager, self.atoms.clone(), self.sets.len() as u32);
        automaton.add_states(self.groups.len());
        let labels = self.labels(&automaton);
        for (group, targets) in self.groups.iter().enumerate() {
            let mut edges: BTreeMap<(usize, Marks), Bdd> = BTreeMap::new();
            for &target in targets {
                budget.check()?;
                let marks = (0..self.sets.len()).filter(|&set| self.sets[set][target]).map(|set| set as u32).collect();
                let label = edges.entry((self.group[target], marks)).or_insert_with(|| automaton.manager().no());
                *label = &*label | &labels[target];
            }
            for ((target, marks), label) in &edges {
                automaton.add_edge(group as State, *target as State, label, *marks);
            }
        }
        Ok(automaton)
    }

    /// A copy of the states for each acceptance set; a copy is left when its set is met. Meeting the first is accepting.
    fn with_counter(&self, manager: &Manager, budget: &Budget) -> Result<Automaton, Exhausted> {
        let count = self.sets.len().max(1);
        let met = |state: usize, set: usize| self.sets.get(set).is_none_or(|members| members[state]);
        let place = |state: usize, set: usize| (1 + state * count + set) as State;
        let mut automaton = Automaton::in_manager(manager, self.atoms.clone(), 1);
        automaton.add_states(1 + self.group.len() * count);
        let labels = self.labels(&automaton);
        for target in &self.groups[0] {
            automaton.add_edge(0, place(*target, 0), &labels[*target], Marks::NONE);
        }
        for (state, targets) in self.successors() {
            for set in 0..count {
                let next_set = if met(state, set) { (set + 1) % count } else { set };
                let marks = if set == 0 && met(state, 0) { Marks::one(0) } else { Marks::NONE };
                for target in targets {
                    budget.check()?;
                    automaton.add_edge(place(state, set), place(*target, next_set), &labels[*target], marks);
                }
            }
        }
        Ok(automaton.reachable())
    }
}

/// The states of a tableau.
#[derive(Default)]
struct States {
    old: Vec<Set>,
    group: Vec<usize>,
    groups: Vec<Vec<usize>>,
}

fn expand(formulas: &mut Formulas, root: Formula, limit: usize, budget: &Budget) -> Result<States, Incomplete> {
    let mut states = States::default();
    let mut known: HashMap<(Set, Set), usize> = HashMap::default();
    let mut numbers: HashMap<Set, usize> = HashMap::from_iter([(Set::from([root]), 0)]);
    let mut connected: HashSet<(usize, usize)> = HashSet::default();
    states.groups.push(Vec::new());
    let mut stack = vec![Pending { group: 0, new: Set::from([root]), old: Set::new(), next: Set::new() }];
    let mut expansions = 0;
    while let Some(mut node) = stack.pop() {
        expansions += 1;
        budget.check()?;
        if states.old.len() > limit || expansions > limit.saturating_mul(1000) {
            return Err(TooLarge::States(limit).into());
        }
        let Some(formula) = node.new.pop_first() else {
            let key = (node.old.clone(), node.next.clone());
            let state = *known.entry(key).or_insert_with(|| {
                let fresh = states.groups.len();
                let group = *numbers.entry(node.next.clone()).or_insert(fresh);
                if group == fresh {
                    states.groups.push(Vec::new());
                    stack.push(Pending { group, new: node.next, old: Set::new(), next: Set::new() });
                }
                states.old.push(node.old);
                states.group.push(group);
                states.old.len() - 1
            });
            if connected.insert((node.group, state)) {
                states.groups[node.group].push(state);
            }
            continue;
        };
        split(formulas, node, formula, &mut stack);
    }
    Ok(states)
}

/// Takes one new formula of a node apart; what comes of the node goes to the stack.
fn split(formulas: &mut Formulas, node: Pending, formula: Formula, stack: &mut Vec<Pending>) {
    let mut push = |now: &[Formula], next: &[Formula]| {
        let mut node = node.clone();
        node.old.insert(formula);
        node.new.extend(now.iter().copied().filter(|part| !node.old.contains(part)));
        node.next.extend(next.iter().copied());
        stack.push(node);
    };
    match core(formulas, formula) {
        Core::True => push(&[], &[]),
        Core::False => {}
        Core::Literal => {
            let opposite = formulas.not(formula);
            if !node.old.contains(&opposite) {
                push(&[], &[]);
            }
        }
        Core::And(members) => push(&members, &[]),
        Core::Or(members) => members.iter().for_each(|member| push(&[*member], &[])),
        Core::Next(a) => push(&[], &[a]),
        Core::Until(a, b) => {
            push(&[b], &[]);
            push(&[a], &[formula]);
        }
        Core::Release(a, b) => {
            push(&[a, b], &[]);
            push(&[b], &[formula]);
        }
    }
}

/// A formula in negation normal form by the operators of the paper.
enum Core {
    True,
    False,
    Literal,
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Next(Formula),
    Until(Formula, Formula),
    Release(Formula, Formula),
}

fn core(formulas: &mut Formulas, formula: Formula) -> Core {
    match formulas.node(formula).clone() {
        Node::True => Core::True,
        Node::False => Core::False,
        Node::Atom(_) | Node::Not(_) => Core::Literal,
        Node::And(members) => Core::And(members.to_vec()),
        Node::Or(members) => Core::Or(members.to_vec()),
        Node::Next(a) => Core::Next(a),
        Node::Eventually(a) => Core::Until(Formula::TRUE, a),
        Node::Always(a) => Core::Release(Formula::FALSE, a),
        Node::Until(a, b) => Core::Until(a, b),
        Node::Release(a, b) => Core::Release(a, b),
        Node::WeakUntil(a, b) => Core::Release(b, formulas.or([a, b])),
        Node::StrongRelease(a, b) => Core::Until(b, formulas.and([a, b])),
        Node::Xor(..) | Node::Implies(..) | Node::Iff(..) => unreachable!("the formula is in negation normal form"),
        Node::Previously(_)
        | Node::WeakPreviously(_)
        | Node::Once(_)
        | Node::Historically(_)
        | Node::Since(..)
        | Node::Triggered(..) => unreachable!("past operators have been replaced"),
    }
}
