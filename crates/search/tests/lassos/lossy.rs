//! Emptiness checks and minimisers over lossy stores: as good as exact where the store is large, and never wrong about a
//! lasso where it is not.

use crate::brute::Plain;
use kernel::budget::{Budget, Exhausted};
use kernel::decision::Reason;
use search::emptiness::{Emptiness, EmptinessOptions, End};
use search::graph::Graph;
use search::shorten::{self, Patience, Shortening, ShorteningResult, bfs};
use search::store::Store;
use std::time::Duration;

/// Stores in which nothing is confused among a few states.
const LARGE: [Store; 2] = [Store::HASH_COMPACT, Store::Bitstate { size: 20, hashes: 5 }];

/// Stores in which nearly everything is.
const SMALL: [Store; 4] = [
    Store::HashCompact { bits: 3 },
    Store::HashCompact { bits: 5 },
    Store::Bitstate { size: 10, hashes: 16 },
    Store::Bitstate { size: 10, hashes: 1 },
];

/// What each search that applies finds: its length, if there is a lasso, and its name.
fn found(graph: &Graph<'_>, store: Store, components: bool) -> Vec<(Option<usize>, bool, &'static str)> {
    let budget = Budget::unlimited();
    let mut all = Vec::new();
    for search in Emptiness::ALL.into_iter().filter(|it| it.takes(store)) {
        let outcome =
            search.search(graph, EmptinessOptions { budget: &budget, components, store, progress: &mut |_| {} });
        assert_eq!(
            outcome.end(),
            if outcome.lasso.is_some() { End::Found } else { End::Complete },
            "{}",
            search.name()
        );
        let missed = outcome.statistics.missed.expect("a lossy store says how lossy it was");
        assert!((0.0..=1.0).contains(&missed));
        let expected =
            if outcome.lasso.is_some() { Reason::Stopped } else { Reason::LossyStore { missed_probability: missed } };
        assert_eq!(outcome.absence(), Err(expected), "{}", search.name());
        if let Some(lasso) = &outcome.lasso {
            assert_eq!(lasso.check(graph), Ok(()), "{}", search.name());
        }
        all.push((outcome.lasso.map(|lasso| lasso.length()), false, search.name()));
    }
    for search in Shortening::ALL.into_iter().filter(|it| it.takes(store)) {
        let (max_length, patience, progress) = (None, None, &mut |_: &_| {});
        let options = shorten::ShorteningOptions { budget: &budget, components, store, max_length, patience, progress };
        let outcome = search.search(graph, options);
        assert!(!outcome.is_minimal, "nothing is proved with a lossy store");
        if let Some(lasso) = &outcome.lasso {
            assert_eq!(lasso.check(graph), Ok(()), "{}", search.name());
        }
        let is_exact = search.is_exact() && !search.counts(graph);
        all.push((outcome.lasso.map(|lasso| lasso.length()), is_exact, search.name()));
    }
    all
}

#[test]
fn large_stores_are_as_good_as_exact_ones() {
    for seed in 0..1500 {
        let plain = Plain::random(seed, 60, if seed % 4 == 0 { Some(2) } else { None });
        let automaton = plain.automaton();
        let graph = Graph::new(&automaton);
        let shortest = plain.shortest();
        for store in LARGE {
            for (length, is_shortest, name) in found(&graph, store, seed % 2 == 0) {
                assert_eq!(length.is_some(), shortest.is_some(), "seed {seed}, {name}, {store:?}");
                assert!(!is_shortest || length == shortest, "seed {seed}, {name}, {store:?}");
            }
        }
    }
}

#[test]
fn small_stores_miss_lassos_and_invent_none() {
    let (mut missed, mut right) = (0, 0);
    for seed in 0..1500 {
        let plain = Plain::random(seed, 60, None);
        let automaton = plain.automaton();
        let graph = Graph::new(&automaton);
        let shortest = plain.shortest();
        for store in SMALL {
            for (length, _, name) in found(&graph, store, seed % 2 == 0) {
                assert!(length.is_none_or(|length| Some(length) >= shortest), "seed {seed}, {name}, {store:?}");
                missed += u32::from(length.is_none() && shortest.is_some());
                right += u32::from(length.is_some());
            }
        }
    }
    assert!(missed > 100 && right > 100, "some are missed ({missed}), and some are found ({right})");
}

