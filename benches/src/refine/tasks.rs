//! Tasks in the shape of section 4 of [blahoudek.15.spin]: a model and a property over several atoms about the same things.
//!
//! The tasks of a model are its own `ltl` blocks with at least two atoms, and random formulas over two or three atoms about
//! one process and one or two about another thing; each has a seed of its own. About all of them, at least one fact relates
//! atoms in single states.

use kernel::budget::Budget;
use omega::analyse::questions::is_invariant;
use omega::formula::{AtomId, Formulas, Node};
use omega::print::{Notation, print};
use omega::random::{FormulaShape, Random};
use promela::claim::Claim;
use promela::compiled::Model;
use promela::mine::{self, Constraint};
use promela::property::parse_expression;
use promela::typed::{Expr, Ltl, LtlBlock, ProcKind, Program, Type};
use search::explore::{End, ExplorationOptions, SafetyKind, Until, bfs};
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use super::instances::Instance;
use crate::properties::load_whole;

/// How many processes of a kind atoms are about, and how many variables.
const PROCESSES: u32 = 2;
const VARIABLES: usize = 4;

/// Models with larger states are left out.
const MOST_BYTES: usize = 1_000;

/// How long the states of a model are counted.
const COUNTING: Duration = Duration::from_secs(120);

/// A model and properties of it.
pub struct Subject {
    /// The model.
    pub instance: Instance,
    /// How many states it has.
    pub states: u64,
    /// The model, compiled.
    pub model: Model,
    /// Properties of it.
    pub tasks: Vec<Task>,
}

/// A property of a model.
pub struct Task {
    /// The name of the `ltl` block, or the seed, and the formula.
    pub name: String,
    /// The formula and its atoms.
    pub claim: Claim,
    /// Whether it does not change when states repeat: only then is reduction sound.
    pub is_invariant: bool,
}

/// How many random formulas a model of a size gets.
#[must_use]
pub fn random_formulas(states: u64, base: u64) -> u64 {
    match states {
        0..6_000 => base,
        6_000..60_000 => base / 2,
        60_000..600_000 => base / 4,
        _ => 1,
    }
}

impl Subject {
    /// Reads a model and makes tasks: its own, and random ones, `base` of them if it is small. None if it is not accepted, too
    /// large, breaks off in run-time errors, or has no atoms that are related.
    #[must_use]
    pub fn new(instance: &Instance, most_states: u64, base: u64, seed: u64) -> Option<Self> {
        let (mut sources, loaded) = load_whole(&instance.file, &instance.flags).ok()?;
        let mut program = loaded.program?;
        let states = size(&Model::new(&program).ok()?).filter(|states| *states <= most_states)?;
        let own = program.ltl.len();
        let mut groups: Vec<Vec<(String, Expr)>> = Vec::new();
        for group in subjects(&program) {
            let mut atoms = Vec::new();
            for text in group {
                let id = sources.add_file("<atom>", text.as_str(), None);
                let expr = parse_expression(&mut sources, id, &mut program, &loaded.definitions, &Budget::unlimited());
                let Ok(expr) = expr else { continue };
                let span = expr.span;
                program.ltl.push(LtlBlock { name: text.clone(), formula: Ltl::Atom(expr.clone()), span });
                atoms.push((text, expr));
            }
            groups.extend((atoms.len() > 1).then_some(atoms));
        }
        let model = Model::new(&program).ok()?;
        let blocks = program.ltl[..own].iter();
        let mut claims: Vec<(String, Claim)> =
            blocks.map(|block| (block.name.clone(), Claim::new(&program, &block.formula))).collect();
        claims.retain(|(_, claim)| is_promising(&model, claim));
        if states > 600_000 {
            claims.truncate(1);
        }
        for number in (0..random_formulas(states, base)).filter(|_| !groups.is_empty()) {
            let seed = seed + number;
            let claim = draw(&groups, seed);
            claims.extend(is_promising(&model, &claim).then(|| (format!("seed {seed}"), claim)));
        }
        let tasks: Vec<Task> = claims.into_iter().map(|(name, claim)| Task::new(&name, claim)).collect();
        (!tasks.is_empty()).then(|| Subject { instance: instance.clone(), states, model, tasks })
    }
}

impl Task {
    fn new(name: &str, claim: Claim) -> Self {
        let name = format!("{name}: {}", print(&claim.formulas, claim.formula, Notation::Spin));
        let mut formulas = claim.formulas.clone();
        let is_invariant = is_invariant(&mut formulas, claim.formula, &Budget::unlimited()).unwrap_or(false);
        Task { name, claim, is_invariant }
    }
}

