//! The page about a check: verdicts with their reasons, counterexamples, the text of the model.

use crate::document::page;
use crate::markup::{data, text};
use crate::source::listing;
use crate::trace::Trace;
use checker::Report;
use checker::report::{Count, PropertyReport, Statistics, Verdict};
use checker::words::{count, size};
use kernel::span::SourceMap;
use std::fmt::Write;

/// A report and the texts that it is about.
pub struct Checked<'a> {
    /// The report.
    pub report: &'a Report,
    /// The texts of the model.
    pub sources: &'a SourceMap,
}

/// The page about one check or several.
#[must_use]
pub fn report(checked: &[Checked<'_>]) -> String {
    let parts = checked.iter().enumerate().map(|(index, one)| (one.report.model.file.clone(), body(one, index)));
    assemble(&parts.collect::<Vec<_>>())
}

/// The page that consists of these parts: the name of each model, and what [`body`] says about it.
#[must_use]
pub fn assemble(parts: &[(String, String)]) -> String {
    let title = match parts {
        [(file, _)] => format!("{file} – Lariat"),
        several => format!("{} – Lariat", count(several.len() as u64, "model")),
    };
    let bodies: String = parts.iter().map(|(_, body)| body.as_str()).collect();
    page(&title, &format!("<main>{}{bodies}</main>", index(parts)))
}

/// Links to the models of a page about several.
fn index(parts: &[(String, String)]) -> String {
    if parts.len() < 2 {
        return String::new();
    }
    let link = |(number, (file, _)): (usize, &(String, String))| {
        format!("<li><a href=\"#model-{number}\">{}</a></li>", text(file))
    };
    let links: String = parts.iter().enumerate().map(link).collect();
    format!("<nav aria-label=\"Models\"><ol>{links}</ol></nav>")
}

/// What a page says about a model that could not be checked, in the words of the diagnostics.
#[must_use]
pub fn rejected(file: &str, words: &str, index: usize) -> String {
    format!(
        "<article class=\"model\" id=\"model-{index}\" data-model=\"{index}\"><h1>{}</h1>\
         <p class=\"summary\">not checked</p><pre class=\"diagnostic\">{}</pre></article>",
        text(file),
        text(words)
    )
}

/// The page about one trace, which is no part of a check.
#[must_use]
pub fn of_trace(file: &str, trace: &Trace<'_>, sources: &SourceMap) -> String {
    let (shown, property) = (text(file), text(trace.property));
    let section = trace.section("trace-0", sources);
    let listing = listing(sources, &[]);
    let body = format!(
        "<main><article class=\"model\"><h1>{shown}</h1><section class=\"property violated\"><h2><span class=\"verdict\">violated</span> {property}</h2>\
         {}{section}</section><section class=\"texts\"><h2>Model</h2>{listing}</section></article></main>",
        formula(trace.formula)
    );
    page(&format!("{file} – Lariat"), &body)
}

/// The part of the page about one model. `index` distinguishes models on one page.
#[must_use]
pub fn body(checked: &Checked<'_>, index: usize) -> String {
    let Checked { report, sources } = checked;
    let mut out = format!(
        "<article class=\"model\" id=\"model-{index}\" data-model=\"{index}\"><h1>{}</h1>",
        text(&report.model.file)
    );
    let _ = write!(out, "<p class=\"summary\">{}</p>", text(&summary(report)));
    for diagnostic in &report.diagnostics {
        let _ = write!(
            out,
            "<p class=\"warning\">{}: {} <span class=\"at\">{}</span></p>",
            text(&diagnostic.severity),
            text(&diagnostic.message),
            text(&diagnostic.at.to_string())
        );
    }
    for warning in &report.warnings {
        let _ = write!(out, "<p class=\"warning\">warning: {}</p>", text(warning));
    }
    out.push_str(&overview(report, index));
    for (number, property) in report.properties.iter().enumerate() {
        out.push_str(&self::property(property, report, sources, (index, number)));
    }
    let unreached = report.unreached.as_deref().unwrap_or_default();
    let note = match (unreached.len(), &report.unreached) {
        (0, Some(_)) => "<p class=\"legend\">Every statement is executed in some run.</p>".to_string(),
        (0, None) => String::new(),
        (some, _) => {
            format!("<p class=\"legend\">{} never executed in any run, marked below.</p>", count(some as u64, "place"))
        }
    };
    let _ = write!(out, "<section class=\"texts\"><h2>Model</h2>{note}{}</section>", listing(sources, unreached));
    let json: serde_json::Value = serde_json::from_str(&report.json()).unwrap_or_default();
    let _ = write!(out, "<script type=\"application/json\" class=\"report\">{}</script></article>", data(&json));
    out
}

fn summary(report: &Report) -> String {
    let number = |words: &str| report.properties.iter().filter(|one| one.verdict.words().starts_with(words)).count();
    let parts = [(number("violated"), "violated"), (number("unknown"), "undecided"), (number("holds"), "hold")];
    let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{count} {words}"));
    let parts: Vec<String> = parts.collect();
    let seconds = report.seconds.total();
    format!("{} in {seconds:.2} s{}", parts.join(", "), numbers(&report.statistics))
}

fn numbers(statistics: &Statistics) -> String {
    let states = statistics.states.map(|states| match states {
        Count::Exact(exact) => {
            u64::try_from(exact).map_or_else(|_| format!("{exact} states"), |exact| count(exact, "state"))
        }
        Count::About(about) => format!("about {about:.2e} states"),
    });
    let transitions = statistics.transitions.map(|some| count(some, "transition"));
    let memory = statistics.peak_memory_bytes.map(size);
    states.into_iter().chain(transitions).chain(memory).map(|part| format!(", {part}")).collect()
}

/// The verdicts in a table, each with a link to its section.
fn overview(report: &Report, index: usize) -> String {
    let mut out = String::from(
        "<table class=\"overview\"><thead><tr><th scope=\"col\">Verdict</th><th scope=\"col\">Property</th><th scope=\"col\">Why</th></tr></thead><tbody>",
    );
    for (number, property) in report.properties.iter().enumerate() {
        let (class, words) = (class(&property.verdict), property.verdict.words());
        let why = match &property.verdict {
            Verdict::Violated(_) => property.counterexamples().first().map_or_else(
                || "no run can show it".into(),
                |one| format!("{} ({})", one.heading(), count(one.length() as u64, "step")),
            ),
            _ => property.reason().unwrap_or_default(),
        };
        let _ = write!(
            out,
            "<tr class=\"{class}\"><td><span class=\"verdict\">{words}</span></td><td><a href=\"#property-{index}-{number}\">{}</a></td><td>{}</td></tr>",
            text(&property.name),
            text(&why)
        );
    }
    out + "</tbody></table>"
}

/// A sentence as the second part of another one.
fn lower(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// The class of a verdict in the style sheet.
fn class(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds { .. } | Verdict::Computed { .. } => "holds",
        Verdict::HoldsVacuously { .. } => "vacuous",
        Verdict::Violated(_) => "violated",
        Verdict::Unknown(_) => "unknown",
    }
}

fn formula(formula: Option<&str>) -> String {
    formula.map_or_else(String::new, |formula| format!("<p class=\"formula\"><code>{}</code></p>", text(formula)))
}

fn property(
    property: &PropertyReport,
    report: &Report,
    sources: &SourceMap,
    (index, number): (usize, usize),
) -> String {
    let (class, words, name) = (class(&property.verdict), property.verdict.words(), text(&property.name));
    let mut out = format!(
        "<section class=\"property {class}\" id=\"property-{index}-{number}\"><h2><span class=\"verdict\">{words}</span> {name}</h2>{}",
        formula(property.formula.as_deref().filter(|formula| *formula != property.name))
    );
    if let Some(at) = &property.at {
        let _ = write!(out, "<p class=\"at\">stated at {}</p>", text(&at.to_string()));
    }
    let _ = write!(out, "<p class=\"meaning\">The property demands: {}</p>", lower(property.meaning()));
    if let Some(reason) = property.reason() {
        let _ = write!(out, "<p class=\"reason\">{}</p>", text(&reason));
    }
    if let Verdict::Computed { steps, .. } = &property.verdict {
        let steps = steps.map_or_else(|| "there is no bound, or no such path".into(), |steps| count(steps, "step"));
        let _ = write!(out, "<p class=\"reason\">{steps}</p>");
    }
    for warning in &property.warnings {
        let facts = if warning.facts.is_empty() { String::new() } else { format!(" ({})", warning.facts.join("; ")) };
        let _ = write!(out, "<p class=\"warning\">{}{}</p>", text(&warning.message), text(&facts));
    }
    if let Some(search) = &property.engine.search {
        let refinement =
            property.engine.refinement.as_ref().filter(|refined| refined.before != refined.after).map_or_else(
                String::new,
                |refinement| {
                    let facts = count(refinement.facts as u64, "fact");
                    let (before, after) = (refinement.before, refinement.after);
                    let (states, edges) = (count(after.states as u64, "state"), count(after.edges as u64, "edge"));
                    format!(
                        "; {facts} about the model: automaton of {states} and {edges} instead of {} and {}",
                        before.states, before.edges
                    )
                },
            );
        let numbers = numbers(&property.statistics);
        let _ = write!(out, "<p class=\"engine\">{}</p>", text(&format!("{search}{numbers}{refinement}")));
    }
    for (place, counterexample) in property.counterexamples().iter().enumerate() {
        let trace = Trace::of(property, counterexample, report.model.language);
        out.push_str(&trace.section(&format!("trace-{index}-{number}-{place}"), sources));
    }
    if property.omitted_counterexamples() > 0 {
        let more = count(property.omitted_counterexamples(), "further violation");
        let _ = write!(out, "<p class=\"legend\">{more} not shown.</p>");
    }
    out + "</section>"
}
