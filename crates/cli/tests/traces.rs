//! What people see of a counterexample: folded atomic sequences, values, widths, and how much of the report.

mod common;

use common::Folder;
use std::process::Command;

/// One process starts two others in an atomic sequence; they wait for each other.
const STUCK: &str = "chan a = [0] of { byte }; chan b = [1] of { byte };
byte started;
proctype Left(byte want) { byte got; b?got; a!want }
proctype Right() { byte n; n > 3 }
init { atomic {
  run Left(7);
  started++;
  run Right();
  started++
} }";

#[test]
fn atomic_sequences_are_one_line() {
    let folder = Folder::new("fold");
    folder.file("m.pml", STUCK);
    let text = folder.expect(&["check", "--trace", "t.json", "m.pml"], 1);
    let row = text.lines().find(|line| line.contains("atomic steps")).expect("a folded row");
    assert_eq!(row, "   1–3  :init:(0)   6–8  (3 atomic steps)     Left(1) starts, started: 0 → 1, Right(2) starts");
    let unfolded = folder.expect(&["check", "--no-save", "--unfold", "m.pml"], 1);
    assert!(unfolded.contains("     2  :init:(0)     7  started = started+1"), "{unfolded}");
    assert!(!unfolded.contains("atomic steps"), "{unfolded}");
    let [folded, unfolded] =
        [&[][..], &["--unfold"]].map(|more| folder.expect(&[&["replay", "m.pml", "t.json"][..], more].concat(), 0));
    assert!(folded.contains("(3 atomic steps)") && !unfolded.contains("atomic steps"), "{folded}\n{unfolded}");
    folder.expect(&["validate", "m.pml", "t.json"], 0);
}

#[test]
fn a_trace_without_marks_of_atomic_steps_is_still_valid() {
    let folder = Folder::new("former");
    folder.file("m.pml", STUCK);
    folder.expect(&["check", "--trace", "t.json", "m.pml"], 1);
    let former = folder.read("t.json").replace("\"atomic\":true,", "");
    folder.file("former.json", &former);
    let answer = folder.expect(&["validate", "m.pml", "former.json"], 1);
    assert!(answer.contains("the file was changed after Lariat wrote it"), "{answer}");
}

#[test]
fn a_deadlock_is_reported_once() {
    let folder = Folder::new("once");
    folder.file("m.pml", STUCK);
    let text = folder.expect(&["check", "--no-save", "m.pml"], 1);
    assert_eq!(text.matches("invalid end state").count(), 1, "{text}");
    assert_eq!(text.matches("Left(1) waits").count(), 1, "{text}");
}

#[test]
fn quiet_reports_are_verdicts_and_details_are_for_those_who_ask() {
    let folder = Folder::new("detail");
    folder.file("m.pml", "byte x; active proctype P() { do :: x = (x + 1) % 4 od } ltl p { [] (x < 3) }");
    let quiet = folder.expect(&["check", "--no-save", "-q", "m.pml"], 1);
    assert_eq!(quiet.lines().count(), 4, "{quiet}");
    assert!(quiet.lines().last().is_some_and(|line| line.starts_with("p                violated: ")), "{quiet}");
    let normal = folder.expect(&["check", "--no-save", "m.pml"], 1);
    let verbose = folder.expect(&["check", "--no-save", "-v", "m.pml"], 1);
    for detail in ["automaton: ", "depth first", "with its automaton"] {
        assert!(!normal.contains(detail) && verbose.contains(detail), "{detail}\n{normal}\n{verbose}");
    }
    folder.file("m.smv", "MODULE main VAR b : boolean; INVARSPEC b");
    let quiet = folder.expect(&["check", "--no-save", "-q", "m.smv"], 1);
    assert_eq!(quiet.lines().count(), 3, "{quiet}");
}

