//! The engines for SMV models against each other: verdicts, lengths, certificates, and models that only SAT can check.
//!
//! The environment variable `ENGINE_MODELS` sets how many random models are compared.

#![allow(clippy::print_stdout, reason = "a test shows its seeds")]

#[path = "../../symbolic/tests/common/mod.rs"]
mod common;

use checker::options::SmvEngine;
use checker::report::{Outcome, PropertyReport, Report, Seconds};
use checker::{Model, Options, Selection};
use common::Generator;
use kernel::budget::Budget;
use std::time::Duration;

/// The time for one check; a busy machine leaves some properties open.
const LONGEST: Duration = Duration::from_secs(5);

fn check(text: &str, engine: SmvEngine, budget: &Budget) -> Option<Report> {
    let model = Model::smv("model.smv", text).ok()?;
    let mut options = Options::default();
    options.smv.engine = engine;
    match checker::check(&model, &Selection::all(), &options, budget, &mut ()) {
        Ok(report) => Some(report),
        Err(checker::Error::Rejected(_)) => None,
        Err(error) => panic!("{engine:?}: {error}\n{text}"),
    }
}

/// The outcome and the length of a counterexample for each property that the model states.
fn answers(report: &Report) -> Vec<(Outcome, Option<(usize, bool)>)> {
    let stated = report.properties.iter().filter(|property| property.section.is_some());
    stated
        .map(|property| {
            let shown = property.counterexamples().first().map(|one| (one.length(), one.is_shortest()));
            (property.verdict.outcome(), shown)
        })
        .collect()
}

#[test]
fn all_engines_agree_on_random_models() {
    let models = std::env::var("ENGINE_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(25);
    let (mut decided, mut compared) = (0, 0);
    for seed in 1_000..1_000 + models {
        println!("seed {seed}");
        let mut generator = Generator::new(seed);
        let mut text = generator.tiny();
        for depth in [1, 2, 3] {
            text += &format!("LTLSPEC {}\n", generator.tiny_formula(true, depth));
        }
        text += &format!("INVARSPEC {} | p\n", generator.tiny_formula(true, 0));
        for depth in [1, 2] {
            text += &format!("CTLSPEC AG ({})\n", generator.tiny_actl(depth));
            text += &format!("CTLSPEC {}\n", generator.tiny_formula(false, depth));
        }
        let Some(expected) = check(&text, SmvEngine::Bdd, &Budget::unlimited()) else {
            assert!(check(&text, SmvEngine::Bmc, &Budget::unlimited()).is_none(), "one engine refuses\n{text}");
            continue;
        };
        let expected = answers(&expected);
        for engine in [SmvEngine::Auto, SmvEngine::Ic3] {
            let found = check(&text, engine, &Budget::unlimited().within(LONGEST)).expect("the same model");
            for ((known, length), (outcome, shown)) in expected.iter().zip(answers(&found)) {
                assert!(outcome == Outcome::Unknown || outcome == *known, "{engine:?} disagrees\n{text}");
                decided += usize::from(outcome != Outcome::Unknown);
                if let (Some((length, true)), Some((own, true))) = (length, shown) {
                    assert_eq!(*length, own, "the shortest length of {engine:?}\n{text}");
                    compared += 1;
                }
            }
        }
    }
    println!("{decided} answers, {compared} lengths");
    assert!(decided > 20 && compared > 5, "{decided} answers, {compared} lengths");
}

/// A report without what differs from run to run.
fn untimed(report: &Report) -> String {
    let timeless = |one: &PropertyReport| PropertyReport { seconds: Seconds::default(), ..one.clone() };
    let properties: Vec<PropertyReport> = report.properties.iter().map(timeless).collect();
    let stripped = |line: &&str| !line.trim_start().starts_with("seconds");
    format!("{properties:#?}{:?}", report.warnings).lines().filter(stripped).collect::<Vec<_>>().join("\n")
}

/// Diagrams decide small models with the work that they are owed, so that SAT has no influence on the report.
#[test]
fn the_default_report_of_a_small_model_is_that_of_diagrams() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/smv");
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).expect("models") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "smv") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a model");
        let reports = [SmvEngine::default(), SmvEngine::Bdd].map(|engine| check(&text, engine, &Budget::unlimited()));
        let [Some(usual), Some(diagrams)] = reports else { continue };
        assert_eq!(untimed(&usual), untimed(&diagrams), "{}", path.display());
        compared += 1;
    }
    assert!(compared > 5, "{compared} models");
}

