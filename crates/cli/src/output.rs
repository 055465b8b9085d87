//! Writing on standard output and standard error.

use crate::exit::{Exit, Failure};
use crate::input::reason;
use crate::pager;
use crate::terminal::{Style, Terminal, styled};
use kernel::escape::{escaped, is_hostile};
use std::borrow::Cow;
use std::io::{ErrorKind, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The first error of standard output, if there was one.
static LOST: OnceLock<String> = OnceLock::new();

/// Whether the streams may contain our own colours: standard output, standard error.
static COLOURS: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];

/// Lets colours through that [`styled`] and the renderer of diagnostics write. All other control characters are
/// escaped in any case.
pub(crate) fn allow_colours(terminal: Terminal) {
    COLOURS[0].store(terminal.colours_output, Ordering::Relaxed);
    COLOURS[1].store(terminal.colours_messages, Ordering::Relaxed);
}

/// The text as a terminal may see it. What a model, a trace or a command line contributes was escaped where it was
/// inserted, or is escaped here; only codes for colours stay, and only where colours are wanted.
fn safe(text: &str, may_be_coloured: bool) -> Cow<'_, str> {
    if !may_be_coloured || !text.contains(is_hostile) {
        return escaped(text);
    }
    let mut safe = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('\x1b') {
        let (before, code) = rest.split_at(start);
        safe.push_str(&escaped(before));
        let length = colour(code).unwrap_or(0);
        safe.push_str(&code[..length]);
        let escape = if length == 0 { 1 } else { 0 };
        safe.push_str(&escaped(&code[..escape]));
        rest = &code[length + escape..];
    }
    safe.push_str(&escaped(rest));
    Cow::Owned(safe)
}

/// The length of the code for a colour, such as `ESC [ 1 ; 31 m`, at the beginning of a text.
fn colour(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\x1b[")?;
    let end = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    parameters[end..].starts_with('m').then_some("\x1b[".len() + end + 1)
}

/// Writes on standard output at once, and returns false if that fails. A closed pipe is no error. Any other error, such
/// as a full disk, is remembered, and the process ends with it.
pub(crate) fn emit(text: &str) -> bool {
    let text = shown(text);
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

/// The text as standard output may show it.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    safe(text, COLOURS[0].load(Ordering::Relaxed))
}

/// Writes on standard output, or holds the text back for the pager. An error is reported when the process ends: see [`lost`].
pub(crate) fn print(text: &str) {
    print_or(text, "");
}

/// The same; if the text is held back, another one is written in its place.
pub(crate) fn print_or(text: &str, brief: &str) {
    emit(if pager::admits(text) { text } else { brief });
}

/// Writes on standard error. There is nowhere to report an error of that.
pub(crate) fn eprint(text: &str) {
    let text = safe(text, COLOURS[1].load(Ordering::Relaxed));
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
        eprint(&format!("{label}: {}\n", escaped(&message)));
    } else {
        eprint(&details);
    }
    exit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colours_reach_the_terminal_and_only_where_they_are_wanted() {
        let text = "\x1b[1;31mbad\x1b[0m \x1b[2J\x1b]0;title\x07";
        assert_eq!(safe(text, true), "\x1b[1;31mbad\x1b[0m \\u001b[2J\\u001b]0;title\\u0007");
        assert_eq!(safe(text, false), escaped(text));
        assert_eq!(safe("plain\n", true), "plain\n");
        assert_eq!(safe("\x1b", true), "\\u001b");
        assert_eq!(safe("\x1b[", true), "\\u001b[");
    }
}
