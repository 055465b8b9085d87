//! One run of an external command, within limits of time and memory.
//!
//! What: [`Workplace::run`] gives a line to the shell, in a process group of its own, with standard input closed and both
//! outputs in files, and waits. When the command has ended, or its time is over, or nobody waits for it any more, whatever is
//! left of the group is killed.
//!
//! Contract: returns soon after the time limit or the switch, whatever the command does, and leaves no process of its group
//! behind; one that leaves its group, as `setsid` does, is out of reach. Of what it wrote only regular files are opened. The memory limit bounds the address space of each process (`ulimit -v`), and what a run may write is bounded as
//! well. The temporary folder of a run is removed after it, that of all runs by [`Workplace::close`].
//!
//! Whether a failed run ran out of memory is a judgement, since the system does not say so: it did if its address space was
//! last seen above nine tenths of the limit, or if its messages speak of memory.

use crate::thresholds::translate::MAX_MESSAGES;
pub(super) use crate::thresholds::translate::MAX_OUTPUT;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::abandon::Switch;
use crate::oracle::equivalence::Effort;

/// Limits of one run of a translator, and of what is done with one formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Duration,
    /// Bytes of address space of each process; none means no limit.
    pub memory: Option<u64>,
    /// What the equivalence check of one formula may cost.
    pub effort: Effort,
}

impl Default for Limits {
    /// Ten seconds and 2 GB.
    fn default() -> Self {
        Limits { time: Duration::from_secs(10), memory: Some(2 << 30), effort: Effort::default() }
    }
}

/// Where external translators run, and a switch that stops them.
#[derive(Clone, Debug)]
pub struct Workplace {
    shop: Arc<Shop>,
    switch: Switch,
}

/// The state that all users of a workplace share.
#[derive(Debug)]
struct Shop {
    folder: Option<TempDir>,
    limits: Limits,
    /// Whether commands may start; whoever starts one holds it open meanwhile.
    is_open: RwLock<bool>,
    /// The process groups that run.
    groups: Mutex<BTreeSet<u32>>,
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
    /// The beginning of its error output on one line, if it failed.
    pub(super) messages: String,
    pub(super) ran_out_of_memory: bool,
    pub(super) wrote_too_much: bool,
}

impl Workplace {
    /// A folder for temporary files, in which everything is removed at the end.
    ///
    /// # Errors
    /// Where the folder cannot be made.
    pub fn new(limits: Limits) -> io::Result<Self> {
        Ok(Self::of(Some(tempfile::Builder::new().prefix("lariat-testbench-").tempdir()?), limits))
    }

    /// For built-in translators only: nothing is written anywhere.
    #[must_use]
    pub fn without_folder(limits: Limits) -> Self {
        Self::of(None, limits)
    }

