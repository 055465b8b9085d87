//! Options of SPIN, Spot and NuSMV on our command line: what to write instead, and exit code 3.

mod common;

use common::Folder;

#[track_caller]
fn check(arguments: &[&str], expected: &str, absent: &[&str]) {
    let folder = Folder::new(&format!("habits-{}", std::panic::Location::caller().line()));
    folder.file("m.pml", "byte x; init { x = 1 }\n");
    folder.file("m.smv", "MODULE main\nVAR x : boolean;\nINVARSPEC x | !x\n");
    let output = folder.lariat(arguments, "");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{arguments:?}\n{text}");
    assert!(text.contains(expected), "{arguments:?}: no {expected:?} in\n{text}");
    for absent in absent {
        assert!(!text.contains(absent), "{arguments:?}: {absent:?} in\n{text}");
    }
}

const MISLEADING: &[&str] = &["as a value", "similar"];

#[test]
fn options_of_spin() {
    check(&["check", "-m1000", "m.pml"], "`--max-depth N`", MISLEADING);
    check(&["check", "-run", "m.pml"], "`lariat check MODEL`", MISLEADING);
    check(&["-run", "m.pml"], "`lariat check MODEL`", MISLEADING);
    check(&["-a", "m.pml"], "`lariat check MODEL`", MISLEADING);
    check(&["check", "-a", "m.pml"], "`--acceptance`", MISLEADING);
    check(&["check", "-f", "m.pml"], "`--fair weak`", MISLEADING);
    check(&["check", "-w24", "m.pml"], "`--store-bits N`", MISLEADING);
    check(&["simulate", "-t", "m.pml"], "`lariat replay MODEL TRACE`", MISLEADING);
    check(&["simulate", "-n5", "m.pml"], "--seed N", MISLEADING);
    check(&["simulate", "-u100", "m.pml"], "--steps N", MISLEADING);
    check(&["check", "-DNOREDUCE", "m.pml"], "`--reduce off`", MISLEADING);
    check(&["check", "-DVECTORSZ=2048", "m.pml"], "states may have any size", MISLEADING);
    check(&["m.pml"], "`lariat check m.pml` checks this model", &[]);
}

#[test]
fn a_macro_of_the_model_may_have_any_name() {
    let folder = Folder::new("own-macro");
    folder.file("m.pml", "#ifdef SAFETY\nbyte x;\n#endif\ninit { skip }\n");
    folder.expect(&["check", "-DSAFETY", "m.pml"], 0);
}

#[test]
fn options_of_nusmv() {
    check(&["check", "-bmc", "m.smv"], "`--engine bmc`", MISLEADING);
    check(&["check", "-int", "m.smv"], "`lariat simulate --interactive`", MISLEADING);
    check(&["check", "-dcx", "m.smv"], "`-dcx` of NuSMV", MISLEADING);
    check(&["check", "-dynamic", "m.smv"], "`--reorder`", MISLEADING);
}

#[test]
fn options_of_spot() {
    check(&["translate", "--spin", "Ga"], "`--format never`", MISLEADING);
    check(&["translate", "--hoaf", "Ga"], "HOA is the default", MISLEADING);
    check(&["translate", "-f", "Ga"], "`lariat translate FORMULA`", MISLEADING);
    check(&["formula", "--spin", "Ga"], "`--to spin`", MISLEADING);
    check(&["testbench", "--reference=x", "go"], "found by a word that proves it wrong", MISLEADING);
    check(&["testbench", "--no-complement", "go"], "`--checks` without `equivalence`", MISLEADING);
}

#[test]
fn no_suggestion_says_the_opposite() {
    check(&["check", "--deadlock", "m.smv"], "deadlocks are checked", &["--allow-deadlock"]);
    check(&["check", "--save", "m.pml"], "unexpected argument", &["--no-save"]);
    check(&["check", "--fist", "m.pml"], "--first", &[]);
    check(&["check", "--json", "m.pml"], "`--format json`", &[]);
}

#[test]
fn options_that_exclude_each_other_get_no_hints_about_other_tools() {
    let folder = Folder::new("conflict");
    let output = folder.lariat(&["check", "-q", "-v", "m.pml"], "");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(3) && !told.contains("hint"), "{told}");
}
