//! Prints the stages between text and verdict: `cargo run -p lariat-testbench --example stages -- MODEL.pml`.

#![allow(clippy::print_stdout, reason = "an example talks to its user")]

fn main() {
    let name = std::env::args().nth(1).expect("usage: stages MODEL.pml");
    let text = std::fs::read_to_string(&name).expect("a readable model");
    print!("{}", testbench::tour::stages(&name, &text));
}
