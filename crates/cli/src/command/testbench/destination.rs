//! The files of a report: checked before the run, so that a wrong name costs nothing, and written after it.
//!
//! Contract: what a file contains stays until all of the new text is on the disk. A name after `>>` means that it stays for good, and the
//! new text comes after it.

use crate::arguments::{TestFormat, TestReport};
use crate::exit::Failure;
use crate::file;
use std::path::{Path, PathBuf};

/// A file that is going to be written.
pub(super) struct Destination {
    path: PathBuf,
    /// Whether the text comes after what is there.
    appends: bool,
}

impl Destination {
    /// Writes the text in place of what is there, or after it.
    pub(super) fn write(self, text: &str) -> Result<(), Failure> {
        self.write_table("", text)
    }

    /// The same for a text that begins with a line of headings, which an older part of the file has already.
    pub(super) fn write_table(self, headings: &str, rows: &str) -> Result<(), Failure> {
        // Only files are read: a device may never end.
        let old = match self.appends && self.path.is_file() {
            true => std::fs::read_to_string(&self.path).map_err(|error| file::cannot_write(&self.path, &error))?,
            false => String::new(),
        };
        let headings = if old.is_empty() { headings } else { "" };
        file::write(&self.path, &[&old, headings, rows].concat())
    }
}

/// The file that an option means, and whether what is written there comes after what it contains: `>>FILE`, as in ltlcross.
fn meant(option: &str, path: &Path) -> Result<(PathBuf, bool), Failure> {
    match path.to_str().and_then(|text| text.strip_prefix(">>")) {
        None => Ok((path.to_owned(), false)),
        Some(_) if ["json", "html"].contains(&option) => Err(Failure::usage(format!(
            "--{option} writes a whole file: nothing can be added to another one with `>>`"
        ))),
        Some("") => Err(Failure::usage(format!("--{option} needs the name of a file after `>>`"))),
        Some(rest) => Ok((rest.into(), true)),
    }
}

/// Makes a report for standard output, `--json -` or `--csv -`, the only one that goes there.
pub(super) fn standard_output(report: &mut TestReport) -> Result<(), Failure> {
    let files = [("json", TestFormat::Json, &mut report.json), ("csv", TestFormat::Csv, &mut report.csv)];
    for (option, format, file) in files {
        if file.as_deref() != Some(Path::new("-")) {
            continue;
        }
        if ![TestFormat::Text, format].contains(&report.format) {
            let wrong = format!("--{option} without a file writes to standard output, which another format uses");
            return Err(Failure::usage(wrong));
        }
        (*file, report.format) = (None, format);
    }
    Ok(())
}

/// The one name that all names of a file lead to; none for a pipe or a device, which several texts may be written to.
fn place(path: &Path) -> Option<PathBuf> {
    match std::fs::canonicalize(path) {
        Ok(place) => place.is_file().then_some(place),
        Err(_) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Some(std::fs::canonicalize(folder).ok()?.join(path.file_name()?))
        }
    }
}

/// Checks the files that options name, in their order. Two options must not name the same one, and none may name an input.
pub(super) fn open<const N: usize>(
    options: [(&str, Option<&PathBuf>); N],
    inputs: &[String],
) -> Result<[Option<Destination>; N], Failure> {
    let mut known: Vec<(&str, PathBuf)> = Vec::new();
    let mut opened = Vec::new();
    for (option, path) in options {
        let Some(path) = path else {
            opened.push(None);
            continue;
        };
        let (path, appends) = meant(option, path)?;
        let path = &path;
        file::protect(&format!("--{option}"), path, inputs.iter().map(Path::new))?;
        file::check_writable(path)?;
        if let Some(place) = place(path) {
            if let Some((other, _)) = known.iter().find(|(_, known)| *known == place) {
                let both = format!("--{other} and --{option} both write `{}`", path.display());
                return Err(Failure::usage(both));
            }
            known.push((option, place));
        }
        opened.push(Some(Destination { path: path.clone(), appends }));
    }
    Ok(opened.try_into().unwrap_or_else(|_| unreachable!("one for each option")))
}
