//! The layouts 2 and 3: tables with a column, or a row, for each name. Besides states (`S`) there are inputs (`I`) and
//! definitions about states and inputs (`C`).

use super::{Style, Trace};
use std::fmt::Write;
use std::ops::RangeInclusive;
use symbolic::report::Setting;

/// A row or column of values.
struct Line<'t> {
    title: String,
    settings: &'t [Setting],
}

fn lines(trace: &Trace, range: RangeInclusive<usize>) -> Vec<Line<'_>> {
    let first = *range.start();
    let mut lines = Vec::new();
    for at in range {
        let Some(moment) = at.checked_sub(1).and_then(|at| trace.moments.get(at)) else { break };
        if at > first {
            lines.push(Line { title: format!("C{at}"), settings: &moment.mixed });
            lines.push(Line { title: format!("I{at}"), settings: &moment.inputs });
        }
        lines.push(Line { title: format!("S{at}"), settings: &moment.state });
    }
    lines
}

/// All names: of states, of mixed definitions, of inputs.
fn names(trace: &Trace) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    let (first, second) = (trace.moments.first(), trace.moments.get(1));
    let parts = [first.map(|one| &one.state), second.map(|one| &one.mixed), second.map(|one| &one.inputs)];
    names.extend(parts.into_iter().flatten().flatten().map(|one| one.name.as_str()));
    names
}

fn value<'t>(line: &Line<'t>, name: &str) -> &'t str {
    line.settings.iter().find(|one| one.name == name).map_or("-", |one| one.value.as_str())
}

/// One row for each state and input.
pub(super) fn by_state(trace: &Trace, range: RangeInclusive<usize>, _style: &Style) -> String {
    let names = names(trace);
    let mut text = "Name\t".to_owned();
    names.iter().for_each(|name| text += &format!("{name}\t"));
    text.push('\n');
    for line in lines(trace, range) {
        let _ = write!(text, "{}\t", line.title);
        names.iter().for_each(|name| text += &format!("{}\t", value(&line, name)));
        text.push('\n');
    }
    text
}

/// One row for each name.
pub(super) fn by_name(trace: &Trace, range: RangeInclusive<usize>, _style: &Style) -> String {
    let lines = lines(trace, range);
    let mut text = "Step\t".to_owned();
    lines.iter().for_each(|line| text += &format!("{}\t", line.title));
    text.push('\n');
    for name in names(trace) {
        text += name;
        lines.iter().for_each(|line| text += &format!("\t{}", value(line, name)));
        text.push('\n');
    }
    text
}
