//! The reduced model: a system of its own whose runs stand for all runs of the model.
//!
//! *Contract.* [`Reduced`] is a [`System`] over the packed states of a [`Model`]. What it shows of a state depends on the
//! bytes of that state and on nothing else: not on a property automaton, a stack, a queue or earlier visits. So every
//! search of it, in any order, sequential or parallel, sees the same reduced graph. Without any reduction it is the model.
//! A choice that depends on the automaton would be unsound [siegel.19.cav].
//!
//! *Partial order.* Of the processes that can move, a stubborn set is explored (`choice`); a static proviso
//! (`sticky`) keeps every step from being put off forever. *Chaining.* A state whose only explored step is local,
//! invisible and not sticky is transient: engines pass through it and do not store it. `docs/reduction.md` argues both.
//!
//! Files in reading order: `resource` (what processes share), `set`, `known` (what the text fixes), `access` (what an edge
//! does), `sticky`, `instance` (the tables of a process), `choice`, `mutant` (deliberate mistakes, for tests).
//!
//! *Tested by* `testbench::oracle::reduction`, against the unreduced model.

mod access;
mod choice;
mod instance;
mod known;
mod mutant;
mod resource;
mod set;
mod sticky;

pub use mutant::Mutant;

use self::choice::{Choice, Chooser, Memory};
use self::instance::Tables;
use crate::compiled::{self, Atoms, Model, ModelStep};
use kernel::system::{Ending, Fault, Successor, System, Visitor};

/// How many states of a chain are passed at most in one step.
const LONGEST: usize = 256;

/// A model, and how its state space is made smaller.
#[derive(Debug)]
pub struct Reduced<'m> {
    model: &'m Model,
    partial_order: Option<PartialOrder>,
}

/// Partial-order reduction of one model for one property.
#[derive(Debug)]
struct PartialOrder {
    chooser: Chooser,
    /// Sets that leave steps out are used; otherwise they only say what can be passed.
    prunes: bool,
    /// States with one local step are transient.
    chains: bool,
    /// The initial state is never transient.
    initial: Vec<u8>,
}

/// What to do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan<'a> {
    /// Explore stubborn sets only.
    pub partial_order: bool,
    /// Pass through states with one local step.
    pub chain: bool,
    /// The atoms of the property; without any, the property is about faults and ends alone.
    pub atoms: Option<&'a Atoms>,
    /// A mistake to make, in tests.
    pub mutant: Option<Mutant>,
}

/// Scratch space for one explorer of a reduced model.
#[derive(Debug)]
pub struct Scratch {
    model: compiled::Scratch,
    /// For looking at successors.
    ahead: compiled::Scratch,
    memory: Memory,
    /// A state on a chain, and the one after it.
    states: [Vec<u8>; 2],
}

impl Scratch {
    /// The scratch space of the model.
    pub fn model(&mut self) -> &mut compiled::Scratch {
        &mut self.model
    }

    /// For each edge of the model, whether it was executed.
    #[must_use]
    pub fn executed(&self) -> Vec<bool> {
        let both = self.model.executed.iter().zip(&self.ahead.executed);
        both.map(|(here, ahead)| *here || *ahead).collect()
    }
}

impl<'m> Reduced<'m> {
    /// The model without any reduction.
    #[must_use]
    pub fn full(model: &'m Model) -> Self {
        Self { model, partial_order: None }
    }

    /// The model, reduced as planned.
    ///
    /// # Errors
    /// Why it cannot be reduced at all, in words.
    pub fn new(model: &'m Model, plan: Plan<'_>) -> Result<Self, &'static str> {
        if !plan.partial_order && !plan.chain {
            return Ok(Self::full(model));
        }
        if let Some(reason) = obstacle(model) {
            return Err(reason);
        }
        let mut initial = Vec::new();
        model.initial(&mut initial);
        let tables = Tables::new(model, plan.atoms, plan.mutant);
        if tables.sees_everything() {
            return Err("the property looks at what every step changes");
        }
        let chooser = Chooser::new(tables, plan.mutant);
        let partial_order = PartialOrder { chooser, prunes: plan.partial_order, chains: plan.chain, initial };
        Ok(Self { model, partial_order: Some(partial_order) })
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &'m Model {
        self.model
    }
}

