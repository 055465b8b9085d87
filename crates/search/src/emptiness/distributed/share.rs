//! The states that one worker owns, and what it does with them in each phase.

use super::vertices::{Parent, Vertices};
use crate::accepting::{Accepting, Component};
use crate::expansion::{Expansion, Parts};
use crate::meter::Meter;
use crate::space::CollectedMarks;
use crate::store::Store;
use crate::store::exact::StateHash;
use crate::store::number::StateId;
use crate::team::part::Part;
use crate::team::{Outbox, Wave};
use kernel::budget::Exhausted;
use omega::analyse::strength::Strength;
use omega::automaton::Marks;

/// What a state that is worked on does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// It tells its successors that they exist.
    Explore,
    /// It has left the set, and tells its inner successors.
    Trim,
    /// It tells its inner successors which acceptance sets reach it.
    Spread,
    /// It tells its inner successors that a path leads to them. The goal is where the paths are to lead.
    Path {
        /// What a path begins with: a step of this acceptance set, or any.
        set: Option<u32>,
        /// True if the states that are worked on begin paths.
        begins: bool,
        /// The number of the goal, at its owner.
        goal: Option<StateId>,
    },
}

/// Expands states.
pub(super) struct Explorer<'a, A: Accepting> {
    system: &'a A,
    pub(super) scratch: A::Scratch,
    expansion: Expansion<A::Step, Marks>,
    pub(super) meter: Meter<'a>,
}

impl<A: Accepting> Explorer<'_, A> {
    /// Gives each successor of a state to `sink`, with the marks on the way to it. Nothing is stored.
    pub(super) fn successors(
        &mut self,
        state: &[u8],
        mut sink: impl FnMut(StateHash, &[u8], Marks),
    ) -> Result<(), Exhausted> {
        self.meter.tick(0)?;
        self.expand(state, 0)?;
        let targets = self.expansion.targets.iter();
        targets.for_each(|target| sink(target.hash, self.expansion.state(target), target.label));
        Ok(())
    }

    /// Expands a state; `held` is the bytes that are in use.
    fn expand(&mut self, state: &[u8], held: u64) -> Result<(), Exhausted> {
        let labels = CollectedMarks { system: self.system, collects: true };
        let parts = Parts { system: self.system, labels, store: &(), follows: true };
        self.expansion.clear();
        if self.expansion.step(&parts, &mut self.scratch, state, &mut self.meter) {
            self.expansion.follow(&parts, &mut self.scratch, &mut self.meter, held)?;
        }
        self.meter.statistics.faults += self.expansion.faults.len() as u64;
        Ok(())
    }
}

/// See the module's text.
pub(super) struct Share<'a, A: Accepting> {
    pub(super) system: &'a A,
    pub(super) explorer: Explorer<'a, A>,
    pub(super) part: Part,
    pub(super) vertices: Vertices,
    phase: Phase,
    /// What is left to work on in this wave, and what is for the next one.
    now: Vec<StateId>,
    next: Vec<StateId>,
    /// Whether some state lies in a strong component.
    pub(super) has_strong: bool,
    /// Whether this worker wants the search to be saved.
    pub(super) saves: bool,
    all: Marks,
    /// The bytes in buffers, as of the last look.
    pub(super) in_flight: u64,
}

impl<'a, A: Accepting> Share<'a, A> {
    pub(super) fn new(system: &'a A, store: Store, meter: Meter<'a>) -> Self {
        Self {
            system,
            part: Part::new(store, meter.memory),
            explorer: Explorer { system, scratch: system.scratch(), expansion: Expansion::new(), meter },
            vertices: Vertices::new(system.sets()),
            phase: Phase::Explore,
            now: Vec::new(),
            next: Vec::new(),
            has_strong: false,
            saves: false,
            all: Marks::all(system.sets()),
            in_flight: 0,
        }
    }

    /// Begins a phase with these states.
    pub(super) fn begin(&mut self, phase: Phase, states: Vec<StateId>) {
        (self.phase, self.now) = (phase, states);
        self.next.clear();
    }

    /// Ends a wave.
    pub(super) fn turn(&mut self) {
        self.now.clear();
        std::mem::swap(&mut self.now, &mut self.next);
        if let Phase::Path { begins, .. } = &mut self.phase {
            *begins = false;
        }
    }

    /// How many states this worker works on in the next wave.
    pub(super) fn work_left(&self) -> u64 {
        self.now.len() as u64
    }

    /// Whether a path leads to the goal.
    pub(super) fn is_goal_reached(&self) -> bool {
        match self.phase {
            Phase::Path { goal: Some(goal), .. } => self.vertices.parent(goal).is_some(),
            _ => false,
        }
    }

    /// The states of the set out of which steps of acceptance sets can lead.
    pub(super) fn sources(&mut self) -> Vec<StateId> {
        let mut sources = self.vertices.all_members();
        if self.system.is_state_based() {
            let (system, store, mut state) = (self.system, &self.part.store, Vec::new());
            sources.retain(|number| {
                store.copy(*number, &mut state);
                system.accepting(&state) || is_weak(system.component(&state))
            });
        }
        sources.iter().for_each(|number| {
            self.vertices.queue(*number);
        });
        sources
    }

    /// The number of a state that this worker owns.
    pub(super) fn number(&self, state: &[u8]) -> Option<StateId> {
        self.part.store.find(StateHash::of(state), state)
    }

