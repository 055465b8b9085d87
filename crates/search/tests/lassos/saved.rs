//! The nested search, saved at every opportunity and continued from each of them: as if nothing had happened.

use crate::automata::seeds;
use crate::brute::Plain;
use kernel::budget::{Budget, Exhausted};
use omega::automaton::emptiness::RunEdge;
use search::checkpoint::Checkpoints;
use search::emptiness::{EmptinessOptions, EmptinessResult, End, gmz};
use search::graph::Graph;
use search::store::Store;
use std::cell::RefCell;
use std::io::{self, Cursor, Read, Write};

/// Saves whenever that is possible, and continues from given bytes.
#[derive(Default)]
struct Kept {
    from: RefCell<Option<Vec<u8>>>,
    all: RefCell<Vec<Vec<u8>>>,
    refusals: RefCell<Vec<String>>,
}

impl Kept {
    fn continuing(bytes: &[u8]) -> Self {
        Self { from: RefCell::new(Some(bytes.to_vec())), ..Self::default() }
    }
}

impl Checkpoints for Kept {
    fn is_due(&self) -> bool {
        true
    }

    fn save(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        let mut bytes = Vec::new();
        write(&mut bytes).unwrap();
        self.all.borrow_mut().push(bytes);
    }

    fn resume(&self) -> Option<Box<dyn Read>> {
        self.from.take().map(|bytes| Box::new(Cursor::new(bytes)) as Box<dyn Read>)
    }

    fn refuse(&self, error: &io::Error) {
        self.refusals.borrow_mut().push(error.to_string());
    }
}

fn run(graph: &Graph<'_>, components: bool, kept: &Kept) -> EmptinessResult<RunEdge> {
    run_in(Store::Exact, graph, components, kept)
}

fn run_in(store: Store, graph: &Graph<'_>, components: bool, kept: &Kept) -> EmptinessResult<RunEdge> {
    let budget = Budget::unlimited();
    let options = EmptinessOptions { budget: &budget, components, store, progress: &mut |_| {} };
    gmz::search_saving(graph, options, kept)
}

#[test]
fn a_nested_search_continues_from_every_checkpoint() {
    let (mut continued, mut found) = (0, 0);
    for seed in seeds(300) {
        let automaton = Plain::random(seed, 150, None).automaton();
        let graph = Graph::new(&automaton);
        for components in [false, true] {
            let kept = Kept::default();
            let whole = run(&graph, components, &kept);
            let (budget, store) = (Budget::unlimited(), Store::Exact);
            let options = EmptinessOptions { budget: &budget, components, store, progress: &mut |_| {} };
            let plain = gmz::search(&graph, options);
            assert_eq!((plain.end(), &plain.lasso), (whole.end(), &whole.lasso), "seed {seed}: saving changes nothing");
            found += u64::from(whole.end() == End::Found);
            for (index, bytes) in kept.all.take().iter().enumerate() {
                let again = Kept::continuing(bytes);
                // A search may continue with another store: what is saved are whole states.
                let store = [Store::Exact, Store::Compressed][index % 2];
                let rest = run_in(store, &graph, components, &again);
                let what = format!("seed {seed}, components {components}, checkpoint {index}");
                assert!(again.refusals.take().is_empty(), "{what}");
                assert_eq!((rest.end(), &rest.lasso), (whole.end(), &whole.lasso), "{what}");
                let counts = |found: &EmptinessResult<RunEdge>| {
                    let numbers = found.statistics;
                    (numbers.states, numbers.visits, numbers.transitions, numbers.depth)
                };
                assert_eq!(counts(&rest), counts(&whole), "{what}");
                continued += 1;
            }
        }
    }
    assert!(continued > 500 && found > 50, "{continued} continued, {found} found");
}

#[test]
fn bytes_that_are_cut_off_or_of_another_system_are_refused() {
    let ring = |size: usize, chord: usize| {
        let mut edges: Vec<(usize, usize)> = (0..size - 1).map(|node| (node, node + 1)).collect();
        edges.push((chord, 0));
        Plain::state_based(size, &[], &edges).automaton()
    };
    let (one, other) = (ring(60, 20), ring(60, 30));
    let kept = Kept::default();
    run(&Graph::new(&one), false, &kept);
    let bytes = kept.all.take().swap_remove(1);
    for length in 0..bytes.len() {
        let again = Kept::continuing(&bytes[..length]);
        let rest = run(&Graph::new(&one), false, &again);
        assert_eq!((rest.end(), again.refusals.take().len()), (End::Limit(Exhausted::Cancelled), 1), "{length} bytes");
    }
    let again = Kept::continuing(&bytes);
    run(&Graph::new(&other), false, &again);
    assert_eq!(again.refusals.take(), ["the search is another one, or another build of Lariat wrote it"]);
}
