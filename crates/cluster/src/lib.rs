//! One check by several processes, on one machine or on many.
//!
//! Every process runs the same check ([`checker::check_spread`]) on several workers, which share the states by their hashes
//! and talk through timely dataflow. All workers get the same report; the front end shows that of process 0.
//!
//! Modules in reading order: [`place`] (which process this is, and which others there are), `handshake` (who may join),
//! `connect` (connections to all others), `control` (heartbeats, and the end of a run when a process is lost), `packet` and
//! `crew` (a worker's connection to all workers, on timely), `broken` (what a worker does that cannot go on), `run`
//! (everything together).

mod broken;
mod connect;
mod control;
mod crew;
mod handshake;
mod packet;
pub mod place;
mod run;

pub use place::{Failure, Front, Hosts, Place};
pub use run::{Checked, Traffic, check};
