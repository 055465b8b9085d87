//! The answer about one property, and what it rests on.

use super::Outcome;
use super::counterexample::Counterexample;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

pub use kernel::decision::Reason;

/// That a search visited every reachable state, that a fixed point over all of them was computed, or that an invariant of all
/// of them was proved.
///
/// Made only from the coverage that the outcome of an engine gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    states: Option<u64>,
}

impl Coverage {
    /// The number of states that were visited one by one; none if sets of states were.
    #[must_use]
    pub fn states(&self) -> Option<u64> {
        self.states
    }
}

impl From<search::coverage::SearchCoverage> for Coverage {
    fn from(coverage: search::coverage::SearchCoverage) -> Self {
        Self { states: Some(coverage.states()) }
    }
}

impl From<symbolic::report::FixpointCoverage> for Coverage {
    fn from(_: symbolic::report::FixpointCoverage) -> Self {
        Self { states: None }
    }
}

impl From<&sat::engine::Proof> for Coverage {
    fn from(_: &sat::engine::Proof) -> Self {
        Self { states: None }
    }
}

/// The evidence for a violation: counterexamples, all of which a validator confirmed.
///
/// The list is empty only for violations that no run can show, such as that no path from an initial state is fair.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    counterexamples: Vec<Counterexample>,
    omitted: u64,
}

impl Violation {
    /// Confirmed counterexamples, and the number of further violations that are not shown.
    pub(crate) fn shown(counterexamples: Vec<Counterexample>, omitted: u64) -> Self {
        Self { counterexamples, omitted }
    }

    /// A violation that fixed points over all reachable states prove and no counterexample shows.
    pub(crate) fn computed(_proof: symbolic::report::FixpointCoverage) -> Self {
        Self { counterexamples: Vec::new(), omitted: 0 }
    }

    /// The counterexamples.
    #[must_use]
    pub fn counterexamples(&self) -> &[Counterexample] {
        &self.counterexamples
    }

    /// The counterexamples, so that a front end can note where it saved them.
    pub fn counterexamples_mut(&mut self) -> &mut [Counterexample] {
        &mut self.counterexamples
    }

    /// How many further violations were found and are not shown.
    #[must_use]
    pub fn omitted(&self) -> u64 {
        self.omitted
    }
}

/// The answer about one property.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Every run satisfies it.
    Holds {
        /// What was visited.
        coverage: Coverage,
    },
    /// Every run satisfies it, but for a reason that makes it say little, such as a premise that never holds.
    HoldsVacuously {
        /// What was visited.
        coverage: Coverage,
        /// Why it says little.
        reason: String,
    },
    /// Some run violates it.
    Violated(Violation),
    /// The length that the property asks for was computed.
    Computed {
        /// What was visited.
        coverage: Coverage,
        /// The number of steps; none if there is no bound or no such path.
        steps: Option<u64>,
    },
    /// It is undecided.
    Unknown(Reason),
}

impl Verdict {
    /// The verdict in words: `holds`, `holds vacuously`, `violated`, `computed` or `unknown`.
    #[must_use]
    pub fn words(&self) -> &'static str {
        match self {
            Verdict::Holds { .. } => "holds",
            Verdict::HoldsVacuously { .. } => "holds vacuously",
            Verdict::Violated(_) => "violated",
            Verdict::Computed { .. } => "computed",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// What the verdict contributes to the outcome of the whole check.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self {
            Verdict::Holds { .. } | Verdict::HoldsVacuously { .. } | Verdict::Computed { .. } => Outcome::Holds,
            Verdict::Violated(_) => Outcome::Violated,
            Verdict::Unknown(_) => Outcome::Unknown,
        }
    }

    /// Why the property is undecided, or holds vacuously.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        match self {
            Verdict::HoldsVacuously { reason, .. } => Some(reason.clone()),
            Verdict::Unknown(reason) => Some(reason.to_string()),
            Verdict::Holds { .. } | Verdict::Violated(_) | Verdict::Computed { .. } => None,
        }
    }
}

/// The verdict in JSON, whose keys are those of the property.
#[derive(JsonSchema, Serialize)]
struct Record<'a> {
    /// The answer. A property that computes a length holds.
    verdict: Word,
    /// Why the property is undecided, or holds vacuously.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// True if the property holds for a reason that makes it say little, such as a premise that never holds.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    vacuous: bool,
    /// The length that the property computes; absent if there is no bound or no such path.
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<u64>,
    /// A run that violates the property.
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<&'a Counterexample>,
    /// Further runs that violate it in other ways.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    further_counterexamples: &'a [Counterexample],
    /// The number of further violations that were found and are not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    omitted_counterexamples: Option<u64>,
}

/// The answers of JSON.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    /// Every run satisfies the property.
    Holds,
    /// Some run violates it.
    Violated,
    /// It is undecided.
    Unknown,
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (first, further, omitted) = match self {
            Verdict::Violated(violation) => match violation.counterexamples() {
                [first, further @ ..] => (Some(first), further, violation.omitted),
                [] => (None, &[][..], violation.omitted),
            },
            _ => (None, &[][..], 0),
        };
        let record = Record {
            verdict: match self.outcome() {
                Outcome::Holds => Word::Holds,
                Outcome::Violated => Word::Violated,
                Outcome::Unknown => Word::Unknown,
            },
            reason: self.reason(),
            vacuous: matches!(self, Verdict::HoldsVacuously { .. }),
            steps: if let Verdict::Computed { steps, .. } = self { *steps } else { None },
            counterexample: first,
            further_counterexamples: further,
            omitted_counterexamples: (omitted > 0).then_some(omitted),
        };
        record.serialize(serializer)
    }
}

impl JsonSchema for Verdict {
    fn schema_name() -> Cow<'static, str> {
        "Verdict".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Record::json_schema(generator)
    }
}
