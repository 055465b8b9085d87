//! The report for scripts; `docs/json.md` describes it.

use super::{Report, case};
use crate::view::SCHEMA;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use testbench::oracle::Check;
use testbench::run::StructureKind;
use testbench::statistics::{MEASURES, Ratio, Score, Spread};

/// The whole report on one line.
pub(crate) fn report(report: &Report<'_>) -> String {
    let statistics = report.statistics;
    let translators: Vec<Value> = (0..statistics.scores.len()).map(|index| translator(report, index)).collect();
    let cases: Vec<Value> = report
        .cases
        .iter()
        .map(|kept| {
            let mut object = json!({ "number": kept.number + 1, "found": case::json(&kept.case, report.bench) });
            if let Some(shrunk) = &kept.shrunk {
                object["shrunk"] = case::json(shrunk, report.bench);
            }
            object["cut_short"] = kept.is_cut_short.into();
            object
        })
        .collect();
    let document = json!({
        "schema": SCHEMA,
        "seed": report.bench.plan.seed,
        "options": report.options,
        "formulas": statistics.formulas,
        "seconds": report.seconds,
        "stopped": report.ending.name(),
        "comparisons": {
            "made": statistics.comparisons.of,
            "failed": statistics.comparisons.failed,
            "skipped": statistics.skipped,
            "undecided": statistics.undecided,
        },
        "translators": translators,
        "cases": cases,
    });
    format!("{document}\n")
}

fn translator(report: &Report<'_>, index: usize) -> Value {
    let score = &report.statistics.scores[index];
    let failures: Map<String, Value> =
        score.failures.iter().map(|(kind, times)| (kind.name().to_owned(), (*times).into())).collect();
    let blamed: Map<String, Value> =
        score.blamed.iter().map(|(check, times)| (check.name().to_owned(), (*times).into())).collect();
    let check = |check: Check| {
        let ratio = score.checks.get(&check).copied().unwrap_or_default();
        let skipped = score.skipped.get(&check).copied().unwrap_or(0);
        let counts = json!({ "failed": ratio.failed, "made": ratio.of, "skipped": skipped });
        (ratio.of + skipped > 0).then(|| (check.name().to_owned(), counts))
    };
    let checks: Map<String, Value> = Check::ALL.into_iter().filter_map(check).collect();
    let mut by_symbols = Map::new();
    for size in score.samples.keys() {
        by_symbols.insert(size.to_string(), spreads(score, Some(*size)));
    }
    json!({
        "name": report.name(index),
        "attempts": score.attempts,
        "failures": failures,
        "blamed": score.blame_count(),
        "blamed_by_check": blamed,
        "checks": checks,
        "checks_by_symbols": checks_by_symbols(score),
        "generation": generation(report, score),
        "structures": structures(report, score),
        "sizes": spreads(score, None),
        "sizes_by_symbols": by_symbols,
    })
}

fn ratio(ratio: Ratio) -> Value {
    json!({ "failed": ratio.failed, "made": ratio.of })
}

/// Comparisons by formula size and check.
fn checks_by_symbols(score: &Score) -> Value {
    let mut by_symbols: BTreeMap<u64, Map<String, Value>> = BTreeMap::new();
    for ((size, check), made) in &score.checks_by_size {
        by_symbols.entry(*size).or_default().insert(check.name().to_owned(), ratio(*made));
    }
    by_symbols.into_iter().map(|(size, checks)| (size.to_string(), Value::Object(checks))).collect::<Map<_, _>>().into()
}

/// Table 1: failures to produce an automaton, by formula size and symbol set.
fn generation(report: &Report<'_>, score: &Score) -> Value {
    let sets = report.sets();
    let entry = |((size, set), made): (&(u64, usize), &Ratio)| json!({ "symbols": size, "set": sets[*set], "failed": made.failed, "attempts": made.of });
    score.generation.iter().map(entry).collect()
}

/// Tables 2 and 3: consistency and cross-comparison, by symbol set, structure and other translator.
fn structures(report: &Report<'_>, score: &Score) -> Value {
    let mut entries = Vec::new();
    for (set, name) in report.sets().iter().enumerate() {
        for kind in &report.bench.plan.kinds {
            let cross = |((_, _, other), made): (&(usize, StructureKind, usize), &Ratio)| {
                (report.name(*other).to_owned(), ratio(*made))
            };
            let here = score.cross.iter().filter(|((known, structure, _), _)| (*known, structure) == (set, kind));
            entries.push(json!({
                "set": name,
                "structure": kind.word(),
                "consistency": score.consistency.get(&(set, *kind)).copied().map(ratio),
                "cross_comparison": here.map(cross).collect::<Map<_, _>>(),
            }));
        }
    }
    entries.into()
}

fn spreads(score: &Score, size: Option<u64>) -> Value {
    let mut object = Map::new();
    for (measure, name) in MEASURES.iter().enumerate() {
        let Spread { mean, median, percentile95 } = score.spread(measure, size);
        let value = json!({ "mean": mean, "median": median, "percentile95": percentile95 });
        object.insert(name.replace(' ', "_"), value);
    }
    object.into()
}
