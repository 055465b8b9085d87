//! `lariat simulate`: runs of the reference interpreter, at random or choice by choice.

pub(crate) mod interactive;
mod keyboard;

use crate::arguments::{Show, Simulate};
use crate::diagnostics;
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::{eprint, print};
use crate::terminal::Terminal;
use crate::view::count;
use crate::view::run::{change, transfer};
use crate::watchdog::Watchdog;
use checker::promela::record::Recorder;
use checker::report::Step;
use kernel::budget::Exhausted;
use kernel::escape::escaped;
use keyboard::Keyboard;
use promela::explain::{Change, DescribedStep, Describer, Slot};
use promela::reference::{FaultKind, Reference, Transition};
use promela::snapshot::{Location, Snapshot};
use promela::validate::describe;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::SystemTime;

/// Runs the command.
pub(crate) fn run(arguments: &Simulate, terminal: Terminal) -> Result<Exit, Failure> {
    if arguments.interactive && arguments.model.model == "-" {
        return Err(Failure::usage("the model and the choices cannot both come from standard input"));
    }
    let budget = arguments.limits.budget();
    let _watchdog = Watchdog::start_silent(&arguments.limits, &budget);
    let mut input = input::load_promela(&arguments.model, &budget).map_err(|error| error.failure(terminal))?;
    // Interactive choices, or the model itself, come from standard input already.
    let is_free = !arguments.interactive && arguments.model.model != "-";
    let mut keyboard = if is_free { Keyboard::connect(&mut input.program) } else { None };
    eprint(&diagnostics::render(&input.sources, &input.warnings, terminal.colours_messages));
    let describer = Describer::new(&input.program);
    let recorder = Recorder { describer: &describer, sources: &input.sources };
    let reference = Reference::new(&input.program);
    let seed = arguments.seed.unwrap_or_else(seed_of_the_moment);
    let mut simulation = Simulation {
        state: reference.initial(),
        reference,
        recorder,
        shown: shown(arguments),
        random: ChaCha8Rng::seed_from_u64(seed),
        taken: 0,
    };
    if arguments.interactive {
        if simulation.shown.is_empty() {
            // Whoever chooses a step wants to know what it does.
            simulation.shown = vec![Show::Globals, Show::Locals, Show::Sends, Show::Receives];
        }
        return Ok(interactive::run(simulation, Vec::new()));
    }
    if arguments.seed.is_none() {
        print(&format!("seed {seed}\n"));
    }
    while simulation.taken < arguments.steps {
        budget.check().map_err(|limit| stopped(limit, simulation.taken))?;
        if let Some(keyboard) = &mut keyboard {
            keyboard.refill(&mut simulation.state);
        }
        let transitions = simulation.transitions();
        if let Some(exit) = simulation.is_over(&transitions) {
            return Ok(exit);
        }
        let index = simulation.random.random_range(0..transitions.len());
        if let Some(exit) = simulation.take(&transitions[index]) {
            return Ok(exit);
        }
    }
    print(&format!("stopped after {}\n", count(simulation.taken, "step")));
    Ok(Exit::Holds)
}

/// The failure of a simulation that a limit or a request ended after some steps.
pub(crate) fn stopped(limit: Exhausted, taken: u64) -> Failure {
    Failure::new(Exit::Unknown, format!("{} after {}", reason(limit), count(taken, "step")))
}

/// Why a simulation ends, as the beginning of a sentence.
pub(crate) fn reason(limit: Exhausted) -> String {
    match limit {
        Exhausted::Cancelled => "the simulation was interrupted".into(),
        limit => limit.to_string(),
    }
}

/// A seed that differs from run to run.
pub(crate) fn seed_of_the_moment() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |time| u64::from(time.subsec_nanos()) ^ time.as_secs())
}

fn shown(arguments: &Simulate) -> Vec<Show> {
    let given = &arguments.shown;
    let flags = [
        (given.statements, Show::Statements),
        (given.globals, Show::Globals),
        (given.locals, Show::Locals),
        (given.sends, Show::Sends),
        (given.receives, Show::Receives),
    ];
    let flags = flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, show)| show);
    given.show.iter().copied().chain(flags).collect()
}

/// A run under way.
pub(crate) struct Simulation<'a> {
    pub(crate) reference: Reference<'a>,
    pub(crate) recorder: Recorder<'a>,
    pub(crate) state: Snapshot,
    pub(crate) shown: Vec<Show>,
    pub(crate) random: ChaCha8Rng,
    pub(crate) taken: u64,
}

