//! Trace files: a run of a model in either language, in a file that explains itself. The format is described in
//! `docs/json.md`.

use crate::exit::Failure;
use crate::file;
use crate::input::read_text;
use crate::thresholds::input::{LINES_OF_HEAD, LONGEST_HEAD, PIECE};
use checker::report::{
    Counterexample, Draft, DraftShape, ModelSummary, PropertyKind, PropertyReport, PropertySource, Run, Sense,
    Valuation,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::Arc;

/// What marks a file as a trace.
const FORMAT: &str = "lariat-trace";
/// The version of the format.
const SCHEMA: u32 = 3;
/// The oldest version that can be read. In version 2, numbers and truth values of SMV models are strings.
const OLDEST_SCHEMA: u32 = 2;
/// The digits of a fingerprint.
const DIGITS: usize = 16;
/// What a run that is not confirmed shows.
const UNCONFIRMED: &str = "a run that was found and is not confirmed yet";

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

impl Violated {
    /// What a run of this property violates.
    fn of(property: &PropertyReport, message: &str) -> Self {
        Self {
            property: property.name.clone(),
            kind: property.kind,
            message: message.into(),
            formula: property.formula.clone(),
            source: property.source.clone(),
            fair: property.engine.fair.is_some(),
        }
    }
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
    /// Among which runs it is shortest, if it is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) minimal_among: Option<Sense>,
    #[serde(flatten, serialize_with = "serialise", deserialize_with = "deserialise")]
    pub(crate) run: Arc<Run>,
    /// The run, if it is not confirmed yet; then `run` is empty.
    #[serde(skip)]
    pub(crate) draft: Option<Draft>,
    /// The hash of all lines before this one; empty in a trace that was not read from a file.
    #[serde(default)]
    sha256: String,
}

fn serialise<S: Serializer>(run: &Arc<Run>, serializer: S) -> Result<S::Ok, S::Error> {
    run.as_ref().serialize(serializer)
}

fn deserialise<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Run>, D::Error> {
    Run::deserialize(deserializer).map(Arc::new)
}

/// The part of a file that says what it is.
#[derive(Deserialize)]
struct Head {
    format: String,
    schema: Value,
    /// Whether the run was confirmed when it was written.
    #[serde(default = "confirmed")]
    validated: bool,
}

fn confirmed() -> bool {
    true
}

/// A trace file whose run is not confirmed yet.
#[derive(Deserialize)]
struct DraftFile {
    format: String,
    schema: u32,
    lariat: String,
    model: ModelSummary,
    violation: Violated,
    shape: DraftShape,
    /// The fingerprints of all states after the first, in hexadecimal.
    fingerprints: String,
    sha256: String,
}

impl DraftFile {
    fn trace(self) -> Option<TraceFile> {
        let Self { format, schema, lariat, model, violation, shape, fingerprints, sha256 } = self;
        let digits = fingerprints.as_bytes().chunks(DIGITS);
        let number = |digits: &[u8]| match digits.len() {
            DIGITS => u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok(),
            _ => None,
        };
        let draft = Some(Draft::new(digits.map(number).collect::<Option<_>>()?, shape));
        let (minimal, minimal_among, run) = (false, None, no_run());
        Some(TraceFile { format, schema, lariat, model, violation, minimal, minimal_among, run, draft, sha256 })
    }
}

/// A run without steps, in place of one that is not confirmed.
fn no_run() -> Arc<Run> {
    Arc::new(Run { initial: Valuation::default(), stem: Vec::new(), cycle: Vec::new(), branches: Vec::new() })
}

impl TraceFile {
    /// The file of a counterexample.
    pub(crate) fn of(model: &ModelSummary, property: &PropertyReport, counterexample: &Counterexample) -> Self {
        let violation = Violated::of(property, counterexample.message());
        let minimal_among = counterexample.is_shortest().then(|| counterexample.sense());
        let minimal = (counterexample.is_shortest(), minimal_among);
        Self::new(model.clone(), violation, minimal, counterexample.shared_run())
    }

    /// The file of a run that a limit kept from being confirmed.
    pub(crate) fn of_draft(model: &ModelSummary, property: &PropertyReport, draft: &Draft) -> Self {
        let violation = Violated::of(property, UNCONFIRMED);
        let mut file = Self::new(model.clone(), violation, (false, None), no_run());
        file.draft = Some(draft.clone());
        file
    }

    /// The file of a run. `minimal` says whether it is shortest, and among which runs.
    pub(crate) fn new(
        model: ModelSummary,
        violation: Violated,
        (minimal, minimal_among): (bool, Option<Sense>),
        run: Arc<Run>,
    ) -> Self {
        let (format, lariat, sha256) = (FORMAT.into(), env!("CARGO_PKG_VERSION").into(), String::new());
        Self { format, schema: SCHEMA, lariat, model, violation, minimal, minimal_among, run, draft: None, sha256 }
    }

    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let (text, shown) = (read_text(path)?, path.display());
        let unreadable = |error| Failure::input(format!("`{shown}` is not a trace file of Lariat: {error}"));
        let Head { format, schema, validated } = serde_json::from_str(&text).map_err(unreadable)?;
        let is_read = |version: u64| (u64::from(OLDEST_SCHEMA)..=u64::from(SCHEMA)).contains(&version);
        if format != FORMAT || !schema.as_u64().is_some_and(is_read) {
            return Err(Failure::input(format!(
                "`{shown}` has the format `{format}`, version {schema}; this version of Lariat reads `{FORMAT}`, \
                 versions {OLDEST_SCHEMA} to {SCHEMA}; `lariat check` records a new trace"
            )));
        }
        if validated {
            return serde_json::from_str(&text).map_err(unreadable);
        }
        let file: DraftFile = serde_json::from_str(&text).map_err(unreadable)?;
        let wrong = || Failure::input(format!("`{shown}` is not a trace file of Lariat: its fingerprints are wrong"));
        file.trace().ok_or_else(wrong)
    }

    /// Whether the file is as it was written.
    pub(crate) fn is_intact(&self) -> bool {
        self.sha256 == self.digest()
    }

    /// Writes a file; never over anything but another trace. A run can have millions of steps, so that the text is never
    /// kept as a whole.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        check_replaceable(path)?;
        file::write_by_pieces(path, |file| {
            let sha256 = self.hashed(&mut *file)?;
            write!(file, "\"sha256\": \"{sha256}\"\n}}\n")
        })
    }

    /// The file as JSON on one line.
    pub(crate) fn json(mut self) -> String {
        self.sha256 = self.digest();
        format!("{}\n", serde_json::to_string(&self).expect("all keys are strings"))
    }

    /// The hash of all lines but the last two.
    fn digest(&self) -> String {
        self.hashed(io::sink()).expect("nothing is written")
    }

    /// Writes all lines but the last two, and gives their hash.
    fn hashed(&self, into: impl Write) -> io::Result<String> {
        let mut text = BufWriter::with_capacity(PIECE, Hashed { hasher: Sha256::new(), inner: into });
        self.body(&mut text)?;
        let Hashed { hasher, .. } = text.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// All lines but the last two. Each step has a line of its own, so that traces can be compared line by line.
    fn body(&self, into: &mut impl Write) -> io::Result<()> {
        into.write_all(b"{\n")?;
        entry(into, "format", &self.format)?;
        entry(into, "schema", &self.schema)?;
        entry(into, "lariat", &self.lariat)?;
        entry(into, "model", &self.model)?;
        entry(into, "violation", &self.violation)?;
        if let Some(draft) = &self.draft {
            entry(into, "validated", &false)?;
            entry(into, "shape", &draft.shape())?;
            into.write_all(b"\"fingerprints\": \"")?;
            draft.fingerprints().iter().try_for_each(|print| write!(into, "{print:0DIGITS$x}"))?;
            return into.write_all(b"\",\n");
        }
        entry(into, "minimal", &self.minimal)?;
        if let Some(among) = &self.minimal_among {
            entry(into, "minimal_among", among)?;
        }
        entry(into, "initial", &self.run.initial)?;
        if !self.run.branches.is_empty() {
            entry(into, "branches", &self.run.branches)?;
        }
        for (key, steps) in [("stem", &self.run.stem), ("loop", &self.run.cycle)] {
            write!(into, "\"{key}\": [")?;
            let mut separator = "\n";
            for step in steps {
                into.write_all(separator.as_bytes())?;
                serde_json::to_writer(&mut *into, step)?;
                separator = ",\n";
            }
            into.write_all(if steps.is_empty() { b"],\n" } else { b"\n],\n" })?;
        }
        Ok(())
    }
}

