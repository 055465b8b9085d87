//! What a check took: numbers, times, and how a property was decided.

use crate::reduction::ReductionReport;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// A number of states that may be too large to be known exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Count {
    /// Exactly this many.
    Exact(u128),
    /// About this many.
    About(f64),
}

/// As a number: exact up to 64 bits, since few readers of JSON know larger whole numbers.
impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Count::Exact(count) => match u64::try_from(count) {
                Ok(count) => serializer.serialize_u64(count),
                Err(_) => serializer.serialize_f64(count as f64),
            },
            Count::About(count) => serializer.serialize_f64(count),
        }
    }
}

impl JsonSchema for Count {
    fn schema_name() -> Cow<'static, str> {
        "Count".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number of states: exact up to 64 bits, an approximation beyond.",
            "type": "number",
            "minimum": 0,
        })
    }
}

impl From<u64> for Count {
    fn from(count: u64) -> Self {
        Count::Exact(u128::from(count))
    }
}

/// What searches took. A number that the engine does not measure is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct Statistics {
    /// Distinct states that were stored; for the symbolic engine, reachable states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<Count>,
    /// Steps executed, each time they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transitions: Option<u64>,
    /// The length in steps of the longest run that was explored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// States that were found and not visited yet; told while a search runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<u64>,
    /// An estimate of the states that are not visited yet; told while the levels of a breadth-first search shrink.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<u64>,
    /// Steps into states that are not counted, inside atomic sequences.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transient_steps: Option<u64>,
    /// The number of rings of states of a breadth-first search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diameter: Option<u64>,
    /// Bytes taken by stores, stacks and decision diagrams, at their peak.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
    /// Nodes of decision diagrams that were live at one time, at their peak.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_nodes: Option<u64>,
    /// State variables of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state_variables: Option<u64>,
    /// Input variables of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_variables: Option<u64>,
    /// Bits that encode the variables of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bits: Option<u64>,
    /// With a lossy store, the estimated probability that some state was never visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missed_probability: Option<f64>,
    /// Bytes of files with states that did not fit into memory, at their peak.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_disk_bytes: Option<u64>,
    /// The number of searches of a swarm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub searches: Option<u64>,
    /// The share of all states that a swarm visited: an estimate that is in general too high.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated_coverage: Option<f64>,
}

impl Statistics {
    /// Whether nothing was measured.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The stages of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Parse, check and compile the model and the properties.
    Read,
    /// Translate formulas into automata, or the model into decision diagrams.
    Translate,
    /// Make automata smaller by facts about the model.
    Refine,
    /// Decide.
    Search,
    /// Make a counterexample shorter, and strip it of what does not matter.
    Shorten,
    /// Have a counterexample confirmed by an independent implementation.
    Validate,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Stage; 6] =
        [Stage::Read, Stage::Translate, Stage::Refine, Stage::Search, Stage::Shorten, Stage::Validate];
}

/// Wall-clock seconds by stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct Seconds {
    /// Parse, check and compile the model and the properties.
    pub read: f64,
    /// Translate formulas into automata, or the model into decision diagrams.
    pub translate: f64,
    /// Make automata smaller by facts about the model.
    pub refine: f64,
    /// Decide.
    pub search: f64,
    /// Make counterexamples shorter, and strip them of what does not matter.
    pub shorten: f64,
    /// Have counterexamples confirmed by an independent implementation.
    pub validate: f64,
}

impl Seconds {
    /// All stages together.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.read + self.translate + self.refine + self.search + self.shorten + self.validate
    }

    /// The difference to an earlier measurement.
    #[must_use]
    pub(crate) fn since(&self, before: &Self) -> Self {
        Self {
            read: self.read - before.read,
            translate: self.translate - before.translate,
            refine: self.refine - before.refine,
            search: self.search - before.search,
            shorten: self.shorten - before.shorten,
            validate: self.validate - before.validate,
        }
    }

    /// Adds another measurement.
    pub(crate) fn add(&mut self, other: &Self) {
        self.read += other.read;
        self.translate += other.translate;
        self.refine += other.refine;
        self.search += other.search;
        self.shorten += other.shorten;
        self.validate += other.validate;
    }

    /// The seconds of one stage.
    pub fn of(&mut self, stage: Stage) -> &mut f64 {
        match stage {
            Stage::Read => &mut self.read,
            Stage::Translate => &mut self.translate,
            Stage::Refine => &mut self.refine,
            Stage::Search => &mut self.search,
            Stage::Shorten => &mut self.shorten,
            Stage::Validate => &mut self.validate,
        }
    }
}

/// States and edges of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Size {
    /// States.
    pub states: usize,
    /// Edges.
    pub edges: usize,
}

/// What facts about the model did to the automaton of a property.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Refinement {
    /// The way that gave the smallest automaton: `none`, `formula`, `automaton`, `formula-over-time` or
    /// `automaton-over-time`.
    pub way: String,
    /// How many facts about the atoms of the property were derived.
    pub facts: usize,
    /// The size without refinement.
    pub before: Size,
    /// The size of the automaton that was searched.
    pub after: Size,
    /// Why the refined automaton was not used, if that was not for its size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How a property was decided.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct Engine {
    /// The searches that were made, and why these; absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<String>,
    /// What was kept of visited states: `exact`, `compressed`, `hash-compact`, `bitstate`, `decision diagrams` or
    /// `clauses`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<String>,
    /// The strength of the property's automaton: `rejecting`, `terminal`, `weak` or `strong`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strength: Option<String>,
    /// The states of the property's automaton.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub automaton_states: Option<usize>,
    /// `weak` if only weakly fair runs count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fair: Option<String>,
    /// What facts about the model did to the automaton.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refinement: Option<Refinement>,
    /// Which reductions of the state space were used, and which were not; absent if none was allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduction: Option<ReductionReport>,
    /// Disjuncts of the transition relation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<usize>,
    /// SMV, with a SAT engine: no counterexample has fewer steps than this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refuted_below: Option<usize>,
    /// SMV, with a SAT engine: how the property was proved, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argument: Option<String>,
    /// SMV: whether SAT can decide such a property.
    #[serde(skip)]
    pub is_for_sat: bool,
}
