//! Counterexamples that are said to be shortest, against all shorter lines of small random machines.

mod common;

use common::Generator;
use common::small::Small;
use flat::enumerate::Rules;
use flat::enumerate::ctl::Checker;
use flat::enumerate::lasso::{self, Lasso};
use flat::enumerate::machine::Explicit;
use flat::model::{Linear, Model, NodeId, Property, Question, VariableId, VariableKind};
use kernel::budget::Budget;
use kernel::span::SourceMap;
use symbolic::check::{Options, check};
use symbolic::report::{Defined, Extent, Setting, Trace, TraceState};
use symbolic::validate::retrace::{Claimed, retrace};

/// How many models are tried; more if the environment says so.
fn models() -> u64 {
    std::env::var("SYMBOLIC_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(600)
}

/// Lines that are looked at for one property.
const LINES: usize = 3_000;

fn load(text: &str) -> Model {
    let mut sources = SourceMap::new();
    let file = sources.add_file("random.smv", text, None);
    smv::load(&sources, file, &Budget::unlimited())
        .expect("no limit")
        .model
        .unwrap_or_else(|| panic!("not a model\n{text}"))
}

/// A line of a machine: its states, and the inputs of its steps.
#[derive(Clone)]
struct Walk {
    states: Vec<usize>,
    inputs: Vec<usize>,
}

/// All walks of fewer than `steps` steps from initial states; none if there are too many.
fn walks(explicit: &Explicit, steps: usize) -> Option<Vec<Walk>> {
    let mut all: Vec<Walk> = Vec::new();
    let mut layer: Vec<Walk> =
        explicit.initial.iter().map(|state| Walk { states: vec![*state], inputs: Vec::new() }).collect();
    for _ in 0..steps {
        all.extend(layer.iter().cloned());
        let mut next = Vec::new();
        for walk in &layer {
            let last = walk.states[walk.states.len() - 1];
            for edge in explicit.edges.iter().filter(|edge| edge.from == last) {
                let mut longer = walk.clone();
                longer.states.push(edge.to);
                longer.inputs.push(edge.input);
                next.push(longer);
            }
        }
        if all.len() + next.len() > LINES {
            return None;
        }
        layer = next;
    }
    Some(all)
}

/// The lassos that a walk is when it ends where it was before, as positions with inputs.
fn lassos(explicit: &Explicit, walk: &Walk) -> Vec<Lasso> {
    let last = walk.states.len() - 1;
    let starts = (0..last).filter(|start| walk.states[*start] == walk.states[last]);
    let positions = || (0..last).map(|at| explicit.with_input(walk.states[at], walk.inputs[at])).collect();
    starts.map(|loop_start| Lasso { positions: positions(), loop_start }).collect()
}

fn is_fair(model: &Model, rules: &mut Rules<'_>, lasso: &Lasso) -> bool {
    let mut often =
        |node: NodeId| lasso.positions[lasso.loop_start..].iter().any(|position| rules.holds(node, position, None));
    model.justice.iter().all(|node| often(*node)) && model.compassion.iter().all(|(p, q)| !often(*p) || often(*q))
}

/// A line as a recorded trace.
fn trace(model: &Model, positions: &[Vec<flat::model::Value>], loop_start: Option<usize>) -> Trace {
    let settings = |at: usize, wanted: bool| -> Vec<Setting> {
        let of_kind = |id: &VariableId| (model.variable(*id).kind == VariableKind::Input) == wanted;
        let setting = |id: VariableId| Setting {
            name: model.variable(id).name.clone(),
            value: model.show(positions[at][id.0 as usize], model.variable(id).domain.r#type()),
        };
        model.variable_ids().filter(of_kind).map(setting).collect()
    };
    let states = (0..positions.len()).map(|at| TraceState {
        state: settings(at, false),
        inputs: settings(at, true),
        relevant: None,
        defined: Defined::default(),
    });
    let (states, branches) = (states.collect(), Vec::new());
    Trace { states, loop_start, branches, validated: Extent::Fully, shortest: false }
}

/// A line of fewer steps that shows a formula to be false.
fn shorter(model: &Model, explicit: &Explicit, property: &Property, walks: &[Walk]) -> Option<Lasso> {
    let mut rules = Rules::new(model);
    if let Question::Ltl(formula) = &property.question {
        let violates = |lasso: &Lasso| {
            let mut rules = Rules::new(model);
            is_fair(model, &mut rules, lasso) && !lasso::holds(&mut rules, lasso, formula)
        };
        return walks.iter().flat_map(|walk| lassos(explicit, walk)).find(violates);
    }
    let checker = Checker::new(model, explicit);
    let fair = checker.fair_states();
    let shows = |trace: &Trace| retrace(model, Claimed::False(property), trace).is_ok();
    for walk in walks {
        let last = walk.states[walk.states.len() - 1];
        let mut positions: Vec<_> =
            walk.inputs.iter().zip(&walk.states).map(|(input, state)| explicit.with_input(*state, *input)).collect();
        positions.push(explicit.states[last].clone());
        if fair[last] && shows(&trace(model, &positions, None)) {
            return Some(Lasso { positions, loop_start: usize::MAX });
        }
        // Operators that count steps may be shown by going round a loop more than once; each step counts on a line.
        let counts = ["AX", "AB", "BU"].iter().any(|operator| property.text.contains(operator));
        for lasso in lassos(explicit, walk).into_iter().filter(|_| !counts) {
            if is_fair(model, &mut rules, &lasso) && shows(&trace(model, &lasso.positions, Some(lasso.loop_start))) {
                return Some(lasso);
            }
        }
    }
    None
}

#[derive(Debug, Default)]
struct Tally {
    proved: usize,
    open: usize,
    with_past: usize,
    loops: usize,
}

fn compare(seed: u64, text: &str, tally: &mut Tally) {
    compare_model(seed, text, &load(text), tally);
}

fn compare_model(seed: u64, text: &str, model: &Model, tally: &mut Tally) {
    let Ok(report) = check(model, &Options::default(), &Budget::unlimited(), &mut |_| {}) else { return };
    let explicit = Explicit::new(model, 1 << 8).expect("a small machine");
    for (property, found) in model.properties.iter().zip(&report.properties) {
        let Some(counterexample) = &found.counterexample else { continue };
        let is_past = matches!(&property.question, Question::Ltl(formula) if formula.past_depth() > 0);
        let is_linear = matches!(&property.question, Question::Ltl(_));
        if !counterexample.shortest {
            assert!(!is_linear || is_deep(property), "seed {seed}: {} is not proved shortest\n{text}", found.text);
            tally.open += 1;
            continue;
        }
        // A lasso of as many steps as a walk has ends where it was before.
        let length = counterexample.length();
        let Some(walks) = walks(&explicit, length) else { continue };
        tally.proved += 1;
        tally.with_past += usize::from(is_past);
        tally.loops += usize::from(counterexample.loop_start.is_some());
        if let Some(lasso) = shorter(model, &explicit, property, &walks) {
            panic!("seed {seed}: {} has {lasso:?}, shorter than\n{counterexample:#?}\n{text}", found.text);
        }
    }
}

/// Whether operators of the past nest too deep for the search.
fn is_deep(property: &Property) -> bool {
    matches!(&property.question, Question::Ltl(formula) if formula.past_depth() > 3)
}

#[test]
fn nothing_is_shorter_than_what_is_said_to_be_shortest() {
    let mut tally = Tally::default();
    for seed in 40_000..40_000 + models() {
        let mut generator = Generator::new(seed);
        let mut text = generator.tiny();
        for depth in [1, 2, 2] {
            text += &format!("SPEC {}\n", generator.tiny_actl(depth));
            text += &format!("LTLSPEC {}\n", generator.tiny_formula(true, depth));
        }
        compare(seed, &text, &mut tally);
    }
    assert!(tally.proved > 600 && tally.with_past > 100 && tally.loops > 400, "{tally:?}");
    assert!(tally.open < tally.proved / 4, "{tally:?}");
}

#[test]
fn lengths_of_thousands_of_small_models() {
    let mut tally = Tally::default();
    let count = std::env::var("SYMBOLIC_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(2000_usize);
    for seed in (200_000..).take(count) {
        let text = Small::new(seed).model(2);
        let mut sources = SourceMap::new();
        let file = sources.add_file("random.smv", text.as_str(), None);
        let Some(model) = smv::load(&sources, file, &Budget::unlimited()).expect("no limit").model else { continue };
        compare_model(seed, &text, &model, &mut tally);
    }
    assert!(tally.proved > count && tally.with_past > count / 10 && tally.loops > count / 3, "{tally:?}");
}

#[test]
fn a_loop_may_need_several_rounds_before_a_formula_repeats() {
    let model = "MODULE main VAR x : 0..4; ASSIGN init(x) := 0; next(x) := case x = 0 : {1, 2}; x = 1 : {3}; \
        x = 3 : {1, 4}; x = 2 : 2; TRUE : 4; esac;";
    let formulas = [
        ("G (O x = 1 -> F x = 4)", 3),
        // The loop is entered at its first state, where nothing was before.
        ("! G F (x = 3 & Y x = 1)", 3),
        ("F G x = 4", 2),
        ("! F (x = 4 & Y (x = 3 & Y x = 1))", 4),
    ];
    for (formula, length) in formulas {
        let model = load(&format!("{model} LTLSPEC {formula}"));
        let report = check(&model, &Options::default(), &Budget::unlimited(), &mut |_| {}).expect("a model");
        let trace = report.properties[0].counterexample.as_ref().expect("it is violated");
        assert_eq!((trace.length(), trace.shortest), (length, true), "{formula}: {trace:#?}");
    }
    // From the second round on, the state before the loop's first is its last.
    let ring = "MODULE main VAR x : 0..2; ASSIGN init(x) := 0; next(x) := (x + 1) mod 3; LTLSPEC ! F (x = 0 & Y x = 2)";
    let report = check(&load(ring), &Options::default(), &Budget::unlimited(), &mut |_| {}).expect("a model");
    let trace = report.properties[0].counterexample.as_ref().expect("it is violated");
    assert_eq!((trace.length(), trace.shortest, trace.loop_start), (3, true, Some(0)), "{trace:#?}");
}

#[test]
fn formulas_nest_as_deep_as_their_past() {
    let formula = |text: &str| match load(&format!("MODULE main VAR x : boolean; LTLSPEC {text}")).properties.remove(0)
    {
        Property { question: Question::Ltl(formula), .. } => formula,
        other => panic!("{other:?}"),
    };
    let depths: Vec<usize> =
        ["F x", "O x", "Y (x S Y x)", "(H x) U (Z Z x)"].map(formula).iter().map(Linear::past_depth).collect();
    assert_eq!(depths, [0, 1, 3, 2]);
}
