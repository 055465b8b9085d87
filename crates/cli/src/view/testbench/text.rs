//! The report for people: tables, then cases.

use super::case::paragraph;
use super::table::tables;
use super::{Ending, TestbenchReport};
use crate::view::{count, number};
use testbench::run::Input;
use testbench::statistics::Statistics;

/// The whole report.
pub(crate) fn report(report: &TestbenchReport<'_>) -> String {
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
pub(crate) fn introduction(report: &TestbenchReport<'_>) -> String {
    let Statistics { formulas, comparisons, decided, abandoned, .. } = report.statistics;
    let equivalence = match (decided.of, abandoned) {
        (0, 0) => String::new(),
        (pairs, 0) => format!("Equivalence: {} of automata decided\n", count(pairs, "pair")),
        (pairs, given_up) => {
            format!("Equivalence: {} of automata decided, {} abandoned\n", count(pairs, "pair"), number(*given_up))
        }
    };
    let translators: Vec<&str> = report.bench.plan.translators.iter().map(|one| one.name.as_str()).collect();
    let kind = match &report.bench.plan.input {
        Input::Random { sizes, .. } if sizes.start() == sizes.end() => {
            format!(" of {}", count(*sizes.end() as u64, "symbol"))
        }
        Input::Random { sizes, .. } => format!(" of {} to {} symbols", sizes.start(), sizes.end()),
        Input::Given(_) => String::new(),
    };
    let of = || format!(" before the end of {}", count(report.bench.item_count() as u64, "formula"));
    let ending = match report.ending {
        Ending::Done => String::new(),
        Ending::Time if report.bench.plan.is_endless => ", until the time was over".to_owned(),
        Ending::Interrupted if report.bench.plan.is_endless => ", interrupted before the time was over".to_owned(),
        Ending::FirstFailure => ", stopped at the first failure".to_owned(),
        Ending::Time => format!(", stopped when the time was over,{}", of()),
        Ending::Interrupted => format!(", interrupted{}", of()),
    };
    let rate = *formulas as f64 / report.seconds.max(1e-9);
    let random = match report.bench.plan.input {
        Input::Random { .. } => "random formula",
        Input::Given(_) => "given formula",
    };
    let (negations, rate) = (if *formulas == 1 { "its negation" } else { "their negations" }, rate.round() as u64);
    format!(
        "{}: {}\n{}{kind} and {negations}, seed {}, {}, {:.1} s ({} a second){ending}\n{equivalence}",
        count(translators.len() as u64, "translator"),
        translators.join(", "),
        count(*formulas, random),
        report.bench.plan.seed,
        count(comparisons.of, "comparison"),
        report.seconds,
        count(rate, "formula"),
    )
}

/// Who failed, in one line.
pub(crate) fn conclusion(report: &TestbenchReport<'_>) -> String {
    let mut words = Vec::new();
    for (translator, score) in report.statistics.scores.iter().enumerate() {
        let (failures, blamed) = (score.failure_count(), score.blame_count());
        let mut what = Vec::new();
        if failures > 0 {
            let kinds: Vec<String> =
                score.failures.iter().map(|(kind, times)| format!("{}: {}", kind.name(), number(*times))).collect();
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
        words.push(format!("in {undecided} the witness does not decide who is wrong"));
    }
    let found = if words.is_empty() { nothing_found(report) } else { format!("{}.", words.join("; ")) };
    let found = match report.statistics.skipped - report.statistics.abandoned {
        0 => found,
        1 => format!("{found} 1 comparison was skipped because it is too large."),
        skipped => format!("{found} {} comparisons were skipped because they are too large.", number(skipped)),
    };
    let found = match report.statistics.abandoned {
        0 => found,
        1 => format!("{found} The equivalence of 1 pair was abandoned: it takes more steps than allowed."),
        pairs => format!(
            "{found} The equivalence of {} pairs was abandoned: it takes more steps than allowed.",
            number(pairs)
        ),
    };
    let unsupported: Vec<String> =
        (0..report.statistics.scores.len()).filter_map(|one| unsupported(report, one)).collect();
    std::iter::once(found).chain(unsupported).collect::<Vec<_>>().join(" ")
}

/// The operators that a translator does not support, as a sentence.
fn unsupported(report: &TestbenchReport<'_>, translator: usize) -> Option<String> {
    let score = &report.statistics.scores[translator];
    let times: u64 = score.unsupported.values().sum();
    let operators: Vec<&str> = score.unsupported.keys().map(String::as_str).collect();
    let (name, operators) = (report.name(translator), operators.join(", "));
    (times > 0).then(|| format!("`{name}` does not support {operators}: it skipped {}.", count(times, "formula")))
}

/// What it means that nothing went wrong.
fn nothing_found(report: &TestbenchReport<'_>) -> String {
    let Statistics { formulas, comparisons, .. } = report.statistics;
    let why = if report.ending == Ending::Time { "the time was over" } else { "it was interrupted" };
    let all = report.bench.item_count() as u64;
    match report.ending {
        _ if *formulas == 0 => format!("Nothing was tested: {why} before the first formula was done."),
        _ if comparisons.of == 0 => "Nothing was compared: none of the selected checks applies.".to_owned(),
        Ending::Time | Ending::Interrupted if report.bench.plan.is_endless => {
            format!("No problem detected in {} formulas, until {why}.", number(*formulas))
        }
        Ending::Time | Ending::Interrupted => {
            format!("No problem detected in {} of {} formulas, until {why}.", number(*formulas), number(all))
        }
        Ending::Done | Ending::FirstFailure => "No problem detected.".to_owned(),
    }
}
