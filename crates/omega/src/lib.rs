//! Formulas of linear temporal logic and the automata that recognise them.
//!
//! Modules in reading order:
//!
//! - [`formula`]: hash-consed formulas;
//! - [`parse`], [`print`](mod@print): the syntaxes of the field;
//! - [`word`]: ultimately periodic words;
//! - [`semantics`]: truth of a formula on such a word, by definition, with a proof; the arbiter;
//! - [`random`]: seeded random formulas and words;
//! - [`classify`]: what the shape of a formula tells;
//! - [`rewrite`]: simpler formulas, by a table of rules;
//! - [`automaton`]: transition-based generalised Büchi automata, with their [`marks`];
//! - [`scc`], [`strength`], [`emptiness`]: components, what they ask of a search, and runs that show acceptance;
//! - [`acceptance`]: words and automata: which are accepted, and which a run reads;
//! - [`patience`]: constructions that are given up when their time or memory is used up;
//! - [`translate`]: formula to automaton, by independent constructions;
//! - [`combine`]: product, union, complement, inclusion, with words that show a difference;
//! - [`refine`]: automaton to smaller automaton, one reduction a file;
//! - [`pipeline`]: all the way from formula to small automaton, by options, with the sizes of every step;
//! - [`reduce`]: the same reductions for an automaton that did not come from a formula;
//! - [`constraint`]: properties made smaller by what is known of the system;
//! - [`hierarchy`], [`stutter`]: the class of a language, from safety to reactivity, and whether repetition matters to it;
//! - [`questions`]: formulas compared and classified through their automata;
//! - [`label`], [`io`]: labels as formulas; automata as text in the formats of the field;
//! - [`random_automaton`]: automata for tests.

pub mod acceptance;
pub mod automaton;
mod branches;
pub mod classify;
pub mod combine;
pub mod constraint;
pub mod emptiness;
pub mod formula;
pub mod hierarchy;
pub mod io;
pub mod label;
pub mod marks;
pub mod parse;
pub mod patience;
pub mod pipeline;
pub mod print;
pub mod questions;
pub mod random;
pub mod random_automaton;
pub mod reduce;
pub mod refine;
pub mod rewrite;
pub mod scc;
pub mod semantics;
pub mod strength;
pub mod stutter;
pub mod translate;
pub mod word;
