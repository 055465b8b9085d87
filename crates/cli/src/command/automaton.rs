//! `lariat automaton`: converts, combines, reduces and queries automata.

mod lasso;
mod question;

use crate::arguments::{self, AutomatonFormat, Syntax};
use crate::automata::{Given, Operand, automata};
use crate::command::translate::{check_formats, level};
use crate::exit::{Exit, Failure};
use crate::formulas::{Strangers, constraint_of_options};
use crate::output::{complain, emit, eprint};
use crate::terminal::Terminal;
use crate::view::automaton::{closing, opening, steps, write};
use crate::view::statistics::Row;
use crate::view::{SCHEMA, count, document};
use crate::watchdog::Watchdog;
use kernel::budget::{Budget, Exhausted};
use omega::analyse::strength::{Strength, strength_of, strengths};
use omega::automaton::Automaton;
use omega::automaton::emerson_lei::EmersonLei;
use omega::automaton::scc::Components;
use omega::combine::complement::{DEFAULT_LIMIT, complement};
use omega::combine::product::intersection;
use omega::combine::sum::union;
use omega::constraint::labels;
use omega::formula::{Formula, Formulas};
use omega::limit::Incomplete;
use omega::pipeline::reduce::{self, reduce, state_based};
use omega::pipeline::{Output, Preference};
use question::{Asked, Questions};
use std::rc::Rc;

/// The automata of the input, each read or refused.
type Inputs = std::vec::IntoIter<Result<Rc<Given>, Failure>>;

/// Runs the command.
pub(crate) fn run(arguments: &arguments::Automaton, terminal: Terminal) -> Result<Exit, Failure> {
    let is_text = matches!(arguments.output.format, AutomatonFormat::Hoa | AutomatonFormat::Json);
    if arguments.shortest_lasso && !is_text {
        return Err(Failure::usage("`--shortest-lasso` shows a lasso as text or with `--format json`".to_owned()));
    }
    check_formats(&arguments.output)?;
    let mut formulas = Formulas::new();
    let constraint = constraint_of_options(&mut formulas, &arguments.constraints, Syntax::Any, terminal)?;
    let budget = arguments.limits.budget();
    let _watchdog = Watchdog::start_silent(&arguments.limits, &budget);
    let command = Command {
        arguments,
        constraint: constraint.map(|constraint| (formulas, constraint)),
        questions: Questions::new(&arguments.questions, terminal)?,
        product: Operand::of_option(arguments.product.as_ref(), terminal)?,
        union: Operand::of_option(arguments.union.as_ref(), terminal)?,
        strangers: Strangers::default(),
        budget,
    };
    if arguments.shortest_lasso && command.questions.any() {
        return Err(Failure::usage(
            "`--shortest-lasso` cannot be combined with a question: ask one at a time".to_owned(),
        ));
    }
    let mut exit = Exit::Holds;
    let mut is_any_kept = false;
    let is_document = !command.questions.any() && !arguments.shortest_lasso && !arguments.strength;
    let input = command.input(terminal)?;
    emit(if is_document { opening(&arguments.output) } else { "" });
    for (index, given) in input.enumerate() {
        match given.and_then(|given| command.item(&given, index)) {
            Ok(None) => {}
            Ok(Some((text, answer))) => {
                is_any_kept = true;
                exit = exit.max(answer);
                if !emit(&text) {
                    return Ok(exit);
                }
            }
            Err(failure) => exit = exit.max(complain(failure, terminal)),
        }
    }
    emit(if is_document { closing(&arguments.output) } else { "" });
    command.strangers.warn();
    let is_empty = arguments.filters.any() && !is_any_kept;
    Ok(exit.max(if is_empty { Exit::Violated } else { Exit::Holds }))
}

struct Command<'a> {
    arguments: &'a arguments::Automaton,
    /// The constraint that all words satisfy.
    constraint: Option<(Formulas, Formula)>,
    questions: Questions,
    product: Option<Operand>,
    union: Option<Operand>,
    strangers: Strangers,
    budget: Budget,
}

