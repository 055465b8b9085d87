//! Searches on several threads against the sequential ones and a brute-force twin.

mod common;

use common::{Graph, replay, truth};
use kernel::budget::Budget;
use kernel::decision::Decision;
use kernel::system::{Ending, Successor, System, Visitor};
use search::check::{Order, Plan, safety};
use search::explore::parallel::{self, Grain};
use search::explore::{End, ExplorationOptions, ExplorationResult, Occurrence, SafetyKind, Until, bfs, dfs};
use search::shorten::Patience;
use search::threads::Threads;
use std::collections::BTreeSet;

const ALL: Until = Until::Exhausted { per_kind: usize::MAX };

/// This many threads, each of which takes one state at a time, even in small levels.
fn eager(count: usize) -> Threads {
    Threads { count, piece: 1, least_share: 1, head_start: 0 }
}

fn options<'a>(
    until: Until,
    budget: &'a Budget,
    progress: &'a mut dyn FnMut(&search::meter::Statistics),
) -> ExplorationOptions<'a, usize> {
    fn identity(occurrence: &Occurrence<'_, usize>) -> u64 {
        (Graph::decode(occurrence.state) * 100 + occurrence.step.map_or(0, |step| step + 1)) as u64
    }
    ExplorationOptions { until, budget, identity: &identity, progress }
}

fn run(graph: &Graph, until: Until, threads: Threads, grain: Grain, budget: &Budget) -> ExplorationResult<Graph> {
    parallel::search(graph, options(until, budget, &mut |_| {}), threads, grain)
}

#[test]
fn whole_searches_see_everything() {
    for seed in 0..600 {
        let graph = Graph::random(seed);
        let truth = truth(&graph);
        let states = truth.distance.keys().filter(|node| !graph.is_transient[**node]).count() as u64;
        let budget = Budget::unlimited();
        for grain in [Grain::Single, Grain::Visible] {
            let twin = match grain {
                Grain::Single => bfs::search(&graph, options(ALL, &budget, &mut |_| {})),
                Grain::Visible => dfs::search(&graph, options(ALL, &budget, &mut |_| {})),
            };
            for count in [1, 2, 5] {
                let report = run(&graph, ALL, eager(count), grain, &budget);
                assert_eq!(report.end, End::Complete, "seed {seed}");
                assert_eq!(report.statistics.states, states, "seed {seed}");
                let counts = |r: &ExplorationResult<Graph>| (r.statistics.transitions, r.statistics.transient_steps);
                assert_eq!(counts(&report), counts(&twin), "seed {seed}, {grain:?}, {count} threads");
                // The notes of all threads together: every state was expanded.
                let expanded: BTreeSet<_> = report.scratch.iter().collect();
                let reached =
                    truth.distance.keys().filter(|node| grain == Grain::Single || !graph.is_transient[**node]);
                assert!(reached.into_iter().all(|node| expanded.contains(node)), "seed {seed}");
                let found: BTreeSet<_> = report.findings.iter().map(|finding| replay(&graph, finding)).collect();
                assert_eq!(found.len(), report.findings.len(), "seed {seed}: something was told twice");
                assert!(found.iter().eq(truth.findings.keys()), "seed {seed}: {found:?} for {:?}", truth.findings);
                for finding in report.findings.iter().filter(|_| grain == Grain::Single) {
                    assert_eq!(finding.path.len() as u64, truth.findings[&replay(&graph, finding)], "seed {seed}");
                    assert!(finding.is_shortest);
                }
            }
        }
    }
}

