//! Indices and divisors that a guard keeps in range, on random models: decision diagrams refuse a model if and only if
//! some expression has no value for some valuation, and the steps of an accepted model are those of the enumerator.

mod common;

use bdd::Manager;
use common::Random;
use flat::enumerate::machine::Explicit;
use flat::enumerate::{Valuation, valuation};
use flat::evaluate::Evaluator;
use flat::explicit::FlatSystem;
use flat::model::{Model, NodeId, Value};
use flat::order;
use kernel::budget::Budget;
use kernel::span::SourceMap;
use kernel::system::{System, record};
use symbolic::check::{SymbolicOptions, check};
use symbolic::image::machine::{Failure, Machine};
use symbolic::report::Answer;

/// Expressions that lack a value in some states, each with a guard that excludes these states.
const PARTIAL: [(&str, &str); 5] = [
    ("a[j]", "j < 2"),
    ("a[j - 1]", "j > 0"),
    ("6 / x > 2", "x != 0"),
    ("4 mod x = 1", "x > 0"),
    ("case j = 0 : p; j = 1 : !p; esac", "j <= 1"),
];

fn load(text: &str) -> Model {
    let mut sources = SourceMap::new();
    let file = sources.add_file("m.smv", text, None);
    let loaded = smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    loaded.model.unwrap_or_else(|| panic!("{:#?}\n{text}", loaded.diagnostics))
}

/// A random Boolean expression. Most partial expressions in it stand beside their guards, on either side.
fn truth(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.chance(20) {
        let number = usize::try_from(random.below(PARTIAL.len() as u64)).expect("small");
        let (partial, guard) = PARTIAL[number];
        return match random.below(8) {
            0 => format!("({guard} & {partial})"),
            1 => format!("({partial} & {guard})"),
            2 => format!("({guard} -> {partial})"),
            3 => format!("(!({guard}) | {partial})"),
            4 => format!("({partial} | !({guard}))"),
            5 => format!("({guard} ? {partial} : p)"),
            6 => "p".to_owned(),
            _ => if random.chance(45) { partial } else { guard }.to_owned(),
        };
    }
    let (left, right) = (truth(random, depth - 1), truth(random, depth - 1));
    match random.below(6) {
        0 => format!("!({left})"),
        1 => format!("({left} <-> {right})"),
        2 => format!("({left} -> {right})"),
        3 => format!("({left} | {right})"),
        _ => format!("({left} & {right})"),
    }
}

fn model(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = "MODULE main\nVAR a : array 0..1 of boolean; j : 0..2; x : 0..2; p : boolean;\n".to_owned();
    if random.chance(60) {
        text += &format!("ASSIGN next(p) := {};\n", truth(&mut random, 2));
    }
    if random.chance(60) {
        text += &format!("INIT {}\n", truth(&mut random, 2));
    }
    if random.chance(50) {
        text += &format!("INVAR {}\n", truth(&mut random, 1));
    }
    let part = |random: &mut Random| {
        let (own, next) = (truth(random, 1), truth(random, 1));
        let number = usize::try_from(random.below(2)).expect("small");
        let (partial, guard) = [("next(a[0]) = a[j]", "j < 2"), ("next(j) = 4 mod x", "x > 0")][number];
        match random.below(4) {
            0 => format!("({guard} & {partial} & {own})"),
            1 => format!("({partial} & next({next}) & {guard})"),
            2 => format!("({own} & next({next}))"),
            _ => format!("({guard} -> {partial})"),
        }
    };
    match random.below(3) {
        0 => text += &format!("TRANS {} & {}\n", part(&mut random), part(&mut random)),
        1 => text += &format!("TRANS {} | {}\n", part(&mut random), part(&mut random)),
        _ => {}
    }
    text
}

/// All valuations of the variables.
fn valuations(model: &Model) -> Vec<Valuation> {
    let mut all = vec![valuation(model, [])];
    for id in model.variable_ids() {
        let domain = &model.variable(id).domain;
        let values: Vec<Value> =
            (0..u64::try_from(domain.size()).expect("small")).map(|index| domain.value(index)).collect();
        let with = |one: &Valuation, value: &Value| {
            let mut one = one.clone();
            one[id.0 as usize] = value.clone();
            one
        };
        all = all.iter().flat_map(|one| values.iter().map(move |value| with(one, value))).collect();
    }
    all
}

