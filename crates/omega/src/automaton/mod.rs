//! Transition-based generalised Büchi automata: the graph, its acceptance, its invariants, its size.
//!
//! What: an automaton has a set of initial states, most often one, and edges that carry a target, a label over the atoms and a set of marks. A
//! run is accepting if, for each acceptance set, it takes edges with that mark infinitely often. With no sets at all
//! every infinite run is accepting; with one set this is a Büchi automaton. *State-based* acceptance is a property, not
//! another type: all edges that leave a state carry the same marks.
//!
//! Contract ([`Automaton::verify`] checks it):
//!
//! 1. every initial state and every target is a state;
//! 2. a label is satisfiable and belongs to the automaton's manager; the atom of index `i` is its `Variable(i)`, and no
//!    other variable occurs;
//! 3. marks are below the number of acceptance sets.
//!
//! Labels of automata from different managers, or over different atoms, are made comparable by [`Automaton::over`].
//! Sizes count as the literature does: states, edges, and transitions, where an edge counts as as many transitions as
//! its label has satisfying assignments to all atoms.

pub mod acceptance;
pub(crate) mod branches;
pub mod emerson_lei;
pub mod emptiness;
pub mod label;
mod marks;
pub mod scc;

use std::borrow::Cow;

use bdd::{Manager, Variable};
use kernel::budget::{Budget, Exhausted};

use crate::formula::{Formula, Formulas};
use crate::propositions::Propositions;
use crate::table::HashMap;
use label::NoLabel;

pub use bdd::Bdd;
pub use marks::{MAX_SETS, Marks};

/// A state: dense, from 0.
pub type State = u32;

/// An edge: where it leads, under which valuations of the atoms, and to which acceptance sets it belongs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// The state it leads to.
    pub target: State,
    /// The acceptance sets it belongs to.
    pub marks: Marks,
    /// The valuations under which it can be taken.
    pub label: Bdd,
}

/// A transition-based generalised Büchi automaton.
///
/// ```
/// use omega::automaton::{Automaton, Marks};
///
/// // GF a
/// let mut automaton = Automaton::new(["a"], 1);
/// let a = automaton.atom(0);
/// let state = automaton.add_state();
/// automaton.add_edge(state, state, &a, Marks::one(0));
/// automaton.add_edge(state, state, &!&a, Marks::NONE);
/// automaton.verify();
/// assert!(automaton.is_deterministic() && automaton.is_complete());
/// ```
#[derive(Clone, Debug)]
pub struct Automaton {
    /// A name, usually the formula.
    pub name: Option<String>,
    manager: Manager,
    propositions: Propositions,
    sets: u32,
    /// Ascending.
    initial: Vec<State>,
    edges: Vec<Vec<Edge>>,
    /// By state; shorter than the list of states if the last ones have no names.
    state_names: Vec<Option<String>>,
}

impl Automaton {
    /// An automaton without states over these atoms, with a manager of its own.
    #[must_use]
    pub fn new<A: Into<String>>(atoms: impl IntoIterator<Item = A>, sets: u32) -> Self {
        Self::in_manager(&Manager::new(), Propositions::named(atoms), sets)
    }

    /// An automaton without states, whose labels are functions of `manager`.
    ///
    /// # Panics
    /// Where there are more than [`MAX_SETS`] sets or [`bdd::MAX_VARIABLES`] atoms.
    #[must_use]
    pub fn in_manager(manager: &Manager, atoms: impl Into<Propositions>, sets: u32) -> Self {
        assert!(sets <= MAX_SETS, "there are at most MAX_SETS acceptance sets");
        let propositions = atoms.into();
        assert!(propositions.len() <= bdd::MAX_VARIABLES as usize, "there are at most MAX_VARIABLES atoms");
        let manager = manager.clone();
        let (edges, state_names) = (Vec::new(), Vec::new());
        Automaton { name: None, manager, propositions, sets, initial: vec![0], edges, state_names }
    }

