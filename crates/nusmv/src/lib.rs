//! NuSMV's command line, scripts and interactive commands, answered by Lariat's engines in NuSMV's layouts.
//!
//! Modules in reading order: [`options`] (the command line), [`batch`] (a run without commands), [`shell`] (scripts and
//! the prompt), [`words`] (a line as words), [`command`] (the table of commands, one file each), [`settings`] (`set` and
//! `unset`); [`session`] (all that commands share), [`model`] (reading, and mistakes in NuSMV's words), [`properties`]
//! (the list of properties and their answers), [`preprocess`] (external preprocessors), [`reachable`] (numbers of states), [`machine`] (sets of states and single
//! choices), [`declared`] (the order of variables), [`listing`] (the order in which NuSMV lists states), [`choice`] (states that the user chooses from), [`bounded`] (bounded model checking), [`trace`] (traces
//! and their layouts), [`numbers`] (floating-point numbers as C prints them), [`output`] (files that commands write), [`console`] (the three streams).
//!
//! Contract: the texts are those of NuSMV 2.6 as far as recorded sessions and the behaviour of NuSMV 2.5.4 show them;
//! `docs/nusmv-shell.md` lists the differences. Properties go to [`checker::check()`]; only the bounded
//! commands decide here ([`bounded`]), and the definition of the model confirms their counterexamples.

pub mod batch;
pub mod bounded;
pub mod choice;
pub mod command;
pub mod console;
pub mod declared;
pub mod listing;
pub mod machine;
pub mod model;
pub mod numbers;
pub mod options;
pub mod output;
pub mod preprocess;
pub mod properties;
pub mod reachable;
pub mod session;
pub mod settings;
pub mod shell;
pub mod trace;
pub mod words;

use console::Console;
use kernel::budget::Budget;
use options::{Options, Refused};
use session::Session;

/// Runs NuSMV's command line, without the name of the program; the result is the exit code.
pub fn run(arguments: &[String], console: Console<'_>, budget: &Budget) -> u8 {
    let mut console = console;
    let options = match Options::parse(arguments) {
        Ok(options) => options,
        Err(Refused { message, exit }) => {
            console.error(&message);
            return exit;
        }
    };
    if !options.is_quiet {
        console.print(BANNER);
    }
    let mut session = Session::new(console, budget.clone());
    if let Err(message) = session.configure(&options) {
        session.console.error(&message);
        return u8::MAX;
    }
    match &options.script {
        _ if options.is_interactive => shell::converse(&mut session),
        Some(script) => shell::script_then_converse(&mut session, script),
        None => batch::run(&mut session, &options),
    }
}

/// What stands before all output. Programs that read NuSMV's output skip lines that begin with `***`; the empty lines
/// stand where NuSMV has them.
const BANNER: &str = concat!(
    "*** This is Lariat ",
    env!("CARGO_PKG_VERSION"),
    " with the commands and layouts of NuSMV 2.6.0\n",
    "*** An independent validator has confirmed every counterexample\n",
    "\n",
    "*** `help` lists the commands; docs/nusmv-shell.md explains the differences from NuSMV\n",
    "\n",
    "*** NuSMV is a program of Fondazione Bruno Kessler, CMU, the University of Genova and the University of Trento\n",
    "\n",
    "*** This program contains no part of it\n",
    "\n",
);
