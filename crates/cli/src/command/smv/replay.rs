//! `lariat replay MODEL.smv TRACE` and `lariat validate MODEL.smv TRACE`

use crate::arguments::{ModelArguments, PlainFormat, Replay, Validate};
use crate::command::replay::{REPLAY_PATIENCE, fault, print_proof};
use crate::command::validate::{word, words};
use crate::exit::{Exit, Failure};
use crate::file;
use crate::input::{InputError, load_smv};
use crate::output::{eprint, print};
use crate::picture;
use crate::terminal::{Style, Terminal, styled};
use crate::trace::{TraceFile, Violated};
use crate::view::run::{Look, table};
use crate::view::{SCHEMA, count};
use crate::watchdog::Watchdog;
use checker::report::{Language, PropertyKind, PropertySource, Sense};
use checker::smv::{DEADLOCK, Input, falsehood, misstated, proof, typed};
use kernel::budget::Budget;
use page::trace::Trace as ShownTrace;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use symbolic::report::Trace;
use symbolic::validate::Extent;
use symbolic::validate::retrace::length::Shortness;
use symbolic::validate::retrace::promise::{Relevance, relevance};
use symbolic::validate::retrace::whole::{extends, leaves_out};
use symbolic::validate::retrace::{Claimed, Wrong, retrace};

/// A model and a trace.
struct Case {
    input: Input,
    file: TraceFile,
    trace: Result<Trace, String>,
}

impl Case {
    fn load(model: &ModelArguments, path: &Path, budget: &Budget, terminal: Terminal) -> Result<Self, Failure> {
        let mut input = load_smv(model, budget).map_err(|error| error.failure(terminal))?;
        let file = TraceFile::read(path)?;
        if file.draft.is_some() {
            return Err(Failure::input(format!("`{}` is a trace of a Promela model", path.display())));
        }
        if let PropertySource::Formula(text) = &file.violation.source {
            let bound = input.with_formula(file.violation.kind, "<trace>", text, budget);
            input = bound.map_err(|error| InputError::from(error).failure(terminal))?;
        }
        let trace = checker::smv::trace(&file.run);
        Ok(Case { input, file, trace })
    }

    fn is_same_model(&self) -> bool {
        self.file.model.sha256 == self.input.hash
    }

    fn warn(&self, terminal: Terminal) {
        if !self.is_same_model() {
            let label = styled(terminal.colours_messages, Style::Open, "warning");
            let from = &self.file.model.file;
            eprint(&format!("{label}: the model has changed since the trace was recorded from `{from}`\n"));
        }
    }

    /// What the trace is about, and what it shows in the words of the model.
    fn claimed(&self) -> Result<(Claimed<'_>, String), String> {
        let violated = &self.file.violation;
        let property = match violated.source {
            // The formula of the trace is the last property of the model.
            PropertySource::Formula(_) => self.input.model.properties.last(),
            _ => self.input.property(&violated.property),
        };
        if let (PropertySource::Formula(_), Some(property)) = (&violated.source, property)
            && property.name.as_ref() != Some(&violated.property)
        {
            return Err(format!("`{}` is not the property that the run violates", violated.property));
        }
        let (claimed, kind, message) = match property {
            Some(property) => {
                let message = falsehood(&property.text, &property.instance);
                (Claimed::False(property), property.question.kind(), message)
            }
            None if violated.kind == PropertyKind::Deadlock => (Claimed::Deadlock, "deadlock", DEADLOCK.to_owned()),
            None => return Err(format!("the model has no property `{}`", violated.property)),
        };
        if violated.kind.word() != kind {
            return Err(format!("`{}` is of the kind `{kind}`, not `{}`", violated.property, violated.kind.word()));
        }
        let said = violated.formula.as_deref().filter(|said| falsehood(said, "") != message);
        if let (Some(said), Claimed::False(property)) = (said, claimed) {
            let (name, text) = (&violated.property, &property.text);
            return Err(format!("the trace is about `{said}`, but `{name}` is `{text}`"));
        }
        if violated.message != message && self.is_same_model() {
            return Err(format!("what is shown is \"{message}\", not \"{}\"", violated.message));
        }
        Ok((claimed, message))
    }

