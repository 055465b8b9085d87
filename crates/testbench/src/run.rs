//! Many trials: which inputs, in which order, on how many cores, until when.
//!
//! What: a [`Plan`] lists formulas, structures and checks; [`Bench::perform`] carries out one item of it, and [`Bench::run`] all of them,
//! in parallel, handing the records over in the order of the items.
//!
//! Contract: item `i` depends on the seed and on `i` only, so that reports are the same for any number of threads, apart from
//! times. A stop at the first failure is a stop at the failure with the smallest number. Neither a run nor shrinking takes
//! longer than asked for, whatever a translator or a construction of ours is busy with ([`crate::abandon`]).
//!
//! Source: sections 3.1 and 5 of [tauriainen.00.spin]: a new structure after every tenth formula.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use omega::formula::{Formula, Formulas};
use omega::print::{Notation, print};
use omega::random::Random;

use crate::abandon::{End, Switch, collect};
use crate::blame::{Finding, blame};
use crate::generate::formula::SymbolSet;
use crate::generate::structure::{StructureShape, graph, path};
use crate::oracle::{Check, Comparison, Skip};
use crate::shrink::{Case, Problem, shrink};
use crate::structure::Structure;
use crate::translator::{Failure, Limits, Translator, Workplace};
use crate::trial::{Side, Sizes, Trial};

/// The kind of structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StructureKind {
    /// A random graph.
    Graph,
    /// A random path.
    Path,
}

impl StructureKind {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            StructureKind::Graph => "random graphs",
            StructureKind::Path => "random paths",
        }
    }

    /// The name on the command line and in data.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            StructureKind::Graph => "graph",
            StructureKind::Path => "path",
        }
    }
}

/// The formulas.
#[derive(Clone, Debug)]
pub enum Input {
    /// This many random formulas of each symbol set; their sizes cycle through the range.
    Random {
        /// The symbol sets.
        sets: Vec<SymbolSet>,
        /// The numbers of symbols.
        sizes: RangeInclusive<usize>,
        /// How many of each set and for each kind of structure.
        count: usize,
    },
    /// Formulas from elsewhere.
    Given(Vec<(Formulas, Formula)>),
}

/// The formulas, structures and checks of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Who is tested.
    pub translators: Vec<Translator>,
    /// On which formulas.
    pub input: Input,
    /// In which kinds of structures.
    pub kinds: Vec<StructureKind>,
    /// How the structures look.
    pub shape: StructureShape,
    /// The structure; `None` for random structures.
    pub given_structure: Option<Structure>,
    /// After how many formulas there are new structures.
    pub formulas_per_structure: usize,
    /// In how many structures each formula is tested, at least one.
    pub structures_per_formula: usize,
    /// By which laws.
    pub checks: Vec<Check>,
    /// Where random numbers start.
    pub seed: u64,
    /// The limits of one run of a translator.
    pub limits: Limits,
    /// Whether the run is to end at the time limit rather than after a number of formulas.
    pub is_endless: bool,
    /// How many trials run at a time.
    pub threads: usize,
    /// Whether the run stops at the first failure of any kind.
    pub stop_at_failure: bool,
    /// The time at which to stop, even in the middle of a translation.
    pub time_limit: Option<Duration>,
    /// How much of that time is left for shrinking once something has failed.
    pub kept_back: Duration,
}

/// One item of a plan.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its number.
    pub number: usize,
    /// The index of its symbol set.
    pub set: usize,
    /// The kind of its structure.
    pub kind: StructureKind,
    /// The pool of its formula.
    pub formulas: Formulas,
    /// Its formula.
    pub formula: Formula,
    /// Its structure.
    pub structure: Arc<Structure>,
    /// Further structures, for the checks that need one.
    pub more_structures: Vec<Arc<Structure>>,
}

/// A trial and the results of its checks.
#[derive(Clone, Debug)]
pub struct Performance {
    /// The trial.
    pub trial: Trial,
    /// What the checks say.
    pub results: Results,
}

/// What the checks say about a formula.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// All comparisons.
    pub comparisons: Vec<Comparison>,
    /// Comparisons that were too large to be made.
    pub skipped: Vec<Skip>,
    /// What became of those with a fault, and in which structure.
    pub findings: Vec<(Arc<Structure>, Finding)>,
}

