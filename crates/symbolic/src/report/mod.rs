//! The results of the symbolic engine: the answer to each property, with its counterexample.

pub mod trace;

use crate::validate::{Extent, Validated};
use flat::model::{NodeId, Property};
use kernel::budget::Exhausted;
use schemars::JsonSchema;
use serde::Serialize;

/// The answer about one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It holds; `vacuous` says why that means little, if it does.
    Holds {
        /// The reason, if it holds vacuously.
        vacuous: Option<String>,
    },
    /// It does not hold.
    Violated,
    /// It was asked how long paths are: this long, or without bound.
    Length {
        /// The number of steps; none if there is no bound or no such path.
        steps: Option<u64>,
    },
    /// It is undecided, since a limit was reached.
    Unknown {
        /// Which.
        limit: Exhausted,
    },
}

/// One variable and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The variable's full name.
    pub name: String,
    /// Its value as the text would write it.
    pub value: String,
}

/// One state of a trace, and the inputs of the step that leaves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceState {
    /// The values of all state and frozen variables.
    pub state: Vec<Setting>,
    /// The inputs of the next step; empty where no step follows.
    pub inputs: Vec<Setting>,
    /// The names of the variables that matter here, and of the inputs of the next step that do, if the trace was
    /// minimised.
    pub relevant: Option<Vec<String>>,
    /// The values of definitions of the state, and of those that depend on the inputs.
    pub defined: Defined,
}

/// The values of definitions, where they have one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defined {
    /// Of those about the state alone.
    pub state: Vec<Setting>,
    /// Of those about the inputs of the next step, too.
    pub inputs: Vec<Setting>,
}

/// A path, a lasso, or a tree of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The states in order.
    pub states: Vec<TraceState>,
    /// Which state follows the last one; none for a finite path.
    pub loop_start: Option<usize>,
    /// Further paths that begin at a state of this one.
    pub branches: Vec<Branch>,
    /// Whether the enumerator's rules confirm it all.
    pub validated: Extent,
    /// Whether no shorter one exists.
    pub shortest: bool,
}

impl Trace {
    /// The number of steps, that of the loop included.
    #[must_use]
    pub fn length(&self) -> usize {
        self.states.len() - usize::from(self.loop_start.is_none())
    }
}

/// A trace that begins at a state of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// At which state.
    pub at: usize,
    /// The trace; its first state is that state.
    pub trace: Trace,
}

/// That fixed points over all reachable states decided a property. Only a check makes one:
///
/// ```compile_fail
/// let coverage = symbolic::report::FixpointCoverage(());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixpointCoverage(());

impl FixpointCoverage {
    /// For the answers that a check gives.
    pub(crate) fn of(answer: &Answer) -> Option<Self> {
        (!matches!(answer, Answer::Unknown { .. })).then_some(FixpointCoverage(()))
    }
}

/// The result for one property.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyResult {
    /// The name given by the text, or a made one.
    pub name: String,
    /// `ctl`, `ltl`, `invariant`, `compute`, `deadlock` or `fairness`.
    pub kind: String,
    /// The section that holds it, such as `CTLSPEC`; empty for properties that are checked of every model.
    pub section: String,
    /// The formula.
    pub text: String,
    /// The instance it belongs to; empty for `main`.
    pub instance: String,
    /// The answer.
    pub answer: Answer,
    /// Time for this property alone.
    pub seconds: f64,
    /// Time for validating its counterexample.
    pub validation_seconds: f64,
    /// Time for the explicit search for a shorter counterexample.
    pub shortening_seconds: f64,
    /// The variables outside the cone of influence of the property, if it was checked without them.
    pub left_out: Vec<String>,
    /// The counterexample, if it is violated and one was wanted.
    pub counterexample: Option<Validated<Trace>>,
    /// The effect of stripping irrelevant values from the counterexample.
    pub minimised: Option<Minimised>,
    /// Where no value of the counterexample matters: the expressions of the property that have one truth value in all
    /// reachable states, with it.
    pub constants: Vec<(NodeId, bool)>,
    /// That the property was decided.
    pub(crate) coverage: Option<FixpointCoverage>,
}

impl PropertyResult {
    /// The result for a property that a confirmed counterexample of another engine shows to be false.
    #[must_use]
    pub fn refuted(index: usize, property: &Property, counterexample: Validated<Trace>) -> Self {
        PropertyResult {
            name: crate::check::name(index, property),
            kind: property.question.kind().to_owned(),
            section: property.section.to_owned(),
            text: property.text.clone(),
            instance: property.instance.clone(),
            coverage: FixpointCoverage::of(&Answer::Violated),
            answer: Answer::Violated,
            seconds: 0.0,
            validation_seconds: 0.0,
            shortening_seconds: 0.0,
            left_out: Vec::new(),
            constants: Vec::new(),
            counterexample: Some(counterexample),
            minimised: None,
        }
    }

    /// That fixed points over all reachable states decided the property, if they did.
    #[must_use]
    pub fn coverage(&self) -> Option<FixpointCoverage> {
        self.coverage
    }
}

/// What stripping a counterexample of irrelevant values did.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Minimised {
    /// Values before, over all states.
    pub values_before: usize,
    /// Values that matter.
    pub values_after: usize,
    /// Bits before.
    pub bits_before: usize,
    /// Bits that matter.
    pub bits_after: usize,
    /// Whether bits were dropped one by one, so that of some values only a part is left.
    pub by_bits: bool,
    /// Whether no single value can be dropped any more.
    pub irredundant: bool,
    /// Whether no smaller choice of values exists.
    pub minimum: bool,
    /// Whether limits left open if further values could be dropped.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub undecided: bool,
    /// Whether no value matters because every path of the model violates the property.
    pub every_path: bool,
    /// The time that stripping took.
    #[serde(skip)]
    pub seconds: f64,
}

impl Minimised {
    /// Adds the figures of a branch.
    pub(crate) fn add(&mut self, branch: &Minimised) {
        self.values_before += branch.values_before;
        self.values_after += branch.values_after;
        self.bits_before += branch.bits_before;
        self.bits_after += branch.bits_after;
        self.irredundant &= branch.irredundant;
        self.minimum &= branch.minimum;
        self.undecided |= branch.undecided;
        self.every_path &= branch.every_path;
        self.seconds += branch.seconds;
    }
}

/// The result for a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckResult {
    /// State and frozen variables.
    pub state_variables: usize,
    /// Input variables.
    pub input_variables: usize,
    /// Bits of all of them.
    pub bits: usize,
    /// Disjuncts of the relation.
    pub events: usize,
    /// How many states are reachable, exactly where it fits 128 bits.
    pub reachable_states: Option<String>,
    /// The same, approximately.
    pub reachable_states_approximately: Option<f64>,
    /// The number of rings of a breadth-first search, if the options ask for it.
    pub diameter: Option<usize>,
    /// Whether some path from an initial state is fair; none if unknown.
    pub fair_path_exists: Option<bool>,
    /// Warnings about the model as a whole.
    pub warnings: Vec<String>,
    /// One for each property, in order.
    pub properties: Vec<PropertyResult>,
    /// The bits in the order in which they stand at the end, as `variable.place`.
    pub order: Vec<String>,
    /// Most nodes live at one time.
    pub peak_nodes: usize,
    /// Time to build the machine.
    pub build_seconds: f64,
    /// Time to find the reachable states.
    pub reach_seconds: f64,
    /// Time in all.
    pub seconds: f64,
}
