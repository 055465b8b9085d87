//! Acceptance conditions of the HOA format, and automata with them made generalised Büchi.
//!
//! What: a condition is a Boolean function of "this set is met infinitely often", one variable for each set and one for
//! its complement; `Fin` is the negation of `Inf`. [`generalized_buchi`] gives an automaton of the same language:
//!
//! - a condition without `Fin` is a conjunction of clauses, and each clause, a disjunction of sets, is the union of
//!   these sets: no state is added;
//! - any other is a disjunction of conjunctions. A run guesses which of them it satisfies and from when on it avoids the
//!   sets it must avoid: one copy of the automaton for each, without the edges of those sets, beside the original.
//!   This is the folklore construction for Rabin automata; co-Büchi, parity and Streett conditions are instances.
//!
//! Contract: at most [`MAX_DISJUNCTS`] copies; conditions that need more are refused. Tested by: the naive evaluation of
//! conditions on lassos of random automata (`tests/automaton_text.rs`).

use bdd::{Bdd, Cube, Manager, Variable};

use crate::automaton::scc::Components;
use crate::automaton::{Automaton, MAX_SETS, Marks, State};

/// Copies that removing `Fin` may make.
pub(super) const MAX_DISJUNCTS: usize = 64;

/// Nodes that the diagram of a condition may have.
const MAX_NODES: usize = 1 << 16;

/// A manager for conditions, with a limit that no sensible condition reaches.
pub(super) fn condition_manager() -> Manager {
    Manager::with_limit(MAX_NODES)
}

/// The variable of "infinitely often in `set`", or of "infinitely often outside of it".
pub(super) fn infinitely_often(set: u32, outside: bool) -> Variable {
    Variable(2 * set + u32::from(outside))
}

/// Whether an edge with these marks lies in the set, or outside of it, that the variable speaks of.
fn meets(marks: Marks, variable: Variable) -> bool {
    marks.contains(variable.0 / 2) != (variable.0 % 2 == 1)
}

/// The condition is too large for us.
#[derive(Debug)]
pub(super) struct TooManyDisjuncts;

/// The automaton, whose marks are sets of `condition`, as a generalised Büchi automaton.
pub(super) fn generalized_buchi(automaton: &Automaton, condition: &Bdd) -> Result<Automaton, TooManyDisjuncts> {
    if condition.is_false() {
        // One set that no edge meets.
        return Ok(with_marks(automaton, 1, |_| Marks::NONE));
    }
    let disjuncts = condition.try_cover_at_most(MAX_DISJUNCTS).map_err(|_| TooManyDisjuncts)?;
    // The cubes are prime, so a function without `Fin` has a cover without negative literals.
    let positive =
        disjuncts.as_ref().is_none_or(|cubes| cubes.iter().flat_map(Cube::literals).all(|&(_, infinite)| infinite));
    if positive {
        let clauses = (!condition).try_cover_at_most(MAX_SETS as usize).map_err(|_| TooManyDisjuncts)?;
        let clauses = clauses.filter(|cubes| cubes.iter().flat_map(Cube::literals).all(|&(_, infinite)| !infinite));
        if let Some(mut clauses) = clauses {
            clauses.sort();
            let meets_clause = |marks, clause: &Cube| clause.literals().iter().any(|&(set, _)| meets(marks, set));
            let sets = clauses.len() as u32;
            return Ok(with_marks(automaton, sets, |marks| {
                (0..sets).filter(|&set| meets_clause(marks, &clauses[set as usize])).collect()
            }));
        }
    }
    Ok(guess(automaton, &disjuncts.ok_or(TooManyDisjuncts)?))
}

fn with_marks(automaton: &Automaton, sets: u32, marks: impl Fn(Marks) -> Marks) -> Automaton {
    let mut new = automaton.clone();
    new.set_sets(sets);
    for state in automaton.states() {
        new.edges_mut(state).iter_mut().for_each(|edge| edge.marks = marks(edge.marks));
    }
    new
}

/// The original, where nothing is accepted, and beside it a copy for each disjunct, entered by guessing.
fn guess(automaton: &Automaton, disjuncts: &[Cube]) -> Automaton {
    let literals = |disjunct: &Cube, infinite: bool| -> Vec<Variable> {
        disjunct.literals().iter().filter(|literal| literal.1 == infinite).map(|literal| literal.0).collect()
    };
    let most = disjuncts.iter().map(|disjunct| literals(disjunct, true).len()).max().unwrap_or(0);
    let sets = most.max(1) as u32;
    let mut new = automaton.empty_like(sets);
    let states = automaton.state_count();
    new.add_states(states * (disjuncts.len() + 1));
    new.set_initial_states(automaton.initial_states());
    for (source, edge) in automaton.all_edges() {
        new.add_edge(source, edge.target, &edge.label, Marks::NONE);
    }
    for (index, disjunct) in disjuncts.iter().enumerate() {
        let copy = |state: State| state + (states * (index + 1)) as State;
        let (finite, infinite) = (literals(disjunct, false), literals(disjunct, true));
        for (source, edge) in automaton.all_edges() {
            new.add_edge(source, copy(edge.target), &edge.label, Marks::NONE);
            if !finite.iter().any(|&set| meets(edge.marks, set)) {
                // A disjunct with fewer sets than the others is content with any edge for the rest.
                let content = |set: &u32| infinite.get(*set as usize).is_none_or(|&s| meets(edge.marks, s));
                let marks = (0..sets).filter(content).collect();
                new.add_edge(copy(source), copy(edge.target), &edge.label, marks);
            }
        }
    }
    let useful = Components::of(&new).useful_states(&new);
    let order: Vec<State> = new.states().filter(|s| new.initial_states().contains(s) || useful[*s as usize]).collect();
    new.with_states(&order, |state| order.binary_search(&state).ok().map(|at| at as State))
}