impl Results {
    /// Takes in what checks say about a trial.
    fn apply(&mut self, trial: &mut Trial, checks: &[Check]) {
        let mut faults = Vec::new();
        for check in checks {
            let applied = check.apply(trial);
            faults.extend(applied.made.iter().copied().filter(|one| one.fault.is_some()));
            self.comparisons.extend(applied.made);
            self.skipped.extend(applied.skipped);
        }
        for fault in faults {
            let finding = blame(trial, fault);
            self.findings.push((Arc::clone(&trial.structure), finding));
        }
    }
}

/// The result of one translator for the formula or its negation.
#[derive(Clone, Debug)]
pub struct RunRecord {
    /// The time it took.
    pub seconds: f64,
    /// How it failed, if it did.
    pub failure: Option<Failure>,
    /// The size of the automaton.
    pub sizes: Option<Sizes>,
    /// States, transitions and components of the product.
    pub product: Option<[u64; 3]>,
}

/// An item as it goes into statistics.
#[derive(Clone, Debug)]
pub struct Record {
    /// The number of the item.
    pub number: usize,
    /// The index of the symbol set.
    pub set: usize,
    /// The kind of structure.
    pub kind: StructureKind,
    /// The formula and its negation, in Spot's syntax.
    pub texts: [String; 2],
    /// The number of symbols of the formula.
    pub symbols: u64,
    /// For each translator both runs.
    pub runs: Vec<[RunRecord; 2]>,
    /// All comparisons.
    pub comparisons: Vec<Comparison>,
    /// Comparisons that were too large to be made.
    pub skipped: Vec<Skip>,
    /// Findings and failures, each as a case.
    pub cases: Vec<Case>,
}

impl Record {
    /// Whether nothing went wrong.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.cases.is_empty()
    }
}

/// Structures that are still in use, by set and kind, with the number of their group.
pub type StructureCache = HashMap<(usize, StructureKind), (usize, Vec<Arc<Structure>>)>;

/// A plan ready to be carried out.
#[derive(Debug)]
pub struct Bench {
    /// The plan.
    pub plan: Plan,
    /// Where external translators run.
    pub workplace: Workplace,
    atoms: Vec<String>,
    given_structure: Option<Arc<Structure>>,
}

/// Different streams of random numbers from one seed.
fn stream(seed: u64, salt: u64, number: usize) -> Random {
    let base = Random::new(seed ^ salt).bits();
    // A factor other than the generator's own increment, so that streams are not shifts of each other.
    let mixed = Random::new(base ^ (number as u64).wrapping_mul(0xd134_2543_de82_ef95)).bits();
    Random::new(mixed)
}

const FORMULAS: u64 = 0x666f_726d;
const STRUCTURES: u64 = 0x7374_7275;

impl Bench {
    /// Gets ready.
    ///
    /// # Errors
    /// Where there is no place for temporary files.
    pub fn new(plan: Plan) -> io::Result<Arc<Self>> {
        let external = plan.translators.iter().any(Translator::is_external);
        let workplace = if external { Workplace::new(plan.limits)? } else { Workplace::without_folder(plan.limits) };
        let atoms = match &plan.input {
            Input::Random { sets, .. } => sets.first().map(SymbolSet::atoms).unwrap_or_default(),
            Input::Given(list) => {
                let names = |(formulas, formula): &(Formulas, Formula)| {
                    let name = |id| formulas.atom_name(id).to_owned();
                    formulas.atoms(*formula).into_iter().map(name).collect::<Vec<String>>()
                };
                let mut all: Vec<String> = list.iter().flat_map(names).collect();
                all.sort();
                all.dedup();
                all
            }
        };
        let given_structure = plan.given_structure.clone().map(Arc::new);
        Ok(Arc::new(Bench { plan, workplace, atoms, given_structure }))
    }

    /// The number of symbol sets.
    #[must_use]
    pub fn set_count(&self) -> usize {
        match &self.plan.input {
            Input::Random { sets, .. } => sets.len(),
            Input::Given(_) => 1,
        }
    }

    /// The number of items.
    #[must_use]
    pub fn item_count(&self) -> usize {
        let formulas = match &self.plan.input {
            Input::Random { count, .. } => *count,
            Input::Given(list) => list.len(),
        };
        formulas * self.set_count() * self.plan.kinds.len()
    }

