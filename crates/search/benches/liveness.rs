//! What liveness costs: the filter lock for five processes, written as a system by hand so that no language stands in
//! the way, times three properties; every emptiness check, with and without the two things that help it, and every
//! minimiser where there is something to shorten.
//!
//! `cargo bench -p lariat-search --bench liveness` prints states stored, times a state was entered, steps executed,
//! seconds, million steps a second, bytes a state, and the length of the lasso.
#![allow(clippy::print_stdout, reason = "a table is what this program is for")]

use kernel::budget::Budget;
use kernel::system::{Ending, Successor, System, Visitor};
use omega::automaton::{Automaton, Marks};
use search::accepting::Accepting;
use search::emptiness::{self, Emptiness};
use search::meter::Statistics;
use search::product::{EdgeOrder, Product, Property, Valuation};
use search::shorten::{self, Shortening};
use search::store::Store;
use std::time::Duration;

const N: usize = 5;

/// Bytes: per process three times its level plus how far it is there, then the last process to enter each level. A
/// process at level 0 is idle, at level `N` inside.
struct FilterLock;

impl System for FilterLock {
    type Step = u8;
    type Scratch = [u8; 2 * N];

    fn scratch(&self) -> Self::Scratch {
        [0; 2 * N]
    }

    fn initial(&self, into: &mut Vec<u8>) {
        *into = vec![0; 2 * N];
    }

    fn successors<V: Visitor<u8>>(&self, next: &mut Self::Scratch, state: &[u8], visitor: &mut V) {
        for process in 0..N {
            next.copy_from_slice(state);
            let level = usize::from(state[process] / 3);
            let is_blocked = |level: usize| {
                let others = (0..N).filter(|other| *other != process);
                usize::from(state[N + level]) == process
                    && others.into_iter().any(|other| usize::from(state[other] / 3) >= level)
            };
            match state[process] % 3 {
                _ if level == N => next[process] = 0,
                0 if level == 0 => next[process] = 3,
                0 => {
                    next[N + level] = process as u8;
                    next[process] += 1;
                }
                _ if is_blocked(level) => continue,
                _ => next[process] = 3 * (level as u8 + 1),
            }
            visitor.successor(Successor { step: process as u8, state: next, transient: false });
        }
    }

    fn ending(&self, _scratch: &mut Self::Scratch, _state: &[u8]) -> Ending {
        Ending::Valid
    }
}

/// Bit 0: process 0 is trying; bit 1: process 0 is inside; bit 2: process 1 is inside.
fn valuation(state: &[u8]) -> Valuation {
    let inside = |process: usize| Valuation::from(usize::from(state[process] / 3) == N);
    let trying = usize::from(state[0] / 3) > 0 && usize::from(state[0] / 3) < N;
    Valuation::from(trying) | inside(0) << 1 | inside(1) << 2
}

fn properties() -> Vec<(&'static str, Automaton)> {
    let empty = |states: usize| {
        let mut automaton = Automaton::new(["trying", "inside", "other"], 1);
        automaton.add_states(states);
        automaton
    };
    let accepting = Marks::one(0);

    // Violations of G !(inside & other).
    let mut exclusion = empty(2);
    let (inside, other, yes) = (exclusion.atom(1), exclusion.atom(2), exclusion.manager().yes());
    let both = &inside & &other;
    exclusion.add_edge(0, 0, &!&both, Marks::NONE);
    exclusion.add_edge(0, 1, &both, Marks::NONE);
    exclusion.add_edge(1, 1, &yes, accepting);

    // Violations of G (trying -> F inside).
    let mut response = empty(2);
    let (trying, inside, yes) = (response.atom(0), response.atom(1), response.manager().yes());
    response.add_edge(0, 0, &yes, Marks::NONE);
    response.add_edge(0, 1, &(&trying & &!&inside), Marks::NONE);
    response.add_edge(1, 1, &!&inside, accepting);

    // Violations of GF inside -> GF trying.
    let mut recurrence = empty(3);
    let (trying, inside, yes) = (recurrence.atom(0), recurrence.atom(1), recurrence.manager().yes());
    let quiet = !&trying;
    recurrence.add_edge(0, 0, &yes, Marks::NONE);
    recurrence.add_edge(0, 1, &quiet, Marks::NONE);
    for (state, marks) in [(1, Marks::NONE), (2, accepting)] {
        recurrence.add_edge(state, 2, &(&quiet & &inside), marks);
        recurrence.add_edge(state, 1, &(&quiet & &!&inside), marks);
    }
    vec![("exclusion", exclusion), ("response", response), ("recurrence", recurrence)]
}

fn row(property: &str, what: &str, statistics: &Statistics, length: Option<usize>) {
    let seconds = statistics.searching.as_secs_f64();
    println!(
        "{property:10}  {what:28}  {:9}  {:9}  {:10}  {seconds:8.3}  {:6.2}  {:5.1}  {}",
        statistics.states,
        statistics.visits,
        statistics.transitions,
        statistics.transitions as f64 / seconds / 1e6,
        statistics.bytes as f64 / statistics.states as f64,
        length.map_or("-".to_owned(), |length| length.to_string()),
    );
}

fn measure(name: &str, automaton: &Automaton) {
    for (order, components, note) in [
        (EdgeOrder::Automatic, true, ""),
        (EdgeOrder::Automatic, false, ", no components"),
        (EdgeOrder::AsGiven, true, ", edges as given"),
    ] {
        let property = Property::new(automaton, order).expect("three atoms");
        let product = Product::new(FilterLock, valuation, property);
        let mut is_violated = false;
        for search in Emptiness::ALL {
            let budget = Budget::unlimited();
            let options =
                emptiness::EmptinessOptions { budget: &budget, components, store: Store::Exact, progress: &mut |_| {} };
            let outcome = search.search(&product, options);
            is_violated |= outcome.lasso.is_some();
            let what = format!("{}{note}", search.name());
            row(name, &what, &outcome.statistics, outcome.lasso.map(|lasso| lasso.length()));
        }
        if is_violated {
            shortened(name, note, &product, components);
        }
    }
}

fn shortened<A: Accepting>(name: &str, note: &str, product: &A, components: bool) {
    for search in Shortening::ALL {
        let budget = Budget::unlimited().within(Duration::from_secs(20));
        let (max_length, progress) = (None, &mut |_: &Statistics| {});
        let options = shorten::ShorteningOptions {
            budget: &budget,
            components,
            store: Store::Exact,
            max_length,
            patience: None,
            progress,
        };
        let outcome = search.search(product, options);
        let mark = if outcome.is_minimal || !search.is_exact() { "" } else { ", gave up" };
        let what = format!("{}{note}{mark}", search.name());
        row(name, &what, &outcome.statistics, outcome.lasso.map(|lasso| lasso.length()));
    }
}

fn main() {
    println!(
        "property    search                           states     visits  transitions   seconds   M/s    B/st  length"
    );
    for (name, automaton) in properties() {
        measure(name, &automaton);
    }
}
