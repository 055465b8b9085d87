//! The steps as a table: who does what, and what changes. Changes that matter for the violation come first.

use super::Trace;
use crate::markup::text;
use checker::report::{Change, Language, Step, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The table. The row of the state after k steps has the attribute `data-step="k"`; the first row is the start.
pub(super) fn table(trace: &Trace<'_>, mentioned: &BTreeSet<String>) -> String {
    let is_promela = trace.language == Language::Promela;
    let proofs = by_step(&trace.proof);
    let head = match is_promela {
        true => {
            "<th scope=\"col\">Step</th><th scope=\"col\">Process</th><th scope=\"col\">Statement</th><th scope=\"col\">Changes that the property mentions</th><th scope=\"col\">Other changes</th>"
        }
        false => {
            "<th scope=\"col\">State</th><th scope=\"col\">Changes that matter</th><th scope=\"col\">Other changes</th>"
        }
    };
    let columns = if is_promela { 5 } else { 3 };
    let mut out = format!(
        "<section class=\"view table-view\"><h4>Steps</h4><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Steps\">\
         <table class=\"steps\"><thead><tr>{head}</tr></thead><tbody>"
    );
    let start = match is_promela {
        true => "<td></td><td>start</td><td></td><td></td>".to_string(),
        false => {
            let initial = &trace.run.initial;
            let value = |matters: bool| {
                let wanted = initial.values.iter().filter(|one| initial.is_relevant(&one.name) == matters);
                wanted.map(|one| chip(&format!("{} = {}", one.name, one.value.in_smv()), matters)).collect::<String>()
            };
            format!("<td>{}</td><td>{}</td>", value(true), value(false))
        }
    };
    let _ = write!(out, "<tr data-step=\"0\"><th scope=\"row\">0</th>{start}</tr>");
    fold(&mut out, proofs.get(&0), columns);
    for (index, step) in (1..).zip(trace.run.steps()) {
        if index == trace.run.stem.len() + 1 && !trace.run.cycle.is_empty() {
            let _ = write!(
                out,
                "<tr class=\"repeats\"><td colspan=\"{columns}\">↻ from here on, the steps repeat forever</td></tr>"
            );
        }
        let (relevant, other): (Vec<&Change>, Vec<&Change>) =
            step.changes.iter().partition(|change| trace.matters(&change.name, step.state.as_deref(), mentioned));
        let list = |changes: &[&Change], matters: bool| {
            changes.iter().map(|change| chip(&words(change, is_promela), matters)).collect::<String>()
        };
        let (relevant, other) = (list(&relevant, true), list(&other, false));
        let class = match (index > trace.run.stem.len(), step.atomic) {
            (true, _) => " class=\"in-loop\"",
            (false, true) => " class=\"atomic\"",
            _ => "",
        };
        let _ = write!(out, "<tr data-step=\"{index}\"{class}><th scope=\"row\">{index}</th>");
        if is_promela {
            let _ = write!(
                out,
                "<td>{}</td><td><code>{}</code>{}</td>",
                actor(step),
                text(&Trace::deed(step)),
                beside(step)
            );
        }
        let inputs = if is_promela { String::new() } else { inputs(step) };
        let _ = write!(out, "<td>{inputs}{relevant}</td><td>{other}</td></tr>");
        fold(&mut out, proofs.get(&index), columns);
    }
    out + "</tbody></table></div></section>"
}

/// The lines of a proof by the first step that they are about.
fn by_step(proof: &[String]) -> BTreeMap<usize, Vec<&str>> {
    let mut steps: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for line in proof {
        let place = line.split(':').next().unwrap_or_default();
        let digits: String =
            place.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
        let step = match digits.parse() {
            Ok(step) => step,
            Err(_) if place == "at the start" => 0,
            Err(_) => continue,
        };
        steps.entry(step).or_default().push(line);
    }
    steps
}

/// The facts of a proof about a step, folded.
fn fold(out: &mut String, lines: Option<&Vec<&str>>, columns: usize) {
    let Some(lines) = lines else { return };
    let items: String = lines.iter().map(|line| format!("<li>{}</li>", text(line))).collect();
    let _ = write!(
        out,
        "<tr class=\"why\"><td colspan=\"{columns}\"><details><summary>why</summary><ul>{items}</ul></details></td></tr>"
    );
}

fn actor(step: &Step) -> String {
    match (&step.process, step.pid, &step.receiver) {
        (Some(process), Some(pid), Some(to)) => text(&format!("{process}({pid}) → {}({})", to.process, to.pid)),
        (Some(process), Some(pid), None) => text(&format!("{process}({pid})")),
        _ => "—".into(),
    }
}

/// What a step sends, receives or prints.
fn beside(step: &Step) -> String {
    let message = step.message.as_ref().map(|message| {
        let fields: Vec<String> = message.fields.iter().map(ToString::to_string).collect();
        format!(
            "<span class=\"sent\">{}</span>",
            text(&format!("{}: {} {}", message.direction, message.channel, fields.join(",")))
        )
    });
    let output =
        step.output.as_ref().map(|output| format!("<span class=\"printed\">prints {}</span>", text(output.trim_end())));
    message.into_iter().chain(output).collect()
}

fn inputs(step: &Step) -> String {
    let values = step.inputs.iter().flat_map(|inputs| inputs.values.iter().map(move |one| (inputs, one)));
    values
        .map(|(inputs, one)| {
            chip(&format!("input {} = {}", one.name, one.value.in_smv()), inputs.is_relevant(&one.name))
        })
        .collect()
}

fn words(change: &Change, is_promela: bool) -> String {
    let shown = |value: &Value| if is_promela { value.to_string() } else { value.in_smv() };
    match (&change.before, &change.after) {
        (Some(before), Some(after)) => format!("{}: {} → {}", change.name, shown(before), shown(after)),
        (None, Some(after)) => format!("{}: {}", change.name, shown(after)),
        (_, None) => format!("{} ends", change.name),
    }
}

fn chip(words: &str, matters: bool) -> String {
    let class = if matters { "change" } else { "change irrelevant" };
    format!("<span class=\"{class}\">{}</span>", text(words))
}