    /// An automaton without states that has the manager, the atoms and the name of this one.
    #[must_use]
    pub fn empty_like(&self, sets: u32) -> Self {
        let mut new = Self::in_manager(&self.manager, self.propositions.clone(), sets);
        new.name.clone_from(&self.name);
        new
    }

    /// The manager of the labels.
    #[must_use]
    pub fn manager(&self) -> &Manager {
        &self.manager
    }

    /// The names of the atoms; the atom of index `i` is `Variable(i)` in labels.
    #[must_use]
    pub fn atoms(&self) -> &[String] {
        self.propositions.names()
    }

    /// The atoms, with the numbers by which a pool of formulas and a model know them, in the order of the variables.
    #[must_use]
    pub fn propositions(&self) -> &Propositions {
        &self.propositions
    }

    /// The label that is true where the atom is.
    #[must_use]
    pub fn atom(&self, index: usize) -> Bdd {
        assert!(index < self.propositions.len(), "an atom of the automaton");
        self.manager.variable(Variable(index as u32))
    }

    /// The label of a Boolean formula over the atoms of the automaton.
    ///
    /// # Errors
    /// If the formula has a temporal operator, or its diagram outgrows the limit of the manager.
    ///
    /// # Panics
    /// If the formula has an atom that the automaton does not have.
    pub fn label(&self, formulas: &Formulas, formula: Formula) -> Result<Bdd, NoLabel> {
        let place = |atom| self.propositions.place_of(formulas, atom).expect("an atom of the automaton");
        label::label_of(&self.manager, formulas, formula, |atom| Variable(place(atom) as u32))
    }

    /// The number of acceptance sets.
    #[must_use]
    pub fn sets(&self) -> u32 {
        self.sets
    }

    /// All acceptance sets: what an accepting run sees infinitely often.
    #[must_use]
    pub fn all_marks(&self) -> Marks {
        Marks::all(self.sets)
    }

    /// Changes the number of acceptance sets; marks beyond it must not be in use when [`Automaton::verify`] is called.
    pub fn set_sets(&mut self, sets: u32) {
        assert!(sets <= MAX_SETS, "there are at most MAX_SETS acceptance sets");
        self.sets = sets;
    }

    /// The initial states, ascending: a run may begin in any of them. The first state added, unless changed.
    #[must_use]
    pub fn initial_states(&self) -> &[State] {
        &self.initial
    }

    /// The only initial state. Most operations on automata need one; [`Automaton::with_one_initial_state`] makes one.
    ///
    /// # Panics
    /// Where there is not exactly one initial state.
    #[must_use]
    pub fn initial(&self) -> State {
        let [state] = self.initial[..] else { panic!("exactly one initial state") };
        state
    }

    /// Makes `state` the only initial state.
    pub fn set_initial(&mut self, state: State) {
        self.set_initial_states(&[state]);
    }

    /// Makes these states the initial ones. Without any, the automaton accepts nothing.
    ///
    /// # Panics
    /// Where one of them is not a state of the automaton.
    pub fn set_initial_states(&mut self, states: &[State]) {
        assert!(states.iter().all(|&state| (state as usize) < self.edges.len()), "states of the automaton");
        self.initial = states.to_vec();
        self.initial.sort_unstable();
        self.initial.dedup();
    }

