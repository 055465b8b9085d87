//! Paths that do not depend on the schedule: each state on a path is the least predecessor of the next one.
//!
//! *How.* Backwards, level by level. The states at hand are one for each finding. The note of a state is the signature of its
//! successors ([`signature`]), so that one look at it tells of almost all states of a level that they are no predecessors. The
//! others are expanded again, on all threads, and their successors are compared with the states at hand. Nothing is
//! stored.

use super::Grain;
use super::levels::Levels;
use super::worker::expand;
use crate::expansion::Expansion;
use crate::meter::{Meter, Statistics};
use crate::store::exact::StateHash;
use crate::store::shared::{Note, Number, Range, SharedStore, signature};
use crate::threads::{self, Threads};
use kernel::budget::{Budget, Exhausted};
use kernel::system::System;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Where paths lie.
pub(super) struct Places<'a, M> {
    pub(super) system: &'a M,
    pub(super) store: &'a SharedStore<Note>,
    pub(super) levels: &'a Levels,
    pub(super) grain: Grain,
}

/// The goals of one pass by the hashes of their states.
type Heads = HashMap<u64, Vec<usize>>;

/// For each state in its level, the states of the path to it, the initial one first.
pub(super) fn least<M: System>(
    places: &Places<'_, M>,
    goals: &[(usize, Number)],
    threads: Threads,
    budget: &Budget,
) -> Result<Vec<Vec<Number>>, Exhausted> {
    let mut chains: Vec<Vec<Number>> = goals.iter().map(|(_, state)| vec![*state]).collect();
    let deepest = goals.iter().map(|(level, _)| *level).max().unwrap_or(0);
    for level in (0..deepest).rev() {
        let mut heads = Heads::new();
        for (goal, chain) in chains.iter().enumerate().filter(|(goal, _)| goals[*goal].0 > level) {
            let head = chain.last().expect("a path has a state");
            heads.entry(StateHash::of(&places.store.state(*head)).0).or_default().push(goal);
        }
        for (goal, least) in predecessors(places, level, &heads, &chains, threads, budget)? {
            chains[goal].push(least);
        }
    }
    chains.iter_mut().for_each(|chain| chain.reverse());
    Ok(chains)
}

/// The least predecessor in a level of each head.
fn predecessors<M: System>(
    places: &Places<'_, M>,
    level: usize,
    heads: &Heads,
    chains: &[Vec<Number>],
    threads: Threads,
    budget: &Budget,
) -> Result<BTreeMap<usize, Number>, Exhausted> {
    let pieces = places.levels.pieces(level, threads);
    let cursor = AtomicUsize::new(0);
    let states: usize = pieces.iter().map(|piece| piece.len()).sum();
    let active = threads.active(states);
    let found = threads::each(&mut vec![(); active], |()| scan(places, &pieces, &cursor, heads, chains, budget));
    let mut least = BTreeMap::new();
    for found in found {
        for (goal, state) in found? {
            keep_least(&mut least, places.store, goal, state);
        }
    }
    Ok(least)
}

fn keep_least(least: &mut BTreeMap<usize, Number>, store: &SharedStore<Note>, goal: usize, state: Number) {
    let best = least.entry(goal).or_insert(state);
    if store.state(state) < store.state(*best) {
        *best = state;
    }
}

/// The least predecessors among the pieces that this thread takes.
fn scan<M: System>(
    places: &Places<'_, M>,
    pieces: &[Range],
    cursor: &AtomicUsize,
    heads: &Heads,
    chains: &[Vec<Number>],
    budget: &Budget,
) -> Result<BTreeMap<usize, Number>, Exhausted> {
    let Places { system, store, grain, .. } = *places;
    let mut silent = |_: &Statistics| {};
    let mut meter = Meter::new(budget, &mut silent);
    let (mut scratch, mut expansion, mut buffer) = (system.scratch(), Expansion::new(), Vec::new());
    let mut least = BTreeMap::new();
    // Nothing is stored, so that no memory is needed.
    let held = 0;
    let wanted: Vec<u32> = heads.keys().map(|hash| signature(StateHash(*hash))).collect();
    while let Some(piece) = pieces.get(cursor.fetch_add(1, Ordering::Relaxed)) {
        for source in piece.numbers() {
            let noted = store.note(source).signature();
            if wanted.iter().all(|signature| noted & signature != *signature) {
                continue;
            }
            meter.tick(held)?;
            expansion.clear();
            let source_bytes = store.read(source, &mut buffer);
            expand(system, grain, &(), &mut expansion, &mut scratch, source_bytes, &mut meter, held)?;
            for target in &expansion.targets {
                for goal in heads.get(&target.hash.0).into_iter().flatten() {
                    let head = *chains[*goal].last().expect("a path has a state");
                    if store.is(head, expansion.state(target)) {
                        keep_least(&mut least, store, *goal, source);
                    }
                }
            }
        }
    }
    Ok(least)
}
