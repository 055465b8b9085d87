//! The shared parts of a state, numbered.
//!
//! *What.* A scalar of the global part is a resource, by its bits, so that variables that share a byte are apart; the
//! elements of a long array are one. A channel has four: its head (receives), its tail (sends), the handshake, and the
//! readiness of partners. Channels of processes are told apart by their numbers, up to some number; the others are one
//! channel here. A number is given anew after its process has ended. Then creation, death, the assertion about events, for
//! each definition the locations and the variables of its instances, and the locations that have a meaning or that an
//! expression asks for.
//!
//! *Contract.* Whatever can be touched by two processes belongs to some resource.

use super::set::Access;
use crate::compiled::code::{Address, Code, Root};
use crate::compiled::layout::{Area, Content, Kind, Layout};
use std::ops::RangeInclusive;

/// Arrays with more elements than this are one resource.
const LONGEST_ARRAY: u32 = 64;

/// So many channels of processes are told apart, and one stands for the others.
const OWNED_CHANNELS: usize = 32;

/// Addresses with more possible elements than this are taken to mean the whole span.
const MOST_ELEMENTS: u64 = 4096;

/// One scalar of the global part.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    offset: u32,
    kind: Kind,
    resource: usize,
}

/// The parts of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Head,
    Tail,
    Handshake,
    Ready,
}

/// The numbering.
#[derive(Clone, Debug)]
pub(super) struct Resources {
    leaves: Vec<Leaf>,
    scalars: usize,
    /// How many channels are global, with numbers from 1 on.
    global_channels: usize,
    /// The highest number of a channel; it stands for all from there on.
    channels: usize,
    definitions: usize,
    /// Locations that expressions ask for, by definition and number, sorted.
    labels: Vec<(usize, usize)>,
}

impl Resources {
    /// The resources of a model; `labels` are the locations that expressions ask for, sorted.
    pub(super) fn new(layout: &Layout, labels: Vec<(usize, usize)>) -> Self {
        let mut leaves = Vec::new();
        let mut scalars = 0;
        survey(layout, &layout.globals, 0, None, &mut scalars, &mut leaves);
        leaves.sort_by_key(|leaf| leaf.offset);
        let global_channels = layout.global_channels.len();
        let are_owned = layout.processes.iter().any(|process| !process.channels.is_empty());
        let channels = global_channels + if are_owned { OWNED_CHANNELS } else { 1 };
        Self { leaves, scalars, global_channels, channels, definitions: layout.processes.len(), labels }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.progress() + 2 + self.labels.len()
    }

    /// All channels.
    pub(super) fn channels(&self) -> RangeInclusive<usize> {
        1..=self.channels
    }

    /// The channels of processes.
    pub(super) fn owned(&self) -> RangeInclusive<usize> {
        self.global_channels + 1..=self.channels
    }

    /// What stands for the channel with this number.
    pub(super) fn numbered(&self, number: usize) -> usize {
        number.min(self.channels)
    }

    /// A part of the channel with this number.
    pub(super) fn channel(&self, number: usize, end: End) -> usize {
        self.scalars + 4 * (number - 1) + end as usize
    }

    /// New processes.
    pub(super) fn creation(&self) -> usize {
        self.scalars + 4 * self.channels
    }

    /// The end of processes.
    pub(super) fn death(&self) -> usize {
        self.creation() + 1
    }

    /// The assertion about events.
    pub(super) fn monitor(&self) -> usize {
        self.creation() + 2
    }

    /// Where the instances of a definition stand.
    pub(super) fn places(&self, definition: usize) -> usize {
        self.creation() + 3 + 2 * definition
    }

    /// The variables of the instances of a definition.
    pub(super) fn variables(&self, definition: usize) -> usize {
        self.creation() + 4 + 2 * definition
    }

    /// Which processes stand at `progress` labels.
    pub(super) fn progress(&self) -> usize {
        self.creation() + 3 + 2 * self.definitions
    }

    /// Which processes stand at `accept` labels.
    pub(super) fn acceptance(&self) -> usize {
        self.progress() + 1
    }

    /// Which instances of a definition stand at a location, if an expression asks for that.
    pub(super) fn label(&self, definition: usize, location: usize) -> Option<usize> {
        Some(self.acceptance() + 1 + self.labels.binary_search(&(definition, location)).ok()?)
    }

