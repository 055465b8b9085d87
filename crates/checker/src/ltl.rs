//! Formulas of linear-time logic as text, and their automata.

use kernel::budget::Budget;
use omega::automaton::Automaton;
use omega::formula::{Formula, Formulas};
use omega::parse::{Syntax, parse};
use omega::pipeline::{TranslationOptions, translate as reduce};
use std::fmt;

/// Why a text has no automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormulaError {
    /// The text is not a formula.
    Syntax {
        /// What is wrong.
        message: String,
        /// The byte of the text at which it stops being a formula.
        at: usize,
    },
    /// The formula uses a proposition that is not defined.
    UnknownProposition(String),
    /// The automaton is too large, in words.
    TooLarge(String),
}

impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormulaError::Syntax { message, at } => write!(f, "{message}, at byte {at}"),
            FormulaError::UnknownProposition(name) => write!(f, "the proposition `{name}` is not defined"),
            FormulaError::TooLarge(words) => f.write_str(words),
        }
    }
}

impl std::error::Error for FormulaError {}

/// Reads a formula in the syntax of Spot, SPIN, NuSMV or LBT.
pub(crate) fn read(formulas: &mut Formulas, text: &str) -> Result<Formula, FormulaError> {
    parse(formulas, text, Syntax::Any)
        .map_err(|wrong| FormulaError::Syntax { message: wrong.message, at: wrong.primary.span.lo as usize })
}

/// The automaton of a formula, reduced.
pub(crate) fn automaton(formulas: &mut Formulas, formula: Formula, budget: &Budget) -> Result<Automaton, FormulaError> {
    let translation = reduce(formulas, formula, &TranslationOptions::default(), budget);
    translation.map(|found| found.automaton).map_err(|too_large| FormulaError::TooLarge(too_large.to_string()))
}

/// Translates a formula into a small Büchi automaton that accepts the words that satisfy it.
///
/// ```
/// let automaton = checker::ltl::translate("G (request -> F grant)")?;
/// assert_eq!((automaton.state_count(), automaton.atoms().len()), (2, 2));
/// # Ok::<(), checker::ltl::FormulaError>(())
/// ```
///
/// # Errors
/// Why there is no automaton.
pub fn translate(text: &str) -> Result<Automaton, FormulaError> {
    let mut formulas = Formulas::new();
    let formula = read(&mut formulas, text)?;
    automaton(&mut formulas, formula, &Budget::unlimited())
}
