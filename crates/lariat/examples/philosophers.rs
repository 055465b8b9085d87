//! A model written in Rust: dining philosophers as a `System`, checked for deadlocks and for starvation.
//!
//! Run it with `cargo run --example philosophers -p lariat`. No lasso of the system with the automaton of a formula is shorter than those that it prints,
//! and each was walked a second time on the system.
#![allow(clippy::print_stdout, reason = "an example that talks to its user")]

use lariat::explicit::{Check, CheckError, Counterexample, SafetyKind};
use lariat::kernel::decision::Decision;
use lariat::kernel::system::{Ending, Successor, System, Visitor, laws};

/// What a philosopher holds. A state has one byte for each of them.
const NOTHING: u8 = 0;
const LEFT_FORK: u8 = 1;
const BOTH_FORKS: u8 = 2;

/// A round table. Fork `i` lies between philosophers `i` and `i + 1`, and is the left one of philosopher `i`.
struct Table {
    seats: u8,
    /// Whether each waits until both forks are free, and takes them at once.
    takes_both: bool,
}

/// What philosophers do, each by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    TakeLeft(u8),
    TakeRight(u8),
    TakeBoth(u8),
    PutDown(u8),
}

impl Table {
    fn neighbour_on_the_right(&self, who: u8) -> u8 {
        (who + self.seats - 1) % self.seats
    }

    fn is_left_free(&self, state: &[u8], who: u8) -> bool {
        // The left fork is the right one of the next philosopher.
        state[usize::from((who + 1) % self.seats)] != BOTH_FORKS
    }

    fn is_right_free(&self, state: &[u8], who: u8) -> bool {
        state[usize::from(self.neighbour_on_the_right(who))] == NOTHING
    }
}

impl System for Table {
    type Step = Act;
    /// Room for the successor that is lent to the visitor, so that nothing is allocated per state.
    type Scratch = Vec<u8>;

    fn scratch(&self) -> Vec<u8> {
        Vec::new()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        into.clear();
        into.resize(usize::from(self.seats), NOTHING);
    }

    fn successors<V: Visitor<Act>>(&self, scratch: &mut Vec<u8>, state: &[u8], visitor: &mut V) {
        for who in 0..self.seats {
            let (left, right) = (self.is_left_free(state, who), self.is_right_free(state, who));
            let act = match state[usize::from(who)] {
                NOTHING if self.takes_both => (left && right).then_some((Act::TakeBoth(who), BOTH_FORKS)),
                NOTHING => left.then_some((Act::TakeLeft(who), LEFT_FORK)),
                LEFT_FORK => right.then_some((Act::TakeRight(who), BOTH_FORKS)),
                _ => Some((Act::PutDown(who), NOTHING)),
            };
            if let Some((step, holds)) = act {
                scratch.clear();
                scratch.extend_from_slice(state);
                scratch[usize::from(who)] = holds;
                visitor.successor(Successor { step, state: scratch, transient: false });
            }
        }
    }

    fn ending(&self, _scratch: &mut Vec<u8>, _state: &[u8]) -> Ending {
        // Philosophers never leave: whatever cannot continue is stuck.
        Ending::Invalid
    }
}

fn main() -> Result<(), CheckError> {
    for takes_both in [false, true] {
        let table = Table { seats: 4, takes_both };
        laws::check(&table, 10_000);
        println!("{} at once:", if takes_both { "both forks" } else { "one fork" });
        let check = Check::new(&table)
            .proposition("eats", |state| state[0] == BOTH_FORKS)
            .proposition("neighbour_eats", |state| state[1] == BOTH_FORKS);
        for (kind, verdict) in check.safety()? {
            if kind == SafetyKind::InvalidEnd {
                show("no deadlock", &verdict);
            }
        }
        for formula in ["G !(eats & neighbour_eats)", "G F eats"] {
            show(formula, &check.ltl(formula)?);
        }
    }
    Ok(())
}

fn show<C>(property: &str, verdict: &Decision<C, Counterexample<Act>>) {
    println!("  {property}: {}", verdict.word());
    if let Decision::Violated(run) = verdict {
        let steps = |steps: &[lariat::explicit::SystemStep<Act>]| -> Vec<String> {
            steps.iter().map(|step| step.step.map_or("(nothing)".into(), |act| format!("{act:?}"))).collect()
        };
        println!("    stem: {}", steps(run.stem()).join(", "));
        println!("    loop: {}", steps(run.cycle()).join(", "));
    }
}
