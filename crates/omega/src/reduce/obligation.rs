//! Obligation properties: the smallest deterministic automaton, if there is a weak one at all.
//!
//! What: a property is an obligation if some *weak* deterministic Büchi automaton recognises it: one in which no
//! component mixes accepting and rejecting cycles. [`obligation`] finds out, given automata for the property and for its
//! complement, and gives the automaton with the fewest states among all weak deterministic ones, which is unique.
//!
//! How, after [dax.07.atva]: if there is one, then the subset automaton with some choice of accepting components is one.
//! Take any cycle of each component and ask whether the property accepts the word that repeats it; this fixes the choice,
//! and the result is compared with the property. It is then minimised as [loding.01.ipl] shows: states on no cycle get
//! the acceptance that makes the automaton *normal*, after which it is minimised as if it read finite words.
//!
//! Contract: state-based acceptance, one set; without the rejecting sink, so not always complete. None if the property
//! is no obligation or the subset automaton has more than `limit` states.
//!
//! Tested by: the semantics of random formulas, and minimality against all smaller merges (`tests/reduce.rs`).

use crate::table::HashMap;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bdd::{Bdd, Variable};
use kernel::budget::{Budget, Exhausted};

use super::disjoint::disjoint;
use super::powerset::{Powerset, powerset};
use super::prune::prune;
use crate::automaton::emptiness;
use crate::automaton::scc::{Component, Components};
use crate::automaton::{Automaton, Marks, State};

/// The minimal weak deterministic automaton for the language of `automaton`, whose complement `negation` recognises.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn obligation(
    automaton: &Automaton,
    negation: &Automaton,
    limit: usize,
    budget: &Budget,
) -> Result<Option<Automaton>, Exhausted> {
    automaton.manager().within(budget, || minimal_weak(automaton, negation, limit, budget))
}

fn minimal_weak(
    automaton: &Automaton,
    negation: &Automaton,
    limit: usize,
    budget: &Budget,
) -> Result<Option<Automaton>, Exhausted> {
    let Some(subsets) = powerset(automaton, limit, budget)? else { return Ok(None) };
    let components = Components::of(&subsets.automaton);
    let mut accepting = Vec::new();
    for number in 0..components.list().len() as u32 {
        accepting.push(repeats_an_accepted_word(automaton, &subsets, &components, number, budget)?);
    }
    let minimal = minimal(&subsets.automaton, &components, &accepting, budget)?;
    let is_same =
        disjoint(&marked(&minimal, true), negation, budget)? && disjoint(&marked(&minimal, false), automaton, budget)?;
    Ok(is_same.then(|| prune(marked(&minimal, true))))
}

/// As [`obligation`], without an automaton for the complement, where the form of the automaton shows that the property is an
/// obligation: a deterministic weak automaton, one all cycles of which are accepting (safety), or one that is accepting
/// once it reaches a state that accepts everything (guarantee). None for all others.
///
/// Expects marks as [`super::marking::saturate`] leaves them; without, it finds fewer.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn evident_obligation(
    automaton: &Automaton,
    limit: usize,
    budget: &Budget,
) -> Result<Option<Automaton>, Exhausted> {
    automaton.manager().within(budget, || {
        let Some(accepting) = evident_acceptance(automaton) else { return Ok(None) };
        let Some(subsets) = powerset(automaton, limit, budget)? else { return Ok(None) };
        let components = Components::of(&subsets.automaton);
        let is_accepting = |component: &Component| {
            let set = &subsets.sets[component.states[0] as usize];
            !component.trivial && set.iter().any(|&state| accepting[state as usize])
        };
        let accepting: Vec<bool> = components.list().iter().map(is_accepting).collect();
        let minimal = minimal(&subsets.automaton, &components, &accepting, budget)?;
        Ok(Some(prune(marked(&minimal, true))))
    })
}

