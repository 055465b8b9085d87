//! Table 1 of [shen.05.charme] for the violated properties of SMV models: what stripping leaves of each counterexample.
//!
//! Contract: all columns but those in seconds are the same on every machine, as long as no limit is reached. A test compares
//! the table in `benches/README.md`; `UPDATE_EXPECT=1 cargo test -p lariat-benches --lib` writes the current one there.

use checker::options::Strip;
use checker::report::{PropertyKind, PropertyReport};
use checker::{Model, Options, Selection, check};
use kernel::budget::Budget;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The efforts in the order of the columns: as published, then ours.
const EFFORTS: [(&str, Strip); 4] =
    [("paper", Strip::Paper), ("guided", Strip::Guided), ("irredundant", Strip::Irredundant), ("exact", Strip::Exact)];

/// The models of the repository.
#[must_use]
pub fn own_models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/smv")
}

/// What one effort made of one counterexample.
#[derive(Clone, Copy, Debug)]
struct Cell {
    values: usize,
    bits: usize,
    seconds: f64,
    is_minimum: bool,
}

/// One counterexample.
#[derive(Clone, Debug)]
pub struct Row {
    name: String,
    length: usize,
    is_loop: bool,
    values: usize,
    bits: usize,
    /// Seconds without stripping.
    seconds: f64,
    cells: [Option<Cell>; EFFORTS.len()],
}

/// The SMV models below some folders, in order of their paths.
#[must_use]
pub fn models(mut folders: Vec<PathBuf>) -> Vec<PathBuf> {
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
    models
}

/// The rows of one model, for its violated properties of ACTL; of `all_kinds`, for LTL, invariants and deadlocks, too. An
/// effort that reaches the time limit has no cells.
#[must_use]
pub fn rows(model: &Path, limit: Option<Duration>, all_kinds: bool) -> Vec<Row> {
    let text = std::fs::read_to_string(model).unwrap_or_default();
    let stem = model.file_stem().unwrap_or_default().to_string_lossy();
    let mut rows: Vec<Row> = Vec::new();
    for (column, (_, effort)) in EFFORTS.into_iter().enumerate() {
        let budget = limit.map_or_else(Budget::unlimited, |limit| Budget::unlimited().within(limit));
        let Ok(model) = Model::smv_within(&stem, &text, &budget) else { continue };
        let mut options = Options::default();
        options.smv.strip = effort;
        let Ok(report) = check(&model, &Selection::all(), &options, &budget, &mut ()) else { continue };
        for property in report.properties.iter().filter(|property| all_kinds || is_actl(property)) {
            let Some(shown) = property.counterexamples().first() else { continue };
            let Some(stripped) = shown.minimised() else { continue };
            let name = format!("{stem} {}", property.name);
            let at = rows.iter().position(|row| row.name == name).unwrap_or_else(|| {
                rows.push(Row {
                    name,
                    length: shown.length(),
                    is_loop: !shown.cycle.is_empty(),
                    values: stripped.values_before,
                    bits: stripped.bits_before,
                    seconds: property.seconds.total() - stripped.seconds,
                    cells: [None; EFFORTS.len()],
                });
                rows.len() - 1
            });
            rows[at].cells[column] = Some(Cell {
                values: stripped.values_after,
                bits: stripped.bits_after,
                seconds: stripped.seconds,
                is_minimum: stripped.minimum,
            });
        }
    }
    rows
}

fn is_actl(property: &PropertyReport) -> bool {
    property.kind == PropertyKind::Ctl && property.formula.as_deref().is_some_and(is_universal)
}

/// Whether a formula has no operator about some path; negations stand at the atoms of such formulas.
fn is_universal(formula: &str) -> bool {
    let words = formula.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.');
    let some_path = ["E", "EX", "EF", "EG", "EBF", "EBG"];
    let mut words = words.filter(|word| !word.is_empty());
    !words.any(|word| some_path.contains(&word)) && !["!A", "!(A"].iter().any(|text| formula.contains(text))
}

