//! A run of a Promela model as a table: step, process, line, statement, what changes, messages.

use super::Look;
use crate::arguments::TraceView;
use crate::terminal::{Style, styled};
use crate::view::count;
use checker::report::{Action, Change, NamedValue, Run, Step, Transfer, Value};
use checker::words::cut;
use kernel::escape::escaped;
use std::fmt::Write;
use std::ops::Range;

/// Statements longer than this are cut in tables.
const LONGEST_STATEMENT: usize = 60;

/// Rows of values are broken when they are longer than this.
const WIDEST: usize = 100;

pub(super) fn rows(run: &Run, look: Look<'_>, left_out: Range<usize>) -> String {
    let Look { view, is_coloured, .. } = look;
    let faint = |text: &str| styled(is_coloured, Style::Faint, text);
    let steps: Vec<&Step> = run.steps().collect();
    let mut table = String::new();
    if steps.is_empty() && view != TraceView::States {
        return table;
    }
    let is_loop = !run.cycle.is_empty();
    let first_of_loop = if is_loop { run.stem.len() } else { usize::MAX };
    let widths = Widths::of(&steps);
    let mut values = run.initial.values.clone();
    if view == TraceView::States {
        let _ = writeln!(table, "{}", faint("     0  initial values"));
        states(&mut table, &values);
    } else {
        let heading = widths.row("step", "process", "line", "statement");
        let changes = if view == TraceView::Changes { "what changes" } else { "" };
        let _ = writeln!(table, "{}", faint(format!("{heading}{changes}").trim_end()));
    }
    for (index, step) in steps.iter().enumerate() {
        if index == first_of_loop {
            let _ = writeln!(table, "{}", faint("        from here on forever"));
        }
        if left_out.contains(&index) {
            if index == left_out.start {
                let note =
                    format!("     …  {} left out; `lariat replay` shows all", count(left_out.len() as u64, "step"));
                let _ = writeln!(table, "{}", faint(&note));
            }
            if view == TraceView::States {
                apply(&mut values, step);
            }
            continue;
        }
        let changes = if view == TraceView::Changes { changes(step) } else { String::new() };
        let _ = writeln!(table, "{}", format!("{}{changes}", widths.line(index + 1, step)).trim_end());
        if let Some(output) = &step.output {
            for line in output.lines() {
                let _ = writeln!(table, "        {} {}", faint("prints"), escaped(line));
            }
        }
        if view == TraceView::States {
            apply(&mut values, step);
            states(&mut table, &values);
        }
    }
    if is_loop && steps.last().is_some_and(|step| step.does != Action::Stutter) {
        let _ = writeln!(table, "{}", faint(&format!("     …  again from step {}", first_of_loop + 1)));
    }
    table
}

/// One step as plain text.
pub(super) fn plain(step: &Step) -> String {
    let statement = step.statement.as_deref().unwrap_or_default();
    match (&step.process, step.pid) {
        (Some(process), Some(pid)) => format!("{process}({pid}): {statement}"),
        _ => statement.into(),
    }
}

fn process(step: &Step) -> String {
    let (Some(process), Some(pid)) = (&step.process, step.pid) else { return "-".into() };
    match &step.receiver {
        Some(receiver) => format!("{process}({pid}) > {}({})", receiver.process, receiver.pid),
        None => format!("{process}({pid})"),
    }
}

fn lines(step: &Step) -> String {
    match (&step.at, &step.receiver) {
        (None, _) => "-".into(),
        (Some(at), Some(receiver)) => format!("{} > {}", at.line, receiver.line),
        (Some(at), None) => at.line.to_string(),
    }
}

fn statement(step: &Step) -> String {
    let statement = step.statement.clone().unwrap_or_default();
    let text = match &step.receiver {
        Some(receiver) => format!("{statement} > {}", receiver.statement),
        None => statement,
    };
    cut(text, LONGEST_STATEMENT)
}

/// `x: 0 → 1, c: empty → [MSG,3]`
fn changes(step: &Step) -> String {
    let mut parts: Vec<String> = Vec::new();
    if let Some(message) = step.message.as_ref().filter(|message| message.direction == "handed") {
        parts.push(transfer(message));
    }
    parts.extend(step.changes.iter().map(change));
    parts.join(", ")
}

/// One change in words.
pub(crate) fn change(change: &Change) -> String {
    let Change { name, before, after } = change;
    match (before, after) {
        (Some(before), Some(after)) => format!("{name}: {before} → {after}"),
        (None, _) => format!("{name} starts"),
        (_, None) => format!("{name} ends"),
    }
}

/// A message in words.
pub(crate) fn transfer(message: &Transfer) -> String {
    let fields = Value::Messages(vec![message.fields.clone()]);
    match message.direction.as_str() {
        "sent" => format!("{} gets {fields}", message.channel),
        "received" => format!("{} gives {fields}", message.channel),
        _ => format!("{} hands over {fields}", message.channel),
    }
}

/// Several values to a line.
fn states(table: &mut String, values: &[NamedValue]) {
    let mut row = String::new();
    for NamedValue { name, value } in values {
        let part = format!("{name} = {value}");
        if !row.is_empty() && row.chars().count() + part.chars().count() > WIDEST {
            let _ = writeln!(table, "        {row}");
            row.clear();
        }
        if !row.is_empty() {
            row.push_str("  ");
        }
        row.push_str(&part);
    }
    if !row.is_empty() {
        let _ = writeln!(table, "        {row}");
    }
}

/// Keeps a list of values up to date.
fn apply(values: &mut Vec<NamedValue>, step: &Step) {
    for Change { name, after, .. } in &step.changes {
        match (values.iter_mut().find(|named| named.name == *name), after) {
            (Some(named), Some(after)) => named.value = after.clone(),
            (None, Some(Value::Name(running))) if running == "running" => {}
            (None, Some(after)) => values.push(NamedValue { name: name.clone(), value: after.clone() }),
            // The variables of a process end with it.
            (_, None) => values.retain(|named| !named.name.starts_with(&format!("{name}:"))),
        }
    }
}

/// How wide the columns are.
struct Widths {
    process: usize,
    line: usize,
    statement: usize,
}

impl Widths {
    fn of(steps: &[&Step]) -> Self {
        let widest = |cell: fn(&Step) -> String, least: usize| {
            steps.iter().map(|step| cell(step).chars().count()).max().unwrap_or(0).max(least)
        };
        Self { process: widest(process, 7), line: widest(lines, 4), statement: widest(statement, 9) }
    }

    fn row(&self, step: &str, process: &str, line: &str, statement: &str) -> String {
        let (p, l, s) = (self.process, self.line, self.statement);
        format!("{step:>6}  {process:<p$}  {line:>l$}  {statement:<s$}  ")
    }

    fn line(&self, number: usize, step: &Step) -> String {
        self.row(&number.to_string(), &process(step), &lines(step), &statement(step))
    }
}
