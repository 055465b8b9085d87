//! Forged traces with a correct hash: `validate` refuses what the model does not confirm, or says what it did not check.

mod common;

use common::{Folder, rehashed};

/// A model whose property `p` holds.
const REFINED: &str = "byte x; active proctype P() { do :: skip :: x = 1 - x od } ltl p { X X (x == 2) }";
const HOLDS: &str = "byte x; active proctype P() { do :: x = 1; x = 0 od } ltl p { [] (x < 2) }";
/// A model with a loop of two steps after a stem of one, and one in SMV.
const LASSO: &str = "byte x; active proctype P() { x = 1; do :: x = 2; x = 3 od } ltl p { <> (x == 9) }";
const SMV: &str = "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0;\n\
                   next(x) := case x = 0 : 1; x = 1 : 2; x = 2 : 1; TRUE : x; esac;\nLTLSPEC NAME p := F (x = 3)\n";

/// Saves a trace in `t.json`, replaces it by an edited one, and validates that.
#[track_caller]
fn validate(model: (&str, &str), check: &[&str], edit: impl Fn(&str) -> String, code: i32) -> serde_json::Value {
    let folder = Folder::new(&format!("forged-{}", std::panic::Location::caller().line()));
    folder.file(model.0, model.1);
    folder.expect(&[&["check", model.0, "--trace", "t.json"], check].concat(), 1);
    folder.expect(&["validate", model.0, "t.json"], 0);
    let trace = folder.read("t.json");
    let edited = edit(&trace);
    assert_ne!(edited, trace, "the edit changes nothing");
    folder.file("t.json", &rehashed(&edited));
    folder.json(&["validate", model.0, "t.json", "--format", "json"], code)
}

/// The lines of the loop of a trace.
fn lines_of_loop(trace: &str) -> &str {
    let start = trace.find("\"loop\": [\n").expect("a loop") + "\"loop\": [\n".len();
    &trace[start..start + trace[start..].find("\n],").expect("the end of the loop")]
}

fn doubled(trace: &str) -> String {
    let lines = lines_of_loop(trace);
    let trace = trace.replace(", 2 steps repeat", ", 4 steps repeat");
    trace.replace(&format!("\"loop\": [\n{lines}"), &format!("\"loop\": [\n{lines},\n{lines}"))
}

fn unrolled(trace: &str) -> String {
    let lines = lines_of_loop(trace);
    let trace = trace.replace("after 2 steps, ", "after 4 steps, ");
    match trace.contains("\"stem\": [],") {
        true => trace.replace("\"stem\": [],", &format!("\"stem\": [\n{lines}\n],")),
        false => trace.replace("\n],\n\"loop\": [", &format!(",\n{lines}\n],\n\"loop\": [")),
    }
}

