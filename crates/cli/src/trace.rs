//! Trace files: a run, in a file that explains itself. The format is described in `docs/json.md`.

use crate::exit::Failure;
use crate::input::reason;
use checker::promela::input::Input;
use checker::promela::property::Source;
use checker::promela::record::{Does, Named as Value, Recorder, StepRecord};
use checker::promela::report::{Named, PropertyKind};
use promela::reference::Outcome;
use promela::snapshot::Snapshot;
use promela::validate::{Guide, ViolatingRun, Violation, describe};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What marks a file as a trace.
pub(crate) const FORMAT: &str = "lariat-trace";
/// The version of the format.
pub(crate) const SCHEMA: u32 = 1;

/// The model a trace belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ModelRecord {
    pub(crate) file: String,
    /// Of the text with all its inclusions, and of the definitions on the command line.
    pub(crate) sha256: String,
    #[serde(default)]
    pub(crate) defines: Vec<String>,
    #[serde(default)]
    pub(crate) undefines: Vec<String>,
}

/// What a trace ends in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ViolationRecord {
    pub(crate) property: String,
    pub(crate) kind: ViolationKind,
    pub(crate) message: String,
    /// The formula of a temporal property.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) formula: Option<String>,
    /// Where a temporal property comes from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) source: Option<Source>,
    /// Whether the run must be weakly fair.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub(crate) fair: bool,
}

/// The kinds of violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ViolationKind {
    /// A failed assertion.
    Assertion,
    /// A run-time error.
    Runtime,
    /// An invalid end state.
    EndState,
    /// A formula.
    Ltl,
    /// A never claim or an automaton.
    Never,
    /// A cycle through `accept` labels.
    Acceptance,
    /// A cycle without `progress` labels.
    NonProgress,
    /// A `trace` or `notrace` assertion.
    Trace,
}

impl ViolationKind {
    /// The kind of violation of safety; none for a temporal property.
    pub(crate) fn safety(self) -> Option<Violation> {
        match self {
            ViolationKind::Assertion => Some(Violation::Assertion),
            ViolationKind::Runtime => Some(Violation::Runtime),
            ViolationKind::EndState => Some(Violation::InvalidEnd),
            ViolationKind::Ltl
            | ViolationKind::Never
            | ViolationKind::Acceptance
            | ViolationKind::NonProgress
            | ViolationKind::Trace => None,
        }
    }

    /// The name that all properties of this kind have, if they do.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            ViolationKind::Assertion => Some("assertions"),
            ViolationKind::Runtime => Some("run-time errors"),
            ViolationKind::EndState => Some("end states"),
            ViolationKind::Acceptance => Some("acceptance cycles"),
            ViolationKind::NonProgress => Some("non-progress cycles"),
            ViolationKind::Ltl | ViolationKind::Never | ViolationKind::Trace => None,
        }
    }

    fn of(violation: Violation, kind: PropertyKind) -> Self {
        match (violation, kind) {
            (Violation::Assertion, _) => ViolationKind::Assertion,
            (Violation::Runtime, _) => ViolationKind::Runtime,
            (Violation::InvalidEnd, _) => ViolationKind::EndState,
            (Violation::Trace, _) => ViolationKind::Trace,
            (Violation::Temporal, PropertyKind::Acceptance) => ViolationKind::Acceptance,
            (Violation::Temporal, PropertyKind::NonProgress) => ViolationKind::NonProgress,
            (Violation::Temporal, PropertyKind::Never) => ViolationKind::Never,
            (Violation::Temporal, _) => ViolationKind::Ltl,
        }
    }
}

/// A whole trace file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Trace {
    format: String,
    schema: u32,
    lariat: String,
    pub(crate) model: ModelRecord,
    pub(crate) violation: ViolationRecord,
    /// Whether no run to such a violation is shorter.
    pub(crate) minimal: bool,
    pub(crate) initial: Vec<Value>,
    pub(crate) stem: Vec<StepRecord>,
    /// Empty for violations of safety.
    #[serde(rename = "loop")]
    pub(crate) cycle: Vec<StepRecord>,
    /// Of all lines before this one.
    #[serde(default)]
    sha256: String,
}

/// The property that a trace violates.
pub(crate) struct Violated<'a> {
    pub(crate) name: &'a str,
    pub(crate) kind: PropertyKind,
    pub(crate) temporal: Option<&'a Named>,
}

