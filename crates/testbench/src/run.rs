//! Many trials: which inputs, in which order, on how many cores, until when.
//!
//! What: a [`Plan`] says what is tested on what; [`Bench::perform`] carries out one item of it, and [`Bench::run`] all of them,
//! in parallel, handing the records over in the order of the items.
//!
//! Contract: item `i` depends on the seed and on `i` only, so that reports are the same for any number of threads, apart from
//! times. A stop at the first failure is a stop at the failure with the smallest number.
//!
//! Source: sections 3.1 and 5 of [tauriainen.00.spin]: a new structure after every tenth formula.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use omega::formula::{Formula, Formulas};
use omega::print::{Notation, print};
use omega::random::Random;

use crate::blame::{Finding, blame};
use crate::generate::formula::SymbolSet;
use crate::generate::structure::{StructureShape, graph, path};
use crate::oracle::{Check, Comparison};
use crate::shrink::{Case, Problem, shrink};
use crate::structure::Structure;
use crate::translator::{Failure, Limits, Translator, Workplace};
use crate::trial::{Side, Sizes, Trial};

/// Room for translators of ours; only what is used is taken from the system.
const STACK: usize = 64 << 20;

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
}

/// The formulas.
#[derive(Clone, Debug)]
pub enum Input {
    /// So many random formulas of each symbol set, of all sizes in turn.
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

/// What is tested on what.
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
    /// After how many formulas there is a new structure.
    pub formulas_per_structure: usize,
    /// By which laws.
    pub checks: Vec<Check>,
    /// Where random numbers start.
    pub seed: u64,
    /// The limits of one run of an external translator.
    pub limits: Limits,
    /// How many trials run at a time.
    pub threads: usize,
    /// Whether the first failure, of whatever kind, is the last.
    pub stop_at_failure: bool,
    /// When to stop.
    pub time_limit: Option<Duration>,
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
}

/// A trial and what the checks say about it.
#[derive(Clone, Debug)]
pub struct Performance {
    /// The trial.
    pub trial: Trial,
    /// All comparisons.
    pub comparisons: Vec<Comparison>,
    /// What became of those with a fault.
    pub findings: Vec<Finding>,
}

/// What one translator did with one side.
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
pub type StructureCache = HashMap<(usize, StructureKind), (usize, Arc<Structure>)>;

/// A plan ready to be carried out.
#[derive(Debug)]
pub struct Bench {
    /// The plan.
    pub plan: Plan,
    /// Where external translators run.
    pub workplace: Workplace,
    atoms: Vec<String>,
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
    pub fn new(plan: Plan) -> io::Result<Self> {
        let external = plan.translators.iter().any(Translator::is_external);
        let workplace = if external { Workplace::new(plan.limits)? } else { Workplace::without_folder() };
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
        Ok(Bench { plan, workplace, atoms })
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
        let group = row / self.plan.formulas_per_structure.max(1);
        let known = cache.get(&(set, kind)).filter(|(known, _)| *known == group);
        let structure = match known {
            Some((_, structure)) => Arc::clone(structure),
            None => {
                let column = group * kinds.len() * self.set_count() + column;
                let mut random = stream(self.plan.seed, STRUCTURES, column);
                let structure = Arc::new(match kind {
                    StructureKind::Graph => graph(&self.atoms, self.plan.shape, &mut random),
                    StructureKind::Path => path(&self.atoms, self.plan.shape, &mut random),
                });
                cache.insert((set, kind), (group, Arc::clone(&structure)));
                structure
            }
        };
        Item { number, set, kind, formulas, formula, structure }
    }

