//! Running the tool that was built beside this program.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

/// The `lariat` binary in the folder of this program.
///
/// # Panics
/// If it was not built.
#[must_use]
pub fn binary() -> PathBuf {
    let here = std::env::current_exe().expect("this program has a path");
    let path = here.with_file_name("lariat");
    assert!(path.exists(), "build it first: cargo build --release");
    path
}

/// What one run of the tool gave.
#[derive(Clone, Debug)]
pub struct Run {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// The report, if it printed one.
    pub report: Option<Value>,
    /// What it said on the side.
    pub stderr: String,
    /// Wall-clock seconds of the whole command.
    pub seconds: f64,
}

/// Runs `lariat check FILE` with further arguments, for a JSON report.
///
/// # Panics
/// If the binary cannot be started.
#[must_use]
pub fn check(file: &Path, arguments: &[String]) -> Run {
    let started = Instant::now();
    let output = Command::new(binary())
        .args(["check", "--format", "json", "--no-save"])
        .args(arguments)
        .arg(file)
        .stdin(Stdio::null())
        .output()
        .expect("lariat can be started");
    Run {
        code: output.status.code(),
        report: serde_json::from_slice(&output.stdout).ok(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        seconds: started.elapsed().as_secs_f64(),
    }
}

impl Run {
    /// The verdict on the properties of a kind: `violated` if one of them is, `unknown` if one of
    /// the others is.
    #[must_use]
    pub fn verdict(&self, kind: &str) -> Option<&str> {
        let properties = self.report.as_ref()?.get("properties")?.as_array()?;
        let of_kind = properties.iter().filter(|property| property["kind"] == kind);
        let verdicts: Vec<&str> = of_kind.filter_map(|property| property["verdict"].as_str()).collect();
        ["violated", "unknown", "holds"].into_iter().find(|word| verdicts.contains(word))
    }

    /// A text of the first property.
    #[must_use]
    pub fn property(&self, field: &str) -> Option<&str> {
        self.report.as_ref()?.get("properties")?.get(0)?.get(field)?.as_str()
    }

    /// A number of the first property.
    #[must_use]
    pub fn number(&self, field: &str) -> Option<u64> {
        self.report.as_ref()?.get("properties")?.get(0)?.get(field)?.as_u64()
    }
}
