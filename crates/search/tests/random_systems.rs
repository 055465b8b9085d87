//! Both searches against a brute-force twin on thousands of random systems.

use kernel::budget::{Budget, Exhausted};
use kernel::decision::{Decision, Reason};
use kernel::system::{Ending, Fault, Successor, System, Visitor, laws};
use search::check::{Order, Plan, safety};
use search::explore::{
    End, ExplorationOptions, ExplorationResult, Finding, Occurrence, SafetyKind, Until, bfs, dfs, lossy, parallel,
};
use search::meter::Statistics;
use search::store::Store;
use search::store::filter::Filter;
use search::threads::Threads;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

mod common;

use common::{Graph, replay, truth};

type Search = for<'a> fn(&Graph, ExplorationOptions<'a, usize>) -> ExplorationResult<Graph>;
/// Everything there is to find.
const ALL: Until = Until::Exhausted { per_kind: usize::MAX };

const SEARCHES: [Search; 2] = [dfs::search::<Graph>, bfs::search::<Graph>];

/// Searches on three threads.
fn three_threads<M: System>(system: &M, options: ExplorationOptions<'_, M::Step>) -> ExplorationResult<M> {
    let threads = Threads { least_share: 8, ..Threads::new(3) };
    parallel::search(system, options, threads, parallel::Grain::Single)
}

/// Searches with a store that is lossy, yet too large to lose anything in these tests.
fn lossy_in<M: System>(
    order: Order,
    store: Store,
    system: &M,
    options: ExplorationOptions<'_, M::Step>,
) -> ExplorationResult<M> {
    lossy::search(system, order, Filter::new(store).expect("a lossy store"), options)
}

fn compact_dfs<M: System>(system: &M, options: ExplorationOptions<'_, M::Step>) -> ExplorationResult<M> {
    lossy_in(Order::DepthFirst, Store::HASH_COMPACT, system, options)
}

fn compact_bfs<M: System>(system: &M, options: ExplorationOptions<'_, M::Step>) -> ExplorationResult<M> {
    lossy_in(Order::BreadthFirst, Store::HASH_COMPACT, system, options)
}

fn tree_dfs<M: System>(system: &M, options: ExplorationOptions<'_, M::Step>) -> ExplorationResult<M> {
    dfs::search_with(system, Store::Compressed, options)
}

fn tree_bfs<M: System>(system: &M, options: ExplorationOptions<'_, M::Step>) -> ExplorationResult<M> {
    bfs::search_with(system, Store::Compressed, options)
}

const BITS: Store = Store::Bitstate { size: 26, hashes: 8 };

fn bits_dfs<M: System>(system: &M, options: ExplorationOptions<'_, M::Step>) -> ExplorationResult<M> {
    lossy_in(Order::DepthFirst, BITS, system, options)
}

fn bits_bfs<M: System>(system: &M, options: ExplorationOptions<'_, M::Step>) -> ExplorationResult<M> {
    lossy_in(Order::BreadthFirst, BITS, system, options)
}

fn run(search: Search, graph: &Graph, until: Until, budget: &Budget) -> ExplorationResult<Graph> {
    let identity = |o: &Occurrence<'_, usize>| (Graph::decode(o.state) * 100 + o.step.map_or(0, |s| s + 1)) as u64;
    search(graph, ExplorationOptions { until, budget, identity: &identity, progress: &mut |_| {} })
}

#[test]
fn whole_searches_see_everything() {
    for seed in 0..4000 {
        let graph = Graph::random(seed);
        laws::check(&graph, 100);
        let truth = truth(&graph);
        let states = truth.distance.keys().filter(|node| !graph.is_transient[**node]).count() as u64;
        for search in SEARCHES {
            let report = run(search, &graph, ALL, &Budget::unlimited());
            assert_eq!(report.end, End::Complete, "seed {seed}");
            assert_eq!(report.statistics.states, states, "seed {seed}");
            assert!(report.scratch.len() as u64 >= states, "seed {seed}");
            let found: BTreeSet<_> = report.findings.iter().map(|finding| replay(&graph, finding)).collect();
            assert_eq!(found.len(), report.findings.len(), "seed {seed}: something was told twice");
            assert!(found.iter().eq(truth.findings.keys()), "seed {seed}: {found:?} for {:?}", truth.findings);
        }
    }
}

