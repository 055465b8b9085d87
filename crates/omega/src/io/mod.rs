//! Automata as text, one format a file.
//!
//! | format | read | written | carries |
//! |---|---|---|---|
//! | [`hoa`] | yes | yes | everything an [`Automaton`] has |
//! | [`never`](mod@never) | yes | yes | Büchi automata with state-based acceptance |
//! | [`lbtt`] | yes | yes | everything but names |
//! | [`dot`] | | yes | a drawing |
//! | [`tikz`] | | yes | a drawing for LaTeX |
//! | [`json`] | | yes | everything |
//!
//! Readers take any text: what is wrong becomes a diagnostic with a place, never a panic, and neither nesting nor a number
//! in the text can exhaust stack or memory.

pub mod dot;
mod expression;
pub mod hoa;
pub mod json;
pub mod lbtt;
pub mod never;
pub mod tikz;

use kernel::diagnostic::Diagnostic;
use kernel::span::{FileId, Span};

use crate::automaton::emerson_lei::{EmersonLei, TooManyDisjuncts};
use crate::automaton::{Automaton, State};

/// Nodes that the labels of one automaton may take while it is read.
const LABEL_NODES: usize = 1 << 20;

/// A format that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Hanoi Omega-Automata, version 1.
    Hoa,
    /// Promela's never claims.
    Never,
    /// The format of lbtt and LBT.
    Lbtt,
}

impl Format {
    /// The format a text seems to be in, from its first word.
    #[must_use]
    pub fn of(text: &str) -> Format {
        let text = text.trim_start();
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            Format::Lbtt
        } else if text.starts_with("HOA:") || (text.contains("HOA:") && !text.starts_with("never")) {
            Format::Hoa
        } else {
            Format::Never
        }
    }
}

/// An automaton as a text states it, before any conversion.
#[derive(Clone, Debug)]
pub struct Stated {
    /// The automaton with its acceptance condition.
    pub automaton: EmersonLei,
    /// The states that carry an acceptance mark themselves, in order of the text: in HOA these may have no edge that could
    /// carry it. Formats other than HOA list those whose edges all do.
    pub marked: Vec<State>,
    /// The place of the acceptance condition in the text.
    pub(crate) acceptance: Span,
}

impl Stated {
    /// A generalised Büchi automaton of the same language.
    ///
    /// # Errors
    /// If the acceptance condition is too complex for the conversion.
    pub fn generalized_buchi(&self) -> Result<Automaton, Diagnostic> {
        let converted = self.automaton.generalized_buchi();
        converted.map(std::borrow::Cow::into_owned).map_err(|TooManyDisjuncts(most)| {
            let message = "the acceptance condition is too complex to be made generalised Büchi";
            Diagnostic::error("L0305", self.acceptance, message).note(format!("it needs more than {most} disjuncts"))
        })
    }
}

/// All automata of a text as generalised Büchi automata, each read or refused.
///
/// ```
/// use kernel::span::{FileId, Span};
/// use omega::io::{Format, read};
///
/// let text = "never { accept_all: skip }";
/// let automata = read(text, Format::of(text), FileId(0));
/// assert_eq!(automata.len(), 1);
/// assert!(automata[0].is_ok());
/// ```
#[must_use]
pub fn read(text: &str, format: Format, file: FileId) -> Vec<Result<Automaton, Diagnostic>> {
    read_stated(text, format, file).into_iter().map(|stated| stated?.generalized_buchi()).collect()
}

/// All automata of a text with the acceptance conditions that it states, each read or refused.
#[must_use]
pub fn read_stated(text: &str, format: Format, file: FileId) -> Vec<Result<Stated, Diagnostic>> {
    let buchi = |automata: Vec<Result<Automaton, Diagnostic>>| {
        let stated = |automaton: Automaton| {
            let is_marked = |state: &State| {
                let edges = automaton.edges(*state);
                !edges.is_empty() && edges.iter().all(|edge| !edge.marks.is_empty())
            };
            let marked = automaton.states().filter(is_marked).collect();
            Stated { automaton: automaton.into(), marked, acceptance: Span::new(file, 0, 0) }
        };
        automata.into_iter().map(|automaton| automaton.map(stated)).collect()
    };
    match format {
        Format::Hoa => hoa::Reader::new(text, file).collect(),
        Format::Never => buchi(between_aborts(text, file, never::read)),
        Format::Lbtt => buchi(between_aborts(text, file, lbtt::read)),
    }
}

/// What a tool writes instead of the rest of an automaton when it gives up.
const ABORT: &str = "--ABORT--";

/// The automata of a text of a format that has no word for giving up, though tools that write streams use HOA's: what such
/// a line cuts off is told as it is there.
fn between_aborts(
    text: &str,
    file: FileId,
    read: impl Fn(&str, FileId) -> Vec<Result<Automaton, Diagnostic>>,
) -> Vec<Result<Automaton, Diagnostic>> {
    if !text.contains(ABORT) {
        return read(text, file);
    }
    let (mut all, mut from, mut at) = (Vec::new(), 0, 0);
    for line in text.split_inclusive('\n') {
        if line.trim() == ABORT {
            all.extend(read(&text[from..at], file).into_iter().filter(Result::is_ok));
            let lo = at + line.len() - line.trim_start().len();
            let place = Span::new(file, offset(lo), offset(lo + ABORT.len()));
            all.push(Err(Diagnostic::warning("L0310", place, "the producer of this text aborted the automaton")));
            from = at + line.len();
        }
        at += line.len();
    }
    // Blanks replace the part that was read, so that positions remain correct.
    let rest = format!("{}{}", " ".repeat(from), &text[from..]);
    all.extend(if text[from..].trim().is_empty() { Vec::new() } else { read(&rest, file) });
    all
}

/// Texts are shorter than 4 GiB.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
