//! Words wider than a machine word: decision diagrams against the reference evaluator, on random models.

mod common;

use bdd::{Cube, Manager};
use common::wide::{self, Scope};
use flat::model::{Model, Value};
use flat::order::Bit;
use kernel::budget::Budget;
use kernel::span::SourceMap;
use symbolic::image::machine::Machine;

fn load(text: &str) -> Model {
    let mut sources = SourceMap::new();
    let file = sources.add_file("wide.smv", text, None);
    let loaded = smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    loaded.model.unwrap_or_else(|| panic!("{:#?}\n{text}", loaded.diagnostics))
}

/// The image of each state of the run is the next one, and the initial states are the first.
#[test]
fn states_and_steps_are_those_of_the_definition() {
    for seed in 0..30 {
        let text = wide::text(seed, Scope::Aligned);
        let model = load(&text);
        let run = wide::run(&model);
        // All words are interleaved, so that no diagram is large.
        let widest = model.variables.iter().map(|variable| variable.domain.bits()).max().expect("variables");
        let places =
            (0..widest).rev().flat_map(|place| model.variable_ids().map(move |variable| Bit { variable, place }));
        let order: Vec<Bit> = places.filter(|bit| bit.place < model.variable(bit.variable).domain.bits()).collect();
        let machine = Machine::new(&model, Manager::new(), &order).unwrap_or_else(|_| panic!("seed {seed}\n{text}"));
        let (system, encoding) = (machine.system(), machine.encoding());
        let set = |state: &[Value]| {
            let cube: Cube = encoding.state(&model, state);
            system.manager().cube(&cube)
        };
        assert_eq!(*system.initial(), set(&run[0]), "seed {seed}\n{text}");
        for (at, pair) in run.windows(2).enumerate() {
            let image = system.image(&set(&pair[0])).expect("no limit");
            assert_eq!(image, set(&pair[1]), "step {at}, seed {seed}\n{text}");
            let cube = image.one_cube().expect("a state");
            assert_eq!(encoding.decode(&model, &cube), pair[1], "step {at}, seed {seed}\n{text}");
        }
    }
}
