//! Searches for safety with the compressed store: the same answers, counts and runs as with whole states.

#![allow(clippy::print_stdout, reason = "a test shows its seeds")]

use kernel::budget::Budget;
use kernel::system::System;
use search::check::{Order, Plan, safety};
use search::explore::parallel::{self, Grain, Resources};
use search::explore::{ExplorationOptions, ExplorationResult, Finding, Occurrence, Until, bfs, dfs};
use search::store::Store;
use search::store::exact::StateHash;
use search::threads::Threads;

#[allow(dead_code, reason = "other tests use the rest")]
mod common;
#[path = "common/padded.rs"]
mod padded;

use common::Graph;
use padded::Padded;

type Search<M> = fn(&M, Store, ExplorationOptions<'_, <M as System>::Step>) -> ExplorationResult<M>;

/// What a search says, without what its memory and time were.
fn told<M: System>(report: &ExplorationResult<M>) -> (String, Vec<Finding<M::Step>>, [u64; 4]) {
    let statistics = report.statistics;
    let counts = [statistics.states, statistics.transitions, statistics.transient_steps, statistics.depth];
    (format!("{:?} {}", report.end, report.omitted), report.findings.clone(), counts)
}

fn identity(occurrence: &Occurrence<'_, usize>) -> u64 {
    StateHash::of(occurrence.state).owner(1 << 20) as u64 * 100 + occurrence.step.map_or(0, |step| step as u64 + 1)
}

#[test]
fn searches_for_safety_with_compressed_states_are_those_with_whole_ones() {
    let (first, count) = (0, 1500);
    println!("seeds {first} to {}", first + count - 1);
    let mut findings = 0;
    for seed in first..first + count {
        let system = Padded::new(Graph::random(seed), seed);
        for until in [Until::First, Until::EachKind { grace: 10 }, Until::Exhausted { per_kind: usize::MAX }] {
            for search in [dfs::search_with as Search<Padded<Graph>>, bfs::search_with] {
                let run = |store| {
                    let budget = Budget::unlimited();
                    let options =
                        ExplorationOptions { until, budget: &budget, identity: &identity, progress: &mut |_| {} };
                    search(&system, store, options)
                };
                let (compressed, exact) = (run(Store::Compressed), run(Store::Exact));
                assert!(compressed.statistics.compressed && !exact.statistics.compressed);
                assert_eq!(told(&compressed), told(&exact), "seed {seed}, {until:?}");
                findings += compressed.findings.len();
            }
        }
    }
    assert!(findings > 1000, "{findings} findings");
}

#[test]
fn whole_checks_with_compressed_states_are_those_with_whole_ones() {
    println!("seeds 0 to 499");
    for seed in 0..500 {
        let system = Padded::new(Graph::random(seed), seed);
        for order in [Order::DepthFirst, Order::BreadthFirst] {
            let answer = |store| {
                let budget = Budget::unlimited();
                let until = Until::EachKind { grace: 1000 };
                let options = ExplorationOptions { until, budget: &budget, identity: &|_| 0, progress: &mut |_| {} };
                let plan = Plan { order, store, ..Plan::default() };
                let answer =
                    safety(&system, plan, options, |finding| Ok::<_, ()>((finding.path.len(), finding.is_shortest)));
                format!("{:?}", answer.unwrap().verdicts)
            };
            assert_eq!(answer(Store::Compressed), answer(Store::Exact), "seed {seed}, {order:?}");
        }
    }
}

/// Findings and their runs depend neither on the number of threads nor on the store.
#[test]
fn searches_on_threads_with_compressed_states_are_those_with_whole_ones() {
    println!("seeds 0 to 499");
    for seed in 0..500 {
        let system = Padded::new(Graph::random(seed), seed);
        let threads = Threads { piece: 3, least_share: 1, ..Threads::new(1 + seed as usize % 4) };
        for grain in [Grain::Single, Grain::Visible] {
            for until in [Until::First, Until::Exhausted { per_kind: usize::MAX }] {
                let run = |store, threads| {
                    let budget = Budget::unlimited();
                    let options =
                        ExplorationOptions { until, budget: &budget, identity: &identity, progress: &mut |_| {} };
                    parallel::search(&system, options, Resources { store, threads }, grain)
                };
                let (compressed, exact) = (run(Store::Compressed, threads), run(Store::Exact, Threads::new(1)));
                assert!(compressed.statistics.compressed && !exact.statistics.compressed);
                assert_eq!(told(&compressed), told(&exact), "seed {seed}, {until:?}, {grain:?}");
            }
        }
    }
}
