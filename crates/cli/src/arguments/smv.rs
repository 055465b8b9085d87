//! Options of `check` that are about SMV models.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use symbolic::check::{Options, Reorder};
use symbolic::strip::Effort;

/// How SMV models are checked.
#[derive(Debug, Args)]
pub(crate) struct Symbolic {
    /// SMV: check only the property with this name; can be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Vec<String>,
    /// SMV: print verdicts and traces in NuSMV's format
    #[arg(long)]
    pub(crate) nusmv_output: bool,
    /// SMV: check each property on its cone of influence
    #[arg(long)]
    pub(crate) coi: bool,
    /// SMV: start with the variable order in this file, one variable per line
    #[arg(long, value_name = "FILE")]
    pub(crate) order: Option<PathBuf>,
    /// SMV: write the final variable order to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) write_order: Option<PathBuf>,
    /// SMV: when to reorder variables; `--reorder` without a value means `early`
    #[arg(long, value_enum, value_name = "WHEN", num_args = 0..=1, require_equals = true,
          default_value_t = Reordering::Auto, default_missing_value = "early")]
    pub(crate) reorder: Reordering,
    /// SMV: report the diameter, the number of levels of a breadth-first search
    #[arg(long)]
    pub(crate) diameter: bool,
    /// SMV: do not check for deadlocks
    #[arg(long)]
    pub(crate) allow_deadlock: bool,
    /// SMV: how thoroughly to remove irrelevant values from counterexamples
    #[arg(long, value_enum, value_name = "EFFORT", default_value_t = Minimise::Irredundant)]
    pub(crate) minimise: Minimise,
}

/// When to reorder variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reordering {
    /// When the decision diagrams have become large.
    Auto,
    /// From 4,000 nodes on.
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

/// How thoroughly to remove irrelevant values from counterexamples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Minimise {
    /// Keep all values.
    Off,
    /// Use the algorithms of the paper [shen.05.charme].
    Paper,
    /// Then remove values until no single one can be removed.
    Irredundant,
    /// Keep as few values as possible, if the search for them ends in time.
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
    /// The first option that is given although the model is not SMV.
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
