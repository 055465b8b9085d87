//! The SMV corpus: models with what NuSMV says of them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// One property, as NuSMV lists it.
#[derive(Clone, Debug)]
pub struct Spec {
    /// `CTLSPEC`, `LTLSPEC`, `INVARSPEC`, `PSLSPEC` or `COMPUTE`.
    pub kind: String,
    /// The formula as NuSMV prints it.
    pub text: String,
    /// What NuSMV found within its time limit.
    pub verdict: Option<bool>,
    /// States of the trace it printed, the first one of a loop counted twice.
    pub trace_states: Option<u64>,
}

/// A model of the corpus.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its name in the corpus.
    pub id: String,
    /// The file.
    pub file: PathBuf,
    /// Processor seconds of NuSMV's best complete run.
    pub seconds: Option<f64>,
    /// Reachable states, to six digits.
    pub reachable: Option<f64>,
    /// The properties.
    pub specs: Vec<Spec>,
}

impl Model {
    /// NuSMV's seconds, if it reached every verdict.
    #[must_use]
    pub fn solved(&self) -> Option<f64> {
        let known = self.specs.iter().all(|spec| spec.verdict.is_some() || spec.kind == "COMPUTE");
        self.seconds.filter(|_| known)
    }
}

/// Reads the models and NuSMV's verdicts from a corpus folder, ordered by name.
///
/// # Errors
/// If the folder lacks them, with the reason in words.
pub fn models(folder: &Path) -> Result<Vec<Model>, String> {
    let path = folder.join("verdicts.json");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let verdicts: Value = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let entries = verdicts["models"].as_object().ok_or("verdicts.json has no models")?;
    let folder = fs::canonicalize(folder).map_err(|error| error.to_string())?;
    let model = |(id, entry): (&String, &Value)| {
        let runs = entry["runs"].as_object().into_iter().flatten().map(|(_, run)| run);
        let solved = runs.filter(|run| run["failed"].is_null()).filter_map(|run| run["cpu_seconds"].as_f64());
        Model {
            id: id.clone(),
            file: folder.join(id),
            seconds: solved.min_by(f64::total_cmp),
            reachable: entry["reachable_states"].as_str().and_then(|text| text.parse().ok()),
            specs: entry["specs"].as_array().into_iter().flatten().map(spec).collect(),
        }
    };
    let mut models: Vec<Model> = entries.iter().map(model).collect();
    models.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(models)
}

fn spec(entry: &Value) -> Spec {
    Spec {
        kind: entry["kind"].as_str().unwrap_or_default().to_owned(),
        text: entry["text"].as_str().unwrap_or_default().to_owned(),
        verdict: match entry["verdict"].as_str() {
            Some("true") => Some(true),
            Some("false") => Some(false),
            _ => None,
        },
        trace_states: entry["trace_states"].as_u64(),
    }
}

/// Whether two formulas are the same but for spaces, parentheses, and `a union b` for `{a, b}`.
#[must_use]
pub fn same_text(ours: &str, theirs: &str) -> bool {
    let bare = |text: &str| -> String {
        text.replace(" union ", ",").chars().filter(|c| !c.is_whitespace() && !"(){}".contains(*c)).collect()
    };
    bare(ours) == bare(theirs)
}