    /// The limits of one run.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.shop.limits
    }

    fn of(folder: Option<TempDir>, limits: Limits) -> Self {
        let shop = Shop { folder, limits, is_open: RwLock::new(true), groups: Mutex::default() };
        Workplace { shop: Arc::new(shop), switch: Switch::default() }
    }

    /// The same place for someone who stops when the switch says so.
    #[must_use]
    pub fn until(&self, switch: &Switch) -> Self {
        Workplace { shop: Arc::clone(&self.shop), switch: Arc::clone(switch) }
    }

    /// Whether the switch says stop.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.switch.load(Ordering::Relaxed)
    }

    /// Kills all running commands and removes all files. Commands that are started later fail.
    pub fn close(&self) {
        *self.shop.is_open.write().unwrap_or_else(PoisonError::into_inner) = false;
        for group in self.groups().iter() {
            kill_group(*group);
        }
        // A killed process may have created a file in the meantime.
        for _ in 0..10 {
            match &self.shop.folder {
                Some(folder) if std::fs::remove_dir_all(folder.path()).is_err() && folder.path().exists() => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                _ => return,
            }
        }
    }

    fn groups(&self) -> std::sync::MutexGuard<'_, BTreeSet<u32>> {
        self.shop.groups.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A folder for one run.
    pub(super) fn folder(&self) -> io::Result<TempDir> {
        match &self.shop.folder {
            Some(folder) => tempfile::tempdir_in(folder.path()),
            None => tempfile::tempdir(),
        }
    }

    /// Runs a line; standard output goes to the file `stdout` of the folder. None if it was stopped by the switch.
    pub(super) fn run(&self, line: &str, folder: &Path) -> io::Result<Option<Run>> {
        let limit = self.shop.limits.memory;
        let mut limited = format!("ulimit -f {}; ulimit -c 0; ", MAX_OUTPUT / 512 + 1);
        if let Some(bytes) = limit {
            limited.push_str(&format!("ulimit -v {}; ", bytes.div_ceil(1024)));
        }
        limited.push_str(line);
        let mut command = Command::new("sh");
        command.arg("-c").arg(limited).stdin(Stdio::null());
        command.stdout(File::create(folder.join("stdout"))?).stderr(File::create(folder.join("stderr"))?);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let start = Instant::now();
        let Some(mut child) = self.start(&mut command)? else { return Ok(None) };
        let waited = self.wait(&mut child, start);
        kill_group(child.id());
        let _ = child.kill();
        self.groups().remove(&child.id());
        let status = child.wait();
        let Some((is_late, largest)) = waited? else { return Ok(None) };
        let end = if is_late { End::TimeOut } else { end_of(status?) };
        let seconds = start.elapsed().as_secs_f64();
        let names = ["stderr", "stdout", "output"].map(|name| folder.join(name));
        let failed = end != End::Code(0);
        // Some tools complain where the automaton should be.
        let mut said = names.iter().map(|path| beginning(path)).filter(|text| failed && !text.is_empty());
        let messages = said.next().unwrap_or_default();
        let speaks_of_memory = || names.iter().any(|path| speaks_of_memory(&(beginning(path) + &ending(path))));
        let ran_out_of_memory =
            failed && limit.is_some_and(|limit| largest > limit / 10 * 9 || (!is_late && speaks_of_memory()));
        let wrote_too_much = is_file_too_large(end)
            || names.iter().any(|path| std::fs::metadata(path).is_ok_and(|data| data.len() > MAX_OUTPUT));
        Ok(Some(Run { end, seconds, messages, ran_out_of_memory, wrote_too_much }))
    }

    /// Starts a command, unless the place is closed.
    fn start(&self, command: &mut Command) -> io::Result<Option<Child>> {
        let is_open = self.shop.is_open.read().unwrap_or_else(PoisonError::into_inner);
        if !*is_open {
            return Ok(None);
        }
        let child = command.spawn()?;
        self.groups().insert(child.id());
        Ok(Some(child))
    }

    /// Waits, more patiently the longer it takes, without reaping: until then the number of the group is no other's. Gives
    /// whether it is late, and the largest address space seen; none if it was stopped.
    fn wait(&self, child: &mut Child, start: Instant) -> io::Result<Option<(bool, u64)>> {
        let mut pause = Duration::from_micros(100);
        let mut largest = 0;
        loop {
            if has_ended(child)? {
                return Ok(Some((false, largest)));
            }
            if self.is_over() {
                return Ok(None);
            }
            let left = self.shop.limits.time.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Ok(Some((true, largest)));
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

/// Whether a child has ended; it stays a zombie.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> io::Result<bool> {
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
    let id = Id::Pid(nix::unistd::Pid::from_raw(child.id().cast_signed()));
    match waitid(id, WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT) {
        Ok(status) => Ok(status != WaitStatus::StillAlive),
        Err(nix::errno::Errno::EINTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Whether a child has ended.
#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> io::Result<bool> {
    Ok(child.try_wait()?.is_some())
}

fn end_of(status: ExitStatus) -> End {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return End::Signal(signal);
    }
    End::Code(status.code().unwrap_or(-1))
}

/// Whether a run ended because it wrote more than it may; the shell reports a signal of its child as 128 and more.
fn is_file_too_large(end: End) -> bool {
    #[cfg(unix)]
    {
        let signal = nix::sys::signal::Signal::SIGXFSZ as i32;
        end == End::Signal(signal) || end == End::Code(128 + signal)
    }
    #[cfg(not(unix))]
    {
        let _ = end;
        false
    }
}

/// Some bytes of a file as text on one line.
fn on_one_line(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Opens a file that a command may have put anything in place of: nothing but a regular file is opened, as a pipe or a device
/// might keep us waiting, or never end.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] where it is something else than a regular file.
pub(super) fn open_regular(path: &Path) -> io::Result<File> {
    let other = || io::Error::new(io::ErrorKind::InvalidInput, "not a regular file");
    // Opening a device may already do something.
    if !std::fs::metadata(path)?.is_file() {
        return Err(other());
    }
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, nix::libc::O_NONBLOCK);
    let file = options.open(path)?;
    // Something may have taken its place in between.
    if file.metadata()?.is_file() { Ok(file) } else { Err(other()) }
}

/// The first words of a file.
fn beginning(path: &Path) -> String {
    let mut bytes = Vec::new();
    let read = open_regular(path).and_then(|file| file.take(MAX_MESSAGES).read_to_end(&mut bytes));
    if read.is_ok() { on_one_line(&bytes) } else { String::new() }
}

/// The last line of a long output, where some languages name the exception.
fn ending(path: &Path) -> String {
    let mut bytes = Vec::new();
    let read = open_regular(path).and_then(|mut file| {
        let length = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(length.saturating_sub(MAX_MESSAGES)))?;
        file.take(MAX_MESSAGES).read_to_end(&mut bytes)
    });
    if read.is_ok() { on_one_line(&bytes) } else { String::new() }
}

/// Kills all processes of a group whose leader has not been reaped.
fn kill_group(id: u32) {
    #[cfg(unix)]
    {
        let group = nix::unistd::Pid::from_raw(id.cast_signed());
        let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = id;
}

/// The largest address space of a process and its descendants, where the system tells.
fn address_space(id: u32) -> u64 {
    let mut pending = vec![id.to_string()];
    let mut largest = 0;
    while let Some(id) = pending.pop() {
        let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        pending.extend(children.split_whitespace().map(String::from));
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmPeak:"));
        let kilobytes = peak.and_then(|text| text.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
        largest = largest.max(kilobytes.unwrap_or(0) * 1024);
    }
    largest
}

fn speaks_of_memory(messages: &str) -> bool {
    let messages = messages.to_lowercase();
    [
        "out of memory",
        "outofmemory",
        "memoryerror",
        "memory allocation",
        "bad_alloc",
        "cannot allocate",
        "can't allocate",
        "could not allocate",
        "failed to allocate",
        "allocation failed",
        "malloc failed",
        "not enough memory",
        "insufficient memory",
        "memory exhausted",
        "heap exhausted",
    ]
    .iter()
    .any(|words| messages.contains(words))
}
