//! Our own constructions as translators.
//!
//! A name is that of the construction (`couvreur`, `go`, `gpvw`, `tight`), with the effort of the reductions after a colon
//! (`go:high`): `low` unless given, so that it is the construction that is tested and not what all of them share.
//!
//! They run in this process, within the time of any run ([`omega::patience`]). Of the memory of any run they may use as much for
//! the nodes of decision diagrams; all else is bounded by a limit on size: 20,000 states, and fifty times as many edges, which
//! is counted as too large.

use std::panic::{AssertUnwindSafe, catch_unwind};

use kernel::budget::Exhausted;
use omega::automaton::Automaton;
use omega::formula::{Formula, Formulas};
use omega::patience::within;
use omega::pipeline::{Construction, Level, Options, translate};

use super::{Failure, FailureKind, Limits};

/// The names of our constructions.
pub const BUILTIN_NAMES: [&str; 4] = ["couvreur", "go", "gpvw", "tight"];

/// One of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin {
    options: Options,
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
        Some(Builtin { options: Options { construction, level, ..Options::default() } })
    }

    /// Translates, within limits; a panic is a crash of the translator.
    pub(super) fn translate(
        &self,
        formulas: &mut Formulas,
        formula: Formula,
        limits: Limits,
    ) -> Result<Automaton, Failure> {
        // The pool only grows, so what a panic leaves of it is still a pool.
        let work = || within(limits.time, limits.memory, || translate(formulas, formula, &self.options));
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(Ok(Ok(translation))) => Ok(translation.automaton),
            Ok(Ok(Err(limit))) => Err(Failure::new(FailureKind::TooLarge, limit.to_string())),
            Ok(Err(Exhausted::Memory)) => {
                Err(Failure::new(FailureKind::Memory, "its decision diagrams reached the memory limit"))
            }
            Ok(Err(_)) => {
                let what = format!("given up after {:.1} s", limits.time.as_secs_f64());
                Err(Failure::new(FailureKind::TimeOut, what))
            }
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without words");
                Err(Failure::new(FailureKind::Crash, text))
            }
        }
    }
}
