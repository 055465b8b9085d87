//! Writes what the layout draws as SVG with classes of our own. Nodes and edges are known by the number in their
//! properties, so that no foreign text passes through the layout but the labels of edges, which are escaped here.

use super::{Edge, Graph, Node};
use crate::markup::text;
use layout::core::format::{ClipHandle, RenderBackend};
use layout::core::geometry::Point;
use layout::core::style::StyleAttr;
use std::fmt::Write;

/// The space around the drawing.
const MARGIN: f64 = 14.0;

/// The picture under construction.
pub(super) struct Canvas<'a> {
    graph: &'a Graph,
    edges: String,
    nodes: String,
    low: (f64, f64),
    high: (f64, f64),
}

impl<'a> Canvas<'a> {
    pub(super) fn new(graph: &'a Graph) -> Self {
        let (low, high) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
        Self { graph, edges: String::new(), nodes: String::new(), low, high }
    }

    pub(super) fn finish(self, description: &str) -> String {
        let (x, y) = (self.low.0 - MARGIN, self.low.1 - MARGIN);
        let (width, height) = (self.high.0 - x + MARGIN, self.high.1 - y + MARGIN);
        let (description, Self { edges, nodes, .. }) = (text(description), self);
        format!(
            "<svg class=\"drawing\" role=\"img\" aria-label=\"{description}\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"{x:.0} {y:.0} {width:.0} {height:.0}\">\n{edges}{nodes}</svg>"
        )
    }

    fn grow(&mut self, x: f64, y: f64) {
        self.low = (self.low.0.min(x), self.low.1.min(y));
        self.high = (self.high.0.max(x), self.high.1.max(y));
    }

    fn node(&self, properties: Option<&String>) -> Option<(usize, &'a Node)> {
        let index = properties?.parse().ok()?;
        Some((index, self.graph.nodes.get(index)?))
    }

    fn edge(&self, properties: Option<&String>) -> Option<&'a Edge> {
        self.graph.edges.get(properties?.parse::<usize>().ok()?)
    }

    /// A node whose outline is given for an inset.
    fn draw_node(&mut self, middle: Point, size: Point, properties: Option<&String>, outline: &dyn Fn(f64) -> String) {
        let Some((index, node)) = self.node(properties) else { return };
        self.grow(middle.x - size.x / 2.0, middle.y - size.y / 2.0);
        self.grow(middle.x + size.x / 2.0, middle.y + size.y / 2.0);
        let class = if node.is_on_path { "node path" } else { "node" };
        let _ = write!(self.nodes, "<g class=\"{class}\" data-node=\"{index}\"><title>{}</title>", text(&node.title));
        if node.is_initial {
            let (tip, y) = (middle.x - size.x / 2.0 - 1.0, middle.y);
            self.grow(tip - 22.0, y);
            let _ = write!(
                self.nodes,
                "<g class=\"edge\"><path d=\"M{:.1} {y:.1}H{:.1}\"/>{}</g>",
                tip - 22.0,
                tip - 6.0,
                arrow_head(Point::new(tip, y), (1.0, 0.0))
            );
        }
        let second = if node.is_double { outline(4.0) } else { String::new() };
        let _ = writeln!(self.nodes, "{}{second}{}</g>", outline(0.0), lines(&node.label, middle, ""));
    }
}

/// The lines of a text around a point.
fn lines(label: &str, middle: Point, class: &str) -> String {
    let count = label.lines().count();
    let line = |(index, line): (usize, &str)| {
        let y = middle.y + (index as f64 - (count as f64 - 1.0) / 2.0) * 16.0;
        format!("<text{class} x=\"{:.1}\" y=\"{y:.1}\">{}</text>", middle.x, text(line))
    };
    label.lines().enumerate().map(line).collect()
}

/// The head of an arrow that comes from a direction of length one.
fn arrow_head(tip: Point, (x, y): (f64, f64)) -> String {
    let back = (tip.x - x * 8.0, tip.y - y * 8.0);
    let (left, right) = ((back.0 - y * 4.0, back.1 + x * 4.0), (back.0 + y * 4.0, back.1 - x * 4.0));
    format!(
        "<path class=\"tip\" d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z\"/>",
        tip.x, tip.y, left.0, left.1, right.0, right.1
    )
}

