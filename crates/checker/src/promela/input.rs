//! A Promela model that was accepted, with everything that properties given beside it may refer to.

use crate::error::{Error, Rejected};
use crate::report::{Language, ModelSummary};
use kernel::budget::{Budget, Exhausted};
use kernel::diagnostic::Diagnostic;
use kernel::span::SourceMap;
use promela::front::{self, Definitions, Files, PreprocessorOptions};
use promela::typed::Program;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A model that was accepted.
#[derive(Clone)]
pub struct Input {
    /// The name of the file.
    pub name: String,
    pub sources: SourceMap,
    pub program: Program,
    pub warnings: Vec<Diagnostic>,
    /// The hash of the text with all its inclusions, and of the definitions given beside it.
    pub hash: String,
    pub defines: Vec<String>,
    pub undefines: Vec<String>,
    /// The macros of the text, for properties given beside it.
    pub definitions: Definitions,
    /// How long it took to read.
    pub read_in: Duration,
    /// Where included files are.
    pub files: Arc<dyn Files + Send + Sync>,
}

/// A text beside the model that is not accepted.
pub struct PropertyError {
    /// What is not accepted; or the whole sentence, if there are no diagnostics.
    pub what: String,
    pub diagnostics: Vec<Diagnostic>,
    /// The limit that ended the reading of the text, if one did.
    pub exhausted: Option<Exhausted>,
}

impl PropertyError {
    /// A text with errors. If the budget it was read with is exhausted, the limit is the error.
    pub fn new(what: &str, diagnostics: Vec<Diagnostic>, budget: &Budget) -> Self {
        Self { what: what.into(), diagnostics, exhausted: budget.exhausted(0) }
    }
}

impl Input {
    /// Reads and checks a model. `defines` are of the form `NAME` or `NAME=TEXT`.
    ///
    /// # Errors
    /// What is wrong with the model, or the limit that was exhausted before it was read.
    pub fn read(
        name: &str,
        text: String,
        defines: &[String],
        undefines: &[String],
        files: Arc<dyn Files + Send + Sync>,
        budget: &Budget,
    ) -> Result<Self, Error> {
        let started = Instant::now();
        let mut sources = SourceMap::new();
        let file = sources.add_file(name, text, None);
        let split = |define: &String| match define.split_once('=') {
            Some((name, text)) => (name.to_string(), Some(text.to_string())),
            None => (define.clone(), None),
        };
        let options =
            PreprocessorOptions { defines: defines.iter().map(split).collect(), undefines: undefines.to_vec() };
        let loaded = front::load_within(&mut sources, file, &options, &*files, budget).map_err(Error::Exhausted)?;
        let Some(program) = loaded.program else {
            let (name, what) = (name.into(), "the model".into());
            return Err(Rejected { name, what, sources, diagnostics: loaded.diagnostics }.into());
        };
        let texts = sources.files().map(|file| sources.text(file));
        let hash = digest(texts.chain(defines.iter().chain(undefines).map(String::as_str)));
        Ok(Self {
            name: name.into(),
            sources,
            program,
            warnings: loaded.diagnostics,
            hash,
            defines: defines.to_vec(),
            undefines: undefines.to_vec(),
            definitions: loaded.definitions,
            read_in: started.elapsed(),
            files,
        })
    }

    /// Which model it is.
    #[must_use]
    pub fn summary(&self) -> ModelSummary {
        ModelSummary {
            file: self.name.clone(),
            language: Language::Promela,
            sha256: self.hash.clone(),
            defines: self.defines.clone(),
            undefines: self.undefines.clone(),
        }
    }
}

/// The hash of some texts.
pub fn digest<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut hasher = Sha256::new();
    for text in texts {
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