impl Command<'_> {
    /// The automata to work on. A file that an option names has one automaton for all of the input, or one for each. If the
    /// input is one automaton, it is combined with each automaton of that file.
    fn input(&self, terminal: Terminal) -> Result<Inputs, Failure> {
        let operands = [&self.product, &self.union].into_iter().flatten().chain(self.questions.operands());
        let several: Vec<&Operand> = operands.filter(|operand| operand.len() > 1).collect();
        let mut all = Vec::new();
        for path in &self.arguments.files {
            all.extend(automata(path, terminal)?.into_iter().map(|given| given.map(Rc::new)));
        }
        let longest = several.iter().map(|operand| operand.len()).max();
        if let (Some(length), [Ok(only)]) = (longest, &all[..]) {
            all = (0..length).map(|_| Ok(Rc::clone(only))).collect();
        }
        match several.iter().find(|operand| operand.len() != all.len()) {
            None => Ok(all.into_iter()),
            Some(operand) => Err(Failure::usage(format!(
                "`{}` has {} automata and the input has {}: give one, or as many as in the input",
                operand.path(),
                operand.len(),
                all.len()
            ))),
        }
    }

    /// The text to print for one automaton, and the exit code of its answers; none if a filter drops it.
    fn item(&self, given: &Given, index: usize) -> Result<Option<(String, Exit)>, Failure> {
        let arguments = self.arguments;
        let name = &given.stated().transitions().name;
        let shown = name.clone().unwrap_or_else(|| format!("automaton {}", index + 1));
        let is_json = arguments.output.format == AutomatonFormat::Json;
        let stated = Some(given.stated()).filter(|_| !self.has_operations());
        if let Some(stated) = stated
            && !arguments.filters.keeps_size(stated.transitions())
        {
            return Ok(None);
        }
        let is_about_language = !arguments.filters.class.is_empty() || arguments.filters.stutter_invariant.is_some();
        // Lassos and sizes are those of the automaton of the file, not of one with another acceptance condition.
        if let Some(stated) = stated.filter(|_| !is_about_language && !self.questions.any()) {
            if arguments.shortest_lasso {
                return lasso::show(stated, &shown, arguments.algorithm, is_json, &self.budget).map(Some);
            }
            if arguments.output.stats.is_some() {
                return self.written(stated.transitions(), &shown, index);
            }
        }
        let automaton = self.changed(given.generalized_buchi()?, index, &shown)?;
        let undecided = |limit| Failure::new(Exit::Unknown, format!("{shown}: {limit}"));
        if (stated.is_none() && !arguments.filters.keeps_size(&automaton))
            || !arguments.filters.keeps_language(&automaton, &self.budget).map_err(undecided)?
        {
            return Ok(None);
        }
        if self.questions.any() {
            let is_deterministic = stated.map_or(&automaton, EmersonLei::transitions).is_deterministic();
            let asked = Asked { automaton: &automaton, shown: &shown, index, is_deterministic };
            return self.questions.answer(&asked, is_json, &self.budget).map(Some);
        }
        if arguments.shortest_lasso {
            let result = EmersonLei::from(automaton);
            let searched = stated.unwrap_or(&result);
            return lasso::show(searched, &shown, arguments.algorithm, is_json, &self.budget).map(Some);
        }
        if arguments.strength {
            return Ok(Some((strength(&automaton, &shown, is_json), Exit::Holds)));
        }
        let stated = stated.filter(|_| arguments.output.stats.is_some());
        self.written(stated.map_or(&automaton, EmersonLei::transitions), &shown, index)
    }

    fn written(&self, automaton: &Automaton, shown: &str, index: usize) -> Result<Option<(String, Exit)>, Failure> {
        let row = Row { automaton, name: shown, number: index + 1 };
        Ok(Some((write(&row, &self.arguments.output, &self.budget)?, Exit::Holds)))
    }

    /// True if an option changes the automaton.
    fn has_operations(&self) -> bool {
        let arguments = self.arguments;
        let has_operand = self.product.is_some() || self.union.is_some();
        let reduces = arguments.simplify || arguments.deterministic || arguments.degeneralize;
        has_operand || arguments.complement || self.constraint.is_some() || reduces
    }

    /// The operations in a fixed order: product, union, complement, constraint, reduction, degeneralisation, short labels.
    fn changed(&self, automaton: Automaton, index: usize, shown: &str) -> Result<Automaton, Failure> {
        let unusable = |reason: labels::NoConstraint| Failure::new(Exit::Unknown, format!("{shown}: {reason}"));
        let mut automaton = self.combined(automaton, index, shown)?;
        if let Some((formulas, constraint)) = &self.constraint {
            self.strangers.meet(formulas, *constraint, automaton.atoms());
            automaton = labels::refine(&automaton, formulas, *constraint, &self.budget).map_err(unusable)?;
        }
        automaton = self.reduced(automaton, shown).map_err(|limit| exhausted(shown, limit))?;
        match &self.constraint {
            Some((formulas, constraint)) if self.arguments.constraints.simplify_labels => {
                labels::simplify(&automaton, formulas, *constraint, &self.budget).map_err(unusable)
            }
            _ => Ok(automaton),
        }
    }

    fn combined(&self, mut automaton: Automaton, index: usize, shown: &str) -> Result<Automaton, Failure> {
        let arguments = self.arguments;
        if let Some(other) = &self.product {
            automaton =
                intersection(&automaton, other.at(index), &self.budget).map_err(|limit| exhausted(shown, limit))?;
        }
        if let Some(other) = &self.union {
            automaton = union(&automaton, other.at(index), &self.budget).map_err(|limit| exhausted(shown, limit))?;
        }
        if arguments.complement {
            automaton = complement(&automaton, DEFAULT_LIMIT, &self.budget)
                .map_err(|limit| Failure::new(Exit::Unknown, format!("{shown}: {limit}")))?;
        }
        Ok(automaton)
    }

    fn reduced(&self, automaton: Automaton, shown: &str) -> Result<Automaton, Exhausted> {
        let arguments = self.arguments;
        let output = if arguments.degeneralize { Output::Buchi } else { Output::Generalized };
        if arguments.simplify || arguments.deterministic {
            let preference = if arguments.deterministic { Preference::Deterministic } else { Preference::Small };
            let options = reduce::ReductionOptions { output, preference, level: level(arguments.level) };
            let mut reduced = reduce(&automaton, options, &self.budget)?;
            // Acceptance stays on states where it was and costs nothing.
            let is_buchi = |automaton: &Automaton| automaton.sets() <= 1 && automaton.is_state_based();
            if is_buchi(&automaton) && !is_buchi(&reduced.automaton) {
                let options = reduce::ReductionOptions { output: Output::Buchi, ..options };
                let other = reduce(&automaton, options, &self.budget)?;
                let size = |of: &Automaton| (of.state_count(), of.nondeterministic_state_count(), of.edge_count());
                if size(&other.automaton) <= size(&reduced.automaton) {
                    reduced = other;
                }
            }
            if arguments.verbose {
                eprint(&steps(shown, &reduced.steps));
            }
            return Ok(reduced.automaton);
        }
        if arguments.degeneralize { state_based(&automaton, &self.budget) } else { Ok(automaton) }
    }
}