#[test]
fn large_lossy_stores_lose_nothing_and_small_ones_invent_nothing() {
    let large = [Store::HASH_COMPACT, Store::Bitstate { size: 20, hashes: 4 }];
    let small = [Store::HashCompact { bits: 4 }, Store::Bitstate { size: 10, hashes: 16 }];
    let identity = |o: &Occurrence<'_, usize>| (Graph::decode(o.state) * 100 + o.step.map_or(0, |s| s + 1)) as u64;
    let budget = Budget::unlimited();
    let (mut lost, mut right) = (0, 0);
    for seed in 0..1500 {
        let graph = Graph::random(seed);
        let truth = truth(&graph);
        let states = truth.distance.keys().filter(|node| !graph.is_transient[**node]).count() as u64;
        for store in large.into_iter().chain(small) {
            for order in [Order::DepthFirst, Order::BreadthFirst] {
                let options =
                    ExplorationOptions { until: ALL, budget: &budget, identity: &identity, progress: &mut |_| {} };
                let report = lossy::search(&graph, order, Filter::new(store).unwrap(), options);
                let found: BTreeSet<_> = report.findings.iter().map(|finding| replay(&graph, finding)).collect();
                assert!(found.iter().all(|identity| truth.findings.contains_key(identity)), "seed {seed}, {store:?}");
                assert_eq!(report.end, End::Complete, "seed {seed}");
                if !large.contains(&store) {
                    lost += usize::from(found.len() < truth.findings.len());
                    continue;
                }
                right += 1;
                assert!(report.statistics.missed.is_some_and(|missed| missed < 0.01), "seed {seed}, {store:?}");
                assert_eq!(report.statistics.states, states, "seed {seed}, {store:?}");
                assert_eq!((found.len(), report.omitted), (truth.findings.len(), 0), "seed {seed}, {store:?}");
                for finding in report.findings.iter().filter(|_| order == Order::BreadthFirst) {
                    assert_eq!(finding.path.len() as u64, truth.findings[&replay(&graph, finding)], "seed {seed}");
                    assert!(!finding.is_shortest, "nothing is proved");
                }
            }
        }
        let options = ExplorationOptions { until: ALL, budget: &budget, identity: &identity, progress: &mut |_| {} };
        let answer = safety(&graph, Plan { store: large[1], ..Plan::default() }, options, |_| Ok::<_, ()>(())).unwrap();
        for (_, verdict) in answer.verdicts {
            assert!(!matches!(verdict, Decision::Holds(_)), "seed {seed}");
        }
    }
    assert!(lost > 100 && right > 1000, "small stores lose something ({lost})");
}

/// The twin for the order: recursive depth-first search.
fn depth_first_order(graph: &Graph, node: usize, met: &mut BTreeSet<usize>, order: &mut Vec<usize>) {
    if !met.insert(node) {
        return;
    }
    order.push(node);
    for edge in &graph.edges[node] {
        depth_first_order(graph, edge.target.unwrap(), met, order);
    }
}

#[test]
fn depth_first_means_depth_first() {
    let mut compared = 0;
    for seed in 0..4000 {
        let mut graph = Graph::random(seed);
        graph.is_transient.fill(false);
        graph.is_valid_end.fill(true);
        for edge in graph.edges.iter_mut().flatten() {
            edge.target = edge.target.or(Some(0));
            edge.fault = None;
        }
        let mut order = Vec::new();
        depth_first_order(&graph, 0, &mut BTreeSet::new(), &mut order);
        let report = run(dfs::search, &graph, Until::First, &Budget::unlimited());
        assert_eq!(report.scratch, order, "seed {seed}");
        compared += usize::from(order.len() > 10);
    }
    assert!(compared > 500);
}

#[test]
fn what_is_not_told_is_counted() {
    for seed in 0..1000 {
        let graph = Graph::random(seed);
        let truth = truth(&graph);
        for search in SEARCHES {
            let report = run(search, &graph, Until::Exhausted { per_kind: 2 }, &Budget::unlimited());
            assert_eq!(report.findings.len() + report.omitted as usize, truth.findings.len(), "seed {seed}");
            for kind in SafetyKind::ALL {
                assert!(report.findings.iter().filter(|finding| finding.kind == kind).count() <= 2, "seed {seed}");
            }
        }
    }
}

