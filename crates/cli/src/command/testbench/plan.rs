//! From the command line to a plan.

use crate::arguments::{CheckName, FormulaArguments, Kind, TestInput, Testbench};
use crate::exit::Failure;
use crate::formulas::{Stream, word_of_option};
use crate::output::eprint;
use crate::terminal::{Style, Terminal, styled};
use crate::thresholds::input::{MOST_FORMULAS, MOST_PROPOSITIONS, MOST_STATES};
use crate::thresholds::time::SHARE_FOR_SHRINKING;
use kernel::budget::Budget;
use omega::formula::{Formula, Formulas};
use omega::word::Word;
use std::collections::BTreeSet;
use std::time::Duration;
use testbench::generate::formula::SymbolSet;
use testbench::generate::structure::StructureShape;
use testbench::oracle::Check;
use testbench::oracle::equivalence::Effort;
use testbench::run::{Input, Plan, StructureKind};
use testbench::structure::Structure;
use testbench::translator::{BUILTIN_NAMES, Limits, Translator, program_of_preset};

/// Formulas unless told otherwise.
const FORMULAS: usize = 1000;

/// Formulas of each symbol set in the experiment of the paper.
const FORMULAS_OF_PAPER: usize = 4000;

/// The plan that the arguments ask for.
pub(super) fn plan(arguments: &Testbench, terminal: Terminal) -> Result<Plan, Failure> {
    let structure = &arguments.structure;
    let between = |name: &str, value: usize, most: usize| {
        let wrong = value == 0 || value > most;
        if wrong { Err(Failure::usage(format!("--{name} takes a number from 1 to {most}"))) } else { Ok(value) }
    };
    if arguments.report.interactive.is_some() && arguments.input.file.iter().any(|path| path == "-") {
        let both = "-F - and --interactive both read standard input: put the formulas into a file";
        return Err(Failure::usage(both));
    }
    between("formulas", arguments.input.formulas.unwrap_or(FORMULAS), MOST_FORMULAS)?;
    between("propositions", arguments.input.propositions, MOST_PROPOSITIONS)?;
    for (name, probability) in [("density", structure.density), ("truth", structure.truth)] {
        if !(0.0..=1.0).contains(&probability) {
            return Err(Failure::usage(format!("--{name} takes a number from 0 to 1")));
        }
    }
    let word = structure.word.as_deref().map(|text| word_of_option(text, terminal)).transpose()?;
    let kinds = match structure.structure {
        _ if word.is_some() => vec![StructureKind::Path],
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
    let translators = translators(&arguments.translators)?;
    let checks = checks(&arguments.checks);
    can_check(&checks, &kinds, translators.len())?;
    let input = input(arguments, terminal)?;
    if let Some(word) = &word {
        warn_of_strangers(word, &input, terminal);
    }
    let kept_back = match arguments.report.no_shrink {
        true => Duration::ZERO,
        false => limits.time_limit.map_or(Duration::ZERO, |limit| limit / SHARE_FOR_SHRINKING),
    };
    Ok(Plan {
        translators,
        input,
        kinds,
        shape,
        given_structure: word.map(|word| Structure::of_word(&word)),
        formulas_per_structure: between("reuse", structure.reuse, 1_000_000_000)?,
        structures_per_formula: structure.products,
        checks,
        seed: arguments.input.seed,
        limits: Limits {
            time: limits.run_time,
            memory: Some(limits.run_memory),
            effort: Effort { steps: limits.equivalence_steps, time: limits.equivalence_time },
        },
        is_endless: is_endless(arguments),
        threads: between("threads", limits.threads.unwrap_or(cores), 1024)?,
        stop_at_failure: limits.stop_at_failure,
        time_limit: limits.time_limit,
        kept_back: kept_back.min(arguments.report.shrink_time),
    })
}

/// Whether random formulas are tried until the time limit: it is given, and their number is not.
fn is_endless(arguments: &Testbench) -> bool {
    let input = &arguments.input;
    arguments.limits.time_limit.is_some() && input.formulas.is_none() && !is_given(input) && !input.paper
}

/// Whether formulas are given instead of drawn.
fn is_given(input: &TestInput) -> bool {
    !input.file.is_empty() || !input.formula.is_empty()
}

/// Says which propositions of a word no formula speaks of: that may be a misspelling.
fn warn_of_strangers(word: &Word, input: &Input, terminal: Terminal) {
    let known: BTreeSet<String> = match input {
        Input::Random { sets, .. } => sets.iter().flat_map(SymbolSet::atoms).collect(),
        Input::Given(list) => {
            let names = |(formulas, formula): &(Formulas, Formula)| {
                let name = |id| formulas.atom_name(id).to_owned();
                formulas.atoms(*formula).into_iter().map(name).collect::<Vec<_>>()
            };
            list.iter().flat_map(names).collect()
        }
    };
    let label = styled(terminal.colours_messages, Style::Open, "warning");
    for name in word.atoms().iter().filter(|name| !known.contains(*name)) {
        eprint(&format!("{label}: --word: no formula has the proposition `{name}`\n"));
    }
}

/// Whether the checks asked for can be made at all.
fn can_check(checks: &[Check], kinds: &[StructureKind], translators: usize) -> Result<(), Failure> {
    match checks {
        [Check::Path] if !kinds.contains(&StructureKind::Path) => {
            Err(Failure::usage("--checks path needs paths: add --structure path or --structure both"))
        }
        [only @ (Check::Cross | Check::Equivalence)] if translators < 2 => {
            let name = if *only == Check::Cross { "cross" } else { "equivalence" };
            let what = format!("--checks {name} compares translators with each other: name two or more");
            Err(Failure::usage(what))
        }
        _ => Ok(()),
    }
}

fn translators(given: &[String]) -> Result<Vec<Translator>, Failure> {
    let names: Vec<String> = if given.is_empty() { BUILTIN_NAMES.map(String::from).to_vec() } else { given.to_vec() };
    let mut seen = BTreeSet::new();
    let mut translators = Vec::new();
    for text in &names {
        let translator = Translator::parse(text).map_err(Failure::usage)?;
        if let Some(program) = program_of_preset(text).filter(|program| !is_installed(program)) {
            let wrong = format!("`{program}` is not installed: there is no such command on the PATH");
            return Err(Failure::usage(wrong));
        }
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

/// Whether a folder of the PATH has a file of this name.
fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

fn input(arguments: &Testbench, terminal: Terminal) -> Result<Input, Failure> {
    let input = &arguments.input;
    if is_given(input) {
        let source =
            FormulaArguments { formulas: input.formula.clone(), file: input.file.clone(), syntax: input.syntax };
        let stream = Stream::open(&source, terminal)?;
        if stream.len() == 0 {
            return Err(Failure::usage(format!("there is no formula in `{}`", input.file.join("`, `"))));
        }
        let budget = Budget::unlimited();
        let budget = arguments.limits.time_limit.map_or(budget.clone(), |limit| budget.within(limit));
        let list: Result<Vec<_>, Failure> = (0..stream.len()).map(|index| stream.verbatim(index, &budget)).collect();
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
    let count = match input.formulas {
        Some(count) => count,
        None if is_endless(arguments) => MOST_FORMULAS,
        None if input.paper => FORMULAS_OF_PAPER,
        None => FORMULAS,
    };
    Ok(Input::Random { sets, sizes: input.symbols.clone(), count })
}

fn checks(given: &[CheckName]) -> Vec<Check> {
    let of = |check: &CheckName| match check {
        CheckName::Cross => Check::Cross,
        CheckName::Consistency => Check::Consistency,
        CheckName::Path => Check::Path,
        CheckName::Intersection => Check::Intersection,
        CheckName::Prefix => Check::Prefix,
        CheckName::Equivalence => Check::Equivalence,
    };
    if given.is_empty() {
        return Check::ALL.to_vec();
    }
    let wanted: BTreeSet<Check> = given.iter().map(of).collect();
    wanted.into_iter().collect()
}
