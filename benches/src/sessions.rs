//! Recorded sessions with NuSMV, and what `lariat nusmv` answers to the same commands.
//!
//! A session is reproduced if standard output, standard error and exit code are equal, with these exceptions: the banner is
//! left out; the states of a trace may differ, since a property may have several counterexamples, but not its layout, its
//! first names and their order, and it must not be longer; sizes of decision diagrams may differ.

use kernel::budget::Budget;
use nusmv::console::Console;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The exit code of a recording that did not end.
const HUNG: &str = "124";
/// The time that a session may take.
const LIMIT: Duration = Duration::from_secs(60);

/// A recorded session.
#[derive(Clone, Debug)]
pub struct Session {
    /// Its name.
    pub name: String,
    arguments: Vec<String>,
    typed: String,
    script: String,
    output: String,
    errors: String,
    exit: String,
}

/// How a session compares with its recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything is equal.
    Equal,
    /// Equal, except for this many traces with other states.
    OtherTraces(usize),
    /// NuSMV did not end; here the session did.
    OnlyHere,
    /// The first difference, in words.
    Differs(String),
}

/// Reads the sessions of a folder, ordered by name.
///
/// # Errors
/// What cannot be read.
pub fn read(folder: &Path) -> Result<Vec<Session>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths.iter().filter_map(|path| session(path).transpose()).collect()
}

fn session(path: &Path) -> Result<Option<Session>, String> {
    let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or("");
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or("").to_owned();
    if kind != "script" && kind != "command" {
        return Ok(None);
    }
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let recorded = |kind: &str| fs::read_to_string(path.with_extension(kind)).unwrap_or_default();
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let model = first.trim_start_matches('#').trim().to_owned();
    let (arguments, typed, script) = match kind {
        "command" => (words(first).split_off(1), String::new(), String::new()),
        _ if name.starts_with('i') => (vec!["-int".into(), model], rest.to_owned(), String::new()),
        _ => (vec!["-source".into(), "cmd".into(), model], String::new(), rest.to_owned()),
    };
    let exit = recorded("exit").trim().to_owned();
    Ok(Some(Session { name, arguments, typed, script, output: recorded("stdout"), errors: recorded("stderr"), exit }))
}

impl Session {
    /// Runs the session on models of a folder and compares. The current folder of the process changes.
    ///
    /// # Errors
    /// What cannot be read or written.
    pub fn compare(&self, models: &Path) -> Result<Outcome, String> {
        let words = |error: std::io::Error| error.to_string();
        let folder = tempfile::tempdir().map_err(words)?;
        for entry in fs::read_dir(models).map_err(words)? {
            let path = entry.map_err(words)?.path();
            if let Some(name) = path.file_name() {
                fs::copy(&path, folder.path().join(name)).map_err(words)?;
            }
        }
        fs::write(folder.path().join("cmd"), &self.script).map_err(words)?;
        std::env::set_current_dir(folder.path()).map_err(words)?;
        let (mut output, mut errors, mut input) = (Vec::new(), Vec::new(), self.typed.as_bytes());
        let console = Console::new(&mut input, &mut output, &mut errors);
        let exit = nusmv::run(&self.arguments, console, &Budget::unlimited().within(LIMIT));
        if self.exit == HUNG {
            return Ok(Outcome::OnlyHere);
        }
        if exit.to_string() != self.exit {
            return Ok(Outcome::Differs(format!("exit code {exit}, recorded {}", self.exit)));
        }
        // NuSMV writes a backspace into one of its messages.
        let (errors, recorded) = (String::from_utf8_lossy(&errors).into_owned(), self.errors.replace('\u{8}', ""));
        if errors != recorded {
            return Ok(Outcome::Differs(difference("standard error", &lines(&errors), &lines(&recorded))));
        }
        let (ours, theirs) = (pieces(&String::from_utf8_lossy(&output)), pieces(&self.output));
        Ok(compare(&ours, &theirs))
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// A line, or a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Line(String),
    Trace(Vec<String>),
}

/// The lines of an output with traces taken together, without the banner and sizes of diagrams.
fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with("*** ") && !is_size(line)) {
        let is_part = line.starts_with("  ") || line.starts_with("Trace Type") || is_row(line);
        let begins = line.starts_with("Trace Description") || line.starts_with("Name\t");
        match pieces.last_mut() {
            Some(Piece::Trace(trace)) if is_part && !line.contains("<!--") => trace.push(line.to_owned()),
            _ if begins => pieces.push(Piece::Trace(vec![line.to_owned()])),
            _ => pieces.push(Piece::Line(line.trim_end().to_owned())),
        }
    }
    pieces
}

fn is_size(line: &str) -> bool {
    line.starts_with("cluster ") || line.starts_with("BDD nodes ")
}

fn is_row(line: &str) -> bool {
    line.starts_with(['S', 'C', 'I']) && line.contains('\t')
}

fn compare(ours: &[Piece], theirs: &[Piece]) -> Outcome {
    let mut others = 0;
    for (our, their) in ours.iter().zip(theirs) {
        match (our, their) {
            _ if our == their => {}
            (Piece::Trace(our), Piece::Trace(their)) if is_other(our, their) => others += 1,
            (Piece::Line(our), Piece::Line(their)) => {
                return Outcome::Differs(format!("`{our}`, recorded `{their}`"));
            }
            _ => return Outcome::Differs(format!("{our:?}, recorded {their:?}")),
        }
    }
    match ours.len().cmp(&theirs.len()) {
        std::cmp::Ordering::Equal if others == 0 => Outcome::Equal,
        std::cmp::Ordering::Equal => Outcome::OtherTraces(others),
        _ => Outcome::Differs(format!("{} pieces of output, recorded {}", ours.len(), theirs.len())),
    }
}

/// Whether a trace may stand for another: same layout, same names in the first state, not more states.
fn is_other(our: &[String], their: &[String]) -> bool {
    let head = |trace: &[String]| -> Vec<String> {
        let names = trace.iter().skip(2).skip_while(|line| !line.contains("State:")).skip(1);
        let names = names.take_while(|line| line.contains(" = "));
        names.filter_map(|line| Some(line.split_once(" = ")?.0.to_owned())).collect()
    };
    let states = |trace: &[String]| trace.iter().filter(|line| line.contains("-> State:") || is_row(line)).count();
    our[..1] == their[..1] && head(our) == head(their) && states(our) <= states(their)
}

fn difference(what: &str, ours: &[String], theirs: &[String]) -> String {
    let at = ours.iter().zip(theirs).position(|(our, their)| our != their).unwrap_or(ours.len().min(theirs.len()));
    let line = |lines: &[String]| lines.get(at).cloned().unwrap_or_else(|| "the end".into());
    format!("line {} of {what}: `{}`, recorded `{}`", at + 1, line(ours), line(theirs))
}
