//! The format of lbtt [tauriainen.02.sttt] and, as its special case, of LBT.
//!
//! ```text
//! automaton  = states sets[s|t|st] { state }
//! state      = id initial [ { set } -1 ] { transition } -1        initial is 0 or 1; sets here with s
//! transition = target [ { set } -1 ] guard                        sets here with t
//! ```
//!
//! Without a letter the acceptance is on states, as LBT has it. A guard is a formula in prefix notation up to the end of its
//! line; a line break inside double quotes belongs to the name of a proposition. State numbers need not be dense; several states may be initial. A text may hold several automata.
//!
//! Written: with `s` where the acceptance is on states, else with `t`. Propositions `p0`, `p1` … stand as they are, others in
//! quotes, which lbtt from version 1.1 on and most tools since can read.
//!
//! Tested by: round trips of random automata, and what LBT writes (`tests/automaton_text.rs`).

use std::collections::HashMap;
use std::fmt::Write as _;

use bdd::{Bdd, MAX_VARIABLES, Manager, Variable};
use kernel::budget::Budget;
use kernel::diagnostic::Diagnostic;
use kernel::span::{FileId, Span};

use super::LABEL_NODES;
use crate::automaton::label::{NoLabel, label_of, show};
use crate::automaton::{Automaton, Edge, MAX_SETS, Marks, State};
use crate::formula::Formulas;
use crate::limit::Incomplete;
use crate::parse::{Syntax, parse_at};
use crate::print::Notation;

/// The automaton as text, with a line break at the end.
///
/// # Errors
/// If a label is too long to be written, or the budget is exhausted.
pub fn write(automaton: &Automaton, budget: &Budget) -> Result<String, Incomplete> {
    let state_based = automaton.is_state_based();
    let list = |marks: Marks| marks.iter().map(|set| format!("{set} ")).collect::<String>() + "-1";
    let mut text = String::new();
    let letter = if state_based { "s" } else { "t" };
    let mut line = |arguments: std::fmt::Arguments<'_>| {
        text.write_fmt(arguments).expect("writing to a string");
        text.push('\n');
    };
    line(format_args!("{} {}{letter}", automaton.state_count(), automaton.sets()));
    for state in automaton.states() {
        let initial = u32::from(automaton.initial_states().contains(&state));
        match automaton.state_marks(state).filter(|_| state_based) {
            Some(marks) => line(format_args!("{state} {initial} {}", list(marks))),
            None => line(format_args!("{state} {initial}")),
        }
        for edge in automaton.edges(state) {
            let guard = show(&edge.label, automaton.atoms(), Notation::Lbt, budget)?;
            if state_based {
                line(format_args!("{} {guard}", edge.target));
            } else {
                line(format_args!("{} {} {guard}", edge.target, list(edge.marks)));
            }
        }
        line(format_args!("-1"));
    }
    Ok(text)
}

/// The automata of a text, each read or refused; what follows a wrong one is not looked at, since nothing marks where
/// the next one begins.
#[must_use]
pub fn read(text: &str, file: FileId) -> Vec<Result<Automaton, Diagnostic>> {
    let mut automata = Vec::new();
    if u32::try_from(text.len()).is_err() {
        return vec![Err(Diagnostic::error("L0501", Span::new(file, 0, 0), "the text is longer than 4 GiB"))];
    }
    let mut reader = Reader { text, file, at: 0 };
    while reader.peek().is_some() && automata.last().is_none_or(Result::is_ok) {
        automata.push(reader.automaton());
    }
    automata
}

struct Reader<'a> {
    text: &'a str,
    file: FileId,
    at: usize,
}

/// Where the acceptance sets stand.
#[derive(Clone, Copy)]
struct Placement {
    on_states: bool,
    on_transitions: bool,
}

struct Draft {
    manager: Manager,
    formulas: Formulas,
    atoms: Vec<String>,
    numbers: HashMap<String, Variable>,
    /// The states by the numbers that the text gives them.
    states: HashMap<u32, State>,
    edges: Vec<Vec<Edge>>,
    defined: Vec<bool>,
    start: Vec<State>,
    sets: u32,
    placement: Placement,
}

