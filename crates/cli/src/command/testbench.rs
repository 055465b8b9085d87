//! `lariat testbench`: translators tested against each other.

mod analysis;
mod destination;
mod keeper;
mod line;
mod plan;
mod session;

use crate::arguments::{TestFormat, Testbench};
use crate::exit::{Exit, Failure};
use crate::input::reason;
use crate::output::emit;
use crate::progress::{Line, Steps};
use crate::signals::cancel_on_request;
use crate::terminal::Terminal;
use crate::view::testbench::{Ending, TestbenchReport, case, csv, html, json, options, text};
use destination::Destination;
use keeper::Keeper;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use testbench::run::Bench;
use testbench::translator::Workplace;

/// Runs the command.
pub(crate) fn run(arguments: &Testbench, terminal: Terminal) -> Result<Exit, Failure> {
    let mut arguments = arguments.clone();
    destination::standard_output(&mut arguments.report)?;
    let arguments = &arguments;
    let plan = plan::plan(arguments, terminal)?;
    let files = &arguments.report;
    let named = [
        ("json", files.json.as_ref()),
        ("csv", files.csv.as_ref()),
        ("html", files.html.as_ref()),
        ("save-bogus", files.save_bogus.as_ref()),
        ("grind", files.grind.as_ref()),
    ];
    let destinations = destination::open(named, &arguments.input.file)?;
    let bench = Bench::new(plan)
        .map_err(|error| Failure::usage(format!("cannot create a folder for temporary files: {}", reason(&error))))?;
    let _tidy = Tidy(&bench.workplace);
    let cancel = Arc::new(AtomicBool::new(false));
    let workplace = bench.workplace.clone();
    cancel_on_request(Arc::clone(&cancel), move || workplace.close());
    let started = Instant::now();
    let mut keeper = Keeper::new(arguments, &bench);
    let ending = test(arguments, &bench, &mut keeper, &cancel, terminal);
    let seconds = started.elapsed().as_secs_f64();
    let left = || bench.plan.time_limit.map(|limit| limit.saturating_sub(started.elapsed()));
    let line = Line::new(terminal.shows_progress);
    let cases = keeper.shrunk(&bench, &cancel, |at, count| {
        line.tell(&format!("shrinking case {at} of {count}"));
        let most = arguments.report.shrink_time;
        (!arguments.report.no_shrink).then(|| left().map_or(most, |left| left.min(most)))
    });
    line.finish();
    let statistics = &keeper.statistics;
    let options = options::options(arguments, &bench.plan);
    let report = TestbenchReport { bench: &bench, statistics, cases, seconds, ending, options };
    publish(arguments.report.format, destinations, &report, &keeper)?;
    Ok(match ending {
        _ if statistics.has_failures() => Exit::Violated,
        _ if statistics.comparisons.of == 0 => Exit::Unknown,
        // That is what was asked for.
        Ending::Time if bench.plan.is_endless => Exit::Holds,
        Ending::Interrupted | Ending::Time => Exit::Unknown,
        _ => Exit::Holds,
    })
}

/// Leaves nothing behind, however the command ends.
struct Tidy<'a>(&'a Workplace);

impl Drop for Tidy<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Carries out the plan; the keeper gets all records.
fn test(
    arguments: &Testbench,
    bench: &Arc<Bench>,
    keeper: &mut Keeper,
    cancel: &AtomicBool,
    terminal: Terminal,
) -> Ending {
    let ending = match arguments.report.interactive {
        Some(pause) => session::hold(bench, pause, keeper, arguments, cancel),
        None => {
            let count = if bench.plan.is_endless { None } else { Some(bench.item_count() as u64) };
            let steps = Steps::new(terminal.shows_progress, count);
            bench.run(cancel, |record, done| {
                keeper.keep(&record);
                steps.tell(done as u64, keeper.statistics.formulas - keeper.statistics.clean);
            });
            steps.finish();
            Ending::Done
        }
    };
    let is_short = keeper.statistics.formulas < bench.item_count() as u64;
    match ending {
        _ if cancel.load(Ordering::Relaxed) && is_short => Ending::Interrupted,
        Ending::Done if is_short && bench.plan.stop_at_failure && keeper.statistics.has_failures() => {
            Ending::FirstFailure
        }
        Ending::Done if is_short => Ending::Time,
        ending => ending,
    }
}

/// The formulas of shrunk cases, each once, one a line.
fn shrunk_formulas(report: &TestbenchReport<'_>) -> String {
    let shrunk = report.cases.iter().filter_map(|kept| kept.shrunk.as_ref());
    let formulas: BTreeSet<String> = shrunk.map(case::formula).collect();
    formulas.into_iter().map(|formula| formula + "\n").collect()
}

/// Writes the report in all forms asked for; what cannot be written keeps nothing else from being written.
fn publish(
    format: TestFormat,
    [to_json, to_csv, to_html, to_bogus, to_grind]: [Option<Destination>; 5],
    report: &TestbenchReport<'_>,
    keeper: &Keeper,
) -> Result<(), Failure> {
    let written = [
        to_json.map(|file| file.write(&json::report(report))),
        to_csv.map(|file| file.write_table(csv::HEADER, keeper.rows.strip_prefix(csv::HEADER).unwrap_or(&keeper.rows))),
        to_html.map(|file| file.write(&html::page(report))),
        to_bogus.map(|file| file.write(&keeper.bogus)),
        to_grind.map(|file| file.write(&shrunk_formulas(report))),
    ];
    let text = match format {
        TestFormat::Text => text::report(report),
        TestFormat::Json => json::report(report),
        TestFormat::Csv => keeper.rows.clone(),
        TestFormat::Html => html::page(report),
    };
    emit(&text);
    written.into_iter().flatten().collect()
}
