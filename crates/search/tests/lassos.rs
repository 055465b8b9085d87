//! Every emptiness check and every minimiser against brute force, on random automata and on all small ones.

mod brute;

use brute::Plain;
use kernel::budget::Budget;
use search::accepting::check_laws;
use search::emptiness::{Emptiness, End, Options};
use search::graph::Graph;

/// How many random automata to try: set `LARIAT_RANDOM_AUTOMATA` for more.
fn how_many(usually: u64) -> u64 {
    std::env::var("LARIAT_RANDOM_AUTOMATA").ok().and_then(|text| text.parse().ok()).unwrap_or(usually)
}

/// Runs all that applies to a graph and compares it with the truth.
fn compare(plain: &Plain, name: &str) -> Option<usize> {
    let automaton = plain.automaton();
    let graph = Graph::new(&automaton);
    let shortest = plain.shortest();
    for search in Emptiness::ALL.into_iter().filter(|search| graph_is_state_based(&graph) || search.is_generalised()) {
        for components in [false, true] {
            let budget = Budget::unlimited();
            let outcome = search.search(&graph, Options { budget: &budget, components, progress: &mut |_| {} });
            let what = format!("{name}, {}, components {components}: {plain:?}", search.name());
            assert_eq!(outcome.lasso.is_some(), shortest.is_some(), "{what}");
            assert_eq!(outcome.end, if shortest.is_some() { End::Found } else { End::Complete }, "{what}");
            if let Some(lasso) = outcome.lasso {
                assert_eq!(lasso.check(&graph), Ok(()), "{what}");
                assert!(Graph::run(&lasso).check(&automaton), "{what}");
                assert!(lasso.length() >= shortest.unwrap(), "{what}");
            }
        }
    }
    shortest
}

fn graph_is_state_based(graph: &Graph<'_>) -> bool {
    search::accepting::Accepting::is_state_based(graph)
}

#[test]
fn random_buchi_automata() {
    let count = how_many(5000);
    let mut empty = 0;
    let mut longest = 0;
    for seed in 0..count {
        let plain = Plain::random(seed, 60, None);
        let shortest = compare(&plain, &format!("seed {seed}"));
        empty += u64::from(shortest.is_none());
        longest = longest.max(shortest.unwrap_or(0));
    }
    assert!(empty > count / 10 && empty < count * 9 / 10, "both verdicts occur: {empty} of {count} empty");
    assert!(longest >= 12, "some lassos are long: {longest}");
}

#[test]
fn random_generalised_automata() {
    let count = how_many(5000) / 5;
    let mut empty = 0;
    for seed in 0..count {
        let plain = Plain::random(seed, 20, Some(seed as u32 % 4));
        empty += u64::from(compare(&plain, &format!("generalised seed {seed}")).is_none());
    }
    assert!(empty > count / 10 && empty < count * 9 / 10, "both verdicts occur: {empty} of {count} empty");
}

/// All state-based automata with this many states, in each order of edges that is as given or reversed, up to renaming
/// of the states other than the initial one.
fn all_small(nodes: usize) -> Vec<Plain> {
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
