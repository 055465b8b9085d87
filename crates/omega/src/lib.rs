//! Formulas of linear temporal logic and the automata that recognise them.
//!
//! The folders follow the way from a formula to an automaton:
//!
//! - [`formula`]: hash-consed formulas;
//! - [`parse`], [`print`](mod@print): the syntaxes of the field;
//! - [`propositions`]: the atoms of words and automata, by number, with names for people;
//! - [`word`], [`semantics`]: ultimately periodic words, and the truth of a formula on such a word, by definition;
//! - [`rewrite`]: simpler formulas, by a table of rules;
//! - [`translate`]: formula to automaton, by independent constructions;
//! - [`tableau`]: formula to Boolean variables and conditions, for symbolic engines;
//! - [`automaton`]: transition-based generalised Büchi automata, their components, runs and words;
//! - [`reduce`]: automaton to smaller automaton, one reduction per file;
//! - [`pipeline`]: rewriting, construction and reduction together, with the size after every step;
//! - [`combine`]: product, union, complement and inclusion;
//! - [`analyse`]: classes of formulas, automata and languages;
//! - [`constraint`]: properties that become smaller under facts about the model;
//! - [`io`]: automata as text in the formats of the field;
//! - [`limit`]: why an operation ended without a result;
//! - [`random`], [`random_automaton`]: seeded random input for tests.

pub mod analyse;
pub mod automaton;
pub mod combine;
pub mod constraint;
pub mod formula;
pub mod io;
pub mod limit;
pub mod parse;
pub mod pipeline;
pub mod print;
pub mod propositions;
pub mod random;
pub mod random_automaton;
pub mod reduce;
pub mod rewrite;
pub mod semantics;
mod table;
pub mod tableau;
mod thresholds;
pub mod translate;
pub mod word;
