//! Ctrl-C, SIGTERM and SIGHUP: the first signal asks the command to report what it knows and to stop, the second ends the
//! process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a process that a signal ended is this and the number of the signal.
const ENDED: i32 = 128;
/// The number of the signal that Ctrl-C sends.
const INTERRUPT: i32 = 2;

/// Sets the switch when somebody presses Ctrl-C, or asks the process to end, or closes the terminal. The second time `leave` is
/// called, and the process ends.
pub(crate) fn cancel_on_request(switch: Arc<AtomicBool>, leave: impl Fn() + Send + 'static) {
    let requested = move |signal: i32| {
        if signal == INTERRUPT && crate::pager::is_open() {
            return;
        }
        if switch.swap(true, Ordering::Relaxed) {
            leave();
            #[expect(clippy::exit, reason = "it was asked for twice")]
            std::process::exit(ENDED + signal);
        }
    };
    // Without a handler the signal just ends the process, which is no worse than before.
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        use signal_hook::iterator::Signals;
        // A closed terminal is no request under `nohup`; the others are sent on purpose, even to a process in the background.
        let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| *signal != SIGHUP || !is_ignored(SIGHUP));
        if let Ok(mut signals) = Signals::new(wanted) {
            std::thread::spawn(move || signals.forever().for_each(&requested));
        }
    }
    #[cfg(not(unix))]
    let _ = ctrlc::set_handler(move || requested(INTERRUPT));
}

/// Whether the process was started with a signal ignored, as `nohup` does, where the system tells.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    ignored >> (signal - 1) & 1 == 1
}
