//! How the automaton of a negated formula reads a counterexample.
//!
//! What: the formula is negated and translated, and an accepting run of the automaton on the word of the counterexample
//! says in which state the automaton is after each step. The automaton is that of the formula alone: the search may have
//! used a smaller one, which facts about the model made.
//!
//! Contract: the result is for the reader. It is absent if the translation takes too long, if the automaton has more than
//! `MOST_STATES` states, or if the counterexample is a prefix on which this automaton accepts no continuation that
//! repeats the last letter.

use crate::report::{AutomatonEdge, AutomatonState, Observation};
use kernel::budget::Budget;
use omega::automaton::acceptance::accepting_run_on;
use omega::automaton::{Automaton, State, label};
use omega::formula::{Formula, Formulas};
use omega::pipeline::{TranslationOptions, translate};
use omega::print::Notation;
use omega::word::Word;
use std::collections::BTreeMap;
use std::time::Duration;

/// A larger automaton explains nothing to a reader.
const MOST_STATES: usize = 60;
/// How long the automaton may take.
const OBSERVATION: Duration = Duration::from_secs(1);

/// A word on which a formula is false, and the step after which each of its positions is read.
pub(crate) struct Falsified<'a> {
    pub(crate) formulas: &'a Formulas,
    pub(crate) formula: Formula,
    pub(crate) word: &'a Word,
    pub(crate) places: &'a [usize],
    /// The number of steps of the counterexample.
    pub(crate) length: usize,
}

/// How the automaton of the negated formula reads the word.
pub(crate) fn observe(falsified: &Falsified<'_>, budget: &Budget) -> Option<Observation> {
    let Falsified { formulas, formula, word, places, length } = *falsified;
    let budget = budget.stage().within(OBSERVATION);
    let mut formulas = formulas.clone();
    let negated = formulas.not(formula);
    let automaton = translate(&mut formulas, negated, &TranslationOptions::default(), &budget).ok()?.automaton;
    if automaton.state_count() > MOST_STATES {
        return None;
    }
    let run = accepting_run_on(&automaton, word, &budget).ok()??;
    let mut at_position: Vec<Vec<State>> = vec![Vec::new(); word.len()];
    for (state, position) in run.stem.iter().chain(&run.cycle) {
        if !at_position[*position].contains(state) {
            at_position[*position].push(*state);
        }
    }
    let after = |step: usize| places.iter().rposition(|place| *place <= step).unwrap_or(0);
    let states_after = (0..=length).map(|step| at_position[after(step)].clone()).collect();
    Some(Observation { states_after, ..described(&automaton, &budget)? })
}

/// An automaton as plain data, at no step yet.
#[must_use]
pub fn described(automaton: &Automaton, budget: &Budget) -> Option<Observation> {
    let is_state_based = automaton.is_state_based();
    let sets = |marks: omega::automaton::Marks| marks.iter().collect::<Vec<u32>>();
    let states = automaton.states().map(|state| AutomatonState {
        name: automaton.state_name(state).map_or_else(|| state.to_string(), Into::into),
        is_initial: automaton.initial_states().contains(&state),
        sets: automaton.state_marks(state).filter(|_| is_state_based).map_or_else(Vec::new, sets),
    });
    let states: Vec<AutomatonState> = states.collect();
    let mut edges: BTreeMap<(State, State, Vec<u32>), Vec<String>> = BTreeMap::new();
    for (source, edge) in automaton.all_edges() {
        let text = label::show(&edge.label, automaton.atoms(), Notation::Utf8, budget).ok()?;
        let marks = if is_state_based { Vec::new() } else { sets(edge.marks) };
        edges.entry((source, edge.target, marks)).or_default().push(text);
    }
    let edges =
        edges.into_iter().map(|((source, target, sets), labels)| AutomatonEdge { source, target, labels, sets });
    Some(Observation { states, edges: edges.collect(), sets: automaton.sets(), states_after: Vec::new() })
}
