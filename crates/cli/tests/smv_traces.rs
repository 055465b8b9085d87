//! The real binary on SMV models: what reports and traces say about counterexamples.

mod common;

use common::Folder;
use common::smv::{COUNTER, property};
use serde_json::Value;

#[test]
fn a_trace_that_omits_only_inputs_is_accepted() {
    let folder = Folder::new("omitted-inputs");
    folder.file("a.smv", "MODULE main VAR a : boolean; IVAR i : boolean; LTLSPEC NAME always := G a\n");
    let report = folder.json(&["check", "a.smv", "--coi", "--trace", "a.json", "--format", "json"], 1);
    let found = &property(&report, "always")["counterexample"];
    assert_eq!(found["left_out"], serde_json::json!(["i"]), "{found}");
    let answer = folder.json(&["validate", "a.smv", "a.json", "--format", "json"], 0);
    assert_eq!((&answer["left_out"], &answer["whole_model"]), (&1.into(), &true.into()), "{answer}");
    folder.expect(&["replay", "a.smv", "a.json"], 0);
}

#[test]
fn a_report_says_that_every_path_violates_a_property() {
    let folder = Folder::new("every");
    let model = "MODULE main VAR x : boolean; y : 0..3; SPEC NAME some := AF y > 3 SPEC NAME none := EF y > 3\n";
    folder.file("every.smv", model);
    let text = folder.expect(&["check", "every.smv", "--no-save", "--property", "some"], 1);
    assert!(text.contains("no value matters: every path of the model violates the property"), "{text}");
    assert!(text.contains("\n  why: in every reachable state y > 3 is false\n"), "{text}");
    let text = folder.expect(&["check", "every.smv", "--no-save", "--property", "none"], 1);
    assert!(text.contains("no value matters: the property is false in every reachable state"), "{text}");
    assert!(text.contains("\n  why: in every reachable state y > 3 is false\n"), "{text}");
    let report = folder.json(&["check", "every.smv", "--no-save", "--format", "json"], 1);
    let minimised = |name: &str| property(&report, name)["counterexample"]["minimised"]["every_path"].clone();
    assert_eq!((minimised("some"), minimised("none")), (true.into(), false.into()));
    assert_eq!(property(&report, "some")["counterexample"]["everywhere"], serde_json::json!(["y > 3 is false"]));
}

/// A counter that stops at three, with properties of each kind.
const STOPS: &str = "MODULE main
VAR x : 0..3; b : boolean;
ASSIGN init(x) := 0; next(x) := x < 3 ? x + 1 : 3; init(b) := FALSE; next(b) := x = 1;
CTLSPEC NAME returns := AG (x = 2 -> AF x = 0)
CTLSPEC NAME always_possible := AG EF x = 0
CTLSPEC NAME small := AG x < 3
LTLSPEC NAME was := G (x = 3 -> Y Y b)
INVARSPEC NAME low := x < 2
";

#[test]
fn an_explanation_goes_state_by_state() {
    let folder = Folder::new("explain-smv");
    folder.file("stops.smv", STOPS);
    let report = folder.json(&["check", "stops.smv", "--explain", "--format", "json", "--trace", "t.json"], 1);
    let proof = |name: &str| -> Vec<String> {
        let proof = &property(&report, name)["counterexample"]["proof"];
        proof.as_array().expect("lines").iter().map(|line| line.as_str().expect("text").to_owned()).collect()
    };
    let lines = proof("returns");
    assert_eq!(lines[0], "on this path G ((x = 2) -> F (x = 0)) is false, which the property demands of every path:");
    assert_eq!(lines[1], "[1] in state 0: G ((x = 2) -> F (x = 0)) is false, decided in state 2, by [2]");
    assert!(
        lines.iter().any(|line| line.ends_with("since (x = 0) is false in every later state (states 2–3)")),
        "{lines:#?}"
    );
    let lines = proof("always_possible");
    assert!(lines.iter().any(|line| line.contains("in state 1: (EF (x = 0)) is false")), "{lines:#?}");
    assert_eq!(proof("small").last().map(String::as_str), Some("[2] in state 3: (x < 3) is false"));
    assert_eq!(proof("low").last().map(String::as_str), Some("[2] in state 2: (x < 2) is false"));
    let lines = proof("was");
    assert!(lines.iter().any(|line| line.contains("in the state before")), "{lines:#?}");
    // In text, and in a replay, the proof is the same.
    let text = folder.expect(&["check", "stops.smv", "--explain", "--no-save"], 1);
    let replayed = folder.expect(&["replay", "--explain", "stops.smv", "t.json"], 0);
    for line in proof("returns") {
        assert!(text.contains(&line) && replayed.contains(&line), "{line}\n{text}\n{replayed}");
    }
    // Among several models, too; and of a part of the model.
    folder.file("other.pml", "active proctype P() { skip }");
    let text = folder.expect(&["check", "stops.smv", "other.pml", "--explain", "--no-save", "--coi"], 1);
    assert!(text.contains(&proof("returns")[1]), "{text}");
}

