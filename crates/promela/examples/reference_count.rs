//! Counts the states of models with the reference interpreter.
//!
//! ```sh
//! cargo run --release -p lariat-promela --example reference_count -- [--limit N] [-DNAME[=VALUE]] MODEL…
//! ```
#![allow(clippy::print_stdout, reason = "an example that prints its findings")]

use kernel::span::SourceMap;
use promela::front::{self, Files, PreprocessorOptions};
use promela::reference::{Reference, Survey};
use std::path::Path;

/// Included files, looked for beside the file that asks for them.
struct Beside;

impl Files for Beside {
    fn read(&self, path: &str, included_from: Option<&str>) -> std::io::Result<(String, String)> {
        let folder = included_from.and_then(|from| Path::new(from).parent()).unwrap_or(Path::new(""));
        let found = folder.join(path);
        Ok((found.display().to_string(), std::fs::read_to_string(found)?))
    }
}

fn survey(path: &str, options: &PreprocessorOptions, limit: usize) -> Result<Survey, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut sources = SourceMap::new();
    let file = sources.add_file(path, text, None);
    let loaded = front::load(&mut sources, file, options, &Beside);
    match loaded.program {
        Some(program) => Ok(Reference::new(&program).survey(limit)),
        None => Err(loaded.diagnostics.into_iter().map(|finding| finding.message).next().unwrap_or_default()),
    }
}

fn main() {
    let mut limit = 1_000_000;
    let mut options = PreprocessorOptions::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--limit" {
            limit = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(limit);
            continue;
        }
        if let Some(define) = argument.strip_prefix("-D") {
            let (name, value) = define.split_once('=').map_or((define, None), |(name, value)| (name, Some(value)));
            options.defines.push((name.to_string(), value.map(str::to_string)));
            continue;
        }
        match survey(&argument, &options, limit) {
            Ok(survey) => println!("{argument}: {survey:?}"),
            Err(message) => println!("{argument}: refused: {message}"),
        }
    }
}
