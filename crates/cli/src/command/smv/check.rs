//! `lariat check MODEL.smv`

use super::{SmvInput, load, rejected, trace::TraceFile};
use crate::arguments::{Check, Fairness, Format, Refine, SearchOrder, StateStore};
use crate::command::check::{eprint, print};
use crate::exit::{Exit, Failure};
use crate::input::{InputError, reason};
use crate::progress::{Line, cancel_on_interrupt};
use crate::terminal::{Style, Terminal, styled};
use crate::trace::default_path;
use crate::view::smv::{self, SmvReport};
use crate::{diagnostics, memory, view};
use flat::order::Bit;
use kernel::budget::Budget;
use symbolic::check::{Options, Progress, check, name};

/// Runs the command.
pub(crate) fn run(arguments: &Check, terminal: Terminal) -> Result<Exit, Failure> {
    let refuse = |error: InputError| {
        if let (Format::Json, InputError::Rejected(rejected)) = (arguments.format, &error) {
            print(&view::json::rejection(rejected));
        }
        error.failure(terminal)
    };
    if let Some(option) = misplaced(arguments) {
        let meant = match option {
            "--minimiser" => "; values that do not matter go with `--minimise`",
            "--safety" | "--ltl" | "--ltl-file" | "--never" | "--automaton" | "--acceptance" | "--non-progress" => {
                "; SMV models say what to check in sections such as LTLSPEC, and `--property NAME` chooses among them"
            }
            _ => "",
        };
        return Err(Failure::usage(format!("`{option}` is for Promela models{meant}")));
    }
    if let Some(contradiction) = contradiction(arguments) {
        return Err(Failure::usage(contradiction));
    }
    let mut budget = Budget::unlimited();
    budget.memory = arguments.engine.memory_limit.or_else(memory::most_of_what_is_free);
    if let Some(time) = arguments.engine.time_limit {
        budget = budget.within(time);
    }
    cancel_on_interrupt(&budget);
    let mut input = load(&arguments.model, &budget).map_err(refuse)?;
    if arguments.format == Format::Text && !arguments.symbolic.nusmv_output {
        eprint(&diagnostics::render(&input.sources, &input.warnings, terminal.colours_messages));
    }
    choose(&mut input, &arguments.symbolic.property)?;
    let options = Options {
        reorder: arguments.symbolic.reorder.into(),
        order: read_order(arguments, &input, terminal)?,
        cone_of_influence: arguments.symbolic.coi,
        deadlocks: !arguments.symbolic.allow_deadlock,
        diameter: arguments.symbolic.diameter,
        counterexamples: true,
        minimise: arguments.symbolic.minimise.into(),
    };
    let report = match search(&input, &options, &budget, terminal) {
        Ok(report) => report,
        Err(findings) => return Err(refuse(rejected(input, findings))),
    };
    if arguments.format == Format::Text && arguments.symbolic.coi {
        let label = styled(terminal.colours_messages, Style::Open, "warning");
        for warning in &report.warnings {
            eprint(&format!("{label}: {warning}\n"));
        }
    }
    let mut report = SmvReport { input: &input, saved: vec![None; report.properties.len()], report };
    let mut unsaved = if arguments.no_save { None } else { save(&mut report, arguments).err() };
    if let Some(path) = &arguments.symbolic.write_order {
        let written = std::fs::write(path, report.report.order.join("\n") + "\n");
        let cannot = |error| Failure::usage(format!("cannot write `{}`: {}", path.display(), reason(&error)));
        unsaved = unsaved.or(written.map_err(cannot).err());
    }
    print(&match arguments.format {
        Format::Text if arguments.symbolic.nusmv_output => smv::nusmv::report(&report),
        Format::Text => smv::text::report(&report, arguments.view.trace_view, terminal),
        Format::Json => smv::json::report(&report),
        Format::Sarif => smv::sarif::report(&report),
        Format::Junit => smv::junit::report(&report),
    });
    // What was asked for and could not be written must not pass for success, nor take a verdict with it.
    match (unsaved, report.exit()) {
        (Some(failure), Exit::Holds) => Err(failure),
        (unsaved, exit) => {
            if let Some(failure) = unsaved {
                eprint(&format!("error: {}\n", failure.message));
            }
            Ok(exit)
        }
    }
}

