//! Laws that hold between implementations, one a file.

pub mod combined;
pub mod consistency;
pub mod cross;
pub mod equivalence;
pub mod intersection;
pub mod machine;
pub mod path;
pub mod prefix;
pub mod promela;
pub mod reduction;
pub mod symmetry;

use crate::trial::{Side, Trial};

/// The checks of translators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// [`cross`]: two translators agree in every state of the structure.
    Cross,
    /// [`consistency`]: formula and negation of one translator leave no state out.
    Consistency,
    /// [`path`]: on a path the automaton says what the formula says.
    Path,
    /// [`intersection`]: no word satisfies a formula and its negation.
    Intersection,
    /// [`prefix`]: what shows after finitely many letters is found by looking at finitely many.
    Prefix,
    /// [`equivalence`]: automata of two translators accept the same words.
    Equivalence,
}

impl Check {
    /// All checks, in the order of reports.
    pub const ALL: [Check; 6] =
        [Check::Cross, Check::Consistency, Check::Path, Check::Intersection, Check::Prefix, Check::Equivalence];

    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Check::Cross => "cross-comparison",
            Check::Consistency => "consistency",
            Check::Path => "path",
            Check::Intersection => "intersection",
            Check::Prefix => "prefix",
            Check::Equivalence => "equivalence",
        }
    }

    /// The position in [`Check::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        Check::ALL.iter().position(|check| *check == self).expect("all checks are listed")
    }

    /// Whether it compares automata in a structure.
    #[must_use]
    pub fn needs_structure(self) -> bool {
        !matches!(self, Check::Intersection | Check::Equivalence)
    }

    /// Applies the check to a trial: every comparison it allows.
    #[must_use]
    pub fn apply(self, trial: &mut Trial) -> Applied {
        let all = |made| Applied { made, skipped: Vec::new() };
        match self {
            Check::Cross => all(cross::compare(trial)),
            Check::Consistency => all(consistency::compare(trial)),
            Check::Path => all(path::compare(trial)),
            Check::Intersection => intersection::compare(trial),
            Check::Prefix => prefix::compare(trial),
            Check::Equivalence => equivalence::compare(trial),
        }
    }
}

/// What a check came to.
#[derive(Clone, Debug, Default)]
pub struct Applied {
    /// The comparisons that were made.
    pub made: Vec<Comparison>,
    /// Those that were not, because they would take too long.
    pub skipped: Vec<Skip>,
}

/// One comparison that was not made, because what it needs is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skip {
    /// The law.
    pub check: Check,
    /// As in [`Comparison`].
    pub side: Side,
    /// The translator.
    pub first: usize,
    /// The translator it would be compared with, if there is one.
    pub second: Option<usize>,
}

/// One comparison that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The law.
    pub check: Check,
    /// Whether the automata are those of the formula or of the negation. For consistency and intersection it is both.
    pub side: Side,
    /// The translator; for an intersection that of the formula.
    pub first: usize,
    /// The translator it is compared with, if there is one; for an intersection that of the negation.
    pub second: Option<usize>,
    /// The first state of the structure in which the law is broken, if it is; for an intersection and for equivalence any
    /// number.
    pub fault: Option<usize>,
}
