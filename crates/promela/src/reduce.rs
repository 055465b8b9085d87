//! The reduced model: a system of its own whose runs stand for all runs of the model.
//!
//! *Contract.* [`Reduced`] is a [`System`] over the packed states of a [`Model`]. What it shows of a state depends on the
//! bytes of that state and on nothing else: not on a property automaton, a stack, a queue or earlier visits. So every
//! search of it, in any order, sequential or parallel, sees the same reduced graph. Without any reduction it is the model.
//! A choice that depends on the automaton would be unsound [siegel.19.cav].
//!
//! *Partial order.* Of the processes that can move, a stubborn set is explored (`choice`); a static proviso
//! (`sticky`) keeps every step from being put off forever. *Chaining.* A state whose only explored step is local,
//! invisible and not sticky is transient: engines pass through it and do not store it. *Symmetry.* Of states that differ by an
//! exchange of interchangeable processes, one is shown. `docs/reduction.md` argues all three.
//!
//! Files in reading order: `resource` (what processes share), `set`, `known` (what the text fixes), `access` (what an edge
//! does), `balance`, `sticky`, `instance` (the tables of a process), `pair`, `needs`, `piece`, `quiet`, `combination`, `cast`, `choice`, `chain`, `walk`, `symmetry`, `straight`,
//! `measure`, `accord` (laws of the tables, for tests), `mutant` (deliberate mistakes, for tests).
//!
//! *Tested by* `testbench::oracle::{reduction, combined, symmetry}`, against the unreduced model.

mod access;
mod accord;
mod balance;
mod cast;
mod chain;
mod choice;
mod combination;
mod instance;
mod known;
mod measure;
mod mutant;
mod needs;
mod pair;
mod piece;
mod quiet;
mod resource;
mod sequence;
mod set;
mod sticky;
mod straight;
mod symmetry;
mod walk;

pub use accord::{Pairs, accord};
pub use measure::{Counts, Measured};
pub use mutant::Mutant;
pub use straight::Straight;
pub use symmetry::Symmetry;

use self::chain::Chain;
use self::choice::{Choice, Chooser, Memory};
use self::instance::Tables;
use self::measure::Counter;
use self::symmetry::{Representatives, Room};
use crate::compiled::{self, Atoms, Model, ModelStep};
use kernel::budget::Budget;
use kernel::system::{Ending, System, Visitor};
use std::sync::Arc;

/// Why nothing can be left out.
const ONE_PROCESS: &str = "there is one process";

/// Why nothing can be passed.
const NO_LOCAL_STEP: &str = "no step is local by the text";

/// A model, and how its state space is made smaller.
#[derive(Debug)]
pub struct Reduced<'m> {
    model: &'m Model,
    partial_order: Option<PartialOrder>,
    symmetry: Option<Arc<Symmetry>>,
    /// There are interchangeable processes, be they exchanged or not.
    is_symmetric: bool,
    /// Why partial order, chaining and symmetry are not used, where they were asked for.
    obstacles: [Option<String>; 3],
    measured: Arc<Measured>,
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
    /// Merge states that differ by an exchange of interchangeable processes.
    pub symmetry: bool,
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
    /// Where the processes of the state at hand begin, and the version of its shape.
    bases: (u64, Vec<u32>),
    /// A state on a chain, and the one after it.
    states: [Vec<u8>; 2],
    rooms: [Room; 2],
    counter: Counter,
}

impl Scratch {
    /// The scratch space of the model.
    pub fn model(&mut self) -> &mut compiled::Scratch {
        &mut self.model
    }

    /// Adds what was counted so far to what is measured of the reduced model.
    pub fn flush(&mut self) {
        self.counter.flush();
    }

    /// For each edge of the model, whether it was executed.
    #[must_use]
    pub fn executed(&self) -> Vec<bool> {
        let both = self.model.executed.iter().zip(&self.ahead.executed);
        both.map(|(here, ahead)| *here || *ahead).collect()
    }

    /// What was noted, as bytes for [`Self::add_notes`]: the counts, then one byte for each edge of the model.
    #[must_use]
    pub fn notes(&self) -> Vec<u8> {
        let mut notes = self.counter.notes();
        notes.extend(self.executed().into_iter().map(u8::from));
        notes
    }

    /// Adds what was noted about the same model, in another process perhaps.
    pub fn add_notes(&mut self, notes: &[u8]) {
        let executed = self.counter.add_notes(notes);
        for (executed, also) in self.model.executed.iter_mut().zip(executed) {
            *executed |= *also != 0;
        }
    }
}

