//! What a worker does that cannot go on.
//!
//! When a process is lost, timely panics in the threads of all others, one after the other. These panics are a consequence
//! and no bug: the connection for heartbeats says who was lost. So panics are not shown at once. A worker that panicked
//! waits until the process is ended with that message; if nothing is wrong with the other processes, the panic is
//! shown, and ends the run.

use crate::control::{Control, SILENCE};
use crate::place::Failure;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

/// The panics so far, in words.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// From now on, panics are kept and not shown.
pub(crate) fn keep_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            let thread = std::thread::current();
            let words = format!("thread `{}`: {panic}", thread.name().unwrap_or("?"));
            PANICS.lock().unwrap_or_else(PoisonError::into_inner).push(words);
        }));
    });
}

/// The result of the work; does not return if the work panics.
pub(crate) fn guarded<T>(control: &Control, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        std::thread::sleep(SILENCE + Duration::from_secs(1));
        let panics = PANICS.lock().unwrap_or_else(PoisonError::into_inner).join("\n");
        control.end(&Failure::Lost(format!("{} cannot go on:\n{panics}", control.own_name())));
        // Another thread ends the process.
        loop {
            std::thread::park();
        }
    })
}
