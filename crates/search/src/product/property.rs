//! A property automaton prepared for a product: edges in a flat table, labels as masks over the valuation.
//!
//! What: the label of an edge becomes an irredundant list of cubes [minato.92.sasimi], each two words: which atoms
//! matter and what they must be. Edges may be reordered so that a depth-first search meets accepting states early, the
//! question left open at the end of [gastin.04.spin]: an edge goes before another if its target is nearer, in edges, to
//! an accepting state on a cycle.
//!
//! Contract: the bit of atom `i` of the automaton is bit `i` of a valuation. Deterministic. An automaton without
//! acceptance sets gets one to which all edges belong, so that runs in which the automaton stands still never accept.

use crate::accepting::Component;
use crate::graph::components;
use crate::team::message::{Reader, put_numbers};
use crate::thresholds::product::MAX_CUBES;
use omega::analyse::strength::Strength;
use omega::automaton::Marks;
use omega::automaton::emptiness::RunEdge;
use omega::automaton::scc::Components;
use omega::automaton::{Automaton, Edge, State};
use std::fmt;
use std::ops::Range;

/// The truth of the property's atoms in a state, one bit per atom.
pub type Valuation = u128;

/// How many atoms a property can have.
pub const MAX_ATOMS: usize = Valuation::BITS as usize;

/// The reason why an automaton cannot become a [`Property`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoProperty {
    /// The automaton has more atoms than [`MAX_ATOMS`].
    TooManyAtoms,
    /// The labels, as sums of products, have too many products.
    LongLabels,
}

impl fmt::Display for NoProperty {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoProperty::TooManyAtoms => write!(out, "the property has more than {MAX_ATOMS} atoms"),
            NoProperty::LongLabels => {
                write!(out, "the labels of the property have more than {MAX_CUBES} conjunctions of literals")
            }
        }
    }
}

impl std::error::Error for NoProperty {}

/// In which order the edges of a state are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EdgeOrder {
    /// As the automaton has them.
    AsGiven,
    /// Those that lead to an accepting state on a cycle first, otherwise as given: what [gastin.04.spin] did by hand.
    AcceptingFirst,
    /// By the distance of their targets from an accepting state on a cycle, otherwise as given.
    #[default]
    Automatic,
}

impl EdgeOrder {
    /// All of them.
    pub const ALL: [EdgeOrder; 3] = [EdgeOrder::AsGiven, EdgeOrder::AcceptingFirst, EdgeOrder::Automatic];

    /// The name, as in options and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            EdgeOrder::AsGiven => "as-given",
            EdgeOrder::AcceptingFirst => "accepting-first",
            EdgeOrder::Automatic => "automatic",
        }
    }

    /// What it is, in a few words.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            EdgeOrder::AsGiven => "as the automaton has them",
            EdgeOrder::AcceptingFirst => "those to accepting states first",
            EdgeOrder::Automatic => "by the distance of their targets from accepting states",
        }
    }
}

/// An edge, by its number in a [`Property`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeNumber(pub u32);

/// A compiled automaton.
#[derive(Clone, Debug)]
pub struct Property {
    states: Vec<Facts>,
    edges: Vec<Compiled>,
    cubes: Vec<Cube>,
    initial: State,
    sets: u32,
    is_state_based: bool,
}

#[derive(Clone, Debug)]
struct Facts {
    edges: Range<u32>,
    is_accepting: bool,
    component: Component,
    /// Some edge leads to a terminal component.
    can_decide: bool,
}

#[derive(Clone, Debug)]
struct Compiled {
    target: State,
    marks: Marks,
    cubes: Range<u32>,
    origin: RunEdge,
}

#[derive(Clone, Copy, Debug)]
struct Cube {
    relevant: Valuation,
    value: Valuation,
}

