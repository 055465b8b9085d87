//! Checks an SMV text and prints what is false and how that shows: `cargo run --example smv -p lariat`.
#![allow(clippy::print_stdout, reason = "an example that talks to its user")]

use lariat::{Budget, Error, Model, Options, Selection, check};

fn main() -> Result<(), Error> {
    let text = "MODULE main\nVAR n : 0..3; paused : boolean;\n\
                ASSIGN init(n) := 0; next(n) := paused ? n : (n + 1) mod 4;\n\
                LTLSPEC NAME again := G F n = 0\nINVARSPEC NAME low := n < 3\n";
    let model = Model::smv("counter.smv", text)?;
    let report = check(&model, &Selection::all(), &Options::default(), &Budget::unlimited(), &mut ())?;
    for property in &report.properties {
        println!("{}: {}", property.name, property.verdict.words());
        for run in property.counterexamples() {
            run.steps().for_each(|step| println!("  {step}"));
        }
    }
    Ok(())
}
