//! `lariat testbench`: translators tested against each other.

mod plan;
mod session;

use crate::arguments::{TestFormat, Testbench};
use crate::command::check::eprint;
use crate::exit::{Exit, Failure};
use crate::input::reason;
use crate::output::emit;
use crate::progress::{Steps, cancel_on_interrupt};
use crate::terminal::Terminal;
use crate::view::testbench::{Ending, Kept, Report, csv, html, json, text};
use kernel::budget::Budget;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;
use testbench::run::{Bench, Record};
use testbench::shrink::Case;
use testbench::statistics::Statistics;

/// Runs the command.
pub(crate) fn run(arguments: &Testbench, terminal: Terminal) -> Result<Exit, Failure> {
    let plan = plan::plan(arguments, terminal)?;
    let bench = Bench::new(plan)
        .map_err(|error| Failure::usage(format!("there is no place for temporary files: {}", reason(&error))))?;
    let mut keeper = Keeper::new(arguments, &bench)?;
    let started = Instant::now();
    let budget = Budget::unlimited();
    let cancel = budget.cancel_switch();
    let mut ending = match arguments.report.interactive {
        Some(pause) => session::hold(&bench, pause, &mut keeper, arguments.report.shrink_time),
        None => {
            cancel_on_interrupt(&budget);
            let steps = Steps::new(terminal.shows_progress, bench.item_count() as u64);
            bench.run(&cancel, |record, done| {
                keeper.keep(&record);
                steps.tell(done as u64, keeper.statistics.formulas - keeper.statistics.clean);
            });
            steps.finish();
            Ending::Done
        }
    };
    if cancel.load(Ordering::Relaxed) {
        ending = Ending::Interrupted;
    } else if keeper.statistics.formulas < bench.item_count() as u64 && ending == Ending::Done {
        let failed = bench.plan.stop_at_failure && keeper.statistics.has_failures();
        ending = if failed { Ending::FirstFailure } else { Ending::Time };
    }
    let seconds = started.elapsed().as_secs_f64();
    let cases = keeper.shrunk(arguments, &bench);
    let statistics = keeper.statistics;
    let report = Report { bench: &bench, statistics: &statistics, cases, seconds, ending };
    publish(arguments, &report, &keeper.rows)?;
    Ok(match ending {
        _ if statistics.has_failures() => Exit::Violated,
        Ending::Interrupted => Exit::Unknown,
        _ => Exit::Holds,
    })
}

/// Writes the report in all forms asked for.
fn publish(arguments: &Testbench, report: &Report<'_>, rows: &str) -> Result<(), Failure> {
    let files = &arguments.report;
    if let Some(path) = &files.json {
        write_file(path, &json::report(report))?;
    }
    if let Some(path) = &files.csv {
        write_file(path, rows)?;
    }
    if let Some(path) = &files.html {
        write_file(path, &html::page(report))?;
    }
    let text = match files.format {
        TestFormat::Text => text::report(report),
        TestFormat::Json => json::report(report),
        TestFormat::Csv => rows.to_owned(),
        TestFormat::Html => html::page(report),
    };
    emit(&text);
    Ok(())
}

fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    let written = std::fs::File::create(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| Failure::usage(format!("cannot write `{}`: {}", path.display(), reason(&error))))
}

/// What is kept of the records as they pass.
pub(crate) struct Keeper {
    pub(crate) statistics: Statistics,
    /// The lines of the CSV file, if one is wanted.
    rows: String,
    wants_rows: bool,
    names: Vec<String>,
    /// The first cases of each translator and check.
    cases: Vec<(usize, Case)>,
    counts: BTreeMap<(Option<usize>, Option<&'static str>), usize>,
    most: usize,
}

impl Keeper {
    fn new(arguments: &Testbench, bench: &Bench) -> Result<Self, Failure> {
        let wants_rows = arguments.report.csv.is_some() || arguments.report.format == TestFormat::Csv;
        Ok(Keeper {
            statistics: Statistics::new(bench.plan.translators.len()),
            rows: if wants_rows { csv::HEADER.to_owned() } else { String::new() },
            wants_rows,
            names: bench.plan.translators.iter().map(|translator| translator.name.clone()).collect(),
            cases: Vec::new(),
            counts: BTreeMap::new(),
            most: arguments.report.cases,
        })
    }

    /// Takes a record in.
    pub(crate) fn keep(&mut self, record: &Record) {
        self.statistics.add(record);
        if self.wants_rows {
            csv::rows(record, &self.names, &mut self.rows);
        }
        for case in &record.cases {
            let key = (case.culprit(), case.check().map(testbench::oracle::Check::name));
            let count = self.counts.entry(key).or_default();
            *count += 1;
            if *count <= self.most {
                self.cases.push((record.number, case.clone()));
            }
        }
    }

    /// The cases kept, made smaller.
    fn shrunk(&mut self, arguments: &Testbench, bench: &Bench) -> Vec<Kept> {
        let cases = std::mem::take(&mut self.cases);
        let total = cases.len();
        let shrink = |(index, (number, case)): (usize, (usize, Case))| {
            if arguments.report.no_shrink {
                return Kept { number, case, shrunk: None };
            }
            if total > 3 && index == 0 && bench.plan.translators.iter().any(|one| one.is_external()) {
                eprint(&format!("shrinking {total} cases\n"));
            }
            let shrunk = bench.shrink(&case, arguments.report.shrink_time);
            Kept { number, case, shrunk: Some(shrunk) }
        };
        cases.into_iter().enumerate().map(shrink).collect()
    }
}
