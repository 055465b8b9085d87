//! Paging: a report that is longer than the screen is shown page by page when the command is over.
//!
//! A check tells verdicts as they become known, beside a line of progress. A pager that is started before the first output
//! would take the terminal away from both. So a text is printed at once as long as all output fits on the screen; one that
//! does not fit is held back, and the caller may have something short printed in its place. When the command is over, the
//! pager shows everything from the start. If nothing was held back, no pager is started.
//!
//! There is no paging in a pipe, with `--no-pager`, on a terminal that cannot move its cursor (`TERM=dumb`), and if the variable
//! `LARIAT_PAGER` is empty or `cat`. That variable names the command, then `PAGER`, then it is `less`, which ends at once
//! if all fits on the screen, and shows colours.
//!
//! *Tested by* `tests/paging.rs`, on a terminal of its own.

use crate::output::{emit, shown};
use std::io::{IsTerminal, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The options of `less` if the user has set none: end if all fits on one screen, show colours, leave the text on the screen.
const OPTIONS: &str = "FRX";
/// The exit code of a shell that does not find a command.
const NOT_FOUND: i32 = 127;

/// What was printed and held back since [`begin`].
static REPORT: Mutex<Option<Report>> = Mutex::new(None);
/// Whether a pager has the terminal.
static IS_OPEN: AtomicBool = AtomicBool::new(false);

struct Report {
    pager: Pager,
    /// The size of the screen.
    columns: usize,
    rows: usize,
    /// The rows of the screen that are written.
    used: usize,
    /// All texts, in order.
    whole: String,
    /// Those that were held back.
    held: String,
}

/// The command that shows a text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Pager {
    /// The usual one.
    Usual,
    /// A line for the shell.
    Named(String),
}

fn report() -> MutexGuard<'static, Option<Report>> {
    REPORT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Holds back long texts from now on, if standard output is a screen.
pub(crate) fn begin() {
    let is_capable = std::env::var_os("TERM").is_some_and(|term| term != "dumb");
    let named = ["LARIAT_PAGER", "PAGER"].iter().find_map(|name| std::env::var(name).ok());
    let size = terminal_size::terminal_size_of(std::io::stdout());
    let (Some(pager), Some((columns, rows))) = (Pager::of(named), size) else { return };
    if is_capable && std::io::stdout().is_terminal() {
        let (columns, rows) = (usize::from(columns.0).max(1), usize::from(rows.0));
        *report() = Some(Report { pager, columns, rows, used: 1, whole: String::new(), held: String::new() });
    }
}

/// Whether a text is to be printed now; otherwise it is held back.
pub(crate) fn admits(text: &str) -> bool {
    let mut report = report();
    let Some(report) = report.as_mut() else { return true };
    report.whole.push_str(text);
    report.used += rows(text, report.columns);
    let fits = report.used <= report.rows;
    if !fits {
        report.held.push_str(text);
    }
    fits
}

/// The command is over: shows everything in the pager, if something was held back.
pub(crate) fn finish() {
    let Some(report) = report().take().filter(|report| !report.held.is_empty()) else { return };
    IS_OPEN.store(true, Ordering::Relaxed);
    if !report.pager.show(&shown(&report.whole)) {
        emit(&report.held);
    }
    IS_OPEN.store(false, Ordering::Relaxed);
}

/// The command ends early: prints what was held back.
pub(crate) fn release() {
    if let Some(report) = report().take() {
        emit(&report.held);
    }
}

/// Whether a pager has the terminal. Ctrl-C is for it then.
pub(crate) fn is_open() -> bool {
    IS_OPEN.load(Ordering::Relaxed)
}

/// The rows that a text takes on a screen.
fn rows(text: &str, columns: usize) -> usize {
    text.lines().map(|line| width(line).div_ceil(columns).max(1)).sum()
}

/// The characters of a line that are seen, without the codes for colours.
fn width(line: &str) -> usize {
    let codes = line.match_indices("\x1b[").filter_map(|(start, _)| Some(line[start..].find('m')? + 1));
    line.chars().count().saturating_sub(codes.sum())
}

impl Pager {
    /// The pager with this name; none if the user wants none.
    fn of(named: Option<String>) -> Option<Self> {
        match named.as_deref().map(str::trim) {
            None => Some(Self::Usual),
            Some("" | "cat") => None,
            Some(line) => Some(Self::Named(line.into())),
        }
    }

    /// Shows a text until the user has seen enough; false if there is no such pager.
    fn show(&self, text: &str) -> bool {
        let Ok(mut child) = self.start() else { return false };
        if let Some(mut input) = child.stdin.take() {
            // Who leaves the pager early reads no further.
            let _ = input.write_all(text.as_bytes());
        }
        child.wait().is_ok_and(|status| status.code() != Some(NOT_FOUND))
    }

    fn start(&self) -> std::io::Result<Child> {
        let mut command = match self {
            Self::Usual if cfg!(windows) => Command::new("more"),
            Self::Usual => Command::new("less"),
            Self::Named(line) => {
                let (shell, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
                let mut command = Command::new(shell);
                command.args([option, line]);
                command
            }
        };
        if std::env::var_os("LESS").is_none() {
            command.env("LESS", OPTIONS);
        }
        command.stdin(Stdio::piped()).spawn()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_chooses_the_pager() {
        assert_eq!(Pager::of(None), Some(Pager::Usual));
        assert_eq!(Pager::of(Some(String::new())), None);
        assert_eq!(Pager::of(Some(" cat".into())), None);
        assert_eq!(Pager::of(Some("less -S".into())), Some(Pager::Named("less -S".into())));
    }

    #[test]
    fn long_lines_take_several_rows_and_colours_none() {
        assert_eq!(rows("one\ntwo\n\nfour\n", 80), 4);
        assert_eq!(rows("0123456789\n", 10), 1);
        assert_eq!(rows("0123456789x\n", 10), 2);
        assert_eq!(rows("\x1b[1;31m0123456789\x1b[0m\n", 10), 1);
    }
}
