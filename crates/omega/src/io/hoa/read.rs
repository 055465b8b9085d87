//! Text to automaton.
//!
//! One function a production of the grammar. Nothing is allocated on the word of a number in the text: a state number is
//! accepted only if the text is long enough to speak of that many states.

use std::collections::HashMap;

use bdd::{Bdd, Cube, MAX_VARIABLES, Manager, Variable};
use kernel::diagnostic::Diagnostic;
use kernel::span::{FileId, Span};

use super::lex::{Kind, Lexer, Token};
use crate::automaton::emerson_lei::{EmersonLei, condition_manager, infinitely_often};
use crate::automaton::{Automaton, Edge, MAX_SETS, Marks, State};
use crate::io::expression::{Expression, Fault};
use crate::io::{LABEL_NODES, Stated};

/// The automata of a stream, one after the other; after a wrong one the reader goes on with the next.
#[derive(Debug)]
pub struct Reader<'a> {
    lexer: Lexer<'a>,
    token: Token<'a>,
    text: &'a str,
    /// A text that cannot be read at all.
    refusal: Option<Diagnostic>,
}

impl<'a> Reader<'a> {
    /// Reads the automata of a text; spans name `file`.
    #[must_use]
    pub fn new(text: &'a str, file: FileId) -> Self {
        let start = Span::new(file, 0, 0);
        let too_long = u32::try_from(text.len()).is_err();
        let refusal = too_long.then(|| Diagnostic::error("L0311", start, "the text is longer than 4 GiB"));
        let text = if too_long { "" } else { text };
        let mut reader = Reader {
            lexer: Lexer::new(text, file),
            token: Token { kind: Kind::EndOfText, span: start },
            text,
            refusal,
        };
        if let Err(diagnostic) = reader.advance() {
            reader.refusal = Some(diagnostic);
        }
        reader
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Stated, Diagnostic>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(refusal) = self.refusal.take() {
            self.recover();
            return Some(Err(refusal));
        }
        if self.token.kind == Kind::EndOfText {
            return None;
        }
        let automaton = self.automaton();
        if automaton.is_err() {
            self.recover();
        }
        Some(automaton)
    }
}

/// What the headers said.
#[derive(Default)]
struct Headers {
    name: Option<String>,
    states: Option<(u32, Span)>,
    start: Vec<(u32, Span)>,
    atoms: Option<Vec<String>>,
    aliases: HashMap<String, Bdd>,
    /// The number of sets, the condition, and where it stands.
    acceptance: Option<(u32, Bdd, Span)>,
}

/// The automaton that is being read.
struct Draft {
    headers: Headers,
    manager: Manager,
    /// The largest atom number used so far.
    last_atom: Option<(u32, Span)>,
    /// Edges by state; a state that the body has not defined yet has none.
    states: Vec<Vec<Edge>>,
    names: Vec<Option<String>>,
    defined: Vec<bool>,
    /// States that carry an acceptance mark.
    marked: Vec<State>,
}

