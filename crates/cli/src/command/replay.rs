//! `lariat replay`, all at once or step by step, and the way from a saved trace to one that may be shown.

use crate::arguments::{ModelArguments, PlainFormat, Replay, Show};
use crate::command::check::{eprint, print};
use crate::command::simulate::{Simulation, interactive};
use crate::exit::{Exit, Failure};
use crate::input::{self, InputError};
use crate::terminal::{Style, Terminal, styled};
use crate::trace::{FileGuide, Trace, Violated, ViolationKind};
use crate::{diagnostics, view};
use checker::promela::input::{Input, PropertyError};
use checker::promela::property::{
    Content, Source, Temporal, acceptance, non_progress, of_automaton, of_block, of_claim, of_formula, of_never,
};
use checker::promela::record::Recorder;
use checker::promela::report::{Named, PropertyKind, headline, place};
use checker::promela::selection::accept;
use promela::explain::Describer;
use promela::reference::{Outcome, Reference};
use promela::typed::{ProcId, ProcKind};
use promela::validate::temporal::{self, LassoShape};
use promela::validate::{Rejection, Validated, ViolatingRun, Violation, describe, validate};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::path::Path;

/// A model and a trace, and whether they belong together.
pub(crate) struct Case {
    pub(crate) input: Input,
    pub(crate) trace: Trace,
    pub(crate) is_same_model: bool,
    /// The temporal property that the trace is about.
    temporal: Option<Temporal>,
}

impl Case {
    /// Reads both.
    pub(crate) fn load(model: &ModelArguments, trace: &Path, terminal: Terminal) -> Result<Self, Failure> {
        let mut input = input::load(model).map_err(|error| error.failure(terminal))?;
        let trace = Trace::read(trace)?;
        let is_same_model = trace.model.sha256 == input.hash;
        let temporal = match trace.violation.kind.safety() {
            Some(_) => None,
            None => Some(temporal(&mut input, &trace).map_err(|error| error.failure(terminal))?),
        };
        Ok(Self { input, trace, is_same_model, temporal })
    }

    /// What to say if the model is not the one the trace was recorded from.
    pub(crate) fn warning(&self) -> Option<String> {
        (!self.is_same_model).then(|| {
            let options: Vec<String> = self.trace.model.defines.iter().map(|define| format!("-D{define}")).collect();
            let with = if options.is_empty() { String::new() } else { format!(" with {}", options.join(" ")) };
            format!("the model has changed since the trace was recorded from `{}`{with}", self.trace.model.file)
        })
    }

    /// The interpreter that decides, with the assertion about events that the trace is about, if it is.
    fn reference(&self) -> Reference<'_> {
        let program = &self.input.program;
        match &self.temporal {
            Some(Temporal { content: Content::Events(trace), .. }) => Reference::with_trace(program, *trace),
            _ => Reference::new(program),
        }
    }

    /// Has the reference interpreter walk along the trace, and compares all that the file says.
    pub(crate) fn confirm(&self, describer: &Describer<'_>) -> Result<Validated<ViolatingRun>, Rejection> {
        let reference = self.reference();
        let recorder = Recorder { describer, sources: &self.input.sources };
        let (trace, is_same_model) = (&self.trace, self.is_same_model);
        let mut guide = FileGuide { trace, recorder, reference: &reference, is_same_model };
        let violation = &trace.violation;
        let refuse = |reason: String| Rejection { step: trace.length() + 1, reason };
        let is_of_events = violation.kind == ViolationKind::Trace && reference.follows_trace();
        let run = match (&self.temporal, violation.kind.safety()) {
            (Some(_), _) if is_of_events && !trace.cycle.is_empty() => {
                return Err(refuse("a violation of an assertion about events has no loop".into()));
            }
            (Some(_), _) if is_of_events => validate(&reference, describer, &mut guide, Violation::Trace)?,
            (Some(temporal), _) => {
                if violation.formula.is_some() && violation.formula != temporal.text() {
                    let (said, real) = (violation.formula.clone(), temporal.text());
                    let [said, real] = [said, real].map(Option::unwrap_or_default);
                    let name = &violation.property;
                    return Err(refuse(format!("the trace is about `{said}`, but `{name}` is `{real}`")));
                }
                let Some(demanded) = temporal.demanded(violation.fair) else {
                    return Err(refuse("the property of the trace cannot be checked".into()));
                };
                let stutters = trace.stutters();
                if stutters && !temporal.stutters() {
                    return Err(refuse("a run that ends has no cycle of steps".into()));
                }
                let cycle = if stutters { 0 } else { trace.cycle.len() };
                let shape = LassoShape { stem: trace.stem.len(), cycle, stutters };
                temporal::validate(&reference, describer, &mut guide, shape, demanded)?
            }
            (None, Some(_)) if !trace.cycle.is_empty() => {
                return Err(refuse("a violation of safety has no loop".into()));
            }
            (None, Some(kind)) => validate(&reference, describer, &mut guide, kind)?,
            (None, None) => return Err(refuse("the model has no such property".into())),
        };
        self.compare(&run).map_err(refuse)?;
        Ok(run)
    }

    /// The trace again, from what the interpreter did.
    fn rebuilt(&self, recorder: Recorder<'_>, run: &ViolatingRun) -> Trace {
        let named = self.temporal.as_ref().map(|temporal| Named {
            text: temporal.text(),
            source: temporal.source.clone(),
            span: temporal.span,
            is_fair: self.trace.violation.fair,
        });
        let kind = self.temporal.as_ref().map_or(PropertyKind::Assertion, |temporal| temporal.kind);
        let name = &self.trace.violation.property;
        let violated = Violated { name, kind, temporal: named.as_ref() };
        Trace::new(&self.input, recorder, &violated, run, self.trace.minimal)
    }

    /// Compares what the file says besides its steps.
    fn compare(&self, run: &ViolatingRun) -> Result<(), String> {
        let (trace, violation) = (&self.trace, &self.trace.violation);
        if violation.kind.name().is_some_and(|name| name != violation.property) {
            return Err(format!("`{}` is not the property that is violated", violation.property));
        }
        if self.is_same_model && violation.message != run.message {
            return Err(format!("what happens is \"{}\", not \"{}\"", run.message, violation.message));
        }
        let options = (&trace.model.defines, &trace.model.undefines);
        if self.is_same_model && options != (&self.input.defines, &self.input.undefines) {
            return Err("the trace names other definitions than those the model was read with".into());
        }
        if !trace.is_intact() {
            return Err("every step is right, but the file was changed after Lariat wrote it".into());
        }
        Ok(())
    }
}

