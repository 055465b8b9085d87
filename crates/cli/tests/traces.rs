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
    for detail in ["automaton: ", "depth first", "p: "] {
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
