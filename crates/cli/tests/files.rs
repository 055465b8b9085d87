//! Output files: never half written, never over an input, never over another model's; pipes and devices do no harm.

#![allow(clippy::print_stdout, reason = "a test says what it met")]

mod common;

use common::Folder;
use std::fs;
use std::io::Read;

/// A model whose assertion fails after some steps.
const FAILING: &str = "byte x; active proctype P() { do :: x < 9 -> x++ :: x == 9 -> assert(false) od }";
const HOLDING: &str = "byte x; active proctype P() { do :: x < 9 -> x++ :: x == 9 -> x = 0 od }";
const SMV: &str = "MODULE main\nVAR x : boolean; y : boolean;\nINVARSPEC x | !x\n";

fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(&folder.0).expect("the folder").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Runs a shell command with the tool as `$0`, and returns its exit code and its output.
#[cfg(unix)]
fn shell(folder: &Folder, script: &str) -> (Option<i32>, String) {
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_lariat")])
        .current_dir(&folder.0)
        .output()
        .expect("a shell");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn a_trace_is_replaced_and_not_truncated() {
    let folder = Folder::new("replaced");
    folder.file("m.pml", FAILING);
    folder.expect(&["check", "m.pml"], 1);
    let text = folder.read("m.pml.trace.json");
    let mut old = fs::File::open(folder.0.join("m.pml.trace.json")).expect("the trace");
    folder.file("m.pml", &FAILING.replace('9', "8"));
    folder.expect(&["check", "m.pml"], 1);
    assert_ne!(folder.read("m.pml.trace.json"), text);
    // A process that is killed while it writes leaves the old file as whoever opened it before still sees it.
    let mut seen = String::new();
    old.read_to_string(&mut seen).expect("the old trace");
    assert_eq!(seen, text);
    assert_eq!(names(&folder), ["m.pml", "m.pml.trace.json"]);
}

#[cfg(unix)]
/// The command is killed while it writes, at whatever moment that is: the name leads to the old trace or to the new one.
#[cfg(unix)]
#[test]
fn a_command_that_is_killed_destroys_no_trace() {
    let folder = Folder::new("killed");
    let text = "int x; active proctype P() { do :: x < 5000 -> x++ :: x == 5000 -> assert(false) od }";
    folder.file("m.pml", text);
    let check = ["check", "m.pml", "--first", "--trace", "t.json"];
    folder.expect(&check, 1);
    let whole = folder.read("t.json");
    let is_written = || names(&folder).iter().any(|name| name.ends_with(".lariat-tmp"));
    let mut killed = 0;
    for _ in 0..5 {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_lariat"))
            .args(check)
            .current_dir(&folder.0)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("lariat starts");
        while !is_written() && child.try_wait().expect("a state").is_none() {
            std::thread::yield_now();
        }
        // SIGKILL: the process cannot tidy up.
        let _ = child.kill();
        killed += u32::from(child.wait().expect("it ends").code().is_none());
        assert_eq!(folder.read("t.json"), whole);
        names(&folder).iter().filter(|name| name.ends_with(".lariat-tmp")).for_each(|name| {
            fs::remove_file(folder.0.join(name)).expect("a file that was left behind");
        });
    }
    println!("{killed} of 5 were killed while they wrote");
    folder.expect(&check, 1);
}

#[test]
fn a_full_disk_keeps_the_old_file_and_does_not_prevent_later_saves() {
    let folder = Folder::new("full");
    folder.file("m.pml", FAILING);
    folder.expect(&["check", "m.pml"], 1);
    let old = folder.read("m.pml.trace.json");
    folder.file("m.pml", &FAILING.replace('9', "200"));
    // The limit of the size of files stands for a full disk: half of the trace fits.
    let (code, text) = shell(&folder, "trap '' XFSZ; ulimit -f 8; \"$0\" check m.pml");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("cannot write") && text.contains("violated"), "{text}");
    assert_eq!(folder.read("m.pml.trace.json"), old);
    assert_eq!(names(&folder), ["m.pml", "m.pml.trace.json"]);
    folder.expect(&["check", "m.pml"], 1);
    assert_ne!(folder.read("m.pml.trace.json"), old);
}

