//! The part of a system that a search has visited: stored states by number, with a byte for the search's own use for each.
//!
//! [`Space::expand`] gives the numbers of a state's successors. With [`Grain::Visible`] a step leads from one visible state
//! to the next, and the transient states between are never stored; with [`Grain::Single`] every single step counts, and
//! transient states are stored like others. A search may begin with the first grain and continue with the second, which
//! makes a search that keeps fingerprints begin anew.
//!
//! [`Space::successors`] gives the same numbers, from a cache if the search visits states many times.
//!
//! [`Space::connect`] rebuilds the steps of a run from the numbers of its states. With a lossy store, [`Space::validated`]
//! decides whether the result is a run.

mod known;
mod remembered;
mod saved;

use crate::accepting::{Accepting, Component};
use crate::connect::{Goal, Joined, Segment, connect, join};
use crate::emptiness::EmptinessOptions;
use crate::expansion::{Expansion, Labels, Parts};
use crate::lasso::{Lasso, Move};
use crate::meter::{Meter, Statistics};
use crate::store::Store;
use crate::store::exact::{Full, StateHash};
use crate::store::number::StateId;
use kernel::budget::Exhausted;
use known::{Compact, Known, Whole};
use omega::automaton::Marks;
use remembered::Remembered;
use std::time::Instant;

/// The bit of a state's byte that says that the state is accepting; the others are the search's.
pub(crate) const ACCEPTING: u8 = 0x80;

/// What counts as a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// From one visible state to the next.
    Visible,
    /// Each step, also those into and out of transient states.
    Single,
}

impl Grain {
    /// What the levels of a search with these statistics were: without transient states, each level is one step.
    pub(crate) fn of_levels(self, statistics: &Statistics) -> Self {
        if statistics.transient_steps == 0 { Grain::Single } else { self }
    }
}

/// Collects the marks of steps, if a search is interested in them.
pub(crate) struct CollectedMarks<'a, A> {
    pub(crate) system: &'a A,
    pub(crate) collects: bool,
}

impl<A: Accepting> Labels<A::Step> for CollectedMarks<'_, A> {
    type Label = Marks;
    const NOTHING: Marks = Marks::NONE;
    // The marks of the steps between would be lost.
    const LETS_SYSTEM_PASS: bool = false;
    const REMEMBER_AFTER: u32 = 16;
    const REMEMBER_CHOICES: bool = false;

    #[inline]
    fn after(&self, before: Marks, step: A::Step) -> Marks {
        if self.collects { before.union(self.system.marks(step)) } else { before }
    }
}

pub(crate) struct Space<'a, A: Accepting> {
    pub(crate) system: &'a A,
    scratch: A::Scratch,
    known: Known,
    /// By number of state.
    tags: Vec<u8>,
    grain: Grain,
    knows_components: bool,
    /// True if the search needs the marks of steps.
    pub(crate) collects_marks: bool,
    source: Vec<u8>,
    expansion: Expansion<A::Step, Marks>,
    remembered: Option<Remembered>,
    pub(crate) meter: Meter<'a>,
    /// True if the path of numbers that was followed last is no run, because the store confused states.
    is_confused: bool,
    /// True if the search followed some path that is not a run.
    was_confused: bool,
    /// The number of states stored before the search began anew.
    states_before: u64,
}

impl<'a, A: Accepting> Space<'a, A> {
    pub(crate) fn new(system: &'a A, options: EmptinessOptions<'a>) -> Self {
        let (known, grain, remembered) = match options.store {
            store @ (Store::Auto | Store::Exact | Store::Compressed) => {
                (Known::Whole(Whole::new(store, options.components)), Grain::Visible, None)
            }
            Store::HashCompact { bits } => {
                (Known::Compact(Compact::new(bits)), Grain::Visible, Some(Remembered::default()))
            }
            Store::Bitstate { .. } => unreachable!("searches with bit-state hashing number no states"),
        };
        Self {
            system,
            scratch: system.scratch(),
            known,
            tags: Vec::new(),
            grain,
            knows_components: options.components,
            collects_marks: false,
            source: Vec::new(),
            expansion: Expansion::new(),
            remembered,
            meter: Meter::new(options.budget, options.progress),
            is_confused: false,
            was_confused: false,
            states_before: 0,
        }
    }

