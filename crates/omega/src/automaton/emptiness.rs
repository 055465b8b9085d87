//! Emptiness of an automaton, and an accepting run that shows that it is not empty.
//!
//! What: [`accepting_run`] gives a lasso-shaped accepting run, or none if the language is empty.
//!
//! Contract: linear in the edges times the acceptance sets. Among the accepting components the one nearest to the
//! initial state is taken and reached by a shortest path; its cycle collects the missing marks greedily, nearest first.
//! The run is short but not promised to be shortest. Deterministic.
//!
//! Source: folklore on top of [tarjan.72.siam]. Tested by: each run is replayed ([`Run::check`]) and its existence compared
//! with an independent search for accepting cycles on random automata.

use std::collections::VecDeque;

use bdd::Bdd;
use kernel::budget::{Budget, Exhausted};

use crate::automaton::scc::Components;
use crate::automaton::{Automaton, Edge, Marks, State};

/// One step of a run: an edge, by its source and its place among the edges of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunEdge {
    /// The state it leaves.
    pub source: State,
    /// The index among the edges that leave the state.
    pub edge: usize,
}

impl RunEdge {
    /// The edge itself.
    #[must_use]
    pub fn of(self, automaton: &Automaton) -> &Edge {
        &automaton.edges(self.source)[self.edge]
    }
}

/// A lasso-shaped run: the stem once, then the cycle forever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The steps before the cycle; may be none.
    pub stem: Vec<RunEdge>,
    /// The steps that repeat; at least one.
    pub cycle: Vec<RunEdge>,
}

impl Run {
    /// The labels along the stem and along the cycle.
    #[must_use]
    pub fn labels(&self, automaton: &Automaton) -> (Vec<Bdd>, Vec<Bdd>) {
        let labels = |steps: &[RunEdge]| steps.iter().map(|step| step.of(automaton).label.clone()).collect();
        (labels(&self.stem), labels(&self.cycle))
    }

    /// True if this is an accepting run of the automaton, by definition: for tests and assertions.
    #[must_use]
    pub fn check(&self, automaton: &Automaton) -> bool {
        let seen = || self.cycle.iter().fold(Marks::NONE, |seen, step| seen.union(step.of(automaton).marks));
        self.is_lasso_of(automaton) && seen().includes(automaton.all_marks())
    }

    /// True if this is a lasso of the automaton that begins in an initial state, accepting or not.
    #[must_use]
    pub fn is_lasso_of(&self, automaton: &Automaton) -> bool {
        let Some(first) = self.stem.first().or(self.cycle.first()) else { return false };
        let begins = automaton.initial_states().contains(&first.source);
        let mut at = first.source;
        let mut follows = |step: &RunEdge| {
            let fits = step.source == at && step.edge < automaton.edges(at).len();
            at = if fits { step.of(automaton).target } else { at };
            fits
        };
        let connected = self.stem.iter().all(&mut follows) && self.cycle.iter().all(&mut follows);
        let closed = self.cycle.first().is_some_and(|first| first.source == at);
        begins && connected && closed
    }
}

/// True if the automaton accepts no word.
///
/// # Panics
/// Never: the budget has no limits.
#[must_use]
pub fn is_empty(automaton: &Automaton) -> bool {
    is_empty_within(automaton, &Budget::unlimited()).expect("a budget without limits is never exhausted")
}

/// As [`is_empty`], within a budget.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn is_empty_within(automaton: &Automaton, budget: &Budget) -> Result<bool, Exhausted> {
    let components = Components::of_within(automaton, budget)?;
    Ok(!(0..components.list().len() as u32).any(|component| components.is_accepting(component)))
}

/// An accepting run, if the automaton accepts any word.
///
/// # Panics
/// Never: the budget has no limits.
#[must_use]
pub fn accepting_run(automaton: &Automaton) -> Option<Run> {
    accepting_run_within(automaton, &Budget::unlimited()).expect("a budget without limits is never exhausted")
}

