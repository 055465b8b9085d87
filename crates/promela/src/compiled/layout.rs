//! The state vector: what lies where.
//!
//! *Contract.* A packed state is
//!
//! ```text
//! control byte · globals · global channels · process 0 · process 1 · …  [· exclusive process, 2 bytes]
//! process = definition (1 byte) · location (1 or 2 bytes) · [priority] · variables · its channels
//! channel = number of messages (1 byte, 2 if it can hold more) · slots of fields
//! ```
//!
//! Offsets are static inside the global part and inside a process; where a process starts follows
//! from the sizes of those before it, because processes end in reverse order of creation. Unused
//! slots of a channel are zero, so that equal states are equal as bytes. Scalars of fewer than
//! eight bits share bytes; array elements do not. The control byte's lowest bit says that two bytes
//! at the end name the process inside an atomic sequence: states between steps seldom have one, so
//! they do not pay for it.

use crate::dataflow::{Trim, globals, locals};
use crate::snapshot::width;
use crate::typed::{ChannelSpec, Initial, Proc, ProcId, Program, RecordId, Type, Variable};

/// How a scalar lies in its byte or bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The bits of the mask, from bit `shift` of a byte; unsigned.
    Bits { shift: u8, mask: u8 },
    /// Two bytes, unsigned, of which only the bits of the mask are ever set.
    U16 { mask: u16 },
    /// Two bytes, signed.
    I16,
    /// Four bytes; unsigned numbers of fewer than 32 bits are masked.
    I32 { mask: u32 },
}

impl Kind {
    /// The bytes it takes (a whole one for bits).
    pub(crate) fn size(self) -> u32 {
        match self {
            Kind::Bits { .. } => 1,
            Kind::U16 { .. } | Kind::I16 => 2,
            Kind::I32 { .. } => 4,
        }
    }

    /// Reads a scalar.
    #[inline]
    pub(crate) fn load(self, bytes: &[u8], at: usize) -> i32 {
        match self {
            Kind::Bits { shift, mask } => i32::from((bytes[at] >> shift) & mask),
            Kind::I32 { .. } => i32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")),
            Kind::I16 => i32::from(i16::from_le_bytes(bytes[at..at + 2].try_into().expect("two bytes"))),
            Kind::U16 { .. } => i32::from(u16::from_le_bytes(bytes[at..at + 2].try_into().expect("two bytes"))),
        }
    }

    /// Writes a scalar, truncated to what fits.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an assignment keeps the low bits of the value: that is the semantics"
    )]
    pub(crate) fn store(self, bytes: &mut [u8], at: usize, value: i32) {
        match self {
            Kind::Bits { shift, mask } => {
                bytes[at] = (bytes[at] & !(mask << shift)) | ((value as u8 & mask) << shift);
            }
            Kind::I32 { mask } => bytes[at..at + 4].copy_from_slice(&(value as u32 & mask).to_le_bytes()),
            Kind::I16 => bytes[at..at + 2].copy_from_slice(&(value as i16).to_le_bytes()),
            Kind::U16 { mask } => bytes[at..at + 2].copy_from_slice(&(value as u16 & mask).to_le_bytes()),
        }
    }

    /// The value after being stored and read back.
    #[inline]
    pub(crate) fn truncate(self, value: i32) -> i32 {
        let mut bytes = [0; 4];
        let kind = if let Kind::Bits { mask, .. } = self { Kind::Bits { shift: 0, mask } } else { self };
        kind.store(&mut bytes, 0, value);
        kind.load(&bytes, 0)
    }
}

/// Where a variable lies, relative to its part of the state.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) offset: u32,
    pub(crate) content: Content,
    /// Distance between elements.
    pub(crate) stride: u32,
    /// Number of elements of an array.
    pub(crate) len: Option<u32>,
}

/// What lies in a slot, for each element.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    Scalar(Kind),
    Record(RecordId),
    /// The variable is no part of the state; it would have this many scalars.
    Removed(u32),
}

