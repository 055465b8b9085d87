//! A flat symbolic model: the interface between languages that describe systems by constraints and the engines that check
//! them.
//!
//! Modules in reading order:
//!
//! - [`model`]: typed variables, expressions, initial and transition constraints, assignments, fairness, properties;
//! - [`evaluate`]: the value of an expression in one state or step, by definition; [`undefined`]: why it has none;
//! - [`enumerate`]: the machine of a model state by state, by definition: rules, CTL, LTL on lassos, LTL on all paths;
//! - [`explicit`]: the model as a `System` over packed states, and single runs;
//! - [`cone`]: the part of a model that a property depends on;
//! - [`order`]: the bits of a model in a static order;
//! - [`repeat`](mod@repeat): a function applied billions of times;
//! - [`codes`]: the codes of mistakes that only show when expressions are evaluated.
//!
//! Nothing here uses decision diagrams: the symbolic engine is tested against this crate, and every counterexample is
//! validated by it.

pub mod codes;
pub mod cone;
pub mod enumerate;
pub mod evaluate;
pub mod explicit;
pub mod model;
mod operator;
pub mod order;
pub mod repeat;
pub mod undefined;
