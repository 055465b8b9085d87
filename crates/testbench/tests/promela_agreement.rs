//! The compiled model and the reference interpreter, walked in step over random programs and over
//! the shipped models.

#![allow(clippy::print_stdout, reason = "a test shows its seed, or says what it skipped")]

use std::path::{Path, PathBuf};

use kernel::span::SourceMap;
use promela::front::{self, NoFiles, PreprocessorOptions};
use testbench::generate::promela::program;
use testbench::oracle::promela::{Extent, agree};

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn check(name: &str, text: &str, seed: u64, extent: Extent) {
    let mut sources = SourceMap::new();
    let file = sources.add_file(name, text, None);
    let loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
    let Some(program) = loaded.program else { panic!("{name}: {:#?}\n{text}", loaded.diagnostics) };
    if let Err(what) = agree(&program, seed, extent) {
        panic!("{name}, seed {seed}: {what}\n{text}");
    }
}

#[test]
fn random_programs_mean_the_same_twice() {
    let (first, count) = (number("LARIAT_SEED", 1), number("LARIAT_COUNT", 2000));
    println!("seeds {first} to {} (LARIAT_SEED, LARIAT_COUNT)", first + count - 1);
    for seed in first..first + count {
        check("random.pml", &program(seed), seed, Extent { walks: 4, steps: 60 });
    }
}

#[test]
fn shipped_models_mean_the_same_twice() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut folders = vec![folder];
    let mut models: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("models are there") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "pml") {
                models.push(path);
            }
        }
    }
    assert!(models.len() > 5, "the models are found");
    models.sort();
    for path in models {
        let text = std::fs::read_to_string(&path).expect("a readable model");
        check(&path.display().to_string(), &text, 1, Extent { walks: 20, steps: 120 });
    }
}

/// Expressions that cannot be evaluated, or can where they are harmless.
const EXPRESSIONS: [&str; 16] = [
    "a[x] == 0",
    "a[x + 1] < 5",
    "a[a[x]] == 0",
    "a[y - 1] == 0",
    "(y == 0 && a[x] == 0)",
    "(y == 1 || a[x] == 0)",
    "6 / y == 1",
    "6 % y == 1",
    "(1 << (y - 1)) > 0",
    "len(none) == 0",
    "len(list[x]) == 0",
    "nempty(list[x])",
    "list[x]?[1]",
    "enabled(0)",
    "Other[x]@here",
    "Other[x]:own == 0",
];

/// Places where an expression is evaluated, marked by `#`.
const PLACES: [&str; 24] = [
    "active proctype P() { # }",
    "active proctype P() { do :: # -> break od }",
    "active proctype P() { if :: # -> skip :: else -> skip fi }",
    "active proctype P() { (timeout && #) }",
    "active proctype P() { { skip; skip } unless { # } }",
    "active proctype P() { atomic { skip; # } }",
    "active proctype P() { d_step { #; skip } }",
    "active proctype P() { d_step { skip; y = (#) } }",
    "active proctype P() { d_step { if :: # -> skip :: else -> skip fi } }",
    "active proctype P() { d_step { buffer!(#) } }",
    "active proctype P() { y = (#) }",
    "active proctype P() { y = (# -> 1 : 2) }",
    "active proctype P() { assert(# || true) }",
    "active proctype P() { buffer!(#) }",
    "active proctype P() { buffer!!(#) }",
    "active proctype P() { buffer!1; buffer?eval(#) }",
    "proctype Q(byte k) { skip } active proctype P() { run Q(#) }",
    "proctype Q() { byte k = (#); skip } active proctype P() { run Q() }",
    "active proctype P() provided (#) { skip; skip }",
    "active proctype P() provided (#) { if :: false :: else -> skip fi }",
    "active proctype P() provided (#) { d_step { skip; skip } }",
    "active proctype P() provided (#) { meet!1 } active proctype Q() { meet?_ }",
    "active proctype Q() { meet!1 } active proctype P() provided (#) { meet?_ }",
    "active proctype P() provided (#) { end: false }",
];

#[test]
fn errors_are_found_wherever_an_expression_stands() {
    for place in PLACES {
        for expression in EXPRESSIONS {
            let text = format!(
                "byte x = 3; byte y; byte a[2]; chan none; chan list[2] = [1] of {{ byte }};
                 chan buffer = [2] of {{ byte }}; chan meet = [0] of {{ byte }};
                 {}
                 active proctype Other() {{ byte own; here: end: false }}",
                place.replace('#', expression)
            );
            check("errors.pml", &text, 1, Extent { walks: 4, steps: 10 });
        }
    }
}
