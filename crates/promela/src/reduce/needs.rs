//! What each edge of a location needs, and each process.
//!
//! *Contract.* A closed set with a process contains, for each edge at its location, the processes that the edge needs.
//!
//! *Tested by* the choice, with which each edge is looked at.

use super::instance::{Instance, Tables};
use super::pair::{CONFLICT, WAKE, WAKE_FILLED};
use crate::compiled::code::Guard;
use crate::compiled::model::Model;

/// The processes that an edge needs: those that conflict with it if it can be taken, those that may make it possible if it
/// cannot, and those that may do so although the channel from which it receives has a message.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EdgeNeeds {
    pub(super) conflict: u64,
    pub(super) wake: u64,
    pub(super) wake_filled: u64,
}

/// Processes that are needed wherever they stand, and those that are needed where they stand at some locations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    pub(super) always: u64,
    pub(super) sometimes: u64,
}

impl Needs {
    /// Another process is needed.
    pub(super) fn add(&mut self, pid: usize, always: bool, sometimes: bool) {
        self.always |= u64::from(always) << pid;
        self.sometimes |= u64::from(sometimes && !always) << pid;
    }
}

/// What each edge of a location of a process needs, given how it relates to what other processes may do; none if that is not
/// known of one.
pub(super) fn edge_needs(
    model: &Model,
    tables: &Tables,
    (instance, pid, location): (&Instance, usize, usize),
    others: impl Iterator<Item = usize>,
    relation: impl Fn(usize, usize) -> Option<u8>,
) -> Option<Vec<EdgeNeeds>> {
    let node = &model.definitions[instance.definition].nodes[location];
    let first = node.first - tables.first[instance.definition];
    let mut all = vec![EdgeNeeds::default(); node.count];
    for other in others {
        for (edge, needs) in all.iter_mut().enumerate() {
            let relation = relation(other, first + edge)?;
            let waits_above = matches!(model.edges[node.first + edge].guard, Guard::Terminate) && !node.is_restricted;
            // The processes above it end first, from the last one on.
            let is_woken = if waits_above { other == pid + 1 } else { relation & WAKE != 0 };
            needs.conflict |= u64::from(relation & CONFLICT != 0) << other;
            needs.wake |= u64::from(is_woken) << other;
            needs.wake_filled |= u64::from(is_woken && relation & WAKE_FILLED != 0) << other;
        }
    }
    Some(all)
}