#[track_caller]
fn is_too_long(answer: &serde_json::Value) {
    let reason = answer["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("said to be minimal, but one with"), "{answer}");
}

#[test]
fn the_name_of_a_property_belongs_to_its_formula() {
    let renamed = |trace: &str| trace.replace("\"property\":\"[] (x==0)\"", "\"property\":\"p\"");
    let answer = validate(("m.pml", HOLDS), &["--ltl", "[] (x==0)"], renamed, 1);
    assert!(answer["reason"].as_str().is_some_and(|reason| reason.contains("`p` is not the property")), "{answer}");
}

#[test]
fn the_name_of_a_claim_is_not_that_of_a_property_of_the_model() {
    let folder = Folder::new("claim");
    folder.file("m.pml", HOLDS);
    folder.file("c.never", "never { T0: if :: x == 1 -> goto accept_all :: else -> goto T0 fi; accept_all: skip }");
    folder.expect(&["check", "m.pml", "--never", "c.never", "--trace", "t.json"], 1);
    let trace = folder.read("t.json");
    for name in ["p", "end states", "P"] {
        let forged = trace.replace("\"property\":\"c.never\"", &format!("\"property\":\"{name}\""));
        folder.file("forged.json", &rehashed(&forged));
        folder.expect(&["validate", "m.pml", "forged.json"], 1);
    }
    folder.expect(&["validate", "m.pml", "t.json"], 0);
}

#[test]
fn a_property_of_smv_keeps_its_formula() {
    let renamed = |trace: &str| trace.replace("\"formula\":\"F x = 3\"", "\"formula\":\"F x = 2\"");
    let two = SMV.replace("LTLSPEC NAME p", "LTLSPEC NAME q := F (x = 2)\nLTLSPEC NAME p");
    validate(("m.smv", &two), &["--property", "p"], renamed, 1);
    let renamed = |trace: &str| trace.replace("\"property\":\"p\"", "\"property\":\"q\"");
    validate(("m.smv", &two), &["--property", "p"], renamed, 1);
}

#[test]
fn a_longer_loop_is_not_minimal() {
    for (model, text) in [("m.pml", LASSO), ("m.smv", SMV)] {
        is_too_long(&validate((model, text), &[], doubled, 1));
        is_too_long(&validate((model, text), &[], unrolled, 1));
        let honest = |trace: &str| doubled(trace).replace("\"minimal\": true", "\"minimal\": false");
        let answer = validate((model, text), &[], honest, 0);
        assert_eq!(answer["minimal"], "not-claimed", "{answer}");
    }
}

#[test]
fn a_first_trace_is_not_minimal() {
    let model = "byte x; active proctype P() { do :: x < 200 -> x++ :: x > 3 -> assert(x < 4) od }";
    let minimal = |trace: &str| trace.replace("\"minimal\": false", "\"minimal\": true");
    is_too_long(&validate(("m.pml", model), &["--first"], minimal, 1));
    let model = "byte x; active proctype P() { do :: x < 200 -> x++ :: x > 3 -> x = 3 od } ltl p { [] <> (x == 0) }";
    is_too_long(&validate(("m.pml", model), &["--first"], minimal, 1));
}

#[test]
fn a_shortest_trace_is_verified_again() {
    let folder = Folder::new("verified");
    let two =
        "byte x; active proctype P() { do :: x < 9 -> x++ :: x == 3 -> assert(x != 3) :: x == 5 -> assert(x != 5) od }";
    for (name, text, options) in [
        ("a.pml", LASSO, &[][..]),
        ("b.pml", LASSO, &["--shortest=formula"]),
        ("c.pml", two, &["--all-errors", "--search", "bfs"]),
        ("d.pml", HOLDS, &["--ltl", "[] (x==0)"]),
        ("e.smv", SMV, &[]),
        // Facts make the automaton smaller, and its shortest prefix shorter; the trace is about the other automaton.
        ("f.pml", REFINED, &["--refine", "off"]),
    ] {
        folder.file(name, text);
        folder.expect(&[&["check", name], options].concat(), 1);
        for trace in [format!("{name}.trace.json"), format!("{name}.2.trace.json")] {
            if folder.0.join(&trace).exists() {
                let answer = folder.json(&["validate", name, &trace, "--format", "json"], 0);
                assert_eq!(answer["minimal"], "verified", "{trace}: {answer}");
            }
        }
    }
}

#[test]
fn what_a_limit_leaves_unchecked_is_said() {
    let folder = Folder::new("limit");
    let model = "byte a, b, c; active proctype P() { do :: a < 255 -> a++ :: b < 255 -> b++ :: c < 255 -> c++ \
                 :: a + b + c == 765 -> assert(false) od }";
    folder.file("m.pml", model);
    folder.expect(&["check", "m.pml", "--first", "--trace", "t.json"], 1);
    let forged = folder.read("t.json").replace("\"minimal\": false", "\"minimal\": true");
    folder.file("t.json", &rehashed(&forged));
    let limited = ["validate", "m.pml", "t.json", "--memory-limit", "4M"];
    assert!(folder.expect(&limited, 0).contains("that no trace is shorter was not checked"));
    let answer = folder.json(&[&limited[..], &["--format", "json"]].concat(), 0);
    assert_eq!(answer["minimal"], "not-checked", "{answer}");
}

#[test]
fn the_changes_of_a_step_are_those_of_its_values() {
    let forged = |trace: &str| trace.replacen("\"after\":1", "\"after\":3", 1);
    let answer = validate(("m.smv", SMV), &[], forged, 1);
    assert!(answer["reason"].as_str().is_some_and(|reason| reason.contains("do not change as it says")), "{answer}");
    let told = |trace: &str| trace.replacen("\"does\":\"transition\"", "\"does\":\"transition\",\"output\":\"x\"", 1);
    validate(("m.smv", SMV), &[], told, 1);
}
