//! Text to automaton.

use std::collections::HashMap;

use bdd::{Bdd, MAX_VARIABLES, Manager, Variable};
use kernel::diagnostic::Diagnostic;
use kernel::span::{FileId, Span};

use super::lex::{Kind, Token, tokens};
use super::location::{END, Location, Locations};
use crate::automaton::Automaton;
use crate::automaton::label::{NoLabel, label_of};
use crate::formula::Formulas;
use crate::io::LABEL_NODES;
use crate::parse::{Syntax, parse_at};

/// How deep `if` and `do` may nest.
const MAX_NESTING: usize = 100;

/// The claims of a text, each read or refused.
#[must_use]
pub fn read(text: &str, file: FileId) -> Vec<Result<Automaton, Diagnostic>> {
    if u32::try_from(text.len()).is_err() {
        return vec![Err(Diagnostic::error("L0401", Span::new(file, 0, 0), "the text is longer than 4 GiB"))];
    }
    let tokens = match tokens(text, file) {
        Ok(tokens) => tokens,
        Err(diagnostic) => return vec![Err(diagnostic)],
    };
    let mut automata = Vec::new();
    let mut at = 0;
    while tokens[at].kind != Kind::End {
        let manager = Manager::with_limit(LABEL_NODES);
        let mut reader = Reader {
            text,
            file,
            tokens: &tokens,
            at,
            formulas: Formulas::new(),
            locations: Locations::new(&manager),
            manager,
            atoms: Atoms::default(),
            labels: HashMap::new(),
            gotos: Vec::new(),
            elses: Vec::new(),
        };
        let automaton = reader.claim();
        at = reader.at.max(at + 1).min(tokens.len() - 1);
        if automaton.is_err() {
            // Go on with the next claim of the text, if there is one.
            while tokens[at].kind != Kind::End && &text[tokens[at].lo..tokens[at].hi] != "never" {
                at += 1;
            }
        }
        automata.push(automaton);
    }
    automata
}

/// The propositions in the order of first use.
#[derive(Default)]
struct Atoms {
    names: Vec<String>,
    numbers: HashMap<String, Variable>,
}

impl Atoms {
    fn variable(&mut self, name: &str) -> Variable {
        if let Some(&known) = self.numbers.get(name) {
            return known;
        }
        let variable = Variable(self.names.len() as u32);
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), variable);
        variable
    }
}

/// An `else` of an `if` or `do`: where it begins, what it leads to, and the beginnings of the other options.
struct Else {
    location: Location,
    to: Location,
    others: Vec<Location>,
}

struct Reader<'a> {
    text: &'a str,
    file: FileId,
    tokens: &'a [Token],
    at: usize,
    formulas: Formulas,
    manager: Manager,
    atoms: Atoms,
    locations: Locations,
    labels: HashMap<String, (Location, Span)>,
    gotos: Vec<(Location, String, Span)>,
    elses: Vec<Else>,
}

/// What surrounds a statement: where `break` goes, and how deep it is nested.
#[derive(Clone, Copy)]
struct Context {
    after_loop: Option<Location>,
    depth: usize,
}

