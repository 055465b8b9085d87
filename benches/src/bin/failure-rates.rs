//! Failure rates of wrong translators against the parameters of the test: the question that the conclusion of Tauriainen and
//! Heljanko (2000) leaves open.
//!
//! `failure-rates [FORMULAS [FILE.svg]]`
//!
//! The population are the mutants of the testbench that give automata. Each translates the same random formulas and their
//! negations as a correct translator does. For each value of a parameter, with the others as in the paper, the table and the
//! plot show in which share of the pairs of a mutant and a formula each check fails: the checks of the paper in random graphs
//! and on random paths, the intersection with the correct automaton, and the exact comparison of languages, which none of the
//! others can exceed. Formulas are the same for all checks and the same in every run.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use benches::lines::{Curve, Panel, plot};
use kernel::budget::Budget;
use omega::combine::inclusion::difference;
use omega::formula::Formulas;
use omega::random::Random;
use testbench::generate::formula::SymbolSet;
use testbench::generate::structure::{StructureShape, graph, path};
use testbench::mutant::MUTANTS;
use testbench::oracle::{consistency, intersection};
use testbench::translator::{Limits, Translator, Workplace};
use testbench::trial::{Side, Trial};

/// What the columns count, the exact comparison first.
const CHECKS: [&str; 6] = [
    "languages differ",
    "intersection",
    "cross-comparison, graphs",
    "cross-comparison, paths",
    "consistency, graphs",
    "consistency, paths",
];

/// States and steps that one exact comparison may take.
const MOST_STATES: usize = 20_000;
const STEPS: u64 = 500_000;

/// The parameters of one point; unless a series changes them, those of the paper.
#[derive(Clone)]
struct Point {
    value: f64,
    symbols: [usize; 2],
    propositions: usize,
    weights: String,
    density: f64,
}

impl Point {
    fn paper(value: f64) -> Self {
        Point { value, symbols: [4, 7], propositions: 5, weights: String::new(), density: 0.2 }
    }
}

/// The values of one parameter.
struct Series {
    across: &'static str,
    points: Vec<Point>,
}

fn series() -> Vec<Series> {
    let weighted =
        |names: &[&str], weight: u32| names.iter().map(|name| format!("{name}={weight}")).collect::<Vec<_>>();
    let shares = |these: &'static [&'static str], those: &'static [&'static str]| {
        let point = |tenths: u32| {
            let weights = [weighted(these, tenths), weighted(those, 10 - tenths)].concat().join(",");
            Point { weights, ..Point::paper(f64::from(tenths) / 10.0) }
        };
        (1..=9).map(point).collect::<Vec<_>>()
    };
    let size = |symbols: usize| Point { symbols: [symbols, symbols], ..Point::paper(symbols as f64) };
    let propositions = |propositions: usize| Point { propositions, ..Point::paper(propositions as f64) };
    let density = |density: f64| Point { density, ..Point::paper(density) };
    vec![
        Series { across: "symbols in the formula", points: (2..=12).map(size).collect() },
        Series { across: "propositions", points: (1..=8).map(propositions).collect() },
        Series {
            across: "probability of an edge in a graph",
            points: [0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0].map(density).to_vec(),
        },
        Series {
            across: "weight of a temporal operator (of a Boolean one: the rest)",
            points: shares(&["X", "F", "G", "U", "R"], &["!", "&", "|", "->", "<->"]),
        },
        Series {
            across: "weight of a binary operator (of a unary one: the rest)",
            points: shares(&["&", "|", "->", "<->", "U", "R"], &["!", "X", "F", "G"]),
        },
    ]
}

/// Failures by check, and the pairs they are shares of.
#[derive(Clone, Default)]
struct Tally {
    failed: [u64; CHECKS.len()],
    pairs: u64,
    abandoned: u64,
}

impl Tally {
    fn share(&self, check: usize) -> f64 {
        self.failed[check] as f64 / self.pairs.max(1) as f64
    }
}

