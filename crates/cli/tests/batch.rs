//! Several models in one invocation: one combined report, and the worst exit code.

mod common;

use common::Folder;
use serde_json::Value;

const HOLDS: &str = "byte x; init { x = 1 }\n";
const FAILS: &str = "byte x; init { assert(x == 1) }\n";
const SMV: &str = "MODULE main\nVAR x : boolean;\nINVARSPEC x | !x\n";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    std::fs::create_dir_all(folder.0.join("models/deep/.hidden")).expect("a folder");
    folder.file("models/a.pml", HOLDS);
    folder.file("models/deep/b.smv", SMV);
    folder.file("models/deep/notes.txt", "no model");
    folder.file("models/deep/.hidden/c.pml", "no model");
    folder.file("fails.pml", FAILS);
    folder.file("wrong.pml", "init { y = 1 }\n");
    folder
}

#[test]
fn folders_stand_for_their_models() {
    let folder = folder("batch-folders");
    let text = folder.expect(&["check", "--no-save", "models"], 0);
    let headings: Vec<&str> = text.lines().filter(|line| line.starts_with("== ")).collect();
    assert_eq!(headings, ["== models/a.pml", "== models/deep/b.smv"]);
    assert!(text.ends_with("2 models: 2 without violations\n"), "{text}");
    std::fs::create_dir(folder.0.join("empty")).expect("a folder");
    folder.expect(&["check", "empty"], 3);
}

#[test]
fn the_worst_exit_code_counts() {
    let folder = folder("batch-exit");
    let check = |models: &[&str], code| folder.expect(&[&["check", "--no-save"], models].concat(), code);
    check(&["models/a.pml", "fails.pml"], 1);
    check(&["fails.pml", "wrong.pml", "models/a.pml"], 4);
    check(&["fails.pml", "missing.pml"], 3);
    let text = check(&["wrong.pml", "fails.pml", "missing.pml", "models"], 4);
    assert!(text.ends_with("5 models: 2 without violations, 1 violated, 2 not checked\n"), "{text}");
}

#[test]
fn documents_are_combined() {
    let folder = folder("batch-documents");
    let models = ["fails.pml", "wrong.pml", "missing.pml", "models/deep/b.smv"];
    let check = |format: &str| folder.expect(&[&["check", "--no-save", "--format", format], &models[..]].concat(), 4);
    let reports: Value = serde_json::from_str(&check("json")).expect("JSON");
    let files: Vec<&str> =
        reports.as_array().expect("an array").iter().filter_map(|one| one["model"]["file"].as_str()).collect();
    assert_eq!(files, models);
    assert!(reports[1]["error"].as_str().is_some_and(|error| error.contains("1 error")), "{reports:#}");
    assert!(reports[2]["error"].as_str().is_some_and(|error| error.contains("cannot read")), "{reports:#}");
    let sarif: Value = serde_json::from_str(&check("sarif")).expect("JSON");
    assert_eq!(sarif["runs"].as_array().map(Vec::len), Some(models.len()));
    let junit = check("junit");
    assert_eq!(junit.matches("<?xml").count(), 1, "{junit}");
    assert_eq!(junit.matches("<testsuite ").count(), models.len(), "{junit}");
    assert!(junit.contains("<testsuites>") && junit.ends_with("</testsuites>\n"), "{junit}");
    // The report on one model stands alone.
    assert!(folder.json(&["check", "--no-save", "--format", "json", "fails.pml"], 1).is_object());
}

#[test]
fn every_model_has_its_own_limits_and_its_own_trace() {
    let folder = folder("batch-limits");
    folder.file(
        "endless.pml",
        "int x; active [4] proctype P() { do :: x < 2000000000 -> x++ :: x > -2000000000 -> x-- od }\n",
    );
    let arguments = ["check", "--memory-limit", "2M", "--format", "json", "endless.pml", "fails.pml"];
    let reports = folder.json(&arguments, 1);
    assert_eq!(reports[0]["complete"], false, "{reports:#}");
    assert_eq!(reports[1]["properties"][0]["verdict"], "violated", "{reports:#}");
    assert!(folder.0.join("fails.pml.trace.json").exists());
    folder.expect(&["check", "fails.pml", "models", "--trace", "t.json"], 3);
    folder.expect(&["check", "models/deep/b.smv", "models", "--write-order", "o"], 3);
}

#[test]
fn options_of_one_language_are_mentioned_where_models_are_in_both() {
    let folder = Folder::new("mixed-options");
    folder.file("m.pml", "byte x; active proctype P() { x = 1 }");
    folder.file("m.smv", "MODULE main\nVAR x : boolean;\n");
    let output = folder.lariat(&["check", "--no-save", "--first", "m.pml", "m.smv"], "");
    assert_eq!(output.status.code(), Some(0));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("note: `--first` is for the Promela models alone"), "{told}");
}

#[test]
fn a_page_and_a_summary_name_every_model() {
    let folder = folder("batch-page");
    let models = ["fails.pml", "wrong.pml", "missing.pml", "models/deep/b.smv"];
    let text = folder.expect(&[&["check", "--no-save", "--summary", "--html", "all.html"], &models[..]].concat(), 4);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), models.len() + 1, "{text}");
    for (line, model) in lines.iter().zip(models) {
        assert!(line.starts_with(&format!("{model}: ")), "{text}");
    }
    let page = std::fs::read_to_string(folder.0.join("all.html")).expect("a page");
    for (number, model) in models.iter().enumerate() {
        assert!(page.contains(&format!("<a href=\"#model-{number}\">{model}</a>")), "{model}");
        assert!(page.contains(&format!("id=\"model-{number}\"")), "{model}");
    }
    assert!(page.contains("not declared"), "the diagnostics are missing");
    folder.expect(&["check", "wrong.pml", "--html", "one.html"], 4);
    let page = std::fs::read_to_string(folder.0.join("one.html")).expect("a page");
    assert!(page.contains("not checked") && page.contains("wrong.pml:1:8"), "{page}");
}
