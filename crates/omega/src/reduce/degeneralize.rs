//! Generalised acceptance to a single set, component by component.
//!
//! What: [`degeneralize`] gives an automaton with one acceptance set. Inside an accepting component that needs the sets
//! `s0 … sk`, a copy `(q, i)` of a state waits for `si`; an edge with that mark moves on to the next level, through
//! several levels at once if it has several marks, and the edge that completes a round is accepting. With
//! [`Acceptance::ByState`] there is a level more, entered by that edge, and the edges that leave it are accepting: then,
//! inside components that need several sets, acceptance is state-based.
//!
//! What keeps it small, all of it per component, since a run settles in one:
//!
//! - components that need no set, or one, or that are not accepting are not copied at all;
//! - which level a run enters a component at does not matter, so only one bottom component of the graph of copies is
//!   kept, a smallest one, and all edges into it reach the same copy of their target;
//! - the order of the sets is free, and so is whether the edge that completes a round counts for the next one: the
//!   smallest result is taken, out of all orders while there are few, else out of the rotations.
//!
//! Contract: expects marks as [`super::marking::saturate`] leaves them, and is correct without. At most as many copies of a
//! state as its component needs sets.
//!
//! Source: the levels of [gastin.01.cav]; per component and with a choice of entry level as in [babiak.13.spin]. The
//! restriction to a bottom component of the copies is ours.
//! Tested by: word acceptance before and after on random automata (`tests/reduce.rs`).

use crate::thresholds::reduce::ALL_ORDERS;
use kernel::budget::{Budget, Exhausted};

use super::cosimulation::Acceptance;
use super::graph::components;
use super::sets::needed;
use crate::automaton::scc::Components;
use crate::automaton::{Automaton, Edge, Marks, State};

/// An automaton for the same language with one acceptance set.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn degeneralize(automaton: &Automaton, acceptance: Acceptance, budget: &Budget) -> Result<Automaton, Exhausted> {
    automaton.manager().within(budget, || in_layers(automaton, acceptance, budget))
}

fn in_layers(automaton: &Automaton, acceptance: Acceptance, budget: &Budget) -> Result<Automaton, Exhausted> {
    let whole = Components::of(automaton);
    let mut layers: Vec<Layers> = Vec::new();
    for number in 0..whole.list().len() as u32 {
        layers.push(smallest_layers(automaton, &whole, number, acceptance, budget)?);
    }
    let mut result = automaton.empty_like(1);
    // The copies of each state, by level.
    let mut copies: Vec<Vec<(usize, State)>> = vec![Vec::new(); automaton.state_count()];
    for state in automaton.states() {
        let Some(number) = whole.number(state) else { continue };
        let place = whole.list()[number as usize].states.binary_search(&state).expect("a state of its component");
        let levels = layers[number as usize].kept[place].iter();
        copies[state as usize] = levels.map(|&level| (level, result.add_state())).collect();
    }
    for (source, edge) in automaton.all_edges() {
        let Some(number) = whole.number(source) else { continue };
        budget.check()?;
        for &(level, copy) in &copies[source as usize] {
            if whole.is_inner(source, edge) {
                let (accepting, level) = layers[number as usize].step(level, edge.marks);
                let known = copies[edge.target as usize].iter().find(|(other, _)| *other == level);
                let target = known.expect("a bottom component is closed").1;
                let marks = if accepting && whole.is_accepting(number) { Marks::one(0) } else { Marks::NONE };
                result.add_edge(copy, target, &edge.label, marks);
            } else {
                result.add_edge(copy, copies[edge.target as usize][0].1, &edge.label, Marks::NONE);
            }
        }
    }
    result.set_initial(copies[automaton.initial() as usize][0].1);
    result.merge_edges_within(budget)?;
    Ok(result.reachable())
}

/// The copies that one component gets.
struct Layers {
    order: Vec<u32>,
    /// Whether the edge that completes a round counts for the next one.
    overlap: bool,
    /// Whether there is a level for completed rounds.
    last: bool,
    /// For each state of the component, by its place there, the levels it is needed at.
    kept: Vec<Vec<usize>>,
}

