//! A counterexample in a page: a cursor, and the views that it moves through.
//!
//! The views are rendered here, complete, so that the page can be read and printed without scripts. The script of the page
//! moves the cursor through all of them at once and shows the values of the current state, which it computes from the
//! run, embedded as JSON.

mod changes;
mod tree;

use crate::chart::Chart;
use crate::drawing::{self, Direction};
use crate::markup::{cut, data, text};
use crate::source::files;
use crate::wave::Wave;
use checker::report::{
    Action, Counterexample, Language, Location, NamedValue, Observation, PropertyReport, Run, Valuation, Waiting,
    heading,
};
use checker::words::count;
use kernel::span::SourceMap;
use serde::Serialize;
use std::collections::BTreeSet;

/// What is shown of a run that violates a property.
#[derive(Clone, Debug)]
pub struct Trace<'a> {
    /// The name of the property.
    pub property: &'a str,
    /// Its formula, if it is one.
    pub formula: Option<&'a str>,
    /// The language of the model.
    pub language: Language,
    /// The run.
    pub run: &'a Run,
    /// What it shows, in one line.
    pub message: String,
    /// Where.
    pub at: Option<Location>,
    /// What else is known about it, in sentences.
    pub facts: Vec<String>,
    /// The values that a failed assertion reads.
    pub values: Vec<NamedValue>,
    /// The processes that wait at its end.
    pub waiting: Vec<Waiting>,
    /// Why it violates the formula, one fact a line.
    pub proof: Vec<String>,
    /// How the automaton of the negated formula reads it.
    pub observation: Option<&'a Observation>,
}

impl<'a> Trace<'a> {
    /// A counterexample to a property.
    #[must_use]
    pub fn of(property: &'a PropertyReport, counterexample: &'a Counterexample, language: Language) -> Self {
        let mut facts = Vec::new();
        if counterexample.is_shortest() {
            facts.push(format!("Shortest: {}.", counterexample.sense().meaning()));
        }
        if let Some(first) = counterexample.first_length().filter(|first| *first != counterexample.length() as u64) {
            facts.push(format!("The first run that was found has {}.", count(first, "step")));
        }
        if !counterexample.everywhere().is_empty() {
            facts.push(format!("In every reachable state: {}.", counterexample.everywhere().join("; ")));
        }
        if !counterexample.left_out().is_empty() {
            facts.push(format!(
                "Not shown, since the property does not depend on it: {}.",
                counterexample.left_out().join(", ")
            ));
        }
        if let Some(file) = counterexample.file() {
            facts.push(format!("Saved as {file}."));
        }
        Self {
            property: &property.name,
            formula: property.formula.as_deref(),
            language,
            run: counterexample,
            message: counterexample.message().into(),
            at: counterexample.at().cloned(),
            facts,
            values: counterexample.values().to_vec(),
            waiting: counterexample.waiting().to_vec(),
            proof: counterexample.proof().to_vec(),
            observation: counterexample.observation(),
        }
    }

    /// The names of a Promela model that the property mentions: those in its formula, and what a failed assertion or a
    /// waiting process reads.
    fn mentioned(&self) -> BTreeSet<String> {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let texts = self.formula.iter().map(|text| (*text).to_string()).chain([self.message.clone()]);
        let words = texts.flat_map(|text| {
            text.split(|c: char| !is_part(c)).filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>()
        });
        let read = self.values.iter().chain(self.waiting.iter().flat_map(|one| &one.values));
        words.chain(read.map(|one| base(&one.name).to_owned())).collect()
    }

    /// Whether a value matters for the violation in a state, as far as that is known.
    pub(crate) fn matters(&self, name: &str, state: Option<&Valuation>, mentioned: &BTreeSet<String>) -> bool {
        match self.language {
            Language::Promela => mentioned.contains(base(name)),
            Language::Smv => state.is_none_or(|state| state.is_relevant(name)),
        }
    }

    /// The section of the page about this trace, known by `id`.
    #[must_use]
    pub fn section(&self, id: &str, sources: &SourceMap) -> String {
        let length = self.run.length();
        let steps = count(length as u64, "step");
        let at = self
            .at
            .as_ref()
            .map_or_else(String::new, |at| format!(" <span class=\"at\">at {}</span>", text(&at.to_string())));
        let shape = match self.run.cycle.len() {
            0 => steps,
            cycle => format!(
                "{steps}; the last {} repeat forever",
                if cycle == 1 { "one".into() } else { cycle.to_string() }
            )
            .replace("one repeat", "one repeats"),
        };
        let values: Vec<String> = self.values.iter().map(|one| format!("{} = {}", one.name, one.value)).collect();
        let values = if values.is_empty() {
            String::new()
        } else {
            format!("<p class=\"with\">with {}</p>", text(&values.join(", ")))
        };
        let facts: String = self.facts.iter().map(|fact| format!("<li>{}</li>", text(fact))).collect();
        let mentioned = self.mentioned();
        let table = changes::table(self, &mentioned);
        let (chart, wave, tree, automaton) = (self.chart(), self.wave(), tree::view(self), self.automaton());
        let proof = self.proof();
        let embedded = data(&self.embedded(sources, &mentioned));
        let message = text(&heading(&self.message, &[], &self.waiting));
        let waiting: String = self.waiting.iter().map(|one| format!("<li>{}</li>", text(&one.to_string()))).collect();
        let waiting = match waiting.is_empty() {
            true => waiting,
            false => format!("<ul class=\"waiting\">{waiting}</ul>"),
        };
        format!(
            "<section class=\"trace\" id=\"{id}\" data-steps=\"{length}\" aria-label=\"Counterexample\">\
             <p class=\"message\"><strong>{message}</strong>{at}</p>{values}{waiting}<p class=\"shape\">{shape}</p>\
             <ul class=\"facts\">{facts}</ul>{TOOLBAR}\
             <div class=\"views\">{chart}{wave}{VALUES}{automaton}{table}{tree}{proof}</div>\
             <script type=\"application/json\" class=\"run\">{embedded}</script></section>"
        )
    }

