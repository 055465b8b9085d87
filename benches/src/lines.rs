//! Line plots in panels side by side, as SVG.

use std::fmt::Write as _;

/// One series of points.
pub struct Curve {
    /// The name in the legend, the same in every panel.
    pub name: &'static str,
    /// The points from left to right; the height is a share from 0 to 1.
    pub points: Vec<(f64, f64)>,
}

/// One coordinate system.
pub struct Panel {
    /// What the horizontal axis shows.
    pub across: String,
    /// The curves, in the order of the legend.
    pub curves: Vec<Curve>,
}

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 260.0;
const GAP: f64 = 60.0;
const TOP: f64 = 40.0;
const COLUMNS: usize = 3;

/// Told apart by the colour-blind as well.
const COLOURS: [&str; 6] = ["#444444", "#e69f00", "#0072b2", "#56b4e9", "#d55e00", "#cc79a7"];

/// The drawing; values of an axis are at equal distances, in the order in which they come.
#[must_use]
pub fn plot(title: &str, panels: &[Panel]) -> String {
    let rows = panels.len().div_ceil(COLUMNS).max(1);
    let width = GAP + COLUMNS as f64 * (WIDTH + GAP);
    let height = TOP + rows as f64 * (HEIGHT + GAP) + 20.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"{GAP}\" y=\"24\" font-size=\"15\">{title}</text>\n"
    );
    for (index, panel) in panels.iter().enumerate() {
        let left = GAP + (index % COLUMNS) as f64 * (WIDTH + GAP);
        let top = TOP + (index / COLUMNS) as f64 * (HEIGHT + GAP);
        draw(&mut svg, panel, left, top);
    }
    let mut at = GAP;
    for (curve, colour) in panels.iter().take(1).flat_map(|panel| &panel.curves).zip(COLOURS) {
        let y = height - 14.0;
        let _ = writeln!(svg, "<rect x=\"{at}\" y=\"{}\" width=\"16\" height=\"4\" fill=\"{colour}\"/>", y - 6.0);
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\">{}</text>", at + 22.0, curve.name);
        at += 40.0 + 7.0 * curve.name.len() as f64;
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw(svg: &mut String, panel: &Panel, left: f64, top: f64) {
    let (right, bottom) = (left + WIDTH, top + HEIGHT);
    let values: Vec<f64> =
        panel.curves.first().map(|curve| curve.points.iter().map(|point| point.0).collect()).unwrap_or_default();
    let step = WIDTH / (values.len().max(2) - 1) as f64;
    let highest = panel.curves.iter().flat_map(|curve| &curve.points).map(|point| point.1).fold(0.0, f64::max);
    // The next tenth above everything.
    let highest = ((highest * 10.0).floor() / 10.0 + 0.1).min(1.0);
    let y = |share: f64| bottom - share / highest * HEIGHT;
    for tenth in 0..=(highest * 10.0).round() as u32 {
        let (share, at) = (f64::from(tenth) / 10.0, y(f64::from(tenth) / 10.0));
        let _ = writeln!(svg, "<line x1=\"{left}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\" stroke=\"#e4e4e4\"/>");
        let percent = 100.0 * share;
        let _ =
            writeln!(svg, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{percent:.0} %</text>", left - 6.0, at + 4.0);
    }
    for (index, value) in values.iter().enumerate() {
        let at = left + step * index as f64;
        let _ = writeln!(svg, "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{value}</text>", bottom + 16.0);
    }
    let middle = left + WIDTH / 2.0;
    let _ =
        writeln!(svg, "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>", bottom + 34.0, panel.across);
    for (curve, colour) in panel.curves.iter().zip(COLOURS) {
        let place =
            |(index, point): (usize, &(f64, f64))| format!("{:.1},{:.1}", left + step * index as f64, y(point.1));
        let path: Vec<String> = curve.points.iter().enumerate().map(place).collect();
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"><title>{}</title></polyline>",
            path.join(" "),
            curve.name
        );
    }
}
