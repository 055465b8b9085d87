//! Swarms of small searches on random systems: what they find is real, and they never prove anything.

#[allow(dead_code, reason = "each test uses a part of it")]
mod common;

use common::{Graph, replay, truth};
use kernel::budget::{Budget, Exhausted};
use kernel::decision::{Decision, Reason};
use kernel::system::{System, laws, record};
use search::check::{Plan, safety};
use search::explore::swarm::{QUIET_SEARCHES, Shuffled, Tables, search};
use search::explore::{End, ExplorationOptions, ExplorationResult, Occurrence, Until};
use search::store::Store;
use search::threads::Threads;
use std::collections::BTreeSet;

const LARGE: Tables = Tables { size: 16, hashes: 3 };

fn run(graph: &Graph, tables: Tables, until: Until, threads: usize, budget: &Budget) -> ExplorationResult<Graph> {
    let identity = |_: &Occurrence<'_, usize>| 0;
    let options = ExplorationOptions { until, budget, identity: &identity, progress: &mut |_| {} };
    search(graph, tables, options, Threads::new(threads))
}

#[test]
fn a_swarm_finds_what_there_is_and_nothing_else() {
    let (mut found, mut none) = (0, 0);
    for seed in 0..300 {
        let graph = Graph::random(seed);
        let truth = truth(&graph);
        let report = run(&graph, LARGE, Until::First, 1 + seed as usize % 3, &Budget::unlimited());
        if truth.findings.is_empty() {
            assert_eq!((report.end, report.findings.len()), (End::Complete, 0), "seed {seed}");
            let states = truth.distance.keys().filter(|node| !graph.is_transient[**node]).count() as u64;
            assert_eq!(report.statistics.states, states, "seed {seed}");
            assert_eq!(report.statistics.coverage, Some(1.0), "seed {seed}");
            assert!(report.statistics.searches > QUIET_SEARCHES, "seed {seed}");
            none += 1;
        } else {
            assert_eq!((report.end, report.findings.len()), (End::Enough, 1), "seed {seed}");
            assert!(truth.findings.contains_key(&replay(&graph, &report.findings[0])), "seed {seed}");
            found += 1;
        }
        assert!(report.statistics.missed.is_some(), "seed {seed}: a swarm is no proof");
    }
    assert!(found > 50 && none > 50, "{found} and {none}");
}

#[test]
fn a_swarm_never_says_that_something_holds() {
    for seed in 0..100 {
        let graph = Graph::random(seed);
        let plan = Plan { store: Store::Bitstate { size: 16, hashes: 3 }, swarm: true, ..Plan::default() };
        let (budget, identity) = (Budget::unlimited(), |_: &Occurrence<'_, usize>| 0);
        let options =
            ExplorationOptions { until: Until::First, budget: &budget, identity: &identity, progress: &mut |_| {} };
        let answer = safety(&graph, plan, options, |_| Ok::<_, ()>(())).unwrap();
        assert!(answer.verdicts.iter().all(|(_, verdict)| !matches!(verdict, Decision::Holds(_))), "seed {seed}");
        let is_found = answer.verdicts.iter().any(|(_, verdict)| matches!(verdict, Decision::Violated(_)));
        let is_lossy = |verdict: &_| matches!(verdict, Decision::Unknown(Reason::LossyStore { .. }));
        assert!(is_found || answer.verdicts.iter().all(|(_, verdict)| is_lossy(verdict)), "seed {seed}");
    }
}

#[test]
fn searches_that_are_too_small_on_their_own_see_more_together() {
    // A table of 1,024 bits, and a system with some thousand states.
    let mut more = 0;
    for seed in 0..5 {
        let graph = Graph { lengths: 3, ..large(seed) };
        let tables = Tables { size: 10, hashes: 1 };
        let report = run(&graph, tables, Until::First, 1, &Budget::unlimited());
        // A single search sees at most one state for each bit of its table.
        more += u64::from(report.statistics.states > 1024);
        assert!(report.statistics.missed > Some(0.99), "seed {seed}");
    }
    assert!(more > 0, "some swarm saw more states than its tables have bits");
}

/// A graph without faults in which every node has three successors.
fn large(seed: u64) -> Graph {
    use rand::{RngExt, SeedableRng};
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let nodes = 4000;
    let edge = |target| common::Edge { target: Some(target), fault: None };
    let edges = (0..nodes).map(|_| (0..3).map(|_| edge(random.random_range(0..nodes))).collect()).collect();
    Graph { edges, is_transient: vec![false; nodes], is_valid_end: vec![true; nodes], lengths: 1 }
}

#[test]
fn with_one_thread_a_swarm_is_deterministic_and_limits_end_it() {
    let graph = large(1);
    let tables = Tables { size: 10, hashes: 1 };
    let [one, other] = [(); 2].map(|()| run(&graph, tables, Until::First, 1, &Budget::unlimited()).statistics);
    assert_eq!((one.states, one.transitions, one.searches), (other.states, other.transitions, other.searches));
    let cancelled = Budget::unlimited();
    cancelled.cancel_switch().store(true, std::sync::atomic::Ordering::Relaxed);
    let report = run(&graph, tables, Until::First, 2, &cancelled);
    assert_eq!(report.end, End::Limit(Exhausted::Cancelled));
    let mut narrow = Budget::unlimited();
    narrow.memory = Some(64);
    assert_eq!(run(&graph, tables, Until::First, 2, &narrow).end, End::Limit(Exhausted::Memory));
}

#[test]
fn a_shuffled_system_is_the_same_but_for_the_order() {
    let mut is_other = false;
    for seed in 0..200 {
        let graph = Graph::random(seed);
        let shuffled = Shuffled::new(&graph, seed + 1);
        laws::check(&shuffled, 1000);
        let (mut scratch, mut other) = (graph.scratch(), shuffled.scratch());
        for node in 0..graph.edges.len() {
            let state = graph.encode(node);
            let (plain, mixed) = (record(&graph, &mut scratch, &state), record(&shuffled, &mut other, &state));
            is_other |= plain != mixed;
            let set = |list: &[(usize, Vec<u8>, bool)]| list.iter().cloned().collect::<BTreeSet<_>>();
            assert_eq!(set(&plain.successors), set(&mixed.successors), "seed {seed}, node {node}");
            let faults = |list: &[(usize, kernel::system::Fault)]| {
                list.iter().map(|(step, fault)| (*step, format!("{fault:?}"))).collect::<BTreeSet<_>>()
            };
            assert_eq!(faults(&plain.faults), faults(&mixed.faults), "seed {seed}, node {node}");
        }
    }
    assert!(is_other);
}