    /// The number of the initial state.
    pub(crate) fn initial(&mut self) -> Result<StateId, Exhausted> {
        let mut initial = Vec::new();
        self.system.initial(&mut initial);
        self.insert(StateHash::of(&initial), &initial).map_err(|Full| Exhausted::Memory)
    }

    /// The number of a state that is to be known from now on.
    pub(crate) fn number(&mut self, state: &[u8]) -> Result<StateId, Exhausted> {
        self.insert(StateHash::of(state), state).map_err(|Full| Exhausted::Memory)
    }

    fn insert(&mut self, hash: StateHash, state: &[u8]) -> Result<StateId, Full> {
        let (number, is_new) = self.known.insert(hash, state, |state| self.system.component(state))?;
        if is_new {
            self.meter.statistics.states += 1;
            if number.index() >= self.tags.len() {
                self.tags.resize(self.known.numbers(), 0);
            }
            self.tags[number.index()] = if self.system.accepting(state) { ACCEPTING } else { 0 };
        }
        Ok(number)
    }

    /// The size of a table indexed by number of state.
    pub(crate) fn numbers(&self) -> usize {
        self.known.numbers()
    }

    /// How many states are stored.
    pub(crate) fn len(&self) -> u64 {
        self.known.len()
    }

    /// Whether a state has this number.
    pub(crate) fn is_number(&mut self, state: &[u8], number: StateId) -> bool {
        self.known.find(StateHash::of(state), state) == Some(number)
    }

    /// Clears the bits of the search in all states, except those of `mask`.
    pub(crate) fn keep_tags(&mut self, mask: u8) {
        self.tags.iter_mut().for_each(|tag| *tag &= mask | ACCEPTING);
    }

    #[inline]
    pub(crate) fn tag(&self, state: StateId) -> u8 {
        self.tags[state.index()]
    }

    /// Replaces the bits of `mask` in a state's byte.
    #[inline]
    pub(crate) fn set_tag(&mut self, state: StateId, mask: u8, bits: u8) {
        let tag = &mut self.tags[state.index()];
        *tag = *tag & !mask | bits;
    }

    #[inline]
    pub(crate) fn is_accepting(&self, state: StateId) -> bool {
        self.tag(state) & ACCEPTING != 0
    }

    /// The component of a state; the whole, if components are not to be used.
    #[inline]
    pub(crate) fn component(&self, state: StateId) -> Component {
        if self.knows_components {
            self.known.component(state, |bytes| self.system.component(bytes))
        } else {
            Component::WHOLE
        }
    }

    /// Gives `sink` each successor, in order, with the marks collected on the way to it, if they are of interest;
    /// `held` is the bytes the search holds beside this.
    #[inline]
    pub(crate) fn expand(
        &mut self,
        state: StateId,
        held: u64,
        mut sink: impl FnMut(StateId, Marks),
    ) -> Result<(), Exhausted> {
        self.tick(held)?;
        self.source.clear();
        match &mut self.known {
            Known::Whole(whole) => self.source.extend_from_slice(whole.open(state)),
            Known::Compact(_) => return self.expand_compact(state, sink),
        }
        self.execute(held)?;
        for index in 0..self.expansion.targets.len() {
            let (number, marks) = self.insert_target(index)?;
            sink(number, marks);
        }
        Ok(())
    }

    /// Stores the target of this index; gives its number and the marks collected on the way to it.
    #[inline]
    fn insert_target(&mut self, index: usize) -> Result<(StateId, Marks), Exhausted> {
        let target = self.expansion.targets[index];
        let state = self.expansion.state(&target);
        let (system, known) = (self.system, &mut self.known);
        let Ok((number, is_new)) = known.insert(target.hash, state, |state| system.component(state)) else {
            return Err(Exhausted::Memory);
        };
        if is_new {
            self.meter.statistics.states += 1;
            if number.index() >= self.tags.len() {
                self.tags.resize(self.known.numbers(), 0);
            }
            self.tags[number.index()] = if self.system.accepting(state) { ACCEPTING } else { 0 };
        }
        Ok((number, target.label))
    }

