//! Automata with any acceptance condition over `Inf` and `Fin`, as Emerson and Lei define them and HOA files state them.
//!
//! What: a condition is a Boolean function of "a run meets this set infinitely often", one variable for each set and one
//! for its complement; `Fin` is the negation of `Inf`. The algorithms of this crate work on generalised Büchi automata.
//! There are two ways to get one:
//!
//! - [`EmersonLei::generalized_buchi`] gives one automaton of the same language. A condition without `Fin` is a
//!   conjunction of clauses, and each clause, a disjunction of sets, is the union of these sets: no state is added. Any
//!   other condition is a disjunction of conjunctions. A run guesses which of them it satisfies, and when it has met
//!   the sets to avoid for the last time: one copy of the automaton for each disjunct, without the edges of those sets,
//!   beside the original. This is the folklore construction for Rabin automata; co-Büchi, parity and Streett conditions
//!   are instances.
//! - [`EmersonLei::parts`] gives several automata whose accepting lassos are the accepting lassos of this one, with the
//!   same lengths: a shortest lasso of any of them is a shortest lasso of this one. There is a part for each disjunct.
//!   It has the states twice, once for the stem and once, without the edges of the sets to avoid, for the loop. A run
//!   may begin in either copy, so that the second copy adds no step.
//!
//! Contract: at most [`MAX_COPIES`] disjuncts for the first, at most [`MAX_PARTS`] for the second; conditions that need
//! more are refused. Tested by: conditions evaluated naively on lassos of random automata (`tests/automaton_text.rs`),
//! lassos of random automata found by brute force (`tests/emerson_lei.rs` of the crate `checker`).

use bdd::{Bdd, Cube, Manager, Variable};
use kernel::budget::{Budget, Exhausted};
use std::borrow::Cow;
use std::fmt;

use crate::automaton::emptiness::{Run, RunEdge};
use crate::automaton::scc::Components;
use crate::automaton::{Automaton, MAX_SETS, Marks, State};

/// The most copies of an automaton that [`EmersonLei::generalized_buchi`] makes to remove `Fin`.
pub const MAX_COPIES: usize = 64;

/// The most automata that [`EmersonLei::parts`] makes.
pub const MAX_PARTS: usize = 1 << 16;

/// Nodes that the diagram of a condition may have.
const MAX_NODES: usize = 1 << 16;

/// An automaton with any acceptance condition.
#[derive(Clone, Debug)]
pub struct EmersonLei {
    /// The marks are the sets of the condition.
    automaton: Automaton,
    /// None if a run must meet every set infinitely often.
    condition: Option<Bdd>,
}

/// The acceptance condition is a disjunction of more conjunctions than this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyDisjuncts(pub usize);

impl fmt::Display for TooManyDisjuncts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the acceptance condition is too complex: it needs more than {} disjuncts", self.0)
    }
}

impl std::error::Error for TooManyDisjuncts {}

/// Why there are no [`EmersonLei::parts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoParts {
    /// The condition has too many disjuncts.
    TooMany(TooManyDisjuncts),
    /// A limit of the budget is exhausted.
    Exhausted(Exhausted),
}

impl From<TooManyDisjuncts> for NoParts {
    fn from(reason: TooManyDisjuncts) -> Self {
        NoParts::TooMany(reason)
    }
}

impl From<Exhausted> for NoParts {
    fn from(limit: Exhausted) -> Self {
        NoParts::Exhausted(limit)
    }
}

/// A manager for conditions, with a limit that no sensible condition reaches.
pub(crate) fn condition_manager() -> Manager {
    Manager::with_limit(MAX_NODES)
}

/// The variable of "infinitely often in `set`", or of "infinitely often outside of it".
pub(crate) fn infinitely_often(set: u32, outside: bool) -> Variable {
    Variable(2 * set + u32::from(outside))
}

/// True if an edge with these marks lies in the set of the variable, or outside of it if the variable says so.
fn meets(marks: Marks, variable: Variable) -> bool {
    marks.contains(variable.0 / 2) != (variable.0 % 2 == 1)
}

/// The condition as a positive or as a general Boolean function.
enum Shape {
    /// No run is accepting.
    Unsatisfiable,
    /// A conjunction of clauses over `Inf`.
    Clauses(Vec<Cube>),
    /// A disjunction of conjunctions over `Inf` and `Fin`.
    Disjuncts(Vec<Cube>),
}

