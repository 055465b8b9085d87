//! The compiled model: a transition system over packed states with static offsets.
//!
//! Files in reading order: `layout` (the state vector), `code` (addresses instead of names),
//! `compile` (typed tree to code), `eval` and `execute` (what code does), `probe` and `enabled` (what
//! can be done), `shape` (where processes lie), `model` and `successors` (the
//! [`System`](kernel::system::System)), `unpack` (back to the program's terms), `footprint` (what each edge reads and writes), `atoms` (what a property asks),
//! `trace` (an assertion about events, carried along), `trimmed` (states without the data that can be left out),
//! `similar` (that they do not need it, as a test).

mod atoms;
mod code;
mod compile;
mod enabled;
mod eval;
mod execute;
mod footprint;
mod layout;
mod model;
mod passage;
mod probe;
mod shape;
pub mod similar;
mod successors;
mod trace;
mod trimmed;
mod unpack;

pub use atoms::Atoms;
pub use footprint::{Footprint, Region};
pub use model::{CompileError, Model, TooLarge};
pub use successors::{ModelStep, Scratch};
pub use unpack::Unreached;
