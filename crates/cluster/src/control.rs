//! Heartbeats, and the end of a run when a process is lost.
//!
//! *What.* Process 0 has a connection with every other process. Each side sends a byte every [`BEAT`]. A side that hears
//! nothing for [`SILENCE`], or whose connection ends before the other said that it is done, ends the run: it tells the others
//! why, and the front end ends the process. Timely itself notices neither a process that was stopped nor a cable that was
//! pulled.
//!
//! Threads of their own send and receive, so that a process that computes does not look dead.
//!
//! *Tested by* processes that are killed and stopped, in the tests of the tool and in `benches/src/bin/cluster.rs`.

use crate::place::{Failure, Front, Hosts};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The time between two heartbeats.
const BEAT: Duration = Duration::from_secs(1);
/// A process that says nothing for so long is lost.
pub(crate) const SILENCE: Duration = Duration::from_secs(5);
/// How long a process that is done waits for the others.
const FAREWELL: Duration = Duration::from_secs(5);
/// The most bytes of a reason.
const LONGEST: usize = 4096;

/// What travels.
const BEATING: u8 = 0;
const ABORTED: u8 = 1;
const DONE: u8 = 2;

/// A process with which this one exchanges heartbeats.
struct Peer {
    index: usize,
    stream: TcpStream,
    is_done: bool,
}

/// The connections for heartbeats of this process.
#[derive(Clone)]
pub(crate) struct Control {
    pub(crate) front: Arc<dyn Front>,
    shared: Arc<Shared>,
}

struct Shared {
    hosts: Hosts,
    index: usize,
    peers: Mutex<Vec<Peer>>,
    changed: Condvar,
    /// True if the run has failed, or has succeeded.
    is_over: AtomicBool,
}

impl Shared {
    fn peers(&self) -> MutexGuard<'_, Vec<Peer>> {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a message to all peers; a peer that cannot be reached is noticed by whoever listens to it.
    fn tell(&self, message: &[u8]) {
        for peer in self.peers().iter_mut() {
            let _ = peer.stream.write_all(message);
        }
    }
}

impl Control {
    /// No connections yet; sends heartbeats from now on.
    pub(crate) fn new(hosts: &Hosts, index: usize, front: Arc<dyn Front>) -> Self {
        let shared = Arc::new(Shared {
            hosts: hosts.clone(),
            index,
            peers: Mutex::new(Vec::new()),
            changed: Condvar::new(),
            is_over: AtomicBool::new(false),
        });
        let beating = Arc::downgrade(&shared);
        spawn(move || {
            while let Some(shared) = beating.upgrade() {
                shared.tell(&[BEATING]);
                drop(shared);
                std::thread::sleep(BEAT);
            }
        });
        Self { front, shared }
    }

    /// Whether there is a connection with this process.
    pub(crate) fn knows(&self, index: usize) -> bool {
        self.shared.peers().iter().any(|peer| peer.index == index)
    }

    /// Adds a connection, and listens to it from now on.
    pub(crate) fn add(&self, index: usize, stream: TcpStream) {
        let reader = stream.try_clone().and_then(|reader| {
            reader.set_read_timeout(Some(SILENCE))?;
            // Whoever does not read is not waited for.
            reader.set_write_timeout(Some(BEAT))?;
            Ok(reader)
        });
        self.shared.peers().push(Peer { index, stream, is_done: false });
        let control = self.clone();
        spawn(move || control.listen(index, reader));
    }

    fn listen(&self, index: usize, reader: io::Result<TcpStream>) {
        let name = self.shared.hosts.name(index);
        match reader.and_then(|mut reader| heard(&mut reader)) {
            Ok(None) => {
                self.shared.peers().iter_mut().filter(|peer| peer.index == index).for_each(|peer| peer.is_done = true);
                self.shared.changed.notify_all();
            }
            Ok(Some(reason)) => self.end(&Failure::Lost(reason)),
            Err(error) => self.end(&Failure::Lost(match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                    format!("{name} has not answered for {} s", SILENCE.as_secs())
                }
                _ => format!("{name} has ended before the check was done"),
            })),
        }
    }

    /// Ends the run, unless it is over already.
    pub(crate) fn end(&self, failure: &Failure) {
        if !self.shared.is_over.swap(true, Ordering::AcqRel) {
            self.abort(&failure.to_string());
            self.front.fail(failure);
        }
    }

    /// Tells the others why the run ends. They answer with the same reason, which this process then ignores.
    pub(crate) fn abort(&self, reason: &str) {
        self.shared.is_over.store(true, Ordering::Release);
        let reason = &reason.as_bytes()[..reason.len().min(LONGEST)];
        let length = u32::try_from(reason.len()).unwrap_or(0).to_le_bytes();
        self.shared.tell(&[&[ABORTED], &length[..], reason].concat());
    }

    /// The name of this process.
    pub(crate) fn own_name(&self) -> String {
        self.shared.hosts.name(self.shared.index)
    }

    /// This process is done: says so, and waits until the others are.
    pub(crate) fn finish(&self) {
        self.shared.tell(&[DONE]);
        let peers = self.shared.peers();
        let waits = |peers: &mut Vec<Peer>| peers.iter().any(|peer| !peer.is_done);
        let waited = self.shared.changed.wait_timeout_while(peers, FAREWELL, waits);
        drop(waited);
        self.shared.is_over.store(true, Ordering::Release);
    }
}

fn spawn(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().name("heartbeat".into());
    thread.spawn(work).expect("a process can start a thread");
}

/// Listens to a process: nothing once it is done, or the reason for which it ends the run.
fn heard(reader: &mut TcpStream) -> io::Result<Option<String>> {
    loop {
        let mut kind = [0];
        reader.read_exact(&mut kind)?;
        match kind[0] {
            BEATING => {}
            DONE => return Ok(None),
            _ => {
                let mut length = [0; 4];
                reader.read_exact(&mut length)?;
                let length = (u32::from_le_bytes(length) as usize).min(LONGEST);
                let mut reason = vec![0; length];
                reader.read_exact(&mut reason)?;
                return Ok(Some(String::from_utf8_lossy(&reason).into_owned()));
            }
        }
    }
}
