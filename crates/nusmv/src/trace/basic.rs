//! The layouts 0 and 1: one block for each state and input, with what changed or with all values.

use super::{Kind, Style, Trace};
use std::collections::HashMap;
use std::fmt::Write;
use std::ops::RangeInclusive;
use symbolic::report::Setting;

/// The trace as blocks.
pub(super) fn show(trace: &Trace, number: usize, range: RangeInclusive<usize>, all: bool, _style: &Style) -> String {
    let kind = match trace.kind {
        Kind::Counterexample => "Counterexample",
        Kind::Simulation => "Simulation",
    };
    let mut text = format!("Trace Description: {} \nTrace Type: {kind} \n", trace.description);
    let mut shown: HashMap<&str, &str> = HashMap::new();
    let (first, last) = range.into_inner();
    for at in first..=last.min(trace.moments.len()) {
        let moment = &trace.moments[at - 1];
        if at > 1 {
            // What depends on the state and the inputs belongs to the block of the state that the step leaves.
            values(&mut text, &mut shown, &moment.mixed, all);
            if !moment.inputs.is_empty() {
                let _ = writeln!(text, "  -> Input: {number}.{at} <-");
                values(&mut text, &mut shown, &moment.inputs, all);
            }
        }
        if trace.loop_start == Some(at - 1) {
            text.push_str("  -- Loop starts here\n");
        }
        let _ = writeln!(text, "  -> State: {number}.{at} <-");
        values(&mut text, &mut shown, &moment.state, all);
    }
    text
}

fn values<'t>(text: &mut String, shown: &mut HashMap<&'t str, &'t str>, settings: &'t [Setting], all: bool) {
    for one in settings {
        let before = shown.insert(&one.name, &one.value);
        if all || before != Some(one.value.as_str()) {
            let _ = writeln!(text, "    {} = {}", one.name, one.value);
        }
    }
}
