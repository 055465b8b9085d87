//! Searches through single states that see each other late, and mutants of what they see.
//!
//! Threads may see what others have found at any later time. Here the searches run one after the other in a random order, and
//! each look gives a value of the past or the present at random. With real threads the same is tested by `tests/lassos/minimal_on_threads.rs`.

use super::super::map::{Map, Node};
use super::{Best, Searcher, Shared};
use omega::random::Random;
use std::cell::RefCell;
use std::convert::Infallible;

/// What a mutant does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    Nothing,
    /// A lasso that is shorter by one is taken for the best.
    PrunedEarly,
    /// Of lassos of the same length, the one that is found first is the best.
    FirstOfEqual,
    /// The last level was not finished: the successors of its last state are missing.
    LevelUnfinished,
}

struct Views {
    wrong: Wrong,
    random: RefCell<Random>,
    /// All values of the best lasso, the present one last.
    history: RefCell<Vec<Best>>,
}

impl Shared for Views {
    fn best(&self) -> Best {
        let history = self.history.borrow();
        let seen = history[self.random.borrow_mut().below(history.len() as u64) as usize];
        match self.wrong {
            Wrong::PrunedEarly => Best::new(seen.length().saturating_sub(1), seen.through()),
            Wrong::FirstOfEqual => Best::new(seen.length(), 0),
            _ => seen,
        }
    }

    fn improve(&self, best: Best) {
        let last = self.history.borrow()[self.history.borrow().len() - 1];
        let is_kept = self.wrong == Wrong::FirstOfEqual && last.length() == best.length();
        let least = if is_kept { last } else { last.min(best) };
        self.history.borrow_mut().push(least);
    }
}

/// A graph by distance from node 0, and the order of its nodes in the map.
struct Plain {
    successors: Vec<Vec<usize>>,
    is_accepting: Vec<bool>,
}

impl Plain {
    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let size = 2 + random.below(11) as usize;
        let density = 1.0 / size as f64 + 0.25 * random.below(4) as f64 / size as f64;
        let mut successors = vec![Vec::new(); size];
        for (from, list) in successors.iter_mut().enumerate() {
            for to in 0..size {
                if random.chance(density) || to == from + 1 && random.chance(0.5) {
                    list.push(to);
                }
            }
        }
        let share = [0.15, 0.5, 1.0][random.below(3) as usize];
        Self { successors, is_accepting: (0..size).map(|_| random.chance(share)).collect() }
    }

    /// The lengths of shortest paths of at least one step from a node.
    fn distances(&self, from: usize) -> Vec<Option<u64>> {
        let mut distances = vec![None; self.successors.len()];
        let (mut level, mut length) = (vec![from], 0);
        while !level.is_empty() {
            length += 1;
            let mut next = Vec::new();
            for node in level {
                for &to in &self.successors[node] {
                    if distances[to].is_none() {
                        distances[to] = Some(length);
                        next.push(to);
                    }
                }
            }
            level = next;
        }
        distances
    }

    /// Nodes in the order of their distances from node 0.
    fn order(&self) -> Vec<(u64, usize)> {
        let mut distances = self.distances(0);
        distances[0] = Some(0);
        let mut order: Vec<_> =
            distances.iter().enumerate().filter_map(|(node, distance)| Some(((*distance)?, node))).collect();
        order.sort_unstable();
        order
    }

    fn map(&self, wrong: Wrong) -> Map {
        let order = self.order();
        let place = |node: usize| order.iter().position(|(_, other)| *other == node).unwrap() as u32;
        let mut map = Map::default();
        let deepest = order[order.len() - 1].0;
        for distance in 0..=deepest {
            let level = order.iter().filter(|(other, _)| *other == distance);
            map.add_level(level.map(|(_, node)| Node { is_accepting: self.is_accepting[*node], component: 0 }));
        }
        for (index, (distance, node)) in order.iter().enumerate() {
            let next_level = order.iter().filter(|(other, _)| other <= distance).count() as u32;
            let is_missing = wrong == Wrong::LevelUnfinished && index + 1 == order.len();
            let successors = if is_missing { &[][..] } else { &self.successors[*node] };
            map.add_successors(successors.iter().map(|to| place(*to)), next_level);
        }
        map
    }

    /// The least pair of the length of a lasso and the place of an accepting state on its cycle, by definition.
    fn best(&self) -> Option<(u64, u32)> {
        let order = self.order();
        let to: Vec<_> = (0..self.successors.len()).map(|node| self.distances(node)).collect();
        let mut best = None;
        for (place, (_, through)) in order.iter().enumerate().filter(|(_, (_, node))| self.is_accepting[*node]) {
            for (stem, knot) in &order {
                let cycle = if knot == through {
                    to[*knot][*knot]
                } else {
                    to[*knot][*through].zip(to[*through][*knot]).map(|(there, back)| there + back)
                };
                let pair = cycle.map(|cycle| (stem + cycle, place as u32));
                best = best.into_iter().chain(pair).min();
            }
        }
        best
    }
}

/// What the searches find, and the path of the lasso.
fn found(plain: &Plain, seed: u64, wrong: Wrong) -> Option<(u64, u32, Vec<u32>)> {
    let map = plain.map(wrong);
    let limit = map.len() as u64 + 2;
    let mut random = Random::new(seed);
    let mut tasks = map.accepting_within(limit).to_vec();
    for index in (1..tasks.len()).rev() {
        tasks.swap(index, random.below(index as u64 + 1) as usize);
    }
    let views = Views { wrong, random: RefCell::new(random), history: RefCell::new(vec![Best::nothing_below(limit)]) };
    let mut searcher = Searcher::new(&map);
    for state in tasks {
        let Ok(()) = searcher.search(state, &views, |_| Ok::<_, Infallible>(()));
    }
    let best = *views.history.borrow().last().unwrap();
    (best.length() < limit).then(|| {
        let Ok(knot) = Searcher::new(&map).knot(best, |_| Ok::<_, Infallible>(()));
        let path = [map.path(knot, best.through()), map.path(best.through(), knot)].concat();
        (best.length(), best.through(), path)
    })
}

#[test]
fn outdated_views_cost_nothing_but_time() {
    let mut lassos = 0;
    for seed in 0..6000 {
        let plain = Plain::random(seed);
        let truth = plain.best();
        let one = found(&plain, seed, Wrong::Nothing);
        assert_eq!(one.as_ref().map(|(length, through, _)| (*length, *through)), truth, "seed {seed}");
        for other in 1..4 {
            assert_eq!(found(&plain, seed + (other << 32), Wrong::Nothing), one, "seed {seed}: one lasso in any order");
        }
        lassos += u64::from(truth.is_some());
    }
    assert!((2000..5900).contains(&lassos), "both cases occur: {lassos}");
}

/// How many of the first seeds show that something is wrong.
fn caught(wrong: Wrong) -> usize {
    let is_caught = |seed: &u64| {
        let plain = Plain::random(*seed);
        let result = std::panic::catch_unwind(|| found(&plain, *seed, wrong));
        result.map_or(true, |found| found.map(|(length, through, _)| (length, through)) != plain.best())
    };
    (0..2000).filter(is_caught).count()
}

#[test]
fn a_choice_by_time_is_caught() {
    assert!(caught(Wrong::FirstOfEqual) > 0);
}

#[test]
fn pruning_one_step_early_is_caught() {
    assert!(caught(Wrong::PrunedEarly) > 0);
}

#[test]
fn an_unfinished_level_is_caught() {
    assert!(caught(Wrong::LevelUnfinished) > 0);
}