/// An option that was given although it has no meaning for SMV models.
fn misplaced(arguments: &Check) -> Option<&'static str> {
    let given = [
        (arguments.choice.safety, "--safety"),
        (!arguments.choice.ltl.is_empty(), "--ltl"),
        (!arguments.choice.ltl_file.is_empty(), "--ltl-file"),
        (!arguments.choice.never.is_empty(), "--never"),
        (!arguments.choice.automaton.is_empty(), "--automaton"),
        (arguments.choice.acceptance, "--acceptance"),
        (arguments.choice.non_progress, "--non-progress"),
        (arguments.first, "--first"),
        (arguments.all_errors, "--all-errors"),
        (arguments.explain, "--explain"),
        (arguments.engine.max_depth.is_some(), "--max-depth"),
        (arguments.engine.max_length.is_some(), "--max-length"),
        (arguments.engine.shortest.is_some(), "--shortest"),
        (arguments.engine.all_minimal, "--all-minimal"),
        (arguments.engine.emptiness.is_some(), "--emptiness"),
        (arguments.engine.minimiser.is_some(), "--minimiser"),
        (arguments.engine.refine != Refine::Both, "--refine"),
        (arguments.engine.no_simplify_labels, "--no-simplify-labels"),
        (arguments.check_facts, "--check-facts"),
        (arguments.engine.fair == Fairness::Weak, "--fair"),
        (arguments.engine.search != SearchOrder::Dfs, "--search"),
        (arguments.engine.store != StateStore::Exact, "--store"),
        (arguments.engine.store_bits.is_some(), "--store-bits"),
        (arguments.engine.store_hashes.is_some(), "--store-hashes"),
    ];
    given.iter().find(|(is_given, _)| *is_given).map(|(_, name)| *name)
}

/// What is wrong with options that cannot both be meant.
fn contradiction(arguments: &Check) -> Option<&'static str> {
    let given = &arguments.symbolic;
    if given.coi && given.diameter {
        return Some("`--diameter` is about the whole model, `--coi` looks at the part that each property depends on");
    }
    if given.nusmv_output && arguments.format != Format::Text {
        return Some("`--nusmv-output` is a layout of its own, `--format` asks for another one");
    }
    None
}

/// Leaves only the properties that were asked for.
fn choose(input: &mut SmvInput, wanted: &[String]) -> Result<(), Failure> {
    if wanted.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = input.model.properties.iter().enumerate().map(|(at, one)| name(at, one)).collect();
    if let Some(unknown) = wanted.iter().find(|name| !names.contains(name)) {
        let known = if names.is_empty() { "none".into() } else { names.join(", ") };
        return Err(Failure::usage(format!("there is no property `{unknown}`; there are: {known}")));
    }
    for (property, name) in input.model.properties.iter_mut().zip(&names) {
        property.name.get_or_insert_with(|| name.clone());
    }
    input.model.properties.retain(|property| property.name.as_ref().is_some_and(|name| wanted.contains(name)));
    Ok(())
}

fn read_order(arguments: &Check, input: &SmvInput, terminal: Terminal) -> Result<Option<Vec<Bit>>, Failure> {
    let Some(path) = &arguments.symbolic.order else { return Ok(None) };
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("cannot read `{shown}`: {}", reason(&error))))?;
    let mut sources = kernel::span::SourceMap::new();
    let file = sources.add_file(shown.as_str(), text, None);
    let order = ::smv::order::read(&input.model, file, sources.text(file)).map_err(|findings| Failure {
        details: diagnostics::render(&sources, &findings, terminal.colours_messages),
        ..Failure::input(format!("the order in `{shown}` does not fit the model"))
    })?;
    Ok(Some(order))
}

type Findings = Vec<kernel::diagnostic::Diagnostic>;

fn search(
    input: &SmvInput,
    options: &Options,
    budget: &Budget,
    terminal: Terminal,
) -> Result<symbolic::report::Report, Findings> {
    let line = Line::new(terminal.shows_progress);
    let total = input.model.properties.len();
    let mut tell = |progress: Progress<'_>| {
        line.tell(&match progress {
            Progress::Decided(..) => return,
            Progress::Building => "building the machine".to_owned(),
            Progress::Reaching => "finding the reachable states".to_owned(),
            Progress::Checking(index) => {
                format!("property {} of {total}: {}", index + 1, name(index, &input.model.properties[index]))
            }
        });
    };
    let answer = check(&input.model, options, budget, &mut tell);
    line.finish();
    answer
}

/// Saves all counterexamples.
fn save(report: &mut SmvReport<'_>, arguments: &Check) -> Result<(), Failure> {
    let mut number = 0;
    for (property, saved) in report.report.properties.iter().zip(&mut report.saved) {
        let Some(trace) = &property.counterexample else { continue };
        number += 1;
        let path = match (&arguments.trace, number) {
            (Some(path), 1) => path.clone(),
            (Some(path), _) => path.with_extension(format!("{number}.json")),
            (None, _) => default_path(&report.input.name, number),
        };
        TraceFile::new(report.input, property, trace).write(&path)?;
        *saved = Some(path);
    }
    Ok(())
}