#[test]
fn breadth_first_paths_are_shortest() {
    for seed in 0..4000 {
        let graph = Graph::random(seed);
        let truth = truth(&graph);
        let report = run(bfs::search, &graph, ALL, &Budget::unlimited());
        for finding in &report.findings {
            assert_eq!(finding.path.len() as u64, truth.findings[&replay(&graph, finding)], "seed {seed}");
        }
        let of_kind = |kind| truth.findings.iter().filter(move |(id, _)| id.0 == kind).map(|(_, d)| *d).min();
        let report = run(bfs::search, &graph, Until::EachKind { grace: u64::MAX }, &Budget::unlimited());
        for kind in SafetyKind::ALL {
            let mut found = report.findings.iter().filter(|finding| finding.kind == kind);
            assert_eq!(found.next().map(|finding| finding.path.len() as u64), of_kind(kind), "seed {seed}");
            assert!(found.next().is_none(), "seed {seed}");
        }
        let report = run(bfs::search, &graph, Until::First, &Budget::unlimited());
        let shortest = report.findings.first().map(|finding| finding.path.len() as u64);
        assert_eq!(shortest, truth.findings.values().copied().min(), "seed {seed}");
        assert!(report.findings.len() <= 1, "seed {seed}");
        assert!(report.findings.iter().all(|finding| finding.is_shortest));
    }
}

#[test]
fn a_search_for_the_first_finding_finds_one_if_there_is_one() {
    for seed in 0..4000 {
        let graph = Graph::random(seed);
        let truth = truth(&graph);
        for until in [Until::First, Until::EachKind { grace: 0 }, Until::EachKind { grace: 5 }] {
            let report = run(dfs::search, &graph, until, &Budget::unlimited());
            assert_eq!(report.findings.is_empty(), truth.findings.is_empty(), "seed {seed}");
            if truth.findings.is_empty() {
                assert_eq!(report.end, End::Complete, "seed {seed}");
            }
            for finding in &report.findings {
                assert!(truth.findings.contains_key(&replay(&graph, finding)), "seed {seed}");
            }
        }
    }
}

#[test]
fn a_depth_limit_is_exact_breadth_first_and_honest_depth_first() {
    for seed in 0..2000 {
        let graph = Graph::random(seed);
        let truth = truth(&graph);
        for depth in [0, 1, 3, 8, 200] {
            let mut budget = Budget::unlimited();
            budget.depth = Some(depth);
            let within: BTreeSet<_> = truth.findings.iter().filter(|(_, d)| **d <= depth).map(|(id, _)| *id).collect();
            let farthest = truth.distance.values().chain(truth.findings.values()).copied().max().unwrap();
            for search in [bfs::search, compact_bfs] {
                let report = run(search, &graph, ALL, &budget);
                let found: BTreeSet<_> = report.findings.iter().map(|finding| replay(&graph, finding)).collect();
                assert_eq!(found, within, "seed {seed}, depth {depth}");
                assert_eq!(report.end == End::Complete, farthest <= depth, "seed {seed}, depth {depth}");
            }
            for search in [dfs::search, compact_dfs] {
                let report = run(search, &graph, ALL, &budget);
                match report.end {
                    End::Complete => assert_eq!(report.findings.len(), truth.findings.len(), "seed {seed}"),
                    end => assert_eq!(end, End::Limit(Exhausted::Depth), "seed {seed}"),
                }
            }
        }
    }
}

/// Counts to 2^40 in steps of one: a search that is not stopped does not end.
struct Endless;

impl System for Endless {
    type Step = ();
    type Scratch = ();

    fn scratch(&self) {}

    fn initial(&self, into: &mut Vec<u8>) {
        *into = 0_u64.to_be_bytes().to_vec();
    }

    fn successors<V: Visitor<()>>(&self, (): &mut (), state: &[u8], visitor: &mut V) {
        let next = u64::from_be_bytes(state.try_into().unwrap()) + 1;
        visitor.successor(Successor { step: (), state: &next.to_be_bytes(), transient: next % 3 != 0 });
    }

    fn ending(&self, (): &mut (), _state: &[u8]) -> Ending {
        Ending::Valid
    }
}

#[test]
fn limits_end_a_search() {
    let cancelled = Budget::unlimited();
    cancelled.cancel_switch().store(true, Ordering::Relaxed);
    let late = Budget::unlimited().within(std::time::Duration::from_millis(20));
    let mut small = Budget::unlimited();
    small.memory = Some(10_000_000);
    for (budget, why) in [(cancelled, Exhausted::Cancelled), (late, Exhausted::Time), (small, Exhausted::Memory)] {
        // A table of bits does not grow.
        let of_bits = [bits_dfs::<Endless>, bits_bfs::<Endless>].into_iter().filter(|_| why != Exhausted::Memory);
        let exact = [dfs::search::<Endless>, bfs::search::<Endless>, three_threads::<Endless>];
        let others = exact.into_iter().chain([compact_dfs::<Endless>, compact_bfs::<Endless>, tree_dfs, tree_bfs]);
        for search in others.chain(of_bits) {
            let mut last = 0;
            let mut progress = |statistics: &Statistics| {
                assert!(statistics.states > last);
                last = statistics.states;
            };
            let options =
                ExplorationOptions { until: Until::First, budget: &budget, identity: &|_| 0, progress: &mut progress };
            let report = search(&Endless, options);
            assert_eq!(report.end, End::Limit(why));
            if why == Exhausted::Memory {
                assert!((7_000_000..10_100_000).contains(&report.statistics.bytes), "{}", report.statistics.bytes);
                assert!(last > 0);
            }
        }
    }
}

