//! `lariat check`

use crate::arguments::{Check, Format, SearchOrder};
use crate::exit::{Exit, Failure};
use crate::input::{self, Input, Trouble};
use crate::progress::{Progress, cancel_on_interrupt};
use crate::properties;
use crate::record::Recorder;
use crate::report::{Counterexample, Phases, Property, Report, UnreachedPlace};
use crate::terminal::Terminal;
use crate::trace::{self, Trace};
use crate::{bug, diagnostics, memory, view};
use kernel::budget::Budget;
use kernel::verdict::Verdict;
use promela::compiled::{Model, ModelStep, Unreached};
use promela::explain::Narrator;
use promela::reference::{Outcome, Reference};
use promela::snapshot::{Action, Snapshot};
use promela::typed::{Program, StmtId, StmtKind};
use promela::validate::{Refusal, Story, Validated, Violation, validate};
use search::check::{Order, Safety, safety};
use search::explore::{End, Finding, Kind, Occurrence, Options, Until};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

/// How many states are visited after a violation to decide the other properties, unless told
/// otherwise: as many as take a moment.
const GRACE: u64 = 100_000;

/// Counterexamples of one kind that are shown with `--all-errors`; further ones are counted.
const MOST_ERRORS: usize = 100;

/// Runs the command.
pub(crate) fn run(arguments: &Check, terminal: Terminal) -> Result<Exit, Failure> {
    if let Some(option) = arguments.symbolic.misplaced() {
        return Err(Failure::usage(format!("`{option}` is for SMV models")));
    }
    let started = Instant::now();
    let input = input::load(&arguments.model).map_err(|trouble| {
        if let (Format::Json, Trouble::Rejected(rejected)) = (arguments.format, &trouble) {
            print(&view::json::rejection(rejected));
        }
        trouble.failure(terminal)
    })?;
    let reading = started.elapsed().as_secs_f64();
    if arguments.format == Format::Text {
        eprint(&diagnostics::render(&input.sources, &input.warnings, terminal.colours_messages));
    }
    if input.program.procs.iter().all(|proc| proc.active == 0) {
        eprint("warning: no process runs: write `active` before a proctype, or an `init` that runs it\n");
    }
    let started = Instant::now();
    let model = Model::new(&input.program).map_err(|too_large| Failure::input(too_large.0))?;
    let narrator = Narrator::new(&input.program);
    let compiling = started.elapsed().as_secs_f64();
    let mut validating = 0.0;
    let answer = search_and_validate(arguments, &input, &model, &narrator, terminal, &mut validating)?;
    let mut report = Report {
        input: &input,
        narrator: &narrator,
        order: order(arguments),
        omitted: answer.omitted,
        end: answer.end,
        statistics: answer.statistics,
        phases: Phases { reading, compiling, validating },
        unreached: (answer.end == End::Complete).then(|| unreached(&model, &narrator, &answer)),
        properties: properties(arguments, &input.program, &narrator, &model, answer),
    };
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

fn order(arguments: &Check) -> Order {
    match arguments.search {
        SearchOrder::Dfs => Order::DepthFirst,
        SearchOrder::Bfs => Order::BreadthFirst,
    }
}

/// A counterexample that the arbiter accepted, before it is saved.
type Evidence = (Validated<Story>, bool);

fn search_and_validate(
    arguments: &Check,
    input: &Input,
    model: &Model,
    narrator: &Narrator<'_>,
    terminal: Terminal,
    validating: &mut f64,
) -> Result<Safety<Model, Evidence>, Failure> {
    let mut budget = Budget::unlimited();
    budget.memory = arguments.memory_limit.or_else(memory::most_of_what_is_free);
    budget.depth = arguments.max_depth;
    if let Some(time) = arguments.time_limit {
        budget = budget.within(time);
    }
    cancel_on_interrupt(&budget);
    let until = match (arguments.first, arguments.all_errors) {
        (true, _) => Until::First,
        (false, true) => Until::Exhausted { per_kind: MOST_ERRORS },
        (false, false) => Until::EachKind { grace: GRACE },
    };
    let progress = Progress::new(terminal.shows_progress);
    let mut tell = |statistics: &_| progress.tell(statistics);
    let identity = |occurrence: &Occurrence<'_, ModelStep>| identity(model, occurrence);
    let options = Options { until, budget: &budget, identity: &identity, progress: &mut tell };
    let reference = Reference::new(&input.program);
    let answer = safety(model, order(arguments), options, |finding| {
        let started = Instant::now();
        let story = confirm(model, &reference, narrator, finding)?;
        *validating += started.elapsed().as_secs_f64();
        Ok::<_, Refusal>((story, finding.is_shortest))
    });
    progress.finish();
    answer.map_err(|refusal| bug::disagreement(input, &refusal))
}

/// Violations are the same if the same statement goes wrong in the same way, or if processes are
/// stuck at the same places.
fn identity(model: &Model, occurrence: &Occurrence<'_, ModelStep>) -> u64 {
    let mut hasher = DefaultHasher::new();
    match occurrence.step.map(|step| model.step(step).action) {
        Some(Action::Execute(id) | Action::Exit(id)) => id.0.hash(&mut hasher),
        Some(Action::Handshake { send, receive, .. }) => (send.0, receive.0).hash(&mut hasher),
        Some(Action::Terminate) => {}
        None => {
            let places = model.snapshot(occurrence.state).processes;
            let places: BTreeSet<_> = places.iter().map(|process| (process.proc, process.location)).collect();
            places.hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Has the reference interpreter walk along a finding.
fn confirm(
    model: &Model,
    reference: &Reference<'_>,
    narrator: &Narrator<'_>,
    finding: &Finding<ModelStep>,
) -> Result<Validated<Story>, Refusal> {
    let violation = match finding.kind {
        Kind::Assertion => Violation::Assertion,
        Kind::Runtime => Violation::Runtime,
        Kind::InvalidEnd => Violation::InvalidEnd,
    };
    let mut initial = Vec::new();
    kernel::system::System::initial(model, &mut initial);
    let initial = model.snapshot(&initial);
    let mut guide = |taken: usize, state: &Snapshot, outcomes: &[Outcome]| {
        if taken == 0 && *state != initial {
            return Err(format!("the initial states differ: {initial:?} and {state:?}"));
        }
        let Some(step) = finding.path.get(taken) else { return Ok(None) };
        let wanted = model.step(step.step);
        let next = step.state.as_deref().map(|state| model.snapshot(state));
        match outcomes.iter().position(|outcome| outcome.step == wanted && outcome.next == next) {
            Some(index) => Ok(Some(index)),
            None => Err(format!("{wanted:?} to {next:?} is not among the outcomes {outcomes:#?}")),
        }
    };
    validate(reference, narrator, &mut guide, violation)
}

fn properties(
    arguments: &Check,
    program: &Program,
    narrator: &Narrator<'_>,
    model: &Model,
    answer: Safety<Model, Evidence>,
) -> Vec<Property> {
    let missing: BTreeSet<_> = model.unreached(&answer.scratch).into_iter().collect();
    let mut list = Vec::new();
    for (kind, verdict) in answer.verdicts {
        let (name, property_kind) = properties::of_kind(kind);
        let vacuous = match (kind, &verdict) {
            (Kind::Assertion, Verdict::Holds(_)) => vacuous(program, narrator, &missing),
            _ => None,
        };
        let verdict = match verdict {
            Verdict::Holds(coverage) => Verdict::Holds(coverage),
            Verdict::Unknown(reason) => Verdict::Unknown(reason),
            Verdict::Violated(list) => Verdict::Violated(
                list.into_iter()
                    .map(|(story, is_shortest)| Counterexample { story, is_shortest, saved: None })
                    .collect(),
            ),
        };
        list.push(Property { name: name.into(), kind: property_kind, verdict, vacuous, is_searched: true });
    }
    if !arguments.safety {
        list.extend(properties::beyond_safety(program));
    }
    list
}

/// Why assertions that hold hold for no reason that matters.
fn vacuous(program: &Program, narrator: &Narrator<'_>, missing: &BTreeSet<Unreached>) -> Option<&'static str> {
    let statements = (0..).zip(&program.statements).map(|(number, info)| (StmtId(number), info.proc));
    let mut assertions = statements
        .filter(|(id, _)| narrator.stmt(*id).is_some_and(|stmt| matches!(stmt.kind, StmtKind::Assert(_))))
        .peekable();
    if assertions.peek().is_none() {
        return Some("the model has no assertion");
    }
    let is_missing = |(id, proc)| missing.contains(&Unreached::Statement(proc, id));
    assertions.all(is_missing).then_some("no assertion is ever reached")
}

fn unreached(model: &Model, narrator: &Narrator<'_>, answer: &Safety<Model, Evidence>) -> Vec<UnreachedPlace> {
    let place = |unreached| match unreached {
        Unreached::Statement(proc, id) => {
            let (span, statement) = narrator.statement_text(id);
            UnreachedPlace { process: narrator.proc(proc).into(), span, statement }
        }
        Unreached::End(proc) => {
            let span = narrator.program().procs[proc.0 as usize].end;
            UnreachedPlace { process: narrator.proc(proc).into(), span, statement: "-end-".into() }
        }
    };
    model.unreached(&answer.scratch).into_iter().map(place).collect()
}

/// Saves all counterexamples.
fn save(report: &mut Report<'_>, arguments: &Check) -> Result<(), Failure> {
    let recorder = Recorder { narrator: report.narrator, sources: &report.input.sources };
    let mut number = 0;
    for property in &mut report.properties {
        let Verdict::Violated(list) = &mut property.verdict else { continue };
        for counterexample in list {
            number += 1;
            let path = match (&arguments.trace, number) {
                (Some(path), 1) => path.clone(),
                (Some(path), _) => path.with_extension(format!("{number}.json")),
                (None, _) => trace::default_path(&report.input.name, number),
            };
            let story = &counterexample.story;
            let trace = Trace::new(report.input, recorder, &property.name, story, counterexample.is_shortest);
            trace.write(&path)?;
            counterexample.saved = Some(path);
        }
    }
    Ok(())
}

/// Prints on standard output; a reader that went away is not our problem.
pub(crate) fn print(text: &str) {
    use std::io::Write;
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

/// Prints on standard error.
pub(crate) fn eprint(text: &str) {
    use std::io::Write;
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
