//! Tasks for the refinement of properties, in the shape of section 4 of [blahoudek.15.spin], and what each refinement does
//! to them.
//!
//! *Tasks.* A model with few enough states, and a property over several atoms about the same things: the model's own `ltl`
//! blocks with at least two atoms, and random formulas over two or three atoms about one process or variable and one or two
//! about another, all with different seeds; the constraint has at least one fact about single states.
//!
//! *Contract.* Everything but seconds depends on the models only.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kernel::budget::Budget;
use kernel::system::{Fault, System, record};
use omega::analyse::strength::strength_of;
use omega::automaton::Automaton;
use omega::constraint::choice::{Knowledge, Size, Way, Ways, refine};
use omega::constraint::labels;
use omega::constraint::settle::settle;
use omega::formula::{Formula, Formulas};
use omega::pipeline::{Options, translate};
use omega::print::{Notation, print};
use omega::random::{FormulaShape, Random};
use promela::claim::Claim;
use promela::compiled::Model;
use promela::mine::{self, Constraint};
use promela::property::parse_expression;
use promela::typed::{Expr, Ltl, LtlBlock, Program};
use search::emptiness::End;
use search::product::EdgeOrder;
use search::store::Store;
use search::temporal::{self, Effort};
use testbench::generate::atom::subjects;
use testbench::liveness::Liveness;

use crate::cpu::own_thread;
use crate::properties::load_whole;

/// Models with more states are left out.
const MOST_STATES: usize = 5_000;

/// From how many things about which there are atoms random formulas choose, and from how many atoms about each.
const GROUPS: usize = 8;
const ATOMS: usize = 10;

/// So are models with larger states.
const MOST_BYTES: usize = 1_000;

/// How long one search may take, and how many bytes; what takes more is not solved.
const PATIENCE: Duration = Duration::from_secs(2);
const MEMORY: u64 = 200_000_000;

/// A model and properties of it.
pub struct Subject {
    /// The file, as given.
    pub name: String,
    program: Program,
    /// Whether some runs end in a run-time error.
    breaks_off: bool,
    /// Where the property is from, its atoms, and the formula over them.
    tasks: Vec<(String, Claim)>,
}

/// What one automaton comes to.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Its size.
    pub size: Size,
    /// Product transitions that the search took.
    pub transitions: u64,
    /// What the search came to; none if it was cut short.
    pub verdict: Option<Verdict>,
}

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is a violation.
    Violated,
    /// There is none.
    Absent,
    /// There is none, but some runs break off in run-time errors.
    Broken,
}

/// How far one way came with a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The automaton is too large for the construction.
    TooLarge,
    /// The search was cut short.
    CutShort,
    /// The search came to an end.
    Solved,
}

impl Outcome {
    /// Of the measurements of one way, with long and with short labels.
    fn of(measured: Option<(Measured, Measured)>) -> Self {
        match measured {
            None => Outcome::TooLarge,
            Some((long, short)) if long.verdict.is_none() || short.verdict.is_none() => Outcome::CutShort,
            Some(_) => Outcome::Solved,
        }
    }
}

/// What was tried with one task.
pub struct Attempt {
    /// Without refinement.
    pub plain: Outcome,
    /// With formula refinement.
    pub formula: Outcome,
    /// With automaton refinement.
    pub automaton: Outcome,
    /// The numbers, where all ways solved it.
    pub task: Option<Task>,
}

/// What became of one task.
pub struct Task {
    /// The model and the property.
    pub name: String,
    /// Without refinement.
    pub plain: Measured,
    /// With the constraint in the formula.
    pub formula: Measured,
    /// The same with short labels.
    pub formula_short: Measured,
    /// With the constraint on labels.
    pub automaton: Measured,
    /// The same with short labels.
    pub automaton_short: Measured,
    /// What `lariat check` does: the best, with temporal facts, and short labels.
    pub default: Measured,
    /// How.
    pub way: Way,
    /// Seconds of the mining, and of all refinement of the default.
    pub mining: f64,
    /// Seconds of the translation without refinement, and of the default.
    pub translating: (f64, f64),
}

