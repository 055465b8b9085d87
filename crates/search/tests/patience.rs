//! How much is spent on shortening: counted, so that it is the same on every machine.

use kernel::budget::Budget;
use kernel::decision::Decision;
use kernel::system::{Ending, Fault, Successor, System, Visitor};
use omega::analyse::strength::strength_of;
use omega::automaton::{Automaton, Marks};
use search::check::{Backing, Full, Order, Plan, safety_reduced};
use search::explore::{ExplorationOptions, Finding, SafetyKind, Until};
use search::product::{EdgeOrder, Product, Property};
use search::shorten::{Patience, Shortening, Spent};
use search::store::Store;
use search::stutter::Stutter;
use search::temporal::{self, Effort};
use search::threads::Threads;
use std::time::Duration;

/// The length of the long way to the assertion.
const LONG: u8 = 250;
/// Where the short way begins, and how many steps it has.
const FORK: u8 = 5;
const SHORT: u8 = 3;

/// A long way and a short one to an assertion that fails, beside counters modulo 100 that run freely. The long way comes first.
struct Ways {
    counters: u8,
}

impl System for Ways {
    type Step = u8;
    type Scratch = Vec<u8>;

    fn scratch(&self) -> Vec<u8> {
        Vec::new()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        *into = vec![0; 2 + usize::from(self.counters)];
    }

    fn successors<V: Visitor<u8>>(&self, next: &mut Vec<u8>, state: &[u8], visitor: &mut V) {
        let (long, short) = (state[0], state[1]);
        let mut step = |step: u8, change: &dyn Fn(&mut [u8]), fault: Option<Fault>| {
            next.clear();
            next.extend_from_slice(state);
            change(next);
            if let Some(fault) = fault {
                visitor.fault(step, fault);
            }
            visitor.successor(Successor { step, state: next, transient: false });
        };
        if short == 0 && long < LONG {
            step(0, &|state| state[0] += 1, (long + 1 == LONG).then_some(Fault::Assertion));
        }
        if (short > 0 || long == FORK) && short < SHORT {
            step(1, &|state| state[1] += 1, (short + 1 == SHORT).then_some(Fault::Assertion));
        }
        for counter in 0..self.counters {
            step(
                2 + counter,
                &|state| state[2 + usize::from(counter)] = (state[2 + usize::from(counter)] + 1) % 100,
                None,
            );
        }
    }

    fn ending(&self, _scratch: &mut Vec<u8>, _state: &[u8]) -> Ending {
        Ending::Valid
    }
}

/// The length of the run to the assertion, and whether it is proved to be shortest, for a system of which one without counters is a
/// reduction.
fn found(counters: u8, patience: Option<Patience>, budget: &Budget) -> (usize, bool) {
    found_by(Plan { patience, ..Plan::default() }, counters, true, budget)
}

/// The same by this plan, where the search of the reduced system says whether it left out something.
fn found_by(plan: Plan, counters: u8, leaves_out: bool, budget: &Budget) -> (usize, bool) {
    let (reduced, full) = (Ways { counters: 0 }, Ways { counters });
    let until = Until::First;
    let options = ExplorationOptions { until, budget, identity: &|_| 0, progress: &mut |_| {} };
    let told = |finding: &Finding<u8>| Ok::<_, ()>((finding.path.len(), finding.is_shortest));
    let full = Full { system: &full, leaves_out: &|_| leaves_out };
    let answer = safety_reduced(&reduced, Some(full), plan, options, Backing::Memory, told).expect("all is accepted");
    match answer.verdicts.into_iter().find(|(kind, _)| *kind == SafetyKind::Assertion) {
        Some((_, Decision::Violated(list))) => list[0],
        other => panic!("{other:?}"),
    }
}

fn counted(share: f64, effort: u64) -> Patience {
    Patience { share, least: Spent { time: Duration::from_secs(3600), effort } }
}

#[test]
fn what_cannot_be_proved_shortest_is_still_shortened_in_the_reduced_system() {
    let short = usize::from(FORK + SHORT);
    assert_eq!(found(0, None, &Budget::unlimited()), (usize::from(LONG), false));
    // A few counters: the proof is within reach.
    assert_eq!(found(1, Some(counted(0.0, 100_000)), &Budget::unlimited()), (short, true));
    // Too many: the full system is searched in vain, and the reduced one has the short run.
    let budget = Budget::unlimited();
    assert_eq!(found(30, Some(counted(0.0, 20_000)), &budget), (short, false));
    // One part in eight more is for the reduced system, of which a few hundred are needed.
    assert!((20_000..23_000).contains(&budget.effort()), "{}", budget.effort());
    assert_eq!(found(1, Some(Patience::ENDLESS), &Budget::unlimited()), (short, true));
}

#[test]
fn a_search_by_levels_that_left_out_nothing_proves_lengths_by_itself() {
    let short = usize::from(FORK + SHORT);
    let by_levels = Plan { order: Order::BreadthFirst, ..Plan::default() };
    assert_eq!(found_by(by_levels, 0, false, &Budget::unlimited()), (short, true));
    assert_eq!(found_by(by_levels, 0, true, &Budget::unlimited()), (short, false));
    // On two threads that begin at once, the levels find it before the depth-first search does.
    let threads = Some(Threads { head_start: 1, ..Threads::new(2) });
    let plan = Plan { threads, ..Plan::default() };
    assert_eq!(found_by(plan, 0, false, &Budget::unlimited()), (short, true));
}

/// A way of so many steps to an assertion that fails, and perhaps a short one, beside counters modulo 100 that run
/// freely.
struct LongWay {
    length: u16,
    has_short: bool,
    counters: u8,
}

