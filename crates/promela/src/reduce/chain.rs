//! Chaining: a state whose only explored step is local, invisible and not sticky is passed through.
//!
//! *Contract.* Such a state is transient: engines that pass through transient states are given what it leads to in its
//! place. Every cycle keeps a stored state, since every cycle contains a sticky step (`docs/reduction.md`).

use super::PartialOrder;
use super::symmetry::{Room, Symmetry};
use crate::compiled::successors::NO_EDGE;
use crate::compiled::{self, Model, ModelStep};
use kernel::system::{Fault, Successor, Visitor};

/// How many states of a chain are passed at most in one step.
const LONGEST: usize = 256;

/// Passes on successors, those with one local step as transient ones, or what they lead to in their place.
pub(super) struct Chain<'a, V> {
    pub(super) model: &'a Model,
    pub(super) reduction: &'a PartialOrder,
    /// With symmetry, choices are made on representatives.
    pub(super) symmetry: Option<&'a Symmetry>,
    pub(super) room: &'a mut Room,
    pub(super) ahead: &'a mut compiled::Scratch,
    /// A state on a chain, and the one after it.
    pub(super) states: &'a mut [Vec<u8>; 2],
    pub(super) visitor: &'a mut V,
    /// How many states were passed.
    pub(super) passed: &'a mut u64,
    /// Of the processes below this number, the text says nothing where they stand now.
    pub(super) unmoved: usize,
    /// Where the processes begin in the state whose steps these are, and how long it is.
    pub(super) bases: &'a [u32],
    pub(super) length: usize,
}

impl<V> Chain<'_, V> {
    /// The processes that may stand at another location than before a step and the rest of its atomic sequence: those that
    /// took it, and new ones.
    fn moved(&self, step: ModelStep) -> u64 {
        if self.unmoved == 0 {
            return u64::MAX;
        }
        let new = u64::MAX.checked_shl(u32::try_from(self.unmoved).expect("few processes")).unwrap_or(0);
        let receiver = if step.receive == NO_EDGE { step.pid } else { step.receiver };
        new | 1_u64 << step.pid | 1_u64 << receiver
    }

    /// Whether the text says nothing about the processes that took a step, and there are no new ones: a quick look.
    #[inline]
    fn is_kept(&self, step: ModelStep, state: &[u8]) -> bool {
        let is_local =
            |pid: u16| self.reduction.chooser.is_local_at(self.model, state, self.bases[usize::from(pid)] as usize);
        // A step of one process does not both start and end processes: a state of the same length has the same processes.
        self.unmoved != 0
            && state.len() == self.length
            && !is_local(step.pid)
            && (step.receive == NO_EDGE || !is_local(step.receiver))
    }
}

impl<V: Visitor<ModelStep>> Visitor<ModelStep> for Chain<'_, V> {
    fn successor(&mut self, successor: Successor<'_, ModelStep>) {
        let Successor { step, state, transient } = successor;
        if transient || self.is_kept(step, state) {
            return self.visitor.successor(successor);
        }
        let choice = self.reduction.choose_ahead(self.model, self.ahead, state, self.moved(step));
        debug_assert_eq!(choice, self.reduction.choose_ahead(self.model, self.ahead, state, u64::MAX));
        if !self.reduction.is_passed(choice, state) {
            return self.visitor.successor(successor);
        }
        if !self.visitor.passes_through() {
            *self.passed += 1;
            return self.visitor.successor(Successor { step, state, transient: true });
        }
        let mut only = self.reduction.only(choice);
        let mut is_passed = true;
        self.states[0].clear();
        self.states[0].extend_from_slice(state);
        for _ in 0..LONGEST {
            let [from, to] = &mut *self.states;
            let mut next = Next { into: to, count: 0, is_plain: true };
            self.model.expand(self.ahead, from, &mut next, only);
            if next.count != 1 || !next.is_plain {
                break;
            }
            self.states.swap(0, 1);
            if let Some(symmetry) = self.symmetry
                && let Some(state) = symmetry.canonical(self.model, self.room, &self.states[0])
            {
                self.states[0].clear();
                self.states[0].extend_from_slice(state);
            }
            self.visitor.passed();
            *self.passed += 1;
            let choice = self.reduction.choose_ahead(self.model, self.ahead, &self.states[0], u64::MAX);
            is_passed = self.reduction.is_passed(choice, &self.states[0]);
            if !is_passed {
                break;
            }
            only = self.reduction.only(choice);
        }
        self.visitor.successor(Successor { step, state: &self.states[0], transient: is_passed });
    }

    fn fault(&mut self, step: ModelStep, fault: Fault) {
        self.visitor.fault(step, fault);
    }

    fn passes_through(&self) -> bool {
        self.visitor.passes_through()
    }

    fn passed(&mut self) {
        self.visitor.passed();
    }
}

/// Keeps the one state to which a chain leads on.
struct Next<'a> {
    into: &'a mut Vec<u8>,
    count: u32,
    /// It is not inside an atomic sequence, and nothing went wrong.
    is_plain: bool,
}

impl Visitor<ModelStep> for Next<'_> {
    fn successor(&mut self, successor: Successor<'_, ModelStep>) {
        self.count += 1;
        self.is_plain &= !successor.transient;
        self.into.clear();
        self.into.extend_from_slice(successor.state);
    }

    fn fault(&mut self, _step: ModelStep, _fault: Fault) {
        self.is_plain = false;
    }
}
