//! Automata and state graphs as SVG. The places of nodes and edges come from the crate `layout-rs`, in layers; large graphs are
//! placed by `layers`, which is fast.

mod canvas;
mod layers;

use canvas::Canvas;
use checker::report::Observation;
use layout::core::base::Orientation;
use layout::core::geometry::Point;
use layout::core::style::{LineStyleKind, StyleAttr};
use layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
use layout::topo::layout::VisualGraph;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

/// The rules of drawings.
pub(crate) const RULES: &str = "\
.drawing text{font:13px system-ui,sans-serif;fill:var(--ink);text-anchor:middle;dominant-baseline:central}\
.drawing .label{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;paint-order:stroke;stroke:var(--paper);stroke-width:4px;stroke-linejoin:round}\
.drawing .plate{fill:var(--paper)}\
.drawing .node>ellipse,.drawing .node>rect{fill:var(--box);stroke:var(--ink);stroke-width:1.3}\
.drawing .edge path{fill:none;stroke:var(--faint);stroke-width:1.3}\
.drawing .edge .tip{fill:var(--faint);stroke:none}\
.drawing .edge.accepting path{stroke-width:2.4}\
.drawing .here>ellipse,.drawing .here>rect{fill:var(--cursor);stroke:var(--accent);stroke-width:3}\
.drawing .path>ellipse,.drawing .path>rect{stroke:var(--bad);stroke-width:2.5}\
.drawing .edge.path path{stroke:var(--bad);stroke-width:2.5}\
.drawing .edge.path .tip{fill:var(--bad)}";

/// Graphs with more nodes, or with more edges, are placed without routing edges around nodes.
const MOST_ROUTED: (usize, usize) = (80, 160);

thread_local! {
    /// Whether this thread expects a panic that is nobody's concern.
    static EXPECTS_PANIC: Cell<bool> = const { Cell::new(false) };
}

/// The result of a computation, or nothing if it panics. Its panic prints nothing: the hook that does is asked about all others.
fn quietly<R>(compute: impl FnOnce() -> R) -> Option<R> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if !EXPECTS_PANIC.get() {
                before(panic);
            }
        }));
    });
    EXPECTS_PANIC.set(true);
    let result = catch_unwind(AssertUnwindSafe(compute));
    EXPECTS_PANIC.set(false);
    result.ok()
}

/// A node of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// What stands in it, in lines.
    pub label: String,
    /// What a reader learns who points at it.
    pub title: String,
    /// Whether runs begin here.
    pub is_initial: bool,
    /// Whether it has a second outline.
    pub is_double: bool,
    /// Whether it is a box; otherwise it is an ellipse.
    pub is_box: bool,
    /// Whether it lies on a path that is highlighted.
    pub is_on_path: bool,
}

/// An edge of a graph, between nodes by their indices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// Where it begins.
    pub source: usize,
    /// Where it ends.
    pub target: usize,
    /// What stands at it, in lines.
    pub label: String,
    /// Whether it is drawn bold.
    pub is_bold: bool,
    /// Whether it lies on a path that is highlighted.
    pub is_on_path: bool,
}

/// A graph to be drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The edges.
    pub edges: Vec<Edge>,
}

/// From top to bottom, or from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From top to bottom.
    Down,
    /// From left to right.
    Right,
}

impl Graph {
    /// The graph as a picture; `description` is for those who do not see it. The node with index i has the attribute
    /// `data-node="i"`, an edge `data-edge="source-target"`.
    #[must_use]
    pub fn svg(&self, description: &str, direction: Direction) -> String {
        if self.nodes.is_empty() {
            return String::new();
        }
        let is_routed = self.nodes.len() <= MOST_ROUTED.0 && self.edges.len() <= MOST_ROUTED.1;
        // `layout-rs` 0.1.3 ends some graphs with a failed assertion of its own; `layers` places every graph.
        let routed = is_routed.then(|| quietly(|| self.routed(direction)));
        let canvas = routed.flatten().unwrap_or_else(|| {
            let mut canvas = Canvas::new(self);
            layers::draw(self, &mut canvas);
            canvas
        });
        canvas.finish(description)
    }

    /// The graph as `layout-rs` places it.
    fn routed(&self, direction: Direction) -> Canvas<'_> {
        let mut canvas = Canvas::new(self);
        let orientation = match direction {
            Direction::Down => Orientation::TopToBottom,
            Direction::Right => Orientation::LeftToRight,
        };
        let mut graph = VisualGraph::new(orientation);
        let look = StyleAttr::simple();
        let handles: Vec<_> = (0..self.nodes.len())
            .map(|index| {
                let node = &self.nodes[index];
                // The text is written by the canvas, which knows the node by its number.
                let shape = if node.is_box { ShapeKind::new_box("") } else { ShapeKind::new_circle("") };
                let size = node_size(node);
                let element =
                    Element::create_with_properties(shape, look.clone(), orientation, size, index.to_string());
                graph.add_node(element)
            })
            .collect();
        for (index, edge) in self.edges.iter().enumerate() {
            let arrow = Arrow::with_properties(
                LineEndKind::None,
                LineEndKind::Arrow,
                LineStyleKind::Normal,
                &edge.label,
                &look,
                index.to_string(),
                &None,
                &None,
            );
            graph.add_edge(arrow, handles[edge.source], handles[edge.target]);
        }
        graph.do_it(false, false, false, &mut canvas);
        canvas
    }
}