    /// The same language with one initial state: where there are several or none, a new state, the last one, has the edges
    /// of all initial states. No run comes back to it, so its edges need no marks.
    #[must_use]
    pub fn with_one_initial_state(&self) -> Cow<'_, Automaton> {
        if self.initial.len() == 1 {
            return Cow::Borrowed(self);
        }
        let mut automaton = self.clone();
        let added = automaton.add_state();
        let edges = self.initial.iter().flat_map(|&state| self.edges(state));
        let unmarked = edges.map(|edge| Edge { marks: Marks::NONE, ..edge.clone() }).collect();
        automaton.edges[added as usize] = unmarked;
        automaton.initial = vec![added];
        Cow::Owned(automaton)
    }

    /// The automaton from each of its initial states alone: lassos through an initial state keep their true length, which
    /// the state that [`Automaton::with_one_initial_state`] adds would change.
    #[must_use]
    pub fn from_each_initial_state(&self) -> Vec<Automaton> {
        if self.initial.is_empty() {
            return vec![self.with_one_initial_state().into_owned()];
        }
        self.initial.iter().map(|&state| Automaton { initial: vec![state], ..self.clone() }).collect()
    }

    /// Adds a state without edges.
    pub fn add_state(&mut self) -> State {
        self.edges.push(Vec::new());
        State::try_from(self.edges.len() - 1).expect("fewer than 2^32 states")
    }

    /// Adds several states without edges.
    pub fn add_states(&mut self, count: usize) {
        self.edges.resize(self.edges.len() + count, Vec::new());
        State::try_from(self.edges.len()).expect("fewer than 2^32 states");
    }

    /// Adds an edge; one with an unsatisfiable label is left out.
    pub fn add_edge(&mut self, source: State, target: State, label: &Bdd, marks: Marks) {
        assert!(label.manager().same(&self.manager), "labels belong to the manager of the automaton");
        if !label.is_false() {
            self.edges[source as usize].push(Edge { target, label: label.clone(), marks });
        }
    }

    /// The edges that leave a state, in the order in which they were added.
    #[must_use]
    pub fn edges(&self, state: State) -> &[Edge] {
        &self.edges[state as usize]
    }

    /// The edges that leave a state, to be changed.
    pub fn edges_mut(&mut self, state: State) -> &mut Vec<Edge> {
        &mut self.edges[state as usize]
    }

    /// All edges with their sources, by source.
    pub fn all_edges(&self) -> impl Iterator<Item = (State, &Edge)> {
        self.states().flat_map(|state| self.edges(state).iter().map(move |edge| (state, edge)))
    }

    /// The states in order.
    pub fn states(&self) -> impl Iterator<Item = State> + use<> {
        0..self.edges.len() as State
    }

    /// A name for a state, for people.
    #[must_use]
    pub fn state_name(&self, state: State) -> Option<&str> {
        self.state_names.get(state as usize)?.as_deref()
    }

    /// Names a state.
    pub fn name_state(&mut self, state: State, name: impl Into<String>) {
        self.state_names.resize(self.state_names.len().max(state as usize + 1), None);
        self.state_names[state as usize] = Some(name.into());
    }

    /// The number of states.
    #[must_use]
    pub fn state_count(&self) -> usize {
        self.edges.len()
    }

    /// The number of edges.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// The number of transitions: for each edge the satisfying assignments of its label to all atoms; saturates.
    #[must_use]
    pub fn transition_count(&self) -> u128 {
        let atoms = self.propositions.len() as u32;
        self.all_edges()
            .fold(0, |sum: u128, (_, edge)| sum.saturating_add(edge.label.count(atoms).unwrap_or(u128::MAX)))
    }

    /// The number of states with two edges that can be taken under one valuation.
    #[must_use]
    pub fn nondeterministic_state_count(&self) -> usize {
        self.states().filter(|&state| !self.is_deterministic_in(state)).count()
    }

    /// Whether there is at most one initial state, and no state has two edges that can be taken under one valuation.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        self.initial.len() <= 1 && self.states().all(|state| self.is_deterministic_in(state))
    }

    fn is_deterministic_in(&self, state: State) -> bool {
        label::are_disjoint(&self.manager, self.edges(state).iter().map(|edge| &edge.label))
    }

    /// Whether every state has an edge for every valuation.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.states().all(|state| self.enabled(state).is_true())
    }

    /// The valuations under which some edge of a state can be taken.
    #[must_use]
    pub fn enabled(&self, state: State) -> Bdd {
        self.manager.disjunction(self.edges(state).iter().map(|edge| &edge.label))
    }

    /// The marks all edges of a state share, if they do; none for a state without edges.
    #[must_use]
    pub fn state_marks(&self, state: State) -> Option<Marks> {
        let marks = self.edges(state).first().map_or(Marks::NONE, |edge| edge.marks);
        self.edges(state).iter().all(|edge| edge.marks == marks).then_some(marks)
    }

    /// Whether the acceptance is state-based: in each state all edges carry the same marks.
    #[must_use]
    pub fn is_state_based(&self) -> bool {
        self.states().all(|state| self.state_marks(state).is_some())
    }

    /// Sorts the edges of each state and joins those that say the same: edges with one target and one set of marks
    /// become one, and of two edges with one target and label, one whose marks are included in the other's goes.
    pub fn merge_edges(&mut self) {
        self.merge_edges_within(&Budget::unlimited()).expect("a budget without limits is never exhausted");
    }

    /// As [`Automaton::merge_edges`], which is quadratic in the edges between two states.
    ///
    /// # Errors
    /// The limit of the budget that is exhausted; then the automaton has lost edges.
    pub fn merge_edges_within(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        for edges in &mut self.edges {
            budget.check()?;
            edges.sort();
            edges.dedup_by(|next, kept| {
                let same = next.target == kept.target && next.marks == kept.marks;
                if same {
                    kept.label = &kept.label | &next.label;
                }
                same
            });
            let all = std::mem::take(edges);
            // Sorted, edges with one target stand together.
            for alike in all.chunk_by(|one, two| one.target == two.target) {
                let better = |edge: &Edge, other: &Edge| {
                    other.marks != edge.marks && other.marks.includes(edge.marks) && edge.label.implies(&other.label)
                };
                for edge in alike {
                    budget.check()?;
                    if !alike.iter().any(|other| better(edge, other)) {
                        edges.push(edge.clone());
                    }
                }
            }
        }
        Ok(())
    }

    /// The part reachable from the initial states, renumbered in breadth-first order; initial states become the first.
    #[must_use]
    pub fn reachable(self) -> Automaton {
        let initial = self.initial.clone();
        self.reachable_through(&initial, |_| true)
    }

    /// The part that these initial states, all of them wanted, reach through wanted states alone.
    #[must_use]
    pub(crate) fn reachable_through(self, initial: &[State], wanted: impl Fn(State) -> bool) -> Automaton {
        let mut number: Vec<Option<State>> = vec![None; self.state_count()];
        let mut order = initial.to_vec();
        for (at, &state) in (0..).zip(&order) {
            number[state as usize] = Some(at);
        }
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for edge in self.edges(state) {
                if number[edge.target as usize].is_none() && wanted(edge.target) {
                    number[edge.target as usize] = Some(order.len() as State);
                    order.push(edge.target);
                }
            }
        }
        let mut new = self.numbered(&order, |state| number[state as usize]);
        new.set_initial_states(&(0..initial.len() as State).collect::<Vec<_>>());
        new
    }

    /// The automaton whose state `i` is `order[i]` of this one. Edges into states that `number` does not number are
    /// dropped; initial states must be numbered.
    #[must_use]
    pub fn with_states(self, order: &[State], number: impl Fn(State) -> Option<State>) -> Automaton {
        let kept = |&state: &State| number(state).expect("initial states are kept");
        let initial: Vec<State> = self.initial.iter().map(kept).collect();
        let mut new = self.numbered(order, &number);
        new.set_initial_states(&initial);
        new
    }

    /// As [`Automaton::with_states`], without initial states.
    fn numbered(mut self, order: &[State], number: impl Fn(State) -> Option<State>) -> Automaton {
        let mut names = std::mem::take(&mut self.state_names);
        let mut new = Automaton { edges: Vec::with_capacity(order.len()), initial: Vec::new(), ..self };
        for (at, &state) in (0..).zip(order) {
            let mut edges = std::mem::take(&mut self.edges[state as usize]);
            edges.retain_mut(|edge| {
                let target = number(edge.target);
                edge.target = target.unwrap_or(edge.target);
                target.is_some()
            });
            new.edges.push(edges);
            if let Some(name) = names.get_mut(state as usize).and_then(Option::take) {
                new.name_state(at, name);
            }
        }
        new
    }

    /// This automaton with labels of another manager and over other atoms.
    ///
    /// # Panics
    /// Where one of its atoms is not among `atoms`.
    #[must_use]
    pub fn over(&self, manager: &Manager, atoms: &Propositions) -> Automaton {
        let mut new = self.clone();
        new.propositions = atoms.clone();
        if manager.same(&self.manager) && *atoms == self.propositions {
            return new;
        }
        let variable = |place: Option<usize>| Variable(place.expect("the new atoms include the old") as u32);
        let place: Vec<Variable> = atoms.places_of(&self.propositions).into_iter().map(variable).collect();
        new.manager = manager.clone();
        let mut known: HashMap<Bdd, Bdd> = HashMap::default();
        for edge in new.edges.iter_mut().flatten() {
            let imported = known.get(&edge.label).cloned();
            let imported = imported.unwrap_or_else(|| manager.import(&edge.label, |at| place[at.0 as usize]));
            known.insert(std::mem::replace(&mut edge.label, imported.clone()), imported);
        }
        new
    }

    /// Two automata over the union of their atoms, those of the first in front, in the manager of the first.
    #[must_use]
    pub fn aligned(first: &Automaton, second: &Automaton) -> (Automaton, Automaton) {
        let atoms = first.propositions.union(&second.propositions);
        (first.over(&first.manager, &atoms), second.over(&first.manager, &atoms))
    }

    /// As [`Automaton::aligned`], within a budget.
    ///
    /// # Errors
    /// The limit of the budget that is exhausted.
    pub(crate) fn aligned_within(
        &self,
        second: &Automaton,
        budget: &Budget,
    ) -> Result<(Automaton, Automaton), Exhausted> {
        self.manager.within(budget, || Ok(Self::aligned(self, second)))
    }

    /// Whether both have the same states, edges in the same order, and acceptance sets.
    pub(crate) fn is_identical(&self, other: &Automaton) -> bool {
        self.sets == other.sets
            && self.initial == other.initial
            && self.manager.same(&other.manager)
            && self.edges == other.edges
    }

    /// Checks the contract of this file.
    ///
    /// # Panics
    /// Where it is broken, with the number of the clause.
    pub fn verify(&self) {
        let is_state = |&state: &State| (state as usize) < self.edges.len();
        assert!(self.initial.iter().all(is_state), "clause 1: an initial state");
        for (source, edge) in self.all_edges() {
            assert!((edge.target as usize) < self.edges.len(), "clause 1: the target of an edge of {source}");
            assert!(edge.label.manager().same(&self.manager), "clause 2: the manager of a label of {source}");
            assert!(!edge.label.is_false(), "clause 2: an unsatisfiable label of {source}");
            let last = edge.label.support().last().copied();
            assert!(
                last.is_none_or(|atom| (atom.0 as usize) < self.propositions.len()),
                "clause 2: a label of {source}"
            );
            assert!(self.all_marks().includes(edge.marks), "clause 3: the marks of an edge of {source}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two states over `a`, `b`: stay at 0 under anything, go to 1 under `a`, stay there under `b`, marked.
    fn sample() -> Automaton {
        let mut automaton = Automaton::new(["a", "b"], 1);
        automaton.add_states(2);
        let (a, b, yes) = (automaton.atom(0), automaton.atom(1), automaton.manager().yes());
        automaton.add_edge(0, 0, &yes, Marks::NONE);
        automaton.add_edge(0, 1, &a, Marks::NONE);
        automaton.add_edge(1, 1, &b, Marks::one(0));
        automaton.verify();
        automaton
    }

    #[test]
    fn sizes_count_as_the_literature_does() {
        let automaton = sample();
        assert_eq!((automaton.state_count(), automaton.edge_count(), automaton.transition_count()), (2, 3, 8));
        assert_eq!(automaton.nondeterministic_state_count(), 1);
        assert!(!automaton.is_complete() && automaton.is_state_based());
    }

    #[test]
    fn merging_joins_labels_and_drops_weaker_marks() {
        let mut automaton = sample();
        let (a, b) = (automaton.atom(0), automaton.atom(1));
        automaton.add_edge(1, 1, &a, Marks::one(0));
        automaton.add_edge(1, 1, &(&a & &b), Marks::NONE);
        automaton.add_edge(1, 0, &(&a & &b), Marks::NONE);
        automaton.merge_edges();
        let expected = [
            Edge { target: 0, marks: Marks::NONE, label: &a & &b },
            Edge { target: 1, marks: Marks::one(0), label: &a | &b },
        ];
        assert_eq!(automaton.edges(1), expected);
    }

    #[test]
    fn alignment_unites_atoms_by_name() {
        let first = sample();
        let mut second = Automaton::new(["c", "b"], 0);
        let state = second.add_state();
        second.add_edge(state, state, &(second.atom(0) & !second.atom(1)), Marks::NONE);
        let (first, second) = Automaton::aligned(&first, &second);
        assert_eq!(first.atoms(), ["a", "b", "c"]);
        assert_eq!(second.atoms(), first.atoms());
        assert_eq!(second.edges(0)[0].label, first.atom(2) & !first.atom(1));
        second.verify();
    }

    #[test]
    fn reachable_part_starts_with_the_initial_state() {
        let mut automaton = sample();
        let extra = automaton.add_state();
        automaton.set_initial(1);
        automaton.name_state(1, "end");
        let part = automaton.clone().reachable();
        assert_eq!((extra, part.state_count(), part.initial(), part.state_name(0)), (2, 1, 0, Some("end")));
    }

    #[test]
    fn several_initial_states_can_be_made_one() {
        let mut automaton = sample();
        automaton.set_initial_states(&[1, 0, 1]);
        automaton.verify();
        assert_eq!(automaton.initial_states(), [0, 1]);
        assert_eq!(automaton.clone().reachable().initial_states(), [0, 1]);
        assert!(!automaton.is_deterministic());
        let each = automaton.from_each_initial_state();
        assert_eq!(each.iter().map(Automaton::initial).collect::<Vec<_>>(), [0, 1]);
        assert!(each.iter().all(|one| one.state_count() == 2));
        let one = automaton.with_one_initial_state();
        one.verify();
        assert_eq!((one.state_count(), one.initial(), one.edges(2).len()), (3, 2, 3));
        automaton.set_initial_states(&[]);
        let none = automaton.with_one_initial_state();
        assert_eq!((none.initial(), none.edges(2).len(), automaton.clone().reachable().state_count()), (2, 0, 0));
        assert!(emptiness::is_empty(&automaton) && emptiness::accepting_run(&automaton).is_none());
    }

    #[test]
    fn runs_begin_in_any_initial_state() {
        let mut automaton = sample();
        automaton.set_initial_states(&[0, 1]);
        let run = emptiness::accepting_run(&automaton).unwrap();
        assert!(run.check(&automaton) && run.stem.is_empty() && run.cycle.len() == 1);
        let word = crate::word::Word::parse("cycle{b & !a}").unwrap();
        assert!(acceptance::accepts(&automaton, &word));
        automaton.set_initial(0);
        assert!(!acceptance::accepts(&automaton, &word));
    }
}
