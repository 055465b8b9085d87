//! Explicit-state checking: stores, and searches over any [`kernel::system::System`].
//!
//! Modules in reading order:
//!
//! - [`store`]: sets of visited states; [`meter`]: the statistics and limits of a search;
//! - [`threads`]: how a search that lasts divides its work; [`disk`]: files for what does not fit into memory;
//! - [`checkpoint`]: searches that are saved and continued; [`team`]: workers that share no memory;
//! - [`coverage`]: the proof that a search visited everything;
//! - [`explore`]: reachability for safety, depth first and breadth first;
//! - [`check`]: all stages from a system to decisions about safety;
//! - [`accepting`]: systems some of whose infinite runs are accepting; [`lasso`]: such runs, written down;
//! - [`graph`], [`stutter`], [`product`], [`fairness`]: an automaton alone, ends that repeat, a model times a property,
//!   fair runs only; [`counted`]: many acceptance sets seen as one;
//! - [`emptiness`]: is there an accepting run? [`shorten`]: which is the shortest? [`prefix`]: which runs are lost already?
//!   [`ends`]: which are accepted because they end?
//! - [`divergence`]: is there a run that never leaves its atomic sequence?
//! - [`temporal`]: all stages from a product to a run that violates a property.

pub mod accepting;
pub mod check;
pub mod checkpoint;
mod connect;
pub mod counted;
pub mod coverage;
pub mod disk;
pub mod divergence;
pub mod emptiness;
pub mod ends;
mod expansion;
pub mod explore;
pub mod fairness;
pub mod graph;
mod interruption;
pub mod lasso;
pub mod meter;
pub mod prefix;
pub mod product;
pub mod shorten;
mod space;
pub mod store;
pub mod stutter;
pub mod team;
pub mod temporal;
pub mod threads;
mod thresholds;
mod trail;
