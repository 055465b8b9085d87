//! The complement of a language, component by component or through a deterministic automaton.
//!
//! [`complement`] tries both with a growing limit and keeps the first result. The second is that of
//! `determinize` and `parity`; the first is the rest of this file.
//!
//! What: a word is rejected if no run on it is accepting, that is, if no run stays in any accepting component and meets
//! the acceptance sets there. The complement follows the set of states that the runs have reached, and beside it one *part*
//! for each group of accepting components, which proves that no run is accepting there. Each part has an acceptance set of
//! its own, met each time its proof makes progress. Which proof depends on the components:
//!
//! | components | part | at most |
//! |---|---|---|
//! | all weak ones together (`weak`) | a breakpoint set, after [miyano.84.tcs] | 3^n |
//! | one whose inner edges are deterministic (`deterministic`) | checked, safe, breakpoint, after [blahoudek.16.tacas] | 4^n |
//! | any other, or all strong ones together (`sliced`) | ordered sets of states, after [kahler.08.icalp] | (3n)^n |
//!
//! The modular frame is that of [havlena.23.tacas]. So the complement of a weak automaton is deterministic, and that of a
//! deterministic one linear.
//!
//! Contract: the input may have any number of sets (they are counted down to one where a strong component needs it).
//! `Complement` is explored on demand; [`complement`] explores all of it. The number of states is limited, and so are the
//! comparisons of states that they may cost: beyond either the answer is [`TooLarge`].
//!
//! Tested by: random automata of each kind, where a random word must be accepted by exactly one of the two, and by the
//! emptiness of their product (`tests/automaton_combine.rs`).

mod deterministic;
mod sliced;
mod weak;

use crate::table::HashMap;
use crate::thresholds::combine::{MAX_PARTS, SMALLEST_TRIAL, WORK_PER_STATE};

use bdd::Bdd;
use kernel::budget::{Budget, Exhausted};

use crate::analyse::strength::{Strength, strengths};
use crate::automaton::scc::Components;
use crate::automaton::{Automaton, Edge, Marks, State};
use crate::combine::counter::one_set;
use crate::combine::parity::Pairs;
use crate::limit::{Incomplete, TooLarge};

/// States that [`complement`] and the questions of [`crate::combine::inclusion`] may explore, unless told otherwise.
pub const DEFAULT_LIMIT: usize = 1 << 17;

/// An automaton that accepts exactly the words that this one rejects: by components or through a deterministic automaton,
/// whichever fits into a limit that grows.
///
/// # Errors
/// Where more than `limit` states would have to be explored, or remain; or the budget is exhausted.
pub fn complement(automaton: &Automaton, limit: usize, budget: &Budget) -> Result<Automaton, Incomplete> {
    for limit in growing(limit) {
        let found = complement_by_components(automaton, limit, budget);
        if let Some(result) = Incomplete::unless_too_large(found)? {
            return Ok(result);
        }
        let found = complement_by_determinization(automaton, limit, budget);
        if let Some(result) = Incomplete::unless_too_large(found)? {
            return Ok(result);
        }
    }
    Err(TooLarge::Complement(limit).into())
}

/// A few limits up to this one.
pub(super) fn growing(limit: usize) -> impl Iterator<Item = usize> {
    [limit / 64, limit / 8, limit].into_iter().filter(move |&part| part >= SMALLEST_TRIAL || part == limit)
}

/// The complement through the deterministic parity automaton of `determinize`.
///
/// # Errors
/// As [`complement`].
pub fn complement_by_determinization(
    automaton: &Automaton,
    limit: usize,
    budget: &Budget,
) -> Result<Automaton, Incomplete> {
    automaton.manager().within(budget, || through_parity(automaton, limit, budget))
}

fn through_parity(automaton: &Automaton, limit: usize, budget: &Budget) -> Result<Automaton, Incomplete> {
    let automaton = &automaton.with_one_initial_state();
    let mut everything = automaton.empty_like(0);
    let state = everything.add_state();
    everything.add_edge(state, state, &automaton.manager().yes(), Marks::NONE);
    let mut pairs = Pairs::of(&everything, automaton, budget)?;
    if !pairs.explore(limit, budget)? {
        return Err(TooLarge::Complement(limit).into());
    }
    let mut result = pairs.automaton(budget)?;
    result.name = None;
    result.merge_edges_within(budget)?;
    let result = without_useless_states(&result);
    if result.state_count() > limit { Err(TooLarge::Complement(limit).into()) } else { Ok(result) }
}

/// The complement component by component, as the head of this file describes it.
///
/// # Errors
/// As [`complement`].
pub fn complement_by_components(automaton: &Automaton, limit: usize, budget: &Budget) -> Result<Automaton, Incomplete> {
    automaton.manager().within(budget, || by_components(automaton, limit, budget))
}