impl Property {
    /// Compiles an automaton.
    ///
    /// # Errors
    /// If there are too many atoms, or the labels are too long.
    pub fn new(automaton: &Automaton, order: EdgeOrder) -> Result<Self, NoProperty> {
        if automaton.atoms().len() > MAX_ATOMS {
            return Err(NoProperty::TooManyAtoms);
        }
        let mut property = Self {
            states: Vec::new(),
            edges: Vec::new(),
            cubes: Vec::new(),
            initial: automaton.initial(),
            sets: automaton.sets().max(1),
            is_state_based: automaton.sets() <= 1 && automaton.is_state_based(),
        };
        let components = components(automaton);
        let distances = distances_to_acceptance(automaton);
        let is_terminal = |state: State| components[state as usize].strength == Strength::Terminal;
        for state in automaton.states() {
            let first = property.edges.len() as u32;
            let mut edges: Vec<(usize, &Edge)> = automaton.edges(state).iter().enumerate().collect();
            match order {
                EdgeOrder::AsGiven => {}
                EdgeOrder::AcceptingFirst => edges.sort_by_key(|(_, edge)| distances[edge.target as usize] > 0),
                EdgeOrder::Automatic => edges.sort_by_key(|(_, edge)| distances[edge.target as usize]),
            }
            for (index, edge) in edges {
                property.add(edge, RunEdge { source: state, edge: index }, automaton.sets() == 0)?;
            }
            property.states.push(Facts {
                edges: first..property.edges.len() as u32,
                is_accepting: automaton.state_marks(state) == Some(automaton.all_marks()),
                component: components[state as usize],
                can_decide: automaton.edges(state).iter().any(|edge| is_terminal(edge.target)),
            });
        }
        Ok(property)
    }

    fn add(&mut self, edge: &Edge, origin: RunEdge, is_marked: bool) -> Result<(), NoProperty> {
        let first = self.cubes.len() as u32;
        // A small diagram can have an exponentially long cover.
        let cover = edge.label.try_cover_at_most(MAX_CUBES - self.cubes.len());
        for cube in cover.ok().flatten().ok_or(NoProperty::LongLabels)? {
            let bits = |wanted: fn(bool) -> bool| {
                let literals = cube.literals().iter().filter(|(_, value)| wanted(*value));
                literals.fold(0, |bits, (variable, _)| bits | 1 << variable.0)
            };
            self.cubes.push(Cube { relevant: bits(|_| true), value: bits(|value| value) });
        }
        let marks = if is_marked { Marks::one(0) } else { edge.marks };
        self.edges.push(Compiled { target: edge.target, marks, cubes: first..self.cubes.len() as u32, origin });
        Ok(())
    }

    /// The initial state.
    #[must_use]
    pub fn initial(&self) -> State {
        self.initial
    }

    /// The number of states.
    #[must_use]
    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    /// The number of acceptance sets, at least one.
    #[must_use]
    pub fn sets(&self) -> u32 {
        self.sets
    }

    /// Whether acceptance is a matter of states.
    #[must_use]
    pub fn is_state_based(&self) -> bool {
        self.is_state_based
    }

    /// Whether a state is accepting.
    #[must_use]
    pub fn accepting(&self, state: State) -> bool {
        self.states[state as usize].is_accepting
    }

    /// The component of a state.
    #[must_use]
    pub fn component(&self, state: State) -> Component {
        self.states[state as usize].component
    }

    /// Whether some edge of a state leads to a terminal component.
    pub(crate) fn can_decide(&self, state: State) -> bool {
        self.states[state as usize].can_decide
    }

    /// Whether there are terminal components.
    pub(crate) fn has_terminal(&self) -> bool {
        self.states.iter().any(|facts| facts.component.strength == Strength::Terminal)
    }

    /// The edges of a state that can be taken under a valuation, in order, with their targets.
    #[inline]
    pub fn enabled(&self, state: State, valuation: Valuation) -> impl Iterator<Item = (EdgeNumber, State)> {
        self.states[state as usize].edges.clone().filter_map(move |number| {
            let edge = &self.edges[number as usize];
            let cubes = &self.cubes[edge.cubes.start as usize..edge.cubes.end as usize];
            let is_enabled = cubes.iter().any(|cube| valuation & cube.relevant == cube.value);
            is_enabled.then_some((EdgeNumber(number), edge.target))
        })
    }

    /// The marks of an edge.
    #[must_use]
    pub fn marks(&self, edge: EdgeNumber) -> Marks {
        self.edges[edge.0 as usize].marks
    }

    /// The edge of the automaton that an edge was compiled from.
    #[must_use]
    pub fn origin(&self, edge: EdgeNumber) -> RunEdge {
        self.edges[edge.0 as usize].origin
    }
}

/// The strengths by their numbers in a message.
const STRENGTHS: [Strength; 4] = [Strength::Rejecting, Strength::Terminal, Strength::Weak, Strength::Strong];

