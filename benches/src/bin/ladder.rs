//! A family of automata on which the depth-first minimiser takes exponential time and the breadth-first one does not,
//! with a plot: `ladder [FILE.svg]`.
//!
//! The automaton of size `n` is a ladder of `n` rungs that leads back to its foot, where it is accepting; each rung can
//! be climbed on either side. There are `2^n` simple cycles, all of length `2n` and all shortest. From an accepting state
//! on, the depth-first search of [gastin.04.spin] must follow each of them as far as it may be short enough; the
//! breadth-first one of [gastin.07.min] enters each state a few times.
//!
//! What is counted is the times a state was entered, which is the same on any machine; the plot has a logarithmic scale.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::fmt::Write as _;
use std::process::ExitCode;

use kernel::budget::Budget;
use omega::automaton::{Automaton, Marks};
use search::graph::Graph;
use search::shorten::{self, Shortening};
use search::store::Store;

/// The sizes measured.
const SIZES: std::ops::RangeInclusive<u32> = 1..=18;

fn main() -> ExitCode {
    let mut curves = [(Shortening::Dfs, Vec::new()), (Shortening::Bfs, Vec::new())];
    println!("{:>5} {:>7} {:>7} {:>12} {:>12}", "rungs", "states", "length", "dfs visits", "bfs visits");
    for rungs in SIZES {
        let automaton = ladder(rungs);
        let graph = Graph::new(&automaton);
        let mut length = 0;
        for (search, points) in &mut curves {
            let budget = Budget::unlimited();
            let (max_length, progress) = (None, &mut |_: &_| {});
            let options = shorten::ShorteningOptions {
                budget: &budget,
                components: true,
                store: Store::Exact,
                max_length,
                patience: None,
                progress,
            };
            let outcome = search.search(&graph, options);
            length = outcome.lasso.expect("the ladder has a cycle").length();
            points.push((rungs, outcome.statistics.visits));
        }
        let visits = |curve: usize| curves[curve].1.last().map_or(0, |point| point.1);
        println!("{rungs:>5} {:>7} {length:>7} {:>12} {:>12}", 3 * rungs, visits(0), visits(1));
    }
    if let Some(path) = std::env::args().nth(1) {
        let named: Vec<(&str, &[(u32, u64)])> = curves.iter().map(|(it, points)| (it.name(), &points[..])).collect();
        if let Err(error) = std::fs::write(&path, plot(&named)) {
            eprintln!("ladder: {path}: {error}");
            return ExitCode::from(3);
        }
    }
    ExitCode::SUCCESS
}

fn ladder(rungs: u32) -> Automaton {
    let mut automaton = Automaton::new(["a"], 1);
    automaton.add_states(3 * rungs as usize);
    let yes = automaton.manager().yes();
    for rung in 0..rungs {
        let (here, next) = (3 * rung, 3 * ((rung + 1) % rungs));
        let marks = if rung == 0 { Marks::one(0) } else { Marks::NONE };
        for side in [here + 1, here + 2] {
            automaton.add_edge(here, side, &yes, marks);
            automaton.add_edge(side, next, &yes, Marks::NONE);
        }
    }
    automaton
}

/// A plot of visits over sizes, the vertical axis logarithmic to base 10.
fn plot(curves: &[(&str, &[(u32, u64)])]) -> String {
    const WIDTH: f64 = 640.0;
    const HEIGHT: f64 = 400.0;
    const MARGIN: f64 = 60.0;
    let most = curves.iter().flat_map(|(_, points)| points.iter()).map(|point| point.1).max().unwrap_or(1);
    let decades = (most as f64).log10().ceil();
    let x = |size: u32| {
        let part = f64::from(size - SIZES.start()) / f64::from(SIZES.end() - SIZES.start());
        MARGIN + part * (WIDTH - 2.0 * MARGIN)
    };
    let y = |visits: f64| HEIGHT - MARGIN - visits.log10() / decades * (HEIGHT - 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let mut line = |text: String| {
        svg.push_str(&text);
        svg.push('\n');
    };
    for decade in 0..=decades as i32 {
        let height = y(10_f64.powi(decade));
        let right = WIDTH - MARGIN;
        line(format!("<line x1=\"{MARGIN}\" y1=\"{height:.1}\" x2=\"{right}\" y2=\"{height:.1}\" stroke=\"#ddd\"/>"));
        line(format!("<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">1e{decade}</text>", MARGIN - 6.0, height + 4.0));
    }
    for size in SIZES.step_by(2) {
        let (at, below) = (x(size), HEIGHT - MARGIN + 18.0);
        line(format!("<text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{size}</text>"));
    }
    for ((name, points), colour) in curves.iter().zip(["#c33", "#36c"]) {
        let mut path = String::new();
        for (size, visits) in *points {
            let _ = write!(path, "{:.1},{:.1} ", x(*size), y(*visits as f64));
        }
        line(format!(
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>",
            path.trim_end()
        ));
        if let Some((size, visits)) = points.last() {
            let (at, height) = (x(*size) + 6.0, y(*visits as f64) + 4.0);
            line(format!("<text x=\"{at:.1}\" y=\"{height:.1}\" fill=\"{colour}\">{name}</text>"));
        }
    }
    let (middle, below) = (WIDTH / 2.0, HEIGHT - 16.0);
    line(format!("<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">rungs of the ladder</text>"));
    line(format!("<text x=\"{middle}\" y=\"32\" text-anchor=\"middle\">times a state is entered</text>"));
    svg.push_str("</svg>\n");
    svg
}
