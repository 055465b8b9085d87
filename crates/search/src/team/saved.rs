//! Searches of several workers that are saved between two levels, and continued by any number of workers.
//!
//! *Contract.* A search that continues has the states, levels and counts of the one that was saved, whatever the number of
//! workers. It continues only a search of the same system in the same way, which a key tells.
//!
//! *How.* Levels do not change once they are complete. So each time a worker writes those of its states that it has not
//! written yet, into a file of its own: every state is written once. When all have written, the one that leads writes a
//! list of these files, with what the search must know beside its states. Who replaces that list as a whole leaves the
//! search saved as it was, or as it is. When a search continues, the files are divided among the workers, who send each
//! state to its owner, level by level.

use super::message::{Reader, put_numbers};
use super::packet::{Packet, append, take};
use super::part::Part;
use super::{LEADER, Outbox, Wave};
use crate::checkpoint::{get, put, wrong};
use crate::store::exact::StateHash;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The name of the list of files.
const LIST: &str = "list";
/// The bytes of states that are written or read at once.
const CHUNK: usize = 1 << 18;

/// Where the workers of a search save their parts. All workers see the same files, or each those that it wrote.
pub trait Folder: Send + Sync {
    /// Whether it is time to save, given how long that took the last time.
    fn is_due(&self, took: Duration) -> bool;

    /// Stores what `write` writes under a name, whole or not at all.
    ///
    /// # Errors
    /// Why that was not possible.
    fn write(&self, name: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()>;

    /// What was stored under a name.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn read(&self, name: &str) -> io::Result<Box<dyn Read>>;

    /// Forgets what is stored, apart from the list and what has names that begin like this.
    fn keep(&self, prefix: &str);

    /// Whether a search is to be continued.
    fn continues(&self) -> bool;

    /// The search was not saved and goes on.
    fn warn(&self, error: &io::Error);

    /// The search cannot be continued and ends without a result.
    fn refuse(&self, error: &io::Error);
}

/// The checkpoints of one search.
pub(crate) struct Saving {
    folder: Option<Arc<dyn Folder>>,
    key: u64,
    /// For each time that the search was saved, how many workers wrote a file.
    writers: Vec<u64>,
    /// How many levels are written.
    levels: usize,
    took: Duration,
}

impl Saving {
    /// The checkpoints of a search with this key.
    pub(crate) fn new(outbox: &Outbox<'_>, key: u64) -> Self {
        Self { folder: outbox.folder(), key, writers: Vec::new(), levels: 0, took: Duration::ZERO }
    }

    fn prefix(&self) -> String {
        format!("states-{:016x}-", self.key)
    }

    fn name(&self, time: usize, writer: u64) -> String {
        format!("{}{time}-{writer}", self.prefix())
    }

    /// Whether the worker that leads wants to save the search now.
    pub(crate) fn is_due(&self, outbox: &Outbox<'_>) -> bool {
        outbox.own() == LEADER && self.folder.as_ref().is_some_and(|folder| folder.is_due(self.took))
    }

    /// Saves the levels that are complete, and `beside`, which the worker that leads knows.
    pub(crate) fn save(&mut self, outbox: &mut Outbox<'_>, part: &Part, beside: &[u8]) {
        let Some(folder) = self.folder.clone() else { return };
        let started = Instant::now();
        let name = self.name(self.writers.len(), outbox.own() as u64);
        let written =
            folder.write(&name, &mut |out| (self.levels..part.levels()).try_for_each(|l| write(part, l, out)));
        if let Err(error) = &written {
            folder.warn(error);
        }
        let all = outbox.gather(&[u8::from(written.is_ok())]);
        // What fails takes time as well.
        self.took = started.elapsed();
        if all.iter().any(|message| message[..] != [1]) {
            return;
        }
        self.writers.push(outbox.workers() as u64);
        self.levels = part.levels();
        if outbox.own() == LEADER {
            let mut list = Vec::new();
            put_numbers(&mut list, &[self.key, self.levels as u64, self.writers.len() as u64]);
            put_numbers(&mut list, &self.writers);
            if let Err(error) = folder.write(LIST, &mut |out| out.write_all(&list).and_then(|()| out.write_all(beside)))
            {
                folder.warn(&error);
            }
            folder.keep(&self.prefix());
        }
        self.took = started.elapsed();
    }