    /// What else the trace says, found out again: which values matter, that nothing is shorter, and that what a cone of
    /// influence leaves out goes along.
    fn sayings(&self, whole: &Budget) -> Result<Sayings, Wrong> {
        let length = self.file.run.length();
        let trace = self.trace.as_ref().map_err(|reason| Wrong { step: length, reason: reason.clone() })?;
        let (claimed, _) = self.claimed().map_err(|reason| Wrong { step: length + 1, reason })?;
        let model = &self.input.model;
        let budget = || whole.stage().within(REPLAY_PATIENCE);
        let left_out = leaves_out(model, trace);
        let extends = if left_out > 0 { extends(model, trace, &budget()) } else { Some(true) };
        if extends == Some(false) {
            return Err(Wrong {
                step: length + 1,
                reason: "no path of the whole model agrees with the trace".to_owned(),
            });
        }
        let relevance = relevance(model, claimed, trace, &budget())?;
        let shortness = match self.file.minimal && left_out == 0 {
            true => Some(checker::smv::shortness(model, claimed, trace, &budget())),
            false => self.file.minimal.then_some(Shortness::Open),
        };
        if let Some(Shortness::Refuted(steps)) = shortness {
            let reason =
                format!("the trace is said to be minimal, but one with {} exists", count(steps as u64, "step"));
            return Err(Wrong { step: length + 1, reason });
        }
        if !self.file.is_intact() {
            let reason = "every step is right, but the file was changed after Lariat wrote it".to_owned();
            return Err(Wrong { step: length + 1, reason });
        }
        Ok(Sayings { left_out, extends: extends.is_some(), relevance, shortness })
    }

    /// Has the definitions of the model judge the trace; gives what it shows.
    fn confirm(&self) -> Result<(Extent, String), Wrong> {
        let length = self.file.run.length();
        let trace = self.trace.as_ref().map_err(|reason| Wrong { step: length, reason: reason.clone() })?;
        let (claimed, message) = self.claimed().map_err(|reason| Wrong { step: length + 1, reason })?;
        let extent = retrace(&self.input.model, claimed, trace)?;
        match misstated(&self.file.run) {
            Some(step) => Err(Wrong { step, reason: "the values do not change as it says".into() }),
            None => Ok((extent, message)),
        }
    }
}

/// What is known about what a trace says beside what it shows.
struct Sayings {
    /// How many variables it leaves out, and whether a path of the whole model is known to go with it.
    left_out: usize,
    extends: bool,
    relevance: Relevance,
    /// None if it does not say that it is shortest.
    shortness: Option<Shortness>,
}

impl Sayings {
    /// In words, each after a semicolon.
    fn text(&self) -> String {
        let mut text = String::new();
        if self.left_out > 0 {
            let left_out = count(self.left_out as u64, "variable");
            text += &format!("; checked without the {left_out} that it leaves out");
            text += if self.extends { ": a path of the whole model agrees with it" } else { "" };
        }
        match &self.relevance {
            Relevance::Unstripped => {}
            Relevance::Verified => text += "; the values that matter are enough",
            Relevance::Open(reason) => {
                text += &format!("; whether the values that matter are enough was not checked ({reason})")
            }
        }
        text + &words(self.shortness, Some(Sense::Model))
    }

    /// As fields of a JSON document.
    fn record(&self, document: &mut serde_json::Value) {
        document["left_out"] = self.left_out.into();
        document["whole_model"] = self.extends.into();
        document["relevant"] = match &self.relevance {
            Relevance::Unstripped => "absent".into(),
            Relevance::Verified => "verified".into(),
            Relevance::Open(_) => "not-checked".into(),
        };
        document["minimal"] = word(self.shortness).into();
    }
}

