//! Charts as SVG.
//!
//! A column for each process, a row for each step. Colours come from the style sheet of the page, or, in a file of its
//! own, from [`STYLE`], which follows the reader's preference for light or dark.

use super::{Arrow, Chart};
use crate::markup::{cut, text};
use std::fmt::Write;

/// The height of a row.
pub const ROW: usize = 26;
/// The width of a column.
pub const COLUMN: usize = 190;
/// The space for step numbers on the left.
pub const GUTTER: usize = 56;
/// The height of the names above the rows.
const HEAD: usize = 34;
/// The space for the words about the loop on the right.
const LOOP: usize = 180;
/// The characters of a statement that fit a column.
const FITTING: usize = 24;

/// The style of a chart in a file of its own.
const STYLE: &str = "\
.chart{--ink:#1b1f24;--faint:#59636e;--line:#d1d9e0;--paper:#fff;--send:#0550ae;--block:#0969da22;--loop:#bf870022;--loop-line:#9a6700;--box:#f6f8fa}\
@media(prefers-color-scheme:dark){.chart{--ink:#e6edf3;--faint:#9198a1;--line:#3d444d;--paper:#0d1117;--send:#79c0ff;--block:#388bfd33;--loop:#bb800926;--loop-line:#d29922;--box:#151b23}}";

/// The rules that both a file of its own and a page need.
pub(crate) const RULES: &str = "\
.chart text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:var(--ink)}\
.chart .paper{fill:var(--paper)}\
.chart .life{stroke:var(--line);stroke-width:1.5}\
.chart .head rect{fill:var(--box);stroke:var(--line)}\
.chart .head text{text-anchor:middle;font-weight:600}\
.chart .number{text-anchor:end;fill:var(--faint)}\
.chart .dot{fill:var(--ink)}\
.chart .label{paint-order:stroke;stroke:var(--paper);stroke-width:4px;stroke-linejoin:round}\
.chart .output{fill:var(--faint);font-style:italic}\
.chart .block{fill:var(--block)}\
.chart .loop rect{fill:var(--loop);stroke:var(--loop-line);stroke-dasharray:5 4}\
.chart .loop text{fill:var(--loop-line);font-weight:600}\
.chart .message{stroke:var(--send);stroke-width:1.6;fill:none}\
.chart .message.hand{stroke-width:2.4}\
.chart .message.open{stroke-dasharray:3 3}\
.chart .tip{fill:var(--send)}\
.chart .sent{fill:var(--send)}\
.chart .end{stroke:var(--ink);stroke-width:2}\
.chart .waits{fill:var(--loop-line);font-weight:600}";

/// The middle of a column.
fn middle(line: usize) -> usize {
    GUTTER + line * COLUMN + 24
}

/// The middle of a row.
fn height(row: usize) -> usize {
    row * ROW + ROW / 2
}

