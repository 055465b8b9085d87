//! Formulas and words from the command line and from files: read one by one, with diagnostics for what is wrong.

use crate::arguments::{Constraints, FormulaArguments, Syntax};
use crate::diagnostics::render;
use crate::exit::{Exit, Failure};
use crate::file;
use crate::input::reason;
use crate::output::{complain, eprint};
use crate::terminal::Terminal;
use crate::thresholds::output::LONGEST_QUOTATION;
use crate::view::count;
use crate::watchdog::exhausted;
use kernel::budget::{Budget, Exhausted};
use kernel::diagnostic::Diagnostic;
use kernel::span::{SourceMap, Span};
use omega::constraint::{exclusive, is_boolean, labels::is_contradiction};
use omega::formula::{Formula, Formulas};
use omega::parse::{Manner, NoFormula, parse_at, parse_within};
use omega::word::Word;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

/// What is shown as the file of a text from the command line.
const COMMAND_LINE: &str = "<command line>";

/// A text that should be a formula, and where it stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    span: Span,
}

/// The formulas that a command works on, unread.
pub(crate) struct Stream {
    sources: SourceMap,
    places: Vec<Place>,
    syntax: Syntax,
    terminal: Terminal,
}

impl Stream {
    /// Finds the formulas, those of the command line first.
    pub(crate) fn open(arguments: &FormulaArguments, terminal: Terminal) -> Result<Self, Failure> {
        if arguments.formulas.is_empty() && arguments.file.is_empty() {
            return Err(Failure::usage("there is no formula; give one, or a file of them with -F"));
        }
        let syntax = arguments.syntax;
        let mut stream = Self { sources: SourceMap::new(), places: Vec::new(), syntax, terminal };
        for text in &arguments.formulas {
            let file = stream.sources.add_file(COMMAND_LINE, text, None);
            stream.places.push(Place { span: Span::new(file, 0, offset(text.len())) });
        }
        for path in &arguments.file {
            let (name, text) = read_text(path)?;
            let mut at = 0;
            let mut spans = Vec::new();
            for line in text.split_inclusive('\n') {
                let formula = line.trim();
                if !formula.is_empty() && !formula.starts_with('#') {
                    let lo = at + line.len() - line.trim_start().len();
                    spans.push((lo, lo + formula.len()));
                }
                at += line.len();
            }
            let file = stream.sources.add_file(name, text, None);
            let place = |(lo, hi)| Place { span: Span::new(file, offset(lo), offset(hi)) };
            stream.places.extend(spans.into_iter().map(place));
        }
        Ok(stream)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Reads one into a pool of its own.
    pub(crate) fn formula(&self, index: usize, budget: &Budget) -> Result<(Formulas, Formula), Failure> {
        self.read(index, Manner::Simplified, budget)
    }

    /// Reads one as it is written, without any simplification.
    pub(crate) fn verbatim(&self, index: usize, budget: &Budget) -> Result<(Formulas, Formula), Failure> {
        self.read(index, Manner::Verbatim, budget)
    }

    fn read(&self, index: usize, manner: Manner, budget: &Budget) -> Result<(Formulas, Formula), Failure> {
        let Place { span } = self.places[index];
        let mut formulas = Formulas::new();
        let text = self.sources.snippet(span);
        let formula = parse_within(&mut formulas, text, (syntax(self.syntax), manner), span, budget);
        let formula = formula.map_err(|reason| match reason {
            NoFormula::Wrong(wrong) => refused(&self.sources, wrong, self.terminal, "the formula is not accepted"),
            NoFormula::Exhausted(limit) => exhausted(limit),
        })?;
        Ok((formulas, formula))
    }

    /// Whether a limit on all formulas together, or the user, ended the work at a formula; if so, tells how many were left.
    pub(crate) fn is_over(&self, index: usize, budget: &Budget, terminal: Terminal) -> bool {
        let Err(limit @ (Exhausted::Time | Exhausted::Cancelled)) = budget.check_now(0) else { return false };
        let left = (self.len() - index - 1) as u64;
        if left > 0 {
            let left = count(left, "further formula");
            complain(Failure::new(Exit::Unknown, format!("{left} not processed: {limit}")), terminal);
        }
        true
    }
}

/// Reads a formula that an option gave.
pub(crate) fn formula_of_option(
    formulas: &mut Formulas,
    text: &str,
    given: Syntax,
    terminal: Terminal,
) -> Result<Formula, Failure> {
    let mut sources = SourceMap::new();
    let file = sources.add_file(COMMAND_LINE, text, None);
    let place = Span::new(file, 0, offset(text.len()));
    parse_at(formulas, text, syntax(given), place)
        .map_err(|diagnostic| refused(&sources, diagnostic, terminal, "the formula is not accepted"))
}

/// The constraint that options gave, in a pool of formulas; none if they gave none.
pub(crate) fn constraint_of_options(
    formulas: &mut Formulas,
    given: &Constraints,
    syntax: Syntax,
    terminal: Terminal,
) -> Result<Option<Formula>, Failure> {
    let mut members = Vec::new();
    for list in &given.exclusive {
        let names = propositions(list);
        if names.len() < 2 || names.iter().any(String::is_empty) {
            return Err(Failure::usage(format!("--exclusive takes two propositions or more: `{list}`")));
        }
        members.push(exclusive(formulas, names.iter().map(String::as_str)));
    }
    for text in &given.constraint {
        let constraint = formula_of_option(formulas, text, syntax, terminal)?;
        if !is_boolean(formulas, constraint) {
            return Err(Failure::input(format!("a constraint has no temporal operators: `{}`", shortened(text))));
        }
        members.push(constraint);
    }
    if members.is_empty() && given.simplify_labels {
        return Err(Failure::usage("--simplify-labels uses what --exclusive or --constraint say: give one of them"));
    }
    let constraint = (!members.is_empty()).then(|| formulas.and(members));
    let contradicts = |constraint| is_contradiction(formulas, constraint, &Budget::unlimited()) == Ok(true);
    if constraint.is_some_and(contradicts) {
        return Err(Failure::input(
            "no word satisfies the constraint: what --exclusive and --constraint say is contradictory",
        ));
    }
    Ok(constraint)
}

/// Propositions that a constraint has and none of what it is used on: most likely they are misspelt.
#[derive(Default)]
pub(crate) struct Strangers(RefCell<Option<BTreeSet<String>>>);

impl Strangers {
    /// Notes the propositions of something that a constraint is used on.
    pub(crate) fn meet(&self, formulas: &Formulas, constraint: Formula, known: &[String]) {
        let mut left = self.0.borrow_mut();
        let names = || formulas.atoms(constraint).into_iter().map(|atom| formulas.atom_name(atom).to_owned());
        left.get_or_insert_with(|| names().collect()).retain(|name| !known.contains(name));
    }

