//! Message sequence charts of runs of Promela models.
//!
//! What: [`Chart::of`] reads a run once. Each step is a row. A process is a lifeline from its start to its end. A message is
//! an arrow from the row of its send to the row of its receive; a handshake is an arrow within one row. A message is
//! taken for received by the first receive from its channel with the same fields; a receive that leaves the channel as it
//! was is a look at the message, and does not end it. The rows of an atomic sequence belong to one block.
//!
//! The formats are [`text`](Chart::text), [`mermaid`](Chart::mermaid) and [`svg`](Chart::svg), one per file.
//! Tested by: golden files in `tests/charts`.

mod mermaid;
mod svg;
mod text;

use checker::report::{Action, Run, Step, Value, Waiting};
use std::collections::HashMap;

pub(crate) use mermaid::safe as mermaid_text;
pub(crate) use svg::RULES;
pub use svg::{COLUMN, GUTTER, ROW};

/// A process in a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifeline {
    /// The name of the process and its number, such as `P(1)`.
    pub name: String,
    /// The row of the step that started it; none if it was there from the beginning.
    pub starts: Option<usize>,
    /// The row of the step that ended it.
    pub ends: Option<usize>,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// The channel and the fields.
    pub label: String,
    /// The lifeline and the row of the send.
    pub from: (usize, usize),
    /// The lifeline and the row of the receive; none if it is still in the channel at the end.
    pub to: Option<(usize, usize)>,
    /// Whether both happen in one step.
    pub is_handshake: bool,
}

/// What a row shows beside arrows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The lifeline that moves; none where no process can move.
    pub line: Option<usize>,
    /// The statement.
    pub label: String,
    /// What the step prints.
    pub output: Option<String>,
}

/// Rows of one atomic sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The lifeline.
    pub line: usize,
    /// The first row.
    pub first: usize,
    /// The last row.
    pub last: usize,
}

/// A run as lifelines, rows and arrows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chart {
    /// The processes, in the order of their numbers and starts.
    pub lines: Vec<Lifeline>,
    /// One row for each step.
    pub rows: Vec<Row>,
    /// The messages, in the order of their sends.
    pub arrows: Vec<Arrow>,
    /// The atomic sequences.
    pub blocks: Vec<Block>,
    /// The first row that repeats forever.
    pub repeats: Option<usize>,
    /// The lifelines that wait at the end, and for what.
    pub waiting: Vec<(usize, String)>,
}

impl Chart {
    /// The chart of a run; `waiting` are the processes that wait at its end.
    #[must_use]
    pub fn of(run: &Run, waiting: &[Waiting]) -> Self {
        let mut builder = Builder::default();
        let has_loop = !run.cycle.is_empty();
        for step in run.steps() {
            builder.step(step);
        }
        for one in waiting {
            let line = builder.line(one.pid, &one.process);
            builder.chart.waiting.push((line, one.statements.join(" or ")));
        }
        let mut chart = builder.chart;
        chart.repeats = has_loop.then_some(run.stem.len());
        chart.sorted()
    }

    /// Whether there is a process to show. Runs of SMV models have none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Lifelines that were there from the beginning come first, by their numbers; the others in the order of their starts.
    fn sorted(mut self) -> Self {
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        let number = |name: &str| name.rsplit_once('(').and_then(|(_, rest)| rest.trim_end_matches(')').parse().ok());
        order.sort_by_key(|&index| {
            let line = &self.lines[index];
            (line.starts.map_or(0, |row| row + 1), number(&line.name).unwrap_or(0_u32), index)
        });
        let mut place = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old] = new;
        }
        self.lines = order.iter().map(|&old| self.lines[old].clone()).collect();
        self.rows.iter_mut().for_each(|row| row.line = row.line.map(|line| place[line]));
        self.blocks.iter_mut().for_each(|block| block.line = place[block.line]);
        self.waiting.iter_mut().for_each(|(line, _)| *line = place[*line]);
        for arrow in &mut self.arrows {
            arrow.from.0 = place[arrow.from.0];
            arrow.to = arrow.to.map(|(line, row)| (place[line], row));
        }
        self
    }
}

