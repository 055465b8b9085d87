//! The compiled model: a transition system over packed states with static offsets.
//!
//! Files in reading order: `layout` (the state vector), `code` (addresses instead of names),
//! `compile` (typed tree to code), `eval` and `execute` (what code does), `probe` and `enabled` (what
//! can be done), `shape` (where processes lie), `model`, `successors` and `handshakes` (the
//! [`System`](kernel::system::System)), `machine` (the same as machine code), `counts` (parts of it alone), `unpack` (back to the program's terms), `footprint` (what each edge reads and writes), `atoms` (what a property asks),
//! `trace` (an assertion about events, carried along), `trimmed` (states without the data that can be left out),
//! `similar` (that they do not need it, as a test).

pub(crate) mod atoms;
pub(crate) mod batch;
pub(crate) mod code;
pub(crate) mod compile;
mod counts;
pub(crate) mod enabled;
pub(crate) mod eval;
pub(crate) mod execute;
mod flaw;
pub(crate) mod footprint;
mod handshakes;
pub(crate) mod layout;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) mod machine;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[path = "compiled/machine/absent.rs"]
pub(crate) mod machine;
pub(crate) mod model;
pub(crate) mod passage;
pub(crate) mod probe;
pub(crate) mod shape;
pub mod similar;
pub(crate) mod successors;
pub(crate) mod trace;
pub(crate) mod trimmed;
pub(crate) mod unpack;

pub use atoms::Atoms;
pub use flaw::Flaw;
pub use footprint::{Footprint, Region};
pub use model::{CompileError, Execution, Model, TooLarge};
pub use successors::{ModelStep, Scratch};
pub use unpack::{Reader, Unreached};
