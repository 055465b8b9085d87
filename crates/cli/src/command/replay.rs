//! `lariat replay`, all at once or step by step, and the way from a saved trace to one that may be shown.

mod demand;
mod draft;
mod guide;

use crate::arguments::{ModelArguments, PlainFormat, Replay, Show};
use crate::command::simulate::{Simulation, interactive};
use crate::exit::{Exit, Failure};
use crate::file;
use crate::input::{self, InputError};
use crate::output::{eprint, print};
use crate::picture;
use crate::terminal::{Style, Terminal, styled};
pub(crate) use crate::thresholds::time::REPLAY_PATIENCE;
use crate::trace::{TraceFile, Violated};
use crate::view::run::{Look, table};
use crate::view::wrap::wrapped;
use crate::watchdog::{Watchdog, exhausted};
use checker::promela::input::Input;
use checker::promela::property::{
    Content, Temporal, acceptance, non_progress, of_automaton, of_block, of_claim, of_formula, of_invariant, of_never,
};
use checker::promela::record::Recorder;
use checker::promela::report::{at, headline};
use checker::promela::selection::accept;
use checker::promela::shortness::{Recorded, Shortness, shortness};
use checker::promela::{operands, proof};
use checker::report::{Draft, Language, PropertyKind, PropertySource, heading};
use checker::selection::Wanted;
use demand::Demand;
use guide::{FileGuide, stutters};
use kernel::budget::Budget;
use page::trace::Trace;
use promela::explain::Describer;
use promela::reference::{Reference, Transition};
use promela::typed::{ProcId, ProcKind};
use promela::validate::temporal::LassoShape;
use promela::validate::{Rejection, Validated, ValidationError, ViolatingRun, Violation, describe};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The names of the properties that are not named in the text of a model.
const GENERIC: [&str; 5] = ["assertions", "run-time errors", "end states", "acceptance cycles", "non-progress cycles"];

/// A model and a trace, and whether they belong together.
pub(crate) struct Case {
    pub(crate) input: Input,
    pub(crate) trace: TraceFile,
    pub(crate) is_same_model: bool,
    /// The temporal property that the trace is about, if it is about one and the model has it.
    temporal: Option<Temporal>,
    /// The model as it was read, without the property of the trace.
    pristine: Input,
    budget: Budget,
}

impl Case {
    /// Reads both.
    pub(crate) fn load(
        model: &ModelArguments,
        trace: &Path,
        budget: &Budget,
        terminal: Terminal,
    ) -> Result<Self, Failure> {
        let mut input = input::load_promela(model, budget).map_err(|error| error.failure(terminal))?;
        let trace = TraceFile::read(trace)?;
        let is_same_model = trace.model.sha256 == input.hash;
        let pristine = input.clone();
        let temporal = match safety(&trace.violation) {
            Some(_) => None,
            None => temporal(&mut input, &trace, budget).map_err(|error| error.failure(terminal))?,
        };
        Ok(Self { input, trace, is_same_model, temporal, pristine, budget: budget.clone() })
    }

