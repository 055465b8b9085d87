//! Reports of the entry point: verdicts, counterexamples, times, and their JSON.

use checker::observer::Observer;
use checker::report::{Outcome, PropertyKind, PropertyReport, Seconds, Verdict};
use checker::selection::{Selection, Wanted};
use checker::{Error, Model, Options, Report, check};
use kernel::budget::{Budget, Exhausted};
use std::sync::Arc;
use std::time::{Duration, Instant};

const COUNTER: &str = "byte x;\nactive proctype P() { do :: x = (x + 1) % 4 od }\nltl low { [] (x < 4) }\n";

fn run(text: &str, selection: &Selection) -> Report {
    let model = Model::promela("model.pml", text).expect("the model is accepted");
    check(&model, selection, &Options::default(), &Budget::unlimited(), &mut ()).expect("there is a report")
}

#[test]
fn a_violation_has_a_lasso() {
    let report = run(COUNTER, &Selection::ltl("<> (x > 3)"));
    assert_eq!(report.outcome(), Outcome::Violated);
    let [property] = &report.properties[..] else { panic!("one property") };
    assert_eq!(property.kind, PropertyKind::Ltl);
    let counterexample = &property.counterexamples()[0];
    assert_eq!((counterexample.stem.len(), counterexample.cycle.len()), (0, 4));
    assert!(counterexample.is_shortest());
    assert_eq!(counterexample.steps().map(|step| step.changes.len()).sum::<usize>(), 4);
}

#[test]
fn the_steps_of_a_run_share_their_texts() {
    let report = run(COUNTER, &Selection::ltl("<> (x > 3)"));
    let steps: Vec<_> = report.properties[0].counterexamples()[0].steps().collect();
    let file = |index: usize| &steps[index].at.as_ref().expect("a place").file;
    let statement = |index: usize| steps[index].statement.as_ref().expect("a statement");
    assert_eq!((&**file(0), &**statement(0)), ("model.pml", "x = (x+1)%4"));
    assert!(Arc::ptr_eq(file(0), file(3)) && Arc::ptr_eq(statement(0), statement(3)));
}

#[test]
fn everything_that_the_model_states_is_checked() {
    let report = run(COUNTER, &Selection::all());
    let names: Vec<&str> = report.properties.iter().map(|property| property.name.as_str()).collect();
    assert_eq!(names, ["assertions", "run-time errors", "end states", "low"]);
    assert_eq!(report.outcome(), Outcome::Holds);
    assert!(matches!(report.property("assertions").expect("it is there").verdict, Verdict::HoldsVacuously { .. }));
    assert!(report.complete);
}

#[test]
fn properties_are_selected_by_name_and_by_kind() {
    let named = run(COUNTER, &Selection::only(Wanted::Named("low".into())));
    let kind = run(COUNTER, &Selection::only(Wanted::Kind(PropertyKind::Ltl)));
    for report in [named, kind] {
        assert_eq!(report.properties.len(), 1);
        assert_eq!(report.properties[0].name, "low");
    }
    let model = Model::promela("model.pml", COUNTER).expect("the model is accepted");
    let unknown = Selection::only(Wanted::Named("high".into()));
    let error = check(&model, &unknown, &Options::default(), &Budget::unlimited(), &mut ()).expect_err("no such");
    assert!(matches!(&error, Error::UnknownProperty { .. }));
    assert!(error.to_string().contains("there is no property `high`"), "{error}");
}

#[test]
fn the_seconds_add_up() {
    let started = Instant::now();
    let model = Model::promela("model.pml", COUNTER).expect("the model is accepted");
    let report =
        check(&model, &Selection::all(), &Options::default(), &Budget::unlimited(), &mut ()).expect("a report");
    let elapsed = started.elapsed().as_secs_f64();
    let total = report.seconds.total();
    // No time is counted twice. How much of it belongs to no stage depends on what else the machine does.
    assert!(total < elapsed + 1e-6, "{total} of {elapsed}");
    let Seconds { read, translate, search, .. } = report.seconds;
    assert!(read > 0.0 && translate > 0.0 && search > 0.0, "{:?}", report.seconds);
}

/// A run may have millions of steps: observers, trace files and tables keep no copies of it.
#[test]
fn copies_of_a_report_share_its_runs() {
    let report = run(COUNTER, &Selection::ltl("<> (x > 3)"));
    let copy = report.properties[0].clone();
    let [one, other] = [&report.properties[0], &copy].map(|property| property.counterexamples()[0].shared_run());
    assert!(std::sync::Arc::ptr_eq(&one, &other) && one.length() > 0);
}

#[test]
fn results_stream() {
    struct Names(Vec<String>);
    impl Observer for Names {
        fn property(&mut self, report: &PropertyReport) {
            self.0.push(report.name.clone());
        }
    }
    let model = Model::promela("model.pml", COUNTER).expect("the model is accepted");
    let mut names = Names(Vec::new());
    let report = check(&model, &Selection::all(), &Options::default(), &Budget::unlimited(), &mut names).expect("one");
    assert_eq!(names.0, report.properties.iter().map(|property| property.name.clone()).collect::<Vec<_>>());
}

