//! Processor time of a command, as the shell measures it, and of this program, as Linux counts it.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// What a command printed and took.
#[derive(Clone, Debug)]
pub struct Timed {
    /// Standard output.
    pub stdout: String,
    /// Wall-clock seconds.
    pub wall: f64,
    /// User and system seconds.
    pub cpu: f64,
    /// The exit code.
    pub code: Option<i32>,
}

/// Runs a command in a folder; words are passed on as they are.
///
/// # Errors
/// If the shell cannot be started.
pub fn run(folder: &Path, words: &[String]) -> Result<Timed, String> {
    run_within(folder, words, None)
}

/// As [`run`], and ends the command after these seconds of processor time.
///
/// # Errors
/// If the shell cannot be started.
pub fn run_within(folder: &Path, words: &[String], limit: Option<u64>) -> Result<Timed, String> {
    let started = Instant::now();
    // The shell's own report goes to the end of standard error.
    let output = Command::new("bash")
        .args(["-c", "ulimit -t \"$0\"; TIMEFORMAT='%U %S'; time \"$@\""])
        .arg(limit.map_or_else(|| "unlimited".to_owned(), |seconds| seconds.to_string()))
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("bash: {error}"))?;
    let wall = started.elapsed().as_secs_f64();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let last = stderr.lines().last().unwrap_or("");
    let cpu = last.split_whitespace().filter_map(|word| word.parse::<f64>().ok()).sum();
    Ok(Timed { stdout: String::from_utf8_lossy(&output.stdout).into_owned(), wall, cpu, code: output.status.code() })
}

/// The processor seconds of this program so far, user and system; none where the system does not tell.
#[must_use]
pub fn own() -> Option<f64> {
    counted(11)
}

/// The processor seconds of the commands that this program has run and waited for; none where the system does not tell.
#[must_use]
pub fn children() -> Option<f64> {
    counted(13)
}

/// The sum of two fields of Linux's account of this process, in seconds.
fn counted(first: usize) -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // After the name, which may have spaces, come single fields; times are the 12th to 15th, in hundredths.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some((ticks(first)? + ticks(first + 1)?) / 100.0)
}

/// The processor seconds of this thread so far, precisely; none where the system does not tell.
#[must_use]
pub fn own_thread() -> Option<f64> {
    // The count is brought up to date when the thread gives up its processor.
    std::thread::sleep(std::time::Duration::from_nanos(1));
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? * 1e-9)
}

/// Runs something and gives, beside its result, the processor seconds it took; wall-clock seconds where the system does
/// not tell those.
pub fn spent<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let (started, before) = (Instant::now(), own());
    let result = work();
    let wall = started.elapsed().as_secs_f64();
    // Hundredths are too coarse for what is quick.
    let seconds = before.zip(own()).map(|(before, after)| after - before).filter(|seconds| *seconds >= 0.2);
    (result, seconds.unwrap_or(wall))
}
