//! An automaton as a system of its own: its states are the states, its edges the steps, and labels do not matter, since
//! the contract of [`Automaton`] says that each can be satisfied.
//!
//! The lassos of this system are the accepting runs of the automaton; `lariat automaton FILE --shortest-lasso` and the
//! tests of the searches live on it.

use crate::accepting::{Accepting, Component};
use crate::lasso::Lasso;
use kernel::system::{Ending, Successor, System, Visitor};
use omega::analyse::strength::strengths;
use omega::automaton::Marks;
use omega::automaton::emptiness::{Run, RunEdge};
use omega::automaton::scc::Components;
use omega::automaton::{Automaton, State};

/// A view of an automaton as a system.
///
/// ```
/// use omega::automaton::{Automaton, Marks};
/// use search::accepting::Accepting;
/// use search::graph::Graph;
///
/// let mut automaton = Automaton::new(["a"], 1);
/// let state = automaton.add_state();
/// automaton.add_edge(state, state, &automaton.atom(0), Marks::one(0));
/// assert!(Graph::new(&automaton).accepting(&0_u32.to_le_bytes()));
/// ```
#[derive(Debug)]
pub struct Graph<'a> {
    automaton: &'a Automaton,
    sets: u32,
    is_state_based: bool,
    accepting: Vec<bool>,
    components: Vec<Component>,
}

impl<'a> Graph<'a> {
    /// The view.
    #[must_use]
    pub fn new(automaton: &'a Automaton) -> Self {
        let all = automaton.all_marks();
        let accepting = automaton.states().map(|state| automaton.state_marks(state) == Some(all));
        Self {
            automaton,
            sets: automaton.sets().max(1),
            is_state_based: automaton.sets() <= 1 && automaton.is_state_based(),
            accepting: accepting.collect(),
            components: components(automaton),
        }
    }

    /// The automaton.
    #[must_use]
    pub fn automaton(&self) -> &'a Automaton {
        self.automaton
    }

    /// The state of the automaton that a packed state is.
    ///
    /// # Panics
    /// If the bytes are not a state of this system.
    #[must_use]
    pub fn state(bytes: &[u8]) -> State {
        State::from_le_bytes(bytes.try_into().expect("a packed state has four bytes"))
    }

    /// A lasso as a run of the automaton.
    #[must_use]
    pub fn run(lasso: &Lasso<RunEdge>) -> Run {
        let steps = |moves: &[crate::lasso::Move<RunEdge>]| moves.iter().map(|next| next.step).collect();
        Run { stem: steps(&lasso.stem), cycle: steps(&lasso.cycle) }
    }
}

/// Component and strength of each state; unreachable states get numbers of their own.
pub(crate) fn components(automaton: &Automaton) -> Vec<Component> {
    let components = Components::of(automaton);
    let strengths = strengths(automaton, &components);
    let known = |number: u32| Component { number, strength: strengths[number as usize] };
    let unknown = |state: State| Component { number: strengths.len() as u32 + state, ..Component::WHOLE };
    automaton.states().map(|state| components.number(state).map_or_else(|| unknown(state), known)).collect()
}

impl System for Graph<'_> {
    type Step = RunEdge;
    type Scratch = ();

    fn scratch(&self) {}

    fn initial(&self, into: &mut Vec<u8>) {
        into.clear();
        into.extend_from_slice(&self.automaton.initial().to_le_bytes());
    }

    fn successors<V: Visitor<RunEdge>>(&self, (): &mut (), state: &[u8], visitor: &mut V) {
        let source = Self::state(state);
        for (edge, next) in self.automaton.edges(source).iter().enumerate() {
            let state = &next.target.to_le_bytes();
            visitor.successor(Successor { step: RunEdge { source, edge }, state, transient: false });
        }
    }

    fn ending(&self, (): &mut (), _state: &[u8]) -> Ending {
        Ending::Valid
    }
}

impl Accepting for Graph<'_> {
    fn sets(&self) -> u32 {
        self.sets
    }

    fn marks(&self, step: RunEdge) -> Marks {
        if self.automaton.sets() == 0 { Marks::one(0) } else { step.of(self.automaton).marks }
    }

    fn is_state_based(&self) -> bool {
        self.is_state_based
    }

    fn accepting(&self, state: &[u8]) -> bool {
        self.accepting[Self::state(state) as usize]
    }

    fn component(&self, state: &[u8]) -> Component {
        self.components[Self::state(state) as usize]
    }
}
