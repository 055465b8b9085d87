//! Counterexamples that are said to be shortest, against all shorter lines of small random machines.
//!
//! The environment variable `MINIMALITY_CLAIMS` sets how many claims of each kind are compared.

#![allow(clippy::print_stdout, reason = "a test shows its seeds")]

#[path = "../../symbolic/tests/common/mod.rs"]
mod common;

use checker::Selection;
use checker::report::{Counterexample, Extent};
use checker::smv::shortness;
use common::Generator;
use common::small::Small;
use flat::enumerate::Rules;
use flat::enumerate::ctl::Checker;
use flat::enumerate::lasso::{self, Lasso};
use flat::enumerate::machine::Explicit;
use flat::model::{Linear, Model, NodeId, Property, Question, Value, VariableId, VariableKind};
use kernel::budget::Budget;
use kernel::span::SourceMap;
use symbolic::report::{Defined, Setting, Trace, TraceState};
use symbolic::validate::retrace::length::Shortness;
use symbolic::validate::retrace::{Claimed, retrace};

/// How many claims are compared.
fn claims() -> usize {
    std::env::var("MINIMALITY_CLAIMS").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
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
            value: model.show(&positions[at][id.0 as usize], model.variable(id).domain.r#type()),
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
    Trace { states, loop_start, branches, validated: symbolic::validate::Extent::Fully, shortest: false }
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
        for lasso in lassos(explicit, walk) {
            if is_fair(model, &mut rules, &lasso) && shows(&trace(model, &lasso.positions, Some(lasso.loop_start))) {
                return Some(lasso);
            }
        }
    }
    None
}

/// What was compared.
#[derive(Debug, Default)]
struct Tally {
    /// Claims of branching time, and of linear time, that were compared with all shorter lines.
    branching: usize,
    linear: usize,
    with_past: usize,
    loops: usize,
    /// Counterexamples that are not said to be shortest.
    open: usize,
    /// Claims with too many shorter lines to be listed.
    skipped: usize,
    /// Counterexamples that were found again among the lines of their length.
    controls: usize,
}

/// Checks the properties of a text, and compares each claim that a counterexample is shortest with all shorter lines.
fn compare(seed: u64, text: &str, tally: &mut Tally) {
    let Ok(input) = checker::Model::smv("random.smv", text) else { return };
    let options = checker::Options::default();
    let report = checker::check(&input, &Selection::all(), &options, &Budget::unlimited(), &mut ());
    let report = match report {
        Ok(report) => report,
        Err(checker::Error::Rejected(_)) => return,
        Err(error) => panic!("seed {seed}: {error}\n{text}"),
    };
    let model = input.into_smv().expect("an SMV model").model;
    let explicit = Explicit::new(&model, 1 << 8).expect("a small machine");
    for (property, found) in model.properties.iter().zip(&report.properties) {
        let Some(counterexample) = found.counterexamples().first() else { continue };
        let is_linear = matches!(&property.question, Question::Ltl(_));
        if !counterexample.is_shortest() {
            let formula = &property.text;
            assert!(!is_linear || is_deep(property), "seed {seed}: {formula} is not proved shortest\n{text}");
            tally.open += 1;
            continue;
        }
        // A lasso of as many steps as a walk has ends where it was before.
        let length = counterexample.length();
        let Some(shorter_walks) = walks(&explicit, length) else {
            tally.skipped += 1;
            continue;
        };
        if let Some(lasso) = shorter(&model, &explicit, property, &shorter_walks) {
            let formula = &property.text;
            panic!("seed {seed}: for {formula} there is {lasso:?}, shorter than {length} steps\n{text}");
        }
        tally.linear += usize::from(is_linear);
        tally.branching += usize::from(matches!(&property.question, Question::Ctl(_)));
        tally.with_past +=
            usize::from(matches!(&property.question, Question::Ltl(formula) if formula.past_depth() > 0));
        tally.loops += usize::from(!counterexample.cycle.is_empty());
        // The control: among the lines with as many steps there is one, so the comparison can fail.
        let is_tree = !counterexample.branches.is_empty() || counterexample.extent() != Extent::Fully;
        if matches!(property.question, Question::Invariant(_)) || is_tree || tally.controls >= 500 {
            continue;
        }
        if let Some(walks) = walks(&explicit, length + 1) {
            let again = shorter(&model, &explicit, property, &walks);
            assert!(again.is_some(), "seed {seed}: no line of {length} steps shows {}\n{text}", property.text);
            tally.controls += 1;
        }
    }
}

/// Whether operators of the past nest so deep that the search may reach its limit: then at most one claim in a hundred is open.
fn is_deep(property: &Property) -> bool {
    matches!(&property.question, Question::Ltl(formula) if formula.past_depth() > 1)
}

/// Compares claims about random models until there are enough of one kind.
fn compare_enough(first_seed: u64, count: fn(&Tally) -> usize, text: impl Fn(u64) -> String) -> Tally {
    let mut tally = Tally::default();
    let mut seed = first_seed;
    while count(&tally) < claims() {
        assert!(seed < first_seed + 100 * claims() as u64, "too few claims: {tally:?}");
        compare(seed, &text(seed), &mut tally);
        seed += 1;
    }
    println!("seeds {first_seed} to {}: {tally:?}", seed - 1);
    tally
}

/// A model with formulas of both kinds, some of which count steps.
fn tiny(seed: u64, is_linear: bool) -> String {
    let mut generator = Generator::new(seed);
    let mut text = generator.tiny();
    for depth in [1, 2, 2] {
        text += &match is_linear {
            true => format!("LTLSPEC {}\n", generator.tiny_formula(true, depth)),
            false => format!("CTLSPEC {}\n", generator.tiny_actl(depth)),
        };
    }
    text
}

