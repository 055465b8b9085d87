//! Which properties of a model are checked.

use crate::report::PropertyKind;

/// A property that is selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The property of the model with this name.
    Named(String),
    /// All properties of this kind that the model states.
    Kind(PropertyKind),
    /// Assertions, run-time errors and end states of a Promela model.
    Safety,
    /// The `ltl` block of a Promela model with this name, or else this formula.
    Ltl(String),
    /// A formula over expressions of a Promela model.
    Formula {
        /// Where it stands, as messages say it.
        origin: String,
        /// The formula.
        text: String,
    },
    /// A never claim in the text of a file.
    Never {
        /// The name of the file.
        name: String,
        /// Its text.
        text: String,
    },
    /// An automaton that must accept no run, whose propositions are expressions of a Promela model.
    Automaton {
        /// The name of the file.
        name: String,
        /// Its text.
        text: String,
    },
}

/// Which properties are checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// These, in order; everything that the model states if there are none.
    pub wanted: Vec<Wanted>,
}

impl Selection {
    /// Everything that the model states.
    #[must_use]
    pub fn all() -> Self {
        Self::default()
    }

    /// One property.
    #[must_use]
    pub fn only(wanted: Wanted) -> Self {
        Self { wanted: vec![wanted] }
    }

    /// The `ltl` block of a Promela model with this name, or else this formula.
    #[must_use]
    pub fn ltl(text: impl Into<String>) -> Self {
        Self::only(Wanted::Ltl(text.into()))
    }

    /// This selection and one more property.
    #[must_use]
    pub fn and(mut self, wanted: Wanted) -> Self {
        self.wanted.push(wanted);
        self
    }

    /// Whether everything that the model states is selected.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.wanted.is_empty()
    }
}
