//! What searches of the products of a Promela corpus cost beside one another, property by property.
//!
//! *Minimisation*, for each property that the corpus says is violated: the processor time of the breadth-first minimiser,
//! the emptiness check it begins with included, over that of a full search of the same product. What is quick is done
//! again and again until it takes long enough to be measured. *Visits*, for each property that holds: how often `gmz`,
//! `spin` and `se` enter a state. A table grows row by row, and a line on standard error sums up what is known so far, so
//! that a run which is interrupted is not lost.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the tables of a program that talks to its user")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::{corpus, cpu, properties};
use kernel::budget::Budget;
use kernel::system::System;
use search::emptiness::{self, Emptiness, End};
use search::explore::{self, Until};
use search::meter::Statistics;
use search::product::EdgeOrder;
use search::shorten::{self, Shortening};
use search::store::Store;
use testbench::liveness::{Liveness, LivenessProduct};

/// What is quicker than this is repeated, in seconds.
const LEAST_SECONDS: f64 = 0.03;

/// What to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The time of minimisation, where there is a violation.
    Minimisation,
    /// The states that nested searches enter, where there is none.
    Visits,
}

/// How to measure.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The corpus.
    pub folder: PathBuf,
    /// What to measure.
    pub measure: Measure,
    /// How long one search may take.
    pub patience: Duration,
    /// When to stop.
    pub within: Duration,
    /// Part of the names of models to look at.
    pub only: String,
}

/// Measures, and prints the table and what it comes to.
///
/// # Errors
/// If the corpus cannot be read.
pub fn tell(settings: &Settings) -> Result<(), String> {
    let (started, mut table) = (Instant::now(), Table::new(settings.measure));
    let wanted = match settings.measure {
        Measure::Visits => "holds",
        Measure::Minimisation => "violated",
    };
    let mut left_out = 0;
    for model in corpus::models(&settings.folder)?.iter().filter(|model| model.id.contains(&settings.only)) {
        let Ok(program) = properties::load(&model.file, &model.flags) else { continue };
        if !program.ltl.iter().any(|block| model.expect["claims"][&block.name] == wanted) {
            continue;
        }
        let Ok(list) = properties::properties(&program) else { continue };
        for (property, liveness) in list.iter().filter(|(name, _)| model.expect["claims"][name] == wanted) {
            if started.elapsed() > settings.within {
                left_out += 1;
                continue;
            }
            let name = format!("{} {property}", model.id.rsplit('/').next().unwrap_or(&model.id));
            table.add(&name, liveness, settings.patience);
            eprintln!("so far: {}", table.summary());
        }
    }
    println!("\n{}; not begun: {left_out}", table.summary());
    Ok(())
}

/// The rows of a run.
enum Table {
    Minimisation { costs: Vec<Cost>, given_up: u64 },
    Visits { rows: Vec<[u64; 3]>, given_up: u64 },
}

impl Table {
    fn new(measure: Measure) -> Self {
        if measure == Measure::Visits {
            println!("{:56} {:>10} {:>10} {:>10}", "property", "gmz", "spin", "se");
            return Table::Visits { rows: Vec::new(), given_up: 0 };
        }
        println!(
            "{:56} {:>9} {:>9} {:>9} {:>9} {:>6} {:>6} {:>6}",
            "property", "states", "full s", "first s", "bfs s", "first", "least", "ratio"
        );
        Table::Minimisation { costs: Vec::new(), given_up: 0 }
    }

    fn add(&mut self, name: &str, liveness: &Liveness, patience: Duration) {
        match self {
            Table::Minimisation { costs, given_up } => match minimisation(liveness, patience) {
                Some(cost) => {
                    let Cost { states, full, first, bfs, lengths: (length, least) } = cost;
                    let ratio = cost.ratio();
                    println!(
                        "{name:56} {states:>9} {full:>9.5} {first:>9.5} {bfs:>9.5} {length:>6} {least:>6} {ratio:>6.2}"
                    );
                    costs.push(cost);
                }
                None => *given_up += 1,
            },
            Table::Visits { rows, given_up } => match visits(liveness, patience) {
                Some(row) => {
                    println!("{name:56} {:>10} {:>10} {:>10}", row[0], row[1], row[2]);
                    rows.push(row);
                }
                None => *given_up += 1,
            },
        }
    }

    fn summary(&self) -> String {
        match self {
            Table::Minimisation { costs, given_up } => format!("{}; not finished: {given_up}", distribution(costs)),
            Table::Visits { rows, given_up } => {
                let more = rows.iter().filter(|row| row[0] > row[1]).count();
                let all = |index: usize| rows.iter().map(|row| row[index]).sum::<u64>();
                format!(
                    "gmz enters more states than spin in {more} of {}; all together gmz {}, spin {}, se {}; not finished: \
                     {given_up}",
                    rows.len(),
                    all(0),
                    all(1),
                    all(2)
                )
            }
        }
    }
}

