//! Work in threads that can be abandoned: the caller waits no longer than it wants, even for work that does not notice.
//!
//! What: [`collect`] runs some work in threads of its own and hands what they send to the caller, until the work is done, the
//! caller has enough, or the caller's time is over. In the last two cases the threads are not waited for. They are told by a
//! switch, which stops external commands at once and other work where it next looks.
//!
//! Contract: returns within some [`TICK`]s after `is_over` says so, even if a thread is deep in a construction without
//! limits. A panic of a thread is passed on where the work was waited for.

pub use crate::thresholds::translate::TICK;
use crate::thresholds::translate::{STACK, WAITING_MESSAGES};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Tells threads that nobody waits for them any more.
pub type Switch = Arc<AtomicBool>;

/// How a collection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All work is done.
    Done,
    /// The caller had enough.
    Enough,
    /// The caller's time was over.
    Over,
}

/// Runs `work` in this many threads, and passes their results to `take`, until `take` breaks off or `is_over`.
///
/// ```
/// use std::ops::ControlFlow;
/// use testbench::abandon::{End, collect};
///
/// let mut sum = 0;
/// let end = collect(3, |_, sender| drop(sender.send(2)), || false, |number| {
///     sum += number;
///     ControlFlow::Continue(())
/// });
/// assert_eq!((end, sum), (End::Done, 6));
/// ```
///
/// # Panics
/// If a thread cannot start, or one panicked that was waited for.
pub fn collect<M: Send + 'static>(
    threads: usize,
    work: impl Fn(&Switch, SyncSender<M>) + Send + Sync + 'static,
    is_over: impl Fn() -> bool,
    mut take: impl FnMut(M) -> ControlFlow<()>,
) -> End {
    let switch = Switch::default();
    let (handles, receiver) = start(threads, work, &switch);
    let end = loop {
        if is_over() {
            break End::Over;
        }
        match receiver.recv_timeout(TICK) {
            Ok(message) => {
                if take(message).is_break() {
                    break End::Enough;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break End::Done,
        }
    };
    switch.store(true, Ordering::Relaxed);
    match end {
        End::Enough => {}
        End::Over => {
            // Results that were sent in time count.
            while let Ok(message) = receiver.try_recv() {
                if take(message).is_break() {
                    break;
                }
            }
        }
        End::Done => {
            for handle in handles {
                handle.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
        }
    }
    end
}

fn start<M: Send + 'static>(
    threads: usize,
    work: impl Fn(&Switch, SyncSender<M>) + Send + Sync + 'static,
    switch: &Switch,
) -> (Vec<JoinHandle<()>>, Receiver<M>) {
    let (sender, receiver) = sync_channel(WAITING_MESSAGES);
    let work = Arc::new(work);
    let spawn = |_| {
        let (work, switch, sender) = (Arc::clone(&work), Arc::clone(switch), sender.clone());
        let builder = std::thread::Builder::new().name("testbench".into()).stack_size(STACK);
        builder.spawn(move || work(&switch, sender)).expect("a thread starts")
    };
    ((0..threads.max(1)).map(spawn).collect(), receiver)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn what_never_ends_is_left_alone() {
        let work = |_: &Switch, sender: SyncSender<u8>| {
            sender.send(7).unwrap();
            loop {
                std::thread::park();
            }
        };
        let taken = RefCell::new(Vec::new());
        let is_over = || taken.borrow().len() == 2;
        let end = collect(2, work, is_over, |message| {
            taken.borrow_mut().push(message);
            ControlFlow::Continue(())
        });
        assert_eq!((end, taken.into_inner()), (End::Over, vec![7, 7]));
    }

    #[test]
    #[should_panic(expected = "our own bug")]
    fn a_panic_is_passed_on() {
        collect(1, |_, _: SyncSender<u8>| panic!("our own bug"), || false, |_| ControlFlow::Continue(()));
    }
}
