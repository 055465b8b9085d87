//! The experiment of sections 4 and 5 of [blahoudek.15.spin]: Tables 2 to 10, Figures 2 to 7, the effect of short labels.
//!
//! `refine [FOLDER…] [--quick] [--random N] [--seed N] [--most-states N] [--search-limit SECONDS] [--plots FOLDER] [--mining]`
//!
//! Without folders, the models are those of this repository: 15 families with several parameters and eight more, 90 instances
//! of up to five million states. A folder is one of models, or a corpus with a manifest. The tasks of a model are its own
//! properties and random formulas over the locations of its processes and the values of its variables: 12 for a small model
//! (`--random`), half and a quarter as many from 6,000 and 60,000 states on, and one from 600,000 on, where only our default
//! translator and SPIN's take part. Seeds are printed.
//!
//! The translators are ours, and SPIN, LTL2BA, LTL3BA and Spot where they are installed. The searches are ours and SPIN's, each
//! with and without partial-order reduction; SPIN's are skipped, with a message, where SPIN or gcc is missing.
//!
//! `--quick` takes models of at most 3,000 states, and two random formulas each. `--plots` draws the figures.
//! `--mining` prints instead how long mining takes on each model, the largest times first.
//!
//! The exit code is 1 if verdicts differ, if there are fewer than 500 tasks without `--quick` and folders, or, with `--mining`,
//! if some model takes 5 ms or more; 3 if a folder or an option cannot be read.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use benches::refine::instances::{Instance, below, shipped};
use benches::refine::measure::{Plan, Result as TaskResult};
use benches::refine::tasks::Subject;
use benches::refine::translators::Translator;
use benches::refine::{Search, figures, labels, mining, pan, tables};
use benches::spin;

/// The fewest tasks of the whole experiment.
const FEWEST: usize = 500;

/// How long one translation by another tool may take, in the whole experiment and with `--quick`.
const TRANSLATION: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(2)];

struct Arguments {
    folders: Vec<PathBuf>,
    is_quick: bool,
    random: u64,
    seed: u64,
    most_states: u64,
    search_limit: u64,
    plots: Option<PathBuf>,
    is_mining: bool,
}

fn arguments() -> Result<Arguments, String> {
    let is_quick = std::env::args().any(|argument| argument == "--quick");
    let (random, most_states, search_limit) = if is_quick { (2, 3_000, 10) } else { (12, 5_100_000, 60) };
    let mut all = Arguments {
        folders: Vec::new(),
        is_quick,
        random,
        seed: 1,
        most_states,
        search_limit,
        plots: None,
        is_mining: false,
    };
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        let mut value = || given.next().ok_or(format!("{argument} needs a value"));
        let number = |text: String| text.replace(['_', ','], "").parse().map_err(|_| format!("not a number: {text}"));
        match argument.as_str() {
            "--quick" => {}
            "--random" => all.random = number(value()?)?,
            "--seed" => all.seed = number(value()?)?,
            "--most-states" => all.most_states = number(value()?)?,
            "--search-limit" => all.search_limit = number(value()?)?,
            "--plots" => all.plots = Some(value()?.into()),
            "--mining" => all.is_mining = true,
            option if option.starts_with('-') => return Err(format!("there is no option {option}")),
            folder => all.folders.push(folder.into()),
        }
    }
    Ok(all)
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| run(&arguments)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("refine: {message}");
            ExitCode::from(3)
        }
    }
}

fn run(arguments: &Arguments) -> Result<bool, String> {
    let started = Instant::now();
    let has_folders = !arguments.folders.is_empty();
    let instances = if has_folders {
        below(&arguments.folders)?
    } else {
        shipped(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../models"))
    };
    if arguments.is_mining {
        return Ok(tell_mining(&instances));
    }
    let subjects = subjects(&instances, arguments);
    let count: usize = subjects.iter().map(|subject| subject.tasks.len()).sum();
    let largest = subjects.iter().map(|subject| subject.states).max().unwrap_or(0);
    println!(
        "{count} tasks on {} models of up to {largest} states; {} random formulas for a small model, seeds from {}\n",
        subjects.len(),
        arguments.random,
        arguments.seed
    );
    let has_spin = spin::installed();
    let searches: Vec<Search> = Search::ALL.into_iter().filter(|search| has_spin || !search.is_pan()).collect();
    if !has_spin {
        println!("SPIN and gcc are not installed: searches by SPIN are skipped\n");
    }
    let (others, missing) = Translator::of_the_paper(TRANSLATION[usize::from(arguments.is_quick)])?;
    for name in missing {
        println!("{name} is not installed: skipped");
    }
    let translators: Vec<Translator> = Translator::ours().into_iter().chain(others).collect();
    let plan = Plan { patience: Duration::from_secs(arguments.search_limit), searches, translators };
    let results = plan.measure(&subjects);
    let names: Vec<&str> = plan.translators.iter().map(|translator| translator.name).collect();
    println!("\n{}", tables::all(&results, &names, &plan.searches));
    print!("{}", labels::table(&subjects, &results, &plan.translators[0], has_spin));
    if let Some(folder) = &arguments.plots {
        for search in &plan.searches {
            for name in figures::write(&results, &names, *search, folder)? {
                eprintln!("{}", folder.join(name).display());
            }
        }
    }
    let is_agreed = agree(&results);
    println!("{count} tasks in {:.0} s", started.elapsed().as_secs_f64());
    Ok(is_agreed && (arguments.is_quick || has_folders || count >= FEWEST))
}

/// The models with their tasks; each has seeds of its own.
fn subjects(instances: &[Instance], arguments: &Arguments) -> Vec<Subject> {
    let mut subjects = Vec::new();
    for (number, instance) in
        instances.iter().enumerate().filter(|(_, instance)| pan::is_self_contained(&instance.file))
    {
        let seed = arguments.seed + number as u64 * 1_000;
        subjects.extend(Subject::new(instance, arguments.most_states, arguments.random, seed));
    }
    subjects
}

/// Whether all searches of all automata of each task agree.
fn agree(results: &[TaskResult]) -> bool {
    let mut is_agreed = true;
    for result in results.iter().filter(|result| !result.agrees()) {
        println!("verdicts differ: {}: {:?}", result.name, result.rows);
        is_agreed = false;
    }
    let searched: usize = results.iter().map(|result| result.verdicts.len()).sum();
    println!("{searched} searches of different automata came to their end; their verdicts agree: {is_agreed}");
    is_agreed
}

/// Prints how long mining takes; whether it is less than 5 ms on each model.
fn tell_mining(instances: &[Instance]) -> bool {
    let times = mining::times(instances);
    for (time, name) in times.iter().take(8) {
        println!("{time:8.3} ms  {name}");
    }
    let [median, most] = [times.len() / 2, 0].map(|at| times.get(at).map_or(0.0, |(time, _)| *time));
    println!("mining on {} models: median {median:.3} ms, most {most:.3} ms", times.len());
    most < 5.0
}
