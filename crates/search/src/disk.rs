//! Files for what does not fit into memory, and sorted runs of byte strings in them.
//!
//! *Contract.* Somebody else gives the files ([`Files`]), since this library knows no file system; [`Disk`] keeps all of them
//! together within a limit. A `Run` is a set of byte strings in lexicographic order; `Merge` gives the strings of
//! several runs in order, each once; `Reader::skip_to` finds a string without reading what lies between.
//!
//! *How.* A run consists of blocks of whole records (length and bytes), and the first string of each block is kept in memory.
//! A log (`Log`) is one file that only grows, cut into parts.
//!
//! *Source.* Sorted runs with delayed detection of duplicates: [korf.03.ijcai]. *Tested by* ordered sets on random strings, below.

use std::cell::RefCell;
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// A block ends with the record that exceeds this many bytes.
const BLOCK: usize = 1 << 14;

/// Something to write to and to read from again, such as a file.
pub trait Medium: Read + Write + Seek {}

impl<T: Read + Write + Seek> Medium for T {}

/// Gives files for what does not fit into memory. They should be gone when they are dropped, whatever ends the process.
pub trait Files: fmt::Debug + Send + Sync {
    /// A new file, which is empty.
    ///
    /// # Errors
    /// If there is none.
    fn create(&self) -> io::Result<Box<dyn Medium>>;

    /// Where the files are, in words.
    fn place(&self) -> String;
}

/// Files for what does not fit into memory, within a limit.
#[derive(Debug)]
pub struct Disk<'f> {
    files: &'f dyn Files,
    limit: u64,
    used: AtomicU64,
    peak: AtomicU64,
    failure: Mutex<Option<String>>,
}

impl<'f> Disk<'f> {
    /// Uses these files, and at most this many bytes in them.
    #[must_use]
    pub fn new(files: &'f dyn Files, limit: Option<u64>) -> Self {
        let (used, peak, failure) = (AtomicU64::new(0), AtomicU64::new(0), Mutex::new(None));
        Self { files, limit: limit.unwrap_or(u64::MAX), used, peak, failure }
    }

    /// Why a search could not go on with the files, if so.
    pub fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn fail(&self, error: &io::Error) {
        let what = format!("{}: {error}", self.files.place());
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).replace(what);
    }

    /// The most bytes that all files had together.
    pub(crate) fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    fn file(&self) -> io::Result<Appended<'_>> {
        Ok(Appended { file: RefCell::new(self.files.create()?), length: 0, disk: self })
    }
}

/// A file to which bytes are appended.
struct Appended<'d> {
    file: RefCell<Box<dyn Medium>>,
    length: u64,
    disk: &'d Disk<'d>,
}

impl Appended<'_> {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let more = bytes.len() as u64;
        let used = self.disk.used.fetch_add(more, Ordering::Relaxed) + more;
        self.length += more;
        if used > self.disk.limit {
            return Err(io::Error::other("the limit on disk space was reached"));
        }
        self.disk.peak.fetch_max(used, Ordering::Relaxed);
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(self.length - more))?;
        file.write_all(bytes)
    }

    /// Reads the bytes from `start` to `end` over `into`.
    fn read(&self, start: u64, end: u64, into: &mut Vec<u8>) -> io::Result<()> {
        into.resize(usize::try_from(end - start).map_err(io::Error::other)?, 0);
        let mut file = self.file.borrow_mut();
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(into)
    }
}

impl Drop for Appended<'_> {
    fn drop(&mut self) {
        self.disk.used.fetch_sub(self.length, Ordering::Relaxed);
    }
}

/// Appends a record to a block.
fn put(block: &mut Vec<u8>, record: &[u8]) -> io::Result<()> {
    let length = u32::try_from(record.len()).map_err(io::Error::other)?;
    block.extend_from_slice(&length.to_le_bytes());
    block.extend_from_slice(record);
    Ok(())
}

/// The record at a position of a block, and the position after it; none at the end.
fn get(block: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let (length, rest) = block.get(at..)?.split_first_chunk()?;
    let length = u32::from_le_bytes(*length) as usize;
    Some((&rest[..length], at + 4 + length))
}

/// A sorted set of byte strings.
pub(crate) struct Run<'d> {
    file: Appended<'d>,
    /// The first string of each block, and where the block begins.
    fences: Vec<(Box<[u8]>, u64)>,
    records: u64,
}

impl<'d> Run<'d> {
    /// How many strings there are.
    pub(crate) fn len(&self) -> u64 {
        self.records
    }

    /// The bytes of memory that it occupies.
    pub(crate) fn bytes(&self) -> u64 {
        let first = self.fences.first().map_or(0, |(first, _)| first.len());
        (self.fences.capacity() * size_of::<(Box<[u8]>, u64)>() + self.fences.len() * first) as u64
    }

    /// Reads it from the beginning.
    pub(crate) fn reader(&self) -> io::Result<Reader<'_, 'd>> {
        let mut reader = Reader { run: self, block: 0, bytes: Vec::new(), record: (0, 0), after: 0 };
        reader.load(0)?;
        Ok(reader)
    }
}

