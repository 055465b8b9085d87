//! Where a language stands in the hierarchy of temporal properties, decided through automata.
//!
//! What: [`hierarchy`] takes an automaton for a language and one for its complement and tells which of the classes of
//! [manna.90.podc] the language belongs to: safety, guarantee, obligation, persistence, recurrence; reactivity holds always.
//! What the shape of a formula tells without automata is in [`crate::analyse::classify`].
//!
//! How:
//! - Safety: the automaton without its useless states and without its acceptance accepts the closure of the language
//!   [alpern.87.dc]; the language is a safety property if no word of the closure is in the complement.
//! - Persistence: the states of the automaton are paired with the set of all states that the same prefix reaches. A run of
//!   pairs that stays in a component with an accepting cycle counts as accepted. If any co-Büchi automaton has the language
//!   then this one has [boker.09.lics], so again no word of it may be in the complement. Deviation: the proof there, for one
//!   acceptance set on states, goes through word for word for several sets on transitions.
//! - Guarantee and recurrence are safety and persistence of the complement; obligations are what is both persistence and
//!   recurrence [landweber.69.mst].
//!
//! Contract: the pairs are limited; beyond that the answer is [`TooLarge`]. Deterministic.
//!
//! Tested by: deterministic automata whose loops are enumerated, on which the classes can be read off [landweber.69.mst],
//! and by the syntactic classes, which must imply these (`tests/hierarchy.rs`).

use crate::table::HashMap;
use std::collections::BTreeMap;

use bdd::Bdd;
use kernel::budget::{Budget, Exhausted};

use crate::automaton::emptiness::is_empty_within;
use crate::automaton::scc::Components;
use crate::automaton::{Automaton, Marks, State};
use crate::combine::product::intersection;
use crate::limit::{Incomplete, TooLarge};

/// Pairs of a state and a set of states that may be explored, unless told otherwise.
pub const DEFAULT_LIMIT: usize = 1 << 13;

/// The classes a language belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hierarchy {
    /// Every violation shows after finitely many letters.
    pub safety: bool,
    /// Every satisfaction shows after finitely many letters.
    pub guarantee: bool,
    /// Something holds from some point on.
    pub persistence: bool,
    /// Something holds again and again.
    pub recurrence: bool,
}

impl Hierarchy {
    /// Whether the language is a Boolean combination of safety and guarantee properties.
    #[must_use]
    pub fn obligation(self) -> bool {
        self.persistence && self.recurrence
    }

    /// The smallest class, in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Hierarchy { safety: true, guarantee: true, .. } => "safety and guarantee",
            Hierarchy { safety: true, .. } => "safety",
            Hierarchy { guarantee: true, .. } => "guarantee",
            _ if self.obligation() => "obligation",
            Hierarchy { persistence: true, .. } => "persistence",
            Hierarchy { recurrence: true, .. } => "recurrence",
            _ => "reactivity",
        }
    }
}

/// The classes of the language of `automaton`; `complement` accepts exactly the other words.
///
/// ```
/// use kernel::budget::Budget;
/// use omega::formula::Formulas;
/// use omega::analyse::hierarchy::{DEFAULT_LIMIT, hierarchy};
/// use omega::parse::{Syntax, parse};
/// use omega::translate::gpvw;
///
/// let mut formulas = Formulas::new();
/// let [yes, no] = ["G(a -> Fb)", "!G(a -> Fb)"].map(|text| {
///     let formula = parse(&mut formulas, text, Syntax::Spot).unwrap();
///     gpvw::translate(&mut formulas, formula, 100, &Budget::unlimited()).unwrap()
/// });
/// assert_eq!(hierarchy(&yes, &no, DEFAULT_LIMIT, &Budget::unlimited()).unwrap().name(), "recurrence");
/// ```
///
/// # Errors
/// If the search would visit more than `limit` pairs, or the budget is exhausted.
pub fn hierarchy(
    automaton: &Automaton,
    complement: &Automaton,
    limit: usize,
    budget: &Budget,
) -> Result<Hierarchy, Incomplete> {
    let automaton = &automaton.with_one_initial_state();
    let complement = &complement.with_one_initial_state();
    let safety = is_closed(automaton, complement, budget)?;
    let guarantee = is_closed(complement, automaton, budget)?;
    // The lower classes are contained in both upper ones.
    let low = safety || guarantee;
    let persistence = low || is_persistence(automaton, complement, limit, budget)?;
    let recurrence = low || is_persistence(complement, automaton, limit, budget)?;
    Ok(Hierarchy { safety, guarantee, persistence, recurrence })
}

/// Whether the language contains its limits.
fn is_closed(automaton: &Automaton, complement: &Automaton, budget: &Budget) -> Result<bool, Exhausted> {
    let useful = useful(automaton);
    let mut closure = useful.empty_like(0);
    closure.add_states(useful.state_count());
    closure.set_initial(useful.initial());
    for (source, edge) in useful.all_edges() {
        closure.add_edge(source, edge.target, &edge.label, Marks::NONE);
    }
    is_empty_within(&intersection(&closure, complement, budget)?, budget)
}