impl System for LongWay {
    type Step = u8;
    type Scratch = Vec<u8>;

    fn scratch(&self) -> Vec<u8> {
        Vec::new()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        *into = vec![0; 3 + usize::from(self.counters)];
    }

    fn successors<V: Visitor<u8>>(&self, next: &mut Vec<u8>, state: &[u8], visitor: &mut V) {
        let (long, short) = (u16::from_le_bytes([state[0], state[1]]), state[2]);
        let mut step = |step: u8, change: &dyn Fn(&mut [u8]), is_wrong: bool| {
            next.clear();
            next.extend_from_slice(state);
            change(next);
            if is_wrong {
                visitor.fault(step, Fault::Assertion);
            }
            visitor.successor(Successor { step, state: next, transient: false });
        };
        if short == 0 && long < self.length {
            let after = (long + 1).to_le_bytes();
            step(0, &|state| state[..2].copy_from_slice(&after), long + 1 == self.length);
        }
        if self.has_short && long == 0 && short < FORK + SHORT {
            step(1, &|state| state[2] += 1, short + 1 == FORK + SHORT);
        }
        for counter in 0..self.counters {
            let at = 3 + usize::from(counter);
            step(2 + counter, &|state| state[at] = (state[at] + 1) % 100, false);
        }
    }

    fn ending(&self, _scratch: &mut Vec<u8>, _state: &[u8]) -> Ending {
        Ending::Valid
    }
}

/// The length of the run to the assertion, whether it is proved to be shortest, and the effort in all, if the reduced
/// system has only the long way.
fn found_on_long_way(length: u16, has_short: bool, counters: u8) -> (usize, bool, u64) {
    let budget = Budget::unlimited();
    let (reduced, full) = (LongWay { length, has_short: false, counters: 0 }, LongWay { length, has_short, counters });
    let options = ExplorationOptions { until: Until::First, budget: &budget, identity: &|_| 0, progress: &mut |_| {} };
    let told = |finding: &Finding<u8>| Ok::<_, ()>((finding.path.len(), finding.is_shortest));
    let full = Full { system: &full, leaves_out: &|_| true };
    let plan = Plan { patience: Some(counted(0.0, 20_000)), ..Plan::default() };
    let answer = safety_reduced(&reduced, Some(full), plan, options, Backing::Memory, told).expect("all is accepted");
    match answer.verdicts.into_iter().find(|(kind, _)| *kind == SafetyKind::Assertion) {
        Some((_, Decision::Violated(list))) => (list[0].0, list[0].1, budget.effort()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn more_is_spent_on_a_run_that_is_long_where_levels_are_wide() {
    let short = usize::from(FORK + SHORT);
    // Too many states for the first search.
    let (length, is_shortest, effort) = found_on_long_way(60_000, true, 9);
    assert_eq!((length, is_shortest), (short, true));
    assert!(effort > 250_000, "{effort}");
    // A run that is not that long is left as it is.
    let (length, is_shortest, effort) = found_on_long_way(20_000, true, 9);
    assert_eq!((length, is_shortest), (20_000, false));
    assert!(effort < 99_999, "{effort}");
    // Where the levels are narrow, a short run is not to be expected.
    let (length, is_shortest, effort) = found_on_long_way(60_000, false, 0);
    assert_eq!((length, is_shortest), (60_000, false));
    assert!(effort < 200_000, "{effort}");
}

/// Counters modulo 100, one of which is incremented by each step.
struct Counters(u8);

impl System for Counters {
    type Step = u8;
    type Scratch = Vec<u8>;

    fn scratch(&self) -> Vec<u8> {
        Vec::new()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        *into = vec![0; usize::from(self.0)];
    }

    fn successors<V: Visitor<u8>>(&self, next: &mut Vec<u8>, state: &[u8], visitor: &mut V) {
        for step in 0..self.0 {
            next.clear();
            next.extend_from_slice(state);
            next[usize::from(step)] = (next[usize::from(step)] + 1) % 100;
            visitor.successor(Successor { step, state: next, transient: false });
        }
    }

    fn ending(&self, _scratch: &mut Vec<u8>, _state: &[u8]) -> Ending {
        Ending::Valid
    }
}

#[test]
fn the_effort_of_shortening_a_lasso_is_counted() {
    // The shortest lasso has 100 steps, within which there are millions of states.
    let system = Counters(5);
    let mut automaton = Automaton::new(["a"], 1);
    automaton.add_state();
    let any = automaton.manager().yes();
    automaton.add_edge(0, 0, &any, Marks::one(0));
    for shortening in [None, Some(Shortening::Bfs), Some(Shortening::Generalised), Some(Shortening::Dfs)] {
        let check = |effort| {
            let property = Property::new(&automaton, EdgeOrder::Automatic).expect("one atom");
            let product = Product::new(Stutter::new(&system), |_: &[u8]| 0, property);
            let budget = Budget::unlimited();
            let options = temporal::TemporalOptions {
                budget: &budget,
                emptiness: None,
                shortening,
                effort,
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
            assert!(outcome.run.is_some() && !outcome.is_minimal, "{shortening:?}");
            (budget.effort(), outcome.found_after.effort)
        };
        for least in [1_000, 30_000] {
            let (all, found) = check(Effort::Within(counted(0.0, least)));
            // What rebuilds the run is not limited.
            assert!(
                (found + least..found + least + 2_000).contains(&all),
                "{shortening:?} {least}: {all} after {found}"
            );
            assert_eq!(check(Effort::Within(counted(0.0, least))), (all, found), "{shortening:?}: the same every time");
        }
        assert!(check(Effort::First).0 < 2_000, "{shortening:?}");
    }
}
