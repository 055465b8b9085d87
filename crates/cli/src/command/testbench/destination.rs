//! The files of a report: opened before the run, so that a wrong name costs nothing, and written after it.
//!
//! Contract: what a file holds stays until there is something to write into it, and a file that was made for nothing is removed.

use crate::exit::Failure;
use crate::input::reason;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that is going to be written.
pub(super) struct Destination {
    path: PathBuf,
    /// None where opening may have effects or take time, as for a pipe: that is left for the end.
    file: Option<File>,
    /// Whether it was not there before and nothing was written so far.
    is_fresh: bool,
}

impl Destination {
    /// Makes sure that the file can be written.
    fn open(path: &Path) -> io::Result<Self> {
        let path = path.to_owned();
        match std::fs::metadata(&path) {
            Ok(data) if data.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(data) if data.is_file() => {
                let file = File::options().append(true).open(&path)?;
                Ok(Destination { path, file: Some(file), is_fresh: false })
            }
            Ok(_) => Ok(Destination { path, file: None, is_fresh: false }),
            Err(_) => {
                let file = File::options().append(true).create(true).open(&path)?;
                Ok(Destination { path, file: Some(file), is_fresh: true })
            }
        }
    }

    /// Writes the text in place of what is there.
    pub(super) fn write(mut self, text: &str) -> Result<(), Failure> {
        self.is_fresh = false;
        let written = match &mut self.file {
            Some(file) => file.set_len(0).and_then(|()| file.write_all(text.as_bytes())),
            None => File::options().write(true).open(&self.path).and_then(|mut file| file.write_all(text.as_bytes())),
        };
        written.map_err(|error| cannot_write(&self.path, &error))
    }
}

impl Drop for Destination {
    fn drop(&mut self) {
        if self.is_fresh {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::usage(format!("cannot write `{}`: {}", path.display(), reason(error)))
}

/// Opens the files that options name, in their order; two options must not name the same one.
pub(super) fn open<const N: usize>(
    options: [(&str, Option<&PathBuf>); N],
) -> Result<[Option<Destination>; N], Failure> {
    let mut known: Vec<(&str, PathBuf)> = Vec::new();
    let mut opened = Vec::new();
    for (option, path) in options {
        let Some(path) = path else {
            opened.push(None);
            continue;
        };
        let destination = Destination::open(path).map_err(|error| cannot_write(path, &error))?;
        // It is there now, so it has one name that all others lead to.
        let place = std::fs::canonicalize(path).map_err(|error| cannot_write(path, &error))?;
        if let Some((other, _)) = known.iter().find(|(_, known)| *known == place && destination.file.is_some()) {
            let both = format!("--{other} and --{option} both write `{}`", path.display());
            return Err(Failure::usage(both));
        }
        known.push((option, place));
        opened.push(Some(destination));
    }
    Ok(opened.try_into().unwrap_or_else(|_| unreachable!("one for each option")))
}
