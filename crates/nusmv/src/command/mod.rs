//! The commands: one table, which drives execution, `help` and usage, and one file each.

pub mod arguments;
pub mod bmc_setup;
pub mod build_boolean_model;
pub mod build_flat_model;
pub mod build_model;
pub mod check_compute;
pub mod check_ctlspec;
pub mod check_fsm;
pub mod check_invar;
pub mod check_invar_bmc;
pub mod check_ltlspec;
pub mod check_ltlspec_bmc;
pub mod check_ltlspec_bmc_inc;
pub mod check_property;
pub mod check_pslspec;
pub mod compute_reachable;
pub mod echo;
pub mod encode_variables;
pub mod flatten_hierarchy;
pub mod go;
pub mod go_bmc;
pub mod goto_state;
pub mod help;
pub mod pick_state;
pub mod print_current_state;
pub mod print_fsm_stats;
pub mod print_reachable_states;
pub mod process_model;
pub mod quit;
pub mod read_model;
pub mod reset;
pub mod set;
pub mod show_plugins;
pub mod show_property;
pub mod show_traces;
pub mod show_vars;
pub mod simulate;
pub mod source;
pub mod time;
pub mod unset;
pub mod write_order;

use crate::session::{Outcome, Session};
use arguments::Arguments;

/// An option of a command: its letter, what its value is called (empty if it has none), and its meaning.
pub type OptionRow = (char, &'static str, &'static str);

/// The option that every command has.
pub const HELP: OptionRow = ('h', "", "print this usage");
/// The option for a file to print into.
pub const OUTPUT: OptionRow = ('o', "file", "print into this file");
/// The option for a pager.
pub const PAGER: OptionRow = ('m', "", "print through a pager; here as without it");

/// A command.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub meaning: &'static str,
    /// Words after the options.
    pub words: &'static str,
    /// Its options.
    pub options: &'static [OptionRow],
    /// What executes it.
    pub run: fn(&mut Session<'_>, &Arguments) -> Outcome,
}

/// All commands, by name.
pub const COMMANDS: &[Command] = &[
    bmc_setup::COMMAND,
    build_boolean_model::COMMAND,
    build_flat_model::COMMAND,
    build_model::COMMAND,
    check_compute::COMMAND,
    check_ctlspec::COMMAND,
    check_fsm::COMMAND,
    check_invar::COMMAND,
    check_invar_bmc::COMMAND,
    check_ltlspec::COMMAND,
    check_ltlspec_bmc::COMMAND,
    check_ltlspec_bmc_inc::COMMAND,
    check_property::COMMAND,
    check_pslspec::COMMAND,
    compute_reachable::COMMAND,
    echo::COMMAND,
    encode_variables::COMMAND,
    flatten_hierarchy::COMMAND,
    go::COMMAND,
    go_bmc::COMMAND,
    goto_state::COMMAND,
    help::COMMAND,
    pick_state::COMMAND,
    print_current_state::COMMAND,
    print_fsm_stats::COMMAND,
    print_reachable_states::COMMAND,
    process_model::COMMAND,
    quit::COMMAND,
    read_model::COMMAND,
    reset::COMMAND,
    set::COMMAND,
    show_plugins::COMMAND,
    show_property::COMMAND,
    show_traces::COMMAND,
    show_vars::COMMAND,
    simulate::COMMAND,
    source::COMMAND,
    time::COMMAND,
    unset::COMMAND,
    write_order::COMMAND,
];

