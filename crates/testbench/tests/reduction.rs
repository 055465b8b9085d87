//! Reduced and full models compared, on random programs and on the shipped models.

#![allow(clippy::print_stdout, reason = "a test shows its seed and how often each construct occurred")]

mod shipped;

use kernel::span::SourceMap;
use promela::compiled::Model;
use promela::front::{self, NoFiles, PreprocessorOptions};
use promela::reduce::{Pairs, accord};
use promela::typed::Program;
use testbench::generate::concurrent::concurrent;
use testbench::generate::{data, started, twins};
use testbench::oracle::reduction::{Tally, agree};
use testbench::oracle::{combined, symmetry};

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn load(name: &str, text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add_file(name, text, None);
    let loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
    loaded.program.unwrap_or_else(|| panic!("{name}: {:#?}\n{text}", loaded.diagnostics))
}

#[test]
fn random_programs_keep_their_ends_faults_statements_and_properties() {
    let (first, count) = (number("LARIAT_SEED", 1), number("LARIAT_COUNT", 400));
    println!("seeds {first} to {} (LARIAT_SEED, LARIAT_COUNT)", first + count - 1);
    let mut tally = Tally::default();
    for seed in first..first + count {
        let made = concurrent(seed);
        let program = load("random.pml", &made.text);
        for construct in made.constructs {
            *tally.constructs.entry(construct).or_default() += 1;
        }
        if let Err(what) = agree(&program, None, &mut tally) {
            panic!("seed {seed}: {what}\n{}", made.text);
        }
    }
    println!("{tally:#?}");
    assert!(tally.states[1] < tally.states[0], "nothing was reduced");
    assert!(count < 400 || tally.constructs.values().all(|count| *count >= 5), "a construct is rare");
}

#[test]
fn random_programs_keep_them_where_processes_are_started() {
    let (first, count) = (number("LARIAT_SEED", 1), number("LARIAT_COUNT", 400));
    println!("seeds {first} to {} (LARIAT_SEED, LARIAT_COUNT)", first + count - 1);
    let mut tally = Tally::default();
    for seed in first..first + count {
        let text = started::program(seed);
        if let Err(what) = agree(&load("random.pml", &text), None, &mut tally) {
            panic!("seed {seed}: {what}\n{text}");
        }
    }
    println!("{tally:#?}");
    assert!(tally.states[1] < tally.states[0], "nothing was reduced");
    assert!(count < 400 || tally.properties[1] > 20, "few properties are violated");
}

#[test]
fn random_programs_keep_them_without_useless_data() {
    let (first, count) = (number("LARIAT_SEED", 1), number("LARIAT_COUNT", 200));
    println!("seeds {first} to {} (LARIAT_SEED, LARIAT_COUNT)", first + count - 1);
    let mut tally = Tally::default();
    for seed in first..first + count {
        let text = if seed % 4 == 0 { data::program(seed) } else { concurrent(seed).text };
        if let Err(what) = combined::agree(&load("random.pml", &text), None, &mut tally) {
            panic!("seed {seed}: {what}\n{text}");
        }
    }
    println!("{tally:#?}");
    assert!(tally.states[1] < tally.states[0], "nothing was reduced");
    assert!(count < 200 || tally.properties[1] > 20, "few properties are violated");
}

#[test]
fn random_programs_keep_them_if_interchangeable_processes_are_exchanged() {
    let (first, count) = (number("LARIAT_SEED", 1), number("LARIAT_COUNT", 150));
    println!("seeds {first} to {} (LARIAT_SEED, LARIAT_COUNT)", first + count - 1);
    let (mut tally, mut symmetric) = (Tally::default(), 0);
    for seed in first..first + count {
        let text = twins::program(seed);
        match symmetry::agree(&load("random.pml", &text), None, &mut tally) {
            Ok(is_symmetric) => symmetric += u64::from(is_symmetric),
            Err(what) => panic!("seed {seed}: {what}\n{text}"),
        }
    }
    println!("{symmetric} symmetric; {tally:#?}");
    assert!(3 * tally.states[1] < 2 * tally.states[0], "little was merged");
    assert!(count < 150 || symmetric > 60 && symmetric < 140 && tally.properties[1] > 20, "one-sided programs");
}

#[test]
fn random_programs_obey_the_laws_of_the_tables() {
    let (first, count) = (number("LARIAT_SEED", 1), number("LARIAT_COUNT", 200));
    println!("seeds {first} to {} (LARIAT_SEED, LARIAT_COUNT)", first + count - 1);
    let mut sum = Pairs::default();
    for seed in first..first + count {
        let text = concurrent(seed).text;
        let Ok(model) = Model::new(&load("random.pml", &text)) else { continue };
        match accord(&model, None, 300) {
            Ok(Pairs { independent, dependent, woken }) => {
                sum.independent += independent;
                sum.dependent += dependent;
                sum.woken += woken;
            }
            Err(what) => panic!("seed {seed}: {what}\n{text}"),
        }
    }
    println!("{sum:?}");
    assert!(count < 200 || sum.independent > 1000 && sum.woken > 100, "little was compared");
}

#[test]
fn an_endless_atomic_sequence_does_not_hide_other_processes() {
    let text = "active proctype Q() { assert(false) }
        active proctype P() { byte x, y; atomic { do :: y < 2 -> y++; y = x :: y >= 2 -> break od } }";
    assert_eq!(agree(&load("endless.pml", text), None, &mut Tally::default()), Ok(()));
}

#[test]
fn shipped_models_keep_their_ends_faults_statements_and_properties() {
    let mut tally = Tally::default();
    for path in shipped::models() {
        let text = std::fs::read_to_string(&path).expect("a readable model");
        let program = load(&path.display().to_string(), &text);
        let both = agree(&program, None, &mut tally).and_then(|()| combined::agree(&program, None, &mut tally));
        if let Err(what) = both {
            panic!("{}: {what}", path.display());
        }
    }
    println!("{tally:#?}");
}