/// The failure of an operation on an automaton whose budget is exhausted.
fn exhausted(shown: &str, limit: Exhausted) -> Failure {
    Failure::new(Exit::Unknown, format!("{shown}: {}", Incomplete::Exhausted(limit)))
}

/// The strength of an automaton and of its components.
fn strength(automaton: &Automaton, shown: &str, is_json: bool) -> String {
    let components = Components::of(automaton);
    let all = strengths(automaton, &components);
    let kinds = [Strength::Terminal, Strength::Weak, Strength::Strong, Strength::Rejecting];
    let amounts = kinds.map(|kind| (word(kind), all.iter().filter(|&&one| one == kind).count()));
    let whole = word(strength_of(automaton));
    if is_json {
        return document::line(&document::Strength {
            schema: SCHEMA,
            name: automaton.name.clone(),
            strength: whole.to_owned(),
            components: amounts.into_iter().map(|(kind, amount)| (kind.to_owned(), amount)).collect(),
        });
    }
    let present = amounts.iter().filter(|(_, amount)| *amount > 0);
    let parts: Vec<String> = present.map(|(kind, amount)| format!("{amount} {kind}")).collect();
    format!("{shown}: {whole}; {}: {}\n", count(all.len() as u64, "component"), parts.join(", "))
}

fn word(strength: Strength) -> &'static str {
    match strength {
        Strength::Rejecting => "rejecting",
        Strength::Terminal => "terminal",
        Strength::Weak => "weak",
        Strength::Strong => "strong",
    }
}
