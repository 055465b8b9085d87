//! Where the traces of a check are saved.
//!
//! Contract: the names belong to one model, so that no trace of another model is replaced; the number of traces of a model
//! stays small, because the traces of properties that were decided again are replaced or removed. Nothing but a trace is
//! ever replaced or removed.

use crate::exit::Failure;
use crate::file;
use crate::trace::{self, Owner, TraceFile};
use checker::Report;
use checker::report::{Outcome, Verdict};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

/// The places for the traces of one model.
pub(crate) struct Shelf {
    /// The file that `--trace` names.
    named: Option<PathBuf>,
    /// The name of the model.
    model: String,
    /// Whether all properties of the model are checked.
    is_whole: bool,
}

impl Shelf {
    /// The shelf of a model. `named` is the file that the user wants, `is_whole` is true if all properties are checked.
    pub(crate) fn new(model: &str, named: Option<PathBuf>, is_whole: bool) -> Self {
        Self { named, model: model.into(), is_whole }
    }

    /// Saves all counterexamples of a report, notes their files in it, and removes the traces of properties that hold.
    pub(crate) fn save(&self, report: &mut Report) -> Result<(), Failure> {
        let mut old = self.old();
        let mut free =
            (1..).filter(|number| self.is_free(*number, &old, report)).take(needed(report)).collect::<VecDeque<_>>();
        let mut paths = Vec::new();
        for property in &report.properties {
            for counterexample in property.counterexamples() {
                let number = free.pop_front().expect("a number for each counterexample");
                let path = self.path(number);
                TraceFile::of(&report.model, property, counterexample).write(&path)?;
                old.remove(&number);
                paths.push(path.display().to_string());
            }
        }
        for (number, _) in old.iter().filter(|(_, owner)| self.is_obsolete(owner.as_ref(), report)) {
            // A trace that cannot be removed does no harm: `validate` refuses it if the model has changed.
            let _ = std::fs::remove_file(self.path(*number));
        }
        let violations = report.properties.iter_mut().filter_map(|property| match &mut property.verdict {
            Verdict::Violated(violation) => Some(violation.counterexamples_mut()),
            _ => None,
        });
        violations.flatten().zip(paths).for_each(|(counterexample, path)| counterexample.saved_as(path));
        Ok(())
    }

    /// The file for the trace with a number, counted from 1.
    fn path(&self, number: usize) -> PathBuf {
        match (&self.named, number) {
            (Some(path), 1) => path.clone(),
            (Some(path), _) => path.with_extension(format!("{number}.json")),
            (None, _) => default_path(&self.model, number),
        }
    }

    /// The files that are there, by their numbers, with the owners of those that are traces.
    fn old(&self) -> BTreeMap<usize, Option<Owner>> {
        let first = self.path(1);
        let folder = first.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        let is_there =
            |number: &usize| self.path(*number).file_name().is_some_and(|name| names.iter().any(|one| one == name));
        // There are at most as many numbers as files.
        let numbers = (1..=names.len() + 1).filter(is_there);
        numbers.map(|number| (number, trace::owner(&self.path(number)))).collect()
    }

    /// True if a trace can be written with this number. What is no trace is refused when it is written.
    fn is_free(&self, number: usize, old: &BTreeMap<usize, Option<Owner>>, report: &Report) -> bool {
        match old.get(&number) {
            // The user names the first file.
            _ if number == 1 && self.named.is_some() => true,
            Some(Some(owner)) => self.is_obsolete(Some(owner), report),
            Some(None) | None => true,
        }
    }

    /// True for a trace of this model about a property that the report decides again, or that the model no longer has.
    fn is_obsolete(&self, owner: Option<&Owner>, report: &Report) -> bool {
        let Some(owner) = owner else { return false };
        let name = |file: &str| Path::new(file).file_name().map(ToOwned::to_owned);
        let property = report.properties.iter().find(|property| property.name == owner.property);
        name(&owner.model) == name(&self.model)
            && property.map_or(self.is_whole, |property| property.verdict.outcome() != Outcome::Unknown)
    }
}

/// The number of files that a report needs.
fn needed(report: &Report) -> usize {
    report.properties.iter().map(|property| property.counterexamples().len()).sum()
}

/// Where the trace with a number (from 1) is saved by default: in the current folder, as `MODEL.trace.json`,
/// `MODEL.2.trace.json` and so on. For a model in another folder the name contains a hash of that folder.
fn default_path(model: &str, number: usize) -> PathBuf {
    let path = Path::new(model);
    let is_file = !model.starts_with('<');
    let mut name = match path.file_name().filter(|_| is_file) {
        Some(name) => name.to_string_lossy().into_owned(),
        None => "model".into(),
    };
    let folder = path.parent().filter(|folder| is_file && !folder.as_os_str().is_empty());
    if let Some(folder) = folder {
        let [folder, here] = [folder, Path::new(".")].map(|one| std::fs::canonicalize(one).unwrap_or(one.into()));
        if folder != here {
            let hash = Sha256::digest(folder.to_string_lossy().as_bytes());
            name += &hash.iter().take(4).fold(String::from("."), |text, byte| text + &format!("{byte:02x}"));
        }
    }
    PathBuf::from(if number == 1 { format!("{name}.trace.json") } else { format!("{name}.{number}.trace.json") })
}

/// Refuses a file for traces that cannot be written, or that is something else, before anything is searched.
pub(crate) fn check_named(path: &Path) -> Result<(), Failure> {
    trace::check_replaceable(path)?;
    file::check_writable(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_paths_lie_in_the_current_folder_and_differ_by_the_folder_of_the_model() {
        assert_eq!(default_path("mutex.pml", 1), PathBuf::from("mutex.pml.trace.json"));
        assert_eq!(default_path("./mutex.pml", 3), PathBuf::from("mutex.pml.3.trace.json"));
        assert_eq!(default_path("<standard input>", 1), PathBuf::from("model.trace.json"));
        let [src, tests] = ["src/m.pml", "tests/m.pml"].map(|model| default_path(model, 1));
        assert!(src != tests && src != default_path("m.pml", 1));
        assert_eq!(src, default_path("tests/../src/m.pml", 1));
        assert!(src.components().count() == 1 && src.to_string_lossy().ends_with(".trace.json"));
    }
}
