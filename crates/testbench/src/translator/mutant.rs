//! Wrong translators without a process: what the binary `mutant` writes is read at once, and what it does is told.

use omega::automaton::Automaton;
use omega::formula::{Formula, Formulas};

use super::command::automaton_in;
use super::finite::Reading;
use super::{Failure, FailureKind};
use crate::mutant::{Behaviour, Mutant, Product};

/// The automaton of a mutant, or the failure that its process would be.
pub(super) fn translate(mutant: Mutant, formulas: &mut Formulas, formula: Formula) -> Result<Automaton, Failure> {
    let behaviour = match mutant.translate(formulas, formula) {
        Product::Text(text) => return automaton_in(&text, Reading::Words),
        Product::Behaviour(behaviour) => behaviour,
    };
    let kind = match behaviour {
        Behaviour::Loop => FailureKind::TimeOut,
        Behaviour::Crash => FailureKind::Crash,
        Behaviour::Exit => FailureKind::ExitCode,
        Behaviour::Memory => FailureKind::Memory,
    };
    Err(Failure::new(kind, "as the mutant is made"))
}
