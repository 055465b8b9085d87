//! Runs that a limit keeps from being confirmed are saved, and confirmed later.

mod common;

use common::{Folder, rehashed};
use serde_json::Value;

/// A violation after 60,002 steps, which take more memory as a described run than the limit allows.
const DEEP: &str = "int x; active proctype P() { do :: x < 30000 -> x++ :: x == 30000 -> assert(false) od }";
/// A loop of 60,002 steps.
const LASSO: &str =
    "int x; active proctype P() { do :: x < 30000 -> x++ :: x == 30000 -> x = 0 od } ltl p { <> (x < 0) }";
/// A limit that suffices for searching these models, and not for describing their runs.
const LIMIT: [&str; 3] = ["--first", "--memory-limit", "20M"];

#[test]
fn a_run_that_a_limit_keeps_from_being_confirmed_is_saved_and_confirmed_later() {
    for (name, text, property, length) in [("deep.pml", DEEP, "assertions", 60_002), ("lasso.pml", LASSO, "p", 60_002)]
    {
        let folder = Folder::new(&format!("unconfirmed-{name}"));
        folder.file(name, text);
        let trace = format!("{name}.trace.json");
        let check = [&["check", name, "--property", property], &LIMIT[..]].concat();
        let report = folder.expect(&check, 2);
        assert!(report.contains(&format!("saved as {trace}: `lariat validate` confirms it")), "{report}");
        let answer = folder.expect(&["validate", name, &trace], 0);
        assert!(answer.contains(&format!("`{property}` is violated by a run of")), "{answer}");
        // With enough memory, the whole run is shown.
        let shown: Value = folder.json(&["replay", name, &trace, "--format", "json"], 0);
        let steps = |key: &str| shown[key].as_array().map_or(0, Vec::len);
        assert_eq!(steps("stem") + steps("loop"), length);
        // A check that confirms its run replaces the file.
        folder.expect(&["check", name, "--property", property, "--first"], 1);
        assert!(!folder.read(&trace).contains("\"validated\": false"));
        let report: Value = folder.json(&[&check[..], &["--format", "json"]].concat(), 2);
        let file = report["properties"][0]["unconfirmed_trace_file"].as_str().expect("it is saved");
        assert_eq!(file, format!("{name}.2.trace.json"), "a run that is confirmed is kept");
        folder.expect(&["validate", name, file], 0);
    }
}

#[test]
fn a_formula_on_the_command_line_is_confirmed_later_too() {
    let folder = Folder::new("unconfirmed-formula");
    folder.file("m.pml", LASSO);
    folder.expect(&[&["check", "m.pml", "--ltl", "<> (x == -1)"], &LIMIT[..]].concat(), 2);
    folder.expect(&["validate", "m.pml", "m.pml.trace.json"], 0);
}

#[test]
fn a_forged_run_that_was_not_confirmed_is_refused() {
    let folder = Folder::new("unconfirmed-forged");
    folder.file("m.pml", DEEP);
    folder.expect(&[&["check", "m.pml", "--property", "assertions"], &LIMIT[..]].concat(), 2);
    let trace = folder.read("m.pml.trace.json");
    let start = trace.find("\"fingerprints\": \"").expect("fingerprints") + "\"fingerprints\": \"".len();
    let end = start + trace[start..].find('"').expect("their end");
    // Without its last step, the run does not reach the violation; with another one, it is none of the model.
    let shorter = format!("{}{}", &trace[..end - 16], &trace[end..]);
    let other = format!("{}0123456789abcdef{}", &trace[..end - 16], &trace[end..]);
    for (forged, reason) in [(shorter, "should end in"), (other, "no step leads to the state")] {
        folder.file("forged.json", &forged);
        let answer = folder.expect(&["validate", "m.pml", "forged.json"], 1);
        assert!(answer.contains("the file was changed"), "{answer}");
        folder.file("forged.json", &rehashed(&forged));
        let answer = folder.expect(&["validate", "m.pml", "forged.json"], 1);
        assert!(answer.contains(reason), "{answer}");
    }
    folder.file("m.pml", &DEEP.replace("30000", "30001"));
    let answer = folder.expect(&["validate", "m.pml", "m.pml.trace.json"], 1);
    assert!(answer.contains("the model has changed"), "{answer}");
}
