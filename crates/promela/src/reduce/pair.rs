//! What one process needs of another one, by where the two stand.
//!
//! *What.* Whether a process needs another one depends on which of its edges can be taken, and on the future of the other. For
//! each edge of the one and each future of the other the table says whether they conflict, and whether the future may make
//! the edge possible. From that follows what a location needs whatever it can do: if an edge needs the other process whether it
//! can be taken or not; and if the process can move, also what all its edges conflict with.
//!
//! *Contract.* [`Pair::place`] without [`MAY`]: no edge of the location needs the other process. With [`MUST`]: every closed
//! set with the one contains the other. With [`MOVING`]: every closed set with the one, if it can move, does.
//!
//! *Tested by* the unit tests of [`super::cast`], and with the choice.

use super::instance::Instance;
use super::set::Access;
use crate::compiled::code::Guard;
use crate::compiled::model::Model;

/// Of a place: the first process may need the second.
pub(super) const MAY: u8 = 1;
/// Of a place: the first process needs the second, whatever it can do.
pub(super) const MUST: u8 = 2;
/// Of a place: the first process needs the second if it can move.
pub(super) const MOVING: u8 = 4;

/// Of an edge: it does not accord with the future.
pub(super) const CONFLICT: u8 = 1;
/// Of an edge: the future may make it possible.
pub(super) const WAKE: u8 = 2;
/// Of a receive from a channel with a message: the future may make it possible.
pub(super) const WAKE_FILLED: u8 = 4;
/// What is known of the future without the ends of processes is this many bits higher.
const LASTING: u32 = 3;

/// What an instance needs of another one.
#[derive(Debug)]
pub(super) struct Pair {
    /// How many futures the other has.
    width: usize,
    /// By the location of the first, then the future of the second.
    places: Box<[u8]>,
    /// By the edge of the first, then the future of the second.
    edges: Box<[u8]>,
}

impl Pair {
    pub(super) fn new(model: &Model, own: &Instance, other: &Instance) -> Self {
        let nodes = &model.definitions[own.definition].nodes;
        let base = nodes.first().map_or(0, |node| node.first);
        let mut edges = Vec::with_capacity(own.edges.len() * other.futures.len());
        for edge in &own.edges {
            let both = other.futures.iter().zip(&other.lasting);
            edges.extend(both.map(|(whole, lasting)| relation(edge, whole) | relation(edge, lasting) << LASTING));
        }
        let mut pair = Self { width: other.futures.len(), places: Box::default(), edges: edges.into() };
        let mut places = Vec::with_capacity(nodes.len() * pair.width);
        for node in nodes {
            let numbers = node.first - base..node.first - base + node.count;
            for future in 0..pair.width {
                let may = numbers.clone().any(|edge| pair.edge(edge, future, true) & (CONFLICT | WAKE) != 0);
                // An end waits for the process above it, which is not known here.
                let must = numbers.clone().any(|edge| {
                    pair.edge(edge, future, false) == CONFLICT | WAKE | WAKE_FILLED
                        && !matches!(model.edges[base + edge].guard, Guard::Terminate)
                });
                let moving = numbers.clone().all(|edge| pair.edge(edge, future, false) & CONFLICT != 0);
                places.push(flag(may, MAY) | flag(must, MUST) | flag(must || moving, MOVING));
            }
        }
        pair.places = places.into();
        pair
    }

    /// What a location of the first says about the second with this future.
    #[inline]
    pub(super) fn place(&self, location: usize, future: u32) -> u8 {
        self.places[location * self.width + future as usize]
    }

    /// What a location of the first says whatever the future of the second is, and what for some future.
    pub(super) fn places(&self, location: usize) -> (u8, u8) {
        let row = &self.places[location * self.width..(location + 1) * self.width];
        row.iter().fold((u8::MAX, 0), |(all, some), place| (all & place, some | place))
    }

    /// How an edge of the first, counted from the first one of its definition, relates to a future of the second, with or
    /// without the ends of processes.
    #[inline]
    pub(super) fn edge(&self, edge: usize, future: usize, with_ends: bool) -> u8 {
        let shift = if with_ends { 0 } else { LASTING };
        self.edges[edge * self.width + future] >> shift & (CONFLICT | WAKE | WAKE_FILLED)
    }

    /// The same for all futures of the second; none if they differ.
    pub(super) fn edge_everywhere(&self, edge: usize, with_ends: bool) -> Option<u8> {
        let first = self.edge(edge, 0, with_ends);
        (1..self.width).all(|future| self.edge(edge, future, with_ends) == first).then_some(first)
    }
}

fn relation(edge: &Access, future: &Access) -> u8 {
    flag(edge.conflicts(future), CONFLICT)
        | flag(edge.is_woken_by(future), WAKE)
        | flag(edge.is_woken_while_filled_by(future), WAKE_FILLED)
}

fn flag(is: bool, flag: u8) -> u8 {
    if is { flag } else { 0 }
}
