//! Random programs with whole and with compressed states: the same verdicts, counts and runs.

#![allow(clippy::print_stdout, reason = "a test shows its seeds")]

use kernel::budget::Budget;
use kernel::span::SourceMap;
use promela::compiled::Model;
use promela::front::{self, NoFiles, PreprocessorOptions};
use search::explore::{End, ExplorationOptions, ExplorationResult, Until, bfs, dfs};
use search::store::Store;
use testbench::generate::promela::program;

/// A search with a store of this kind, within so many bytes.
fn search(model: &Model, is_deep: bool, store: Store, memory: u64) -> ExplorationResult<Model> {
    let mut budget = Budget::unlimited();
    budget.memory = Some(memory);
    let until = Until::Exhausted { per_kind: 20 };
    let identity = |occurrence: &search::explore::Occurrence<'_, _>| occurrence.state.len() as u64;
    let options = ExplorationOptions { until, budget: &budget, identity: &identity, progress: &mut |_| {} };
    if is_deep { dfs::search_with(model, store, options) } else { bfs::search_with(model, store, options) }
}

#[test]
fn random_programs_have_the_same_states_compressed() {
    println!("seeds 1 to 400");
    let (mut compared, mut largest) = (0, 0);
    for seed in 1..=400 {
        let mut sources = SourceMap::new();
        let file = sources.add_file("random.pml", program(seed), None);
        let loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
        let Some(Ok(model)) = loaded.program.map(|program| Model::new(&program)) else { continue };
        for is_deep in [true, false] {
            let exact = search(&model, is_deep, Store::Exact, 3_000_000);
            if exact.end != End::Complete {
                continue;
            }
            let compressed = search(&model, is_deep, Store::Compressed, u64::MAX);
            assert_eq!((compressed.end, &compressed.findings), (exact.end, &exact.findings), "seed {seed}");
            let counts = |result: &ExplorationResult<Model>| {
                let numbers = result.statistics;
                [numbers.states, numbers.transitions, numbers.transient_steps, numbers.depth]
            };
            assert_eq!(counts(&compressed), counts(&exact), "seed {seed}");
            compared += 1;
            largest = largest.max(exact.statistics.states);
        }
    }
    assert!(compared > 400 && largest > 1000, "{compared} compared, the largest has {largest} states");
}
