//! Declarations and uses in Promela.

use super::{Index, Kind, Symbol, one_line};
use kernel::budget::Budget;
use kernel::span::FileId;
use promela::lex::{Spellings, Token, TokenKind, lex};
use promela::parse::KEYWORDS;
use std::collections::HashMap;
use std::ops::Range;

/// Words with a meaning of their own that are no keywords.
pub(crate) const PREDEFINED: &[&str] = &["_", "_last", "_nr_pr", "_pid", "in", "np_"];
const TYPES: &[&str] = &["bit", "bool", "byte", "pid", "short", "int", "unsigned", "chan", "mtype"];

/// Whether a word cannot be a name.
fn is_reserved(word: &str) -> bool {
    KEYWORDS.contains(&word) || PREDEFINED.contains(&word)
}

/// The index of a text.
pub(super) fn index(text: &str) -> Index {
    let (tokens, _) = lex(text, FileId(0), &mut Spellings::default(), &Budget::unlimited());
    let mut builder = Builder::new(text, &tokens);
    builder.directives();
    let mut at = 0;
    while at < builder.code.len() {
        at = builder.declaration(at).max(at + 1);
    }
    builder.uses();
    builder.index
}

fn bytes(token: &Token) -> Range<usize> {
    token.span.lo as usize..token.span.hi as usize
}

struct Builder<'t> {
    text: &'t str,
    tokens: &'t [Token],
    /// The tokens outside of preprocessor lines, by number.
    code: Vec<usize>,
    /// The preprocessor lines, as ranges of numbers.
    lines: Vec<Range<usize>>,
    /// For each opening brace in the code, the byte after the one that closes it.
    ends: HashMap<usize, usize>,
    /// The open parts: the byte where each ends, and whose it is.
    open: Vec<(usize, Option<usize>)>,
    /// Declared names by their first byte.
    declared: HashMap<usize, usize>,
    index: Index,
}

impl<'t> Builder<'t> {
    fn new(text: &'t str, tokens: &'t [Token]) -> Self {
        let (mut code, mut lines) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < tokens.len() {
            let start = at;
            at += 1;
            if tokens[start].fresh && tokens[start].is("#") {
                while at < tokens.len() && !tokens[at].fresh {
                    at += 1;
                }
                lines.push(start..at);
            } else {
                code.push(start);
            }
        }
        let (mut ends, mut open) = (HashMap::new(), Vec::new());
        for &number in &code {
            let token = &tokens[number];
            if token.is("{") {
                open.push(token.span.lo as usize);
            } else if token.is("}")
                && let Some(start) = open.pop()
            {
                ends.insert(start, token.span.hi as usize);
            }
        }
        Self { text, tokens, code, lines, ends, open: Vec::new(), declared: HashMap::new(), index: Index::default() }
    }

