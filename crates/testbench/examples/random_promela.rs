//! Prints the random Promela program of a seed: `cargo run --example random_promela -- SEED`.

#![allow(clippy::print_stdout, reason = "an example talks to its user")]

fn main() {
    let seed = std::env::args().nth(1).and_then(|seed| seed.parse().ok()).unwrap_or(0);
    print!("{}", testbench::generate::promela::program(seed));
}
