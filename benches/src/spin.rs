//! Running SPIN where it is installed.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::cpu;
use tempfile::TempDir;

/// Whether SPIN and a C compiler are there.
#[must_use]
pub fn installed() -> bool {
    let runs = |program: &str, flag: &str| {
        Command::new(program).arg(flag).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
    };
    runs("spin", "-V") && runs("gcc", "--version")
}

/// What one run of SPIN's verifier said and took.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// States stored.
    pub states: u64,
    /// Transitions.
    pub transitions: u64,
    /// Errors counted.
    pub errors: u64,
    /// Bytes in total, the hash table included.
    pub bytes: f64,
    /// Wall-clock seconds of generating, compiling and running the verifier.
    pub whole: f64,
    /// Processor seconds of the same.
    pub whole_cpu: f64,
    /// Processor seconds of the verifier alone.
    pub searching: f64,
    /// The search was not cut short by the depth limit or by memory.
    pub complete: bool,
    /// States met again.
    pub matched: u64,
    /// The trail it left last, if it found an error.
    pub trail: Option<Trail>,
}

/// The length of a trail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// As SPIN counts: moves of the model and of the claim.
    pub entries: u64,
    /// Moves of the model; a rendezvous is two.
    pub steps: u64,
    /// Whether it says where its loop begins, and has moves after that. Trails that `-i` cut short do not.
    pub is_lasso: bool,
}

/// Reads a trail. Process 0 is the claim where there is one.
fn trail(text: &str) -> Trail {
    let mut trail = Trail::default();
    let mut has_mark = false;
    for line in text.lines() {
        has_mark |= line.trim() == "-1:-1:-1";
        let numbers: Vec<i64> = line.split(':').filter_map(|word| word.parse().ok()).collect();
        if let [entry @ 1..=i64::MAX, process, _] = numbers[..] {
            trail.entries = trail.entries.max(entry.unsigned_abs());
            trail.steps += u64::from(process != 0);
            trail.is_lasso |= has_mark;
        }
    }
    trail
}

/// How to run it.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// Flags for `spin`, besides `-a`.
    pub spin: &'a [String],
    /// Flags for the compiler.
    pub compiler: &'a [&'a str],
    /// Flags for the verifier.
    pub verifier: &'a [&'a str],
}

/// A verifier that was generated and compiled, in a folder of its own.
#[derive(Debug)]
pub struct Verifier {
    folder: TempDir,
    name: String,
    /// Wall-clock seconds of generating and compiling.
    pub wall: f64,
    /// Processor seconds of generating and compiling.
    pub cpu: f64,
}

/// Generates, compiles and runs the verifier in a folder of its own.
///
/// # Errors
/// If a step fails, with what it printed.
pub fn verify(model: &Path, options: &Options<'_>) -> Result<Run, String> {
    build(model, options)?.search(options)
}

/// Generates and compiles the verifier.
///
/// # Errors
/// If a step fails, with what it printed.
pub fn build(model: &Path, options: &Options<'_>) -> Result<Verifier, String> {
    let work = tempfile::tempdir().map_err(|error| error.to_string())?;
    let folder = model.parent().ok_or("a file has a folder")?;
    let name = model.file_name().and_then(|name| name.to_str()).ok_or("a file has a name")?;
    // Includes are relative, and the verifier is written into the current folder.
    copy_files(folder, work.path()).map_err(|error| error.to_string())?;
    let mut generate = words(&["spin"], &[]);
    generate.extend(options.spin.iter().cloned());
    generate.extend(words(&["-a"], &[name]));
    let generated = cpu::run(work.path(), &generate)?;
    let compiled = cpu::run(work.path(), &words(&["gcc", "-w", "-o", "pan", "pan.c"], options.compiler))?;
    if compiled.code != Some(0) {
        return Err(format!("the verifier does not compile: {}", generated.stdout.lines().next().unwrap_or("")));
    }
    let name = name.to_string();
    Ok(Verifier { folder: work, name, wall: generated.wall + compiled.wall, cpu: generated.cpu + compiled.cpu })
}

impl Verifier {
    /// Runs the verifier.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn search(&self, options: &Options<'_>) -> Result<Run, String> {
        self.search_by(&["./pan"], options)
    }

    /// Runs the verifier for some seconds at most; what it had found by then counts.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn search_within(&self, seconds: &str, options: &Options<'_>) -> Result<Run, String> {
        self.search_by(&["timeout", seconds, "./pan"], options)
    }

    fn search_by(&self, command: &[&str], options: &Options<'_>) -> Result<Run, String> {
        let searched = cpu::run(self.folder.path(), &words(command, options.verifier))?;
        let (whole, whole_cpu) = (self.wall + searched.wall, self.cpu + searched.cpu);
        let left = std::fs::read_to_string(self.folder.path().join(format!("{}.trail", self.name))).ok();
        let trail = left.as_deref().map(trail);
        Ok(Run { whole, whole_cpu, searching: searched.cpu, trail, ..parse(&searched.stdout) })
    }
}

fn words(program: &[&str], flags: &[&str]) -> Vec<String> {
    program.iter().chain(flags).map(ToString::to_string).collect()
}

fn copy_files(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        if path.is_file() {
            std::fs::copy(&path, to.join(path.file_name().expect("a file has a name")))?;
        }
    }
    Ok(())
}

fn parse(output: &str) -> Run {
    let mut run = Run { complete: true, ..Run::default() };
    for line in output.lines() {
        let first = line.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts printed by the verifier")]
        let count = first.map_or(0, |number| number as u64);
        if line.contains("states, stored") {
            run.states = count;
        } else if line.contains("states, matched") {
            run.matched = count;
        } else if line.contains("transitions (=") {
            run.transitions = count;
        } else if line.contains("total actual memory usage") {
            run.bytes = first.unwrap_or(0.0) * 1024.0 * 1024.0;
        } else if let Some((_, errors)) = line.split_once("errors: ") {
            run.errors = errors.trim().parse().unwrap_or(0);
        } else if line.contains("max search depth too small") || line.contains("out of memory") {
            run.complete = false;
        }
    }
    run
}
