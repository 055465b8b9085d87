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
