//! Work that is given up when its time is over, or its memory used up, however deep it is in a construction.
//!
//! What: [`within`] does some work for at most so long. Constructions and reductions ask at every step of their inner loops
//! whether somebody still waits; once the time is over that is the last thing they do. Managers of decision diagrams made by
//! `patience::manager` ask while they make nodes, and count these.
//!
//! Contract: the work ends within a small fraction of a second after its time, as long as its loops ask; it gives nothing then,
//! and what it had is dropped. Without [`within`] nobody is ever impatient, and asking costs a decrement. Nested calls have
//! the shortest of their times and the least of their memory. It leaves by unwinding, which the panic hook does not see:
//! values that the work changed and that outlive it must make sense at every point where it may ask. Formula pools do, as they
//! only grow, and managers do.
//!
//! Tested by: constructions that would take minutes (below, and `crates/cli/tests/testbench_limits.rs`).

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use bdd::Manager;
use kernel::budget::Exhausted;

/// How often one asks between two looks at the clock.
const EVERY: u32 = 16;

/// What a node of a decision diagram takes, with its share of the tables.
const BYTES_A_NODE: u64 = 48;

/// When somebody stops waiting, and how many bytes a manager may have.
#[derive(Clone, Copy)]
struct Bounds {
    deadline: Option<Instant>,
    memory: u64,
}

const NONE: Bounds = Bounds { deadline: None, memory: u64::MAX };

thread_local! {
    static BOUNDS: Cell<Bounds> = const { Cell::new(NONE) };
    static UNTIL_LOOK: Cell<u32> = const { Cell::new(0) };
}

/// What unwinds.
struct GivenUp(Exhausted);

/// Puts the bounds back that were there before.
struct Restore(Bounds);

impl Drop for Restore {
    fn drop(&mut self) {
        BOUNDS.set(self.0);
    }
}

/// Does the work, for at most so long and with at most so many bytes for decision diagrams.
///
/// ```
/// use std::time::Duration;
///
/// assert_eq!(omega::patience::within(Duration::from_secs(9), None, || 6 * 7), Ok(42));
/// ```
///
/// # Errors
/// What was used up before its end.
pub fn within<T>(time: Duration, memory: Option<u64>, work: impl FnOnce() -> T) -> Result<T, Exhausted> {
    let before = BOUNDS.get();
    let own = Instant::now().checked_add(time);
    let deadline = before.deadline.into_iter().chain(own).min();
    BOUNDS.set(Bounds { deadline, memory: before.memory.min(memory.unwrap_or(u64::MAX)) });
    UNTIL_LOOK.set(EVERY);
    let restore = Restore(before);
    // The contract above is what makes it safe to go on after unwinding.
    let panic = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => return Ok(result),
        Err(panic) => panic,
    };
    drop(restore);
    // Whoever called with less time is to be told, too.
    let is_late = before.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    match panic.downcast::<GivenUp>() {
        Ok(given_up) if !is_late => Err(given_up.0),
        Ok(given_up) => resume_unwind(given_up),
        Err(panic) => resume_unwind(panic),
    }
}

/// A manager that asks while it makes nodes.
pub(crate) fn manager() -> Manager {
    let manager = Manager::new();
    manager.set_watch(Some(Box::new(|live| {
        if live as u64 > BOUNDS.get().memory / BYTES_A_NODE {
            resume_unwind(Box::new(GivenUp(Exhausted::Memory)));
        }
        ask_now();
        true
    })));
    manager
}

/// Goes on, unless nobody waits any more.
#[inline]
pub(crate) fn ask() {
    UNTIL_LOOK.with(|left| match left.get() {
        0 => look(left),
        more => left.set(more - 1),
    });
}

/// As [`ask`], with a look at once: for steps that may be long.
pub(crate) fn ask_now() {
    UNTIL_LOOK.with(look);
}

#[cold]
fn look(left: &Cell<u32>) {
    left.set(EVERY);
    if BOUNDS.get().deadline.is_some_and(|deadline| Instant::now() >= deadline) {
        resume_unwind(Box::new(GivenUp(Exhausted::Time)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Formulas;
    use crate::parse::{Syntax, parse};
    use crate::pipeline::{Construction, Level, Options, translate};

    /// Strong fairness for so many processes: exponential for every construction.
    fn fairness(processes: usize) -> String {
        let one = |n: usize| format!("(G F a{n} -> G F b{n})");
        (0..processes).map(one).collect::<Vec<_>>().join(" & ")
    }

    #[test]
    fn every_construction_is_given_up() {
        for construction in [Construction::Couvreur, Construction::Go, Construction::Gpvw, Construction::Tight] {
            for (level, processes) in [(Level::Low, 9), (Level::High, 5)] {
                let mut formulas = Formulas::new();
                let formula = parse(&mut formulas, &fairness(processes), Syntax::Spot).unwrap();
                let options = Options { construction, level, limit: usize::MAX / 1_000_000, ..Options::default() };
                let start = Instant::now();
                let time = Duration::from_millis(100);
                let ended = within(time, None, || translate(&mut formulas, formula, &options).is_ok());
                assert!(ended == Err(Exhausted::Time) || start.elapsed() < time, "{construction:?} {level:?}");
                assert!(start.elapsed() < Duration::from_secs(20), "{construction:?} {level:?}: {:?}", start.elapsed());
            }
        }
    }

    #[test]
    fn the_shortest_time_counts_and_the_longer_one_comes_back() {
        let busy = || loop {
            ask();
        };
        let (short, long) = (Duration::from_millis(1), Duration::from_secs(3600));
        assert_eq!(within(long, None, || within(short, None, busy)), Ok(Err::<(), _>(Exhausted::Time)));
        assert_eq!(within(short, None, || within(long, None, busy)), Err::<Result<(), _>, _>(Exhausted::Time));
        assert!(BOUNDS.get().deadline.is_none());
    }

    #[test]
    fn memory_is_bounded() {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, &fairness(10), Syntax::Spot).unwrap();
        let options = Options { level: Level::Low, ..Options::default() };
        let ended = within(Duration::from_secs(3600), Some(1 << 20), || translate(&mut formulas, formula, &options));
        assert_eq!(ended.err(), Some(Exhausted::Memory));
    }

    #[test]
    #[should_panic(expected = "our own bug")]
    fn a_panic_is_passed_on() {
        let _ = within(Duration::from_secs(3600), None, || panic!("our own bug"));
    }
}
