//! Our own constructions as translators.
//!
//! A name is that of the construction (`couvreur`, `go`, `gpvw`, `tight`), with the effort of the reductions after a colon
//! (`go:high`): `low` unless given, so that the test concerns the construction and not the reductions that all constructions share.
//!
//! They run in this process, with a [`Budget`] that has the time limit of any run. Its memory limit applies to the nodes of
//! decision diagrams; all else is bounded by a limit on size: 20,000 states, and fifty times as many edges, which is counted
//! as too large.

use std::panic::{AssertUnwindSafe, catch_unwind};

use kernel::budget::{Budget, Exhausted};
use omega::automaton::Automaton;
use omega::formula::{Formula, Formulas};
use omega::limit::Incomplete;
use omega::pipeline::{Construction, Level, TranslationOptions, translate};

use super::{Failure, FailureKind, Limits};

/// The names of our constructions.
pub const BUILTIN_NAMES: [&str; 4] = ["couvreur", "go", "gpvw", "tight"];

/// One of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin {
    options: TranslationOptions,
}

impl Builtin {
    /// The translator of a name, if it is one of ours.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (name, level) = text.split_once(':').unwrap_or((text, "low"));
        let construction = match name {
            "couvreur" => Construction::Couvreur,
            "go" => Construction::Go,
            "gpvw" => Construction::Gpvw,
            "tight" => Construction::Tight,
            _ => return None,
        };
        let level = match level {
            "low" => Level::Low,
            "medium" => Level::Medium,
            "high" => Level::High,
            _ => return None,
        };
        Some(Builtin { options: TranslationOptions { construction, level, ..TranslationOptions::default() } })
    }

    /// Translates, within limits; a panic is a crash of the translator.
    pub(super) fn translate(
        &self,
        formulas: &mut Formulas,
        formula: Formula,
        limits: Limits,
    ) -> Result<Automaton, Failure> {
        let mut budget = Budget::unlimited().within(limits.time);
        budget.memory = limits.memory;
        self.translate_within(formulas, formula, &budget).map_err(|reason| match reason {
            Reason::Limit(Incomplete::TooLarge(limit)) => Failure::new(FailureKind::TooLarge, limit.to_string()),
            Reason::Limit(Incomplete::Exhausted(Exhausted::Memory)) => {
                Failure::new(FailureKind::Memory, "its decision diagrams reached the memory limit")
            }
            Reason::Limit(Incomplete::Exhausted(_)) => {
                Failure::new(FailureKind::TimeOut, format!("given up after {:.1} s", limits.time.as_secs_f64()))
            }
            Reason::Panic(text) => Failure::new(FailureKind::Crash, text),
        })
    }

    fn translate_within(
        &self,
        formulas: &mut Formulas,
        formula: Formula,
        budget: &Budget,
    ) -> Result<Automaton, Reason> {
        // The pool only grows, so that it remains valid after a panic.
        let work = || translate(formulas, formula, &self.options, budget);
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(Ok(translation)) => Ok(translation.automaton),
            Ok(Err(reason)) => Err(Reason::Limit(reason)),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without words");
                Err(Reason::Panic(text.to_owned()))
            }
        }
    }
}

/// Why a translation has no automaton.
enum Reason {
    Limit(Incomplete),
    Panic(String),
}