    /// The number of steps of the trace.
    pub(crate) fn length(&self) -> usize {
        self.trace.draft.as_ref().map_or_else(|| self.trace.run.length(), Draft::length)
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

    /// Lets the reference interpreter follow the trace, and compares everything that the file states. The outer error is
    /// the limit that ended the validation.
    pub(crate) fn confirm(
        &self,
        describer: &Describer<'_>,
    ) -> Result<Result<Validated<ViolatingRun>, Rejection>, Failure> {
        match self.follow(describer) {
            Ok(run) => Ok(Ok(run)),
            Err(ValidationError::Rejected(rejection)) => Ok(Err(rejection)),
            Err(ValidationError::Exhausted(limit)) => Err(exhausted(limit)),
        }
    }

    fn follow(&self, describer: &Describer<'_>) -> Result<Validated<ViolatingRun>, ValidationError> {
        if let Some(draft) = &self.trace.draft {
            return self.follow_draft(draft, describer);
        }
        let reference = self.reference();
        let recorder = Recorder { describer, sources: &self.input.sources };
        let saved = &self.trace.run;
        let mut guide = FileGuide::new(saved, recorder, &reference, self.is_same_model);
        let refuse = |reason: String| ValidationError::from(Rejection { step: saved.length() + 1, reason });
        let stutters = stutters(saved);
        let cycle = if stutters { 0 } else { saved.cycle.len() };
        let shape = LassoShape { stem: saved.stem.len(), cycle, stutters };
        let demand = self.demand(&reference, shape).map_err(refuse)?;
        let run = demand.validate(&reference, describer, &mut guide, &self.budget)?;
        self.compare(recorder, &run).map_err(refuse)?;
        Ok(run)
    }

    /// What a run must do to violate the property of the trace, if its steps are divided like this.
    fn demand(&self, reference: &Reference<'_>, shape: LassoShape) -> Result<Demand<'_>, String> {
        let violation = &self.trace.violation;
        let has_loop = shape.cycle > 0 || shape.stutters;
        let is_of_events = violation.kind == PropertyKind::Trace && reference.follows_trace();
        match (&self.temporal, safety(violation)) {
            (Some(_), _) if is_of_events && has_loop => {
                Err("a violation of an assertion about events has no loop".into())
            }
            (Some(_), _) if is_of_events => Ok(Demand::Safety(Violation::Trace)),
            (Some(temporal), _) => {
                if violation.formula.is_some() && violation.formula != temporal.text() {
                    let (said, real) = (violation.formula.clone(), temporal.text());
                    let [said, real] = [said, real].map(Option::unwrap_or_default);
                    let name = &violation.property;
                    return Err(format!("the trace is about `{said}`, but `{name}` is `{real}`"));
                }
                let Some(demanded) = temporal.demanded(violation.fair) else {
                    return Err("the property of the trace cannot be checked".into());
                };
                match shape.stutters && !temporal.stutters() {
                    true => Err("a run that ends has no cycle of steps".into()),
                    false => Ok(Demand::Temporal(shape, demanded)),
                }
            }
            (None, Some(_)) if has_loop => Err("a violation of safety has no loop".into()),
            (None, Some(kind)) => Ok(Demand::Safety(kind)),
            (None, None) => Err(format!("the model has no property `{}`", violation.property)),
        }
    }

    /// The trace again, from what the interpreter did.
    fn rebuilt(&self, recorder: Recorder<'_>, run: &ViolatingRun) -> TraceFile {
        let violation = Violated {
            message: headline(recorder, run),
            formula: self.temporal.as_ref().and_then(Temporal::text),
            ..self.trace.violation.clone()
        };
        let minimal = (self.trace.minimal, self.trace.minimal_among);
        TraceFile::new(self.input.summary(), violation, minimal, Arc::new(recorder.run(run)))
    }

    /// Refuses a name that belongs to another property. A formula has its text as its name; a claim that is not part of
    /// the model must not have the name of a property of the model.
    fn check_name(&self) -> Result<(), String> {
        let violation = &self.trace.violation;
        let name = &violation.property;
        let is_wrong = match (&violation.source, &self.temporal) {
            (PropertySource::Model, _) | (_, None) => false,
            (PropertySource::Formula(_), Some(temporal)) => temporal.name != *name,
            (_, Some(_)) => {
                let program = &self.pristine.program;
                let stated = program.ltl.iter().map(|block| &block.name);
                let mut names = stated.chain(program.procs.iter().map(|process| &process.name));
                names.any(|stated| stated == name) || GENERIC.contains(&name.as_str())
            }
        };
        match is_wrong {
            true => Err(format!("`{name}` is not the property that the run violates")),
            false => Ok(()),
        }
    }

    /// Whether the trace is shortest, if it says so: the property is checked again.
    pub(crate) fn shortness(&self) -> Option<Shortness> {
        let Violated { property, kind, message, fair, source, .. } = &self.trace.violation;
        let wanted = match (source, kind) {
            (PropertySource::Formula(text), PropertyKind::Invariant) => Wanted::Invariant(text.clone()),
            (PropertySource::Formula(text), _) => Wanted::Formula { origin: "<trace>".into(), text: text.clone() },
            (PropertySource::Never(text), _) => Wanted::Never { name: property.clone(), text: text.clone() },
            (PropertySource::Automaton(text), _) => Wanted::Automaton { name: property.clone(), text: text.clone() },
            (_, PropertyKind::Acceptance | PropertyKind::NonProgress) => Wanted::Kind(*kind),
            (_, PropertyKind::Assertion | PropertyKind::EndState) => Wanted::Safety,
            _ => Wanted::Named(property.clone()),
        };
        let recorded = Recorded {
            property,
            kind: *kind,
            wanted,
            message,
            is_fair: *fair,
            sense: self.trace.minimal_among,
            length: self.trace.run.length(),
        };
        let budget = self.budget.stage().within(REPLAY_PATIENCE);
        self.trace.minimal.then(|| shortness(&self.pristine, &recorded, &budget))
    }

    /// Compares what the file says besides its steps.
    fn compare(&self, recorder: Recorder<'_>, run: &ViolatingRun) -> Result<(), String> {
        let (trace, violation) = (&self.trace, &self.trace.violation);
        if generic_names(violation.kind).is_some_and(|names| !names.contains(&violation.property.as_str())) {
            return Err(format!("`{}` is not the property that is violated", violation.property));
        }
        self.check_name()?;
        let message = headline(recorder, run);
        if self.is_same_model && violation.message != message {
            return Err(format!("what happens is \"{message}\", not \"{}\"", violation.message));
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

/// The kind of violation of safety that a trace shows; none for a temporal property.
fn safety(violated: &Violated) -> Option<Violation> {
    match (violated.kind, violated.property.as_str()) {
        (PropertyKind::Assertion, "run-time errors") => Some(Violation::Runtime),
        (PropertyKind::Assertion, _) => Some(Violation::Assertion),
        (PropertyKind::EndState, _) => Some(Violation::InvalidEnd),
        _ => None,
    }
}

/// The names that all properties of this kind have, if they do.
fn generic_names(kind: PropertyKind) -> Option<&'static [&'static str]> {
    match kind {
        PropertyKind::Assertion => Some(&["assertions", "run-time errors"]),
        PropertyKind::EndState => Some(&["end states"]),
        PropertyKind::Acceptance => Some(&["acceptance cycles"]),
        PropertyKind::NonProgress => Some(&["non-progress cycles"]),
        _ => None,
    }
}

/// The temporal property that a trace is about, in terms of this model; none if the model lacks it.
fn temporal(input: &mut Input, trace: &TraceFile, budget: &Budget) -> Result<Option<Temporal>, InputError> {
    let violation = &trace.violation;
    let name = violation.property.as_str();
    let found = match (&violation.source, violation.kind) {
        (PropertySource::Formula(text), PropertyKind::Invariant) => of_invariant(input, "<trace>", text, budget),
        (PropertySource::Formula(text), _) => of_formula(input, "<trace>", text, budget),
        (PropertySource::Never(text), _) => of_never(input, name, text, budget),
        (PropertySource::Automaton(text), _) => of_automaton(input, name, text, budget),
        (_, PropertyKind::Acceptance) => Ok(acceptance(input)),
        (_, PropertyKind::NonProgress) => Ok(non_progress(input)),
        (_, kind @ (PropertyKind::Never | PropertyKind::Trace)) => {
            let is_wanted = |other| match kind {
                PropertyKind::Never => other == ProcKind::Never,
                _ => matches!(other, ProcKind::Trace | ProcKind::Notrace),
            };
            let claims = (0..).zip(&input.program.procs).filter(|(_, proc)| is_wanted(proc.kind));
            let mut claims = claims.filter(|(_, proc)| proc.name == name).map(|(index, _)| ProcId(index));
            let Some(claim) = claims.next() else { return Ok(None) };
            Ok(of_claim(input, claim, budget))
        }
        _ => {
            let Some(block) = input.program.ltl.iter().find(|block| block.name == name) else { return Ok(None) };
            Ok(of_block(input, block))
        }
    };
    Ok(Some(accept(found, input)?))
}

/// Runs the command.
pub(crate) fn run(arguments: &Replay, terminal: Terminal) -> Result<Exit, Failure> {
    let inputs = [PathBuf::from(&arguments.model.model), arguments.trace.clone()];
    picture::check(&arguments.pictures, &inputs)?;
    let budget = arguments.limits.budget();
    let _watchdog = Watchdog::start_silent(&arguments.limits, &budget);
    let case = Case::load(&arguments.model, &arguments.trace, &budget, terminal)?;
    if let Some(warning) = case.warning() {
        eprint(&format!("{}: {warning}\n", styled(terminal.colours_messages, Style::Open, "warning")));
    }
    let describer = Describer::new(&case.input.program);
    let run = match case.confirm(&describer)? {
        Ok(run) => run,
        Err(rejection) => {
            let fault = fault(rejection.step, case.length(), &rejection.reason);
            return Err(Failure::new(Exit::Violated, format!("the trace is not a run of the model: {fault}")));
        }
    };
    let recorder = Recorder { describer: &describer, sources: &case.input.sources };
    draw(arguments, &case, recorder, &run)?;
    if arguments.format == PlainFormat::Json {
        let trace = case.rebuilt(recorder, &run);
        print(&trace.json());
        return Ok(Exit::Holds);
    }
    if arguments.interactive {
        return Ok(walk(&case, recorder, &run));
    }
    let look = Look::new(Language::Promela, arguments.view, terminal);
    print(&table(&recorder.run(&run), look));
    for one in operands::waiting(recorder, &run) {
        print(&format!("{}\n", wrapped(&format!("  {one}"), look.width, 4)));
    }
    let stated = case.temporal.as_ref().and_then(|temporal| temporal.span);
    let at = at(recorder, &run, stated).map_or_else(String::new, |at| format!(" at {at}"));
    let shown = heading(&headline(recorder, &run), &operands::of_assertion(recorder, &run), &[]);
    let end = wrapped(&format!("{}: {shown}{at}", case.trace.violation.property), look.width, 2);
    print(&format!("{}\n", styled(look.is_coloured, Style::Bad, end)));
    if arguments.proof.explain {
        explain(&case, &run, look);
    }
    Ok(Exit::Holds)
}

/// Writes the page and the chart that are wanted.
fn draw(arguments: &Replay, case: &Case, recorder: Recorder<'_>, run: &ViolatingRun) -> Result<(), Failure> {
    let shown = recorder.run(run);
    let waiting = operands::waiting(recorder, run);
    if let Some(path) = &arguments.pictures.chart {
        picture::write_charts(path, Language::Promela, &[(&shown, &waiting)])?;
    }
    let Some(path) = &arguments.pictures.html else { return Ok(()) };
    let formula = match &case.temporal {
        Some(Temporal { content: Content::Formula(claim), .. }) => Some(claim),
        _ => None,
    };
    let observation = formula.and_then(|claim| proof::observation(claim, run, &case.budget));
    let explained = formula.filter(|_| arguments.proof.explain);
    let trace = Trace {
        property: &case.trace.violation.property,
        formula: case.trace.violation.formula.as_deref(),
        language: Language::Promela,
        run: &shown,
        message: headline(recorder, run),
        at: at(recorder, run, case.temporal.as_ref().and_then(|temporal| temporal.span)),
        facts: Vec::new(),
        values: operands::of_assertion(recorder, run),
        waiting,
        proof: explained.map_or_else(Vec::new, |claim| proof::lines(claim, run)),
        observation: observation.as_ref(),
    };
    file::write(path, &page::report::of_trace(&arguments.model.model, &trace, &case.input.sources))
}

/// What is wrong with a trace: with one of its steps, or with the trace as a whole.
pub(crate) fn fault(step: usize, length: usize, reason: &str) -> String {
    if step <= length { format!("step {step}: {reason}") } else { reason.into() }
}

/// Prints why the run violates the formula of the trace.
fn explain(case: &Case, run: &ViolatingRun, look: Look<'_>) {
    let lines = match &case.temporal {
        Some(Temporal { content: Content::Formula(claim), .. }) => proof::lines(claim, run),
        _ => vec!["the trace is not about a formula".into()],
    };
    print_proof(&lines, look.width);
}

/// Prints a proof, one fact a line.
pub(crate) fn print_proof(lines: &[String], width: Option<usize>) {
    print("why:\n");
    lines.iter().for_each(|line| print(&format!("{}\n", wrapped(&format!("  {line}"), width, 6))));
}

/// Walks along a run, with the user.
fn walk(case: &Case, recorder: Recorder<'_>, run: &ViolatingRun) -> Exit {
    let reference = Reference::new(&case.input.program);
    let mut state = run.initial.clone();
    let mut path = Vec::new();
    for described in run.steps.iter().chain(run.continuation.loop_steps()) {
        let transitions = reference.transitions(&state);
        // Which of several transitions of one step was meant shows in what it changed.
        let is_meant =
            |transition: &&Transition| describe(&reference, recorder.describer, &state, transition) == *described;
        let Some(transition) = transitions.iter().find(is_meant).cloned() else { break };
        let next = transition.next.clone();
        path.push((state.clone(), transition));
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