/// A binary tree of 2^17 - 1 nodes. In its leftmost leaf an assertion fails, and in some leaf somebody cancels the search.
struct Interrupted {
    at: u32,
    switch: Arc<AtomicBool>,
}

impl Interrupted {
    const FIRST_LEAF: u32 = 1 << 16;
}

impl System for Interrupted {
    type Step = u32;
    /// How many states were executed after it was cancelled.
    type Scratch = u64;

    fn scratch(&self) -> u64 {
        0
    }

    fn initial(&self, into: &mut Vec<u8>) {
        *into = 1_u32.to_be_bytes().to_vec();
    }

    fn successors<V: Visitor<u32>>(&self, executed: &mut u64, state: &[u8], visitor: &mut V) {
        let node = u32::from_be_bytes(state.try_into().unwrap());
        *executed += u64::from(self.switch.load(Ordering::Relaxed));
        if node == self.at {
            self.switch.store(true, Ordering::Relaxed);
        }
        if node < Self::FIRST_LEAF {
            for step in [0, 1] {
                visitor.successor(Successor { step, state: &(2 * node + step).to_be_bytes(), transient: false });
            }
        } else if node == Self::FIRST_LEAF {
            visitor.fault(0, Fault::Assertion);
            visitor.successor(Successor { step: 0, state, transient: false });
        }
    }

    fn ending(&self, _: &mut u64, _state: &[u8]) -> Ending {
        Ending::Valid
    }
}

#[test]
fn a_search_that_is_cancelled_stops_also_while_it_looks_for_a_path_or_a_shorter_one() {
    type Search = for<'a> fn(&Interrupted, ExplorationOptions<'a, u32>) -> ExplorationResult<Interrupted>;
    let searches: [Search; 7] = [dfs::search, bfs::search, three_threads, compact_dfs, compact_bfs, bits_dfs, bits_bfs];
    for (index, search) in searches.into_iter().enumerate() {
        for (until, after) in [(ALL, 0), (ALL, 1), (Until::First, 0), (Until::First, 1)] {
            let budget = Budget::unlimited();
            let system = Interrupted { at: Interrupted::FIRST_LEAF + after, switch: budget.cancel_switch() };
            let report =
                search(&system, ExplorationOptions { until, budget: &budget, identity: &|_| 0, progress: &mut |_| {} });
            assert!(report.scratch < 2048, "search {index} executed {} more states", report.scratch);
            assert_eq!(report.findings.len() as u64 + report.omitted, 1, "search {index}");
            // Breadth first it is the shortest of its kind, but an end in the rest of its level would be shorter still.
            let is_shortest = report.findings.iter().any(|finding| finding.is_shortest);
            assert!(!is_shortest || until == ALL, "search {index}");
        }
    }
}

/// A tree of states of `length` bytes, without end: deep, wide, and with many states waiting.
struct Tree {
    length: usize,
    fan: u8,
}

impl System for Tree {
    type Step = u8;
    type Scratch = Vec<u8>;

    fn scratch(&self) -> Vec<u8> {
        Vec::new()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        *into = vec![0; self.length];
    }

    fn successors<V: Visitor<u8>>(&self, next: &mut Vec<u8>, state: &[u8], visitor: &mut V) {
        for step in 0..self.fan {
            next.clear();
            next.extend_from_slice(state);
            // A number that is never the same twice on the way down, and differs among siblings.
            let number = u64::from_le_bytes(state[..8].try_into().unwrap());
            let number = number.wrapping_mul(u64::from(self.fan)).wrapping_add(u64::from(step) + 1);
            next[..8].copy_from_slice(&number.to_le_bytes());
            visitor.successor(Successor { step, state: next, transient: false });
        }
    }

    fn ending(&self, _: &mut Vec<u8>, _state: &[u8]) -> Ending {
        Ending::Valid
    }
}

