//! What a simulation offers against the enumerator: every pair of an input and a next state, and nothing else.

mod common;

use std::collections::BTreeSet;

use common::{Generator, Random};
use flat::enumerate::Valuation;
use flat::enumerate::machine::Explicit;
use flat::explicit::walk::{Place, Walk};
use flat::model::{Model, VariableKind};
use kernel::budget::Budget;
use kernel::span::SourceMap;

fn load(text: &str) -> Option<Model> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("m.smv", text, None);
    smv::load(&sources, file, &Budget::unlimited()).expect("no limit").model
}

/// A valuation as text that can be compared; without inputs where they do not count.
fn words(model: &Model, values: &Valuation, with_inputs: bool) -> String {
    let shown = model.variable_ids().filter(|id| with_inputs || model.variable(*id).kind != VariableKind::Input);
    shown.map(|id| model.show(&values[id.0 as usize], model.variable(id).domain.r#type()) + " ").collect()
}

/// Walks at random; gives the number of pairs that were compared.
fn compare(text: &str, seed: u64) -> usize {
    let Some(model) = load(text) else { return 0 };
    let Some(explicit) = Explicit::new(&model, 4096) else { return 0 };
    let mut walk = Walk::new(&model, &Budget::unlimited());
    let mut random = Random::new(seed);
    let mut present: Option<Place> = None;
    let mut compared = 0;
    for _ in 0..6 {
        let expected: BTreeSet<String> = match &present {
            None => explicit.initial.iter().map(|state| words(&model, &explicit.states[*state], false)).collect(),
            Some(place) => {
                let here = words(&model, place, false);
                let leaves = |from: usize| words(&model, &explicit.states[from], false) == here;
                let edges = explicit.edges.iter().filter(|edge| leaves(edge.from));
                edges.map(|edge| words(&model, &explicit.with_input(edge.to, edge.input), true)).collect()
            }
        };
        let mut offered = walk.following(present.as_ref(), &[], 0, 3).unwrap();
        offered.extend(walk.following(present.as_ref(), &[], 3, usize::MAX).unwrap());
        let in_order = walk.following(present.as_ref(), &[], 0, usize::MAX).unwrap();
        for places in [&offered, &in_order] {
            let found: BTreeSet<String> = places.iter().map(|place| words(&model, place, present.is_some())).collect();
            assert_eq!((places.len(), &found), (expected.len(), &expected), "seed {seed}\n{text}");
        }
        compared += offered.len();
        let any = walk.any(present.as_ref(), &mut || random.below(1 << 20) as f64 / f64::from(1 << 20)).unwrap();
        assert_eq!(any.is_none(), offered.is_empty(), "seed {seed}\n{text}");
        let Some(any) = any else { break };
        assert!(offered.contains(&any), "seed {seed}\n{text}");
        present = Some(any);
    }
    compared
}

#[test]
fn every_pair_of_input_and_state_is_offered() {
    let compared: usize = (0..60).map(|seed| compare(&Generator::new(seed).model(), seed)).sum();
    assert!(compared > 1000, "only {compared} steps were compared");
    // Inputs whose number of values is no power of two, and one that nothing depends on.
    let text = "MODULE main\nIVAR i : {p, r, s}; j : 1..5;\nVAR x : 0..2;\nASSIGN next(x) := case i = p : x; TRUE : 2; esac;\n";
    assert!(compare(text, 1) >= 15);
}

#[test]
fn a_walk_sees_every_input() {
    let model =
        load("MODULE main\nIVAR tick : boolean;\nVAR x : 0..3;\nASSIGN next(x) := x = 3 ? 3 : x + 1;\n").unwrap();
    let tick = model.find_variable("tick").unwrap().0 as usize;
    let mut walk = Walk::new(&model, &Budget::unlimited());
    let mut random = Random::new(1);
    let mut seen = BTreeSet::new();
    let mut present = None;
    for _ in 0..40 {
        let place = walk.any(present.as_ref(), &mut || random.below(1 << 20) as f64 / f64::from(1 << 20)).unwrap();
        let place = place.expect("a step");
        if present.is_some() {
            seen.insert(format!("{:?}", place[tick]));
        }
        present = Some(place);
    }
    assert_eq!(seen.len(), 2);
}

#[test]
fn a_walk_on_wide_words_begins_at_once() {
    let model = load(
        "MODULE main\nIVAR i : word[32];\nVAR a : word[32]; b : word[32];\nASSIGN init(a) := 0ud32_1; \
         next(a) := a * b + i; next(b) := a * a;\nTRANS next(a) > 0ud32_2\n",
    )
    .unwrap();
    let budget = Budget::unlimited().within_checks(100_000);
    let mut walk = Walk::new(&model, &budget);
    let mut place = None;
    for _ in 0..100 {
        place = Some(walk.any(place.as_ref(), &mut || 0.3).unwrap().expect("a step"));
    }
}
