//! Checks that are saved in a file, ended and continued.

mod common;

use common::Folder;
use serde_json::Value;
use std::process::{Command, Stdio};

/// Some ten thousand states, a statement that is never reached, and a violation far from the beginning if the limit is small.
fn model(limit: u32) -> String {
    format!(
        "byte x, y, z;
active proctype A() {{ do :: x < 25 -> x++ :: x == 200 -> x = 0 od }}
active proctype B() {{ do :: y < 25 -> y++ od }}
active proctype C() {{ do :: z < 25 -> z++; assert(x + y + z < {limit}) od }}
"
    )
}

const CHECK: [&str; 5] = ["check", "--no-save", "--format", "json", "--reduce"];

/// What must not depend on where a search was interrupted, or on its threads.
fn facts(mut report: Value) -> Value {
    let measured = ["seconds", "peak_memory_bytes", "engine"];
    for field in measured {
        report["statistics"][field] = Value::Null;
        report[field] = Value::Null;
    }
    for property in report["properties"].as_array_mut().into_iter().flatten() {
        measured.into_iter().for_each(|field| property[field] = Value::Null);
    }
    report
}

/// Checks a model, then kills a check of it as soon as it was saved, and continues: the reports must be the same.
fn kill_and_continue(folder: &Folder, options: &[&str], more: &[&str], code: i32) {
    let saving = ["off", "--checkpoint", "c", "--checkpoint-interval", "0s", "m.pml"];
    let command = [&CHECK[..], &saving, options].concat();
    let whole = facts(folder.json(&command, code));
    std::fs::remove_file(folder.0.join("c")).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(&command)
        .current_dir(&folder.0)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("lariat starts");
    while !folder.0.join("c").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let resume = ["off", "--resume", "c", "m.pml"];
    let continued = folder.json(&[&CHECK[..], &resume, options, more].concat(), code);
    assert_eq!(facts(continued), whole, "{options:?}");
    std::fs::remove_file(folder.0.join("c")).unwrap();
}

#[test]
fn a_killed_check_continues_with_the_same_report() {
    let folder = Folder::new("killed");
    for limit in [1000, 60] {
        folder.file("m.pml", &model(limit));
        kill_and_continue(&folder, &["--safety", "--search", "bfs"], &["--threads", "2"], 1);
    }
    kill_and_continue(&folder, &["--safety", "--first"], &[], 1);
}

#[test]
fn a_killed_check_of_a_temporal_property_continues_with_the_same_report() {
    let folder = Folder::new("killed-temporal");
    folder.file(
        "m.pml",
        "byte x, y, z;
active proctype A() { do :: x = (x + 1) % 25 od }
active proctype B() { do :: y = (y + 1) % 25 od }
active proctype C() { do :: z < 25 -> z++ od }
ltl often { []<> (x == 1) }
ltl sometime { <>[] (z < 61) }
ltl below { [] (z < 40) }
",
    );
    for (property, code) in [("often", 1), ("sometime", 0), ("below", 0)] {
        kill_and_continue(&folder, &["--ltl", property, "--refine", "off", "--first"], &[], code);
    }
}

#[test]
fn a_checkpoint_of_something_else_is_refused_with_the_reason() {
    let folder = Folder::new("refused");
    folder.file("m.pml", &model(1000));
    let saving = ["off", "--safety", "--checkpoint", "c", "--checkpoint-interval", "0s", "m.pml"];
    folder.json(&[&CHECK[..], &saving].concat(), 1);
    let refused = |options: &[&str], reason: &str| {
        let words = folder.lariat(&[&["check", "--no-save"], options].concat(), "");
        let message = String::from_utf8_lossy(&words.stderr).into_owned();
        assert_eq!(words.status.code(), Some(3), "{options:?}: {message}");
        assert!(message.contains(reason), "{options:?}: {message}");
    };
    let same = ["--safety", "--reduce", "off", "--resume"];
    folder.file("other.pml", &model(999));
    refused(&[&same[..], &["c", "other.pml"]].concat(), "of another model");
    refused(&["--safety", "--resume", "c", "m.pml"], "made with `--safety --reduce off`, not with `--safety`");
    refused(&[&same[..], &["nowhere", "m.pml"]].concat(), "cannot continue from `nowhere`");
    refused(&[&same[..], &["m.pml", "m.pml"]].concat(), "it is not a checkpoint");
    let bytes = std::fs::read(folder.0.join("c")).unwrap();
    std::fs::write(folder.0.join("torn"), &bytes[..bytes.len() / 2]).unwrap();
    refused(&[&same[..], &["torn", "m.pml"]].concat(), "damaged or incomplete");
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 1;
    std::fs::write(folder.0.join("flipped"), &flipped).unwrap();
    refused(&[&same[..], &["flipped", "m.pml"]].concat(), "damaged or incomplete");
    std::fs::write(folder.0.join("newer"), "lariat checkpoint 3\n").unwrap();
    refused(&[&same[..], &["newer", "m.pml"]].concat(), "another version");
    assert_eq!(std::fs::read(folder.0.join("c")).unwrap(), bytes, "a refused checkpoint stays");
    let save = ["--checkpoint", "d", "m.pml"];
    refused(&save, "select `--safety`");
    refused(&[&["--safety", "--ltl", "[] (x < 99)"][..], &save].concat(), "only the check of one property");
    refused(&[&["--safety", "--store", "bitstate"][..], &save].concat(), "--store exact");
    refused(&[&["--safety", "--max-depth", "9"][..], &save].concat(), "--max-depth");
    refused(&["--safety", "--checkpoint", "d", "m.pml", "other.pml"], "single model");
    refused(&["--safety", "--checkpoint", "nowhere/d", "m.pml"], "cannot write");
    refused(&["--safety", "--checkpoint", "m.pml", "m.pml"], "would overwrite");
    folder.file("notes.txt", "mine");
    refused(&["--safety", "--checkpoint", "notes.txt", "m.pml"], "is not a checkpoint");
}