#[test]
fn lines_are_as_wide_as_the_terminal() {
    let folder = Folder::new("width");
    folder.file("m.pml", STUCK);
    folder.file(
        "m.smv",
        "MODULE main VAR alpha : boolean; beta : boolean; gamma : boolean; delta : 0..99; CTLSPEC AG alpha",
    );
    for model in ["m.pml", "m.smv"] {
        for columns in [60, 80] {
            let output = Command::new(env!("CARGO_BIN_EXE_lariat"))
                .args(["check", "--no-save", "-v", model])
                .env("COLUMNS", columns.to_string())
                .current_dir(&folder.0)
                .output()
                .expect("lariat starts");
            let text = String::from_utf8(output.stdout).expect("text");
            let widest = text.lines().max_by_key(|line| line.chars().count()).expect("lines");
            assert!(widest.chars().count() <= columns, "{widest}");
        }
    }
}

#[test]
fn every_help_fits_eighty_columns() {
    let folder = Folder::new("help");
    let commands = ["check", "simulate", "replay", "validate", "translate", "formula", "automaton", "testbench"];
    for command in [&[][..]].into_iter().chain(commands.iter().map(std::slice::from_ref)) {
        for option in ["-h", "--help"] {
            let help = folder.expect(&[command, &[option]].concat(), 0);
            let widest = help.lines().max_by_key(|line| line.chars().count()).expect("lines");
            assert!(widest.chars().count() <= 80, "lariat {command:?} {option}: {widest}");
        }
    }
}

#[test]
fn a_failed_assertion_shows_its_values() {
    let folder = Folder::new("values");
    folder.file(
        "m.pml",
        "mtype = { RED, GREEN }; mtype lamp = GREEN; byte d = 3; chan c = [2] of { byte };
active proctype P() { byte want = 4; c!7; assert(d == want || lamp == RED || empty(c)) }",
    );
    let expected = "is false: d = 3, want = 4, lamp = GREEN, c = [7]";
    let text = folder.expect(&["check", "--trace", "t.json", "m.pml"], 1);
    assert!(text.contains(expected), "{text}");
    assert!(folder.expect(&["replay", "m.pml", "t.json"], 0).contains(expected));
    for format in ["sarif", "junit"] {
        let text = folder.expect(&["check", "--no-save", "--format", format, "m.pml"], 1);
        assert!(text.contains(expected), "{text}");
    }
    let report = folder.json(&["check", "--no-save", "--format", "json", "m.pml"], 1);
    let values = &report["properties"][0]["counterexample"]["values"];
    assert_eq!(values[0], serde_json::json!({ "name": "d", "value": 3 }));
    // The statements after an assertion inside a `d_step` may change the values.
    folder.file("d.pml", "byte x; active proctype P() { d_step { assert(x == 1); x = 5 } }");
    let text = folder.expect(&["check", "--no-save", "d.pml"], 1);
    assert!(text.contains("assert(x==1) is false\n"), "{text}");
}

