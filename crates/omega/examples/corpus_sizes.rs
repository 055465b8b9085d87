//! Sizes, speed and correctness of the translation on a file of formulas, beside those of another tool.
//!
//! ```text
//! corpus_sizes [--generalized | --deterministic | --negate] [--level LEVEL] [--with CONSTRUCTION] [--differences]
//!              FORMULAS SIZES [AUTOMATA AUTOMATA_OF_THE_NEGATIONS]
//! ```
//!
//! FORMULAS has one formula a line; SIZES is a table with commas whose columns `…_states` and `…_edges` hold the sizes of
//! the other tool (`spot_ba`, `spot_tgba`, `spot_det`, `spot_neg_ba`). With automata in the HOA format, which recognise
//! the formulas and their negations, ours are compared with them: none may have a word in common with the automaton of
//! the opposite. `--differences` lists the formulas whose automaton has another number of states, the best first.
//!
//! The exit code is 1 if an automaton is wrong or a total is larger than the other tool's.
#![allow(clippy::print_stdout, reason = "a command-line program")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use kernel::span::FileId;
use omega::automaton::Automaton;
use omega::formula::{Formula, Formulas};
use omega::io::hoa::Reader;
use omega::parse::{Syntax, parse};
use omega::pipeline::{Construction, Level, Options, Output, Preference, translate};
use omega::refine::disjoint::disjoint;

fn main() -> ExitCode {
    let request = Request::from_arguments();
    let text = std::fs::read_to_string(&request.files[0]).expect("a file of formulas");
    let theirs = read_sizes(&request.files[1], request.column);
    let [mut same, mut opposite] = [2, 3].map(|at| request.files.get(at).map(|path| read_automata(path)));
    if request.negate {
        std::mem::swap(&mut same, &mut opposite);
    }
    let (mut totals, mut wrong) = ([[0, 0], [0, 0]], 0);
    let (mut times, mut differences) = (Vec::new(), Vec::new());
    for (index, line) in text.lines().enumerate() {
        let (automaton, time) = request.translate(line, request.negate);
        times.push((time, line));
        if let (Some(same), Some(opposite)) = (&same, &opposite) {
            let (negation, _) = request.translate(line, !request.negate);
            let pairs = [(&automaton, &opposite[index]), (&negation, &same[index]), (&automaton, &negation)];
            if !pairs.into_iter().all(|(one, two)| have_no_common_word(one, two)) {
                println!("wrong: {line}");
                wrong += 1;
            }
        }
        let ours = [automaton.state_count(), automaton.edge_count()];
        for at in 0..2 {
            totals[0][at] += ours[at];
            totals[1][at] += theirs[index][at];
        }
        differences.push((ours[0] as i64 - theirs[index][0] as i64, ours, theirs[index], line));
    }
    if request.differences {
        differences.sort_unstable();
        for (difference, ours, theirs, line) in differences.iter().filter(|entry| entry.0 != 0) {
            println!("{difference:+} states: {ours:?} instead of {theirs:?}: {line}");
        }
    }
    times.sort_unstable();
    let (worst, slowest) = times[times.len() - 1];
    let larger = differences.iter().filter(|entry| entry.0 > 0).count();
    println!("{} formulas, {wrong} wrong, {larger} larger than {}", times.len(), request.column);
    println!("states: {} beside {}; edges: {} beside {}", totals[0][0], totals[1][0], totals[0][1], totals[1][1]);
    println!("time: median {:?}, worst {worst:?} for {slowest}", times[times.len() / 2].0);
    let fine = wrong == 0 && totals[0][0] <= totals[1][0] && totals[0][1] <= totals[1][1];
    ExitCode::from(u8::from(!fine))
}

/// What the arguments ask for.
struct Request {
    options: Options,
    column: &'static str,
    negate: bool,
    differences: bool,
    files: Vec<String>,
}

impl Request {
    fn from_arguments() -> Self {
        let mut request = Request {
            options: Options::default(),
            column: "spot_ba",
            negate: false,
            differences: false,
            files: Vec::new(),
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--generalized" => {
                    request.options.output = Output::Generalized;
                    request.column = "spot_tgba";
                }
                "--deterministic" => {
                    request.options.preference = Preference::Deterministic;
                    request.column = "spot_det";
                }
                "--negate" => {
                    request.negate = true;
                    request.column = "spot_neg_ba";
                }
                "--level" => request.options.level = level(&arguments.next().expect("a level")),
                "--with" => request.options.construction = construction(&arguments.next().expect("a construction")),
                "--differences" => request.differences = true,
                _ => request.files.push(argument),
            }
        }
        assert!(matches!(request.files.len(), 2 | 4), "two files, or four");
        request
    }

    /// The automaton of a formula or of its negation, and how long it took.
    fn translate(&self, line: &str, negated: bool) -> (Automaton, Duration) {
        let mut formulas = Formulas::new();
        let formula: Formula = parse(&mut formulas, line, Syntax::Spot).expect("a formula");
        let formula = if negated { formulas.not(formula) } else { formula };
        let start = Instant::now();
        let translation = translate(&mut formulas, formula, &self.options).expect("an automaton");
        (translation.automaton, start.elapsed())
    }
}

fn level(name: &str) -> Level {
    match name {
        "low" => Level::Low,
        "medium" => Level::Medium,
        "high" => Level::High,
        _ => panic!("no level is called {name}"),
    }
}

fn construction(name: &str) -> Construction {
    match name {
        "couvreur" => Construction::Couvreur,
        "go" => Construction::Go,
        "gpvw" => Construction::Gpvw,
        "tight" => Construction::Tight,
        _ => panic!("no construction is called {name}"),
    }
}

/// The states and edges of each row; formulas may contain commas, so columns count from the end.
fn read_sizes(path: &str, column: &str) -> Vec<[usize; 2]> {
    let text = std::fs::read_to_string(path).expect("a file of sizes");
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').rev().collect();
    let place = |suffix: &str| {
        let name = format!("{column}_{suffix}");
        header.iter().position(|other| *other == name).expect("a column of that name")
    };
    let places = ["states", "edges"].map(place);
    let number = |line: &str, place: usize| line.rsplit(',').nth(place).and_then(|cell| cell.parse().ok());
    lines.map(|line| places.map(|place| number(line, place).expect("a number"))).collect()
}

fn read_automata(path: &str) -> Vec<Automaton> {
    let text = std::fs::read_to_string(path).expect("a file of automata");
    Reader::new(&text, FileId(0)).map(|automaton| automaton.expect("an automaton")).collect()
}

fn have_no_common_word(one: &Automaton, two: &Automaton) -> bool {
    let (one, two) = Automaton::aligned(one, two);
    disjoint(&one, &two)
}
