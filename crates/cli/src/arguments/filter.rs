//! Filters of formulas and automata.

use clap::{Args, ValueEnum};
use std::ops::RangeInclusive;

/// Filters: only formulas and automata that pass all of them are printed. The exit code is 1 if none does.
#[derive(Debug, Args)]
pub(crate) struct Filters {
    /// Keep automata, or formulas whose automaton by `translate` has, this number of states: 3, 2..5, ..5 or 3..
    #[arg(long = "with-states", value_name = "RANGE", value_parser = range)]
    pub(crate) states: Option<RangeInclusive<usize>>,
    /// Keep automata, or formulas whose automaton by `translate` has, this number of edges
    #[arg(long = "with-edges", value_name = "RANGE", value_parser = range)]
    pub(crate) edges: Option<RangeInclusive<usize>>,
    /// Keep what belongs semantically to this class of the temporal hierarchy
    #[arg(long, value_enum, value_name = "CLASS")]
    pub(crate) class: Vec<Class>,
    /// Keep what is stutter-invariant, or with `no`, what is not
    #[arg(
        long,
        value_enum,
        value_name = "ANSWER",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "yes"
    )]
    pub(crate) stutter_invariant: Option<Answer>,
}

/// A class of the temporal hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Class {
    /// Every violation shows after finitely many letters.
    Safety,
    /// Every satisfaction shows after finitely many letters.
    Guarantee,
    /// A Boolean combination of safety and guarantee.
    Obligation,
    /// Something holds from some point on.
    Persistence,
    /// Something holds again and again.
    Recurrence,
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Answer {
    /// Those that are.
    Yes,
    /// Those that are not.
    No,
}

/// A number, or a range whose ends are included and may be left out.
fn range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let number = |text: &str, default: usize| match text.trim() {
        "" => Ok(default),
        text => text.parse::<usize>().map_err(|_| format!("`{text}` is not a number")),
    };
    let (from, to) = match text.split_once("..") {
        Some((from, to)) => (number(from, 0)?, number(to.trim_start_matches('='), usize::MAX)?),
        None if text.trim().is_empty() => return Err("a number or a range such as 2..5".to_owned()),
        None => (number(text, 0)?, number(text, 0)?),
    };
    if from > to { Err(format!("`{text}` is an empty range")) } else { Ok(from..=to) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_ranges_may_be_left_out() {
        for (text, expected) in
            [("3", 3..=3), ("2..5", 2..=5), ("..5", 0..=5), ("3..", 3..=usize::MAX), ("2..=4", 2..=4)]
        {
            assert_eq!(range(text), Ok(expected), "{text}");
        }
        for wrong in ["", "x", "5..2", "1-3"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }
}
