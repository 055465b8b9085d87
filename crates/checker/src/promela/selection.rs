//! Which properties are checked: those that options name, or everything the model states.

use crate::error::{Error, Rejected};
use crate::promela::input::{Input, PropertyError};
use crate::promela::property::{self, Temporal};
use crate::report::PropertyKind;
use crate::selection::{COMMAND_LINE, Wanted};
use kernel::budget::Budget;
use promela::typed::{ProcId, ProcKind, Program};
use search::explore::SafetyKind;

/// What is to be checked.
pub struct Selection {
    /// The properties of safety.
    pub safety: Kinds,
    /// Properties of infinite runs, in order.
    pub temporal: Vec<Temporal>,
}

/// Which properties of safety are wanted, in the order of [`SafetyKind::ALL`].
pub type Kinds = [bool; SafetyKind::ALL.len()];

/// Names and kinds of the properties of safety.
pub fn of_kind(kind: SafetyKind) -> (&'static str, PropertyKind) {
    match kind {
        SafetyKind::Assertion => ("assertions", PropertyKind::Assertion),
        SafetyKind::Runtime => ("run-time errors", PropertyKind::Assertion),
        SafetyKind::InvalidEnd => ("end states", PropertyKind::EndState),
    }
}

/// Everything that the model states.
pub fn everything(input: &Input, budget: &Budget) -> Selection {
    Selection { safety: [true; 3], temporal: stated(input, budget) }
}

/// Binds the wanted properties to the model. Formulas and claims given beside it become part of the program.
///
/// # Errors
/// What is wrong with a property.
pub fn select(wanted: &[Wanted], input: &mut Input, budget: &Budget) -> Result<Selection, Error> {
    let mut selection = Selection { safety: [false; 3], temporal: Vec::new() };
    for one in wanted {
        let property = match one {
            Wanted::Safety => {
                selection.safety = [true; 3];
                continue;
            }
            Wanted::Kind(kind @ (PropertyKind::Assertion | PropertyKind::EndState)) => {
                for safety in SafetyKind::ALL.into_iter().filter(|safety| of_kind(*safety).1 == *kind) {
                    selection.safety[safety as usize] = true;
                }
                continue;
            }
            Wanted::Kind(PropertyKind::Acceptance) => Ok(property::acceptance(input)),
            Wanted::Kind(PropertyKind::NonProgress) => Ok(property::non_progress(input)),
            Wanted::Kind(kind) => {
                let all = stated(input, budget).into_iter().filter(|property| property.kind == *kind);
                let before = selection.temporal.len();
                selection.temporal.extend(all);
                if selection.temporal.len() == before {
                    return Err(Error::NoneOfKind(*kind));
                }
                continue;
            }
            Wanted::Named(name) => {
                match SafetyKind::ALL.into_iter().find(|kind| of_kind(*kind).0 == name) {
                    Some(kind) => selection.safety[kind as usize] = true,
                    None => selection.temporal.push(named(name, input, budget)?),
                }
                continue;
            }
            Wanted::Ltl(text) => match input.program.ltl.iter().find(|block| block.name == *text) {
                Some(block) => Ok(property::of_block(input, block)),
                None => property::of_formula(input, COMMAND_LINE, text, budget)
                    .map_err(|problem| name_blocks(problem, text, input)),
            },
            Wanted::Invariant(text) => property::of_invariant(input, COMMAND_LINE, text, budget),
            Wanted::Ctl(_) => {
                let words = "a CTL formula is about the tree of all runs, and the engine for Promela models searches \
                             single runs: state the property in LTL, or as an SMV model";
                return Err(Error::Options(words.into()));
            }
            Wanted::Formula { origin, text } => property::of_formula(input, origin, text, budget),
            Wanted::Never { name, text } => property::of_never(input, name, text, budget),
            Wanted::Automaton { name, text } => property::of_automaton(input, name, text, budget),
        };
        selection.temporal.push(accept(property, input)?);
    }
    Ok(selection)
}

/// The property that the model states under a name.
fn named(name: &str, input: &Input, budget: &Budget) -> Result<Temporal, Error> {
    let all = stated(input, budget);
    let names = all.iter().map(|property| property.name.clone());
    let known = SafetyKind::ALL.into_iter().map(|kind| of_kind(kind).0.into()).chain(names).collect();
    let found = all.into_iter().find(|property| property.name == name);
    found.ok_or_else(|| Error::UnknownProperty { name: name.into(), known })
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
/// What is wrong, or the limit that ended the reading.
pub fn accept(result: Result<Temporal, PropertyError>, input: &mut Input) -> Result<Temporal, Error> {
    result.map_err(|PropertyError { what, diagnostics, exhausted }| match exhausted {
        Some(limit) => Error::Exhausted(limit),
        None => {
            let (name, sources) = (input.name.clone(), std::mem::take(&mut input.sources));
            Rejected { name, what, sources, diagnostics }.into()
        }
    })
}

/// What the model states beyond safety.
fn stated(input: &Input, budget: &Budget) -> Vec<Temporal> {
    let program = &input.program;
    let mut list: Vec<Temporal> = program.ltl.iter().map(|block| property::of_block(input, block)).collect();
    let claims =
        (0..).zip(&program.procs).filter(|(_, proc)| !matches!(proc.kind, ProcKind::Proctype | ProcKind::Init));
    list.extend(claims.map(|(index, _)| property::of_claim(input, ProcId(index), budget)));
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
