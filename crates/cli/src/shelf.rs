//! Where the traces of a check are saved.
//!
//! Contract: the names belong to one model, so that no trace of another model is replaced; the number of traces of a model
//! stays small, because the traces of properties that were decided again are replaced or removed. Nothing but a trace is
//! ever replaced or removed.

use crate::exit::Failure;
use crate::file;
use crate::trace::{self, Owner, TraceFile};
use checker::report::{ModelSummary, Outcome, PropertyReport, Verdict};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The places for the traces of one model.
pub(crate) struct Shelf {
    /// The file that `--trace` names.
    named: Option<PathBuf>,
    /// The name of the model.
    model: String,
    /// The names of the properties that are checked.
    properties: Vec<String>,
    /// Whether these are all properties of the model.
    is_whole: bool,
    /// The files that were there and are neither replaced nor removed, by their numbers, with the owners of those that
    /// are traces.
    old: BTreeMap<usize, Option<Owner>>,
    /// The numbers of the traces that were written.
    written: BTreeSet<usize>,
}

impl Shelf {
    /// The shelf of a model. `named` is the file that the user wants, `is_whole` is true if the properties are all those
    /// of the model.
    pub(crate) fn new(model: &str, named: Option<PathBuf>, properties: Vec<String>, is_whole: bool) -> Self {
        let (old, written) = (BTreeMap::new(), BTreeSet::new());
        let mut shelf = Self { named, model: model.into(), properties, is_whole, old, written };
        shelf.old = shelf.present();
        shelf
    }

    /// Saves the counterexamples of a property that is decided, notes their files in it, and removes its other traces.
    pub(crate) fn save(&mut self, model: &ModelSummary, property: &mut PropertyReport) -> Result<(), Failure> {
        let mut paths = Vec::new();
        for counterexample in property.counterexamples() {
            let number = (1..).find(|number| self.is_free(*number, &property.name)).expect("there are many numbers");
            let path = self.path(number);
            TraceFile::of(model, property, counterexample).write(&path)?;
            self.old.remove(&number);
            self.written.insert(number);
            paths.push(path.display().to_string());
        }
        if let Some(draft) = &property.draft {
            // A run that is not confirmed replaces none that is.
            let is_free = |number: &usize| self.is_free_for_draft(*number, &property.name);
            let number = (1..).find(is_free).expect("there are many numbers");
            let path = self.path(number);
            TraceFile::of_draft(model, property, draft).write(&path)?;
            self.old.remove(&number);
            self.written.insert(number);
            property.unconfirmed_trace_file = Some(path.display().to_string());
        }
        if property.verdict.outcome() != Outcome::Unknown {
            self.remove(|shelf, owner| shelf.is_of(owner, &property.name));
        }
        if let Verdict::Violated(violation) = &mut property.verdict {
            let counterexamples = violation.counterexamples_mut().iter_mut();
            counterexamples.zip(paths).for_each(|(counterexample, path)| counterexample.saved_as(path));
        }
        Ok(())
    }

    /// Removes the traces of properties that the model no longer has.
    pub(crate) fn finish(&mut self) {
        self.remove(Self::is_gone);
    }

    fn remove(&mut self, is_obsolete: impl Fn(&Self, &Owner) -> bool) {
        let is_obsolete =
            |(_, owner): &(&usize, &Option<Owner>)| owner.as_ref().is_some_and(|one| is_obsolete(self, one));
        let obsolete: Vec<usize> = self.old.iter().filter(is_obsolete).map(|(number, _)| *number).collect();
        for number in obsolete {
            // A trace that cannot be removed does no harm: `validate` refuses it if the model has changed.
            let _ = std::fs::remove_file(self.path(number));
            self.old.remove(&number);
        }
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
    fn present(&self) -> BTreeMap<usize, Option<Owner>> {
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

    /// True if a trace of a property can be written with this number. What is no trace is refused when it is written.
    fn is_free(&self, number: usize, property: &str) -> bool {
        match self.old.get(&number) {
            _ if self.written.contains(&number) => false,
            // The user names the first file.
            _ if number == 1 && self.named.is_some() => true,
            Some(Some(owner)) => self.is_of(owner, property) || self.is_gone(owner),
            Some(None) | None => true,
        }
    }

    /// The same for a run that is not confirmed.
    fn is_free_for_draft(&self, number: usize, property: &str) -> bool {
        let is_kept = match self.old.get(&number) {
            Some(Some(owner)) => !owner.is_draft && !self.is_gone(owner),
            Some(None) | None => false,
        };
        !is_kept && self.is_free(number, property)
    }

    /// True for a trace of this model about this property.
    fn is_of(&self, owner: &Owner, property: &str) -> bool {
        let name = |file: &str| Path::new(file).file_name().map(ToOwned::to_owned);
        name(&owner.model) == name(&self.model) && owner.property == property
    }

    /// True for a trace of this model about a property that the model no longer has.
    fn is_gone(&self, owner: &Owner) -> bool {
        self.is_whole && self.is_of(owner, &owner.property) && !self.properties.contains(&owner.property)
    }
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