const PRODUCT: &str = "MODULE main
VAR a : unsigned word[32]; b : unsigned word[32]; product : unsigned word[32]; last : unsigned word[32];
ASSIGN
  init(product) := 0ud32_0; init(last) := 0ud32_0;
  next(a) := a; next(b) := b; next(product) := a * b; next(last) := product;
INVARSPEC last != 0ud32_3000000021
";

#[test]
fn a_product_of_wide_words_is_found_wrong_after_two_steps() {
    for engine in [SmvEngine::Bmc, SmvEngine::Auto, SmvEngine::default()] {
        let report = check(PRODUCT, engine, &Budget::unlimited()).expect("a model");
        let shown = &report.properties[0].counterexamples()[0];
        assert_eq!((shown.length(), shown.is_shortest()), (2, true));
        assert_eq!(report.properties[0].engine.refuted_below, Some(2));
        // No diagram holds the product, and the form of the model proves the implicit properties.
        assert!(report.complete, "{engine:?} leaves something open");
    }
}

/// The states are all words of 63 bits, turned around by one place in each step. A pattern of 1, 1, 0 returns after three.
const ROTATION: &str = "MODULE main
VAR x : unsigned word[63];
ASSIGN next(x) := x[0:0] :: x[62:1];
LTLSPEC !(x[0:0] = 0ub1_1 & X (x[0:0] = 0ub1_1 & X x[0:0] = 0ub1_0))
";

#[test]
fn a_lasso_is_proved_shortest_among_more_than_2_to_the_60_states() {
    let report = check(ROTATION, SmvEngine::Bmc, &Budget::unlimited()).expect("a model");
    let shown = &report.properties[0].counterexamples()[0];
    assert_eq!((shown.length(), shown.is_shortest()), (3, true));
}

/// A million states are too many to list one by one. A pattern of 1, 1, 0, 0 returns after four steps.
#[test]
fn a_lasso_of_decision_diagrams_is_proved_shortest_by_sat() {
    let text = ROTATION.replace("63", "20").replace("62", "19");
    let report = check(&text, SmvEngine::Bdd, &Budget::unlimited()).expect("a model");
    let shown = &report.properties[0].counterexamples()[0];
    assert_eq!((shown.length(), shown.is_shortest()), (4, true));
}

/// The same in branching time: there are a million states, and zeros and ones that alternate return after two steps.
#[test]
fn a_lasso_of_branching_time_is_proved_shortest_by_sat() {
    let text = ROTATION.replace("63", "20").replace("62", "19");
    let text = text.split("LTLSPEC").next().expect("a model").to_owned() + "CTLSPEC AF x[0:0] = x[1:1]";
    let report = check(&text, SmvEngine::Bdd, &Budget::unlimited()).expect("a model");
    let shown = &report.properties[0].counterexamples()[0];
    assert_eq!((shown.length(), shown.is_shortest()), (2, true));
}

const COUNTERS: &str = "MODULE main
VAR n : 0..9; e : {idle, busy, 7}; w : unsigned word[3]; p : boolean;
ASSIGN
  init(n) := 0; init(e) := idle; init(w) := 0ud3_0; init(p) := FALSE;
  next(n) := n < 6 ? n + 2 : 0;
  next(e) := case e = idle : {idle, busy}; TRUE : idle; esac;
  next(w) := e = busy ? 0ud3_1 : 0ud3_0;
  next(p) := n = 7;
";

#[test]
fn a_certificate_is_an_invariant_that_induction_confirms() {
    let text = format!("{COUNTERS}INVARSPEC !p & e != 7 & w < 0ud3_2\n");
    let report = check(&text, SmvEngine::Ic3, &Budget::unlimited()).expect("a model");
    assert_eq!(report.outcome(), Outcome::Holds);
    let [certificate] = &report.certificates[..] else { panic!("one certificate") };
    assert!(certificate.contains("INVARSPEC"), "{certificate}");
    let confirmed = check(&format!("{COUNTERS}{certificate}"), SmvEngine::Induction, &Budget::unlimited());
    let confirmed = confirmed.unwrap_or_else(|| panic!("not a model: {certificate}"));
    assert_eq!(confirmed.outcome(), Outcome::Holds, "{certificate}");
}

