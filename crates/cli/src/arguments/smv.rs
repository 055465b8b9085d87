//! Options of `check` that are about SMV models.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use symbolic::check::{Options, Reorder};
use symbolic::strip::Effort;

/// How SMV models are checked.
#[derive(Debug, Args)]
pub(crate) struct Symbolic {
    /// SMV: check only the property with this name; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Vec<String>,
    /// SMV: print verdicts and traces in the layout of NuSMV
    #[arg(long)]
    pub(crate) nusmv_output: bool,
    /// SMV: check each property on the part of the model it can depend on (cone of influence)
    #[arg(long)]
    pub(crate) coi: bool,
    /// SMV: begin with the order of variables in this file, one a line
    #[arg(long, value_name = "FILE")]
    pub(crate) order: Option<PathBuf>,
    /// SMV: write the order of variables at the end to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) write_order: Option<PathBuf>,
    /// SMV: when to look for a better order; without a value, early
    #[arg(long, value_enum, value_name = "WHEN", num_args = 0..=1, require_equals = true,
          default_value_t = Reordering::Auto, default_missing_value = "early")]
    pub(crate) reorder: Reordering,
    /// SMV: tell the diameter: how many rings of states a breadth-first search sees
    #[arg(long)]
    pub(crate) diameter: bool,
    /// SMV: do not look for deadlocks
    #[arg(long)]
    pub(crate) allow_deadlock: bool,
    /// SMV: how far to strip counterexamples of values that do not matter
    #[arg(long, value_enum, value_name = "EFFORT", default_value_t = Minimise::Irredundant)]
    pub(crate) minimise: Minimise,
}

/// When to look for a better order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reordering {
    /// When the diagrams have become large.
    Auto,
    /// As soon as there is something to gain.
    Early,
    /// Never.
    Off,
}

impl From<Reordering> for Reorder {
    fn from(when: Reordering) -> Self {
        match when {
            Reordering::Auto => Options::default().reorder,
            Reordering::Early => Reorder::From(4_000),
            Reordering::Off => Reorder::Never,
        }
    }
}

/// How far to strip counterexamples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Minimise {
    /// Not at all.
    Off,
    /// By the algorithms of the paper.
    Paper,
    /// Then until no single value can be dropped.
    Irredundant,
    /// As few values as possible, where that can be found out.
    Exact,
}

impl From<Minimise> for Effort {
    fn from(minimise: Minimise) -> Self {
        match minimise {
            Minimise::Off => Effort::Off,
            Minimise::Paper => Effort::Paper,
            Minimise::Irredundant => Effort::Irredundant,
            Minimise::Exact => Effort::Exact,
        }
    }
}

impl Symbolic {
    /// An option that was given although the model is not SMV.
    pub(crate) fn misplaced(&self) -> Option<&'static str> {
        let given = [
            (!self.property.is_empty(), "--property"),
            (self.nusmv_output, "--nusmv-output"),
            (self.coi, "--coi"),
            (self.order.is_some(), "--order"),
            (self.write_order.is_some(), "--write-order"),
            (self.reorder != Reordering::Auto, "--reorder"),
            (self.diameter, "--diameter"),
            (self.allow_deadlock, "--allow-deadlock"),
            (self.minimise != Minimise::Irredundant, "--minimise"),
        ];
        given.iter().find(|(is_given, _)| *is_given).map(|(_, name)| *name)
    }
}
