//! Channels in machine code: where they lie, what they hold, sending and receiving.
//!
//! A channel variable that is never assigned names one channel, whose place is known when the code is made. For any other,
//! the code looks the channel up in the table of the state's shape and compares its layout with those that the program has.

use super::translate::{Scalar, Translator};
use crate::compiled::code::{Code, Load, Pattern, Reception, Root};
use crate::compiled::flaw::Flaw;
use crate::compiled::layout::{ChannelLayout, Kind};
use crate::compiled::model::Model;
use crate::typed::ChannelTest;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

/// The most bytes of a channel that are moved by one instruction after the other; code for a longer one is left to the
/// interpreter.
const MOST_MOVED: u32 = 128;
/// The most different layouts among which code distinguishes.
const MOST_CLASSES: usize = 4;

/// What is known of the channels of a program.
pub(super) struct Channels<'a> {
    model: &'a Model,
    /// Global variables that name one channel: their offset and its number.
    constant: Vec<(u32, u32)>,
    /// Layouts that are the same, by number.
    classes: Vec<Vec<u16>>,
}

/// The channels that an expression can mean.
enum Meaning<'a> {
    /// One, at this offset from the start of the state.
    One(u32, &'a ChannelLayout),
    /// Any.
    Any,
}

fn same(one: &ChannelLayout, two: &ChannelLayout) -> bool {
    one.capacity == two.capacity && one.fields == two.fields
}

impl<'a> Channels<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        let layouts = &model.layout.channels;
        let mut classes: Vec<Vec<u16>> = Vec::new();
        for (number, layout) in (0..).zip(layouts) {
            match classes.iter_mut().find(|class| same(&layouts[usize::from(class[0])], layout)) {
                Some(class) => class.push(number),
                None => classes.push(vec![number]),
            }
        }
        Self { model, constant: model.constant_channels(), classes }
    }

    fn meaning(&self, channel: &Code) -> Meaning<'a> {
        let number = match channel {
            Code::Load(Load { root: Root::Global, offset, .. }) => {
                self.constant.iter().find(|(variable, _)| variable == offset)
            }
            _ => None,
        };
        match number {
            Some((_, number)) => {
                let channel = &self.model.layout.global_channels[*number as usize - 1];
                Meaning::One(channel.offset, &self.model.layout.channels[usize::from(channel.layout)])
            }
            None => Meaning::Any,
        }
    }

    /// Whether all channels that an expression can mean satisfy a condition, and are few enough to tell apart.
    fn all(&self, channel: &Code, holds: impl Fn(&ChannelLayout) -> bool) -> bool {
        match self.meaning(channel) {
            Meaning::One(_, layout) => holds(layout),
            Meaning::Any => {
                (1..=MOST_CLASSES).contains(&self.classes.len())
                    && self.classes.iter().all(|class| holds(&self.model.layout.channels[usize::from(class[0])]))
            }
        }
    }

    /// Whether code can be made that looks at such a channel.
    pub(super) fn can_look(&self, channel: &Code) -> bool {
        self.all(channel, |_| true)
    }

    /// Whether code can be made that sends to such a channel: a rendezvous needs another process.
    pub(super) fn can_send(&self, channel: &Code) -> bool {
        self.all(channel, |layout| layout.capacity > 0)
    }

    /// Whether code can be made that takes a message out of such a channel.
    pub(super) fn can_receive(&self, channel: &Code) -> bool {
        self.all(channel, |layout| layout.capacity * layout.slot <= MOST_MOVED)
    }
}

