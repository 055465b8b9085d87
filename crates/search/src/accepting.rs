//! Systems with acceptance, the input of an emptiness check: some of their infinite runs are accepting.
//!
//! Acceptance is generalised Büchi on steps: each step carries marks, and a run is accepting if it takes steps with each
//! mark infinitely often. State-based Büchi acceptance, which nested searches need, is the special case of one mark that
//! all steps out of a state carry or none does. A system may also say in which component of the property automaton a
//! state lies and how strong that component is, so that a search can leave out what cannot find anything.

use kernel::system::System;
use omega::analyse::strength::Strength;
use omega::automaton::Marks;

/// What is known about the part of the property automaton a state belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    /// Equal for states of one part only, and small: tables are indexed by it.
    pub number: u32,
    /// What the cycles inside the part are like.
    pub strength: Strength,
}

impl Component {
    /// The answer of a system that knows nothing: one part, with cycles of any kind.
    pub const WHOLE: Component = Component { number: 0, strength: Strength::Strong };
}

/// A system with acceptance.
///
/// Laws, beyond those of [`System`]:
///
/// 1. there is at least one mark: [`Accepting::sets`] is positive, and marks are below it;
/// 2. if [`Accepting::is_state_based`], there is one mark, and [`Accepting::accepting`] holds for a state exactly if all
///    steps out of it carry the mark; otherwise none of them does;
/// 3. where acceptance is state-based, transient states are not accepting;
/// 4. all states of a cycle have one [`Component`]. No cycle is accepting where the strength is
///    [`Strength::Rejecting`]; every cycle with a state that is not transient is accepting where it is
///    [`Strength::Weak`] or [`Strength::Terminal`].
pub trait Accepting: System {
    /// The number of acceptance sets.
    fn sets(&self) -> u32;

    /// The acceptance sets a step belongs to.
    fn marks(&self, step: Self::Step) -> Marks;

    /// Whether acceptance is a matter of states: see law 2.
    fn is_state_based(&self) -> bool;

    /// Whether a state is accepting; meaningful where acceptance is state-based.
    fn accepting(&self, state: &[u8]) -> bool;

    /// Where in the property a state lies.
    fn component(&self, state: &[u8]) -> Component {
        let _ = state;
        Component::WHOLE
    }
}

/// Checks laws 1 to 3 on at most `limit` states, breadth first.
///
/// # Panics
/// If a law is broken.
pub fn check_laws<A: Accepting>(system: &A, limit: usize) {
    kernel::system::laws::check(system, limit);
    assert!(system.sets() > 0, "law 1: there is a mark");
    assert!(!system.is_state_based() || system.sets() == 1, "law 2: one mark where acceptance is state-based");
    let all = Marks::all(system.sets());
    let mut scratch = system.scratch();
    let mut initial = Vec::new();
    system.initial(&mut initial);
    let mut seen = std::collections::BTreeSet::from([initial.clone()]);
    let mut queue = std::collections::VecDeque::from([(initial, false)]);
    while let Some((state, is_transient)) = queue.pop_front() {
        for (step, next, transient) in kernel::system::record(system, &mut scratch, &state).successors {
            let marks = system.marks(step);
            assert!(all.includes(marks), "law 1: marks are below their number");
            let wanted = if system.accepting(&state) { all } else { Marks::NONE };
            assert!(!system.is_state_based() || marks == wanted, "law 2: the steps out of {state:?} agree with it");
            let is_marked = system.is_state_based() && system.accepting(&state);
            assert!(!(is_transient && is_marked), "law 3: the transient state {state:?} is accepting");
            if seen.len() < limit && seen.insert(next.clone()) {
                queue.push_back((next, transient));
            }
        }
    }
}
