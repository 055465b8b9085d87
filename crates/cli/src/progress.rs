//! A line on the terminal that shows how far a search is; or lines for other programs.

mod lines;

use crate::view::number;
use checker::report::{Count, Stage, Statistics};
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use kernel::escape::escaped;
use lines::Lines;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Shows on standard error how far a search is, if that is a terminal or lines are wanted.
#[derive(Clone)]
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    lines: Option<Arc<Lines>>,
    /// When a limit of time ends the check.
    deadline: Option<Instant>,
}

impl Progress {
    /// Starts, on a terminal; with an interval, writes lines about this model instead.
    pub(crate) fn new(
        is_terminal: bool,
        model: &str,
        interval: Option<Duration>,
        time_limit: Option<Duration>,
    ) -> Self {
        let lines = interval.map(|interval| Arc::new(Lines::new(model.into(), interval)));
        let bar = (is_terminal && lines.is_none()).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
            let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
            let bar = bar.with_style(style.unwrap_or(ProgressStyle::default_spinner()));
            bar.enable_steady_tick(std::time::Duration::from_millis(200));
            bar
        });
        let deadline = time_limit.and_then(|limit| Instant::now().checked_add(limit));
        Self { bar, lines, deadline }
    }

    /// Wipes the line while something else is printed.
    pub(crate) fn pause(&self, print: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Wipes the line, or writes no more lines.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if let Some(lines) = &self.lines {
            lines.finish();
        }
    }

    /// A stage begins, for the property with this name or for the model as a whole.
    pub(crate) fn stage(&self, stage: Stage, property: Option<&str>) {
        if let Some(lines) = &self.lines {
            lines.stage(stage, property);
        }
        let Some(bar) = &self.bar else { return };
        let what = match stage {
            Stage::Read => "reading",
            Stage::Translate => "translating",
            Stage::Refine => "refining",
            Stage::Search => "searching",
            Stage::Shorten => "shortening",
            Stage::Validate => "validating",
        };
        let shown = property.map_or_else(|| what.into(), |property| format!("{what} for {property}"));
        bar.set_message(escaped(&shown).into_owned());
    }

    /// A search has come this far, after this many seconds.
    pub(crate) fn searching(&self, statistics: &Statistics, seconds: f64) {
        if let Some(lines) = &self.lines {
            lines.searching(statistics);
        }
        let (Some(bar), Some(Count::Exact(states))) = (&self.bar, statistics.states) else { return };
        let states = u64::try_from(states).unwrap_or(u64::MAX);
        let rate = (states as f64 / seconds.max(1e-9)) as u64;
        let waiting = statistics.waiting.map_or_else(String::new, |some| format!(", {} waiting", number(some)));
        bar.set_message(format!(
            "{} states, {} a second{waiting}, depth {}, {} MB{}",
            number(states),
            number(rate),
            number(statistics.depth.unwrap_or(0)),
            number(statistics.peak_memory_bytes.unwrap_or(0) >> 20),
            self.left(statistics, rate),
        ));
    }

    /// How long the search may still take: an estimate where the search has one, and what a time limit allows.
    fn left(&self, statistics: &Statistics, rate: u64) -> String {
        let shown = |time: Duration| HumanDuration(Duration::from_secs(time.as_secs() + 1)).to_string();
        let about = statistics.left.map(|states| format!("about {}", shown(Duration::from_secs(states / rate.max(1)))));
        let most = self.deadline.map(|end| format!("at most {}", shown(end.saturating_duration_since(Instant::now()))));
        match about.into_iter().chain(most).collect::<Vec<_>>().join(", ") {
            words if words.is_empty() => words,
            words => format!("; {words} left"),
        }
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
            bar.set_message(escaped(what).into_owned());
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