    /// The scalar at an offset of the global part.
    pub(super) fn scalar(&self, offset: u32, kind: Kind, mut visit: impl FnMut(usize)) {
        let from = self.leaves.partition_point(|leaf| leaf.offset + leaf.kind.size() <= offset);
        for leaf in self.leaves[from..].iter().take_while(|leaf| leaf.offset < offset + kind.size()) {
            if overlap(leaf.kind, kind) {
                visit(leaf.resource);
            }
        }
    }

    /// The scalars that a global address can mean; `index` gives the value of an index if it is known.
    pub(super) fn address(
        &self,
        address: &Address,
        index: impl Fn(&Code) -> Option<i32>,
        mut visit: impl FnMut(usize),
    ) {
        debug_assert_eq!(address.root, Root::Global);
        for offset in offsets(address, index) {
            self.scalar(offset, address.kind, &mut visit);
        }
    }

    /// Whether a scalar of the global part belongs to a resource for which this is true.
    pub(super) fn is_any(&self, offset: u32, kind: Kind, is: impl Fn(usize) -> bool) -> bool {
        let mut found = false;
        self.scalar(offset, kind, |resource| found |= is(resource));
        found
    }

    /// Whether a step may be one of two processes.
    pub(super) fn shakes_hands(&self, access: &Access) -> bool {
        self.channels().any(|number| self.has_handshake(access, number))
    }

    /// Whether a step may be one of two processes on the channel with this number.
    pub(super) fn has_handshake(&self, access: &Access, number: usize) -> bool {
        let handshake = self.channel(number, End::Handshake);
        access.writes.has_any(handshake..handshake + 1)
    }

    /// Whether a send must be a step of two processes.
    pub(super) fn only_shakes_hands(&self, access: &Access) -> bool {
        let is_buffered = self.channels().any(|number| {
            let tail = self.channel(number, End::Tail);
            access.writes.has_any(tail..tail + 1)
        });
        self.shakes_hands(access) && !is_buffered
    }

    /// Whether a step touches what other processes are likely to touch.
    pub(super) fn is_shared(&self, access: &Access) -> bool {
        access.all || !access.writes.is_empty() || access.reads.has_any(0..self.scalars)
    }
}

/// The offsets that an address can mean, relative to its part of the state.
pub(super) fn offsets(address: &Address, index: impl Fn(&Code) -> Option<i32>) -> Vec<u32> {
    let mut offsets = vec![address.offset];
    for step in &address.steps {
        let known = index(&step.index).map(|value| u32::try_from(value).ok().filter(|value| *value < step.len));
        let choices: Vec<u32> = match known {
            Some(Some(value)) => vec![value],
            // Out of bounds: an error, which touches nothing.
            Some(None) => Vec::new(),
            None => (0..step.len).collect(),
        };
        if offsets.len() as u64 * choices.len() as u64 > MOST_ELEMENTS {
            // Every byte of the span; the kind of the scalar makes the last element whole.
            let reach: u32 = address.steps.iter().map(|step| (step.len - 1) * step.stride).sum();
            return (address.offset..=address.offset + reach).collect();
        }
        offsets = offsets.iter().flat_map(|offset| choices.iter().map(move |at| offset + at * step.stride)).collect();
    }
    offsets
}

fn overlap(one: Kind, two: Kind) -> bool {
    match (one, two) {
        (Kind::Bits { shift: a, mask: m }, Kind::Bits { shift: b, mask: n }) => {
            (u16::from(m) << a) & (u16::from(n) << b) != 0
        }
        _ => true,
    }
}

fn survey(layout: &Layout, area: &Area, base: u32, shared: Option<usize>, next: &mut usize, leaves: &mut Vec<Leaf>) {
    for slot in &area.slots {
        let count = slot.len.unwrap_or(1);
        let mut shared = shared;
        if shared.is_none() && count > LONGEST_ARRAY {
            shared = Some(*next);
            *next += 1;
        }
        for index in 0..count {
            let offset = base + slot.offset + index * slot.stride;
            match slot.content {
                Content::Removed(_) => {}
                Content::Record(id) => survey(layout, &layout.records[id.0 as usize], offset, shared, next, leaves),
                Content::Scalar(kind) => {
                    let resource = shared.unwrap_or_else(|| {
                        *next += 1;
                        *next - 1
                    });
                    leaves.push(Leaf { offset, kind, resource });
                }
            }
        }
    }
}
