//! Emptiness checks and minimisers against brute force: on automata alone, and on products.

#![allow(clippy::print_stdout, reason = "a test shows its seeds")]

mod automata;
#[path = "../common/boxes.rs"]
mod boxes;
mod brute;
mod cndfs;
mod compressed;
mod cost;
mod distributed;
mod lossy;
mod minimal_on_threads;
#[path = "../common/padded.rs"]
mod padded;
mod products;
mod saved;