/// The layout of a record, the globals, or the variables of a process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Area {
    pub(crate) slots: Vec<Slot>,
    pub(crate) size: u32,
}

/// How a channel lies in the state.
#[derive(Clone, Debug)]
pub(crate) struct ChannelLayout {
    pub(crate) capacity: u32,
    /// Two-byte message count.
    pub(crate) wide: bool,
    /// Offset inside a slot, and kind, of each field.
    pub(crate) fields: Vec<(u32, Kind)>,
    pub(crate) slot: u32,
}

impl ChannelLayout {
    fn new(spec: &ChannelSpec, kinds: &Kinds) -> Self {
        let mut slot = 0;
        let mut fields = Vec::new();
        for ty in &spec.fields {
            let kind = kinds.element(ty);
            fields.push((slot, kind));
            slot += kind.size();
        }
        Self { capacity: spec.capacity, wide: spec.capacity > 255, fields, slot }
    }

    /// Bytes before the first slot.
    pub(crate) fn header(&self) -> u32 {
        match (self.capacity, self.wide) {
            (0, _) => 0,
            (_, false) => 1,
            (_, true) => 2,
        }
    }

    /// All bytes; a rendezvous channel takes none.
    pub(crate) fn size(&self) -> u32 {
        self.header() + self.capacity * self.slot
    }

    /// How many messages it holds.
    #[inline]
    pub(crate) fn count(&self, bytes: &[u8], at: usize) -> u32 {
        match (self.capacity, self.wide) {
            (0, _) => 0,
            (_, false) => u32::from(bytes[at]),
            (_, true) => u32::from(u16::from_le_bytes([bytes[at], bytes[at + 1]])),
        }
    }

    /// Writes how many messages it holds.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the count is at most the capacity, which fits")]
    pub(crate) fn set_count(&self, bytes: &mut [u8], at: usize, count: u32) {
        if self.wide {
            bytes[at..at + 2].copy_from_slice(&(count as u16).to_le_bytes());
        } else {
            bytes[at] = count as u8;
        }
    }

    /// Where a slot starts.
    #[inline]
    pub(crate) fn slot_at(&self, at: usize, index: u32) -> usize {
        at + (self.header() + index * self.slot) as usize
    }

    /// The fields of the message in a slot.
    pub(crate) fn message(&self, bytes: &[u8], slot: usize) -> Vec<i32> {
        self.fields.iter().map(|(offset, kind)| kind.load(bytes, slot + *offset as usize)).collect()
    }
}

/// A channel that comes into being with its owner, and the variable that holds its number.
#[derive(Clone, Debug)]
pub(crate) struct OwnedChannel {
    /// Index into [`Layout::channels`].
    pub(crate) layout: u16,
    /// Where its bytes start: absolute for globals, else relative to the process.
    pub(crate) offset: u32,
    /// Where its number is stored, likewise.
    pub(crate) variable: (u32, Kind),
}

/// The part of the state that one process takes.
#[derive(Clone, Debug)]
pub(crate) struct ProcessLayout {
    /// The variables; offsets from the start of the process.
    pub(crate) area: Area,
    /// Two-byte location.
    pub(crate) wide_location: bool,
    /// Where the priority is, if there is one.
    pub(crate) priority: Option<u32>,
    pub(crate) channels: Vec<OwnedChannel>,
    pub(crate) size: u32,
}

impl ProcessLayout {
    /// The location of the process that starts at `base`.
    #[inline]
    pub(crate) fn location(&self, bytes: &[u8], base: usize) -> usize {
        location(self.wide_location, bytes, base)
    }
}

/// The location, of two bytes if `wide`, of the process that starts at `base`.
#[inline]
pub(crate) fn location(wide: bool, bytes: &[u8], base: usize) -> usize {
    if wide {
        usize::from(u16::from_le_bytes([bytes[base + 1], bytes[base + 2]]))
    } else {
        usize::from(bytes[base + 1])
    }
}

