//! Formats every model of some folders: the result must be stable, keep all tokens and comments, and compile to the same model.
//!
//! `formatting FOLDER…`: models that are not accepted are formatted too, and counted; only their compiled models cannot be compared.
//! Nothing is written. The exit code is 1 if some text is not stable or says something else.

#![allow(clippy::print_stdout, reason = "a program that talks to its user")]

use checker::model::{Files, Preprocessing};
use checker::{Error, Model};
use format::verify::content;
use format::{Language, Refusal, formatted, layout};
use kernel::budget::Budget;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long reading one model may take.
const LONGEST_READING: Duration = Duration::from_secs(10);

/// Included files, beside the one that includes them.
struct Beside(PathBuf);

impl Files for Beside {
    fn read(&self, path: &str, _included_from: Option<&str>) -> std::io::Result<(String, String)> {
        let path = self.0.join(path);
        Ok((path.display().to_string(), String::from_utf8_lossy(&std::fs::read(&path)?).into_owned()))
    }
}

fn main() -> ExitCode {
    let mut folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            match path.extension().and_then(|end| end.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("pml" | "prom" | "promela" | "smv") => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    let started = Instant::now();
    let (mut equal, mut changed, mut rejected, mut wrong) = (0, 0, 0, 0);
    let (mut bytes, mut spent) = (0, Duration::ZERO);
    for path in &files {
        let text = String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned();
        let is_smv = path.extension().is_some_and(|end| end == "smv");
        let language = if is_smv { Language::Smv } else { Language::Promela };
        bytes += text.len();
        let begun = Instant::now();
        let once = layout(language, &text);
        spent += begun.elapsed();
        changed += usize::from(once != text);
        let problem = match formatted(language, &text, &|text| read(path, language, text)) {
            _ if layout(language, &once) != once => Some("it is not stable"),
            _ if content(language, &text) != content(language, &once) => Some("tokens or comments are lost"),
            Ok(_) => {
                equal += 1;
                None
            }
            Err(Refusal::Rejected(_)) => {
                rejected += 1;
                None
            }
            Err(Refusal::Differs(how)) => Some(how),
        };
        if let Some(problem) = problem {
            println!("{}: {problem}", path.display());
            wrong += 1;
        }
    }
    println!(
        "{} files, {bytes} bytes: {changed} change, {equal} with equal models, {rejected} that are no models, {wrong} wrong; \
         layout {:.2} s, all {:.0} s",
        files.len(),
        spent.as_secs_f64(),
        started.elapsed().as_secs_f64()
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn read(path: &Path, language: Language, text: &str) -> Result<Model, Error> {
    let budget = Budget::unlimited().within(LONGEST_READING);
    let name = path.display().to_string();
    match language {
        Language::Smv => Model::smv_within(&name, text, &budget),
        Language::Promela => {
            let files = Arc::new(Beside(path.parent().unwrap_or(Path::new(".")).into()));
            Model::promela_with(&name, text, &Preprocessing::default(), files, &budget)
        }
    }
}