/// What one property costs, in processor seconds.
struct Cost {
    states: u64,
    full: f64,
    first: f64,
    bfs: f64,
    /// Of the first lasso, and of the shortest.
    lengths: (u64, usize),
}

impl Cost {
    fn ratio(&self) -> f64 {
        self.bfs / self.full
    }
}

fn distribution(costs: &[Cost]) -> String {
    let sorted = |of: &dyn Fn(&Cost) -> f64| {
        let mut all: Vec<f64> = costs.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        all
    };
    let at = |all: &[f64], part: f64| all.get((all.len() as f64 * part) as usize).copied().unwrap_or(f64::NAN);
    let ratios = sorted(&Cost::ratio);
    let shares = sorted(&|cost| cost.first / cost.bfs);
    let within = ratios.iter().filter(|ratio| **ratio <= 3.0).count();
    format!(
        "bfs over a full search: median {:.2}, 90 % below {:.2}, most {:.2}; within 3: {within} of {}; the first check \
         takes {:.2} of bfs in the median",
        at(&ratios, 0.5),
        at(&ratios, 0.9),
        ratios.last().copied().unwrap_or(f64::NAN),
        ratios.len(),
        at(&shares, 0.5)
    )
}

/// A minimiser's answer.
pub fn shortened<'a>(
    search: Shortening,
    product: &'a LivenessProduct<'a>,
    patience: Duration,
) -> shorten::ShorteningResult<<LivenessProduct<'a> as System>::Step> {
    let budget = Budget::unlimited().within(patience);
    let progress = &mut |_: &Statistics| {};
    let (components, store, max_length) = (true, Store::Exact, None);
    let options =
        shorten::ShorteningOptions { budget: &budget, components, store, max_length, patience: None, progress };
    search.search(product, options)
}

/// The result of some work, and the processor seconds of doing it once.
fn timed<T>(mut work: impl FnMut() -> T) -> (T, f64) {
    let mut times = 1_u32;
    loop {
        let before = cpu::own_thread();
        let started = Instant::now();
        for _ in 1..times {
            drop(work());
        }
        let result = work();
        let wall = started.elapsed().as_secs_f64();
        let seconds = before.zip(cpu::own_thread()).map_or(wall, |(before, after)| after - before);
        if seconds >= LEAST_SECONDS {
            return (result, seconds / f64::from(times));
        }
        times *= 4;
    }
}

fn minimisation(liveness: &Liveness, patience: Duration) -> Option<Cost> {
    let product = liveness.product(EdgeOrder::Automatic);
    let (report, full) = timed(|| {
        let budget = Budget::unlimited().within(patience);
        let (identity, progress) = (&|_: &explore::Occurrence<'_, _>| 0, &mut |_: &Statistics| {});
        let options = explore::ExplorationOptions {
            until: Until::Exhausted { per_kind: 0 },
            budget: &budget,
            identity,
            progress,
        };
        explore::dfs::search(&product, options)
    });
    if report.end != explore::End::Complete {
        return None;
    }
    let (outcome, bfs) = timed(|| shortened(Shortening::Bfs, &product, patience));
    let least = outcome.lasso.as_ref().filter(|_| outcome.is_minimal)?.length();
    let (_, first) = timed(|| emptiness(Emptiness::Gmz, true, &product, patience));
    Some(Cost {
        states: report.statistics.states,
        full,
        first,
        bfs,
        lengths: (outcome.first_length.unwrap_or(0), least),
    })
}

fn emptiness(
    search: Emptiness,
    components: bool,
    product: &LivenessProduct<'_>,
    patience: Duration,
) -> (End, Statistics) {
    let budget = Budget::unlimited().within(patience);
    let options =
        emptiness::EmptinessOptions { budget: &budget, components, store: Store::Exact, progress: &mut |_| {} };
    let outcome = search.search(product, options);
    (outcome.end(), outcome.statistics)
}

/// How often the nested searches enter a state; none if one is not through in time, or finds a violation.
fn visits(liveness: &Liveness, patience: Duration) -> Option<[u64; 3]> {
    let product = liveness.product(EdgeOrder::Automatic);
    let mut row = [0; 3];
    for (visits, search) in row.iter_mut().zip([Emptiness::Gmz, Emptiness::Spin, Emptiness::Se]) {
        // As the papers have them: none knows the components of the property.
        let (end, statistics) = emptiness(search, false, &product, patience);
        if end != End::Complete {
            return None;
        }
        *visits = statistics.visits;
    }
    Some(row)
}
