//! Elimination by workers that share no memory, against brute force.

use crate::automata::{all_small, seeds};
use crate::boxes::each;
use crate::brute::Plain;
use kernel::budget::{Budget, Exhausted};
use kernel::system::{Ending, System, Visitor};
use omega::automaton::Marks;
use search::accepting::{Accepting, Component};
use search::emptiness::{End, distributed};
use search::graph::Graph;
use search::meter::Statistics;
use search::team::{LEADER, Orders};
use std::time::Duration;

/// A system that knows nothing of the components of its property.
struct Whole<'a, A>(&'a A);

impl<A: Accepting> System for Whole<'_, A> {
    type Step = A::Step;
    type Scratch = A::Scratch;

    fn scratch(&self) -> Self::Scratch {
        self.0.scratch()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        self.0.initial(into);
    }

    fn successors<V: Visitor<A::Step>>(&self, scratch: &mut Self::Scratch, state: &[u8], visitor: &mut V) {
        self.0.successors(scratch, state, visitor);
    }

    fn ending(&self, scratch: &mut Self::Scratch, state: &[u8]) -> Ending {
        self.0.ending(scratch, state)
    }
}

impl<A: Accepting> Accepting for Whole<'_, A> {
    fn sets(&self) -> u32 {
        self.0.sets()
    }

    fn marks(&self, step: A::Step) -> Marks {
        self.0.marks(step)
    }

    fn is_state_based(&self) -> bool {
        self.0.is_state_based()
    }

    fn accepting(&self, state: &[u8]) -> bool {
        self.0.accepting(state)
    }

    fn component(&self, _state: &[u8]) -> Component {
        Component::WHOLE
    }
}

/// How the search by so many workers ended, the length of the lasso, and statistics.
pub(crate) fn found<A: Accepting + Sync>(
    system: &A,
    workers: usize,
    budget: &Budget,
) -> (End, Option<usize>, Statistics) {
    let mut all = each(workers, |exchange| {
        let orders = Orders { exchange, noticed: &(), unready: None, key: 0 };
        let found = distributed::search(system, budget, &mut |_| {}, &orders);
        if let Some(lasso) = &found.lasso {
            assert_eq!(lasso.check(system), Ok(()));
        }
        (found.end(), found.lasso.map(|lasso| lasso.length()), found.statistics)
    });
    assert!(all.iter().all(|(end, ..)| *end == all[0].0), "workers disagree");
    all.swap_remove(LEADER)
}

/// Searches an automaton by so many workers; true if it is empty.
fn compare(plain: &Plain, workers: usize, seed: u64) -> bool {
    let automaton = plain.automaton();
    let graph = Graph::new(&automaton);
    let is_empty = plain.shortest().is_none();
    let what = format!("seed {seed}, {workers} workers: {plain:?}");
    let budget = Budget::unlimited();
    for (end, length, _) in [found(&graph, workers, &budget), found(&Whole(&graph), workers, &budget)] {
        assert_eq!(end, if is_empty { End::Complete } else { End::Found }, "{what}");
        assert!(length >= plain.shortest(), "{what}");
    }
    is_empty
}

#[test]
fn random_automata_by_one_to_five_workers() {
    let seeds = seeds(800);
    let count = seeds.end - seeds.start;
    let mut empty = 0;
    for seed in seeds {
        let sets = if seed % 3 == 0 { Some(seed as u32 % 11) } else { None };
        let plain = Plain::random(seed, if seed % 3 == 1 { 60 } else { 12 }, sets);
        empty += u64::from(compare(&plain, 1 + seed as usize % 5, seed));
    }
    assert!(count < 100 || empty > count / 10 && empty < count * 9 / 10, "both verdicts occur: {empty} of {count}");
}

#[test]
fn all_automata_with_two_states_and_some_with_three() {
    for (index, plain) in all_small(2).iter().enumerate() {
        compare(plain, 1 + index % 3, index as u64);
    }
    for (index, plain) in all_small(3).iter().enumerate().step_by(41) {
        compare(plain, 1 + index % 3, index as u64);
    }
}

#[test]
fn a_state_with_many_predecessors_is_eliminated_with_the_last_of_them() {
    // A thousand states lead from the initial one to the accepting one, which is on a cycle or not.
    for closes in [false, true] {
        let fan = (1..=1000).flat_map(|node| [(0, node), (node, 1001)]);
        let edges: Vec<(usize, usize)> = fan.chain([(1001, 1002)]).chain(closes.then_some((1002, 1001))).collect();
        let plain = Plain::state_based(1003, &[1001], &edges);
        let automaton = plain.automaton();
        let (end, length, statistics) = found(&Whole(&Graph::new(&automaton)), 3, &Budget::unlimited());
        assert_eq!((end, length), if closes { (End::Found, Some(4)) } else { (End::Complete, None) });
        assert_eq!(statistics.states, 1003);
    }
}

#[test]
fn limits_end_a_search() {
    let size = 40_000;
    let edges: Vec<(usize, usize)> = (0..size - 2).flat_map(|node| [(node, node + 1), (node, node + 2)]).collect();
    let plain = Plain::state_based(size, &[1], &edges);
    let automaton = plain.automaton();
    let graph = Graph::new(&automaton);
    let mut budget = Budget::unlimited();
    budget.memory = Some(200_000);
    assert_eq!(found(&Whole(&graph), 3, &budget).0, End::Limit(Exhausted::Memory));
    let budget = Budget::unlimited().within(Duration::ZERO);
    assert_eq!(found(&Whole(&graph), 2, &budget).0, End::Limit(Exhausted::Time));
    let mut budget = Budget::unlimited();
    budget.depth = Some(3);
    assert_eq!(found(&Whole(&graph), 2, &budget).0, End::Limit(Exhausted::Depth));
    let budget = Budget::unlimited();
    budget.cancel_switch().store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(found(&graph, 3, &budget).0, End::Limit(Exhausted::Cancelled));
}
