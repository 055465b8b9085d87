//! Emptiness checks and minimisers with the tree store: the same lassos and counts as with whole states.

use crate::automata::seeds;
use crate::brute::Plain;
use crate::padded::Padded;
use kernel::budget::Budget;
use search::accepting::{Accepting, check_laws};
use search::emptiness::{Emptiness, EmptinessOptions};
use search::graph::Graph;
use search::meter::Statistics;
use search::shorten::{Shortening, ShorteningOptions};
use search::store::Store;

fn counts(statistics: Statistics) -> [u64; 4] {
    [statistics.states, statistics.visits, statistics.transitions, statistics.depth]
}

#[test]
fn searches_for_lassos_with_trees_are_those_with_whole_states() {
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
                let (tree, exact) = (run(Store::Tree), run(Store::Exact));
                let what = format!("seed {seed}, {}, components {components}", search.name());
                assert_eq!((tree.end(), &tree.lasso), (exact.end(), &exact.lasso), "{what}");
                assert_eq!(counts(tree.statistics), counts(exact.statistics), "{what}");
                found += u64::from(tree.lasso.is_some());
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
                let (tree, exact) = (run(Store::Tree), run(Store::Exact));
                let what = format!("seed {seed}, {}, components {components}", search.name());
                assert_eq!((tree.end(), &tree.lasso), (exact.end(), &exact.lasso), "{what}");
                assert_eq!(tree.is_minimal, exact.is_minimal, "{what}");
                assert_eq!(counts(tree.statistics), counts(exact.statistics), "{what}");
                shortened += u64::from(tree.lasso.is_some());
            }
        }
    }
    assert!(found > 500 && shortened > 300, "{found} found, {shortened} shortened");
}
