//! Attributes every moment of a check to exactly one stage, so that the stages add up to the wall-clock time.

use crate::report::{Seconds, Stage};
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// A clock that always runs for one stage.
pub(crate) struct Stopwatch {
    stage: Cell<Stage>,
    since: Cell<Instant>,
    seconds: RefCell<Seconds>,
}

impl Stopwatch {
    /// Starts in the stage [`Stage::Read`], with the time that reading the model took before.
    pub(crate) fn start(read: Duration) -> Self {
        let seconds = Seconds { read: read.as_secs_f64(), ..Seconds::default() };
        Self { stage: Cell::new(Stage::Read), since: Cell::new(Instant::now()), seconds: RefCell::new(seconds) }
    }

    /// Ends the current stage and begins another one; returns the one that ended.
    pub(crate) fn enter(&self, stage: Stage) -> Stage {
        let now = Instant::now();
        let spent = now - self.since.replace(now);
        let before = self.stage.replace(stage);
        *self.seconds.borrow_mut().of(before) += spent.as_secs_f64();
        before
    }

    /// Does some work as part of a stage, and returns to the stage before.
    pub(crate) fn during<T>(&self, stage: Stage, work: impl FnOnce() -> T) -> T {
        let before = self.enter(stage);
        let result = work();
        self.enter(before);
        result
    }

    /// Attributes a part of the time that the current stage took to another one.
    pub(crate) fn transfer(&self, to: Stage, time: Duration) {
        let from = self.enter(self.stage.get());
        let mut seconds = self.seconds.borrow_mut();
        let time = time.as_secs_f64().min(*seconds.of(from));
        *seconds.of(from) -= time;
        *seconds.of(to) += time;
    }

    /// The times so far.
    pub(crate) fn seconds(&self) -> Seconds {
        self.enter(self.stage.get());
        *self.seconds.borrow()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stages_add_up() {
        let around = Instant::now();
        let watch = Stopwatch::start(Duration::from_secs(1));
        let within = Instant::now();
        watch.during(Stage::Search, || std::thread::sleep(Duration::from_millis(5)));
        watch.enter(Stage::Validate);
        std::thread::sleep(Duration::from_millis(5));
        let least = within.elapsed().as_secs_f64();
        let seconds = watch.seconds();
        let most = around.elapsed().as_secs_f64();
        assert!(seconds.search >= 0.005 && seconds.validate >= 0.005);
        // Sums of parts are rounded.
        let total = seconds.total() - 1.0;
        assert!(least - 1e-6 <= total && total <= most + 1e-6, "{least} {total} {most}");
    }
}