impl Chart {
    /// The chart as a file of its own.
    #[must_use]
    pub fn svg(&self) -> String {
        let (width, rows) = (self.width(), self.rows_height());
        let total = rows + HEAD;
        let (description, head, body) = (text(&self.description()), self.head(), self.body());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" width=\"{width}\" height=\"{total}\" \
             viewBox=\"0 0 {width} {total}\">\n<title>Message sequence chart</title>\n<desc>{description}</desc>\n\
             <style>{STYLE}{RULES}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{head}\
             <g transform=\"translate(0,{HEAD})\">\n{body}</g>\n</svg>\n"
        )
    }

    /// The names of the processes as a picture, which stays in place while the rows move.
    #[must_use]
    pub fn svg_head(&self) -> String {
        let (width, head) = (self.width(), self.head());
        format!("<svg class=\"chart\" aria-hidden=\"true\" width=\"{width}\" height=\"{HEAD}\">{head}</svg>")
    }

    /// The rows as a picture inside a page, whose style sheet has the rules of charts.
    #[must_use]
    pub fn svg_rows(&self) -> String {
        let (width, rows) = (self.width(), self.rows_height());
        let (description, body) = (text(&self.description()), self.body());
        format!(
            "<svg class=\"chart\" role=\"img\" aria-label=\"Message sequence chart: {description}\" width=\"{width}\" \
             height=\"{rows}\">\n{body}</svg>"
        )
    }

    /// What the chart shows, for those who do not see it.
    #[must_use]
    pub fn description(&self) -> String {
        let names: Vec<&str> = self.lines.iter().map(|line| line.name.as_str()).collect();
        let repeats = self.repeats.map_or_else(String::new, |row| format!("; step {} and later repeat", row + 1));
        let (steps, messages) = (self.rows.len(), self.arrows.len());
        format!("{steps} steps of {}, {messages} messages{repeats}", names.join(", "))
    }

    fn width(&self) -> usize {
        let beside = if self.repeats.is_some() { LOOP } else { 24 };
        GUTTER + self.lines.len() * COLUMN + beside
    }

    fn rows_height(&self) -> usize {
        (self.rows.len() + usize::from(!self.waiting.is_empty())) * ROW + 10
    }

    fn head(&self) -> String {
        let mut out = String::from("<g class=\"head\">");
        for (index, line) in self.lines.iter().enumerate() {
            let (left, middle) = (middle(index) - 20, middle(index) + 55);
            let (name, full) = (text(&cut(&line.name, 18)), text(&line.name));
            let _ = write!(
                out,
                "<g><title>{full}</title><rect x=\"{left}\" y=\"4\" width=\"150\" height=\"24\" rx=\"5\"/>\
                 <text x=\"{middle}\" y=\"20\">{name}</text></g>"
            );
        }
        out + "</g>\n"
    }

    fn body(&self) -> String {
        let mut out = String::new();
        if let Some(start) = self.repeats {
            let (top, tall) = (start * ROW + 1, (self.rows.len() - start) * ROW - 2);
            let (wide, text_top) = (self.width() - 8, top + 13);
            let right = wide - 4;
            let _ = writeln!(
                out,
                "<g class=\"loop\"><rect x=\"4\" y=\"{top}\" width=\"{wide}\" height=\"{tall}\" rx=\"6\"/>\
                 <text x=\"{right}\" y=\"{text_top}\" text-anchor=\"end\">↻ repeats forever</text></g>"
            );
        }
        for (index, line) in self.lines.iter().enumerate() {
            let x = middle(index);
            let top = line.starts.map_or(0, height);
            let bottom = line.ends.map_or(self.rows_height(), height);
            let _ = writeln!(out, "<line class=\"life\" x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{bottom}\"/>");
        }
        for block in &self.blocks {
            let (x, y) = (middle(block.line) - 9, block.first * ROW + 2);
            let tall = (block.last - block.first + 1) * ROW - 4;
            let _ = writeln!(
                out,
                "<rect class=\"block\" x=\"{x}\" y=\"{y}\" width=\"18\" height=\"{tall}\" rx=\"4\"><title>atomic</title></rect>"
            );
        }
        self.arrows.iter().for_each(|arrow| self.arrow(&mut out, arrow));
        (0..self.rows.len()).for_each(|row| self.row(&mut out, row));
        for (line, statements) in &self.waiting {
            let (x, y) = (middle(*line) + 10, height(self.rows.len()) + 4);
            let (shown, full) = (text(&cut(&format!("waits: {statements}"), FITTING)), text(statements));
            let _ = writeln!(
                out,
                "<text class=\"label waits\" x=\"{x}\" y=\"{y}\"><title>waits: {full}</title>{shown}</text>"
            );
        }
        out
    }

    fn row(&self, out: &mut String, index: usize) {
        let (row, y) = (&self.rows[index], height(index));
        let (base, number, right) = (y + 4, index + 1, GUTTER - 20);
        let _ =
            write!(out, "<g data-row=\"{number}\"><text class=\"number\" x=\"{right}\" y=\"{base}\">{number}</text>");
        let x = row.line.map_or(GUTTER, middle);
        if row.line.is_some() {
            let _ = write!(out, "<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"3.5\"/>");
        }
        let is_end = |line: usize| self.lines[line].ends == Some(index);
        for line in (0..self.lines.len()).filter(|line| is_end(*line)) {
            let x = middle(line);
            let (left, right, top, bottom) = (x - 5, x + 5, y - 5, y + 5);
            let _ =
                write!(out, "<path class=\"end\" d=\"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}\"/>");
        }
        for line in (0..self.lines.len()).filter(|line| self.lines[*line].starts == Some(index)) {
            let (from, to) = (x, middle(line));
            let _ = write!(
                out,
                "<path class=\"message open\" d=\"M{from} {y}H{to}\"/><circle class=\"tip\" cx=\"{to}\" cy=\"{y}\" r=\"4\"/>"
            );
        }
        let (shown, full) = (text(&cut(&row.label, FITTING)), text(&row.label));
        let left = x + 10;
        // The text of a send stands on its arrow.
        let is_sent = self.arrows.iter().any(|arrow| arrow.from.1 == index);
        let (class, base) = if is_sent { ("label sent", y - 3) } else { ("label", base) };
        let _ = write!(out, "<text class=\"{class}\" x=\"{left}\" y=\"{base}\">{shown}<title>{full}</title></text>");
        out.push_str("</g>\n");
    }

    /// An arrow below the labels, with its tip at the receiver.
    fn arrow(&self, out: &mut String, arrow: &Arrow) {
        let (x, y) = (middle(arrow.from.0), height(arrow.from.1));
        let label = text(&arrow.label);
        let Some((line, row)) = arrow.to else {
            let (end, tip) = (x + COLUMN / 2, x + COLUMN / 2 + 4);
            let _ = writeln!(
                out,
                "<g><title>{label}, never received in this run</title><path class=\"message open\" d=\"M{x} {y}H{end}\"/>\
                 <circle class=\"message\" cx=\"{tip}\" cy=\"{y}\" r=\"4\"/></g>"
            );
            return;
        };
        let (to_x, to_y) = (middle(line), height(row));
        let class = if arrow.is_handshake { "message hand" } else { "message" };
        if to_x == x {
            // To itself: around the label of the send.
            let out_x = x - 14;
            let _ = writeln!(
                out,
                "<g><title>{label}</title><path class=\"{class}\" d=\"M{x} {y}C{out_x} {y} {out_x} {to_y} {x} {to_y}\"/></g>"
            );
            return;
        }
        let (dx, dy) = (to_x as f64 - x as f64, to_y as f64 - y as f64);
        let length = dx.hypot(dy);
        let (ux, uy) = (dx / length, dy / length);
        let (tip_x, tip_y) = (to_x as f64 - ux * 5.0, to_y as f64 - uy * 5.0);
        let (back_x, back_y) = (tip_x - ux * 9.0, tip_y - uy * 9.0);
        let (left_x, left_y) = (back_x - uy * 4.5, back_y + ux * 4.5);
        let (right_x, right_y) = (back_x + uy * 4.5, back_y - ux * 4.5);
        let _ = writeln!(
            out,
            "<g><title>{label}</title><path class=\"{class}\" d=\"M{x} {y}L{back_x:.1} {back_y:.1}\"/>\
             <path class=\"tip\" d=\"M{tip_x:.1} {tip_y:.1}L{left_x:.1} {left_y:.1}L{right_x:.1} {right_y:.1}Z\"/></g>"
        );
    }
}