/// Moves the process that starts at `base`.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "locations are numbered to fit")]
pub(crate) fn set_location(wide: bool, bytes: &mut [u8], base: usize, location: u16) {
    if wide {
        bytes[base + 1..base + 3].copy_from_slice(&location.to_le_bytes());
    } else {
        bytes[base + 1] = location as u8;
    }
}

/// The layout of all states of a program.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) globals: Area,
    pub(crate) records: Vec<Area>,
    pub(crate) global_channels: Vec<OwnedChannel>,
    pub(crate) channels: Vec<ChannelLayout>,
    pub(crate) processes: Vec<ProcessLayout>,
    /// Where `_last` is, if it is read.
    pub(crate) last: Option<(u32, Kind)>,
    /// Bytes before the first process.
    pub(crate) globals_size: u32,
}

/// The bit of byte 0 that says that the last two bytes name a process.
pub(crate) const EXCLUSIVE_BIT: u8 = 1;

/// Which shape each type has: channel numbers are wide where there can be many channels.
struct Kinds {
    channel: Kind,
}

impl Kinds {
    /// The shape of an array element or message field.
    fn element(&self, ty: &Type) -> Kind {
        match *ty {
            Type::Bit | Type::Bool => Kind::Bits { shift: 0, mask: 1 },
            Type::Byte | Type::Pid | Type::Mtype(_) => Kind::Bits { shift: 0, mask: 0xff },
            Type::Short => Kind::I16,
            Type::Int => Kind::I32 { mask: u32::MAX },
            Type::Unsigned(bits @ 0..=8) => Kind::Bits { shift: 0, mask: low_bits(bits) as u8 },
            Type::Unsigned(bits @ 9..=16) => Kind::U16 { mask: low_bits(bits) as u16 },
            Type::Unsigned(bits) => Kind::I32 { mask: low_bits(bits) },
            Type::Chan => self.channel,
            Type::Record(_) => unreachable!("records are flattened"),
        }
    }
}

fn low_bits(bits: u8) -> u32 {
    u32::MAX >> (32 - u32::from(bits.clamp(1, 32)))
}

/// Puts variables one after the other, scalars of few bits together.
struct Allocator<'a> {
    kinds: &'a Kinds,
    records: &'a [Area],
    next: u32,
    /// A byte with free bits: its offset and how many are taken.
    open: Option<(u32, u8)>,
}

impl Allocator<'_> {
    fn variable(&mut self, variable: &Variable) -> Slot {
        let count = variable.len.unwrap_or(1);
        if let Type::Record(id) = variable.ty {
            let stride = self.records[id.0 as usize].size;
            let offset = self.bytes(stride * count);
            return Slot { offset, content: Content::Record(id), stride, len: variable.len };
        }
        let kind = self.kinds.element(&variable.ty);
        match (variable.len, kind) {
            (None, Kind::Bits { mask, .. }) if mask < 0x80 => self.bits(mask),
            _ => {
                let stride = kind.size();
                let offset = self.bytes(stride * count);
                Slot { offset, content: Content::Scalar(kind), stride, len: variable.len }
            }
        }
    }

    fn bytes(&mut self, count: u32) -> u32 {
        let offset = self.next;
        self.next += count;
        offset
    }

    #[expect(clippy::cast_possible_truncation, reason = "a byte has eight bits")]
    fn bits(&mut self, mask: u8) -> Slot {
        let width = mask.count_ones() as u8;
        let (offset, shift) = match self.open {
            Some((offset, taken)) if taken + width <= 8 => (offset, taken),
            _ => (self.bytes(1), 0),
        };
        self.open = Some((offset, shift + width));
        Slot { offset, content: Content::Scalar(Kind::Bits { shift, mask }), stride: 1, len: None }
    }
}

/// The place of a variable that is no part of the state.
fn removed(program: &Program, variable: &Variable) -> Slot {
    let width = u32::try_from(width(program, &variable.ty)).expect("a record is small");
    Slot { offset: 0, content: Content::Removed(width), stride: 0, len: variable.len }
}

