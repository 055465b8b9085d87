//! The commands in `README.md`, `docs/tour.md` and `docs/testbench.md` print what these pages show.
//!
//! To put the current output into the pages: `UPDATE_EXPECT=1 cargo test --test tour`.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace exists")
}

/// The commands of a page, each with the output that the page shows.
fn commands(page: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            found.push((command.to_string(), String::new()));
        } else if let (true, Some((_, output))) = (inside, found.last_mut()) {
            output.push_str(line);
            output.push('\n');
        }
    }
    found
}

/// Numbers that depend on the machine, made equal.
fn settled(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let parts: Vec<String> = line
            .split(", ")
            .map(|part| {
                let units = [" s", " kB", " MB", " formulas a second)", " formula a second)"];
                let measured = units.iter().any(|unit| part.ends_with(unit));
                if measured { "…".to_string() } else { part.to_string() }
            })
            .collect();
        lines.push(parts.join(", ").trim_end().to_string());
    }
    lines.join("\n")
}

fn run(command: &str, folder: &Path) -> String {
    if let Some(model) = command.strip_prefix("cargo run -q -p lariat-testbench --example stages -- ") {
        let text = std::fs::read_to_string(root().join(model)).expect("the model of the tour");
        return testbench::tour::stages(model, &text);
    }
    // The shell gives the page its redirections; the tool is the one just built.
    let tool = Path::new(env!("CARGO_BIN_EXE_lariat")).parent().expect("a folder").display().to_string();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("bash")
        .args(["-c", command])
        .env("PATH", format!("{tool}:{path}"))
        .current_dir(folder)
        .output()
        .expect("bash");
    String::from_utf8(output.stdout).expect("text") + &String::from_utf8_lossy(&output.stderr)
}

/// Runs the commands of a page in a folder that holds the shipped models, and compares what they print with the page.
///
/// With `UPDATE_EXPECT=1` the page gets the new output where more than measurements changed.
fn page_is_current(name: &str, least: usize) {
    let path = root().join(name);
    let mut page = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    for model in ["models/tour/lock.pml", "models/smv/semaphore.smv"] {
        let copy = folder.path().join(model);
        std::fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
        std::fs::copy(root().join(model), copy).expect("the model of the page");
    }
    let commands = commands(&page);
    assert!(commands.len() >= least, "{name} has {least} commands");
    for (command, shown) in commands {
        let printed = run(&command, folder.path());
        if settled(&printed) == settled(&shown) {
            continue;
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            let printed = printed.lines().map(|line| line.trim_end().to_owned() + "\n").collect::<String>();
            page = page.replacen(&format!("$ {command}\n{shown}"), &format!("$ {command}\n{printed}"), 1);
            std::fs::write(&path, &page).expect("the page can be written");
        } else {
            assert_eq!(settled(&printed), settled(&shown), "{name}: output of `{command}`");
        }
    }
}

#[test]
fn the_readme_shows_what_happens() {
    page_is_current("README.md", 1);
}

#[test]
fn the_tour_shows_what_happens() {
    page_is_current("docs/tour.md", 5);
}

#[test]
fn the_walk_through_the_testbench_shows_what_happens() {
    page_is_current("docs/testbench.md", 4);
}
