//! Scripts and the prompt.

use crate::command;
use crate::session::{Outcome, Session};
use crate::words;

/// The prompt.
const PROMPT: &str = "NuSMV > ";
/// How often the end of the input is answered with advice before the session ends.
const ENDS: usize = 5;
/// How deep scripts may execute each other.
const DEEPEST: usize = 50;

/// Reads and executes commands until `quit` or the end of the input; the exit code.
pub fn converse(session: &mut Session<'_>) -> u8 {
    let mut ends = 0;
    loop {
        session.console.print(PROMPT);
        let Some(line) = session.console.line() else {
            if ends == ENDS {
                return 0;
            }
            ends += 1;
            session.console.error("\nUse \"quit\" to leave NuSMV.\n");
            continue;
        };
        ends = 0;
        if let Outcome::Quit(code) = execute(session, &line) {
            return code;
        }
    }
}

/// Executes a script, then reads commands unless the script ended the session; the exit code.
pub fn script_then_converse(session: &mut Session<'_>, script: &str) -> u8 {
    match source(session, script, false, false) {
        Outcome::Quit(code) => code,
        _ => converse(session),
    }
}

/// Executes the commands of a line, up to the first that fails.
pub fn execute(session: &mut Session<'_>, line: &str) -> Outcome {
    for words in words::commands(line) {
        let outcome = command::execute(session, &words);
        if outcome != Outcome::Done {
            return outcome;
        }
    }
    Outcome::Done
}

/// Executes the commands of a file. `echo` prints each line before it is executed; a missing file is no failure if
/// `may_be_missing`.
pub fn source(session: &mut Session<'_>, file: &str, echo: bool, may_be_missing: bool) -> Outcome {
    let bytes = match std::fs::read(file) {
        Ok(bytes) => bytes,
        Err(_) if may_be_missing => return Outcome::Done,
        Err(error) => {
            session.console.error(&format!("File '{file}': {error}\n"));
            return Outcome::Failed;
        }
    };
    if session.nesting == DEEPEST {
        session.console.error(&format!("File '{file}': more than {DEEPEST} scripts execute each other\n"));
        return Outcome::Failed;
    }
    session.nesting += 1;
    let outcome = lines(session, &String::from_utf8_lossy(&bytes), file, echo);
    session.nesting -= 1;
    outcome
}

fn lines(session: &mut Session<'_>, text: &str, file: &str, echo: bool) -> Outcome {
    for line in text.lines() {
        if echo {
            session.console.print(&format!("{line}\n"));
        }
        match execute(session, line) {
            Outcome::Done => {}
            Outcome::Failed => {
                session.console.error(&format!("aborting 'source {file}'\n"));
                let quits = session.settings.is_on("on_failure_script_quits");
                return if quits { Outcome::Quit(u8::MAX) } else { Outcome::Failed };
            }
            quit => return quit,
        }
    }
    Outcome::Done
}