/// Commands of NuSMV that do not exist here.
pub const UNSUPPORTED: &[&str] = &[
    "add_property",
    "alias",
    "bmc_inc_simulate",
    "bmc_pick_state",
    "bmc_simulate",
    "bmc_simulate_check_feasible_constraints",
    "check_invar_bmc_inc",
    "check_ltlspec_bmc_onepb",
    "check_ltlspec_klive",
    "check_ltlspec_sbmc",
    "check_ltlspec_sbmc_inc",
    "check_ltlspec_simplify",
    "clean_sexp2bdd_cache",
    "convert_property_to_invar",
    "dump_expr",
    "dump_fsm",
    "dynamic_var_ordering",
    "execute_partial_traces",
    "execute_traces",
    "gen_invar_bmc",
    "gen_ltlspec_bmc",
    "gen_ltlspec_bmc_onepb",
    "gen_ltlspec_sbmc",
    "get_internal_status",
    "history",
    "print_bdd_stats",
    "print_clusterinfo",
    "print_fair_states",
    "print_fair_transitions",
    "print_formula",
    "print_iwls95options",
    "print_usage",
    "read_trace",
    "set_bdd_parameters",
    "show_dependencies",
    "unalias",
    "usage",
    "which",
    "write_boolean_model",
    "write_coi_model",
    "write_flat_model",
    "write_flat_model_udg",
    "write_simplified_model_rel",
];

/// Older names of commands.
const OLD_NAMES: [(&str, &str); 2] = [("check_spec", "check_ctlspec"), ("compute", "check_compute")];

/// The command with this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Command> {
    let name = OLD_NAMES.iter().find(|(old, _)| *old == name).map_or(name, |(_, name)| name);
    COMMANDS.iter().find(|command| command.name == name)
}

/// Executes a command given as words.
pub fn execute(session: &mut Session<'_>, words: &[String]) -> Outcome {
    let Some((name, rest)) = words.split_first() else { return Outcome::Done };
    let Some(command) = find(name) else {
        let what = if UNSUPPORTED.contains(&name.as_str()) { "unsupported" } else { "unknown" };
        session.console.error(&format!("{what} command '{name}'\n"));
        return Outcome::Failed;
    };
    let arguments = match Arguments::parse(command, rest) {
        Ok(arguments) => arguments,
        Err(message) => {
            session.console.error(&message);
            return Outcome::Failed;
        }
    };
    if arguments.has('h') {
        session.console.error(&command.usage());
        return Outcome::Done;
    }
    let Some(file) = arguments.value('o').filter(|_| command.options.contains(&OUTPUT)) else {
        return (command.run)(session, &arguments);
    };
    session.console.capture();
    let outcome = (command.run)(session, &arguments);
    let text = session.console.captured();
    match session.write(file, &text) {
        Outcome::Done => outcome,
        failed => failed,
    }
}

impl Command {
    /// How to use it.
    #[must_use]
    pub fn usage(&self) -> String {
        let mut text = format!("usage: {}", self.name);
        for (letter, value, _) in self.options {
            let value = if value.is_empty() { String::new() } else { format!(" <{value}>") };
            text += &format!(" [-{letter}{value}]");
        }
        if !self.words.is_empty() {
            text += &format!(" {}", self.words);
        }
        text += &format!("\n  {}\n", self.meaning);
        for (letter, value, meaning) in self.options {
            let value = if value.is_empty() { String::new() } else { format!(" <{value}>") };
            text += &format!("  -{letter}{value}\t{meaning}\n");
        }
        text
    }

    /// Prints how to use it, since it was used otherwise.
    pub fn misused(&self, session: &mut Session<'_>) -> Outcome {
        session.console.error(&self.usage());
        Outcome::Failed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_sorted_and_have_help() {
        assert!(COMMANDS.windows(2).all(|pair| pair[0].name < pair[1].name));
        assert!(UNSUPPORTED.windows(2).all(|pair| pair[0] < pair[1]));
        for command in COMMANDS {
            assert!(command.options.contains(&HELP), "{}", command.name);
            assert!(!UNSUPPORTED.contains(&command.name));
            let letters: std::collections::BTreeSet<char> = command.options.iter().map(|row| row.0).collect();
            assert_eq!(letters.len(), command.options.len(), "{}", command.name);
        }
    }
}
