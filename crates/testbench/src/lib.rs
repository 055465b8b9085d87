//! How we, and users, find out that a translator or an engine is wrong.
//!
//! Modules in reading order:
//!
//! - [`generate`]: random input from seeds;
//! - [`shortest`]: the shortest violations of random programs, by brute force;
//! - [`liveness`]: temporal properties of models, ready to be searched;
//! - [`structure`], [`bits`]: reachability graphs and paths; sets of their states;
//! - [`translator`]: translators of formulas into automata: our own, and external commands within limits;
//! - [`explicit`], [`components`], [`product`], [`prefix`]: explicit automata, and the states of a structure from which they accept;
//! - [`trial`]: one formula, one structure, all translators;
//! - [`oracle`]: laws that hold between implementations;
//! - [`blame`]: who is wrong where a law is broken, with a word and a proof;
//! - [`shrink`](mod@shrink): smaller formula, structure and word, same fault;
//! - [`abandon`], [`run`]: many trials, in parallel, in threads that can be left alone;
//! - [`statistics`]: the statistics of many trials;
//! - [`mutant`]: wrong translators, to be caught;
//! - [`tour`]: the stages of a model made visible.

pub mod abandon;
pub mod bits;
pub mod blame;
pub mod components;
pub mod explicit;
pub mod generate;
pub mod liveness;
pub mod mutant;
pub mod oracle;
pub mod prefix;
pub mod product;
pub mod run;
pub mod shortest;
pub mod shrink;
pub mod statistics;
pub mod structure;
mod thresholds;
pub mod tour;
pub mod translator;
pub mod trial;