/// True if every constraint and every assigned expression has a value, by definition.
fn is_defined(model: &Model) -> bool {
    let all = valuations(model);
    let mut evaluator = Evaluator::new(model);
    let assigned = model.assignments.iter().map(|one| one.value);
    let roots: Vec<NodeId> =
        model.init.iter().chain(&model.invar).chain(&model.trans).copied().chain(assigned).collect();
    roots.iter().all(|root| {
        let of_steps = model.facts(*root).mentions.next;
        let nexts = if of_steps { &all[..] } else { &all[..1] };
        all.iter().all(|now| nexts.iter().all(|next| evaluator.choices(*root, now, Some(next)).is_ok()))
    })
}

#[test]
fn models_with_guards_are_accepted_by_definition_and_have_the_same_steps() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..200 {
        let text = model(seed);
        let model = load(&text);
        let bits = order::bits(&model, &order::declared(&model));
        let machine = match Machine::new(&model, Manager::new(), &bits) {
            Ok(machine) => machine,
            Err(Failure::Wrong(_)) => {
                assert!(!is_defined(&model), "refused without a reason\n{text}");
                refused += 1;
                continue;
            }
            Err(Failure::Stopped(stopped)) => panic!("{stopped:?} without a limit"),
        };
        assert!(is_defined(&model), "accepted although an expression has no value\n{text}");
        accepted += 1;
        let explicit = Explicit::new(&model, 1 << 10).expect("a small machine");
        let system = machine.system();
        let cube = |state: usize| machine.encoding().state(&model, &explicit.states[state]);
        let contains = |set: &bdd::Bdd, state: usize| set.evaluate(|bit| cube(state).value(bit) == Some(true));
        let flat = FlatSystem::new(&model, &Budget::unlimited()).expect("no inputs");
        let mut scratch = flat.scratch();
        let mut root = Vec::new();
        flat.initial(&mut root);
        let mut first: Vec<Valuation> = Vec::new();
        for (_, state, _) in record(&flat, &mut scratch, &root).successors {
            first.push(flat.valuation(&state).expect("a state"));
            let mut found: Vec<Valuation> = Vec::new();
            for (_, next, _) in record(&flat, &mut scratch, &state).successors {
                found.push(flat.valuation(&next).expect("a state"));
            }
            let from = explicit.states.iter().position(|one| Some(one) == flat.valuation(&state).as_ref());
            let edges = explicit.edges.iter().filter(|edge| Some(edge.from) == from);
            let mut expected: Vec<Valuation> = edges.map(|edge| explicit.states[edge.to].clone()).collect();
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{text}");
        }
        first.sort();
        let mut expected: Vec<Valuation> = explicit.initial.iter().map(|at| explicit.states[*at].clone()).collect();
        expected.sort();
        assert_eq!(first, expected, "{text}");
        for from in 0..explicit.states.len() {
            assert_eq!(contains(system.initial(), from), explicit.initial.contains(&from), "{text}");
            let image = system.image(&machine.encoding().manager().cube(&cube(from))).expect("no limit");
            for to in 0..explicit.states.len() {
                let is_step = explicit.edges.iter().any(|edge| (edge.from, edge.to) == (from, to));
                assert_eq!(contains(&image, to), is_step, "from {from} to {to}\n{text}");
            }
        }
    }
    assert!(accepted > 50 && refused > 40, "{accepted} accepted, {refused} refused");
}

#[test]
fn guarded_indices_and_divisors_are_checked() {
    let text = "MODULE main\nVAR a : array 0..1 of boolean; j : 0..2; ok : boolean; x : 0..3;\n\
        ASSIGN init(j) := 2; init(ok) := FALSE; next(ok) := j < 2 & a[j];\n\
        TRANS x != 0 & 6 / x > 2 & next(x) = 6 / x - 1 | x = 0 & next(x) = 0 | 6 / x = 2 & x = 3 & next(x) = x\n\
        INVARSPEC j < 2 -> (a[j] | !a[j])\nSPEC AG (x != 0 -> 6 / x >= 2)\nLTLSPEC G (ok -> Y (j < 2 & a[j]))\n\
        INVARSPEC !(j < 2 & a[j])\n";
    let model = load(text);
    let checked = check(&model, &SymbolicOptions::default(), &Budget::unlimited(), &mut |_| {}).expect("no errors");
    let answers: Vec<&Answer> = checked.properties.iter().map(|one| &one.answer).collect();
    let holds = Answer::Holds { vacuous: None };
    assert_eq!(answers[..4], [&holds, &holds, &holds, &Answer::Violated]);
}
