//! External commands with placeholders.
//!
//! What: a command is run by the shell after its placeholders were replaced: the formula as one quoted word (`%f` in Spot's
//! syntax, `%s` SPIN's, `%l` LBT's, `%w` Wring's), the name of a file that holds it (`%F %S %L %W`), and the name of the file
//! that the command is to write (`%O`); `%%` is a percent sign. Without `%O`, standard output counts. The automaton may be in
//! HOA, a never claim or in LBTT's format, found out by its content.
//!
//! Contract: propositions that the syntax, or the tool behind it, may not take are renamed `p0`, `p1`, … on the way there and
//! back again in the automaton; `%f %F` keep names as they are.
//!
//! Source: the placeholders are those of Spot's `ltlcross`, as its manual describes them.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::Path;

use kernel::diagnostic::Diagnostic;
use kernel::span::FileId;
use omega::automaton::Automaton;
use omega::formula::{AtomId, Formula, Formulas, Node};
use omega::io::{self, Format};
use omega::print::{Notation, print};
use omega::propositions::Propositions;

use super::finite::Reading;
use super::process::{End, MAX_OUTPUT, Run, Workplace, open_regular};
use super::support::{Operator, Reply, Support};
use super::{Attempt, Failure, FailureKind};

/// The placeholders: the letter, the notation, and whether a file holds the formula.
pub const PLACEHOLDERS: [(char, Notation, bool); 8] = [
    ('f', Notation::Spot, false),
    ('s', Notation::Spin, false),
    ('l', Notation::Lbt, false),
    ('w', Notation::Wring, false),
    ('F', Notation::Spot, true),
    ('S', Notation::Spin, true),
    ('L', Notation::Lbt, true),
    ('W', Notation::Wring, true),
];

/// A command with placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pieces: Vec<Piece>,
    reading: Reading,
    support: Support,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Formula(Notation, bool),
    Output,
}

