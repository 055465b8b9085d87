//! Where the time of a search goes, stage by stage.
//!
//! `profile FILE… [--code interpreted|compiled] [--sample N]`
//!
//! Visits all states of each model depth first, without reduction, and then repeats single stages of that work on a sample of the states that
//! fits into the cache, each stage on top of the one before: decoding a state, evaluating guards, executing statements
//! (which includes the copy of the state), encoding (the copy to the explorer), hashing, looking up in a table that fits into the cache. The differences
//! are the costs of the stages. What looking up costs in the table of all states beyond that is waiting for memory; the rest of the
//! search's time is stack handling, storing and growing. No profiler and no debugging symbols are needed.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use benches::{cpu, properties};
use kernel::budget::Budget;
use kernel::system::{Fault, Successor, System, Visitor, record};
use promela::compiled::{Execution, Model, ModelStep, Scratch};
use search::explore::{self, ExplorationOptions, Until};
use search::meter::Statistics;
use search::store::exact::{ExactStore, StateHash};
use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;

/// A stage is repeated until it has taken this long, in seconds.
const LEAST: f64 = 0.4;

/// What is done with each successor.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Stage {
    Execute,
    Encode,
    Hash,
    LookUp,
}

/// Does with each successor what a stage and those before it do.
struct Worker<'a> {
    stage: Stage,
    arena: Vec<u8>,
    store: &'a ExactStore,
    transitions: u64,
}

impl Visitor<ModelStep> for Worker<'_> {
    #[inline]
    fn successor(&mut self, successor: Successor<'_, ModelStep>) {
        self.transitions += 1;
        if self.stage >= Stage::Encode {
            self.arena.extend_from_slice(successor.state);
        }
        if self.stage >= Stage::Hash {
            let hash = StateHash::of(successor.state);
            if self.stage >= Stage::LookUp {
                black_box(self.store.find(hash, successor.state));
            }
            black_box(hash);
        }
        black_box(successor.state);
    }

    fn fault(&mut self, _: ModelStep, _: Fault) {}

    fn passes_through(&self) -> bool {
        true
    }
}

fn main() -> ExitCode {
    let (mut files, mut codes, mut sample) = (Vec::new(), vec![Execution::Interpreted, Execution::Compiled], 10_000);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--code" => match arguments.next().as_deref() {
                Some("interpreted") => codes = vec![Execution::Interpreted],
                Some("compiled") => codes = vec![Execution::Compiled],
                other => {
                    eprintln!("profile: --code is interpreted or compiled, not {other:?}");
                    return ExitCode::from(3);
                }
            },
            "--sample" => sample = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(sample),
            _ => files.push(argument),
        }
    }
    println!(
        "{:24} {:>12} {:>10} {:>11} {:>7} | {:>6} {:>6} {:>8} {:>8} {:>7} {:>8} {:>8} {:>6}",
        "model",
        "code",
        "states",
        "transitions",
        "ns",
        "decode",
        "guards",
        "execute",
        "encode",
        "hash",
        "look up",
        "memory",
        "rest"
    );
    for file in files {
        for code in &codes {
            if let Err(message) = profile(Path::new(&file), *code, sample) {
                eprintln!("profile: {file}: {message}");
                return ExitCode::from(3);
            }
        }
    }
    ExitCode::SUCCESS
}