/// Writes a run.
pub(crate) struct RunWriter<'d> {
    run: Run<'d>,
    block: Vec<u8>,
}

impl<'d> RunWriter<'d> {
    pub(crate) fn new(disk: &'d Disk<'d>) -> io::Result<Self> {
        Ok(Self { run: Run { file: disk.file()?, fences: Vec::new(), records: 0 }, block: Vec::new() })
    }

    /// Appends a string that is greater than all before.
    pub(crate) fn push(&mut self, record: &[u8]) -> io::Result<()> {
        if self.block.is_empty() {
            self.run.fences.push((record.into(), self.run.file.length));
        }
        put(&mut self.block, record)?;
        self.run.records += 1;
        if self.block.len() > BLOCK {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.run.file.append(&self.block)?;
        self.block.clear();
        Ok(())
    }

    pub(crate) fn finish(mut self) -> io::Result<Run<'d>> {
        self.flush()?;
        Ok(self.run)
    }
}

/// A position in a run.
pub(crate) struct Reader<'r, 'd> {
    run: &'r Run<'d>,
    block: usize,
    bytes: Vec<u8>,
    /// The record at hand, in `bytes`; there is none after the last block.
    record: (usize, usize),
    after: usize,
}

impl Reader<'_, '_> {
    /// The string at hand; none at the end.
    pub(crate) fn peek(&self) -> Option<&[u8]> {
        (self.block < self.run.fences.len()).then(|| &self.bytes[self.record.0..self.record.1])
    }

    /// Goes on to the next string.
    pub(crate) fn advance(&mut self) -> io::Result<()> {
        match get(&self.bytes, self.after) {
            Some((_, after)) => {
                (self.record, self.after) = ((self.after + 4, after), after);
                Ok(())
            }
            None => self.load(self.block + 1),
        }
    }

    /// Goes on to the first string that is not less than this one; says whether they are equal.
    pub(crate) fn skip_to(&mut self, wanted: &[u8]) -> io::Result<bool> {
        // The last block that begins with this string or a lesser one.
        let ahead = self.run.fences.get(self.block + 1..).unwrap_or(&[]);
        match ahead.partition_point(|(first, _)| **first <= *wanted) {
            0 => {}
            blocks => self.load(self.block + blocks)?,
        }
        while let Some(record) = self.peek() {
            if record >= wanted {
                return Ok(record == wanted);
            }
            self.advance()?;
        }
        Ok(false)
    }

    fn load(&mut self, block: usize) -> io::Result<()> {
        self.block = block;
        let Some((_, start)) = self.run.fences.get(block) else { return Ok(()) };
        let end = self.run.fences.get(block + 1).map_or(self.run.file.length, |(_, start)| *start);
        self.run.file.read(*start, end, &mut self.bytes)?;
        self.after = 0;
        self.advance()
    }
}

/// The strings of several runs in order, each once.
pub(crate) struct Merge<'r, 'd> {
    readers: Vec<Reader<'r, 'd>>,
}

impl<'r, 'd> Merge<'r, 'd> {
    pub(crate) fn new(runs: &'r [Run<'d>]) -> io::Result<Self> {
        Ok(Self { readers: runs.iter().map(Run::reader).collect::<io::Result<_>>()? })
    }

    /// Writes the next string over `into`; false if there is none.
    pub(crate) fn next(&mut self, into: &mut Vec<u8>) -> io::Result<bool> {
        let Some(least) = self.readers.iter().filter_map(Reader::peek).min() else { return Ok(false) };
        into.clear();
        into.extend_from_slice(least);
        for reader in &mut self.readers {
            if reader.peek() == Some(into) {
                reader.advance()?;
            }
        }
        Ok(true)
    }
}

/// A list of byte strings, cut into parts.
pub(crate) struct Log<'d> {
    file: Appended<'d>,
    block: Vec<u8>,
    /// The ends of the parts.
    ends: Vec<u64>,
}

impl<'d> Log<'d> {
    pub(crate) fn new(disk: &'d Disk<'d>) -> io::Result<Self> {
        Ok(Self { file: disk.file()?, block: Vec::new(), ends: Vec::new() })
    }

    /// How many parts have been ended.
    pub(crate) fn parts(&self) -> usize {
        self.ends.len()
    }

    /// The bytes of memory that it occupies.
    pub(crate) fn bytes(&self) -> u64 {
        (self.ends.capacity() * size_of::<u64>() + self.block.capacity()) as u64
    }

    pub(crate) fn push(&mut self, record: &[u8]) -> io::Result<()> {
        put(&mut self.block, record)?;
        if self.block.len() > BLOCK { self.flush() } else { Ok(()) }
    }

    pub(crate) fn end_part(&mut self) -> io::Result<()> {
        self.flush()?;
        self.ends.push(self.file.length);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.append(&self.block)?;
        self.block.clear();
        Ok(())
    }

    /// The beginning of a part that has been ended.
    pub(crate) fn part(&self, part: usize) -> Place {
        let at = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        Place { at, end: self.ends[part], bytes: Vec::new(), used: 0 }
    }