/// A message that was sent and not received yet.
struct Pending {
    channel: String,
    fields: Vec<Value>,
    arrow: usize,
}

#[derive(Default)]
struct Builder {
    chart: Chart,
    /// The lifeline of each process that runs.
    running: HashMap<u32, usize>,
    pending: Vec<Pending>,
    /// The process inside an atomic sequence after the last step.
    atomic: Option<usize>,
}

impl Builder {
    /// The lifeline of a process, which was there from the beginning if it is not known yet.
    fn line(&mut self, pid: u32, process: &str) -> usize {
        let lines = &mut self.chart.lines;
        *self.running.entry(pid).or_insert_with(|| {
            lines.push(Lifeline { name: format!("{process}({pid})"), starts: None, ends: None });
            lines.len() - 1
        })
    }

    fn step(&mut self, step: &Step) {
        let row = self.chart.rows.len();
        let line = match (step.pid, &step.process) {
            (Some(pid), Some(process)) => Some(self.line(pid, process)),
            _ => None,
        };
        let label = match step.does {
            Action::End => "ends".into(),
            Action::Exit => format!("leaves the atomic sequence: {}", step.statement.as_deref().unwrap_or_default()),
            _ => step.statement.as_deref().unwrap_or_default().into(),
        };
        self.chart.rows.push(Row { line, label, output: step.output.clone() });
        if let Some(line) = line {
            self.message(step, line, row);
            self.block(step, line, row);
        }
        self.births_and_deaths(step, row);
    }

    fn message(&mut self, step: &Step, line: usize, row: usize) {
        let Some(message) = &step.message else { return };
        let fields: Vec<String> = message.fields.iter().map(ToString::to_string).collect();
        let label = format!("{} {}", message.channel, fields.join(","));
        if let Some(receiver) = &step.receiver {
            let to = self.line(receiver.pid, &receiver.process);
            self.chart.arrows.push(Arrow { label, from: (line, row), to: Some((to, row)), is_handshake: true });
            return;
        }
        if message.direction == "sent" {
            let (channel, fields) = (message.channel.clone(), message.fields.clone());
            self.pending.push(Pending { channel, fields, arrow: self.chart.arrows.len() });
            self.chart.arrows.push(Arrow { label, from: (line, row), to: None, is_handshake: false });
            return;
        }
        // A receive that leaves the channel as it was only looks at the message.
        let is_taken = step.changes.iter().any(|change| change.name == message.channel);
        let is_meant = |one: &Pending| one.channel == message.channel && one.fields == message.fields;
        if let Some(index) = self.pending.iter().position(is_meant).filter(|_| is_taken) {
            let Pending { arrow, .. } = self.pending.remove(index);
            self.chart.arrows[arrow].to = Some((line, row));
        }
    }

    fn block(&mut self, step: &Step, line: usize, row: usize) {
        match self.chart.blocks.last_mut().filter(|block| self.atomic == Some(line) && block.last + 1 == row) {
            Some(block) => block.last = row,
            None if step.atomic => self.chart.blocks.push(Block { line, first: row, last: row }),
            None => {}
        }
        self.atomic = step.atomic.then_some(line);
    }

    /// Processes that a step starts or ends: a change from or to `running`.
    fn births_and_deaths(&mut self, step: &Step, row: usize) {
        let running = Some(Value::Name("running".into()));
        for change in &step.changes {
            let Some(pid) = change.name.rsplit_once('(').and_then(|(_, rest)| rest.strip_suffix(')')?.parse().ok())
            else {
                continue;
            };
            if change.before.is_none() && change.after == running {
                self.running.insert(pid, self.chart.lines.len());
                self.chart.lines.push(Lifeline { name: change.name.clone(), starts: Some(row), ends: None });
            } else if change.before == running && change.after.is_none() {
                let line = self.running.remove(&pid);
                if let Some(line) = line {
                    self.chart.lines[line].ends = Some(row);
                }
            }
        }
    }
}
