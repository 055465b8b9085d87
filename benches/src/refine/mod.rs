//! The experiment of section 4 of [blahoudek.15.spin]: what refinement of properties does to automata and to searches.
//!
//! A *task* is a model and a property of it. For each task and each *translator*, four automata are made ([`Form`]), and
//! each of them is searched in each of four ways ([`Search`]): by Lariat and by SPIN, with and without partial-order
//! reduction.
//!
//! - [`instances`]: the models and their sizes;
//! - [`tasks`]: properties of models;
//! - [`translators`]: Table 1 of the paper, and ours;
//! - [`automata`]: the four automata of a task and a translator;
//! - [`ours`], [`pan`]: the searches;
//! - [`measure`]: all tasks, translators and searches;
//! - [`tables`], [`figures`]: Tables 2 to 10, Figures 2 to 7;
//! - [`labels`]: the time effect of short labels, section 5;
//! - [`mining`]: how long it takes to find facts about models.
//!
//! *Contract.* Everything but seconds, and failures at limits of time, depends on the models and the seed only.
//!
//! *Deviations from the paper.* Constraints are all facts that `promela::mine` finds about single states, not only that
//! locations exclude one another. Automata are simplified by our reductions, not by Spot's. SPIN gets all automata in our
//! spelling of a never claim. Runs that end stutter, as usual; the paper switched this off because of an error in
//! its version of SPIN.

pub mod automata;
pub mod figures;
pub mod instances;
pub mod labels;
pub mod measure;
pub mod mining;
pub mod ours;
pub mod pan;
pub mod tables;
pub mod tasks;
pub mod translators;

use omega::constraint::choice::Size;

/// The automata of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// Of the formula, as the translator makes it.
    Original,
    /// Of the formula refined by the constraint.
    Formula,
    /// The first one, simplified.
    Simplified,
    /// The third one refined by the constraint, and simplified again.
    Automaton,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 4] = [Form::Original, Form::Formula, Form::Simplified, Form::Automaton];

    /// Its index in [`Form::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// The ways to search a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Search {
    /// Lariat without reduction.
    Full,
    /// Lariat with partial-order reduction and chaining where the property allows them.
    Reduced,
    /// SPIN with `-DNOREDUCE`.
    PanFull,
    /// SPIN with its reduction where the property allows it.
    PanReduced,
}

impl Search {
    /// All of them.
    pub const ALL: [Search; 4] = [Search::Full, Search::Reduced, Search::PanFull, Search::PanReduced];

    /// As tables call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Search::Full => "Lariat without reduction",
            Search::Reduced => "Lariat with reduction",
            Search::PanFull => "SPIN without reduction",
            Search::PanReduced => "SPIN with reduction",
        }
    }

    /// As files are called.
    #[must_use]
    pub fn file(self) -> &'static str {
        match self {
            Search::Full => "lariat-full",
            Search::Reduced => "lariat",
            Search::PanFull => "spin-full",
            Search::PanReduced => "spin",
        }
    }

    /// Whether SPIN does it.
    #[must_use]
    pub fn is_pan(self) -> bool {
        matches!(self, Search::PanFull | Search::PanReduced)
    }

    /// Whether it reduces.
    #[must_use]
    pub fn reduces(self) -> bool {
        matches!(self, Search::Reduced | Search::PanReduced)
    }
}

/// The end of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was not started: there is no such search here.
    Skipped,
    /// A limit ended it.
    Failed,
    /// It came to its end.
    Solved {
        /// Product transitions.
        transitions: u64,
        /// Whether there is a violation.
        violated: bool,
    },
}

/// What one automaton comes to.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Its size.
    pub size: Size,
    /// The number of atoms in its labels after these were made short.
    pub short_length: usize,
    /// Automata of a task with the same number are the same, and share their searches.
    pub number: usize,
    /// The ends of its searches, in the order of [`Search::ALL`].
    pub searches: [Outcome; 4],
}

impl Measured {
    /// Whether it has no edges: nothing can be violated.
    #[must_use]
    pub fn is_false(&self) -> bool {
        self.size.edges == 0
    }
}

/// Why there is no automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAutomaton {
    /// The translator has not all the operators.
    Unsupported,
    /// It took too long, or the automaton is too large.
    Limit,
    /// The translator is not used for models of this size.
    Skipped,
}

/// What one translator made of a task, by form.
pub type Row = [Result<Measured, NoAutomaton>; 4];