fn by_components(automaton: &Automaton, limit: usize, budget: &Budget) -> Result<Automaton, Incomplete> {
    let automaton = &automaton.with_one_initial_state();
    let frame = Complement::of(automaton, budget)?;
    let mut result = frame.automaton.empty_like(frame.sets());
    result.name = None;
    let mut number: HashMap<Macrostate, State> = HashMap::default();
    let mut order = vec![frame.initial()];
    number.insert(order[0].clone(), result.add_state());
    let everything = frame.automaton.manager().yes();
    let (mut done, mut work) = (0, 0);
    while let Some(state) = order.get(done).cloned() {
        let source = done as State;
        done += 1;
        let successors = frame.successors(&state, &everything, budget)?;
        work += successors.len() * state.width() * state.width();
        for (label, next, marks) in successors {
            budget.check()?;
            let target = match number.get(&next) {
                Some(&known) => known,
                None if order.len() == limit || work / WORK_PER_STATE > limit => {
                    return Err(TooLarge::Complement(limit).into());
                }
                None => {
                    order.push(next.clone());
                    let fresh = result.add_state();
                    number.insert(next, fresh);
                    fresh
                }
            };
            result.add_edge(source, target, &label, marks);
        }
    }
    result.merge_edges_within(budget)?;
    Ok(without_useless_states(&result))
}

pub(super) fn without_useless_states(automaton: &Automaton) -> Automaton {
    let useful = Components::of(automaton).useful_states(automaton);
    let keep = |state: State| state == automaton.initial() || useful[state as usize];
    let order: Vec<State> = automaton.states().filter(|&state| keep(state)).collect();
    automaton.clone().with_states(&order, |state| order.binary_search(&state).ok().map(|at| at as State))
}

/// A set of states, ascending.
pub(super) type States = Vec<State>;

/// A state of the complement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Macrostate {
    reached: States,
    parts: Vec<Part>,
}

impl Macrostate {
    /// The number of states that the runs have reached.
    pub(super) fn width(&self) -> usize {
        self.reached.len()
    }
}

/// What one part remembers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Part {
    Weak(weak::Memory),
    Deterministic(deterministic::Memory),
    Sliced(sliced::Memory),
}

/// Which components a part looks after.
#[derive(Debug)]
enum Group {
    Weak,
    Deterministic(u32),
    Sliced(u32),
}

/// The moves of all reached states under one letter.
struct Moves<'a> {
    /// Source, target, whether inside one component, whether accepting.
    list: Vec<Move>,
    reached: &'a States,
    frame: &'a Complement,
}

#[derive(Clone, Copy)]
struct Move {
    source: State,
    target: State,
    inner: bool,
    accepting: bool,
}

impl Moves<'_> {
    /// Where inner moves lead from these states, ascending.
    fn inner_targets(&self, from: &[State]) -> States {
        let inner = self.list.iter().filter(|step| step.inner && from.binary_search(&step.source).is_ok());
        ascending(inner.map(|step| step.target).collect())
    }

    /// The states reached now that `belongs` chooses.
    fn reached(&self, belongs: impl Fn(State) -> bool) -> States {
        self.reached.iter().copied().filter(|&state| belongs(state)).collect()
    }

    /// Whether the state lies in this component.
    fn is_in(&self, state: State, component: u32) -> bool {
        self.frame.components.number(state) == Some(component)
    }
}

fn ascending(mut states: States) -> States {
    states.sort_unstable();
    states.dedup();
    states
}

fn without(states: &[State], others: &[State]) -> States {
    states.iter().copied().filter(|state| others.binary_search(state).is_err()).collect()
}

/// The complement of an automaton, to be explored.
#[derive(Debug)]
pub(super) struct Complement {
    automaton: Automaton,
    components: Components,
    strengths: Vec<Strength>,
    groups: Vec<Group>,
}

impl Complement {
    pub(super) fn of(automaton: &Automaton, budget: &Budget) -> Result<Self, Exhausted> {
        let automaton = without_useless_states(automaton);
        let components = Components::of(&automaton);
        let strong = strengths(&automaton, &components);
        if automaton.sets() != 1 && strong.contains(&Strength::Strong) {
            return Self::of(&one_set(&automaton, budget)?, budget);
        }
        let mut groups = Vec::new();
        if strong.contains(&Strength::Weak) {
            groups.push(Group::Weak);
        }
        for (number, _) in (0..).zip(&strong).filter(|(_, strength)| **strength == Strength::Strong) {
            let deterministic = is_deterministic_inside(&automaton, &components, number);
            groups.push(if deterministic { Group::Deterministic(number) } else { Group::Sliced(number) });
        }
        if groups.len() > MAX_PARTS {
            groups.retain(|group| matches!(group, Group::Weak));
            groups.push(Group::Sliced(sliced::ALL_STRONG));
        }
        Ok(Complement { automaton, components, strengths: strong, groups })
    }

