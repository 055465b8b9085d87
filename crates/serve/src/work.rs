//! Computations: how many there are, how they report, and how they end.
//!
//! A computation runs in a thread of its own and reports in lines of JSON, which are the body of the answer. It is stopped
//! by its limits, by a request that names its number, and when its client is gone: nobody waits for lines any more.

use crate::{CHECKS, Options, UNREAD};
use axum::body::{Body, Bytes};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use kernel::budget::Budget;
use serde::Serialize;
use serde_json::json;
use std::collections::HashMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use tokio::runtime::Handle;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{Semaphore, mpsc};

/// Lines that wait for a slow reader; the computation waits beyond that, for a while.
const LINES: usize = 64;
/// The stack of a computation: trees of formulas and expressions can be deep.
const STACK: usize = 256 << 20;

/// All computations.
pub(crate) struct Work {
    places: Arc<Semaphore>,
    switches: Mutex<HashMap<u64, Arc<AtomicBool>>>,
    next: AtomicU64,
}

/// Where a computation reports.
pub(crate) struct Reporter {
    lines: mpsc::Sender<Bytes>,
    runtime: Handle,
    /// Ends the computation.
    switch: Arc<AtomicBool>,
}

impl Reporter {
    /// Sends a line. If nobody takes it in time, the computation is ended.
    pub(crate) fn tell(&self, value: &impl Serialize) {
        let is_taken = match self.lines.try_send(line(value)) {
            Ok(()) => true,
            Err(TrySendError::Closed(_)) => false,
            Err(TrySendError::Full(line)) => self.runtime.block_on(self.lines.send_timeout(line, UNREAD)).is_ok(),
        };
        if !is_taken {
            self.switch.store(true, Ordering::Relaxed);
        }
    }

    /// Sends a line that a slow reader can do without.
    pub(crate) fn mention(&self, value: &impl Serialize) {
        let _ = self.lines.try_send(line(value));
    }
}

fn line(value: &impl Serialize) -> Bytes {
    let mut line = serde_json::to_vec(value).unwrap_or_default();
    line.push(b'\n');
    line.into()
}

impl Work {
    pub(crate) fn new() -> Self {
        Self { places: Arc::new(Semaphore::new(CHECKS)), switches: Mutex::default(), next: AtomicU64::new(1) }
    }

    /// The number of computations under way.
    pub(crate) fn running(&self) -> usize {
        CHECKS - self.places.available_permits()
    }

    /// Stops the computation with this number, if it is under way.
    pub(crate) fn stop(&self, number: u64) -> bool {
        let switches = self.switches.lock().unwrap_or_else(PoisonError::into_inner);
        switches.get(&number).is_some_and(|switch| {
            switch.store(true, Ordering::Relaxed);
            true
        })
    }

    /// Stops all computations.
    pub(crate) fn stop_all(&self) {
        let switches = self.switches.lock().unwrap_or_else(PoisonError::into_inner);
        #[expect(clippy::iter_over_hash_type, reason = "all are stopped, in any order")]
        for switch in switches.values() {
            switch.store(true, Ordering::Relaxed);
        }
    }

    /// Starts a computation, whose lines are the answer. The first line is its number.
    pub(crate) fn start(
        self: &Arc<Self>,
        options: &Options,
        compute: impl FnOnce(&Budget, &Reporter) + Send + 'static,
    ) -> Response {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            let reason = "too many computations are under way; stop one, or wait for it";
            return (StatusCode::TOO_MANY_REQUESTS, reason).into_response();
        };
        let mut budget = Budget::unlimited().within(options.time_limit);
        budget.memory = Some(options.memory_limit);
        let (number, switch) = (self.next.fetch_add(1, Ordering::Relaxed), budget.cancel_switch());
        self.switches.lock().unwrap_or_else(PoisonError::into_inner).insert(number, Arc::clone(&switch));
        let (lines, received) = mpsc::channel(LINES);
        // Nobody waits any more when the body of the answer is gone.
        let watched = lines.clone();
        let reporter = Reporter { lines, runtime: Handle::current(), switch: Arc::clone(&switch) };
        let abandoned = tokio::spawn(async move {
            watched.closed().await;
            switch.store(true, Ordering::Relaxed);
        });
        let work = Arc::clone(self);
        let thread = std::thread::Builder::new().name("computation".into()).stack_size(STACK);
        let started = thread.spawn(move || {
            reporter.tell(&json!({ "number": number }));
            let run = std::panic::AssertUnwindSafe(|| compute(&budget, &reporter));
            if std::panic::catch_unwind(run).is_err() {
                reporter.tell(&json!({ "error": "this is a bug in Lariat, not in your model" }));
            }
            work.switches.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
            abandoned.abort();
            drop(place);
        });
        if started.is_err() {
            return (StatusCode::INTERNAL_SERVER_ERROR, "a thread cannot be started").into_response();
        }
        let headers = [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
        (headers, Body::new(Lines { received })).into_response()
    }
}

/// The body of an answer: lines as they come.
struct Lines {
    received: mpsc::Receiver<Bytes>,
}

impl hyper::body::Body for Lines {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<hyper::body::Frame<Bytes>, Infallible>>> {
        self.received.poll_recv(context).map(|line| line.map(|line| Ok(hyper::body::Frame::data(line))))
    }
}
