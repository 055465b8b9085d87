//! The report for scripts; `docs/json.md` describes it.

use super::document::{
    CheckCounts, Comparisons, Document, Equivalence, Generation, KeptCase, Ratio, Spread, Structures, Translator,
};
use super::{TestbenchReport, case};
use crate::view::SCHEMA;
use crate::view::document::line;
use std::collections::BTreeMap;
use testbench::oracle::Check;
use testbench::run::StructureKind;
use testbench::statistics::{self, MEASURES, Score};

/// The whole report on one line.
pub(crate) fn report(report: &TestbenchReport<'_>) -> String {
    let statistics = report.statistics;
    let kept = |kept: &super::Kept| KeptCase {
        number: kept.number + 1,
        found: case::json(&kept.case, report.bench),
        shrunk: kept.shrunk.as_ref().map(|shrunk| case::json(shrunk, report.bench)),
        cut_short: kept.is_cut_short,
    };
    line(&Document {
        schema: SCHEMA,
        seed: report.bench.plan.seed,
        options: report.options.clone(),
        formulas: statistics.formulas,
        seconds: report.seconds,
        stopped: report.ending.name().to_owned(),
        comparisons: Comparisons {
            made: statistics.comparisons.of,
            failed: statistics.comparisons.failed,
            skipped: statistics.skipped,
            undecided: statistics.undecided,
        },
        equivalence: Equivalence {
            decided: statistics.decided.of,
            different: statistics.decided.failed,
            abandoned: statistics.abandoned,
        },
        translators: (0..statistics.scores.len()).map(|index| translator(report, index)).collect(),
        cases: report.cases.iter().map(kept).collect(),
    })
}

fn translator(report: &TestbenchReport<'_>, index: usize) -> Translator {
    let score = &report.statistics.scores[index];
    let check = |check: Check| {
        let ratio = score.checks.get(&check).copied().unwrap_or_default();
        let skipped = score.skipped.get(&check).copied().unwrap_or(0);
        let counts = CheckCounts { failed: ratio.failed, made: ratio.of, skipped };
        (ratio.of + skipped > 0).then(|| (check.name().to_owned(), counts))
    };
    Translator {
        name: report.name(index).to_owned(),
        attempts: score.attempts,
        failures: score.failures.iter().map(|(kind, times)| (kind.name().to_owned(), *times)).collect(),
        unsupported: score.unsupported.clone(),
        blamed: score.blame_count(),
        blamed_by_check: score.blamed.iter().map(|(check, times)| (check.name().to_owned(), *times)).collect(),
        checks: Check::ALL.into_iter().filter_map(check).collect(),
        checks_by_symbols: checks_by_symbols(score),
        generation: generation(report, score),
        structures: structures(report, score),
        sizes: spreads(score, None),
        sizes_by_symbols: score.samples.keys().map(|size| (size.to_string(), spreads(score, Some(*size)))).collect(),
    }
}

fn ratio(ratio: statistics::Ratio) -> Ratio {
    Ratio { failed: ratio.failed, made: ratio.of }
}

/// Comparisons by formula size and check.
fn checks_by_symbols(score: &Score) -> BTreeMap<String, BTreeMap<String, Ratio>> {
    let mut by_symbols: BTreeMap<String, BTreeMap<String, Ratio>> = BTreeMap::new();
    for ((size, check), made) in &score.checks_by_size {
        by_symbols.entry(size.to_string()).or_default().insert(check.name().to_owned(), ratio(*made));
    }
    by_symbols
}

/// Table 1: failures to produce an automaton, by formula size and symbol set.
fn generation(report: &TestbenchReport<'_>, score: &Score) -> Vec<Generation> {
    let sets = report.sets();
    let entry = |((size, set), made): (&(u64, usize), &statistics::Ratio)| Generation {
        symbols: *size,
        set: sets[*set].to_string(),
        failed: made.failed,
        attempts: made.of,
    };
    score.generation.iter().map(entry).collect()
}

/// Tables 2 and 3: consistency and cross-comparison, by symbol set, structure and other translator.
fn structures(report: &TestbenchReport<'_>, score: &Score) -> Vec<Structures> {
    let mut entries = Vec::new();
    for (set, name) in report.sets().iter().enumerate() {
        for kind in &report.bench.plan.kinds {
            let cross = |((_, _, other), made): (&(usize, StructureKind, usize), &statistics::Ratio)| {
                (report.name(*other).to_owned(), ratio(*made))
            };
            let here = score.cross.iter().filter(|((known, structure, _), _)| (*known, structure) == (set, kind));
            entries.push(Structures {
                set: name.to_string(),
                structure: kind.word().to_owned(),
                consistency: score.consistency.get(&(set, *kind)).copied().map(ratio),
                cross_comparison: here.map(cross).collect(),
            });
        }
    }
    entries
}

fn spreads(score: &Score, size: Option<u64>) -> BTreeMap<String, Spread> {
    let spread = |(measure, name): (usize, &&str)| {
        let statistics::Spread { mean, median, percentile95 } = score.spread(measure, size);
        (name.replace(' ', "_"), Spread { mean, median, percentile95 })
    };
    MEASURES.iter().enumerate().map(spread).collect()
}
