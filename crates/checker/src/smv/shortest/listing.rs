//! The states and transitions of a model, listed through the interface between languages and engines.
//!
//! Contract: states are numbered in the order of a breadth-first search from the initial states. Only states that the
//! [`Wanted`] line may visit are listed, and only as far from the initial states as its bound allows. Each transition has
//! the letter that an automaton reads there: the truth of the atoms in its state, for its inputs and its next state.
//! Transitions that agree on both are listed once. If there are more than [`LISTED_STATES`] states or [`LISTED_STEPS`] transitions, the
//! listing is not whole.

use crate::thresholds::smv::{LISTED_STATES, LISTED_STEPS};
use std::collections::{HashMap, HashSet};

use flat::enumerate::Valuation;
use flat::evaluate::Evaluator;
use flat::explicit::{FlatStep, FlatSystem};
use flat::model::NodeId;
use kernel::budget::{Budget, Exhausted};
use kernel::system::{Fault, Successor, System, Visitor};
use omega::formula::AtomId;
use symbolic::witness::explicit::{Atom, Wanted};

/// The truth of the atoms of an automaton, one bit for each.
pub(super) type Letter = search::product::Valuation;

/// A transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Transition {
    pub(super) to: u32,
    pub(super) letter: Letter,
    /// The number of the input valuation.
    pub(super) input: u64,
}

/// A model, listed.
pub(super) struct Listing {
    states: Vec<Box<[u8]>>,
    pub(super) transitions: Vec<Vec<Transition>>,
    pub(super) initial: Vec<u32>,
    /// The number of the artificial state in which finite paths end, if these are wanted.
    end: Option<u32>,
    /// True if nothing was left out that a line within the bound may visit.
    pub(super) is_whole: bool,
}

impl Listing {
    /// Lists a model. `atoms` are those of the automaton.
    pub(super) fn new<'m>(system: &FlatSystem<'m>, wanted: &Wanted<'m>, atoms: &[AtomId], budget: &Budget) -> Self {
        let listing =
            Listing { states: Vec::new(), transitions: Vec::new(), initial: Vec::new(), end: None, is_whole: true };
        let numbers = HashMap::new();
        let letters = Letters::new(system, wanted, atoms);
        Lister { system, wanted, budget, letters, listing, numbers, outside: HashSet::new(), steps: 0 }.run()
    }

    /// A listed state, packed.
    pub(super) fn state(&self, number: u32) -> &[u8] {
        &self.states[number as usize]
    }

    /// True for the artificial state in which finite paths end.
    pub(super) fn is_end(&self, number: u32) -> bool {
        self.end == Some(number)
    }
}

struct Lister<'a, 'm> {
    system: &'a FlatSystem<'m>,
    wanted: &'a Wanted<'m>,
    budget: &'a Budget,
    letters: Letters<'a, 'm>,
    listing: Listing,
    numbers: HashMap<Box<[u8]>, u32>,
    /// States that no line may visit.
    outside: HashSet<Box<[u8]>>,
    steps: usize,
}

impl<'m> Lister<'_, 'm> {
    fn run(mut self) -> Listing {
        let mut scratch = self.system.scratch();
        let mut root = Vec::new();
        self.system.initial(&mut root);
        for (to, _) in self.successors(&mut scratch, &root) {
            self.listing.initial.push(to);
        }
        // A lasso with fewer steps than the bound returns from a state two steps nearer at the latest.
        let (mut depth, mut layer_end, mut next) = (0, self.listing.states.len(), 0);
        while next < self.listing.states.len() && self.listing.is_whole {
            if next == layer_end {
                (depth, layer_end) = (depth + 1, self.listing.states.len());
            }
            if self.wanted.bound.is_some_and(|bound| depth + 1 >= bound) {
                break;
            }
            let state = self.listing.states[next].clone();
            let found = self.successors(&mut scratch, &state);
            let mut transitions = self.letters.transitions(&self.listing, &state, &found);
            transitions.sort_unstable();
            transitions.dedup_by_key(|one| (one.to, one.letter));
            self.listing.transitions[next] = transitions;
            next += 1;
        }
        self.add_end();
        self.listing
    }

    /// The listed successors of a state, each with the number of the input valuation.
    fn successors(&mut self, scratch: &mut flat::explicit::Scratch<'m>, state: &[u8]) -> Vec<(u32, u64)> {
        let Lister { system, wanted, budget, listing, numbers, outside, steps, .. } = self;
        let mut found = Vec::new();
        let mut number = |state: &[u8]| -> Option<u32> {
            if let Some(known) = numbers.get(state) {
                return Some(*known);
            }
            if outside.contains(state) {
                return None;
            }
            let valuation = system.valuation(state).expect("only the root has no valuation");
            if !(wanted.within)(&valuation) {
                outside.insert(state.into());
                return None;
            }
            let number = u32::try_from(listing.states.len()).ok()?;
            numbers.insert(state.into(), number);
            listing.states.push(state.into());
            listing.transitions.push(Vec::new());
            Some(number)
        };
        let mut is_too_large = false;
        let mut each = |successor: Successor<'_, FlatStep>| {
            *steps += 1;
            if *steps > LISTED_STEPS || is_too_large {
                // The system notices this, and leaves out the rest.
                budget.exhaust(Exhausted::Memory);
                is_too_large = true;
                return;
            }
            let input = match successor.step {
                FlatStep::Start => 0,
                FlatStep::Input(number) => number,
            };
            if let Some(to) = number(successor.state) {
                is_too_large = to as usize >= LISTED_STATES;
                found.push((to, input));
            }
        };
        system.successors(scratch, state, &mut Each(&mut each));
        self.listing.is_whole &= !is_too_large && self.budget.exhausted(0).is_none();
        found
    }

    /// Adds the artificial state in which finite paths end.
    fn add_end(&mut self) {
        let Some(ends) = &self.wanted.ends else { return };
        let end = self.listing.states.len() as u32;
        for state in 0..end {
            let packed = &self.listing.states[state as usize];
            let valuation = self.system.valuation(packed).expect("only the root has no valuation");
            if ends(&valuation) {
                let letter = self.letters.of_state(&valuation);
                self.listing.transitions[state as usize].push(Transition { to: end, letter, input: 0 });
            }
        }
        let letter = self.letters.of_end();
        self.listing.transitions.push(vec![Transition { to: end, letter, input: 0 }]);
        self.listing.states.push(Box::default());
        self.listing.end = Some(end);
    }
}

