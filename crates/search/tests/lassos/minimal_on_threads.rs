//! The minimiser on several threads against brute force and the sequential one: the lasso does not depend on threads.

use crate::automata::{all_small, seeds};
use crate::brute::Plain;
use crate::cndfs::Hesitant;
use kernel::budget::{Budget, Exhausted};
use search::accepting::Accepting;
use search::emptiness::End;
use search::graph::Graph;
use search::shorten::{ShorteningOptions, ShorteningResult, parallel};
use search::store::Store;
use search::threads::Threads;

/// This many threads, each of which takes one state at a time, even in small levels.
fn eager(count: usize) -> Threads {
    Threads { piece: 1, least_share: 1, ..Threads::new(count) }
}

fn search<A: Accepting>(
    system: &A,
    threads: Threads,
    max_length: Option<u64>,
    components: bool,
    budget: &Budget,
) -> ShorteningResult<A::Step> {
    let (store, patience, progress) = (Store::Exact, None, &mut |_: &_| {});
    let options = ShorteningOptions { budget, components, store, max_length, patience, progress };
    parallel::search(system, options, threads)
}

/// The length of a shortest lasso of an automaton, after comparing all that is to be compared.
fn compare(plain: &Plain, seed: u64) -> Option<usize> {
    let automaton = plain.automaton();
    let graph = Graph::new(&automaton);
    let shortest = plain.shortest();
    let budget = Budget::unlimited();
    let mut lassos = Vec::new();
    for (count, components) in [(1, false), (2 + seed as usize % 7, true), (8, false)] {
        let found = search(&Hesitant(&graph, seed), eager(count), None, components, &budget);
        let what = format!("seed {seed}, {count} threads, components {components}: {plain:?}");
        assert_eq!(found.end(), if shortest.is_some() { End::Found } else { End::Complete }, "{what}");
        assert_eq!(found.lasso.as_ref().map(search::lasso::Lasso::length), shortest, "{what}");
        assert_eq!(found.is_minimal, shortest.is_some(), "{what}");
        assert!(found.lasso.as_ref().is_none_or(|lasso| lasso.check(&graph) == Ok(())), "{what}");
        lassos.push(found.lasso);
    }
    assert!(
        lassos.iter().all(|lasso| *lasso == lassos[0]),
        "seed {seed}: the lasso depends on the threads: {lassos:?}"
    );
    // A bound is exact, and does not change the lasso.
    if let Some(length) = shortest {
        let within = search(&graph, eager(3), Some(length as u64), false, &budget);
        assert_eq!(within.lasso, lassos[0], "seed {seed}");
        let below = search(&graph, eager(3), Some(length as u64 - 1), false, &budget);
        assert!(below.lasso.is_none() && !below.is_minimal, "seed {seed}");
        assert!(matches!(below.end(), End::Complete | End::Limit(Exhausted::Depth)), "seed {seed}: {:?}", below.end());
        assert!(below.end() != End::Complete || below.absence().is_ok());
    }
    shortest
}

#[test]
fn random_automata_on_up_to_eight_threads() {
    let seeds = seeds(1500);
    let count = seeds.end - seeds.start;
    let (mut empty, mut longest) = (0, 0);
    for seed in seeds {
        let shortest = compare(&Plain::random(seed, if seed % 3 == 0 { 60 } else { 14 }, None), seed);
        empty += u64::from(shortest.is_none());
        longest = longest.max(shortest.unwrap_or(0));
    }
    assert!(count < 100 || empty > count / 10 && empty < count * 9 / 10, "both verdicts occur: {empty} of {count}");
    assert!(count < 1000 || longest >= 10, "some lassos are long: {longest}");
}

#[test]
fn all_automata_with_two_states_and_some_with_three() {
    for (index, plain) in all_small(2).iter().enumerate() {
        compare(plain, index as u64);
    }
    for (index, plain) in all_small(3).iter().enumerate().step_by(23) {
        compare(plain, index as u64);
    }
}

#[test]
fn many_states_and_many_shortest_lassos() {
    // Twenty rings of thirty states behind a fan: all their lassos are equally long.
    let (rings, size) = (20, 30);
    let node = |ring: usize, place: usize| 1 + ring * size + place % size;
    let mut edges: Vec<(usize, usize)> = (0..rings).map(|ring| (0, node(ring, 0))).collect();
    for ring in 0..rings {
        edges.extend((0..size).map(|place| (node(ring, place), node(ring, place + 1))));
    }
    let accepting: Vec<usize> = (0..rings).map(|ring| node(ring, 7 + ring % 5)).collect();
    let plain = Plain::state_based(1 + rings * size, &accepting, &edges);
    let automaton = plain.automaton();
    let graph = Graph::new(&automaton);
    let mut lassos = Vec::new();
    for count in [1, 2, 5, 8] {
        let found = search(&Hesitant(&graph, count as u64), eager(count), None, false, &Budget::unlimited());
        assert_eq!((found.end(), found.is_minimal), (End::Found, true));
        assert_eq!(found.statistics.threads, count as u64);
        lassos.push(found.lasso.unwrap());
    }
    assert_eq!(lassos[0].length(), size + 1);
    assert!(lassos.iter().all(|lasso| *lasso == lassos[0]));
}

#[test]
fn a_search_that_a_limit_ends_claims_nothing() {
    let size = 40_000;
    let mut edges: Vec<(usize, usize)> = (0..size - 1).map(|node| (node, node + 1)).collect();
    edges.push((size - 1, size / 2));
    let plain = Plain::state_based(size, &[size - 3], &edges);
    let automaton = plain.automaton();
    let graph = Graph::new(&automaton);
    let mut budget = Budget::unlimited();
    budget.memory = Some(1_000_000);
    let found = search(&graph, eager(3), None, false, &budget);
    assert_eq!((found.end(), found.is_minimal), (End::Limit(Exhausted::Memory), false));
    assert_eq!(budget.exhausted(0), None, "the limit of this search is not one of the stage that it belongs to");
    let budget = Budget::unlimited();
    budget.cancel_switch().store(true, std::sync::atomic::Ordering::Relaxed);
    let found = search(&graph, eager(3), None, false, &budget);
    assert_eq!((found.end(), found.lasso.is_none()), (End::Limit(Exhausted::Cancelled), true));
}
