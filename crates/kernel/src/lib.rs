//! The types that all other crates share: positions, diagnostics, systems, decisions, budgets.
//!
//! A type enters this crate only when two other crates need it. Modules in reading order:
//!
//! - [`span`]: where in which text something stands, through macros and includes;
//! - [`diagnostic`]: what is wrong with a text, as data; rendering is the tool's business;
//! - [`escape`]: foreign text made safe for a terminal;
//! - [`near`]: the name that was probably meant;
//! - [`system`]: the interface between languages and engines: a transition system over packed states;
//! - [`budget`]: limits on memory, time and depth, and cancellation;
//! - [`decision`]: what an engine decided about a property, or why it is undecided;
//! - [`words`]: numbers and lengths in readable words.

pub mod budget;
pub mod decision;
pub mod diagnostic;
pub mod escape;
pub mod near;
pub mod span;
pub mod system;
pub mod words;
