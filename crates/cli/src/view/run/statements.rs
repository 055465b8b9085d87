//! A run of a Promela model as a table: step, process, line, statement, what changes, messages.

use super::Look;
use super::fold::{self, Row};
use crate::arguments::TraceView;
use crate::terminal::{Style, styled};
use crate::thresholds::output::{LEAST_FOR_CHANGES, LONGEST_STATEMENT, WIDEST_VALUES};
use crate::view::wrap::wrapped;
use crate::view::{count, number};
use checker::report::{Action, Change, NamedValue, Run, Step, Transfer, Value};
use checker::words::cut;
use kernel::escape::escaped;
use std::fmt::Write;

/// The table. A table with more than `longest` rows is shown without its middle.
pub(super) fn rows(run: &Run, look: Look<'_>, longest: Option<usize>) -> String {
    let Look { view, is_coloured, .. } = look;
    let faint = |text: &str| styled(is_coloured, Style::Faint, text);
    let rows = fold::rows(run, look.is_unfolded);
    let mut table = String::new();
    if rows.is_empty() && view != TraceView::States {
        return table;
    }
    let is_loop = !run.cycle.is_empty();
    let first_of_loop = if is_loop { run.stem.len() + 1 } else { usize::MAX };
    let left_out = super::middle(rows.len(), longest);
    // The rows that are left out do not count: there may be millions of them.
    let layout = Layout::of(rows[..left_out.start].iter().chain(&rows[left_out.end..]), look.width);
    let mut values = run.initial.values.clone();
    if view == TraceView::States {
        let _ = writeln!(table, "{}", faint("     0  initial values"));
        states(&mut table, &values, look.width);
    } else {
        let heading = layout.row("step", "process", "line", "statement");
        let changes = if view == TraceView::Changes { "what changes" } else { "" };
        let _ = writeln!(table, "{}", faint(format!("{heading}{changes}").trim_end()));
    }
    for (index, row) in rows.iter().enumerate() {
        if row.number == first_of_loop {
            let _ = writeln!(table, "{}", faint("        from here on forever"));
        }
        if view == TraceView::States {
            row.steps.iter().for_each(|step| apply(&mut values, step));
        }
        if left_out.contains(&index) {
            if index == left_out.start {
                let steps: usize = rows[left_out.clone()].iter().map(|row| row.steps.len()).sum();
                let note = format!("     …  {} left out; `lariat replay` shows all", count(steps as u64, "step"));
                let _ = writeln!(table, "{}", faint(&note));
            }
            continue;
        }
        let changes = if view == TraceView::Changes { changes(row) } else { String::new() };
        let _ = writeln!(table, "{}", layout.line(row, &changes));
        for output in row.steps.iter().filter_map(|step| step.output.as_ref()) {
            for line in output.lines() {
                let _ = writeln!(table, "        {} {}", faint("prints"), escaped(line));
            }
        }
        if view == TraceView::States {
            states(&mut table, &values, look.width);
        }
    }
    if is_loop && run.cycle.last().is_some_and(|step| step.does != Action::Stutter) {
        let _ = writeln!(table, "{}", faint(&format!("     …  again from step {first_of_loop}")));
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

fn process(row: &Row<'_>) -> String {
    let step = row.steps[0];
    let (Some(process), Some(pid)) = (&step.process, step.pid) else { return "-".into() };
    match step.receiver.as_deref().filter(|_| !row.is_folded()) {
        Some(receiver) => format!("{process}({pid}) > {}({})", receiver.process, receiver.pid),
        None => format!("{process}({pid})"),
    }
}

fn lines(row: &Row<'_>) -> String {
    if row.is_folded() {
        return match row.lines() {
            Some((first, last)) if first == last => first.to_string(),
            Some((first, last)) => format!("{first}–{last}"),
            None => "-".into(),
        };
    }
    match (&row.steps[0].at, &row.steps[0].receiver) {
        (None, _) => "-".into(),
        (Some(at), Some(receiver)) => format!("{} > {}", at.line, receiver.line),
        (Some(at), None) => at.line.to_string(),
    }
}

fn statement(row: &Row<'_>) -> String {
    if row.is_folded() {
        return format!("({} atomic steps)", number(row.steps.len() as u64));
    }
    let statement = row.steps[0].statement.as_deref().unwrap_or_default();
    let text = match &row.steps[0].receiver {
        Some(receiver) => format!("{statement} > {}", receiver.statement),
        None => statement.into(),
    };
    cut(text, LONGEST_STATEMENT)
}

/// `x: 0 → 1, c: empty → [MSG,3]`
fn changes(row: &Row<'_>) -> String {
    let messages = row.steps.iter().filter_map(|step| step.message.as_deref());
    let handed = messages.filter(|message| message.direction == "handed").map(transfer);
    handed.chain(row.changes().iter().map(change)).collect::<Vec<_>>().join(", ")
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
fn states(table: &mut String, values: &[NamedValue], width: Option<usize>) {
    let widest = width.map_or(WIDEST_VALUES, |width| width.saturating_sub(8).max(20));
    let mut row = String::new();
    for NamedValue { name, value } in values {
        let part = format!("{name} = {value}");
        if !row.is_empty() && row.chars().count() + part.chars().count() + 2 > widest {
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

/// How wide the columns are, and the table.
struct Layout {
    process: usize,
    line: usize,
    statement: usize,
    width: Option<usize>,
}

impl Layout {
    fn of<'a>(rows: impl Iterator<Item = &'a Row<'a>> + Clone, width: Option<usize>) -> Self {
        let widest = |cell: fn(&Row<'_>) -> String, least: usize| {
            rows.clone().map(|row| cell(row).chars().count()).max().unwrap_or(0).max(least)
        };
        let mut layout =
            Self { process: widest(process, 7), line: widest(lines, 4), statement: widest(statement, 9), width };
        if let Some(width) = width {
            // Longer statements reach into the last column.
            let room = width.saturating_sub(layout.indent() - layout.statement + LEAST_FOR_CHANGES);
            layout.statement = layout.statement.min(room.max(LEAST_FOR_CHANGES));
        }
        layout
    }

    /// The column where the changes begin.
    fn indent(&self) -> usize {
        self.row("", "", "", "").chars().count()
    }

    fn row(&self, step: &str, process: &str, line: &str, statement: &str) -> String {
        let (p, l, s) = (self.process, self.line, self.statement);
        format!("{step:>6}  {process:<p$}  {line:>l$}  {statement:<s$}  ")
    }

    fn line(&self, row: &Row<'_>, changes: &str) -> String {
        let number = match row.is_folded() {
            true => format!("{}–{}", row.number, row.number + row.steps.len() - 1),
            false => row.number.to_string(),
        };
        let line = format!("{}{changes}", self.row(&number, &process(row), &lines(row), &statement(row)));
        let indent = self.indent();
        let is_wide = self.width.is_some_and(|width| indent + LEAST_FOR_CHANGES <= width);
        wrapped(line.trim_end(), self.width, if is_wide { indent } else { 10 })
    }
}
