//! Sizes of automata for families of formulas that grow, as a drawing.
//!
//! `families FILE.svg`
//!
//! The families are conjunctions `GF p1 & … & GF pn`, nested untils `(…(p1 U p2) U …) U pn`, and `G(p -> X…X q)`. For each n the
//! edges of the generalised automaton of each construction before reductions are drawn, and those of the default after them, on a
//! logarithmic scale. A construction that gives up, or has more than 500 edges, ends there.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use kernel::budget::Budget;
use std::fmt::Write as _;
use std::process::ExitCode;

use omega::formula::Formulas;
use omega::parse::{Syntax, parse};
use omega::pipeline::{Construction, Level, Output, TranslationOptions, translate};

const LARGEST: usize = 20;

/// A series ends with the first automaton that has more edges.
const MOST_EDGES: usize = 500;

/// The charts end at this power of ten, which is above the last of each series.
const POWERS: f64 = 3.3;

/// A way to translate, its name and its colour.
const WAYS: [(&str, &str, Construction, Level); 5] = [
    ("default", "#1b6ca8", Construction::Couvreur, Level::High),
    ("couvreur", "#5fa8d3", Construction::Couvreur, Level::Low),
    ("go", "#3a7d44", Construction::Go, Level::Low),
    ("tight", "#c77d0a", Construction::Tight, Level::Low),
    ("gpvw", "#a4243b", Construction::Gpvw, Level::Low),
];

type Family = (&'static str, fn(usize) -> String);

const FAMILIES: [Family; 3] = [
    ("GF p1 & … & GF pn: edges", |n| (1..=n).map(|at| format!("GF p{at}")).collect::<Vec<_>>().join(" & ")),
    ("(…(p1 U p2) U …) U pn: edges", |n| {
        (2..=n + 1).fold("p1".to_string(), |inner, at| format!("({inner}) U p{at}"))
    }),
    ("G(p -> X…X q), n times X: edges", |n| format!("G(p -> {}q)", "X".repeat(n))),
];

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("families FILE.svg");
        return ExitCode::from(3);
    };
    let mut drawing = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1140\" height=\"360\" font-family=\"sans-serif\" font-size=\"12\">\n",
    );
    drawing.push_str("<rect width=\"1140\" height=\"360\" fill=\"white\"/>\n");
    for (place, (title, formula)) in FAMILIES.iter().enumerate() {
        println!("{title}");
        let series = WAYS.map(|(name, colour, construction, level)| {
            let sizes = sizes(*formula, construction, level);
            println!("  {name:<10} {sizes:?}");
            (name, colour, sizes)
        });
        chart(&mut drawing, 20.0 + 375.0 * place as f64, title, &series);
    }
    drawing.push_str("</svg>\n");
    if let Err(error) = std::fs::write(&path, drawing) {
        eprintln!("{path}: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// The edges for each n, as far as the construction goes.
fn sizes(formula: fn(usize) -> String, construction: Construction, level: Level) -> Vec<usize> {
    let options =
        TranslationOptions { construction, level, output: Output::Generalized, ..TranslationOptions::default() };
    let size = |n: usize| {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, &formula(n), Syntax::Spot).ok()?;
        Some(translate(&mut formulas, formula, &options, &Budget::unlimited()).ok()?.automaton.edge_count())
    };
    let mut sizes: Vec<usize> = Vec::new();
    while sizes.len() < LARGEST && sizes.last().is_none_or(|&last| last <= MOST_EDGES) {
        match size(sizes.len() + 1) {
            Some(size) => sizes.push(size),
            None => break,
        }
    }
    sizes
}

/// One chart: n to the right, sizes upwards by powers of ten.
fn chart(drawing: &mut String, left: f64, title: &str, series: &[(&str, &str, Vec<usize>)]) {
    let (width, height, top) = (290.0, 260.0, 40.0);
    let right = |n: usize| left + 40.0 + width * (n - 1) as f64 / (LARGEST - 1) as f64;
    let up = |size: f64| top + height - height * size.max(1.0).log10() / POWERS;
    let line = "stroke=\"#ddd\"";
    let title = title.replace('&', "&amp;").replace('>', "&gt;");
    writeln!(drawing, "<text x=\"{:.0}\" y=\"20\" font-weight=\"bold\">{title}</text>", left + 40.0).expect("a string");
    for power in 0..=POWERS as i32 {
        let (y, end) = (up(10_f64.powi(power)), left + 40.0 + width);
        writeln!(drawing, "<line x1=\"{:.0}\" x2=\"{end:.0}\" y1=\"{y:.0}\" y2=\"{y:.0}\" {line}/>", left + 40.0)
            .expect("a string");
        writeln!(drawing, "<text x=\"{left:.0}\" y=\"{:.0}\">10^{power}</text>", y + 4.0).expect("a string");
    }
    for n in (1..=LARGEST).filter(|n| n % 2 == 0) {
        writeln!(drawing, "<text x=\"{:.0}\" y=\"{:.0}\">{n}</text>", right(n) - 4.0, top + height + 18.0)
            .expect("a string");
    }
    for (index, (name, colour, sizes)) in series.iter().enumerate() {
        let points: Vec<String> = (1..)
            .zip(sizes)
            .map(|(n, size)| format!("{:.1},{:.1}", right(n), up(f64::from(u32::try_from(*size).unwrap_or(u32::MAX)))))
            .collect();
        let style = format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"");
        writeln!(drawing, "<polyline points=\"{}\" {style}/>", points.join(" ")).expect("a string");
        let (x, y) = (left + 275.0, top + 14.0 + 15.0 * index as f64);
        writeln!(drawing, "<text x=\"{x:.0}\" y=\"{y:.0}\" fill=\"{colour}\">{name}</text>").expect("a string");
    }
}
