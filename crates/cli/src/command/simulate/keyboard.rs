//! Promela's `STDIN`: a channel that gives the characters of standard input, one message each, and -1
//! at the end.
//!
//! A model declares `chan STDIN` without an initialiser and receives from it. For a simulation it
//! becomes a channel with room for one number, which is filled again whenever it is empty. The
//! verifier knows nothing of this: there the channel is one that was never initialised.

use promela::snapshot::{self, Snapshot};
use promela::typed::{ChannelSpec, Initial, Program, Type};
use std::io::{BufReader, Bytes, Read, Stdin};

/// Standard input, connected to a channel.
pub(crate) struct Keyboard {
    /// Which scalar of the globals holds the number of the channel.
    scalar: usize,
    bytes: Bytes<BufReader<Stdin>>,
}

impl Keyboard {
    /// Makes `STDIN` a channel, if the program declares it.
    pub(crate) fn connect(program: &mut Program) -> Option<Self> {
        let index = program.globals.iter().position(|variable| {
            variable.name == "STDIN" && variable.ty == Type::Chan && matches!(variable.initial, Initial::Default)
        })?;
        let scalar = snapshot::scalars(program, &program.globals[..index]).len();
        program.globals[index].initial = Initial::Channel(ChannelSpec { capacity: 1, fields: vec![Type::Int] });
        Some(Self { scalar, bytes: BufReader::new(std::io::stdin()).bytes() })
    }

    /// Puts the next character into the channel, if the last one was taken.
    pub(crate) fn refill(&mut self, state: &mut Snapshot) {
        let number = usize::try_from(state.globals[self.scalar]).unwrap_or(0);
        if let Some(channel) = number.checked_sub(1).and_then(|index| state.channels.get_mut(index))
            && channel.messages.is_empty()
        {
            let code = self.bytes.next().and_then(Result::ok).map_or(-1, i32::from);
            channel.messages.push(vec![code]);
        }
    }
}
