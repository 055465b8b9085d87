//! Which properties of a model are checked.

use crate::report::PropertyKind;

/// The name of formulas on the command line, in messages.
pub(crate) const COMMAND_LINE: &str = "<command line>";

/// A property that is selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The property of the model with this name.
    Named(String),
    /// All properties of this kind that the model states.
    Kind(PropertyKind),
    /// Assertions, run-time errors and end states of a Promela model.
    Safety,
    /// The LTL property of the model with this name, or else this formula over expressions of the model.
    Ltl(String),
    /// The CTL property of an SMV model with this name, or else this formula.
    Ctl(String),
    /// The invariant with this name, or else this expression, which every reachable state satisfies.
    Invariant(String),
    /// An LTL formula over expressions of the model.
    Formula {
        /// Its place, as messages name it.
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

    /// The LTL property of the model with this name, or else this formula.
    #[must_use]
    pub fn ltl(text: impl Into<String>) -> Self {
        Self::only(Wanted::Ltl(text.into()))
    }

    /// The property with this name in a report. Those that every Promela model has are selected by their kind.
    #[must_use]
    pub fn reported(name: &str) -> Self {
        Self::only(match name {
            "assertions" | "run-time errors" | "end states" => Wanted::Safety,
            "acceptance cycles" => Wanted::Kind(PropertyKind::Acceptance),
            "non-progress cycles" => Wanted::Kind(PropertyKind::NonProgress),
            _ => Wanted::Named(name.into()),
        })
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