impl Command {
    /// Reads a command.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (reading, command) = Reading::split(text);
        let wrong = |what: &str| format!("`{text}` is neither a translator of ours, a preset nor a command: {what}");
        if command.is_empty() {
            return Err("the translator is empty".to_owned());
        }
        let mut pieces = vec![Piece::Text(String::new())];
        let mut characters = command.chars();
        while let Some(character) = characters.next() {
            let piece = match character {
                '%' => match characters.next() {
                    Some('%') => Piece::Text("%".to_owned()),
                    Some('O') => Piece::Output,
                    Some(letter) => match PLACEHOLDERS.iter().find(|(known, ..)| *known == letter) {
                        Some(&(_, notation, in_file)) => Piece::Formula(notation, in_file),
                        None => return Err(wrong(&format!("there is no placeholder `%{letter}`"))),
                    },
                    None => return Err(wrong("it ends in `%`")),
                },
                other => Piece::Text(other.to_string()),
            };
            match (pieces.last_mut(), piece) {
                (Some(Piece::Text(before)), Piece::Text(more)) => before.push_str(&more),
                (_, piece) => pieces.push(piece),
            }
        }
        if !pieces.iter().any(|piece| matches!(piece, Piece::Formula(..))) {
            return Err(wrong("it has no formula, as %f, %s, %l, %w or a file with one, as %F, %S, %L, %W"));
        }
        Ok(Command { pieces, reading, support: Support::default() })
    }

    /// Runs the command on a formula; none if it was stopped before it ended.
    pub(super) fn translate(
        &self,
        formulas: &mut Formulas,
        formula: Formula,
        workplace: &Workplace,
    ) -> Option<Attempt> {
        if formulas.has_past(formula) {
            return Some(unsupported(Operator::Past, 0.0));
        }
        let Some(formula) = self.reading.question(formulas, formula) else {
            let failure = Failure::new(FailureKind::Unsupported, "formulas that are not safety by their shape");
            return Some(Attempt { outcome: Err(failure), seconds: 0.0 });
        };
        if let Some(operator) = self.support.missing(formulas, formula) {
            return Some(unsupported(operator, 0.0));
        }
        let (attempt, reply) = self.attempt(formulas, formula, workplace)?;
        if reply == Reply::Other {
            return Some(attempt);
        }
        let ask = |formulas: &mut Formulas, formula| Some(self.attempt(formulas, formula, workplace)?.1);
        match self.support.reason(formulas, formula, ask) {
            Some(operator) => Some(unsupported(operator, attempt.seconds)),
            // Not every operator may have been tried.
            None if workplace.is_over() => None,
            None => Some(attempt),
        }
    }

    /// Runs the command on a formula, without a check of its operators.
    fn attempt(&self, formulas: &mut Formulas, formula: Formula, workplace: &Workplace) -> Option<(Attempt, Reply)> {
        let spelling = Spelling::of(formulas, formula);
        let started = workplace.folder().and_then(|folder| {
            let line = self.line(formulas, formula, &spelling, folder.path())?;
            Ok((workplace.run(&line, folder.path())?, folder))
        });
        let (run, folder) = match started {
            Ok((run, folder)) => (run?, folder),
            Err(error) => return Some((not_started(&error.to_string()), Reply::Other)),
        };
        let seconds = run.seconds;
        let file = if self.pieces.contains(&Piece::Output) { "output" } else { "stdout" };
        let file = folder.path().join(file);
        let ended = self.ended_well(&run);
        let has_message = || !run.messages.is_empty() || contents(&file).is_ok_and(|bytes| !bytes.is_empty());
        let is_refused = ended.as_ref().is_err_and(|failure| failure.kind == FailureKind::ExitCode) && has_message();
        let outcome = ended.and_then(|()| spelling.restored(formulas, read(&file, self.reading)?));
        Some((Attempt { outcome, seconds }, if is_refused { Reply::Refused } else { Reply::Other }))
    }

    /// The line for the shell; writes the files it names.
    fn line(
        &self,
        formulas: &mut Formulas,
        formula: Formula,
        spelling: &Spelling,
        folder: &Path,
    ) -> std::io::Result<String> {
        let renamed = spelling.renamed(formulas, formula);
        let mut line = String::new();
        for (number, piece) in self.pieces.iter().enumerate() {
            match piece {
                Piece::Text(text) => line.push_str(text),
                Piece::Output => line.push_str(&quoted(&folder.join("output").to_string_lossy())),
                Piece::Formula(notation, in_file) => {
                    let spelt = if *notation == Notation::Spot { formula } else { renamed };
                    let text = print(formulas, spelt, *notation);
                    if *in_file {
                        let path = folder.join(format!("formula{number}"));
                        fs::write(&path, text + "\n")?;
                        line.push_str(&quoted(&path.to_string_lossy()));
                    } else {
                        line.push_str(&quoted(&text));
                    }
                }
            }
        }
        Ok(line)
    }

    fn ended_well(&self, run: &Run) -> Result<(), Failure> {
        let said = if run.messages.is_empty() { String::new() } else { format!(": {}", run.messages) };
        let failure = |kind, what: String, code| Err(Failure { kind, detail: format!("{what}{said}"), code });
        if run.wrote_too_much {
            return Err(too_much_output());
        }
        match run.end {
            End::Code(0) => Ok(()),
            End::TimeOut => failure(FailureKind::TimeOut, format!("killed after {:.1} s", run.seconds), None),
            End::Code(code) if run.ran_out_of_memory => {
                failure(FailureKind::Memory, format!("exit code {code} at the memory limit"), Some(code))
            }
            End::Signal(signal) if run.ran_out_of_memory => {
                failure(FailureKind::Memory, format!("signal {signal} at the memory limit"), Some(signal))
            }
            // The shell reports a signal of its child as 128 and more.
            End::Code(code @ 129..=192) => {
                failure(FailureKind::Crash, format!("signal {}", code - 128), Some(code - 128))
            }
            End::Code(code @ 126..=127) => failure(FailureKind::NotStarted, format!("exit code {code}"), Some(code)),
            End::Code(code) => failure(FailureKind::ExitCode, format!("exit code {code}"), Some(code)),
            End::Signal(signal) => failure(FailureKind::Crash, format!("signal {signal}"), Some(signal)),
        }
    }
}

fn unsupported(operator: Operator, seconds: f64) -> Attempt {
    Attempt { outcome: Err(Failure::new(FailureKind::Unsupported, operator.name())), seconds }
}

fn not_started(what: &str) -> Attempt {
    Attempt { outcome: Err(Failure::new(FailureKind::NotStarted, what)), seconds: 0.0 }
}

/// One word for the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn too_much_output() -> Failure {
    Failure::new(FailureKind::TooMuchOutput, format!("more than {} MB of output", MAX_OUTPUT >> 20))
}

/// The contents of a file; empty if it does not exist.
fn contents(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = open_regular(path).and_then(|file| file.take(MAX_OUTPUT + 1).read_to_end(&mut bytes));
    match read {
        Ok(length) if length as u64 > MAX_OUTPUT => Err(too_much_output()),
        Ok(_) => Ok(bytes),
        Err(error) => match error.kind() {
            ErrorKind::NotFound => Ok(Vec::new()),
            ErrorKind::InvalidInput => Err(Failure::new(FailureKind::Unreadable, "the output is not a regular file")),
            _ => Err(Failure::new(FailureKind::Unreadable, format!("the output cannot be read: {error}"))),
        },
    }
}

/// The only automaton of a file.
fn read(path: &Path, reading: Reading) -> Result<Automaton, Failure> {
    automaton_in(&String::from_utf8_lossy(&contents(path)?), reading)
}

