//! From the command line to a plan.

use crate::arguments::{CheckName, FormulaArguments, Kind, Testbench};
use crate::exit::Failure;
use crate::formulas::Stream;
use crate::terminal::Terminal;
use std::collections::BTreeSet;
use testbench::generate::formula::SymbolSet;
use testbench::generate::structure::StructureShape;
use testbench::oracle::Check;
use testbench::run::{Input, Plan, StructureKind};
use testbench::translator::{BUILTIN_NAMES, Limits, Translator};

/// Formulas unless told otherwise.
const FORMULAS: usize = 1000;

/// Formulas of each symbol set in the experiment of the paper.
const FORMULAS_OF_PAPER: usize = 4000;

/// The most propositions and states: beyond them memory would be the limit.
const MOST_PROPOSITIONS: usize = 64;
const MOST_STATES: usize = 10_000;

/// The plan that the arguments ask for.
pub(super) fn plan(arguments: &Testbench, terminal: Terminal) -> Result<Plan, Failure> {
    let structure = &arguments.structure;
    let between = |name: &str, value: usize, most: usize| {
        let wrong = value == 0 || value > most;
        if wrong { Err(Failure::usage(format!("--{name} takes a number from 1 to {most}"))) } else { Ok(value) }
    };
    between("propositions", arguments.input.propositions, MOST_PROPOSITIONS)?;
    for (name, probability) in [("density", structure.density), ("truth", structure.truth)] {
        if !(0.0..=1.0).contains(&probability) {
            return Err(Failure::usage(format!("--{name} takes a number from 0 to 1")));
        }
    }
    let kinds = match structure.structure {
        Some(Kind::Graph) => vec![StructureKind::Graph],
        Some(Kind::Path) => vec![StructureKind::Path],
        Some(Kind::Both) => vec![StructureKind::Graph, StructureKind::Path],
        None if arguments.input.paper => vec![StructureKind::Graph, StructureKind::Path],
        None => vec![StructureKind::Graph],
    };
    let shape = StructureShape {
        states: between("states", structure.states, MOST_STATES)?,
        edge_probability: structure.density,
        truth_probability: structure.truth,
    };
    let limits = &arguments.limits;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(Plan {
        translators: translators(&arguments.translators)?,
        input: input(arguments, terminal)?,
        kinds,
        shape,
        formulas_per_structure: between("reuse", structure.reuse, 1_000_000_000)?,
        checks: checks(&arguments.checks),
        seed: arguments.input.seed,
        limits: Limits { time: limits.run_time, memory: Some(limits.run_memory) },
        threads: between("threads", limits.threads.unwrap_or(cores), 1024)?,
        stop_at_failure: limits.stop_at_failure,
        time_limit: limits.time_limit,
    })
}

fn translators(given: &[String]) -> Result<Vec<Translator>, Failure> {
    let names: Vec<String> = if given.is_empty() { BUILTIN_NAMES.map(String::from).to_vec() } else { given.to_vec() };
    let mut seen = BTreeSet::new();
    let mut translators = Vec::new();
    for text in &names {
        let translator = Translator::parse(text).map_err(Failure::usage)?;
        if !seen.insert(translator.name.clone()) {
            let name = &translator.name;
            return Err(Failure::usage(format!(
                "two translators have the name `{name}`; name one with {{…}} in front"
            )));
        }
        translators.push(translator);
    }
    Ok(translators)
}

fn input(arguments: &Testbench, terminal: Terminal) -> Result<Input, Failure> {
    let input = &arguments.input;
    if !input.file.is_empty() {
        let source = FormulaArguments { formulas: Vec::new(), file: input.file.clone(), syntax: input.syntax };
        let stream = Stream::open(&source, terminal)?;
        let list: Result<Vec<_>, Failure> = (0..stream.len()).map(|index| stream.formula(index)).collect();
        return Ok(Input::Given(list?));
    }
    let sets = if input.paper {
        SymbolSet::of_paper(input.propositions).to_vec()
    } else {
        let mut set = SymbolSet::new("all", input.propositions);
        if let Some(weights) = &input.weights {
            set.change(weights).map_err(|wrong| Failure::usage(format!("--weights: {wrong}")))?;
        }
        vec![set]
    };
    let count = input.formulas.unwrap_or(if input.paper { FORMULAS_OF_PAPER } else { FORMULAS });
    Ok(Input::Random { sets, sizes: input.symbols.clone(), count })
}

fn checks(given: &[CheckName]) -> Vec<Check> {
    let of = |check: &CheckName| match check {
        CheckName::Cross => Check::Cross,
        CheckName::Consistency => Check::Consistency,
        CheckName::Path => Check::Path,
        CheckName::Intersection => Check::Intersection,
        CheckName::Prefix => Check::Prefix,
    };
    if given.is_empty() {
        return Check::ALL.to_vec();
    }
    let wanted: BTreeSet<Check> = given.iter().map(of).collect();
    wanted.into_iter().collect()
}
