//! The commands that work differently for SMV models; one file per command.

pub(crate) mod replay;
pub(crate) mod simulate;