/// Writes a key and its value on a line of their own.
fn entry(into: &mut impl Write, key: &str, value: &impl Serialize) -> io::Result<()> {
    write!(into, "\"{key}\": ")?;
    serde_json::to_writer(&mut *into, value)?;
    into.write_all(b",\n")
}

/// Hashes what is written.
struct Hashed<W> {
    hasher: Sha256,
    inner: W,
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Whether a file begins as a trace does, of whatever version, complete or not.
fn is_trace(path: &Path) -> bool {
    let text: String = file::head(path).unwrap_or_default().split_whitespace().collect();
    text.starts_with(&format!("{{\"format\":\"{FORMAT}\""))
}

/// What a trace file is about.
#[derive(Debug)]
pub(crate) struct Owner {
    /// The file of the model.
    pub(crate) model: String,
    pub(crate) property: String,
    /// Whether the run is not confirmed.
    pub(crate) is_draft: bool,
}

/// What a trace file is about; none if the file is no complete trace.
pub(crate) fn owner(path: &Path) -> Option<Owner> {
    if !is_trace(path) {
        return None;
    }
    // The head of a trace is one line for each key; its steps can be long.
    let reader = BufReader::new(File::open(path).ok()?.take(LONGEST_HEAD));
    let lines: Vec<String> = reader.lines().take(LINES_OF_HEAD).map_while(Result::ok).collect();
    let value = |key: &str| {
        let line = lines.iter().find_map(|line| line.strip_prefix(&format!("\"{key}\": ")))?;
        serde_json::from_str::<Value>(line.strip_suffix(',')?).ok()
    };
    let text = |value: &Value, key: &str| Some(value.get(key)?.as_str()?.to_owned());
    let is_draft = value("validated") == Some(Value::Bool(false));
    Some(Owner { model: text(&value("model")?, "file")?, property: text(&value("violation")?, "property")?, is_draft })
}

/// Refuses to replace anything but a trace, a part of one, or an empty file.
pub(crate) fn check_replaceable(path: &Path) -> Result<(), Failure> {
    let Ok(found) = std::fs::metadata(path) else { return Ok(()) };
    match found.is_dir() || found.is_file() && found.len() == 0 || is_trace(path) {
        true => Ok(()),
        false => Err(refused(path)),
    }
}

fn refused(path: &Path) -> Failure {
    Failure::usage(format!("`{}` exists and is not a trace file: it is not overwritten", path.display()))
}