#[test]
fn a_search_stays_within_its_memory() {
    for (length, fan) in [(8, 1), (8, 2), (30, 5), (200, 3), (2000, 2), (2000, 40)] {
        for limit in [1_000_000_u64, 3_000_000, 10_000_000, 30_000_000] {
            let exact = [dfs::search::<Tree>, bfs::search::<Tree>, three_threads::<Tree>];
            for (index, search) in exact.into_iter().chain([compact_dfs, compact_bfs, tree_dfs, tree_bfs]).enumerate() {
                let mut budget = Budget::unlimited();
                budget.memory = Some(limit);
                let options = ExplorationOptions {
                    until: Until::First,
                    budget: &budget,
                    identity: &|_| 0,
                    progress: &mut |_| {},
                };
                let report = search(&Tree { length, fan }, options);
                assert_eq!(report.end, End::Limit(Exhausted::Memory));
                let used = report.statistics.bytes as f64 / limit as f64;
                // Three threads have three buffers, which they count when a round ends.
                let most = if index == 2 { 1.25 } else { 1.1 };
                assert!(
                    (0.7..most).contains(&used),
                    "search {index}, {length} bytes, {fan} successors: {used:.2} of {limit}"
                );
            }
        }
    }
}

#[test]
fn verdicts_follow_from_what_was_found_and_how_the_search_ended() {
    for seed in 0..1000 {
        let graph = Graph::random(seed);
        let truth = truth(&graph);
        for (order, until) in [(Order::DepthFirst, ALL), (Order::BreadthFirst, Until::First)] {
            let budget = Budget::unlimited();
            let options = ExplorationOptions { until, budget: &budget, identity: &|_| 0, progress: &mut |_| {} };
            let answer = safety(&graph, Plan { order, ..Plan::default() }, options, |finding| {
                Ok::<_, ()>(replay(&graph, finding))
            })
            .unwrap();
            for (kind, verdict) in answer.verdicts {
                let exists = truth.findings.keys().any(|identity| identity.0 == kind);
                match verdict {
                    Decision::Holds(coverage) => {
                        assert!(!exists, "seed {seed}");
                        assert_eq!(coverage.states(), answer.statistics.states);
                    }
                    Decision::Violated(evidence) => assert!(exists && evidence[0].0 == kind, "seed {seed}"),
                    Decision::Unknown(Reason::RuntimeErrors) => {
                        assert!(truth.findings.keys().any(|identity| identity.0 == SafetyKind::Runtime), "seed {seed}");
                    }
                    Decision::Unknown(reason) => {
                        assert_eq!((reason, until), (Reason::Stopped, Until::First), "seed {seed}");
                    }
                }
            }
        }
    }
    let graph = (0..).map(Graph::random).find(|graph| !truth(graph).findings.is_empty()).unwrap();
    let budget = Budget::unlimited();
    let options = ExplorationOptions { until: Until::First, budget: &budget, identity: &|_| 0, progress: &mut |_| {} };
    let refused = safety(&graph, Plan::default(), options, |_| Err::<(), _>("not a run"));
    assert_eq!(refused.map(|_| ()), Err("not a run"));
}

#[test]
fn runs_found_depth_first_are_shortened_to_shortest_ones() {
    use kernel::decision::Decision;
    use search::shorten::Patience;
    let patience = Patience::timed(1.0, std::time::Duration::from_secs(60));
    let mut shortened = 0;
    for seed in 0..1000 {
        let graph = Graph::random(seed);
        let lengths = |order, patience| {
            let (budget, until) = (Budget::unlimited(), Until::EachKind { grace: u64::MAX });
            let options = ExplorationOptions { until, budget: &budget, identity: &|_| 0, progress: &mut |_| {} };
            let arbiter = |finding: &Finding<_>| {
                replay(&graph, finding);
                Ok::<_, ()>((finding.path.len(), finding.is_shortest))
            };
            let plan = Plan { order, patience, ..Plan::default() };
            let verdicts = safety(&graph, plan, options, arbiter).unwrap().verdicts;
            verdicts.into_iter().map(|(_, verdict)| match verdict {
                Decision::Violated(list) => Some(list[0]),
                _ => None,
            })
        };
        let first: Vec<_> = lengths(Order::DepthFirst, None).collect();
        let shortest: Vec<_> = lengths(Order::BreadthFirst, None).collect();
        let shorter: Vec<_> = lengths(Order::DepthFirst, Some(patience)).collect();
        assert_eq!(shorter, shortest, "seed {seed}");
        shortened += u32::from(first.iter().zip(&shortest).any(|(first, best)| first.map(|x| x.0) > best.map(|x| x.0)));
    }
    assert!(shortened > 100, "only {shortened} of 1000 graphs have a run to shorten");
}
