//! Elimination on several threads against brute force: neither the answer nor any count depends on threads.

use crate::automata::{all_small, seeds};
use crate::brute::Plain;
use crate::cndfs::Hesitant;
use kernel::budget::{Budget, Exhausted};
use search::accepting::Accepting;
use search::counted::Counted;
use search::emptiness::elimination::{self, Answer, Companion};
use search::emptiness::{Emptiness, EmptinessOptions};
use search::graph::Graph;
use search::meter::Statistics;
use search::store::Store;
use search::threads::Threads;

fn search<A: Accepting>(system: &A, components: bool, count: usize, budget: &Budget) -> (Answer, Statistics) {
    let options = EmptinessOptions { budget, components, store: Store::Auto, progress: &mut |_| {} };
    let threads = Threads { count, piece: 1, least_share: 1, head_start: 0 };
    elimination::search(system, options, threads, &mut ())
}

/// Compares with brute force, and several threads with one.
fn compare(plain: &Plain, count: usize, seed: u64) -> Answer {
    let automaton = plain.automaton();
    let graph = Graph::new(&automaton);
    let mut last = Answer::Undecided;
    for components in [false, true] {
        let budget = Budget::unlimited();
        let answers = [1, count].map(|count| {
            if graph.is_state_based() {
                search(&Hesitant(&graph, seed), components, count, &budget)
            } else {
                search(&Hesitant(&Counted::new(&graph), seed), components, count, &budget)
            }
        });
        let what = format!("seed {seed}, {count} threads, components {components}: {plain:?}");
        let counts = answers.map(|(answer, numbers)| (answer, numbers.states, numbers.visits, numbers.transitions));
        assert_eq!(counts[0], counts[1], "{what}");
        let options = EmptinessOptions { budget: &budget, components, store: Store::Exact, progress: &mut |_| {} };
        let is_empty = plain.shortest().is_none();
        let found = Emptiness::Se.search(&graph, options);
        assert!(!is_empty || found.statistics.states == counts[0].1, "{what}: {} states", counts[0].1);
        last = counts[0].0;
        let expected = if is_empty { Answer::Empty } else { Answer::Accepting };
        assert!(last == expected || last == Answer::Undecided, "{what}: {last:?}");
    }
    last
}

#[test]
fn random_automata_on_one_to_eight_threads() {
    let seeds = seeds(1500);
    let count = seeds.end - seeds.start;
    let (mut empty, mut undecided) = (0, 0);
    for seed in seeds {
        let sets = if seed % 5 == 0 { Some(seed as u32 % 4) } else { None };
        let plain = Plain::random(seed, if seed % 3 == 0 { 60 } else { 12 }, sets);
        let answer = compare(&plain, 2 + seed as usize % 7, seed);
        empty += u64::from(answer == Answer::Empty);
        undecided += u64::from(answer == Answer::Undecided);
    }
    assert!(count < 100 || empty > count / 10 && empty < count * 9 / 10, "both occur: {empty} of {count}");
    assert!(count < 100 || undecided < count / 100, "{undecided} of {count} are undecided");
}

#[test]
fn all_automata_with_two_states_and_some_with_three() {
    for (index, plain) in all_small(2).iter().enumerate() {
        assert_ne!(compare(plain, 2 + index % 2, index as u64), Answer::Undecided);
    }
    for (index, plain) in all_small(3).iter().enumerate().step_by(17) {
        assert_ne!(compare(plain, 2 + index % 2, index as u64), Answer::Undecided);
    }
}

/// A ring with one accepting state and chords; open, it has no cycle.
fn ring(size: usize, is_open: bool) -> Plain {
    let ring = (0..size).map(|node| (node, node + 1)).filter(|(_, next)| *next < size);
    let chords = (0..size / 7 - 3).map(|node| (node * 7, node * 7 + 20));
    let mut edges: Vec<(usize, usize)> = ring.chain(chords).collect();
    if !is_open {
        edges.push((size - 1, 1));
    }
    Plain::state_based(size, &[size / 2], &edges)
}

