//! Checks SMV texts and prints one line of JSON for each: `cargo run --release --example check -- [SECONDS] FILE…`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example that talks to its user")]

use std::time::Duration;

use kernel::budget::Budget;
use kernel::span::SourceMap;
use symbolic::check::{self, Options};

fn main() -> std::io::Result<()> {
    let mut seconds = None;
    for argument in std::env::args().skip(1) {
        if let Ok(number) = argument.parse() {
            seconds = Some(Duration::from_secs(number));
            continue;
        }
        let mut sources = SourceMap::new();
        let file = sources.add_file(argument.as_str(), std::fs::read_to_string(&argument)?, None);
        let loaded = smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
        let show = |findings: &[kernel::diagnostic::Diagnostic]| {
            for finding in findings {
                let (line, column) = sources.line_column(finding.primary.span);
                println!("{argument}:{line}:{column}: {} {} {:?}", finding.code, finding.message, finding.notes);
            }
        };
        let Some(model) = loaded.model else {
            show(&loaded.diagnostics);
            continue;
        };
        let budget = seconds.map_or_else(Budget::unlimited, |limit| Budget::unlimited().within(limit));
        let reorder = match std::env::var("SIFT").ok().and_then(|text| text.parse().ok()) {
            Some(0) => check::Reorder::Never,
            Some(nodes) => check::Reorder::From(nodes),
            None => Options::default().reorder,
        };
        let diameter = std::env::var_os("DIAMETER").is_some();
        match check::check(&model, &Options { diameter, reorder, ..Options::default() }, &budget, &mut |_| {}) {
            Ok(report) => println!("{}", serde_json::to_string(&report).expect("plain data")),
            Err(check::Error::Wrong(diagnostics)) => show(&diagnostics),
            Err(check::Error::Disagreement(disagreement)) => eprintln!("{disagreement:?}"),
        }
    }
    Ok(())
}