#[test]
fn each_accepting_state_gets_its_lasso_from_fingerprints_too() {
    for seed in 0..200 {
        let plain = Plain::random(seed, 30, None);
        let automaton = plain.automaton();
        let graph = Graph::new(&automaton);
        for store in LARGE {
            let budget = Budget::unlimited();
            let (max_length, patience, progress) = (None, None, &mut |_: &_| {});
            let options =
                shorten::ShorteningOptions { budget: &budget, components: true, store, max_length, patience, progress };
            let mut lengths = std::collections::BTreeMap::new();
            bfs::each(&graph, options, |state, lasso| {
                assert_eq!(lasso.check(&graph), Ok(()), "seed {seed}");
                lengths.insert(Graph::state(state) as usize, lasso.length());
            });
            assert_eq!(lengths, plain.shortest_through(), "seed {seed}, {store:?}");
        }
    }
}

#[test]
fn a_cycle_that_is_no_run_is_proof_of_confusion() {
    let edges: Vec<_> = (0..20).map(|node| (node, node + 1)).collect();
    let plain = Plain::state_based(21, &(0..21).collect::<Vec<_>>(), &edges);
    let automaton = plain.automaton();
    let graph = Graph::new(&automaton);
    let (budget, store) = (Budget::unlimited(), Store::HashCompact { bits: 2 });
    for search in Emptiness::ALL {
        let options = EmptinessOptions { budget: &budget, components: false, store, progress: &mut |_| {} };
        let outcome = search.search(&graph, options);
        assert_eq!((outcome.end(), outcome.lasso.is_some()), (End::Complete, false), "{}", search.name());
        assert_eq!(outcome.statistics.missed, Some(1.0), "{}", search.name());
    }
    for search in Shortening::ALL {
        let (max_length, patience, progress) = (None, None, &mut |_: &_| {});
        let options =
            shorten::ShorteningOptions { budget: &budget, components: false, store, max_length, patience, progress };
        let outcome = search.search(&graph, options);
        assert!(outcome.lasso.is_none(), "{}", search.name());
        assert_eq!(outcome.statistics.missed, Some(1.0), "{}", search.name());
    }
}

#[test]
fn a_property_may_have_any_number_of_components() {
    let nodes = 70_000;
    let edges: Vec<_> = (1..nodes).map(|node| (node - 1, node)).collect();
    let automaton = Plain::state_based(nodes, &[], &edges).automaton();
    let graph = Graph::new(&automaton);
    let (budget, store) = (Budget::unlimited(), Store::HASH_COMPACT);
    for search in Emptiness::ALL {
        let options = EmptinessOptions { budget: &budget, components: true, store, progress: &mut |_| {} };
        let outcome = search.search(&graph, options);
        assert_eq!((outcome.end(), outcome.statistics.states), (End::Complete, nodes as u64), "{}", search.name());
    }
}

type Shortened = ShorteningResult<omega::automaton::emptiness::RunEdge>;

/// Shortens with bit-state hashing.
fn in_fixed_memory(graph: &Graph<'_>, size: u8) -> Shortened {
    within(graph, size, &Budget::unlimited(), None, None)
}

/// As above, within limits.
fn within(
    graph: &Graph<'_>,
    size: u8,
    budget: &Budget,
    max_length: Option<u64>,
    patience: Option<Patience>,
) -> Shortened {
    let (store, progress) = (Store::Bitstate { size, hashes: 3 }, &mut |_: &_| {});
    let options = shorten::ShorteningOptions { budget, components: true, store, max_length, patience, progress };
    Shortening::Bfs.search(graph, options)
}

#[test]
fn lengths_in_fixed_memory_are_exact_on_all_small_automata() {
    for plain in (1..=3).flat_map(crate::automata::all_small) {
        let automaton = plain.automaton();
        let graph = Graph::new(&automaton);
        let outcome = in_fixed_memory(&graph, 14);
        assert!(outcome.statistics.missed.is_some_and(|missed| missed < 0.01), "{plain:?}");
        assert_eq!(outcome.lasso.map(|lasso| lasso.length()), plain.shortest(), "{plain:?}");
    }
}

/// A ladder of `rungs` pairs of states that leads to a cycle.
fn ladder(rungs: usize) -> Plain {
    let mut edges = Vec::new();
    for rung in 0..rungs {
        let (left, right) = (2 * rung, 2 * rung + 1);
        edges.extend([(left, left + 2), (left, right + 2), (right, left + 2), (right, right + 2)]);
    }
    edges.push((2 * rungs, 2 * rungs));
    Plain::state_based(2 * rungs + 2, &[2 * rungs], &edges)
}