impl Simulation<'_> {
    fn transitions(&self) -> Vec<Transition> {
        self.reference.transitions(&self.state)
    }

    fn described(&self, transition: &Transition) -> DescribedStep {
        describe(&self.reference, self.recorder.describer, &self.state, transition)
    }

    /// Says how the run ends, if nothing can happen any more.
    fn is_over(&self, transitions: &[Transition]) -> Option<Exit> {
        if !transitions.is_empty() {
            return None;
        }
        let steps = count(self.taken, "step");
        if self.reference.is_valid_end(&self.state) {
            print(&format!("ended after {steps}\n"));
            return Some(Exit::Holds);
        }
        print(&format!("invalid end state after {steps}:\n"));
        for (pid, process) in self.state.processes.iter().enumerate() {
            let name = self.recorder.describer.proc(process.proc);
            let place = match process.location {
                Location::At(id) | Location::Exit(id) => {
                    let (span, text) = self.recorder.describer.statement_text(id);
                    format!("waits at {} `{text}`", diagnostics::place(self.recorder.sources, span))
                }
                Location::End => "has ended and waits for younger processes to end".into(),
            };
            print(&format!("  {name}({pid}) {place}\n"));
        }
        Some(Exit::Violated)
    }

    /// Takes a step and shows it; says how to exit if the run ends with it.
    fn take(&mut self, transition: &Transition) -> Option<Exit> {
        let described = self.described(transition);
        self.taken += 1;
        self.show(&described);
        if let Some(next) = &transition.next {
            self.state.clone_from(next);
        }
        let fault = transition.fault.as_ref()?;
        let (span, _) = self.recorder.describer.statement(&described);
        let span = fault.at.map_or(span, |id| self.recorder.describer.statement_text(id).0);
        let kind = match fault.kind {
            FaultKind::Assertion => "assertion failed",
            FaultKind::Runtime => "run-time error",
        };
        let (at, message) = (diagnostics::place(self.recorder.sources, span), &fault.message);
        print(&format!("{kind} after {} at {at}: {message}\n", count(self.taken, "step")));
        Some(Exit::Violated)
    }

    /// Shows of a step what was asked for.
    fn show(&self, described: &DescribedStep) {
        let step = self.recorder.step(described);
        let wants = |show| self.shown.contains(&show);
        if wants(Show::Statements) {
            print(&format!("{:>6}  {}\n", self.taken, one_line(&step)));
        }
        if let Some(output) = &step.output {
            print(&escaped(output));
        }
        if let Some(message) = &step.message {
            let is_wanted = match message.direction.as_str() {
                "sent" => wants(Show::Sends),
                "received" => wants(Show::Receives),
                _ => wants(Show::Sends) || wants(Show::Receives),
            };
            if is_wanted {
                let (process, pid) = actor(&step);
                print(&format!("        {process}({pid}): {}\n", transfer(message)));
            }
        }
        for (kind, changed) in described.changes.iter().zip(&step.changes) {
            if wants(scope(kind)) {
                print(&format!("        {}\n", change(changed)));
            }
        }
    }
}

/// Which kind of change this is.
fn scope(change: &Change) -> Show {
    match change {
        Change::Scalar { slot: Slot::Local { .. } | Slot::Priority { .. }, .. } => Show::Locals,
        Change::Scalar { slot: Slot::Global(_), .. } | Change::Channel { .. } => Show::Globals,
        Change::Started(..) | Change::Ended(..) => Show::Statements,
    }
}

/// The process that takes a step.
fn actor(step: &Step) -> (&str, u32) {
    (step.process.as_deref().unwrap_or_default(), step.pid.unwrap_or(0))
}

/// A step on one line: process, place, statement.
fn one_line(step: &Step) -> String {
    let side = |process: &str, pid: u32, line: u32, statement: &str| format!("{process}({pid})  {line}  {statement}");
    let (process, pid) = actor(step);
    let line = step.at.as_ref().map_or(0, |at| at.line);
    let mut text = side(process, pid, line, step.statement.as_deref().unwrap_or_default());
    if let Some(receiver) = &step.receiver {
        text.push_str("  >  ");
        text.push_str(&side(&receiver.process, receiver.pid, receiver.line, &receiver.statement));
    }
    text
}