    fn token(&self, at: usize) -> Option<&'t Token> {
        self.code.get(at).map(|&number| &self.tokens[number])
    }

    fn is(&self, at: usize, text: &str) -> bool {
        self.token(at).is_some_and(|token| token.is(text))
    }

    fn is_name(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| token.kind == TokenKind::Word && !is_reserved(&token.text))
    }

    fn declare(&mut self, symbol: Symbol) -> usize {
        let start = symbol.at.start;
        let number = self.index.declare(symbol);
        self.declared.insert(start, number);
        number
    }

    /// A symbol that is visible everywhere.
    fn global(&mut self, name: &Token, kind: Kind, whole: Range<usize>, detail: String) -> usize {
        let everywhere = 0..self.text.len() + 1;
        let (at, owner, type_name) = (bytes(name), None, None);
        let name = name.text.to_string();
        self.declare(Symbol {
            name,
            kind,
            at,
            whole,
            scope: everywhere,
            owner,
            type_name,
            detail,
            range: String::new(),
        })
    }

    /// Macros and inclusions.
    fn directives(&mut self) {
        for line in self.lines.clone() {
            let words = &self.tokens[line];
            let whole = bytes(&words[0]).start..words.last().map_or(0, |last| bytes(last).end);
            match words.get(1).map(|word| &*word.text) {
                Some("define") => {
                    let Some(name) = words.get(2).filter(|name| name.kind == TokenKind::Word) else { continue };
                    let detail = self.text[whole.clone()].lines().take(8).collect::<Vec<_>>().join("\n");
                    let owner = self.global(name, Kind::Macro, whole.clone(), detail);
                    let takes = words.get(3).is_some_and(|open| open.is("(") && !open.spaced);
                    let inside = words.iter().skip(4).take_while(|word| takes && !word.is(")"));
                    for parameter in inside.filter(|word| word.kind == TokenKind::Word) {
                        self.parameter(parameter, owner, whole.clone());
                    }
                }
                Some("include") => {
                    let file = words.get(2).filter(|file| file.kind == TokenKind::Text);
                    self.index.includes.extend(file.map(|file| file.text.trim_matches('"').to_owned()));
                }
                _ => {}
            }
        }
    }

    fn parameter(&mut self, name: &Token, owner: usize, scope: Range<usize>) {
        let detail = format!("parameter of {}", self.index.symbols[owner].name);
        let (at, kind, type_name) = (bytes(name), Kind::Parameter, None);
        let (name, whole, owner) = (name.text.to_string(), at.clone(), Some(owner));
        self.declare(Symbol { name, kind, at, whole, scope, owner, type_name, detail, range: String::new() });
    }

    /// The number of the next opening brace, if it comes before the next statement.
    fn brace(&self, from: usize) -> Option<usize> {
        const FARTHEST: usize = 400;
        (from..from + FARTHEST).find(|&at| self.is(at, "{"))
    }

    /// Takes the declaration at a token, if one is there; the number of the next token to look at.
    fn declaration(&mut self, at: usize) -> usize {
        let Some(token) = self.token(at) else { return at + 1 };
        let start = bytes(token).start;
        while self.open.last().is_some_and(|(end, _)| *end <= start) {
            self.open.pop();
        }
        match &*token.text {
            "proctype" | "D_proctype" if self.is_name(at + 1) => self.process(at),
            "inline" if self.is_name(at + 1) => self.inline(at),
            "typedef" if self.is_name(at + 1) => self.record(at),
            "init" | "never" | "trace" | "notrace" if self.brace(at).is_some() => self.unnamed(at),
            "ltl" => self.formula(at),
            "mtype" if self.symbols_follow(at).is_some() => self.symbols(at),
            word if TYPES.contains(&word) => self.variables(at),
            word if self.is_name(at) && self.is_name(at + 1) && self.is_record(word) => self.variables(at),
            "{" => {
                if let Some(&end) = self.ends.get(&start) {
                    self.open.push((end, self.open.last().and_then(|(_, owner)| *owner)));
                }
                at + 1
            }
            _ if self.is_label(at) => self.label(at),
            _ => at + 1,
        }
    }

    fn is_record(&self, name: &str) -> bool {
        self.index.named(name).any(|number| self.index.symbols[number].kind == Kind::Record)
    }

    /// Opens the part of a definition that ends with its closing brace; the bytes from `from` to there.
    fn body(&mut self, brace: Option<usize>, from: usize, owner: usize) -> Range<usize> {
        let open = brace.and_then(|brace| self.token(brace)).map(|token| bytes(token).start);
        let end = open.and_then(|open| self.ends.get(&open)).copied().unwrap_or(self.text.len());
        self.open.push((end, Some(owner)));
        self.index.symbols[owner].whole.end = end;
        from..end
    }

    fn process(&mut self, at: usize) -> usize {
        let (Some(word), Some(name)) = (self.token(at), self.token(at + 1)) else { return at + 1 };
        let brace = self.brace(at);
        let head = bytes(word).start
            ..brace.and_then(|brace| self.token(brace)).map_or(self.text.len(), |open| bytes(open).start);
        let owner = self.global(name, Kind::Process, head.clone(), one_line(&self.text[head.clone()]));
        self.body(brace, head.start, owner);
        at + 2
    }

    fn inline(&mut self, at: usize) -> usize {
        let (Some(word), Some(name)) = (self.token(at), self.token(at + 1)) else { return at + 1 };
        let brace = self.brace(at);
        let head = bytes(word).start
            ..brace.and_then(|brace| self.token(brace)).map_or(self.text.len(), |open| bytes(open).start);
        let owner = self.global(name, Kind::Inline, head.clone(), one_line(&self.text[head.clone()]));
        let scope = self.body(brace, head.start, owner);
        let end = brace.unwrap_or(at + 2);
        for number in at + 2..end {
            if let Some(parameter) = self.token(number).filter(|_| self.is_name(number)) {
                self.parameter(parameter, owner, scope.clone());
            }
        }
        end
    }

    fn record(&mut self, at: usize) -> usize {
        let (Some(word), Some(name)) = (self.token(at), self.token(at + 1)) else { return at + 1 };
        let start = bytes(word).start;
        let owner = self.global(name, Kind::Record, start..bytes(name).end, format!("typedef {}", name.text));
        let whole = self.body(self.brace(at), start, owner);
        self.index.symbols[owner].detail = one_line(&self.text[whole]);
        at + 2
    }

    fn unnamed(&mut self, at: usize) -> usize {
        let Some(word) = self.token(at) else { return at + 1 };
        let name = self.token(at + 1).filter(|_| self.is_name(at + 1)).unwrap_or(word);
        let owner = self.global(name, Kind::Process, bytes(word), word.text.to_string());
        self.body(self.brace(at), bytes(word).start, owner);
        at + 1
    }

    fn formula(&mut self, at: usize) -> usize {
        let Some(word) = self.token(at) else { return at + 1 };
        let name = self.token(at + 1).filter(|_| self.is_name(at + 1)).unwrap_or(word);
        let owner = self.global(name, Kind::Property, bytes(word), String::new());
        let whole = self.body(self.brace(at), bytes(word).start, owner);
        self.index.symbols[owner].detail = one_line(&self.text[whole]);
        at + 2
    }

    /// The number of the brace with the symbols of an `mtype` declaration.
    fn symbols_follow(&self, at: usize) -> Option<usize> {
        let after = if self.is(at + 1, ":") { at + 3 } else { at + 1 };
        let after = if self.is(after, "=") { after + 1 } else { after };
        self.is(after, "{").then_some(after)
    }

    fn symbols(&mut self, at: usize) -> usize {
        let Some(mut number) = self.symbols_follow(at) else { return at + 1 };
        let set = if self.is(at + 1, ":") { self.token(at + 2).map_or("", |set| &*set.text) } else { "" };
        let of = if set.is_empty() { "mtype".to_owned() } else { format!("mtype:{set}") };
        while !self.is(number, "}") && number < self.code.len() {
            if let Some(name) = self.token(number).filter(|_| self.is_name(number)) {
                self.global(name, Kind::Constant, bytes(name), format!("symbol of {of}"));
            }
            number += 1;
        }
        number + 1
    }

    /// The declarators of a type.
    fn variables(&mut self, at: usize) -> usize {
        let Some(word) = self.token(at) else { return at + 1 };
        let mut at = at + 1;
        let mut shown = word.text.to_string();
        if word.is("mtype") && self.is(at, ":") {
            shown = format!("mtype:{}", self.token(at + 1).map_or("", |set| &*set.text));
            at += 2;
        }
        let type_name = (!TYPES.contains(&&*word.text)).then(|| word.text.to_string());
        while self.is_name(at) {
            let end = self.declarator_end(at);
            let (Some(name), Some(last)) = (self.token(at), self.token(end.saturating_sub(1).max(at))) else {
                return at;
            };
            let written = one_line(&self.text[bytes(name).start..bytes(last).end]);
            let (limit, owner) = self.open.last().copied().unwrap_or((self.text.len() + 1, None));
            let of = owner.map(|owner| self.index.symbols[owner].kind);
            let kind = if of == Some(Kind::Record) { Kind::Field } else { Kind::Variable };
            let scope = if kind == Kind::Field { 0..0 } else { bytes(name).start..limit };
            // A global variable is visible in the whole text; its use before it is another error.
            let scope = if owner.is_none() { 0..self.text.len() + 1 } else { scope };
            let symbol = Symbol {
                name: name.text.to_string(),
                kind,
                at: bytes(name),
                whole: bytes(word).start..bytes(last).end,
                scope,
                owner,
                type_name: type_name.clone(),
                detail: format!("{shown} {written}"),
                range: range(&word.text, &written),
            };
            self.declare(symbol);
            at = end;
            let continues = self.is(at, ",") && !self.token(at + 1).is_some_and(|next| TYPES.contains(&&*next.text));
            if !continues {
                break;
            }
            at += 1;
        }
        at
    }

    /// The number of the token after a declarator: of a comma, a semicolon, or what begins on a new line.
    fn declarator_end(&self, from: usize) -> usize {
        let mut depth = 0_usize;
        let mut at = from + 1;
        while let Some(token) = self.token(at) {
            match &*token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" if depth == 0 => break,
                ")" | "]" | "}" => depth -= 1,
                "," | ";" | "->" | "::" if depth == 0 => break,
                _ if depth == 0 && token.fresh && token.kind == TokenKind::Word => break,
                _ => {}
            }
            at += 1;
        }
        at
    }

    fn is_label(&self, at: usize) -> bool {
        let begins = at.checked_sub(1).and_then(|before| self.token(before)).is_none_or(|before| {
            before.is(";") || before.is("{") || before.is("}") || before.is("::") || before.is("->") || before.is(":")
        });
        self.is_name(at) && self.is(at + 1, ":") && (begins || self.token(at).is_some_and(|token| token.fresh))
    }

    fn label(&mut self, at: usize) -> usize {
        let Some(name) = self.token(at) else { return at + 1 };
        // A label belongs to its process or inline, however deep it stands.
        let owner = self.open.last().and_then(|(_, owner)| *owner);
        let scope = owner.map_or(0..0, |owner| self.index.symbols[owner].whole.clone());
        let of = owner.map_or(String::new(), |owner| format!(" in {}", self.index.symbols[owner].name));
        let detail = format!("label{of}");
        let (text, at_bytes) = (name.text.to_string(), bytes(name));
        let (kind, whole, type_name, range) = (Kind::Label, at_bytes.clone(), None, String::new());
        // The scope of a label is that of `goto`; expressions do not see it.
        let number = self.declare(Symbol {
            name: text,
            kind,
            at: at_bytes,
            whole,
            scope: 0..0,
            owner,
            type_name,
            detail,
            range,
        });
        self.index.symbols[number].whole = scope;
        at + 2
    }

    /// Finds the declaration of every name.
    fn uses(&mut self) {
        let in_lines: Vec<bool> = {
            let mut marks = vec![false; self.tokens.len()];
            self.lines.iter().for_each(|line| marks[line.clone()].fill(true));
            marks
        };
        let mut meant: HashMap<usize, usize> = HashMap::new();
        for (number, token) in self.tokens.iter().enumerate() {
            let is_directive = in_lines[number] && number > 0 && self.tokens[number - 1].is("#");
            let start = bytes(token).start;
            if token.kind != TokenKind::Word || is_directive {
                continue;
            }
            let symbol = self.declared.get(&start).copied();
            let symbol = symbol.or_else(|| if is_reserved(&token.text) { None } else { self.meaning(number, &meant) });
            // A name in a macro is declared wherever the only declaration is.
            let symbol = symbol.or_else(|| {
                let mut all = self.index.named(&token.text).filter(|&one| self.index.symbols[one].kind != Kind::Field);
                if in_lines[number] { all.next().filter(|_| all.next().is_none()) } else { None }
            });
            match symbol {
                Some(symbol) => {
                    meant.insert(number, symbol);
                    self.index.uses.push((bytes(token), symbol));
                }
                None if !is_reserved(&token.text) && !self.is_part(number) => self.index.open.push(bytes(token)),
                None => {}
            }
        }
    }

    /// Whether a name is a field or a label, which are found through their record or process.
    fn is_part(&self, number: usize) -> bool {
        let before = number.checked_sub(1).map(|before| &self.tokens[before]);
        before.is_some_and(|before| [".", "@", "goto"].iter().any(|text| before.is(text)))
    }

    /// What the name at a token means, by the tokens before it.
    fn meaning(&self, number: usize, meant: &HashMap<usize, usize>) -> Option<usize> {
        let (name, start) = (&*self.tokens[number].text, bytes(&self.tokens[number]).start);
        let before = number.checked_sub(1).map(|before| &self.tokens[before]);
        let is_before = |text: &str| before.is_some_and(|token| token.is(text));
        let label = |owner: Option<usize>| {
            let is_label = |&one: &usize| self.index.symbols[one].kind == Kind::Label;
            let mut labels = self.index.named(name).filter(is_label);
            match owner {
                Some(owner) => labels.find(|&one| self.index.symbols[one].owner == Some(owner)),
                None => labels.next(),
            }
        };
        if is_before("goto") {
            let inside = |&one: &usize| self.index.symbols[one].whole.contains(&start);
            let is_label = |&one: &usize| self.index.symbols[one].kind == Kind::Label;
            return self.index.named(name).filter(is_label).find(inside).or_else(|| label(None));
        }
        if is_before("@") {
            return label(self.left(number - 1, meant)).or_else(|| label(None));
        }
        if is_before(".") {
            let record = self.left(number - 1, meant).and_then(|left| self.index.type_of(left));
            return record.and_then(|record| self.index.part(record, name)).or_else(|| {
                let mut fields = self.index.named(name).filter(|&one| self.index.symbols[one].kind == Kind::Field);
                fields.next().filter(|_| fields.next().is_none())
            });
        }
        if is_before(":")
            && let Some(process) = self.left(number - 1, meant)
            && self.index.symbols[process].kind == Kind::Process
            && let Some(found) = self.index.part(process, name)
        {
            return Some(found);
        }
        self.index.resolve(name, start)
    }

    /// What the name before a token means, an index in brackets skipped.
    fn left(&self, number: usize, meant: &HashMap<usize, usize>) -> Option<usize> {
        let mut at = number.checked_sub(1)?;
        if self.tokens[at].is("]") || self.tokens[at].is(")") {
            let (open, close) = if self.tokens[at].is("]") { ("[", "]") } else { ("(", ")") };
            let mut depth = 0;
            loop {
                depth += i32::from(self.tokens[at].is(close)) - i32::from(self.tokens[at].is(open));
                at = at.checked_sub(1)?;
                if depth == 0 {
                    break;
                }
            }
        }
        meant.get(&at).copied()
    }
}

/// The values of a type, in words.
fn range(word: &str, written: &str) -> String {
    match word {
        "bit" | "bool" => "0 or 1".into(),
        "byte" | "pid" => "0 to 255".into(),
        "short" => "-32768 to 32767".into(),
        "int" => "-2147483648 to 2147483647".into(),
        "unsigned" => {
            let width = written.split_once(':').map(|(_, width)| width.split('=').next().unwrap_or(width).trim());
            match width.and_then(|width| width.parse::<u32>().ok()).filter(|width| *width <= 32) {
                Some(width) => format!("0 to {}", (1_u64 << width) - 1),
                None => String::new(),
            }
        }
        "chan" => "a channel".into(),
        "mtype" => "a symbol, or 0".into(),
        _ => String::new(),
    }
}
