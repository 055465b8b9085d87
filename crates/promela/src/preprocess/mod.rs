//! The preprocessor: directives, includes and conditional text, over tokens instead of characters.
//!
//! It does what the preprocessor of C [iso.99.c] does for Promela, because SPIN runs models through one
//! (`gcc -std=gnu99 -E`).
//! Contract: never fails; the result is the text after all directives have been executed, with
//! every token knowing the place where it was spelt and the macro use it came through. A token is
//! `fresh` when C's preprocessor would print it on a new line: all of an expansion stands on the
//! line of the macro's name.
//!
//! Deviations from C: `1..N` is three tokens (C reads one, and does not expand `N`); a backslash
//! before a line end joins tokens only between them; `__DATE__` and its like do not exist.
//!
//! Bounds: those of [`limits`]. When the budget is exhausted, the rest of the text is skipped; the caller asks the budget
//! before it uses the tokens.
//!
//! Tested by the tables in `tests/preprocessor.rs`.

mod condition;
mod directive;
mod expand;
pub mod limits;
mod substitute;

use crate::codes;
use crate::lex::{Spellings, Token, TokenKind, lex};
use kernel::budget::Budget;
use kernel::diagnostic::Diagnostic;
use kernel::span::{FileId, SourceMap, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// How the preprocessor gets at included files; the tool reads the disk, tests read a table.
pub trait Files {
    /// The resolved name and the text of the file that an `#include` in `included_from` asks for.
    ///
    /// # Errors
    ///
    /// When there is no such file, or it cannot be read as text.
    fn read(&self, path: &str, included_from: Option<&str>) -> std::io::Result<(String, String)>;
}

/// What the preprocessor is told from outside the text.
#[derive(Clone, Debug, Default)]
pub struct PreprocessorOptions {
    /// `-D NAME` and `-D NAME=TEXT`; the text is `1` where not given.
    pub defines: Vec<(String, Option<String>)>,
    /// `-U NAME`
    pub undefines: Vec<String>,
}

/// The macros that are defined at the end of a text.
#[derive(Clone, Debug, Default)]
pub struct Definitions(HashMap<Arc<str>, Arc<Macro>>);

impl Definitions {
    /// The macros that take arguments, each with the place of its definition.
    pub(crate) fn functions(&self) -> HashMap<Arc<str>, Span> {
        let functions = self.0.iter().filter(|(_, definition)| definition.parameters.is_some());
        functions.map(|(name, definition)| (name.clone(), definition.defined)).collect()
    }
}

/// Runs the preprocessor over a file of the map.
pub fn preprocess(
    sources: &mut SourceMap,
    file: FileId,
    options: &PreprocessorOptions,
    files: &dyn Files,
    spellings: &mut Spellings,
    budget: &Budget,
) -> (Vec<Token>, Vec<Diagnostic>, Definitions) {
    let mut definitions = Definitions::default();
    let mut diagnostics = Vec::new();
    let command_line = command_line_text(options);
    if !command_line.is_empty() {
        let id = sources.add_file("<command line>", command_line, None);
        (_, diagnostics, definitions) = preprocess_after(sources, id, &definitions, files, spellings, budget);
    }
    let (tokens, findings, definitions) = preprocess_after(sources, file, &definitions, files, spellings, budget);
    diagnostics.extend(findings);
    (tokens, diagnostics, definitions)
}

/// Runs the preprocessor over a file with macros that another text defined.
pub fn preprocess_after(
    sources: &mut SourceMap,
    file: FileId,
    definitions: &Definitions,
    files: &dyn Files,
    spellings: &mut Spellings,
    budget: &Budget,
) -> (Vec<Token>, Vec<Diagnostic>, Definitions) {
    let mut run = Preprocessor {
        sources,
        files,
        spellings,
        budget,
        included: 0,
        macros: definitions.0.clone(),
        active: HashMap::new(),
        output: Vec::new(),
        diagnostics: Vec::new(),
        made: 0,
        stack: Vec::new(),
    };
    run.open(file);
    run.run();
    let end = run.sources.text(file).len();
    let at = u32::try_from(end).expect("a source text is smaller than 4 GiB");
    let text = run.spellings.get("");
    let span = Span::new(file, at, at);
    run.output.push(Token {
        kind: TokenKind::End,
        text,
        span,
        line: u32::MAX,
        fresh: true,
        spaced: true,
        painted: false,
    });
    (run.output, run.diagnostics, Definitions(run.macros))
}

fn command_line_text(options: &PreprocessorOptions) -> String {
    let mut text = String::new();
    for (name, value) in &options.defines {
        let one_line = value.as_deref().unwrap_or("1").replace('\n', " ");
        text.push_str(&format!("#define {name} {one_line}\n"));
    }
    for name in &options.undefines {
        text.push_str(&format!("#undef {name}\n"));
    }
    text
}

/// A definition made by `#define`.
#[derive(Debug)]
struct Macro {
    /// Parameter names of a function-like macro.
    parameters: Option<Vec<Arc<str>>>,
    /// Whether the last parameter takes all remaining arguments.
    variadic: bool,
    body: Vec<Token>,
    /// The name in the definition.
    defined: Span,
}

impl Macro {
    /// Whether two definitions are the same, as C defines it (white space counts only as such).
    fn same(&self, other: &Macro) -> bool {
        self.parameters == other.parameters
            && self.body.len() == other.body.len()
            && self.body.iter().zip(&other.body).all(|(a, b)| a.text == b.text)
    }
}

/// A file being read.
struct Cursor {
    file: FileId,
    tokens: Arc<[Token]>,
    at: usize,
    conditionals: Vec<Conditional>,
}

/// An `#if` that is open.
struct Conditional {
    opened: Span,
    /// Whether the text after the last of its directives counts.
    live: bool,
    /// Whether one of its groups has been live.
    taken: bool,
    /// Whether its `#else` has come.
    ended: bool,
    /// Whether the text around it counts.
    outer: bool,
}

struct Preprocessor<'a> {
    sources: &'a mut SourceMap,
    files: &'a dyn Files,
    spellings: &'a mut Spellings,
    budget: &'a Budget,
    /// How many files were included so far, each time they were.
    included: usize,
    macros: HashMap<Arc<str>, Arc<Macro>>,
    /// How many expansions of each macro are being rescanned right now.
    active: HashMap<Arc<str>, usize>,
    output: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
    /// How many tokens macros have made.
    made: usize,
    stack: Vec<Cursor>,
}

