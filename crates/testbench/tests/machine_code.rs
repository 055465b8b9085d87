//! Machine code and the interpreter of the compiled model, side by side: random programs and the shipped models, with and
//! without the data that can be left out; and flaws in machine code, which must be noticed.
//!
//! `LARIAT_SEED` and `LARIAT_COUNT` choose other random programs.

#![allow(clippy::print_stdout, reason = "a test shows its seeds, or what it saw")]

mod shipped;

use kernel::budget::Budget;
use kernel::span::SourceMap;
use promela::compiled::{Flaw, Model};
use promela::dataflow::{Trim, Wanted};
use promela::front::{self, NoFiles, PreprocessorOptions};
use promela::typed::Program;
use std::path::PathBuf;
use testbench::generate::{data, promela::program};
use testbench::oracle::machine::Twins;

/// How many states of a model are visited.
const STATES: usize = 300;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn load(name: &str, text: &str) -> Option<Program> {
    let mut sources = SourceMap::new();
    let file = sources.add_file(name, text, None);
    front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles).program
}

/// The model of a program, trimmed or not.
fn twins(program: &Program, is_trimmed: bool, flaw: Option<Flaw>) -> Twins {
    let wanted = Wanted { dead: true, slice: true, loops: false, atoms: &[], trace: None };
    let budget = Budget::unlimited();
    let make = || match is_trimmed {
        false => Model::new(program).expect("a small model"),
        true => {
            let trim = Trim::new(program, wanted, &budget).expect("no limit");
            Model::trimmed(program, None, trim, &budget).expect("a small model")
        }
    };
    Twins::new(make, flaw)
}

/// Compares a program with and without trimming; gives what was translated.
fn check(name: &str, text: &str) -> [usize; 3] {
    let Some(program) = load(name, text) else { return [0; 3] };
    let mut translated = [0; 3];
    for is_trimmed in [false, true] {
        let mut twins = twins(&program, is_trimmed, None);
        if let Err(what) = twins.agree(STATES) {
            panic!("{name}, trimmed: {is_trimmed}: {what}\n{text}");
        }
        translated = twins.translated();
    }
    translated
}

/// What was translated in many programs; a share is required where there is a back end.
fn require(translated: &[[usize; 3]], least: usize) {
    let sum = |index: usize| translated.iter().map(|counts| counts[index]).sum::<usize>();
    let (guards, effects, all) = (sum(0), sum(1), sum(2));
    println!("of {all} edges, machine code decides {guards} and executes {effects}");
    if cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
        assert!(guards * 100 > all * least && effects * 100 > all * least, "most edges are translated");
    }
}

#[test]
fn random_programs_take_the_same_steps_in_machine_code() {
    let (first, count) = (number("LARIAT_SEED", 1), number("LARIAT_COUNT", 150));
    println!("seeds {first} to {} (LARIAT_SEED, LARIAT_COUNT)", first + count - 1);
    let seeds = first..first + count;
    let translated: Vec<_> = seeds.clone().map(|seed| check(&format!("seed {seed}"), &program(seed))).collect();
    require(&translated, 40);
    let translated: Vec<_> = seeds.map(|seed| check(&format!("data, seed {seed}"), &data::program(seed))).collect();
    require(&translated, 40);
}

#[test]
fn shipped_models_take_the_same_steps_in_machine_code() {
    let models = shipped::models();
    let text = |path: &PathBuf| std::fs::read_to_string(path).expect("a readable model");
    let translated: Vec<_> = models.iter().map(|path| check(&path.display().to_string(), &text(path))).collect();
    require(&translated, 60);
}

/// A flaw is noticed in this program, which is right without it.
fn is_caught(flaw: Flaw, text: &str) {
    let program = load("flaw.pml", text).expect("a correct program");
    for is_trimmed in [false, true] {
        assert_eq!(twins(&program, is_trimmed, None).agree(STATES).err(), None, "{text}");
    }
    let mut flawed = twins(&program, true, Some(flaw));
    if flawed.translated()[1] == 0 {
        println!("skipped: no machine code on this computer");
        return;
    }
    assert!(flawed.agree(STATES).is_err(), "{flaw:?} is not seen in\n{text}");
}

#[test]
fn values_are_cut_to_the_width_of_their_variable() {
    is_caught(Flaw::Truncation, "bit a, b; byte n; active proctype P() { n = 3; a = n; b = n; assert(!(a && b)) }");
}

#[test]
fn indices_are_compared_with_their_bounds() {
    is_caught(Flaw::Bounds, "byte cell[2]; byte i; active proctype P() { do :: i++; cell[i] = 1 od }");
}

#[test]
fn dead_variables_are_cleared() {
    is_caught(
        Flaw::Clear,
        "byte g; active proctype P() { byte x; do :: x = 1; g = x; g = 0 :: x = 2; g = x; g = 0 od } active proctype Q() { g == 2 }",
    );
}

#[test]
fn an_else_waits_for_the_others() {
    is_caught(Flaw::Else, "byte g; active proctype P() { do :: g < 3 -> g++ :: else -> break od }");
}

#[test]
fn a_successor_that_is_no_copy_of_the_state_is_noticed() {
    is_caught(Flaw::Copy, "byte a, b; active proctype P() { do :: a++ :: b++; assert(a < 9 || b < 9) od }");
}

#[test]
fn guards_that_begin_alike_are_all_asked() {
    is_caught(
        Flaw::Alike,
        "byte turn, n; active [2] proctype P() { do
         :: turn == _pid && n < 3 -> n++
         :: turn == _pid && n < 3 && n > 0 -> turn = 1 - _pid
         :: turn == _pid && n == 3 -> n = 0
         :: else -> assert(turn != _pid) od }",
    );
}

#[test]
fn a_message_that_is_received_makes_room() {
    is_caught(
        Flaw::Receive,
        "chan c = [2] of { byte }; byte x; active proctype P() { c!1; c!2; c?x; c?x; assert(x == 2) }",
    );
}
