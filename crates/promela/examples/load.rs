//! Loads a model and prints what the front end has to say about it.
//!
//! `load [-DNAME[=TEXT]]… [-UNAME]… [-IFOLDER]… [--quiet] FILE`: exit code 0 if the model is accepted,
//! 4 if not.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that shows its result")]

use kernel::diagnostic::Severity;
use kernel::span::SourceMap;
use promela::front::{self, Files, Options};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The disk, with the folders of `-I`.
struct Disk(Vec<PathBuf>);

impl Files for Disk {
    fn read(&self, path: &str, included_from: Option<&str>) -> io::Result<(String, String)> {
        let beside = included_from.and_then(|from| Path::new(from).parent()).unwrap_or(Path::new(""));
        let folders = std::iter::once(beside).chain(self.0.iter().map(PathBuf::as_path));
        let mut failure = io::Error::new(io::ErrorKind::NotFound, "no such file");
        for folder in folders {
            let candidate = folder.join(path);
            match std::fs::read(&candidate) {
                Ok(bytes) => {
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    return Ok((candidate.display().to_string(), text));
                }
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }
}

fn main() -> ExitCode {
    let run = std::thread::Builder::new().stack_size(64 << 20).spawn(run).expect("a thread can be started");
    run.join().expect("the front end does not panic")
}

fn run() -> ExitCode {
    let mut options = Options::default();
    let mut folders = Vec::new();
    let mut name = String::new();
    let mut quiet = false;
    for argument in std::env::args().skip(1) {
        if let Some(define) = argument.strip_prefix("-D") {
            let (name, text) = define.split_once('=').map_or((define, None), |(n, t)| (n, Some(t.to_string())));
            options.defines.push((name.to_string(), text));
        } else if let Some(undefine) = argument.strip_prefix("-U") {
            options.undefines.push(undefine.to_string());
        } else if let Some(folder) = argument.strip_prefix("-I") {
            folders.push(PathBuf::from(folder));
        } else if argument == "--quiet" {
            quiet = true;
        } else {
            name = argument;
        }
    }
    let disk = Disk(folders);
    let Ok((name, text)) = disk.read(&name, None) else {
        eprintln!("cannot read {name}");
        return ExitCode::from(3);
    };
    let mut sources = SourceMap::new();
    let file = sources.add_file(name, text, None);
    let loaded = front::load(&mut sources, file, &options, &disk);
    for finding in &loaded.diagnostics {
        if quiet && finding.severity < Severity::Error {
            continue;
        }
        let (line, column) = sources.line_column(finding.primary.span);
        let at = sources.name(sources.place(finding.primary.span).file);
        let grade = if finding.severity == Severity::Error { "error" } else { "warning" };
        println!("{at}:{line}:{column}: {grade}[{}]: {} ({})", finding.code, finding.message, finding.primary.text);
    }
    match loaded.program {
        Some(program) => {
            if !quiet {
                for info in &program.statements {
                    println!(
                        "{:4} {:12} {}",
                        sources.line_column(info.span).0,
                        program.procs[info.proc.0 as usize].name,
                        info.text
                    );
                }
            }
            ExitCode::SUCCESS
        }
        None => ExitCode::from(4),
    }
}
