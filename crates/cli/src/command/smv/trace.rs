//! Trace files of SMV models. The format is that of `docs/json.md`, with states in place of statements.

use super::SmvInput;
use crate::exit::Failure;
use crate::trace::{self, FORMAT, ModelRecord, SCHEMA};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::Path;
use symbolic::report::{Branch, Defined, Extent, PropertyReport, Setting, Trace, TraceState};

/// One state: where a step leads, with the inputs of that step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StateRecord {
    /// The inputs of the step that leads here.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) inputs: Vec<Setting>,
    /// The values of all state variables.
    pub(crate) state: Vec<Setting>,
    /// The names of the variables and inputs that matter; absent if nothing was stripped.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) relevant: Option<Vec<String>>,
}

/// A path, a lasso, or a tree of them, by steps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PathRecord {
    pub(crate) initial: StateRecord,
    pub(crate) stem: Vec<StateRecord>,
    #[serde(rename = "loop")]
    pub(crate) cycle: Vec<StateRecord>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) branches: Vec<BranchRecord>,
}

/// A path that begins at a state of another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BranchRecord {
    /// After how many steps of the other.
    pub(crate) at: usize,
    #[serde(flatten)]
    pub(crate) path: PathRecord,
}

/// The names that are among the settings.
fn among(settings: &[Setting], names: &[String]) -> Vec<String> {
    settings.iter().map(|setting| &setting.name).filter(|name| names.contains(name)).cloned().collect()
}

impl From<&Trace> for PathRecord {
    fn from(trace: &Trace) -> Self {
        let entering = |from: Option<usize>, to: usize| {
            let inputs = from.map_or_else(Vec::new, |from| trace.states[from].inputs.clone());
            let state = trace.states[to].state.clone();
            let mut relevant = trace.states[to].relevant.as_ref().map(|names| among(&state, names));
            if let (Some(relevant), Some(names)) =
                (&mut relevant, from.and_then(|from| trace.states[from].relevant.as_ref()))
            {
                relevant.extend(among(&inputs, names));
            }
            StateRecord { inputs, state, relevant }
        };
        let start = trace.loop_start.unwrap_or(trace.states.len() - 1);
        let mut cycle = Vec::new();
        if let Some(start) = trace.loop_start {
            let last = trace.states.len() - 1;
            cycle.extend((start + 1..=last).map(|at| entering(Some(at - 1), at)));
            cycle.push(entering(Some(last), start));
        }
        let branch = |branch: &Branch| BranchRecord { at: branch.at, path: (&branch.trace).into() };
        PathRecord {
            initial: entering(None, 0),
            stem: (1..=start).map(|at| entering(Some(at - 1), at)).collect(),
            cycle,
            branches: trace.branches.iter().map(branch).collect(),
        }
    }
}

impl PathRecord {
    /// The trace by states. A loop must end where it began.
    pub(crate) fn trace(&self) -> Result<Trace, String> {
        let mut entered: Vec<&StateRecord> = vec![&self.initial];
        entered.extend(self.stem.iter().chain(&self.cycle));
        let mut loop_start = None;
        if let Some(last) = self.cycle.last() {
            let start = self.stem.len();
            if last.state != entered[start].state {
                return Err("the loop does not end where it begins".into());
            }
            loop_start = Some(start);
        }
        let count = entered.len() - usize::from(loop_start.is_some());
        // A record has the inputs of the step that leads to its state, a state of the trace those of the step that leaves.
        let relevant = |at: usize| {
            let mut names = among(&entered[at].state, entered[at].relevant.as_ref()?);
            if let Some(next) = entered.get(at + 1) {
                names.extend(among(&next.inputs, next.relevant.as_deref().unwrap_or_default()));
            }
            Some(names)
        };
        let states = (0..count).map(|at| TraceState {
            state: entered[at].state.clone(),
            inputs: entered.get(at + 1).map_or_else(Vec::new, |next| next.inputs.clone()),
            relevant: relevant(at),
            defined: Defined::default(),
        });
        let branches = self.branches.iter().map(|one| Ok(Branch { at: one.at, trace: one.path.trace()? }));
        Ok(Trace {
            states: states.collect(),
            loop_start,
            branches: branches.collect::<Result<_, String>>()?,
            validated: Extent::Partly,
            shortest: false,
        })
    }

    /// The number of steps, that of the loop included.
    pub(crate) fn length(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }
}

/// What a trace shows to be false.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Violated {
    pub(crate) property: String,
    pub(crate) kind: String,
    pub(crate) message: String,
}

/// A whole file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TraceFile {
    format: String,
    schema: u32,
    lariat: String,
    pub(crate) model: ModelRecord,
    pub(crate) violation: Violated,
    pub(crate) minimal: bool,
    #[serde(flatten)]
    pub(crate) path: PathRecord,
}

impl TraceFile {
    /// Records a counterexample.
    pub(crate) fn new(input: &SmvInput, property: &PropertyReport, trace: &Trace) -> Self {
        TraceFile {
            format: FORMAT.into(),
            schema: SCHEMA,
            lariat: env!("CARGO_PKG_VERSION").into(),
            model: ModelRecord {
                file: input.name.clone(),
                sha256: input.hash.clone(),
                defines: Vec::new(),
                undefines: Vec::new(),
            },
            violation: Violated {
                property: property.name.clone(),
                kind: property.kind.clone(),
                message: crate::view::smv::headline(property),
            },
            minimal: trace.shortest,
            path: trace.into(),
        }
    }

    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        trace::read(path, "an SMV model", |trace: &Self| (&trace.format, trace.schema))
    }

    /// Writes a file; never over anything but another trace.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        trace::write(path, &self.text())
    }

    /// The text: one line for each step, so that traces can be compared line by line.
    fn text(&self) -> String {
        let json = |value: serde_json::Result<String>| value.expect("records have string keys only");
        let mut text = String::from("{\n");
        let head = [
            ("format", json(serde_json::to_string(&self.format))),
            ("schema", self.schema.to_string()),
            ("lariat", json(serde_json::to_string(&self.lariat))),
            ("model", json(serde_json::to_string(&self.model))),
            ("violation", json(serde_json::to_string(&self.violation))),
            ("minimal", self.minimal.to_string()),
            ("initial", json(serde_json::to_string(&self.path.initial))),
        ];
        for (key, value) in head {
            let _ = writeln!(text, "\"{key}\": {value},");
        }
        let list = |states: &[StateRecord]| {
            let lines: Vec<String> = states.iter().map(|state| json(serde_json::to_string(state))).collect();
            if lines.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", lines.join(",\n")) }
        };
        if !self.path.branches.is_empty() {
            let _ = writeln!(text, "\"branches\": {},", json(serde_json::to_string(&self.path.branches)));
        }
        let _ = writeln!(text, "\"stem\": {},\n\"loop\": {}", list(&self.path.stem), list(&self.path.cycle));
        text.push_str("}\n");
        text
    }
}
