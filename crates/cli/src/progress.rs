//! A line on the terminal that tells how far a search is, and the key that ends it.

use crate::view::number;
use checker::observer::Observer;
use checker::report::{Count, Statistics};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use kernel::budget::Budget;

use std::sync::atomic::Ordering;

/// Shows how far a search is, if anybody looks.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Starts, on a terminal.
    pub(crate) fn new(is_shown: bool) -> Self {
        let bar = is_shown.then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
            bar.with_style(ProgressStyle::with_template("{spinner} {msg}").unwrap_or(ProgressStyle::default_spinner()))
        });
        Self { bar }
    }

    /// Wipes the line.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Observer for &Progress {
    fn progress(&mut self, statistics: &Statistics, seconds: f64) {
        let (Some(bar), Some(Count::Exact(states))) = (&self.bar, statistics.states) else { return };
        let states = u64::try_from(states).unwrap_or(u64::MAX);
        let rate = (states as f64 / seconds.max(1e-9)) as u64;
        bar.set_message(format!(
            "{} states, {} a second, depth {}, {} MB, {seconds:.0} s",
            number(states),
            number(rate),
            number(statistics.depth.unwrap_or(0)),
            number(statistics.peak_memory_bytes.unwrap_or(0) >> 20),
        ));
        bar.tick();
    }
}

/// A line that tells what is being done and for how long, if anybody looks.
pub(crate) struct Line {
    bar: Option<ProgressBar>,
}

impl Line {
    /// Starts, on a terminal.
    pub(crate) fn new(is_shown: bool) -> Self {
        let bar = is_shown.then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
            let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
            let bar = bar.with_style(style.unwrap_or(ProgressStyle::default_spinner()));
            bar.enable_steady_tick(std::time::Duration::from_millis(200));
            bar
        });
        Self { bar }
    }

    /// Shows what is being done.
    pub(crate) fn tell(&self, what: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(what.to_owned());
        }
    }

    /// Wipes the line.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A bar that tells how many steps are done, if anybody looks.
pub(crate) struct Steps {
    bar: Option<ProgressBar>,
}

impl Steps {
    /// Starts, on a terminal; without a number of steps it just counts them.
    pub(crate) fn new(is_shown: bool, count: Option<u64>) -> Self {
        let style = ProgressStyle::with_template(match count {
            Some(_) => "{wide_bar} {pos}/{len} formulas, {rate} a second, {eta} left{msg}",
            None => "{spinner} {pos} formulas, {rate} a second, {elapsed}{msg}",
        });
        let rate = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
            let _ = write!(text, "{:.0}", state.per_sec());
        };
        let style = style.map(|style| style.with_key("rate", rate));
        let bar = is_shown.then(|| {
            let bar = ProgressBar::with_draw_target(count, ProgressDrawTarget::stderr_with_hz(5));
            bar.with_style(style.unwrap_or(ProgressStyle::default_bar()))
        });
        Self { bar }
    }

    /// Shows numbers.
    pub(crate) fn tell(&self, done: u64, failed: u64) {
        if let Some(bar) = &self.bar {
            if failed > 0 {
                bar.set_message(format!(", {} failed", number(failed)));
            }
            bar.set_position(done);
        }
    }

    /// Wipes the bar.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Makes Ctrl-C end the search with a report of what was covered so far; a second one ends the
/// process at once.
pub(crate) fn cancel_on_interrupt(budget: &Budget) {
    let switch = budget.cancel_switch();
    // Without a handler the key just ends the process, which is no worse than before.
    let _ = ctrlc::set_handler(move || {
        if switch.swap(true, Ordering::Relaxed) {
            #[expect(clippy::exit, reason = "the user asked twice")]
            std::process::exit(130);
        }
    });
}