impl Preprocessor<'_> {
    fn open(&mut self, file: FileId) {
        let (tokens, diagnostics) = lex(self.sources.text(file), file, self.spellings, self.budget);
        self.diagnostics.extend(diagnostics);
        self.stack.push(Cursor { file, tokens: tokens.into(), at: 0, conditionals: Vec::new() });
    }

    /// Reads until all open files are done.
    fn run(&mut self) {
        while let Some(cursor) = self.stack.last_mut() {
            if self.budget.check().is_err() {
                self.stack.clear();
                return;
            }
            let tokens = cursor.tokens.clone();
            let start = cursor.at;
            if start >= tokens.len() {
                self.close();
                continue;
            }
            let directive = is_directive(&tokens[start]);
            let end = (start + 1..tokens.len())
                .find(|i| if directive { tokens[*i].fresh } else { is_directive(&tokens[*i]) })
                .unwrap_or(tokens.len());
            cursor.at = end;
            if directive {
                self.directive(&tokens[start..end]);
            } else if self.live() {
                let expanded = self.expand(tokens[start..end].to_vec());
                self.emit(expanded);
            }
        }
    }

    /// Whether text counts here, as far as the conditionals of this file say.
    fn live(&self) -> bool {
        self.stack.last().and_then(|cursor| cursor.conditionals.last()).is_none_or(|conditional| conditional.live)
    }

    fn close(&mut self) {
        let cursor = self.stack.pop().expect("a file is open");
        for conditional in cursor.conditionals {
            self.diagnostics.push(
                Diagnostic::error(codes::CONDITIONAL_OPEN, conditional.opened, "this conditional has no `#endif`")
                    .here("opened here")
                    .hint("add `#endif` where the conditional text ends"),
            );
        }
    }

    /// Appends tokens to the output and marks those that stand on a new line.
    fn emit(&mut self, tokens: Vec<Token>) {
        let mut before = u32::MAX;
        for mut token in tokens {
            token.fresh = token.line != before;
            before = token.line;
            self.output.push(token);
        }
    }
}

fn is_directive(token: &Token) -> bool {
    token.fresh && token.is("#")
}
