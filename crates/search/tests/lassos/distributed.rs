//! Elimination by workers that share no memory, against brute force.

use crate::automata::{all_small, seeds};
use crate::boxes::each;
use crate::brute::Plain;
use crate::padded::Padded;
use kernel::budget::{Budget, Exhausted};
use kernel::system::{Ending, System, Visitor};
use omega::automaton::Marks;
use search::accepting::{Accepting, Component};
use search::emptiness::{End, distributed};
use search::graph::Graph;
use search::meter::Statistics;
use search::store::Store;
use search::team::{LEADER, Orders};
use std::time::Duration;

/// A system that knows nothing of the components of its property.
struct Whole<'a, A>(&'a A);

impl<A: Accepting> System for Whole<'_, A> {
    type Step = A::Step;
    type Scratch = A::Scratch;

    fn scratch(&self) -> Self::Scratch {
        self.0.scratch()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        self.0.initial(into);
    }

    fn successors<V: Visitor<A::Step>>(&self, scratch: &mut Self::Scratch, state: &[u8], visitor: &mut V) {
        self.0.successors(scratch, state, visitor);
    }

    fn ending(&self, scratch: &mut Self::Scratch, state: &[u8]) -> Ending {
        self.0.ending(scratch, state)
    }
}

impl<A: Accepting> Accepting for Whole<'_, A> {
    fn sets(&self) -> u32 {
        self.0.sets()
    }

    fn marks(&self, step: A::Step) -> Marks {
        self.0.marks(step)
    }

    fn is_state_based(&self) -> bool {
        self.0.is_state_based()
    }

    fn accepting(&self, state: &[u8]) -> bool {
        self.0.accepting(state)
    }

    fn component(&self, _state: &[u8]) -> Component {
        Component::WHOLE
    }
}

/// How the search by so many workers ended, the length of the lasso, and statistics.
pub(crate) fn found<A: Accepting + Sync>(
    system: &A,
    workers: usize,
    budget: &Budget,
) -> (End, Option<usize>, Statistics) {
    let (found, _) = found_with(system, workers, budget, u64::MAX, Store::Auto);
    found
}

/// The same where the first worker searches alone when there are so many states, and whether it found the lasso; with this store.
fn found_with<A: Accepting + Sync>(
    system: &A,
    workers: usize,
    budget: &Budget,
    alone_at: u64,
    store: Store,
) -> ((End, Option<usize>, Statistics), bool) {
    let mut all = each(workers, |exchange| {
        let orders = Orders { exchange, noticed: &(), unready: None, key: 0, store };
        let found = distributed::search(system, budget, &mut |_| {}, &orders, alone_at);
        let result = found.result;
        if let Some(lasso) = &result.lasso {
            assert_eq!(lasso.check(system), Ok(()));
        }
        ((result.end(), result.lasso.map(|lasso| lasso.length()), result.statistics), found.is_alone)
    });
    assert!(all.iter().all(|one| (one.0.0, one.1) == (all[0].0.0, all[0].1)), "workers disagree");
    all.swap_remove(LEADER)
}

/// Searches an automaton by so many workers; true if it is empty.
fn compare(plain: &Plain, workers: usize, seed: u64) -> bool {
    let automaton = plain.automaton();
    let graph = Graph::new(&automaton);
    let is_empty = plain.shortest().is_none();
    let what = format!("seed {seed}, {workers} workers: {plain:?}");
    let budget = Budget::unlimited();
    for (end, length, _) in [found(&graph, workers, &budget), found(&Whole(&graph), workers, &budget)] {
        assert_eq!(end, if is_empty { End::Complete } else { End::Found }, "{what}");
        assert!(length >= plain.shortest(), "{what}");
    }
    is_empty
}

#[test]
fn random_automata_by_one_to_five_workers() {
    let seeds = seeds(800);
    let count = seeds.end - seeds.start;
    let mut empty = 0;
    for seed in seeds {
        let sets = if seed % 3 == 0 { Some(seed as u32 % 11) } else { None };
        let plain = Plain::random(seed, if seed % 3 == 1 { 60 } else { 12 }, sets);
        empty += u64::from(compare(&plain, 1 + seed as usize % 5, seed));
    }
    assert!(count < 100 || empty > count / 10 && empty < count * 9 / 10, "both verdicts occur: {empty} of {count}");
}

#[test]
fn all_automata_with_two_states_and_some_with_three() {
    for (index, plain) in all_small(2).iter().enumerate() {
        compare(plain, 1 + index % 3, index as u64);
    }
    for (index, plain) in all_small(3).iter().enumerate().step_by(41) {
        compare(plain, 1 + index % 3, index as u64);
    }
}

