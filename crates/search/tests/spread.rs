//! Searches on workers that share no memory against the sequential ones, the parallel one and a brute-force twin.
//!
//! Here the workers are threads, and packets travel through boxes. The crate `cluster` has the workers that are processes.

mod common;

use common::{Graph, replay, truth};
use kernel::budget::{Budget, Exhausted};
use kernel::decision::Decision;
use search::check::{Order, Plan, safety_spread};
use search::explore::parallel::{self, Grain};
use search::explore::spread::{self, Exchange, Notes, Spread};
use search::explore::{End, ExplorationOptions, ExplorationResult, Finding, Occurrence, SafetyKind, Until};
use search::meter::Statistics;
use search::shorten::Patience;
use search::threads::Threads;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::{Arc, Barrier, Mutex};
use std::time::Duration;

const ALL: Until = Until::Exhausted { per_kind: usize::MAX };

/// Where workers leave packets for each other.
struct Hall {
    barrier: Barrier,
    packets: Vec<Mutex<Vec<Vec<u8>>>>,
    messages: Vec<Mutex<Vec<u8>>>,
}

impl Hall {
    fn new(workers: usize) -> Self {
        let (packets, messages) = (0..workers).map(|_| Default::default()).unzip();
        Self { barrier: Barrier::new(workers), packets, messages }
    }
}

struct Seat {
    hall: Arc<Hall>,
    index: usize,
}

impl Exchange for Seat {
    fn index(&self) -> usize {
        self.index
    }

    fn workers(&self) -> usize {
        self.hall.packets.len()
    }

    fn send(&mut self, worker: usize, packet: Vec<u8>) {
        self.hall.packets[worker].lock().unwrap().push(packet);
    }

    fn poll(&mut self, arrive: &mut dyn FnMut(&[u8])) {
        let packets = std::mem::take(&mut *self.hall.packets[self.index].lock().unwrap());
        packets.iter().for_each(|packet| arrive(packet));
    }

    fn end_round(&mut self, arrive: &mut dyn FnMut(&[u8])) {
        self.poll(arrive);
    }

    fn settle(&mut self, arrive: &mut dyn FnMut(&[u8])) {
        self.hall.barrier.wait();
        self.poll(arrive);
    }

    fn gather(&mut self, message: &[u8]) -> Vec<Vec<u8>> {
        message.clone_into(&mut self.hall.messages[self.index].lock().unwrap());
        self.hall.barrier.wait();
        let messages = self.hall.messages.iter().map(|message| message.lock().unwrap().clone()).collect();
        self.hall.barrier.wait();
        messages
    }

    fn bytes(&self) -> u64 {
        0
    }
}

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
fn each<T: Send>(workers: usize, compute: impl Fn(Spread<'_, Graph>) -> T + Sync) -> Vec<T> {
    let hall = Arc::new(Hall::new(workers));
    std::thread::scope(|scope| {
        let compute = &compute;
        let one = |index| {
            let hall = Arc::clone(&hall);
            scope.spawn(move || {
                let seat = RefCell::new(Seat { hall, index });
                compute(Spread { exchange: &seat, notes: &Expanded })
            })
        };
        let all: Vec<_> = (0..workers).map(one).collect();
        all.into_iter().map(|worker| worker.join().expect("no worker panics")).collect()
    })
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

/// The reports of all workers.
fn run(graph: &Graph, until: Until, workers: usize, grain: Grain, budget: &Budget) -> Vec<ExplorationResult<Graph>> {
    each(workers, |spread| spread::search(graph, options(until, budget, &mut |_| {}), grain, true, spread))
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
                for report in run(&graph, ALL, workers, grain, &budget) {
                    assert_eq!(report.end, End::Complete, "seed {seed}");
                    assert_eq!(report.statistics.states, states, "seed {seed}");
                    let counts =
                        |statistics: Statistics| (statistics.transitions, statistics.transient_steps, statistics.depth);
                    assert_eq!(counts(report.statistics), counts(twin.statistics), "seed {seed}, {grain:?}");
                    assert_eq!(report.findings, twin.findings, "seed {seed}, {grain:?}, {workers} workers");
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
                for report in run(&graph, until, workers, grain, &budget) {
                    assert_eq!((report.end, &report.findings), (twin.end, &twin.findings), "seed {seed}, {until:?}");
                }
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
            for report in run(&graph, ALL, 3, Grain::Single, &budget) {
                assert_eq!((report.end, report.findings), (twin.end, twin.findings.clone()), "seed {seed}, {depth}");
                assert_eq!(report.statistics.states, twin.statistics.states, "seed {seed}, {depth}");
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
    let ends = each(3, |spread| {
        let budget = if spread.exchange.borrow().index() == 1 { &limited } else { &free };
        spread::search(&graph, options(ALL, budget, &mut |_| {}), Grain::Single, false, spread).end
    });
    assert!(ends.iter().all(|end| *end == ends[0]), "{ends:?}");
    assert_eq!(ends[0], End::Limit(Exhausted::Time));
}

#[test]
fn verdicts_are_the_same_for_every_worker_and_runs_are_shortest() {
    let mut compared = 0;
    for seed in 0..200 {
        let graph = Graph::random(seed);
        let truth = truth(&graph);
        let answers = each(2, |spread| {
            let plan = Plan { order: Order::DepthFirst, patience: Some(Patience::ENDLESS), ..Plan::default() };
            let budget = Budget::unlimited();
            let validator = |finding: &Finding<usize>| Ok::<_, ()>((replay(&graph, finding), finding.path.len()));
            let mut silent = |_: &Statistics| {};
            let options = options(Until::EachKind { grace: u64::MAX }, &budget, &mut silent);
            safety_spread(&graph, None, spread, plan, options, validator).expect("nothing is refused").verdicts
        });
        assert_eq!(format!("{:?}", answers[0]), format!("{:?}", answers[1]), "seed {seed}");
        for (kind, decision) in &answers[0] {
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
