//! What the worker that leads tells the others to do.

use super::message::{Reader, put_numbers};
use super::{Exchange, Member, Notes, Noticed};
use crate::explore::SafetyKind;
use crate::explore::Until;
use crate::space::Grain;
use crate::store::Store;
use kernel::budget::{Budget, Exhausted};
use kernel::system::System;
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// A search in which all workers take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// None: the system is not needed any more.
    End,
    /// A search for violations of safety.
    Explore {
        /// True to search the system without reductions.
        is_full: bool,
        /// What counts as a step.
        grain: Grain,
        /// True to watch for runs that never leave transient states.
        watches_divergence: bool,
        /// When to stop.
        until: Until,
    },
    /// A search for a bad prefix.
    Prefix {
        /// What counts as a step.
        grain: Grain,
    },
    /// A search for a lasso.
    Lasso,
}

/// The limits that the leader sets to a search. Each worker has its own limit on memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The time that is left.
    pub time: Option<Duration>,
    /// The most steps of a run.
    pub depth: Option<u64>,
}

impl Terms {
    /// Those of a budget.
    #[must_use]
    pub fn of(budget: &Budget) -> Self {
        let time = budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Self { time, depth: budget.depth }
    }

    /// The budget of a worker under these terms.
    #[must_use]
    pub fn budget(&self, own: &Budget) -> Budget {
        let mut budget = own.stage();
        budget.depth = self.depth;
        match self.time {
            Some(time) => budget.within(time),
            None => budget,
        }
    }
}

/// The number that stands for nothing.
const NONE: u64 = u64::MAX;

impl Order {
    fn encode(self, terms: Terms) -> Vec<u8> {
        let is_single = |grain| u64::from(grain == Grain::Single);
        let numbers = match self {
            Order::End => [0; 6],
            Order::Explore { is_full, grain, watches_divergence, until } => {
                let [tag, kinds, number] = encode_until(until);
                let flags = u64::from(is_full) | is_single(grain) << 1 | u64::from(watches_divergence) << 2;
                [1, flags, tag, kinds, number, 0]
            }
            Order::Prefix { grain } => [2, is_single(grain) << 1, 0, 0, 0, 0],
            Order::Lasso => [3, 0, 0, 0, 0, 0],
        };
        let time = terms.time.map_or(NONE, |time| u64::try_from(time.as_micros()).unwrap_or(NONE));
        let mut message = Vec::new();
        put_numbers(&mut message, &numbers);
        put_numbers(&mut message, &[time, terms.depth.unwrap_or(NONE)]);
        message
    }

    fn decode(message: &[u8]) -> (Self, Terms) {
        let mut reader = Reader { rest: message };
        let [tag, flags, until, kinds, number, _] = std::array::from_fn(|_| reader.number());
        let grain = if flags & 2 == 2 { Grain::Single } else { Grain::Visible };
        let order = match tag {
            0 => Order::End,
            1 => Order::Explore {
                is_full: flags & 1 == 1,
                grain,
                watches_divergence: flags & 4 == 4,
                until: decode_until([until, kinds, number]),
            },
            2 => Order::Prefix { grain },
            _ => Order::Lasso,
        };
        let [time, depth] = std::array::from_fn(|_| Some(reader.number()).filter(|number| *number != NONE));
        (order, Terms { time: time.map(Duration::from_micros), depth })
    }
}

fn encode_until(until: Until) -> [u64; 3] {
    let bits = |kinds: [bool; SafetyKind::ALL.len()]| {
        kinds.iter().enumerate().fold(0, |bits, (place, is_wanted)| bits | u64::from(*is_wanted) << place)
    };
    match until {
        Until::First => [0, 0, 0],
        Until::EachKind { grace } => [1, 0, grace],
        Until::EachWanted { kinds, grace } => [2, bits(kinds), grace],
        Until::EachOf { kinds } => [3, bits(kinds), 0],
        Until::Exhausted { per_kind } => [4, 0, per_kind as u64],
    }
}

fn decode_until([tag, bits, number]: [u64; 3]) -> Until {
    let kinds = std::array::from_fn(|place| bits >> place & 1 == 1);
    match tag {
        0 => Until::First,
        1 => Until::EachKind { grace: number },
        2 => Until::EachWanted { kinds, grace: number },
        3 => Until::EachOf { kinds },
        _ => Until::Exhausted { per_kind: usize::try_from(number).unwrap_or(usize::MAX) },
    }
}

/// The orders of the leader about one system, which all workers have made.
#[derive(Clone, Copy)]
pub struct Orders<'a> {
    /// The connection to all workers.
    pub exchange: &'a RefCell<dyn Exchange>,
    /// What workers notice beside their scratch space.
    pub noticed: &'a dyn Noticed,
    /// The limit that kept some worker from making the system; then nothing is ordered.
    pub unready: Option<Exhausted>,
    /// What tells the system from others of the same check.
    pub key: u64,
    /// What to keep of a visited state; not a lossy store.
    pub store: Store,
}

impl Orders<'_> {
    /// A worker that follows these orders, or gives them.
    pub(crate) fn member<'b, M: System>(&'b self, notes: &'b dyn Notes<M>) -> Member<'b, M> {
        Member { exchange: self.exchange, notes, key: self.key, store: self.store }
    }

    /// Tells the others what to do next. The leader then does it, too.
    ///
    /// # Errors
    /// The limit that kept some worker from making the system.
    pub fn give(&self, order: Order, budget: &Budget) -> Result<(), Exhausted> {
        match self.unready {
            Some(limit) => Err(limit),
            None => {
                self.exchange.borrow_mut().gather(&order.encode(Terms::of(budget)));
                Ok(())
            }
        }
    }

    /// Lets the others forget the system.
    pub fn end(&self) {
        let _ = self.give(Order::End, &Budget::unlimited());
    }

    /// Waits for the next order, as one that follows.
    #[must_use]
    pub fn next(&self) -> (Order, Terms) {
        Order::decode(&self.exchange.borrow_mut().gather(&[])[super::LEADER])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_survive_the_way() {
        let explore = |until| Order::Explore { is_full: true, grain: Grain::Single, watches_divergence: true, until };
        let kinds = [true, false, true];
        let orders = [
            Order::End,
            Order::Lasso,
            Order::Prefix { grain: Grain::Visible },
            explore(Until::First),
            explore(Until::EachKind { grace: 7 }),
            explore(Until::EachWanted { kinds, grace: 8 }),
            explore(Until::EachOf { kinds }),
            explore(Until::Exhausted { per_kind: usize::MAX }),
        ];
        let terms =
            [Terms { time: None, depth: Some(3) }, Terms { time: Some(Duration::from_millis(1500)), depth: None }];
        for (order, terms) in orders.into_iter().flat_map(|order| terms.map(|terms| (order, terms))) {
            assert_eq!(Order::decode(&order.encode(terms)), (order, terms));
        }
    }
}
