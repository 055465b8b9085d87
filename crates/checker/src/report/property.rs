//! What was found about one property.

use super::counterexample::Counterexample;
use super::draft::Draft;
use super::measure::{Engine, Seconds, Statistics};
use super::notes::{Location, Warning};
use super::verdict::Verdict;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kinds of property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PropertyKind {
    /// Assertions and run-time errors of a Promela model.
    Assertion,
    /// Valid end states of a Promela model.
    EndState,
    /// A formula of linear-time logic.
    Ltl,
    /// A never claim, or an automaton that must accept no run.
    Never,
    /// No run visits `accept` labels infinitely often.
    Acceptance,
    /// No run stays away from `progress` labels forever.
    NonProgress,
    /// A `trace` or `notrace` assertion.
    Trace,
    /// A formula of branching-time logic.
    Ctl,
    /// An expression that every reachable state satisfies.
    Invariant,
    /// A length of paths to compute.
    Compute,
    /// Every reachable state of an SMV model has a successor.
    Deadlock,
    /// Some path from an initial state of an SMV model is fair and infinite.
    Fairness,
}

impl PropertyKind {
    /// All kinds.
    pub const ALL: [PropertyKind; 12] = [
        PropertyKind::Assertion,
        PropertyKind::EndState,
        PropertyKind::Ltl,
        PropertyKind::Never,
        PropertyKind::Acceptance,
        PropertyKind::NonProgress,
        PropertyKind::Trace,
        PropertyKind::Ctl,
        PropertyKind::Invariant,
        PropertyKind::Compute,
        PropertyKind::Deadlock,
        PropertyKind::Fairness,
    ];

    /// The word for the kind in reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            PropertyKind::Assertion => "assertion",
            PropertyKind::EndState => "end-state",
            PropertyKind::Ltl => "ltl",
            PropertyKind::Never => "never",
            PropertyKind::Acceptance => "acceptance",
            PropertyKind::NonProgress => "non-progress",
            PropertyKind::Trace => "trace",
            PropertyKind::Ctl => "ctl",
            PropertyKind::Invariant => "invariant",
            PropertyKind::Compute => "compute",
            PropertyKind::Deadlock => "deadlock",
            PropertyKind::Fairness => "fairness",
        }
    }

    /// The kind with this word.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// What a property of this kind demands, in one sentence.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            PropertyKind::Assertion => "No assertion fails and no statement causes a run-time error.",
            PropertyKind::EndState => "No run ends where a process may not stay.",
            PropertyKind::Ltl => "Every run satisfies the formula.",
            PropertyKind::Never => "The never claim matches no run, and the automaton accepts none.",
            PropertyKind::Acceptance => "No run visits accept labels infinitely often.",
            PropertyKind::NonProgress => "No run stays away from progress labels forever.",
            PropertyKind::Trace => "The events on channels are as the trace assertion demands.",
            PropertyKind::Ctl => "Every initial state satisfies the formula.",
            PropertyKind::Invariant => "Every reachable state satisfies the expression.",
            PropertyKind::Compute => "The length of paths is computed.",
            PropertyKind::Deadlock => "Every reachable state has a successor.",
            PropertyKind::Fairness => "Some path from an initial state is fair and infinite.",
        }
    }
}

/// Where a property comes from, as trace files record it.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PropertySource {
    /// The model states it, under its name.
    Model,
    /// A formula given beside the model.
    Formula(String),
    /// A never claim given beside the model.
    Never(String),
    /// An automaton given beside the model.
    Automaton(String),
}

/// What was found about one property.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct PropertyReport {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: PropertyKind,
    /// The formula, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// The section of an SMV model that states it, such as `CTLSPEC`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Where it is stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Location>,
    /// Where it comes from.
    #[serde(skip)]
    pub source: PropertySource,
    /// The answer.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// What the user should know beside the verdict.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// What its searches took.
    #[serde(flatten)]
    pub statistics: Statistics,
    /// How it was decided.
    pub engine: Engine,
    /// Wall-clock time by stage, of this property alone.
    pub seconds: Seconds,
    /// The file with a run that violates the property, if a limit kept the run from being confirmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unconfirmed_trace_file: Option<String>,
    /// That run.
    #[serde(skip)]
    pub draft: Option<Draft>,
}

impl PropertyReport {
    /// The counterexamples, if it is violated.
    #[must_use]
    pub fn counterexamples(&self) -> &[Counterexample] {
        match &self.verdict {
            Verdict::Violated(violation) => violation.counterexamples(),
            _ => &[],
        }
    }

    /// How many further violations were found and are not shown.
    #[must_use]
    pub fn omitted_counterexamples(&self) -> u64 {
        match &self.verdict {
            Verdict::Violated(violation) => violation.omitted(),
            _ => 0,
        }
    }

    /// Why it is undecided, or holds vacuously.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        self.verdict.reason()
    }
}
