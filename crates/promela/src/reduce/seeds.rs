//! Which processes can begin a set that leaves something out, as far as the places where processes stand tell.
//!
//! *What.* Whether a process needs another one depends on which of its edges can be taken. If an edge needs the other process
//! whether it can be taken or not, the two locations decide. A process can move if a set begins with it, so that it also
//! needs what all its edges conflict with. The closure over these needs is part of every closed set; where it is everything,
//! or where each edge must be expanded fully, the process begins no set.
//!
//! *Contract.* [`Seeds::of`] contains every process from which [`super::choice`] would find a set. So it changes nothing but the
//! time that the choice takes: where it is empty, no guard is evaluated. Answers are kept for combinations of places that were
//! met lately.
//!
//! *Tested by* the unit tests below, and with the choice.

use super::instance::Instance;
use super::set::Access;
use crate::compiled::code::Guard;
use crate::compiled::model::{Model, Node};

/// How many combinations of places are kept.
const SLOTS: usize = 1 << 11;

/// Combinations of more places are not kept.
const MOST_KEPT: usize = 16;

/// Where a process stands: its instance, and its location.
pub(super) type Standing = (u32, u32);

/// What pairs of locations say about the needs of two instances, as bits: by the location of the first, then of the second.
#[derive(Debug)]
pub(super) struct Pair {
    width: usize,
    /// The first may need the second.
    may: Box<[u64]>,
    /// The first needs the second, whatever it can do.
    must: Box<[u64]>,
    /// The first needs the second if it can move.
    moving: Box<[u64]>,
}

impl Pair {
    /// The table of an instance of a definition with these nodes, and another instance.
    pub(super) fn new(model: &Model, nodes: &[Node], own: &Instance, other: &Instance) -> Self {
        let base = nodes.first().map_or(0, |node| node.first);
        let width = other.futures.len();
        let empty: Box<[u64]> = vec![0; (nodes.len() * width).div_ceil(64)].into();
        let mut pair = Self { width, may: empty.clone(), must: empty.clone(), moving: empty };
        for (location, node) in nodes.iter().enumerate() {
            let numbers = node.first..node.first + node.count;
            let edges = &own.edges[node.first - base..node.first - base + node.count];
            for (there, (future, lasting)) in other.futures.iter().zip(&other.lasting).enumerate() {
                let bit = location * width + there;
                let set = |table: &mut [u64], is: bool| table[bit / 64] |= u64::from(is) << (bit % 64);
                set(&mut pair.may, edges.iter().any(|edge| edge.conflicts(future) || edge.is_woken_by(future)));
                // An end waits for the process above it, which is not known here.
                let is_certain = |(number, edge): (usize, &Access)| {
                    !matches!(model.edges[number].guard, Guard::Terminate)
                        && edge.conflicts(lasting)
                        && edge.is_woken_by(lasting)
                        && edge.is_woken_while_filled_by(lasting)
                };
                let is_needed = numbers.clone().zip(edges).any(is_certain);
                set(&mut pair.must, is_needed);
                set(&mut pair.moving, is_needed || edges.iter().all(|edge| edge.conflicts(lasting)));
            }
        }
        pair
    }

    #[inline]
    fn has(&self, table: &[u64], location: u32, there: u32) -> bool {
        let bit = location as usize * self.width + there as usize;
        table[bit / 64] >> (bit % 64) & 1 != 0
    }

    /// Whether the first may need the second.
    #[inline]
    pub(super) fn may(&self, location: u32, there: u32) -> bool {
        self.has(&self.may, location, there)
    }

    fn must(&self, location: u32, there: u32) -> bool {
        self.has(&self.must, location, there)
    }

    fn moving(&self, location: u32, there: u32) -> bool {
        self.has(&self.moving, location, there)
    }
}

/// Answers for combinations of places that were met lately.
#[derive(Debug, Default)]
pub(super) struct Seeds {
    slots: Vec<(Vec<Standing>, u64)>,
    rows: Vec<[u64; 2]>,
}

impl Seeds {
    /// The answer for this combination of places, if it is kept.
    #[inline]
    pub(super) fn known(&self, places: &[Standing]) -> Option<u64> {
        let (kept, seeds) = self.slots.get(hash(places) % SLOTS)?;
        (kept == places).then_some(*seeds)
    }

    /// The processes that can begin a set; `pair` gives the table of two processes, by their numbers, and `is_barred` says
    /// whether each edge of a process must be expanded fully.
    pub(super) fn of<'p>(
        &mut self,
        places: &[Standing],
        pair: impl Fn(usize, usize) -> &'p Pair,
        is_barred: impl Fn(usize) -> bool,
    ) -> u64 {
        self.rows.clear();
        for (one, (_, location)) in places.iter().enumerate() {
            let mut row = [0_u64; 2];
            for (two, (_, there)) in places.iter().enumerate().filter(|(two, _)| *two != one) {
                let pair = pair(one, two);
                row[0] |= u64::from(pair.must(*location, *there)) << two;
                row[1] |= u64::from(pair.moving(*location, *there)) << two;
            }
            self.rows.push(row);
        }
        let is_seed = |seed: &usize| !is_barred(*seed) && !reaches_all(&self.rows, *seed);
        let seeds = (0..places.len()).filter(is_seed).fold(0, |seeds, seed| seeds | 1 << seed);
        if places.len() <= MOST_KEPT {
            if self.slots.is_empty() {
                self.slots.resize_with(SLOTS, Default::default);
            }
            let (kept, answer) = &mut self.slots[hash(places) % SLOTS];
            kept.clear();
            kept.extend_from_slice(places);
            *answer = seeds;
        }
        seeds
    }
}

/// Whether the closure from a process that can move is everything.
fn reaches_all(rows: &[[u64; 2]], seed: usize) -> bool {
    let everything = u64::MAX >> (64 - rows.len());
    let (mut closed, mut open) = (1 << seed, rows[seed][1]);
    while open != 0 && closed | open != everything {
        let next = open.trailing_zeros() as usize;
        closed |= 1 << next;
        open = (open | rows[next][0]) & !closed;
    }
    closed | open == everything
}

#[inline]
fn hash(places: &[Standing]) -> usize {
    let mix = |hash: u64, (instance, location): &Standing| {
        (hash.rotate_left(5) ^ (u64::from(*instance) << 16 ^ u64::from(*location))).wrapping_mul(0x517c_c1b7_2722_0a95)
    };
    usize::try_from(places.iter().fold(0, mix) >> 40).expect("a small number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closure_follows_what_is_needed_in_any_case() {
        // The first needs the second if it moves, the second the third in any case, the third nobody.
        let rows = [[0, 0b010], [0b100, 0b100], [0, 0]];
        assert!(reaches_all(&rows, 0));
        assert!(!reaches_all(&rows, 1));
        assert!(!reaches_all(&rows, 2));
        // What the second needs only if it moves is not part of a closure through it.
        assert!(!reaches_all(&[[0, 0b010], [0, 0b100], [0, 0]], 0));
    }
}
