//! Section 5 of the paper: how much time short labels save. Only tasks without error count, whose searches visit all of the
//! product, if that is large enough to be timed.

use std::fmt::Write as _;
use std::time::Duration;

use kernel::budget::Budget;
use omega::automaton::Automaton;
use omega::constraint::choice::Knowledge;
use omega::constraint::labels::{label_length, simplify};
use omega::constraint::refined;
use promela::mine;

use super::measure::Result;
use super::pan::{self, Pan};
use super::tasks::{Subject, Task};
use super::translators::Translator;
use super::{Form, Outcome, Search, ours};
use crate::cpu::own_thread;

/// How many tasks are timed, and how often each automaton.
const TASKS: usize = 6;
const TIMES: usize = 5;

/// How long one search may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A task, and its refined automaton with long and with short labels.
struct Case<'a> {
    subject: &'a Subject,
    task: &'a Task,
    automata: [Automaton; 2],
}

impl Case<'_> {
    fn lengths(&self) -> [usize; 2] {
        [label_length(&self.automata[0]), label_length(&self.automata[1])]
    }

    /// How many times as long the long labels are.
    fn gain(&self) -> f64 {
        let [long, short] = self.lengths();
        long as f64 / short.max(1) as f64
    }
}

/// The table: the tasks without error whose labels become shorter by the largest factor.
#[must_use]
pub fn table(subjects: &[Subject], results: &[Result], translator: &Translator, has_spin: bool) -> String {
    let tasks = subjects.iter().flat_map(|subject| subject.tasks.iter().map(move |task| (subject, task)));
    let timed = tasks.zip(results).filter(|(_, result)| result.is_violated() == Some(false) && is_long(result));
    let mut cases: Vec<Case<'_>> = timed.filter_map(|((subject, task), _)| case(subject, task, translator)).collect();
    cases.sort_by(|a, b| b.gain().total_cmp(&a.gain()));
    let mut text = String::from(
        "Section 5: processor milliseconds of a search with long and with short labels, the least of 5 each\n\n\
         | task | states | atoms in labels | Lariat | slower with long labels | SPIN | slower with long labels |\n\
         |---|---:|---:|---:|---:|---:|---:|\n",
    );
    for case in cases.iter().take(TASKS) {
        let [long, short] = case.lengths();
        let states = case.subject.states;
        let _ = write!(text, "| `{} {}` | {states} | {long}, {short} |", case.subject.instance.name(), case.task.name);
        for times in [Some(by_us(case)), has_spin.then(|| by_spin(case)).flatten()] {
            let _ = match times {
                Some([long, short]) => {
                    write!(text, " {:.0}, {:.0} | {:+.1} % |", long * 1e3, short * 1e3, (long / short - 1.0) * 100.0)
                }
                None => write!(text, " – | – |"),
            };
        }
        text.push('\n');
    }
    text.push('\n');
    text
}

/// Whether the search of the refined automaton takes long enough to be timed, and not too long to be repeated.
fn is_long(result: &Result) -> bool {
    let searches = result.rows[0][Form::Formula.index()].map(|measured| measured.searches);
    searches.is_ok_and(|searches| match searches[Search::Full as usize] {
        Outcome::Solved { transitions, .. } => (20_000..5_000_000).contains(&transitions),
        Outcome::Skipped | Outcome::Failed => false,
    })
}

fn case<'a>(subject: &'a Subject, task: &'a Task, translator: &Translator) -> Option<Case<'a>> {
    let mut formulas = task.claim.formulas.clone();
    let negation = formulas.not(task.claim.formula);
    let knowledge = mine::facts(&subject.model, &task.claim.atoms).knowledge(&mut formulas);
    let knowledge = Knowledge { stricter: None, ..knowledge };
    let strict = refined(&mut formulas, negation, knowledge.constraint);
    let long = translator.translate(&mut formulas, strict).ok()?;
    let short = simplify(&long, &formulas, knowledge.constraint, &Budget::unlimited()).ok()?;
    let case = Case { subject, task, automata: [long, short] };
    (case.automata[0].edge_count() > 0 && case.gain() > 1.2).then_some(case)
}

/// The least seconds of our search with each automaton, in turn.
fn by_us(case: &Case<'_>) -> [f64; 2] {
    let mut least = [f64::INFINITY; 2];
    for _ in 0..TIMES {
        for (least, automaton) in least.iter_mut().zip(&case.automata) {
            let before = own_thread().unwrap_or(0.0);
            let outcome = ours::search(&case.subject.model, &case.task.claim.atoms, automaton, false, PATIENCE);
            if outcome != Outcome::Failed {
                *least = least.min(own_thread().unwrap_or(0.0) - before);
            }
        }
    }
    least
}

/// The same for SPIN's.
fn by_spin(case: &Case<'_>) -> Option<[f64; 2]> {
    let claims: Vec<String> = case.automata.iter().map(pan::claim).collect::<Option<_>>()?;
    let pan = Pan::new(&case.subject.instance, case.subject.states, &claims, false).ok()?;
    let mut least = [f64::INFINITY; 2];
    for _ in 0..TIMES {
        for (claim, least) in least.iter_mut().enumerate() {
            *least = least.min(pan.run(claim, PATIENCE)?.searching);
        }
    }
    Some(least)
}
