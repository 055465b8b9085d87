//! The commands of `docs/tour.md` and `docs/testbench.md` print what the pages say they print.

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

#[test]
fn the_tour_shows_what_happens() {
    let page = std::fs::read_to_string(root().join("docs/tour.md")).expect("the tour");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let models = folder.path().join("models/tour");
    std::fs::create_dir_all(&models).expect("a folder");
    std::fs::copy(root().join("models/tour/lock.pml"), models.join("lock.pml")).expect("the model of the tour");
    let commands = commands(&page);
    assert!(commands.len() >= 5, "the tour has commands");
    for (command, shown) in commands {
        assert_eq!(settled(&run(&command, folder.path())), settled(&shown), "output of `{command}`");
    }
}

#[test]
fn the_walk_through_the_testbench_shows_what_happens() {
    let page = std::fs::read_to_string(root().join("docs/testbench.md")).expect("the page");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let commands = commands(&page);
    assert!(commands.len() >= 4, "the page has commands");
    for (command, shown) in commands {
        assert_eq!(settled(&run(&command, folder.path())), settled(&shown), "output of `{command}`");
    }
}