/// Repeats something; gives the processor nanoseconds for each of the things it counts.
fn measure(mut work: impl FnMut() -> u64) -> f64 {
    let (mut count, mut seconds) = (0, 0.0);
    while seconds < LEAST {
        let (done, spent) = cpu::spent(|| (0..4).map(|_| work()).sum::<u64>());
        (count, seconds) = (count + done, seconds + spent);
    }
    #[expect(clippy::cast_precision_loss, reason = "counts are small")]
    let each = seconds * 1e9 / count.max(1) as f64;
    each
}

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn profile(file: &Path, execution: Execution, size: usize) -> Result<(), String> {
    let program = properties::load(file, &[])?;
    let model = Model::new(&program).map_err(|too_large| too_large.0)?.with_execution(execution);
    // All states, and how long the search takes.
    let budget = Budget::unlimited();
    let (identity, progress) = (&|_: &explore::Occurrence<'_, _>| 0, &mut |_: &Statistics| {});
    let options = ExplorationOptions { until: Until::Exhausted { per_kind: 0 }, budget: &budget, identity, progress };
    let (report, seconds) = cpu::spent(|| explore::dfs::search(&model, options));
    let (states, transitions) = (report.statistics.states, report.statistics.transitions);
    let whole = seconds * 1e9 / transitions as f64;
    // A sample of them, spread over a breadth-first visit; and all of them in a table.
    let all = visit(&model);
    let step = (all.len() as u64 / size as u64).max(1);
    let sample: Vec<&[u8]> = all.ids.iter().step_by(step as usize).map(|id| all.store.state(*id)).collect();
    let mut scratch = model.scratch();
    let mut few = ExactStore::new();
    for state in &sample {
        for (_, next, _) in record(&model, &mut scratch, state).successors {
            few.insert(StateHash::of(&next), &next).map_err(|_| "too many states")?;
        }
    }
    // Stage by stage, in nanoseconds for each transition.
    let mut run = |stage: Stage, store: &ExactStore| {
        let mut worker = Worker { stage, arena: Vec::new(), store, transitions: 0 };
        measure(|| {
            let before = worker.transitions;
            for state in &sample {
                worker.arena.clear();
                model.successors(&mut scratch, state, &mut worker);
            }
            worker.transitions - before
        })
    };
    let (executed, encoded, hashed, found) =
        (run(Stage::Execute, &few), run(Stage::Encode, &few), run(Stage::Hash, &few), run(Stage::LookUp, &few));
    let waited = scattered(&all);
    let by_state = sample.len() as f64 / {
        let mut worker = Worker { stage: Stage::Execute, arena: Vec::new(), store: &few, transitions: 0 };
        sample.iter().for_each(|state| model.successors(&mut scratch, state, &mut worker));
        worker.transitions.max(1) as f64
    };
    let decoded = decode(&model, &mut scratch, &sample, false) * by_state;
    let guarded = decode(&model, &mut scratch, &sample, true) * by_state;
    let memory = (waited - (found - hashed)).max(0.0).min(whole - found);
    let parts = [
        decoded,
        guarded - decoded,
        executed - guarded,
        encoded - executed,
        hashed - encoded,
        found - hashed,
        memory,
        whole - found - memory,
    ];
    let shares: Vec<String> = parts.iter().map(|part| format!("{:.0} %", 100.0 * part / whole)).collect();
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let code = format!("{execution:?}").to_lowercase();
    println!(
        "{name:24} {code:>12} {states:>10} {transitions:>11} {whole:>7.1} | {:>6} {:>6} {:>8} {:>8} {:>7} {:>8} {:>8} {:>6}",
        shares[0], shares[1], shares[2], shares[3], shares[4], shares[5], shares[6], shares[7]
    );
    Ok(())
}

/// Nanoseconds for decoding a state, or for decoding it and evaluating its guards.
fn decode(model: &Model, scratch: &mut Scratch, sample: &[&[u8]], with_guards: bool) -> f64 {
    measure(|| {
        for state in sample {
            black_box(if with_guards {
                model.count_enabled(scratch, state)
            } else {
                model.count_processes(scratch, state)
            });
        }
        sample.len() as u64
    })
}

/// The states of a model in a store, and their numbers.
struct All {
    store: ExactStore,
    ids: Vec<search::store::number::StateId>,
}

impl All {
    fn len(&self) -> usize {
        self.ids.len()
    }
}

fn visit(model: &Model) -> All {
    let (mut store, mut ids, mut scratch) = (ExactStore::new(), Vec::new(), model.scratch());
    let mut state = Vec::new();
    model.initial(&mut state);
    ids.extend(store.insert(StateHash::of(&state), &state).map(|(id, _)| id));
    let mut next = 0;
    while next < ids.len() {
        state.clear();
        state.extend_from_slice(store.state(ids[next]));
        next += 1;
        for (_, target, _) in record(model, &mut scratch, &state).successors {
            if let Ok((id, true)) = store.insert(StateHash::of(&target), &target) {
                ids.push(id);
            }
        }
    }
    All { store, ids }
}

/// Nanoseconds for looking up a state that is in the table of all states, in an order that no cache foresees.
fn scattered(all: &All) -> f64 {
    let count = all.len();
    let wanted: Vec<Vec<u8>> = (0..20_000.min(count))
        .map(|index| all.store.state(all.ids[index.wrapping_mul(2_654_435_761) % count]).to_vec())
        .collect();
    let hashes: Vec<StateHash> = wanted.iter().map(|state| StateHash::of(state)).collect();
    let flush: Vec<u64> = vec![1; 8 << 20];
    let (mut seconds, mut rounds) = (0.0, 0_u32);
    while rounds < 5 {
        // What the last round fetched is pushed out of the cache.
        black_box(flush.iter().sum::<u64>());
        let started = std::time::Instant::now();
        for (hash, state) in hashes.iter().zip(&wanted) {
            black_box(all.store.find(*hash, state));
        }
        seconds += started.elapsed().as_secs_f64();
        rounds += 1;
    }
    #[expect(clippy::cast_precision_loss, reason = "counts are small")]
    let each = seconds * 1e9 / (wanted.len().max(1) as f64 * f64::from(rounds));
    each
}