    fn chart(&self) -> String {
        let chart = Chart::of(self.run, &self.waiting);
        if chart.is_empty() {
            return String::new();
        }
        let (head, rows) = (chart.svg_head(), chart.svg_rows());
        format!(
            "<section class=\"view chart-view\"><h4>Sequence chart</h4><div class=\"scroll\" tabindex=\"0\" role=\"region\" \
             aria-label=\"Sequence chart\"><div class=\"names\">{head}</div><div class=\"rows\" data-row-height=\"{}\">\
             <div class=\"cursor\"></div>{rows}</div></div></section>",
            crate::chart::ROW
        )
    }

    fn wave(&self) -> String {
        if self.language != Language::Smv {
            return String::new();
        }
        let wave = Wave::of(self.run);
        let (names, svg) = (wave.names(), wave.svg());
        format!(
            "<section class=\"view wave-view\"><h4>Waveform</h4><div class=\"scroll\" tabindex=\"0\" role=\"region\" \
             aria-label=\"Waveform\"><div class=\"wave-box\">{names}<div class=\"columns\" data-column-width=\"{}\">\
             <div class=\"cursor\"></div>{svg}</div></div></div><p class=\"legend\">Grey values do not matter for the violation.</p></section>",
            crate::wave::STEP
        )
    }

    fn automaton(&self) -> String {
        let Some(observation) = self.observation else { return String::new() };
        let graph = drawing::automaton(observation);
        let (states, edges) = (observation.states.len(), observation.edges.len());
        let description = format!("Automaton of the negated formula: {states} states, {edges} edges");
        format!(
            "<section class=\"view automaton-view\"><h4>Automaton of the negated formula</h4><div class=\"scroll\" tabindex=\"0\" \
             role=\"region\" aria-label=\"Automaton\">{}</div><p class=\"legend\">Highlighted: the state of an accepting run on this \
             counterexample. The search may have used a smaller automaton.</p></section>",
            graph.svg(&description, Direction::Right)
        )
    }

    fn proof(&self) -> String {
        if self.proof.is_empty() {
            return String::new();
        }
        let lines: String = self.proof.iter().map(|line| format!("<li>{}</li>", text(line))).collect();
        format!(
            "<section class=\"view proof-view\"><details><summary>Why the property is violated</summary><ol>{lines}</ol></details></section>"
        )
    }

    fn embedded(&self, sources: &SourceMap, mentioned: &BTreeSet<String>) -> Embedded<'_> {
        let names: Vec<&str> = files(sources).into_iter().map(|(name, _)| name).collect();
        let place = |at: &Location| {
            let file = names.iter().position(|name| **name == *at.file)?;
            Some((file, at.line))
        };
        let places = self.run.steps().map(|step| step.at.as_ref().and_then(place)).collect();
        let waiting = self.waiting.iter().filter_map(|one| place(&one.at)).collect();
        let receivers = self.run.steps().map(|step| {
            let file = step.at.as_ref().and_then(place)?.0;
            Some((file, step.receiver.as_ref()?.line))
        });
        Embedded {
            language: self.language,
            run: self.run,
            places,
            receivers: receivers.collect(),
            waiting,
            mentioned: mentioned.iter().cloned().collect(),
            states_after: self.observation.map(|observation| &observation.states_after[..]),
        }
    }

    /// What a step does, in one line.
    pub(crate) fn deed(step: &checker::report::Step) -> String {
        let statement = cut(step.statement.as_deref().unwrap_or_default(), 120);
        match step.does {
            Action::End => "ends".into(),
            Action::Exit => format!("leaves the atomic sequence: {statement}"),
            Action::Transition => "transition".into(),
            _ => statement,
        }
    }
}

/// The name of a variable without the process and the index: `P(1):x[2].f` is `x`.
fn base(name: &str) -> &str {
    let name = name.rsplit_once(':').map_or(name, |(_, rest)| rest);
    name.split(['[', '.', '(']).next().unwrap_or(name)
}

/// What the script of the page knows about a run.
#[derive(Serialize)]
struct Embedded<'a> {
    language: Language,
    #[serde(flatten)]
    run: &'a Run,
    /// For each step the number of the file and the line.
    places: Vec<Option<(usize, u32)>>,
    /// The same of the receiving side of a handshake.
    receivers: Vec<Option<(usize, u32)>>,
    /// Where processes wait at the end.
    waiting: Vec<(usize, u32)>,
    mentioned: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states_after: Option<&'a [Vec<u32>]>,
}

const TOOLBAR: &str = "\
<div class=\"toolbar\" role=\"group\" aria-label=\"Cursor\">\
<button type=\"button\" data-go=\"first\" aria-label=\"To the start\" title=\"To the start (Home)\">|◀</button>\
<button type=\"button\" data-go=\"back\" aria-label=\"One step back\" title=\"One step back (←)\">◀</button>\
<input type=\"range\" min=\"0\" value=\"0\" aria-label=\"Step\">\
<button type=\"button\" data-go=\"on\" aria-label=\"One step on\" title=\"One step on (→)\">▶</button>\
<button type=\"button\" data-go=\"last\" aria-label=\"To the end\" title=\"To the end (End)\">▶|</button>\
<output aria-live=\"polite\"></output></div>";

const VALUES: &str = "\
<section class=\"view values-view\"><h4>Values <span class=\"when\"></span></h4>\
<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Values\"><table class=\"values\"><tbody></tbody></table></div></section>";
