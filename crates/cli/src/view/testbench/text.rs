//! The report for people: tables, then cases.

use super::case::paragraph;
use super::table::tables;
use super::{Ending, Report};
use crate::view::{count, number};
use testbench::run::Input;
use testbench::statistics::Statistics;

/// The whole report.
pub(crate) fn report(report: &Report<'_>) -> String {
    let mut text = introduction(report);
    for table in tables(report) {
        text.push_str(&format!("\n{}", table.text()));
    }
    for kept in &report.cases {
        text.push_str(&format!("\n{}", paragraph(kept, report.bench)));
    }
    text.push_str(&format!("\n{}\n", conclusion(report)));
    text
}

/// What was tried.
pub(crate) fn introduction(report: &Report<'_>) -> String {
    let Statistics { formulas, comparisons, .. } = report.statistics;
    let translators: Vec<&str> = report.bench.plan.translators.iter().map(|one| one.name.as_str()).collect();
    let kind = match &report.bench.plan.input {
        Input::Random { sizes, .. } if sizes.start() == sizes.end() => {
            format!("of {}", count(*sizes.end() as u64, "symbol"))
        }
        Input::Random { sizes, .. } => format!("of {} to {} symbols", sizes.start(), sizes.end()),
        Input::Given(_) => "from a file".to_owned(),
    };
    let ending = match report.ending {
        Ending::Done => "",
        Ending::FirstFailure => ", stopped at the first failure",
        Ending::Time => ", stopped when the time was over",
        Ending::Interrupted => ", interrupted",
    };
    let random = match report.bench.plan.input {
        Input::Random { .. } => "random formula",
        Input::Given(_) => "formula",
    };
    format!(
        "{}: {}\n{} {kind} and their negations, seed {}, {} comparisons, {:.1} s ({:.0} formulas a second){ending}\n",
        count(translators.len() as u64, "translator"),
        translators.join(", "),
        count(*formulas, random),
        report.bench.plan.seed,
        number(comparisons.of),
        report.seconds,
        *formulas as f64 / report.seconds.max(1e-9),
    )
}

/// Who failed, in one line.
pub(crate) fn conclusion(report: &Report<'_>) -> String {
    let mut words = Vec::new();
    for (translator, score) in report.statistics.scores.iter().enumerate() {
        let (failures, blamed) = (score.failure_count(), score.blame_count());
        let mut what = Vec::new();
        if failures > 0 {
            let kinds: Vec<String> =
                score.failures.iter().map(|(kind, times)| format!("{} {}", number(*times), kind.name())).collect();
            what.push(format!("failed to translate {} ({})", count(failures, "time"), kinds.join(", ")));
        }
        if blamed > 0 {
            what.push(format!("is wrong in {}", count(blamed, "comparison")));
        }
        if !what.is_empty() {
            words.push(format!("`{}` {}", report.name(translator), what.join(" and ")));
        }
    }
    if report.statistics.undecided > 0 {
        let undecided = count(report.statistics.undecided, "comparison");
        words.push(format!("in {undecided} the witness cannot tell who is wrong"));
    }
    if words.is_empty() { "No problem detected.".to_owned() } else { format!("{}.", words.join("; ")) }
}
