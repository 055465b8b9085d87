//! The layout 5: a table with one row for each step, inputs first.

use super::{Style, Trace};
use std::fmt::Write;
use std::ops::RangeInclusive;
use symbolic::report::Setting;

/// The trace as a table.
pub(super) fn show(trace: &Trace, range: RangeInclusive<usize>, _style: &Style) -> String {
    let (first, second) = (trace.moments.first(), trace.moments.get(1));
    let parts = [second.map(|one| &one.inputs), first.map(|one| &one.state), second.map(|one| &one.mixed)];
    let names: Vec<&str> = parts.into_iter().flatten().flatten().map(|one| one.name.as_str()).collect();
    let mut text = "Steps\\Vars\t".to_owned();
    names.iter().for_each(|name| text += &format!("{name}\t"));
    text.push('\n');
    for at in range {
        let Some(moment) = at.checked_sub(1).and_then(|at| trace.moments.get(at)) else { break };
        let _ = write!(text, "Step{at}\t");
        let all: Vec<&Setting> = moment.inputs.iter().chain(&moment.state).chain(&moment.mixed).collect();
        for name in &names {
            let value = all.iter().find(|one| one.name == *name).map_or("-", |one| one.value.as_str());
            let _ = write!(text, "{value}\t");
        }
        text.push('\n');
    }
    text
}
