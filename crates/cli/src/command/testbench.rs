//! `lariat testbench`: translators tested against each other.

mod keeper;
mod plan;
mod session;

use crate::arguments::{TestFormat, Testbench};
use crate::exit::{Exit, Failure};
use crate::input::reason;
use crate::output::emit;
use crate::progress::{Line, Steps};
use crate::signals::cancel_on_request;
use crate::terminal::Terminal;
use crate::view::testbench::{Ending, Report, html, json, text};
use keeper::Keeper;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use testbench::run::Bench;
use testbench::translator::Workplace;

/// Runs the command.
pub(crate) fn run(arguments: &Testbench, terminal: Terminal) -> Result<Exit, Failure> {
    let plan = plan::plan(arguments, terminal)?;
    let bench = Bench::new(plan)
        .map_err(|error| Failure::usage(format!("there is no place for temporary files: {}", reason(&error))))?;
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
    let report = Report { bench: &bench, statistics, cases, seconds, ending };
    publish(arguments, &report, &keeper.rows)?;
    Ok(match ending {
        _ if statistics.has_failures() => Exit::Violated,
        Ending::Interrupted | Ending::Time => Exit::Unknown,
        _ if statistics.comparisons.of == 0 => Exit::Unknown,
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
        Some(pause) => session::hold(bench, pause, keeper, arguments.report.shrink_time, cancel),
        None => {
            let steps = Steps::new(terminal.shows_progress, bench.item_count() as u64);
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