impl Subject {
    /// Reads a model and makes tasks: its own, and one for each seed. None if it is not accepted, too large, or has no atoms.
    #[must_use]
    pub fn new(file: &Path, flags: &[String], seeds: std::ops::Range<u64>) -> Option<Self> {
        let (mut sources, loaded) = load_whole(file, flags).ok()?;
        let mut program = loaded.program?;
        let texts = subjects(&program);
        let own = program.ltl.len();
        let breaks_off = is_small(&Model::new(&program).ok()?)?;
        let mut groups: Vec<Vec<(String, Expr)>> = Vec::new();
        // Locations come first; of the rest, as many as there is time to read.
        for group in texts.into_iter().filter(|group| group.len() > 1).take(GROUPS) {
            let mut atoms = Vec::new();
            for text in group.into_iter().take(ATOMS) {
                let id = sources.add_file("<atom>", text.as_str(), None);
                if let Ok(expr) =
                    parse_expression(&mut sources, id, &mut program, &loaded.definitions, &Budget::unlimited())
                {
                    let span = expr.span;
                    program.ltl.push(LtlBlock { name: text.clone(), formula: Ltl::Atom(expr.clone()), span });
                    atoms.push((text, expr));
                }
            }
            groups.extend((atoms.len() > 1).then_some(atoms));
        }
        let model = Model::new(&program).ok()?;
        let mut tasks: Vec<(String, Claim)> = Vec::new();
        for block in &program.ltl[..own] {
            tasks.push((block.name.clone(), Claim::new(&program, &block.formula)));
        }
        for seed in seeds.filter(|_| !groups.is_empty()) {
            tasks.push((format!("random {seed}"), draw(&groups, seed)));
        }
        tasks.retain(|(_, claim)| is_promising(&model, claim));
        let name = file.display().to_string();
        (!tasks.is_empty()).then_some(Subject { name, program, breaks_off, tasks })
    }

    /// How many tasks there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Measures a task; none if the model is no longer one.
    #[must_use]
    pub fn measure(&self, task: usize, options: &Options) -> Option<Attempt> {
        let (name, claim) = &self.tasks[task];
        let mut formulas = claim.formulas.clone();
        let negation = formulas.not(claim.formula);
        let started = Instant::now();
        let plain = translate(&mut formulas, negation, options, &Budget::unlimited())
            .ok()
            .map(|translation| translation.automaton);
        let translating = started.elapsed().as_secs_f64();
        let model = Model::new(&self.program).ok()?;
        let started = Instant::now();
        let facts = mine::facts(&model, &claim.atoms);
        let mining = started.elapsed().as_secs_f64();
        let knowledge = facts.knowledge(&mut formulas, &claim.atoms);
        let simple = Knowledge { stricter: None, ..knowledge };
        let started = Instant::now();
        let default = refine(&mut formulas, negation, &knowledge, options, Ways::BOTH, true, &Budget::unlimited()).ok();
        let refining = started.elapsed().as_secs_f64();
        let mut alone = |way: Way, ways: Ways| {
            let only = refined_alone(&mut formulas, negation, &simple, options, way, ways)?;
            let short = labels::simplify(&only, &formulas, simple.constraint, &Budget::unlimited()).ok()?;
            // Sizes are those of the paper's automata; the search may know where nothing can be left.
            let searched = |automaton: &Automaton| {
                let settled = settle(automaton, &formulas, simple.constraint, &Budget::unlimited()).ok()?;
                let size = Size::of(automaton, claim.atoms.len(), &Budget::unlimited()).ok()?;
                Some(Measured { size, ..self.search(claim, settled) })
            };
            Some((searched(&only)?, searched(&short)?))
        };
        let formula = alone(Way::Formula, Ways { formula: true, automaton: false });
        let automaton = alone(Way::Automaton, Ways { formula: false, automaton: true });
        let plain = plain.map(|automaton| self.search(claim, automaton));
        let mut attempt = Attempt {
            plain: Outcome::of(plain.map(|plain| (plain, plain))),
            formula: Outcome::of(formula),
            automaton: Outcome::of(automaton),
            task: None,
        };
        if let (Some(plain), Some(formula), Some(automaton), Some(default)) = (plain, formula, automaton, default) {
            let text = print(&claim.formulas, claim.formula, Notation::Spin);
            let outcomes = [attempt.plain, attempt.formula, attempt.automaton];
            let task = Task {
                name: format!("{} {name}: {text}", self.name),
                plain,
                formula: formula.0,
                formula_short: formula.1,
                automaton: automaton.0,
                automaton_short: automaton.1,
                way: default.way,
                default: self.search(claim, default.automaton),
                mining,
                translating: (translating, refining),
            };
            let is_solved = task.default.verdict.is_some() && outcomes.iter().all(|way| *way == Outcome::Solved);
            attempt.task = is_solved.then_some(task);
        }
        Some(attempt)
    }

