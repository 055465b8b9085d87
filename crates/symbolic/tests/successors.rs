//! A flat model as a system, beside the enumerator: the same initial states, the same steps with the same inputs.

mod common;

use std::collections::BTreeSet;

use common::Generator;
use common::small::Small;
use flat::enumerate::Valuation;
use flat::enumerate::machine::Explicit;
use flat::explicit::{FlatStep, FlatSystem};
use flat::model::{Model, VariableKind};
use kernel::budget::Budget;
use kernel::span::SourceMap;
use kernel::system::{System, laws, record};

fn load(text: &str) -> Option<Model> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("m.smv", text, None);
    smv::load(&sources, file, &Budget::unlimited()).expect("no limit").model
}

/// Compares all states; gives the number of steps.
fn compare(text: &str) -> usize {
    let Some(model) = load(text) else { return 0 };
    let Some(explicit) = Explicit::new(&model, 512) else { return 0 };
    let system = FlatSystem::new(&model, &Budget::unlimited()).expect("few inputs");
    laws::check(&system, 500);
    let mut scratch = system.scratch();
    let mut root = Vec::new();
    system.initial(&mut root);
    assert_eq!(system.valuation(&root), None);
    let mut packed: Vec<Option<Vec<u8>>> = vec![None; explicit.states.len()];
    let number = |valuation: &Valuation| {
        let is_same = |state: &Valuation| {
            let kept = model.variable_ids().filter(|id| model.variable(*id).kind != VariableKind::Input);
            kept.into_iter().all(|id| state[id.0 as usize] == valuation[id.0 as usize])
        };
        explicit.states.iter().position(is_same).unwrap_or_else(|| panic!("not a state: {valuation:?}\n{text}"))
    };
    let first = record(&system, &mut scratch, &root);
    let mut pending = Vec::new();
    let mut initial = Vec::new();
    for (step, state, _) in first.successors {
        assert_eq!(step, FlatStep::Start);
        let at = number(&system.valuation(&state).expect("a state"));
        initial.push(at);
        packed[at] = Some(state);
        pending.push(at);
    }
    initial.sort_unstable();
    assert_eq!(initial, explicit.initial, "{text}");
    let mut compared = 0;
    while let Some(from) = pending.pop() {
        let state = packed[from].clone().expect("pending states are packed");
        let mut found = Vec::new();
        for (step, next, _) in record(&system, &mut scratch, &state).successors {
            let mut current = explicit.states[from].clone();
            system.set_inputs(step, &mut current);
            let to = number(&system.valuation(&next).expect("a state"));
            found.push((format!("{current:?}"), to));
            if packed[to].replace(next.clone()).is_none_or(|before| {
                assert_eq!(before, next, "one state has two packed forms\n{text}");
                false
            }) {
                pending.push(to);
            }
        }
        let edges = explicit.edges.iter().filter(|edge| edge.from == from);
        let expected: BTreeSet<(String, usize)> =
            edges.map(|edge| (format!("{:?}", explicit.with_input(from, edge.input)), edge.to)).collect();
        let all: BTreeSet<(String, usize)> = found.iter().cloned().collect();
        assert_eq!((found.len(), &all), (expected.len(), &expected), "from {:?}\n{text}", explicit.states[from]);
        compared += found.len();
    }
    compared
}

#[test]
fn random_models_have_the_steps_that_the_enumerator_finds() {
    let compared: usize = (0..80).map(|seed| compare(&Generator::new(seed).model())).sum();
    assert!(compared > 1000, "only {compared} steps were compared");
}

#[test]
fn small_models_of_all_kinds_have_the_steps_that_the_enumerator_finds() {
    let compared: usize = (0..300).map(|seed| compare(&Small::new(seed).model(1))).sum();
    assert!(compared > 1000, "only {compared} steps were compared");
}

#[test]
fn events_are_completed_one_by_one_and_no_step_comes_twice() {
    let text = "MODULE main\nVAR x : 0..2; y : boolean; z : 0..2;\nINIT x = 0 & !y\n\
        TRANS next(z) = z & ((x = 0 & next(x) = 1 & next(y) = y) | (next(x) = x & next(y)) | (y & next(x) in {1, 2}))\n";
    assert!(compare(text) > 10);
}

