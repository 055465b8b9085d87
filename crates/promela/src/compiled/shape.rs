//! Where the processes and channels of a packed state lie.
//!
//! *Contract.* [`Shape::read`] finds them by walking over the processes. States met one after the
//! other mostly have the same processes, and then nothing moves: the shape is kept when the length
//! and the definition at the start of each process are those of the state before. In a model that starts no
//! process, processes only end, the last one first, so that states of the same length have the same ones.
//!
//! *Tested by* the reference interpreter, through every walk on models that start processes.

use super::eval::ChannelAt;
use super::layout::EXCLUSIVE_BIT;
use super::model::Model;

/// Where things lie in the states of one shape.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    /// Where each process starts.
    pub(crate) bases: Vec<u32>,
    pub(crate) channels: Vec<ChannelAt>,
    /// Changes whenever the shape does.
    pub(crate) version: u64,
    /// Which definition each process is an instance of.
    definitions: Vec<u8>,
    /// The length of such a state; 0 before the first.
    end: usize,
}

impl Shape {
    /// Finds processes and channels in a packed state, and the process inside an atomic sequence.
    #[inline]
    pub(crate) fn read(&mut self, model: &Model, state: &[u8]) -> Option<usize> {
        let exclusive = state[0] & EXCLUSIVE_BIT != 0;
        let end = if exclusive { state.len() - 2 } else { state.len() };
        if end != self.end || model.starts_processes && !self.fits(state) {
            self.walk(model, &state[..end]);
        }
        exclusive.then(|| usize::from(u16::from_le_bytes([state[end], state[end + 1]])))
    }

    /// Whether the processes of a state of the same length are those of the state before.
    fn fits(&self, state: &[u8]) -> bool {
        // Without a way out on the way: mostly all fit.
        let mut differs = false;
        for (base, definition) in self.bases.iter().zip(&self.definitions) {
            differs |= state[*base as usize] != *definition;
        }
        !differs
    }

    fn walk(&mut self, model: &Model, state: &[u8]) {
        self.version += 1;
        self.end = state.len();
        self.bases.clear();
        self.definitions.clear();
        self.channels.clear();
        let global = model.layout.global_channels.iter();
        self.channels.extend(global.map(|channel| ChannelAt { offset: channel.offset, layout: channel.layout }));
        let mut base = model.layout.globals_size;
        while (base as usize) < state.len() {
            let definition = state[base as usize];
            self.bases.push(base);
            self.definitions.push(definition);
            let layout = &model.layout.processes[usize::from(definition)];
            for channel in &layout.channels {
                self.channels.push(ChannelAt { offset: base + channel.offset, layout: channel.layout });
            }
            base += layout.size;
        }
    }
}
