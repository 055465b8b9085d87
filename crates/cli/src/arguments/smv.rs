//! Options of `check` that are about SMV models.

use crate::exit::Failure;
use crate::input::read_text;
use checker::options::{Reorder, SmvOptions, Strip};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// How SMV models are checked.
#[derive(Clone, Debug, Args)]
pub(crate) struct SmvArguments {
    /// SMV: print verdicts and traces in NuSMV's format
    #[arg(long)]
    pub(crate) nusmv_output: bool,
    /// SMV: check each property on its cone of influence
    #[arg(long)]
    coi: bool,
    /// SMV: start with the variable order in this file, one variable per line
    #[arg(long, value_name = "FILE")]
    pub(crate) order: Option<PathBuf>,
    /// SMV: write the final variable order to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) write_order: Option<PathBuf>,
    /// SMV: when to reorder variables; `--reorder` without a value means `early`
    #[arg(long, value_enum, value_name = "WHEN", num_args = 0..=1, require_equals = true,
          default_value_t = Reordering::Auto, default_missing_value = "early")]
    reorder: Reordering,
    /// SMV: report the diameter, the number of levels of a breadth-first search
    #[arg(long)]
    diameter: bool,
    /// SMV: do not check for deadlocks
    #[arg(long)]
    allow_deadlock: bool,
    /// SMV: how thoroughly to remove irrelevant values from counterexamples
    #[arg(long, alias = "minimise", value_enum, value_name = "EFFORT", default_value_t = Stripping::Irredundant)]
    strip: Stripping,
}

impl SmvArguments {
    /// The options as the library takes them.
    pub(crate) fn options(&self, explain: bool, observe: bool) -> Result<SmvOptions, Failure> {
        if self.coi && self.diameter {
            return Err(Failure::usage(
                "`--diameter` is about the whole model, `--coi` checks each property on the part it depends on",
            ));
        }
        let order = |path: &PathBuf| Ok((path.display().to_string(), read_text(path)?));
        Ok(SmvOptions {
            reorder: self.reorder.into(),
            order: self.order.as_ref().map(order).transpose()?,
            cone_of_influence: self.coi,
            deadlocks: !self.allow_deadlock,
            diameter: self.diameter,
            strip: self.strip.into(),
            explain,
            observe,
        })
    }
}

/// When to reorder variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Reordering {
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
            Reordering::Auto => SmvOptions::default().reorder,
            Reordering::Early => Reorder::From(4_000),
            Reordering::Off => Reorder::Never,
        }
    }
}

/// How thoroughly to remove irrelevant values from counterexamples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stripping {
    /// Keep all values.
    Off,
    /// Use the algorithms of the paper [shen.05.charme] as published: on bits, in declared order, over all states.
    Paper,
    /// Use them on whole variables and reachable states.
    Guided,
    /// Then remove values until no single one can be removed.
    Irredundant,
    /// Keep as few values as possible, if the search for them ends in time.
    Exact,
}

impl From<Stripping> for Strip {
    fn from(effort: Stripping) -> Self {
        match effort {
            Stripping::Off => Strip::Off,
            Stripping::Paper => Strip::Paper,
            Stripping::Guided => Strip::Guided,
            Stripping::Irredundant => Strip::Irredundant,
            Stripping::Exact => Strip::Exact,
        }
    }
}