impl Translator<'_, '_> {
    /// Makes code for a channel that depends on its layout; the code gives a number.
    fn with_channel(
        &mut self,
        channel: &Code,
        mut then: impl FnMut(&mut Self, Value, &ChannelLayout) -> Value,
    ) -> Value {
        let facts = self.channels;
        if let Meaning::One(offset, layout) = facts.meaning(channel) {
            let bytes = self.bytes;
            let start = self.ins().iadd_imm(bytes, i64::from(offset));
            return then(self, start, layout);
        }
        let number = self.eval(channel);
        let index = self.ins().iadd_imm(number, -1);
        let index = self.ins().uextend(types::I64, index);
        let (table, count) = self.channel_table();
        let is_outside = self.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, index, count);
        self.leave_if(is_outside);
        let entry = self.ins().imul_imm(index, super::entry::CHANNEL_STRIDE);
        let entry = self.ins().iadd(table, entry);
        let offset = self.load_table(types::I32, entry, super::entry::CHANNEL_OFFSET);
        let offset = self.ins().uextend(types::I64, offset);
        let layout = self.load_table(types::I16, entry, super::entry::CHANNEL_LAYOUT);
        let length = self.state_length();
        let join = self.block();
        let result = self.b.append_block_param(join, types::I32);
        for (index, class) in facts.classes.iter().enumerate() {
            let shape = &facts.model.layout.channels[usize::from(class[0])];
            let next = (index + 1 < facts.classes.len()).then(|| self.block());
            if let Some(next) = next {
                let mut is_this = self.ins().icmp_imm(IntCC::Equal, layout, i64::from(class[0]));
                for other in &class[1..] {
                    let also = self.ins().icmp_imm(IntCC::Equal, layout, i64::from(*other));
                    is_this = self.ins().bor(is_this, also);
                }
                let here = self.block();
                self.ins().brif(is_this, here, &[], next, &[]);
                self.b.switch_to_block(here);
            }
            // The table is made by safe code that the generated code need not trust.
            let end = self.ins().iadd_imm(offset, i64::from(shape.size()));
            let is_outside = self.ins().icmp(IntCC::UnsignedGreaterThan, end, length);
            self.leave_if(is_outside);
            let bytes = self.bytes;
            let start = self.ins().iadd(bytes, offset);
            let value = then(self, start, shape);
            self.ins().jump(join, &[value.into()]);
            if let Some(next) = next {
                self.b.switch_to_block(next);
            }
        }
        self.b.switch_to_block(join);
        result
    }

    /// The number of messages in a channel.
    fn count(&mut self, start: Value, layout: &ChannelLayout) -> Value {
        match (layout.capacity, layout.wide) {
            (0, _) => self.constant(0),
            (_, false) => self.load(start, Scalar { offset: 0, kind: Kind::Bits { shift: 0, mask: 0xff } }),
            (_, true) => self.load(start, Scalar { offset: 0, kind: Kind::U16 { mask: u16::MAX } }),
        }
    }

    fn set_count(&mut self, start: Value, layout: &ChannelLayout, count: Value) {
        let kind = if layout.wide { Kind::U16 { mask: u16::MAX } } else { Kind::Bits { shift: 0, mask: 0xff } };
        self.store(start, Scalar { offset: 0, kind }, count);
    }

    pub(super) fn length(&mut self, channel: &Code) -> Value {
        self.with_channel(channel, |this, start, layout| this.count(start, layout))
    }

    pub(super) fn channel_test(&mut self, test: ChannelTest, channel: &Code) -> Value {
        self.with_channel(channel, |this, start, layout| {
            let count = this.count(start, layout);
            let (operator, bound) = match test {
                ChannelTest::Empty => (IntCC::Equal, 0),
                ChannelTest::Nempty => (IntCC::NotEqual, 0),
                ChannelTest::Full => (IntCC::UnsignedGreaterThanOrEqual, layout.capacity),
                ChannelTest::Nfull => (IntCC::UnsignedLessThan, layout.capacity),
            };
            let holds = this.ins().icmp_imm(operator, count, i64::from(bound));
            this.ins().uextend(types::I32, holds)
        })
    }

    /// Whether a buffered channel has room for a message.
    pub(super) fn has_room(&mut self, channel: &Code, message: &[Code]) -> Value {
        self.with_channel(channel, |this, start, layout| {
            let count = this.count(start, layout);
            let holds = this.ins().icmp_imm(IntCC::UnsignedLessThan, count, i64::from(layout.capacity));
            if layout.fields.len() != message.len() {
                this.leave_if(holds);
            }
            this.ins().uextend(types::I32, holds)
        })
    }

    /// Whether the first message of a channel fits a pattern.
    pub(super) fn has_message(&mut self, reception: &Reception) -> Value {
        self.with_channel(&reception.channel, |this, start, layout| {
            if layout.capacity == 0 {
                if reception.peek {
                    this.leave();
                }
                return this.constant(0);
            }
            let join = this.block();
            let result = this.b.append_block_param(join, types::I32);
            let count = this.count(start, layout);
            let no = this.constant(0);
            let some = this.block();
            this.ins().brif(count, some, &[], join, &[no.into()]);
            this.b.switch_to_block(some);
            for (pattern, (offset, kind)) in reception.pattern.iter().zip(&layout.fields) {
                let Pattern::Match(code) = pattern else { continue };
                let wanted = this.eval(code);
                let found = this.load(start, Scalar { offset: layout.header() + offset, kind: *kind });
                let fits = this.ins().icmp(IntCC::Equal, wanted, found);
                let next = this.block();
                this.ins().brif(fits, next, &[], join, &[no.into()]);
                this.b.switch_to_block(next);
            }
            let yes = this.constant(1);
            this.ins().jump(join, &[yes.into()]);
            this.b.switch_to_block(join);
            result
        })
    }

    /// Appends a message; leaves if there is no room.
    pub(super) fn send(&mut self, channel: &Code, message: &[Code]) {
        self.with_channel(channel, |this, start, layout| {
            let count = this.count(start, layout);
            let is_full = this.ins().icmp_imm(IntCC::UnsignedGreaterThanOrEqual, count, i64::from(layout.capacity));
            if layout.fields.len() != message.len() {
                this.leave();
                return count;
            }
            this.leave_if(is_full);
            let slot = this.ins().imul_imm(count, i64::from(layout.slot));
            let slot = this.ins().uextend(types::I64, slot);
            let slot = this.ins().iadd(start, slot);
            for ((offset, kind), code) in layout.fields.iter().zip(message) {
                let value = this.eval(code);
                this.store(slot, Scalar { offset: layout.header() + offset, kind: *kind }, value);
            }
            let more = this.ins().iadd_imm(count, 1);
            this.set_count(start, layout, more);
            more
        });
    }

    /// Takes the first message, which was found to fit, and binds its fields.
    pub(super) fn receive(&mut self, reception: &Reception) {
        self.with_channel(&reception.channel, |this, start, layout| {
            if layout.capacity == 0 || layout.fields.len() != reception.pattern.len() {
                this.leave();
                return this.constant(0);
            }
            // Variables never lie inside a channel, so binding one field leaves the others as they are.
            for (pattern, (offset, kind)) in reception.pattern.iter().zip(&layout.fields) {
                if let Pattern::Bind(address) = pattern {
                    let value = this.load(start, Scalar { offset: layout.header() + offset, kind: *kind });
                    this.store_at(address, value);
                }
            }
            let count = this.count(start, layout);
            if !reception.peek {
                // Slots that hold nothing are zero, so all of them move.
                let (slots, slot) = (layout.header(), layout.slot);
                if !this.is(Flaw::Receive) {
                    this.move_down(start, slots, slot, (layout.capacity - 1) * slot);
                }
                this.zero(start, slots + (layout.capacity - 1) * slot, slot);
                let less = this.ins().iadd_imm(count, -1);
                this.set_count(start, layout, less);
            }
            count
        });
    }

    /// Moves `length` bytes from `to + distance` to `to`.
    fn move_down(&mut self, start: Value, to: u32, distance: u32, length: u32) {
        for (at, size) in super::translate::pieces(length) {
            let value = self.load_raw(size, start, to + distance + at);
            self.store_raw(start, to + at, value);
        }
    }
}
