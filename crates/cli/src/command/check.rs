//! `lariat check`

mod automata;
mod combination;
mod events;
mod facts;
mod proof;
mod refine;
mod safety;
mod temporal;
mod vacuity;

use crate::arguments::{Check, Format};
use crate::exit::{Exit, Failure};
use crate::input::{self, Input, Trouble};
use crate::progress::{Progress, cancel_on_interrupt};
use crate::record::Recorder;
use crate::report::{Phases, Property, Report, SafetySearch};
use crate::terminal::Terminal;
use crate::trace::{self, Trace, Violated};
use crate::{diagnostics, memory, properties, view};
use kernel::budget::Budget;
use kernel::verdict::{Reason, Verdict};
use promela::compiled::Model;
use promela::explain::Narrator;
use promela::flow::has_atomic_cycle;
use promela::reference::Reference;
use search::divergence::diverges;
use search::emptiness;
use search::explore::End;
use search::shorten::Patience;
use search::store::Store;
use std::cell::{Cell, OnceCell};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long to look for a shorter counterexample once there is one, unless `--shortest` insists or `--first` declines.
const PATIENCE: Patience = Patience { share: 3.0, least: Duration::from_secs(2) };

/// Why a temporal property is not said to hold where a run never leaves an atomic sequence.
const UNSEEN: &str = "some run never leaves an atomic sequence, and properties do not speak of what happens inside";

/// A search for runs that never leave an atomic sequence is made beside one for safety if that took fewer transitions: a
/// moment.
const QUICK: u64 = 1_000_000;

/// Whether some run never leaves an atomic sequence.
#[derive(Clone)]
enum Endless {
    No,
    Yes,
    /// It could not be found out.
    Unknown(Reason),
}

/// What all searches of one check share.
struct Context<'a> {
    arguments: &'a Check,
    store: Store,
    input: &'a Input,
    model: &'a Model,
    narrator: &'a Narrator<'a>,
    reference: &'a Reference<'a>,
    budget: &'a Budget,
    progress: &'a Progress,
    /// Seconds spent on validation.
    validating: &'a Cell<f64>,
    /// Whether some run never leaves an atomic sequence, once that was asked.
    endless: &'a OnceCell<Endless>,
}

impl Context<'_> {
    /// Why nothing can be said to hold of all infinite runs: some run never leaves an atomic sequence, or that could not
    /// be found out.
    fn endless(&self) -> Option<Reason> {
        match self.endless.get_or_init(|| self.search_endless()) {
            Endless::No => None,
            Endless::Yes => Some(Reason::Unsupported(UNSEEN.into())),
            Endless::Unknown(reason) => Some(reason.clone()),
        }
    }

    /// Whether some run never leaves an atomic sequence, as far as it was found out: for a temporal property that would
    /// hold, or because it is quickly done.
    fn is_endless(&self, safety: Option<&SafetySearch>) -> Option<bool> {
        let is_quick =
            safety.is_some_and(|search| search.end == End::Complete && search.statistics.transitions < QUICK);
        if is_quick {
            self.endless.get_or_init(|| self.search_endless());
        }
        match self.endless.get()? {
            Endless::No => Some(false),
            Endless::Yes => Some(true),
            Endless::Unknown(_) => None,
        }
    }

    fn search_endless(&self) -> Endless {
        if !has_atomic_cycle(self.model.program()) {
            return Endless::No;
        }
        let progress = &mut |statistics: &_| self.progress.tell(statistics);
        let options = emptiness::Options { budget: self.budget, components: true, store: Store::Exact, progress };
        match diverges(self.model, options).absence() {
            Ok(_) => Endless::No,
            Err(Reason::Stopped) => Endless::Yes,
            Err(reason) => Endless::Unknown(reason),
        }
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Check, terminal: Terminal) -> Result<Exit, Failure> {
    if let Some(option) = arguments.symbolic.misplaced() {
        let meant = if option == "--minimise" { "; a shorter lasso is looked for with `--minimiser`" } else { "" };
        return Err(Failure::usage(format!("`{option}` is for SMV models{meant}")));
    }
    combination::check(&arguments.engine, &arguments.choice)?;
    let started = Instant::now();
    let refuse = |trouble: Trouble| {
        if let (Format::Json, Trouble::Rejected(rejected)) = (arguments.format, &trouble) {
            print(&view::json::rejection(rejected));
        }
        trouble.failure(terminal)
    };
    let mut input = input::load(&arguments.model).map_err(refuse)?;
    let selection = properties::select(&arguments.choice, &mut input).map_err(refuse)?;
    let reading = started.elapsed().as_secs_f64();
    if arguments.format == Format::Text {
        eprint(&diagnostics::render(&input.sources, &input.warnings, terminal.colours_messages));
    }
    if let Some(path) = &arguments.trace {
        trace::check_writable(path)?;
    }
    let started = Instant::now();
    let model = Model::new(&input.program).map_err(|too_large| Failure::input(too_large.0))?;
    let narrator = Narrator::new(&input.program);
    let compiling = started.elapsed().as_secs_f64();
    let (reference, budget, validating) = (Reference::new(&input.program), budget(arguments), Cell::new(0.0));
    let progress = Progress::new(terminal.shows_progress);
    let context = Context {
        arguments,
        store: arguments.engine.state_store()?,
        input: &input,
        model: &model,
        narrator: &narrator,
        reference: &reference,
        budget: &budget,
        progress: &progress,
        validating: &validating,
        endless: &OnceCell::new(),
    };
    let fact_check = arguments.check_facts.then(|| facts::check(&context, &selection.temporal)).transpose()?;
    let mut list = Vec::new();
    let safety = if selection.is_safety { Some(safety::check(&context, &mut list)?) } else { None };
    for property in &selection.temporal {
        list.push(temporal::check(&context, property)?);
    }
    let is_endless = context.is_endless(safety.as_ref());
    progress.finish();
    let phases = Phases { reading, compiling, validating: validating.get() };
    let properties = list;
    let mut report = Report { input: &input, narrator: &narrator, safety, is_endless, phases, fact_check, properties };
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
    Ok(report.exit())
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

/// Prints a report; a reader that has gone away is no trouble, a full disk is.
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
    let recorder = Recorder { narrator: report.narrator, sources: &report.input.sources };
    let mut number = 0;
    for property in &mut report.properties {
        let Property { name, kind, temporal, verdict: Verdict::Violated(list), .. } = property else { continue };
        let violated = Violated { name, kind: *kind, temporal: temporal.as_ref() };
        for counterexample in list {
            number += 1;
            let path = path(arguments, report.input, number);
            let (story, is_shortest) = (&counterexample.story, counterexample.is_shortest);
            let trace = Trace::new(report.input, recorder, &violated, story, is_shortest);
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
