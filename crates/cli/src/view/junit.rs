//! A report as JUnit XML: each property is a test case, and its warnings are what the test case prints.

use super::run::{Look, table};
use super::words;
use checker::error::Rejected;
use checker::report::{Outcome, PropertyReport, Reason, Report, Verdict};
use std::fmt::Write;

/// The whole report.
pub(crate) fn report(report: &Report) -> String {
    let count = |wanted: fn(&Verdict) -> bool| report.properties.iter().filter(|one| wanted(&one.verdict)).count();
    let failures = count(|verdict| verdict.outcome() == Outcome::Violated);
    let skipped = count(is_unsupported);
    let errors = count(|verdict| verdict.outcome() == Outcome::Unknown) - skipped;
    let model = escape(&report.model.file);
    let (tests, seconds) = (report.properties.len(), report.seconds.total());
    let mut text = suite(&model, [tests, failures, errors, skipped], seconds);
    for property in &report.properties {
        let (name, time) = (escape(&property.name), property.seconds.total());
        let place = place(property);
        let _ = writeln!(text, "  <testcase classname=\"{model}\" name=\"{name}\"{place} time=\"{time:.3}\">");
        case(&mut text, report, property);
        let warnings: String =
            property.warnings.iter().map(|one| format!("warning: {}\n", words::warning(one))).collect();
        if !warnings.is_empty() {
            let _ = writeln!(text, "    <system-out>{}</system-out>", escape(&warnings));
        }
        text.push_str("  </testcase>\n");
    }
    text.push_str("</testsuite>\n");
    text
}

/// The attributes that locate a property: its formula in the text of the model, or the statement that violates it.
fn place(property: &PropertyReport) -> String {
    let violated = property.counterexamples().first().and_then(|one| one.at());
    let at = property.at.as_ref().or(violated);
    at.map_or(String::new(), |at| format!(" file=\"{}\" line=\"{}\"", escape(&at.file), at.line))
}

/// A model that contains errors: a test suite with one test case that could not be run.
pub(crate) fn rejection(rejected: &Rejected) -> String {
    let model = escape(&rejected.name);
    let lines: String = rejected
        .notes()
        .iter()
        .map(|note| format!("{}: {}[{}]: {}\n", note.at, note.severity, note.code, note.message))
        .collect();
    let (message, lines) = (escape(&rejected.summary()), escape(&lines));
    let mut text = suite(&model, [1, 0, 1, 0], 0.0);
    let _ = writeln!(text, "  <testcase classname=\"{model}\" name=\"model\" time=\"0.000\">");
    let _ = writeln!(text, "    <error message=\"{message}\">{lines}</error>");
    text.push_str("  </testcase>\n</testsuite>\n");
    text
}

/// Several documents in one: each is a test suite.
pub(crate) fn combined(documents: &[String]) -> String {
    let suites: String = documents.iter().map(|document| document.strip_prefix(HEAD).unwrap_or(document)).collect();
    format!("{HEAD}<testsuites>\n{suites}</testsuites>\n")
}

/// The first line of a document.
const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

fn suite(model: &str, [tests, failures, errors, skipped]: [usize; 4], seconds: f64) -> String {
    format!(
        "{HEAD}<testsuite name=\"{model}\" tests=\"{tests}\" \
         failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"{seconds:.3}\">\n"
    )
}

fn is_unsupported(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(Reason::Unsupported(_)))
}

fn case(text: &mut String, report: &Report, property: &PropertyReport) {
    let reason = escape(&words::reason(property).unwrap_or_default());
    match property.verdict.outcome() {
        Outcome::Holds => {}
        Outcome::Unknown => {
            let element = if is_unsupported(&property.verdict) { "skipped" } else { "error" };
            let _ = writeln!(text, "    <{element} message=\"{reason}\"/>");
        }
        Outcome::Violated => {
            let language = report.model.language;
            for one in property.counterexamples() {
                let (message, table) = (escape(&one.heading()), escape(&table(one, Look::plain(language))));
                let waiting: String = one.waiting().iter().map(|one| escape(&format!("  {one}\n"))).collect();
                let _ = writeln!(text, "    <failure message=\"{message}\">{table}{waiting}</failure>");
            }
            if property.counterexamples().is_empty() {
                let message = escape(&words::violation(property));
                let _ = writeln!(text, "    <failure message=\"{message}\"/>");
            }
        }
    }
}

/// Text inside XML, which allows no control characters.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn xml_stays_well_formed() {
        assert_eq!(escape("a < b && \"c\" > \u{1b}[0m"), "a &lt; b &amp;&amp; &quot;c&quot; &gt; \u{fffd}[0m");
    }
}
