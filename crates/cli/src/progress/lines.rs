//! Progress for other programs: one JSON object on a line of standard error at intervals.
//!
//! A thread of its own writes the lines, so that they come also while a stage has nothing new to tell: a line then repeats
//! the numbers with a later time.

use crate::output::eprint;
use checker::report::{Stage, Statistics};
use serde::Serialize;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What a line says beside the time.
#[derive(Clone, Serialize)]
struct Latest {
    model: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    stage: Option<Stage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    property: Option<String>,
    #[serde(skip_serializing_if = "Statistics::is_empty")]
    statistics: Statistics,
}

/// A line.
#[derive(Serialize)]
struct Line {
    progress: Timed,
}

#[derive(Serialize)]
struct Timed {
    /// Since the check of the model began.
    seconds: f64,
    #[serde(flatten)]
    latest: Latest,
}

/// Writes lines until it is finished.
pub(super) struct Lines {
    latest: Arc<Mutex<Latest>>,
    writer: Mutex<Option<(Sender<()>, JoinHandle<()>)>>,
}

impl Lines {
    /// Starts to write a line after each interval.
    pub(super) fn new(model: String, interval: Duration) -> Self {
        let started = Instant::now();
        let latest = Latest { model, stage: None, property: None, statistics: Statistics::default() };
        let latest = Arc::new(Mutex::new(latest));
        let shared = Arc::clone(&latest);
        let (stop, stopped) = channel::<()>();
        let write = move || {
            while stopped.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                let latest = shared.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let seconds = started.elapsed().as_millis() as f64 / 1000.0;
                if let Ok(line) = serde_json::to_string(&Line { progress: Timed { seconds, latest } }) {
                    eprint(&format!("{line}\n"));
                }
            }
        };
        Self { latest, writer: Mutex::new(Some((stop, std::thread::spawn(write)))) }
    }

    /// A stage begins.
    pub(super) fn stage(&self, stage: Stage, property: Option<&str>) {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        (latest.stage, latest.property) = (Some(stage), property.map(Into::into));
        latest.statistics = Statistics::default();
    }

    /// A search has come this far.
    pub(super) fn searching(&self, statistics: &Statistics) {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        (latest.stage, latest.statistics) = (Some(Stage::Search), *statistics);
    }

    /// Writes no more lines.
    pub(super) fn finish(&self) {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((stop, thread)) = writer {
            drop(stop);
            let _ = thread.join();
        }
    }
}
