//! Checkpoints in a file: a search that was saved can be continued after the process has ended in any way.
//!
//! *Format.* A line with the version of the format, a line of JSON that names the version, the model and the options (`Subject`), what the
//! search wrote, and the SHA-256 of all that.
//!
//! *Contract.* A file is complete or not there ([`file::write_with`]): a process that is killed, or a disk that is full, leaves the
//! checkpoint before. Then a warning tells so, and the search goes on. A file is read twice, first for its checksum; so a
//! damaged file, or one about something else, is refused with the reason before the search begins. What a process left that was killed
//! while it wrote is removed by the next one.
//!
//! *Tested by* `tests/checkpoints.rs`; by ending a process at random moments, `benches/src/bin/checkpoints.rs`.

mod folder;

pub(crate) use folder::PartsFolder;

use crate::exit::Failure;
use crate::file;
use crate::input::reason;
use crate::output::eprint;
use checker::observer::Checkpoints;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The first line of a file.
const FORMAT: &str = "lariat checkpoint 2";
/// The part of a first line that all versions have in common.
const ANY_FORMAT: &str = "lariat checkpoint ";
/// The bytes of the checksum.
const SUM: u64 = 32;
/// The search does at least this many times as long as writing the last checkpoint took.
const SEARCH_PER_WRITING: u32 = 10;

/// Whether a text is the beginning of a checkpoint of any version.
pub(crate) fn is_checkpoint(text: &str) -> bool {
    text.starts_with(ANY_FORMAT)
}

/// What is searched, and how. A search continues only one with an equal subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Subject {
    /// The version of Lariat: another one may pack states differently.
    pub(crate) lariat: String,
    /// The hash of the model with all that it includes, and of its macros.
    pub(crate) model: String,
    /// The options that change the search, as on a command line.
    pub(crate) options: Vec<String>,
}

impl Subject {
    /// Why a search about `self` does not continue one about `other`.
    fn difference(&self, other: &Subject) -> Option<String> {
        if self.lariat != other.lariat {
            return Some(format!("it was written by Lariat {}, and this is Lariat {}", other.lariat, self.lariat));
        }
        if self.model != other.model {
            return Some("it is of another model, or of the model with other macros".into());
        }
        let shown = |options: &[String]| match options {
            [] => "no options".into(),
            options => format!("`{}`", options.join(" ")),
        };
        (self.options != other.options)
            .then(|| format!("it was made with {}, not with {}", shown(&other.options), shown(&self.options)))
    }
}

/// The checkpoints of one check.
pub(crate) struct FileCheckpoints {
    path: PathBuf,
    /// The least time between two.
    every: Duration,
    subject: Subject,
    /// When the last one was written, and how long that took.
    last: Cell<(Instant, Duration)>,
    /// True if there is a checkpoint.
    is_there: Cell<bool>,
    /// True once a search could be saved.
    is_begun: Cell<bool>,
    /// The search to continue.
    saved: RefCell<Option<Box<dyn Read>>>,
    /// Why it cannot be continued.
    refused: RefCell<Option<Failure>>,
}

impl FileCheckpoints {
    /// Saves in a file that may be there already.
    pub(crate) fn new(path: &Path, every: Duration, subject: Subject) -> Result<Self, Failure> {
        file::check_writable(path)?;
        file::remove_leftovers(path);
        let last = Cell::new((Instant::now(), Duration::ZERO));
        let (saved, refused) = (RefCell::new(None), RefCell::new(None));
        Ok(Self {
            path: path.into(),
            every,
            subject,
            last,
            is_there: Cell::new(false),
            is_begun: Cell::new(false),
            saved,
            refused,
        })
    }

    /// Continues the search in a file, and saves it there again.
    pub(crate) fn resume(path: &Path, every: Duration, subject: Subject) -> Result<Self, Failure> {
        let saved = open(path, &subject)?;
        let checkpoints = Self::new(path, every, subject)?;
        checkpoints.saved.replace(Some(saved));
        checkpoints.is_there.set(true);
        Ok(checkpoints)
    }

    /// Tells how to go on after a search that a limit has ended, or why it cannot be continued.
    pub(crate) fn advise(&self) {
        if !self.is_begun.get() {
            eprint(
                "note: this search cannot be saved: the automaton of the property has several acceptance sets, or no search was needed\n",
            );
        } else if self.is_there.get() {
            eprint(&format!("note: continue with `--resume {}`\n", self.path.display()));
        }
    }

