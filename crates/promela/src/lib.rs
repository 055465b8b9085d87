//! From Promela text to an executable transition system that can explain itself.
//!
//! Modules in reading order:
//!
//! - [`typed`]: the checked program;
//! - [`snapshot`]: states and steps in plain sight.

pub mod snapshot;
pub mod typed;
