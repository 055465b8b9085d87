//! `lariat automaton`: automata converted, combined, reduced, asked.

mod lasso;
mod question;

use crate::arguments::{self, AutomatonFormat, Syntax};
use crate::command::translate::level;
use crate::exit::{Exit, Failure};
use crate::formulas::{Strangers, automata, automaton_of_option, constraint_of_options};
use crate::output::{complain, emit, eprint};
use crate::terminal::Terminal;
use crate::view::SCHEMA;
use crate::view::automaton::{steps, write};
use crate::view::count;
use crate::watchdog::Watchdog;
use kernel::budget::{Budget, Exhausted};
use omega::analyse::strength::{Strength, strength_of, strengths};
use omega::automaton::Automaton;
use omega::automaton::scc::Components;
use omega::combine::complement::{DEFAULT_LIMIT, complement};
use omega::combine::product::intersection;
use omega::combine::sum::union;
use omega::constraint::labels;
use omega::formula::{Formula, Formulas};
use omega::limit::Incomplete;
use omega::pipeline::reduce::{self, reduce, state_based};
use omega::pipeline::{Output, Preference};
use question::Questions;
use serde_json::json;

/// Runs the command.
pub(crate) fn run(arguments: &arguments::Automaton, terminal: Terminal) -> Result<Exit, Failure> {
    let is_text = matches!(arguments.output.format, AutomatonFormat::Hoa | AutomatonFormat::Json);
    if arguments.shortest_lasso && !is_text {
        return Err(Failure::usage("`--shortest-lasso` shows a lasso as text or with `--format json`".to_owned()));
    }
    let named = |path: &Option<String>| path.as_ref().map(|path| automaton_of_option(path, terminal)).transpose();
    let mut formulas = Formulas::new();
    let constraint = constraint_of_options(&mut formulas, &arguments.constraints, Syntax::Any, terminal)?;
    let budget = arguments.limits.budget();
    let _watchdog = Watchdog::start_silent(&arguments.limits, &budget);
    let command = Command {
        arguments,
        constraint: constraint.map(|constraint| (formulas, constraint)),
        questions: Questions::new(&arguments.questions, terminal)?,
        product: named(&arguments.product)?,
        union: named(&arguments.union)?,
        strangers: Strangers::default(),
        budget,
    };
    if arguments.shortest_lasso && command.questions.any() {
        return Err(Failure::usage(
            "`--shortest-lasso` cannot be combined with a question: ask one at a time".to_owned(),
        ));
    }
    let mut exit = Exit::Holds;
    let mut number = 0;
    for path in &arguments.files {
        for automaton in automata(path, terminal)? {
            number += 1;
            match automaton.and_then(|automaton| command.item(automaton, number)) {
                Ok((text, answer)) => {
                    exit = exit.max(answer);
                    if !emit(&text) {
                        return Ok(exit);
                    }
                }
                Err(failure) => exit = exit.max(complain(failure, terminal)),
            }
        }
    }
    command.strangers.warn();
    Ok(exit)
}

struct Command<'a> {
    arguments: &'a arguments::Automaton,
    /// What is known of all words.
    constraint: Option<(Formulas, Formula)>,
    questions: Questions,
    product: Option<Automaton>,
    union: Option<Automaton>,
    strangers: Strangers,
    budget: Budget,
}

impl Command<'_> {
    /// What to print for one automaton, and the exit code that its answers ask for.
    fn item(&self, automaton: Automaton, number: usize) -> Result<(String, Exit), Failure> {
        let arguments = self.arguments;
        let shown = automaton.name.clone().unwrap_or_else(|| format!("automaton {number}"));
        let automaton = self.changed(automaton, &shown)?;
        let is_json = arguments.output.format == AutomatonFormat::Json;
        if self.questions.any() {
            return self.questions.answer(&automaton, &shown, is_json, &self.budget);
        }
        let text = if arguments.shortest_lasso {
            lasso::show(&automaton, &shown, arguments.algorithm, is_json, &self.budget)?
        } else if arguments.strength {
            strength(&automaton, &shown, is_json)
        } else {
            write(&automaton, arguments.output)?
        };
        Ok((text, Exit::Holds))
    }

    /// The operations in a fixed order: product, union, complement, constraint, reduction, degeneralisation, short labels.
    fn changed(&self, automaton: Automaton, shown: &str) -> Result<Automaton, Failure> {
        let unusable = |reason: labels::NoConstraint| Failure::new(Exit::Unknown, format!("{shown}: {reason}"));
        let mut automaton = self.combined(automaton, shown)?;
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

    fn combined(&self, mut automaton: Automaton, shown: &str) -> Result<Automaton, Failure> {
        let arguments = self.arguments;
        if let Some(other) = &self.product {
            automaton = intersection(&automaton, other, &self.budget).map_err(|limit| exhausted(shown, limit))?;
        }
        if let Some(other) = &self.union {
            automaton = union(&automaton, other, &self.budget).map_err(|limit| exhausted(shown, limit))?;
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
            let options = reduce::Options { output, preference, level: level(arguments.level) };
            let mut reduced = reduce(&automaton, options, &self.budget)?;
            // Acceptance stays on states where it was and costs nothing.
            let is_buchi = |automaton: &Automaton| automaton.sets() <= 1 && automaton.is_state_based();
            if is_buchi(&automaton) && !is_buchi(&reduced.automaton) {
                let options = reduce::Options { output: Output::Buchi, ..options };
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
        let components = json!(amounts.into_iter().collect::<std::collections::BTreeMap<_, _>>());
        let document = json!({ "schema": SCHEMA, "name": automaton.name, "strength": whole, "components": components });
        return format!("{document}\n");
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
