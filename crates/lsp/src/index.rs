//! The names of a text: where each is declared, what it is, and where it is used.
//!
//! The index is made from the tokens of the text as the author wrote it, before the preprocessor. So it covers the bodies of macros
//! and inlines, exists while a text has errors, and points into the text that the editor shows. Each language has its own module
//! that finds declarations and uses.
//!
//! *Deviation.* A name in the body of a macro is resolved where the macro stands: outside all processes. If no global name fits, the
//! only declaration of that name in the text is taken.

mod promela;
mod smv;

use checker::report::Language;
use std::collections::HashMap;
use std::ops::Range;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `#define`
    Macro,
    /// `inline`
    Inline,
    /// A proctype, `init` or claim.
    Process,
    /// `typedef`
    Record,
    /// A field of a record.
    Field,
    /// A variable.
    Variable,
    /// A parameter of a process, inline, macro or module.
    Parameter,
    /// A symbolic constant.
    Constant,
    /// A label.
    Label,
    /// A property.
    Property,
    /// A module of SMV.
    Module,
    /// A definition in SMV.
    Define,
}

/// A declared name.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// What it stands for.
    pub kind: Kind,
    /// The name in its declaration.
    pub at: Range<usize>,
    /// The whole declaration.
    pub whole: Range<usize>,
    /// Where the name is visible; empty for what is found through its owner.
    pub scope: Range<usize>,
    /// The record, process, inline or module that it belongs to.
    pub owner: Option<usize>,
    /// The name of its type, if that is a record or module.
    pub type_name: Option<String>,
    /// Its declaration on one line.
    pub detail: String,
    /// The values that it can have, in words; empty if there is nothing to say.
    pub range: String,
}

/// All names of a text.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// The declarations in the order of the text.
    pub symbols: Vec<Symbol>,
    /// Each use of a name with its declaration, declarations included, in the order of the text.
    pub uses: Vec<(Range<usize>, usize)>,
    /// The names that stand in the text and are declared elsewhere, perhaps in an included file.
    pub open: Vec<Range<usize>>,
    /// The files that the text includes.
    pub includes: Vec<String>,
    by_name: HashMap<String, Vec<usize>>,
}

impl Index {
    /// The index of a text.
    #[must_use]
    pub fn new(language: Language, text: &str) -> Self {
        match language {
            Language::Promela => promela::index(text),
            Language::Smv => smv::index(text),
        }
    }

    /// The declaration of the name at a byte, and the bytes of the name.
    #[must_use]
    pub fn at(&self, offset: usize) -> Option<(&Symbol, Range<usize>)> {
        self.number_at(offset).map(|(number, bytes)| (&self.symbols[number], bytes))
    }

    /// The number of the symbol whose name is at a byte, and the bytes of the name.
    #[must_use]
    pub fn number_at(&self, offset: usize) -> Option<(usize, Range<usize>)> {
        let after = self.uses.partition_point(|(bytes, _)| bytes.start <= offset);
        let (bytes, number) = self.uses[..after].last()?;
        (offset <= bytes.end).then(|| (*number, bytes.clone()))
    }

    /// All places where a symbol is used, its declaration included.
    pub fn uses_of(&self, number: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        self.uses.iter().filter(move |(_, other)| *other == number).map(|(bytes, _)| bytes.clone())
    }

    /// The symbol that a name means at a byte: the one with the smallest scope.
    #[must_use]
    pub fn resolve(&self, name: &str, offset: usize) -> Option<usize> {
        let fits = self.named(name).filter(|&number| self.symbols[number].scope.contains(&offset));
        fits.min_by_key(|&number| self.symbols[number].scope.len())
    }

    /// All symbols with a name.
    pub fn named(&self, name: &str) -> impl Iterator<Item = usize> + '_ {
        self.by_name.get(name).into_iter().flatten().copied()
    }

    /// The part of an owner with a name.
    #[must_use]
    pub fn part(&self, owner: usize, name: &str) -> Option<usize> {
        self.named(name).find(|&number| self.symbols[number].owner == Some(owner))
    }

    /// The record or module that is the type of a symbol.
    #[must_use]
    pub fn type_of(&self, number: usize) -> Option<usize> {
        let name = self.symbols[number].type_name.as_deref()?;
        self.named(name).find(|&other| matches!(self.symbols[other].kind, Kind::Record | Kind::Module))
    }

    fn declare(&mut self, symbol: Symbol) -> usize {
        let number = self.symbols.len();
        self.by_name.entry(symbol.name.clone()).or_default().push(number);
        self.symbols.push(symbol);
        number
    }
}

/// A piece of a text on one line, shortened.
fn one_line(text: &str) -> String {
    const LONGEST: usize = 160;
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line,
    }
}

/// The words of a language.
pub fn keywords(language: Language) -> impl Iterator<Item = &'static str> {
    let [keywords, predefined] = match language {
        Language::Promela => [::promela::parse::KEYWORDS, promela::PREDEFINED],
        Language::Smv => [::smv::lex::KEYWORDS, &[]],
    };
    keywords.iter().chain(predefined).copied()
}
