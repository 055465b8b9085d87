//! The tool: arguments, commands, views, files and exit codes.
//!
//! Modules in reading order: `arguments`, `habit` (options of other tools), `exit`; `file` (output files), `input` (models), `formulas` (and automata),
//! `diagnostics`, `output`; `command` (one file per command); `trace` and `shelf` (trace files, and where they are saved); `view` (one format per file) and `picture` (pages and charts); `terminal`, `pager`, `progress`, `signals`, `watchdog`, `memory`; `bug` (when
//! the fault is ours).

mod arguments;
mod automata;
mod bug;
mod checkpoint;
mod command;
mod diagnostics;
mod exit;
mod file;
mod filter;
mod formulas;
mod habit;
mod input;
mod memory;
mod output;
mod pager;
mod picture;
mod progress;
mod shelf;
mod signals;
mod terminal;
mod thresholds;
mod trace;
mod view;
mod watchdog;

use crate::thresholds::input::STACK;
use arguments::{Arguments, Colour, Command};
use clap::{CommandFactory, FromArgMatches};
use command::smv;
use exit::{Exit, Failure};
use kernel::escape::escaped;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use terminal::{Style, Terminal, styled};

fn main() -> ExitCode {
    let worker = std::thread::Builder::new().name("lariat".into()).stack_size(STACK).spawn(guarded);
    let exit = worker.map(|worker| worker.join().unwrap_or(Exit::Bug as u8));
    let exit = exit.unwrap_or_else(|error| {
        output::eprint(&format!("lariat: cannot start a thread: {error}\n"));
        Exit::Usage as u8
    });
    ExitCode::from(exit)
}

/// Everything, with panics turned into an admission.
fn guarded() -> u8 {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        pager::release();
        let version = env!("CARGO_PKG_VERSION");
        output::eprint(&format!(
            "\nlariat {version}: this is a bug in Lariat, not in your model. Please report it with the model, the \
             command line and the message above.\n"
        ));
        Exit::Bug as u8
    })
}

fn run() -> u8 {
    if let Some(arguments) = command::nusmv::by_name() {
        return concluded(command::nusmv::run(&arguments), Terminal::detect(Colour::Auto));
    }
    let parsed = Arguments::command().try_get_matches();
    let parsed = parsed.and_then(|matches| Ok((Arguments::from_arg_matches(&matches)?, matches)));
    let (arguments, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(mut error) => {
            let given: Vec<String> = std::env::args().skip(1).collect();
            let hints = habit::explain(&mut error, &given);
            let terminal = Terminal::detect(Colour::Auto);
            output::allow_colours(terminal);
            let (message, is_error) = (error.render(), error.use_stderr());
            let is_coloured = if is_error { terminal.colours_messages } else { terminal.colours_output };
            let message = if is_coloured { message.ansi().to_string() } else { message.to_string() };
            match is_error {
                true => output::eprint(&format!("{message}{}{hints}", if hints.is_empty() { "" } else { "\n" })),
                false => output::print(&message),
            }
            return if error.use_stderr() { Exit::Usage as u8 } else { Exit::Holds as u8 };
        }
    };
    let terminal = Terminal::detect(arguments.color);
    output::allow_colours(terminal);
    if let Command::Nusmv(nusmv) = &arguments.command {
        // Its exit codes are NuSMV's.
        return concluded(command::nusmv::run(nusmv), terminal);
    }
    let is_fit = arguments::check_language(&arguments.command, &matches);
    if !arguments.no_pager && shows_traces(&arguments.command) {
        pager::begin();
    }
    let result = is_fit.and_then(|()| execute(&arguments.command, terminal));
    pager::finish();
    let result = result.and_then(|exit| output::lost().map_or(Ok(exit as u8), Err));
    concluded(result, terminal)
}

/// Whether a command ends by itself and may show a long trace.
fn shows_traces(command: &Command) -> bool {
    match command {
        Command::Check(_) => true,
        Command::Replay(replay) => !replay.interactive,
        _ => false,
    }
}

/// The exit code of a command, after the message of one that failed.
fn concluded(result: Result<u8, Failure>, terminal: Terminal) -> u8 {
    result.unwrap_or_else(|Failure { exit, message, details }| {
        let label = match exit {
            Exit::Bug => "bug in Lariat",
            _ => "error",
        };
        let label = styled(terminal.colours_messages, Style::Bad, label);
        output::eprint(&format!("{details}{label}: {}\n", escaped(&message)));
        exit as u8
    })
}

fn execute(command: &Command, terminal: Terminal) -> Result<Exit, Failure> {
    match command {
        Command::Check(check) => command::check::run(check, terminal),
        Command::Cluster(cluster) => command::cluster::run(cluster, terminal),
        Command::Simulate(simulate) if simulate.model.is_smv() => smv::simulate::run(simulate, terminal),
        Command::Simulate(simulate) => command::simulate::run(simulate, terminal),
        Command::Replay(replay) if replay.model.is_smv() => smv::replay::replay(replay, terminal),
        Command::Replay(replay) => command::replay::run(replay, terminal),
        Command::Validate(validate) if validate.model.is_smv() => smv::replay::validate(validate, terminal),
        Command::Validate(validate) => command::validate::run(validate, terminal),
        Command::Translate(translate) => command::translate::run(translate, terminal),
        Command::Formula(formula) => command::formula::run(formula, terminal),
        Command::Automaton(automaton) => command::automaton::run(automaton, terminal),
        Command::Testbench(testbench) => command::testbench::run(testbench, terminal),
        Command::Format(format) => command::format::run(format, terminal),
        Command::Lsp(server) => command::lsp::run(server),
        Command::Serve(serve) => command::serve::run(serve),
        Command::Nusmv(_) => unreachable!("the caller runs this command"),
    }
}