    /// Gives the successors of a state from memory, or by executing it for the first and last time.
    #[cold]
    fn expand_compact(&mut self, state: StateId, mut sink: impl FnMut(StateId, Marks)) -> Result<(), Exhausted> {
        let mut successors = Vec::new();
        let remembered = self.remembered.as_ref().expect("successors are remembered where states are not kept");
        if !remembered.recall(state, &mut successors) {
            if let Known::Compact(compact) = &self.known {
                self.source.extend_from_slice(compact.whole(state));
            }
            self.execute(0)?;
            for index in 0..self.expansion.targets.len() {
                successors.push(self.insert_target(index)?);
            }
            let is_learned = self.remembered.as_mut().is_some_and(|remembered| remembered.learn(state, &successors));
            if let (true, Known::Compact(compact)) = (is_learned, &mut self.known) {
                compact.forget(state);
            }
        }
        for (successor, marks) in successors {
            sink(successor, marks);
        }
        Ok(())
    }

    /// Executes all steps of `self.source`; `held` is the bytes that the search holds besides this.
    #[inline]
    fn execute(&mut self, held: u64) -> Result<(), Exhausted> {
        let labels = CollectedMarks { system: self.system, collects: self.collects_marks };
        let follows = self.grain == Grain::Visible;
        let parts = Parts { system: self.system, labels, store: &self.known, follows };
        self.expansion.clear();
        let has_transient = self.expansion.step(&parts, &mut self.scratch, &self.source, &mut self.meter);
        let mut followed = Ok(());
        if follows && has_transient {
            let held = self.bytes(held) - self.expansion.bytes();
            followed = self.expansion.follow(&parts, &mut self.scratch, &mut self.meter, held);
        }
        self.meter.statistics.faults += self.expansion.faults.len() as u64;
        followed
    }

    /// Makes every step count from now on, and has successors remembered. A search that keeps fingerprints begins anew: it
    /// has not kept the states from which it could execute single steps.
    pub(crate) fn count_every_step(&mut self) {
        if self.grain == Grain::Single {
            return;
        }
        self.grain = Grain::Single;
        self.remembered = Some(Remembered::default());
        if let Known::Compact(compact) = &mut self.known {
            *compact = Compact::new(compact.bits());
            self.tags.clear();
            self.states_before = std::mem::take(&mut self.meter.statistics.states);
        }
    }

    /// Whether successors are remembered.
    pub(crate) fn remembers(&self) -> bool {
        self.remembered.is_some()
    }

    /// Writes the successors of a state, in order and with the marks of the steps to them, over `into`.
    #[inline]
    pub(crate) fn successors(
        &mut self,
        state: StateId,
        held: u64,
        into: &mut Vec<(StateId, Marks)>,
    ) -> Result<(), Exhausted> {
        into.clear();
        if self.remembered.as_ref().is_some_and(|remembered| remembered.recall(state, into)) {
            return self.tick(held);
        }
        self.expand(state, held, |successor, marks| into.push((successor, marks)))?;
        if let (Some(remembered), Known::Whole(_)) = (&mut self.remembered, &self.known) {
            remembered.learn(state, into);
        }
        Ok(())
    }

    /// To be called once in a while: counts, tells, and says whether to stop.
    #[inline]
    pub(crate) fn tick(&mut self, held: u64) -> Result<(), Exhausted> {
        if self.meter.is_due() { self.look(held) } else { Ok(()) }
    }

    fn look(&mut self, held: u64) -> Result<(), Exhausted> {
        match self.meter.look(self.bytes(held)) {
            Err(Exhausted::Memory) if self.is_exact() && self.remembered.take().is_some() => Ok(()),
            otherwise => otherwise,
        }
    }

    /// The bytes in use, `held` of them by the search beside this.
    fn bytes(&self, held: u64) -> u64 {
        let own = self.tags.capacity() + self.source.capacity();
        let remembered = self.remembered.as_ref().map_or(0, Remembered::bytes);
        self.known.bytes() + own as u64 + self.expansion.bytes() + remembered + held
    }

    pub(crate) fn note_bytes(&mut self, held: u64) {
        self.meter.note_bytes(self.bytes(held));
    }

    /// Whether a path of this many steps may be followed; notes the depth, or that it may not.
    #[inline]
    pub(crate) fn allows(&mut self, depth: u64) -> bool {
        self.meter.allows(depth)
    }