    /// Loads the states of a search with this key, if one was saved; gives what was saved beside them.
    ///
    /// # Errors
    /// The search cannot be continued; the folder was told why.
    pub(crate) fn resume(&mut self, outbox: &mut Outbox<'_>, wave: &mut dyn Wave) -> Result<Option<Vec<u8>>, ()> {
        let Some(folder) = self.folder.clone().filter(|folder| folder.continues()) else { return Ok(None) };
        let list = if outbox.own() == LEADER { self.list(&*folder) } else { Ok(Vec::new()) };
        if let Err(error) = &list {
            folder.refuse(error);
        }
        // An empty message: nothing can be read.
        let message = list.map(|list| [&[1], &list[..]].concat()).unwrap_or_default();
        let list = outbox.gather(&message).swap_remove(LEADER);
        let Some((_, list)) = list.split_first() else { return Err(()) };
        let mut reader = Reader { rest: list };
        let (key, levels, times) = (reader.number(), reader.number() as usize, reader.number());
        let writers: Vec<u64> = (0..times).map(|_| reader.number()).collect();
        if key != self.key {
            // The files are of a search that comes later; this one is made again, and not saved.
            self.folder = None;
            return Ok(None);
        }
        for (time, count) in writers.iter().enumerate() {
            let own = (0..*count).filter(|writer| *writer as usize % outbox.workers() == outbox.own());
            let files: io::Result<Vec<_>> = own.map(|writer| folder.read(&self.name(time, writer))).collect();
            let is_readable = files.is_ok();
            let mut files = files.unwrap_or_else(|error| {
                folder.refuse(&error);
                Vec::new()
            });
            // One file tells how many levels there are; a worker without files waits for the others.
            let mut is_more = true;
            while is_more {
                let found = files.iter_mut().try_fold(false, |any, file| Ok(any | read(file, outbox, wave)?));
                if let Err(error) = &found {
                    folder.refuse(error);
                }
                outbox.settle(wave);
                let message = if is_readable { found.map_or(2, u8::from) } else { 2 };
                let all = outbox.gather(&[message]);
                if all.iter().any(|message| message[..] == [2]) {
                    return Err(());
                }
                is_more = all.iter().any(|message| message[..] == [1]);
                if is_more {
                    wave.part().close();
                }
            }
        }
        if wave.part().levels() != levels {
            folder.refuse(&wrong("files are missing"));
            return Err(());
        }
        (self.writers, self.levels) = (writers, levels);
        Ok(Some(reader.rest.to_vec()))
    }

    fn list(&self, folder: &dyn Folder) -> io::Result<Vec<u8>> {
        let mut list = Vec::new();
        folder.read(LIST)?.read_to_end(&mut list)?;
        if list.len() < 24 { Err(wrong("the list of files is too short")) } else { Ok(list) }
    }
}

/// Writes the states of a level: chunks with their lengths, and a length of zero.
fn write(part: &Part, level: usize, out: &mut dyn Write) -> io::Result<()> {
    let (mut chunk, mut state) = (Vec::new(), Vec::new());
    let mut flush = |chunk: &mut Vec<u8>| {
        put(out, chunk.len() as u64)?;
        out.write_all(chunk)?;
        chunk.clear();
        io::Result::Ok(())
    };
    for number in part.numbers(level) {
        part.store.copy(number, &mut state);
        append(&mut chunk, &state, false);
        if chunk.len() >= CHUNK {
            flush(&mut chunk)?;
        }
    }
    if !chunk.is_empty() {
        flush(&mut chunk)?;
    }
    flush(&mut chunk)
}

/// Reads the states of a level and sends them to their owners; false at the end of the file.
fn read(file: &mut dyn Read, outbox: &mut Outbox<'_>, wave: &mut dyn Wave) -> io::Result<bool> {
    let mut is_first = true;
    loop {
        let length = match get(file) {
            Err(error) if is_first && error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            length => length? as usize,
        };
        is_first = false;
        if length == 0 {
            return Ok(true);
        }
        let mut chunk = vec![0; length.min(CHUNK * 4)];
        if length > chunk.len() {
            return Err(wrong("a chunk of states is too long"));
        }
        file.read_exact(&mut chunk)?;
        let (mut own, mut rest) = (Packet::default(), &chunk[..]);
        while let Some((state, _)) = take(&mut rest) {
            match outbox.owner(StateHash::of(state), state) {
                owner if owner == outbox.own() => own.push(state, &[], false),
                owner => outbox.send(owner, state, false),
            }
        }
        let own = own.finish();
        if !own.is_empty() {
            wave.accept(&own);
        }
        outbox.poll(wave);
    }
}
