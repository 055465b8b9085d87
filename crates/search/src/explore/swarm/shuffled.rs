//! A system with the successors of each state in another order.
//!
//! *Contract.* The same system but for the order, which depends on the seed and the state alone; with seed 0, it is the order of the
//! system. What belongs to a successor (faults of its step, states that were passed on the way to it) stays in front of it.

use crate::store::exact::StateHash;
use crate::store::mix;
use kernel::system::{Ending, Fault, Successor, System, Visitor};

/// A system in another order. See the module's text.
#[derive(Clone, Copy, Debug)]
pub struct Shuffled<'a, M> {
    system: &'a M,
    seed: u64,
}

impl<'a, M> Shuffled<'a, M> {
    /// The system in the order of this seed.
    pub fn new(system: &'a M, seed: u64) -> Self {
        Self { system, seed }
    }
}

/// Scratch space: that of the system, and what a visit reported.
pub struct Scratch<M: System> {
    of_system: M::Scratch,
    events: Events<M::Step>,
}

impl<M: System> Scratch<M> {
    /// The scratch space of the system.
    pub fn of_system(&self) -> &M::Scratch {
        &self.of_system
    }
}

/// Something that a visit reported.
#[derive(Clone, Copy)]
enum Event<S> {
    /// A successor, with the position of its bytes.
    Successor {
        step: S,
        start: usize,
        end: usize,
        transient: bool,
    },
    Fault(S, Fault),
    Passed,
}

/// All that a visit reported, cut into groups, each of which ends with its only successor or has none.
struct Events<S> {
    list: Vec<Event<S>>,
    bytes: Vec<u8>,
    /// The ends of the groups.
    ends: Vec<usize>,
    order: Vec<usize>,
    passes: bool,
}

impl<S: Copy> Visitor<S> for Events<S> {
    fn successor(&mut self, successor: Successor<'_, S>) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(successor.state);
        let (step, end, transient) = (successor.step, self.bytes.len(), successor.transient);
        self.list.push(Event::Successor { step, start, end, transient });
        self.ends.push(self.list.len());
    }

    fn fault(&mut self, step: S, fault: Fault) {
        self.list.push(Event::Fault(step, fault));
    }

    fn passes_through(&self) -> bool {
        self.passes
    }

    fn passed(&mut self) {
        self.list.push(Event::Passed);
    }
}

impl<S: Copy> Events<S> {
    fn clear(&mut self, passes: bool) {
        self.list.clear();
        self.bytes.clear();
        self.ends.clear();
        self.passes = passes;
    }

    /// Reports all groups in an order that this number determines.
    fn report<V: Visitor<S>>(&mut self, mut random: u64, visitor: &mut V) {
        if self.ends.last().copied().unwrap_or(0) < self.list.len() {
            self.ends.push(self.list.len());
        }
        self.order.clear();
        self.order.extend(0..self.ends.len());
        for last in (1..self.order.len()).rev() {
            random = mix(random.wrapping_add(0x9e37_79b9_7f4a_7c15));
            self.order.swap(last, (random % (last as u64 + 1)) as usize);
        }
        for group in &self.order {
            let start = group.checked_sub(1).map_or(0, |before| self.ends[before]);
            for event in &self.list[start..self.ends[*group]] {
                match *event {
                    Event::Successor { step, start, end, transient } => {
                        visitor.successor(Successor { step, state: &self.bytes[start..end], transient });
                    }
                    Event::Fault(step, fault) => visitor.fault(step, fault),
                    Event::Passed => visitor.passed(),
                }
            }
        }
    }
}

impl<M: System> System for Shuffled<'_, M> {
    type Step = M::Step;
    type Scratch = Scratch<M>;

    fn scratch(&self) -> Scratch<M> {
        let (list, bytes, ends, order) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Scratch { of_system: self.system.scratch(), events: Events { list, bytes, ends, order, passes: false } }
    }

    fn initial(&self, into: &mut Vec<u8>) {
        self.system.initial(into);
    }

    fn successors<V: Visitor<M::Step>>(&self, scratch: &mut Scratch<M>, state: &[u8], visitor: &mut V) {
        if self.seed == 0 {
            return self.system.successors(&mut scratch.of_system, state, visitor);
        }
        scratch.events.clear(visitor.passes_through());
        self.system.successors(&mut scratch.of_system, state, &mut scratch.events);
        scratch.events.report(self.seed ^ StateHash::of(state).0, visitor);
    }

    fn ending(&self, scratch: &mut Scratch<M>, state: &[u8]) -> Ending {
        self.system.ending(&mut scratch.of_system, state)
    }

    fn merge_notes(&self, scratch: &mut Scratch<M>, other: &Scratch<M>) {
        self.system.merge_notes(&mut scratch.of_system, &other.of_system);
    }
}