/// Whether some co-Büchi automaton has the language.
fn is_persistence(
    automaton: &Automaton,
    complement: &Automaton,
    limit: usize,
    budget: &Budget,
) -> Result<bool, Incomplete> {
    let pairs = automaton.manager().within(budget, || Pairs::explore(&useful(automaton), limit, budget))?;
    Ok(is_empty_within(&intersection(&pairs, complement, budget)?, budget)?)
}

/// The automaton without states from which nothing is accepted.
fn useful(automaton: &Automaton) -> Automaton {
    let useful = Components::of(automaton).useful_states(automaton);
    let keep = |state: State| state == automaton.initial() || useful[state as usize];
    let order: Vec<State> = automaton.states().filter(|&state| keep(state)).collect();
    let place = |state: State| order.binary_search(&state).ok().map(|at| at as State);
    let mut kept = automaton.clone().with_states(&order, place);
    if !useful[automaton.initial() as usize] {
        kept.edges_mut(0).clear();
    }
    kept
}

/// A set of states, ascending.
type States = Vec<State>;

/// The pairs of a state and the set of states reached together.
struct Pairs<'a> {
    automaton: &'a Automaton,
    /// For each set the sets that follow it, with the letters under which they do.
    following: HashMap<States, Vec<(Bdd, States)>>,
    limit: usize,
}

impl Pairs<'_> {
    /// The automaton of the pairs: a run is accepting if it stays in a component that has an accepting cycle.
    fn explore(automaton: &Automaton, limit: usize, budget: &Budget) -> Result<Automaton, Incomplete> {
        let mut pairs = Pairs { automaton, following: HashMap::default(), limit };
        let mut result = automaton.empty_like(automaton.sets());
        let mut number: HashMap<(State, States), State> = HashMap::default();
        let mut order = vec![(automaton.initial(), vec![automaton.initial()])];
        number.insert(order[0].clone(), result.add_state());
        let mut done = 0;
        while let Some((state, together)) = order.get(done).cloned() {
            let source = done as State;
            done += 1;
            pairs.follow(&together, budget)?;
            for (letters, next) in &pairs.following[&together] {
                for edge in automaton.edges(state).iter().filter(|edge| edge.label.intersects(letters)) {
                    budget.check()?;
                    let pair = (edge.target, next.clone());
                    let target = match number.get(&pair) {
                        Some(&known) => known,
                        None if order.len() == limit => return Err(TooLarge::States(limit).into()),
                        None => {
                            let fresh = result.add_state();
                            number.insert(pair.clone(), fresh);
                            order.push(pair);
                            fresh
                        }
                    };
                    result.add_edge(source, target, &(&edge.label & letters), edge.marks);
                }
            }
        }
        Ok(accepting_by_component(&result))
    }

    /// Finds what follows a set, if it is not known.
    fn follow(&mut self, together: &States, budget: &Budget) -> Result<(), Incomplete> {
        if self.following.contains_key(together) {
            return Ok(());
        }
        let mut parts: Vec<(Bdd, States)> = vec![(self.automaton.manager().yes(), Vec::new())];
        for edge in together.iter().flat_map(|&state| self.automaton.edges(state)) {
            let mut split = Vec::new();
            for (letters, mut next) in parts {
                budget.check()?;
                let outside = letters.minus(&edge.label);
                if !outside.is_false() {
                    split.push((outside, next.clone()));
                }
                let inside = &letters & &edge.label;
                if !inside.is_false() {
                    next.push(edge.target);
                    split.push((inside, next));
                }
            }
            if split.len() > self.limit {
                return Err(TooLarge::States(self.limit).into());
            }
            parts = split;
        }
        let mut merged: BTreeMap<States, Bdd> = BTreeMap::new();
        for (letters, mut next) in parts {
            next.sort_unstable();
            next.dedup();
            merged.entry(next).and_modify(|known| *known = &*known | &letters).or_insert(letters);
        }
        let following = merged.into_iter().map(|(next, letters)| (letters, next)).collect();
        self.following.insert(together.clone(), following);
        Ok(())
    }
}

/// The same graph with one set, which all inner edges of accepting components meet, and no others.
fn accepting_by_component(automaton: &Automaton) -> Automaton {
    let components = Components::of(automaton);
    let mut result = automaton.empty_like(1);
    result.add_states(automaton.state_count());
    result.set_initial(automaton.initial());
    for (source, edge) in automaton.all_edges() {
        let number = components.number(source);
        let accepting = number.is_some_and(|number| components.is_accepting(number));
        let meets = accepting && components.is_inner(source, edge);
        result.add_edge(source, edge.target, &edge.label, if meets { Marks::one(0) } else { Marks::NONE });
    }
    result
}