/// The letters that an automaton reads.
struct Letters<'a, 'm> {
    system: &'a FlatSystem<'m>,
    wanted: &'a Wanted<'m>,
    evaluator: Evaluator<'m>,
    /// The number of each atom of the automaton in the pool of the formula.
    atoms: Vec<usize>,
}

impl<'a, 'm> Letters<'a, 'm> {
    fn new(system: &'a FlatSystem<'m>, wanted: &'a Wanted<'m>, atoms: &[AtomId]) -> Self {
        let evaluator = Evaluator::new(wanted.model);
        Letters { system, wanted, evaluator, atoms: atoms.iter().map(|atom| atom.index()).collect() }
    }

    /// The expressions about transitions, with their bits.
    fn about_transitions(&self) -> Vec<(usize, NodeId)> {
        let about = |(bit, atom): (usize, &usize)| match self.wanted.atoms[*atom] {
            Atom::Node(node) => {
                let mentions = self.wanted.model.facts(node).mentions;
                (mentions.next || mentions.input).then_some((bit, node))
            }
            Atom::States(_) | Atom::End => None,
        };
        self.atoms.iter().enumerate().filter_map(about).collect()
    }

    /// The truth of the atoms about a state alone.
    fn of_state(&mut self, valuation: &Valuation) -> Letter {
        let mut letter = 0;
        for (bit, atom) in self.atoms.iter().enumerate() {
            let truth = match &self.wanted.atoms[*atom] {
                Atom::Node(node) => {
                    let mentions = self.wanted.model.facts(*node).mentions;
                    !mentions.next && !mentions.input && self.evaluator.truth(*node, valuation, None) == Ok(true)
                }
                Atom::States(set) => set(valuation),
                Atom::End => false,
            };
            letter |= Letter::from(truth) << bit;
        }
        letter
    }

    /// The letter after the end of a finite path.
    fn of_end(&self) -> Letter {
        let is_end = |atom: &usize| matches!(self.wanted.atoms[*atom], Atom::End);
        self.atoms.iter().enumerate().fold(0, |letter, (bit, atom)| letter | Letter::from(is_end(atom)) << bit)
    }

    fn transitions(&mut self, listing: &Listing, state: &[u8], found: &[(u32, u64)]) -> Vec<Transition> {
        let mut current = self.system.valuation(state).expect("only the root has no valuation");
        let of_state = self.of_state(&current);
        let about_transitions = self.about_transitions();
        let mut transitions = Vec::new();
        for &(to, input) in found {
            let mut letter = of_state;
            if !about_transitions.is_empty() {
                self.system.set_inputs(FlatStep::Input(input), &mut current);
                let next = self.system.valuation(listing.state(to)).expect("only the root has no valuation");
                for (bit, node) in &about_transitions {
                    let truth = self.evaluator.truth(*node, &current, Some(&next)) == Ok(true);
                    letter |= Letter::from(truth) << bit;
                }
            }
            transitions.push(Transition { to, letter, input });
        }
        transitions
    }
}

/// Calls a function for each successor.
struct Each<'a, F>(&'a mut F);

impl<F: FnMut(Successor<'_, FlatStep>)> Visitor<FlatStep> for Each<'_, F> {
    fn successor(&mut self, successor: Successor<'_, FlatStep>) {
        (self.0)(successor);
    }

    fn fault(&mut self, _: FlatStep, _: Fault) {}
}
