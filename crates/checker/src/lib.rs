//! One check for both languages: bind the properties to the model, prepare their automata, search, shorten what was
//! found, have it confirmed by an independent implementation, and report.
//!
//! Everything on which the soundness of an answer depends is in this crate or below it. A front end parses its
//! arguments, reads files, calls this library and renders the report.
//!
//! Modules in reading order: [`options`] (how to check), [`error`] (why there is no report), `promela` (the stages of a
//! check of a Promela model), [`words`] (numbers in sentences).

pub mod error;
pub mod options;
#[doc(hidden)]
pub mod promela;
pub mod words;