#[test]
fn findings_and_paths_do_not_depend_on_the_threads() {
    let untils = [Until::First, Until::EachKind { grace: 0 }, Until::EachKind { grace: 10 }, ALL];
    let mut compared = 0;
    for seed in 0..400 {
        let graph = Graph::random(seed);
        let truth = truth(&graph);
        for (until, grain) in untils.into_iter().flat_map(|until| [(until, Grain::Single), (until, Grain::Visible)]) {
            let budget = Budget::unlimited();
            let one = run(&graph, until, Threads::new(1), grain, &budget);
            assert_eq!(one.findings.is_empty(), truth.findings.is_empty(), "seed {seed}");
            for count in [2, 3, 8] {
                let many = run(&graph, until, eager(count), grain, &budget);
                assert_eq!((many.end, &many.findings), (one.end, &one.findings), "seed {seed}, {until:?}, {grain:?}");
                assert_eq!(many.statistics.states, one.statistics.states, "seed {seed}, {until:?}, {grain:?}");
                compared += one.findings.len();
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn a_search_for_the_first_finding_gives_a_shortest_one() {
    for seed in 0..1000 {
        let graph = Graph::random(seed);
        let truth = truth(&graph);
        let report = run(&graph, Until::First, eager(2), Grain::Single, &Budget::unlimited());
        let shortest = report.findings.first().map(|finding| finding.path.len() as u64);
        assert_eq!(shortest, truth.findings.values().copied().min(), "seed {seed}");
        assert!(report.findings.len() <= 1 && report.findings.iter().all(|finding| finding.is_shortest));
        let of_kind = |kind| truth.findings.iter().filter(move |(id, _)| id.0 == kind).map(|(_, d)| *d).min();
        let until = Until::EachKind { grace: u64::MAX };
        let report = run(&graph, until, eager(2), Grain::Single, &Budget::unlimited());
        for kind in SafetyKind::ALL {
            let mut found = report.findings.iter().filter(|finding| finding.kind == kind);
            assert_eq!(found.next().map(|finding| finding.path.len() as u64), of_kind(kind), "seed {seed}");
            assert!(found.next().is_none(), "seed {seed}");
        }
    }
}

#[test]
fn a_depth_limit_is_exact() {
    for seed in 0..300 {
        let graph = Graph::random(seed);
        let truth = truth(&graph);
        for depth in [0, 1, 3, 8, 200] {
            let mut budget = Budget::unlimited();
            budget.depth = Some(depth);
            let report = run(&graph, ALL, eager(2), Grain::Single, &budget);
            let within: BTreeSet<_> = truth.findings.iter().filter(|(_, d)| **d <= depth).map(|(id, _)| *id).collect();
            let found: BTreeSet<_> = report.findings.iter().map(|finding| replay(&graph, finding)).collect();
            assert_eq!(found, within, "seed {seed}, depth {depth}");
            let farthest = truth.distance.values().chain(truth.findings.values()).copied().max().unwrap();
            assert_eq!(report.end == End::Complete, farthest <= depth, "seed {seed}, depth {depth}");
        }
    }
}

/// Counters modulo `modulus`, one of which is incremented by each step; those that are done have no successor.
struct Counters {
    counters: usize,
    modulus: u8,
}

impl System for Counters {
    type Step = usize;
    type Scratch = Vec<u8>;

    fn scratch(&self) -> Vec<u8> {
        Vec::new()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        *into = vec![0; self.counters];
    }

    fn successors<V: Visitor<usize>>(&self, next: &mut Vec<u8>, state: &[u8], visitor: &mut V) {
        for step in 0..self.counters {
            if state[step] + 1 < self.modulus {
                next.clear();
                next.extend_from_slice(state);
                next[step] += 1;
                // States of different lengths, so that several blocks are open.
                next.truncate(self.counters);
                let sum: usize = next.iter().map(|counter| usize::from(*counter)).sum();
                next.resize(self.counters + sum % 3, 9);
                visitor.successor(Successor { step, state: next, transient: false });
            }
        }
    }

    fn ending(&self, _: &mut Vec<u8>, _: &[u8]) -> Ending {
        Ending::Invalid
    }
}

#[test]
fn large_levels_and_a_growing_store() {
    let system = Counters { counters: 6, modulus: 8 };
    let mut paths = Vec::new();
    for count in [1, 2, 4, 8] {
        let budget = Budget::unlimited();
        let mut reported = 0;
        let mut progress = |statistics: &search::meter::Statistics| reported = statistics.states;
        let options = ExplorationOptions { until: ALL, budget: &budget, identity: &|_| 0, progress: &mut progress };
        let report = parallel::search(&system, options, Threads::new(count), Grain::Visible);
        assert_eq!((report.end, report.statistics.states), (End::Complete, 8_u64.pow(6)), "{count} threads");
        assert_eq!(report.statistics.transitions, 6 * 7 * 8_u64.pow(5));
        assert_eq!(report.statistics.depth, 42);
        assert!(reported > 0);
        assert_eq!(report.findings.len(), 1);
        paths.push(report.findings[0].path.clone());
    }
    assert!(paths.iter().all(|path| *path == paths[0] && path.len() == 42));
}

#[test]
fn verdicts_do_not_depend_on_the_head_start() {
    let mut decided = 0;
    for seed in 0..300 {
        let graph = Graph::random(seed);
        for (order, until) in [Order::DepthFirst, Order::BreadthFirst].into_iter().flat_map(|order| {
            [Until::First, Until::EachKind { grace: 0 }, Until::EachKind { grace: u64::MAX }, ALL]
                .map(|until| (order, until))
        }) {
            let verdicts = |threads| {
                let patience = Some(Patience::timed(1.0, std::time::Duration::from_secs(60)));
                let plan = Plan { order, patience, threads, ..Plan::default() };
                let (budget, mut silent) = (Budget::unlimited(), |_: &search::meter::Statistics| {});
                let answer = safety(&graph, plan, options(until, &budget, &mut silent), |finding| {
                    replay(&graph, finding);
                    Ok::<_, ()>((finding.kind, finding.path.len(), finding.is_shortest))
                });
                let answer = answer.unwrap();
                let kinds = answer.verdicts.into_iter().map(|(_, verdict)| match verdict {
                    Decision::Holds(coverage) => (Some(coverage.states()), Vec::new()),
                    Decision::Violated(mut list) => {
                        list.sort_unstable();
                        (None, list)
                    }
                    Decision::Unknown(_) => (None, Vec::new()),
                });
                kinds.collect::<Vec<_>>()
            };
            let one = verdicts(None);
            decided += one.iter().filter(|verdict| verdict.0.is_some() || !verdict.1.is_empty()).count();
            for head_start in [0, 20, 60] {
                let many = verdicts(Some(Threads { head_start, ..eager(3) }));
                match until {
                    // Which kind is found first depends on the order.
                    Until::First | Until::EachKind { grace: 0 } => {
                        let is_violated = |list: &[(Option<u64>, Vec<_>)]| list.iter().any(|one| !one.1.is_empty());
                        assert_eq!(is_violated(&many), is_violated(&one), "seed {seed}, {order:?}, {until:?}");
                    }
                    // Depth first, the runs of an exhaustive search are not shortest.
                    _ if until == ALL && order == Order::DepthFirst => {
                        let count = |list: &[(Option<u64>, Vec<_>)]| {
                            list.iter().map(|one| (one.0, one.1.len())).collect::<Vec<_>>()
                        };
                        assert_eq!(count(&many), count(&one), "seed {seed}");
                    }
                    _ => assert_eq!(many, one, "seed {seed}, {order:?}, {until:?}, {head_start}"),
                }
            }
        }
    }
    assert!(decided > 1000, "{decided}");
}

/// What a safety check finds, as it is told: kinds, paths, and whether they are shortest; and how the search ended.
fn told<M: System>(
    system: &M,
    until: Until,
    threads: Threads,
    budget: &Budget,
) -> (End, Vec<search::explore::Finding<M::Step>>, search::meter::Statistics)
where
    M::Step: Copy,
{
    let plan = Plan { threads: Some(threads), ..Plan::default() };
    let mut silent = |_: &search::meter::Statistics| {};
    let options = ExplorationOptions { until, budget, identity: &|_| 0, progress: &mut silent };
    let answer = safety(system, plan, options, |finding| Ok::<_, ()>(finding.clone())).unwrap();
    let found = answer.verdicts.into_iter().flat_map(|(_, verdict)| match verdict {
        Decision::Violated(list) => list,
        Decision::Holds(_) | Decision::Unknown(_) => Vec::new(),
    });
    (answer.end, found.collect(), answer.statistics)
}

#[test]
fn both_searches_together_find_the_same_on_any_number_of_threads() {
    let mut compared = 0;
    for seed in 0..300 {
        let graph = Graph::random(seed);
        for until in [Until::First, Until::EachKind { grace: 3 }, Until::EachKind { grace: u64::MAX }] {
            for head_start in [1, 10, 40] {
                let run = |count| told(&graph, until, Threads { head_start, ..eager(count) }, &Budget::unlimited());
                let (end, two, _) = run(2);
                for count in [3, 5, 8] {
                    let (other_end, many, _) = run(count);
                    assert_eq!(
                        (other_end, &many),
                        (end, &two),
                        "seed {seed}, {until:?}, {head_start}, {count} threads"
                    );
                }
                compared += two.len();
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

/// Two parts, each of three counters. The first part is small and has no violation; a depth-first search visits it first. The second part
/// has fifteen million states and one end after 750 steps, which lies at the end of the first path through it.
struct Deep;

impl Deep {
    const MOST: [u8; 3] = [0, 40, 250];
}

impl System for Deep {
    type Step = usize;
    type Scratch = Vec<u8>;

    fn scratch(&self) -> Vec<u8> {
        Vec::new()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        *into = vec![0; 4];
    }

    fn successors<V: Visitor<usize>>(&self, next: &mut Vec<u8>, state: &[u8], visitor: &mut V) {
        let part = usize::from(state[0]);
        let steps: &[usize] = if part == 0 { &[0, 0] } else { &[1, 2, 3] };
        for (index, step) in steps.iter().enumerate() {
            if part > 0 && state[*step] == Self::MOST[part] {
                continue;
            }
            next.clear();
            next.extend_from_slice(state);
            next[*step] += if part == 0 { index as u8 + 1 } else { 1 };
            visitor.successor(Successor { step: *step + index, state: next, transient: false });
        }
    }

    fn ending(&self, _: &mut Vec<u8>, state: &[u8]) -> Ending {
        if state[0] == 2 { Ending::Invalid } else { Ending::Valid }
    }
}

#[test]
fn a_deep_violation_is_not_lost_to_the_levels() {
    let mut paths = Vec::new();
    for count in [2, 3, 8] {
        let threads = Threads { head_start: 100, ..Threads::new(count) };
        let (end, found, statistics) = told(&Deep, Until::First, threads, &Budget::unlimited());
        assert_eq!((end, found.len(), statistics.threads), (End::Enough, 1, count as u64));
        assert_eq!(found[0].path.len(), 751);
        assert!(statistics.bytes < 1 << 26, "far from all states were visited: {} bytes", statistics.bytes);
        paths.push(found[0].path.clone());
    }
    assert!(paths.iter().all(|path| *path == paths[0]));
}

#[test]
fn a_search_for_all_violations_shares_levels_that_are_large_enough() {
    let system = Counters { counters: 4, modulus: 8 };
    // The largest level has 344 states.
    for (least_share, used) in [(100, 2), (512, 1)] {
        let threads = Threads { least_share, ..Threads::new(2) };
        let (end, found, statistics) = told(&system, ALL, threads, &Budget::unlimited());
        assert_eq!((end, found.len(), statistics.states, statistics.threads), (End::Complete, 1, 4096, used));
    }
}

#[test]
fn one_thread_visits_all_states_level_by_level_unless_memory_is_tight() {
    let system = Counters { counters: 4, modulus: 8 };
    // The table of the search by levels takes more than this from the beginning.
    for (memory, levels) in [(None, 1), (Some(250_000), 0)] {
        let mut budget = Budget::unlimited();
        budget.memory = memory;
        let (end, found, statistics) = told(&system, ALL, Threads::new(1), &budget);
        assert_eq!((end, found.len(), statistics.states, statistics.threads), (End::Complete, 1, 4096, levels));
    }
}

#[test]
fn in_tight_memory_the_depth_first_search_goes_on_alone() {
    // Too little for both searches at the same time, and for all levels up to the end.
    let mut budget = Budget::unlimited();
    budget.memory = Some(1 << 22);
    let threads = Threads { head_start: 100, ..Threads::new(2) };
    let (end, found, statistics) = told(&Deep, Until::First, threads, &budget);
    assert_eq!((end, found.len(), statistics.threads), (End::Enough, 1, 0));
    assert!(statistics.bytes <= 1 << 22);
}
