//! Plain data in rows and columns, as text and as HTML; and the tables of a report.
//!
//! Tables 1 to 3 have the layout of those in [tauriainen.00.spin].

use super::TestbenchReport;
use super::html::escaped;
use crate::view::number;
use testbench::oracle::Check;
use testbench::run::StructureKind;
use testbench::statistics::{MEASURES, Ratio, Score};

/// A table with a heading row.
pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) heading: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
    /// How many columns, from the left, hold words: they are flush left.
    words: usize,
}

impl Table {
    /// The table with columns set by width.
    pub(crate) fn text(&self) -> String {
        let lines = || std::iter::once(&self.heading).chain(&self.rows);
        let width = |column: usize| lines().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
        let widths: Vec<usize> = (0..self.heading.len()).map(|column| width(column).unwrap_or(0)).collect();
        let mut text = format!("{}\n", self.title);
        for row in lines() {
            let cell = |(column, cell): (usize, &String)| match column < self.words {
                true => format!("{cell:<width$}", width = widths[column]),
                false => format!("{cell:>width$}", width = widths[column]),
            };
            let line: Vec<String> = row.iter().enumerate().map(cell).collect();
            text.push_str(&format!("  {}\n", line.join("  ").trim_end()));
        }
        text
    }

    /// The table for a page.
    pub(crate) fn html(&self) -> String {
        let cells = |row: &[String], tag: &str| {
            let cell = |(column, cell): (usize, &String)| {
                let class = if column < self.words { " class=\"word\"" } else { "" };
                format!("<{tag}{class}>{}</{tag}>", escaped(cell))
            };
            row.iter().enumerate().map(cell).collect::<String>()
        };
        let rows: String = self.rows.iter().map(|row| format!("<tr>{}</tr>\n", cells(row, "td"))).collect();
        let (title, heading) = (escaped(&self.title), cells(&self.heading, "th"));
        format!("<table><caption>{title}</caption>\n<thead><tr>{heading}</tr></thead>\n<tbody>{rows}</tbody></table>\n")
    }
}

/// All tables of a report.
pub(crate) fn tables(report: &TestbenchReport<'_>) -> Vec<Table> {
    let mut tables = vec![generation(report)];
    for (number, kind) in [(2, StructureKind::Graph), (3, StructureKind::Path)] {
        if report.bench.plan.kinds.contains(&kind) {
            tables.push(comparison(report, number, kind));
        }
    }
    tables.push(verdicts(report));
    let is_varied = report.statistics.sizes().len() > 1;
    tables.extend(is_varied.then(|| checks_by_symbols(report)));
    tables.push(sizes(report));
    tables.extend(is_varied.then(|| sizes_by_symbols(report)));
    tables
}

fn scores<'a>(report: &'a TestbenchReport<'_>) -> impl Iterator<Item = (usize, &'a Score)> {
    report.statistics.scores.iter().enumerate()
}

fn ratio(ratio: Option<&Ratio>) -> String {
    ratio.map_or("—".to_owned(), |ratio| format!("{}/{}", ratio.failed, ratio.of))
}

/// Failures to produce an automaton, by size of the formula and symbol set.
fn generation(report: &TestbenchReport<'_>) -> Table {
    let sets = report.sets();
    let mut heading = vec!["symbols".to_owned(), "implementation".to_owned()];
    heading.extend(sets.iter().cloned());
    let mut rows = Vec::new();
    for size in report.statistics.sizes() {
        for (translator, score) in scores(report) {
            let shown = if translator == 0 { size.to_string() } else { String::new() };
            let mut row = vec![shown, report.name(translator).to_owned()];
            row.extend((0..sets.len()).map(|set| ratio(score.generation.get(&(size, set)))));
            rows.push(row);
        }
    }
    let title = "Table 1. Büchi automaton generation failures / attempts, by formula symbol set";
    Table { title: title.to_owned(), heading, rows, words: 2 }
}

/// Consistency and cross-comparison, by symbol set.
fn comparison(report: &TestbenchReport<'_>, number: u32, kind: StructureKind) -> Table {
    let mut heading = ["set", "implementation", "consistency"].map(String::from).to_vec();
    heading.extend(report.bench.plan.translators.iter().map(|translator| translator.name.clone()));
    let mut rows = Vec::new();
    for (set, name) in report.sets().iter().enumerate() {
        for (translator, score) in scores(report) {
            let shown = if translator == 0 { name.clone() } else { String::new() };
            let consistency = ratio(score.consistency.get(&(set, kind)));
            let mut row = vec![shown, report.name(translator).to_owned(), consistency];
            row.extend(scores(report).map(|(other, _)| ratio(score.cross.get(&(set, kind, other)))));
            rows.push(row);
        }
    }
    let title = format!(
        "Table {number}. Consistency check failures, and result cross-comparison failures / comparisons performed ({})",
        kind.name()
    );
    Table { title, heading, rows, words: 2 }
}