    /// The item of a number.
    #[must_use]
    pub fn item(&self, number: usize, cache: &mut StructureCache) -> Item {
        let kinds = &self.plan.kinds;
        let (row, column) = (number / (kinds.len() * self.set_count()), number % (kinds.len() * self.set_count()));
        let (kind, set) = (kinds[column % kinds.len()], column / kinds.len());
        let (formulas, formula) = match &self.plan.input {
            Input::Given(list) => list[row].clone(),
            Input::Random { sets, sizes, .. } => {
                let mut formulas = Formulas::new();
                let size = sizes.start() + row % (sizes.end() - sizes.start() + 1);
                let mut random = stream(self.plan.seed, FORMULAS, number);
                let formula = sets[set].draw(size, &mut formulas, &mut random);
                (formulas, formula)
            }
        };
        let mut more_structures = self.structures(row, column, (set, kind), cache);
        let structure = more_structures.remove(0);
        Item { number, set, kind, formulas, formula, structure, more_structures }
    }

    /// The structures of an item, which it shares with its neighbours.
    fn structures(
        &self,
        row: usize,
        column: usize,
        (set, kind): (usize, StructureKind),
        cache: &mut StructureCache,
    ) -> Vec<Arc<Structure>> {
        if let Some(given) = &self.given_structure {
            return vec![Arc::clone(given)];
        }
        let kinds = &self.plan.kinds;
        let group = row / self.plan.formulas_per_structure.max(1);
        let known = cache.get(&(set, kind)).filter(|(known, _)| *known == group);
        match known {
            Some((_, structures)) => structures.clone(),
            None => {
                let column = group * kinds.len() * self.set_count() + column;
                let draw = |turn: usize| {
                    let mut random = stream(self.plan.seed, STRUCTURES ^ (turn as u64) << 32, column);
                    Arc::new(match kind {
                        StructureKind::Graph => graph(&self.atoms, self.plan.shape, &mut random),
                        StructureKind::Path => path(&self.atoms, self.plan.shape, &mut random),
                    })
                };
                let structures: Vec<_> = (0..self.plan.structures_per_formula.max(1)).map(draw).collect();
                cache.insert((set, kind), (group, structures.clone()));
                structures
            }
        }
    }

    /// Carries out one item; none if the workplace's switch said stop before the end.
    #[must_use]
    pub fn perform(&self, item: &Item, workplace: &Workplace) -> Option<Performance> {
        self.perform_with(&self.plan.translators, item, workplace)
    }

    /// As [`Bench::perform`], with these in place of the translators of the plan, one for each.
    #[must_use]
    pub fn perform_with(&self, translators: &[Translator], item: &Item, workplace: &Workplace) -> Option<Performance> {
        let structure = Arc::clone(&item.structure);
        let mut trial = Trial::new(translators, item.formulas.clone(), item.formula, structure, workplace)?;
        let mut results = Results::default();
        results.apply(&mut trial, &self.plan.checks);
        let in_structures: Vec<Check> = self.plan.checks.iter().copied().filter(|one| one.needs_structure()).collect();
        for structure in &item.more_structures {
            results.apply(&mut trial.with_structure(structure), &in_structures);
        }
        Some(Performance { trial, results })
    }