/// Atoms by subject: first the locations of processes, then the values of variables.
fn subjects(program: &Program) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    let mut pid = 0;
    for proc in program.procs.iter().filter(|proc| proc.kind == ProcKind::Proctype) {
        let labels: BTreeSet<&str> = proc.labels.iter().map(|label| label.name.as_str()).collect();
        for number in pid..pid + proc.active.min(PROCESSES) {
            all.push(labels.iter().map(|label| format!("{}[{number}]@{label}", proc.name)).collect());
        }
        pid += proc.active;
    }
    let is_number = |ty: &Type| !matches!(ty, Type::Record(_) | Type::Chan | Type::Mtype(_));
    let numbers = program.globals.iter().filter(|variable| is_number(&variable.ty) && !variable.name.starts_with('_'));
    for variable in numbers.take(VARIABLES) {
        let name = if variable.len.is_some() { format!("{}[0]", variable.name) } else { variable.name.clone() };
        all.push(["== 0", "== 1", "> 1"].map(|test| format!("{name} {test}")).into());
    }
    all.retain(|texts: &Vec<String>| texts.len() > 1);
    all
}

/// A random formula over atoms about one process, or a variable if no process has locations, and another thing.
fn draw(groups: &[Vec<(String, Expr)>], seed: u64) -> Claim {
    let mut random = Random::new(seed);
    let mut atoms: Vec<(String, Expr)> = Vec::new();
    let is_location = |group: &&Vec<(String, Expr)>| group[0].0.contains('@');
    let locations = groups.iter().filter(is_location).count();
    for (choices, most) in [(if locations > 0 { locations } else { groups.len() }, 3), (groups.len(), 2)] {
        let group = &groups[random.below(choices as u64) as usize];
        for _ in 0..most {
            let atom = &group[random.below(group.len() as u64) as usize];
            if !atoms.iter().any(|(name, _)| *name == atom.0) {
                atoms.push(atom.clone());
            }
        }
    }
    let mut formulas = Formulas::new();
    let mut shape = FormulaShape::new(8 + (seed % 9) as usize, 0);
    // SPIN as Debian has it knows no `X`, and no reduction is sound with it: half of the formulas are without.
    shape.weights.next = u32::from(seed.is_multiple_of(2));
    shape.atoms = atoms.iter().map(|(name, _)| name.clone()).collect();
    let formula = shape.draw(&mut formulas, &mut random);
    let expression = |atom: AtomId| {
        let name = formulas.atom_name(atom);
        atoms.iter().find(|(known, _)| known == name).expect("an atom that was offered").clone()
    };
    let atoms: Vec<(String, Expr)> = formulas.atoms(formula).into_iter().map(expression).collect();
    // The same formula in a pool without the atoms that it does not have.
    let (mut own, mut same) = (Formulas::with_atoms(atoms.iter().map(|(name, _)| name.as_str())), HashMap::new());
    for part in formulas.subformulas(formula) {
        let copy = match formulas.node(part) {
            Node::Atom(atom) => own.atom(formulas.atom_name(*atom)),
            node => own.intern(node.map(|operand| same[&operand])),
        };
        same.insert(part, copy);
    }
    Claim { formula: same[&formula], formulas: own, atoms }
}

/// Whether there are several atoms, and a fact that relates them.
fn is_promising(model: &Model, claim: &Claim) -> bool {
    let facts = mine::facts(model, &claim.atoms);
    claim.atoms.len() > 1 && facts.all.iter().any(|fact| matches!(fact.constraint, Constraint::Clause(_)))
}

/// The number of states of a model, unless its states are large, it takes long to count them, or runs break off.
fn size(model: &Model) -> Option<u64> {
    use kernel::system::System;
    let mut first = Vec::new();
    model.initial(&mut first);
    if first.len() > MOST_BYTES {
        return None;
    }
    let budget = Budget::unlimited().within(COUNTING);
    let options = ExplorationOptions {
        until: Until::Exhausted { per_kind: 1 },
        budget: &budget,
        identity: &|occurrence| SafetyKind::ALL.iter().position(|kind| *kind == occurrence.kind).unwrap_or(0) as u64,
        progress: &mut |_| {},
    };
    let found = bfs::search(model, options);
    let breaks_off = found.findings.iter().any(|finding| finding.kind == SafetyKind::Runtime);
    (found.end == End::Complete && !breaks_off).then_some(found.statistics.states)
}
