//! Reports of the testbench; one format per file, all from the same [`TestbenchReport`].

pub(crate) mod case;
pub(crate) mod csv;
pub(crate) mod document;
pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod options;
pub(crate) mod plot;
pub(crate) mod table;
pub(crate) mod text;

use testbench::run::{Bench, Input};
use testbench::shrink::Case;
use testbench::statistics::Statistics;

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// All formulas were tried.
    Done,
    /// The first failure was to be the last.
    FirstFailure,
    /// The time was over.
    Time,
    /// The user ended it.
    Interrupted,
}

impl Ending {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Ending::Done => "done",
            Ending::FirstFailure => "first-failure",
            Ending::Time => "time-limit",
            Ending::Interrupted => "interrupted",
        }
    }
}

/// A case, and what became of it.
pub(crate) struct Kept {
    /// The number of the item, from 0.
    pub(crate) number: usize,
    pub(crate) case: Case,
    pub(crate) shrunk: Option<Case>,
    /// Whether it would have been made smaller, or smaller still, had there been time.
    pub(crate) is_cut_short: bool,
}

impl Kept {
    /// The smaller one, if there is one.
    pub(crate) fn best(&self) -> &Case {
        self.shrunk.as_ref().unwrap_or(&self.case)
    }
}

/// Everything there is to report.
pub(crate) struct TestbenchReport<'a> {
    pub(crate) bench: &'a Bench,
    pub(crate) statistics: &'a Statistics,
    pub(crate) cases: Vec<Kept>,
    pub(crate) seconds: f64,
    pub(crate) ending: Ending,
    /// What the run was asked to do, as data.
    pub(crate) options: document::Options,
}

impl TestbenchReport<'_> {
    pub(crate) fn name(&self, translator: usize) -> &str {
        &self.bench.plan.translators[translator].name
    }

    /// The names of the symbol sets.
    pub(crate) fn sets(&self) -> Vec<String> {
        match &self.bench.plan.input {
            Input::Random { sets, .. } => sets.iter().map(|set| set.name.clone()).collect(),
            Input::Given(_) => vec!["given".to_owned()],
        }
    }
}