    /// Why the search was not continued, if so.
    pub(crate) fn refusal(&self) -> Option<Failure> {
        self.refused.take()
    }
}

/// Writes a file about a subject, whole or not at all.
fn write_file(
    path: &Path,
    subject: &Subject,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let subject = serde_json::to_string(subject).map_err(|error| Failure::bug(error.to_string()))?;
    file::write_with(path, |file| {
        let mut out = Summed { out: BufWriter::with_capacity(1 << 16, file), sum: Sha256::new() };
        out.write_all(format!("{FORMAT}\n{subject}\n").as_bytes())?;
        write(&mut out)?;
        let sum = out.sum.finalize();
        out.out.write_all(&sum)?;
        out.out.flush()
    })
}

impl Checkpoints for FileCheckpoints {
    fn is_due(&self) -> bool {
        let (last, took) = self.last.get();
        last.elapsed() >= self.every.max(took.saturating_mul(SEARCH_PER_WRITING))
    }

    fn save(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        let started = Instant::now();
        match write_file(&self.path, &self.subject, write) {
            Ok(()) => self.is_there.set(true),
            Err(failure) => {
                eprint(&format!("warning: {}; the search goes on, and the last checkpoint stays\n", failure.message));
            }
        }
        self.last.set((Instant::now(), started.elapsed()));
    }

    fn resume(&self) -> Option<Box<dyn Read>> {
        self.is_begun.set(true);
        self.saved.take()
    }

    fn refuse(&self, error: &io::Error) {
        let what = format!("cannot continue from `{}`: {error}", self.path.display());
        self.refused.replace(Some(Failure::usage(what)));
    }
}

/// Adds up what passes.
struct Summed<W> {
    out: W,
    sum: Sha256,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.sum.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// What a search wrote into a file, if the file is whole and about this subject.
fn open(path: &Path, subject: &Subject) -> Result<Box<dyn Read>, Failure> {
    let refused = |why: String| Failure::usage(format!("cannot continue from `{}`: {why}", path.display()));
    let unreadable = |error: io::Error| refused(reason(&error));
    let file = File::open(path).map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();
    let mut input = BufReader::with_capacity(1 << 16, file);
    let format = line(&mut input).map_err(unreadable)?;
    if format != FORMAT {
        return Err(refused(match is_checkpoint(&format) {
            true => "it was written by another version of Lariat".into(),
            false => "it is not a checkpoint".into(),
        }));
    }
    let damaged = || refused("it is damaged or incomplete".into());
    let body = length.checked_sub(SUM).ok_or_else(damaged)?;
    if !is_whole(&mut input, body).map_err(unreadable)? {
        return Err(damaged());
    }
    input.seek(SeekFrom::Start(FORMAT.len() as u64 + 1)).map_err(unreadable)?;
    let text = line(&mut input).map_err(unreadable)?;
    let found: Subject = serde_json::from_str(&text).map_err(|_| damaged())?;
    if let Some(difference) = subject.difference(&found) {
        return Err(refused(difference));
    }
    let begin = FORMAT.len() as u64 + 1 + text.len() as u64 + 1;
    Ok(Box::new(input.take(body.saturating_sub(begin))))
}

/// A short line without its end.
fn line(input: &mut impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    input.take(1 << 20).read_until(b'\n', &mut line)?;
    Ok(String::from_utf8_lossy(&line).trim_end_matches('\n').into())
}

/// Whether the checksum at the end of a file is that of this many bytes before it.
fn is_whole(input: &mut (impl Read + Seek), body: u64) -> io::Result<bool> {
    input.seek(SeekFrom::Start(0))?;
    let (mut sum, mut rest, mut part) = (Sha256::new(), body, vec![0; 1 << 16]);
    while rest > 0 {
        let most = part.len().min(usize::try_from(rest).unwrap_or(usize::MAX));
        let count = input.read(&mut part[..most])?;
        if count == 0 {
            return Ok(false);
        }
        sum.update(&part[..count]);
        rest -= count as u64;
    }
    let mut found = Vec::new();
    input.take(SUM).read_to_end(&mut found)?;
    Ok(found[..] == sum.finalize()[..])
}