    /// The bytes that this worker holds.
    pub(super) fn bytes(&self) -> u64 {
        let lists = (self.now.capacity() + self.next.capacity()) * size_of::<StateId>();
        self.part.bytes() + self.vertices.bytes() + self.explorer.expansion.bytes() + lists as u64 + self.in_flight
    }

    fn visit(&mut self, outbox: &mut Outbox<'_>, number: StateId) -> Result<(), Exhausted> {
        if self.explorer.meter.is_due() {
            self.in_flight = outbox.bytes();
            let held = self.bytes();
            self.explorer.meter.look(held)?;
        }
        let held = self.part.bytes();
        self.part.store.open(number);
        let source = self.part.store.opened();
        let component = self.system.component(source);
        let reached = match self.phase {
            Phase::Spread => {
                self.vertices.unqueue(number);
                self.vertices.reached(number)
            }
            Phase::Explore | Phase::Trim | Phase::Path { .. } => 0,
        };
        self.explorer.expand(source, held)?;
        // Taken, since what stays here changes the tables.
        let expansion = std::mem::replace(&mut self.explorer.expansion, Expansion::new());
        let own = outbox.own();
        for target in &expansion.targets {
            let state = expansion.state(target);
            let is_inner =
                component.strength != Strength::Rejecting && self.system.component(state).number == component.number;
            if !is_inner && self.phase != Phase::Explore {
                continue;
            }
            let marks = if is_weak(component) { self.all } else { target.label };
            let (mut more, mut length, mut flag) = ([0; 16], 0, is_inner);
            match self.phase {
                Phase::Explore | Phase::Trim => {}
                Phase::Spread => {
                    let sets = reached | marks.bits();
                    if sets == 0 {
                        continue;
                    }
                    (more, length) = self.vertices.encode(sets);
                    flag = self.vertices.is_full(reached);
                }
                Phase::Path { set, begins, .. } => {
                    if begins && set.is_some_and(|set| !marks.contains(set)) {
                        continue;
                    }
                    let parent = Parent { worker: own, number, is_first: begins };
                    more[..8].copy_from_slice(&parent.encode());
                    length = 8;
                }
            }
            match outbox.owner(target.hash, state) {
                owner if owner == own => self.told(target.hash, state, &more[..length], flag),
                owner => outbox.send_with(owner, state, &more[..length], flag),
            }
        }
        self.explorer.expansion = expansion;
        self.part.limit.map_or(Ok(()), Err)
    }

    /// A state of this worker is told something.
    fn told(&mut self, hash: StateHash, state: &[u8], more: &[u8], flag: bool) {
        if self.phase == Phase::Explore {
            self.explored(hash, state, flag);
            return;
        }
        // Beyond a depth limit states are unknown.
        let Some(number) = self.part.store.find(hash, state) else { return };
        if !self.vertices.is_member(number) {
            return;
        }
        let is_next = match self.phase {
            Phase::Explore => unreachable!("handled above"),
            Phase::Trim => self.vertices.uncount(number),
            Phase::Spread => {
                if flag {
                    self.vertices.count(number);
                }
                let mut sets = [0; 16];
                sets[..more.len()].copy_from_slice(more);
                self.vertices.reach(number, u128::from_le_bytes(sets))
            }
            Phase::Path { .. } => {
                let parent = more.try_into().ok().and_then(Parent::decode).expect("a parent is eight bytes");
                self.vertices.adopt(number, parent)
            }
        };
        if is_next {
            self.next.push(number);
        }
    }

    /// A state exists, and an inner step leads to it perhaps.
    pub(super) fn explored(&mut self, hash: StateHash, state: &[u8], is_inner: bool) {
        let Some((number, is_new)) = self.part.insert_hashed(hash, state, false) else { return };
        if is_new {
            let strength = self.system.component(state).strength;
            self.has_strong |= strength == Strength::Strong;
            self.vertices.add(number, self.part.store.numbers(), strength != Strength::Rejecting);
        }
        if is_inner {
            self.vertices.count(number);
        }
    }
}

/// Whether every cycle is accepting.
pub(super) fn is_weak(component: Component) -> bool {
    matches!(component.strength, Strength::Weak | Strength::Terminal)
}

impl<A: Accepting> Wave for Share<'_, A> {
    fn work(&mut self, outbox: &mut Outbox<'_>, _most: usize) -> usize {
        if self.part.is_stopped() {
            return 0;
        }
        let Some(number) = self.now.pop() else { return 0 };
        if let Err(limit) = self.visit(outbox, number) {
            self.part.limit.get_or_insert(limit);
        }
        1
    }

    fn accept(&mut self, packet: &[u8]) {
        if packet.is_empty() {
            self.part.ask_to_stop();
            return;
        }
        let behind = match self.phase {
            Phase::Explore | Phase::Trim => 0,
            Phase::Spread => self.vertices.encode(0).1,
            Phase::Path { .. } => 8,
        };
        let (mut rest, mut arrivals) = (packet, std::mem::take(&mut self.part.arrivals));
        arrivals.begin();
        while arrivals.fill(&mut rest, behind, &self.part.store) {
            arrivals.each().for_each(|(hash, state, more, flag)| self.told(hash, state, more, flag));
        }
        self.part.arrivals = arrivals;
    }

    fn part(&mut self) -> &mut Part {
        &mut self.part
    }
}
