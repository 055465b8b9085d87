//! The statistics of many trials: failures, comparisons, sizes and times, as plain data.
//!
//! What: [`Statistics`] takes records in and gives, per translator, per formula size, per symbol set and per kind of structure,
//! the numbers of the paper's tables; [`Spread`] gives mean, median and 95th percentile of a sample.
//!
//! Source: the counts are those of Tables 1 to 3 of [tauriainen.00.spin].

use std::collections::BTreeMap;

use crate::oracle::Check;
use crate::run::{Record, StructureKind};
use crate::shrink::Problem;
use crate::translator::{Failure, FailureKind};
use crate::trial::Side;

/// The number of failures among a number of attempts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ratio {
    /// Failed.
    pub failed: u64,
    /// Out of.
    pub of: u64,
}

impl Ratio {
    fn count(&mut self, failed: bool) {
        self.of += 1;
        self.failed += u64::from(failed);
    }
}

/// The measurements of one automaton, in the order of [`MEASURES`].
pub type Measures = [f64; MEASURES.len()];

/// The names of the measurements.
pub const MEASURES: [&str; 7] =
    ["states", "edges", "transitions", "deterministic", "product states", "product transitions", "seconds"];

/// Mean, median and 95th percentile.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// The arithmetic mean.
    pub mean: f64,
    /// Half of the values are not larger.
    pub median: f64,
    /// 95 % of the values are not larger.
    pub percentile95: f64,
}

impl Spread {
    /// The spread of a sample; zeros for an empty one.
    #[must_use]
    pub fn of(mut values: Vec<f64>) -> Self {
        if values.is_empty() {
            return Spread::default();
        }
        values.sort_by(f64::total_cmp);
        let rank = |share: f64| values[((share * values.len() as f64).ceil() as usize).clamp(1, values.len()) - 1];
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        Spread { mean, median: rank(0.5), percentile95: rank(0.95) }
    }
}

/// The numbers of one translator.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Translations attempted.
    pub attempts: u64,
    /// Failures to produce an automaton, by kind.
    pub failures: BTreeMap<FailureKind, u64>,
    /// Formulas that this translator does not support, by the name of the operator; not counted as failures.
    pub unsupported: BTreeMap<String, u64>,
    /// Comparisons in which this translator was found wrong, by check.
    pub blamed: BTreeMap<Check, u64>,
    /// Comparisons it took part in, and how many of them had a fault, by check.
    pub checks: BTreeMap<Check, Ratio>,
    /// The same by formula size and check.
    pub checks_by_size: BTreeMap<(u64, Check), Ratio>,
    /// Comparisons it would have taken part in but for their size, by check.
    pub skipped: BTreeMap<Check, u64>,
    /// Failures to produce an automaton by formula size and symbol set.
    pub generation: BTreeMap<(u64, usize), Ratio>,
    /// Consistency by symbol set and kind of structure.
    pub consistency: BTreeMap<(usize, StructureKind), Ratio>,
    /// Cross-comparison by symbol set, kind of structure and other translator.
    pub cross: BTreeMap<(usize, StructureKind, usize), Ratio>,
    /// Measures of every automaton, by formula size.
    pub samples: BTreeMap<u64, Vec<Measures>>,
}

impl Score {
    fn count(&mut self, check: Check, size: u64, failed: bool) {
        self.checks.entry(check).or_default().count(failed);
        self.checks_by_size.entry((size, check)).or_default().count(failed);
    }

    /// All failures to produce an automaton.
    #[must_use]
    pub fn failure_count(&self) -> u64 {
        self.failures.values().sum()
    }

    /// All comparisons in which this translator was found wrong.
    #[must_use]
    pub fn blame_count(&self) -> u64 {
        self.blamed.values().sum()
    }

    /// All comparisons it would have taken part in but for their size.
    #[must_use]
    pub fn skip_count(&self) -> u64 {
        self.skipped.values().sum()
    }

    /// The spread of a measure over all formulas, or over those of one size.
    #[must_use]
    pub fn spread(&self, measure: usize, size: Option<u64>) -> Spread {
        let chosen = self.samples.iter().filter(|(known, _)| size.is_none_or(|size| size == **known));
        Spread::of(chosen.flat_map(|(_, samples)| samples.iter().map(|sample| sample[measure])).collect())
    }
}

