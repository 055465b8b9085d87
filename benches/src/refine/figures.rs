//! Figures 2 to 7 of [blahoudek.15.spin]: product transitions before and after refinement as scatter plots, one panel for each
//! translator, and the improvement ratios in ascending order.

use std::cmp::Ordering;
use std::path::Path;

use super::measure::Result;
use super::tables::{Pair, formula_and_automaton, solved_both, solved_distinct};
use super::{Form, Search};
use crate::curves::{self, Curve};
use crate::scatter::{self, Change, Panel};

/// Writes the figures of one search into a folder; gives the names of the files.
///
/// # Errors
/// If a file cannot be written, in words.
pub fn write(
    results: &[Result],
    translators: &[&str],
    search: Search,
    folder: &Path,
) -> std::result::Result<Vec<String>, String> {
    let formula: Vec<(String, Vec<Pair>)> = translators
        .iter()
        .enumerate()
        .map(|(at, name)| ((*name).to_owned(), solved_both(results, at, search, (Form::Original, Form::Formula))))
        .collect();
    let automaton = vec![("all".to_owned(), solved_distinct(results, search, (Form::Simplified, Form::Automaton)))];
    let both = vec![(translators[0].to_owned(), formula_and_automaton(results, search))];
    let figures = [
        (2, &formula, "original", "formula refinement"),
        (4, &automaton, "original", "automaton refinement"),
        (6, &both, "formula refinement", "automaton refinement"),
    ];
    let mut names = Vec::new();
    for (number, series, before, after) in figures {
        let rows = [("without error", false), ("with error", true)].map(|(title, violated)| {
            let panels = series.iter().map(|(name, pairs)| panel(&format!("{name}, {title}"), pairs, violated));
            panels.collect::<Vec<_>>()
        });
        let axes = [format!("product transitions, {before}"), format!("product transitions, {after}")];
        let scatter = scatter::plot(&rows, &axes[0], &axes[1]);
        let sides = [("without error", false), ("with error", true)].map(|(title, violated)| {
            (title.to_owned(), series.iter().map(|(name, pairs)| curve(name, pairs, violated)).collect::<Vec<_>>())
        });
        let ratio = format!("product transitions: {after} over {before}");
        for (number, text) in [(number, scatter), (number + 1, curves::plot(&sides, &ratio, "reduced to false"))] {
            let name = format!("refine-{}-figure-{number}.svg", search.file());
            std::fs::write(folder.join(&name), text).map_err(|error| format!("{name}: {error}"))?;
            names.push(name);
        }
    }
    Ok(names)
}

fn panel(title: &str, pairs: &[Pair], violated: bool) -> Panel {
    let change = |pair: &Pair| match pair.after.size.states.cmp(&pair.before.size.states) {
        _ if pair.after.is_false() => Change::Nothing,
        Ordering::Less => Change::Fewer,
        Ordering::Equal => Change::Same,
        Ordering::Greater => Change::More,
    };
    let of = pairs.iter().filter(|pair| pair.violated == violated);
    let points = of.map(|pair| (pair.transitions.0, pair.transitions.1, change(pair))).collect();
    Panel { title: title.to_owned(), points }
}

fn curve(name: &str, pairs: &[Pair], violated: bool) -> Curve {
    let of = pairs.iter().filter(|pair| pair.violated == violated);
    let mut points: Vec<(f64, bool)> = of.map(|pair| (pair.ratio(), pair.after.is_false())).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    Curve { name: name.to_owned(), points }
}
