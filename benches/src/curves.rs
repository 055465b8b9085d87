//! Plots of ratios in ascending order on a logarithmic scale, one curve for each of several things; some points as dots.

use std::fmt::Write as _;

/// The width and height of a panel, the space around it, and the height of the line with the names.
const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 300.0;
const MARGIN: f64 = 56.0;
const LEGEND: f64 = 26.0;

/// Colours that are told apart without red and green.
const COLOURS: [&str; 10] =
    ["#1f5fbf", "#d9822b", "#2a7f4f", "#8e44ad", "#7a7a7a", "#c0392b", "#16a5a5", "#5d4037", "#000000", "#e06fb0"];

/// One thing and its ratios, in ascending order; whether each is a dot.
pub struct Curve {
    /// What it shows.
    pub name: String,
    /// The ratio, and whether it is a dot.
    pub points: Vec<(f64, bool)>,
}

/// The plot as SVG: panels with a title side by side with the same vertical scale; `dots` says what a dot means.
#[must_use]
pub fn plot(panels: &[(String, Vec<Curve>)], vertical: &str, dots: &str) -> String {
    let ratios =
        || panels.iter().flat_map(|(_, curves)| curves).flat_map(|curve| &curve.points).map(|(ratio, _)| *ratio);
    let low = ratios().fold(0.1, f64::min).log10().floor();
    let high = ratios().fold(10.0, f64::max).log10().ceil();
    let (width, height) = (panels.len() as f64 * (WIDTH + MARGIN) + 24.0, HEIGHT + 2.0 * MARGIN + LEGEND);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (index, (title, curves)) in panels.iter().enumerate() {
        draw(&mut svg, title, curves, MARGIN + index as f64 * (WIDTH + MARGIN), (low, high), dots);
    }
    let middle = MARGIN + HEIGHT / 2.0;
    let _ = writeln!(
        svg,
        "<text x=\"14\" y=\"{middle}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {middle})\">{vertical}</text>"
    );
    let named = panels.first().map_or(&[][..], |(_, curves)| curves);
    let room = ((width - MARGIN) / named.len().max(1) as f64).min(120.0);
    for (index, curve) in named.iter().enumerate() {
        let (x, y) = (MARGIN + index as f64 * room, height - 12.0);
        let colour = COLOURS[index % COLOURS.len()];
        let _ = writeln!(svg, "<rect x=\"{x}\" y=\"{}\" width=\"14\" height=\"4\" fill=\"{colour}\"/>", y - 6.0);
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\">{}</text>", x + 20.0, curve.name);
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw(svg: &mut String, title: &str, curves: &[Curve], left: f64, (low, high): (f64, f64), dots: &str) {
    let most = curves.iter().map(|curve| curve.points.len()).max().unwrap_or(1).max(2);
    let bottom = MARGIN + HEIGHT;
    let place = |rank: usize, ratio: f64| {
        let x = left + rank as f64 / (most - 1) as f64 * WIDTH;
        (x, bottom - (ratio.max(1e-9).log10() - low) / (high - low) * HEIGHT)
    };
    let (middle, above) = (left + WIDTH / 2.0, MARGIN - 14.0);
    let _ =
        writeln!(svg, "<text x=\"{middle}\" y=\"{above}\" text-anchor=\"middle\" font-weight=\"bold\">{title}</text>");
    for decade in low as i32..=high as i32 {
        let (_, y) = place(0, 10_f64.powi(decade));
        let colour = if decade == 0 { "#999" } else { "#e4e4e4" };
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{}\" y2=\"{y:.1}\" stroke=\"{colour}\"/>",
            left + WIDTH
        );
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">1e{decade}</text>", left - 6.0, y + 4.0);
    }
    let _ = writeln!(svg, "<text x=\"{left}\" y=\"{}\">1</text>", bottom + 16.0);
    let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{most}</text>", left + WIDTH, bottom + 16.0);
    let has_dots = curves.iter().flat_map(|curve| &curve.points).any(|(_, is_dot)| *is_dot);
    let ranks = if has_dots { format!("tasks, by rank; dots: {dots}") } else { "tasks, by rank".to_owned() };
    let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{ranks}</text>", bottom + 34.0);
    for (index, curve) in curves.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let points: Vec<(f64, f64)> =
            curve.points.iter().enumerate().map(|(rank, (ratio, _))| place(rank, *ratio)).collect();
        let line: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
            line.join(" ")
        );
        for ((x, y), _) in points.iter().zip(&curve.points).filter(|(_, (_, is_bold))| *is_bold) {
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\" fill=\"{colour}\"/>");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Curve, plot};

    #[test]
    fn dots_are_explained_where_there_are_some_and_ten_names_fit() {
        let curve =
            |number: usize| Curve { name: format!("name-{number}"), points: vec![(0.5, number == 3), (1.0, false)] };
        let svg = plot(
            &[("left".to_owned(), (0..10).map(curve).collect()), ("right".to_owned(), vec![curve(0)])],
            "ratio",
            "false",
        );
        assert_eq!(svg.matches("dots: false").count(), 1);
        let last = svg.lines().find(|line| line.contains("name-9")).expect("a name");
        let left = last.split("x=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a place");
        assert!(left.parse::<f64>().expect("a number") + 60.0 < 976.0, "{last}");
    }
}