#[test]
fn a_part_of_a_trace_is_replaced_and_anything_else_is_not() {
    let folder = Folder::new("part");
    folder.file("m.pml", FAILING);
    for part in ["", "{\n\"format\": \"lariat-trace\",\n\"schema\": 2,\n\"model\": {\"fi"] {
        folder.file("m.pml.trace.json", part);
        folder.expect(&["check", "m.pml"], 1);
        folder.expect(&["validate", "m.pml", "m.pml.trace.json"], 0);
    }
    folder.file("m.pml.trace.json", "{ \"mine\": 1 }");
    let output = folder.lariat(&["check", "m.pml"], "");
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not a trace file"));
    assert_eq!(folder.read("m.pml.trace.json"), "{ \"mine\": 1 }");
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_as_outputs_are_refused_or_written_without_waiting() {
    let folder = Folder::new("devices");
    folder.file("m.pml", FAILING);
    folder.file("m.smv", SMV);
    let made = std::process::Command::new("mkfifo").arg(folder.0.join("pipe")).status();
    assert!(made.is_ok_and(|status| status.success()), "a pipe");
    for device in ["/dev/zero", "/dev/full", "/dev/null", "pipe"] {
        folder.expect(&["check", "m.pml", "--trace", device], 3);
    }
    folder.expect(&["check", "m.smv", "--write-order", "/dev/zero"], 0);
    folder.expect(&["check", "m.smv", "--write-order", "/dev/full"], 3);
    folder.expect(&["check", "m.smv", "--write-order", "pipe"], 3);
    // The shell holds the pipe open, as a reader does.
    let script = "exec 3<>pipe; \"$0\" check m.smv --write-order pipe >/dev/null && head -n 2 <&3";
    assert_eq!(shell(&folder, script), (Some(0), "x\ny\n".into()));
    // A pipe at the default name of the trace.
    fs::rename(folder.0.join("pipe"), folder.0.join("m.pml.trace.json")).expect("renamed");
    let output = folder.lariat(&["check", "m.pml"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not a trace file"));
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_not_followed() {
    let folder = Folder::new("dangling");
    folder.file("m.pml", FAILING);
    std::os::unix::fs::symlink("elsewhere.json", folder.0.join("m.pml.trace.json")).expect("a link");
    let output = folder.lariat(&["check", "m.pml"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("symbolic link that leads nowhere"));
    assert_eq!(names(&folder), ["m.pml", "m.pml.trace.json"]);
}

#[cfg(unix)]
#[test]
fn a_pipe_as_input_ends_with_the_time_limit() {
    let folder = Folder::new("pipes");
    folder.file("m.pml", FAILING);
    for name in ["pipe.pml", "pipe.smv"] {
        let made = std::process::Command::new("mkfifo").arg(folder.0.join(name)).status();
        assert!(made.is_ok_and(|status| status.success()), "a pipe");
    }
    let limit = ["--time-limit", "100ms"];
    for command in [
        &["check", "pipe.pml"][..],
        &["check", "pipe.smv"],
        &["simulate", "pipe.pml"],
        &["simulate", "pipe.smv"],
        &["validate", "m.pml", "pipe.pml"],
        &["replay", "m.pml", "pipe.pml"],
        &["check", "m.pml", "--never", "pipe.pml"],
        &["translate", "-F", "pipe.pml"],
        &["formula", "-F", "pipe.pml"],
        &["automaton", "pipe.pml"],
        &["automaton", "pipe.pml", "--product", "pipe.pml"],
    ] {
        folder.expect(&[command, &limit].concat(), 2);
    }
}

#[test]
fn no_output_replaces_an_input() {
    let folder = Folder::new("inputs");
    folder.file("m.smv", SMV);
    folder.file("other.smv", SMV);
    folder.file("order", "y\nx\n");
    folder.file("part.h", "#define N 3\n");
    folder.file("m.pml", &format!("#include \"part.h\"\n{FAILING}"));
    folder.file("f.ltl", "G a\n");
    let before = names(&folder);
    for arguments in [
        &["check", "m.smv", "--write-order", "m.smv"][..],
        &["check", "m.smv", "--write-order", "./m.smv"],
        &["check", "m.smv", "--write-order", "other.smv"],
        &["check", "m.smv", "--order", "order", "--write-order", "order"],
        &["check", "m.smv", "--trace", "m.smv"],
        &["check", "m.pml", "--trace", "m.pml"],
        &["check", "m.pml", "--trace", "part.h"],
        &["testbench", "go", "-F", "f.ltl", "--json", "f.ltl"],
        &["testbench", "go", "-F", "f.ltl", "--csv", "f.ltl"],
        &["testbench", "go", "-F", "f.ltl", "--html", "./f.ltl"],
    ] {
        folder.expect(arguments, 3);
    }
    assert_eq!(names(&folder), before);
    assert_eq!((folder.read("m.smv"), folder.read("other.smv")), (SMV.into(), SMV.into()));
    assert_eq!((folder.read("order"), folder.read("part.h")), ("y\nx\n".into(), "#define N 3\n".into()));
    assert_eq!(folder.read("f.ltl"), "G a\n");
    folder.expect(&["check", "m.smv", "--write-order", "new"], 0);
    folder.expect(&["check", "m.smv", "--order", "order", "--write-order", "new"], 0);
    assert_eq!(folder.read("new").lines().count(), 2);
}

#[test]
fn models_with_the_same_name_have_traces_of_their_own() {
    let folder = Folder::new("same");
    fs::create_dir(folder.0.join("a")).expect("a folder");
    folder.file("m.pml", FAILING);
    folder.file("a/m.pml", &FAILING.replace('9', "5"));
    folder.expect(&["check", "m.pml"], 1);
    let first = folder.read("m.pml.trace.json");
    let file = |arguments: &[&str]| {
        let report = folder.json(arguments, 1);
        report["properties"][0]["counterexample"]["trace_file"].as_str().expect("a file").to_owned()
    };
    let second = file(&["check", "--format", "json", "a/m.pml"]);
    assert_ne!(second, "m.pml.trace.json");
    assert_eq!(folder.read("m.pml.trace.json"), first);
    assert_eq!(file(&["check", "--format", "json", "a/../a/m.pml"]), second);
    // A trace does not depend on the path by which the model is named.
    folder.expect(&["validate", "a/m.pml", &second], 0);
    folder.expect(&["validate", "m.pml", "m.pml.trace.json"], 0);
}

#[test]
fn traces_of_properties_that_hold_are_removed() {
    let folder = Folder::new("removed");
    folder.file("m.pml", FAILING);
    folder.expect(&["check", "m.pml"], 1);
    folder.file("m.pml", HOLDING);
    folder.expect(&["check", "--no-save", "m.pml"], 0);
    assert_eq!(names(&folder), ["m.pml", "m.pml.trace.json"]);
    folder.expect(&["check", "m.pml"], 0);
    assert_eq!(names(&folder), ["m.pml"]);
}

#[test]
fn traces_of_properties_that_were_not_checked_stay() {
    let folder = Folder::new("stay");
    let model = format!("{HOLDING} ltl one {{ [] (x < 3) }} ltl two {{ [] (x < 4) }}");
    folder.file("m.pml", &model);
    folder.expect(&["check", "m.pml"], 1);
    let of = |name: &str| {
        let trace: serde_json::Value = serde_json::from_str(&folder.read(name)).expect("a trace");
        trace["violation"]["property"].as_str().expect("a property").to_owned()
    };
    let traces = || names(&folder).into_iter().filter(|name| name.ends_with(".trace.json")).collect::<Vec<_>>();
    assert_eq!(traces(), ["m.pml.2.trace.json", "m.pml.trace.json"]);
    folder.expect(&["check", "m.pml", "--property", "two"], 1);
    let mut properties: Vec<String> = traces().iter().map(|name| of(name)).collect();
    properties.sort();
    assert_eq!(properties, ["one", "two"]);
    folder.file("m.pml", &model.replace("(x < 3)", "(x < 30)"));
    folder.expect(&["check", "m.pml"], 1);
    assert_eq!(traces().iter().map(|name| of(name)).collect::<Vec<_>>(), ["two"]);
}

#[cfg(unix)]
#[test]
fn a_limit_of_the_address_space_ends_in_a_report() {
    let folder = Folder::new("address-space");
    folder.file("m.pml", "proctype Q() { false } init { do :: run Q() od }");
    let (code, text) = shell(&folder, "ulimit -v 1000000 && \"$0\" check --no-save m.pml");
    assert!(matches!(code, Some(0..=2)), "{code:?}\n{text}");
    assert!(text.contains("end states"), "{text}");
}