#[test]
fn a_lasso_that_the_first_worker_meets_alone_ends_the_search_of_all() {
    let (mut alone, mut empty) = (0, 0);
    let seeds = seeds(400);
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let plain = Plain::random(seed, 200, (seed % 2 == 0).then_some(seed as u32 % 5));
        let automaton = plain.automaton();
        let graph = Graph::new(&automaton);
        let workers = 1 + seed as usize % 3;
        let ((end, length, _), is_alone) = found_with(&graph, workers, &Budget::unlimited(), 30, Store::Auto);
        assert_eq!(end == End::Found, plain.shortest().is_some(), "seed {seed}: {plain:?}");
        assert!(end != End::Found || length.is_some() && length >= plain.shortest(), "seed {seed}: {plain:?}");
        alone += u64::from(is_alone);
        empty += u64::from(end == End::Complete);
    }
    assert!(count < 100 || alone > count / 40 && empty > count / 40, "{alone} alone, {empty} empty of {count}");
}

#[test]
fn what_the_first_worker_does_not_find_alone_is_decided_by_all() {
    // The lasso lies behind more states than the first worker may visit.
    let size = 2000;
    for closes in [false, true] {
        let chain = (0..size).map(|node| (node, node + 1)).chain(closes.then_some((size, size - 1)));
        let plain = Plain::state_based(size + 1, &[size], &chain.collect::<Vec<_>>());
        let automaton = plain.automaton();
        let whole = Graph::new(&automaton);
        let (found, is_alone) = found_with(&Whole(&whole), 2, &Budget::unlimited(), 100, Store::Auto);
        assert_eq!((found.0, is_alone), (if closes { End::Found } else { End::Complete }, false));
    }
}

#[test]
fn a_state_with_many_predecessors_is_eliminated_with_the_last_of_them() {
    // A thousand states lead from the initial one to the accepting one, which is on a cycle or not.
    for closes in [false, true] {
        let fan = (1..=1000).flat_map(|node| [(0, node), (node, 1001)]);
        let edges: Vec<(usize, usize)> = fan.chain([(1001, 1002)]).chain(closes.then_some((1002, 1001))).collect();
        let plain = Plain::state_based(1003, &[1001], &edges);
        let automaton = plain.automaton();
        let (end, length, statistics) = found(&Whole(&Graph::new(&automaton)), 3, &Budget::unlimited());
        assert_eq!((end, length), if closes { (End::Found, Some(4)) } else { (End::Complete, None) });
        assert_eq!(statistics.states, 1003);
    }
}

#[test]
fn compressed_states_are_searched_as_whole_ones_are() {
    let (mut lassos, mut packed) = (0, 0);
    for seed in seeds(200) {
        let automaton = Plain::random(seed, 60, [None, Some(2)][(seed % 2) as usize]).automaton();
        let system = Padded::new(Graph::new(&automaton), seed);
        let workers = 1 + seed as usize % 4;
        let run = |store| found_with(&system, workers, &Budget::unlimited(), u64::MAX, store).0;
        let (compressed, exact) = (run(Store::Compressed), run(Store::Exact));
        // Which lasso is found may depend on the order of packets.
        assert_eq!(compressed.0, exact.0, "seed {seed}");
        assert_eq!(compressed.2.states, exact.2.states, "seed {seed}");
        assert!(!exact.2.compressed, "seed {seed}");
        packed += u64::from(compressed.2.compressed);
        lassos += u64::from(compressed.0 == End::Found);
    }
    assert!(lassos > 0 && packed > 0, "{lassos} lassos, {packed} searches with compressed states");
}

#[test]
fn limits_end_a_search() {
    let size = 40_000;
    let edges: Vec<(usize, usize)> = (0..size - 2).flat_map(|node| [(node, node + 1), (node, node + 2)]).collect();
    let plain = Plain::state_based(size, &[1], &edges);
    let automaton = plain.automaton();
    let graph = Graph::new(&automaton);
    let mut budget = Budget::unlimited();
    budget.memory = Some(200_000);
    assert_eq!(found(&Whole(&graph), 3, &budget).0, End::Limit(Exhausted::Memory));
    let budget = Budget::unlimited().within(Duration::ZERO);
    assert_eq!(found(&Whole(&graph), 2, &budget).0, End::Limit(Exhausted::Time));
    let mut budget = Budget::unlimited();
    budget.depth = Some(3);
    assert_eq!(found(&Whole(&graph), 2, &budget).0, End::Limit(Exhausted::Depth));
    let budget = Budget::unlimited();
    budget.cancel_switch().store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(found(&graph, 3, &budget).0, End::Limit(Exhausted::Cancelled));
}