/// Which states make a cycle of sets that contain one of them accepting, where the form of the automaton shows it.
fn evident_acceptance(automaton: &Automaton) -> Option<Vec<bool>> {
    let components = Components::of(automaton);
    let is_accepting = |state: State| components.number(state).is_some_and(|number| components.is_accepting(number));
    let mut is_safety = true;
    for (source, edge) in automaton.all_edges().filter(|(source, edge)| components.is_inner(*source, edge)) {
        if is_accepting(source) && !edge.marks.includes(automaton.all_marks()) {
            return None;
        }
        is_safety &= is_accepting(source);
    }
    if is_safety {
        return Some(vec![true; automaton.state_count()]);
    }
    let accepts_all =
        |state: State| automaton.edges(state).iter().any(|edge| edge.target == state && edge.label.is_true());
    let is_guarantee = || automaton.states().filter(|&state| is_accepting(state)).all(accepts_all);
    (is_guarantee() || automaton.is_deterministic()).then(|| automaton.states().map(is_accepting).collect())
}

/// The smallest weak automaton, given which components of a deterministic complete graph are accepting.
fn minimal(graph: &Automaton, components: &Components, accepting: &[bool], budget: &Budget) -> Result<Weak, Exhausted> {
    minimize(graph, &normal_acceptance(graph, components, accepting), budget)
}

/// A deterministic graph and which of its states are accepting.
struct Weak {
    graph: Automaton,
    accepting: Vec<bool>,
}

/// The automaton that accepts what stays in accepting states, or in the others.
fn marked(weak: &Weak, accepting: bool) -> Automaton {
    let mut automaton = weak.graph.clone();
    automaton.set_sets(1);
    for state in weak.graph.states() {
        let marks = if weak.accepting[state as usize] == accepting { Marks::one(0) } else { Marks::NONE };
        automaton.edges_mut(state).iter_mut().for_each(|edge| edge.marks = marks);
    }
    automaton
}

/// Whether the automaton accepts the word of some cycle of the component, from the set of states the cycle starts in.
fn repeats_an_accepted_word(
    automaton: &Automaton,
    subsets: &Powerset,
    components: &Components,
    number: u32,
    budget: &Budget,
) -> Result<bool, Exhausted> {
    let component = &components.list()[number as usize];
    if component.trivial {
        return Ok(false);
    }
    let cycle = shortest_cycle(&subsets.automaton, components, component.states[0]);
    // The pairs of a state and a position on the cycle, and one vertex in front of them.
    let mut graph = Automaton::new(Vec::<String>::new(), automaton.sets());
    graph.add_states(automaton.state_count() * cycle.len() + 1);
    let (front, any) = ((automaton.state_count() * cycle.len()) as State, graph.manager().yes());
    graph.set_initial(front);
    for &state in &subsets.sets[component.states[0] as usize] {
        graph.add_edge(front, (state as usize * cycle.len()) as State, &any, Marks::NONE);
    }
    for (source, edge) in automaton.all_edges() {
        budget.check()?;
        for (position, letter) in cycle.iter().enumerate().filter(|(_, letter)| edge.label.intersects(letter)) {
            debug_assert!(letter.implies(&edge.label), "one letter at each position");
            let target = edge.target as usize * cycle.len() + (position + 1) % cycle.len();
            graph.add_edge((source as usize * cycle.len() + position) as State, target as State, &any, edge.marks);
        }
    }
    Ok(!emptiness::is_empty_within(&graph, budget)?)
}

/// The letters of a shortest cycle through a state, one full valuation each.
fn shortest_cycle(graph: &Automaton, components: &Components, start: State) -> Vec<Bdd> {
    let mut reached: HashMap<State, (State, Bdd)> = HashMap::default();
    let mut pending = VecDeque::from([start]);
    'search: while let Some(state) = pending.pop_front() {
        for edge in graph.edges(state).iter().filter(|edge| components.is_inner(state, edge)) {
            reached.entry(edge.target).or_insert_with(|| {
                pending.push_back(edge.target);
                (state, one_letter(graph, &edge.label))
            });
            if edge.target == start {
                break 'search;
            }
        }
    }
    let mut letters = Vec::new();
    let mut at = start;
    loop {
        let (from, letter) = &reached[&at];
        letters.push(letter.clone());
        at = *from;
        if at == start {
            break;
        }
    }
    letters.reverse();
    letters
}

