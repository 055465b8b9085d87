//! A check's report as JUnit XML: each property a test case, its warnings what it printed.

use super::trace;
use crate::arguments::TraceView;
use checker::promela::report::Report;
use kernel::verdict::{Reason, Verdict};
use std::fmt::Write;

/// The whole report.
pub(crate) fn report(report: &Report<'_>) -> String {
    let count = |wanted: fn(
        &Verdict<checker::promela::report::Coverage, Vec<checker::promela::report::Counterexample>>,
    ) -> bool| { report.properties.iter().filter(|property| wanted(&property.verdict)).count() };
    let failures = count(|verdict| matches!(verdict, Verdict::Violated(_)));
    let skipped = count(|verdict| matches!(verdict, Verdict::Unknown(Reason::Unsupported(_))));
    let errors = count(|verdict| matches!(verdict, Verdict::Unknown(_))) - skipped;
    let model = escape(&report.input.name);
    let safety = report.safety.as_ref().map_or(0.0, |safety| safety.statistics.searching.as_secs_f64());
    let temporal = report.properties.iter().filter(|property| property.temporal.is_some());
    let seconds = safety + temporal.map(|property| property.numbers.seconds).sum::<f64>();
    let tests = report.properties.len();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        text,
        "<testsuite name=\"{model}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" \
         skipped=\"{skipped}\" time=\"{seconds:.3}\">"
    );
    for property in &report.properties {
        let time = property.numbers.seconds;
        let name = escape(&property.name);
        let _ = writeln!(text, "  <testcase classname=\"{model}\" name=\"{name}\" time=\"{time:.3}\">");
        let reason = escape(&property.reason().unwrap_or_default());
        match &property.verdict {
            Verdict::Holds(_) => {}
            Verdict::Violated(list) => {
                for one in list {
                    let message = escape(&report.headline(&one.run));
                    let table = trace::table(report.recorder(), &one.run, TraceView::Changes, false);
                    let _ = writeln!(text, "    <failure message=\"{message}\">{}</failure>", escape(&table));
                }
            }
            Verdict::Unknown(Reason::Unsupported(_)) => {
                let _ = writeln!(text, "    <skipped message=\"{reason}\"/>");
            }
            Verdict::Unknown(_) => {
                let _ = writeln!(text, "    <error message=\"{reason}\"/>");
            }
        }
        let warnings: String = property.warnings().iter().map(|text| format!("warning: {text}\n")).collect();
        if !warnings.is_empty() {
            let _ = writeln!(text, "    <system-out>{}</system-out>", escape(&warnings));
        }
        text.push_str("  </testcase>\n");
    }
    text.push_str("</testsuite>\n");
    text
}

/// Text inside XML; control characters have no place there.
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