impl Layers {
    /// Whether an edge with these marks completes a round, and the level after it.
    fn step(&self, level: usize, marks: Marks) -> (bool, usize) {
        let sets = self.order.len();
        let advance = |from: usize| (from..sets).find(|&at| !marks.contains(self.order[at]));
        if self.last {
            let from = if level == sets { 0 } else { level };
            return (level == sets, advance(from).unwrap_or(sets));
        }
        match advance(level) {
            Some(level) => (false, level),
            None if self.overlap => (true, advance(0).unwrap_or(0)),
            None => (true, 0),
        }
    }

    /// The number of levels.
    fn height(&self) -> usize {
        self.order.len() + usize::from(self.last)
    }

    fn size(&self) -> usize {
        self.kept.iter().map(Vec::len).sum()
    }
}

fn smallest_layers(
    automaton: &Automaton,
    whole: &Components,
    number: u32,
    acceptance: Acceptance,
    budget: &Budget,
) -> Result<Layers, Exhausted> {
    let sets = if whole.is_accepting(number) { needed(automaton, whole, number, budget)? } else { Vec::new() };
    if sets.len() <= 1 {
        let kept = vec![vec![0]; whole.list()[number as usize].states.len()];
        return Ok(Layers { order: sets, overlap: false, last: false, kept });
    }
    let kinds = match acceptance {
        Acceptance::ByEdge => [(false, false), (true, false)].as_slice(),
        Acceptance::ByState => &[(true, true)],
    };
    let ways = orders(&sets).into_iter().flat_map(|order| kinds.iter().map(move |kind| (order.clone(), kind)));
    let mut smallest: Option<Layers> = None;
    for (order, &(overlap, last)) in ways {
        let layers = Layers { order, overlap, last, kept: Vec::new() };
        let layers = restricted_to_bottom(automaton, whole, number, layers, budget)?;
        if smallest.as_ref().is_none_or(|known| layers.size() < known.size()) {
            smallest = Some(layers);
        }
    }
    Ok(smallest.expect("there is an order"))
}

/// Finds a smallest bottom component of the graph of all copies.
fn restricted_to_bottom(
    automaton: &Automaton,
    whole: &Components,
    number: u32,
    mut layers: Layers,
    budget: &Budget,
) -> Result<Layers, Exhausted> {
    let states = &whole.list()[number as usize].states;
    let height = layers.height();
    let mut graph = vec![Vec::new(); states.len() * height];
    for (place, &state) in states.iter().enumerate() {
        let inner = |edge: &&Edge| whole.is_inner(state, edge);
        for edge in automaton.edges(state).iter().filter(inner) {
            budget.check()?;
            let target = states.binary_search(&edge.target).expect("a state of the component");
            for level in 0..height {
                let next = layers.step(level, edge.marks).1;
                graph[place * height + level].push((target * height + next) as u32);
            }
        }
    }
    let of = components(graph.as_slice(), budget)?;
    let count = of.iter().max().map_or(0, |max| *max as usize + 1);
    let (mut sizes, mut bottom) = (vec![0_usize; count], vec![true; count]);
    for (vertex, successors) in graph.iter().enumerate() {
        sizes[of[vertex] as usize] += 1;
        if successors.iter().any(|&next| of[next as usize] != of[vertex]) {
            bottom[of[vertex] as usize] = false;
        }
    }
    let chosen = (0..count).filter(|&part| bottom[part]).min_by_key(|&part| sizes[part]).expect("a bottom component");
    let kept = |place: usize| (0..height).filter(|level| of[place * height + level] as usize == chosen).collect();
    layers.kept = (0..states.len()).map(kept).collect();
    Ok(layers)
}

/// The orders of the sets that are tried.
fn orders(sets: &[u32]) -> Vec<Vec<u32>> {
    if sets.len() > ALL_ORDERS {
        return (0..sets.len()).map(|by| [&sets[by..], &sets[..by]].concat()).collect();
    }
    let mut all = vec![Vec::new()];
    for &set in sets {
        let longer = |order: &Vec<u32>| {
            (0..=order.len()).map(|at| [&order[..at], &[set], &order[at..]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
