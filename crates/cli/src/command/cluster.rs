//! `lariat cluster`: several processes on this computer check a model together.
//!
//! Each process is `lariat check --hosts` with a number of its own. Process 0 prints the report. All processes hold a pipe
//! from this one, so that none outlives it; if one of them fails, the others end by themselves, and those that do not are
//! killed by their ids.

use super::check::SECRET;
use crate::arguments::{Cluster, Limits};
use crate::exit::{Exit, Failure};
use crate::memory;
use crate::output::{eprint, print};
use crate::signals::cancel_on_request;
use crate::terminal::Terminal;
use crate::thresholds::time::{CLUSTER_GRACE, LOST_GRACE, WATCHDOG_INTERVAL};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Instant;

/// Runs the command.
pub(crate) fn run(arguments: &Cluster, terminal: Terminal) -> Result<Exit, Failure> {
    let (check, processes, rest) = match arguments.parse() {
        Ok(parsed) => parsed,
        Err(error) => {
            let message = error.render();
            let message = if terminal.colours_messages { message.ansi().to_string() } else { message.to_string() };
            if error.use_stderr() {
                eprint(&message);
                return Ok(Exit::Usage);
            }
            print(&message);
            return Ok(Exit::Holds);
        }
    };
    if check.cluster.hosts.is_some() {
        return Err(Failure::usage("`lariat cluster` starts all processes itself: leave `--hosts` out"));
    }
    if check.model.model == "-" {
        return Err(Failure::usage("several processes cannot read one model from standard input: name a file"));
    }
    let hosts = HostFile::new(usize::from(processes))?;
    let secret: String = rand::random::<[u8; 32]>().iter().map(|byte| format!("{byte:02x}")).collect();
    let is_requested = Arc::new(AtomicBool::new(false));
    cancel_on_request(Arc::clone(&is_requested), || ());
    let memory = memory_limit(&check.limits, processes);
    let mut all = Processes { list: Vec::new() };
    for index in 0..processes {
        all.start(index, &hosts, &secret, memory, &rest)?;
    }
    all.wait(&is_requested);
    Ok(all.exit())
}

/// The limit of each process, if the command line has none: a share of what is free.
fn memory_limit(limits: &Limits, processes: u8) -> Option<u64> {
    let free = || memory::most_of_what_is_free().map(|free| free / u64::from(processes));
    if limits.memory_limit.is_some() { None } else { free() }
}

/// A file that lists free ports on this computer, removed at the end.
struct HostFile(PathBuf);

impl HostFile {
    fn new(processes: usize) -> Result<Self, Failure> {
        let cannot = |error: std::io::Error| Failure::usage(format!("cannot prepare the processes: {error}"));
        // All are held until the last one is found, so that they differ.
        let listeners: Result<Vec<_>, _> = (0..processes).map(|_| TcpListener::bind("127.0.0.1:0")).collect();
        let mut text = String::new();
        for listener in listeners.map_err(cannot)? {
            text.push_str(&format!("{}\n", listener.local_addr().map_err(cannot)?));
        }
        let name = format!("lariat-hosts-{}-{:08x}", std::process::id(), rand::random::<u32>());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).map_err(cannot)?;
        Ok(Self(path))
    }
}

impl Drop for HostFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A process of the cluster.
struct Process {
    child: Child,
    status: Option<ExitStatus>,
    /// What it says on standard error, if that is not shown at once.
    messages: Option<JoinHandle<String>>,
}

/// The processes that were started; those that run are killed at the end.
struct Processes {
    list: Vec<Process>,
}

impl Processes {
    fn start(
        &mut self,
        index: u8,
        hosts: &HostFile,
        secret: &str,
        memory: Option<u64>,
        rest: &[String],
    ) -> Result<(), Failure> {
        let cannot = |error: std::io::Error| Failure::usage(format!("cannot start process {index}: {error}"));
        let mut command = Command::new(std::env::current_exe().map_err(cannot)?);
        command
            .args(["check", "--no-pager", "--with-parent", "--wait", "60s", "--index"])
            .arg(index.to_string())
            .arg("--hosts")
            .arg(&hosts.0);
        if let Some(memory) = memory {
            command.arg("--memory-limit").arg(memory.to_string());
        }
        command.args(rest).env(SECRET, secret).stdin(Stdio::piped());
        if index > 0 {
            command.stdout(Stdio::null()).stderr(Stdio::piped());
        }
        let mut child = command.spawn().map_err(cannot)?;
        let messages = child.stderr.take().map(|mut stream| {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                let _ = stream.read_to_end(&mut bytes);
                String::from_utf8_lossy(&bytes).into_owned()
            })
        });
        self.list.push(Process { child, status: None, messages });
        Ok(())
    }

    /// Waits until all have ended. Once one has failed, or process 0 has ended, the others have a few seconds.
    fn wait(&mut self, is_requested: &AtomicBool) {
        let mut last = None;
        let mut is_told = false;
        while self.list.iter().any(|process| process.status.is_none()) {
            std::thread::sleep(WATCHDOG_INTERVAL / 5);
            if is_requested.load(Ordering::Relaxed) && !is_told {
                is_told = true;
                for process in &mut self.list {
                    let _ = process.child.stdin.as_mut().map(|pipe| pipe.write_all(b"!"));
                }
            }
            for process in self.list.iter_mut().filter(|process| process.status.is_none()) {
                process.status = process.child.try_wait().unwrap_or(None);
            }
            let has_failed =
                |process: &Process| process.status.is_some_and(|status| !matches!(status.code(), Some(0..=2)));
            let grace = match self.list.iter().any(has_failed) {
                true => Some(LOST_GRACE),
                false => self.list[0].status.map(|_| CLUSTER_GRACE),
            };
            if let Some(grace) = grace {
                // From the end of the first process on.
                if *last.get_or_insert_with(Instant::now) + grace <= Instant::now() {
                    for process in self.list.iter_mut().filter(|process| process.status.is_none()) {
                        let _ = process.child.kill();
                        process.status = process.child.wait().ok();
                    }
                    return;
                }
            }
        }
    }

    /// The exit code: that of process 0, unless it was lost.
    fn exit(mut self) -> Exit {
        let codes: Vec<_> = self.list.iter().map(|process| process.status.and_then(|status| status.code())).collect();
        let Some(exit) = codes[0].and_then(Exit::of_code) else {
            // Process 0 cannot say what happened; the others can.
            let messages = self.list.iter_mut().filter_map(|process| process.messages.take()?.join().ok());
            let message = messages.into_iter().find(|message| !message.is_empty());
            eprint(&message.unwrap_or_else(|| "error: process 0 has ended before the check was done\n".into()));
            return Exit::Bug;
        };
        exit
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        for process in self.list.iter_mut().filter(|process| process.status.is_none()) {
            let _ = process.child.kill();
            let _ = process.child.wait();
        }
    }
}
