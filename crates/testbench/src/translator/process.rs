//! One run of an external command, within limits of time and memory.
//!
//! What: [`Workplace::run`] gives a line to the shell, in a process group of its own, with standard input closed and both
//! outputs in files, and waits. When the time is over, the whole group is killed.
//!
//! Contract: returns soon after the time limit, whatever the command does. The memory limit bounds the address space of each
//! process (`ulimit -v`), and what a run may write is bounded as well. The temporary folder of a run is removed after it.
//!
//! Whether a failed run ran out of memory is a judgement, since the system does not say so: it did if its address space was
//! last seen above nine tenths of the limit, or if its messages speak of memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The most bytes of output that are looked at.
pub(super) const MAX_OUTPUT: u64 = 64 << 20;

/// The most bytes of messages that are kept.
const MAX_MESSAGES: u64 = 600;

/// Limits of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Duration,
    /// Bytes of address space of each process; none means no limit.
    pub memory: Option<u64>,
}

impl Default for Limits {
    /// Ten seconds and 2 GB.
    fn default() -> Self {
        Limits { time: Duration::from_secs(10), memory: Some(2 << 30) }
    }
}

/// Where external translators run.
#[derive(Debug)]
pub struct Workplace {
    folder: Option<TempDir>,
    limits: Limits,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Code(i32),
    Signal(i32),
    TimeOut,
}

/// A run that is over.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) end: End,
    pub(super) seconds: f64,
    /// The beginning of what it said, if it failed, on one line.
    pub(super) messages: String,
    pub(super) ran_out_of_memory: bool,
}

impl Workplace {
    /// A folder for temporary files, in which everything is removed at the end.
    ///
    /// # Errors
    /// Where the folder cannot be made.
    pub fn new(limits: Limits) -> io::Result<Self> {
        Ok(Workplace { folder: Some(tempfile::Builder::new().prefix("lariat-testbench-").tempdir()?), limits })
    }

    /// For built-in translators only: nothing is written anywhere.
    #[must_use]
    pub fn without_folder() -> Self {
        Workplace { folder: None, limits: Limits::default() }
    }

    /// A folder for one run.
    pub(super) fn folder(&self) -> io::Result<TempDir> {
        match &self.folder {
            Some(folder) => tempfile::tempdir_in(folder.path()),
            None => tempfile::tempdir(),
        }
    }

    /// Runs a line; standard output goes to the file `stdout` of the folder.
    pub(super) fn run(&self, line: &str, folder: &Path) -> io::Result<Run> {
        let mut limited = format!("ulimit -f {}; ulimit -c 0; ", MAX_OUTPUT / 512 + 1);
        if let Some(bytes) = self.limits.memory {
            limited.push_str(&format!("ulimit -v {}; ", bytes.div_ceil(1024)));
        }
        limited.push_str(line);
        let mut command = Command::new("sh");
        command.arg("-c").arg(limited).stdin(Stdio::null());
        command.stdout(File::create(folder.join("stdout"))?).stderr(File::create(folder.join("stderr"))?);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let start = Instant::now();
        let child = command.spawn()?;
        let (end, largest) = self.wait(child, start)?;
        let seconds = start.elapsed().as_secs_f64();
        let messages = match end {
            End::Code(0) => String::new(),
            // Some tools complain where the automaton should be.
            _ => ["stderr", "stdout", "output"]
                .iter()
                .map(|name| beginning(&folder.join(name)))
                .find(|text| !text.is_empty())
                .unwrap_or_default(),
        };
        let limit = self.limits.memory.unwrap_or(u64::MAX);
        let ran_out_of_memory = end != End::Code(0)
            && self.limits.memory.is_some()
            && (largest > limit / 10 * 9 || speaks_of_memory(&messages));
        Ok(Run { end, seconds, messages, ran_out_of_memory })
    }

    /// Waits, more patiently the longer it takes; also gives the largest address space seen.
    fn wait(&self, mut child: Child, start: Instant) -> io::Result<(End, u64)> {
        let mut pause = Duration::from_micros(100);
        let mut largest = 0;
        loop {
            if let Some(status) = child.try_wait()? {
                #[cfg(unix)]
                if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
                    return Ok((End::Signal(signal), largest));
                }
                return Ok((End::Code(status.code().unwrap_or(-1)), largest));
            }
            let left = self.limits.time.saturating_sub(start.elapsed());
            if left.is_zero() {
                kill_group(&mut child);
                child.wait()?;
                return Ok((End::TimeOut, largest));
            }
            // Short runs are left alone: looking costs more than they do.
            if pause > Duration::from_millis(2) {
                largest = largest.max(address_space(child.id()));
            }
            std::thread::sleep(pause.min(left));
            pause = (pause * 5 / 4).min(Duration::from_millis(10));
        }
    }
}

/// The first words of a file, on one line.
fn beginning(path: &Path) -> String {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_MESSAGES).read_to_end(&mut bytes));
    let text = String::from_utf8_lossy(&bytes);
    if read.is_ok() { text.split_whitespace().collect::<Vec<_>>().join(" ") } else { String::new() }
}

/// Kills a child, which has not been waited for, with everything it started.
fn kill_group(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(child.id()) {
        let _ = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(id), nix::sys::signal::Signal::SIGKILL);
    }
    let _ = child.kill();
}

/// The largest address space of a process and its children, where the system tells.
fn address_space(id: u32) -> u64 {
    let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
    let own = id.to_string();
    let peak = |id: &str| {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmPeak:"))?;
        Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
    };
    children.split_whitespace().chain([own.as_str()]).filter_map(peak).max().unwrap_or(0)
}

fn speaks_of_memory(messages: &str) -> bool {
    let messages = messages.to_lowercase();
    ["out of memory", "memory allocation", "bad_alloc", "cannot allocate", "not enough memory", "memory exhausted"]
        .iter()
        .any(|words| messages.contains(words))
}