/// As [`accepting_run`], within a budget.
///
/// # Errors
/// The limit of the budget that is exhausted.
///
/// # Panics
/// Never: an accepting component has every mark inside, and is strongly connected.
pub fn accepting_run_within(automaton: &Automaton, budget: &Budget) -> Result<Option<Run>, Exhausted> {
    let components = Components::of_within(automaton, budget)?;
    let accepting = |state: State| components.number(state).is_some_and(|number| components.is_accepting(number));
    let mut shortest: Option<(State, Vec<RunEdge>)> = None;
    for &start in automaton.initial_states() {
        let stem = match accepting(start) {
            true => Some(Vec::new()),
            false => shortest_path(automaton, start, |_, _| true, |_, edge| accepting(edge.target), budget)?,
        };
        let is_shorter = |stem: &Vec<RunEdge>| shortest.as_ref().is_none_or(|(_, known)| stem.len() < known.len());
        if let Some(stem) = stem.filter(is_shorter) {
            shortest = Some((start, stem));
        }
    }
    let Some((start, stem)) = shortest else { return Ok(None) };
    let knot = stem.last().map_or(start, |step: &RunEdge| step.of(automaton).target);

    let inner = |source: State, edge: &Edge| components.is_inner(source, edge);
    let mut cycle: Vec<RunEdge> = Vec::new();
    let mut at = knot;
    let mut missing = automaton.all_marks();
    while !missing.is_empty() {
        let found = |_: State, edge: &Edge| !edge.marks.intersection(missing).is_empty();
        let part = shortest_path(automaton, at, inner, found, budget)?;
        for step in part.expect("an accepting component has every mark inside") {
            missing = missing.minus(step.of(automaton).marks);
            at = step.of(automaton).target;
            cycle.push(step);
        }
    }
    if at != knot || cycle.is_empty() {
        let back = shortest_path(automaton, at, inner, |_, edge| edge.target == knot, budget)?;
        cycle.extend(back.expect("a component is strongly connected"));
    }
    Ok(Some(Run { stem, cycle }))
}

/// A shortest non-empty path from `start` over edges that `keep` chooses, whose last edge is the first that `found` names.
fn shortest_path(
    automaton: &Automaton,
    start: State,
    keep: impl Fn(State, &Edge) -> bool,
    found: impl Fn(State, &Edge) -> bool,
    budget: &Budget,
) -> Result<Option<Vec<RunEdge>>, Exhausted> {
    let mut reached_by: Vec<Option<RunEdge>> = vec![None; automaton.state_count()];
    let mut pending = VecDeque::from([start]);
    while let Some(source) = pending.pop_front() {
        budget.check()?;
        for (index, edge) in automaton.edges(source).iter().enumerate().filter(|(_, edge)| keep(source, edge)) {
            let step = RunEdge { source, edge: index };
            if found(source, edge) {
                let mut path = vec![step];
                let mut at = source;
                while at != start {
                    let before = reached_by[at as usize].expect("reached from the start");
                    path.push(before);
                    at = before.source;
                }
                path.reverse();
                return Ok(Some(path));
            }
            if edge.target != start && reached_by[edge.target as usize].is_none() {
                reached_by[edge.target as usize] = Some(step);
                pending.push_back(edge.target);
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_automaton::{Shape, random_automaton};

    /// Whether an accepting cycle is reachable, by a search over pairs of a state and the marks collected since a start.
    fn accepts_something_naively(automaton: &Automaton) -> bool {
        let closure = |from: State| {
            let mut seen = std::collections::BTreeSet::new();
            let mut pending = vec![(from, Marks::NONE)];
            while let Some((state, marks)) = pending.pop() {
                for edge in automaton.edges(state) {
                    let next = (edge.target, marks.union(edge.marks));
                    if seen.insert(next) {
                        pending.push(next);
                    }
                }
            }
            seen
        };
        let mut starts: Vec<State> = closure(automaton.initial()).into_iter().map(|(state, _)| state).collect();
        starts.push(automaton.initial());
        starts.iter().any(|&start| closure(start).contains(&(start, automaton.all_marks())))
    }

    #[test]
    fn runs_exist_exactly_where_accepting_cycles_do() {
        let mut empty = 0;
        for seed in 0..400 {
            let shape = Shape { states: 6, sets: (seed % 4) as u32, density: 0.1, marking: 0.2, ..Shape::default() };
            let automaton = random_automaton(&shape, seed);
            let run = accepting_run(&automaton);
            assert_eq!(run.is_some(), accepts_something_naively(&automaton), "seed {seed}");
            assert_eq!(run.is_none(), is_empty(&automaton), "seed {seed}");
            assert!(run.is_none_or(|run| run.check(&automaton)), "seed {seed}");
            empty += usize::from(is_empty(&automaton));
        }
        assert!((50..350).contains(&empty), "both answers occur: {empty} empty");
    }
}
