//! A terminal window as an SVG image: the command is typed, then its output appears line by line.
//!
//! The animation plays once and ends with everything visible. Viewers that do not animate, or whose user asks for reduced
//! motion, show the last frame at once.

use super::ansi::{Line, Style};
use std::fmt::Write;

/// The width of a column and the height of a row, in pixels.
const COLUMN: f32 = 7.83;
const ROW: f32 = 18.0;
/// The space around the text, and the height of the title bar.
const MARGIN: f32 = 20.0;
const TITLE: f32 = 36.0;
/// Seconds between two typed characters, and between two lines of output.
const TYPING: f32 = 0.035;
const OUTPUT: f32 = 0.07;

/// Draws a window with a typed command and its output.
pub(crate) fn draw(command: &str, lines: &[Line], columns: usize) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a window has some hundred rows and columns at most")]
    let (rows, columns) = ((lines.len() + 2) as f32, columns as f32);
    let width = columns * COLUMN + 2.0 * MARGIN;
    let height = TITLE + rows * ROW + MARGIN;
    let mut svg = String::new();
    writeln!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" role="img">
<title>{title}: a shortest counterexample, a stem and a loop</title>
<style>
text {{ font: 13px "DejaVu Sans Mono", Menlo, Consolas, "Liberation Mono", monospace; fill: #d7dce2; white-space: pre; }}
.bold {{ font-weight: bold; }}
.faint {{ fill: #8b949e; }}
.green {{ fill: #56d364; font-weight: bold; }}
.red {{ fill: #ff7b72; font-weight: bold; }}
.yellow {{ fill: #e3b341; font-weight: bold; }}
@media (prefers-reduced-motion: no-preference) {{
  .line {{ animation: appear 0.01s linear both; }}
  .cover {{ animation: uncover linear both; }}
}}
@keyframes appear {{ from {{ opacity: 0; }} to {{ opacity: 1; }} }}
@keyframes uncover {{ from {{ opacity: 1; transform: translateX(0); }} 99% {{ opacity: 1; }} to {{ opacity: 0; transform: translateX({typed:.1}px); }} }}
</style>
<rect width="{width:.0}" height="{height:.0}" rx="8" fill="#0d1117"/>
<circle cx="22" cy="18" r="6" fill="#ff5f57"/><circle cx="42" cy="18" r="6" fill="#febc2e"/><circle cx="62" cy="18" r="6" fill="#28c840"/>"##,
        title = escaped(command),
        typed = width_of(command),
    )
    .expect("a string can be written");
    prompt(&mut svg, command);
    let typed = delay(command.chars().count(), TYPING) + 0.4;
    for (row, line) in lines.iter().enumerate() {
        if !line.is_empty() {
            let shown = typed + delay(row, OUTPUT);
            text(&mut svg, row + 1, &format!(r#"class="line" style="animation-delay: {shown:.2}s""#), line);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// The prompt and the command, with a cover that slides away as if somebody typed.
fn prompt(svg: &mut String, command: &str) {
    let mut line: Line = "$ ".chars().map(|c| (c, Style::Green)).collect();
    line.extend(command.chars().map(|c| (c, Style::Bold)));
    text(svg, 0, "", &line);
    let letters = command.chars().count();
    let (x, y) = (MARGIN + width_of("$ "), TITLE + ROW * 0.2);
    let seconds = delay(letters, TYPING);
    writeln!(
        svg,
        r##"<rect class="cover" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{ROW}" fill="#0d1117" opacity="0" style="animation-duration: {seconds:.2}s; animation-timing-function: steps({letters})"/>"##,
        width = width_of(command) + COLUMN,
    )
    .expect("a string can be written");
}

/// One row of text; characters of one style stand together.
fn text(svg: &mut String, row: usize, attributes: &str, line: &Line) {
    let y = TITLE + ROW + delay(row, ROW);
    let separator = if attributes.is_empty() { "" } else { " " };
    write!(svg, r#"<text x="{MARGIN}" y="{y:.0}"{separator}{attributes} xml:space="preserve">"#)
        .expect("a string can be written");
    for run in line.chunk_by(|(_, one), (_, other)| one == other) {
        let part = escaped(&run.iter().map(|(c, _)| c).collect::<String>());
        match class(run[0].1) {
            Some(class) => write!(svg, r#"<tspan class="{class}">{part}</tspan>"#),
            None => write!(svg, "{part}"),
        }
        .expect("a string can be written");
    }
    svg.push_str("</text>\n");
}

fn class(style: Style) -> Option<&'static str> {
    match style {
        Style::Plain => None,
        Style::Bold => Some("bold"),
        Style::Faint => Some("faint"),
        Style::Green => Some("green"),
        Style::Red => Some("red"),
        Style::Yellow => Some("yellow"),
    }
}

fn width_of(text: &str) -> f32 {
    delay(text.chars().count(), COLUMN)
}

/// A count times a length or a time.
#[expect(clippy::cast_precision_loss, reason = "a window has some hundred rows and columns at most")]
fn delay(count: usize, unit: f32) -> f32 {
    count as f32 * unit
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
