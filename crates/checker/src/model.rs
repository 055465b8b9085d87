//! A model in either language, ready to be checked.

use crate::error::Error;
use crate::promela::input::Input;
use crate::report::{Language, ModelSummary};
use crate::selection::Selection;
use crate::smv;
use kernel::budget::Budget;
use kernel::diagnostic::Diagnostic;
use kernel::span::SourceMap;
use std::io;
use std::sync::Arc;

pub use promela::front::Files;

/// No files: a model that includes others is refused.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _path: &str, _included_from: Option<&str>) -> io::Result<(String, String)> {
        Err(io::Error::new(io::ErrorKind::NotFound, "no such file"))
    }
}

/// What the preprocessor of Promela knows beside the text.
#[derive(Clone, Debug, Default)]
pub struct Preprocessing {
    /// Macros to define, as `NAME` or `NAME=TEXT`.
    pub defines: Vec<String>,
    /// Macros to undefine.
    pub undefines: Vec<String>,
}

/// A model that was read and accepted.
#[derive(Clone)]
pub struct Model {
    pub(crate) content: Content,
}

/// The model in its language.
#[allow(clippy::large_enum_variant, reason = "a check holds one model")]
#[derive(Clone)]
pub(crate) enum Content {
    Promela(Input),
    Smv(smv::Input),
}

impl Model {
    /// Reads a Promela model that includes no files.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn promela(name: &str, text: &str) -> Result<Self, Error> {
        let (preprocessing, files) = (Preprocessing::default(), Arc::new(NoFiles));
        Self::promela_with(name, text, &preprocessing, files, &Budget::unlimited())
    }

    /// Reads a Promela model with definitions beside it, and the files it includes, within a budget.
    ///
    /// # Errors
    /// What is wrong with it, or the limit that was exhausted before it was read.
    pub fn promela_with(
        name: &str,
        text: &str,
        preprocessing: &Preprocessing,
        files: Arc<dyn Files + Send + Sync>,
        budget: &Budget,
    ) -> Result<Self, Error> {
        let Preprocessing { defines, undefines } = preprocessing;
        let input = Input::read(name, text.into(), defines, undefines, files, budget)?;
        Ok(Self { content: Content::Promela(input) })
    }

    /// Reads an SMV model.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn smv(name: &str, text: &str) -> Result<Self, Error> {
        Self::smv_within(name, text, &Budget::unlimited())
    }

    /// Reads an SMV model within a budget.
    ///
    /// # Errors
    /// What is wrong with it, or the limit that was exhausted before it was read.
    pub fn smv_within(name: &str, text: &str, budget: &Budget) -> Result<Self, Error> {
        Ok(Self { content: Content::Smv(smv::Input::read(name, text, budget)?) })
    }

    /// Its language.
    #[must_use]
    pub fn language(&self) -> Language {
        match &self.content {
            Content::Promela(_) => Language::Promela,
            Content::Smv(_) => Language::Smv,
        }
    }

    /// Its texts, which the spans of [`Model::warnings`] point into.
    #[must_use]
    pub fn sources(&self) -> &SourceMap {
        match &self.content {
            Content::Promela(input) => &input.sources,
            Content::Smv(input) => &input.sources,
        }
    }

    /// What its reader warns of.
    #[must_use]
    pub fn warnings(&self) -> &[Diagnostic] {
        match &self.content {
            Content::Promela(input) => &input.warnings,
            Content::Smv(input) => &input.warnings,
        }
    }

    /// Which model it is.
    #[must_use]
    pub fn summary(&self) -> ModelSummary {
        match &self.content {
            Content::Promela(input) => input.summary(),
            Content::Smv(input) => input.summary(),
        }
    }

    /// The typed program of a Promela model.
    #[doc(hidden)]
    #[must_use]
    pub fn into_promela(self) -> Option<Input> {
        match self.content {
            Content::Promela(input) => Some(input),
            Content::Smv(_) => None,
        }
    }

    /// The flat model of an SMV model.
    #[doc(hidden)]
    #[must_use]
    pub fn into_smv(self) -> Option<smv::Input> {
        match self.content {
            Content::Promela(_) => None,
            Content::Smv(input) => Some(input),
        }
    }

    /// The model of a flat SMV model: the inverse of [`Model::into_smv`].
    #[doc(hidden)]
    #[must_use]
    pub fn of_smv(input: smv::Input) -> Self {
        Self { content: Content::Smv(input) }
    }

    /// The model with the formulas of a selection as properties. Only SMV models keep them: a Promela model is returned
    /// as it is.
    ///
    /// # Errors
    /// What is wrong with a formula, or the limit that was exhausted before it was read.
    pub fn with_formulas(self, wanted: &Selection, budget: &Budget) -> Result<Self, Error> {
        Ok(match self.content {
            Content::Smv(input) => Self { content: Content::Smv(input.with_selection(wanted, budget)?) },
            Content::Promela(_) => self,
        })
    }

    /// Forgets the warnings of its reader, so that reports do not repeat them.
    pub fn forget_warnings(&mut self) {
        match &mut self.content {
            Content::Promela(input) => input.warnings.clear(),
            Content::Smv(input) => input.warnings.clear(),
        }
    }
}
