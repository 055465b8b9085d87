//! How long it takes to find facts about models.

use std::time::Instant;

use kernel::budget::Budget;
use promela::compiled::Model;
use promela::mine;
use promela::property::parse_expression;
use testbench::generate::atom::subjects;

use super::instances::Instance;
use crate::cpu::own_thread;
use crate::properties::load_whole;

/// How many atoms each model is asked about.
const ATOMS: usize = 12;

/// How often each is measured.
const TIMES: usize = 5;

/// How many milliseconds mining takes on each model, with twelve atoms about everything it names, the slowest first: the
/// least processor time of five runs.
#[must_use]
pub fn times(instances: &[Instance]) -> Vec<(f64, String)> {
    let mut times: Vec<(f64, String)> = Vec::new();
    for instance in instances {
        let Ok((mut sources, loaded)) = load_whole(&instance.file, &instance.flags) else { continue };
        let Some(mut program) = loaded.program else { continue };
        let texts = subjects(&program).concat();
        let mut atoms = Vec::new();
        for text in texts.iter().step_by((texts.len() / ATOMS).max(1)).take(ATOMS) {
            let id = sources.add_file("<atom>", text.as_str(), None);
            let expr = parse_expression(&mut sources, id, &mut program, &loaded.definitions, &Budget::unlimited());
            atoms.extend(expr.ok().map(|expr| (text.clone(), expr)));
        }
        let Ok(model) = Model::new(&program) else { continue };
        let time = |_| {
            let (started, before) = (Instant::now(), own_thread());
            let _ = mine::facts(&model, &atoms);
            let wall = started.elapsed().as_secs_f64();
            before.zip(own_thread()).map_or(wall, |(before, after)| after - before) * 1e3
        };
        times.push(((0..TIMES).map(time).fold(f64::INFINITY, f64::min), instance.name()));
    }
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    times
}