impl Reader<'_> {
    fn automaton(&mut self) -> Result<Stated, Diagnostic> {
        if self.token.kind != Kind::Header("HOA") {
            return Err(self.expected("`HOA: v1`"));
        }
        self.advance()?;
        self.version()?;
        self.advance()?;
        let mut draft = Draft {
            headers: Headers::default(),
            manager: Manager::with_limit(LABEL_NODES),
            last_atom: None,
            states: Vec::new(),
            names: Vec::new(),
            defined: Vec::new(),
            marked: Vec::new(),
        };
        while let Kind::Header(name) = self.token.kind {
            let place = self.token.span;
            self.advance()?;
            self.header(name, place, &mut draft)?;
        }
        if self.token.kind != Kind::Body {
            return Err(self.expected("a header or `--BODY--`"));
        }
        let body = self.token.span;
        self.advance()?;
        while self.token.kind == Kind::Header("State") {
            self.advance()?;
            self.state(&mut draft)?;
        }
        if self.token.kind != Kind::End {
            return Err(self.expected("`State:` or `--END--`"));
        }
        let automaton = self.finish(draft, body)?;
        // What follows is the next automaton's business.
        if let Err(diagnostic) = self.advance() {
            self.refusal = Some(diagnostic);
        }
        Ok(automaton)
    }

    /// The version, which is a word of its own: `v1.1` is not `v1` with something behind it.
    fn version(&self) -> Result<(), Diagnostic> {
        let place = self.token.span;
        let rest = &self.text[place.lo as usize..];
        let word = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
        match word.strip_prefix('v').filter(|number| number.starts_with(|first: char| first.is_ascii_digit())) {
            Some("1") => Ok(()),
            // A comment may follow without a blank.
            Some(number) if number.starts_with("1/*") => Ok(()),
            Some(number) => {
                let place = Span::new(place.file, place.lo, place.lo + word.len() as u32);
                let what = format!("version {number} of the format is not known");
                Err(Diagnostic::error("L0302", place, what).hint("this reader knows version 1, written `HOA: v1`"))
            }
            None => Err(self.expected("`v1`").hint("this reader knows version 1 of the format")),
        }
    }

    fn header(&mut self, name: &str, place: Span, draft: &mut Draft) -> Result<(), Diagnostic> {
        let again = |before: bool| {
            let twice = Diagnostic::error("L0303", place, format!("`{name}:` is given twice"));
            if before { Err(twice) } else { Ok(()) }
        };
        match name {
            "States" => {
                again(draft.headers.states.is_some())?;
                draft.headers.states = Some(self.number("the number of states")?);
            }
            "Start" => {
                let start = self.number("an initial state")?;
                self.no_conjunction()?;
                draft.headers.start.push(start);
            }
            "AP" => {
                again(draft.headers.atoms.is_some())?;
                draft.headers.atoms = Some(self.atoms()?);
            }
            "Alias" => {
                let Kind::Alias(alias) = self.token.kind else { return Err(self.expected("an alias such as `@a`")) };
                self.advance()?;
                let value = self.label_expression(draft, |kind| matches!(kind, Kind::Header(_) | Kind::Body))?;
                draft.headers.aliases.insert(alias.to_owned(), value);
            }
            "Acceptance" => {
                again(draft.headers.acceptance.is_some())?;
                draft.headers.acceptance = Some(self.acceptance(place)?);
            }
            "name" => {
                let Kind::Text(text) = &self.token.kind else { return Err(self.expected("a quoted name")) };
                draft.headers.name = Some(text.clone());
                self.advance()?;
            }
            _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                return Err(Diagnostic::error("L0309", place, format!("`{name}:` is not known"))
                    .note("a header that begins with a capital may change the meaning of the automaton"));
            }
            _ => self.skip_header()?,
        }
        Ok(())
    }

    /// Headers that begin with a small letter say nothing that a reader must know.
    fn skip_header(&mut self) -> Result<(), Diagnostic> {
        while !matches!(self.token.kind, Kind::Header(_) | Kind::Body | Kind::End | Kind::EndOfText) {
            self.advance()?;
        }
        Ok(())
    }

    fn atoms(&mut self) -> Result<Vec<String>, Diagnostic> {
        let (count, place) = self.number("the number of atomic propositions")?;
        if count > MAX_VARIABLES {
            let message = format!("there are more than {MAX_VARIABLES} atomic propositions");
            return Err(Diagnostic::error("L0311", place, message));
        }
        let mut atoms = Vec::new();
        while let Kind::Text(name) = &self.token.kind {
            if atoms.contains(name) {
                let message = format!("the proposition \"{name}\" is listed twice");
                return Err(Diagnostic::error("L0303", self.token.span, message));
            }
            atoms.push(name.clone());
            self.advance()?;
        }
        if atoms.len() != count as usize {
            let message = format!("`AP:` announces {count} propositions and lists {}", atoms.len());
            return Err(Diagnostic::error("L0303", place, message));
        }
        Ok(atoms)
    }

    fn acceptance(&mut self, place: Span) -> Result<(u32, Bdd, Span), Diagnostic> {
        let (sets, number) = self.number("the number of acceptance sets")?;
        if sets > MAX_SETS {
            let message = format!("there are more than {MAX_SETS} acceptance sets");
            return Err(Diagnostic::error("L0305", number, message));
        }
        let manager = condition_manager();
        let mut expression = Expression::default();
        let mut end = number;
        while !matches!(self.token.kind, Kind::Header(_) | Kind::Body) {
            let at = self.token.span;
            let step = match self.token.kind {
                Kind::Sign(sign @ ('&' | '|' | '(' | ')')) => expression.sign(sign),
                Kind::Identifier("t") => expression.operand(manager.yes()),
                Kind::Identifier("f") => expression.operand(manager.no()),
                Kind::Identifier(name @ ("Inf" | "Fin")) => {
                    let value = self.acceptance_atom(&manager, sets, name == "Inf")?;
                    expression.operand(value)
                }
                Kind::Identifier(name) => {
                    return Err(Diagnostic::error(
                        "L0305",
                        at,
                        format!("the acceptance condition `{name}` is not known"),
                    )
                    .hint("conditions are built from `Inf`, `Fin`, `t`, `f`, `&`, `|` and parentheses"));
                }
                _ => return Err(self.expected("an acceptance condition")),
            };
            step.map_err(|fault| fault_in("acceptance condition", fault, at))?;
            end = self.token.span;
            self.advance()?;
        }
        let condition = expression.finish().map_err(|fault| fault_in("acceptance condition", fault, end))?;
        Ok((sets, condition, place.to(end)))
    }

    /// What follows `Inf` or `Fin`; stops on the closing parenthesis.
    fn acceptance_atom(&mut self, manager: &Manager, sets: u32, infinite: bool) -> Result<Bdd, Diagnostic> {
        self.advance()?;
        self.sign('(')?;
        let outside = self.token.kind == Kind::Sign('!');
        if outside {
            self.advance()?;
        }
        let (set, place) = self.number("an acceptance set")?;
        if set >= sets {
            return Err(Diagnostic::error("L0305", place, format!("there is no acceptance set {set}")));
        }
        if self.token.kind != Kind::Sign(')') {
            return Err(self.expected("`)`"));
        }
        let often = manager.try_variable(infinitely_often(set, outside));
        let often = often.map_err(|_| fault_in("acceptance condition", Fault::TooLarge, place))?;
        Ok(if infinite { often } else { !often })
    }

    fn state(&mut self, draft: &mut Draft) -> Result<(), Diagnostic> {
        let state_label = self.label(draft)?;
        let (state, place) = self.number("a state")?;
        let state = self.state_number(draft, state, place)?;
        if std::mem::replace(&mut draft.defined[state as usize], true) {
            return Err(Diagnostic::error("L0304", place, format!("state {state} is defined twice")));
        }
        if let Kind::Text(name) = &self.token.kind {
            draft.names[state as usize] = Some(name.clone());
            self.advance()?;
        }
        let state_marks = self.marks(draft)?;
        if !state_marks.is_empty() {
            draft.marked.push(state);
        }
        let mut unlabelled = 0_u32;
        let mut labelled = false;
        while matches!(self.token.kind, Kind::Number(_) | Kind::Sign('[')) {
            let start = self.token.span;
            let label = self.label(draft)?;
            let (target, place) = self.number("a target state")?;
            self.no_conjunction()?;
            let marks = self.marks(draft)?.union(state_marks);
            let target = self.state_number(draft, target, place)?;
            let label = match (label, &state_label) {
                (Some(_), Some(_)) => {
                    return Err(Diagnostic::error("L0308", start, "both the state and the edge have a label"));
                }
                (Some(label), None) => {
                    labelled = true;
                    label
                }
                (None, Some(label)) => label.clone(),
                (None, None) => {
                    let label = self.implicit_label(draft, unlabelled, place)?;
                    unlabelled += 1;
                    label
                }
            };
            if labelled && unlabelled > 0 {
                return Err(Diagnostic::error(
                    "L0308",
                    start,
                    "some edges of the state have a label and some have none",
                ));
            }
            if !label.is_false() {
                draft.states[state as usize].push(Edge { target, label, marks });
            }
        }
        let expected = 1_u64.checked_shl(draft.headers.atoms.as_ref().map_or(0, Vec::len) as u32).unwrap_or(0);
        if unlabelled > 0 && u64::from(unlabelled) != expected {
            let message = format!("state {state} has {unlabelled} edges without labels, not one for each valuation");
            return Err(Diagnostic::error("L0308", place, message)
                .note(format!("implicit labels need exactly {expected} edges in each state, in order")));
        }
        Ok(())
    }

    /// `[…]`, if it is there.
    fn label(&mut self, draft: &mut Draft) -> Result<Option<Bdd>, Diagnostic> {
        if self.token.kind != Kind::Sign('[') {
            return Ok(None);
        }
        self.advance()?;
        let label = self.label_expression(draft, |kind| *kind == Kind::Sign(']'))?;
        self.advance()?;
        Ok(Some(label))
    }

    /// An expression up to a token that `ends` it, which stays.
    fn label_expression(&mut self, draft: &mut Draft, ends: impl Fn(&Kind<'_>) -> bool) -> Result<Bdd, Diagnostic> {
        let mut expression = Expression::default();
        while !ends(&self.token.kind) {
            let at = self.token.span;
            let step = match self.token.kind {
                Kind::Sign(sign @ ('!' | '&' | '|' | '(' | ')')) => expression.sign(sign),
                Kind::Identifier("t") => expression.operand(draft.manager.yes()),
                Kind::Identifier("f") => expression.operand(draft.manager.no()),
                Kind::Number(atom) if atom < MAX_VARIABLES => {
                    if draft.last_atom.is_none_or(|(last, _)| last < atom) {
                        draft.last_atom = Some((atom, at));
                    }
                    match draft.manager.try_variable(Variable(atom)) {
                        Ok(value) => expression.operand(value),
                        Err(_) => Err(Fault::TooLarge),
                    }
                }
                Kind::Number(atom) => {
                    return Err(Diagnostic::error("L0307", at, format!("there is no proposition {atom}")));
                }
                Kind::Alias(name) => match draft.headers.aliases.get(name) {
                    Some(value) => expression.operand(value.clone()),
                    None => {
                        return Err(Diagnostic::error("L0308", at, format!("the alias `@{name}` is not defined"))
                            .hint("an alias must be defined before it is used"));
                    }
                },
                _ => return Err(self.expected("a label")),
            };
            step.map_err(|fault| fault_in("label", fault, at))?;
            self.advance()?;
        }
        expression.finish().map_err(|fault| fault_in("label", fault, self.token.span))
    }

    /// The valuation that is the implicit label of the edge with this number.
    fn implicit_label(&self, draft: &Draft, edge: u32, place: Span) -> Result<Bdd, Diagnostic> {
        let atoms = draft.headers.atoms.as_ref().map_or(0, Vec::len) as u32;
        let valuations = 1_usize.checked_shl(atoms).unwrap_or(usize::MAX);
        if valuations > self.text.len() || edge as usize >= valuations {
            let message = "the edges of the state have no labels and are not one for each valuation";
            return Err(Diagnostic::error("L0308", place, message));
        }
        let literals = (0..atoms).map(|atom| (Variable(atom), edge >> atom & 1 == 1));
        let cube = Cube::new(literals).expect("each atom has one value");
        draft.manager.try_cube(&cube).map_err(|_| fault_in("label", Fault::TooLarge, place))
    }

    /// `{…}`, or no marks.
    fn marks(&mut self, draft: &Draft) -> Result<Marks, Diagnostic> {
        let mut marks = Marks::NONE;
        if self.token.kind != Kind::Sign('{') {
            return Ok(marks);
        }
        self.advance()?;
        let sets = draft.headers.acceptance.as_ref().map_or(0, |(sets, _, _)| *sets);
        while self.token.kind != Kind::Sign('}') {
            let (set, place) = self.number("an acceptance set or `}`")?;
            if set >= sets {
                return Err(Diagnostic::error("L0305", place, format!("there is no acceptance set {set}")));
            }
            marks = marks.with(set);
        }
        self.advance()?;
        Ok(marks)
    }

    /// A state the text speaks of; makes room for it.
    fn state_number(&self, draft: &mut Draft, state: u32, place: Span) -> Result<State, Diagnostic> {
        if let Some((count, announced)) = draft.headers.states
            && state >= count
        {
            let number = self.written(place);
            return Err(Diagnostic::error("L0304", place, format!("there is no state {number}"))
                .label(announced, format!("there are {count} states, numbered from 0")));
        }
        if !self.has_room_for(state) {
            let message = format!("the state number {} is too large for this text", self.written(place));
            return Err(Diagnostic::error("L0304", place, message).note("states are numbered from 0 without gaps"));
        }
        if state as usize >= draft.states.len() {
            draft.states.resize(state as usize + 1, Vec::new());
            draft.names.resize(state as usize + 1, None);
            draft.defined.resize(state as usize + 1, false);
        }
        Ok(state)
    }

    /// The definition of a state takes seven bytes at least: a larger number is that of a state never defined.
    fn has_room_for(&self, state: u32) -> bool {
        state as usize <= self.text.len() / 7
    }

    /// A number as the text has it, which may be larger than what we can count to.
    fn written(&self, place: Span) -> &str {
        &self.text[place.lo as usize..place.hi as usize]
    }

    fn finish(&mut self, mut draft: Draft, body: Span) -> Result<Stated, Diagnostic> {
        let Some((sets, condition, place)) = draft.headers.acceptance.take() else {
            return Err(Diagnostic::error("L0303", body, "the header `Acceptance:` is missing"));
        };
        let atoms = draft.headers.atoms.take().unwrap_or_default();
        if let Some((atom, place)) = draft.last_atom
            && atom as usize >= atoms.len()
        {
            return Err(Diagnostic::error("L0307", place, format!("there is no proposition {atom}"))
                .note(format!("`AP:` lists {} propositions, numbered from 0", atoms.len())));
        }
        let mut start = Vec::new();
        for (state, place) in std::mem::take(&mut draft.headers.start) {
            start.push(self.state_number(&mut draft, state, place)?);
        }
        if let Some((count, place)) = draft.headers.states
            && count > 0
        {
            if !self.has_room_for(count - 1) {
                let message = format!("the text is too short to define {} states", self.written(place));
                return Err(Diagnostic::error("L0304", place, message).note("every state is defined in the body"));
            }
            self.state_number(&mut draft, count - 1, place)?;
        }
        let mut automaton = Automaton::in_manager(&draft.manager, atoms, sets);
        automaton.name = draft.headers.name;
        automaton.add_states(draft.states.len());
        for (state, (edges, name)) in (0..).zip(draft.states.into_iter().zip(draft.names)) {
            *automaton.edges_mut(state) = edges;
            name.into_iter().for_each(|name| automaton.name_state(state, name));
        }
        automaton.set_initial_states(&start);
        draft.manager.set_limit(usize::MAX);
        let automaton = EmersonLei::new(automaton, condition);
        Ok(Stated { automaton, marked: draft.marked, acceptance: place })
    }
}

