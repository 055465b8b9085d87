//! The JSON document about a check: its version, and its schema.

use super::notes::DiagnosticNote;
use super::{Report, SCHEMA};
use crate::error::Rejected;
use crate::words::count;
use kernel::diagnostic::Severity;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::Value;

/// The output of `lariat check --format json`: the report on one model, or an array with a report on each of several models.
#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(title = "Reports")]
#[expect(dead_code, reason = "it describes the output, which front ends put together")]
enum Output<'a> {
    /// One model.
    One(Document<'a>),
    /// Several models.
    Several(Vec<Document<'a>>),
}

/// The report on one model, one object on one line. What an engine does not measure is absent.
#[derive(JsonSchema, Serialize)]
#[serde(untagged)]
#[schemars(title = "Report")]
enum Document<'a> {
    /// A check was made.
    Checked {
        /// The version of this format.
        #[schemars(extend("const" = SCHEMA))]
        schema: u32,
        #[serde(flatten)]
        report: &'a Report,
    },
    /// The model or a property contains errors, and no check was made.
    Rejected {
        /// The version of this format.
        #[schemars(extend("const" = SCHEMA))]
        schema: u32,
        /// Which model was to be checked.
        model: RejectedModel<'a>,
        /// What is wrong, in one line.
        error: String,
        /// No properties.
        #[schemars(length(max = 0))]
        properties: [Value; 0],
        /// The errors, and the warnings beside them.
        diagnostics: Vec<DiagnosticNote>,
    },
}

/// A model that contains errors.
#[derive(JsonSchema, Serialize)]
struct RejectedModel<'a> {
    /// The name of its file.
    file: &'a str,
}

impl Rejected {
    /// What is wrong, in one line.
    #[must_use]
    pub fn summary(&self) -> String {
        let is_error = |severity| severity == Severity::Error;
        match self.diagnostics.iter().filter(|diagnostic| is_error(diagnostic.severity)).count() {
            0 => self.what.clone(),
            errors => format!("{} is not accepted: {}", self.what, count(errors as u64, "error")),
        }
    }

    /// The errors, and the warnings beside them, without the texts that they point into.
    #[must_use]
    pub fn notes(&self) -> Vec<DiagnosticNote> {
        self.diagnostics.iter().map(|diagnostic| DiagnosticNote::of(&self.sources, diagnostic)).collect()
    }

    /// The JSON document about a check that was not made, on one line.
    #[must_use]
    pub fn json(&self) -> String {
        text(&Document::Rejected {
            schema: SCHEMA,
            model: RejectedModel { file: &self.name },
            error: self.summary(),
            properties: [],
            diagnostics: self.notes(),
        })
    }
}

impl Report {
    /// The JSON document about the check, on one line.
    #[must_use]
    pub fn json(&self) -> String {
        text(&Document::Checked { schema: SCHEMA, report: self })
    }

    /// The JSON Schema of these documents.
    #[must_use]
    pub fn schema() -> Value {
        let settings = SchemaSettings::draft2020_12().for_serialize();
        settings.into_generator().into_root_schema_for::<Output<'_>>().to_value()
    }
}

fn text(document: &Document<'_>) -> String {
    let mut text = serde_json::to_string(document).expect("all keys are strings");
    text.push('\n');
    text
}
