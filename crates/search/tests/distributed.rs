//! Searches on workers that share no memory against the sequential ones, the parallel one and a brute-force twin.
//!
//! Here the workers are threads, and packets travel through boxes. The crate `cluster` has the workers that are processes.

#[path = "common/boxes.rs"]
mod boxes;
mod common;

use common::{Graph, replay, truth};
use kernel::budget::{Budget, Exhausted};
use kernel::decision::Decision;
use search::check::{Order, Plan, follow_safety, safety_distributed};
use search::explore::distributed;
use search::explore::parallel::{self, Grain};
use search::explore::{End, ExplorationOptions, ExplorationResult, Finding, Occurrence, SafetyKind, Until};
use search::meter::Statistics;
use search::shorten::Patience;
use search::store::Store;
use search::team::{LEADER, Member, Notes, Orders};
use search::threads::Threads;
use std::collections::BTreeSet;
use std::time::Duration;

const ALL: Until = Until::Exhausted { per_kind: usize::MAX };

/// The scratch space of a graph lists the states that were expanded.
struct Expanded;

impl Notes<Graph> for Expanded {
    fn write(&self, scratch: &Vec<usize>) -> Vec<u8> {
        scratch.iter().flat_map(|node| (*node as u32).to_le_bytes()).collect()
    }

    fn add(&self, scratch: &mut Vec<usize>, notes: &[u8]) {
        let nodes = notes.chunks(4).map(|node| u32::from_le_bytes(node.try_into().unwrap()) as usize);
        scratch.extend(nodes);
    }
}

/// What each of so many workers computes.
fn each<T: Send>(workers: usize, compute: impl Fn(Member<'_, Graph>) -> T + Sync) -> Vec<T> {
    // Numbers and findings are the same whether states are kept whole or not.
    let store = [Store::Exact, Store::Compressed][workers % 2];
    boxes::each(workers, |exchange| compute(Member { exchange, notes: &Expanded, key: 0, store }))
}

fn options<'a>(
    until: Until,
    budget: &'a Budget,
    progress: &'a mut dyn FnMut(&Statistics),
) -> ExplorationOptions<'a, usize> {
    fn identity(occurrence: &Occurrence<'_, usize>) -> u64 {
        (Graph::decode(occurrence.state) * 100 + occurrence.step.map_or(0, |step| step + 1)) as u64
    }
    ExplorationOptions { until, budget, identity: &identity, progress }
}

/// The reports of all workers, that of the one that leads first; only that one has paths.
fn run(graph: &Graph, until: Until, workers: usize, grain: Grain, budget: &Budget) -> Vec<ExplorationResult<Graph>> {
    each(workers, |member| distributed::search(graph, options(until, budget, &mut |_| {}), grain, true, member))
}

#[test]
fn whole_searches_see_everything() {
    let mut together = BTreeSet::new();
    for seed in 0..300 {
        let graph = Graph::random(seed);
        let truth = truth(&graph);
        let states = truth.distance.keys().filter(|node| !graph.is_transient[**node]).count() as u64;
        let budget = Budget::unlimited();
        let threads = Threads { count: 1, piece: 1, least_share: 1, head_start: 0 };
        for grain in [Grain::Single, Grain::Visible] {
            let twin = parallel::search(&graph, options(ALL, &budget, &mut |_| {}), threads, grain);
            for workers in [1, 2, 5] {
                for (worker, report) in run(&graph, ALL, workers, grain, &budget).into_iter().enumerate() {
                    assert_eq!(report.end, End::Complete, "seed {seed}");
                    assert_eq!(report.statistics.states, states, "seed {seed}");
                    let counts =
                        |statistics: Statistics| (statistics.transitions, statistics.transient_steps, statistics.depth);
                    assert_eq!(counts(report.statistics), counts(twin.statistics), "seed {seed}, {grain:?}");
                    if worker == LEADER {
                        assert_eq!(report.findings, twin.findings, "seed {seed}, {grain:?}, {workers} workers");
                    }
                    assert_eq!(report.statistics.threads, workers as u64);
                    let expanded: BTreeSet<_> = report.scratch.iter().collect();
                    let mut reached =
                        truth.distance.keys().filter(|node| grain == Grain::Single || !graph.is_transient[**node]);
                    assert!(reached.all(|node| expanded.contains(node)), "seed {seed}");
                    for finding in report.findings.iter().filter(|_| grain == Grain::Single) {
                        assert_eq!(finding.path.len() as u64, truth.findings[&replay(&graph, finding)], "seed {seed}");
                        assert!(finding.is_shortest);
                    }
                    together.insert(report.diverges);
                }
            }
        }
    }
    assert!(together.contains(&Some(true)) && together.contains(&Some(false)), "{together:?}");
}

