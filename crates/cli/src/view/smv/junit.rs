//! A report on an SMV model as JUnit XML: each property a test case.

use super::{SmvReport, headline, reason, table};
use crate::arguments::TraceView;
use crate::view::junit::escape;
use std::fmt::Write;
use symbolic::report::Answer;

/// The whole report.
pub(crate) fn report(report: &SmvReport<'_>) -> String {
    let properties = &report.report.properties;
    let count = |wanted: fn(&Answer) -> bool| properties.iter().filter(|property| wanted(&property.answer)).count();
    let failures = count(|answer| matches!(answer, Answer::Violated));
    let errors = count(|answer| matches!(answer, Answer::Unknown { .. }));
    let (model, tests, seconds) = (escape(&report.input.name), properties.len(), report.report.seconds);
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        text,
        "<testsuite name=\"{model}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"0\" \
         time=\"{seconds:.3}\">"
    );
    for property in properties {
        let (name, time) = (escape(&property.name), property.seconds);
        let _ = writeln!(text, "  <testcase classname=\"{model}\" name=\"{name}\" time=\"{time:.3}\">");
        match &property.answer {
            Answer::Holds { .. } | Answer::Length { .. } => {}
            Answer::Violated => {
                let shown =
                    property.counterexample.as_ref().map(|trace| table::whole(trace, TraceView::Changes, false));
                let (message, shown) = (escape(&headline(property)), escape(&shown.unwrap_or_default()));
                let _ = writeln!(text, "    <failure message=\"{message}\">{shown}</failure>");
            }
            Answer::Unknown { .. } => {
                let _ = writeln!(text, "    <error message=\"{}\"/>", escape(&reason(property).unwrap_or_default()));
            }
        }
        text.push_str("  </testcase>\n");
    }
    text.push_str("</testsuite>\n");
    text
}