    pub(super) fn sets(&self) -> u32 {
        self.groups.len() as u32
    }

    pub(super) fn initial(&self) -> Macrostate {
        let reached = vec![self.automaton.initial()];
        let part = |group: &Group| match *group {
            Group::Weak => Part::Weak(weak::Memory::start(self, &reached)),
            Group::Deterministic(component) => {
                Part::Deterministic(deterministic::Memory::start(self, component, &reached))
            }
            Group::Sliced(component) => Part::Sliced(sliced::Memory::start(self, component, &reached)),
        };
        let parts = self.groups.iter().map(part).collect();
        Macrostate { reached, parts }
    }

    /// The successors under the letters of `within`, with disjoint or equal labels.
    pub(super) fn successors(
        &self,
        state: &Macrostate,
        within: &Bdd,
        budget: &Budget,
    ) -> Result<Vec<(Bdd, Macrostate, Marks)>, Exhausted> {
        let mut successors = Vec::new();
        for letters in letters(&self.automaton, &state.reached, within, budget)? {
            budget.check()?;
            let takes = |edge: &&Edge| edge.label.intersects(&letters);
            let mut list = Vec::new();
            for &source in &state.reached {
                for edge in self.automaton.edges(source).iter().filter(takes) {
                    let inner = self.components.is_inner(source, edge);
                    list.push(Move { source, target: edge.target, inner, accepting: edge.marks.contains(0) });
                }
            }
            let reached = ascending(list.iter().map(|step| step.target).collect());
            if reached.iter().any(|&state| self.strength(state) == Strength::Terminal) {
                // Every word is accepted from there: nothing is left to reject.
                continue;
            }
            let moves = Moves { list, reached: &reached, frame: self };
            for (parts, marks) in self.combinations(state, &moves) {
                successors.push((letters.clone(), Macrostate { reached: reached.clone(), parts }, marks));
            }
        }
        Ok(successors)
    }

    /// All combinations of successors of the parts.
    fn combinations(&self, state: &Macrostate, moves: &Moves<'_>) -> Vec<(Vec<Part>, Marks)> {
        let mut combinations = vec![(Vec::new(), Marks::NONE)];
        for (set, (group, part)) in (0..).zip(self.groups.iter().zip(&state.parts)) {
            let choices: Vec<(Part, bool)> = match (group, part) {
                (Group::Weak, Part::Weak(memory)) => {
                    let (next, progress) = memory.next(moves);
                    vec![(Part::Weak(next), progress)]
                }
                (Group::Deterministic(component), Part::Deterministic(memory)) => {
                    let choices = memory.next(*component, moves).into_iter();
                    choices.map(|(next, progress)| (Part::Deterministic(next), progress)).collect()
                }
                (Group::Sliced(component), Part::Sliced(memory)) => {
                    let choices = memory.next(*component, moves).into_iter();
                    choices.map(|(next, progress)| (Part::Sliced(next), progress)).collect()
                }
                _ => unreachable!("a part is of the kind of its group"),
            };
            let longer = |(parts, marks): &(Vec<Part>, Marks), (part, progress): &(Part, bool)| {
                let mut parts: Vec<Part> = parts.clone();
                parts.push(part.clone());
                (parts, if *progress { marks.with(set) } else { *marks })
            };
            combinations =
                combinations.iter().flat_map(|begun| choices.iter().map(move |choice| longer(begun, choice))).collect();
        }
        combinations
    }

    fn strength(&self, state: State) -> Strength {
        self.components.number(state).map_or(Strength::Rejecting, |number| self.strengths[number as usize])
    }
}

/// Splits `within` into the letters that no edge of the reached states tells apart.
pub(super) fn letters(
    automaton: &Automaton,
    reached: &[State],
    within: &Bdd,
    budget: &Budget,
) -> Result<Vec<Bdd>, Exhausted> {
    let mut classes = vec![within.clone()];
    let mut labels: Vec<&Bdd> =
        reached.iter().flat_map(|&state| automaton.edges(state)).map(|edge| &edge.label).collect();
    labels.sort();
    labels.dedup();
    for label in labels {
        let mut finer = Vec::with_capacity(classes.len());
        for class in &classes {
            budget.check()?;
            finer.extend([class & label, class.minus(label)].into_iter().filter(|half| !half.is_false()));
        }
        classes = finer;
    }
    Ok(classes)
}

fn is_deterministic_inside(automaton: &Automaton, components: &Components, component: u32) -> bool {
    components.list()[component as usize].states.iter().all(|&state| {
        let mut seen = automaton.manager().no();
        automaton.edges(state).iter().filter(|edge| components.is_inner(state, edge)).all(|edge| {
            let fresh = !edge.label.intersects(&seen);
            seen = &seen | &edge.label;
            fresh
        })
    })
}
