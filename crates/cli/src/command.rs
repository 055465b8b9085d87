//! One file per command, each short: assemble, call, show.

pub(crate) mod check;
pub(crate) mod replay;
pub(crate) mod simulate;
pub(crate) mod validate;