    /// Searches the product with an automaton, as `lariat check --first` does.
    fn search(&self, claim: &Claim, automaton: Automaton) -> Measured {
        let size = Size::of(&automaton, claim.atoms.len(), &Budget::unlimited());
        let size = size.expect("a budget without limits is never exhausted");
        let strength = strength_of(&automaton);
        let model = Model::new(&self.program).expect("it was one before");
        let claim = Claim { formulas: claim.formulas.clone(), formula: claim.formula, atoms: claim.atoms.clone() };
        let liveness = Liveness::of_automaton(model, claim, automaton);
        let product = liveness.product(EdgeOrder::Automatic);
        let mut budget = Budget::unlimited().within(PATIENCE);
        budget.memory = Some(MEMORY);
        let options = temporal::Options {
            budget: &budget,
            emptiness: None,
            shortening: None,
            effort: Effort::First,
            max_length: None,
            store: Store::Exact,
            prefixes: true,
            strength,
            progress: &mut |_| {},
        };
        let outcome = temporal::check(&product, &product, |step| step.model, options);
        let verdict = match outcome.end() {
            End::Found => Some(Verdict::Violated),
            End::Complete if self.breaks_off => Some(Verdict::Broken),
            End::Complete => Some(Verdict::Absent),
            End::Limit(_) => None,
        };
        Measured { size, transitions: outcome.statistics.transitions, verdict }
    }
}

/// The automaton of one way of refinement, better or not.
fn refined_alone(
    formulas: &mut Formulas,
    formula: Formula,
    knowledge: &Knowledge,
    options: &Options,
    way: Way,
    ways: Ways,
) -> Option<Automaton> {
    match omega::constraint::choice::candidates(formulas, formula, knowledge, options, ways, &Budget::unlimited()) {
        Ok(only) => only.into_iter().find(|(found, _)| *found == way).map(|(_, automaton)| automaton),
        // The automaton of the formula as it is may be too large where that of the refined one is not.
        Err(_) if way == Way::Formula => {
            let refined = omega::constraint::refined(formulas, formula, knowledge.constraint);
            translate(formulas, refined, options, &Budget::unlimited()).ok().map(|translation| translation.automaton)
        }
        Err(_) => None,
    }
}

/// A random formula over atoms about one or two things.
fn draw(groups: &[Vec<(String, Expr)>], seed: u64) -> Claim {
    let mut random = Random::new(seed);
    let mut atoms: Vec<(String, Expr)> = Vec::new();
    for most in [3, 2] {
        let group = &groups[random.below(groups.len() as u64) as usize];
        for _ in 0..most {
            let atom = &group[random.below(group.len() as u64) as usize];
            if !atoms.iter().any(|(name, _)| *name == atom.0) {
                atoms.push(atom.clone());
            }
        }
    }
    let mut formulas = Formulas::new();
    let mut shape = FormulaShape::new(8 + (seed % 9) as usize, 0);
    shape.atoms = atoms.iter().map(|(name, _)| name.clone()).collect();
    let formula = shape.draw(&mut formulas, &mut random);
    let used: Vec<String> =
        formulas.atoms(formula).into_iter().map(|atom| formulas.atom_name(atom).to_owned()).collect();
    atoms.retain(|(name, _)| used.contains(name));
    Claim { formulas, formula, atoms }
}