#[test]
fn equations_inside_of_implications_and_disjunctions_determine_the_next_state() {
    let text = "MODULE main\nVAR x : 0..2; y : boolean; z : 0..2; w : boolean;\nIVAR i : boolean;\n\
        INIT !(x != 0 | !y) & (y -> z = 1)\n\
        TRANS (y -> (x = 0 -> next(x) = 1 & (next(y) <-> !w)) & (x = 1 -> next(z) = x & !(next(y) xor w)))\n\
        TRANS !(i & next(w)) & (case x = 2 : next(w); y : next(z) != 2; TRUE : next(y) = w; esac)\n\
        TRANS (z = 0 & next(z) = 1) | (z = 1 -> !next(y) | next(z) = 2) | next(x = 2 & y)\n";
    assert!(compare(text) > 100);
}

/// A relation over many bits in which each guard determines the next state: without the guards, every combination of the
/// bits would be tried.
#[test]
fn a_guarded_relation_over_many_bits_is_followed_without_trying_combinations() {
    let bits = 60;
    let mut text = String::from("MODULE main\nVAR mode : 0..2; b : array 0..59 of boolean;\nINIT mode = 0\nTRANS\n");
    let equations = |with: &str| {
        let one = |bit: usize| format!("(next(b[{bit}]) <-> {with}b[{bit}])");
        (0..bits).map(one).collect::<Vec<_>>().join(" & ")
    };
    text += &format!("(mode = 0 -> next(mode) = 1 & {}) &\n", equations(""));
    text += &format!("(mode = 1 -> next(mode) = 2 & {}) &\n", equations("!"));
    text += &format!("(mode = 2 -> ((next(mode) = 0 & {}) | (next(mode) = 1 & {})))\n", equations(""), equations("!"));
    let model = load(&text).expect("a model");
    let budget = Budget::unlimited().within_checks(100_000);
    let mut walk = flat::explicit::walk::Walk::new(&model, &budget);
    let mut place = None;
    for _ in 0..12 {
        place = Some(walk.any(place.as_ref(), &mut || 0.4).expect("within the budget").expect("a step"));
    }
    let all = walk.following(place.as_ref(), &[], 0, 10).expect("within the budget");
    assert!((1..=2).contains(&all.len()), "{all:?}");
}

#[test]
fn equations_that_depend_on_inputs_are_found_once_the_inputs_are_chosen() {
    let text = "MODULE main\nVAR x : 0..2; y : 0..2; z : boolean;\nIVAR i : {left, right, stay}; j : boolean;\n\
        INIT x + y = 2\nTRANS i in case x = 0 : {right, stay}; TRUE : {left, right}; esac\n\
        TRANS case i = left : next(x) = y & next(y) = x & (next(z) <-> j); i = right : next(y) = x & next(x) >= x; \
        TRUE : next(x) = x & next(y) = y; esac\n";
    assert!(compare(text) > 20);
}

/// Constraints between variables that assignments give values to, and variables that others determine: neither leads to
/// guesses that fail late.
#[test]
fn assignments_are_followed_before_anything_is_guessed() {
    let cells = 40;
    let mut text = String::from("MODULE main\nVAR x : array 0..40 of boolean; y : array 0..40 of boolean;\nASSIGN\n");
    for cell in 0..cells {
        // Each copy stands before the original.
        text += &format!("x[{cell}] := x[{}] xor y[{cell}];\n", cell + 1);
        text += &format!("init(y[{cell}]) := FALSE; next(y[{cell}]) := {{TRUE, y[{cell}]}};\n");
    }
    for cell in 0..cells - 1 {
        text += &format!("TRANS !(next(y[{cell}]) & next(y[{}]))\n", cell + 1);
    }
    let model = load(&text).expect("a model");
    for share in [0.0, 0.3, 0.6, 0.9] {
        let budget = Budget::unlimited().within_checks(100_000);
        let mut walk = flat::explicit::walk::Walk::new(&model, &budget);
        let mut place = None;
        for _ in 0..3 {
            place = walk.any(place.as_ref(), &mut || share).expect("within the budget");
            if place.is_none() {
                break;
            }
        }
    }
}