/// An automaton that travels to other processes, as it is.
impl Property {
    /// The automaton as bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut put = |numbers: &[u64]| put_numbers(&mut bytes, numbers);
        let range = |range: &Range<u32>| [u64::from(range.start), u64::from(range.end)];
        let halves = |bits: u128| [bits as u64, (bits >> 64) as u64];
        put(&[self.states.len() as u64, self.edges.len() as u64, self.cubes.len() as u64]);
        put(&[u64::from(self.initial), u64::from(self.sets), u64::from(self.is_state_based)]);
        for Facts { edges, is_accepting, component, can_decide } in &self.states {
            put(&range(edges));
            let strength = STRENGTHS.iter().position(|one| *one == component.strength);
            let flags = u64::from(*is_accepting) | u64::from(*can_decide) << 1;
            put(&[flags, u64::from(component.number), strength.map_or(0, |place| place as u64)]);
        }
        for Compiled { target, marks, cubes, origin } in &self.edges {
            put(&[u64::from(*target), u64::from(origin.source), origin.edge as u64]);
            put(&halves(marks.bits()));
            put(&range(cubes));
        }
        for Cube { relevant, value } in &self.cubes {
            put(&halves(*relevant));
            put(&halves(*value));
        }
        bytes
    }

    /// The automaton of such bytes.
    ///
    /// # Panics
    /// If they were not written by [`Property::encode`].
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Self {
        let mut reader = Reader { rest: bytes };
        let mut number = || reader.number();
        let range = |number: &mut dyn FnMut() -> u64| number() as u32..number() as u32;
        let bits = |number: &mut dyn FnMut() -> u64| u128::from(number()) | u128::from(number()) << 64;
        let [states, edges, cubes] = std::array::from_fn(|_| number());
        let (initial, sets, is_state_based) = (number() as State, number() as u32, number() == 1);
        let states = (0..states).map(|_| {
            let (edges, flags) = (range(&mut number), number());
            let component = Component { number: number() as u32, strength: STRENGTHS[number() as usize] };
            Facts { edges, is_accepting: flags & 1 == 1, component, can_decide: flags & 2 == 2 }
        });
        let states = states.collect();
        let edges = (0..edges).map(|_| {
            let (target, origin) = (number() as State, RunEdge { source: number() as State, edge: number() as usize });
            Compiled { target, marks: Marks::of_bits(bits(&mut number)), cubes: range(&mut number), origin }
        });
        let edges = edges.collect();
        let cubes = (0..cubes).map(|_| Cube { relevant: bits(&mut number), value: bits(&mut number) }).collect();
        Self { states, edges, cubes, initial, sets, is_state_based }
    }
}

/// For each state the number of edges to the nearest one that has a marked edge inside an accepting component.
fn distances_to_acceptance(automaton: &Automaton) -> Vec<u32> {
    let components = Components::of(automaton);
    let is_goal = |state: State| {
        components.number(state).is_some_and(|number| components.is_accepting(number))
            && automaton
                .edges(state)
                .iter()
                .any(|edge| components.is_inner(state, edge) && (automaton.sets() == 0 || !edge.marks.is_empty()))
    };
    let edges = |state| automaton.edges(state).iter().map(|edge| (edge.target, ()));
    let graph = graph::from_fn(automaton.state_count(), edges);
    let distances = graph::paths::distances_to(&graph, is_goal);
    distances.into_iter().map(|distance| distance.unwrap_or(u32::MAX)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_automaton_survives_the_way() {
        let cube = Cube { relevant: 1 << 100 | 3, value: 1 << 100 };
        let component = Component { number: 7, strength: Strength::Weak };
        let facts = |edges, is_accepting| Facts { edges, is_accepting, component, can_decide: !is_accepting };
        let origin = RunEdge { source: 1, edge: 2 };
        let property = Property {
            states: vec![facts(0..1, true), facts(1..1, false)],
            edges: vec![Compiled { target: 1, marks: Marks::one(70), cubes: 0..1, origin }],
            cubes: vec![cube],
            initial: 1,
            sets: 71,
            is_state_based: false,
        };
        let copy = Property::decode(&property.encode());
        assert_eq!(format!("{copy:?}"), format!("{property:?}"));
    }
}
