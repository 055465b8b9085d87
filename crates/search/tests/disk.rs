//! Searches that run out of memory and go on with files, against searches in memory.

#[allow(dead_code, reason = "each test uses a part of it")]
mod common;

use common::{Edge, Graph, replay, truth};
use kernel::budget::{Budget, Exhausted};
use rand::{RngExt, SeedableRng};
use search::disk::{Disk, Files, Medium};
use search::explore::parallel::{self, Grain, Resources};
use search::explore::{End, ExplorationOptions, ExplorationResult, Occurrence, Until};
use search::store::Store;
use search::threads::Threads;
use std::collections::BTreeSet;
use std::io::{self, Cursor};

const ALL: Until = Until::Exhausted { per_kind: 50 };

/// Not even enough for the first state in memory.
const LEAST: u64 = 250_000;

/// Files in memory, which do not count.
#[derive(Debug)]
struct InMemory;

impl Files for InMemory {
    fn create(&self) -> io::Result<Box<dyn Medium>> {
        Ok(Box::new(Cursor::new(Vec::new())))
    }

    fn place(&self) -> String {
        "memory".into()
    }
}

/// No files.
#[derive(Debug)]
struct Nowhere;

impl Files for Nowhere {
    fn create(&self) -> io::Result<Box<dyn Medium>> {
        Err(io::Error::other("the disk is full"))
    }

    fn place(&self) -> String {
        "nowhere".into()
    }
}

fn identity(occurrence: &Occurrence<'_, usize>) -> u64 {
    (Graph::decode(occurrence.state) * 100 + occurrence.step.map_or(0, |step| step + 1)) as u64
}

fn run(
    graph: &Graph,
    until: Until,
    grain: Grain,
    budget: &Budget,
    disk: Option<&Disk<'_>>,
) -> ExplorationResult<Graph> {
    let options = ExplorationOptions { until, budget, identity: &identity, progress: &mut |_| {} };
    let threads = Threads { count: 2, piece: 1, least_share: 1, head_start: 0 };
    match disk {
        Some(disk) => {
            let resources = Resources { store: Store::Compressed, threads };
            parallel::search_with(graph, options, resources, grain, disk)
        }
        None => parallel::search(graph, options, threads, grain),
    }
}

/// A graph of some thousand nodes in layers, so that there are many levels.
fn large(seed: u64) -> Graph {
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let nodes = random.random_range(8_000..20_000_usize);
    let (reach, faults) = (random.random_range(50..2_000), random.random_range(0.0..0.002));
    let is_transient: Vec<bool> = (0..nodes).map(|node| node > 0 && random.random_bool(0.2)).collect();
    let edges = (0..nodes).map(|node| {
        let edge = |_| {
            let ahead = (node + 1 + random.random_range(0..reach)) % nodes;
            let target = if random.random_bool(0.1) { random.random_range(0..nodes) } else { ahead };
            let fault = random.random_bool(faults).then_some(kernel::system::Fault::Assertion);
            Edge { target: Some(target), fault }
        };
        (0..3).map(edge).collect()
    });
    let edges = edges.collect();
    Graph { edges, is_transient, is_valid_end: vec![true; nodes], lengths: 3 }
}

fn limited(bytes: u64) -> Budget {
    let mut budget = Budget::unlimited();
    budget.memory = Some(bytes);
    budget
}

#[test]
fn a_search_on_disk_tells_what_a_search_in_memory_tells() {
    let mut on_disk = 0;
    for seed in 0..10 {
        let graph = large(seed);
        for (until, grain) in [(ALL, Grain::Single), (ALL, Grain::Visible), (Until::First, Grain::Single)] {
            let what = format!("seed {seed}, {until:?}, {grain:?}");
            let whole = run(&graph, until, grain, &Budget::unlimited(), None);
            let disk = Disk::new(&InMemory, None);
            // From not enough for the first state to enough for nearly all of them.
            let report = run(&graph, until, grain, &limited(LEAST + 60_000 * seed), Some(&disk));
            assert_eq!(disk.failure(), None, "{what}");
            assert_eq!((report.end, report.omitted), (whole.end, whole.omitted), "{what}");
            assert_eq!(report.findings, whole.findings, "{what}");
            let counts = |report: &ExplorationResult<Graph>| {
                let numbers = report.statistics;
                (numbers.states, numbers.transitions, numbers.transient_steps, numbers.depth)
            };
            assert_eq!(counts(&report), counts(&whole), "{what}");
            report.findings.iter().for_each(|finding| {
                replay(&graph, finding);
            });
            on_disk += u64::from(report.statistics.disk > 0);
        }
    }
    assert!(on_disk > 12, "{on_disk} searches ran out of memory");
}

