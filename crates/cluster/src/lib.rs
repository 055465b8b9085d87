//! One check by several processes, on one machine or on many.
//!
//! Every process has several workers, which share the states by their hashes and talk through timely dataflow. The first worker of
//! process 0 leads the check ([`checker::lead`]); the others follow ([`checker::follow`]). The front end of process 0 shows the report.
//!
//! Modules in reading order: [`place`] (which process this is, and which others there are), `handshake` (who may join),
//! `connect` (connections to all others), `control` (heartbeats, and the end of a run when a process is lost), `packet` and
//! `exchange` (a worker's connection to all workers, on timely), `broken` (what a worker does that cannot go on), `run`
//! (everything together).

mod broken;
mod connect;
mod control;
mod exchange;
mod handshake;
mod packet;
pub mod place;
mod run;

pub use place::{Failure, Front, Hosts, Place};
pub use run::{Checked, Ended, Traffic, check};
pub use search::team::Folder;
