//! The experiment of section 4 of [blahoudek.15.spin] with our translators and our search: properties without refinement,
//! with formula refinement, with automaton refinement, with what `lariat check` does, and with short labels.
//!
//! `refine FOLDER… [--random N] [--plots FOLDER] [--mining]`
//!
//! A folder is one of models, or a corpus with a manifest. For each model with few enough states, the tasks are its own
//! properties and N random formulas (4 unless told). Printed are the tables of the paper, in Markdown, numbered as there, and
//! every task without error on which the default takes more than 1.05 times the product transitions. `--plots` writes the
//! scatter plots; `--mining` prints instead how long mining takes on each model, the largest times first.
//!
//! The exit code is 1 if verdicts differ, if there are fewer than 500 tasks, or, with `--mining`, if some model takes 5 ms.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use benches::cpu::own;
use benches::refinement::{Attempt, Measured, Outcome, Subject, Task, Verdict, files, mining};
use benches::scatter::{Change, Panel, plot};
use omega::pipeline::{Construction, Level, Options, Preference};

/// The translators, as Table 1 of the paper has them.
fn translators() -> [(&'static str, Options); 4] {
    // Reductions of automata that are larger take minutes and gigabytes.
    let best = Options { limit: 300, ..Options::default() };
    [
        ("couvreur", best),
        ("couvreur-det", Options { preference: Preference::Deterministic, ..best }),
        ("go", Options { construction: Construction::Go, level: Level::Medium, ..best }),
        ("gpvw", Options { construction: Construction::Gpvw, level: Level::Low, ..best }),
    ]
}

fn main() -> ExitCode {
    let (mut folders, mut random, mut plots, mut is_mining) = (Vec::new(), 4, None, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--random" => random = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(random),
            "--plots" => plots = arguments.next().map(PathBuf::from),
            "--mining" => is_mining = true,
            _ => folders.push(PathBuf::from(argument)),
        }
    }
    let all = match files(&folders) {
        Ok(all) => all,
        Err(message) => {
            eprintln!("refine: {message}");
            return ExitCode::from(3);
        }
    };
    if is_mining {
        return tell_mining(&mining(&all));
    }
    let mut subjects: Vec<Subject> = Vec::new();
    for (index, (file, flags)) in all.iter().enumerate() {
        let started = Instant::now();
        let first = index as u64 * random;
        subjects.extend(Subject::new(file, flags, first..first + random));
        if started.elapsed() > Duration::from_secs(5) {
            eprintln!("{} took {:.0} s to read", file.display(), started.elapsed().as_secs_f64());
        }
    }
    let count: usize = subjects.iter().map(Subject::len).sum();
    println!(
        "{count} tasks on {} models; the random formulas of model n have the seeds from n × {random}\n",
        subjects.len()
    );
    let mut fine = count >= 500;
    let mut results: Vec<(&str, Vec<Task>)> = Vec::new();
    // Without refinement, with that of formulas, with that of automata.
    let mut outcomes: Vec<Vec<[Outcome; 3]>> = Vec::new();
    for (name, options) in translators() {
        let before = own();
        let attempts = measure(&subjects, &options);
        outcomes.push(attempts.iter().map(|attempt| [attempt.plain, attempt.formula, attempt.automaton]).collect());
        let tasks: Vec<Task> = attempts.into_iter().filter_map(|attempt| attempt.task).collect();
        let seconds = own().zip(before).map_or(0.0, |(after, before)| after - before);
        eprintln!("{name}: {} of {count} tasks, {seconds:.0} s of processor time", tasks.len());
        fine &= agree(name, &tasks);
        results.push((name, tasks));
    }
    solved(&results, &outcomes, count);
    tables(&results);
    worse(&results[0].1);
    if let Some(folder) = plots {
        draw(&results[0].1, &folder);
    }
    if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints how long mining takes.
fn tell_mining(times: &[(f64, String)]) -> ExitCode {
    for (time, name) in times.iter().take(8) {
        println!("{time:8.3} ms  {name}");
    }
    let [median, most] = [times.len() / 2, 0].map(|at| times.get(at).map_or(0.0, |(time, _)| *time));
    println!("mining on {} models: median {median:.3} ms, most {most:.3} ms", times.len());
    if most < 5.0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Measures all tasks, on all processors.
fn measure(subjects: &[Subject], options: &Options) -> Vec<Attempt> {
    let places: Vec<(usize, usize)> =
        subjects.iter().enumerate().flat_map(|(at, subject)| (0..subject.len()).map(move |task| (at, task))).collect();
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((at, task)) = places.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let measured = subjects[*at].measure(*task, options);
                    done.lock().expect("no thread panics").push((*at, *task, measured));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no thread panics");
    done.sort_by_key(|(at, task, _)| (*at, *task));
    done.into_iter().filter_map(|(_, _, attempt)| attempt).collect()
}

fn variants(task: &Task) -> [(&'static str, Measured); 6] {
    [
        ("unrefined", task.plain),
        ("formula refinement", task.formula),
        ("formula refinement, short labels", task.formula_short),
        ("automaton refinement", task.automaton),
        ("automaton refinement, short labels", task.automaton_short),
        ("default", task.default),
    ]
}

/// Whether all variants of all tasks come to the same verdict. Where runs break off, what is known of the model may decide
/// what the search alone cannot; the other way round, something would be lost.
fn agree(name: &str, tasks: &[Task]) -> bool {
    let mut fine = true;
    for task in tasks {
        let verdicts = variants(task).map(|(_, measured)| measured.verdict);
        let usual = verdicts.iter().find(|verdict| **verdict != Some(Verdict::Broken)).unwrap_or(&verdicts[0]);
        let is_broken = verdicts[0] == Some(Verdict::Broken);
        let agrees = |verdict: &Option<Verdict>| verdict == usual || is_broken && *verdict == Some(Verdict::Broken);
        if !verdicts.iter().all(agrees) {
            println!("{name}: verdicts differ: {}: {verdicts:?}", task.name);
            fine = false;
        }
    }
    fine
}

/// Which tasks were solved: Tables 2, 5 and 8.
fn solved(results: &[(&str, Vec<Task>)], outcomes: &[Vec<[Outcome; 3]>], count: usize) {
    let names: Vec<&str> = results.iter().map(|(name, _)| *name).collect();
    let line = |name: &str, is: &dyn Fn(&[Outcome; 3]) -> bool| {
        let cells: Vec<String> =
            outcomes.iter().map(|all| all.iter().filter(|of| is(of)).count().to_string()).collect();
        println!("| {name} | {} |", cells.join(" | "));
    };
    let ways = ["original", "formula refinement", "automaton refinement"];
    for (title, one, other) in [
        ("Table 2: tasks solved with and without formula refinement", 0, 1),
        ("Table 5: tasks solved with and without automaton refinement", 0, 2),
        ("Table 8: tasks solved with formula refinement and with automaton refinement", 1, 2),
    ] {
        println!("{title}, of {count}\n");
        header("", &names);
        for way in [one, other] {
            let name = ways[way];
            line(&format!("{name}: automaton too large"), &|of| of[way] == Outcome::TooLarge);
            line(&format!("{name}: search cut short"), &|of| of[way] == Outcome::CutShort);
            line(&format!("{name}: solved"), &|of| of[way] == Outcome::Solved);
        }
        line("solved both ways", &|of| of[one] == Outcome::Solved && of[other] == Outcome::Solved);
        if one == 1 {
            let count = |is: fn(&Task) -> bool| move |tasks: &[Task]| tasks.iter().filter(|task| is(task)).count();
            row("`false` with formula refinement", results, count(|task| is_false(&task.formula_short)));
            row("`false` with automaton refinement", results, count(|task| is_false(&task.automaton_short)));
            row(
                "`false` both ways",
                results,
                count(|task| is_false(&task.formula_short) && is_false(&task.automaton_short)),
            );
        }
        println!();
    }
}

/// The tables about the tasks that all ways solved.
fn tables(results: &[(&str, Vec<Task>)]) {
    let names: Vec<&str> = results.iter().map(|(name, _)| *name).collect();
    println!("All that follows: tasks that were solved in all ways\n");
    header("", &names);
    row("solved in all ways", results, |tasks| tasks.len());
    let broken = |task: &&Task| task.plain.verdict == Some(Verdict::Broken);
    row("runs break off in errors, no verdict", results, |tasks| tasks.iter().filter(broken).count());
    row("of these with a verdict by default", results, |tasks| {
        tasks.iter().filter(broken).filter(|task| task.default.verdict != Some(Verdict::Broken)).count()
    });
    type Pick = fn(&Task) -> (Measured, Measured);
    let effects: [(&str, Pick); 3] = [
        ("Table 3: effect of formula refinement on automata", |task| (task.plain, task.formula)),
        ("Table 6: effect of automaton refinement", |task| (task.plain, task.automaton)),
        ("Table 9: automaton refinement beside formula refinement, where neither is `false`", |task| {
            (task.formula, task.automaton)
        }),
    ];
    for (title, pick) in effects {
        println!("\n{title}\n");
        header("effect", &names);
        let counts = |(before, after): &(Measured, Measured)| !title.contains("`false`") || are_left(before, after);
        for (effect, is) in EFFECTS {
            row(effect, results, |tasks| {
                tasks.iter().map(pick).filter(counts).filter(|(before, after)| is(before, after)).count()
            });
        }
    }
    let ratios: [(&str, Pick); 4] = [
        ("Table 4: product transitions, formula refinement over none", |task| (task.plain, task.formula_short)),
        ("Table 7: product transitions, automaton refinement over none", |task| (task.plain, task.automaton_short)),
        (
            "Table 10: product transitions, automaton refinement over formula refinement, where neither is `false`",
            |task| (task.formula_short, task.automaton_short),
        ),
        ("The default over none", |task| (task.plain, task.default)),
    ];
    for (title, pick) in ratios {
        println!("\n{title}\n");
        header("", &names);
        let only_left = title.contains("`false`");
        let counts = |(before, after): &(Measured, Measured)| !only_left || are_left(before, after);
        for (verdict, error) in [(Verdict::Absent, "without error"), (Verdict::Violated, "with error")] {
            for (class, is) in CLASSES.into_iter().skip(usize::from(only_left)) {
                row(&format!("{error}, {class}"), results, |tasks| {
                    let of = tasks.iter().filter(|task| task.plain.verdict == Some(verdict)).map(pick);
                    of.filter(counts).filter(|(before, after)| is(before, after)).count()
                });
            }
        }
    }
    lengths(results, &names);
}

type Comparison = fn(&Measured, &Measured) -> bool;

const EFFECTS: [(&str, Comparison); 7] = [
    ("+states", |a, b| b.size.states > a.size.states),
    ("−states", |a, b| b.size.states < a.size.states),
    ("=states, +edges", |a, b| b.size.states == a.size.states && b.size.edges > a.size.edges),
    ("=states, −edges", |a, b| b.size.states == a.size.states && b.size.edges < a.size.edges),
    ("=states, =edges, +transitions", |a, b| same(a, b) && b.size.transitions > a.size.transitions),
    ("=states, =edges, −transitions", |a, b| same(a, b) && b.size.transitions < a.size.transitions),
    ("no change", |a, b| same(a, b) && b.size.transitions == a.size.transitions),
];

const CLASSES: [(&str, Comparison); 4] = [
    ("false", |_, b| is_false(b)),
    ("< 0.95", |a, b| !is_false(b) && ratio(a, b) < 0.95),
    ("0.95 to 1.05", |a, b| !is_false(b) && (0.95..=1.05).contains(&ratio(a, b))),
    ("> 1.05", |a, b| !is_false(b) && ratio(a, b) > 1.05),
];

fn same(a: &Measured, b: &Measured) -> bool {
    (a.size.states, a.size.edges) == (b.size.states, b.size.edges)
}

/// An automaton without edges: nothing can be violated any more.
fn is_false(measured: &Measured) -> bool {
    measured.size.edges == 0
}

/// Whether refinement left something to search in both ways.
fn are_left(one: &Measured, other: &Measured) -> bool {
    !is_false(one) && !is_false(other)
}

fn ratio(before: &Measured, after: &Measured) -> f64 {
    after.transitions.max(1) as f64 / before.transitions.max(1) as f64
}

/// The average number of atoms in a label.
fn lengths(results: &[(&str, Vec<Task>)], names: &[&str]) {
    println!("\nSection 5: average length of a label, in atoms\n");
    header("", names);
    for index in 0..6 {
        let average = |tasks: &[Task]| {
            let of = tasks.iter().map(|task| variants(task)[index].1.size);
            let (length, edges) = of.fold((0, 0), |(l, e), size| (l + size.label_length, e + size.edges));
            format!("{:.2}", length as f64 / edges.max(1) as f64)
        };
        let name = results[0].1.first().map_or("", |task| variants(task)[index].0);
        let cells: Vec<String> = results.iter().map(|(_, tasks)| average(tasks)).collect();
        println!("| {name} | {} |", cells.join(" | "));
    }
}

fn header(first: &str, names: &[&str]) {
    println!("| {first} | {} |", names.join(" | "));
    println!("|---|{}", "---:|".repeat(names.len()));
}

fn row(name: &str, results: &[(&str, Vec<Task>)], count: impl Fn(&[Task]) -> usize) {
    let cells: Vec<String> = results.iter().map(|(_, tasks)| count(tasks).to_string()).collect();
    println!("| {name} | {} |", cells.join(" | "));
}

/// The tasks without error that the default makes dearer, and what all of it costs.
fn worse(tasks: &[Task]) {
    let dearer = |task: &&Task| task.plain.verdict == Some(Verdict::Absent) && ratio(&task.plain, &task.default) > 1.05;
    println!("\nWorse by default, without error: {}\n", tasks.iter().filter(dearer).count());
    for task in tasks.iter().filter(dearer) {
        let (before, after) = (task.plain, task.default);
        println!(
            "- {} → {} transitions, {} → {} states, {} → {} with a choice, {}: {}",
            before.transitions,
            after.transitions,
            before.size.states,
            after.size.states,
            before.size.nondeterministic,
            after.size.nondeterministic,
            task.way.name(),
            task.name
        );
    }
    let sum = |pick: fn(&Task) -> u64| {
        tasks.iter().filter(|t| t.plain.verdict == Some(Verdict::Absent)).map(pick).sum::<u64>()
    };
    println!(
        "product transitions of all tasks without error: {} → {}",
        sum(|t| t.plain.transitions),
        sum(|t| t.default.transitions)
    );
    let mut extra: Vec<f64> = tasks.iter().map(|task| task.mining + task.translating.1).collect();
    extra.sort_by(f64::total_cmp);
    let at = |share: usize| extra.get(extra.len() * share / 100).copied().unwrap_or_default() * 1e3;
    let most = extra.last().copied().unwrap_or_default() * 1e3;
    let slowest = tasks.iter().max_by(|a, b| (a.mining + a.translating.1).total_cmp(&(b.mining + b.translating.1)));
    println!("mining and all refinements of a task: median {:.1} ms, 95 % {:.1} ms, most {most:.1} ms", at(50), at(95));
    println!("that one is {}", slowest.map_or("none", |task| &task.name));
}

/// Writes the plots: figures 2, 4 and 6 of the paper, and the default.
fn draw(tasks: &[Task], folder: &std::path::Path) {
    type Pick = fn(&Task) -> (Measured, Measured);
    let pictures: [(&str, &str, &str, Pick); 4] = [
        ("refine-formula.svg", "unrefined", "formula refinement", |task| (task.plain, task.formula_short)),
        ("refine-automaton.svg", "unrefined", "automaton refinement", |task| (task.plain, task.automaton_short)),
        ("refine-both.svg", "formula refinement", "automaton refinement", |task| {
            (task.formula_short, task.automaton_short)
        }),
        ("refine-default.svg", "unrefined", "lariat check", |task| (task.plain, task.default)),
    ];
    for (file, before, after, pick) in pictures {
        let panel = |title: &str, verdict: Verdict| {
            let of = tasks.iter().filter(|task| task.plain.verdict == Some(verdict)).map(pick);
            let change = |a: &Measured, b: &Measured| match b.size.states.cmp(&a.size.states) {
                _ if is_false(b) => Change::Nothing,
                std::cmp::Ordering::Less => Change::Fewer,
                std::cmp::Ordering::Equal => Change::Same,
                std::cmp::Ordering::Greater => Change::More,
            };
            let points = of.map(|(a, b)| (a.transitions, b.transitions, change(&a, &b))).collect();
            Panel { title: title.into(), points }
        };
        let panels = [panel("without error", Verdict::Absent), panel("with error", Verdict::Violated)];
        let text = plot(&panels, &format!("product transitions, {before}"), &format!("product transitions, {after}"));
        let path = folder.join(file);
        if let Err(error) = std::fs::write(&path, text) {
            eprintln!("{}: {error}", path.display());
        }
    }
}