impl RenderBackend for Canvas<'_> {
    fn draw_rect(&mut self, xy: Point, size: Point, _: &StyleAttr, properties: Option<String>, _: Option<ClipHandle>) {
        let middle = Point::new(xy.x + size.x / 2.0, xy.y + size.y / 2.0);
        self.draw_node(middle, size, properties.as_ref(), &|inset| {
            let (x, y, wide, tall) = (xy.x + inset, xy.y + inset, size.x - 2.0 * inset, size.y - 2.0 * inset);
            format!("<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"{tall:.1}\" rx=\"7\"/>")
        });
    }

    fn draw_line(&mut self, _: Point, _: Point, _: &StyleAttr, _: Option<String>) {}

    fn draw_circle(&mut self, xy: Point, size: Point, _: &StyleAttr, properties: Option<String>) {
        self.draw_node(xy, size, properties.as_ref(), &|inset| {
            let (x, y, rx, ry) = (xy.x, xy.y, size.x / 2.0 - inset, size.y / 2.0 - inset);
            format!("<ellipse cx=\"{x:.1}\" cy=\"{y:.1}\" rx=\"{rx:.1}\" ry=\"{ry:.1}\"/>")
        });
    }

    /// The labels of edges; nodes have none that the layout knows.
    fn draw_text(&mut self, xy: Point, label: &str, _: &StyleAttr) {
        if label.is_empty() {
            return;
        }
        let half = label.lines().map(|line| line.chars().count()).max().unwrap_or(0) as f64 * 3.7;
        self.grow(xy.x - half, xy.y - 8.0);
        self.grow(xy.x + half, xy.y + 8.0);
        let tall = label.lines().count() as f64 * 16.0 + 2.0;
        let _ = write!(
            self.nodes,
            "<rect class=\"plate\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\"/>",
            xy.x - half - 2.0,
            xy.y - tall / 2.0,
            half * 2.0 + 4.0
        );
        self.nodes.push_str(&lines(label, xy, " class=\"label\""));
    }

    fn draw_arrow(
        &mut self,
        path: &[(Point, Point)],
        _: bool,
        head: (bool, bool),
        _: &StyleAttr,
        properties: Option<String>,
        _: &str,
    ) {
        let Some(edge) = self.edge(properties.as_ref()) else { return };
        // The first pair is the exit and its control point, each further one a control point before its place.
        let [(start, exit), rest @ ..] = path else { return };
        let mut d = format!("M{:.1} {:.1}", start.x, start.y);
        self.grow(start.x, start.y);
        for (index, (first, second)) in rest.iter().enumerate() {
            let _ = match index {
                0 => write!(
                    d,
                    "C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
                    exit.x, exit.y, first.x, first.y, second.x, second.y
                ),
                _ => write!(d, "S{:.1} {:.1} {:.1} {:.1}", first.x, first.y, second.x, second.y),
            };
            self.grow(second.x, second.y);
        }
        let class = match (edge.is_bold, edge.is_on_path) {
            (_, true) => "edge path",
            (true, _) => "edge accepting",
            _ => "edge",
        };
        let (source, target) = (edge.source, edge.target);
        let _ = write!(self.edges, "<g class=\"{class}\" data-edge=\"{source}-{target}\"><path d=\"{d}\"/>");
        let direction = |from: Point, to: Point| {
            let (x, y) = (to.x - from.x, to.y - from.y);
            let length = x.hypot(y).max(0.001);
            (x / length, y / length)
        };
        if let (true, Some((control, end))) = (head.1, rest.last()) {
            self.edges.push_str(&arrow_head(*end, direction(*control, *end)));
        }
        if head.0 {
            self.edges.push_str(&arrow_head(*start, direction(*exit, *start)));
        }
        self.edges.push_str("</g>\n");
    }

    fn create_clip(&mut self, _: Point, _: Point, _: usize) -> ClipHandle {
        0
    }
}
