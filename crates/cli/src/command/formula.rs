//! `lariat formula`: rewrites, compares, classifies and filters formulas.

use crate::arguments::{self, Names, PlainFormat};
use crate::exit::{Exit, Failure};
use crate::formulas::{
    Strangers, Stream, atoms_of, constraint_of_options, formula_of_option, shortened, word_of_option,
};
use crate::output::{complain, emit};
use crate::terminal::Terminal;
use crate::thresholds::output::LONGEST_TEXT;
use crate::view::SCHEMA;
use crate::view::document::{FormulaAnswer, FormulaLine, line};
use crate::watchdog::Watchdog;
use kernel::budget::{Budget, Exhausted};
use omega::analyse::classify::{Classifier, Traits};
use omega::analyse::hierarchy::Hierarchy;
use omega::analyse::questions::{classes, is_invariant, not_implied};
use omega::constraint::labels::simplify_formula;
use omega::constraint::refined;
use omega::formula::{AtomId, Formula, Formulas, Node};
use omega::limit::Incomplete;
use omega::print::{Notation, try_print};
use omega::rewrite::{Nnf, simplify};
use omega::semantics::evaluate_within;
use omega::word::Word;
use std::collections::HashMap;

/// Runs the command.
pub(crate) fn run(arguments: &arguments::Formula, terminal: Terminal) -> Result<Exit, Failure> {
    let budget = arguments.limits.budget();
    let _watchdog = Watchdog::start_silent(&arguments.limits, &budget);
    let stream = Stream::open(&arguments.input, terminal)?;
    let words = |given: &[String]| given.iter().map(|text| word_of_option(text, terminal)).collect::<Result<_, _>>();
    let (accepted, rejected) = (words(&arguments.accept_word)?, words(&arguments.reject_word)?);
    for text in arguments.equivalent_to.iter().chain(&arguments.implies) {
        formula_of_option(&mut Formulas::new(), text, arguments.input.syntax, terminal)?;
    }
    let command = Command { arguments, terminal, accepted, rejected, strangers: Strangers::default(), budget };
    let mut exit = Exit::Holds;
    let mut kept = 0;
    for index in 0..stream.len() {
        match stream.formula(index, &command.budget).and_then(|(formulas, formula)| command.item(formulas, formula)) {
            Ok(item) => {
                kept += u64::from(item.is_kept);
                let is_shown = !arguments.count && (item.is_kept || arguments.explain);
                if is_shown && !emit(&item.text) {
                    return Ok(exit);
                }
            }
            Err(failure) => {
                exit = exit.max(complain(failure, terminal));
                if stream.is_over(index, &command.budget, terminal) {
                    break;
                }
            }
        }
    }
    command.strangers.warn();
    if arguments.count {
        emit(&format!("{kept}\n"));
    }
    let is_filter = [&arguments.equivalent_to, &arguments.implies, &arguments.accept_word, &arguments.reject_word];
    let is_filtered = is_filter.iter().any(|list| !list.is_empty()) || arguments.filters.any();
    let none = kept == 0 && is_filtered;
    Ok(exit.max(if none { Exit::Violated } else { Exit::Holds }))
}

struct Command<'a> {
    arguments: &'a arguments::Formula,
    terminal: Terminal,
    accepted: Vec<Word>,
    rejected: Vec<Word>,
    strangers: Strangers,
    budget: Budget,
}

/// What became of one formula.
struct Item {
    text: String,
    is_kept: bool,
}

/// A question and its answer.
struct Answer {
    question: &'static str,
    about: String,
    yes: bool,
    /// Why, in lines.
    reason: String,
    word: Option<Word>,
}