/// The table in the form of the paper: length, and variables over all states and seconds, before and after; a variable of
/// which a bit is left counts. Then the same in bits, and what the other efforts leave, in variables. Without the columns in
/// seconds if it is not `timed`.
#[must_use]
pub fn table(rows: &[Row], timed: bool) -> String {
    let widest = rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max(14);
    let seconds = |seconds: f64| if timed { format!(" {seconds:>8.4}") } else { String::new() };
    let heading = |text: &str| if timed { format!(" {text:>8}") } else { String::new() };
    let taken = heading("seconds");
    let mut text = format!(
        "{:<widest$}  {:>6}  {:>9}{taken}  {:>6}{taken}  {:>7}  {:>5}  {:>6}  {:>6}  {:>11}  {:>6}\n",
        "counterexample", "length", "variables", "paper", "removed", "bits", "paper", "guided", "irredundant", "exact"
    );
    for row in rows {
        let shape = if row.is_loop { "L" } else { "P" };
        let Row { name, length, values, .. } = row;
        let _ = write!(text, "{name:<widest$}  {length:>5}{shape}  {values:>9}{}", seconds(row.seconds));
        let _ = match row.cells[0] {
            Some(Cell { values, bits, seconds: stripping, .. }) => {
                let (removed, both) = (format!("{:.0} %", share(row.values, values)), seconds(row.seconds + stripping));
                write!(text, "  {values:>6}{both}  {removed:>7}  {:>5}  {bits:>6}", row.bits)
            }
            None => write!(text, "  {:>6}{}  {:>7}  {:>5}  {:>6}", "-", heading("-"), "-", row.bits, "-"),
        };
        for (cell, width) in row.cells[1..].iter().zip([6, 11, 6]) {
            let cell = cell.map_or("-".to_owned(), |cell| cell.values.to_string());
            let _ = write!(text, "  {cell:>width$}");
        }
        let is_given_up = row.cells[3].is_some_and(|cell| !cell.is_minimum);
        text.push_str(if is_given_up { "*\n" } else { "\n" });
    }
    for column in 0..EFFORTS.len() {
        text.push_str(&summary(rows, column, timed));
    }
    text
}

/// How much of something was removed, in per cent.
fn share(before: usize, after: usize) -> f64 {
    100.0 * (1.0 - after as f64 / before.max(1) as f64)
}

/// One line on what an effort removes, and what time that takes.
fn summary(rows: &[Row], column: usize, timed: bool) -> String {
    let done: Vec<(&Row, Cell)> = rows.iter().filter_map(|row| Some((row, row.cells[column]?))).collect();
    let sum = |of: &dyn Fn(&(&Row, Cell)) -> usize| done.iter().map(of).sum::<usize>();
    let (bits, left) = (sum(&|(row, _)| row.bits), sum(&|(_, cell)| cell.bits));
    let (values, values_left) = (sum(&|(row, _)| row.values), sum(&|(_, cell)| cell.values));
    let shares = done.iter().map(|(row, cell)| share(row.values, cell.values));
    let (least, most) = shares.fold((100.0_f64, 0.0_f64), |(least, most), share| (least.min(share), most.max(share)));
    let time = match timed {
        true => {
            let alone: f64 = done.iter().map(|(row, _)| row.seconds).sum();
            let stripping: f64 = done.iter().map(|(_, cell)| cell.seconds).sum();
            format!("; {alone:.2} s before and {:.2} s after", alone + stripping)
        }
        false => String::new(),
    };
    format!(
        "{}: {values_left} of {values} variables left, {left} of {bits} bits; between {least:.0} % and {most:.0} % of the \
         variables removed{time}\n",
        EFFORTS[column].0
    )
}

#[cfg(test)]
mod tests {
    use super::{models, own_models, rows, table};
    use std::path::Path;

    /// The line before the table.
    const BEGIN: &str = "<!-- actl -->\n```\n";

    /// The line after it.
    const END: &str = "```\n<!-- actl -->\n";

    #[test]
    fn the_table_in_the_documents_is_current() {
        let rows: Vec<_> = models(vec![own_models()]).iter().flat_map(|model| rows(model, None, true)).collect();
        let current = table(&rows, false);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
        let page = std::fs::read_to_string(&path).expect("the page");
        let begin = page.find(BEGIN).expect("a table") + BEGIN.len();
        let end = begin + page[begin..].find(END).expect("the end of the table");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, format!("{}{current}{}", &page[..begin], &page[end..])).expect("the page is written");
            return;
        }
        let hint = "run `UPDATE_EXPECT=1 cargo test -p lariat-benches --lib`";
        assert_eq!(page[begin..end], current, "the table in benches/README.md is not current: {hint}");
    }
}
