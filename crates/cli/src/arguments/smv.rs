//! Options of `check` that are about SMV models.

use crate::exit::Failure;
use crate::input::read_text;
use checker::options::{Reorder, SmvEngine, SmvOptions, Strip};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// How SMV models are checked.
#[derive(Clone, Debug, Args)]
pub(crate) struct SmvArguments {
    /// SMV: print verdicts and traces in NuSMV's format
    #[arg(long)]
    pub(crate) nusmv_output: bool,
    /// SMV: the engine that checks the properties
    #[arg(long, value_enum, value_name = "ENGINE", default_value_t = EngineName::Auto)]
    engine: EngineName,
    /// SMV, `--engine bmc`: search for counterexamples of at most this many steps
    #[arg(long, value_name = "STEPS")]
    bound: Option<usize>,
    /// SMV: write the proofs of SAT engines to this file, inductive invariants as SMV text
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// SMV: write the circuit of the model to this file, in the AIGER format: text if its name ends in `.aag`, else binary
    #[arg(long, value_name = "FILE")]
    pub(crate) write_aiger: Option<PathBuf>,
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
        if self.bound.is_some() && self.engine != EngineName::Bmc {
            return Err(Failure::usage("`--bound` is for `--engine bmc`: the other engines decide all lengths"));
        }
        if self.certificate.is_some() && matches!(self.engine, EngineName::Bdd | EngineName::Bmc) {
            return Err(Failure::usage(
                "`--certificate` is for engines that prove: `--engine ic3`, `induction` or `auto`",
            ));
        }
        let order = |path: &PathBuf| Ok((path.display().to_string(), read_text(path)?));
        Ok(SmvOptions {
            engine: self.engine.into(),
            bound: self.bound,
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

/// The engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineName {
    /// Decision diagrams, and SAT beside them where they take longer than a moment.
    Auto,
    /// Decision diagrams, for all properties.
    Bdd,
    /// Bounded model checking by SAT: shortest counterexamples to invariants and LTL.
    Bmc,
    /// Bounded model checking and k-induction by SAT.
    Induction,
    /// Bounded model checking and IC3 by SAT.
    Ic3,
}

impl From<EngineName> for SmvEngine {
    fn from(engine: EngineName) -> Self {
        match engine {
            EngineName::Auto => SmvEngine::Auto,
            EngineName::Bdd => SmvEngine::Bdd,
            EngineName::Bmc => SmvEngine::Bmc,
            EngineName::Induction => SmvEngine::Induction,
            EngineName::Ic3 => SmvEngine::Ic3,
        }
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