    /// Warns of those that are left.
    pub(crate) fn warn(&self) {
        for name in self.0.borrow().iter().flatten() {
            eprint(&format!("warning: the constraint speaks of `{name}`, which occurs nowhere else\n"));
        }
    }
}

/// The propositions of a formula.
pub(crate) fn atoms_of(formulas: &Formulas, formula: Formula) -> Vec<String> {
    formulas.atoms(formula).into_iter().map(|atom| formulas.atom_name(atom).to_owned()).collect()
}

/// A list of propositions; commas inside double quotes or brackets belong to a proposition.
fn propositions(list: &str) -> Vec<String> {
    let (mut names, mut depth, mut quoted) = (vec![String::new()], 0_usize, false);
    for c in list.chars() {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' if !quoted => depth += 1,
            ')' | ']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        match c {
            ',' if !quoted && depth == 0 => names.push(String::new()),
            '"' => {}
            c => names.last_mut().expect("never empty").push(c),
        }
    }
    names.iter().map(|name| name.trim().to_owned()).collect()
}

/// A text from the user, cut where it is long, for use in a message.
pub(crate) fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST_QUOTATION {
        text.to_owned()
    } else {
        text.chars().take(LONGEST_QUOTATION).chain(['…']).collect()
    }
}

/// Reads a word that an option gave.
pub(crate) fn word_of_option(text: &str, terminal: Terminal) -> Result<Word, Failure> {
    let mut sources = SourceMap::new();
    sources.add_file(COMMAND_LINE, text, None);
    Word::parse(text).map_err(|diagnostic| refused(&sources, diagnostic, terminal, "the word is not accepted"))
}

/// The failure of a text that is not accepted, with its diagnostic.
pub(crate) fn refused(sources: &SourceMap, diagnostic: Diagnostic, terminal: Terminal, message: &str) -> Failure {
    let details = render(sources, &[diagnostic], terminal.colours_messages);
    Failure { details, ..Failure::input(message) }
}

/// The name and the contents of a text file; `-` is standard input.
pub(crate) fn read_text(path: &str) -> Result<(String, String), Failure> {
    let cannot = |error: std::io::Error| Failure::usage(format!("cannot read `{path}`: {}", reason(&error)));
    let (name, bytes) = if path == "-" {
        ("<standard input>", file::read_from(std::io::stdin()).map_err(cannot)?)
    } else {
        (path, file::read(Path::new(path)).map_err(cannot)?)
    };
    let too_long = || Failure::usage(format!("`{path}` is longer than 4 GiB"));
    u32::try_from(bytes.len()).map_err(|_| too_long())?;
    if bytes.contains(&0) {
        return Err(Failure::input(format!("`{path}` is not a text file")));
    }
    // Some editors begin a file with a byte order mark.
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    Ok((name.to_owned(), String::from_utf8_lossy(text).into_owned()))
}

fn syntax(given: Syntax) -> omega::parse::Syntax {
    match given {
        Syntax::Any => omega::parse::Syntax::Any,
        Syntax::Spot => omega::parse::Syntax::Spot,
        Syntax::Spin => omega::parse::Syntax::Spin,
        Syntax::Lbt => omega::parse::Syntax::Lbt,
        Syntax::Nusmv => omega::parse::Syntax::NuSmv,
    }
}

/// Arguments and files are shorter than 4 GiB.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
