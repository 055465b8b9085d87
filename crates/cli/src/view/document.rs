//! The JSON documents of `translate`, `automaton`, `formula` and `validate`, schema 2: one object per line.
//!
//! The types generate the JSON Schema files of `docs/schema`. A value that does not apply is absent, as in the reports of
//! `check`. The automaton itself is written by `omega::io::json`; its type here only serves the schema.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

use omega::automaton::Automaton;

/// The version of the JSON of all commands.
pub(crate) const SCHEMA: u32 = 2;

/// A document as a line of text.
pub(crate) fn line(document: &impl Serialize) -> String {
    serde_json::to_string(document).expect("all keys are strings") + "\n"
}

/// A JSON Schema generated from a type.
#[cfg_attr(not(test), expect(dead_code, reason = "tests write the files of docs/schema"))]
pub(crate) fn schema_of<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>().to_value()
}

/// A line of `translate --format json` and `automaton --format json`.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "the type generates the schema")]
pub(crate) enum AutomatonLine {
    /// An automaton.
    Automaton(Written),
    /// With `--stats`: the sizes of an automaton.
    Sizes(Sizes),
    /// With `--shortest-lasso`: an accepting lasso.
    Lasso(Lasso),
    /// With questions: the answers.
    Answers(Answers),
    /// With `--strength`: the strength of an automaton.
    Strength(Strength),
}

/// An automaton.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    /// The version of this format.
    pub(crate) schema: u32,
    /// The name, usually a formula.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// The atomic propositions.
    pub(crate) atoms: Vec<String>,
    /// The number of acceptance sets; an accepting run meets each of them infinitely often.
    pub(crate) acceptance_sets: u32,
    /// The initial state.
    pub(crate) initial: u32,
    /// The states; the first is state 0.
    pub(crate) states: Vec<WrittenState>,
}

/// A state of an automaton.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WrittenState {
    /// The name of the state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// The edges that leave the state.
    pub(crate) edges: Vec<WrittenEdge>,
}

/// An edge of an automaton.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WrittenEdge {
    /// The state that it leads to.
    pub(crate) target: u32,
    /// A Boolean formula over the atomic propositions, in Spot's notation.
    pub(crate) label: String,
    /// The acceptance sets that the edge belongs to.
    pub(crate) marks: Vec<u32>,
}

/// The sizes of an automaton.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sizes {
    /// The version of this format.
    pub(crate) schema: u32,
    /// The name, usually a formula.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// The number of the formula or automaton in the input, from 1.
    pub(crate) number: usize,
    /// The number of states.
    pub(crate) states: usize,
    /// The number of edges.
    pub(crate) edges: usize,
    /// The number of edges, each counted once for each valuation of its label; at most 2^64 - 1.
    pub(crate) transitions: u64,
    /// The number of acceptance sets.
    pub(crate) acceptance_sets: u32,
    /// True if no state has two edges for one valuation.
    pub(crate) deterministic: bool,
    /// The number of states that have two edges for one valuation.
    pub(crate) nondeterministic_states: usize,
    /// True if every state has an edge for every valuation.
    pub(crate) complete: bool,
    /// True if all edges of a state belong to the same acceptance sets.
    pub(crate) state_based: bool,
}

impl Sizes {
    /// The sizes of an automaton, given its number in the input.
    pub(crate) fn of(automaton: &Automaton, number: usize) -> Self {
        let nondeterministic_states = automaton.nondeterministic_state_count();
        Self {
            schema: SCHEMA,
            name: automaton.name.clone(),
            number,
            states: automaton.state_count(),
            edges: automaton.edge_count(),
            transitions: u64::try_from(automaton.transition_count()).unwrap_or(u64::MAX),
            acceptance_sets: automaton.sets(),
            deterministic: nondeterministic_states == 0,
            nondeterministic_states,
            complete: automaton.is_complete(),
            state_based: automaton.is_state_based(),
        }
    }
}

