//! `lariat check`

mod batch;
mod member;
mod results;
mod saved;

use crate::arguments::{Check, Format, PromelaArguments, SelectionArguments, advice};
use crate::checkpoint::FileCheckpoints;
use crate::exit::{Exit, Failure};
use crate::input::{self, InputError, read_model};
use crate::output::{complain, eprint};
use crate::shelf;
use crate::terminal::{Style, Terminal, styled};
use crate::thresholds::time::LEAST_FOR_READING;
use crate::watchdog::Watchdog;
use crate::{bug, checkpoint, diagnostics, file, habit, picture, view};
use batch::Batch;
use checker::error::{Error, Rejected};
use checker::report::{Language, Outcome, PropertyKind};
use checker::selection::Wanted;
use checker::{Model, Observer, Options, Report, Selection, check};
use cluster::Ended;
use kernel::budget::Budget;
use member::Member;
pub(crate) use member::SECRET;
use results::Results;
use saved::Watching;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Runs the command.
pub(crate) fn run(arguments: &Check, terminal: Terminal) -> Result<Exit, Failure> {
    if arguments.smv.nusmv_output && arguments.format != Format::Text {
        return Err(Failure::usage("`--nusmv-output` is a format of its own: leave `--format` out"));
    }
    let batch = Batch::new(arguments)?;
    while let Some(name) = batch.next() {
        let mut one = arguments.clone();
        one.model.model.clone_from(&name);
        let budget = limits(arguments);
        let result = check_one(&one, terminal, &batch, &budget);
        if batch.is_single() {
            return result;
        }
        batch.done(&name, result.as_ref().copied());
        if let Err(failure) = result {
            let name = name.clone();
            complain(Failure { message: format!("{name}: {}", failure.message), ..failure }, terminal);
        }
        // A request to stop is about all models.
        if budget.cancel_switch().load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(batch.finish())
}

/// Checks one model.
fn check_one(arguments: &Check, terminal: Terminal, batch: &Batch, budget: &Budget) -> Result<Exit, Failure> {
    let member = Member::of(arguments, budget)?;
    let is_silent = member.as_ref().is_some_and(Member::is_silent);
    let results = Results::new(arguments, terminal, batch.clone());
    let (known, all, name) = (results.clone(), batch.clone(), arguments.model.model.clone());
    let limits = if member.is_some() { member::watched_limits(&arguments.limits) } else { arguments.limits };
    let watchdog = Watchdog::start(&limits, budget, move || {
        if is_silent {
            return Exit::Unknown;
        }
        let exit = known.report_unfinished();
        if all.is_single() {
            return exit;
        }
        all.done(&name, Ok(exit));
        all.finish()
    });
    let result = check_watched(arguments, terminal, batch, budget, &results, &watchdog, member.as_ref());
    watchdog.finish();
    result
}

fn check_watched(
    arguments: &Check,
    terminal: Terminal,
    batch: &Batch,
    budget: &Budget,
    results: &Results,
    watchdog: &Watchdog,
    member: Option<&Member>,
) -> Result<Exit, Failure> {
    let (explain, observe) = (arguments.proof.explain, arguments.pictures.html.is_some());
    let options = Options {
        promela: arguments.promela.options(explain, observe)?,
        smv: arguments.smv.options(explain, observe)?,
    };
    check_outputs(arguments, &[])?;
    let refuse = |error: InputError| {
        if let InputError::Rejected(rejected) = &error {
            batch.add(rejection(arguments.format, rejected));
            batch.show_rejected(rejected);
        }
        error.failure(terminal)
    };
    let model = input::load(&arguments.model, &for_reading(budget)).map_err(|error| {
        if let InputError::Unreadable(Failure { exit: Exit::Unknown, .. }) = &error {
            results.report_unfinished();
        }
        refuse(error)
    })?;
    let included = model.sources().files().map(|file| PathBuf::from(model.sources().name(file)));
    check_outputs(arguments, &included.collect::<Vec<_>>())?;
    check_macros(arguments, &model)?;
    write_circuit(&model, arguments, budget, terminal)?;
    let selection = select(arguments).map_err(refuse)?;
    results.of_model(&model, selection.is_all());
    let is_silent = member.is_some_and(Member::is_silent);
    let shows_text = arguments.format == Format::Text && !arguments.smv.nusmv_output && !is_silent;
    if shows_text {
        eprint(&diagnostics::render(model.sources(), model.warnings(), terminal.colours_messages));
    }
    let (checkpoints, folder) = match member {
        None => (saved::checkpoints(arguments, &model, &options.promela, batch.is_single())?, None),
        Some(_) => (None, saved::folder(arguments, &model, &options.promela, &selection)?),
    };
    let (mut shown, mut nobody) = (Watching { results, checkpoints: checkpoints.as_ref() }, ());
    let observer: &mut dyn Observer = if is_silent { &mut nobody } else { &mut shown };
    let report = match member {
        Some(member) => match member.check(folder.clone(), &model, &selection, &options, budget, observer)? {
            Ended::Led(report) => *report,
            Ended::Followed(code) => {
                watchdog.finish();
                return Ok(Exit::of_code(i32::from(code)).unwrap_or(Exit::Bug));
            }
        },
        None => check(&model, &selection, &options, budget, observer),
    };
    results.finish();
    watchdog.finish();
    if let Some(refusal) = checkpoints.as_ref().and_then(FileCheckpoints::refusal) {
        return Err(refusal);
    }
    if let Some(why) = folder.and_then(|folder| folder.refusal()) {
        return Err(Failure::usage(why));
    }
    let mut report = report.map_err(|error| failure(error, &model, refuse))?;
    if shows_text {
        let label = styled(terminal.colours_messages, Style::Open, "warning");
        report.warnings.iter().for_each(|warning| eprint(&format!("{label}: {warning}\n")));
    }
    let saved = results.report(&mut report).map_or(Ok(()), Err);
    if let (Exit::Unknown, Some(checkpoints)) = (exit(&report), &checkpoints) {
        checkpoints.advise();
    }
    let saved = saved.and(write_order(&report, arguments)).and(write_certificates(&report, arguments));
    match (saved, exit(&report)) {
        (Err(failure), Exit::Holds) => Err(failure),
        (saved, exit) => {
            if let Err(failure) = saved {
                eprint(&format!("error: {}\n", failure.message));
            }
            Ok(exit)
        }
    }
}

fn limits(arguments: &Check) -> Budget {
    let mut budget = arguments.limits.budget();
    budget.depth = arguments.promela.max_depth;
    budget
}

/// The budget for reading the model: with a very short time limit a little longer than the limit, so that the report can
/// name the properties that are undecided.
fn for_reading(budget: &Budget) -> Budget {
    let mut reading = budget.stage();
    reading.deadline = budget.deadline.map(|deadline| deadline.max(Instant::now() + LEAST_FOR_READING));
    reading
}

/// The properties that the command line selects.
fn select(arguments: &Check) -> Result<Selection, InputError> {
    let (SelectionArguments { property, kind, ltl, ltl_file, ctl, invariant }, PromelaArguments { choice, .. }) =
        (&arguments.selection, &arguments.promela);
    let mut wanted: Vec<Wanted> = property.iter().cloned().map(Wanted::Named).collect();
    wanted.extend(kind.iter().copied().map(Wanted::Kind));
    wanted.extend(ltl.iter().cloned().map(Wanted::Ltl));
    wanted.extend(ctl.iter().cloned().map(Wanted::Ctl));
    wanted.extend(invariant.iter().cloned().map(Wanted::Invariant));
    for path in ltl_file {
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
    Ok(Selection { wanted })
}

/// The report about a model that contains errors; text has its diagnostics on standard error.
fn rejection(format: Format, rejected: &Rejected) -> String {
    match format {
        Format::Text => String::new(),
        Format::Json => rejected.json(),
        Format::Sarif => view::sarif::rejection(rejected),
        Format::Junit => view::junit::rejection(rejected),
    }
}

/// The message and the exit code for an error of the library.
fn failure(error: Error, model: &Model, refuse: impl Fn(InputError) -> Failure) -> Failure {
    match error {
        Error::Rejected(rejected) => refuse(InputError::Rejected(*rejected)),
        Error::Exhausted(_) => Failure::new(Exit::Unknown, error.to_string()),
        Error::TooLarge(words) => Failure::input(words),
        Error::Contradiction(one) => Failure::usage(format!("{one}: {}", advice(one))),
        Error::OneProcess(_) => Failure::usage(format!("{error}: use `lariat check` without `--hosts`")),
        Error::Options(_) | Error::UnknownProperty { .. } | Error::NoneOfKind(_) => Failure::usage(error.to_string()),
        Error::Disagreement { step, reason } => bug::disagreement(model, step, &reason),
        Error::WrongFact { property, fact } => bug::wrong_fact(model, &property, &fact),
    }
}

/// The exit code for an error of the library, as in [`failure`].
fn exit_of_error(error: &Error) -> Exit {
    match error {
        Error::Rejected(_) | Error::TooLarge(_) => Exit::Input,
        Error::Exhausted(_) => Exit::Unknown,
        Error::Contradiction(_)
        | Error::OneProcess(_)
        | Error::Options(_)
        | Error::UnknownProperty { .. }
        | Error::NoneOfKind(_) => Exit::Usage,
        Error::Disagreement { .. } | Error::WrongFact { .. } => Exit::Bug,
    }
}

fn exit(report: &Report) -> Exit {
    match report.outcome() {
        Outcome::Holds => Exit::Holds,
        Outcome::Violated => Exit::Violated,
        Outcome::Unknown => Exit::Unknown,
    }
}

/// Refuses macros that configure the verifiers of SPIN, unless the model has a macro of the same name.
fn check_macros(arguments: &Check, model: &Model) -> Result<(), Failure> {
    for define in &arguments.model.preprocessor.define {
        let name = define.split('=').next().unwrap_or(define);
        let sources = model.sources();
        let is_used =
            sources.files().any(|file| sources.name(file) != "<command line>" && sources.text(file).contains(name));
        if let Some(ours) = habit::of_macro(define).filter(|_| !is_used) {
            return Err(Failure::usage(format!("the model has no macro `{name}`, which configures pan; here: {ours}")));
        }
    }
    Ok(())
}

/// Writes the order of the variables at the end, if `--write-order` asks for it.
fn write_order(report: &Report, arguments: &Check) -> Result<(), Failure> {
    let Some(path) = arguments.smv.write_order.as_ref().filter(|_| report.model.language == Language::Smv) else {
        return Ok(());
    };
    file::write(path, &(report.variable_order.join("\n") + "\n"))
}

/// Writes the circuit of an SMV model, if `--write-aiger` asks for it.
fn write_circuit(model: &Model, arguments: &Check, budget: &Budget, terminal: Terminal) -> Result<(), Failure> {
    let Some(path) = &arguments.smv.write_aiger else { return Ok(()) };
    let Some(input) = model.clone().into_smv() else { return Ok(()) };
    let is_binary = !path.display().to_string().ends_with(".aag");
    let bytes = checker::smv::aiger(&input, is_binary, budget);
    file::write_bytes(path, &bytes.map_err(|error| InputError::from(error).failure(terminal))?)
}

/// What the file of `--certificate` says where SAT proved nothing.
const NO_CERTIFICATE: &str =
    "-- SAT proved no property of this model; `--engine ic3` leaves nothing to decision diagrams\n";

/// Writes the proofs of SAT engines, if `--certificate` asks for it.
fn write_certificates(report: &Report, arguments: &Check) -> Result<(), Failure> {
    let Some(path) = arguments.smv.certificate.as_ref().filter(|_| report.model.language == Language::Smv) else {
        return Ok(());
    };
    let is_empty = report.certificates.is_empty();
    let text = if is_empty { NO_CERTIFICATE.to_owned() } else { report.certificates.join("\n") };
    file::write(path, &text)
}

/// Refuses outputs that cannot be written, or that would replace an input or a file of another kind. `included` are the
/// files that the model consists of, as far as they are known.
fn check_outputs(arguments: &Check, included: &[PathBuf]) -> Result<(), Failure> {
    let choice = &arguments.promela.choice;
    let named =
        [&arguments.selection.ltl_file, &choice.never, &choice.automaton].into_iter().flatten().map(PathBuf::from);
    let inputs: Vec<PathBuf> = std::iter::once(PathBuf::from(&arguments.model.model))
        .chain(named)
        .chain(arguments.smv.order.clone())
        .chain(included.iter().cloned())
        .collect();
    picture::check(&arguments.pictures, &inputs)?;
    if let Some(path) = &arguments.checkpoint {
        file::protect("--checkpoint", path, inputs.iter().map(PathBuf::as_path))?;
        let shown = path.display();
        match file::head(path).filter(|text| !text.is_empty()) {
            Some(text) if checkpoint::is_checkpoint(&text) => eprint(&format!(
                "warning: `{shown}` has a saved search, which this check will replace; `--resume {shown}` continues it\n"
            )),
            Some(_) => {
                return Err(Failure::usage(format!("`{shown}` exists and is not a checkpoint: it is not overwritten")));
            }
            None => {}
        }
    }
    if let Some(path) = &arguments.trace {
        file::protect("--trace", path, inputs.iter().map(PathBuf::as_path))?;
        shelf::check_named(path)?;
    }
    if let Some(path) = &arguments.smv.write_aiger {
        file::protect("--write-aiger", path, inputs.iter().map(PathBuf::as_path))?;
        if !file::head(path).is_none_or(|text| text.is_empty() || text.starts_with("aag ") || text.starts_with("aig "))
        {
            let shown = path.display();
            return Err(Failure::usage(format!("`{shown}` exists and is not an AIGER file: it is not overwritten")));
        }
    }
    if let Some(path) = &arguments.smv.certificate {
        file::protect("--certificate", path, inputs.iter().map(PathBuf::as_path))?;
        if !file::head(path).is_none_or(|text| text.is_empty() || text.starts_with("-- ")) {
            let shown = path.display();
            return Err(Failure::usage(format!("`{shown}` exists and is not a certificate: it is not overwritten")));
        }
    }
    if let Some(path) = &arguments.smv.write_order {
        file::protect("--write-order", path, inputs.iter().map(PathBuf::as_path))?;
        // An order has one name on each line; a model, for example, has lines with more than one word.
        let is_order = |text: String| text.lines().all(|line| line.split_whitespace().count() <= 1);
        if !file::head(path).is_none_or(is_order) {
            let shown = path.display();
            return Err(Failure::usage(format!("`{shown}` exists and is not a variable order: it is not overwritten")));
        }
    }
    Ok(())
}
