//! `lariat check`

use crate::arguments::{Check, Choice, Format};
use crate::bug;
use crate::exit::{Exit, Failure};
use crate::input::{self, InputError, read_model};
use crate::progress::{Progress, cancel_on_interrupt};
use crate::terminal::Terminal;
use crate::trace::{self, Trace, Violated};
use crate::{diagnostics, memory, view};
use checker::error::Error;
use checker::options::PromelaOptions;
use checker::promela::input::Input;
use checker::promela::record::Recorder;
use checker::promela::report::{Property, Report};
use checker::promela::selection::{self, Selection};
use checker::promela::{self, contradiction};
use checker::report::PropertyKind;
use checker::selection::Wanted;
use kernel::budget::Budget;
use kernel::verdict::Verdict;
use std::path::PathBuf;

/// Runs the command.
pub(crate) fn run(arguments: &Check, terminal: Terminal) -> Result<Exit, Failure> {
    if let Some(option) = arguments.symbolic.misplaced() {
        let meant = if option == "--minimise" { "; a shorter lasso is looked for with `--minimiser`" } else { "" };
        return Err(Failure::usage(format!("`{option}` is for SMV models{meant}")));
    }
    let options = options(arguments)?;
    contradiction::check(&options, !arguments.choice.is_safety_only())
        .map_err(|error| failure(error, None, terminal))?;
    let refuse = |error: InputError| {
        if let (Format::Json, InputError::Rejected(rejected)) = (arguments.format, &error) {
            print(&view::json::rejection(rejected));
        }
        error.failure(terminal)
    };
    let mut input = input::load(&arguments.model).map_err(refuse)?;
    let selection = select(&arguments.choice, &mut input).map_err(refuse)?;
    if arguments.format == Format::Text {
        eprint(&diagnostics::render(&input.sources, &input.warnings, terminal.colours_messages));
    }
    if let Some(path) = &arguments.trace {
        trace::check_writable(path)?;
    }
    let budget = budget(arguments);
    let progress = Progress::new(terminal.shows_progress);
    let describer = ::promela::explain::Describer::new(&input.program);
    let report = promela::check_for_views(&input, &describer, &selection, &options, &budget, &mut &progress);
    progress.finish();
    let mut report = report.map_err(|error| failure(error, Some(&input), terminal))?;
    // A trace that cannot be written must not take the verdict with it.
    let unsaved = if arguments.no_save { None } else { save(&mut report, arguments).err() };
    let text = match arguments.format {
        Format::Text => view::text::report(&report, arguments.view.trace_view, terminal),
        Format::Json => view::json::report(&report),
        Format::Sarif => view::sarif::report(&report),
        Format::Junit => view::junit::report(&report),
    };
    write(&text)?;
    if let Some(failure) = unsaved {
        eprint(&format!("error: {}\n", failure.message));
    }
    Ok(exit(&report))
}

/// The options of the command line as the library takes them.
fn options(arguments: &Check) -> Result<PromelaOptions, Failure> {
    let engine = &arguments.engine;
    Ok(PromelaOptions {
        fairness: engine.fair.into(),
        order: engine.search.into(),
        emptiness: engine.emptiness,
        shortening: engine.minimiser,
        store: engine.state_store()?,
        refinement: engine.refine.into(),
        simplify_labels: !engine.no_simplify_labels,
        shortest: engine.shortest.map(Into::into),
        all_minimal: engine.all_minimal,
        max_length: engine.max_length,
        first: arguments.first,
        all_errors: arguments.all_errors,
        check_facts: arguments.check_facts,
        explain: arguments.explain,
    })
}

