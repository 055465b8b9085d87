//! Running SPIN where it is installed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Whether SPIN and a C compiler are there.
#[must_use]
pub fn installed() -> bool {
    let runs = |program: &str, flag: &str| {
        Command::new(program).arg(flag).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
    };
    runs("spin", "-V") && runs("gcc", "--version")
}

/// What one run of SPIN's verifier said.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// States stored.
    pub states: u64,
    /// Transitions.
    pub transitions: u64,
    /// Errors counted.
    pub errors: u64,
    /// Megabytes in total.
    pub megabytes: f64,
    /// Wall-clock seconds for generating and compiling the verifier.
    pub building: f64,
    /// Wall-clock seconds of the verifier alone.
    pub searching: f64,
    /// CPU seconds of the verifier, as it says itself.
    pub elapsed: f64,
    /// The search was not cut short by the depth limit or by memory.
    pub complete: bool,
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

/// Generates, compiles and runs the verifier in a folder of its own.
///
/// # Errors
/// If a step fails, with what it printed.
pub fn verify(model: &Path, work: &Path, options: &Options<'_>) -> Result<Run, String> {
    let file = model.canonicalize().map_err(|error| format!("{}: {error}", model.display()))?;
    let started = Instant::now();
    // The generator reads includes relative to the current folder, so it runs beside the model.
    let parent = file.parent().expect("a file has a folder");
    let name = file.file_name().expect("a file has a name");
    let local = work.join("model");
    copy_folder(parent, &local).map_err(|error| error.to_string())?;
    run(Command::new("spin").args(options.spin).arg("-a").arg(name).current_dir(&local))?;
    run(Command::new("gcc").args(options.compiler).args(["-w", "-o", "pan", "pan.c"]).current_dir(&local))?;
    let building = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let output = run(Command::new("./pan").args(options.verifier).current_dir(&local))?;
    Ok(Run { building, searching: started.elapsed().as_secs_f64(), ..parse(&output) })
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        if path.is_file() {
            std::fs::copy(&path, to.join(path.file_name().expect("a file has a name")))?;
        }
    }
    Ok(())
}

fn run(command: &mut Command) -> Result<String, String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() { Ok(text) } else { Err(text + &String::from_utf8_lossy(&output.stderr)) }
}

fn parse(output: &str) -> Run {
    let mut run = Run { complete: true, ..Run::default() };
    for line in output.lines() {
        let first = line.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts printed by the verifier")]
        let count = first.map(|number| number as u64);
        if line.contains("states, stored") {
            run.states = count.unwrap_or(0);
        } else if line.contains("transitions (=") {
            run.transitions = count.unwrap_or(0);
        } else if line.contains("total actual memory usage") {
            run.megabytes = first.unwrap_or(0.0);
        } else if let Some((_, errors)) = line.split_once("errors: ") {
            run.errors = errors.trim().parse().unwrap_or(0);
        } else if let Some((_, rest)) = line.split_once("elapsed time ") {
            run.elapsed = rest.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0.0);
        } else if line.contains("max search depth too small") || line.contains("out of memory") {
            run.complete = false;
        }
    }
    run
}
