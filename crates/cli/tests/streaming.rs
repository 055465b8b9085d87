//! Verdicts are printed when they are known, while the search for others continues; a signal ends the check with a
//! complete report. The other searches here would take years, so that nothing depends on the speed of the machine.
#![cfg(unix)]

mod common;

use common::Folder;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Counts up to 2³¹, which takes more memory than there is.
const COUNTER: &str = "int x; active proctype P() { do :: x++ od }";
const COUNTER_FORMULAS: [&str; 4] = ["--ltl", "[] (x < 3)", "--ltl", "[] (x >= 0)"];

/// Has 2⁶⁰ reachable states in as many steps.
const WORD: &str = "MODULE main
VAR x : unsigned word[60];
ASSIGN init(x) := 0ud60_0; next(x) := x + 0ud60_1;
INVARSPEC NAME small := x < 0ud60_3;
INVARSPEC NAME all := x < 0ud60_1152921504606846975;";

fn start(folder: &Folder, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(arguments)
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("lariat starts")
}

fn terminate(child: &Child) {
    let status = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill starts");
    assert!(status.success());
}

/// Reads up to the line with the verdict on a property, ends the command, and returns that line and what follows it.
fn first_and_rest(mut child: Child, name: &str) -> (String, String) {
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut first = String::new();
    while !first.starts_with(name) {
        first.clear();
        assert!(out.read_line(&mut first).expect("text") > 0, "the output ended without a verdict on {name}");
    }
    terminate(&child);
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("text");
    assert_eq!(child.wait().expect("lariat ends").code(), Some(1), "a property is violated");
    (first, rest)
}

#[test]
fn a_verdict_on_a_promela_model_does_not_wait_for_the_next() {
    let folder = Folder::new("promela");
    folder.file("m.pml", COUNTER);
    let (first, rest) = first_and_rest(
        start(&folder, &[&["check", "--no-save", "m.pml"][..], &COUNTER_FORMULAS].concat()),
        "[] (x < 3)",
    );
    assert!(first.contains("violated"), "{first}");
    assert!(rest.contains("x: 2 → 3"), "{rest}");
    assert!(rest.contains("\n[] (x >= 0)  unknown: "), "{rest}");
    assert!(rest.contains("1 of 2 properties is violated: [] (x < 3); 1 is undecided"), "{rest}");
}

#[test]
fn a_verdict_on_an_smv_model_does_not_wait_for_the_reachable_states() {
    let folder = Folder::new("smv");
    folder.file("m.smv", WORD);
    let (first, rest) = first_and_rest(start(&folder, &["check", "--no-save", "m.smv"]), "small");
    assert!(first.contains("violated"), "{first}");
    assert!(rest.contains("\nall       unknown: "), "{rest}");
    assert!(rest.contains("\ndeadlock  unknown: ") && rest.contains("\nfairness  unknown: "), "{rest}");
}

/// Ends a command when it has saved the trace of the first property, and returns its output.
fn after_the_trace(folder: &Folder, arguments: &[&str], trace: &Path) -> String {
    let mut child = start(folder, arguments);
    while !trace.exists() {
        std::thread::sleep(Duration::from_millis(5));
        assert_eq!(child.try_wait().expect("lariat runs"), None, "the second property is undecided");
    }
    terminate(&child);
    let mut text = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut text).expect("text");
    assert_eq!(child.wait().expect("lariat ends").code(), Some(1), "a property is violated");
    text
}

#[test]
fn documents_are_complete_when_a_signal_ends_the_check() {
    for (model, text, formulas) in [("m.pml", COUNTER, &COUNTER_FORMULAS[..]), ("m.smv", WORD, &[])] {
        for format in ["json", "sarif", "junit"] {
            let folder = Folder::new(&format!("{model}-{format}"));
            folder.file(model, text);
            let arguments = [&["check", "--format", format, "--trace", "t.json", model][..], formulas].concat();
            let out = after_the_trace(&folder, &arguments, &folder.0.join("t.json"));
            match format {
                "junit" => assert!(out.contains("<failure") && out.ends_with("</testsuite>\n"), "{out}"),
                _ => {
                    let document: Value = serde_json::from_str(&out).expect("a whole document");
                    let list = match format {
                        "json" => &document["properties"],
                        _ => &document["runs"][0]["results"],
                    };
                    assert!(list.as_array().expect("a list").len() >= 2, "{out}");
                }
            }
            if format == "json" {
                let document: Value = serde_json::from_str(&out).expect("a whole document");
                assert_eq!(document["properties"][0]["counterexample"]["trace_file"], "t.json");
                assert_eq!(document["properties"][1]["verdict"], "unknown");
                assert_eq!(document["model"]["sha256"].as_str().map(str::len), Some(64));
            }
        }
    }
}

#[test]
fn progress_is_told_in_lines_of_json_also_in_a_pipe() {
    let folder = Folder::new("lines");
    folder.file("m.pml", COUNTER);
    let mut child = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(["check", "--safety", "--reduce", "off", "--format", "json", "--progress-lines", "20ms", "m.pml"])
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("lariat starts");
    let (mut before, mut states) = (0.0, 0);
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    while states == 0 {
        let line = lines.next().expect("the lines do not end").expect("text");
        let line: Value = serde_json::from_str(&line).expect("JSON");
        let progress = &line["progress"];
        assert_eq!(progress["model"], "m.pml");
        let seconds = progress["seconds"].as_f64().expect("a time");
        assert!(seconds >= before, "{line}");
        before = seconds;
        states = progress["statistics"]["states"].as_u64().unwrap_or(0);
        assert!(states == 0 || progress["stage"] == "search", "{line}");
    }
    terminate(&child);
    let rest = lines.map(|line| line.expect("text")).filter(|line| line.starts_with("{\"progress\":"));
    assert!(rest.into_iter().all(|line| serde_json::from_str::<Value>(&line).is_ok()));
    let mut report = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut report).expect("text");
    assert!(serde_json::from_str::<Value>(&report).expect("JSON")["properties"].is_array());
    assert_eq!(child.wait().expect("lariat ends").code(), Some(2), "undecided");
    folder.expect(&["check", "--progress-lines", "1ms", "m.pml"], 3);
}