/// Reads the files of properties, and binds the chosen properties to the model.
fn select(choice: &Choice, input: &mut Input) -> Result<Selection, InputError> {
    if choice.is_open() {
        return Ok(selection::everything(input));
    }
    let mut wanted: Vec<Wanted> = choice.ltl.iter().cloned().map(Wanted::Ltl).collect();
    for path in &choice.ltl_file {
        let (name, text) = read_model(path)?;
        let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
        let before = wanted.len();
        for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            wanted.push(Wanted::Formula { origin: format!("{name}, line {number}"), text: line.into() });
        }
        if wanted.len() == before {
            return Err(InputError::Unreadable(Failure::input(format!("there are no formulas in `{name}`"))));
        }
    }
    for path in &choice.never {
        let (name, text) = read_model(path)?;
        wanted.push(Wanted::Never { name, text });
    }
    for path in &choice.automaton {
        let (name, text) = read_model(path)?;
        wanted.push(Wanted::Automaton { name, text });
    }
    wanted.extend(choice.safety.then_some(Wanted::Safety));
    wanted.extend(choice.acceptance.then_some(Wanted::Kind(PropertyKind::Acceptance)));
    wanted.extend(choice.non_progress.then_some(Wanted::Kind(PropertyKind::NonProgress)));
    selection::select(&wanted, input).map_err(|error| match error {
        Error::Rejected(rejected) => InputError::Rejected(*rejected),
        other => InputError::Unreadable(Failure::usage(other.to_string())),
    })
}

/// The message and the exit code for an error of the library.
fn failure(error: Error, input: Option<&Input>, terminal: Terminal) -> Failure {
    match (error, input) {
        (Error::Rejected(rejected), _) => InputError::Rejected(*rejected).failure(terminal),
        (error @ Error::Exhausted(_), _) => Failure::new(Exit::Unknown, error.to_string()),
        (Error::TooLarge(words), _) => Failure::input(words),
        (Error::Options(words), _) => Failure::usage(words),
        (error @ Error::UnknownProperty { .. }, _) => Failure::usage(error.to_string()),
        (Error::Disagreement { step, reason }, Some(input)) => bug::disagreement(input, step, &reason),
        (Error::WrongFact { property, fact }, Some(input)) => bug::wrong_fact(input, &property, &fact),
        (error, None) => Failure::bug(error.to_string()),
    }
}

/// The exit code: a violation outweighs an undecided property, which outweighs the rest.
fn exit(report: &Report<'_>) -> Exit {
    let exit = |property: &Property| match property.verdict {
        Verdict::Violated(_) => Exit::Violated,
        Verdict::Unknown(_) => Exit::Unknown,
        Verdict::Holds(_) => Exit::Holds,
    };
    let exits: Vec<Exit> = report.properties.iter().map(exit).collect();
    if exits.contains(&Exit::Violated) { Exit::Violated } else { exits.into_iter().max().unwrap_or(Exit::Holds) }
}

fn budget(arguments: &Check) -> Budget {
    let mut budget = Budget::unlimited();
    budget.memory = arguments.engine.memory_limit.or_else(memory::most_of_what_is_free);
    budget.depth = arguments.engine.max_depth;
    if let Some(time) = arguments.engine.time_limit {
        budget = budget.within(time);
    }
    cancel_on_interrupt(&budget);
    budget
}

/// Prints a report; a reader that has gone away is no error, a full disk is.
fn write(text: &str) -> Result<(), Failure> {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::usage(format!("cannot write the report: {error}")))
        }
        _ => Ok(()),
    }
}

/// Where the trace with a number goes, counted from 1.
fn path(arguments: &Check, input: &Input, number: usize) -> PathBuf {
    match (&arguments.trace, number) {
        (Some(path), 1) => path.clone(),
        (Some(path), _) => path.with_extension(format!("{number}.json")),
        (None, _) => trace::default_path(&input.name, number),
    }
}

/// Saves all counterexamples.
fn save(report: &mut Report<'_>, arguments: &Check) -> Result<(), Failure> {
    let recorder = Recorder { describer: report.describer, sources: &report.input.sources };
    let mut number = 0;
    for property in &mut report.properties {
        let Property { name, kind, temporal, verdict: Verdict::Violated(list), .. } = property else { continue };
        let violated = Violated { name, kind: *kind, temporal: temporal.as_ref() };
        for counterexample in list {
            number += 1;
            let path = path(arguments, report.input, number);
            let (run, is_shortest) = (&counterexample.run, counterexample.is_shortest);
            let trace = Trace::new(report.input, recorder, &violated, run, is_shortest);
            trace.write(&path)?;
            counterexample.saved = Some(path);
        }
    }
    Ok(())
}

/// Prints on standard output; what cannot be written is told when the process ends.
pub(crate) fn print(text: &str) {
    crate::output::emit(text);
}

/// Prints on standard error.
pub(crate) fn eprint(text: &str) {
    use std::io::Write;
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
