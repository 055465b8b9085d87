//! Models without the data that can be left out, walked in step with the models themselves: random programs and the shipped
//! models.
//!
//! `LARIAT_SEED` and `LARIAT_COUNT` choose other random programs.

#![allow(clippy::print_stdout, reason = "a test shows what it saw")]

mod shipped;

use kernel::budget::Budget;
use kernel::span::SourceMap;
use promela::compiled::similar::{Walk, similar};
use promela::front::{self, Loaded, NoFiles, PreprocessorOptions};
use promela::property::parse_expression;
use promela::typed::{Expr, Program};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use testbench::generate::atom::{awkward, subjects};
use testbench::generate::data::{self, FEATURES};
use testbench::generate::promela::program;

/// How many states of a model are visited.
const STATES: usize = 1000;

/// Dead variables, slicing, and both.
const MODES: [(bool, bool); 3] = [(true, false), (false, true), (true, true)];

fn load(name: &str, text: &str) -> (SourceMap, Loaded) {
    let mut sources = SourceMap::new();
    let file = sources.add_file(name, text, None);
    let loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
    (sources, loaded)
}

/// The atoms with these texts; those that the language refuses are left out.
fn expressions(sources: &mut SourceMap, loaded: &mut Loaded, texts: &[String]) -> (Program, Vec<Expr>) {
    let mut program = loaded.program.take().expect("accepted");
    let mut parse = |text: &String| {
        let file = sources.add_file("<atom>", text.as_str(), None);
        parse_expression(sources, file, &mut program, &loaded.definitions, &Budget::unlimited()).ok()
    };
    let atoms = texts.iter().filter_map(&mut parse).collect();
    (program, atoms)
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// What was seen in many walks.
#[derive(Debug, Default)]
struct Tally {
    walks: usize,
    complete: usize,
    with_removed: usize,
    with_canonical: usize,
    with_global_canonical: usize,
    with_silent: usize,
    fewer_states: usize,
    fewer_bytes: usize,
    states: usize,
    trimmed: usize,
}

impl Tally {
    fn add(&mut self, walk: &Walk) {
        self.walks += 1;
        self.complete += usize::from(walk.is_complete);
        self.with_removed += usize::from(!walk.removed.is_empty());
        self.with_canonical += usize::from(!walk.canonical.is_empty());
        self.with_global_canonical += usize::from(walk.canonical.iter().any(|name| !name.contains(':')));
        self.with_silent += usize::from(walk.silent > 0);
        self.fewer_states += usize::from(walk.trimmed < walk.states);
        self.fewer_bytes += usize::from(walk.bytes.1 < walk.bytes.0);
        self.states += walk.states;
        self.trimmed += walk.trimmed;
    }
}

/// Compares a program, in all modes, for some atoms of its own.
fn check(name: &str, text: &str, seed: u64, tally: &mut Tally) {
    let (mut sources, mut loaded) = load(name, text);
    let Some(program) = &loaded.program else { return };
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let candidates = [subjects(program).concat(), awkward(program)].concat();
    let count = random.random_range(0..=2);
    let texts: Vec<String> = candidates.sample(&mut random, count).cloned().collect();
    let (program, atoms) = expressions(&mut sources, &mut loaded, &texts);
    let traces = (0..).map(promela::typed::ProcId).zip(&program.procs);
    let is_trace = |kind| matches!(kind, promela::typed::ProcKind::Trace | promela::typed::ProcKind::Notrace);
    let trace = traces.filter(|(_, proc)| is_trace(proc.kind)).map(|(id, _)| id).next();
    for (mode, trace) in MODES.into_iter().map(|mode| (mode, None)).chain(trace.map(|trace| (MODES[2], Some(trace)))) {
        match similar(&program, &atoms, trace, mode, STATES) {
            Ok(walk) => tally.add(&walk),
            Err(what) => panic!("{name}, seed {seed}, {mode:?}, atoms {texts:?}: {what}\n{text}"),
        }
    }
}

#[test]
fn random_programs_take_the_same_steps_without_data_that_is_left_out() {
    let (first, count) = (number("LARIAT_SEED", 1), number("LARIAT_COUNT", 150));
    println!("seeds {first} to {} (LARIAT_SEED, LARIAT_COUNT)", first + count - 1);
    let mut tally = Tally::default();
    for seed in first..first + count {
        check("random.pml", &program(seed), seed, &mut tally);
    }
    println!("{tally:#?}");
}

#[test]
fn shipped_models_take_the_same_steps_without_data_that_is_left_out() {
    let mut tally = Tally::default();
    for (seed, path) in (0..).zip(shipped::models()) {
        let text = std::fs::read_to_string(&path).expect("a readable model");
        check(&path.display().to_string(), &text, seed, &mut tally);
    }
    println!("{tally:#?}");
    assert!(tally.fewer_states > 10 && tally.with_removed > 10, "both occur: {tally:?}");
}

#[test]
fn programs_with_odd_data_take_the_same_steps_without_it() {
    let (first, count) = (number("LARIAT_SEED", 1), number("LARIAT_COUNT", 150));
    println!("seeds {first} to {} (LARIAT_SEED, LARIAT_COUNT)", first + count - 1);
    let mut tally = Tally::default();
    let mut features = FEATURES.map(|(name, part)| (name, part, 0));
    for seed in first..first + count {
        let text = data::program(seed);
        for (_, part, times) in &mut features {
            *times += usize::from(text.contains(*part));
        }
        check("random.pml", &text, seed, &mut tally);
    }
    for (name, _, times) in features {
        println!("{name}: {times} of {count} programs");
        assert!(count < 100 || times > 3, "{name} occurs");
    }
    println!("{tally:#?}");
    assert!(count < 100 || tally.fewer_states > 50 && tally.with_silent > 10 && tally.with_global_canonical > 50);
}
