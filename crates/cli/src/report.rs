//! What a check found out, ready to be shown in any format.

use crate::exit::Exit;
use crate::input::Input;
use crate::record::{Recorder, cut};
use kernel::budget::Exhausted;
use kernel::span::Span;
use kernel::verdict::{Reason, Verdict};
use promela::explain::Narrator;
use promela::snapshot::Location;
use promela::validate::{Story, Validated, Violation};
use search::check::Order;
use search::explore::{End, Statistics};
use std::path::PathBuf;

/// Statements in messages are cut to this many characters, messages to the second number.
const LONGEST_STATEMENT: usize = 60;
const LONGEST_MESSAGE: usize = 300;

/// The kinds of property, as reports name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PropertyKind {
    /// Assertions, and run-time errors.
    Assertion,
    /// Valid end states.
    EndState,
    /// An `ltl` block.
    Ltl,
    /// A `never` claim.
    Never,
    /// No cycle through `accept` labels.
    Acceptance,
    /// No cycle without `progress` labels.
    NonProgress,
    /// A `trace` or `notrace`.
    Trace,
}

impl PropertyKind {
    /// The word for it in reports.
    pub(crate) fn word(self) -> &'static str {
        match self {
            PropertyKind::Assertion => "assertion",
            PropertyKind::EndState => "end-state",
            PropertyKind::Ltl => "ltl",
            PropertyKind::Never => "never",
            PropertyKind::Acceptance => "acceptance",
            PropertyKind::NonProgress => "non-progress",
            PropertyKind::Trace => "trace",
        }
    }
}

/// A violation that can be shown.
pub(crate) struct Counterexample {
    pub(crate) story: Validated<Story>,
    /// Whether no run to such a violation has fewer steps.
    pub(crate) is_shortest: bool,
    /// Where it was saved.
    pub(crate) saved: Option<PathBuf>,
}

/// A property and what was found out about it.
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) kind: PropertyKind,
    pub(crate) verdict: Verdict<Vec<Counterexample>>,
    /// Why it holds for no reason that matters, if so.
    pub(crate) vacuous: Option<&'static str>,
    /// Whether the search was about it; otherwise its numbers are zero.
    pub(crate) is_searched: bool,
}

impl Property {
    /// The verdict in words.
    pub(crate) fn verdict_words(&self) -> &'static str {
        if self.vacuous.is_some() { "holds vacuously" } else { self.verdict.word() }
    }

    /// Why nothing can be said, or why it holds vacuously.
    pub(crate) fn reason(&self) -> Option<String> {
        match &self.verdict {
            Verdict::Unknown(reason) => Some(reason_words(reason)),
            _ => self.vacuous.map(Into::into),
        }
    }

    /// All counterexamples.
    pub(crate) fn counterexamples(&self) -> &[Counterexample] {
        match &self.verdict {
            Verdict::Violated(list) => list,
            _ => &[],
        }
    }
}

fn reason_words(reason: &Reason) -> String {
    match reason {
        Reason::Limit(Exhausted::Memory) => "the memory limit was reached; --memory-limit sets it".into(),
        Reason::Limit(Exhausted::Time) => "the time limit was reached".into(),
        Reason::Limit(Exhausted::Depth) => "some runs are longer than the depth limit".into(),
        Reason::Limit(Exhausted::Cancelled) => "the search was interrupted".into(),
        Reason::Stopped => "the search ended after violations of other properties; --all-errors goes on".into(),
        Reason::LossyStore => "the store may have taken two states for one".into(),
        Reason::Unsupported(words) => words.clone(),
    }
}

/// Something that no run executes.
pub(crate) struct UnreachedPlace {
    pub(crate) process: String,
    pub(crate) span: Span,
    pub(crate) statement: String,
}

/// Seconds by phase.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Phases {
    pub(crate) reading: f64,
    pub(crate) compiling: f64,
    pub(crate) validating: f64,
}

/// A whole report.
pub(crate) struct Report<'a> {
    pub(crate) input: &'a Input,
    pub(crate) narrator: &'a Narrator<'a>,
    pub(crate) properties: Vec<Property>,
    pub(crate) order: Order,
    /// Violations that were met but are not among the counterexamples.
    pub(crate) omitted: u64,
    pub(crate) end: End,
    pub(crate) statistics: Statistics,
    pub(crate) phases: Phases,
    /// What no run executes; nothing if the search did not see everything.
    pub(crate) unreached: Option<Vec<UnreachedPlace>>,
}

impl Report<'_> {
    /// A violation outweighs a doubt, and a doubt outweighs the rest.
    pub(crate) fn exit(&self) -> Exit {
        let exit = |property: &Property| match property.verdict {
            Verdict::Violated(_) => Exit::Violated,
            Verdict::Unknown(_) => Exit::Unknown,
            Verdict::Holds(_) => Exit::Holds,
        };
        let exits: Vec<Exit> = self.properties.iter().map(exit).collect();
        if exits.contains(&Exit::Violated) { Exit::Violated } else { exits.into_iter().max().unwrap_or(Exit::Holds) }
    }

    /// Makes records for JSON.
    pub(crate) fn recorder(&self) -> Recorder<'_> {
        Recorder { narrator: self.narrator, sources: &self.input.sources }
    }

    /// What happens at the end of a counterexample, in one line.
    pub(crate) fn headline(&self, story: &Story) -> String {
        headline(self.recorder(), story)
    }
}

/// What happens at the end of a story, in one line.
pub(crate) fn headline(recorder: Recorder<'_>, story: &Story) -> String {
    if story.violation != Violation::InvalidEnd {
        return cut(story.message.clone(), LONGEST_MESSAGE);
    }
    let stuck: Vec<String> = waiting(recorder, story)
        .into_iter()
        .map(|(process, span, statement)| {
            let (line, _) = recorder.sources.line_column(span);
            format!("{process} waits at line {line} `{statement}`")
        })
        .collect();
    format!("invalid end state: {}", stuck.join(", "))
}

/// The processes that have not reached their end, and where they stand.
pub(crate) fn waiting(recorder: Recorder<'_>, story: &Story) -> Vec<(String, Span, String)> {
    let processes = story.last.processes.iter().enumerate();
    let place = |(pid, process): (usize, &promela::snapshot::Process)| {
        let name = format!("{}({pid})", recorder.narrator.proc(process.proc));
        match process.location {
            Location::At(id) | Location::Exit(id) => {
                let (span, text) = recorder.narrator.statement_text(id);
                Some((name, span, cut(text, LONGEST_STATEMENT)))
            }
            Location::End => None,
        }
    };
    processes.filter_map(place).collect()
}

/// Where a story goes wrong: the failing statement, or the place of the first process that waits.
pub(crate) fn place(recorder: Recorder<'_>, story: &Story) -> Option<Span> {
    let failing = story.at.map(|id| recorder.narrator.statement_text(id).0);
    let last = || story.chapters.last().map(|chapter| recorder.narrator.statement(chapter).0);
    let first_waiting = || waiting(recorder, story).first().map(|(_, span, _)| *span);
    match story.violation {
        Violation::InvalidEnd => first_waiting().or_else(last),
        Violation::Assertion | Violation::Runtime => failing.or_else(last),
    }
}
