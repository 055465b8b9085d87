//! Checks SMV files with the engine alone and prints its answers: `cargo run --release --example check -- FILE…`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example that talks to its user")]

use kernel::budget::Budget;
use kernel::diagnostic::Diagnostic;
use kernel::span::SourceMap;
use symbolic::check::{Error, SymbolicOptions, check};

fn main() -> std::io::Result<()> {
    let budget = Budget::unlimited();
    for path in std::env::args().skip(1) {
        let mut sources = SourceMap::new();
        let file = sources.add_file(path.as_str(), std::fs::read_to_string(&path)?, None);
        let show = |diagnostics: &[Diagnostic]| {
            for diagnostic in diagnostics {
                let (line, column) = sources.line_column(diagnostic.primary.span);
                println!("{path}:{line}:{column}: {} {}", diagnostic.code, diagnostic.message);
            }
        };
        let loaded = smv::load(&sources, file, &budget).expect("no limit");
        let Some(model) = loaded.model else {
            show(&loaded.diagnostics);
            continue;
        };
        match check(&model, &SymbolicOptions::default(), &budget, &mut |_| {}) {
            Ok(result) => {
                for property in &result.properties {
                    println!("{path}: {}: {:?}", property.name, property.answer);
                }
            }
            Err(Error::Wrong(diagnostics)) => show(&diagnostics),
            Err(Error::Disagreement(disagreement)) => eprintln!("{path}: {disagreement:?}"),
        }
    }
    Ok(())
}