impl Draft {
    fn state(&mut self, number: u32) -> State {
        let next = self.edges.len() as State;
        let state = *self.states.entry(number).or_insert(next);
        if state == next {
            self.edges.push(Vec::new());
            self.defined.push(false);
        }
        state
    }

    /// The automaton, its states in the order of the numbers that the text gives them.
    fn automaton(self) -> Automaton {
        let mut order: Vec<(u32, State)> = self.states.into_iter().collect();
        order.sort_unstable();
        let mut place = vec![0; order.len()];
        (0..).zip(&order).for_each(|(at, &(_, state))| place[state as usize] = at);
        let mut automaton = Automaton::in_manager(&self.manager, self.atoms, self.sets);
        automaton.add_states(order.len());
        for (state, edges) in place.iter().zip(self.edges) {
            let moved = edges.into_iter().map(|edge| Edge { target: place[edge.target as usize], ..edge });
            automaton.edges_mut(*state).extend(moved);
        }
        let start: Vec<State> = self.start.iter().map(|&state| place[state as usize]).collect();
        automaton.set_initial_states(&start);
        automaton
    }
}

impl Reader<'_> {
    fn automaton(&mut self) -> Result<Automaton, Diagnostic> {
        let (states, place) = self.number("the number of states")?;
        let (sets, placement) = self.sets()?;
        let mut draft = Draft {
            manager: Manager::with_limit(LABEL_NODES),
            formulas: Formulas::new(),
            atoms: Vec::new(),
            numbers: HashMap::new(),
            states: HashMap::new(),
            edges: Vec::new(),
            defined: Vec::new(),
            start: Vec::new(),
            sets,
            placement,
        };
        for _ in 0..states {
            self.state(&mut draft)?;
        }
        if draft.edges.len() != states as usize {
            let message =
                format!("the header announces {states} states, but transitions lead to {}", draft.edges.len());
            return Err(Diagnostic::error("L0503", place, message));
        }
        draft.manager.set_limit(usize::MAX);
        Ok(draft.automaton())
    }

    /// The number of acceptance sets, with letters behind it that say where they stand.
    fn sets(&mut self) -> Result<(u32, Placement), Diagnostic> {
        let (word, place) = self.word("the number of acceptance sets")?;
        let digits = word.trim_end_matches(['s', 't', 'S', 'T']);
        let letters = word[digits.len()..].to_ascii_lowercase();
        let placement =
            Placement { on_states: letters.is_empty() || letters.contains('s'), on_transitions: letters.contains('t') };
        match digits.parse::<u32>() {
            Ok(sets) if sets <= MAX_SETS => Ok((sets, placement)),
            Ok(_) => Err(Diagnostic::error("L0502", place, format!("there are more than {MAX_SETS} acceptance sets"))),
            Err(_) => Err(Diagnostic::error("L0501", place, format!("expected a number of sets, found `{word}`"))
                .hint("a number, with `s`, `t` or `st` behind it for acceptance on states, transitions or both")),
        }
    }

    fn state(&mut self, draft: &mut Draft) -> Result<(), Diagnostic> {
        let (number, place) = self.number("a state")?;
        let state = draft.state(number);
        if std::mem::replace(&mut draft.defined[state as usize], true) {
            return Err(Diagnostic::error("L0503", place, format!("state {number} is defined twice")));
        }
        match self.number("0 or 1")? {
            (0, _) => {}
            (1, _) => draft.start.push(state),
            (_, place) => {
                let message = "expected 1 for an initial state, 0 for another";
                return Err(Diagnostic::error("L0501", place, message));
            }
        }
        let state_marks = if draft.placement.on_states { self.marks(draft.sets)? } else { Marks::NONE };
        loop {
            let Some(target) = self.number_or_end("a target state or -1")? else { return Ok(()) };
            let target = draft.state(target);
            let marks = if draft.placement.on_transitions { self.marks(draft.sets)? } else { Marks::NONE };
            let label = self.guard(draft)?;
            if !label.is_false() {
                let marks = marks.union(state_marks);
                draft.edges[state as usize].push(Edge { target, marks, label });
            }
        }
    }

    /// Acceptance sets up to `-1`.
    fn marks(&mut self, sets: u32) -> Result<Marks, Diagnostic> {
        let mut marks = Marks::NONE;
        loop {
            let lo = self.at;
            match self.number_or_end("an acceptance set or -1")? {
                None => return Ok(marks),
                Some(set) if set < sets => marks = marks.with(set),
                Some(set) => {
                    let place = self.span(lo, self.at);
                    return Err(Diagnostic::error("L0502", place, format!("there is no acceptance set {set}")));
                }
            }
        }
    }

    fn guard(&mut self, draft: &mut Draft) -> Result<Bdd, Diagnostic> {
        let (lo, hi) = (self.at, self.at + line_length(&self.text[self.at..]));
        self.at = hi;
        let place = self.span(lo, hi);
        let text = self.text[lo..hi].trim_start();
        let formula = parse_at(&mut draft.formulas, text, Syntax::Lbt, place)?;
        if draft.atoms.len() + draft.formulas.atoms(formula).len() > MAX_VARIABLES as usize {
            let message = format!("there are more than {MAX_VARIABLES} propositions");
            return Err(Diagnostic::error("L0504", place, message));
        }
        let (atoms, numbers) = (&mut draft.atoms, &mut draft.numbers);
        let formulas = &draft.formulas;
        let variable = |atom| {
            let name = formulas.atom_name(atom);
            *numbers.entry(name.to_owned()).or_insert_with(|| {
                atoms.push(name.to_owned());
                Variable(atoms.len() as u32 - 1)
            })
        };
        label_of(&draft.manager, formulas, formula, variable).map_err(|fault| match fault {
            NoLabel::TooLarge => Diagnostic::error("L0504", place, "the guards are too complex"),
            NoLabel::Temporal => Diagnostic::error("L0504", place, "a guard has no temporal operators"),
        })
    }

    /// The next word, without taking it.
    fn peek(&self) -> Option<(&str, usize)> {
        let rest = &self.text[self.at..];
        let lo = self.at + rest.find(|c: char| !c.is_whitespace())?;
        let word = self.text[lo..].split_whitespace().next()?;
        Some((word, lo))
    }

    fn word(&mut self, what: &str) -> Result<(String, Span), Diagnostic> {
        let Some((word, lo)) = self.peek() else {
            let end = self.span(self.text.len(), self.text.len());
            return Err(Diagnostic::error("L0501", end, format!("expected {what}, found the end of the text")));
        };
        let (word, hi) = (word.to_owned(), lo + word.len());
        self.at = hi;
        Ok((word, self.span(lo, hi)))
    }

    /// A number, or `-1` for the end of a list.
    fn number_or_end(&mut self, what: &str) -> Result<Option<u32>, Diagnostic> {
        let (word, place) = self.word(what)?;
        if word == "-1" {
            return Ok(None);
        }
        let number = word.parse::<u32>();
        number.map(Some).map_err(|_| {
            let short: String = word.chars().take(30).collect();
            Diagnostic::error("L0501", place, format!("expected {what}, found `{short}`"))
        })
    }

    fn number(&mut self, what: &str) -> Result<(u32, Span), Diagnostic> {
        let lo = self.at;
        let number = self.number_or_end(what)?;
        let place = self.span(lo, self.at);
        number
            .map(|number| (number, place))
            .ok_or_else(|| Diagnostic::error("L0501", place, format!("expected {what}, found `-1`")))
    }

    fn span(&self, lo: usize, hi: usize) -> Span {
        // The position excludes leading blanks.
        let lo = lo + self.text[lo..hi].len() - self.text[lo..hi].trim_start().len();
        Span::new(self.file, lo as u32, hi as u32)
    }
}

/// The length of the line that a text begins with. Line breaks inside double quotes do not end it, unless the quotes are never
/// closed.
fn line_length(text: &str) -> usize {
    let first = text.find('\n').unwrap_or(text.len());
    let (mut quoted, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'\n' if !quoted => return at,
            _ => {}
        }
    }
    if quoted { first } else { text.len() }
}