/// Whether there are several atoms, and a fact that relates them.
fn is_promising(model: &Model, claim: &Claim) -> bool {
    let facts = mine::facts(model, &claim.atoms);
    claim.atoms.len() > 1 && facts.all.iter().any(|fact| matches!(fact.constraint, Constraint::Clause(_)))
}

/// Whether some run of a model ends in a run-time error, if it has few states.
fn is_small(model: &Model) -> Option<bool> {
    let (mut first, mut scratch, mut breaks_off) = (Vec::new(), model.scratch(), false);
    model.initial(&mut first);
    // Some models have states of megabytes.
    if first.len() > MOST_BYTES {
        return None;
    }
    let mut known = std::collections::BTreeSet::from([first.clone()]);
    let mut pending = vec![first];
    while let Some(state) = pending.pop() {
        let found = record(model, &mut scratch, &state);
        breaks_off |= found.faults.iter().any(|(_, fault)| *fault == Fault::Runtime);
        for (_, next, _) in found.successors {
            if known.insert(next.clone()) {
                pending.push(next);
            }
        }
        if known.len() > MOST_STATES {
            return None;
        }
    }
    Some(breaks_off)
}

/// The model files below folders, in order, each with its preprocessor flags.
///
/// # Errors
/// If a corpus has no manifest.
pub fn files(folders: &[PathBuf]) -> Result<Vec<(PathBuf, Vec<String>)>, String> {
    let mut all = Vec::new();
    for folder in folders {
        if folder.join("manifest.json").exists() {
            all.extend(crate::corpus::models(folder)?.into_iter().map(|model| (model.file, model.flags)));
            continue;
        }
        let mut pending = vec![folder.clone()];
        let mut found = Vec::new();
        while let Some(folder) = pending.pop() {
            let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            for path in entries.flatten().map(|entry| entry.path()) {
                if path.is_dir() {
                    pending.push(path);
                } else if path.extension().is_some_and(|extension| extension == "pml") {
                    found.push((path, Vec::new()));
                }
            }
        }
        found.sort();
        all.extend(found);
    }
    Ok(all)
}

/// How many milliseconds mining takes on each model, with twelve atoms about everything it names, the slowest first: the
/// least processor time of five runs.
#[must_use]
pub fn mining(files: &[(PathBuf, Vec<String>)]) -> Vec<(f64, String)> {
    let mut times: Vec<(f64, String)> = Vec::new();
    for (file, flags) in files {
        let Ok((mut sources, loaded)) = load_whole(file, flags) else { continue };
        let Some(mut program) = loaded.program else { continue };
        let texts = subjects(&program).concat();
        let mut atoms = Vec::new();
        for text in texts.iter().step_by((texts.len() / 12).max(1)).take(12) {
            let id = sources.add_file("<atom>", text.as_str(), None);
            if let Ok(expr) =
                parse_expression(&mut sources, id, &mut program, &loaded.definitions, &Budget::unlimited())
            {
                atoms.push((text.clone(), expr));
            }
        }
        let Ok(model) = Model::new(&program) else { continue };
        let time = |_| {
            let (started, before) = (Instant::now(), own_thread());
            let _ = mine::facts(&model, &atoms);
            let wall = started.elapsed().as_secs_f64();
            before.zip(own_thread()).map_or(wall, |(before, after)| after - before) * 1e3
        };
        times.push(((0..5).map(time).fold(f64::INFINITY, f64::min), file.display().to_string()));
    }
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    times
}