/// One valuation of all atoms that the label allows; atoms it leaves open are false.
fn one_letter(graph: &Automaton, label: &Bdd) -> Bdd {
    let cube = label.one_cube().expect("labels are satisfiable");
    let literal = |atom: u32| graph.manager().literal(Variable(atom), cube.value(Variable(atom)) == Some(true));
    let literals: Vec<Bdd> = (0..graph.atoms().len() as u32).map(literal).collect();
    graph.manager().conjunction(&literals)
}

/// Which states are accepting in the normal form. Components get colours from the bottom up, as small as the parity of
/// each (even accepts) and the colours below it allow; states on no cycle take the largest colour below them.
fn normal_acceptance(graph: &Automaton, components: &Components, accepting: &[bool]) -> Vec<bool> {
    let mut colours: Vec<u32> = Vec::new();
    for (number, component) in components.list().iter().enumerate() {
        let targets = component.states.iter().flat_map(|&state| graph.edges(state)).map(|edge| edge.target);
        let below = targets.filter_map(|target| components.number(target)).filter(|&other| other as usize != number);
        let below = below.map(|other| colours[other as usize]).max();
        let wanted = u32::from(!accepting[number]);
        colours.push(match below {
            None => wanted,
            Some(below) if component.trivial => below,
            Some(below) => below + u32::from(below % 2 != wanted),
        });
    }
    graph
        .states()
        .map(|state| colours[components.number(state).expect("reachable") as usize].is_multiple_of(2))
        .collect()
}

/// Merges states of a deterministic complete graph that no finite word tells apart.
fn minimize(graph: &Automaton, accepting: &[bool], budget: &Budget) -> Result<Weak, Exhausted> {
    let mut class: Vec<u32> = accepting.iter().map(|&accepting| u32::from(accepting)).collect();
    let mut count = class.iter().collect::<BTreeSet<_>>().len();
    loop {
        let mut numbers: HashMap<(u32, Vec<(u32, Bdd)>), u32> = HashMap::default();
        let signature = |state: State| {
            let mut targets: BTreeMap<u32, Bdd> = BTreeMap::new();
            for edge in graph.edges(state) {
                let entry = targets.entry(class[edge.target as usize]);
                entry.and_modify(|known| *known = &*known | &edge.label).or_insert_with(|| edge.label.clone());
            }
            (class[state as usize], targets.into_iter().collect::<Vec<_>>())
        };
        let mut refined: Vec<u32> = Vec::with_capacity(graph.state_count());
        for state in graph.states() {
            budget.check()?;
            let fresh = numbers.len() as u32;
            refined.push(*numbers.entry(signature(state)).or_insert(fresh));
        }
        let stable = numbers.len() == count;
        count = numbers.len();
        class = refined;
        if stable {
            break;
        }
    }
    let mut minimal = graph.empty_like(0);
    minimal.add_states(count);
    let mut result = vec![None; count];
    for state in graph.states() {
        let number = class[state as usize] as usize;
        if result[number].is_none() {
            result[number] = Some(accepting[state as usize]);
            for edge in graph.edges(state) {
                minimal.add_edge(number as State, class[edge.target as usize], &edge.label, Marks::NONE);
            }
        }
    }
    minimal.set_initial(class[graph.initial() as usize]);
    minimal.merge_edges_within(budget)?;
    Ok(Weak {
        graph: minimal,
        accepting: result.into_iter().map(|known| known.expect("a class has a state")).collect(),
    })
}
