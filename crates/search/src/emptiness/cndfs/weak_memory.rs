//! Workers under loom, which tries every order of their accesses and every value that a load may see.
//!
//! Loom does not reorder a load with a later store, so it does not tell acquire from relaxed here; the module's text argues
//! the orderings. What it does find: rules that rely on seeing a colour at once.

use super::walk::{ACCEPTING, Pass, RED, Step, Walk, World};
use crate::accepting::Component;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How the rules are broken.
#[derive(Clone, Copy, PartialEq)]
enum Mutant {
    None,
    /// Nobody waits for accepting states that others have not finished.
    NoWait,
    /// An inner search paints states red when it enters them.
    RedOnEntry,
}

/// States with their successors, in the order of each worker; and which states are accepting.
type Graph = (&'static [[&'static [usize]; 2]], &'static [usize]);

/// An accepting cycle 1, 3, 2 that no outer search closes if 2 is left before 3 is entered; and a second accepting state, 4,
/// from which an inner search meets the cycle.
const CYCLE: Graph = (&[[&[1, 4], &[4, 1]], [&[2, 3]; 2], [&[1]; 2], [&[2]; 2], [&[2]; 2]], &[3, 4]);
/// The same without a way back from 2: two accepting states, one of which the other one's inner search may meet.
const NO_CYCLE: Graph = (&[[&[1, 3], &[3, 1]], [&[2]; 2], [&[]; 2], [&[1]; 2]], &[1, 3]);

struct Board {
    graph: Graph,
    colours: Vec<AtomicU8>,
    is_found: AtomicBool,
    mutant: Mutant,
}

struct View {
    board: Arc<Board>,
    place: usize,
}

impl World for View {
    type State = usize;
    type Pause = Infallible;

    fn successors(&mut self, state: usize, pass: Pass, into: &mut Vec<usize>) -> Result<(), Infallible> {
        if self.board.mutant == Mutant::RedOnEntry && pass == Pass::Red {
            self.paint(state, RED);
        }
        into.extend(self.board.graph.0[state][self.place]);
        Ok(())
    }

    fn colours(&self, state: usize) -> u8 {
        self.board.colours[state].load(Ordering::Acquire)
    }

    fn is_finished(&self, state: usize) -> bool {
        self.board.mutant == Mutant::NoWait || self.colours(state) & RED != 0
    }

    fn paint(&self, state: usize, colours: u8) {
        self.board.colours[state].fetch_or(colours, Ordering::Release);
    }

    fn component(&self, _state: usize) -> Component {
        Component::WHOLE
    }

    fn reserve(&mut self, _bytes: u64) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Searches as one of two workers; true if it finds a cycle.
fn work(board: &Arc<Board>, place: usize) -> bool {
    let mut view = View { board: Arc::clone(board), place };
    let mut walk = Walk::new(0);
    loop {
        let Ok(step) = walk.step(&mut view);
        match step {
            Step::Moved => {}
            Step::Waiting => {
                if board.is_found.load(Ordering::Relaxed) {
                    return false;
                }
                loom::thread::yield_now();
            }
            Step::Closed(_) => {
                board.is_found.store(true, Ordering::Relaxed);
                return true;
            }
            Step::Done => return false,
        }
    }
}

fn explore(graph: Graph, mutant: Mutant, expected: bool) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(move || {
        let colour = |state| AtomicU8::new(if graph.1.contains(&state) { ACCEPTING } else { 0 });
        let colours = (0..graph.0.len()).map(colour).collect();
        let board = Arc::new(Board { graph, colours, is_found: AtomicBool::new(false), mutant });
        let other = {
            let board = Arc::clone(&board);
            loom::thread::spawn(move || work(&board, 1))
        };
        let own = work(&board, 0);
        let other = other.join().unwrap();
        assert_eq!(own || other, expected);
    });
}

#[test]
fn two_workers_find_the_cycle_and_nothing_else() {
    explore(CYCLE, Mutant::None, true);
    explore(NO_CYCLE, Mutant::None, false);
}

#[test]
fn broken_rules_are_found() {
    for mutant in [Mutant::NoWait, Mutant::RedOnEntry] {
        let result = catch_unwind(AssertUnwindSafe(|| explore(CYCLE, mutant, true)));
        assert!(result.is_err(), "a broken rule passes");
    }
}
