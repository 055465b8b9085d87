//! From Promela text to an executable transition system that can explain itself.
//!
//! Modules in reading order:
//!
//! - [`front`]: from a text to a checked program, in one call;
//! - [`lex`], [`preprocess`], [`ast`], [`parse`], [`resolve`]: its stages;
//! - [`codes`]: the codes of its diagnostics;
//! - [`property`]: formulas and claims given beside the text;
//! - [`typed`]: the checked program;
//! - [`snapshot`]: states and steps in plain sight;
//! - [`reference`](mod@reference): the reference, an interpreter directly over the checked program;
//! - [`explain`]: what changes, in the program's words;
//! - [`validate`]: whether a run is one, decided by the arbiter;
//! - [`flow`]: control-flow graphs;
//! - [`atomic`]: loops inside atomic sequences that the text proves to end;
//! - [`dataflow`]: which data can be left out of the states;
//! - [`compiled`]: the model as a transition system over packed states;
//! - [`reduce`]: the reduced model;
//! - [`claim`]: temporal properties as formulas over atoms;
//! - [`mine`]: facts about those atoms that follow from the text.

mod arithmetic;
pub mod ast;
pub mod atomic;
pub mod claim;
pub mod codes;
pub mod compiled;
mod constant;
pub mod dataflow;
mod events;
pub mod explain;
pub mod flow;
pub mod front;
pub mod lex;
mod lint;
pub mod mine;
mod named;
pub mod operands;
pub mod parse;
pub mod preprocess;
pub mod property;
pub mod reduce;
pub mod reference;
pub mod resolve;
mod show;
pub mod snapshot;
mod thresholds;
pub mod typed;
pub mod validate;
