//! Translates random formulas in all formats, and counts failures to produce output.
//!
//! `translations [COUNT] [SEED]`
//!
//! For each formula (8 to 20 symbols over up to five propositions) an automaton is made and written as HOA, never claim, LBTT
//! and DOT, and all but the last are read back and compared with what was written: the same states and edges. The exit code
//! is 1 if a translation fails, a format is not read back, or anything panics.
#![allow(clippy::print_stdout, reason = "a program that talks to its user")]

use kernel::budget::Budget;
use std::process::ExitCode;
use std::time::Instant;

use benches::argument;
use kernel::span::FileId;
use omega::automaton::Automaton;
use omega::formula::Formulas;
use omega::io::never::Style;
use omega::io::{Format, dot, hoa, lbtt, never, read};
use omega::pipeline::{TranslationOptions, translate};
use omega::print::{Notation, print};
use omega::random::{FormulaShape, Random};

fn main() -> ExitCode {
    let (count, seed) = (argument(1, 64_000), argument(2, 1));
    println!("{count} formulas, seed {seed}");
    let (started, mut failed, mut states) = (Instant::now(), 0_u64, 0);
    for index in 0..count {
        let mut formulas = Formulas::new();
        let mut random = Random::new(seed.wrapping_add(index));
        let shape = FormulaShape::new(8 + (index % 13) as usize, 1 + (index % 5) as usize);
        let formula = shape.draw(&mut formulas, &mut random);
        let text = print(&formulas, formula, Notation::Spot);
        match translate(&mut formulas, formula, &TranslationOptions::default(), &Budget::unlimited()) {
            Ok(translation) => {
                states += translation.automaton.state_count();
                if let Err(reason) = written(&translation.automaton) {
                    failed += 1;
                    println!("{text}: {reason}");
                }
            }
            Err(reason) => {
                failed += 1;
                println!("{text}: {reason}");
            }
        }
    }
    let seconds = started.elapsed().as_secs();
    println!("{count} translations, {states} states, {failed} failures, {seconds} s");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Writes an automaton in all formats and reads it back.
fn written(automaton: &Automaton) -> Result<(), String> {
    let claim = never::write(automaton, Style::If, &Budget::unlimited()).map_err(|reason| reason.to_string())?;
    let lbtt = lbtt::write(automaton, &Budget::unlimited()).map_err(|reason| reason.to_string())?;
    let texts = [(hoa::write(automaton), Format::Hoa), (claim, Format::Never), (lbtt, Format::Lbtt)];
    for (text, format) in texts {
        let mut all = read(&text, format, FileId(0));
        match (all.len(), all.pop()) {
            (1, Some(Ok(back))) => {
                let size = |automaton: &Automaton| (automaton.state_count(), automaton.edge_count());
                if format != Format::Never && size(&back) != size(automaton) {
                    return Err(format!("{format:?} gives another automaton back"));
                }
            }
            _ => return Err(format!("{format:?} is not read back")),
        }
    }
    dot::write(automaton, &Budget::unlimited()).map(drop).map_err(|reason| reason.to_string())
}