impl Trace {
    /// Records a run.
    pub(crate) fn new(
        input: &Input,
        recorder: Recorder<'_>,
        property: &Violated<'_>,
        run: &ViolatingRun,
        minimal: bool,
    ) -> Self {
        let mut trace = Self {
            format: FORMAT.into(),
            schema: SCHEMA,
            lariat: env!("CARGO_PKG_VERSION").into(),
            model: ModelRecord {
                file: input.name.clone(),
                sha256: input.hash.clone(),
                defines: input.defines.clone(),
                undefines: input.undefines.clone(),
            },
            violation: ViolationRecord {
                property: property.name.into(),
                kind: ViolationKind::of(run.violation, property.kind),
                message: run.message.clone(),
                formula: property.temporal.and_then(|temporal| temporal.text.clone()),
                source: property.temporal.map(|temporal| temporal.source.clone()),
                fair: property.temporal.is_some_and(|temporal| temporal.is_fair),
            },
            minimal,
            initial: recorder.values(&run.initial),
            stem: recorder.stem(run),
            cycle: recorder.cycle(run),
            sha256: String::new(),
        };
        trace.sha256 = digest(&trace.body());
        trace
    }

    /// Whether the file is as it was written.
    pub(crate) fn is_intact(&self) -> bool {
        self.sha256 == digest(&self.body())
    }

    /// The number of steps in stem and loop.
    pub(crate) fn length(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// Whether what repeats forever is a state in which nothing moves.
    pub(crate) fn stutters(&self) -> bool {
        matches!(self.cycle.as_slice(), [only] if only.does == Does::Stutter)
    }

    /// The steps of processes, those of the loop included.
    pub(crate) fn moves(&self) -> impl Iterator<Item = &StepRecord> {
        self.stem.iter().chain(self.cycle.iter().filter(|_| !self.stutters()))
    }

    /// Reads a trace file.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        read(path, "Lariat", |trace: &Self| (&trace.format, trace.schema))
    }

    /// Writes a trace file; never over anything but another one.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        write(path, &self.text())
    }
}

impl Trace {
    /// All but the values and steps.
    fn head(&self) -> Self {
        Self {
            format: self.format.clone(),
            schema: self.schema,
            lariat: self.lariat.clone(),
            model: self.model.clone(),
            violation: self.violation.clone(),
            minimal: self.minimal,
            initial: Vec::new(),
            stem: Vec::new(),
            cycle: Vec::new(),
            sha256: String::new(),
        }
    }

    /// The file's text: one line for each step, so that traces can be compared line by line.
    fn text(&self) -> String {
        format!("{}\"sha256\": \"{}\"\n}}\n", self.body(), self.sha256)
    }

    /// All lines but the last two.
    fn body(&self) -> String {
        let head = self.head();
        let Ok(serde_json::Value::Object(head)) = serde_json::to_value(head) else {
            unreachable!("a trace is an object")
        };
        let mut text = String::from("{\n");
        for key in ["format", "schema", "lariat", "model", "violation", "minimal"] {
            let _ = writeln!(text, "\"{key}\": {},", head[key]);
        }
        list(&mut text, "initial", &self.initial, ",");
        list(&mut text, "stem", &self.stem, ",");
        list(&mut text, "loop", &self.cycle, ",");
        text
    }
}

/// A list with one element to a line.
fn list<T: Serialize>(text: &mut String, key: &str, elements: &[T], after: &str) {
    let line = |element: &T| serde_json::to_string(element).expect("records have string keys only");
    let lines: Vec<String> = elements.iter().map(line).collect();
    let _ = match lines.is_empty() {
        true => writeln!(text, "\"{key}\": []{after}"),
        false => writeln!(text, "\"{key}\": [\n{}\n]{after}", lines.join(",\n")),
    };
}

/// Reads a trace file of a kind that says by its head what it is.
pub(crate) fn read<T: DeserializeOwned>(path: &Path, whose: &str, head: fn(&T) -> (&str, u32)) -> Result<T, Failure> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("cannot read `{shown}`: {}", reason(&error))))?;
    let trace: T = serde_json::from_str(&text)
        .map_err(|error| Failure::input(format!("`{shown}` is not a trace file of {whose}: {error}")))?;
    let (format, schema) = head(&trace);
    if format != FORMAT || schema != SCHEMA {
        let message = format!("`{shown}` has the format `{format}` {schema}; this version reads `{FORMAT}` {SCHEMA}");
        return Err(Failure::input(message));
    }
    Ok(trace)
}