/// Lays out the states of a program; `locations` says how many each process definition has, `trim` which variables are
/// no part of the states.
pub(crate) fn layout(program: &Program, locations: &[usize], trim: &Trim) -> Layout {
    let global_count = channel_count(program, &program.globals);
    let dynamic = program.procs.iter().any(|proc| channel_count(program, &proc.locals) > 0);
    let channel =
        if dynamic || global_count > 255 { Kind::U16 { mask: u16::MAX } } else { Kind::Bits { shift: 0, mask: 0xff } };
    let kinds = Kinds { channel };
    let mut records: Vec<Area> = Vec::new();
    for record in &program.records {
        let mut allocator = Allocator { kinds: &kinds, records: &records, next: 0, open: None };
        let slots = record.fields.iter().map(|field| allocator.variable(field)).collect();
        let area = Area { slots, size: allocator.next };
        records.push(area);
    }
    // The control byte is byte 0; its upper seven bits are free for variables.
    let mut allocator = Allocator { kinds: &kinds, records: &records, next: 1, open: Some((0, 1)) };
    let slots = globals(program).map(|(id, variable)| match trim.removed.contains(&id) {
        true => removed(program, variable),
        false => allocator.variable(variable),
    });
    let slots = slots.collect();
    let last = program.uses.last.then(|| {
        let kind = Kind::U16 { mask: u16::MAX };
        (allocator.bytes(kind.size()), kind)
    });
    let globals = Area { slots, size: allocator.next };
    let mut next = allocator.next;
    let mut channels = Vec::new();
    let global_channels = own_channels(program, &program.globals, &globals, &records, &kinds, &mut channels, &mut next);
    let globals_size = next;
    let processes = program
        .procs
        .iter()
        .zip(locations)
        .zip((0..).map(ProcId))
        .map(|((proc, locations), id)| process(program, (id, proc), *locations, trim, &records, &kinds, &mut channels))
        .collect();
    Layout { globals, records, global_channels, channels, processes, last, globals_size }
}

fn process(
    program: &Program,
    (id, proc): (ProcId, &Proc),
    locations: usize,
    trim: &Trim,
    records: &[Area],
    kinds: &Kinds,
    channels: &mut Vec<ChannelLayout>,
) -> ProcessLayout {
    let wide_location = locations > 256;
    let mut allocator = Allocator { kinds, records, next: if wide_location { 3 } else { 2 }, open: None };
    let priority = program.uses.priorities.then(|| allocator.bytes(1));
    let slots = locals(id, proc).map(|(id, variable)| match trim.removed.contains(&id) {
        true => removed(program, variable),
        false => allocator.variable(variable),
    });
    let slots = slots.collect();
    let area = Area { slots, size: allocator.next };
    let mut next = area.size;
    let owned = own_channels(program, &proc.locals, &area, records, kinds, channels, &mut next);
    ProcessLayout { area, wide_location, priority, channels: owned, size: next }
}

/// The channels that come into being with some variables, in the order of their numbers.
fn own_channels(
    program: &Program,
    variables: &[Variable],
    area: &Area,
    records: &[Area],
    kinds: &Kinds,
    channels: &mut Vec<ChannelLayout>,
    next: &mut u32,
) -> Vec<OwnedChannel> {
    let mut found = Vec::new();
    for (variable, slot) in variables.iter().zip(&area.slots) {
        channel_variables(program, records, variable, slot, 0, &mut |spec, offset, kind| {
            let layout = ChannelLayout::new(spec, kinds);
            found.push(OwnedChannel {
                layout: u16::try_from(channels.len()).expect("fewer than 65,536 channel declarations"),
                offset: *next,
                variable: (offset, kind),
            });
            *next += layout.size();
            channels.push(layout);
        });
    }
    found
}

