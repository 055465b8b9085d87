//! The tree of branches of an SMV counterexample: paths that begin at states of others.

use super::Trace;
use crate::markup::text;
use checker::report::{Branch, Run, Valuation};
use checker::words::count;
use std::fmt::Write;

/// The tree, if the counterexample has branches.
pub(super) fn view(trace: &Trace<'_>) -> String {
    if trace.run.branches.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "<section class=\"view tree-view\"><h4>Branches</h4><p class=\"legend\">One path does not show the violation: further paths \
         begin at its states.</p><ul class=\"tree\">",
    );
    trace.run.branches.iter().for_each(|branch| item(&mut out, branch));
    out + "</ul></section>"
}

/// One branch, with its states and its own branches. A tree is no deeper than the formula.
fn item(out: &mut String, branch: &Branch) {
    let run = &branch.run;
    let (steps, at) = (count(run.length() as u64, "step"), branch.at);
    let repeats = if run.cycle.is_empty() { "" } else { ", ends in a loop" };
    let _ = write!(
        out,
        "<li><details open><summary>from <button type=\"button\" data-jump=\"{at}\">state {at}</button>: {steps}{repeats}</summary><ol start=\"0\">"
    );
    states(out, run);
    out.push_str("</ol>");
    if !run.branches.is_empty() {
        out.push_str("<ul class=\"tree\">");
        run.branches.iter().for_each(|branch| item(out, branch));
        out.push_str("</ul>");
    }
    out.push_str("</details></li>");
}

fn states(out: &mut String, run: &Run) {
    let _ = write!(out, "<li>{}</li>", values(&run.initial, None));
    let mut before = &run.initial;
    for (index, step) in run.steps().enumerate() {
        let Some(state) = step.state.as_deref() else { continue };
        let mark = if index == run.stem.len() && !run.cycle.is_empty() { "↻ " } else { "" };
        let _ = write!(out, "<li>{mark}{}</li>", values(state, Some(before)));
        before = state;
    }
}

/// The values that matter, or that changed.
fn values(state: &Valuation, before: Option<&Valuation>) -> String {
    let is_new = |name: &str| {
        before.is_none_or(|before| {
            let find = |valuation: &Valuation| {
                valuation.values.iter().find(|one| one.name == name).map(|one| one.value.clone())
            };
            find(before) != find(state)
        })
    };
    let shown = state.values.iter().filter(|one| state.is_relevant(&one.name) || is_new(&one.name));
    let chip = |one: &checker::report::NamedValue| {
        let class = if state.is_relevant(&one.name) { "change" } else { "change irrelevant" };
        format!("<span class=\"{class}\">{}</span>", text(&format!("{} = {}", one.name, one.value.in_smv())))
    };
    shown.map(chip).collect()
}
