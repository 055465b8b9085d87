//! The command line of a check by several processes.

use super::{Check, Colour, duration};
use clap::{Args, Parser};
use std::path::PathBuf;
use std::time::Duration;

/// Which process of a cluster this is.
#[derive(Clone, Debug, Args)]
pub(crate) struct ClusterArguments {
    /// Check together with the processes whose addresses this file lists, one `host:port` per line; start each of them
    /// with the same command and its own `--index`
    #[arg(long, value_name = "FILE", requires = "index")]
    pub(crate) hosts: Option<PathBuf>,
    /// The place of this process in the list of `--hosts`, from 0 on; process 0 prints the report
    #[arg(long, value_name = "NUMBER", requires = "hosts")]
    pub(crate) index: Option<usize>,
    /// The file with the secret of the cluster; the default is the value of the variable LARIAT_SECRET
    #[arg(long, value_name = "FILE", requires = "hosts")]
    pub(crate) secret: Option<PathBuf>,
    /// How long to wait for the other processes of a cluster
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10s")]
    pub(crate) wait: Duration,
    /// End when standard input ends: then the process that started this one has ended
    #[arg(long, hide = true, requires = "hosts")]
    pub(crate) with_parent: bool,
}

/// `lariat cluster`
#[derive(Debug, Args)]
pub(crate) struct Cluster {
    /// The number of processes
    #[arg(long, value_name = "NUMBER", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) processes: u8,
    /// The model and options of `lariat check`; `--processes` may stand among them
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    pub(crate) arguments: Vec<String>,
}

/// A command line of `lariat check` alone.
#[derive(Debug, Parser)]
#[command(name = "lariat cluster", disable_version_flag = true)]
struct CheckAlone {
    /// The number of processes
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..=64))]
    processes: Option<u8>,
    /// When to colour the output
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Colour::Auto)]
    color: Colour,
    #[command(flatten)]
    check: Check,
}

impl Cluster {
    /// The check, the number of processes, and the arguments of each process.
    ///
    /// # Errors
    /// What is wrong with the options of the check.
    pub(crate) fn parse(&self) -> Result<(Check, u8, Vec<String>), clap::Error> {
        let given = std::iter::once("lariat cluster").chain(self.arguments.iter().map(String::as_str));
        let CheckAlone { processes, check, .. } = CheckAlone::try_parse_from(given)?;
        let mut rest = Vec::new();
        let mut arguments = self.arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.strip_prefix("--processes") {
                Some("") => {
                    arguments.next();
                }
                Some(value) if value.starts_with('=') => {}
                _ => rest.push(argument.clone()),
            }
        }
        Ok((check, processes.unwrap_or(self.processes), rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_processes_may_stand_anywhere() {
        let parse = |line: &str| {
            let arguments = line.split_whitespace().map(String::from).collect();
            let (check, processes, rest) = Cluster { processes: 2, arguments }.parse().expect(line);
            (check.model.model, processes, rest.join(" "))
        };
        assert_eq!(parse("m.pml --safety"), ("m.pml".into(), 2, "m.pml --safety".into()));
        assert_eq!(parse("m.pml --processes 4 --safety"), ("m.pml".into(), 4, "m.pml --safety".into()));
        assert_eq!(parse("--safety m.pml --processes=3"), ("m.pml".into(), 3, "--safety m.pml".into()));
        assert_eq!(parse("m.pml --color never"), ("m.pml".into(), 2, "m.pml --color never".into()));
        assert!(Cluster { processes: 2, arguments: vec!["--frobnicate".into()] }.parse().is_err());
    }
}