/// Why the steps of a model are all dependent.
fn obstacle(model: &Model) -> Option<&'static str> {
    if model.program.uses.priorities {
        return Some("processes have priorities");
    }
    if model.layout.last.is_some() {
        return Some("the model reads `_last`, which every step writes");
    }
    None
}

impl PartialOrder {
    /// What is explored in a state.
    #[inline]
    fn choose(&self, model: &Model, scratch: &mut compiled::Scratch, memory: &mut Memory, state: &[u8]) -> Choice {
        let shape = scratch.shape();
        match shape.read(model, state) {
            // Inside an atomic sequence one process moves anyway.
            Some(_) => Choice::All,
            None if self.prunes => self.chooser.choose(model, memory, shape, state),
            None => self.chooser.choose_by_text(model, shape, state),
        }
    }

    /// What is explored in a state that is not inside an atomic sequence, as far as it matters for chains.
    #[inline]
    fn choose_ahead(&self, model: &Model, scratch: &mut compiled::Scratch, state: &[u8]) -> Choice {
        let shape = scratch.shape();
        shape.read(model, state);
        self.chooser.choose_by_text(model, shape, state)
    }

    /// Whether a state that is chosen for in this way is passed through.
    fn is_passed(&self, choice: Choice, state: &[u8]) -> bool {
        self.chains && matches!(choice, Choice::Only { is_one: true, .. }) && state != self.initial
    }

    fn only(&self, choice: Choice) -> u64 {
        match choice {
            Choice::Only { processes, is_one } if self.prunes || is_one && self.chains => processes,
            _ => u64::MAX,
        }
    }
}

impl System for Reduced<'_> {
    type Step = ModelStep;
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        let (model, ahead) = (self.model.scratch(), self.model.scratch());
        Scratch { model, ahead, memory: Memory::default(), states: Default::default() }
    }

    fn initial(&self, into: &mut Vec<u8>) {
        self.model.initial(into);
    }

    #[inline]
    fn successors<V: Visitor<ModelStep>>(&self, scratch: &mut Scratch, state: &[u8], visitor: &mut V) {
        let Some(reduction) = &self.partial_order else {
            return self.model.successors(&mut scratch.model, state, visitor);
        };
        let choice = reduction.choose(self.model, &mut scratch.model, &mut scratch.memory, state);
        let only = reduction.only(choice);
        if !reduction.chains {
            if !self.model.expand(&mut scratch.model, state, visitor, only) && only != u64::MAX {
                self.model.successors(&mut scratch.model, state, visitor);
            }
            return;
        }
        let Scratch { model: scratch, ahead, states, .. } = scratch;
        let mut chain = Chain { model: self.model, reduction, ahead, states, visitor };
        if !self.model.expand(scratch, state, &mut chain, only) && only != u64::MAX {
            self.model.successors(scratch, state, &mut chain);
        }
    }

    fn ending(&self, scratch: &mut Scratch, state: &[u8]) -> Ending {
        self.model.ending(&mut scratch.model, state)
    }
}

/// Passes on successors, those with one local step as transient ones, or what they lead to in their place.
struct Chain<'a, V> {
    model: &'a Model,
    reduction: &'a PartialOrder,
    ahead: &'a mut compiled::Scratch,
    states: &'a mut [Vec<u8>; 2],
    visitor: &'a mut V,
}

impl<V: Visitor<ModelStep>> Visitor<ModelStep> for Chain<'_, V> {
    fn successor(&mut self, successor: Successor<'_, ModelStep>) {
        let Successor { step, state, transient } = successor;
        if transient {
            return self.visitor.successor(successor);
        }
        let choice = self.reduction.choose_ahead(self.model, self.ahead, state);
        if !self.reduction.is_passed(choice, state) {
            return self.visitor.successor(successor);
        }
        if !self.visitor.passes_through() {
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
            self.visitor.passed();
            let choice = self.reduction.choose_ahead(self.model, self.ahead, &self.states[0]);
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
