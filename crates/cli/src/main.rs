//! The tool: arguments, commands, views, files and exit codes.
//!
//! Modules in reading order: `arguments`, `exit`; `input` (models), `formulas` (and automata),
//! `diagnostics`, `output`; `command` (one file per command); `trace` (trace files); `view` (one format per file); `terminal`, `progress`, `signals`, `memory`; `bug` (when
//! the fault is ours).

mod arguments;
mod bug;
mod command;
mod diagnostics;
mod exit;
mod formulas;
mod input;
mod memory;
mod output;
mod progress;
mod signals;
mod terminal;
mod trace;
mod view;

use arguments::{Arguments, Command};
use clap::Parser;
use clap::error::{ContextKind, ContextValue};
use command::smv;
use exit::{Exit, Failure};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use terminal::{Style, Terminal, styled};

/// Room for deep trees; only what is used is ever taken from the system.
const STACK: usize = 512 << 20;

fn main() -> ExitCode {
    let worker = std::thread::Builder::new().name("lariat".into()).stack_size(STACK).spawn(guarded);
    let exit = worker.map(|worker| worker.join().unwrap_or(Exit::Bug));
    let exit = exit.unwrap_or_else(|error| {
        command::check::eprint(&format!("lariat: cannot start a thread: {error}\n"));
        Exit::Usage
    });
    ExitCode::from(exit as u8)
}

/// Everything, with panics turned into an admission.
fn guarded() -> Exit {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let version = env!("CARGO_PKG_VERSION");
        command::check::eprint(&format!(
            "\nlariat {version}: this is a bug in Lariat, not in your model. Please report it with the model, the \
             command line and the message above.\n"
        ));
        Exit::Bug
    })
}

/// What to write instead of an option that other tools have.
fn habit(error: &clap::Error) -> &'static str {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) if option == "--json" => {
            "\nhint: JSON is one of the formats: --format json\n"
        }
        Some(ContextValue::String(option)) if option == "-a" => {
            "\nhint: `check` checks everything the model states; --acceptance and --ltl choose a part\n"
        }
        _ => "",
    }
}

fn run() -> Exit {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            command::check::eprint(habit(&error));
            return if error.use_stderr() { Exit::Usage } else { Exit::Holds };
        }
    };
    let terminal = Terminal::detect(arguments.color);
    let result = match &arguments.command {
        Command::Check(check) if smv::is_meant(&check.model) => smv::check::run(check, terminal),
        Command::Simulate(simulate) if smv::is_meant(&simulate.model) => smv::simulate::run(simulate, terminal),
        Command::Replay(replay) if smv::is_meant(&replay.model) => smv::replay::replay(replay, terminal),
        Command::Validate(validate) if smv::is_meant(&validate.model) => smv::replay::validate(validate, terminal),
        Command::Check(check) => command::check::run(check, terminal),
        Command::Simulate(simulate) => command::simulate::run(simulate, terminal),
        Command::Replay(replay) => command::replay::run(replay, terminal),
        Command::Validate(validate) => command::validate::run(validate, terminal),
        Command::Translate(translate) => command::translate::run(translate, terminal),
        Command::Formula(formula) => command::formula::run(formula, terminal),
        Command::Automaton(automaton) => command::automaton::run(automaton, terminal),
        Command::Testbench(testbench) => command::testbench::run(testbench, terminal),
    };
    let result = result.and_then(|exit| output::lost().map_or(Ok(exit), Err));
    result.unwrap_or_else(|Failure { exit, message, details }| {
        let label = match exit {
            Exit::Bug => "bug in Lariat",
            _ => "error",
        };
        let label = styled(terminal.colours_messages, Style::Bad, label);
        command::check::eprint(&format!("{details}{label}: {message}\n"));
        exit
    })
}
