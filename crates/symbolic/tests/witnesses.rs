//! Evidence for random formulas on random models, replayed by the enumerator; linear time against sampled lassos.

mod common;

use bdd::Manager;
use common::Generator;
use flat::enumerate::lasso::{self, Lasso};
use flat::enumerate::machine::Explicit;
use flat::enumerate::{Rules, Valuation};
use flat::model::{Model, Question};
use flat::order;
use kernel::budget::Budget;
use kernel::span::SourceMap;
use symbolic::fixpoint::Fixpoints;
use symbolic::fixpoint::tableau;
use symbolic::image::machine::Machine;
use symbolic::image::reach;
use symbolic::validate;
use symbolic::witness::Witness;
use symbolic::witness::claim::Claims;

/// How many models are tried; more if the environment says so.
fn models() -> u64 {
    std::env::var("SYMBOLIC_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(150)
}

fn load(text: &str) -> Option<Model> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("random.smv", text, None);
    smv::load(&sources, file, &Budget::unlimited()).expect("no limit").model
}

fn with_properties(text: &str, section: &str, formulas: &[String]) -> String {
    let properties: String = formulas.iter().map(|formula| format!("{section} {formula}\n")).collect();
    text.replacen("MODULE main\n", &format!("MODULE main\n{properties}"), 1)
}

#[test]
fn branching_time_evidence_is_confirmed() {
    let (mut shown, mut fully) = (0, 0);
    for seed in 1000..1000 + models() {
        let mut generator = Generator::new(seed);
        let text = generator.model();
        let formulas: Vec<String> = (0..6).map(|depth| generator.branching(1 + depth % 3)).collect();
        let text = with_properties(&text, "SPEC", &formulas);
        let Some(model) = load(&text) else { continue };
        let order = order::bits(&model, &order::declared(&model));
        let Ok(mut machine) = Machine::new(&model, Manager::new(), &order) else { continue };
        let system = machine.system().clone();
        let reached = reach::reachable(&system, system.initial()).expect("no limit");
        let fixpoints = Fixpoints::new(&system, reached).expect("no limit");
        let witness = Witness::new(&fixpoints);
        let encoding = machine.encoding().clone();
        for property in &model.properties {
            let Question::Ctl(formula) = &property.question else { continue };
            for truth in [true, false] {
                let claim =
                    Claims::new(&fixpoints, &mut |atom| machine.truth(atom)).claim(formula, truth).expect("no limit");
                let starts = system.initial().and(&claim.set);
                if starts.is_false() {
                    continue;
                }
                let start = witness.any_state(&starts);
                let evidence = witness.show(&claim, &start).expect("no limit");
                let evidence = witness.complete(&claim, evidence).expect("no limit");
                let mut rules = Rules::new(&model);
                let valuation = encoding.decode(&model, &start);
                let confirmation = validate::evidence(&encoding, &mut rules, &claim, &evidence, &valuation);
                let confirmation = confirmation.unwrap_or_else(|refusal| {
                    panic!("seed {seed}: {refusal:?} for {} ({truth})\n{text}\n{evidence:?}", property.text)
                });
                // Whatever is about some path is shown; bounded until over claims about paths is not.
                let is_open = property.text.contains("BU") || !claim.is_about_some_path();
                assert!(
                    is_open || confirmation.extent() == validate::Extent::Fully,
                    "seed {seed}: {}\n{text}",
                    property.text
                );
                shown += 1;
                fully += u32::from(confirmation.extent() == validate::Extent::Fully);
            }
        }
    }
    assert!(shown > 100 && fully > shown / 4, "{fully} of {shown}");
}

/// Random fair lassos of an enumerated machine.
fn sample(generator: &mut Generator, model: &Model, explicit: &Explicit) -> Option<Lasso> {
    let pick = |generator: &mut Generator, n: usize| usize::try_from(generator.random.below(n as u64)).expect("small");
    if explicit.initial.is_empty() {
        return None;
    }
    let mut state = explicit.initial[pick(generator, explicit.initial.len())];
    let mut visited: Vec<usize> = vec![state];
    let mut positions: Vec<Valuation> = Vec::new();
    for _ in 0..12 {
        let edges: Vec<_> = explicit.edges.iter().filter(|edge| edge.from == state).collect();
        if edges.is_empty() {
            return None;
        }
        let edge = edges[pick(generator, edges.len())];
        positions.push(explicit.with_input(state, edge.input));
        state = edge.to;
        if let Some(loop_start) = visited.iter().position(|seen| *seen == state) {
            let mut rules = Rules::new(model);
            let inside = &positions[loop_start..];
            let mut often = |node| inside.iter().any(|position| rules.holds(node, position, None));
            let just = model.justice.iter().all(|justice| often(*justice));
            let compassionate = model.compassion.iter().all(|(p, q)| !often(*p) || often(*q));
            return (just && compassionate).then_some(Lasso { positions, loop_start });
        }
        visited.push(state);
    }
    None
}

#[test]
fn linear_time_agrees_with_lassos() {
    let (mut violated, mut sampled) = (0, 0);
    for seed in 5000..5000 + models() {
        let mut generator = Generator::new(seed);
        let text = generator.model();
        let formulas: Vec<String> = (0..5).map(|depth| generator.linear(1 + depth % 3)).collect();
        let text = with_properties(&text, "LTLSPEC", &formulas);
        let Some(model) = load(&text) else { continue };
        let order = order::bits(&model, &order::declared(&model));
        let Ok(mut machine) = Machine::new(&model, Manager::new(), &order) else { continue };
        let explicit = if seed % 4 == 0 { Explicit::new(&model, 1 << 10) } else { None };
        let lassos: Vec<Lasso> = explicit
            .iter()
            .flat_map(|explicit| (0..60).filter_map(|_| sample(&mut generator, &model, explicit)).collect::<Vec<_>>())
            .collect();
        let encoding = machine.encoding().clone();
        for property in &model.properties {
            let Question::Ltl(formula) = &property.question else { continue };
            let negation = formula.negated();
            let product = tableau::product(&mut machine, &negation).expect("no limit");
            let reached = reach::reachable(&product, product.initial()).expect("no limit");
            let fixpoints = Fixpoints::new(&product, reached).expect("no limit");
            let starts = product.initial().and(fixpoints.fair());
            let mut rules = Rules::new(&model);
            if starts.is_false() {
                for lasso in &lassos {
                    sampled += 1;
                    assert!(
                        lasso::holds(&mut rules, lasso, formula),
                        "seed {seed}: {} fails on {lasso:?}\n{text}",
                        property.text
                    );
                }
            } else {
                let witness = Witness::new(&fixpoints);
                let path = witness.lasso(&witness.any_state(&starts), fixpoints.fair()).expect("no limit");
                violated += 1;
                if let Err(refusal) = validate::linear(&encoding, &mut rules, formula, &path) {
                    panic!("seed {seed}: {refusal:?} for {}\n{text}\n{path:?}", property.text);
                }
                let short = witness.short_lasso(&starts, fixpoints.fair()).expect("no limit");
                if let Err(refusal) = validate::linear(&encoding, &mut rules, formula, &short) {
                    panic!("seed {seed}: {refusal:?} for {}\n{text}\n{short:?}", property.text);
                }
                let length = short.states.len();
                assert!(length <= path.states.len(), "seed {seed}: {} has a shorter lasso\n{text}", property.text);
            }
        }
    }
    assert!(violated > 100 && sampled > 100, "{violated} violated, {sampled} samples");
}
