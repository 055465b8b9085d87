//! Loads SMV texts and prints what is wrong with them: `cargo run --example load_smv -- FILE…`.
#![allow(clippy::print_stdout, reason = "an example that talks to its user")]

use kernel::budget::Budget;
use kernel::span::SourceMap;

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let mut sources = SourceMap::new();
        let file = sources.add_file(path.as_str(), std::fs::read_to_string(&path)?, None);
        let loaded = smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
        for finding in &loaded.diagnostics {
            let (line, column) = sources.line_column(finding.primary.span);
            println!("{path}:{line}:{column}: {} {} [{}]", finding.code, finding.message, finding.primary.text);
        }
        match loaded.model {
            Some(model) => println!(
                "{path}: {} variables, {} definitions, {} nodes, {} properties",
                model.variables.len(),
                model.defines.len(),
                model.node_count(),
                model.properties.len()
            ),
            None => println!("{path}: rejected"),
        }
    }
    Ok(())
}
