//! `lariat replay`, all at once or step by step, and the way from a saved trace to one that may be shown.

use crate::arguments::{ModelArguments, PlainFormat, Replay, Show};
use crate::command::check::{eprint, print};
use crate::command::simulate::{Simulation, interactive};
use crate::exit::{Exit, Failure};
use crate::input::{self, Input};
use crate::record::Recorder;
use crate::report::{headline, place};
use crate::terminal::{Style, Terminal, styled};
use crate::trace::{FileGuide, Trace};
use crate::{diagnostics, view};
use promela::explain::Narrator;
use promela::reference::{Outcome, Reference};
use promela::validate::{Refusal, Story, Validated, chapter as describe, validate};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::path::Path;

/// A model and a trace, and whether they belong together.
pub(crate) struct Case {
    pub(crate) input: Input,
    pub(crate) trace: Trace,
    pub(crate) is_same_model: bool,
}

impl Case {
    /// Reads both.
    pub(crate) fn load(model: &ModelArguments, trace: &Path, terminal: Terminal) -> Result<Self, Failure> {
        let input = input::load(model).map_err(|trouble| trouble.failure(terminal))?;
        let trace = Trace::read(trace)?;
        let is_same_model = trace.model.sha256 == input.hash;
        Ok(Self { input, trace, is_same_model })
    }

    /// What to say if the model is not the one the trace was recorded from.
    pub(crate) fn warning(&self) -> Option<String> {
        (!self.is_same_model).then(|| {
            let options: Vec<String> = self.trace.model.defines.iter().map(|define| format!("-D{define}")).collect();
            let with = if options.is_empty() { String::new() } else { format!(" with {}", options.join(" ")) };
            format!("the model has changed since the trace was recorded from `{}`{with}", self.trace.model.file)
        })
    }

    /// Has the reference interpreter walk along the trace.
    pub(crate) fn confirm(&self, narrator: &Narrator<'_>) -> Result<Validated<Story>, Refusal> {
        let reference = Reference::new(&self.input.program);
        let recorder = Recorder { narrator, sources: &self.input.sources };
        let is_same_model = self.is_same_model;
        let mut guide = FileGuide { trace: &self.trace, recorder, reference: &reference, is_same_model };
        validate(&reference, narrator, &mut guide, self.trace.violation.kind.into())
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Replay, terminal: Terminal) -> Result<Exit, Failure> {
    let case = Case::load(&arguments.model, &arguments.trace, terminal)?;
    if let Some(warning) = case.warning() {
        eprint(&format!("{}: {warning}\n", styled(terminal.colours_messages, Style::Open, "warning")));
    }
    let narrator = Narrator::new(&case.input.program);
    let story = match case.confirm(&narrator) {
        Ok(story) => story,
        Err(refusal) => {
            let message = format!("the trace is not a run of the model: step {}: {}", refusal.step, refusal.reason);
            return Err(Failure::new(Exit::Violated, message));
        }
    };
    let recorder = Recorder { narrator: &narrator, sources: &case.input.sources };
    if arguments.format == PlainFormat::Json {
        let property = &case.trace.violation.property;
        let trace = Trace::new(&case.input, recorder, property, &story, case.trace.minimal);
        print(&format!("{}\n", serde_json::to_string(&trace).expect("a trace has string keys only")));
        return Ok(Exit::Holds);
    }
    if arguments.interactive {
        return Ok(walk(&case, recorder, &story));
    }
    let is_coloured = terminal.colours_output;
    print(&view::trace::table(recorder, &story, arguments.view.trace_view, is_coloured));
    let at = place(recorder, &story).map(|span| format!(" at {}", diagnostics::place(recorder.sources, span)));
    let end = format!("{}{}", headline(recorder, &story), at.unwrap_or_default());
    print(&format!("{}\n", styled(is_coloured, Style::Bad, end)));
    Ok(Exit::Holds)
}

/// Walks along a story, with the user.
fn walk(case: &Case, recorder: Recorder<'_>, story: &Story) -> Exit {
    let reference = Reference::new(&case.input.program);
    let mut state = story.initial.clone();
    let mut path = Vec::new();
    for chapter in &story.chapters {
        let outcomes = reference.outcomes(&state);
        // Which of several outcomes of one step was meant shows in what it changed.
        let is_meant = |outcome: &&Outcome| describe(&reference, recorder.narrator, &state, outcome) == *chapter;
        let Some(outcome) = outcomes.iter().find(is_meant).cloned() else { break };
        let next = outcome.next.clone();
        path.push((state.clone(), outcome));
        match next {
            Some(next) => state = next,
            None => break,
        }
    }
    let simulation = Simulation {
        state: story.initial.clone(),
        reference,
        recorder,
        shown: vec![Show::Globals, Show::Locals, Show::Sends, Show::Receives],
        random: ChaCha8Rng::seed_from_u64(0),
        taken: 0,
    };
    interactive::run(simulation, path)
}