#[test]
fn a_limit_leaves_properties_open() {
    let model = Model::promela("model.pml", COUNTER).expect("the model is accepted");
    let budget = Budget::unlimited().within(Duration::ZERO);
    let report = check(&model, &Selection::all(), &Options::default(), &budget, &mut ()).expect("there is a report");
    assert_eq!(report.outcome(), Outcome::Unknown);
    let limit = Verdict::Unknown(checker::report::Reason::Limit(Exhausted::Time));
    assert!(report.properties.iter().all(|property| property.verdict == limit));
}

#[test]
fn json_has_what_is_there_and_nothing_else() {
    let report = run(COUNTER, &Selection::ltl("<> (x > 3)"));
    let json = serde_json::to_value(&report).expect("a report is plain data");
    let property = &json["properties"][0];
    assert_eq!(property["verdict"], "violated");
    assert_eq!(property["counterexample"]["validated"], true);
    assert_eq!(property["counterexample"]["loop"][0]["process"], "P");
    assert_eq!(property["counterexample"]["loop"][0]["line"], 2);
    assert_eq!(property["counterexample"]["initial"]["values"][0]["name"], "x");
    assert!(property.get("peak_nodes").is_none() && property.get("vacuous").is_none());
    let stages: f64 = json["seconds"].as_object().expect("stages").values().filter_map(serde_json::Value::as_f64).sum();
    assert!((stages - report.seconds.total()).abs() < 1e-9);
}

const SEMAPHORE: &str = "\
MODULE main
VAR n : 0..2; wait : boolean;
ASSIGN
  init(n) := 0;
  next(n) := case wait : n; n < 2 : n + 1; TRUE : 0; esac;
LTLSPEC NAME again := G F n = 1
INVARSPEC NAME small := n < 2
INVARSPEC n <= 2
COMPUTE MIN [ n = 0, n = 2 ]
";

#[test]
fn smv_models_have_the_same_report() {
    let model = Model::smv("semaphore.smv", SEMAPHORE).expect("the model is accepted");
    let mut names = Vec::new();
    struct Names<'a>(&'a mut Vec<String>);
    impl Observer for Names<'_> {
        fn property(&mut self, report: &PropertyReport) {
            self.0.push(report.name.clone());
        }
    }
    let budget = Budget::unlimited();
    let report =
        check(&model, &Selection::all(), &Options::default(), &budget, &mut Names(&mut names)).expect("a report");
    assert_eq!(names, ["again", "small", "invarspec-3", "compute-4", "deadlock", "fairness"]);
    let words: Vec<&str> = report.properties.iter().map(|property| property.verdict.words()).collect();
    assert_eq!(words, ["violated", "violated", "holds", "computed", "holds", "holds"]);
    let again = report.properties[0].counterexamples()[0].clone();
    assert_eq!((again.stem.len(), again.cycle.len()), (0, 1));
    let small = &report.properties[1].counterexamples()[0];
    assert_eq!((small.length(), small.is_shortest()), (2, true));
    assert_eq!(small.stem[0].changes[0].name, "n");
    assert!(small.initial.relevant.is_some());
    let json = serde_json::to_value(&report).expect("a report is plain data");
    assert_eq!(json["properties"][1]["counterexample"]["initial"]["values"][0]["value"], 0);
    assert!(json["properties"][0].get("transitions").is_none());
    assert_eq!(json["properties"][3]["steps"], 2);
}

#[test]
fn smv_properties_are_selected_by_name() {
    let model = Model::smv("semaphore.smv", SEMAPHORE).expect("the model is accepted");
    let wanted = Selection::only(Wanted::Named("compute-4".into()));
    let report = check(&model, &wanted, &Options::default(), &Budget::unlimited(), &mut ()).expect("a report");
    assert_eq!(report.properties[0].name, "compute-4");
    assert_eq!(report.properties.len(), 3);
}

/// Reducing the automaton of this formula takes hours, while the violation is near: without a limit, a check that waited for
/// the reduction would not end.
#[test]
fn a_near_violation_does_not_wait_for_a_reduction() {
    let fair: Vec<String> = [(1, 2), (3, 4), (5, 6), (7, 8), (10, 11), (2, 1)]
        .iter()
        .map(|(a, b)| format!("([]<>(x == {a}) -> []<>(x == {b}))"))
        .collect();
    let formula = format!("({}) -> [](x == 9 -> <>(x == 13))", fair.join(" && "));
    let text = "byte x; active proctype P() { do :: x = (x + 1) % 12 od }";
    let model = Model::promela("model.pml", text).expect("the model is accepted");
    let mut options = Options::default();
    options.promela.first = true;
    let budget = Budget::unlimited();
    let report = check(&model, &Selection::ltl(formula), &options, &budget, &mut ()).expect("there is a report");
    assert_eq!(report.outcome(), Outcome::Violated);
}
