//! The search on several threads against brute force and the sequential searches: the verdict does not depend on threads.

use crate::automata::{all_small, seeds};
use crate::brute::Plain;
use kernel::budget::{Budget, Exhausted};
use kernel::system::{Ending, System, Visitor};
use omega::automaton::Marks;
use omega::random::Random;
use search::accepting::{Accepting, Component};
use search::counted::Counted;
use search::emptiness::{Emptiness, EmptinessOptions, EmptinessResult, End, cndfs};
use search::graph::Graph;
use search::store::Store;
use search::threads::Threads;

/// A system that now and then lets other threads go first.
pub(crate) struct Hesitant<'a, A>(pub(crate) &'a A, pub(crate) u64);

impl<A: Accepting> System for Hesitant<'_, A> {
    type Step = A::Step;
    type Scratch = (A::Scratch, Random);

    fn scratch(&self) -> Self::Scratch {
        (self.0.scratch(), Random::new(self.1))
    }

    fn initial(&self, into: &mut Vec<u8>) {
        self.0.initial(into);
    }

    fn successors<V: Visitor<A::Step>>(&self, (scratch, random): &mut Self::Scratch, state: &[u8], visitor: &mut V) {
        if random.chance(0.2) {
            std::thread::yield_now();
        }
        self.0.successors(scratch, state, visitor);
    }

    fn ending(&self, scratch: &mut Self::Scratch, state: &[u8]) -> Ending {
        self.0.ending(&mut scratch.0, state)
    }
}

impl<A: Accepting> Accepting for Hesitant<'_, A> {
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

    fn component(&self, state: &[u8]) -> Component {
        self.0.component(state)
    }
}

fn search<A: Accepting>(system: &A, components: bool, count: usize, budget: &Budget) -> EmptinessResult<A::Step> {
    let options = EmptinessOptions { budget, components, store: Store::Exact, progress: &mut |_| {} };
    cndfs::search(system, options, Threads::new(count))
}

/// Searches an automaton on this many threads.
fn compare(plain: &Plain, count: usize, seed: u64) -> bool {
    let automaton = plain.automaton();
    let graph = Graph::new(&automaton);
    let is_empty = plain.shortest().is_none();
    for components in [false, true] {
        let budget = Budget::unlimited();
        let options = EmptinessOptions { budget: &budget, components, store: Store::Exact, progress: &mut |_| {} };
        let states = Emptiness::Se.search(&graph, options).statistics.states;
        let what = format!("seed {seed}, {count} threads, components {components}: {plain:?}");
        let (end, lasso, statistics) = if graph.is_state_based() {
            let found = search(&Hesitant(&graph, seed), components, count, &budget);
            (found.end(), found.lasso, found.statistics)
        } else {
            let counted = Counted::new(&graph);
            let found = search(&Hesitant(&counted, seed), components, count, &budget);
            (found.end(), found.lasso.map(|lasso| counted.unfold(lasso)), found.statistics)
        };
        assert_eq!(end, if is_empty { End::Complete } else { End::Found }, "{what}");
        assert!(!is_empty || statistics.states == states, "{what}: {} states, not {states}", statistics.states);
        assert_eq!(lasso.is_none(), is_empty, "{what}");
        if let Some(lasso) = lasso {
            assert_eq!(lasso.check(&graph), Ok(()), "{what}");
        }
    }
    is_empty
}

#[test]
fn random_automata_on_two_to_eight_threads() {
    let seeds = seeds(1500);
    let count = seeds.end - seeds.start;
    let mut empty = 0;
    for seed in seeds {
        let sets = if seed % 5 == 0 { Some(seed as u32 % 4) } else { None };
        let plain = Plain::random(seed, if seed % 3 == 0 { 60 } else { 12 }, sets);
        empty += u64::from(compare(&plain, 2 + seed as usize % 7, seed));
    }
    assert!(count < 100 || empty > count / 10 && empty < count * 9 / 10, "both verdicts occur: {empty} of {count}");
}

#[test]
fn all_automata_with_two_states_and_some_with_three() {
    for (index, plain) in all_small(2).iter().enumerate() {
        compare(plain, 2 + index % 2, index as u64);
    }
    for (index, plain) in all_small(3).iter().enumerate().step_by(17) {
        compare(plain, 2 + index % 2, index as u64);
    }
}

#[test]
fn a_cycle_of_many_states_is_found_and_its_absence_proved() {
    // A ring with one accepting state, with chords; open, it has no cycle.
    let size = 20_000;
    for (is_open, count) in [(false, 2), (true, 2), (false, 5), (true, 40)] {
        let ring = (0..size).map(|node| (node, node + 1)).filter(|(_, next)| *next < size);
        let chords = (0..size / 7 - 3).map(|node| (node * 7, node * 7 + 20));
        let mut edges: Vec<(usize, usize)> = ring.chain(chords).collect();
        if !is_open {
            edges.push((size - 1, 1));
        }
        let plain = Plain::state_based(size, &[size / 2], &edges);
        let automaton = plain.automaton();
        let found = search(&Graph::new(&automaton), false, count, &Budget::unlimited());
        assert_eq!(found.end(), if is_open { End::Complete } else { End::Found });
        assert!(!is_open || found.statistics.states == size as u64);
        assert_eq!(found.statistics.threads, count as u64);
        assert!(found.lasso.is_none_or(|lasso| lasso.check(&Graph::new(&automaton)).is_ok()));
    }
}

#[test]
fn limits_end_a_search() {
    let size = 40_000;
    let edges: Vec<(usize, usize)> = (0..size - 1).map(|node| (node, node + 1)).collect();
    let plain = Plain::state_based(size, &[1], &edges);
    let automaton = plain.automaton();
    let graph = Graph::new(&automaton);
    let mut budget = Budget::unlimited();
    budget.memory = Some(2_000_000);
    let found = search(&graph, false, 3, &budget);
    assert_eq!(found.end(), End::Limit(Exhausted::Memory));
    // The limit of this search is not one of the stage that it belongs to.
    assert_eq!(budget.exhausted(0), None);
    let budget = Budget::unlimited();
    budget.cancel_switch().store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(search(&graph, false, 3, &budget).end(), End::Limit(Exhausted::Cancelled));
}
