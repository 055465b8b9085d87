//! Pictures and pages: what a check found, for people who look.
//!
//! Everything here turns plain data into text. Modules in reading order: [`markup`] (escaping, the only way in which foreign
//! text enters a document), [`chart`] (message sequence charts), [`wave`] (values over time), [`drawing`] (automata and
//! graphs), [`trace`] (what is shown of a counterexample), [`source`] (the text of a model), [`document`] (one
//! self-contained page), [`report`] (the page about a check), [`translation`] (the page about automata).
//!
//! *Hostile text.* Names of files, models, formulas and traces may come from anybody. They enter a document through
//! [`markup::text`] or as JSON through [`markup::data`], and a page forbids every script and style but its own by a
//! Content-Security-Policy with their hashes.

pub mod chart;
pub mod document;
pub mod drawing;
pub mod markup;
pub mod report;
pub mod source;
pub mod trace;
pub mod translation;
pub mod wave;