/// The temporal property that a trace is about, in terms of this model.
fn temporal(input: &mut Input, trace: &Trace) -> Result<Temporal, InputError> {
    let violation = &trace.violation;
    let name = violation.property.as_str();
    let found = match (&violation.source, violation.kind) {
        (Some(Source::Formula(text)), _) => of_formula(input, "<trace>", text),
        (Some(Source::Never(text)), _) => of_never(input, name, text),
        (Some(Source::Automaton(text)), _) => of_automaton(input, name, text),
        (_, ViolationKind::Acceptance) => Ok(acceptance(input)),
        (_, ViolationKind::NonProgress) => Ok(non_progress(input)),
        (_, kind @ (ViolationKind::Never | ViolationKind::Trace)) => {
            let is_wanted = |other| match kind {
                ViolationKind::Never => other == ProcKind::Never,
                _ => matches!(other, ProcKind::Trace | ProcKind::Notrace),
            };
            let claims = (0..).zip(&input.program.procs).filter(|(_, proc)| is_wanted(proc.kind));
            let mut claims = claims.filter(|(_, proc)| proc.name == name).map(|(index, _)| ProcId(index));
            claims.next().map(|claim| of_claim(input, claim)).ok_or_else(|| missing(name))
        }
        _ => {
            let block = input.program.ltl.iter().find(|block| block.name == name);
            block.map(|block| of_block(input, block)).ok_or_else(|| missing(name))
        }
    };
    Ok(accept(found, input)?)
}

fn missing(name: &str) -> PropertyError {
    PropertyError::new(&format!("the trace is about the property `{name}`, which the model does not have"), Vec::new())
}

/// Runs the command.
pub(crate) fn run(arguments: &Replay, terminal: Terminal) -> Result<Exit, Failure> {
    let case = Case::load(&arguments.model, &arguments.trace, terminal)?;
    if let Some(warning) = case.warning() {
        eprint(&format!("{}: {warning}\n", styled(terminal.colours_messages, Style::Open, "warning")));
    }
    let describer = Describer::new(&case.input.program);
    let run = match case.confirm(&describer) {
        Ok(run) => run,
        Err(rejection) => {
            let message = format!("the trace is not a run of the model: step {}: {}", rejection.step, rejection.reason);
            return Err(Failure::new(Exit::Violated, message));
        }
    };
    let recorder = Recorder { describer: &describer, sources: &case.input.sources };
    if arguments.format == PlainFormat::Json {
        let trace = case.rebuilt(recorder, &run);
        print(&format!("{}\n", serde_json::to_string(&trace).expect("a trace has string keys only")));
        return Ok(Exit::Holds);
    }
    if arguments.interactive {
        return Ok(walk(&case, recorder, &run));
    }
    let is_coloured = terminal.colours_output;
    print(&view::trace::table(recorder, &run, arguments.view.trace_view, is_coloured));
    let at = place(recorder, &run).map(|span| format!(" at {}", diagnostics::place(recorder.sources, span)));
    let end = format!("{}{}", headline(recorder, &run), at.unwrap_or_default());
    print(&format!("{}\n", styled(is_coloured, Style::Bad, end)));
    Ok(Exit::Holds)
}

/// Walks along a run, with the user.
fn walk(case: &Case, recorder: Recorder<'_>, run: &ViolatingRun) -> Exit {
    let reference = Reference::new(&case.input.program);
    let mut state = run.initial.clone();
    let mut path = Vec::new();
    for described in run.steps.iter().chain(run.continuation.loop_steps()) {
        let outcomes = reference.outcomes(&state);
        // Which of several outcomes of one step was meant shows in what it changed.
        let is_meant = |outcome: &&Outcome| describe(&reference, recorder.describer, &state, outcome) == *described;
        let Some(outcome) = outcomes.iter().find(is_meant).cloned() else { break };
        let next = outcome.next.clone();
        path.push((state.clone(), outcome));
        match next {
            Some(next) => state = next,
            None => break,
        }
    }
    let simulation = Simulation {
        state: run.initial.clone(),
        reference,
        recorder,
        shown: vec![Show::Globals, Show::Locals, Show::Sends, Show::Receives],
        random: ChaCha8Rng::seed_from_u64(0),
        taken: 0,
    };
    // A violation on the way is what a trace is for.
    let _ = interactive::run(simulation, path);
    Exit::Holds
}
