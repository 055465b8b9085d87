//! Limits of time hold for systems that are slow, for runs that are long, and for all stages of shortening together.
//!
//! Bounds are generous, because the machine that runs the tests may be busy.

use kernel::budget::{Budget, Exhausted};
use kernel::system::{Ending, Successor, System, Visitor};
use omega::analyse::strength::strength_of;
use omega::automaton::{Automaton, Marks};
use search::emptiness::{self, Emptiness};
use search::explore::{self, End, ExplorationOptions, Until};
use search::product::{EdgeOrder, Product, Property};
use search::shorten::{Patience, Shortening};
use search::store::Store;
use search::stutter::Stutter;
use search::temporal::{self, Effort};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Counters modulo `modulus`, one of which is incremented by each step. After `fast` steps of the first counter, every
/// expansion takes `pause`.
struct Counters {
    counters: u8,
    modulus: u8,
    fast: u8,
    pause: Duration,
    /// The slow expansions so far.
    slow: AtomicU32,
}

impl Counters {
    fn new(counters: u8, modulus: u8, fast: u8, pause: Duration) -> Self {
        Self { counters, modulus, fast, pause, slow: AtomicU32::new(0) }
    }
}

impl System for Counters {
    type Step = u8;
    type Scratch = Vec<u8>;

    fn scratch(&self) -> Vec<u8> {
        Vec::new()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        *into = vec![0; usize::from(self.counters)];
    }

    fn successors<V: Visitor<u8>>(&self, next: &mut Vec<u8>, state: &[u8], visitor: &mut V) {
        if !self.pause.is_zero() && state[0] >= self.fast {
            self.slow.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(self.pause);
        }
        for step in 0..self.counters {
            next.clear();
            next.extend_from_slice(state);
            let counter = &mut next[usize::from(step)];
            *counter = (*counter + 1) % self.modulus;
            visitor.successor(Successor { step, state: next, transient: false });
        }
    }

    fn ending(&self, _scratch: &mut Vec<u8>, _state: &[u8]) -> Ending {
        Ending::Valid
    }
}

/// An automaton that accepts every run.
fn everything() -> Automaton {
    let mut automaton = Automaton::new(["a"], 1);
    automaton.add_state();
    let any = automaton.manager().yes();
    automaton.add_edge(0, 0, &any, Marks::one(0));
    automaton
}

#[test]
fn slow_expansions_do_not_exceed_the_time_limit_by_many() {
    for search in [explore::dfs::search::<Counters>, explore::bfs::search::<Counters>] {
        let system = Counters::new(3, 100, 50, Duration::from_millis(20));
        let budget = Budget::unlimited().within(Duration::from_millis(300));
        let options =
            ExplorationOptions { until: Until::First, budget: &budget, identity: &|_| 0, progress: &mut |_| {} };
        let report = search(&system, options);
        assert_eq!(report.end, End::Limit(Exhausted::Time));
        // 15 of them take as long as the limit, on any machine; without looks at the clock there would be thousands.
        assert!(system.slow.load(Ordering::Relaxed) < 150, "{}", system.slow.load(Ordering::Relaxed));
    }
}

#[test]
fn all_stages_of_shortening_share_one_patience() {
    // The first lasso is found at once; a shortest one has 100 steps, within which there are millions of states. When the
    // first lasso is found, the patience is over: then no stage takes more than a few looks at the clock.
    let system = Counters::new(5, 100, 0, Duration::ZERO);
    let automaton = everything();
    for emptiness in [None, Some(Emptiness::Scc), Some(Emptiness::Gmz)] {
        for shortening in [Shortening::Bfs, Shortening::Generalised, Shortening::Dfs, Shortening::SpinI] {
            let property = Property::new(&automaton, EdgeOrder::Automatic).expect("one atom");
            let product = Product::new(Stutter::new(&system), |_: &[u8]| 0, property);
            let options = temporal::TemporalOptions {
                budget: &Budget::unlimited(),
                emptiness,
                shortening: Some(shortening),
                effort: Effort::Within(Patience::timed(0.0, Duration::ZERO)),
                max_length: None,
                store: Store::Exact,
                prefixes: false,
                threads: None,
                checkpoints: None,
                orders: None,
                strength: strength_of(&automaton),
                progress: &mut |_| {},
            };
            let outcome = temporal::check(&product, &product, |step| step.model, options);
            assert!(outcome.run.is_some(), "{emptiness:?} {shortening:?}");
            let transitions = outcome.statistics.transitions;
            assert!(transitions < 100_000, "{emptiness:?} {shortening:?}: {transitions}");
        }
    }
}

#[test]
fn the_replay_of_a_lasso_obeys_the_budget() {
    let system = Counters::new(1, 60, 0, Duration::ZERO);
    let automaton = everything();
    let property = Property::new(&automaton, EdgeOrder::Automatic).expect("one atom");
    let product = Product::new(Stutter::new(&system), |_: &[u8]| 0, property);
    let budget = Budget::unlimited();
    let (components, store) = (true, Store::Exact);
    let options = emptiness::EmptinessOptions { budget: &budget, components, store, progress: &mut |_| {} };
    let lasso = Emptiness::Gmz.search(&product, options).lasso.expect("every run is accepted");
    assert_eq!(lasso.check_within(&product, &budget), Ok(Ok(())));
    budget.exhaust(Exhausted::Cancelled);
    assert_eq!(lasso.check_within(&product, &budget), Err(Exhausted::Cancelled));
}
