//! The example that drives Lariat from Python, run on models in both languages.

#![allow(clippy::print_stdout, reason = "a test says what it skipped")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace exists")
}

/// Runs the example with these arguments; none if Python is not installed.
fn example(arguments: &[&str]) -> Option<Output> {
    if !Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
        println!("skipped: Python is not installed");
        return None;
    }
    let mut python = Command::new("python3");
    python.arg("examples/lasso.py").args(arguments).current_dir(root()).env("LARIAT", env!("CARGO_BIN_EXE_lariat"));
    Some(python.output().expect("Python starts"))
}

#[test]
fn the_example_prints_lassos_of_both_languages() {
    for (model, name) in [("models/smv/semaphore.smv", "no_starvation"), ("models/mutex/peterson-swapped.pml", "")] {
        let Some(output) = example(&[model, "--time-limit", "10h"]) else { return };
        let [text, errors] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        assert_eq!(output.status.code(), Some(1), "{model}\n{text}\n{errors}");
        assert!(text.contains(&format!("{name}: violated")) && text.contains("  stem   1  "), "{model}\n{text}");
        let repeats = text.contains("steps repeats forever");
        assert_eq!(repeats, model.ends_with(".smv"), "{model}\n{text}");
    }
}

#[test]
fn the_example_reports_errors() {
    let Some(output) = example(&["models/missing.pml"]) else { return };
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: "));
}