#[test]
fn findings_are_those_of_the_parallel_search() {
    let untils = [Until::First, Until::EachKind { grace: 0 }, Until::EachKind { grace: 10 }];
    let threads = Threads { count: 1, piece: 1, least_share: 1, head_start: 0 };
    let mut found = 0;
    for seed in 0..200 {
        let graph = Graph::random(seed);
        for (until, grain) in untils.into_iter().flat_map(|until| [(until, Grain::Single), (until, Grain::Visible)]) {
            let budget = Budget::unlimited();
            let twin = parallel::search(&graph, options(until, &budget, &mut |_| {}), threads, grain);
            for workers in [2, 3] {
                let reports = run(&graph, until, workers, grain, &budget);
                assert!(reports.iter().all(|report| report.end == twin.end), "seed {seed}, {until:?}");
                assert_eq!(reports[LEADER].findings, twin.findings, "seed {seed}, {until:?}");
            }
            found += twin.findings.len();
        }
    }
    assert!(found > 100, "{found} findings");
}

#[test]
fn a_depth_limit_is_exact() {
    let threads = Threads { count: 1, piece: 1, least_share: 1, head_start: 0 };
    let mut cut = 0;
    for seed in 0..200 {
        let graph = Graph::random(seed);
        for depth in [0, 1, 3, 6] {
            let mut budget = Budget::unlimited();
            budget.depth = Some(depth);
            let twin = parallel::search(&graph, options(ALL, &budget, &mut |_| {}), threads, Grain::Single);
            let reports = run(&graph, ALL, 3, Grain::Single, &budget);
            assert_eq!(reports[LEADER].findings, twin.findings, "seed {seed}, {depth}");
            for report in reports {
                assert_eq!((report.end, report.statistics.states), (twin.end, twin.statistics.states), "seed {seed}");
            }
            cut += u32::from(twin.end == End::Limit(Exhausted::Depth));
        }
    }
    assert!(cut > 50, "{cut} searches were cut");
}

#[test]
fn a_limit_of_one_worker_ends_them_all() {
    let graph = (0..).map(Graph::random).find(|graph| truth(graph).distance.len() > 10).expect("there is one");
    let limited = Budget::unlimited().within(Duration::ZERO);
    let free = Budget::unlimited();
    let ends = each(3, |member| {
        let budget = if member.exchange.borrow().index() == 1 { &limited } else { &free };
        distributed::search(&graph, options(ALL, budget, &mut |_| {}), Grain::Single, false, member).end
    });
    assert!(ends.iter().all(|end| *end == ends[0]), "{ends:?}");
    assert_eq!(ends[0], End::Limit(Exhausted::Time));
}

#[test]
fn verdicts_are_right_and_runs_are_shortest() {
    let mut compared = 0;
    for seed in 0..200 {
        let graph = Graph::random(seed);
        let truth = truth(&graph);
        let mut answers = each(2, |member| {
            let plan = Plan { order: Order::DepthFirst, patience: Some(Patience::ENDLESS), ..Plan::default() };
            let budget = Budget::unlimited();
            let validator = |finding: &Finding<usize>| Ok::<_, ()>((replay(&graph, finding), finding.path.len()));
            let mut silent = |_: &Statistics| {};
            let options = options(Until::EachKind { grace: u64::MAX }, &budget, &mut silent);
            if member.exchange.borrow().index() != LEADER {
                follow_safety(&graph, None, member, &budget, options.identity);
                return Vec::new();
            }
            let team = (
                &Orders { exchange: member.exchange, noticed: &(), unready: None, key: 0, store: Store::Auto },
                member.notes,
            );
            safety_distributed(&graph, None, team, plan, options, validator).expect("nothing is refused").verdicts
        });
        for (kind, decision) in &answers.swap_remove(LEADER) {
            let shortest = truth.findings.iter().filter(|(found, _)| found.0 == *kind).map(|(_, length)| *length).min();
            let is_broken = truth.findings.keys().any(|found| found.0 == SafetyKind::Runtime);
            match decision {
                Decision::Violated(list) => {
                    assert_eq!(list.iter().map(|(_, length)| *length as u64).min(), shortest, "seed {seed}");
                    compared += 1;
                }
                Decision::Holds(_) => assert!(shortest.is_none() && !is_broken, "seed {seed}"),
                Decision::Unknown(_) => assert!(shortest.is_none() && is_broken, "seed {seed}"),
            }
        }
    }
    assert!(compared > 50, "{compared} violations");
}