    /// Carries out one item.
    #[must_use]
    pub fn perform(&self, item: &Item) -> Performance {
        let structure = Arc::clone(&item.structure);
        let mut trial =
            Trial::new(&self.plan.translators, item.formulas.clone(), item.formula, structure, &self.workplace);
        let comparisons: Vec<Comparison> = self.plan.checks.iter().flat_map(|check| check.apply(&mut trial)).collect();
        let faults: Vec<Comparison> = comparisons.iter().copied().filter(|one| one.fault.is_some()).collect();
        let findings = faults.into_iter().map(|fault| blame(&mut trial, fault)).collect();
        Performance { trial, comparisons, findings }
    }

    /// What statistics need of a performance.
    #[must_use]
    pub fn record(&self, item: &Item, performance: Performance) -> Record {
        let Performance { trial, comparisons, findings } = performance;
        let run = |translator: usize, side: Side| {
            let attempt = &trial.attempts[translator][side.index()];
            let product = trial.outcome(translator, side).map(|outcome| &outcome.product);
            RunRecord {
                seconds: attempt.seconds,
                failure: attempt.outcome.as_ref().err().cloned(),
                sizes: trial.sizes(translator, side),
                product: product.map(|product| [product.states, product.transitions, product.components]),
            }
        };
        let runs: Vec<[RunRecord; 2]> =
            (0..trial.translator_count()).map(|translator| Side::BOTH.map(|side| run(translator, side))).collect();
        let case = |problem: Problem| Case {
            formulas: trial.formulas.clone(),
            formula: item.formula,
            structure: Arc::clone(&item.structure),
            problem,
        };
        let mut cases = Vec::new();
        for (translator, both) in runs.iter().enumerate() {
            for side in Side::BOTH {
                if let Some(failure) = both[side.index()].failure.clone() {
                    cases.push(case(Problem::Failed { translator, side, failure }));
                }
            }
        }
        cases.extend(findings.into_iter().map(|finding| case(Problem::Broken(finding))));
        Record {
            number: item.number,
            set: item.set,
            kind: item.kind,
            texts: trial.sides.map(|side| print(&trial.formulas, side, Notation::Spot)),
            symbols: trial.formulas.size(item.formula),
            runs,
            comparisons,
            cases,
        }
    }

    /// Carries out all items until the plan or `cancel` says stop. `observe` gets the records in order, and the number of
    /// items done so far by whatever thread. Gives the number of records observed.
    ///
    /// # Panics
    /// Where Lariat itself is wrong.
    pub fn run(&self, cancel: &AtomicBool, mut observe: impl FnMut(Record, usize)) -> usize {
        let until = self.plan.time_limit.map(|limit| Instant::now() + limit);
        let (next, done, stop) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
        let count = self.item_count();
        let is_over = || {
            stop.load(Ordering::Relaxed)
                || cancel.load(Ordering::Relaxed)
                || until.is_some_and(|end| Instant::now() >= end)
        };
        let work = |sender: mpsc::SyncSender<Record>| {
            let mut cache = StructureCache::new();
            while !is_over() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    break;
                }
                let item = self.item(number, &mut cache);
                let record = self.record(&item, self.perform(&item));
                done.fetch_add(1, Ordering::Relaxed);
                if sender.send(record).is_err() {
                    break;
                }
            }
        };
        let mut observed = 0;
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel(256);
            for _ in 0..self.plan.threads.max(1) {
                let sender = sender.clone();
                let work = &work;
                let spawned = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || work(sender));
                spawned.expect("a thread starts");
            }
            drop(sender);
            let mut early: BTreeMap<usize, Record> = BTreeMap::new();
            for record in receiver {
                early.insert(record.number, record);
                while let Some(record) = early.remove(&observed) {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    if self.plan.stop_at_failure && !record.is_clean() {
                        stop.store(true, Ordering::Relaxed);
                    }
                    observed += 1;
                    observe(record, done.load(Ordering::Relaxed));
                }
            }
        });
        observed
    }

    /// Makes a case of this plan smaller.
    #[must_use]
    pub fn shrink(&self, case: &Case, budget: Duration) -> Case {
        shrink(case, &self.plan.translators, &self.workplace, budget)
    }
}
