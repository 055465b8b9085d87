//! All that several relations reach from a set, by saturation [ciardo.03.tacas].
//!
//! What: a relation mentions no level above its own topmost one, so that it can be applied to every part of a diagram that
//! begins there, wherever the part occurs. Parts near the bottom are closed under their relations first, once each, and
//! relations that begin higher are applied to closed parts only. Where relations are local, as in models of interleaved
//! processes, the diagrams in between stay small, whatever the length of the paths.
//!
//! Contract: the smallest set that contains the given one and the image of each of its own states. Pairs of variables as in
//! `step`; no answer if the order of the variables does not allow steps in one pass. Between operations of the manager nodes
//! are reclaimed and variables reordered, and a saturation is one operation. So it ends early when nodes have piled
//! up, with all that it has found so far ([`Unfinished`]), and is begun again from there. Recurses at most twice a level.
//! Tested by `tests/saturation.rs` against breadth-first search.

use crate::cache::Operation;
use crate::function::Bdd;
use crate::manager::OutOfNodes;
use crate::step::Step;
use crate::store::{Edge, Store, Variable};

/// A relation between states and next states.
#[derive(Clone, Copy, Debug)]
pub struct Relation<'a> {
    /// The relation.
    pub relation: &'a Bdd,
    /// The variables that can change, each with its partner for the next state, and the inputs, each with itself.
    pub pairs: &'a [(Variable, Variable)],
}

impl Bdd {
    /// All states that steps of the relations reach from this set, itself included. None if some variable does not stand directly
    /// above its partner.
    ///
    /// # Errors
    /// Where the manager's limit on nodes is reached.
    pub fn try_saturate(&self, relations: &[Relation<'_>]) -> Result<Option<Bdd>, OutOfNodes> {
        let mut reached = self.clone();
        let number = self.manager().lock().number_of_saturation();
        loop {
            let (mut is_possible, mut is_closed, mut is_first) = (true, true, true);
            let larger = reached.with(relations.iter().map(|one| one.relation), |store| {
                let Some(plan) = Plan::new(store, relations, number) else {
                    is_possible = false;
                    return Ok(Edge::FALSE);
                };
                let room = if std::mem::take(&mut is_first) { store.collect_at() } else { usize::MAX };
                let result = store.with_room(room, |store| store.saturate(reached.edge(), 0, &plan));
                is_closed = result.is_ok();
                match result {
                    Ok(closed) => Ok(closed),
                    // Without progress there is too little room, and at a limit there is no use in going on.
                    Err(Unfinished(so_far)) if so_far == reached.edge() || !store.has_paused() => Err(OutOfNodes),
                    Err(Unfinished(so_far)) => Ok(so_far),
                }
            })?;
            if !is_possible {
                return Ok(None);
            }
            if is_closed {
                return Ok(Some(larger));
            }
            reached = larger;
        }
    }
}

/// A saturation that found no room: the states that it has found, with those that it began with.
struct Unfinished(Edge);

/// The relations in the order of their topmost levels.
struct Plan {
    relations: Vec<Ready>,
    /// The number by which the cache tells this saturation from others.
    number: Edge,
}

struct Ready {
    relation: Edge,
    step: Step,
    /// The topmost level that the relation tests or changes.
    top: u32,
}

impl Plan {
    fn new(store: &mut Store, relations: &[Relation<'_>], number: Edge) -> Option<Self> {
        let mut ready = Vec::with_capacity(relations.len());
        for Relation { relation, pairs } in relations {
            let step = store.prepare_step(pairs, false)?;
            let changed = pairs.iter().filter(|(now, next)| now != next).map(|(now, _)| store.order.level(*now)).min();
            let top = store.level(relation.edge()).min(changed.unwrap_or(u32::MAX));
            ready.push(Ready { relation: relation.edge(), step, top });
        }
        ready.sort_by_key(|one| one.top);
        Some(Plan { relations: ready, number })
    }

    /// The topmost level of the relations from a number on.
    fn top(&self, first: usize) -> Option<u32> {
        self.relations.get(first).map(|one| one.top)
    }

    /// How many relations begin at the same level as the one with this number, or above it.
    fn below(&self, first: usize) -> usize {
        let top = self.relations[first].top;
        first + self.relations[first..].partition_point(|one| one.top <= top)
    }

    /// The key of a result: the set closed under the relations from a number on.
    fn key(&self, set: Edge, first: usize) -> [Edge; 3] {
        [set, Edge(u32::try_from(first).expect("few relations")), self.number]
    }
}

impl Store {
    /// Closes a set under the relations from the number `first` on. All of them begin at the root of the set or below.
    fn saturate(&mut self, set: Edge, first: usize, plan: &Plan) -> Result<Edge, Unfinished> {
        let Some(top) = plan.top(first).filter(|_| !set.is_constant()) else { return Ok(set) };
        let key = plan.key(set, first);
        if let Some(result) = self.cached(Operation::Saturate, key) {
            return Ok(result);
        }
        let closed = if self.level(set) < top {
            self.saturate_children(set, first, plan)?
        } else {
            self.saturate_here(set, first, plan)?
        };
        self.remember(Operation::Saturate, key, closed);
        // A closed set is often met again.
        self.remember(Operation::Saturate, plan.key(closed, first), closed);
        Ok(closed)
    }

    /// Closes both parts of a set whose root no relation mentions.
    fn saturate_children(&mut self, set: Edge, first: usize, plan: &Plan) -> Result<Edge, Unfinished> {
        let level = self.level(set);
        let (low, high) = self.children(set);
        let low = match self.saturate(low, first, plan) {
            Ok(low) => low,
            Err(Unfinished(low)) => return Err(self.joined(level, low, high, set)),
        };
        let high = match self.saturate(high, first, plan) {
            Ok(high) => high,
            Err(Unfinished(high)) => return Err(self.joined(level, low, high, set)),
        };
        self.make(level, low, high).map_err(|_| self.joined(level, low, high, set))
    }

    /// Closes a set with relations that begin at its root.
    fn saturate_here(&mut self, set: Edge, first: usize, plan: &Plan) -> Result<Edge, Unfinished> {
        let below = plan.below(first);
        let mut current = set;
        loop {
            current = self.saturate(current, below, plan)?;
            let before = current;
            for Ready { relation, step, .. } in &plan.relations[first..below] {
                let image = self.step_below(current, *relation, step).map_err(|_| self.unfinished(current))?;
                current = self.or(current, image).map_err(|_| self.unfinished(current))?;
            }
            if current == before {
                return Ok(current);
            }
        }
    }

    /// What is known of a set when room runs out. The few nodes that join it with the rest of the diagram are still made.
    fn unfinished(&mut self, so_far: Edge) -> Unfinished {
        self.let_finish();
        Unfinished(so_far)
    }

    /// The parts that are known, as one set; the set as it was if even that is too much.
    fn joined(&mut self, level: u32, low: Edge, high: Edge, set: Edge) -> Unfinished {
        self.let_finish();
        Unfinished(self.make(level, low, high).unwrap_or(set))
    }
}