/// The only automaton of a text.
pub(super) fn automaton_in(text: &str, reading: Reading) -> Result<Automaton, Failure> {
    if text.trim().is_empty() {
        return Err(Failure::new(FailureKind::NoOutput, "nothing was written"));
    }
    // What stands in front of an automaton, and cannot be read, is no automaton.
    let read: Result<Vec<io::Stated>, _> = io::read_stated(text, Format::of(text), FileId(0)).into_iter().collect();
    let unreadable = |diagnostic: Diagnostic| {
        let line = 1 + text.as_bytes()[..(diagnostic.primary.span.lo as usize).min(text.len())]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        let what = format!("line {line} of the output: {}", diagnostic.message);
        Failure::new(FailureKind::Unreadable, what)
    };
    let automata = read.map_err(unreadable)?;
    match automata.len() {
        1 => Ok(reading.automaton(&automata[0], unreadable)?.with_one_initial_state().into_owned()),
        count => {
            let kind = if count == 0 { FailureKind::Unreadable } else { FailureKind::Nonsensical };
            Err(Failure::new(kind, format!("the output has {count} automata")))
        }
    }
}

/// How the propositions of a formula are spelt for a tool.
struct Spelling {
    /// The propositions of the formula, and their names in the external syntax.
    names: Vec<(AtomId, String, String)>,
}

impl Spelling {
    fn of(formulas: &Formulas, formula: Formula) -> Self {
        let atoms = formulas.atoms(formula);
        let is_numbered = |atom: &AtomId| {
            let name = formulas.atom_name(*atom);
            name.strip_prefix('p').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
        };
        let keep = atoms.iter().all(is_numbered);
        let outside = |(index, atom): (usize, &AtomId)| {
            let name = formulas.atom_name(*atom).to_owned();
            let other = if keep { name.clone() } else { format!("p{index}") };
            (*atom, name, other)
        };
        Spelling { names: atoms.iter().enumerate().map(outside).collect() }
    }

    fn renamed(&self, formulas: &mut Formulas, formula: Formula) -> Formula {
        formulas.rebuild(formula, |formulas, node| match node {
            Node::Atom(atom) => {
                let other = self.names.iter().find(|(known, ..)| *known == atom).map(|(.., other)| other.as_str());
                formulas.atom(other.expect("an atom of the formula"))
            }
            node => formulas.intern(node),
        })
    }

    /// The automaton over the propositions of the formula, by the numbers that they have there. Its labels must not depend on
    /// any other proposition.
    fn restored(&self, formulas: &Formulas, automaton: Automaton) -> Result<Automaton, Failure> {
        let mut names = Vec::new();
        let mut used = vec![false; automaton.atoms().len()];
        for (_, edge) in automaton.all_edges() {
            edge.label.support().into_iter().for_each(|atom| used[atom.0 as usize] = true);
        }
        for (name, used) in automaton.atoms().iter().zip(used) {
            // A tool that was given both spellings may use either.
            let own = self.names.iter().find(|(_, _, other)| other == name);
            let own = own.or_else(|| self.names.iter().find(|(_, inside, _)| inside == name));
            match own {
                Some((_, inside, _)) => names.push(inside.clone()),
                None if used => {
                    let what = format!("the automaton has a proposition `{name}`, the formula has not");
                    return Err(Failure::new(FailureKind::Nonsensical, what));
                }
                None => names.push(name.clone()),
            }
        }
        let mut result = Automaton::in_manager(automaton.manager(), names, automaton.sets());
        result.name.clone_from(&automaton.name);
        result.add_states(automaton.state_count());
        result.set_initial(automaton.initial());
        for (source, edge) in automaton.all_edges() {
            result.add_edge(source, edge.target, &edge.label, edge.marks);
        }
        let is_present = |name: &String| result.atoms().contains(name);
        let present = self.names.iter().filter(|(_, inside, _)| is_present(inside));
        let own = Propositions::of(formulas, present.map(|(atom, ..)| *atom));
        Ok(result.over(result.manager(), &own.union(result.propositions())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omega::parse::{Syntax, parse};

    #[test]
    fn propositions_have_the_numbers_of_the_formula_in_whatever_order_a_tool_lists_them() {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, "a U (b & c)", Syntax::Spot).unwrap();
        let spelling = Spelling::of(&formulas, formula);
        let text = "HOA: v1 States: 1 Start: 0 AP: 3 \"p2\" \"other\" \"p0\" Acceptance: 1 Inf(0)\n\
                    --BODY-- State: 0 {0} [0 & !2] 0 --END--";
        let automaton = automaton_in(text, Reading::Words).unwrap();
        let restored = spelling.restored(&formulas, automaton).unwrap();
        assert_eq!(restored.atoms()[..2], ["a", "c"]);
        let expected: Vec<AtomId> =
            formulas.atoms(formula).into_iter().filter(|a| formulas.atom_name(*a) != "b").collect();
        assert_eq!(restored.propositions().ids()[..2], expected);
        let (_, edge) = restored.all_edges().next().unwrap();
        let values =
            |a: bool, c: bool| edge.label.evaluate(|atom| [a, c].get(atom.0 as usize).copied().unwrap_or(false));
        assert!(values(false, true) && !values(true, false));
    }
}
