//! Searches that are saved between levels and continued: nothing is lost, and nothing depends on the threads.

#[allow(dead_code, reason = "each test uses a part of it")]
mod common;

use common::Graph;
use kernel::budget::{Budget, Exhausted};
use search::checkpoint::Checkpoints;
use search::explore::parallel::checkpoint::Saving;
use search::explore::parallel::{Grain, Resources, search_saving};
use search::explore::{End, ExplorationOptions, ExplorationResult, Occurrence, Until};
use search::store::Store;
use search::threads::Threads;
use std::cell::RefCell;
use std::io::{self, Cursor, Read, Write};

/// Saves between all levels, and continues from given bytes.
#[derive(Default)]
struct Kept {
    from: RefCell<Option<Vec<u8>>>,
    all: RefCell<Vec<Vec<u8>>>,
    refusals: RefCell<Vec<String>>,
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

fn run(graph: &Graph, until: Until, count: usize, grain: Grain, kept: &Kept) -> ExplorationResult<Graph> {
    fn identity(occurrence: &Occurrence<'_, usize>) -> u64 {
        (Graph::decode(occurrence.state) * 100 + occurrence.step.map_or(0, |step| step + 1)) as u64
    }
    let budget = Budget::unlimited();
    let options = ExplorationOptions { until, budget: &budget, identity: &identity, progress: &mut |_| {} };
    let threads = Threads { count, piece: 1, least_share: 1, head_start: 0 };
    // A search that is continued may use another store.
    let resources = Resources { store: [Store::Exact, Store::Compressed][count % 2], threads };
    let notes = |scratch: &Vec<usize>| scratch.iter().flat_map(|node| node.to_le_bytes()).collect();
    let add_notes = |scratch: &mut Vec<usize>, notes: &[u8]| {
        scratch.extend(notes.chunks_exact(8).map(|node| usize::from_le_bytes(node.try_into().unwrap())));
    };
    search_saving(graph, options, resources, grain, &Saving { checkpoints: kept, notes: &notes, add_notes: &add_notes })
}

#[test]
fn a_search_continues_from_every_level_as_if_nothing_had_happened() {
    let untils = [Until::EachKind { grace: 10 }, Until::Exhausted { per_kind: 3 }];
    let mut continued = 0;
    for seed in 0..250 {
        let graph = Graph::random(seed);
        for (until, grain) in untils.into_iter().flat_map(|until| [(until, Grain::Single), (until, Grain::Visible)]) {
            let kept = Kept::default();
            let whole = run(&graph, until, 2, grain, &kept);
            for (level, bytes) in kept.all.take().into_iter().enumerate() {
                let again = Kept { from: RefCell::new(Some(bytes)), ..Kept::default() };
                let rest = run(&graph, until, 1 + level % 3, grain, &again);
                let what = format!("seed {seed}, {until:?}, {grain:?}, level {level}");
                assert!(again.refusals.take().is_empty(), "{what}");
                assert_eq!(
                    (rest.end, &rest.findings, rest.omitted),
                    (whole.end, &whole.findings, whole.omitted),
                    "{what}"
                );
                let counts = |report: &ExplorationResult<Graph>| {
                    let numbers = report.statistics;
                    let mut expanded = report.scratch.clone();
                    expanded.sort_unstable();
                    expanded.dedup();
                    (numbers.states, numbers.transitions, numbers.transient_steps, numbers.depth, expanded)
                };
                assert_eq!(counts(&rest), counts(&whole), "{what}");
                continued += 1;
            }
        }
    }
    assert!(continued > 3000, "{continued}");
}

#[test]
fn bytes_that_are_cut_off_or_of_another_search_are_refused() {
    let (graph, until) = (Graph::random(3), Until::Exhausted { per_kind: 3 });
    let kept = Kept::default();
    run(&graph, until, 2, Grain::Single, &kept);
    let bytes = kept.all.take().pop().unwrap();
    for length in 0..bytes.len() {
        let again = Kept { from: RefCell::new(Some(bytes[..length].to_vec())), ..Kept::default() };
        let rest = run(&graph, until, 2, Grain::Single, &again);
        assert_eq!((rest.end, again.refusals.take().len()), (End::Limit(Exhausted::Cancelled), 1), "{length} bytes");
    }
    let again = Kept { from: RefCell::new(Some(bytes)), ..Kept::default() };
    run(&graph, until, 2, Grain::Visible, &again);
    assert_eq!(again.refusals.take(), ["the search is another one, or another build of Lariat wrote it"]);
}