/// A long chain with an assertion that fails at its end, and many states behind it.
fn long() -> Graph {
    let (chain, behind) = (8_000, 32_000);
    let edges = (0..chain + behind).map(|node: usize| {
        let fan = |edge: usize| Edge { target: Some(chain + (3 * (node - chain) + edge) % behind), fault: None };
        if node < chain {
            let fault = (node + 1 == chain).then_some(kernel::system::Fault::Assertion);
            vec![Edge { target: Some(node + 1), fault: None }, Edge { target: Some(node + 1), fault }]
        } else {
            (1..4).map(fan).collect()
        }
    });
    let (edges, nodes) = (edges.collect(), chain + behind);
    Graph { edges, is_transient: vec![false; nodes], is_valid_end: vec![true; nodes], lengths: 3 }
}

#[test]
fn what_was_found_in_memory_is_told_where_its_path_no_longer_fits_into_memory() {
    let graph = long();
    let whole = run(&graph, ALL, Grain::Single, &Budget::unlimited(), None);
    assert_eq!(whole.findings.len(), 1);
    // The path takes more memory than is left when the limit is met, at whatever moment that is.
    for step in 0..12 {
        let disk = Disk::new(&InMemory, None);
        let report = run(&graph, ALL, Grain::Single, &limited(4 * LEAST + 20_000 * step), Some(&disk));
        assert!(report.statistics.disk > 0, "step {step}");
        assert_eq!((report.end, report.omitted), (whole.end, whole.omitted), "step {step}");
        assert_eq!(report.findings, whole.findings, "step {step}");
    }
}

#[test]
fn small_graphs_are_searched_completely_with_next_to_no_memory() {
    for seed in 0..300 {
        let graph = Graph::random(seed);
        let truth = truth(&graph);
        let disk = Disk::new(&InMemory, None);
        let report = run(&graph, ALL, Grain::Single, &limited(LEAST), Some(&disk));
        assert_eq!(report.end, End::Complete, "seed {seed}");
        let found: BTreeSet<_> = report.findings.iter().map(|finding| replay(&graph, finding)).collect();
        assert!(found.iter().eq(truth.findings.keys()), "seed {seed}");
        let states = truth.distance.keys().filter(|node| !graph.is_transient[**node]).count() as u64;
        assert_eq!(report.statistics.states, states, "seed {seed}");
    }
}

#[test]
fn a_depth_limit_holds_on_disk() {
    for seed in 0..4 {
        let graph = large(seed);
        for depth in [0, 1, 5, 20] {
            let mut budgets = [Budget::unlimited(), limited(LEAST + 200_000 * seed)];
            budgets.iter_mut().for_each(|budget| budget.depth = Some(depth));
            let disk = Disk::new(&InMemory, None);
            let whole = run(&graph, ALL, Grain::Single, &budgets[0], None);
            let report = run(&graph, ALL, Grain::Single, &budgets[1], Some(&disk));
            assert_eq!((report.end, &report.findings), (whole.end, &whole.findings), "seed {seed}, depth {depth}");
            assert_eq!(report.statistics.states, whole.statistics.states, "seed {seed}, depth {depth}");
        }
    }
}

#[test]
fn a_folder_that_cannot_be_written_ends_the_search_with_the_reason() {
    let graph = large(1);
    let nowhere = Disk::new(&Nowhere, None);
    let report = run(&graph, ALL, Grain::Single, &limited(LEAST), Some(&nowhere));
    assert_eq!(report.end, End::Limit(Exhausted::Memory));
    assert!(nowhere.failure().is_some_and(|words| words == "nowhere: the disk is full"));
    let small = Disk::new(&InMemory, Some(300_000));
    let report = run(&graph, ALL, Grain::Single, &limited(LEAST), Some(&small));
    assert_eq!(report.end, End::Limit(Exhausted::Memory));
    assert!(small.failure().is_some_and(|words| words.contains("limit on disk space")));
    let cancelled = limited(LEAST);
    cancelled.cancel_switch().store(true, std::sync::atomic::Ordering::Relaxed);
    let disk = Disk::new(&InMemory, None);
    assert_eq!(run(&graph, ALL, Grain::Single, &cancelled, Some(&disk)).end, End::Limit(Exhausted::Cancelled));
}
