//! What the commands that work through streams share: writing, and going on after a mistake.

use crate::command::check::eprint;
use crate::exit::{Exit, Failure};
use crate::terminal::{Style, Terminal, styled};
use std::io::Write;

/// Writes on standard output at once; false if nobody reads any more.
pub(crate) fn emit(text: &str) -> bool {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_ok()
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
