//! The corpus of formulas: each with the sizes and the automata of Spot.

use omega::pipeline::{Output, Preference, TranslationOptions};
use std::fs;
use std::path::Path;

/// The names of the files.
pub const FILES: [&str; 3] = ["known", "random_small", "random_large"];

/// The ways in which each formula is translated.
pub const MODES: [&str; 4] = ["büchi", "generalized", "deterministic", "negation"];

/// For each of [`MODES`] the options, and whether it is the negation that is translated.
#[must_use]
pub fn ways() -> [(TranslationOptions, bool); 4] {
    let base = TranslationOptions::default();
    [
        (base, false),
        (TranslationOptions { output: Output::Generalized, ..base }, false),
        (TranslationOptions { preference: Preference::Deterministic, ..base }, false),
        (base, true),
    ]
}

/// What Spot was asked for, by the name of the columns that hold its sizes.
pub const COLUMNS: [&str; 4] = ["spot_ba", "spot_tgba", "spot_det", "spot_neg_ba"];

/// A formula of the corpus.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it stands: file and line.
    pub place: String,
    /// The formula in Spot's syntax.
    pub formula: String,
    /// States and edges for each of [`COLUMNS`].
    pub sizes: [[usize; 2]; 4],
    /// Spot's automaton for the formula, in the HOA format.
    pub automaton: String,
    /// Spot's automaton for the negation.
    pub negation: String,
}

/// The formulas of a file of the corpus, which has a table of sizes and two files of automata beside it.
///
/// # Errors
/// If a file is missing or they do not have the same number of entries, in words.
pub fn entries(folder: &Path, name: &str) -> Result<Vec<Entry>, String> {
    let read = |suffix: &str| {
        let path = folder.join(format!("{name}.{suffix}"));
        fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let (formulas, table) = (read("ltl")?, read("sizes.csv")?);
    let (automata, negations) = (read("spot.hoa")?, read("neg.spot.hoa")?);
    let [automata, negations] = [&automata, &negations].map(|text| split(text));
    let sizes = sizes(&table)?;
    let count = formulas.lines().count();
    if [automata.len(), negations.len(), sizes.len()] != [count; 3] {
        return Err(format!("{name}: the files do not have the same number of entries"));
    }
    let entry = |(index, formula): (usize, &str)| Entry {
        place: format!("{name}:{}", index + 1),
        formula: formula.to_string(),
        sizes: sizes[index],
        automaton: automata[index].clone(),
        negation: negations[index].clone(),
    };
    Ok(formulas.lines().enumerate().map(entry).collect())
}

/// The automata of a stream, each a text.
fn split(text: &str) -> Vec<String> {
    let (mut all, mut current) = (Vec::new(), String::new());
    for line in text.split_inclusive('\n') {
        current.push_str(line);
        if line.trim_end() == "--END--" {
            all.push(std::mem::take(&mut current));
        }
    }
    all
}

/// The sizes in each row; formulas may contain commas, so columns count from the end.
fn sizes(table: &str) -> Result<Vec<[[usize; 2]; 4]>, String> {
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split(',').rev().collect();
    let mut places = [[0; 2]; 4];
    for (column, places) in COLUMNS.iter().zip(&mut places) {
        for (what, place) in ["states", "edges"].iter().zip(places) {
            let name = format!("{column}_{what}");
            *place = header.iter().position(|other| *other == name).ok_or(format!("there is no column {name}"))?;
        }
    }
    let row = |line: &str| {
        let cells: Vec<&str> = line.rsplit(',').collect();
        let mut sizes = [[0; 2]; 4];
        for (sizes, places) in sizes.iter_mut().zip(places) {
            for (size, place) in sizes.iter_mut().zip(places) {
                let number = cells.get(place).and_then(|cell| cell.parse().ok());
                *size = number.ok_or(format!("not a row of numbers: {line}"))?;
            }
        }
        Ok(sizes)
    };
    lines.map(row).collect()
}
