//! Measures the engine on SMV texts: `cargo run --release --example measure -- FILE…`.
#![allow(clippy::print_stdout, reason = "an example that talks to its user")]

use std::time::Instant;

use bdd::Manager;
use flat::model::Question;
use flat::order;
use kernel::budget::Budget;
use kernel::span::SourceMap;
use symbolic::fixpoint::Fixpoints;
use symbolic::fixpoint::ctl;
use symbolic::image::machine::Machine;
use symbolic::image::reach;

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let mut sources = SourceMap::new();
        let file = sources.add_file(path.as_str(), std::fs::read_to_string(&path)?, None);
        let Some(model) = smv::load(&sources, file, &Budget::unlimited()).expect("no limit").model else {
            println!("{path}: rejected");
            continue;
        };
        let begin = Instant::now();
        let manager = Manager::new();
        let order = order::bits(&model, &order::declared(&model));
        if let Some(nodes) = std::env::var("SIFT").ok().and_then(|text| text.parse().ok()) {
            let blocks = symbolic::encode::Encoding::new(&model, manager.clone(), &order).expect("fits").pairs();
            let blocks = blocks.into_iter().map(|(now, next)| vec![now, next]).collect();
            manager.sift_automatically(Some((nodes, blocks)));
        }
        let mut machine = match Machine::new(&model, manager.clone(), &order) {
            Ok(machine) => machine,
            Err(failure) => {
                println!("{path}: {failure:?}");
                continue;
            }
        };
        let system = machine.system().clone();
        let (clusters, nodes) = system.relation_size();
        println!(
            "{path}: built {:.2?}, {} events, {clusters} clusters, {nodes} nodes",
            begin.elapsed(),
            system.event_count()
        );
        let begin = Instant::now();
        let reached = reach::reachable(&system, system.initial()).expect("no limit");
        let bits = system.state_bits().len();
        println!(
            "  reached {:e} states, {} nodes, {:.2?}, {} live",
            reached.fraction() * 2f64.powi(bits as i32),
            reached.size(),
            begin.elapsed(),
            manager.node_count()
        );
        let begin = Instant::now();
        let fixpoints = Fixpoints::new(&system, reached.clone()).expect("no limit");
        println!("  fair {:.2?}, empty {}", begin.elapsed(), fixpoints.fair().is_false());
        for property in &model.properties {
            let begin = Instant::now();
            if let Question::Ctl(formula) = &property.question {
                let set = ctl::satisfying(&fixpoints, formula, &mut |atom| machine.truth(atom)).expect("no limit");
                let bad = system.initial().and(fixpoints.fair()).minus(&set);
                println!(
                    "  {} {:.2?} {}",
                    bad.is_false(),
                    begin.elapsed(),
                    &property.text[..property.text.len().min(100)]
                );
            }
        }
    }
    Ok(())
}
