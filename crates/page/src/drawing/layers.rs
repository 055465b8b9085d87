//! A fast placement of large graphs: nodes in layers by their distance from the initial nodes, straight edges.
//!
//! The layout that routes edges around nodes takes minutes for thousands of nodes, and cannot be interrupted. This one takes
//! time linear in the graph, up to sorting. In each layer the nodes are in the order of the mean places of their
//! predecessors in the layer before, which keeps most edges short.

use super::{Graph, node_size};
use layout::core::format::RenderBackend;
use layout::core::geometry::Point;
use layout::core::style::StyleAttr;
use std::collections::VecDeque;

/// The space between nodes of one layer, and between layers.
const GAPS: (f64, f64) = (22.0, 48.0);

/// Draws a graph.
pub(super) fn draw(graph: &Graph, canvas: &mut dyn RenderBackend) {
    let layers = layers(graph);
    let sizes: Vec<Point> = graph.nodes.iter().map(node_size).collect();
    let wide = sizes.iter().map(|size| size.x).fold(0.0, f64::max) + GAPS.0;
    let tall = sizes.iter().map(|size| size.y).fold(0.0, f64::max) + GAPS.1;
    let mut places = vec![Point::zero(); graph.nodes.len()];
    for (depth, layer) in layers.iter().enumerate() {
        for (index, &node) in layer.iter().enumerate() {
            let x = (index as f64 - (layer.len() as f64 - 1.0) / 2.0) * wide;
            places[node] = Point::new(x, depth as f64 * tall);
        }
    }
    let look = StyleAttr::simple();
    for (index, edge) in graph.edges.iter().enumerate() {
        let path = path(places[edge.source], places[edge.target], sizes[edge.source], sizes[edge.target]);
        canvas.draw_arrow(&path, false, (false, true), &look, Some(index.to_string()), "");
    }
    for (index, node) in graph.nodes.iter().enumerate() {
        let (middle, size) = (places[index], sizes[index]);
        match node.is_box {
            true => {
                let corner = Point::new(middle.x - size.x / 2.0, middle.y - size.y / 2.0);
                canvas.draw_rect(corner, size, &look, Some(index.to_string()), None);
            }
            false => canvas.draw_circle(middle, size, &look, Some(index.to_string())),
        }
    }
}

/// The nodes by their distance; those that no initial node reaches begin anew.
fn layers(graph: &Graph) -> Vec<Vec<usize>> {
    let count = graph.nodes.len();
    let (mut next, mut before): (Vec<Vec<usize>>, Vec<Vec<usize>>) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for edge in &graph.edges {
        next[edge.source].push(edge.target);
        before[edge.target].push(edge.source);
    }
    let mut depth = vec![usize::MAX; count];
    let initial = (0..count).filter(|&node| graph.nodes[node].is_initial);
    for start in initial.chain(0..count) {
        let mut queue = VecDeque::new();
        if depth[start] == usize::MAX {
            depth[start] = 0;
            queue.push_back(start);
        }
        while let Some(node) = queue.pop_front() {
            for &successor in &next[node] {
                if depth[successor] == usize::MAX {
                    depth[successor] = depth[node] + 1;
                    queue.push_back(successor);
                }
            }
        }
    }
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); depth.iter().max().map_or(0, |deepest| deepest + 1)];
    (0..count).for_each(|node| layers[depth[node]].push(node));
    let mut place = vec![0.0_f64; count];
    for (level, layer) in layers.iter_mut().enumerate() {
        let mean = |node: &usize| {
            let above: Vec<f64> = before[*node]
                .iter()
                .filter(|source| depth[**source] + 1 == level)
                .map(|source| place[*source])
                .collect();
            above.iter().sum::<f64>() / above.len().max(1) as f64
        };
        let mut keyed: Vec<(f64, usize)> = layer.iter().map(|node| (mean(node), *node)).collect();
        keyed.sort_by(|one, two| one.0.total_cmp(&two.0).then(one.1.cmp(&two.1)));
        *layer = keyed.into_iter().map(|(_, node)| node).collect();
        let middle = (layer.len() as f64 - 1.0) / 2.0;
        layer.iter().enumerate().for_each(|(index, &node)| place[node] = index as f64 - middle);
    }
    layers
}

/// The curve of an edge: straight, or a loop on the right of a node.
fn path(from: Point, to: Point, source: Point, target: Point) -> [(Point, Point); 2] {
    let (x, y) = (to.x - from.x, to.y - from.y);
    let length = x.hypot(y);
    if length < 1.0 {
        let right = from.x + source.x / 2.0;
        let at = |x: f64, y: f64| Point::new(right + x, from.y + y);
        return [(at(-2.0, -5.0), at(20.0, -18.0)), (at(20.0, 18.0), at(-2.0, 5.0))];
    }
    let (x, y) = (x / length, y / length);
    // Where the line leaves an ellipse of this size.
    let edge = |size: Point| 1.0 / (2.0 * x / size.x).hypot(2.0 * y / size.y);
    let at = |point: Point, distance: f64| Point::new(point.x + x * distance, point.y + y * distance);
    let (start, end) = (at(from, edge(source)), at(to, -edge(target) - 1.0));
    [(start, at(start, length / 3.0)), (at(end, -length / 3.0), end)]
}
