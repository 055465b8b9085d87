//! Writing on standard output and standard error.

use crate::exit::{Exit, Failure};
use crate::input::reason;
use crate::terminal::{Style, Terminal, styled};
use std::io::{ErrorKind, Write};
use std::sync::OnceLock;

/// The first error of standard output, if there was one.
static LOST: OnceLock<String> = OnceLock::new();

/// Writes on standard output at once, and returns false if that fails. A closed pipe is no error. Any other error, such
/// as a full disk, is remembered, and the process ends with it.
pub(crate) fn emit(text: &str) -> bool {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => true,
        Err(error) => {
            if error.kind() != ErrorKind::BrokenPipe {
                // The first error explains the others.
                let _ = LOST.set(reason(&error));
            }
            false
        }
    }
}

/// Writes on standard output. An error is reported when the process ends: see [`lost`].
pub(crate) fn print(text: &str) {
    emit(text);
}

/// Writes on standard error. There is nowhere to report an error of that.
pub(crate) fn eprint(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// The failure to report if some output was lost.
pub(crate) fn lost() -> Option<Failure> {
    LOST.get().map(|reason| Failure::usage(format!("cannot write standard output: {reason}")))
}

/// Reports on standard error that one item of a stream failed. Diagnostics need no further message.
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