#[test]
fn memory_does_not_depend_on_the_number_of_states() {
    let measured = [100, 1_000, 10_000].map(|rungs| {
        let automaton = ladder(rungs).automaton();
        let outcome = in_fixed_memory(&Graph::new(&automaton), 24);
        assert_eq!(outcome.lasso.map(|lasso| lasso.length()), Some(rungs + 1));
        outcome.statistics.bytes
    });
    let tables = 2 << 21;
    // Beside the tables there are two paths, each of which may take as much as a table.
    assert!(measured.iter().all(|bytes| (tables..=3 * tables).contains(bytes)), "{measured:?}");
    assert!(measured[0] < tables + 100_000, "a short path takes little: {measured:?}");
}

#[test]
fn a_path_for_which_there_is_no_room_is_not_followed() {
    let nodes = 200_000;
    let edges: Vec<_> = (1..nodes).map(|node| (node - 1, node)).chain([(nodes - 1, nodes - 1)]).collect();
    let automaton = Plain::state_based(nodes, &[nodes - 1], &edges).automaton();
    let outcome = in_fixed_memory(&Graph::new(&automaton), 22);
    assert!(outcome.lasso.is_none(), "the cycle lies at the end of a long path");
    assert_eq!(outcome.statistics.missed, Some(1.0));
    assert!(outcome.statistics.bytes < 8 << 20, "{}", outcome.statistics.bytes);
}

#[test]
fn a_bound_on_the_length_is_exact_in_fixed_memory() {
    for seed in 0..200 {
        let plain = Plain::random(seed, 25, None);
        let automaton = plain.automaton();
        let graph = Graph::new(&automaton);
        let shortest = plain.shortest();
        for length in 0..30 {
            let outcome = within(&graph, 16, &Budget::unlimited(), Some(length), None);
            let expected = shortest.filter(|shortest| *shortest as u64 <= length);
            let what = format!("seed {seed}, at most {length}");
            assert_eq!(outcome.lasso.as_ref().map(|lasso| lasso.length()), expected, "{what}");
            let is_right = match outcome.end() {
                End::Found => expected.is_some(),
                End::Complete => shortest.is_none(),
                End::Limit(_) => expected.is_none(),
            };
            assert!(is_right, "{what}: {:?} but the shortest is {shortest:?}", outcome.end());
        }
    }
}

#[test]
fn limits_end_a_search_in_fixed_memory() {
    // The cycle through all states is found first; the loop at the first state is shorter.
    let edges: Vec<_> = (0..50).map(|node| (node, (node + 1) % 50)).chain([(0, 0)]).collect();
    let automaton = Plain::state_based(50, &[0], &edges).automaton();
    let graph = Graph::new(&automaton);
    let length = |outcome: &Shortened| outcome.lasso.as_ref().map(|lasso| lasso.length());
    let outcome = in_fixed_memory(&graph, 16);
    assert_eq!((outcome.end(), length(&outcome), outcome.first_length), (End::Found, Some(1), Some(50)));
    let patience = Some(Patience::timed(0.0, Duration::ZERO));
    let outcome = within(&graph, 16, &Budget::unlimited(), None, patience);
    assert_eq!((outcome.end(), length(&outcome)), (End::Limit(Exhausted::Time), Some(50)));
    let cancelled = Budget::unlimited();
    cancelled.cancel_switch().store(true, std::sync::atomic::Ordering::Relaxed);
    for max_length in [None, Some(100)] {
        let outcome = within(&graph, 16, &cancelled, max_length, None);
        assert_eq!((outcome.end(), length(&outcome)), (End::Limit(Exhausted::Cancelled), None));
    }
}

#[test]
fn a_depth_limit_is_told_in_fixed_memory() {
    // A path of ten states, then an accepting loop.
    let edges: Vec<_> = (0..10).map(|node| (node, (node + 1).min(9))).collect();
    let automaton = Plain::state_based(10, &[9], &edges).automaton();
    let graph = Graph::new(&automaton);
    for (depth, end) in [(8, End::Limit(Exhausted::Depth)), (9, End::Found)] {
        let mut budget = Budget::unlimited();
        budget.depth = Some(depth);
        for max_length in [None, Some(100)] {
            assert_eq!(within(&graph, 16, &budget, max_length, None).end(), end, "{depth}, {max_length:?}");
        }
    }
}

#[test]
fn a_lasso_that_is_too_long_to_be_shortened_is_kept() {
    let nodes = 70_000;
    let edges: Vec<_> = (0..nodes).map(|node| (node, (node + 1) % nodes)).collect();
    let automaton = Plain::state_based(nodes, &[0], &edges).automaton();
    let outcome = in_fixed_memory(&Graph::new(&automaton), 27);
    assert_eq!(outcome.lasso.map(|lasso| lasso.length()), Some(nodes));
}
