//! The same automaton up to the numbers of its states?
//!
//! What: [`isomorphism`] gives a bijection between the reachable states of two automata that keeps the initial state and, for
//! each pair of states, the edges with their labels and marks; acceptance sets are not renamed and atoms are matched by name.
//!
//! How: states get colours, refined by the colours that their edges lead to and come from until nothing changes
//! [cardon.82.tcs]; a state can only be mapped to one of its colour. Where colours leave a choice, the search tries, from the
//! initial state on along edges, and goes back. Colours nearly always settle everything for automata; the search is
//! exponential at worst, so it gives up, with an answer of its own, after [`MAX_STEPS`] tries.
//!
//! Tested by: random automata with their states shuffled, and with one edge changed.

use kernel::budget::{Budget, Exhausted};

use std::collections::BTreeMap;

use crate::automaton::{Automaton, Edge, State};

/// Tries before the search gives up.
pub const MAX_STEPS: usize = 1 << 20;

/// What the search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Isomorphism {
    /// For each reachable state of the first automaton the state of the second, by breadth-first number.
    Found(Vec<State>),
    /// The automata are not isomorphic.
    None,
    /// The search gave up.
    Unknown,
}

/// Looks for an isomorphism between the reachable parts of two automata, edges with one target and one set of marks merged.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn isomorphism(first: &Automaton, second: &Automaton, budget: &Budget) -> Result<Isomorphism, Exhausted> {
    let first = &first.with_one_initial_state();
    let second = &second.with_one_initial_state();
    first.manager().within(budget, || {
        let (first, second) = Automaton::aligned(first, second);
        let [mut first, mut second] = [first, second].map(Automaton::reachable);
        first.merge_edges_within(budget)?;
        second.merge_edges_within(budget)?;
        let sizes = |a: &Automaton| (a.state_count(), a.edge_count(), a.sets());
        if sizes(&first) != sizes(&second) {
            return Ok(Isomorphism::None);
        }
        let colours = colours(&[&first, &second], budget)?;
        let search = Search { first: &first, second: &second, colours: &colours };
        search.run(budget)
    })
}

/// A colour for each state of each automaton: equal colours, as far as the surroundings tell.
fn colours(automata: &[&Automaton; 2], budget: &Budget) -> Result<[Vec<usize>; 2], Exhausted> {
    let start = |a: &Automaton| a.states().map(|state| usize::from(state == a.initial())).collect::<Vec<_>>();
    let mut colours = [start(automata[0]), start(automata[1])];
    let mut count = 0;
    loop {
        budget.check_now(0)?;
        // The surroundings of a state: its colour, then its edges out and in, by label, marks and colour of the other end.
        let surroundings = [0, 1].map(|side| {
            let automaton = automata[side];
            let mut around: Vec<(usize, Vec<_>)> = colours[side].iter().map(|&colour| (colour, Vec::new())).collect();
            for (source, edge) in automaton.all_edges() {
                let colour = |state: State| colours[side][state as usize];
                around[source as usize].1.push((false, &edge.label, edge.marks, colour(edge.target)));
                around[edge.target as usize].1.push((true, &edge.label, edge.marks, colour(source)));
            }
            around.iter_mut().for_each(|(_, list)| list.sort());
            around
        });
        let mut names: Vec<_> = surroundings.iter().flatten().collect();
        names.sort();
        names.dedup();
        if names.len() == count {
            return Ok(colours);
        }
        count = names.len();
        let name = |around| names.binary_search(&around).expect("every surrounding has a name");
        let renamed = surroundings.each_ref().map(|list| list.iter().map(name).collect());
        colours = renamed;
    }
}

struct Search<'a> {
    first: &'a Automaton,
    second: &'a Automaton,
    colours: &'a [Vec<usize>; 2],
}

impl Search<'_> {
    /// Maps the states of the first automaton in order, which is breadth first, and goes back where it gets stuck.
    fn run(&self, budget: &Budget) -> Result<Isomorphism, Exhausted> {
        let states = self.first.state_count();
        let mut of_colour: BTreeMap<usize, Vec<State>> = BTreeMap::new();
        for (&colour, state) in self.colours[1].iter().zip(0..) {
            of_colour.entry(colour).or_default().push(state);
        }
        let mut image: Vec<State> = Vec::new();
        let mut used = vec![false; states];
        // For each state mapped so far, and for the one to be mapped now, the place of the candidate to be tried next.
        let mut next = vec![0];
        for _ in 0..MAX_STEPS {
            budget.check()?;
            if image.len() == states {
                return Ok(Isomorphism::Found(image));
            }
            let Some(place) = next.last_mut() else { return Ok(Isomorphism::None) };
            let colour = self.colours[0][image.len()];
            let Some(&tried) = of_colour.get(&colour).and_then(|candidates| candidates.get(*place)) else {
                next.pop();
                if let Some(before) = image.pop() {
                    used[before as usize] = false;
                }
                continue;
            };
            *place += 1;
            if !used[tried as usize] && self.fits(&image, tried) {
                used[tried as usize] = true;
                image.push(tried);
                next.push(0);
            }
        }
        Ok(Isomorphism::Unknown)
    }

    /// Whether the next state can be mapped to `tried`, which has its colour, given the images of the states before it.
    fn fits(&self, image: &[State], tried: State) -> bool {
        let state = image.len() as State;
        image.iter().chain([&tried]).zip(0..).all(|(&other, known)| {
            self.same_edges(state, known, tried, other) && self.same_edges(known, state, other, tried)
        })
    }

    /// Whether the edges from `one` to `two` in the first automaton are those from `one_image` to `two_image` in the second.
    fn same_edges(&self, one: State, two: State, one_image: State, two_image: State) -> bool {
        fn between(automaton: &Automaton, from: State, to: State) -> impl Iterator<Item = &Edge> {
            automaton.edges(from).iter().filter(move |edge| edge.target == to)
        }
        // Merged edges are sorted by marks and then by label.
        let alike = |(a, b): (&Edge, &Edge)| a.marks == b.marks && a.label == b.label;
        between(self.first, one, two).count() == between(self.second, one_image, two_image).count()
            && between(self.first, one, two).zip(between(self.second, one_image, two_image)).all(alike)
    }
}
