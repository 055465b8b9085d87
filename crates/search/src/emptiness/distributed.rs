//! Is there an accepting run? By workers that share no memory, by elimination.
//!
//! *Contract.* That of the other searches ([`super`]), for any number of acceptance sets on steps. The worker that leads gets
//! the result. Verdicts and counts of complete searches do not depend on the number of workers; which lasso is found may.
//!
//! *How.* First a breadth-first search, level by level, as in [`crate::explore::distributed`]. It counts the inner steps into each
//! state; inner steps stay in one component of the property. Then, on a set of states that begins with all those outside
//! rejecting components:
//!
//! 1. *trim*: states without an inner step from within the set leave it, again and again;
//! 2. *spread*: every state tells its successors within the set which acceptance sets were met on some way to it. Those that
//!    have not heard of all sets leave.
//!
//! Both are repeated until nothing changes. If the set is empty, there is no accepting run: an accepting cycle never
//! leaves it. Otherwise each of its states can be reached inside the set from steps of each acceptance set, so that walking
//! backwards from one set to the next never ends and must close a cycle; the lasso is found that way (`lasso`). In a weak component every
//! cycle is accepting: there trimming alone decides.
//!
//! In a large system, the worker that leads looks for a lasso alone meanwhile (`alone`).
//!
//! *Cost.* Beside the store, a byte for the count, one for tags and one for each eight acceptance sets, for each state. The breadth-first search
//! sends each step once, each repetition about twice.
//!
//! *Source.* [fisler.01.tacas] for elimination, [cerna.03.spin] for its distribution. Ours: several acceptance sets at once, on
//! steps; counting during the first search; lassos without stored predecessors.
//!
//! *Tested by* comparison with the other searches and with brute force on random automata, one to five workers,
//! `tests/lassos/distributed.rs`.

mod alone;
mod lasso;
mod share;
mod vertices;

use super::{EmptinessResult, End};
use crate::accepting::Accepting;
use crate::meter::{Meter, Statistics};
use crate::space::Grain;
use crate::store::exact::StateHash;
use crate::team::message::{Reader, limit_of, number_of, put_numbers};
use crate::team::{LEADER, Orders, Outbox, Saving};
use alone::Alone;
use kernel::budget::{Budget, Exhausted};
use share::{Phase, Share};
use std::time::Instant;

/// What the workers found.
pub struct Found<S> {
    /// The result, at the worker that leads.
    pub result: EmptinessResult<S>,
    /// True if the worker that leads found the lasso alone.
    pub is_alone: bool,
}

/// Searches for an accepting run, as one of several workers. When there are `alone_at` states, the worker that leads looks for a lasso
/// alone for a while.
pub fn search<A: Accepting>(
    system: &A,
    budget: &Budget,
    progress: &mut dyn FnMut(&Statistics),
    orders: &Orders<'_>,
    alone_at: u64,
) -> Found<A::Step> {
    let mut outbox = Outbox::new(orders.exchange.borrow_mut());
    outbox.share_out(system, Grain::Visible, budget);
    let mut search = Search {
        outbox,
        share: Share::new(system, orders.store, Meter::new(budget, progress)),
        counted: Statistics::default(),
        alone: Alone::new(alone_at, orders.store),
    };
    let verdict = search.run(orders);
    let is_alone = matches!(verdict, Ok(Verdict::FoundAlone));
    let lasso = verdict.and_then(|verdict| {
        let started = Instant::now();
        let lasso = match verdict {
            Verdict::Empty => None,
            Verdict::Found => search.lasso()?,
            Verdict::FoundAlone => search.alone.lasso.take(),
        };
        search.share.explorer.meter.statistics.tracing += started.elapsed();
        Ok((verdict != Verdict::Empty, lasso))
    });
    let all = search.outbox.gather(&orders.noticed.write());
    let others = all.iter().enumerate().filter(|(worker, _)| *worker != search.outbox.own());
    others.for_each(|(_, one)| orders.noticed.add(one));
    let is_cut = search.share.part.is_cut;
    let (end, lasso) = match lasso {
        Ok((true, lasso)) => (End::Found, lasso),
        Ok((false, _)) if is_cut => (End::Limit(Exhausted::Depth), None),
        Ok((false, _)) => (End::Complete, None),
        Err(limit) => (End::Limit(limit), None),
    };
    search.share.explorer.meter.statistics.compressed = search.share.part.store.has_compressed();
    let statistics = search.share.explorer.meter.finish();
    let transitions = statistics.transitions + search.alone.transitions;
    let statistics = Statistics { visits: statistics.states, transitions, ..statistics };
    Found { result: EmptinessResult { end, lasso, statistics }, is_alone }
}