#[test]
fn a_cycle_of_many_states_is_found_and_its_absence_proved() {
    for (is_open, count) in [(false, 2), (true, 2), (false, 5), (true, 40)] {
        let plain = ring(20_000, is_open);
        let automaton = plain.automaton();
        let (answer, numbers) = search(&Graph::new(&automaton), false, count, &Budget::unlimited());
        assert_eq!(answer, if is_open { Answer::Empty } else { Answer::Accepting });
        assert_eq!((numbers.states, numbers.threads), (20_000, count as u64));
    }
}

/// Cycles one behind the other, each of which an accepting state leads to.
fn chain_of_cycles(count: usize) -> Plain {
    let node = |index: usize| (3 * index, [(3 * index, 3 * index + 1), (3 * index + 1, 3 * index + 2)]);
    let mut edges = Vec::new();
    for index in 0..count {
        edges.extend(node(index).1);
        edges.push((3 * index + 2, 3 * index + 1));
        if index + 1 < count {
            edges.push((3 * index + 2, 3 * index + 3));
        }
    }
    let accepting: Vec<usize> = (0..count).map(|index| node(index).0).collect();
    Plain::state_based(3 * count, &accepting, &edges)
}

#[test]
fn what_would_take_too_long_is_left_undecided() {
    for (count, expected) in [(6, Answer::Empty), (400, Answer::Undecided)] {
        let plain = chain_of_cycles(count);
        assert_eq!(plain.shortest(), None);
        let automaton = plain.automaton();
        let answers = [1, 3].map(|threads| search(&Graph::new(&automaton), false, threads, &Budget::unlimited()));
        assert_eq!(answers.map(|(answer, _)| answer), [expected; 2]);
        assert_eq!(answers[0].1.transitions, answers[1].1.transitions);
    }
}

/// Ends when it has been asked to do as much work.
struct EndsAfter(u64);

impl Companion for EndsAfter {
    fn advance(&mut self, work: u64, _held: u64) -> bool {
        self.0 = self.0.saturating_sub(work);
        self.0 == 0
    }

    fn bytes(&self) -> u64 {
        0
    }
}

#[test]
fn another_search_has_its_share_and_may_end_first() {
    let plain = ring(20_000, true);
    let automaton = plain.automaton();
    let budget = Budget::unlimited();
    let states = [1, 2, 3].map(|count| {
        let options =
            EmptinessOptions { budget: &budget, components: false, store: Store::Exact, progress: &mut |_| {} };
        let threads = Threads { count, piece: 1, least_share: 1, head_start: 0 };
        let (answer, numbers) = elimination::search(&Graph::new(&automaton), options, threads, &mut EndsAfter(200));
        assert_eq!(answer, Answer::Superfluous);
        numbers.states
    });
    assert!(states[0] > 200 && states[0] < 4_000, "{states:?}");
    // It ends within a level, at any state there, or after it.
    assert!(states.iter().all(|one| one.abs_diff(states[0]) < 100), "{states:?}");
}

#[test]
fn limits_end_a_search() {
    let size = 40_000;
    let edges: Vec<(usize, usize)> = (0..size - 1).map(|node| (node, node + 1)).collect();
    let plain = Plain::state_based(size, &[1], &edges);
    let automaton = plain.automaton();
    let graph = Graph::new(&automaton);
    let mut budget = Budget::unlimited();
    budget.memory = Some(900_000);
    assert_eq!(search(&graph, false, 3, &budget).0, Answer::Limit(Exhausted::Memory));
    // The limit of this search is not one of the stage that it belongs to.
    assert_eq!(budget.exhausted(0), None);
    let budget = Budget::unlimited();
    budget.cancel_switch().store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(search(&graph, false, 3, &budget).0, Answer::Limit(Exhausted::Cancelled));
}
