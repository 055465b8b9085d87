//! Channels: what sends, receives and polls do to messages.
//!
//! Contract: a number that names no channel is a run-time error; so is a wrong number of fields,
//! once a message would be put in or taken out. Matching compares against the state before the
//! receive; binding stores field by field from the left, so that an index in a later field sees
//! what an earlier one stored.
//!
//! Source: section 7 of `docs/semantics-promela.md`. Tested by `models/semantics/channel_*.pml`.

use super::evaluate::Machine;
use super::events::{Direction, Event};
use super::fault::Fault;
use super::place::fit;
use crate::snapshot::Channel;
use crate::typed::{Expr, Pattern};

impl Machine<'_, '_, '_> {
    /// The channel with a number.
    pub(super) fn channel(&self, number: i32) -> Result<&Channel, Fault> {
        let index = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        index.and_then(|index| self.state.channels.get(index)).ok_or_else(|| match number {
            0 => Fault::runtime("the channel was never initialised"),
            _ => Fault::runtime(format!("no channel has the number {number}: its process has ended")),
        })
    }

    /// The value of a channel expression, and whether it is a rendezvous channel.
    pub(super) fn find_channel(&mut self, channel: &Expr) -> Result<(i32, bool), Fault> {
        let number = self.evaluate(channel)?;
        Ok((number, self.channel(number)?.capacity == 0))
    }

    /// The channel that a test reads without receiving; it has a buffer.
    pub(super) fn find_polled(&mut self, channel: &Expr) -> Result<i32, Fault> {
        match self.find_channel(channel)? {
            (number, false) => Ok(number),
            (_, true) => Err(Fault::runtime("a rendezvous channel cannot be polled")),
        }
    }

    /// The fields of a message as they arrive in the channel.
    pub(super) fn message(&mut self, number: i32, fields: &[Expr]) -> Result<Vec<i32>, Fault> {
        check_width(fields.len(), self.channel(number)?.width as usize)?;
        let types = self.reference.field_types(&self.state, number);
        let mut message = Vec::new();
        for (field, ty) in fields.iter().zip(types) {
            message.push(fit(ty, self.evaluate(field)?));
        }
        Ok(message)
    }

    /// Puts a message into a buffered channel; false if it is full.
    pub(super) fn send(&mut self, number: i32, fields: &[Expr], sorted: bool) -> Result<bool, Fault> {
        let channel = self.channel(number)?;
        if channel.messages.len() >= channel.capacity as usize {
            return Ok(false);
        }
        let message = self.message(number, fields)?;
        let channel = &mut self.state.to_mut().channels[number as usize - 1];
        let position = match sorted {
            true => channel.messages.iter().position(|other| *other > message),
            false => None,
        };
        let position = position.unwrap_or(channel.messages.len());
        channel.messages.insert(position, message.clone());
        self.unseen.push(Event { direction: Direction::Sent, channel: number, message });
        Ok(true)
    }

    /// The position of the message that a receive would take.
    fn fitting(&mut self, number: i32, pattern: &[Pattern], random: bool) -> Result<Option<usize>, Fault> {
        let messages = self.channel(number)?.messages.clone();
        let candidates = if random { messages.len() } else { messages.len().min(1) };
        for (position, message) in messages.iter().enumerate().take(candidates) {
            if self.fits(message, pattern)? {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    /// Whether a message fits a pattern, as far as both go.
    pub(super) fn fits(&mut self, message: &[i32], pattern: &[Pattern]) -> Result<bool, Fault> {
        for (value, field) in message.iter().zip(pattern) {
            if let Pattern::Match(expr) = field
                && self.evaluate(expr)? != *value
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Stores the fields of a message where the pattern says, if it says so of all of them.
    pub(super) fn bind(&mut self, message: &[i32], pattern: &[Pattern]) -> Result<(), Fault> {
        check_width(pattern.len(), message.len())?;
        for (value, field) in message.iter().zip(pattern) {
            if let Pattern::Bind(place) = field {
                self.write(place, *value)?;
            }
        }
        Ok(())
    }

    /// Takes (or, with `peek`, looks at) a message of a buffered channel; false if none fits.
    pub(super) fn receive(
        &mut self,
        number: i32,
        pattern: &[Pattern],
        random: bool,
        peek: bool,
    ) -> Result<bool, Fault> {
        let Some(position) = self.fitting(number, pattern, random)? else { return Ok(false) };
        let messages = &mut self.state.to_mut().channels[number as usize - 1].messages;
        let message = if peek { messages[position].clone() } else { messages.remove(position) };
        self.bind(&message, pattern)?;
        if !peek {
            self.unseen.push(Event { direction: Direction::Received, channel: number, message });
        }
        Ok(true)
    }

    /// `c?[…]`
    pub(super) fn poll(&mut self, channel: &Expr, pattern: &[Pattern], random: bool) -> Result<i32, Fault> {
        let number = self.find_polled(channel)?;
        Ok(i32::from(self.fitting(number, pattern, random)?.is_some()))
    }
}

fn check_width(fields: usize, width: usize) -> Result<(), Fault> {
    if fields == width {
        return Ok(());
    }
    let plural = if fields == 1 { "field" } else { "fields" };
    Err(Fault::runtime(format!("a message of {fields} {plural} on a channel of {width}")))
}