/// The shape of a condition with at most `limit` disjuncts, if it has no conjunctive form over `Inf`.
fn shape(condition: &Bdd, limit: usize) -> Result<Shape, TooManyDisjuncts> {
    if condition.is_false() {
        return Ok(Shape::Unsatisfiable);
    }
    let too_many = |_| TooManyDisjuncts(limit);
    let disjuncts = condition.try_cover_at_most(limit).map_err(too_many)?;
    // The cubes are prime, so a function without `Fin` has a cover without negative literals.
    let is_positive =
        disjuncts.as_ref().is_none_or(|cubes| cubes.iter().flat_map(Cube::literals).all(|&(_, infinite)| infinite));
    if is_positive {
        let clauses = (!condition).try_cover_at_most(MAX_SETS as usize).map_err(too_many)?;
        let clauses = clauses.filter(|cubes| cubes.iter().flat_map(Cube::literals).all(|&(_, infinite)| !infinite));
        if let Some(mut clauses) = clauses {
            clauses.sort();
            return Ok(Shape::Clauses(clauses));
        }
    }
    Ok(Shape::Disjuncts(disjuncts.ok_or(TooManyDisjuncts(limit))?))
}

impl From<Automaton> for EmersonLei {
    fn from(automaton: Automaton) -> Self {
        Self { automaton, condition: None }
    }
}

impl EmersonLei {
    /// The automaton with a condition over its marks, a function of the variables [`infinitely_often`].
    pub(crate) fn new(automaton: Automaton, condition: Bdd) -> Self {
        Self { automaton, condition: Some(condition) }
    }

    /// States and edges, with the sets of the condition as marks. The number of sets is that of the condition; the
    /// automaton, read as a generalised Büchi automaton, has another language.
    #[must_use]
    pub fn transitions(&self) -> &Automaton {
        &self.automaton
    }

    /// True if the run is a lasso of the automaton whose loop satisfies the condition, by definition.
    #[must_use]
    pub fn accepts(&self, run: &Run) -> bool {
        let marks: Vec<Marks> = run.cycle.iter().map(|step| step.of(&self.automaton).marks).collect();
        let often = |variable| marks.iter().any(|&marks| meets(marks, variable));
        run.is_lasso_of(&self.automaton)
            && match &self.condition {
                Some(condition) => condition.evaluate(often),
                None => (0..self.automaton.sets()).all(|set| often(infinitely_often(set, false))),
            }
    }

    /// A generalised Büchi automaton of the same language.
    ///
    /// # Errors
    /// If the condition needs more than [`MAX_COPIES`] copies of the automaton.
    pub fn generalized_buchi(&self) -> Result<Cow<'_, Automaton>, TooManyDisjuncts> {
        let Some(condition) = &self.condition else { return Ok(Cow::Borrowed(&self.automaton)) };
        Ok(Cow::Owned(match shape(condition, MAX_COPIES)? {
            Shape::Unsatisfiable => never(&self.automaton),
            Shape::Clauses(clauses) => with_clauses(&self.automaton, &clauses),
            Shape::Disjuncts(disjuncts) => guess(&self.automaton, &disjuncts),
        }))
    }

    /// Generalised Büchi automata whose accepting lassos are those of this one: see the header of this file.
    ///
    /// # Errors
    /// If the condition needs more than [`MAX_PARTS`] disjuncts, or the budget is exhausted.
    pub fn parts(&self, budget: &Budget) -> Result<Parts<'_>, NoParts> {
        let automaton = &self.automaton;
        let Some(condition) = &self.condition else { return Ok(Parts { automaton, kind: Kind::Same }) };
        let shape = condition.manager().within(budget, || shape(condition, MAX_PARTS).map_err(NoParts::TooMany))?;
        let kind = match shape {
            Shape::Unsatisfiable => Kind::Clauses(never(automaton)),
            Shape::Clauses(clauses) => Kind::Clauses(with_clauses(automaton, &clauses)),
            Shape::Disjuncts(disjuncts) => Kind::Disjuncts(disjuncts),
        };
        Ok(Parts { automaton, kind })
    }
}

/// Generalised Büchi automata that have the accepting lassos of an Emerson–Lei automaton between them.
#[derive(Debug)]
pub struct Parts<'a> {
    automaton: &'a Automaton,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// The automaton is a generalised Büchi automaton.
    Same,
    /// The automaton with other marks.
    Clauses(Automaton),
    /// One part for each of these.
    Disjuncts(Vec<Cube>),
}

