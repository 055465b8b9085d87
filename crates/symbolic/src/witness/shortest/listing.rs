//! States and steps of a system, listed one by one as they are asked for.
//!
//! Contract: steps lead from a listed state to all states of a set, each with the values of the inputs that were named as
//! telling, in a fixed order. Nothing is listed twice.

use std::collections::HashMap;
use std::rc::Rc;

use bdd::{Bdd, Cube, Variable};

use crate::image::system::System;
use kernel::budget::Exhausted;

/// Inputs up to which all their values are told apart.
const TELLING: usize = 6;

/// The values of the bits of a state.
type Packed = Box<[u64]>;

/// A step: the number of the label, and the state it leads to.
pub(super) type Move = (u32, u32);

/// The states that were listed so far.
pub(super) struct Listing<'s> {
    system: &'s System,
    set: Bdd,
    /// The place of each bit of the state, by the number of the bit.
    place: Vec<usize>,
    /// All values of the telling inputs.
    labels: Vec<Cube>,
    states: Vec<Packed>,
    number: HashMap<Packed, u32>,
    steps: Vec<Option<Rc<[Move]>>>,
}

impl<'s> Listing<'s> {
    /// Of the states of a set; none if too many inputs are telling.
    pub(super) fn new(system: &'s System, set: &Bdd, telling: &[Variable]) -> Option<Self> {
        if telling.len() > TELLING {
            return None;
        }
        let last = system.state_bits().iter().map(|bit| bit.0 as usize + 1).max().unwrap_or(0);
        let mut place = vec![usize::MAX; last];
        for (at, bit) in system.state_bits().iter().enumerate() {
            place[bit.0 as usize] = at;
        }
        let value = |values: usize| move |(at, bit): (usize, &Variable)| (*bit, values >> at & 1 == 1);
        let label = |values: usize| Cube::new(telling.iter().enumerate().map(value(values))).expect("each bit once");
        let labels = (0..1 << telling.len()).map(label).collect();
        let (states, number, steps) = (Vec::new(), HashMap::new(), Vec::new());
        Some(Listing { system, set: set.clone(), place, labels, states, number, steps })
    }

    /// How many states were listed.
    pub(super) fn count(&self) -> usize {
        self.states.len()
    }

    /// How many labels there are.
    pub(super) fn label_count(&self) -> usize {
        self.labels.len()
    }

    /// The values of inputs that a label stands for.
    pub(super) fn label(&self, label: u32) -> &Cube {
        &self.labels[label as usize]
    }

    /// A state as a cube.
    pub(super) fn cube(&self, state: u32) -> Cube {
        let packed = &self.states[state as usize];
        let literal = |(at, bit): (usize, &Variable)| (*bit, packed[at / 64] >> (at % 64) & 1 == 1);
        Cube::new(self.system.state_bits().iter().enumerate().map(literal)).expect("each bit once")
    }

    /// The values of some bits in a state.
    pub(super) fn part(&self, state: u32, bits: &[Variable]) -> Vec<bool> {
        bits.iter().map(|bit| self.value(state, *bit)).collect()
    }

    fn value(&self, state: u32, bit: Variable) -> bool {
        let at = self.place[bit.0 as usize];
        self.states[state as usize][at / 64] >> (at % 64) & 1 == 1
    }

    /// Whether a state is in a set.
    pub(super) fn contains(&self, set: &Bdd, state: u32) -> bool {
        set.evaluate(|bit| self.value(state, bit))
    }

    /// Whether a state with the inputs of a label satisfies a constraint.
    pub(super) fn meets(&self, constraint: &Bdd, state: u32, label: u32) -> bool {
        let inputs = &self.labels[label as usize];
        constraint.evaluate(|bit| inputs.value(bit).unwrap_or_else(|| self.value(state, bit)))
    }

    /// The numbers of the states of a set, or none if there are more than `most`.
    pub(super) fn list(&mut self, set: &Bdd, most: usize) -> Option<Vec<u32>> {
        let bits = u32::try_from(self.system.state_bits().len()).expect("few bits");
        if set.count(bits).is_none_or(|count| count > most as u128) {
            return None;
        }
        let words = self.system.state_bits().len().div_ceil(64);
        let mut found = Vec::new();
        for cube in set.cubes() {
            let mut packed = vec![0_u64; words];
            for (bit, value) in cube.literals() {
                let at = self.place[bit.0 as usize];
                packed[at / 64] |= u64::from(*value) << (at % 64);
            }
            let is_free = |bit: &&Variable| cube.value(**bit).is_none();
            let free: Vec<usize> =
                self.system.state_bits().iter().filter(is_free).map(|bit| self.place[bit.0 as usize]).collect();
            for values in 0..1_usize << free.len() {
                let mut state = packed.clone();
                for (at, place) in free.iter().enumerate() {
                    state[place / 64] |= ((values >> at & 1) as u64) << (place % 64);
                }
                found.push(self.number(state.into()));
            }
        }
        Some(found)
    }

    fn number(&mut self, state: Packed) -> u32 {
        if let Some(known) = self.number.get(&state) {
            return *known;
        }
        let number = u32::try_from(self.states.len()).expect("few states");
        self.states.push(state.clone());
        self.number.insert(state, number);
        self.steps.push(None);
        number
    }

    /// The steps from a state into the set, or none if there are more than `most`.
    pub(super) fn steps(&mut self, state: u32, most: usize) -> Result<Option<Rc<[Move]>>, Exhausted> {
        if let Some(known) = &self.steps[state as usize] {
            return Ok(Some(known.clone()));
        }
        let manager = self.system.manager();
        let here = manager.try_cube(&self.cube(state))?;
        let mut steps = Vec::new();
        for label in 0..u32::try_from(self.labels.len()).expect("few labels") {
            let condition = manager.try_cube(&self.labels[label as usize])?;
            let next = self.system.image_with(&here, &condition)?.try_and(&self.set)?;
            let Some(next) = self.list(&next, most - steps.len().min(most)) else { return Ok(None) };
            steps.extend(next.into_iter().map(|next| (label, next)));
        }
        let steps: Rc<[Move]> = steps.into();
        self.steps[state as usize] = Some(steps.clone());
        Ok(Some(steps))
    }
}
