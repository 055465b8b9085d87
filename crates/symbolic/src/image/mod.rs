//! States and steps as decision diagrams: the machine of a model, images and preimages of sets of states, reachability.

pub mod force;
pub mod machine;
pub mod reach;
pub(crate) mod schedule;
pub mod system;