/// Failures of every kind, and blame.
fn verdicts(report: &TestbenchReport<'_>) -> Table {
    let mut heading = vec!["implementation".to_owned(), "failures".to_owned()];
    heading.extend(Check::ALL.map(|check| check.name().to_owned()));
    heading.extend(["skipped", "blamed"].map(String::from));
    let row = |(translator, score): (usize, &Score)| {
        let mut row = vec![report.name(translator).to_owned(), number(score.failure_count())];
        row.extend(Check::ALL.map(|check| ratio(score.checks.get(&check))));
        row.extend([score.skip_count(), score.blame_count()].map(number));
        row
    };
    let rows = scores(report).map(row).collect();
    let title = "Failures to translate; comparisons with a fault / performed, by check; skipped for their size; how often found wrong";
    Table { title: title.to_owned(), heading, rows, words: 1 }
}

/// Comparisons of each check for each size of formulas.
fn checks_by_symbols(report: &TestbenchReport<'_>) -> Table {
    let mut heading = vec!["symbols".to_owned(), "implementation".to_owned()];
    heading.extend(Check::ALL.map(|check| check.name().to_owned()));
    let mut rows = Vec::new();
    for size in report.statistics.sizes() {
        for (translator, score) in scores(report) {
            let shown = if translator == 0 { size.to_string() } else { String::new() };
            let mut row = vec![shown, report.name(translator).to_owned()];
            row.extend(Check::ALL.map(|check| ratio(score.checks_by_size.get(&(size, check)))));
            rows.push(row);
        }
    }
    let title = "Comparisons with a fault / performed, by formula size and check".to_owned();
    Table { title, heading, rows, words: 2 }
}

fn decimal(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        1000.0.. => format!("{value:.0}"),
        10.0..1000.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// The number of a measure that is a share, and of the one that is a time.
const DETERMINISTIC: usize = 3;
const SECONDS: usize = MEASURES.len() - 1;

/// A spread in one cell; times in milliseconds, shares in percent.
fn spread(score: &Score, measure: usize, size: Option<u64>) -> String {
    let spread = score.spread(measure, size);
    match measure {
        DETERMINISTIC => format!("{:.0} %", 100.0 * spread.mean),
        _ => {
            let factor = if measure == SECONDS { 1000.0 } else { 1.0 };
            [spread.mean, spread.median, spread.percentile95].map(|value| decimal(value * factor)).join(" ")
        }
    }
}

fn measure_names() -> impl Iterator<Item = String> {
    MEASURES.iter().map(|name| if *name == "seconds" { "ms".to_owned() } else { (*name).to_owned() })
}

/// Sizes and times over all formulas.
fn sizes(report: &TestbenchReport<'_>) -> Table {
    let mut heading = vec!["implementation".to_owned(), "automata".to_owned()];
    heading.extend(measure_names());
    let row = |(translator, score): (usize, &Score)| {
        let count: usize = score.samples.values().map(Vec::len).sum();
        let mut row = vec![report.name(translator).to_owned(), number(count as u64)];
        row.extend((0..MEASURES.len()).map(|measure| spread(score, measure, None)));
        row
    };
    let rows = scores(report).map(row).collect();
    Table { title: "Sizes and times: mean, median, 95th percentile".to_owned(), heading, rows, words: 1 }
}

/// The same for each size of formulas.
fn sizes_by_symbols(report: &TestbenchReport<'_>) -> Table {
    let mut heading = vec!["symbols".to_owned(), "implementation".to_owned()];
    heading.extend(measure_names());
    let mut rows = Vec::new();
    for size in report.statistics.sizes() {
        for (translator, score) in scores(report) {
            let shown = if translator == 0 { size.to_string() } else { String::new() };
            let mut row = vec![shown, report.name(translator).to_owned()];
            row.extend((0..MEASURES.len()).map(|measure| spread(score, measure, Some(size))));
            rows.push(row);
        }
    }
    let title = "Sizes and times by formula size: mean, median, 95th percentile".to_owned();
    Table { title, heading, rows, words: 2 }
}
