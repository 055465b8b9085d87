//! What the commands that work through streams share: writing, with an eye on what is lost, and going on after a
//! mistake.

use crate::command::check::eprint;
use crate::exit::{Exit, Failure};
use crate::input::reason;
use crate::terminal::{Style, Terminal, styled};
use std::io::{ErrorKind, Write};
use std::sync::OnceLock;

/// Why some output is lost, if it is.
static LOST: OnceLock<String> = OnceLock::new();

/// Writes on standard output at once; false if it cannot be written. A reader that has gone away is no error; anything
/// else, as a full disk, is remembered, and the process ends with it.
pub(crate) fn emit(text: &str) -> bool {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => true,
        Err(error) => {
            if error.kind() != ErrorKind::BrokenPipe {
                // The first reason is the one to tell.
                let _ = LOST.set(reason(&error));
            }
            false
        }
    }
}

/// What to say where output is lost.
pub(crate) fn lost() -> Option<Failure> {
    LOST.get().map(|reason| Failure::usage(format!("cannot write standard output: {reason}")))
}

/// Says on standard error why one item of a stream came to nothing. Diagnostics speak for themselves.
pub(crate) fn complain(failure: Failure, terminal: Terminal) -> Exit {
    let Failure { exit, message, details } = failure;
    if details.is_empty() {
        let label = styled(terminal.colours_messages, Style::Bad, "error");
        eprint(&format!("{label}: {message}\n"));
    } else {
        eprint(&details);
    }
    exit
}