#[test]
fn no_line_is_shorter_than_a_shortest_counterexample_of_branching_time() {
    let tally = compare_enough(40_000, |tally| tally.branching, |seed| tiny(seed, false));
    assert!(tally.controls > 100 && tally.loops > tally.branching / 8, "{tally:?}");
    assert!(tally.open < tally.branching / 4, "{tally:?}");
}

#[test]
fn no_line_is_shorter_than_a_shortest_counterexample_of_linear_time() {
    let tally = compare_enough(140_000, |tally| tally.linear, |seed| tiny(seed, true));
    assert!(tally.controls > 100 && tally.with_past > tally.linear / 10, "{tally:?}");
    assert!(tally.open <= tally.linear / 100, "{tally:?}");
}

#[test]
fn no_line_is_shorter_in_models_with_all_kinds_of_declarations() {
    let tally = compare_enough(200_000, |tally| tally.linear + tally.branching, |seed| Small::new(seed).model(2));
    assert!(tally.controls > 100 && tally.with_past > 10 && tally.loops > 50, "{tally:?}");
}

/// The counterexample to the only property of a model.
fn counterexample(text: &str) -> Counterexample {
    let model = checker::Model::smv("model.smv", text).expect("a model");
    let options = checker::Options::default();
    let report = checker::check(&model, &Selection::all(), &options, &Budget::unlimited(), &mut ()).expect("a report");
    report.properties[0].counterexamples()[0].clone()
}

#[test]
fn the_loop_of_a_path_may_begin_before_its_claim_does() {
    let ring = "MODULE main VAR x : 0..4; ASSIGN init(x) := 0; next(x) := (x + 1) mod 5;";
    for formula in ["CTLSPEC AG (x = 4 -> AF FALSE)", "LTLSPEC G (x = 4 -> F FALSE)", "CTLSPEC AX AX AF x > 4"] {
        let shown = counterexample(&format!("{ring} {formula}"));
        assert_eq!((shown.length(), shown.is_shortest(), shown.stem.len()), (5, true, 0), "{formula}");
    }
    // Steps that are counted may be steps of a second round.
    let still = "MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := x;";
    for formula in ["CTLSPEC AX AX AX x", "CTLSPEC ABF 0..5 x", "CTLSPEC A [!x BU 2..4 x]", "CTLSPEC AX AF x"] {
        let shown = counterexample(&format!("{still} {formula}"));
        assert_eq!((shown.length(), shown.is_shortest()), (1, true), "{formula}");
    }
    // A path is as good as a lasso with as many steps.
    let shown = counterexample(&format!("{ring} CTLSPEC AX AX x = 1"));
    assert_eq!((shown.length(), shown.is_shortest(), shown.cycle.len()), (2, true, 0));
}

#[test]
fn a_wrong_claim_is_refuted() {
    let text =
        "MODULE main VAR x : 0..4; ASSIGN init(x) := 0; next(x) := (x + 1) mod 5; CTLSPEC AG (x = 4 -> AF FALSE)";
    let model = load(text);
    let claimed = Claimed::False(&model.properties[0]);
    // Twice around, with the loop after the first state that violates the property.
    let positions: Vec<Vec<Value>> = (0..9).map(|at| vec![Value::Integer(at % 5)]).collect();
    let long = trace(&model, &positions, Some(4));
    assert!(retrace(&model, claimed, &long).is_ok());
    assert_eq!(shortness(&model, claimed, &long, &Budget::unlimited()), Shortness::Refuted(5));
    let short = trace(&model, &positions[..5], Some(0));
    assert_eq!(shortness(&model, claimed, &short, &Budget::unlimited()), Shortness::Verified);
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
        let shown = counterexample(&format!("{model} LTLSPEC {formula}"));
        assert_eq!((shown.length(), shown.is_shortest()), (length, true), "{formula}: {shown:#?}");
    }
    // From the second round on, the state before the loop's first is its last.
    let ring = "MODULE main VAR x : 0..2; ASSIGN init(x) := 0; next(x) := (x + 1) mod 3; LTLSPEC ! F (x = 0 & Y x = 2)";
    let shown = counterexample(ring);
    assert_eq!((shown.length(), shown.is_shortest(), shown.stem.len()), (3, true, 0), "{shown:#?}");
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

#[test]
fn loops_in_few_states_are_shortest_and_trees_are_whole() {
    let model = "MODULE main VAR x : 0..4; ASSIGN init(x) := 0; next(x) := case x = 0 : {1, 2}; x = 1 : {3}; \
        x = 3 : {1, 4}; x = 2 : 2; TRUE : 4; esac;";
    let properties = [
        ("SPEC AG AF x = 4", 2, true),
        ("SPEC AF AG x = 4", 2, true),
        ("SPEC AF x = 4", 2, true),
        ("SPEC AX x = 1", 1, true),
        ("SPEC A [ x = 0 U A [ x = 1 U x = 3 ] ]", 1, true),
        ("SPEC (AX x = 1) | (AX x = 2)", 1, true),
        ("SPEC AF x = 4 | AX x = 1", 3, false),
    ];
    for (property, length, shortest) in properties {
        let shown = counterexample(&format!("{model} {property}"));
        assert_eq!((shown.length(), shown.is_shortest()), (length, shortest), "{property}: {shown:#?}");
        assert_eq!(shown.extent(), Extent::Fully, "{property}: {shown:#?}");
    }
}
