//! A sample of the states and steps of a system, from random walks that are the same each time.
//!
//! It is empty where the system is so small that a sample costs more than it can save, and where there is a depth limit: walks go on beyond
//! it, and what a system notices there is not to be reported.

use crate::expansion::Expansion;
use crate::explore::parallel::expand;
use crate::meter::{Meter, Statistics};
use crate::space::Grain;
use kernel::budget::{Budget, Exhausted};
use kernel::system::System;
use std::collections::HashSet;

/// How many states the sample has, and how many of them are from one walk at most.
const STATES: usize = 512;
const STATES_PER_WALK: u64 = 4;
/// The steps from one such state to the next.
const STRIDE: u64 = 32;
/// The most walks: where runs are short, walks have fewer states.
const WALKS: usize = 1024;
/// How many successors of a state belong to the sample at most.
const SUCCESSORS: usize = 16;
/// A system with fewer states than this has no sample.
const LEAST: usize = 1000;

/// See the module's text.
#[derive(Default)]
pub(crate) struct Sample {
    arena: Vec<u8>,
    /// Where states lie, in the order of their walks, and how many states the walks have.
    states: Vec<(usize, usize)>,
    walks: Vec<usize>,
    /// Steps: the state before each, and where the state after it lies.
    steps: Vec<(usize, (usize, usize))>,
}

impl Sample {
    /// A sample of a system; an empty one if a limit is in the way.
    pub(crate) fn of<M: System>(system: &M, grain: Grain, budget: &Budget) -> Self {
        if budget.depth.is_some() {
            return Self::default();
        }
        let mut silent = |_: &Statistics| {};
        let mut meter = Meter::new(budget, &mut silent);
        let mut walker = Walker {
            system,
            grain,
            scratch: system.scratch(),
            expansion: Expansion::new(),
            random: 0x6c61_7269_6174,
            first: Vec::new(),
            sample: Self::default(),
        };
        match walker.is_small(&mut meter) {
            Ok(false) => {}
            Ok(true) | Err(_) => return Self::default(),
        }
        for _ in 0..WALKS {
            if walker.sample.states.len() >= STATES {
                break;
            }
            if walker.walk(&mut meter).is_err() {
                return Self::default();
            }
        }
        walker.sample
    }

    pub(crate) fn states(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.states.iter().map(|(start, end)| &self.arena[*start..*end])
    }

    pub(crate) fn state(&self, index: usize) -> &[u8] {
        let (start, end) = self.states[index];
        &self.arena[start..end]
    }

    /// The states before and after each step.
    pub(crate) fn steps(&self) -> impl ExactSizeIterator<Item = (&[u8], &[u8])> {
        self.steps.iter().map(|(from, (start, end))| (self.state(*from), &self.arena[*start..*end]))
    }

    /// The pairs of states that are from the same walk.
    pub(crate) fn kin(&self) -> Vec<(u32, u32)> {
        let (mut pairs, mut first) = (Vec::new(), 0);
        for count in &self.walks {
            let end = first + *count as u32;
            pairs.extend((first..end).flat_map(|one| (one + 1..end).map(move |other| (one, other))));
            first = end;
        }
        pairs
    }

    fn add(&mut self, state: &[u8]) -> (usize, usize) {
        let start = self.arena.len();
        self.arena.extend_from_slice(state);
        (start, self.arena.len())
    }
}

struct Walker<'a, M: System> {
    system: &'a M,
    grain: Grain,
    scratch: M::Scratch,
    expansion: Expansion<M::Step, ()>,
    random: u64,
    /// The successors of the initial state, which may take long to find, since many models begin with a long atomic sequence.
    first: Vec<Vec<u8>>,
    sample: Sample,
}

impl<M: System> Walker<'_, M> {
    fn expand(&mut self, state: &[u8], meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        let held = self.expansion.bytes() + self.sample.arena.capacity() as u64;
        meter.tick(held)?;
        self.expansion.clear();
        expand(self.system, self.grain, &(), &mut self.expansion, &mut self.scratch, state, meter, held)
    }

    /// Whether the system has few states.
    fn is_small(&mut self, meter: &mut Meter<'_>) -> Result<bool, Exhausted> {
        let mut initial = Vec::new();
        self.system.initial(&mut initial);
        let (mut known, mut waiting) = (HashSet::from([initial.clone()]), vec![initial]);
        while let Some(state) = waiting.pop() {
            if known.len() >= LEAST {
                return Ok(false);
            }
            self.expand(&state, meter)?;
            if self.first.is_empty() {
                let targets = self.expansion.targets.iter().take(LEAST);
                self.first = targets.map(|target| self.expansion.state(target).to_vec()).collect();
            }
            for target in self.expansion.targets.iter().take(LEAST) {
                let state = self.expansion.state(target);
                if known.insert(state.to_vec()) {
                    waiting.push(state.to_vec());
                }
            }
        }
        Ok(true)
    }

    /// Walks from a successor of the initial state, and adds some of the states on the way. A walk may end with a run.
    fn walk(&mut self, meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        // It is not empty, because the system has many states.
        let index = self.below(self.first.len());
        let mut state = self.first[index].clone();
        self.sample.walks.push(0);
        for step in 2..=STATES_PER_WALK * STRIDE {
            self.expand(&state, meter)?;
            let count = self.expansion.targets.len();
            if count == 0 {
                break;
            }
            let index = self.below(count);
            let target = &self.expansion.targets[index];
            state.clear();
            state.extend_from_slice(self.expansion.state(target));
            if step % STRIDE == 0 {
                self.expand(&state, meter)?;
                let (expansion, sample) = (&self.expansion, &mut self.sample);
                let place = sample.add(&state);
                for target in expansion.targets.iter().take(SUCCESSORS) {
                    let place = sample.add(expansion.state(target));
                    sample.steps.push((sample.states.len(), place));
                }
                sample.states.push(place);
                *sample.walks.last_mut().expect("a walk has begun") += 1;
            }
        }
        Ok(())
    }

    /// A random number below another one.
    fn below(&mut self, bound: usize) -> usize {
        // The generator of Steele, Lea and Flood (2014), which needs no state but a counter.
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(mixed ^ mixed >> 31) * bound as u128) >> 64) as usize
    }
}
