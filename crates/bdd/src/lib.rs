//! Reduced ordered binary decision diagrams: one kind, one manager, no global state.
//!
//! A [`Manager`] owns nodes and variables; a [`Bdd`] is a counted handle to one Boolean function of it. Equal functions
//! are equal handles, so equality, satisfiability and validity cost nothing.
//!
//! ```
//! use bdd::{Manager, Variable};
//!
//! let manager = Manager::new();
//! let [a, b] = [manager.variable(Variable(0)), manager.variable(Variable(1))];
//! let both = &a & &b;
//! assert!(both.implies(&a));
//! assert_eq!(!&both, !&a | !&b);
//! assert_eq!(both.exists(&[Variable(1)]), a);
//! assert_eq!(both.cover().len(), 1);
//! ```
//!
//! The nodes have complement edges and the operations are those of [brace.90.dac]: a unique table that makes functions
//! canonical, and a lossy cache of results. Nodes no handle reaches are reclaimed between operations. Everything is
//! deterministic: the same sequence of calls numbers the same nodes.
//!
//! Why not OxiDD, which the project uses as the oracle of this crate's tests: its managers reserve their whole capacity
//! when they are made and start two threads each, which costs more than the translation of a small formula, and a
//! manager that is dropped before its collector thread waits is never freed. See `docs/decisions/0002-own-bdd.md`.
//!
//! Modules in reading order:
//!
//! - [`manager`](Manager): makes variables and constants, sets limits, imports functions of other managers;
//! - `store`: nodes, unique table, reclaiming, and the list of invariants with its `verify`;
//! - `cache`: results computed before;
//! - `apply`: conjunction, exclusive or, if-then-else, restriction;
//! - `quantify`: existential quantification, alone and with conjunction;
//! - `step`: sets of states through a relation, in one pass;
//! - `saturate`: all that several relations reach;
//! - `substitute`, `rename`: functions, or other variables, in place of variables;
//! - `simplify`: smaller functions where not every value matters;
//! - `order`, [`sift`](Sifting): which variable stands on which level, and a better choice of it;
//! - `bounds`: the budget of time and memory that ends long operations;
//! - [`cube`](Cube): conjunctions of literals; one path, all paths, irredundant covers between two bounds;
//! - `count`: satisfying assignments, support, size;
//! - `table`: functions of six variables as 64 bits;
//! - [`function`](Bdd): the handle, on which all of this is offered.

mod apply;
mod bounds;
mod cache;
mod count;
mod cube;
mod function;
mod manager;
mod order;
mod quantify;
mod rename;
mod saturate;
mod sift;
mod simplify;
mod step;
mod store;
mod substitute;
mod table;

pub use bounds::BYTES_PER_NODE;
pub use cube::{Cube, Cubes};
pub use function::Bdd;
pub use manager::{Manager, OutOfNodes};
pub use saturate::Relation;
pub use sift::Sifting;
pub use store::{MAX_VARIABLES, Variable};
