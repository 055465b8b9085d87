//! The Promela corpus: models with what SPIN says of them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// A model of the corpus.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its name in the corpus.
    pub id: String,
    /// The file.
    pub file: PathBuf,
    /// Preprocessor flags.
    pub flags: Vec<String>,
    /// What SPIN says: the `expect` field of the corpus.
    pub expect: Value,
}

/// Reads the list of models and SPIN's verdicts from a corpus folder.
///
/// # Errors
/// If the folder lacks them, with the reason in words.
pub fn models(folder: &Path) -> Result<Vec<Model>, String> {
    let json = |name: &str| -> Result<Value, String> {
        let path = folder.join(name);
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
    };
    let (manifest, verdicts) = (json("manifest.json")?, json("verdicts.json")?);
    let entries = manifest["models"].as_array().ok_or("manifest.json has no list of models")?;
    let model = |entry: &Value| {
        let id = entry["id"].as_str()?.to_string();
        let flags = entry["spin"].as_array().into_iter().flatten();
        Some(Model {
            file: folder.join(entry["file"].as_str()?),
            flags: flags.filter_map(|flag| Some(flag.as_str()?.to_string())).collect(),
            expect: verdicts["models"][&id]["expect"].clone(),
            id,
        })
    };
    Ok(entries.iter().filter_map(model).collect())
}

/// The model ids that a document argues about: those in the first column of its tables.
///
/// # Panics
/// If the document cannot be read.
#[must_use]
pub fn argued(document: &Path) -> Vec<String> {
    let text = fs::read_to_string(document).unwrap_or_else(|error| panic!("{}: {error}", document.display()));
    let id = |line: &str| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_string());
    text.lines().filter_map(id).collect()
}
