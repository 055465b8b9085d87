//! How late a command ends after the moment at which a limit or a signal ended its work.
//!
//! On a busy machine, a process waits for a processor most of the time, so that the wall clock says more about the machine than
//! about the process. What counts is the smaller of two times after the moment: by the wall clock, and of the processor. On an
//! idle machine they are equal.

use std::time::Instant;

/// Ticks of the processor clock in one second, on every Linux system of today.
const TICKS: f64 = 100.0;

/// Observes a process from its start to its end.
#[derive(Debug)]
pub struct Lateness {
    started: Instant,
    process: u32,
    /// The moment, in seconds after the start.
    moment: f64,
    /// Processor seconds of the process at the moment.
    before: Option<f64>,
    /// Processor seconds of the process at the last observation.
    last: Option<f64>,
}

impl Lateness {
    /// Begins with the start of a process. Its work should end so many seconds later.
    #[must_use]
    pub fn new(process: u32, moment: f64) -> Self {
        Self { started: Instant::now(), process, moment, before: None, last: None }
    }

    /// Seconds since the start, by the wall clock.
    #[must_use]
    pub fn elapsed(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Notes the processor time so far. Call it every few milliseconds until the process has ended.
    pub fn observe(&mut self) {
        self.last = processor_seconds(self.process).or(self.last);
        if self.elapsed() >= self.moment && self.before.is_none() {
            self.before = self.last;
        }
    }

    /// How late the process is now, in seconds; zero before the moment.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.seconds_at(self.elapsed())
    }

    /// How late the process was so many seconds after its start.
    fn seconds_at(&self, elapsed: f64) -> f64 {
        let by_clock = (elapsed - self.moment).max(0.0);
        match (self.before, self.last) {
            (Some(before), Some(last)) => by_clock.min(last - before),
            _ => by_clock,
        }
    }
}

/// The processor seconds of a process with all its threads, where the system reports them.
fn processor_seconds(process: u32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, may contain blanks.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let ticks = fields.next()?.parse::<f64>().ok()? + fields.next()?.parse::<f64>().ok()?;
    Some(ticks / TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_before_the_moment_does_not_count() {
        let late = |before, last| Lateness { started: Instant::now(), process: 0, moment: 2.0, before, last };
        // A process that ran all the time, one that waited for a processor, and one whose processor time is unknown.
        assert_eq!(late(Some(2.0), Some(2.5)).seconds_at(2.5), 0.5);
        assert_eq!(late(Some(0.25), Some(0.5)).seconds_at(6.0), 0.25);
        assert_eq!(late(None, None).seconds_at(2.5), 0.5);
        assert_eq!(late(None, Some(1.0)).seconds_at(1.0), 0.0);
    }

    #[test]
    fn the_processor_time_at_the_moment_is_noted_once() {
        let mut late = Lateness::new(std::process::id(), 0.0);
        late.observe();
        let before = late.before;
        assert_eq!(before.is_some(), cfg!(target_os = "linux"));
        late.observe();
        assert_eq!(late.before, before);
        let mut early = Lateness::new(std::process::id(), 1e9);
        early.observe();
        assert_eq!((early.before, early.seconds()), (None, 0.0));
    }
}
