//! `docs/images/check.svg`, the terminal recording of the README, shows what the tool prints today.
//!
//! The test runs the tool on a shipped model, draws the coloured output as an SVG image and compares it with the file in
//! the repository. Run times and memory sizes depend on the machine; the image shows the placeholder `…` for them.
//! To draw the image again: `UPDATE_EXPECT=1 cargo test --test recording`.

#[path = "recording/ansi.rs"]
mod ansi;
#[path = "recording/svg.rs"]
mod svg;

use std::path::Path;
use std::process::Command;

/// The recorded command, as a user types it in the root of the repository.
const COMMAND: &str = "lariat check --ltl turns models/mutex/dekker-turns.pml";

/// The number of columns of the recorded terminal.
const COLUMNS: usize = 92;

/// Runs the recorded command with colours and returns what it prints.
fn output(root: &Path) -> String {
    let arguments = COMMAND.split(' ').skip(1);
    let output = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(arguments)
        .args(["--no-save", "--color", "always"])
        .env("COLUMNS", COLUMNS.to_string())
        .current_dir(root)
        .output()
        .expect("the tool starts");
    assert_eq!(output.status.code(), Some(1), "the recorded property is violated");
    String::from_utf8(output.stdout).expect("the output is text")
}

/// Replaces run times and memory sizes, which differ from run to run.
fn without_measurements(text: &str) -> String {
    let part = |part: &str| {
        let (part, colour) = part.split_at(part.find('\x1b').filter(|at| *at > 0).unwrap_or(part.len()));
        let number = part.split(' ').next().unwrap_or("");
        let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || c == '.' || c == ',');
        match part.split_once(' ') {
            Some((_, unit @ ("s" | "ms" | "kB" | "MB"))) if is_number => format!("… {unit}{colour}"),
            _ => format!("{part}{colour}"),
        }
    };
    let line = |line: &str| line.split(", ").map(part).collect::<Vec<_>>().join(", ");
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_recording_of_the_readme_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let lines = ansi::lines(&without_measurements(&output(&root)));
    let image = svg::draw(COMMAND, &ansi::wrapped(lines, COLUMNS), COLUMNS);
    let path = root.join("docs/images/check.svg");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &image).expect("docs/images/check.svg can be written");
    }
    let recorded = std::fs::read_to_string(&path).expect("docs/images/check.svg can be read");
    assert!(
        recorded == image,
        "docs/images/check.svg is out of date: run `UPDATE_EXPECT=1 cargo test --test recording`"
    );
}
