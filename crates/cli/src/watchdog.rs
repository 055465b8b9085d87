//! The last resort of `--time-limit`, `--memory-limit` and Ctrl-C: ends the process if a stage does not notice in time
//! that a limit has passed.
//!
//! Every stage checks its [`Budget`], and the command then reports what it knows. A watchdog only steps in when that takes
//! longer than 10 % of the limit plus a fixed grace. It then reports what is known so far itself.

use crate::arguments::Limits;
use crate::exit::{Exit, Failure};
use crate::output::eprint;
use crate::pager;
use crate::signals::cancel_on_request;
use crate::thresholds::input::PROCESS_OVERHEAD;
use crate::thresholds::time::{WATCHDOG_GRACE, WATCHDOG_INTERVAL};
use kernel::budget::Budget;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A watchdog of one command.
pub(crate) struct Watchdog {
    is_over: Arc<AtomicBool>,
    is_finished: Cell<bool>,
}

impl Watchdog {
    /// Starts to watch a command with this budget. `report` reports what is known if the command must be ended.
    pub(crate) fn start(limits: &Limits, budget: &Budget, report: impl FnOnce() -> Exit + Send + 'static) -> Self {
        let switch = budget.cancel_switch();
        cancel_on_request(Arc::clone(&switch), || ());
        let is_over = Arc::new(AtomicBool::new(false));
        let (watched, limits, started) = (Arc::clone(&is_over), *limits, Instant::now());
        // Without a thread the stages still obey their budgets.
        let _ = std::thread::Builder::new().name("watchdog".into()).spawn(move || {
            let mut requested = None;
            let cause = loop {
                std::thread::sleep(WATCHDOG_INTERVAL);
                if watched.load(Ordering::Acquire) {
                    return;
                }
                let is_requested = switch.load(Ordering::Relaxed);
                if is_requested && requested.get_or_insert_with(Instant::now).elapsed() > grace() {
                    break "the command was interrupted; what is shown is incomplete";
                }
                if limits.time_limit.is_some_and(|limit| started.elapsed() > limit + limit / 10 + grace()) {
                    break "the time limit was reached; what is shown is incomplete";
                }
                if limits.memory_limit.is_some_and(|limit| resident() > limit + limit / 10 + PROCESS_OVERHEAD) {
                    break "the memory limit was reached; what is shown is incomplete";
                }
            };
            if !watched.swap(true, Ordering::AcqRel) {
                let exit = report();
                pager::release();
                eprint(&format!("error: {cause}\n"));
                // The command does not end by itself in time.
                std::process::exit(exit as i32);
            }
        });
        Self { is_over, is_finished: Cell::new(false) }
    }

    /// Starts to watch a command that has nothing to report until it is done.
    pub(crate) fn start_silent(limits: &Limits, budget: &Budget) -> Self {
        Self::start(limits, budget, || Exit::Unknown)
    }

    /// The command is done in time, and reports by itself. Does not return if the watchdog has begun to report.
    pub(crate) fn finish(&self) {
        if !self.is_finished.replace(true) && self.is_over.swap(true, Ordering::AcqRel) {
            loop {
                std::thread::park();
            }
        }
    }
}

/// The failure of a command that a limit or a request ended.
pub(crate) fn exhausted(limit: kernel::budget::Exhausted) -> Failure {
    Failure::new(Exit::Unknown, checker::report::Reason::Limit(limit).to_string())
}

/// The grace on this machine: longer where more processes want to run than there are processors, since each of them gets
/// only a share of the time.
fn grace() -> Duration {
    let average = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = average.split_whitespace().next().and_then(|load| load.parse::<f64>().ok()).unwrap_or(0.0);
    let processors = std::thread::available_parallelism().map_or(1.0, |count| count.get() as f64);
    WATCHDOG_GRACE.mul_f64((load / processors).clamp(1.0, 20.0))
}

/// The bytes of memory that the process occupies, where the system says so.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
