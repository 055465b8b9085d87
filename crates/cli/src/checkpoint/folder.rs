//! The checkpoints of several processes: a folder with a file for each worker and a list of these files.

use super::{SEARCH_PER_WRITING, Subject, open, write_file};
use crate::exit::Failure;
use crate::output::eprint;
use cluster::Folder;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What the names of files with states begin with.
const STATES: &str = "states-";

/// See the module's text.
pub(crate) struct PartsFolder {
    path: PathBuf,
    /// The least time between two checkpoints.
    every: Duration,
    subject: Subject,
    continues: bool,
    /// When the last checkpoint was due.
    last: Mutex<Instant>,
    refused: Mutex<Option<String>>,
}

impl PartsFolder {
    /// Saves in a folder, and continues what is there if wanted.
    pub(crate) fn new(path: &Path, every: Duration, subject: Subject, continues: bool) -> Result<Self, Failure> {
        let cannot = |error: io::Error| {
            Failure::usage(format!("cannot use the folder `{}` for checkpoints: {error}", path.display()))
        };
        if path.is_file() {
            let words = "several processes save their checkpoints in a folder, and this is a file";
            return Err(Failure::usage(format!("`{}`: {words}", path.display())));
        }
        std::fs::create_dir_all(path).map_err(cannot)?;
        let (last, refused) = (Mutex::new(Instant::now()), Mutex::new(None));
        Ok(Self { path: path.into(), every, subject, continues, last, refused })
    }

    /// Why a search was not continued, if so.
    pub(crate) fn refusal(&self) -> Option<String> {
        locked(&self.refused).clone()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Folder for PartsFolder {
    fn is_due(&self, took: Duration) -> bool {
        let mut last = locked(&self.last);
        let is_due = last.elapsed() >= self.every.max(took.saturating_mul(SEARCH_PER_WRITING));
        if is_due {
            *last = Instant::now();
        }
        is_due
    }

    fn write(&self, name: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        write_file(&self.path.join(name), &self.subject, write).map_err(|failure| io::Error::other(failure.message))
    }

    fn read(&self, name: &str) -> io::Result<Box<dyn Read>> {
        open(&self.path.join(name), &self.subject).map_err(|failure| io::Error::other(failure.message))
    }

    fn keep(&self, prefix: &str) {
        for entry in std::fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with(STATES) && !name.starts_with(prefix) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    fn continues(&self) -> bool {
        self.continues
    }

    fn warn(&self, error: &io::Error) {
        eprint(&format!("warning: {error}; the search goes on, and the last checkpoint stays\n"));
    }

    fn refuse(&self, error: &io::Error) {
        locked(&self.refused).get_or_insert_with(|| error.to_string());
    }
}
