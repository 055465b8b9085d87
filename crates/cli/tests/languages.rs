//! Options that are about one language, formats of models that contain errors, trace files of other versions, signals.

mod common;

use common::{Folder, wait_for_search};
use std::process::{Command, Stdio};

const TOGGLE: &str = "MODULE main\nVAR b : boolean;\nASSIGN init(b) := FALSE; next(b) := !b;\nLTLSPEC NAME on := G b\n";
const COUNTER: &str =
    "byte x; active proctype P() { do :: x = (x + 1) % 4 od }\nltl low { [] (x < 3) }\nltl up { <> (x == 1) }\n";

#[test]
fn an_option_of_the_other_language_is_refused_even_with_its_default() {
    let folder = Folder::new("misplaced");
    folder.file("toggle.smv", TOGGLE);
    folder.file("counter.pml", COUNTER);
    let cases: [(&[&str], &str); 10] = [
        (&["check", "toggle.smv", "--refine", "both"], "`--refine` is for Promela models"),
        (&["check", "toggle.smv", "--search", "dfs"], "`--search` is for Promela models"),
        (&["check", "toggle.smv", "--first"], "`--first` is for Promela models"),
        (
            &["check", "toggle.smv", "--unfold"],
            "`--unfold` is for Promela models: a step of an SMV model is never folded",
        ),
        (&["check", "toggle.smv", "-DN=3"], "`-D` is for Promela models; SMV has no preprocessor"),
        (&["check", "toggle.smv", "--minimiser", "bfs"], "`--shorten-with` is for Promela models"),
        (&["check", "counter.pml", "--strip", "irredundant"], "`--strip` is for SMV models"),
        (&["check", "counter.pml", "--reorder=auto"], "`--reorder` is for SMV models"),
        (&["simulate", "toggle.smv", "-p"], "`-p` is for Promela models"),
        (&["replay", "toggle.smv", "trace.json", "-I", "folder"], "`-I` is for Promela models"),
    ];
    for (arguments, expected) in cases {
        let output = folder.lariat(arguments, "");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(3) && text.contains(expected), "{arguments:?}: {text}");
    }
}

#[test]
fn properties_are_selected_by_name_in_both_languages() {
    let folder = Folder::new("by-name");
    folder.file("toggle.smv", TOGGLE);
    folder.file("counter.pml", COUNTER);
    let names = |arguments: &[&str], code: i32| {
        let report = folder.json(&[&["check", "--format", "json", "--no-save"], arguments].concat(), code);
        let list = report["properties"].as_array().expect("properties").clone();
        list.iter().map(|one| one["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&["counter.pml", "--property", "up"], 0), ["up"]);
    assert_eq!(names(&["toggle.smv", "--property", "on"], 1), ["on", "deadlock", "fairness"]);
    folder.expect(&["check", "counter.pml", "--property", "nothing"], 3);
}

#[test]
fn former_names_of_options_still_work() {
    let folder = Folder::new("former");
    folder.file("toggle.smv", TOGGLE);
    folder.file("counter.pml", COUNTER);
    folder.expect(&["check", "toggle.smv", "--no-save", "--minimise", "off"], 1);
    folder.expect(&["check", "counter.pml", "--no-save", "--minimiser", "bfs"], 1);
}

#[test]
fn errors_of_a_model_are_in_every_format() {
    let folder = Folder::new("errors");
    folder.file("m.pml", "active proctype P() { y = 1 }\n");
    folder.file("m.smv", "MODULE main\nVAR b : boolea;\n");
    for model in ["m.pml", "m.smv"] {
        let junit = folder.expect(&["check", model, "--format", "junit"], 4);
        assert!(junit.contains("errors=\"1\"") && junit.contains("is not accepted: 1 error"), "{junit}");
        let sarif = folder.json(&["check", model, "--format", "sarif"], 4);
        assert_eq!(sarif["runs"][0]["results"][0]["level"], "error", "{sarif}");
        let json = folder.json(&["check", model, "--format", "json"], 4);
        assert!(json["error"].as_str().is_some_and(|text| text.contains("is not accepted: 1 error")), "{json}");
    }
}

#[test]
fn trace_files_of_other_versions_are_refused() {
    let folder = Folder::new("versions");
    for (model, text) in [("counter.pml", COUNTER), ("toggle.smv", TOGGLE)] {
        folder.file(model, text);
        folder.expect(&["check", model, "--trace", "trace.json"], 1);
        let saved = folder.read("trace.json");
        folder.expect(&["validate", model, "trace.json"], 0);
        assert!(saved.contains("\"schema\": 3,"), "{saved}");
        folder.file("old.json", &saved.replacen("\"schema\": 3,", "\"schema\": 1,", 1));
        for command in ["validate", "replay"] {
            let output = folder.lariat(&[command, model, "old.json"], "");
            let text = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(4), "{text}");
            assert!(text.contains("version 1; this version of Lariat reads `lariat-trace`, versions 2 to 3"), "{text}");
        }
        // An edit that every step survives is noticed by the hash of the file.
        folder.file("edited.json", &saved.replacen("\"lariat\": \"", "\"lariat\": \"9", 1));
        folder.expect(&["validate", model, "edited.json"], 1);
    }
}

#[cfg(unix)]
#[test]
fn a_request_to_end_is_obeyed_and_answered() {
    let folder = Folder::new("signals");
    // Assertions are decided at once, and the rest would take long.
    let text = "int x, y; active proctype P() { do :: x++ :: y++ :: x-- od }\nltl p { [] (x < 2000000000) }\n";
    folder.file("long.pml", text);
    for signal in ["-INT", "-TERM"] {
        let child = Command::new(env!("CARGO_BIN_EXE_lariat"))
            .args(["check", "long.pml", "--format", "json", "--memory-limit", "2G", "--no-save"])
            .current_dir(&folder.0)
            .stdout(Stdio::piped())
            .spawn()
            .expect("lariat starts");
        wait_for_search(child.id());
        let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(kill.expect("kill is there").success());
        let output = child.wait_with_output().expect("lariat ends");
        assert_eq!(output.status.code(), Some(2), "{signal}");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
        let properties = report["properties"].as_array().expect("a list");
        let is_interrupted = |property: &serde_json::Value| {
            property["reason"].as_str().is_some_and(|reason| reason.contains("interrupted"))
        };
        assert!(properties.iter().any(is_interrupted), "{signal}: {report}");
    }
}