#[test]
fn the_published_algorithms_keep_bits_and_their_traces_are_valid() {
    let folder = Folder::new("published");
    let models = format!("{}/../../models/smv", env!("CARGO_MANIFEST_DIR"));
    let swap = format!("{models}/swap.smv");
    let text = folder.expect(&["check", &swap, "--strip", "paper", "--no-save"], 1);
    assert!(text.contains("2 of 2 bits matter, by the algorithms as published"), "{text}");
    let traffic = format!("{models}/traffic.smv");
    let arguments = ["check", &traffic, "--strip", "paper", "--property", "east_goes", "--trace", "t.json"];
    let text = folder.expect(&arguments, 1);
    assert!(text.contains("north.colour = red [bit 1]"), "{text}");
    let answer = folder.json(&["validate", &traffic, "t.json", "--format", "json"], 0);
    assert_eq!((&answer["valid"], &answer["relevant"]), (&true.into(), &"verified".into()), "{answer}");
    let file = folder.read("t.json");
    assert!(file.contains("\"north.colour.1\""), "{file}");
    // Without that bit the rest does not suffice.
    folder.file("u.json", &common::rehashed(&file.replace("\"north.colour.1\",", "")));
    let answer = folder.json(&["validate", &traffic, "u.json", "--format", "json"], 1);
    assert_eq!(answer["valid"], serde_json::json!(false), "{answer}");
}

#[test]
fn the_time_of_validation_is_that_of_validate() {
    let folder = Folder::new("validate-seconds");
    folder.file("counter.smv", COUNTER);
    let report = folder.json(&["check", "counter.smv", "--no-save", "--format", "json"], 1);
    for name in ["returns", "again", "small"] {
        let seconds = &property(&report, name)["seconds"];
        assert!(seconds["validate"].as_f64().is_some_and(|seconds| seconds > 0.0), "{name}: {seconds}");
    }
}

#[test]
fn traces_of_shipped_models_are_proved_shortest() {
    let folder = Folder::new("shipped");
    let models = format!("{}/../../models/smv", env!("CARGO_MANIFEST_DIR"));
    let claims = [("semaphore.smv", "no_starvation"), ("elevator.smv", "served")];
    for (model, name) in claims {
        let path = format!("{models}/{model}");
        let report = folder.json(&["check", &path, "--no-save", "--property", name, "--format", "json"], 1);
        assert_eq!(property(&report, name)["counterexample"]["minimal"], true, "{name}");
    }
}

#[test]
fn a_violation_is_reported_although_its_path_is_too_long() {
    let folder = Folder::new("long-path");
    let text =
        "MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := x; SPEC NAME soon := ABF 0..1000000000 x\n";
    folder.file("long.smv", text);
    let report = folder.json(&["check", "long.smv", "--memory-limit", "20M", "--format", "json"], 1);
    let soon = property(&report, "soon");
    assert_eq!((&soon["verdict"], &soon["counterexample"]), (&"violated".into(), &Value::Null), "{soon}");
}