    /// The final statistics. If a path turned out not to be a run, the store certainly confused two states.
    pub(crate) fn finish(&mut self) -> Statistics {
        let estimated = self.known.missed();
        let missed = if self.was_confused { estimated.map(|_| 1.0) } else { estimated };
        let statistics = self.meter.finish();
        let compressed = matches!(&self.known, Known::Whole(whole) if whole.has_compressed());
        Statistics {
            missed,
            compressed,
            store: self.known.bytes(),
            states: statistics.states.max(self.states_before),
            ..statistics
        }
    }

    /// Appends to `path` the shortest way from one state to another through transient states only that collects these
    /// marks.
    ///
    /// # Panics
    /// If there is no such path: the system breaks its laws, or a search is wrong.
    pub(crate) fn connect(
        &mut self,
        from: StateId,
        marks: Marks,
        to: StateId,
        path: &mut Vec<Move<A::Step>>,
    ) -> Result<(), Exhausted> {
        let Known::Whole(whole) = &self.known else { return self.walk(from, marks, to, path) };
        let [from, to] = [from, to].map(|state| whole.copy(state));
        let segment =
            Segment { from: &from, goal: Goal::State(&to), marks, through_transient: self.grain == Grain::Visible };
        let marks = |step| self.system.marks(step);
        let budget = self.meter.rebuilding_budget();
        connect(self.system, &mut self.scratch, segment, marks, budget, path).map(|_| ())
    }

    /// [`Self::connect`] where states are not kept: continues from the end of the last call, or from the initial state, to a
    /// state of this number. If there is none, the store confused two states.
    fn walk(
        &mut self,
        from: StateId,
        marks: Marks,
        to: StateId,
        path: &mut Vec<Move<A::Step>>,
    ) -> Result<(), Exhausted> {
        let Known::Compact(compact) = &mut self.known else { return Ok(()) };
        let before = compact.walk.take().filter(|(at, _)| *at == from).map(|(_, state)| state);
        let state = before.unwrap_or_else(|| {
            let mut initial = Vec::new();
            self.system.initial(&mut initial);
            initial
        });
        let compact = &*compact;
        let is_wanted = |next: &[u8]| compact.find(StateHash::of(next)) == Some(to);
        let through_transient = self.grain == Grain::Visible;
        let segment = Segment { from: &state, goal: Goal::Like(&is_wanted), marks, through_transient };
        let budget = self.meter.rebuilding_budget();
        let joined = join(self.system, &mut self.scratch, segment, |step| self.system.marks(step), budget, path)?;
        match (joined, path.last(), &mut self.known) {
            (Joined::State, Some(last), Known::Compact(compact)) => compact.walk = Some((to, last.state.to_vec())),
            _ => self.is_confused = true,
        }
        Ok(())
    }

    /// Makes the next call of [`Self::connect`] begin at the initial state.
    pub(crate) fn walk_anew(&mut self) {
        if let Known::Compact(compact) = &mut self.known {
            compact.walk = None;
        }
        self.is_confused = false;
    }

    /// The run that the search found, unless the store confused states and the path is not a run.
    pub(crate) fn validated(&mut self, lasso: Lasso<A::Step>) -> Result<Option<Lasso<A::Step>>, Exhausted> {
        let is_sure = self.is_exact()
            || !self.is_confused && lasso.check_within(self.system, self.meter.rebuilding_budget())?.is_ok();
        self.was_confused |= !is_sure;
        Ok(is_sure.then_some(lasso))
    }

    /// Whether a run that was found must be a run.
    pub(crate) fn is_exact(&self) -> bool {
        matches!(self.known, Known::Whole(_))
    }

    /// The lasso along a path of states whose last one leads back to the one of index `knot`; none if states were taken for
    /// one another and there is no such run.
    pub(crate) fn lasso(&mut self, path: &[StateId], knot: usize) -> Result<Option<Lasso<A::Step>>, Exhausted> {
        let started = Instant::now();
        self.walk_anew();
        let (mut stem, mut cycle) = (Vec::new(), Vec::new());
        for (index, pair) in path.windows(2).enumerate() {
            self.connect(pair[0], Marks::NONE, pair[1], if index < knot { &mut stem } else { &mut cycle })?;
        }
        self.connect(path[path.len() - 1], Marks::NONE, path[knot], &mut cycle)?;
        self.meter.statistics.tracing += started.elapsed();
        self.validated(Lasso { stem, cycle })
    }
}