/// An accepting lasso, or that there is none.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lasso {
    /// The version of this format.
    pub(crate) schema: u32,
    /// The name of the automaton.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// True if the automaton accepts no word; then the rest is absent.
    pub(crate) empty: bool,
    /// The number of steps of stem and loop together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) length: Option<usize>,
    /// True if it is proved that no accepting lasso is shorter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) minimal: Option<bool>,
    /// The states before the loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stem: Option<Vec<u32>>,
    /// The states of the loop.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    pub(crate) cycle: Option<Vec<u32>>,
}

/// Answers to questions about an automaton.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answers {
    /// The version of this format.
    pub(crate) schema: u32,
    /// The name of the automaton.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// The answers, in the order of the options in the help.
    pub(crate) answers: Vec<Answer>,
}

/// The answer to a question about an automaton.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answer {
    /// The name of the option.
    pub(crate) question: String,
    /// True for yes.
    pub(crate) answer: bool,
    /// A word that shows the answer no.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) word: Option<String>,
}

/// The strength of an automaton.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Strength {
    /// The version of this format.
    pub(crate) schema: u32,
    /// The name of the automaton.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// `rejecting`, `terminal`, `weak` or `strong`.
    pub(crate) strength: String,
    /// The number of components of each strength.
    pub(crate) components: BTreeMap<String, usize>,
}

/// The output of `validate --format json`. Further fields depend on the language of the model.
#[derive(Serialize, JsonSchema)]
#[cfg_attr(not(test), expect(dead_code, reason = "the type generates the schema"))]
pub(crate) struct Validation {
    /// The version of this format.
    pub(crate) schema: u32,
    /// The file of the model.
    pub(crate) model: String,
    /// The file of the trace.
    pub(crate) trace: String,
    /// True if the trace was recorded for this model.
    pub(crate) same_model: bool,
    /// True if the trace is a run of the model that violates the property.
    pub(crate) valid: bool,
    /// The number of steps.
    pub(crate) length: usize,
    /// If the trace is not valid: the first wrong step, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) first_wrong_step: Option<usize>,
    /// If the trace is not valid: the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
}

/// A line of `formula --format json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FormulaLine {
    /// The version of this format.
    pub(crate) schema: u32,
    /// The formula, in the notation of `--to`.
    pub(crate) formula: String,
    /// With `--size`: the number of operators and propositions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) size: Option<u64>,
    /// With `--classify`: the smallest class of the temporal hierarchy, by meaning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) class: Option<String>,
    /// With `--classify`: the smallest class that the shape of the formula proves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) class_by_shape: Option<String>,
    /// With `--classify`: true if repeating letters never changes the truth of the formula.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stutter_invariant: Option<bool>,
    /// The answers to questions, if there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) answers: Vec<FormulaAnswer>,
}

/// The answer to a question about a formula.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FormulaAnswer {
    /// The name of the option.
    pub(crate) question: String,
    /// The formula or word of the option.
    pub(crate) about: String,
    /// True for yes.
    pub(crate) answer: bool,
    /// A word that tells two formulas apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) word: Option<String>,
    /// With `--explain`: a proof, in lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<Vec<String>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::testbench;
    use std::path::Path;

    /// With `UPDATE_EXPECT=1` the files are written again instead of compared.
    #[test]
    fn the_schemas_are_those_of_the_types() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
        for (name, schema) in [
            ("automaton-2.json", schema_of::<AutomatonLine>()),
            ("formula-2.json", schema_of::<FormulaLine>()),
            ("testbench-2.json", schema_of::<testbench::document::Document>()),
            ("validation-2.json", schema_of::<Validation>()),
        ] {
            let (path, expected) = (folder.join(name), format!("{schema:#}\n"));
            if std::env::var_os("UPDATE_EXPECT").is_some() {
                std::fs::write(&path, &expected).expect("the schema can be written");
            }
            let found = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(found == expected, "docs/schema/{name} is not up to date: run this test with UPDATE_EXPECT=1");
        }
    }
}