fn channel_variables(
    program: &Program,
    records: &[Area],
    variable: &Variable,
    slot: &Slot,
    base: u32,
    visit: &mut impl FnMut(&ChannelSpec, u32, Kind),
) {
    for index in 0..slot.len.unwrap_or(1) {
        let offset = base + slot.offset + index * slot.stride;
        match (slot.content, &variable.initial) {
            (Content::Record(id), _) => {
                let record = &program.records[id.0 as usize];
                for (field, slot) in record.fields.iter().zip(&records[id.0 as usize].slots) {
                    channel_variables_boxed(program, records, field, slot, offset, visit);
                }
            }
            (Content::Scalar(kind), Initial::Channel(spec)) => visit(spec, offset, kind),
            (Content::Scalar(_) | Content::Removed(_), _) => {}
        }
    }
}

/// Breaks the recursion of generic instantiation: records nest, closures must not.
fn channel_variables_boxed(
    program: &Program,
    records: &[Area],
    variable: &Variable,
    slot: &Slot,
    base: u32,
    visit: &mut dyn FnMut(&ChannelSpec, u32, Kind),
) {
    channel_variables(program, records, variable, slot, base, &mut |spec, offset, kind| visit(spec, offset, kind));
}

fn channel_count(program: &Program, variables: &[Variable]) -> usize {
    variables.iter().map(|variable| channels_in(program, variable)).sum()
}

/// How many channels come into being with a variable.
pub(crate) fn channels_in(program: &Program, variable: &Variable) -> usize {
    let each = match (&variable.ty, &variable.initial) {
        (Type::Record(id), _) => channel_count(program, &program.records[id.0 as usize].fields),
        (_, Initial::Channel(_)) => 1,
        _ => 0,
    };
    each * variable.len.unwrap_or(1) as usize
}

/// Reads all scalars of an area in the order of [`crate::snapshot::scalars`]; those that were removed are zero.
pub(crate) fn read_all(layout: &Layout, area: &Area, bytes: &[u8], base: usize, into: &mut Vec<i32>) {
    for slot in &area.slots {
        for index in 0..slot.len.unwrap_or(1) {
            let at = base + (slot.offset + index * slot.stride) as usize;
            match slot.content {
                Content::Scalar(kind) => into.push(kind.load(bytes, at)),
                Content::Record(id) => read_all(layout, &layout.records[id.0 as usize], bytes, at, into),
                Content::Removed(width) => into.extend((0..width).map(|_| 0)),
            }
        }
    }
}

/// Where the scalars of some variables lie, in the order of [`crate::snapshot::scalars`].
pub(crate) fn scalar_slots(layout: &Layout, slots: &[Slot], base: u32, into: &mut Vec<(u32, Kind)>) {
    for slot in slots {
        for index in 0..slot.len.unwrap_or(1) {
            let offset = base + slot.offset + index * slot.stride;
            match slot.content {
                Content::Scalar(kind) => into.push((offset, kind)),
                Content::Record(id) => scalar_slots(layout, &layout.records[id.0 as usize].slots, offset, into),
                Content::Removed(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_truncate_as_assignments_do() {
        assert_eq!(Kind::Bits { shift: 0, mask: 0xff }.truncate(257), 1);
        assert_eq!(Kind::Bits { shift: 0, mask: 1 }.truncate(2), 0);
        assert_eq!(Kind::I16.truncate(40_000), 40_000 - 65_536);
        assert_eq!(Kind::I32 { mask: low_bits(20) }.truncate(-1), 0xf_ffff);
        assert_eq!(Kind::I32 { mask: u32::MAX }.truncate(-1), -1);
    }

    #[test]
    fn bits_share_a_byte_without_touching_each_other() {
        let mut bytes = [0b1010_0101_u8];
        let kind = Kind::Bits { shift: 2, mask: 0b111 };
        kind.store(&mut bytes, 0, 0b110);
        assert_eq!(bytes[0], 0b1011_1001);
        assert_eq!(kind.load(&bytes, 0), 0b110);
    }
}
