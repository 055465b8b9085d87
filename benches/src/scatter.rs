//! Scatter plots of one count against another, both on logarithmic scales: points below the diagonal are improvements.

use std::fmt::Write as _;

/// The side of a panel, the space around it, the height of the line with the meaning of the colours, and the width of each.
const SIDE: f64 = 300.0;
const MARGIN: f64 = 52.0;
const LEGEND: f64 = 26.0;
const MEANING: f64 = 150.0;

/// How an automaton changed, by the colour of its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Fewer states.
    Fewer,
    /// As many.
    Same,
    /// More.
    More,
    /// It accepts nothing any more.
    Nothing,
}

impl Change {
    const ALL: [Change; 4] = [Change::Fewer, Change::Same, Change::More, Change::Nothing];

    fn colour(self) -> &'static str {
        match self {
            Change::Fewer => "#2a7f4f",
            Change::Same => "#7a7a7a",
            Change::More => "#c0392b",
            Change::Nothing => "#1f5fbf",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Change::Fewer => "fewer states",
            Change::Same => "as many states",
            Change::More => "more states",
            Change::Nothing => "reduced to false",
        }
    }
}

/// A panel: a title, and points.
pub struct Panel {
    /// What it shows.
    pub title: String,
    /// Horizontal, vertical, colour.
    pub points: Vec<(u64, u64, Change)>,
}

/// The plot as SVG: rows of panels with the same scales.
#[must_use]
pub fn plot(rows: &[Vec<Panel>], horizontal: &str, vertical: &str) -> String {
    let points = rows.iter().flatten().flat_map(|panel| &panel.points);
    let largest = points.map(|(x, y, _)| *x.max(y)).max().unwrap_or(1);
    let decades = (largest.max(10) as f64).log10().ceil();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let row_height = SIDE + 2.0 * MARGIN;
    // One column of panels is narrower than the meaning of the colours.
    let width = (columns as f64 * (SIDE + MARGIN) + 24.0).max(MARGIN + Change::ALL.len() as f64 * MEANING);
    let height = rows.len() as f64 * row_height + LEGEND;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (index, row) in rows.iter().enumerate() {
        let top = MARGIN + index as f64 * row_height;
        for (index, panel) in row.iter().enumerate() {
            let left = MARGIN + index as f64 * (SIDE + MARGIN);
            draw(&mut svg, panel, (left, top), decades, index == 0);
            let (middle, below) = (left + SIDE / 2.0, top + SIDE + 34.0);
            let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{horizontal}</text>");
        }
        let middle = top + SIDE / 2.0;
        let _ = writeln!(
            svg,
            "<text x=\"14\" y=\"{middle}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {middle})\">{vertical}</text>"
        );
    }
    for (index, change) in Change::ALL.into_iter().enumerate() {
        let (x, y) = (MARGIN + index as f64 * MEANING, height - 12.0);
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{}\" r=\"4\" fill=\"{}\"/>", y - 4.0, change.colour());
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\">{}</text>", x + 10.0, change.words());
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw(svg: &mut String, panel: &Panel, (left, top): (f64, f64), decades: f64, is_first: bool) {
    let place = |count: u64| (count.max(1) as f64).log10() / decades * SIDE;
    let (bottom, right) = (top + SIDE, left + SIDE);
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-weight=\"bold\">{} ({} tasks)</text>",
        left + SIDE / 2.0,
        top - 14.0,
        panel.title,
        panel.points.len()
    );
    for decade in 0..=decades as i32 {
        let offset = f64::from(decade) / decades * SIDE;
        let (x, y) = (left + offset, bottom - offset);
        let _ = writeln!(svg, "<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#e4e4e4\"/>");
        let _ = writeln!(svg, "<line x1=\"{x:.1}\" y1=\"{top}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"#e4e4e4\"/>");
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">1e{decade}</text>", bottom + 16.0);
        if is_first {
            let _ =
                writeln!(svg, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">1e{decade}</text>", left - 6.0, y + 4.0);
        }
    }
    let _ = writeln!(svg, "<line x1=\"{left}\" y1=\"{bottom}\" x2=\"{right}\" y2=\"{top}\" stroke=\"#999\"/>");
    for (x, y, change) in &panel.points {
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.6\" fill=\"{}\" fill-opacity=\"0.55\"/>",
            left + place(*x),
            bottom - place(*y),
            change.colour()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, Panel, plot};

    #[test]
    fn the_meaning_of_each_colour_lies_inside_a_narrow_plot() {
        let panel = Panel { title: "all".to_owned(), points: vec![(10, 5, Change::Fewer)] };
        let svg = plot(&[vec![panel]], "before", "after");
        let width = svg.split("width=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a width");
        let last = svg.lines().find(|line| line.contains("reduced to false")).expect("a meaning");
        let left = last.split("x=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a place");
        let [width, left] = [width, left].map(|text| text.parse::<f64>().expect("a number"));
        assert!(left + 100.0 < width, "{left} of {width}");
    }
}
