//! The layout 4: XML.

use super::{Kind, Style, Trace};
use std::fmt::Write;
use std::ops::RangeInclusive;
use symbolic::report::Setting;

/// The trace as an XML document.
pub(super) fn show(trace: &Trace, range: RangeInclusive<usize>, _style: &Style) -> String {
    let kind = match trace.kind {
        Kind::Counterexample => 0,
        Kind::Simulation => 1,
    };
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<counter-example type=\"{kind}\" desc=\"{}\" >\n",
        escaped(trace.description)
    );
    let (first, last) = range.into_inner();
    let last = last.min(trace.moments.len());
    for at in first..=last {
        text += "\t<node>\n";
        element(&mut text, "state", at, &trace.moments[at - 1].state);
        if at < last {
            let next = &trace.moments[at];
            if !next.mixed.is_empty() {
                element(&mut text, "combinatorial", at + 1, &next.mixed);
            }
            if !next.inputs.is_empty() {
                element(&mut text, "input", at + 1, &next.inputs);
            }
        }
        text += "\t</node>\n";
    }
    let start = trace.loop_start.map_or_else(String::new, |start| format!("{} ", start + 1));
    let _ = write!(text, "\t<loops> {start}</loops>\n</counter-example>\n");
    text
}

fn element(text: &mut String, name: &str, id: usize, settings: &[Setting]) {
    let _ = writeln!(text, "\t\t<{name} id=\"{id}\">");
    for one in settings {
        let _ = writeln!(text, "\t\t\t<value variable=\"{}\">{}</value>", escaped(&one.name), escaped(&one.value));
    }
    let _ = writeln!(text, "\t\t</{name}>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