#[test]
fn a_bound_and_a_limit_leave_properties_open() {
    let model = Model::smv("model.smv", &format!("{COUNTERS}INVARSPEC n != 6\nLTLSPEC G F n = 0\n")).expect("a model");
    let mut options = Options::default();
    (options.smv.engine, options.smv.bound) = (SmvEngine::Bmc, Some(2));
    let report = checker::check(&model, &Selection::all(), &options, &Budget::unlimited(), &mut ()).expect("a report");
    assert_eq!(report.outcome(), Outcome::Unknown);
    assert_eq!(report.properties[0].engine.refuted_below, Some(3));
    options.smv.bound = Some(3);
    let report = checker::check(&model, &Selection::all(), &options, &Budget::unlimited(), &mut ()).expect("a report");
    assert_eq!(report.properties[0].counterexamples()[0].length(), 3);
    for engine in [SmvEngine::Bmc, SmvEngine::Induction, SmvEngine::Ic3, SmvEngine::Auto] {
        options.smv.engine = engine;
        let budget = Budget::unlimited().within(Duration::ZERO);
        let report = checker::check(&model, &Selection::all(), &options, &budget, &mut ()).expect("a report");
        assert!(report.properties.iter().all(|one| one.verdict.outcome() == Outcome::Unknown), "{engine:?}");
    }
}

#[test]
fn a_circuit_written_as_aiger_has_the_same_answers() {
    let text = format!("{COUNTERS}INVARSPEC n != 6\nINVARSPEC !p\nLTLSPEC G F n = 0\nLTLSPEC G F e = busy\n");
    let input = Model::smv("model.smv", &text).expect("a model").into_smv().expect("an SMV model");
    for is_binary in [false, true] {
        let bytes = checker::smv::aiger(&input, is_binary, &Budget::unlimited()).expect("a circuit");
        let circuit = checker::smv::of_aiger(&bytes).expect("an AIGER file");
        let report = check(&circuit, SmvEngine::Ic3, &Budget::unlimited()).expect("a model");
        let outcomes: Vec<Outcome> = report.properties.iter().map(|one| one.verdict.outcome()).collect();
        assert_eq!(outcomes, [Outcome::Violated, Outcome::Holds, Outcome::Holds, Outcome::Violated], "{circuit}");
        assert_eq!(report.properties[0].counterexamples()[0].length(), 3);
    }
}

/// A property of a module and of the module that contains it: the second has the counterexample of the first, and one that asks
/// something else has its own.
#[test]
fn a_property_that_is_stated_twice_has_one_counterexample() {
    let text = "MODULE counter(limit)\nVAR n : 0..3; b : boolean;\n\
                ASSIGN init(n) := 0; next(n) := case n < limit : n + 1; TRUE : 0; esac; init(b) := FALSE; next(b) := !b;\n\
                CTLSPEC AG n < 3\nCTLSPEC AG n < 2\nCTLSPEC AG (n = 1 -> AF n = 3)\n\
                MODULE main\nVAR c : counter(3); d : counter(2);\n\
                CTLSPEC AG c.n < 3\nCTLSPEC AG c.n < 2\nCTLSPEC AG d.n < 2\nCTLSPEC AG (d.n = 1 -> AF d.n = 3)\n";
    let report = check(text, SmvEngine::Bdd, &Budget::unlimited()).expect("a model");
    let own = |wanted: &str| {
        let one =
            report.properties.iter().find(|property| property.formula.as_deref() == Some(wanted)).expect("stated");
        (one.verdict.outcome(), one.counterexamples().first().map(|one| (one.length(), one.is_shortest())))
    };
    assert_eq!(own("AG c.n < 3"), (Outcome::Violated, Some((3, true))));
    assert_eq!(own("AG c.n < 2"), (Outcome::Violated, Some((2, true))));
    assert_eq!(own("AG d.n < 2"), (Outcome::Violated, Some((2, true))));
    let lengths: Vec<Option<usize>> = answers(&report).iter().map(|(_, shown)| shown.map(|one| one.0)).collect();
    let count = |steps: usize| lengths.iter().filter(|length| **length == Some(steps)).count();
    assert_eq!((count(3), count(2)), (2, 4), "{lengths:?}");
}

#[test]
fn questions_about_the_same_bits_with_and_without_a_sign_are_different_questions() {
    // Thirty free bits, so that no enumeration helps.
    let text = "MODULE main
        VAR b : boolean; c : array 0..29 of boolean;
        ASSIGN init(b) := FALSE; next(b) := TRUE;
        CTLSPEC AG (b -> (0ub4_1101 < 0ub4_0101));
        CTLSPEC AG (b -> (0sb4_1101 < 0sb4_0101));
        CTLSPEC AG (b -> (0ub4_1101 < 0ub4_0101));";
    let report = check(text, SmvEngine::Bdd, &Budget::unlimited()).expect("a model");
    let outcomes: Vec<Outcome> = answers(&report).into_iter().map(|(outcome, _)| outcome).collect();
    assert_eq!(outcomes, [Outcome::Violated, Outcome::Holds, Outcome::Violated]);
}