impl<'m> Reduced<'m> {
    /// The model without any reduction.
    #[must_use]
    pub fn full(model: &'m Model) -> Self {
        Self {
            model,
            partial_order: None,
            symmetry: None,
            is_symmetric: false,
            obstacles: Default::default(),
            measured: Arc::default(),
        }
    }

    /// The model, reduced as planned.
    ///
    /// # Errors
    /// Why it cannot be reduced at all, in words.
    pub fn new(model: &'m Model, plan: Plan<'_>, budget: &Budget) -> Result<Self, &'static str> {
        if !plan.partial_order && !plan.chain && !plan.symmetry {
            return Ok(Self::full(model));
        }
        if let Some(reason) = obstacle(model) {
            return Err(reason);
        }
        let mut obstacles = [const { None }; 3];
        let mut tables = Tables::new(model, plan.atoms, plan.mutant, budget)
            .map_err(|_| "a limit was reached before the text was analysed")?;
        let symmetry = Symmetry::new(model, plan.atoms, plan.mutant, &tables.several);
        let is_symmetric = symmetry.is_ok();
        let symmetry = symmetry.map(Arc::new).map_err(|reason| obstacles[2] = Some(reason)).ok();
        let symmetry = symmetry.filter(|_| plan.symmetry);
        // After an exchange another process takes the sticky edge.
        tables.relieves = symmetry.is_none();
        if tables.sees_everything() {
            return Err("the property depends on what every step changes");
        }
        let (prunes, chains) = (plan.partial_order && !has_one_process(model), plan.chain && tables.has_local);
        obstacles[0] = (plan.partial_order && !prunes).then(|| ONE_PROCESS.into());
        obstacles[1] = (plan.chain && !chains).then(|| NO_LOCAL_STEP.into());
        let mut reduced = Self { symmetry, is_symmetric, obstacles, ..Self::full(model) };
        let mut initial = Vec::new();
        reduced.initial(&mut initial);
        let chooser = Chooser::new(model, tables, plan.mutant);
        reduced.partial_order = (prunes || chains).then_some(PartialOrder { chooser, prunes, chains, initial });
        Ok(reduced)
    }

    /// Why partial order, chaining and symmetry are not used although they were asked for.
    #[must_use]
    pub fn obstacles(&self) -> &[Option<String>; 3] {
        &self.obstacles
    }

    /// Whether anything is reduced.
    #[must_use]
    pub fn is_reduced(&self) -> bool {
        self.partial_order.is_some() || self.symmetry.is_some()
    }

    /// Whether there are interchangeable processes, as far as was looked for.
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    /// The interchangeable processes, if such are exchanged.
    #[must_use]
    pub fn symmetry(&self) -> Option<Arc<Symmetry>> {
        self.symmetry.clone()
    }

    /// What is measured while it is explored.
    #[must_use]
    pub fn measured(&self) -> Arc<Measured> {
        Arc::clone(&self.measured)
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

/// Whether there is never more than one process.
fn has_one_process(model: &Model) -> bool {
    let mut is_started = false;
    model.edges.iter().for_each(|edge| instance::starts(&edge.action, &mut |_| is_started = true));
    !is_started && model.active.iter().map(|(_, count)| *count).sum::<u32>() <= 1
}

impl PartialOrder {
    /// What is explored in a state outside atomic sequences, whose structure was read, and whether the text decided it.
    #[inline]
    fn choose(
        &self,
        model: &Model,
        scratch: &mut compiled::Scratch,
        memory: &mut Memory,
        state: &[u8],
    ) -> (Choice, bool) {
        let shape = scratch.shape();
        match self.prunes {
            true => self.chooser.choose(model, memory, shape, state),
            false => (self.chooser.choose_by_text(model, shape, state, u64::MAX), true),
        }
    }

    /// What is explored in a state that is not inside an atomic sequence, as far as it matters for chains; only these
    /// processes matter.
    #[inline]
    fn choose_ahead(&self, model: &Model, scratch: &mut compiled::Scratch, state: &[u8], among: u64) -> Choice {
        let shape = scratch.shape();
        shape.read(model, state);
        self.chooser.choose_by_text(model, shape, state, among)
    }

    /// Whether a state that is chosen for in this way is passed through.
    fn is_passed(&self, choice: Choice, state: &[u8]) -> bool {
        self.chains && matches!(choice, Choice::Only { is_one: true, .. }) && state != self.initial
    }

    /// Whether a state that is chosen for in this way is expanded in part.
    fn leaves_out(&self, choice: Choice) -> bool {
        matches!(choice, Choice::Only { is_one, .. } if self.prunes || is_one && self.chains)
    }

    /// The processes to look at, by their numbers.
    fn only(&self, choice: Choice) -> u64 {
        match choice {
            Choice::Only { processes, .. } if self.leaves_out(choice) => processes,
            Choice::Only { .. } => u64::MAX,
            Choice::All { able } => able,
        }
    }
}

impl Reduced<'_> {
    /// Visits the steps of these processes, or all if they have none, in a state whose structure was read.
    #[inline]
    fn expand<V: Visitor<ModelStep>>(
        &self,
        scratch: &mut compiled::Scratch,
        read: (&[u8], Option<usize>),
        visitor: &mut V,
        only: u64,
    ) {
        if !self.model.expand_read(scratch, read, visitor, only) && only != u64::MAX {
            self.model.expand_read(scratch, read, visitor, u64::MAX);
        }
    }
}