/// What is known at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// There is no accepting run.
    Empty,
    /// There is one.
    Found,
    /// The worker that leads has one.
    FoundAlone,
}

/// What is known when all states were visited.
struct Explored {
    /// Whether some of them lie in strong components.
    has_strong: bool,
    /// Whether all steps were counted: those of levels that were visited before the search was saved were not.
    is_counted: bool,
}

/// What all workers together have, at the end of a wave.
struct Sum {
    /// The most states that one worker has to work on next, and all workers together.
    largest: u64,
    waiting: u64,
    /// The states that are left in the set.
    members: u64,
    /// Whether the goal of a search for a path was reached.
    is_reached: bool,
    /// Whether some state was in a component where not every cycle is accepting.
    has_strong: bool,
    /// Whether the search is to be saved.
    saves: bool,
}

struct Search<'a, A: Accepting> {
    outbox: Outbox<'a>,
    share: Share<'a, A>,
    /// What all workers had done at the end of the last wave.
    counted: Statistics,
    alone: Alone<A::Step>,
}

impl<A: Accepting> Search<'_, A> {
    /// Whether there is an accepting run.
    fn run(&mut self, orders: &Orders<'_>) -> Result<Verdict, Exhausted> {
        let Some(Explored { has_strong, is_counted }) = self.explore(orders)? else {
            return Ok(Verdict::FoundAlone);
        };
        if !is_counted {
            self.spread()?;
        }
        let mut members = self.trim()?;
        while members > 0 && has_strong {
            let left = self.spread()?;
            if left == members {
                break;
            }
            members = if left > 0 { self.trim()? } else { 0 };
        }
        Ok(if members > 0 { Verdict::Found } else { Verdict::Empty })
    }

    /// Visits all states, unless the worker that leads finds a lasso before that.
    fn explore(&mut self, orders: &Orders<'_>) -> Result<Option<Explored>, Exhausted> {
        let mut initial = Vec::new();
        self.share.system.initial(&mut initial);
        let plans = self.outbox.gather(&initial);
        assert!(plans.iter().all(|other| *other == initial), "the workers of a search have different systems");
        let depth = self.share.explorer.meter.searching_budget().depth;
        let mut saving = Saving::new(&self.outbox, orders.key ^ depth.map_or(0, |depth| depth + 1));
        let Self { outbox, share, .. } = self;
        let beside = saving.resume(outbox, share).map_err(|()| Exhausted::Cancelled)?;
        let is_counted = beside.is_none();
        match beside {
            Some(beside) => self.recall(orders, &beside),
            None if self.outbox.owner(StateHash::of(&initial), &initial) == self.outbox.own() => {
                self.share.explored(StateHash::of(&initial), &initial, false);
            }
            None => {}
        }
        for level in self.share.part.levels().saturating_sub(1).. {
            let is_known = !is_counted && level + 1 == self.share.part.levels();
            let stored = match is_known {
                true => self.share.part.numbers(level).count() as u64,
                false => self.share.part.close().0,
            };
            self.share.saves = saving.is_due(&self.outbox);
            let sum = self.add_up(stored, if is_known { 0 } else { stored }, false)?;
            if sum.waiting == 0 {
                return Ok(Some(Explored { has_strong: sum.has_strong, is_counted }));
            }
            if self.is_found_alone() {
                return Ok(None);
            }
            if sum.saves {
                let beside = self.beside(orders);
                saving.save(&mut self.outbox, &self.share.part, &beside);
            }
            self.share.explorer.meter.statistics.depth = level as u64;
            self.share.part.is_deepest = self.share.explorer.meter.is_too_deep(level as u64 + 1);
            self.share.begin(Phase::Explore, self.share.part.numbers(level).collect());
            self.outbox.run(&mut self.share, sum.largest);
        }
        unreachable!("a search ends when no state is new")
    }

    /// What the worker that leads must know to continue: counts, and what all have noticed.
    fn beside(&mut self, orders: &Orders<'_>) -> Vec<u8> {
        let mut beside = Vec::new();
        let noticed = self.outbox.gather(&orders.noticed.write());
        put_numbers(&mut beside, &[self.counted.states, self.counted.transitions, self.counted.faults]);
        put_numbers(&mut beside, &[u64::from(self.share.part.is_cut), noticed.len() as u64]);
        for noticed in noticed {
            put_numbers(&mut beside, &[noticed.len() as u64]);
            beside.extend_from_slice(&noticed);
        }
        beside
    }

    /// Continues from this, which a checksum protects.
    fn recall(&mut self, orders: &Orders<'_>, beside: &[u8]) {
        let mut reader = Reader { rest: beside };
        (self.counted.states, self.counted.transitions) = (reader.number(), reader.number());
        self.counted.faults = reader.number();
        self.share.part.is_cut = reader.number() == 1;
        let known = &mut self.share.explorer.meter.statistics;
        (known.states, known.transitions, known.faults) =
            (self.counted.states, self.counted.transitions, self.counted.faults);
        for _ in 0..reader.number() {
            let length = reader.number() as usize;
            let noticed = reader.bytes(length);
            if self.outbox.own() == LEADER {
                orders.noticed.add(noticed);
            }
        }
    }

    /// Removes states without inner steps from within the set; gives how many are left.
    fn trim(&mut self) -> Result<u64, Exhausted> {
        let lonely = self.share.vertices.take_lonely();
        self.share.begin(Phase::Trim, lonely);
        self.work().map(|sum| sum.members)
    }

    /// Removes states that not all acceptance sets reach; gives how many are left.
    fn spread(&mut self) -> Result<u64, Exhausted> {
        self.share.vertices.begin_spread();
        let sources = self.share.sources();
        self.share.begin(Phase::Spread, sources);
        self.work()?;
        self.share.vertices.keep_full();
        self.add_up(0, 0, false).map(|sum| sum.members)
    }

    /// Makes waves until no worker has anything left.
    fn work(&mut self) -> Result<Sum, Exhausted> {
        loop {
            let waiting = self.share.work_left();
            let sum = self.add_up(waiting, 0, self.share.is_goal_reached())?;
            if sum.waiting == 0 || sum.is_reached {
                return Ok(sum);
            }
            self.outbox.run(&mut self.share, sum.largest);
            self.share.turn();
        }
    }

    /// Adds up what all workers have done; an error if one of them has reached a limit.
    fn add_up(&mut self, waiting: u64, stored: u64, is_reached: bool) -> Result<Sum, Exhausted> {
        let Self { outbox, share, counted, .. } = self;
        share.in_flight = outbox.bytes();
        let own = share.explorer.meter.statistics;
        let flags = u64::from(share.part.is_cut)
            | u64::from(is_reached) << 1
            | u64::from(share.has_strong) << 2
            | u64::from(share.saves) << 3;
        let mut message = Vec::new();
        put_numbers(&mut message, &[waiting, stored, number_of(share.part.limit), flags]);
        let done = [own.transitions - counted.transitions, own.faults - counted.faults];
        put_numbers(&mut message, &[done[0], done[1], share.vertices.members, share.bytes()]);
        let (mut limit, mut is_cut, mut bytes) = (None, false, 0);
        let mut sum = Sum { largest: 0, waiting: 0, members: 0, is_reached: false, has_strong: false, saves: false };
        for message in outbox.gather(&message) {
            let mut reader = Reader { rest: &message };
            let waiting = reader.number();
            (sum.largest, sum.waiting) = (sum.largest.max(waiting), sum.waiting + waiting);
            counted.states += reader.number();
            limit = limit.or(limit_of(reader.number()));
            let flags = reader.number();
            (is_cut, sum.is_reached) = (is_cut | (flags & 1 == 1), sum.is_reached | (flags & 2 == 2));
            sum.has_strong |= flags & 4 == 4;
            sum.saves |= flags & 8 == 8;
            counted.transitions += reader.number();
            counted.faults += reader.number();
            sum.members += reader.number();
            bytes += reader.number();
        }
        share.part.is_cut = is_cut;
        let known = &mut share.explorer.meter.statistics;
        (known.states, known.transitions, known.faults) = (counted.states, counted.transitions, counted.faults);
        known.threads = outbox.workers() as u64;
        share.explorer.meter.note_bytes(bytes);
        limit.map_or(Ok(sum), Err)
    }

    /// True if this worker leads.
    fn leads(&self) -> bool {
        self.outbox.own() == LEADER
    }
}
