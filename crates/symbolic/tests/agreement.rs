//! Decision diagrams against the enumerator, on random models: states, steps, reachability, fairness, CTL.

mod common;

use bdd::{Bdd, Manager};
use common::Generator;
use flat::enumerate::{ctl::Checker, machine::Explicit};
use flat::model::{Model, Question};
use flat::order;
use kernel::budget::Budget;
use kernel::diagnostic::Severity;
use kernel::span::SourceMap;
use symbolic::fixpoint::Fixpoints;
use symbolic::fixpoint::ctl;
use symbolic::image::machine::{Failure, Machine};
use symbolic::image::reach;

/// How many models are tried; more if the environment says so.
fn models() -> u64 {
    std::env::var("SYMBOLIC_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(80)
}

/// The model of a text, unless the generator wrote one that the front end refuses.
fn load(text: &str) -> Option<Model> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("random.smv", text, None);
    let loaded = smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|finding| finding.severity == Severity::Error).collect();
    assert!(errors.iter().all(|finding| finding.code == "S0214"), "{errors:#?}\n{text}");
    loaded.model
}

fn contains(machine: &Machine<'_>, explicit: &Explicit, state: usize, set: &Bdd) -> bool {
    let cube = machine.encoding().state(machine.model(), &explicit.states[state]);
    set.evaluate(|bit| cube.value(bit) == Some(true))
}

#[test]
fn sets_of_states_agree() {
    let (mut checked, mut in_events) = (0, 0);
    for seed in 0..models() {
        let mut generator = Generator::new(seed);
        let mut text = generator.model();
        for _ in 0..4 {
            let depth = 1 + u32::try_from(generator.random.below(3)).expect("small");
            text = text.replacen("MODULE main\n", &format!("MODULE main\nSPEC {}\n", generator.branching(depth)), 1);
        }
        let Some(model) = load(&text) else { continue };
        let order = order::bits(&model, &order::declared(&model));
        let mut machine = match Machine::new(&model, Manager::new(), &order) {
            Ok(machine) => machine,
            Err(Failure::Wrong(_)) => continue,
            Err(Failure::Stopped(stopped)) => panic!("{stopped:?} without a limit"),
        };
        checked += 1;
        in_events += u64::from(machine.system().event_count() > 1);
        let explicit = Explicit::new(&model, 1 << 10).expect("a small machine");
        check_machine(seed, &text, &model, &mut machine, &explicit);
    }
    assert!(checked > models() / 2, "only {checked} models could be checked");
    // Several events are applied by saturation and in chains, a single one breadth first.
    assert!(in_events > models() / 10, "only {in_events} models had several events");
}

fn check_machine(seed: u64, text: &str, model: &Model, machine: &mut Machine<'_>, explicit: &Explicit) {
    let same = |machine: &Machine<'_>, what: &str, set: &Bdd, expected: &[bool]| {
        for (state, expected) in expected.iter().enumerate() {
            let found = contains(machine, explicit, state, set);
            assert_eq!(found, *expected, "seed {seed}, {what}, state {:?}\n{text}", explicit.states[state]);
        }
    };
    let system = machine.system().clone();
    let all = vec![true; explicit.states.len()];
    same(machine, "states", system.states(), &all);
    let count = system.states().count(u32::try_from(system.state_bits().len()).expect("few bits"));
    assert_eq!(count, Some(all.len() as u128), "seed {seed}\n{text}");
    let initial: Vec<bool> = (0..all.len()).map(|state| explicit.initial.contains(&state)).collect();
    same(machine, "initial", system.initial(), &initial);
    let (reachable, rings) = explicit.reachable();
    let reached = reach::reachable(&system, system.initial()).expect("no limit");
    same(machine, "reachable", &reached, &reachable);
    if !explicit.initial.is_empty() {
        assert_eq!(
            reach::rings(&system, system.initial(), None).expect("no limit").len(),
            rings,
            "seed {seed}\n{text}"
        );
    }
    let alive: Vec<bool> = (0..all.len()).map(|state| !explicit.is_deadlock(state)).collect();
    same(machine, "alive", &system.preimage(system.states()).expect("no limit"), &alive);

    let mut checker = Checker::new(model, explicit);
    for universe in [system.states().clone(), reached] {
        let fixpoints = Fixpoints::new(&system, universe.clone()).expect("no limit");
        let inside: Vec<bool> = (0..all.len()).map(|state| contains(machine, explicit, state, &universe)).collect();
        let fair: Vec<bool> = inside.iter().zip(checker.fair_states()).map(|(a, b)| *a && *b).collect();
        same(machine, "fair", fixpoints.fair(), &fair);
        for property in &model.properties {
            let Question::Ctl(formula) = &property.question else { continue };
            let found = ctl::satisfying(&fixpoints, formula, &mut |atom| machine.truth(atom)).expect("no limit");
            let expected: Vec<bool> = inside.iter().zip(checker.satisfying(formula)).map(|(a, b)| *a && b).collect();
            same(machine, &property.text, &found, &expected);
        }
    }
}
