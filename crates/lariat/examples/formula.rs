//! Translates a formula of linear-time logic into a Büchi automaton: `cargo run --example formula -p lariat`.
#![allow(clippy::print_stdout, reason = "an example that talks to its user")]

use lariat::ltl::{FormulaError, translate};
use lariat::omega::io::hoa;

fn main() -> Result<(), FormulaError> {
    let automaton = translate("G (request -> F grant)")?;
    print!("{}", hoa::write(&automaton));
    Ok(())
}