    /// Writes the string at a place over `into`, and goes on to the next one; false if there is none.
    pub(crate) fn next(&self, place: &mut Place, into: &mut Vec<u8>) -> io::Result<bool> {
        if place.used == place.bytes.len() && !place.load(&self.file, BLOCK)? {
            return Ok(false);
        }
        let rest = &place.bytes[place.used..];
        let length = rest.split_first_chunk().map(|(length, _)| u32::from_le_bytes(*length) as usize);
        let needed = length.map_or(4, |length| 4 + length);
        if rest.len() < needed {
            // The record goes on in the next block; a length that is cut is read again.
            place.load(&self.file, needed.max(BLOCK))?;
            return self.next(place, into);
        }
        into.clear();
        into.extend_from_slice(&rest[4..needed]);
        place.used += needed;
        Ok(true)
    }
}

/// A position in a log.
pub(crate) struct Place {
    /// Where the bytes after those at hand begin.
    at: u64,
    end: u64,
    bytes: Vec<u8>,
    /// How many of them have been read.
    used: usize,
}

impl Place {
    /// Reads on, keeping what has not been used; false if nothing is left.
    fn load(&mut self, file: &Appended<'_>, most: usize) -> io::Result<bool> {
        self.at -= (self.bytes.len() - self.used) as u64;
        let end = self.end.min(self.at + most as u64);
        file.read(self.at, end, &mut self.bytes)?;
        (self.at, self.used) = (end, 0);
        Ok(!self.bytes.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use std::collections::BTreeSet;

    /// Files in memory.
    #[derive(Debug)]
    struct InMemory;

    impl Files for InMemory {
        fn create(&self) -> io::Result<Box<dyn Medium>> {
            Ok(Box::new(io::Cursor::new(Vec::new())))
        }

        fn place(&self) -> String {
            "memory".into()
        }
    }

    fn strings(random: &mut rand_chacha::ChaCha8Rng, most: usize) -> BTreeSet<Vec<u8>> {
        let longest = *[3, 20, 20_000].get(random.random_range(0..3)).unwrap();
        let one = |_| {
            (0..random.random_range(0..=longest)).map(|index| (index % 7) as u8 ^ random.random_range(0..3)).collect()
        };
        (0..most).map(one).collect()
    }

    fn write<'d>(disk: &'d Disk<'d>, set: &BTreeSet<Vec<u8>>) -> Run<'d> {
        let mut writer = RunWriter::new(disk).unwrap();
        set.iter().for_each(|string| writer.push(string).unwrap());
        writer.finish().unwrap()
    }

    #[test]
    fn runs_are_sets_and_merging_gives_their_union() {
        for seed in 0..20 {
            let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
            let disk = Disk::new(&InMemory, None);
            let sets: Vec<_> = (0..random.random_range(0..5)).map(|_| strings(&mut random, 200)).collect();
            let runs: Vec<_> = sets.iter().map(|set| write(&disk, set)).collect();
            let union: BTreeSet<_> = sets.iter().flatten().cloned().collect();
            let (mut merge, mut found, mut next) = (Merge::new(&runs).unwrap(), Vec::new(), Vec::new());
            while merge.next(&mut next).unwrap() {
                found.push(next.clone());
            }
            assert!(found.iter().eq(&union), "seed {seed}");
            let wanted = strings(&mut random, 100);
            for (set, run) in sets.iter().zip(&runs) {
                assert_eq!(run.len(), set.len() as u64);
                let mut reader = run.reader().unwrap();
                for string in wanted.iter().chain(set).collect::<BTreeSet<_>>() {
                    assert_eq!(reader.skip_to(string).unwrap(), set.contains(string), "seed {seed}");
                }
            }
            drop(merge);
            drop(runs);
            assert_eq!(disk.used.load(Ordering::Relaxed), 0, "all files are gone");
        }
    }

    #[test]
    fn a_log_gives_back_its_parts() {
        for seed in 0..20 {
            let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
            let disk = Disk::new(&InMemory, None);
            let mut log = Log::new(&disk).unwrap();
            let parts: Vec<Vec<Vec<u8>>> =
                (0..4).map(|_| strings(&mut random, 50).into_iter().rev().collect()).collect();
            for part in &parts {
                part.iter().for_each(|string| log.push(string).unwrap());
                log.end_part().unwrap();
            }
            for (index, part) in parts.iter().enumerate() {
                let (mut place, mut next, mut found) = (log.part(index), Vec::new(), Vec::new());
                while log.next(&mut place, &mut next).unwrap() {
                    found.push(next.clone());
                }
                assert_eq!(found, *part, "seed {seed}");
            }
        }
    }

    #[test]
    fn files_stay_within_the_limit() {
        let disk = Disk::new(&InMemory, Some(100_000));
        let mut writer = RunWriter::new(&disk).unwrap();
        let error = (0..100_000_u32).find_map(|number| writer.push(&number.to_be_bytes()).err());
        assert_eq!(error.unwrap().to_string(), "the limit on disk space was reached");
        assert!(disk.peak() <= 100_000);
    }
}
