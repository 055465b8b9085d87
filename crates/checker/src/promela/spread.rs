//! A check by several workers that share no memory: what they can do, and how their notes travel.

use super::selection::Selection;
use crate::error::Error;
use crate::options::PromelaOptions;
use promela::reduce::{Reduced, Scratch};
use search::explore::spread;

/// What explorers of a model note, as bytes.
pub(super) struct NotesOfModel;

impl<'m> spread::Notes<Reduced<'m>> for NotesOfModel {
    fn write(&self, scratch: &Scratch) -> Vec<u8> {
        scratch.notes()
    }

    fn add(&self, scratch: &mut Scratch, notes: &[u8]) {
        scratch.add_notes(notes);
    }
}

/// Refuses what only one process can check.
///
/// # Errors
/// What that is.
pub(super) fn refuse_others(selection: &Selection, options: &PromelaOptions) -> Result<(), Error> {
    if let Some(first) = selection.temporal.first() {
        return Err(Error::OneProcess(format!("the temporal property `{}`", first.name)));
    }
    let refused = [
        (options.store.is_lossy(), "a search with a lossy store"),
        (options.disk.is_some(), "a search with files"),
        (options.check_facts, "the confirmation of facts"),
    ];
    match refused.iter().find(|(is_wanted, _)| *is_wanted) {
        Some((_, what)) => Err(Error::OneProcess((*what).into())),
        None => Ok(()),
    }
}