impl System for Reduced<'_> {
    type Step = ModelStep;
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        let (model, ahead) = (self.model.scratch(), self.model.scratch());
        let counter = Counter::new(&self.measured);
        Scratch {
            model,
            ahead,
            memory: Memory::default(),
            bases: Default::default(),
            states: Default::default(),
            rooms: Default::default(),
            counter,
        }
    }

    fn initial(&self, into: &mut Vec<u8>) {
        self.model.initial(into);
        if let Some(symmetry) = &self.symmetry
            && let Some(state) = symmetry.canonical(self.model, &mut Room::default(), &into.clone())
        {
            into.copy_from_slice(state);
        }
    }

    #[inline]
    fn successors<V: Visitor<ModelStep>>(&self, scratch: &mut Scratch, state: &[u8], visitor: &mut V) {
        let symmetry = self.symmetry.as_deref();
        let Some(reduction) = &self.partial_order else {
            return match symmetry {
                None => self.model.successors(&mut scratch.model, state, visitor),
                Some(symmetry) => {
                    let (room, exchanged) = (&mut scratch.rooms[0], &mut scratch.counter.counts.exchanged);
                    let mut visitor = Representatives { model: self.model, symmetry, room, visitor, exchanged };
                    self.model.successors(&mut scratch.model, state, &mut visitor);
                }
            };
        };
        let exclusive = scratch.model.shape().read(self.model, state);
        let read = (state, exclusive);
        // Inside an atomic sequence one process moves anyway.
        let choice = match exclusive {
            Some(_) => None,
            None => Some(reduction.choose(self.model, &mut scratch.model, &mut scratch.memory, state)),
        };
        let only = choice.map_or(u64::MAX, |(choice, _)| reduction.only(choice));
        let processes = scratch.model.shape().bases.len();
        scratch.counter.counts.expanded += u64::from(choice.is_some());
        scratch.counter.counts.reduced +=
            u64::from(processes > 1 && choice.is_some_and(|(choice, _)| reduction.leaves_out(choice)));
        // Where the text says nothing about a process, it says something after a step only if the process took part in it.
        let is_undecided = symmetry.is_none() && choice.is_some_and(|(_, by_text)| !by_text);
        let unmoved = if is_undecided { processes } else { 0 };
        let Scratch { model: scratch, ahead, bases, states, counter, rooms: [room, other], .. } = scratch;
        let Counts { passed, exchanged, .. } = &mut counter.counts;
        if !reduction.chains {
            return match symmetry {
                None => self.expand(scratch, read, visitor, only),
                Some(symmetry) => {
                    let mut visitor = Representatives { model: self.model, symmetry, room, visitor, exchanged };
                    self.expand(scratch, read, &mut visitor, only);
                }
            };
        }
        let shape = scratch.shape();
        if bases.0 != shape.version {
            bases.0 = shape.version;
            bases.1.clone_from(&shape.bases);
        }
        let mut chain = Chain {
            model: self.model,
            reduction,
            symmetry,
            room: other,
            ahead,
            states,
            visitor,
            passed,
            unmoved,
            bases: &bases.1,
            length: state.len(),
        };
        match symmetry {
            None => self.expand(scratch, read, &mut chain, only),
            Some(symmetry) => {
                let visitor = &mut chain;
                let mut visitor = Representatives { model: self.model, symmetry, room, visitor, exchanged };
                self.expand(scratch, read, &mut visitor, only);
            }
        }
    }

    fn ending(&self, scratch: &mut Scratch, state: &[u8]) -> Ending {
        self.model.ending(&mut scratch.model, state)
    }

    fn merge_notes(&self, scratch: &mut Scratch, other: &Scratch) {
        self.model.merge_notes(&mut scratch.model, &other.model);
        self.model.merge_notes(&mut scratch.ahead, &other.ahead);
    }
}
