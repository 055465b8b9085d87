//! Prints the shape of Table 1 of [shen.05.charme] for the violated properties of SMV models.
//!
//! `actl FOLDER… [--time-limit SECONDS] [--all-kinds]`
//!
//! For each false specification of ACTL below the folders: the length of the counterexample, its values (variables
//! over all states) before and after stripping, and the seconds before and after, for the paper's algorithms, the
//! irredundant pass and the exact search. `--all-kinds` adds LTL and invariants. A star marks an exact search that was
//! given up and kept the irredundant result.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use benches::lariat;
use serde_json::Value;

/// The efforts, in the order of the columns.
const EFFORTS: [&str; 3] = ["paper", "irredundant", "exact"];

/// What one effort made of one counterexample.
#[derive(Clone, Copy, Default)]
struct Cell {
    values: u64,
    bits: u64,
    seconds: f64,
    minimum: bool,
}

/// One counterexample.
#[derive(Default)]
struct Row {
    length: u64,
    is_loop: bool,
    before: u64,
    bits: u64,
    seconds: f64,
    cells: [Option<Cell>; 3],
}

fn main() -> ExitCode {
    let (mut folders, mut limit, mut all_kinds) = (Vec::new(), "60".to_owned(), false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--time-limit" => limit = arguments.next().unwrap_or_default(),
            "--all-kinds" => all_kinds = true,
            folder => folders.push(PathBuf::from(folder)),
        }
    }
    let mut models = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match path.extension().and_then(|end| end.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("smv") => models.push(path),
                _ => {}
            }
        }
    }
    models.sort();
    if models.is_empty() {
        eprintln!("actl: no models; usage: actl FOLDER… [--time-limit SECONDS] [--all-kinds]");
        return ExitCode::from(3);
    }
    let mut rows = Vec::new();
    for model in &models {
        rows.extend(measure(model, &limit, all_kinds));
    }
    print(&rows);
    ExitCode::SUCCESS
}

/// All rows of one model.
fn measure(model: &Path, limit: &str, all_kinds: bool) -> Vec<(String, Row)> {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for (column, effort) in EFFORTS.iter().enumerate() {
        let options = ["--strip".into(), (*effort).into(), "--time-limit".into(), format!("{limit}s")];
        let report = lariat::check(model, &options).report.unwrap_or_default();
        for property in report["properties"].as_array().into_iter().flatten() {
            let (shown, kind) = (&property["counterexample"], property["kind"].as_str().unwrap_or_default());
            let minimised = &shown["minimised"];
            let universal = kind == "ctl" && is_universal(property["formula"].as_str().unwrap_or_default());
            if minimised.is_null() || !(universal || all_kinds && kind != "ctl") {
                continue;
            }
            let number = |value: &Value| value.as_u64().unwrap_or(0);
            let stem = model.file_stem().unwrap_or_default().to_string_lossy();
            let row = rows.entry(format!("{stem} {}", property["name"].as_str().unwrap_or_default())).or_default();
            let stages = property["seconds"].as_object();
            let all: f64 = stages.into_iter().flatten().filter_map(|(_, seconds)| seconds.as_f64()).sum();
            let spent = property["seconds"]["shorten"].as_f64().unwrap_or(0.0);
            row.length = number(&shown["length"]);
            row.is_loop = shown["loop"].as_array().is_some_and(|steps| !steps.is_empty());
            row.before = number(&minimised["values_before"]);
            row.bits = number(&minimised["bits_before"]);
            row.seconds = all - spent;
            row.cells[column] = Some(Cell {
                values: number(&minimised["values_after"]),
                bits: number(&minimised["bits_after"]),
                seconds: spent,
                minimum: minimised["minimum"] == true,
            });
        }
    }
    rows.into_iter().collect()
}

/// Whether a formula has no operator about some path; negations stand at the atoms of such formulas.
fn is_universal(formula: &str) -> bool {
    let words = formula.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.');
    let some_path = ["E", "EX", "EF", "EG", "EBF", "EBG"];
    let mut words = words.filter(|word| !word.is_empty());
    !words.any(|word| some_path.contains(&word)) && !["!A", "!(A"].iter().any(|text| formula.contains(text))
}

fn print(rows: &[(String, Row)]) {
    let widest = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(14);
    println!(
        "{:<widest$}  {:>6}  {:>7} {:>9}  {:>7} {:>9}  {:>7} {:>9}  {:>7}  {:>9}",
        "counterexample", "length", "values", "seconds", "paper", "seconds", "irred.", "seconds", "exact", "seconds"
    );
    for (name, row) in rows {
        let shape = if row.is_loop { "L" } else { "P" };
        print!("{name:<widest$}  {:>5}{shape}  {:>7} {:>9.4}", row.length, row.before, row.seconds);
        for (cell, effort) in row.cells.iter().zip(EFFORTS) {
            match cell {
                Some(cell) => {
                    let star = if effort == "exact" && !cell.minimum { "*" } else { " " };
                    print!("  {:>7}{star}{:>8.4}", cell.values, row.seconds + cell.seconds);
                }
                None => print!("  {:>7} {:>8}", "-", "-"),
            }
        }
        println!();
    }
    for (column, effort) in EFFORTS.iter().enumerate() {
        summary(rows, column, effort);
    }
    let beaten = |row: &&(String, Row)| match (row.1.cells[0], row.1.cells[1]) {
        (Some(paper), Some(pass)) => pass.bits < paper.bits,
        _ => false,
    };
    let open = rows.iter().filter(|(_, row)| row.cells[0].is_some() && row.cells[1].is_some()).count();
    println!("the irredundant pass drops further literals in {} of {open}", rows.iter().filter(beaten).count());
}

/// One line on what an effort removes, and for what time.
fn summary(rows: &[(String, Row)], column: usize, effort: &str) {
    let done: Vec<(&Row, Cell)> = rows.iter().filter_map(|(_, row)| Some((row, row.cells[column]?))).collect();
    let share = |row: &Row, cell: &Cell| 100.0 * (1.0 - cell.values as f64 / row.before.max(1) as f64);
    let shares: Vec<f64> = done.iter().map(|(row, cell)| share(row, cell)).collect();
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    let most = shares.iter().copied().fold(0.0, f64::max);
    let (before, after) = done.iter().fold((0, 0), |sum, (row, cell)| (sum.0 + row.before, sum.1 + cell.values));
    let (bits_before, bits_after) = done.iter().fold((0, 0), |sum, (row, cell)| (sum.0 + row.bits, sum.1 + cell.bits));
    let (alone, both) =
        done.iter().fold((0.0, 0.0), |sum, (row, cell)| (sum.0 + row.seconds, sum.1 + row.seconds + cell.seconds));
    println!(
        "{effort}: {after} of {before} values left ({bits_after} of {bits_before} bits), between {least:.0} % and {most:.0} % removed, \
         {alone:.2} s before and {both:.2} s after"
    );
}
