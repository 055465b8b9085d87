//! Every emptiness check and every minimiser against brute force, on random automata and on all small ones.

use crate::brute::Plain;
use kernel::budget::{Budget, Exhausted};
use omega::automaton::emptiness::RunEdge;
use omega::random::Random;
use search::accepting::{Accepting, check_laws};
use search::emptiness::{Emptiness, EmptinessOptions, End};
use search::graph::Graph;
use search::meter::Statistics;
use search::shorten::{self, Patience, Shortening, ShorteningResult, bfs};
use search::store::Store;
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

/// The seeds to try: `LARIAT_SEED` sets the first, `LARIAT_COUNT` how many.
pub(crate) fn seeds(usually: u64) -> Range<u64> {
    let number = |variable: &str| std::env::var(variable).ok().and_then(|text| text.parse().ok());
    let (first, count) = (number("LARIAT_SEED").unwrap_or(0), number("LARIAT_COUNT").unwrap_or(usually));
    println!("seeds {first} to {} (LARIAT_SEED, LARIAT_COUNT)", first + count - 1);
    first..first + count
}

fn shorten(
    search: Shortening,
    graph: &Graph<'_>,
    components: bool,
    max_length: Option<u64>,
) -> ShorteningResult<RunEdge> {
    let budget = Budget::unlimited();
    search.search(
        graph,
        shorten::ShorteningOptions {
            budget: &budget,
            components,
            store: Store::Exact,
            max_length,
            patience: None,
            progress: &mut |_| {},
        },
    )
}

/// Runs all that applies to a graph and compares it with the truth.
fn compare(plain: &Plain, name: &str) -> Option<usize> {
    let automaton = plain.automaton();
    let graph = Graph::new(&automaton);
    let shortest = plain.shortest();
    for components in [false, true] {
        let mut visits = BTreeMap::new();
        for search in Emptiness::ALL {
            let budget = Budget::unlimited();
            let outcome = search.search(
                &graph,
                EmptinessOptions { budget: &budget, components, store: Store::Exact, progress: &mut |_| {} },
            );
            let what = format!("{name}, {}, components {components}: {plain:?}", search.name());
            assert_eq!(outcome.end(), if shortest.is_some() { End::Found } else { End::Complete }, "{what}");
            assert_eq!(outcome.lasso.is_some(), shortest.is_some(), "{what}");
            visits.insert(search, outcome.statistics.visits);
            let is_nested = graph.is_state_based() && search != Emptiness::Scc;
            assert!(!is_nested || outcome.statistics.visits <= 2 * outcome.statistics.states, "{what}");
            if let Some(lasso) = outcome.lasso {
                assert_eq!(lasso.check(&graph), Ok(()), "{what}");
                assert!(Graph::run(&lasso).check(&automaton), "{what}");
                assert!(lasso.length() >= shortest.unwrap(), "{what}");
            }
        }
        if shortest.is_none() && graph.is_state_based() {
            assert!(visits[&Emptiness::Gmz] <= visits[&Emptiness::Spin], "{name}: {plain:?}");
            assert!(visits[&Emptiness::Scc] <= visits[&Emptiness::Gmz], "{name}: {plain:?}");
        }
        for search in Shortening::ALL {
            let is_exact = search.is_exact() && !search.counts(&graph);
            let outcome = shorten(search, &graph, components, None);
            let what = format!("{name}, {}, components {components}: {plain:?}", search.name());
            assert_eq!(outcome.end(), if shortest.is_some() { End::Found } else { End::Complete }, "{what}");
            assert_eq!(outcome.is_minimal, is_exact && shortest.is_some(), "{what}");
            assert_eq!(outcome.lasso.is_some(), shortest.is_some(), "{what}");
            if let Some(lasso) = outcome.lasso {
                assert_eq!(lasso.check(&graph), Ok(()), "{what}");
                assert!(lasso.length() as u64 <= outcome.first_length.unwrap(), "{what}");
                assert!(lasso.length() >= shortest.unwrap(), "{what}");
                assert!(!is_exact || Some(lasso.length()) == shortest, "{what}");
            }
        }
    }
    shortest
}

#[test]
fn random_buchi_automata() {
    let seeds = seeds(5000);
    let count = seeds.end - seeds.start;
    let mut empty = 0;
    let mut longest = 0;
    for seed in seeds {
        let plain = Plain::random(seed, 60, None);
        let shortest = compare(&plain, &format!("seed {seed}"));
        empty += u64::from(shortest.is_none());
        longest = longest.max(shortest.unwrap_or(0));
    }
    println!("{empty} of {count} automata are empty; the longest of the shortest lassos has {longest} steps");
    assert!(count < 100 || empty > count / 10 && empty < count * 9 / 10, "both verdicts occur: {empty} of {count}");
    assert!(count < 5000 || longest >= 12, "some lassos are long: {longest}");
}

#[test]
fn random_generalised_automata() {
    let seeds = seeds(1000);
    let count = seeds.end - seeds.start;
    let mut empty = 0;
    for seed in seeds {
        let plain = Plain::random(seed, 20, Some(seed as u32 % 4));
        empty += u64::from(compare(&plain, &format!("generalised seed {seed}")).is_none());
    }
    assert!(count < 100 || empty > count / 10 && empty < count * 9 / 10, "both verdicts occur: {empty} of {count}");
}