impl Command<'_> {
    fn item(&self, mut formulas: Formulas, formula: Formula) -> Result<Item, Failure> {
        let formula = self.changed(&mut formulas, formula)?;
        let size = formulas.size(formula);
        if size > LONGEST_TEXT {
            let parts = formulas.subformulas(formula).len();
            let reason =
                format!("more than {LONGEST_TEXT} symbols in {parts} different subformulas are not written out");
            return Err(Failure::new(Exit::Unknown, reason));
        }
        let text = try_print(&formulas, formula, notation(self.arguments.to));
        let text = text.map_err(|missing| Failure::usage(format!("--to: {missing}")))?;
        let undecided = |limit: Incomplete| Failure::new(Exit::Unknown, format!("`{}`: {limit}", shortened(&text)));
        let mut answers = Vec::new();
        for other in &self.arguments.equivalent_to {
            answers.push(self.compared(&mut formulas, formula, "equivalent-to", other)?.map_err(undecided)?);
        }
        for other in &self.arguments.implies {
            answers.push(self.compared(&mut formulas, formula, "implies", other)?.map_err(undecided)?);
        }
        let words = self.accepted.iter().map(|word| (word, true));
        for (word, wanted) in words.chain(self.rejected.iter().map(|word| (word, false))) {
            let answer = evaluated(&formulas, formula, word, wanted, self.arguments.explain, &self.budget);
            answers.push(answer.map_err(|limit| undecided(limit.into()))?);
        }
        let is_kept = answers.iter().all(|answer| answer.yes)
            && self.arguments.filters.keeps_formula(&mut formulas, formula, &self.budget).map_err(undecided)?;
        let is_described = is_kept && !self.arguments.count;
        let size = self.arguments.size.then_some(size);
        let classes = match self.arguments.classify && is_described {
            true => Some(Description::of(&mut formulas, formula, &self.budget).map_err(undecided)?),
            false => None,
        };
        let text = match self.arguments.format {
            PlainFormat::Text => self.text(&text, size, classes, &answers),
            PlainFormat::Json => self.json(&text, size, classes, &answers),
        };
        Ok(Item { text, is_kept })
    }

    /// The changes in a fixed order.
    fn changed(&self, formulas: &mut Formulas, mut formula: Formula) -> Result<Formula, Failure> {
        if self.arguments.negate {
            formula = formulas.not(formula);
        }
        let given = &self.arguments.constraints;
        if let Some(constraint) = constraint_of_options(formulas, given, self.arguments.input.syntax, self.terminal)? {
            self.strangers.meet(formulas, constraint, &atoms_of(formulas, formula));
            formula = match given.simplify_labels {
                true => simplify_formula(formulas, formula, constraint, &self.budget)
                    .map_err(|reason| Failure::new(Exit::Unknown, reason.to_string()))?,
                false => refined(formulas, formula, constraint),
            };
        }
        if self.arguments.nnf {
            formula = Nnf::new().of(formulas, formula);
        }
        if self.arguments.simplify {
            let simple = simplify(formulas, formula, &self.budget);
            formula = simple.map_err(|limit| Failure::new(Exit::Unknown, Incomplete::Exhausted(limit).to_string()))?;
        }
        Ok(match self.arguments.relabel {
            Some(names) => relabel(formulas, formula, names),
            None => formula,
        })
    }

    /// Compares with the formula of an option, by a word that tells them apart.
    fn compared(
        &self,
        formulas: &mut Formulas,
        formula: Formula,
        question: &'static str,
        about: &str,
    ) -> Result<Result<Answer, Incomplete>, Failure> {
        let other = formula_of_option(formulas, about, self.arguments.input.syntax, self.terminal)?;
        let mut pairs = vec![(formula, other, "the first holds, the second does not")];
        if question == "equivalent-to" {
            pairs.push((other, formula, "the second holds, the first does not"));
        }
        let mut answer = Answer { question, about: about.to_owned(), yes: true, reason: String::new(), word: None };
        for (one, two, difference) in pairs {
            match not_implied(formulas, one, two, &self.budget) {
                Ok(None) => {}
                Ok(Some(word)) => {
                    answer.yes = false;
                    answer.reason = format!("on {word} {difference}\n");
                    answer.word = Some(word);
                    break;
                }
                Err(limit) => return Ok(Err(limit)),
            }
        }
        Ok(Ok(answer))
    }

    fn text(&self, formula: &str, size: Option<u64>, classes: Option<Description>, answers: &[Answer]) -> String {
        let mut facts = Vec::new();
        facts.extend(size.map(|size| format!("size {size}")));
        facts.extend(classes.map(|classes| classes.words()));
        let mut text = match facts.is_empty() {
            true => format!("{formula}\n"),
            false => format!("{formula}: {}\n", facts.join(", ")),
        };
        for answer in answers.iter().filter(|_| self.arguments.explain) {
            let yes = if answer.yes { "yes" } else { "no" };
            text.push_str(&format!("  {} {}: {yes}\n", answer.question, answer.about));
            answer.reason.lines().for_each(|line| text.push_str(&format!("    {line}\n")));
        }
        text
    }

    fn json(&self, formula: &str, size: Option<u64>, classes: Option<Description>, answers: &[Answer]) -> String {
        let answer = |answer: &Answer| FormulaAnswer {
            question: answer.question.to_owned(),
            about: answer.about.clone(),
            answer: answer.yes,
            word: answer.word.as_ref().map(Word::to_string),
            reason: self.arguments.explain.then(|| answer.reason.lines().map(str::to_owned).collect()),
        };
        line(&FormulaLine {
            schema: SCHEMA,
            formula: formula.to_owned(),
            size,
            class: classes.map(|classes| classes.meaning.name().to_owned()),
            class_by_shape: classes.map(|classes| classes.shape.name().to_owned()),
            stutter_invariant: classes.map(|classes| classes.invariant),
            answers: answers.iter().map(answer).collect(),
        })
    }
}