/// The numbers of all translators.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// One score per translator.
    pub scores: Vec<Score>,
    /// Formulas tried.
    pub formulas: u64,
    /// Comparisons made, and how many of them had a fault.
    pub comparisons: Ratio,
    /// Comparisons that were not made because of their size.
    pub skipped: u64,
    /// Pairs of automata whose equivalence was decided, and how many of them differ.
    pub decided: Ratio,
    /// Pairs of automata whose equivalence was given up.
    pub abandoned: u64,
    /// Faults in which the witness could not tell who is wrong.
    pub undecided: u64,
    /// Formulas for which nothing went wrong.
    pub clean: u64,
}

impl Statistics {
    /// Nothing happened yet.
    #[must_use]
    pub fn new(translators: usize) -> Self {
        Statistics { scores: vec![Score::default(); translators], ..Statistics::default() }
    }

    /// The sizes of formulas that occurred.
    #[must_use]
    pub fn sizes(&self) -> Vec<u64> {
        let mut sizes: Vec<u64> =
            self.scores.iter().flat_map(|score| score.generation.keys().map(|(size, _)| *size)).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// Takes a record in.
    pub fn add(&mut self, record: &Record) {
        self.formulas += 1;
        self.clean += u64::from(record.is_clean());
        for (score, runs) in self.scores.iter_mut().zip(&record.runs) {
            for side in Side::BOTH {
                let run = &runs[side.index()];
                if run.failure.as_ref().is_some_and(|failure| failure.kind == FailureKind::Disabled) {
                    continue;
                }
                score.attempts += 1;
                match &run.failure {
                    Some(Failure { kind: FailureKind::Unsupported, detail, .. }) => {
                        *score.unsupported.entry(detail.clone()).or_default() += 1;
                        continue;
                    }
                    Some(failure) => *score.failures.entry(failure.kind).or_default() += 1,
                    None => {}
                }
                score.generation.entry((record.symbols, record.set)).or_default().count(run.failure.is_some());
                if let (Some(sizes), Some([states, transitions, _])) = (run.sizes, run.product) {
                    let deterministic = f64::from(u8::from(sizes.nondeterministic_states == 0));
                    let counts = [sizes.states, sizes.edges, sizes.transitions].map(|count| count as f64);
                    let [product_states, product_transitions] = [states, transitions].map(|count| count as f64);
                    let [states, edges, transitions] = counts;
                    score.samples.entry(record.symbols).or_default().push([
                        states,
                        edges,
                        transitions,
                        deterministic,
                        product_states,
                        product_transitions,
                        run.seconds,
                    ]);
                }
            }
        }
        self.compare(record);
    }

    fn compare(&mut self, record: &Record) {
        for comparison in &record.comparisons {
            let failed = comparison.fault.is_some();
            self.comparisons.count(failed);
            if comparison.check == Check::Equivalence {
                self.decided.count(failed);
            }
            let place = (record.set, record.kind);
            let first = comparison.first;
            self.scores[first].count(comparison.check, record.symbols, failed);
            if comparison.check == Check::Consistency {
                self.scores[first].consistency.entry(place).or_default().count(failed);
            }
            if let Some(second) = comparison.second.filter(|second| *second != first) {
                self.scores[second].count(comparison.check, record.symbols, failed);
                if comparison.check == Check::Cross {
                    for (one, other) in [(first, second), (second, first)] {
                        self.scores[one].cross.entry((place.0, place.1, other)).or_default().count(failed);
                    }
                }
            }
        }
        for skip in &record.skipped {
            self.skipped += 1;
            self.abandoned += u64::from(skip.check == Check::Equivalence);
            let other = skip.second.filter(|second| *second != skip.first);
            for translator in [Some(skip.first), other].into_iter().flatten() {
                *self.scores[translator].skipped.entry(skip.check).or_default() += 1;
            }
        }
        for case in &record.cases {
            if let Problem::Broken(finding) = &case.problem {
                match finding.accused {
                    Some(accused) => {
                        let blamed = &mut self.scores[accused.translator].blamed;
                        *blamed.entry(finding.comparison.check).or_default() += 1;
                    }
                    None => self.undecided += 1,
                }
            }
        }
    }

    /// Whether some translator failed in any way.
    #[must_use]
    pub fn has_failures(&self) -> bool {
        self.clean < self.formulas
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_are_ranks() {
        let spread = Spread::of((1..=100).map(f64::from).collect());
        assert_eq!((spread.mean, spread.median, spread.percentile95), (50.5, 50.0, 95.0));
        assert_eq!(Spread::of(vec![7.0]), Spread { mean: 7.0, median: 7.0, percentile95: 7.0 });
        assert_eq!(Spread::of(Vec::new()), Spread::default());
    }
}
