//! The checkpoints of whoever watches a check.
//!
//! *Searches by number.* A check makes several searches that can be saved, one after the other. A checkpoint says which one it is of:
//! a check that continues makes the searches before it once more, which had come to an end, and saves nothing until it is there.
//!
//! *Beside the search.* A product notes run-time errors while it is explored ([`Noticing`]); a search that forgot them would say
//! more than it knows.

use super::binding::{Bound, BoundAtoms};
use crate::observer::{Checkpoints, Observer};
use std::cell::{Cell, RefCell};
use std::io::{self, Read, Write};

/// The checkpoints of an observer, who is borrowed for each call only, since the search also tells it how far it is.
pub(super) struct Saver<'a, 'o> {
    observer: &'a RefCell<&'o mut (dyn Observer + 'o)>,
    /// The number of the present search, from 1.
    search: Cell<u64>,
    /// The number of the search that was saved, and what it wrote, until it is continued.
    saved: RefCell<Option<(u64, Box<dyn Read>)>>,
}

impl<'a, 'o> Saver<'a, 'o> {
    pub(super) fn new(observer: &'a RefCell<&'o mut (dyn Observer + 'o)>) -> Self {
        Self { observer, search: Cell::new(0), saved: RefCell::new(None) }
    }
}

impl Checkpoints for Saver<'_, '_> {
    fn is_due(&self) -> bool {
        let is_waiting = self.saved.borrow().is_some();
        !is_waiting && self.observer.borrow_mut().checkpoints().is_some_and(|checkpoints| checkpoints.is_due())
    }

    fn save(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        if let Some(checkpoints) = self.observer.borrow_mut().checkpoints() {
            checkpoints.save(&mut |out| {
                out.write_all(&self.search.get().to_le_bytes())?;
                write(out)
            });
        }
    }

    fn resume(&self) -> Option<Box<dyn Read>> {
        self.search.set(self.search.get() + 1);
        if self.search.get() == 1
            && let Some(mut bytes) = self.observer.borrow_mut().checkpoints()?.resume()
        {
            let mut number = [0; 8];
            // What cannot be read here cannot be read by the search either, which says so.
            let number = bytes.read_exact(&mut number).map_or(1, |()| u64::from_le_bytes(number));
            self.saved.replace(Some((number, bytes)));
        }
        let is_this = self.saved.borrow().as_ref().is_some_and(|(number, _)| *number == self.search.get());
        if is_this { self.saved.take().map(|(_, bytes)| bytes) } else { None }
    }

    fn refuse(&self, error: &io::Error) {
        if let Some(checkpoints) = self.observer.borrow_mut().checkpoints() {
            checkpoints.refuse(error);
        }
    }
}

/// Checkpoints of a search of a product, together with what the product has noticed.
pub(super) struct Noticing<'a> {
    pub(super) checkpoints: &'a dyn Checkpoints,
    pub(super) bound: &'a Bound<'a>,
    pub(super) atoms: &'a BoundAtoms<'a>,
}

impl Checkpoints for Noticing<'_> {
    fn is_due(&self) -> bool {
        self.checkpoints.is_due()
    }

    fn save(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        self.checkpoints.save(&mut |out| {
            out.write_all(&[u8::from(self.bound.is_broken())])?;
            out.write_all(&self.atoms.failed().map_or(u64::MAX, |index| index as u64).to_le_bytes())?;
            write(out)
        });
    }

    fn resume(&self) -> Option<Box<dyn Read>> {
        let mut bytes = self.checkpoints.resume()?;
        let (mut is_broken, mut failed) = ([0], [0; 8]);
        if bytes.read_exact(&mut is_broken).and_then(|()| bytes.read_exact(&mut failed)).is_ok() {
            self.bound.recall(is_broken != [0]);
            self.atoms.recall(usize::try_from(u64::from_le_bytes(failed)).unwrap_or(usize::MAX));
        }
        Some(bytes)
    }

    fn refuse(&self, error: &io::Error) {
        self.checkpoints.refuse(error);
    }
}