fn main() -> ExitCode {
    let formulas = benches::argument(1, 200) as usize;
    let series = series();
    let points: Vec<Point> = series.iter().flat_map(|series| series.points.clone()).collect();
    let tallies = measured(&points, formulas);
    let population = MUTANTS.iter().filter(|mutant| !mutant.misbehaves()).count();
    println!("{population} mutants, {formulas} formulas and their negations for each line, structures of 100 states");
    let mut panels = Vec::new();
    let mut rest = &tallies[..];
    for Series { across, points } in &series {
        let (own, others) = rest.split_at(points.len());
        rest = others;
        print_table(across, points, own);
        let curve = |(check, name): (usize, &&'static str)| Curve {
            name,
            points: points.iter().zip(own).map(|(point, tally)| (point.value, tally.share(check))).collect(),
        };
        panels.push(Panel { across: (*across).to_owned(), curves: CHECKS.iter().enumerate().map(curve).collect() });
    }
    let abandoned: u64 = tallies.iter().map(|tally| tally.abandoned).sum();
    println!("\n{abandoned} exact comparisons were abandoned; they count as equal");
    let Some(file) = std::env::args().nth(2) else { return ExitCode::SUCCESS };
    let title = "Share of the pairs of a mutant and a formula in which a check fails";
    match std::fs::write(&file, plot(title, &panels)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{file}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print_table(across: &str, points: &[Point], tallies: &[Tally]) {
    println!("\n{across}");
    println!("  {:>6}  {}", "", CHECKS.map(|name| format!("{name:>24}")).join("  "));
    for (point, tally) in points.iter().zip(tallies) {
        let cells = (0..CHECKS.len()).map(|check| format!("{:>22.2} %", 100.0 * tally.share(check)));
        println!("  {:>6}  {}", point.value, cells.collect::<Vec<_>>().join("  "));
    }
}

/// The tallies of all points, on all cores.
fn measured(points: &[Point], formulas: usize) -> Vec<Tally> {
    let next = AtomicUsize::new(0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(point) = points.get(index) else { return done };
            done.push((index, measure(point, formulas)));
        }
    };
    let mut all = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker ends")).collect::<Vec<_>>()
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, tally)| tally).collect()
}

fn measure(point: &Point, count: usize) -> Tally {
    let mut set = SymbolSet::new("", point.propositions);
    set.change(&point.weights).expect("weights that can be drawn from");
    let mut translators = vec![Translator::parse("gpvw").expect("one of ours")];
    translators.extend(MUTANTS.into_iter().filter(|mutant| !mutant.misbehaves()).map(Translator::of_mutant));
    let shape = StructureShape { edge_probability: point.density, ..StructureShape::default() };
    let mut tally = Tally::default();
    for number in 0..count {
        let mut random = Random::new(number as u64);
        let symbols = point.symbols[0] + number % (point.symbols[1] + 1 - point.symbols[0]);
        let mut formulas = Formulas::new();
        let formula = set.draw(symbols, &mut formulas, &mut random);
        let structure = Arc::new(graph(&set.atoms(), shape, &mut random));
        let workplace = Workplace::without_folder(Limits::default());
        let on_graph = Trial::new(&translators, formulas, formula, structure, &workplace);
        let on_graph = on_graph.expect("nobody says stop");
        let on_path = on_graph.with_structure(&Arc::new(path(&set.atoms(), shape, &mut random)));
        count_failures(&on_graph, &on_path, &mut tally);
    }
    tally
}

fn count_failures(on_graph: &Trial, on_path: &Trial, tally: &mut Tally) {
    let inconsistent = [on_graph, on_path].map(|trial| {
        let broken = consistency::compare(trial).into_iter().filter(|comparison| comparison.fault.is_some());
        broken.map(|comparison| comparison.first).collect::<Vec<_>>()
    });
    for mutant in 1..on_graph.translator_count() {
        let differs = differs(on_graph, mutant, tally);
        let crosses = [on_graph, on_path].map(|trial| {
            let accepted =
                |translator, side| &trial.translation(translator, side).expect("an automaton").product.accepted;
            Side::BOTH.into_iter().any(|side| accepted(0, side) != accepted(mutant, side))
        });
        let failed = [
            differs,
            intersects(on_graph, mutant),
            crosses[0],
            crosses[1],
            inconsistent[0].contains(&mutant),
            inconsistent[1].contains(&mutant),
        ];
        tally.pairs += 1;
        tally.failed.iter_mut().zip(failed).for_each(|(count, failed)| *count += u64::from(failed));
    }
}

/// Whether an automaton of the mutant accepts another language than the correct one.
fn differs(trial: &Trial, mutant: usize, tally: &mut Tally) -> bool {
    Side::BOTH.into_iter().any(|side| {
        let automaton = |translator| trial.automaton(translator, side).expect("an automaton");
        let budget = Budget::unlimited().within_checks(STEPS);
        match difference(automaton(0), automaton(mutant), MOST_STATES, &budget) {
            Ok(found) => found.is_some(),
            Err(_) => {
                tally.abandoned += 1;
                false
            }
        }
    })
}

/// Whether a word is accepted for the formula and for its negation, at least one of the two by the mutant.
fn intersects(trial: &Trial, mutant: usize) -> bool {
    let letters = |translator, side| {
        let translation = trial.translation(translator, side).expect("an automaton");
        translation.over_letters.as_ref().expect("few propositions")
    };
    [(0, mutant), (mutant, 0), (mutant, mutant)]
        .into_iter()
        .any(|(one, other)| intersection::meets(letters(one, Side::Formula), letters(other, Side::Negation)))
}
