//! `check_ltlspec_bmc_inc`: as `check_ltlspec_bmc`; the search is always incremental.

use super::arguments::Arguments;
use super::check_ltlspec_bmc::{BOUND, LOOPBACK, check_selected};
use super::check_property::{FORMULA, NAME, NUMBER};
use super::{Command, HELP};
use crate::session::{Outcome, Session};

/// The command.
pub const COMMAND: Command = Command {
    name: "check_ltlspec_bmc_inc",
    meaning: "searches for violations of LTL formulas with few steps",
    words: "",
    options: &[HELP, NUMBER, FORMULA, NAME, BOUND, LOOPBACK],
    run,
};

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    check_selected(session, arguments, &COMMAND)
}