#[test]
fn a_deadlock_shows_who_waits_for_what() {
    let folder = Folder::new("waiting");
    folder.file("m.pml", STUCK);
    let text = folder.expect(&["check", "--trace", "t.json", "m.pml"], 1);
    for line in [
        "end states       violated: invalid end state: 2 processes wait\n",
        "\n  Left(1) waits at line 3 for b?got  (b = empty)\n",
        "\n  Right(2) waits at line 4 for n>3  (n = 0)\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    assert!(folder.expect(&["replay", "m.pml", "t.json"], 0).contains("Right(2) waits at line 4 for n>3  (n = 0)\n"));
    let report = folder.json(&["check", "--no-save", "--format", "json", "m.pml"], 1);
    let waiting = &report["properties"][2]["counterexample"]["waiting"];
    assert_eq!((&waiting[1]["pid"], &waiting[1]["statements"][0]), (&2.into(), &"n>3".into()));
    // The guards of a choice, and the first statement of an atomic sequence.
    folder.file("c.pml", "byte x, y = 2; active proctype P() { do :: x > 1 -> skip :: atomic { y < 2 -> x = 3 } od }");
    let text = folder.expect(&["check", "--no-save", "c.pml"], 1);
    assert!(text.contains("\n  P(0) waits at line 1 for x>1 or y<2  (x = 0, y = 2)\n"), "{text}");
}

/// Reaches a loop of twelve steps in which `x` is never 13.
const ROUND: &str = "byte x; active proctype P() { do :: x < 12 -> x++ :: x == 12 -> x = 5 od }
ltl all { [] (x == 3 -> <> (x == 13)) }
ltl ever { <> [] (x > 6) }";

#[test]
fn an_explanation_joins_equal_facts() {
    let folder = Folder::new("explain");
    folder.file("m.pml", ROUND);
    let text = folder.expect(&["check", "--ltl", "all", "--explain", "--trace", "t.json", "m.pml"], 1);
    let why: Vec<&str> = text.lines().skip_while(|line| !line.contains("why:")).take_while(|l| !l.is_empty()).collect();
    assert!(why.iter().any(|line| line.contains("(x==13) is false in every later state (steps 6–")), "{text}");
    assert_eq!(why.iter().filter(|line| line.contains('[')).count(), 4, "{text}");
    let replayed = folder.expect(&["replay", "--explain", "m.pml", "t.json"], 0);
    for line in &why[1..why.len() - 1] {
        assert!(replayed.contains(line.trim()), "{replayed}");
    }
    // One line for each formula and reason, however long the loop is.
    let text = folder.expect(&["check", "--ltl", "ever", "--explain", "--no-save", "m.pml"], 1);
    let why: Vec<&str> = text.lines().skip_while(|line| !line.contains("why:")).take_while(|l| !l.is_empty()).collect();
    assert!(why.len() <= 6, "{text}");
}

#[test]
fn a_violated_formula_is_located_in_the_model() {
    let folder = Folder::new("location");
    folder.file("m.pml", ROUND);
    let report = folder.json(&["check", "--no-save", "--format", "json", "--ltl", "all", "m.pml"], 1);
    let property = &report["properties"][0];
    assert_eq!(property["counterexample"]["at"], property["at"]);
    assert_eq!(property["at"]["line"], 2);
    let sarif = folder.json(&["check", "--no-save", "--format", "sarif", "--ltl", "all", "m.pml"], 1);
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!((&place["artifactLocation"]["uri"], &place["region"]["startLine"]), (&"m.pml".into(), &2.into()));
    let junit = folder.expect(&["check", "--no-save", "--format", "junit", "--ltl", "all", "m.pml"], 1);
    assert!(junit.contains("name=\"all\" file=\"m.pml\" line=\"2\" time="), "{junit}");
    let report = folder.json(&["check", "--no-save", "--format", "json", "--ltl", "[] (x < 3)", "m.pml"], 1);
    assert!(report["properties"][0]["counterexample"].get("at").is_none(), "the command line is no file: {report}");
}

#[test]
fn faults_of_a_whole_trace_name_no_step() {
    let folder = Folder::new("fault");
    folder.file("m.pml", STUCK);
    folder.file("m.smv", "MODULE main VAR b : boolean; INVARSPEC b");
    for model in ["m.pml", "m.smv"] {
        folder.expect(&["check", "--trace", "t.json", model], 1);
        let forged = folder.read("t.json").replace("\"minimal\": true", "\"minimal\": false");
        folder.file("forged.json", &forged);
        let answer = folder.expect(&["validate", model, "forged.json"], 1);
        assert_eq!(answer, "not valid: every step is right, but the file was changed after Lariat wrote it\n");
    }
}

#[test]
fn a_violation_that_depends_on_no_value_says_so() {
    let folder = Folder::new("none");
    folder.file("m.smv", "MODULE main VAR b : boolean; c : 0..3; INVARSPEC FALSE");
    let text = folder.expect(&["check", "--no-save", "m.smv"], 1);
    assert!(text.contains("\n  no value matters: every path of the model violates the property\n"), "{text}");
}

#[test]
fn a_chosen_step_is_shown() {
    let folder = Folder::new("interactive");
    folder.file("m.pml", "byte x; active proctype P() { x = 1; x = 2 }");
    for (options, shown) in [(&[][..], 1), (&["-p"], 1), (&["-p", "-g"], 1)] {
        let arguments = [&["simulate", "-i", "m.pml"][..], options].concat();
        let output = folder.lariat(&arguments, "1\nq\n");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(text.matches("     1  P(0)  1  x = 1\n").count(), shown, "{options:?}: {text}");
        assert_eq!(text.contains("x: 0 → 1"), options != ["-p"], "{options:?}: {text}");
    }
}