    /// The record of a performance for the statistics.
    #[must_use]
    pub fn record(&self, item: &Item, performance: Performance) -> Record {
        let Performance { trial, results: Results { comparisons, skipped, findings } } = performance;
        let run = |translator: usize, side: Side| {
            let attempt = &trial.attempts[translator][side.index()];
            let product = trial.translation(translator, side).map(|outcome| &outcome.product);
            RunRecord {
                seconds: attempt.seconds,
                failure: attempt.outcome.as_ref().err().cloned(),
                sizes: trial.sizes(translator, side),
                product: product.map(|product| [product.states, product.transitions, product.components]),
            }
        };
        let runs: Vec<[RunRecord; 2]> =
            (0..trial.translator_count()).map(|translator| Side::BOTH.map(|side| run(translator, side))).collect();
        let case = |structure: Arc<Structure>, problem: Problem| Case {
            formulas: trial.formulas.clone(),
            formula: item.formula,
            structure,
            problem,
        };
        let mut cases = Vec::new();
        for (translator, both) in runs.iter().enumerate() {
            for side in Side::BOTH {
                let failure = both[side.index()].failure.clone();
                if let Some(failure) = failure.filter(|failure| !failure.kind.is_excused()) {
                    cases.push(case(Arc::clone(&item.structure), Problem::Failed { translator, side, failure }));
                }
            }
        }
        let broken = |(structure, finding)| case(structure, Problem::Broken(finding));
        cases.extend(findings.into_iter().map(broken));
        Record {
            number: item.number,
            set: item.set,
            kind: item.kind,
            texts: trial.sides.map(|side| print(&trial.formulas, side, Notation::Spot)),
            symbols: trial.formulas.size(item.formula),
            runs,
            comparisons,
            skipped,
            cases,
        }
    }

    /// Carries out all items until the plan or `cancel` says stop. `observe` gets the records in order, and the number of
    /// items done so far by whatever thread. Gives the number of records observed: where the time was over, without those of
    /// items that were not done yet.
    ///
    /// # Panics
    /// Where Lariat itself is wrong.
    pub fn run(self: &Arc<Self>, cancel: &AtomicBool, mut observe: impl FnMut(Record, usize)) -> usize {
        let start = Instant::now();
        let has_failed = Cell::new(false);
        let is_over = || {
            let kept_back = if has_failed.get() { self.plan.kept_back } else { Duration::ZERO };
            let limit = self.plan.time_limit.map(|limit| limit.saturating_sub(kept_back));
            cancel.load(Ordering::Relaxed) || limit.is_some_and(|limit| start.elapsed() >= limit)
        };
        let (next, done) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
        let (bench, counter) = (Arc::clone(self), Arc::clone(&done));
        let work = move |switch: &Switch, sender: SyncSender<Record>| bench.work(switch, &sender, &next, &counter);
        let mut observed = 0;
        let mut early: BTreeMap<usize, Record> = BTreeMap::new();
        let mut show = |record: Record| {
            observed += 1;
            let is_clean = record.is_clean();
            has_failed.set(has_failed.get() || !is_clean);
            observe(record, done.load(Ordering::Relaxed));
            if self.plan.stop_at_failure && !is_clean { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut due = 0;
        let end = collect(self.plan.threads, work, is_over, |record: Record| {
            early.insert(record.number, record);
            while let Some(record) = early.remove(&due) {
                due += 1;
                show(record)?;
            }
            ControlFlow::Continue(())
        });
        if end == End::Over {
            // Records that arrived out of order are kept.
            let _ = early.into_values().try_for_each(show);
        }
        observed
    }

    /// Carries out one item after the other until none is left, or the receiver is gone.
    fn work(&self, switch: &Switch, sender: &SyncSender<Record>, next: &AtomicUsize, done: &AtomicUsize) {
        let mut cache = StructureCache::new();
        let workplace = self.workplace.until(switch);
        while !workplace.is_over() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.item_count() {
                return;
            }
            let item = self.item(number, &mut cache);
            let Some(performance) = self.perform(&item, &workplace) else { return };
            let record = self.record(&item, performance);
            done.fetch_add(1, Ordering::Relaxed);
            if sender.send(record).is_err() {
                return;
            }
        }
    }

    /// Makes a case of this plan smaller, for at most so long, or until `cancel` says stop; also tells whether that was not
    /// before the end.
    #[must_use]
    pub fn shrink(self: &Arc<Self>, case: &Case, time: Duration, cancel: &AtomicBool) -> (Case, bool) {
        let start = Instant::now();
        let (bench, given) = (Arc::clone(self), case.clone());
        let work = move |switch: &Switch, sender: SyncSender<Case>| {
            let workplace = bench.workplace.until(switch);
            shrink(&given, &bench.plan.translators, &workplace, |better| drop(sender.send(better.clone())));
        };
        let is_over = || cancel.load(Ordering::Relaxed) || start.elapsed() >= time;
        let mut best = case.clone();
        let end = collect(1, work, is_over, |better| {
            best = better;
            ControlFlow::Continue(())
        });
        (best, end == End::Done)
    }
}
