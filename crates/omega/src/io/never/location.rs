//! The control locations of a claim, and the automaton they make.
//!
//! A location has guarded steps, or alternatives that begin elsewhere, or is another name for a location (after `goto`,
//! at the end of an option). The states are the locations that steps lead to, names followed.

use std::collections::HashMap;

use bdd::{Bdd, Manager};

use crate::automaton::{Automaton, Marks, State};

pub(super) type Location = usize;

/// Where the claim ends: everything that follows is accepted.
pub(super) const END: Location = 0;

#[derive(Default)]
struct Node {
    steps: Vec<(Bdd, Location)>,
    alternatives: Vec<Location>,
    same_as: Option<Location>,
    accepting: bool,
    name: Option<String>,
}

/// The locations of one claim.
pub(super) struct Locations {
    nodes: Vec<Node>,
}

impl Locations {
    pub(super) fn new(manager: &Manager) -> Self {
        let end = Node { steps: vec![(manager.yes(), END)], accepting: true, ..Node::default() };
        Locations { nodes: vec![end] }
    }

    pub(super) fn fresh(&mut self) -> Location {
        self.nodes.push(Node::default());
        self.nodes.len() - 1
    }

    pub(super) fn step(&mut self, from: Location, guard: Bdd, to: Location) {
        self.nodes[from].steps.push((guard, to));
    }

    pub(super) fn alternative(&mut self, from: Location, begins: Location) {
        self.nodes[from].alternatives.push(begins);
    }

    /// Makes a location without steps another name for `other`.
    pub(super) fn alias(&mut self, location: Location, other: Location) {
        self.nodes[location].same_as = Some(other);
    }

    pub(super) fn label(&mut self, location: Location, name: &str) {
        self.nodes[location].accepting |= name.starts_with("accept");
        self.nodes[location].name.get_or_insert_with(|| name.to_owned());
    }

    /// The location behind all names; a location that only names itself stays, and has no steps.
    fn resolve(&self, location: Location) -> Location {
        let mut at = location;
        for _ in 0..self.nodes.len() {
            match self.nodes[at].same_as {
                Some(other) => at = other,
                None if self.only_ends(at) => return END,
                None => return at,
            }
        }
        at
    }

    /// Whether all that can be done is a `skip` to the end of the claim, which is to be at the end already.
    fn only_ends(&self, location: Location) -> bool {
        let Node { steps, alternatives, .. } = &self.nodes[location];
        let [(guard, to)] = steps.as_slice() else { return false };
        alternatives.is_empty() && guard.is_true() && (*to == END || self.nodes[*to].same_as == Some(END))
    }

    /// The steps that can be taken in a location, those of its alternatives included.
    pub(super) fn steps(&self, location: Location) -> Vec<(Bdd, Location)> {
        let mut steps = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut pending = vec![self.resolve(location)];
        while let Some(at) = pending.pop() {
            if seen.insert(at) {
                let node = &self.nodes[at];
                steps.extend(node.steps.iter().map(|(guard, to)| (guard.clone(), self.resolve(*to))));
                pending.extend(node.alternatives.iter().rev().map(|&other| self.resolve(other)));
            }
        }
        steps
    }

    /// The automaton of the locations that `start` reaches, numbered in the order in which they are reached.
    pub(super) fn automaton(&self, manager: &Manager, atoms: Vec<String>, start: Location) -> Automaton {
        let mut automaton = Automaton::in_manager(manager, atoms, 1);
        let mut number: HashMap<Location, State> = HashMap::new();
        let start = self.resolve(start);
        let mut order = vec![start];
        number.insert(start, automaton.add_state());
        let mut done = 0;
        while let Some(&location) = order.get(done) {
            done += 1;
            let source = number[&location];
            let node = &self.nodes[location];
            node.name.iter().for_each(|name| automaton.name_state(source, name));
            let marks = if node.accepting { Marks::one(0) } else { Marks::NONE };
            for (guard, to) in self.steps(location).into_iter().filter(|(guard, _)| !guard.is_false()) {
                let target = *number.entry(to).or_insert_with(|| {
                    order.push(to);
                    automaton.add_state()
                });
                automaton.add_edge(source, target, &guard, marks);
            }
        }
        automaton
    }
}
