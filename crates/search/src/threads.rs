//! The threads of a search.

use crate::thresholds::explore::LEAST_TURN;
use kernel::budget::Budget;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::cell::OnceCell;

/// How the work is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    /// How many threads there are.
    pub count: usize,
    /// Breadth first: the most states that a thread takes at a time.
    pub piece: u32,
    /// Breadth first: a level is shared with a thread only if there are this many states for each.
    pub least_share: usize,
    /// The work, in expansions and transitions, that a search does on one thread before the others begin.
    pub head_start: u64,
}

impl Threads {
    /// This many threads; pieces that prefetching makes use of, and shares that are worth starting a thread for.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self { count: count.max(1), piece: 64, least_share: 512, head_start: 1 << 20 }
    }

    /// True if what is left of the budget is worth a search that begins anew with all threads.
    pub(crate) fn are_worth_while(self, budget: &Budget) -> bool {
        budget.effort_left().is_none_or(|left| left > self.head_start.saturating_mul(LEAST_TURN))
    }

    /// How many threads are worth while for this many states.
    pub(crate) fn active(self, states: usize) -> usize {
        (states / self.least_share.max(1)).clamp(1, self.count)
    }
}

/// Lets each worker work on a thread of its own, the first one on the present thread. All have ended when this returns, or
/// continues the panic of one of them.
pub(crate) fn each<W: Send, R: Send>(workers: &mut [W], work: impl Fn(&mut W) -> R + Sync) -> Vec<R> {
    let Some((first, others)) = workers.split_first_mut() else { return Vec::new() };
    let work = &work;
    std::thread::scope(|scope| {
        let others: Vec<_> = others.iter_mut().map(|worker| scope.spawn(move || work(worker))).collect();
        let own = work(first);
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        std::iter::once(own).chain(others.into_iter().map(join)).collect()
    })
}

/// Threads that stand by between the rounds of a search: to wake one takes a fraction of the time for starting it.
///
/// If the system refuses threads, or gives fewer, workers work one after the other. So this is not for workers that wait for each other.
pub(crate) struct Standby {
    count: usize,
    pool: OnceCell<Option<ThreadPool>>,
}

impl Standby {
    /// So many, the present one included; the others are started when they are first needed.
    pub(crate) fn new(count: usize) -> Self {
        Self { count, pool: OnceCell::new() }
    }

    /// Lets each worker work, the first one on the present thread, which does something else before. All have ended when this returns, or
    /// continues the panic of one of them.
    pub(crate) fn each_after<W: Send, R: Send>(
        &self,
        before: impl FnOnce(),
        workers: &mut [W],
        work: impl Fn(&mut W) -> R + Sync,
    ) -> Vec<R> {
        let pool = || ThreadPoolBuilder::new().num_threads(self.count.saturating_sub(1).max(1)).build().ok();
        let Some(pool) = (if workers.len() > 1 { self.pool.get_or_init(pool).as_ref() } else { None }) else {
            before();
            return workers.iter_mut().map(work).collect();
        };
        let work = &work;
        let mut results: Vec<Option<R>> = workers.iter().map(|_| None).collect();
        pool.in_place_scope(|scope| {
            let mut pairs = workers.iter_mut().zip(&mut results);
            let first = pairs.next();
            for (worker, result) in pairs {
                scope.spawn(move |_| *result = Some(work(worker)));
            }
            before();
            if let Some((worker, result)) = first {
                *result = Some(work(worker));
            }
        });
        results.into_iter().flatten().collect()
    }
}
