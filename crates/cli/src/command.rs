//! One file per command, each short: assemble, call, show.

pub(crate) mod automaton;
pub(crate) mod check;
pub(crate) mod cluster;
pub(crate) mod format;
pub(crate) mod formula;
pub(crate) mod lsp;
pub(crate) mod nusmv;
pub(crate) mod replay;
pub(crate) mod serve;
pub(crate) mod simulate;
pub(crate) mod smv;
pub(crate) mod testbench;
pub(crate) mod translate;
pub(crate) mod validate;
