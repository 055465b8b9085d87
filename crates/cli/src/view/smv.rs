//! Reports on SMV models; one format per file.

pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod nusmv;
pub(crate) mod sarif;
pub(crate) mod table;
pub(crate) mod text;

use crate::command::smv::SmvInput;
use crate::exit::Exit;
use flat::model::VariableKind;
use std::path::PathBuf;
use symbolic::report::{Answer, PropertyReport, Report, Trace, limit_words};

/// What a check found, and where it was saved.
pub(crate) struct SmvReport<'a> {
    pub(crate) input: &'a SmvInput,
    pub(crate) report: Report,
    /// For each property, where its counterexample went.
    pub(crate) saved: Vec<Option<PathBuf>>,
}

impl SmvReport<'_> {
    /// A violation outweighs a doubt, and a doubt outweighs the rest.
    pub(crate) fn exit(&self) -> Exit {
        let exits = self.report.properties.iter().map(|property| match property.answer {
            Answer::Violated => Exit::Violated,
            Answer::Unknown { .. } => Exit::Unknown,
            Answer::Holds { .. } | Answer::Length { .. } => Exit::Holds,
        });
        let exits: Vec<Exit> = exits.collect();
        if exits.contains(&Exit::Violated) { Exit::Violated } else { exits.into_iter().max().unwrap_or(Exit::Holds) }
    }
}

/// The verdict in words.
pub(crate) fn verdict(property: &PropertyReport) -> &'static str {
    match &property.answer {
        Answer::Holds { vacuous: Some(_) } => "holds vacuously",
        Answer::Holds { .. } | Answer::Length { .. } => "holds",
        Answer::Violated => "violated",
        Answer::Unknown { .. } => "unknown",
    }
}

/// Why a verdict is what it is, where that needs saying.
pub(crate) fn reason(property: &PropertyReport) -> Option<String> {
    match &property.answer {
        Answer::Holds { vacuous } => vacuous.clone(),
        Answer::Unknown { limit } => Some(limit_words(*limit).into()),
        Answer::Violated if property.kind == "fairness" => Some("there is none".into()),
        Answer::Violated | Answer::Length { .. } => None,
    }
}

/// What a counterexample shows, in one line.
pub(crate) fn headline(property: &PropertyReport) -> String {
    match property.kind.as_str() {
        "deadlock" => DEADLOCK.into(),
        "fairness" => "no path from an initial state is fair and infinite".into(),
        _ => falsehood(&property.text, &property.instance),
    }
}

/// What a counterexample to freedom from deadlocks shows.
pub(crate) const DEADLOCK: &str = "a state without a next one is reached";

/// What a counterexample to a property shows.
pub(crate) fn falsehood(text: &str, instance: &str) -> String {
    format!("{} is false", located(text, instance))
}

/// The formula, with the instance it is written in.
pub(crate) fn formula(property: &PropertyReport) -> String {
    located(&property.text, &property.instance)
}

pub(crate) fn located(text: &str, instance: &str) -> String {
    if instance.is_empty() { text.into() } else { format!("{text} IN {instance}") }
}

/// The variables that a trace does not show, since the property does not depend on them (`--coi`).
pub(crate) fn left_out<'a>(report: &SmvReport<'a>, trace: &Trace) -> Vec<&'a str> {
    let shown = &trace.states[0];
    let is_shown = |name: &str| shown.state.iter().chain(&shown.inputs).any(|setting| setting.name == name);
    let variables = report.input.model.variables.iter().filter(|variable| variable.kind != VariableKind::Input);
    variables.map(|variable| variable.name.as_str()).filter(|name| !is_shown(name)).collect()
}

/// The definitions that a property is about, in its own words.
pub(crate) fn definitions(report: &SmvReport<'_>, index: usize) -> Vec<String> {
    let stated = report.input.model.properties.get(index);
    let atoms = stated.map_or_else(Vec::new, |property| property.question.atoms());
    flat::cone::definitions(&report.input.model, &atoms)
}

/// The length that was asked for, in words.
pub(crate) fn length(property: &PropertyReport) -> Option<String> {
    match property.answer {
        Answer::Length { steps: Some(steps) } => Some(steps.to_string()),
        Answer::Length { steps: None } => Some("infinity".into()),
        _ => None,
    }
}
