//! Compares full and reduced graphs of random programs: ends, faults, executed statements, temporal properties. Of every ten
//! programs, one has interchangeable processes.
//!
//! `random-reduction [FIRST] [COUNT]`: seeds, by default 20,000 from 1 on. Prints how often each construct occurred.

#![allow(clippy::print_stdout, reason = "a program that talks to its user")]

use kernel::span::SourceMap;
use promela::front::{self, NoFiles, PreprocessorOptions};
use promela::typed::Program;
use std::process::ExitCode;
use testbench::generate::concurrent::concurrent;
use testbench::generate::twins;
use testbench::oracle::reduction::{Tally, agree};
use testbench::oracle::{combined, symmetry};

/// The program with this text.
fn loaded(text: &str) -> Option<Program> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("random.pml", text, None);
    front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles).program
}

/// A line is printed after this many programs.
const EVERY: u64 = 1000;

fn main() -> ExitCode {
    let (first, count) = (benches::argument(1, 1), benches::argument(2, 20_000));
    let (mut tally, mut failed) = (Tally::default(), 0);
    for seed in first..first + count {
        let made = concurrent(seed);
        let Some(program) = loaded(&made.text) else {
            println!("seed {seed}: the program is not accepted\n{}", made.text);
            return ExitCode::FAILURE;
        };
        for construct in made.constructs {
            *tally.constructs.entry(construct).or_default() += 1;
        }
        let reduced = agree(&program, None, &mut tally).and_then(|()| combined::agree(&program, None, &mut tally));
        if let Err(what) = reduced {
            failed += 1;
            println!("seed {seed}: {what}\n{}", made.text);
        }
        if seed % 10 == 0 {
            let text = twins::program(seed);
            let program = loaded(&text).expect("programs with interchangeable processes are right");
            match symmetry::agree(&program, None, &mut tally) {
                Ok(is_symmetric) => *tally.constructs.entry("symmetric").or_default() += u64::from(is_symmetric),
                Err(what) => {
                    failed += 1;
                    println!("seed {seed}: {what}\n{text}");
                }
            }
        }
        if (seed + 1 - first) % EVERY == 0 {
            println!("{} programs, {failed} failed", seed + 1 - first);
        }
    }
    println!("{tally:#?}\n{count} programs, {failed} failed");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
