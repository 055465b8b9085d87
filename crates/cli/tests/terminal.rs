//! Control characters of models, traces, formulas and file names do not reach the terminal.

mod common;

use common::{Folder, rehashed};

/// Whether a text contains a control character other than the end of a line and the tabulator.
fn is_clean(text: &[u8]) -> bool {
    String::from_utf8_lossy(text).chars().all(|c| !c.is_control() || c == '\n' || c == '\t')
}

#[track_caller]
fn check(folder: &Folder, arguments: &[&str], expected: &str) {
    let output = folder.lariat(arguments, "");
    let text = [output.stdout, output.stderr].concat();
    assert!(is_clean(&text), "{arguments:?}\n{}", String::from_utf8_lossy(&text).escape_debug());
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(text.contains(expected), "{arguments:?}: no {expected:?} in\n{text}");
}

#[test]
fn what_a_model_prints_is_escaped() {
    let folder = Folder::new("printf");
    folder.file("m.pml", "init { printf(\"\x1b]0;title\x07\\r\u{9b}2J\\n\"); assert(false) }");
    check(&folder, &["check", "m.pml"], "\\u001b]0;title\\u0007");
    check(&folder, &["replay", "m.pml", "m.pml.trace.json"], "\\u001b]0;title\\u0007");
    check(&folder, &["simulate", "m.pml", "--seed", "1"], "\\u001b]0;title\\u0007");
    check(&folder, &["check", "m.pml", "--format", "json"], "\\u001b]0;title\\u0007");
    check(&folder, &["check", "m.pml", "--format", "sarif"], "title");
    check(&folder, &["check", "m.pml", "--format", "junit"], "title");
    let report = folder.json(&["check", "m.pml", "--format", "json"], 1);
    assert!(report.to_string().contains("\u{9b}2J"), "JSON means the same characters");
}

#[test]
fn messages_and_names_are_escaped() {
    let folder = Folder::new("names");
    let name = "a\x1b[31mb.pml";
    folder.file(name, "byte x; init { assert(x == 1) }");
    check(&folder, &["check", name], "\\u001b[31mb.pml");
    check(&folder, &["check", "none\x1b[31m.pml"], "cannot read `none\\u001b[31m.pml`");
    check(&folder, &["check", "--a\x07b"], "unexpected argument");
    folder.file("bad\x1b[31m.pml", "init { x = 1 }");
    check(&folder, &["check", "bad\x1b[31m.pml"], "error[");
    check(&folder, &["validate", name, "a\x1b[31mb.pml.trace.json"], "valid");
}

#[test]
fn a_message_of_a_trace_is_escaped() {
    let folder = Folder::new("message");
    folder.file("m.pml", "init { assert(false) }");
    folder.expect(&["check", "m.pml"], 1);
    let trace = folder.read("m.pml.trace.json");
    let forged = trace.replace("\"message\":\"", "\"message\":\"\\u001b[2J");
    assert_ne!(forged, trace);
    folder.file("forged.json", &rehashed(&forged));
    check(&folder, &["validate", "m.pml", "forged.json"], "\\u001b[2J");
    check(&folder, &["replay", "m.pml", "forged.json"], "\\u001b[2J");
}

#[test]
fn propositions_are_escaped() {
    let folder = Folder::new("propositions");
    let formula = "G \"a\x1b[31m\u{9b}\"";
    for command in [&["formula"][..], &["translate"], &["translate", "--format", "dot"], &["formula", "--explain"]] {
        check(&folder, &[command, &[formula]].concat(), "\\u001b[31m\\u009b");
    }
    let hoa = "HOA: v1\nname: \"n\x1b[2J\"\nStates: 1\nStart: 0\nAP: 1 \"a\x1b[31m\"\nacc-name: Buchi\n\
               Acceptance: 1 Inf(0)\n--BODY--\nState: 0 {0}\n[0] 0\n--END--\n";
    folder.file("a.hoa", hoa);
    check(&folder, &["automaton", "a.hoa"], "\\u001b[31m");
    check(&folder, &["automaton", "a.hoa", "--stats"], "1 state");
}