/// Runs `replay`.
pub(crate) fn replay(arguments: &Replay, terminal: Terminal) -> Result<Exit, Failure> {
    let inputs = [PathBuf::from(&arguments.model.model), arguments.trace.clone()];
    picture::check(&arguments.pictures, &inputs)?;
    let budget = arguments.limits.budget();
    let _watchdog = Watchdog::start_silent(&arguments.limits, &budget);
    let case = Case::load(&arguments.model, &arguments.trace, &budget, terminal)?;
    case.warn(terminal);
    let (extent, message) = case.confirm().map_err(|wrong| {
        let fault = fault(wrong.step, case.file.run.length(), &wrong.reason);
        Failure::new(Exit::Violated, format!("the trace is not a run of the model: {fault}"))
    })?;
    draw(arguments, &case, &message, &budget)?;
    if arguments.format == PlainFormat::Json {
        // Nothing here shows that no trace is shorter.
        let violation = Violated { message, ..case.file.violation };
        print(&TraceFile::new(case.file.model, violation, (false, None), Arc::new(typed(&case.file.run))).json());
        return Ok(Exit::Holds);
    }
    let trace = case.trace.as_ref().expect("a trace that was confirmed");
    if arguments.interactive {
        return super::simulate::along(&case.input, trace);
    }
    print(&table(&case.file.run, Look::new(Language::Smv, arguments.view, terminal)));
    let end = format!("{}: {message}{}", case.file.violation.property, reservation(extent));
    print(&format!("{}\n", styled(terminal.colours_output, Style::Bad, end)));
    if arguments.proof.explain {
        let lines = match case.claimed() {
            Ok((Claimed::False(property), _)) => {
                proof::lines(&case.input.sources, &case.input.model, property, trace, &budget)
            }
            _ => vec!["the trace is not about a formula".into()],
        };
        print_proof(&lines, terminal.width);
    }
    Ok(Exit::Holds)
}

/// Writes the page and the chart that are wanted.
fn draw(arguments: &Replay, case: &Case, message: &str, budget: &Budget) -> Result<(), Failure> {
    let run = typed(&case.file.run);
    if let Some(path) = &arguments.pictures.chart {
        picture::write_charts(path, Language::Smv, &[(&run, &[])])?;
    }
    let Some(path) = &arguments.pictures.html else { return Ok(()) };
    let Input { sources, model, .. } = &case.input;
    let stated = match (case.claimed(), &case.trace) {
        (Ok((Claimed::False(property), _)), Ok(trace)) => Some((property, trace)),
        _ => None,
    };
    let observation = stated.and_then(|(property, trace)| proof::observation(sources, model, property, trace, budget));
    let explained = stated.filter(|_| arguments.proof.explain);
    let explained = explained.map(|(property, trace)| proof::lines(sources, model, property, trace, budget));
    let trace = ShownTrace {
        property: &case.file.violation.property,
        formula: case.file.violation.formula.as_deref(),
        language: Language::Smv,
        run: &run,
        message: message.into(),
        at: None,
        facts: Vec::new(),
        values: Vec::new(),
        waiting: Vec::new(),
        proof: explained.unwrap_or_default(),
        observation: observation.as_ref(),
    };
    file::write(path, &page::report::of_trace(&arguments.model.model, &trace, sources))
}

fn reservation(extent: Extent) -> &'static str {
    match extent {
        Extent::Fully => "",
        Extent::Partly => " (as far as a path can show it)",
    }
}

/// Runs `validate`.
pub(crate) fn validate(arguments: &Validate, terminal: Terminal) -> Result<Exit, Failure> {
    let budget = arguments.limits.budget();
    let _watchdog = Watchdog::start_silent(&arguments.limits, &budget);
    let case = Case::load(&arguments.model, &arguments.trace, &budget, terminal)?;
    let answer = case.confirm().and_then(|(extent, message)| Ok((extent, message, case.sayings(&budget)?)));
    let exit = if answer.is_ok() { Exit::Holds } else { Exit::Violated };
    if arguments.format == PlainFormat::Json {
        let mut document = json!({
            "schema": SCHEMA,
            "model": case.input.name,
            "trace": arguments.trace.display().to_string(),
            "same_model": case.is_same_model(),
            "valid": answer.is_ok(),
            "length": case.file.run.length(),
        });
        match answer {
            Ok((extent, _, sayings)) => {
                document["complete"] = (extent == Extent::Fully).into();
                sayings.record(&mut document);
            }
            Err(wrong) => {
                document["first_wrong_step"] = wrong.step.into();
                document["reason"] = wrong.reason.into();
            }
        }
        print(&format!("{document}\n"));
        return Ok(exit);
    }
    case.warn(terminal);
    let is_coloured = terminal.colours_output;
    match answer {
        Ok((extent, message, sayings)) => {
            let word = styled(is_coloured, Style::Good, "valid");
            let steps = count(case.file.run.length() as u64, "step");
            print(&format!("{word}: {steps}, {message}{}{}\n", reservation(extent), sayings.text()));
        }
        Err(wrong) => {
            let word = styled(is_coloured, Style::Bad, "not valid");
            let fault = fault(wrong.step, case.file.run.length(), &wrong.reason);
            print(&format!("{word}: {fault}\n"));
        }
    }
    Ok(exit)
}
