//! What is kept of the records as they pass: numbers, lines for the CSV file, and the first cases.

use crate::arguments::{TestFormat, Testbench};
use crate::view::testbench::{Kept, csv};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use testbench::run::{Bench, Record};
use testbench::shrink::Case;
use testbench::statistics::Statistics;

/// What is kept.
pub(crate) struct Keeper {
    pub(crate) statistics: Statistics,
    /// The lines of the CSV file, if one is wanted.
    pub(crate) rows: String,
    wants_rows: bool,
    /// The formulas with a failure, one a line.
    pub(crate) bogus: String,
    names: Vec<String>,
    /// The first cases of each translator and check.
    cases: Vec<(usize, Case)>,
    counts: BTreeMap<(Option<usize>, Option<&'static str>), usize>,
    most: usize,
}

impl Keeper {
    pub(super) fn new(arguments: &Testbench, bench: &Bench) -> Self {
        let wants_rows = arguments.report.csv.is_some() || arguments.report.format == TestFormat::Csv;
        Keeper {
            statistics: Statistics::new(bench.plan.translators.len()),
            rows: if wants_rows { csv::HEADER.to_owned() } else { String::new() },
            wants_rows,
            bogus: String::new(),
            names: bench.plan.translators.iter().map(|translator| translator.name.clone()).collect(),
            cases: Vec::new(),
            counts: BTreeMap::new(),
            most: arguments.report.cases,
        }
    }

    /// Takes a record in.
    pub(crate) fn keep(&mut self, record: &Record) {
        self.statistics.add(record);
        if self.wants_rows {
            csv::rows(record, &self.names, &mut self.rows);
        }
        if !record.is_clean() {
            self.bogus.push_str(&format!("{}\n", record.texts[0]));
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

    /// The cases kept, made smaller; `time` says for how long, given the number of the case and of all cases; none
    /// where they are to stay as they were found.
    pub(super) fn shrunk(
        &mut self,
        bench: &Arc<Bench>,
        cancel: &AtomicBool,
        time: impl Fn(usize, usize) -> Option<Duration>,
    ) -> Vec<Kept> {
        let cases = std::mem::take(&mut self.cases);
        let count = cases.len();
        let shrink = |(index, (number, case)): (usize, (usize, Case))| {
            let Some(time) = time(index + 1, count) else {
                return Kept { number, case, shrunk: None, is_cut_short: false };
            };
            if time.is_zero() || cancel.load(Ordering::Relaxed) {
                return Kept { number, case, shrunk: None, is_cut_short: true };
            }
            let (shrunk, is_complete) = bench.shrink(&case, time, cancel);
            Kept { number, case, shrunk: Some(shrunk), is_cut_short: !is_complete }
        };
        cases.into_iter().enumerate().map(shrink).collect()
    }
}
