//! Which properties are checked: those that options name, or everything the model states.

use crate::error::Rejected;
use crate::promela::input::{Input, PropertyError};
use crate::promela::property::{self, Temporal};
use crate::promela::report::PropertyKind;
use promela::typed::{ProcId, ProcKind, Program};
use search::explore::Kind;

/// What is to be checked.
pub struct Selection {
    /// Assertions, run-time errors, end states.
    pub is_safety: bool,
    /// Properties of infinite runs, in order.
    pub temporal: Vec<Temporal>,
}

/// Names and kinds of the properties of safety.
pub fn of_kind(kind: Kind) -> (&'static str, PropertyKind) {
    match kind {
        Kind::Assertion => ("assertions", PropertyKind::Assertion),
        Kind::Runtime => ("run-time errors", PropertyKind::Assertion),
        Kind::InvalidEnd => ("end states", PropertyKind::EndState),
    }
}

/// A property that is to be checked.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// Assertions, run-time errors and end states.
    Safety,
    /// The `ltl` block with this name, or else this formula.
    Ltl(String),
    /// A formula from a file.
    Formula {
        /// Where it stands, in words.
        origin: String,
        text: String,
    },
    /// A never claim from a file.
    Never { name: String, text: String },
    /// An automaton from a file, whose propositions are expressions of the model.
    Automaton { name: String, text: String },
    /// No run visits `accept` labels infinitely often.
    Acceptance,
    /// No run stays away from `progress` labels forever.
    NonProgress,
}

/// Everything that the model states.
pub fn everything(input: &Input) -> Selection {
    Selection { is_safety: true, temporal: stated(input) }
}

/// Binds the wanted properties to the model. Formulas and claims given beside it become part of the program.
///
/// # Errors
/// What is wrong with a property.
pub fn select(wanted: &[Wanted], input: &mut Input) -> Result<Selection, Rejected> {
    let mut selection = Selection { is_safety: false, temporal: Vec::new() };
    for one in wanted {
        let property = match one {
            Wanted::Safety => {
                selection.is_safety = true;
                continue;
            }
            Wanted::Ltl(text) => match input.program.ltl.iter().find(|block| block.name == *text) {
                Some(block) => Ok(property::of_block(input, block)),
                None => property::of_formula(input, "<command line>", text)
                    .map_err(|problem| name_blocks(problem, text, input)),
            },
            Wanted::Formula { origin, text } => property::of_formula(input, origin, text),
            Wanted::Never { name, text } => property::of_never(input, name, text),
            Wanted::Automaton { name, text } => property::of_automaton(input, name, text),
            Wanted::Acceptance => Ok(property::acceptance(input)),
            Wanted::NonProgress => Ok(property::non_progress(input)),
        };
        selection.temporal.push(accept(property, input)?);
    }
    Ok(selection)
}

/// Adds the names of the model's blocks to what is wrong with a formula that is but a name.
fn name_blocks(mut problem: PropertyError, wanted: &str, input: &Input) -> PropertyError {
    let is_name = wanted.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    let names: Vec<String> = input.program.ltl.iter().map(|block| format!("`{}`", block.name)).collect();
    if let (true, false, Some(first)) = (is_name, names.is_empty(), problem.diagnostics.first_mut()) {
        first.hints.push(format!("the `ltl` blocks of this model are {}", names.join(", ")));
    }
    problem
}

/// Turns what is wrong with a property into an error with its sources.
///
/// # Errors
/// What is wrong.
pub fn accept(result: Result<Temporal, PropertyError>, input: &mut Input) -> Result<Temporal, Rejected> {
    result.map_err(|PropertyError { what, diagnostics }| {
        let (name, sources) = (input.name.clone(), std::mem::take(&mut input.sources));
        Rejected { name, what, sources, diagnostics }
    })
}

/// What the model states beyond safety.
fn stated(input: &Input) -> Vec<Temporal> {
    let program = &input.program;
    let mut list: Vec<Temporal> = program.ltl.iter().map(|block| property::of_block(input, block)).collect();
    let claims =
        (0..).zip(&program.procs).filter(|(_, proc)| !matches!(proc.kind, ProcKind::Proctype | ProcKind::Init));
    list.extend(claims.map(|(index, _)| property::of_claim(input, ProcId(index))));
    if has_label(program, "accept") {
        list.push(property::acceptance(input));
    }
    if has_label(program, "progress") {
        list.push(property::non_progress(input));
    }
    list
}

/// Whether some process has a label that begins like this.
fn has_label(program: &Program, prefix: &str) -> bool {
    let processes = program.procs.iter().filter(|proc| matches!(proc.kind, ProcKind::Proctype | ProcKind::Init));
    processes.flat_map(|proc| &proc.labels).any(|label| label.name.starts_with(prefix))
}