/// Answers whether a formula holds on a word, as wanted, with a proof.
fn evaluated(
    formulas: &Formulas,
    formula: Formula,
    word: &Word,
    wanted: bool,
    explain: bool,
    budget: &Budget,
) -> Result<Answer, Exhausted> {
    let evaluation = evaluate_within(formulas, formula, word, budget)?;
    let question = if wanted { "accept-word" } else { "reject-word" };
    let yes = evaluation.truth(formula, 0) == wanted;
    // A proof repeats subformulas, so it can be much longer than the formula.
    let reason = if explain { evaluation.proof().show(formulas) } else { String::new() };
    Ok(Answer { question, about: word.to_string(), yes, reason, word: None })
}

/// What `--classify` tells.
#[derive(Clone, Copy)]
struct Description {
    meaning: Hierarchy,
    shape: Hierarchy,
    invariant: bool,
}

impl Description {
    fn of(formulas: &mut Formulas, formula: Formula, budget: &Budget) -> Result<Self, Incomplete> {
        let traits = Classifier::new().traits(formulas, formula);
        let shape = Hierarchy {
            safety: traits.has(Traits::SAFETY),
            guarantee: traits.has(Traits::GUARANTEE),
            persistence: traits.has(Traits::PERSISTENCE),
            recurrence: traits.has(Traits::RECURRENCE),
        };
        let invariant = traits.has(Traits::WITHOUT_NEXT) || is_invariant(formulas, formula, budget)?;
        Ok(Self { meaning: classes(formulas, formula, budget)?, shape, invariant })
    }

    fn words(self) -> String {
        let invariance = if self.invariant { "stutter-invariant" } else { "not stutter-invariant" };
        format!("{} (by shape {}), {invariance}", self.meaning.name(), self.shape.name())
    }
}

/// The formula with new names for its propositions, in a pool of its own: members of junctions come in the order in which a
/// pool has seen them, and that should be the order of the new names.
fn relabel(formulas: &mut Formulas, formula: Formula, names: Names) -> Formula {
    let atoms = formulas.atoms(formula);
    let name = |atom: AtomId| {
        let index = atoms.binary_search(&atom).expect("an atom of the formula");
        match (names, index / 26) {
            (Names::Pnn, _) => format!("p{index}"),
            (Names::Abc, 0) => char::from(b'a' + index as u8).to_string(),
            (Names::Abc, round) => format!("{}{round}", char::from(b'a' + (index % 26) as u8)),
        }
    };
    let mut fresh = Formulas::new();
    for &atom in &atoms {
        fresh.atom(&name(atom));
    }
    let mut relabelled: HashMap<Formula, Formula> = HashMap::new();
    for part in formulas.subformulas(formula) {
        let renamed = match formulas.node(part) {
            Node::Atom(atom) => fresh.atom(&name(*atom)),
            node => fresh.make(node.map(|child| relabelled[&child])),
        };
        relabelled.insert(part, renamed);
    }
    *formulas = fresh;
    relabelled[&formula]
}

fn notation(notation: arguments::Notation) -> Notation {
    match notation {
        arguments::Notation::Spot => Notation::Spot,
        arguments::Notation::Spin => Notation::Spin,
        arguments::Notation::Lbt => Notation::Lbt,
        arguments::Notation::Nusmv => Notation::NuSmv,
        arguments::Notation::Wring => Notation::Wring,
        arguments::Notation::Utf8 => Notation::Utf8,
        arguments::Notation::Latex => Notation::Latex,
    }
}