/// All state-based automata with this many states, in each order of edges that is as given or reversed, up to renaming
/// of the states other than the initial one.
pub(crate) fn all_small(nodes: usize) -> Vec<Plain> {
    let pairs: Vec<(usize, usize)> = (0..nodes).flat_map(|one| (0..nodes).map(move |two| (one, two))).collect();
    let mut all = Vec::new();
    for edges in 0_u32..1 << pairs.len() {
        for accepting in 0_u32..1 << nodes {
            let renamed = |one: usize| if nodes == 3 && one > 0 { 3 - one } else { one };
            let code = |rename: &dyn Fn(usize) -> usize| {
                let edge = |at: usize| {
                    let (one, two) = (rename(pairs[at].0), rename(pairs[at].1));
                    one * nodes + two
                };
                let edges = (0..pairs.len()).filter(|at| edges >> at & 1 == 1).fold(0_u32, |c, at| c | 1 << edge(at));
                let states = (0..nodes).filter(|s| accepting >> s & 1 == 1).fold(0_u32, |c, s| c | 1 << rename(s));
                (edges, states)
            };
            if code(&renamed) < code(&|one| one) {
                continue;
            }
            let chosen: Vec<(usize, usize)> =
                pairs.iter().enumerate().filter(|(at, _)| edges >> at & 1 == 1).map(|(_, pair)| *pair).collect();
            let states: Vec<usize> = (0..nodes).filter(|state| accepting >> state & 1 == 1).collect();
            let reversed: Vec<(usize, usize)> = chosen.iter().rev().copied().collect();
            all.push(Plain::state_based(nodes, &states, &chosen));
            all.push(Plain::state_based(nodes, &states, &reversed));
        }
    }
    all
}

#[test]
fn all_automata_with_up_to_three_states() {
    let mut count = 0;
    for plain in (1..=3).flat_map(all_small) {
        compare(&plain, "small");
        count += 1;
    }
    assert_eq!(
        count,
        2 * (2 * 2 + 16 * 4 + (512 * 8 + 32 * 4) / 2),
        "orbits under the swap of two states, by Burnside"
    );
}

#[test]
fn automata_keep_the_laws_of_accepting_systems() {
    for seed in 0..200 {
        let sets = if seed % 2 == 0 { None } else { Some(seed as u32 % 4) };
        check_laws(&Graph::new(&Plain::random(seed, 30, sets).automaton()), 100);
    }
}

/// The automata of section 3 of [gastin.04.spin], read from the runs the text tells of; any of three states of the first
/// may be the accepting one.
#[test]
fn the_heuristic_of_spin_misses_the_minimum_where_the_paper_says_so() {
    let first = [(0, 1), (0, 3), (1, 2), (2, 3), (3, 4), (4, 2)];
    let second = [(0, 1), (1, 2), (1, 3), (2, 1), (3, 4), (3, 2), (4, 2)];
    let automata = [(&first[..], 2), (&first[..], 3), (&first[..], 4), (&second[..], 3)];
    for (edges, accepting) in automata {
        let plain = Plain::state_based(5, &[accepting], edges);
        assert_eq!(compare(&plain, "section 3"), Some(4));
        let automaton = plain.automaton();
        let heuristic = shorten(Shortening::SpinI, &Graph::new(&automaton), false, None);
        assert_eq!(heuristic.lasso.map(|lasso| lasso.length()), Some(5), "{plain:?}");
        assert_eq!(heuristic.first_length, Some(5), "{plain:?}");
    }
}

/// State 7 is first met where a lasso through it cannot be shorter than the one at hand, yet that it was met there is
/// what makes the depth-first search look twice when it meets the state again after one step.
#[test]
fn a_state_met_as_deep_as_the_bound_allows_is_not_new_later() {
    let edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (0, 7), (7, 2)];
    assert_eq!(compare(&Plain::state_based(8, &[5], &edges), "deep"), Some(7));
}

#[test]
fn a_bound_on_the_length_is_exact() {
    for seed in 0..300 {
        let sets = if seed % 3 == 0 { Some(2) } else { None };
        let plain = Plain::random(seed, 25, sets);
        let automaton = plain.automaton();
        let graph = Graph::new(&automaton);
        let shortest = plain.shortest();
        for search in Shortening::ALL.into_iter().filter(|search| search.is_exact()) {
            if search.counts(&graph) {
                continue;
            }
            for length in 0..30 {
                let outcome = shorten(search, &graph, true, Some(length));
                let expected = shortest.filter(|shortest| *shortest as u64 <= length);
                let what = format!("seed {seed}, {}, at most {length}", search.name());
                assert_eq!(outcome.lasso.as_ref().map(|lasso| lasso.length()), expected, "{what}");
                assert_eq!(outcome.is_minimal, expected.is_some(), "{what}");
                let is_right = match outcome.end() {
                    End::Found => expected.is_some(),
                    End::Complete => shortest.is_none(),
                    End::Limit(_) => expected.is_none(),
                };
                assert!(is_right, "{what}: {:?} but the shortest is {shortest:?}", outcome.end());
            }
        }
    }
}

