//! Verdicts, and lengths that are said to be shortest, with and without the reductions of data: equal on random programs, for
//! safety and for random formulas, with and without fairness.
//!
//! `LARIAT_SEED` and `LARIAT_COUNT` choose other random programs.

#![allow(clippy::print_stdout, reason = "a test shows what it saw")]

use ::promela::front as promela_front;
use checker::options::{Among, Fairness, PromelaOptions, Reduction, Reductions, SearchOrder};
use checker::selection::Wanted;
use checker::{Model, Options, Report, Selection, check};
use kernel::budget::Budget;
use omega::formula::Formulas;
use omega::print::{Notation, print};
use omega::random::{FormulaShape, Random};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use testbench::generate::atom::subjects;
use testbench::generate::{data, promela};

/// What is compared with no reduction at all.
const LISTS: [&[Reduction]; 5] = [
    &[Reduction::Dead],
    &[Reduction::Slice],
    &[Reduction::Dead, Reduction::Slice],
    &[Reduction::Por, Reduction::Chain, Reduction::Dead, Reduction::Slice],
    &[Reduction::Por, Reduction::Chain, Reduction::Dead, Reduction::Slice, Reduction::Symmetry],
];

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn run(model: &Model, selection: &Selection, reductions: &Reductions, promela: &PromelaOptions) -> Report {
    let promela = PromelaOptions { reductions: reductions.clone(), ..promela.clone() };
    let mut budget = Budget::unlimited();
    budget.memory = Some(1 << 22);
    check(model, selection, &Options { promela, ..Options::default() }, &budget, &mut ()).expect("the check ends")
}

/// For each property its verdict, and the length of its counterexample if that is said to be shortest.
fn answers(report: &Report) -> Vec<(String, &'static str, Option<usize>)> {
    let answer = |property: &checker::report::PropertyReport| {
        let shortest = property.counterexamples().iter().find(|found| found.is_shortest());
        (property.name.clone(), property.verdict.words(), shortest.map(|found| found.length()))
    };
    report.properties.iter().map(answer).collect()
}

/// Programs, their seeds, and where they come from.
fn programs(default: u64) -> impl Iterator<Item = (u64, String)> {
    let (first, count) = (number("LARIAT_SEED", 1), number("LARIAT_COUNT", default));
    println!("seeds {first} to {} (LARIAT_SEED, LARIAT_COUNT)", first + count - 1);
    (first..first + count).map(|seed| (seed, if seed % 4 == 0 { promela::program(seed) } else { data::program(seed) }))
}

#[test]
fn verdicts_and_shortest_lengths_of_safety_stay_the_same() {
    let mut tally: BTreeMap<&str, usize> = BTreeMap::new();
    for (seed, text) in programs(60) {
        let model = Model::promela("random.pml", &text).expect("generated programs are right");
        // A breadth-first search is not reduced by partial order, a search for shortest runs is.
        let orders = [SearchOrder::Bfs, SearchOrder::Dfs];
        let order = orders[usize::from(seed % 2 == 1)];
        let options = PromelaOptions { order, shortest: Some(Among::Automaton), ..PromelaOptions::default() };
        let selection = Selection::only(Wanted::Safety);
        let expected = run(&model, &selection, &Reductions::OFF, &options);
        for list in LISTS {
            let found = run(&model, &selection, &Reductions::Only(list.to_vec()), &options);
            let is_cut = |report: &Report| answers(report).iter().any(|(_, verdict, _)| *verdict == "unknown");
            if is_cut(&expected) {
                // A counter may make the states too many, until it is left out.
                *tally.entry("cut").or_default() += 1;
                continue;
            }
            assert_eq!(answers(&found), answers(&expected), "seed {seed}, {list:?}\n{text}");
            for (_, verdict, _) in answers(&expected) {
                *tally.entry(verdict).or_default() += 1;
            }
        }
    }
    println!("{tally:?}");
}

/// A random formula over atoms of a program, as text.
fn formula(text: &str, seed: u64) -> Option<String> {
    let mut sources = kernel::span::SourceMap::new();
    let file = sources.add_file("random.pml", text, None);
    let (options, files) = (promela_front::PreprocessorOptions::default(), promela_front::NoFiles);
    let program = promela_front::load(&mut sources, file, &options, &files).program?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let atoms: Vec<String> = subjects(&program).concat().sample(&mut random, 2).cloned().collect();
    let mut formulas = Formulas::new();
    let size = random.random_range(3..7);
    let drawn = FormulaShape::new(size, 2).draw(&mut formulas, &mut Random::new(seed));
    let mut written = print(&formulas, drawn, Notation::Spin);
    for (index, atom) in atoms.iter().enumerate() {
        written = written.replace(&format!("p{index}"), &format!("({atom})"));
    }
    Some(written)
}

#[test]
fn verdicts_and_shortest_lengths_of_temporal_properties_stay_the_same() {
    let mut tally: BTreeMap<&str, usize> = BTreeMap::new();
    for (seed, text) in programs(60) {
        let model = Model::promela("random.pml", &text).expect("generated programs are right");
        for round in 0..3 {
            let Some(written) = formula(&text, seed * 8 + round) else { continue };
            let selection = Selection::ltl(written.clone());
            let fairness = if round == 2 { Fairness::Weak } else { Fairness::None };
            let first = round == 1;
            let shortest = (!first).then_some(Among::Automaton);
            let options = PromelaOptions { fairness, first, shortest, ..PromelaOptions::default() };
            let expected = run(&model, &selection, &Reductions::OFF, &options);
            for list in LISTS {
                let found = run(&model, &selection, &Reductions::Only(list.to_vec()), &options);
                let (ours, theirs) = (answers(&found), answers(&expected));
                if theirs[0].1 == "unknown" {
                    *tally.entry("cut").or_default() += 1;
                    continue;
                }
                let what = format!("seed {seed}, {written}, {list:?}, {fairness:?}\n{text}");
                assert_eq!(ours[0].1, theirs[0].1, "{what}");
                if let (Some(ours), Some(theirs)) = (ours[0].2, theirs[0].2) {
                    assert_eq!(ours, theirs, "{what}");
                    *tally.entry("shortest").or_default() += 1;
                }
                *tally.entry(theirs[0].1).or_default() += 1;
            }
        }
    }
    println!("{tally:?}");
}

#[test]
fn a_loop_that_closes_but_for_dead_variables_is_followed_until_it_closes() {
    // The first turn begins with another value of `x` than all others.
    let text =
        "byte g; active proctype P() { byte x = 7; do :: x = 1; g = 1 - g; (x > 0) od } ltl p { <> [] (g == 0) }";
    let model = Model::promela("random.pml", text).expect("correct");
    let selection = Selection::only(Wanted::Named("p".into()));
    for (first, list) in [(true, LISTS[0]), (false, LISTS[0]), (false, LISTS[2])] {
        let options = PromelaOptions { first, ..PromelaOptions::default() };
        let report = run(&model, &selection, &Reductions::Only(list.to_vec()), &options);
        assert_eq!(answers(&report)[0].1, "violated", "{first} {list:?}");
    }
}