impl Reader<'_> {
    fn claim(&mut self) -> Result<Automaton, Diagnostic> {
        if self.word() != "never" {
            let hint = "automata begin with `HOA:`, with `never`, or in the LBTT format with two numbers";
            return Err(self.expected("`never`").hint(hint));
        }
        self.at += 1;
        let name = (self.kind() == Kind::Word).then(|| self.word().to_owned());
        self.at += usize::from(name.is_some());
        self.expect(Kind::OpenBrace, "`{`")?;
        let start = self.locations.fresh();
        let end = self.sequence(start, Context { after_loop: None, depth: 0 })?;
        self.locations.alias(end, END);
        self.expect(Kind::CloseBrace, "a statement or `}`")?;
        for (location, label, place) in std::mem::take(&mut self.gotos) {
            let Some(&(target, _)) = self.labels.get(&label) else {
                return Err(Diagnostic::error("L0402", place, format!("there is no label `{label}` in the claim")));
            };
            self.locations.alias(location, target);
        }
        for other in std::mem::take(&mut self.elses) {
            let mut guard = self.manager.no();
            for (enabled, _) in other.others.iter().flat_map(|&location| self.locations.steps(location)) {
                guard = guard.try_or(&enabled).map_err(|_| self.too_complex(self.place()))?;
            }
            self.locations.step(other.location, !guard, other.to);
        }
        let mut automaton = self.locations.automaton(&self.manager, std::mem::take(&mut self.atoms.names), start);
        self.manager.set_limit(usize::MAX);
        automaton.name = name;
        Ok(automaton)
    }

    /// Statements up to the end of a block or option; gives the location after the last.
    fn sequence(&mut self, start: Location, context: Context) -> Result<Location, Diagnostic> {
        let mut at = start;
        loop {
            while matches!(self.kind(), Kind::Semicolon | Kind::Arrow) {
                self.at += 1;
            }
            let ends = matches!(self.kind(), Kind::CloseBrace | Kind::DoubleColon | Kind::End);
            if ends || matches!(self.word(), "fi" | "od") {
                return Ok(at);
            }
            at = self.statement(at, context)?;
        }
    }

    fn statement(&mut self, from: Location, context: Context) -> Result<Location, Diagnostic> {
        if self.kind() == Kind::Word && self.tokens[self.at + 1].kind == Kind::Colon {
            let (name, place) = (self.word().to_owned(), self.place());
            if let Some((_, first)) = self.labels.insert(name.clone(), (from, place)) {
                return Err(Diagnostic::error("L0402", place, format!("the label `{name}` occurs twice in the claim"))
                    .label(first, "here for the first time"));
            }
            self.locations.label(from, &name);
            self.at += 2;
            return Ok(from);
        }
        let after = self.locations.fresh();
        match self.word() {
            "if" => self.options(from, after, "fi", context)?,
            "do" => self.options(from, after, "od", context)?,
            "goto" => self.goto(from)?,
            "break" => {
                let Some(exit) = context.after_loop else {
                    return Err(Diagnostic::error("L0403", self.place(), "`break` outside of a loop"));
                };
                self.at += 1;
                self.locations.alias(from, exit);
            }
            "atomic" | "d_step" => self.atomic(from, after)?,
            "assert" => {
                self.at += 1;
                let holds = self.guard()?;
                self.locations.step(from, !&holds, END);
                self.locations.step(from, holds, after);
            }
            "skip" => {
                self.at += 1;
                self.locations.step(from, self.manager.yes(), after);
            }
            _ => {
                let guard = self.guard()?;
                self.locations.step(from, guard, after);
            }
        }
        Ok(after)
    }

    fn goto(&mut self, from: Location) -> Result<(), Diagnostic> {
        self.at += 1;
        if self.kind() != Kind::Word {
            return Err(self.expected("a label"));
        }
        self.gotos.push((from, self.word().to_owned(), self.place()));
        self.at += 1;
        Ok(())
    }

    /// `if … fi` and `do … od`, the first word not yet read.
    fn options(&mut self, from: Location, after: Location, end: &str, outer: Context) -> Result<(), Diagnostic> {
        if outer.depth == MAX_NESTING {
            let message = format!("statements nest deeper than {MAX_NESTING} levels");
            return Err(Diagnostic::error("L0403", self.place(), message));
        }
        let is_loop = end == "od";
        let context =
            Context { after_loop: if is_loop { Some(after) } else { outer.after_loop }, depth: outer.depth + 1 };
        let exit = if is_loop { from } else { after };
        self.at += 1;
        let mut begins = Vec::new();
        let mut otherwise = None;
        while self.kind() == Kind::DoubleColon {
            self.at += 1;
            let begin = self.locations.fresh();
            self.locations.alternative(from, begin);
            let mut at = begin;
            if self.word() == "else" {
                self.at += 1;
                at = self.locations.fresh();
                otherwise = Some((begin, at));
            } else {
                begins.push(begin);
            }
            let last = self.sequence(at, context)?;
            self.locations.alias(last, exit);
        }
        if begins.is_empty() && otherwise.is_none() {
            return Err(self.expected("`::`"));
        }
        if self.word() != end {
            return Err(self.expected(&format!("`::` or `{end}`")));
        }
        self.at += 1;
        self.elses.extend(otherwise.map(|(location, to)| Else { location, to, others: begins }));
        Ok(())
    }

    /// `atomic { … }`: guards and assertions on one and the same letter, perhaps with a `goto` behind them.
    fn atomic(&mut self, from: Location, after: Location) -> Result<(), Diagnostic> {
        self.at += 1;
        self.expect(Kind::OpenBrace, "`{`")?;
        let mut holds = self.manager.yes();
        let target = self.locations.fresh();
        let mut jumps = false;
        while self.kind() != Kind::CloseBrace {
            let place = self.place();
            match (self.kind(), self.word()) {
                (Kind::Semicolon | Kind::Arrow, _) => self.at += 1,
                _ if jumps => return Err(self.expected("`}`")),
                (_, "goto") => {
                    self.goto(target)?;
                    jumps = true;
                }
                (_, "skip") => self.at += 1,
                (_, "if" | "do" | "atomic" | "d_step" | "break") => {
                    return Err(Diagnostic::error(
                        "L0403",
                        place,
                        "this statement cannot be inside an atomic step here",
                    ));
                }
                (_, word) => {
                    let is_assertion = word == "assert";
                    self.at += usize::from(is_assertion);
                    let guard = self.guard()?;
                    if is_assertion {
                        let fails = holds.try_and(&!&guard).map_err(|_| self.too_complex(place))?;
                        self.locations.step(from, fails, END);
                    }
                    holds = holds.try_and(&guard).map_err(|_| self.too_complex(place))?;
                }
            }
        }
        self.at += 1;
        if !jumps {
            self.locations.alias(target, after);
        }
        self.locations.step(from, holds, target);
        Ok(())
    }

    /// An expression: everything up to the end of the statement.
    fn guard(&mut self) -> Result<Bdd, Diagnostic> {
        let first = self.at;
        let mut depth = 0_usize;
        loop {
            let ends = matches!(self.kind(), Kind::Semicolon | Kind::Arrow | Kind::DoubleColon)
                || matches!(self.kind(), Kind::OpenBrace | Kind::CloseBrace | Kind::Colon)
                || matches!(self.word(), "fi" | "od" | "if" | "do" | "goto");
            if self.kind() == Kind::End || (depth == 0 && ends) {
                break;
            }
            match self.kind() {
                Kind::OpenParenthesis => depth += 1,
                Kind::CloseParenthesis => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
        }
        if self.at == first {
            return Err(self.expected("a statement"));
        }
        let (lo, hi) = (self.tokens[first].lo, self.tokens[self.at - 1].hi);
        let place = Span::new(self.file, lo as u32, hi as u32);
        let formula = parse_at(&mut self.formulas, &self.text[lo..hi], Syntax::Spin, place)?;
        if self.atoms.names.len() + self.formulas.atoms(formula).len() > MAX_VARIABLES as usize {
            let message = format!("the claim has more than {MAX_VARIABLES} propositions");
            return Err(Diagnostic::error("L0405", place, message));
        }
        let (atoms, formulas) = (&mut self.atoms, &self.formulas);
        let variable = |atom| atoms.variable(formulas.atom_name(atom));
        label_of(&self.manager, formulas, formula, variable).map_err(|fault| match fault {
            NoLabel::TooLarge => self.too_complex(place),
            NoLabel::Temporal => Diagnostic::error("L0404", place, "a guard has no temporal operators")
                .hint("a claim describes single steps; translate the formula instead"),
        })
    }

    fn kind(&self) -> Kind {
        self.tokens[self.at].kind
    }

    /// The text of the current token.
    fn word(&self) -> &str {
        &self.text[self.tokens[self.at].lo..self.tokens[self.at].hi]
    }

    fn place(&self) -> Span {
        Span::new(self.file, self.tokens[self.at].lo as u32, self.tokens[self.at].hi as u32)
    }

    fn expect(&mut self, kind: Kind, what: &str) -> Result<(), Diagnostic> {
        if self.kind() != kind {
            return Err(self.expected(what));
        }
        self.at += 1;
        Ok(())
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let found =
            if self.kind() == Kind::End { "the end of the text".to_owned() } else { format!("`{}`", self.word()) };
        Diagnostic::error("L0401", self.place(), format!("expected {what}, found {found}"))
    }

    fn too_complex(&self, place: Span) -> Diagnostic {
        Diagnostic::error("L0405", place, "the guards of the claim are too complex")
    }
}
