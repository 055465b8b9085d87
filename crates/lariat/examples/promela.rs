//! Checks a Promela text and prints the lasso that violates a formula: `cargo run --example promela -p lariat`.
#![allow(clippy::print_stdout, reason = "an example that talks to its user")]

use lariat::{Budget, Error, Model, Options, Selection, check};

fn main() -> Result<(), Error> {
    let text = "bool a, b; active proctype P() { do :: a = !a od } active proctype Q() { do :: b = !b od }";
    let model = Model::promela("toggle.pml", text)?;
    let report = check(&model, &Selection::ltl("[] <> a"), &Options::default(), &Budget::unlimited(), &mut ())?;
    for lasso in report.properties[0].counterexamples() {
        println!("{}", lasso.message());
        lasso.stem.iter().for_each(|step| println!("      {step}"));
        lasso.cycle.iter().for_each(|step| println!("loop: {step}"));
    }
    Ok(())
}
