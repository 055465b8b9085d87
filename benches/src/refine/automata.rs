//! The four automata of a task and a translator.

use kernel::budget::Budget;
use omega::automaton::Automaton;
use omega::constraint::labels;
use omega::constraint::{choice::Knowledge, refined};
use omega::formula::{Formula, Formulas};
use omega::pipeline::reduce::reduce;

use super::translators::Translator;
use super::{Form, NoAutomaton};

/// Makes the automata of a formula under a constraint, by form.
pub fn automata(
    translator: &Translator,
    formulas: &mut Formulas,
    formula: Formula,
    knowledge: &Knowledge,
) -> [Result<Automaton, NoAutomaton>; 4] {
    let budget = Budget::unlimited();
    let strict = refined(formulas, formula, knowledge.constraint);
    let original = translator.translate(formulas, formula);
    let by_formula = translator.translate(formulas, strict);
    let reduction = translator.options().reduction();
    let simplify = |automaton: &Automaton| {
        reduce(automaton, reduction, &budget).map(|found| found.automaton).map_err(|_| NoAutomaton::Limit)
    };
    let simplified = original.as_ref().map_err(|reason| *reason).and_then(simplify);
    let by_automaton = simplified.as_ref().map_err(|reason| *reason).and_then(|automaton| {
        let strict = labels::refine(automaton, formulas, knowledge.constraint, &budget);
        simplify(&strict.map_err(|_| NoAutomaton::Limit)?)
    });
    let all = [original, by_formula, simplified, by_automaton];
    debug_assert_eq!(all.len(), Form::ALL.len());
    all
}