/// Tokens.
impl Reader<'_> {
    fn advance(&mut self) -> Result<(), Diagnostic> {
        self.token = self.lexer.next()?;
        if self.token.kind == Kind::Abort {
            let place = self.token.span;
            return Err(Diagnostic::warning("L0310", place, "the producer of this text aborted the automaton"));
        }
        Ok(())
    }

    /// Goes to the next automaton of the stream.
    fn recover(&mut self) {
        self.lexer.skip_to_next_automaton();
        if let Err(diagnostic) = self.advance() {
            self.refusal = Some(diagnostic);
        }
    }

    fn number(&mut self, what: &str) -> Result<(u32, Span), Diagnostic> {
        let Kind::Number(number) = self.token.kind else { return Err(self.expected(what)) };
        let place = self.token.span;
        self.advance()?;
        Ok((number, place))
    }

    fn sign(&mut self, sign: char) -> Result<(), Diagnostic> {
        if self.token.kind != Kind::Sign(sign) {
            return Err(self.expected(&format!("`{sign}`")));
        }
        self.advance()
    }

    fn no_conjunction(&self) -> Result<(), Diagnostic> {
        if self.token.kind != Kind::Sign('&') {
            return Ok(());
        }
        Err(Diagnostic::error("L0306", self.token.span, "alternating automata are not supported")
            .here("a conjunction of states is universal branching"))
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let message = format!("expected {what}, found {}", self.token.kind.describe());
        Diagnostic::error("L0302", self.token.span, message)
    }
}

fn fault_in(what: &str, fault: Fault, place: Span) -> Diagnostic {
    match fault {
        Fault::Misplaced => Diagnostic::error("L0302", place, format!("the {what} is not well formed here")),
        Fault::Unbalanced => Diagnostic::error("L0302", place, format!("the parentheses of the {what} do not match")),
        Fault::TooLarge => Diagnostic::error("L0311", place, format!("the {what} is too complex")),
    }
}
