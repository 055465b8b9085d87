//! Which properties are checked: those that options name, or everything the model states.

use crate::arguments::Choice;
use crate::exit::Failure;
use crate::input::{Input, Rejected, Trouble, Unaccepted, read_model};
use crate::report::PropertyKind;
use crate::temporal::{self, Temporal};
use promela::typed::{ProcId, ProcKind, Program};
use search::explore::Kind;

/// What is to be checked.
pub(crate) struct Selection {
    /// Assertions, run-time errors, end states.
    pub(crate) is_safety: bool,
    /// Properties of infinite runs, in order.
    pub(crate) temporal: Vec<Temporal>,
}

/// Names and kinds of the properties of safety.
pub(crate) fn of_kind(kind: Kind) -> (&'static str, PropertyKind) {
    match kind {
        Kind::Assertion => ("assertions", PropertyKind::Assertion),
        Kind::Runtime => ("run-time errors", PropertyKind::Assertion),
        Kind::InvalidEnd => ("end states", PropertyKind::EndState),
    }
}

/// Finds out what is to be checked. Formulas and claims given beside the model become part of the program.
pub(crate) fn select(choice: &Choice, input: &mut Input) -> Result<Selection, Trouble> {
    if choice.is_open() {
        return Ok(Selection { is_safety: true, temporal: stated(input) });
    }
    let mut temporal = Vec::new();
    for wanted in &choice.ltl {
        let block = input.program.ltl.iter().find(|block| block.name == *wanted);
        temporal.push(match block {
            Some(block) => temporal::of_block(input, block),
            None => {
                let read = temporal::of_formula(input, "<command line>", wanted);
                accept(read.map_err(|problem| name_blocks(problem, wanted, input)), input)?
            }
        });
    }
    for path in &choice.ltl_file {
        let (name, text) = read_model(path)?;
        let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
        let before = temporal.len();
        for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let shown = format!("{name}, line {number}");
            temporal.push(accept(temporal::of_formula(input, &shown, line), input)?);
        }
        if temporal.len() == before {
            return Err(Trouble::Unreadable(Failure::input(format!("there are no formulas in `{name}`"))));
        }
    }
    for path in &choice.never {
        let (name, text) = read_model(path)?;
        temporal.push(accept(temporal::of_never(input, &name, &text), input)?);
    }
    for path in &choice.automaton {
        let (name, text) = read_model(path)?;
        temporal.push(accept(temporal::of_automaton(input, &name, &text), input)?);
    }
    if choice.acceptance {
        temporal.push(temporal::acceptance(input));
    }
    if choice.non_progress {
        temporal.push(temporal::non_progress(input));
    }
    Ok(Selection { is_safety: choice.safety, temporal })
}

/// Adds the names of the model's blocks to what is wrong with a formula that is but a name.
fn name_blocks(mut problem: Unaccepted, wanted: &str, input: &Input) -> Unaccepted {
    let is_name = wanted.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    let names: Vec<String> = input.program.ltl.iter().map(|block| format!("`{}`", block.name)).collect();
    if let (true, false, Some(first)) = (is_name, names.is_empty(), problem.diagnostics.first_mut()) {
        first.hints.push(format!("the `ltl` blocks of this model are {}", names.join(", ")));
    }
    problem
}

/// Turns what is wrong with a property into what is said about it.
pub(crate) fn accept(result: Result<Temporal, Unaccepted>, input: &mut Input) -> Result<Temporal, Trouble> {
    result.map_err(|Unaccepted { what, diagnostics }| {
        let (name, sources) = (input.name.clone(), std::mem::take(&mut input.sources));
        match diagnostics.is_empty() {
            true => Trouble::Unreadable(Failure::input(what)),
            false => Trouble::Rejected(Rejected { name, what, sources, diagnostics }),
        }
    })
}

/// What the model states beyond safety.
fn stated(input: &Input) -> Vec<Temporal> {
    let program = &input.program;
    let mut list: Vec<Temporal> = program.ltl.iter().map(|block| temporal::of_block(input, block)).collect();
    let claims =
        (0..).zip(&program.procs).filter(|(_, proc)| !matches!(proc.kind, ProcKind::Proctype | ProcKind::Init));
    list.extend(claims.map(|(index, _)| temporal::of_claim(input, ProcId(index))));
    if has_label(program, "accept") {
        list.push(temporal::acceptance(input));
    }
    if has_label(program, "progress") {
        list.push(temporal::non_progress(input));
    }
    list
}

/// Whether some process has a label that begins like this.
fn has_label(program: &Program, prefix: &str) -> bool {
    let processes = program.procs.iter().filter(|proc| matches!(proc.kind, ProcKind::Proctype | ProcKind::Init));
    processes.flat_map(|proc| &proc.labels).any(|label| label.name.starts_with(prefix))
}
