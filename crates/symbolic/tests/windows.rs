//! Windows of time, encoded as numbers: against the enumerator, against the same formulas written with `X`, and with bounds that
//! would take many bits.

mod common;

use bdd::Manager;
use common::Generator;
use flat::enumerate::linear;
use flat::enumerate::machine::Explicit;
use flat::model::{Model, Question};
use flat::order;
use kernel::budget::Budget;
use kernel::span::SourceMap;
use symbolic::fixpoint::{Fixpoints, tableau};
use symbolic::image::machine::Machine;
use symbolic::image::reach;

fn load(text: &str) -> Option<Model> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("windows.smv", text, None);
    smv::load(&sources, file, &Budget::unlimited()).expect("no limit").model
}

/// Whether each formula of linear time holds, by decision diagrams.
fn verdicts(model: &Model) -> Option<Vec<bool>> {
    let order = order::bits(model, &order::declared(model));
    let mut machine = Machine::new(model, Manager::new(), &order).ok()?;
    let mut verdicts = Vec::new();
    for property in &model.properties {
        let Question::Ltl(formula) = &property.question else { continue };
        let product = tableau::product(&mut machine, &formula.negated()).expect("no limit");
        let reached = reach::reachable(&product, product.initial()).expect("no limit");
        let fixpoints = Fixpoints::new(&product, reached).expect("no limit");
        verdicts.push(product.initial().and(fixpoints.fair()).is_false());
    }
    Some(verdicts)
}

#[test]
fn windows_of_random_formulas_agree_with_the_enumerator() {
    let (mut compared, mut violated) = (0, 0);
    for seed in 0..80 {
        let mut generator = Generator::new(seed);
        let mut text = generator.tiny();
        for _ in 0..3 {
            let (high, low) = (4 + generator.random.below(3), generator.random.below(2));
            let operand = generator.tiny_formula(true, 0);
            let window = format!("{} [{low}, {high}] ({operand})", generator.random.pick(&["F", "G"]));
            let other = generator.tiny_formula(true, 1);
            let pattern = generator.random.pick(&[
                "G ({a} -> {w})",
                "{w}",
                "F {w}",
                "!({w} & {a})",
                "G F ({w} | {a})",
                "{w} <-> {a}",
            ]);
            text += &format!("LTLSPEC {}\n", pattern.replace("{w}", &window).replace("{a}", &other));
        }
        let Some(model) = load(&text) else { continue };
        let Some(found) = verdicts(&model) else { continue };
        let explicit = Explicit::new(&model, 1 << 10).expect("a small machine");
        for (property, holds) in model.properties.iter().zip(found) {
            let Question::Ltl(formula) = &property.question else { continue };
            let Some(expected) = linear::holds(&model, &explicit, formula) else { continue };
            assert_eq!(holds, expected, "seed {seed}: {}\n{text}", property.text);
            compared += 1;
            violated += usize::from(!holds);
        }
    }
    assert!(compared > 60 && violated > 20, "{compared} compared, {violated} violated");
}

/// A counter that starts anew after 60 steps reaches its end within 59 steps from anywhere, and not always sooner.
#[test]
fn long_windows_take_few_bits() {
    let text = "MODULE main\nVAR n : 0..59;\nASSIGN init(n) := 0; next(n) := (n + 1) mod 60;\n\
        LTLSPEC G F [0, 59] n = 59\nLTLSPEC G F [0, 58] n = 59\nLTLSPEC G (n = 0 -> G [0, 58] n != 59)\n\
        LTLSPEC G (n = 0 -> G [0, 59] n != 59)\n";
    let model = load(text).expect("a model");
    assert_eq!(verdicts(&model), Some(vec![true, false, true, false]));
}
