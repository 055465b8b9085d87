//! Why a search that reads or writes files does not go on.

use kernel::budget::Exhausted;
use std::io;

/// A limit, or an error of a file.
pub(crate) enum Interruption {
    /// This limit was exhausted.
    Limit(Exhausted),
    /// A file could not be read or written, or makes no sense.
    Files(io::Error),
}

impl From<io::Error> for Interruption {
    fn from(error: io::Error) -> Self {
        Interruption::Files(error)
    }
}

impl From<Exhausted> for Interruption {
    fn from(limit: Exhausted) -> Self {
        Interruption::Limit(limit)
    }
}