/// Writes a trace file; never over anything but another one.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    writable(path)?;
    std::fs::write(path, text)
        .map_err(|error| Failure::usage(format!("cannot write `{}`: {}", path.display(), reason(&error))))
}

/// Refuses to overwrite anything but a trace.
fn writable(path: &Path) -> Result<(), Failure> {
    if path.exists() && !is_trace(path) {
        return Err(refused(path));
    }
    Ok(())
}

/// Whether a file says of itself that it is a trace.
fn is_trace(path: &Path) -> bool {
    #[derive(Deserialize)]
    struct Head {
        format: String,
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    serde_json::from_str::<Head>(&text).is_ok_and(|head| head.format == FORMAT)
}

/// Looks whether a trace can be written there, before anything is searched.
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

/// Where the trace with a number (from 1) goes by default: `MODEL.trace.json` in the current
/// folder, `MODEL.2.trace.json` and so on for further ones.
pub(crate) fn default_path(model: &str, number: usize) -> PathBuf {
    let name = Path::new(model).file_name().map_or("model".into(), |name| name.to_string_lossy().into_owned());
    let name = if name.starts_with('<') { "model".into() } else { name };
    PathBuf::from(if number == 1 { format!("{name}.trace.json") } else { format!("{name}.{number}.trace.json") })
}

/// Leads the arbiter along a saved trace, comparing all that the file says with what happens.
pub(crate) struct FileGuide<'a> {
    pub(crate) trace: &'a Trace,
    pub(crate) recorder: Recorder<'a>,
    pub(crate) reference: &'a promela::reference::Reference<'a>,
    /// Whether the model is the one the trace was recorded from; otherwise positions and numbers of
    /// statements are not compared.
    pub(crate) is_same_model: bool,
}

/// A step without what an edit of the model's text may move.
fn without_positions(step: &StepRecord) -> StepRecord {
    let mut step = step.clone();
    (step.file, step.line, step.column, step.number) = (String::new(), 0, 0, None);
    if let Some(receiver) = &mut step.receiver {
        (receiver.line, receiver.number) = (0, 0);
    }
    step
}

impl Guide for FileGuide<'_> {
    fn choose(&mut self, taken: usize, state: &Snapshot, outcomes: &[Outcome]) -> Result<Option<usize>, String> {
        if taken == 0 && self.recorder.values(state) != self.trace.initial {
            return Err("the initial values differ from those of the model".into());
        }
        let Some(wanted) = self.trace.moves().nth(taken) else { return Ok(None) };
        let describer = self.recorder.describer;
        let offered: Vec<StepRecord> = outcomes
            .iter()
            .map(|outcome| self.recorder.step(&describe(self.reference, describer, state, outcome)))
            .collect();
        let fits = |step: &StepRecord| match self.is_same_model {
            true => step == wanted,
            false => without_positions(step) == without_positions(wanted),
        };
        if let Some(index) = offered.iter().position(fits) {
            return Ok(Some(index));
        }
        Err(difference(wanted, &offered))
    }
}

/// Says why a step is not among those offered.
fn difference(wanted: &StepRecord, offered: &[StepRecord]) -> String {
    let name = |step: &StepRecord| format!("{}({}) line {} `{}`", step.process, step.pid, step.line, step.statement);
    let same_move = |step: &&StepRecord| {
        (step.pid, &step.process, step.does, &step.statement)
            == (wanted.pid, &wanted.process, wanted.does, &wanted.statement)
    };
    let Some(step) = offered.iter().find(same_move) else {
        return match offered {
            [] => format!("{} cannot happen: nothing can", name(wanted)),
            _ => {
                let others: Vec<_> = offered.iter().map(name).collect();
                format!("{} cannot happen here; possible are: {}", name(wanted), others.join("; "))
            }
        };
    };
    if step.changes != wanted.changes {
        let shown = |step: &StepRecord| {
            let one = |change: &checker::promela::record::Changed| match &change.after {
                Some(after) => format!("{} = {after}", change.name),
                None => format!("{} ends", change.name),
            };
            let list: Vec<_> = step.changes.iter().map(one).collect();
            if list.is_empty() { "nothing".into() } else { list.join(", ") }
        };
        return format!("{} changes {}, not {}", name(wanted), shown(step), shown(wanted));
    }
    format!("{} happens, but not exactly as recorded", name(wanted))
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
