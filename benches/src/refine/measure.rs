//! All tasks, translators and searches.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use kernel::budget::Budget;
use omega::automaton::Automaton;
use omega::constraint::choice::{Knowledge, Size};
use omega::constraint::labels;
use omega::constraint::labels::label_length;
use promela::mine;

use super::automata::automata;
use super::pan::{self, Pan};
use super::tasks::{Subject, Task};
use super::translators::Translator;
use super::{Measured, NoAutomaton, Outcome, Row, Search, ours};

/// The size of an automaton, the length of its simplified labels and its number among those searched; or why there is none.
type Translated = std::result::Result<(Size, usize, usize), NoAutomaton>;

/// Limits, and what takes part.
pub struct Plan {
    /// How long one search may take.
    pub patience: Duration,
    /// The searches.
    pub searches: Vec<Search>,
    /// The translators.
    pub translators: Vec<Translator>,
}

/// What became of a task.
pub struct Result {
    /// The model and the property.
    pub name: String,
    /// The number of states of the model.
    pub states: u64,
    /// By translator.
    pub rows: Vec<Row>,
    /// For each search, whether there is a violation, if any search came to its end.
    pub verdicts: Vec<bool>,
}

impl Result {
    /// Whether there is a violation, if some search came to its end.
    #[must_use]
    pub fn is_violated(&self) -> Option<bool> {
        self.verdicts.first().copied()
    }

    /// Whether all searches of all automata agree.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.verdicts.windows(2).all(|pair| pair[0] == pair[1])
    }
}

/// From how many states on only the leading translators take part.
const LARGE: u64 = 600_000;

impl Plan {
    /// Measures all tasks, on all processors, in the order of the subjects.
    ///
    /// # Panics
    /// If a search panics.
    #[must_use]
    pub fn measure(&self, subjects: &[Subject]) -> Vec<Result> {
        let mut places: Vec<(usize, usize)> = subjects
            .iter()
            .enumerate()
            .flat_map(|(at, subject)| (0..subject.tasks.len()).map(move |task| (at, task)))
            .collect();
        // The longest first, so that no processor waits at the end.
        places.sort_by_key(|(at, _)| std::cmp::Reverse(subjects[*at].states));
        let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let started = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    while let Some((at, task)) = places.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let result = self.task(&subjects[*at], &subjects[*at].tasks[*task]);
                        let mut done = done.lock().expect("no thread panics");
                        done.push((*at, *task, result));
                        if done.len() % 20 == 0 {
                            tell(done.len(), places.len(), started);
                        }
                    }
                });
            }
        });
        let mut done = done.into_inner().expect("no thread panics");
        done.sort_by_key(|(at, task, _)| (*at, *task));
        done.into_iter().map(|(_, _, result)| result).collect()
    }

    fn task(&self, subject: &Subject, task: &Task) -> Result {
        let mut formulas = task.claim.formulas.clone();
        let negation = formulas.not(task.claim.formula);
        let knowledge = mine::facts(&subject.model, &task.claim.atoms).knowledge(&mut formulas);
        let knowledge = Knowledge { stricter: None, ..knowledge };
        let mut searched = Searched::default();
        let mut rows: Vec<[Translated; 4]> = Vec::new();
        for translator in &self.translators {
            if subject.states > LARGE && !translator.is_leading() {
                rows.push([Err(NoAutomaton::Skipped); 4]);
                continue;
            }
            let all = automata(translator, &mut formulas, negation, &knowledge);
            rows.push(all.map(|automaton| {
                let automaton = automaton?;
                let atoms = task.claim.atoms.len();
                let budget = Budget::unlimited();
                let size = Size::of(&automaton, atoms, &budget).map_err(|_| NoAutomaton::Limit)?;
                let short = labels::simplify(&automaton, &formulas, knowledge.constraint, &budget);
                let short = label_length(&short.map_err(|_| NoAutomaton::Limit)?);
                Ok((size, short, searched.number(automaton).ok_or(NoAutomaton::Limit)?))
            }));
        }
        let outcomes = self.outcomes(subject, task, &searched);
        let verdicts = outcomes.iter().flatten().filter_map(|outcome| match outcome {
            Outcome::Solved { violated, .. } => Some(*violated),
            _ => None,
        });
        let verdicts = verdicts.collect();
        let rows = rows.into_iter().map(|row| {
            row.map(|cell| {
                cell.map(|(size, short_length, number)| Measured {
                    size,
                    short_length,
                    number,
                    searches: outcomes[number],
                })
            })
        });
        let name = format!("{} {}", subject.instance.name(), task.name);
        Result { name, states: subject.states, rows: rows.collect(), verdicts }
    }

    /// The ends of all searches of all different automata.
    fn outcomes(&self, subject: &Subject, task: &Task, searched: &Searched) -> Vec<[Outcome; 4]> {
        let mut outcomes = vec![[Outcome::Skipped; 4]; searched.claims.len()];
        for search in &self.searches {
            let reduces = search.reduces() && task.is_invariant;
            // Without reduction both searches of a tool are the same.
            let twin = match search {
                Search::Reduced if !reduces && self.searches.contains(&Search::Full) => Some(Search::Full),
                Search::PanReduced if !reduces && self.searches.contains(&Search::PanFull) => Some(Search::PanFull),
                _ => None,
            };
            if let Some(twin) = twin {
                outcomes.iter_mut().for_each(|of| of[*search as usize] = of[twin as usize]);
                continue;
            }
            let pan = search.is_pan().then(|| Pan::new(&subject.instance, subject.states, &searched.claims, reduces));
            if let Some(Err(reason)) = &pan {
                note(&format!("{}: {reason}", subject.instance.name()));
                continue;
            }
            for (number, of) in outcomes.iter_mut().enumerate() {
                of[*search as usize] = match &pan {
                    Some(Ok(pan)) => pan.search(number, self.patience),
                    _ => {
                        let automaton = &searched.automata[number];
                        ours::search(&subject.model, &task.claim.atoms, automaton, reduces, self.patience)
                    }
                };
            }
        }
        outcomes
    }
}

/// The different automata of a task; the same claim is searched once.
#[derive(Default)]
struct Searched {
    numbers: HashMap<String, usize>,
    claims: Vec<String>,
    automata: Vec<Automaton>,
}

impl Searched {
    /// The number of an automaton; none if it cannot be written as a claim.
    fn number(&mut self, automaton: Automaton) -> Option<usize> {
        let claim = pan::claim(&automaton)?;
        let next = self.claims.len();
        let number = *self.numbers.entry(claim.clone()).or_insert(next);
        if number == next {
            self.claims.push(claim);
            self.automata.push(automaton);
        }
        Some(number)
    }
}

#[expect(clippy::print_stderr, reason = "a run takes long")]
fn tell(done: usize, all: usize, started: Instant) {
    eprintln!("{done} of {all} tasks, {:.0} s", started.elapsed().as_secs_f64());
}

#[expect(clippy::print_stderr, reason = "what SPIN refuses is told")]
fn note(text: &str) {
    eprintln!("{text}");
}