impl Parts<'_> {
    /// The parts, one after the other.
    pub fn iter(&self) -> impl Iterator<Item = Part<'_>> {
        let count = match &self.kind {
            Kind::Same | Kind::Clauses(_) => 1,
            Kind::Disjuncts(disjuncts) => disjuncts.len(),
        };
        (0..count).map(|index| match &self.kind {
            Kind::Same => Part { automaton: Cow::Borrowed(self.automaton), edges: None },
            Kind::Clauses(automaton) => Part { automaton: Cow::Borrowed(automaton), edges: None },
            Kind::Disjuncts(disjuncts) => part(self.automaton, &disjuncts[index]),
        })
    }
}

/// A generalised Büchi automaton whose accepting lassos are accepting lassos of an Emerson–Lei automaton.
#[derive(Debug)]
pub struct Part<'a> {
    automaton: Cow<'a, Automaton>,
    /// For each edge of each state the index of the original edge; none if states and edges are the original ones.
    edges: Option<Vec<Vec<usize>>>,
}

impl Part<'_> {
    /// The generalised Büchi automaton.
    #[must_use]
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// A run of this part as a run of the original automaton.
    #[must_use]
    pub fn original(&self, run: &Run) -> Run {
        let Some(edges) = &self.edges else { return run.clone() };
        let states = edges.len() / 2;
        let original = |step: &RunEdge| RunEdge {
            source: (step.source as usize % states) as State,
            edge: edges[step.source as usize][step.edge],
        };
        let steps = |steps: &[RunEdge]| steps.iter().map(original).collect();
        Run { stem: steps(&run.stem), cycle: steps(&run.cycle) }
    }
}

/// The sets that a disjunct wants to be met infinitely often, and those it wants to be met finitely often.
fn sets_of(disjunct: &Cube) -> (Vec<Variable>, Vec<Variable>) {
    let literals = |infinite: bool| {
        disjunct.literals().iter().filter(move |literal| literal.1 == infinite).map(|literal| literal.0)
    };
    (literals(true).collect(), literals(false).collect())
}

/// The part for one disjunct.
fn part<'a>(automaton: &Automaton, disjunct: &Cube) -> Part<'a> {
    let (infinite, finite) = sets_of(disjunct);
    if finite.is_empty() {
        let sets = infinite.len() as u32;
        let met = |marks: Marks| (0..sets).filter(|&set| meets(marks, infinite[set as usize])).collect();
        return Part { automaton: Cow::Owned(with_marks(automaton, sets, met)), edges: None };
    }
    // At least one set, which no edge of the first copy meets.
    let sets = infinite.len().max(1) as u32;
    let met = |marks: Marks| -> Marks {
        (0..sets).filter(|&set| infinite.get(set as usize).is_none_or(|&set| meets(marks, set))).collect()
    };
    let states = automaton.state_count();
    let copy = |state: State| state + states as State;
    let mut new = automaton.empty_like(sets);
    new.add_states(2 * states);
    let initial = automaton.initial_states().iter();
    new.set_initial_states(&initial.flat_map(|&state| [state, copy(state)]).collect::<Vec<_>>());
    let mut edges = vec![Vec::new(); 2 * states];
    for state in automaton.states() {
        for (index, edge) in automaton.edges(state).iter().enumerate() {
            new.add_edge(state, edge.target, &edge.label, Marks::NONE);
            new.add_edge(state, copy(edge.target), &edge.label, Marks::NONE);
            edges[state as usize].extend([index, index]);
            if !finite.iter().any(|&set| meets(edge.marks, set)) {
                new.add_edge(copy(state), copy(edge.target), &edge.label, met(edge.marks));
                edges[copy(state) as usize].push(index);
            }
        }
    }
    Part { automaton: Cow::Owned(new), edges: Some(edges) }
}

/// The automaton with one set that no edge meets.
fn never(automaton: &Automaton) -> Automaton {
    with_marks(automaton, 1, |_| Marks::NONE)
}

/// The automaton with one set for each clause: the union of the sets of the clause.
fn with_clauses(automaton: &Automaton, clauses: &[Cube]) -> Automaton {
    let meets_clause = |marks, clause: &Cube| clause.literals().iter().any(|&(set, _)| meets(marks, set));
    let sets = clauses.len() as u32;
    with_marks(automaton, sets, |marks| (0..sets).filter(|&set| meets_clause(marks, &clauses[set as usize])).collect())
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
    let most = disjuncts.iter().map(|disjunct| sets_of(disjunct).0.len()).max().unwrap_or(0);
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
        let (infinite, finite) = sets_of(disjunct);
        for (source, edge) in automaton.all_edges() {
            new.add_edge(source, copy(edge.target), &edge.label, Marks::NONE);
            if !finite.iter().any(|&set| meets(edge.marks, set)) {
                // For a disjunct with fewer sets than the others, every edge meets the sets that are left over.
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
