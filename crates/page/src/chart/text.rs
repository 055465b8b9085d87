//! Charts as text: a column for each process, an arrow line for each message.

use super::Chart;
use crate::markup::cut;
use kernel::escape::escaped;

/// The widest column, in characters.
const WIDEST: usize = 28;

impl Chart {
    /// The chart in characters. Control characters of foreign text are shown by their numbers.
    #[must_use]
    pub fn text(&self) -> String {
        let width = self.lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0).clamp(16, WIDEST) + 2;
        let digits = self.rows.len().to_string().len();
        let mut out = String::new();
        let cells: Vec<String> = self.lines.iter().map(|line| cut(&line.name, width - 2)).collect();
        push(&mut out, " ".repeat(digits), &cells, width);
        for (index, row) in self.rows.iter().enumerate() {
            if self.repeats == Some(index) {
                out.push_str(&format!("{} repeats forever {}\n", "-".repeat(digits + 2), "-".repeat(20)));
            }
            let number = format!("{:>digits$}", index + 1);
            let cell = |line: usize| match row.line == Some(line) {
                true => {
                    let mark = if self.blocks.iter().any(|b| b.line == line && (b.first..=b.last).contains(&index)) {
                        "#"
                    } else {
                        "*"
                    };
                    cut(&format!("{mark} {}", one_line(&row.label)), width - 1)
                }
                false if self.is_alive(line, index) => "|".into(),
                false => String::new(),
            };
            let cells: Vec<String> = (0..self.lines.len()).map(cell).collect();
            match row.line {
                Some(_) => push(&mut out, number, &cells, width),
                None => out.push_str(&format!("{number}  {}\n", one_line(&row.label))),
            }
            for arrow in self.arrows.iter().filter(|arrow| arrow.to.map_or(arrow.from.1, |to| to.1) == index) {
                let from = arrow.from.0;
                let line = match arrow.to {
                    Some((to, _)) if to != from => self.text_arrow(from, to, &arrow.label, width),
                    Some(_) => format!("{}self: {}", " ".repeat(from * width), one_line(&arrow.label)),
                    None => format!("{}o--> {} stays", " ".repeat(from * width), one_line(&arrow.label)),
                };
                out.push_str(&format!("{}  {}\n", " ".repeat(digits), line.trim_end()));
            }
        }
        for (line, statements) in &self.waiting {
            out.push_str(&format!("{} waits: {}\n", one_line(&self.lines[*line].name), one_line(statements)));
        }
        out
    }

    fn is_alive(&self, line: usize, row: usize) -> bool {
        let line = &self.lines[line];
        line.starts.is_none_or(|start| start < row) && line.ends.is_none_or(|end| row < end)
    }

    /// An arrow between two columns, with its label inside.
    fn text_arrow(&self, from: usize, to: usize, label: &str, width: usize) -> String {
        let (left, right) = (from.min(to), from.max(to));
        let space = (right - left) * width - 2;
        let label = cut(&one_line(label), space.saturating_sub(4));
        let rest = space.saturating_sub(label.chars().count() + 2);
        let (before, after) = ("-".repeat(rest / 2), "-".repeat(rest - rest / 2));
        let (head, tail) = if from < to { ("o", ">") } else { ("<", "o") };
        format!("{}{head}{before} {label} {after}{tail}", " ".repeat(left * width))
    }
}

fn one_line(text: &str) -> String {
    escaped(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

/// A line of cells, without blanks at its end.
fn push(out: &mut String, number: String, cells: &[String], width: usize) {
    let mut line = format!("{number}  ");
    for cell in cells {
        let safe = escaped(cell);
        line.push_str(&format!("{safe:<width$}"));
    }
    out.push_str(line.trim_end());
    out.push('\n');
}