/// Room for the lines of a label.
fn node_size(node: &Node) -> Point {
    let longest = node.label.lines().map(|line| line.chars().count()).max().unwrap_or(1);
    let lines = node.label.lines().count().max(1);
    match node.is_box {
        true => Point::new(longest as f64 * 7.2 + 18.0, lines as f64 * 17.0 + 12.0),
        false => {
            let size = (longest as f64 * 8.0 + 18.0).max(36.0);
            Point::new(size, size.min(lines as f64 * 17.0 + 19.0).max(36.0))
        }
    }
}

/// An automaton as a graph. Acceptance sets are circled numbers at labels and in states; a single set on states is a second
/// outline.
#[must_use]
pub fn automaton(automaton: &Observation) -> Graph {
    let badges = |sets: &[u32]| sets.iter().map(|set| circled(*set)).collect::<String>();
    let nodes = automaton.states.iter().map(|state| {
        let is_double = automaton.sets == 1 && !state.sets.is_empty();
        let badges = if is_double { String::new() } else { badges(&state.sets) };
        let label = format!("{}{badges}", state.name);
        let is_box = label.chars().count() > 6;
        Node {
            title: format!("state {}", state.name),
            label,
            is_initial: state.is_initial,
            is_double,
            is_box,
            is_on_path: false,
        }
    });
    // The layout takes one edge between two states.
    let mut edges: Vec<Edge> = Vec::new();
    for edge in &automaton.edges {
        let (source, target) = (edge.source as usize, edge.target as usize);
        let label = broken(format!("{} {}", unquoted(&edge.labels.join(" ∨ ")), badges(&edge.sets)).trim());
        let is_bold = !edge.sets.is_empty();
        match edges.iter_mut().find(|other| (other.source, other.target) == (source, target)) {
            Some(other) => {
                other.label = format!("{}\n{label}", other.label);
                other.is_bold |= is_bold;
            }
            None => edges.push(Edge { source, target, label, is_bold, is_on_path: false }),
        }
    }
    Graph { nodes: nodes.collect(), edges }
}

/// The number of an acceptance set in a circle.
fn circled(set: u32) -> char {
    match set {
        0 => '⓿',
        1..=10 => char::from_u32('❶' as u32 + set - 1).unwrap_or('●'),
        _ => '●',
    }
}

/// A label without the quotation marks around propositions; those of several words are in parentheses.
fn unquoted(label: &str) -> String {
    let part = |(index, part): (usize, &str)| match (index % 2, part.contains(' ')) {
        (1, true) => format!("({part})"),
        _ => part.to_owned(),
    };
    label.split('"').enumerate().map(part).collect()
}

/// A label in lines of moderate length, broken at disjunctions.
fn broken(label: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for part in label.split(" ∨ ") {
        match lines.last_mut() {
            None => lines.push(part.into()),
            Some(line) if line.chars().count() + part.chars().count() < 30 => {
                line.push_str(" ∨ ");
                line.push_str(part);
            }
            Some(_) => lines.push(format!("∨ {part}")),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the graph is, each node is drawn once and each edge at least once, at places that are numbers.
    #[test]
    fn every_node_and_edge_is_drawn() {
        let mut seed = 1_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        for round in 0..150_usize {
            // Some are large, and placed in the other way.
            let count = if round % 10 == 9 { 100 } else { 1 + random(14) };
            let node = |index: usize| Node {
                label: format!("<{index}>"),
                is_box: index.is_multiple_of(3),
                is_initial: index == 0,
                ..Node::default()
            };
            let nodes: Vec<Node> = (0..count).map(node).collect();
            let mut edges: Vec<Edge> = Vec::new();
            for _ in 0..random(25) {
                let (source, target) = (random(count), random(count));
                if !edges.iter().any(|edge| (edge.source, edge.target) == (source, target)) {
                    let label = if random(2) == 0 { String::new() } else { "a & b".into() };
                    edges.push(Edge { source, target, label, ..Edge::default() });
                }
            }
            let graph = Graph { nodes, edges };
            let svg = graph.svg("random", if round.is_multiple_of(2) { Direction::Down } else { Direction::Right });
            for index in 0..count {
                assert_eq!(svg.matches(&format!("data-node=\"{index}\"")).count(), 1, "round {round}: {graph:?}");
            }
            for edge in &graph.edges {
                let name = format!("data-edge=\"{}-{}\"", edge.source, edge.target);
                assert!(svg.contains(&name), "round {round}: {name} {graph:?}");
            }
            assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains("<0>"), "round {round}: {svg}");
        }
    }
}
