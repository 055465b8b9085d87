//! Line plots as SVG, drawn by hand so that a page needs nothing from elsewhere.

use super::html::escaped;

/// The colours of the lines, told apart by the colour-blind as well.
pub(crate) const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6a3d9a", "#444444"];

const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 44.0;

/// A line of a plot.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// How values become heights.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    Linear,
    /// Each power of ten takes the same room.
    Logarithmic,
}

/// A plot with names on its axes.
pub(crate) struct Plot {
    pub(crate) across: &'static str,
    pub(crate) up: &'static str,
    pub(crate) scale: Scale,
    pub(crate) lines: Vec<Line>,
}

impl Plot {
    /// The drawing.
    pub(crate) fn svg(&self) -> String {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        if points().next().is_none() {
            return String::new();
        }
        let bounds = |values: Vec<f64>| {
            (values.iter().copied().fold(f64::MAX, f64::min), values.into_iter().fold(f64::MIN, f64::max))
        };
        let (from_x, to_x) = widened(bounds(points().map(|point| point.0).collect()));
        let (low, high) = bounds(points().map(|point| self.raised(point.1)).collect());
        let (from_y, to_y) = match self.scale {
            Scale::Linear => (0.0, if high > 0.0 { high * 1.08 } else { 1.0 }),
            Scale::Logarithmic => (low.floor(), high.ceil().max(low.floor() + 1.0)),
        };
        let x = |value: f64| LEFT + (value - from_x) / (to_x - from_x) * (WIDTH - LEFT - RIGHT);
        let y = |value: f64| HEIGHT - BOTTOM - (value - from_y) / (to_y - from_y) * (HEIGHT - TOP - BOTTOM);
        let mut body = String::new();
        for (value, label) in self.ticks(from_y, to_y) {
            let at = y(value);
            body.push_str(&format!(
                "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\" class=\"grid\"/>\
                 <text x=\"{}\" y=\"{:.1}\" class=\"end\">{label}</text>\n",
                WIDTH - RIGHT,
                LEFT - 8.0,
                at + 4.0
            ));
        }
        for value in steps(from_x, to_x) {
            let (at, label) = (x(value), plain(value));
            body.push_str(&format!(
                "<text x=\"{at:.1}\" y=\"{}\" class=\"mid\">{label}</text>\n",
                HEIGHT - BOTTOM + 18.0
            ));
        }
        for (index, line) in self.lines.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let place = |point: &(f64, f64)| format!("{:.1},{:.1}", x(point.0), y(self.raised(point.1)));
            let path: Vec<String> = line.points.iter().map(place).collect();
            body.push_str(&format!(
                "<polyline points=\"{}\" stroke=\"{colour}\"><title>{}</title></polyline>\n",
                path.join(" "),
                escaped(&line.name)
            ));
            for point in line.points.iter().filter(|_| line.points.len() <= 12) {
                let (cx, cy, value) = (x(point.0), y(self.raised(point.1)), plain(point.1));
                body.push_str(&format!(
                    "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"3\" fill=\"{colour}\"><title>{}: {value}</title></circle>\n",
                    escaped(&line.name)
                ));
            }
        }
        let middle = (LEFT + WIDTH - RIGHT) / 2.0;
        let (across, up) = (escaped(self.across), escaped(self.up));
        format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{up} by {across}\">\n{body}\
             <text x=\"{middle}\" y=\"{}\" class=\"mid\">{across}</text>\n\
             <text transform=\"translate(14 {}) rotate(-90)\" class=\"mid\">{up}</text>\n</svg>\n",
            HEIGHT - 6.0,
            (HEIGHT - BOTTOM + TOP) / 2.0,
        )
    }

    /// A value on the scale.
    fn raised(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic => value.max(1e-9).log10(),
        }
    }

    /// Where the grid lines are, and what is written there.
    fn ticks(&self, from: f64, to: f64) -> Vec<(f64, String)> {
        match self.scale {
            Scale::Linear => steps(from, to).into_iter().map(|value| (value, plain(value))).collect(),
            Scale::Logarithmic => {
                (from as i32..=to as i32).map(|power| (f64::from(power), plain(10_f64.powi(power)))).collect()
            }
        }
    }
}

/// Bounds that are not the same.
fn widened((from, to): (f64, f64)) -> (f64, f64) {
    if to - from < 1e-9 { (from - 0.5, to + 0.5) } else { (from, to) }
}

/// Round numbers between two bounds, some five of them.
fn steps(from: f64, to: f64) -> Vec<f64> {
    let rough = (to - from) / 5.0;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| *step >= rough);
    let step = step.unwrap_or(10.0 * power);
    let first = (from / step).ceil() as i64;
    (first..=(to / step).floor() as i64).map(|index| index as f64 * step).collect()
}

fn plain(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_numbers() {
        assert_eq!(steps(0.0, 10.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(steps(4.0, 7.0), [4.0, 5.0, 6.0, 7.0]);
        assert_eq!([plain(0.001), plain(20.0), plain(1.5)], ["0.001", "20", "1.5"]);
    }

    #[test]
    fn nothing_to_draw_is_no_drawing() {
        let plot = Plot { across: "x", up: "y", scale: Scale::Linear, lines: Vec::new() };
        assert_eq!(plot.svg(), "");
    }
}
