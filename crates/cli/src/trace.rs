//! Trace files: a run of a model in either language, in a file that explains itself. The format is described in
//! `docs/json.md`.

use crate::exit::Failure;
use crate::input::{read_text, reason};
use checker::report::{Counterexample, ModelSummary, PropertyKind, PropertyReport, PropertySource, Run};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What marks a file as a trace.
const FORMAT: &str = "lariat-trace";
/// The version of the format.
const SCHEMA: u32 = 2;

/// What a run violates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Violated {
    pub(crate) property: String,
    pub(crate) kind: PropertyKind,
    /// What the run shows, in one line.
    pub(crate) message: String,
    /// The formula of the property.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) formula: Option<String>,
    /// Where the property comes from.
    #[serde(skip_serializing_if = "is_of_model", default = "of_model")]
    pub(crate) source: PropertySource,
    /// Whether the run must be weakly fair.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub(crate) fair: bool,
}

fn of_model() -> PropertySource {
    PropertySource::Model
}

fn is_of_model(source: &PropertySource) -> bool {
    *source == PropertySource::Model
}

/// A whole trace file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TraceFile {
    format: String,
    schema: u32,
    lariat: String,
    pub(crate) model: ModelSummary,
    pub(crate) violation: Violated,
    /// Whether no run to such a violation is shorter.
    pub(crate) minimal: bool,
    #[serde(flatten)]
    pub(crate) run: Run,
    /// The hash of all lines before this one.
    #[serde(default)]
    sha256: String,
}

/// The part of a file that says what it is.
#[derive(Deserialize)]
struct Head {
    format: String,
    schema: Value,
}

impl TraceFile {
    /// The file of a counterexample.
    pub(crate) fn of(model: &ModelSummary, property: &PropertyReport, counterexample: &Counterexample) -> Self {
        let violation = Violated {
            property: property.name.clone(),
            kind: property.kind,
            message: counterexample.message().into(),
            formula: property.formula.clone(),
            source: property.source.clone(),
            fair: property.engine.fair.is_some(),
        };
        Self::new(model.clone(), violation, counterexample.is_shortest(), (**counterexample).clone())
    }

    /// The file of a run.
    pub(crate) fn new(model: ModelSummary, violation: Violated, minimal: bool, run: Run) -> Self {
        let (format, lariat) = (FORMAT.into(), env!("CARGO_PKG_VERSION").into());
        let mut file = Self { format, schema: SCHEMA, lariat, model, violation, minimal, run, sha256: String::new() };
        file.sha256 = digest(&file.body());
        file
    }

    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let (text, shown) = (read_text(path)?, path.display());
        let unreadable = |error| Failure::input(format!("`{shown}` is not a trace file of Lariat: {error}"));
        let Head { format, schema } = serde_json::from_str(&text).map_err(unreadable)?;
        if format != FORMAT || schema != SCHEMA {
            return Err(Failure::input(format!(
                "`{shown}` has the format `{format}`, version {schema}; this version of Lariat reads `{FORMAT}`, \
                 version {SCHEMA}; `lariat check` records a new trace"
            )));
        }
        serde_json::from_str(&text).map_err(unreadable)
    }

    /// Whether the file is as it was written.
    pub(crate) fn is_intact(&self) -> bool {
        self.sha256 == digest(&self.body())
    }

    /// Writes a file; never over anything but another trace.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        if path.exists() && !is_trace(path) {
            return Err(refused(path));
        }
        let text = format!("{}\"sha256\": \"{}\"\n}}\n", self.body(), self.sha256);
        std::fs::write(path, text)
            .map_err(|error| Failure::usage(format!("cannot write `{}`: {}", path.display(), reason(&error))))
    }

    /// The file as JSON on one line.
    pub(crate) fn json(&self) -> String {
        format!("{}\n", serde_json::to_string(self).expect("all keys are strings"))
    }

    /// All lines but the last two. Each step has a line of its own, so that traces can be compared line by line.
    fn body(&self) -> String {
        let json = |value: serde_json::Result<String>| value.expect("all keys are strings");
        let mut text = String::from("{\n");
        let mut head = vec![
            ("format", json(serde_json::to_string(&self.format))),
            ("schema", self.schema.to_string()),
            ("lariat", json(serde_json::to_string(&self.lariat))),
            ("model", json(serde_json::to_string(&self.model))),
            ("violation", json(serde_json::to_string(&self.violation))),
            ("minimal", self.minimal.to_string()),
            ("initial", json(serde_json::to_string(&self.run.initial))),
        ];
        if !self.run.branches.is_empty() {
            head.push(("branches", json(serde_json::to_string(&self.run.branches))));
        }
        for (key, value) in head {
            let _ = writeln!(text, "\"{key}\": {value},");
        }
        for (key, steps) in [("stem", &self.run.stem), ("loop", &self.run.cycle)] {
            let lines: Vec<String> = steps.iter().map(|step| json(serde_json::to_string(step))).collect();
            let _ = match lines.is_empty() {
                true => writeln!(text, "\"{key}\": [],"),
                false => writeln!(text, "\"{key}\": [\n{}\n],", lines.join(",\n")),
            };
        }
        text
    }
}

/// Whether a file says of itself that it is a trace, of whatever version.
fn is_trace(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    serde_json::from_str::<Head>(&text).is_ok_and(|head| head.format == FORMAT)
}

/// Refuses a place where no trace can be written, before anything is searched.
pub(crate) fn check_writable(path: &Path) -> Result<(), Failure> {
    let shown = path.display();
    if path.exists() {
        let is_ours = is_trace(path);
        let opened = std::fs::OpenOptions::new().append(true).open(path);
        return match opened {
            Err(error) => Err(Failure::usage(format!("cannot write `{shown}`: {}", reason(&error)))),
            Ok(_) if !is_ours => Err(refused(path)),
            Ok(_) => Ok(()),
        };
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match std::fs::metadata(folder) {
        Ok(found) if found.is_dir() && !found.permissions().readonly() => Ok(()),
        Ok(_) => {
            Err(Failure::usage(format!("cannot write `{shown}`: `{}` is no folder to write to", folder.display())))
        }
        Err(error) => Err(Failure::usage(format!("cannot write `{shown}`: {}", reason(&error)))),
    }
}

fn refused(path: &Path) -> Failure {
    Failure::usage(format!("`{}` exists and is not a trace file: it is not overwritten", path.display()))
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Where the trace with a number (from 1) goes by default: `MODEL.trace.json` in the current folder, `MODEL.2.trace.json`
/// and so on for further ones.
pub(crate) fn default_path(model: &str, number: usize) -> PathBuf {
    let name = Path::new(model).file_name().map_or("model".into(), |name| name.to_string_lossy().into_owned());
    let name = if name.starts_with('<') { "model".into() } else { name };
    PathBuf::from(if number == 1 { format!("{name}.trace.json") } else { format!("{name}.{number}.trace.json") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_paths_lie_in_the_current_folder() {
        assert_eq!(default_path("models/mutex.pml", 1), PathBuf::from("mutex.pml.trace.json"));
        assert_eq!(default_path("mutex.pml", 3), PathBuf::from("mutex.pml.3.trace.json"));
        assert_eq!(default_path("<standard input>", 1), PathBuf::from("model.trace.json"));
    }
}
