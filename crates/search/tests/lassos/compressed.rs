//! Emptiness checks and minimisers with the compressed store: the same lassos and counts as with whole states.

use crate::automata::seeds;
use crate::brute::Plain;
use crate::padded::Padded;
use kernel::budget::Budget;
use search::accepting::{Accepting, check_laws};
use search::emptiness::{Emptiness, EmptinessOptions, cndfs};
use search::graph::Graph;
use search::meter::Statistics;
use search::shorten::{self, Shortening, ShorteningOptions};
use search::store::Store;
use search::threads::Threads;

fn counts(statistics: Statistics) -> [u64; 4] {
    [statistics.states, statistics.visits, statistics.transitions, statistics.depth]
}

#[test]
fn searches_for_lassos_with_compressed_states_are_those_with_whole_ones() {
    let (mut found, mut shortened) = (0, 0);
    for seed in seeds(400) {
        let sets = [None, Some(2)][(seed % 2) as usize];
        let automaton = Plain::random(seed, 60, sets).automaton();
        let system = Padded::new(Graph::new(&automaton), seed);
        check_laws(&system, 100);
        for components in [false, true] {
            for search in Emptiness::ALL {
                let run = |store| {
                    let budget = Budget::unlimited();
                    search
                        .search(&system, EmptinessOptions { budget: &budget, components, store, progress: &mut |_| {} })
                };
                let (compressed, exact) = (run(Store::Compressed), run(Store::Exact));
                let what = format!("seed {seed}, {}, components {components}", search.name());
                assert_eq!((compressed.end(), &compressed.lasso), (exact.end(), &exact.lasso), "{what}");
                assert_eq!(counts(compressed.statistics), counts(exact.statistics), "{what}");
                found += u64::from(compressed.lasso.is_some());
            }
            for search in Shortening::ALL {
                if !system.is_state_based() && !search.is_generalised() {
                    continue;
                }
                let run = |store| {
                    let budget = Budget::unlimited();
                    let (max_length, patience) = (None, None);
                    let progress = &mut |_: &_| {};
                    let options =
                        ShorteningOptions { budget: &budget, components, store, max_length, patience, progress };
                    search.search(&system, options)
                };
                let (compressed, exact) = (run(Store::Compressed), run(Store::Exact));
                let what = format!("seed {seed}, {}, components {components}", search.name());
                assert_eq!((compressed.end(), &compressed.lasso), (exact.end(), &exact.lasso), "{what}");
                assert_eq!(compressed.is_minimal, exact.is_minimal, "{what}");
                assert_eq!(counts(compressed.statistics), counts(exact.statistics), "{what}");
                shortened += u64::from(compressed.lasso.is_some());
            }
        }
    }
    assert!(found > 500 && shortened > 300, "{found} found, {shortened} shortened");
}

/// On threads the lasso of an emptiness check depends on the schedule; that of the minimiser does not.
#[test]
fn threads_share_compressed_states() {
    let (mut found, mut shortened) = (0, 0);
    for seed in seeds(150) {
        let automaton = Plain::random(seed, 60, None).automaton();
        let system = Padded::new(Graph::new(&automaton), seed);
        if !system.is_state_based() {
            continue;
        }
        let threads = Threads { piece: 3, least_share: 1, ..Threads::new(1 + seed as usize % 4) };
        for components in [false, true] {
            let check = |store| {
                let budget = Budget::unlimited();
                let options = EmptinessOptions { budget: &budget, components, store, progress: &mut |_| {} };
                cndfs::search(&system, options, threads)
            };
            let (compressed, exact) = (check(Store::Compressed), check(Store::Exact));
            assert_eq!(compressed.end(), exact.end(), "seed {seed}");
            found += u64::from(compressed.lasso.is_some());
            let shorten = |store| {
                let budget = Budget::unlimited();
                let (max_length, patience, progress) = (None, None, &mut |_: &_| {});
                let options = ShorteningOptions { budget: &budget, components, store, max_length, patience, progress };
                shorten::parallel::search(&system, options, threads)
            };
            let (compressed, exact) = (shorten(Store::Compressed), shorten(Store::Exact));
            assert_eq!((compressed.end(), &compressed.lasso), (exact.end(), &exact.lasso), "seed {seed}");
            assert_eq!(compressed.statistics.states, exact.statistics.states, "seed {seed}");
            shortened += u64::from(compressed.lasso.is_some());
        }
    }
    assert!(found > 50 && shortened > 50, "{found} found, {shortened} shortened");
}