/// A long ladder of two-way rungs that leads back to its foot, and a way out of the loop to a nearby cycle: shortening
/// depth first would take longer than anyone can wait.
#[test]
fn patience_and_budgets_end_a_search_with_what_it_has() {
    let rungs = 40;
    let mut edges = Vec::new();
    for rung in 0..rungs {
        let next = 3 * ((rung + 1) % rungs);
        edges.extend([(3 * rung, 3 * rung + 1), (3 * rung, 3 * rung + 2), (3 * rung + 1, next), (3 * rung + 2, next)]);
    }
    let automaton = Plain::state_based(3 * rungs, &[0], &edges).automaton();
    let graph = Graph::new(&automaton);
    let budget = Budget::unlimited();
    let patience = Some(Patience::timed(1.0, Duration::from_millis(20)));
    let options = |budget, patience| shorten::ShorteningOptions {
        budget,
        components: true,
        store: Store::Exact,
        max_length: None,
        patience,
        progress: Box::leak(Box::new(|_: &Statistics| {})),
    };
    let outcome = Shortening::Dfs.search(&graph, options(&budget, patience));
    assert_eq!(outcome.end(), End::Limit(Exhausted::Time));
    assert!(!outcome.is_minimal && outcome.lasso.unwrap().check(&graph).is_ok());
    let outcome = Shortening::Bfs.search(&graph, options(&budget, None));
    assert!(outcome.is_minimal && outcome.end() == End::Found);
    assert_eq!(outcome.lasso.unwrap().length(), 2 * rungs);
    let cancelled = Budget::unlimited();
    cancelled.cancel_switch().store(true, std::sync::atomic::Ordering::Relaxed);
    for search in Emptiness::ALL {
        let options =
            EmptinessOptions { budget: &cancelled, components: true, store: Store::Exact, progress: &mut |_| {} };
        let outcome = search.search(&graph, options);
        assert_eq!((outcome.end(), outcome.lasso), (End::Limit(Exhausted::Cancelled), None), "{}", search.name());
    }
    for search in Shortening::ALL {
        let outcome = search.search(&graph, options(&cancelled, None));
        assert_eq!((outcome.end(), outcome.lasso), (End::Limit(Exhausted::Cancelled), None), "{}", search.name());
    }
}

#[test]
fn a_depth_limit_is_told() {
    // A path of ten states, then an accepting loop.
    let edges: Vec<(usize, usize)> = (0..10).map(|node| (node, (node + 1).min(9))).collect();
    let automaton = Plain::state_based(10, &[9], &edges).automaton();
    let graph = Graph::new(&automaton);
    for (depth, is_found) in [(8, false), (9, true)] {
        let mut budget = Budget::unlimited();
        budget.depth = Some(depth);
        for search in Emptiness::ALL {
            let outcome = search.search(
                &graph,
                EmptinessOptions { budget: &budget, components: true, store: Store::Exact, progress: &mut |_| {} },
            );
            let expected = if is_found { End::Found } else { End::Limit(Exhausted::Depth) };
            assert_eq!(outcome.end(), expected, "{}, {depth}", search.name());
        }
    }
}

#[test]
fn each_accepting_state_on_a_cycle_gets_its_shortest_lasso() {
    for seed in 0..500 {
        let plain = Plain::random(seed, 30, None);
        let automaton = plain.automaton();
        let graph = Graph::new(&automaton);
        let budget = Budget::unlimited();
        let mut found = BTreeMap::new();
        let options = shorten::ShorteningOptions {
            budget: &budget,
            components: true,
            store: Store::Exact,
            max_length: None,
            patience: None,
            progress: &mut |_| {},
        };
        bfs::each(&graph, options, |state, lasso| {
            assert_eq!(lasso.check(&graph), Ok(()), "seed {seed}");
            let through = |next: &search::lasso::Move<RunEdge>| *next.state == *state;
            assert!(lasso.cycle.iter().any(through), "seed {seed}: the cycle goes through its state");
            found.insert(Graph::state(state) as usize, lasso.length());
        });
        assert_eq!(found, plain.shortest_through(), "seed {seed}");
    }
}

#[test]
fn the_order_of_steps_does_not_matter_to_breadth_first_search() {
    for seed in 0..300 {
        let plain = Plain::random(seed, 40, None);
        let mut shuffled = plain.clone();
        let mut random = Random::new(seed);
        for index in 1..shuffled.edges.len() {
            shuffled.edges.swap(index, random.below(index as u64 + 1) as usize);
        }
        let [one, two] = [plain, shuffled].map(|plain| {
            let automaton = plain.automaton();
            // Without the lasso of another search to start from.
            let outcome = shorten(Shortening::Bfs, &Graph::new(&automaton), true, Some(1000));
            (outcome.lasso.as_ref().map(|lasso| lasso.length()), outcome.end(), outcome.statistics.states)
        });
        assert_eq!(one, two, "seed {seed}");
    }
}
