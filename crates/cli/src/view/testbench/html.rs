//! The report as one page that needs nothing from elsewhere: tables, plots, cases.

use super::case::paragraph;
use super::plot::{COLOURS, Line, Plot, Scale};
use super::table::tables;
use super::text::{conclusion, introduction};
use super::{Ending, TestbenchReport};
use testbench::statistics::{MEASURES, Score};

const STYLE: &str = "\
:root { color-scheme: light dark; --line: #d0d0d0; --faint: #666; --bad: #b00020; --good: #006b3c; }
@media (prefers-color-scheme: dark) { :root { --line: #444; --faint: #aaa; --bad: #ff8a80; --good: #80e0a0; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1120px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
table { border-collapse: collapse; margin: 1.4rem 0; font-variant-numeric: tabular-nums; display: block; overflow-x: auto; }
caption { text-align: left; font-weight: 600; padding-bottom: .4rem; white-space: nowrap; }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th.word, td.word { text-align: left; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(440px, 100%), 1fr)); gap: 1.5rem; }
figure { margin: 0; min-width: 0; } svg { display: block; width: 100%; height: auto; } figcaption { font-weight: 600; }
svg text { font-size: 12px; fill: currentColor; } svg .end { text-anchor: end; } svg .mid { text-anchor: middle; }
svg polyline { fill: none; stroke-width: 2; } svg .grid { stroke: var(--line); }
.key { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: .8rem 0; }
.key span::before { content: ''; display: inline-block; width: 1.2em; height: .3em; margin-right: .5em;
  vertical-align: middle; background: var(--colour); }
pre { border: 1px solid var(--line); border-radius: 6px; padding: .8rem; overflow-x: auto; }
.bad { color: var(--bad); font-weight: 600; } .good { color: var(--good); font-weight: 600; }
.faint { color: var(--faint); white-space: pre-line; }
";

/// Text with what HTML would take for markup replaced.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The page.
pub(crate) fn page(report: &TestbenchReport<'_>) -> String {
    let class = match report.ending {
        _ if report.statistics.has_failures() => "bad",
        _ if report.statistics.comparisons.of == 0 => "faint",
        Ending::Time if report.bench.plan.is_endless => "good",
        Ending::Time | Ending::Interrupted => "faint",
        Ending::Done | Ending::FirstFailure => "good",
    };
    let tables: String = tables(report).iter().map(super::table::Table::html).collect();
    let cases: String =
        report.cases.iter().map(|kept| format!("<pre>{}</pre>\n", escaped(&paragraph(kept, report.bench)))).collect();
    let cases = if cases.is_empty() { String::new() } else { format!("<h2>Cases</h2>\n{cases}") };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Lariat testbench</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>Translator testbench</h1>\n<p class=\"{class}\">{}</p>\n<p class=\"faint\">{}</p>\n{cases}\
         <h2>Plots</h2>\n{}{}<h2>Tables</h2>\n{tables}</body>\n</html>\n",
        escaped(&conclusion(report)),
        escaped(&introduction(report)),
        key(report),
        plots(report),
    )
}

/// Which colour is which translator.
fn key(report: &TestbenchReport<'_>) -> String {
    let entry = |(index, translator): (usize, &testbench::translator::Translator)| {
        let colour = COLOURS[index % COLOURS.len()];
        format!("<span style=\"--colour: {colour}\">{}</span>", escaped(&translator.name))
    };
    let entries: String = report.bench.plan.translators.iter().enumerate().map(entry).collect();
    format!("<div class=\"key\">{entries}</div>\n")
}

/// The number of a measure.
fn measure(name: &str) -> usize {
    MEASURES.iter().position(|known| *known == name).expect("a measure")
}

fn plots(report: &TestbenchReport<'_>) -> String {
    let states = "Mean number of states, by formula size";
    let transitions = "Mean number of product transitions, by formula size";
    let figures = [
        (states, by_size(report, "states", "states", Scale::Linear)),
        (transitions, by_size(report, "product transitions", "transitions", Scale::Linear)),
        ("Mean time of a translation, by formula size", by_size(report, "seconds", "seconds", Scale::Logarithmic)),
        ("Share of automata with at most a given number of states", cumulative(report)),
    ];
    let figure = |(caption, plot): (&str, Plot)| {
        format!("<figure><figcaption>{}</figcaption>\n{}</figure>\n", escaped(caption), plot.svg())
    };
    format!("<div class=\"plots\">\n{}</div>\n", figures.into_iter().map(figure).collect::<String>())
}

/// The mean of a measure for each formula size.
fn by_size(report: &TestbenchReport<'_>, name: &str, up: &'static str, scale: Scale) -> Plot {
    let line = |(index, score): (usize, &Score)| {
        let point = |size: &u64| (*size as f64, score.spread(measure(name), Some(*size)).mean);
        Line { name: report.name(index).to_owned(), points: score.samples.keys().map(point).collect() }
    };
    let lines = report.statistics.scores.iter().enumerate().map(line).collect();
    Plot { across: "symbols in the formula", up, scale, lines }
}

/// For each number of states the share of automata that have no more; up to where nearly all are.
fn cumulative(report: &TestbenchReport<'_>) -> Plot {
    let states = measure("states");
    let values =
        |score: &Score| -> Vec<u64> { score.samples.values().flatten().map(|sample| sample[states] as u64).collect() };
    let mut all: Vec<u64> = report.statistics.scores.iter().flat_map(values).collect();
    all.sort_unstable();
    let most = all.get(all.len().saturating_sub(1) * 99 / 100).copied().unwrap_or(0);
    let line = |(index, score): (usize, &Score)| {
        let values = values(score);
        let share = |bound: u64| values.iter().filter(|value| **value <= bound).count() as f64 / values.len() as f64;
        let points = if values.is_empty() { Vec::new() } else { (0..=most).map(|n| (n as f64, share(n))).collect() };
        Line { name: report.name(index).to_owned(), points }
    };
    let lines = report.statistics.scores.iter().enumerate().map(line).collect();
    Plot { across: "states", up: "share of automata", scale: Scale::Linear, lines }
}
